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
---@field var phial.Variable
---@field type string
---@field place string where it was declared, "file:line"

--- Opens a scope inside the innermost one.
---@param site phial.build.Site
function M.open(site)
  site.scope = { names = {}, up = site.scope }
end

--- Closes the innermost scope.
---@param site phial.build.Site
function M.close(site)
  for name, it in pairs(site.scope.names) do site.ended[name] = it.place end
  site.scope = site.scope.up
end

local function find(site, name)
  local scope = site.scope
  repeat
    local it = scope.names[name]
    if it then return it end
    scope = scope.up
  until not scope
end

local function visible(site)
  local names, scope = {}, site.scope
  while scope do
    for name in pairs(scope.names) do names[name] = true end
    scope = scope.up
  end
  return names
end

-- The enclosing function that has the name, and what the name stands for there.
local function find_outside(site, name)
  local outer = site.outer
  while outer do
    local it = find(outer, name)
    if it then return outer, it end
    outer = outer.outer
  end
end

local function unknown(site, name)
  local outer, it = find_outside(site, name)
  if outer then
    errors.raise("function '%s' has no variable '%s': that of the enclosing function '%s' "
      .. "(declared at %s) is not captured, pass it as a parameter",
      site.fn:name(), name, outer.fn:name(), it.place)
  elseif site.ended[name] then
    errors.raise("no variable '%s' here: the one declared at %s was local to a body that has ended",
      name, site.ended[name])
  end
  errors.raise("function '%s' has no variable '%s'%s: assign to it first, or declare it with b:var",
    site.fn:name(), name, errors.near(name, visible(site)))
end

local function check_name(name)
  if type(name) ~= "string" then
    errors.raise("the name of a variable must be a string, got %s", errors.got(name))
  end
end

-- The types that a literal may take as default; with another default it has the
-- type that fn:const gives it.
local TAKES = { integer = "^[if]%d+$", float = "^f%d+$", boolean = "^i1$", string = "^any$" }

--- The type of a new variable with this value; nil if it is not a value.
---@param site phial.build.Site
---@param value any
---@return string?
function M.type_of(site, value)
  if errors.class(value) == "phial.Value" then return value:type() end
  local takes = TAKES[math.type(value) or type(value)]
  if not takes then return nil end
  if site.default == "any" or site.default:find(takes) then return site.default end
  return site.fn:const(value):type()
end

--- The value itself, or the constant of a literal; nil if it is not of that type.
---@param site phial.build.Site
---@param value any
---@param wanted string a type
---@return phial.Value?
function M.typed(site, value, wanted)
  if errors.class(value) == "phial.Value" then return value:type() == wanted and value or nil end
  return core.fits(site.fn, value, wanted) and site.fn:const(value, wanted) or nil
end

local NOTHING = ": b:const(nil) is the constant, b:undef(type) an undefined value"

local function refuse(name, value, about)
  local hint = value == nil and NOTHING or ""
  errors.raise("variable '%s'%s cannot be assigned %s%s", name, about, errors.got(value), hint)
end

-- Makes a variable; names it last, when nothing can fail any more.
local function declare(site, scope, name, kind, value)
  local it = { var = site.fn:var(name, kind), type = kind, place = errors.place() }
  if value ~= nil then
    local typed = M.typed(site, value, kind)
    if not typed then refuse(name, value, (" of type %s"):format(kind)) end
    site.fn:at():write(it.var, typed)
  end
  scope.names[name] = it
  return it.var
end

--- Declares a variable in the innermost scope, with a type, a value or both.
---@param site phial.build.Site
---@param name string
---@param kind string|phial.Operand? the type, or the value
---@param value phial.Operand?
---@return phial.Variable
function M.var(site, name, kind, value)
  check_name(name)
  if value == nil and kind ~= nil and type(kind) ~= "string" then kind, value = nil, kind end
  if not kind and value ~= nil then
    kind = M.type_of(site, value)
    if not kind then refuse(name, value, "") end
  end
  return declare(site, site.scope, name, kind or site.default, value)
end

--- True if a variable of this name is in scope.
---@param site phial.build.Site
---@param name string
---@return boolean
function M.has(site, name)
  check_name(name)
  return find(site, name) ~= nil
end

--- The variable of this name that is in scope; raises if there is none.
---@param site phial.build.Site
---@param name string
---@return phial.Variable
function M.find(site, name)
  check_name(name)
  local it = find(site, name)
  if not it then unknown(site, name) end
  return it.var
end

local function assign(site, name, value)
  check_name(name)
  local it = find(site, name)
  if not it then
    local kind = M.type_of(site, value)
    if not kind then refuse(name, value, "") end
    declare(site, site.top, name, kind, value)
    return
  end
  local typed = M.typed(site, value, it.type)
  if not typed then refuse(name, value, (" of type %s (since %s)"):format(it.type, it.place)) end
  site.fn:at():write(it.var, typed)
end

local function check_innermost(site, name)
  if site.inner then
    errors.raise("variable '%s' belongs to function '%s', and '%s' is being built: "
      .. "pass it as a parameter", portable.tostring(name), site.fn:name(), site.inner)
  end
end

--- Makes the table whose fields are the variables.
---@param site phial.build.Site
---@return table
function M.fields(site)
  return setmetatable({}, {
    __name = "phial.Variables",
    __index = function(_, name)
      check_innermost(site, name)
      return site.fn:at():read(M.find(site, name))
    end,
    __newindex = function(_, name, value)
      check_innermost(site, name)
      assign(site, name, value)
    end,
  })
end

return M
