-- Variables as fields.
--
-- As in Lua, assigning to an unknown name makes a variable of the whole function; a
-- declared variable belongs to the innermost body and hides outer ones of its name.
-- Scopes concern names only: each declaration makes a variable of phial, for
-- which phis are placed.
local core = require "phial.core"
local errors = require "phial.errors"
local portable = require "phial.portable"

local M = {}

---@class phial.build.Name
---@field name string
---@field var phial.Variable
---@field type string
---@field place string where it was declared, "file:line"
---@field number integer in `locals`; 0 if it is of the whole function
---@field hidden phial.build.Name? of the same name, in scope again when this one ends

--- Opens a scope inside the innermost one; returns what closes it.
---@return integer mark
function M.open(site)
  local mark = site.mark
  site.mark = #site.locals
  return mark
end

--- Closes the innermost scope.
---@param mark integer what opening it returned
function M.close(site, mark)
  local locals, names, ended = site.locals, site.names, site.ended
  for i = site.mark + 1, #locals do
    local it = locals[i]
    names[it.name], ended[it.name], locals[i] = it.hidden, it.place, nil
  end
  site.mark = mark
end

-- Puts a variable in scope: in the innermost one, or that of the whole function.
local function put_in_scope(site, it, is_local)
  local name, locals = it.name, site.locals
  local hidden = site.names[name]
  if is_local then
    it.number = #locals + 1
    locals[it.number] = it
    if hidden and hidden.number > site.mark then hidden = hidden.hidden end
    it.hidden = hidden
  end
  site.names[name] = it
end

--- Puts a parameter in scope.
---@param var phial.Variable
---@param place string
function M.param(site, var, place)
  put_in_scope(site, { name = var:name(), var = var, type = var:type(), place = place, number = 0 })
end

local function unknown(site, name)
  local outer = site.outer
  while outer and not outer.names[name] do outer = outer.outer end
  if outer then
    errors.raise("function '%s' has no variable '%s': that of the enclosing function '%s' "
      .. "(declared at %s) is not captured, pass it as a parameter",
      site.fn:name(), name, outer.fn:name(), outer.names[name].place)
  elseif site.ended[name] then
    errors.raise("no variable '%s' here: the one declared at %s was local to a body that has ended",
      name, site.ended[name])
  end
  errors.raise("function '%s' has no variable '%s'%s: assign to it first, or declare it with b:var",
    site.fn:name(), name, errors.near(name, site.names))
end

-- Of a field of the variables.
local function check_name(name)
  if type(name) ~= "string" then
    errors.raise("the name of a variable must be a string, got %s", errors.got(name))
  end
end

-- The types that a literal may take as default; with another default it has the
-- type that fn:const gives it.
local TAKES = { integer = "^[if]%d+$", float = "^f%d+$", boolean = "^i1$", string = "^any$" }

--- The type of a new variable with this value; nil if it is not a value.
---@param value any
---@return string?
function M.type_of(site, value)
  local kind = core.type(value)
  if kind then return kind end
  local takes = TAKES[math.type(value) or type(value)]
  if not takes then return nil end
  if site.default == "any" or site.default:find(takes) then return site.default end
  return site.fn:const(value):type()
end

-- True if it is a value of that type, or a literal that can be a constant of it.
local function fits(site, value, wanted)
  return core.type(value) == wanted or core.fits(site.fn, value, wanted)
end

--- The value itself, or the constant of a literal; nil if it is not of that type.
---@param value any
---@param wanted string a type
---@return phial.Value?
function M.typed(site, value, wanted)
  if core.type(value) == wanted then return value end
  return core.fits(site.fn, value, wanted) and site.fn:const(value, wanted) or nil
end

local NOTHING = ": b:const(nil) is the constant, b:undef(type) an undefined value"

local function refuse(name, value, about)
  local hint = value == nil and NOTHING or ""
  errors.raise("variable '%s'%s cannot be assigned %s%s", name, about, errors.got(value), hint)
end

-- Makes a variable; puts it in scope last, when nothing can fail any more.
local function declare(site, is_local, name, kind, value)
  local it = {
    name = name, var = site.fn:var(name, kind), type = kind, place = errors.place(), number = 0,
  }
  if value ~= nil then
    if not fits(site, value, kind) then refuse(name, value, (" of type %s"):format(kind)) end
    site.fn:write(it.var, value)
  end
  put_in_scope(site, it, is_local)
  return it.var
end

--- Declares a variable in the innermost scope, with a type, a value or both.
function M.var(site, name, kind, value)
  errors.check_string("var", 1, name)
  if value == nil and kind ~= nil and type(kind) ~= "string" then kind, value = nil, kind end
  if not kind and value ~= nil then
    kind = M.type_of(site, value)
    if not kind then refuse(name, value, "") end
  end
  return declare(site, true, name, kind or site.default, value)
end

--- True if a variable of this name is in scope.
function M.has(site, name)
  errors.check_string("has", 1, name)
  return site.names[name] ~= nil
end

local function find_name(site, name)
  check_name(name)
  return site.names[name] or unknown(site, name)
end

--- The variable of this name that is in scope; raises if there is none.
function M.find(site, name)
  errors.check_string("find", 1, name)
  return find_name(site, name).var
end

local function check_innermost(site, name)
  if site.inner then
    errors.raise("variable '%s' belongs to function '%s', in whose body '%s' is being built: "
      .. "pass it as a parameter", portable.tostring(name), site.fn:name(), site.inner)
  end
end

local function assign(site, name, value)
  check_innermost(site, name)
  check_name(name)
  local it = site.names[name]
  if not it then
    local kind = M.type_of(site, value)
    if not kind then refuse(name, value, "") end
    declare(site, false, name, kind, value)
  elseif fits(site, value, it.type) then
    site.fn:write(it.var, value)
  else
    refuse(name, value, (" of type %s (since %s)"):format(it.type, it.place))
  end
end

--- Makes the table whose fields are the variables.
---@return table
function M.fields(site)
  local fn, names = site.fn, site.names
  return setmetatable({}, {
    __name = "phial.Variables",
    __index = function(_, name)
      local it = names[name]
      if not it or site.inner then
        check_innermost(site, name)
        it = find_name(site, name)
      end
      return fn:read(it.var)
    end,
    __newindex = function(_, name, value)
      local it = names[name]
      if not it or site.inner or not core.assign(fn, it.var, value) then
        assign(site, name, value)
      end
    end,
  })
end

return M
