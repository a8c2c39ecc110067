-- The whole text: functions that are reached, declarations, strings, metadata.
local Body = require "phial.emit.llvm.body"
local Debug = require "phial.emit.llvm.debug"
local Names = require "phial.emit.llvm.names"
local core = require "phial.core"
local errors = require "phial.errors"
local types = require "phial.emit.llvm.types"

local Unit = {}
Unit.__index = Unit

---@class phial.emit.llvm.Unit
---@field opts phial.emit.llvm.Options
---@field names phial.emit.llvm.Names of functions and globals
---@field symbols table<phial.Function, string> without prefix
---@field functions phial.Function[] to define, in the order in which they are reached
---@field roots table<phial.Function, true> those that are visible from outside
---@field by_name table<string, phial.Function> those that are defined under their names
---@field needed string[] names of functions that are called by name or declared
---@field signatures table<string, string> theirs
---@field declared {symbol: string?, line: string}[]
---@field messages string[] definitions of strings
---@field debug phial.emit.llvm.Debug

--- A text without anything in it.
---@param opts phial.emit.llvm.Options
---@return phial.emit.llvm.Unit
function Unit.new(opts)
  return setmetatable({ opts = opts, names = Names.new(), symbols = {}, functions = {}, roots = {},
    by_name = {}, needed = {}, signatures = {}, declared = {}, messages = {},
    debug = Debug.new(opts) }, Unit)
end

--
-- {== Types ===========================================================
--

--- The name of a type in LLVM, or nil.
---@param type string
---@return string?
function Unit:type(type)
  if type == "ptr" then return self.opts.pointers == "typed" and "i8*" or "ptr" end
  return types.name(type)
end

-- }== Functions =======================================================

local is_declaration = rawget(core.Function.__index, "is_declaration")
  or function() return false end

--- True for the declaration of a function with further arguments.
---@param fn phial.Function
---@return boolean
function Unit.is_variadic(_, fn) return is_declaration(fn) and fn:is_variadic() end

-- The type of a parameter or result.
local function type_of(unit, fn, type)
  return unit:type(type) or errors.raise("function '%s': type '%s' has no counterpart in LLVM",
    fn:name(), type)
end

--- The type of a function: "i64 (i64, i1 zeroext)".
---@param fn phial.Function
---@return string
function Unit:signature(fn)
  local params, result = {}, fn:result()
  for i, var in ipairs { fn:params() } do
    params[i] = types.passed(type_of(self, fn, var:type()))
  end
  if self:is_variadic(fn) then params[#params + 1] = "..." end
  return ("%s (%s)"):format(types.returned(result and type_of(self, fn, result)),
    table.concat(params, ", "))
end

-- Notes that something is called by this name; returns another signature with which it is
-- used, if one exists.
local function use_name(unit, name, text)
  local other = unit.signatures[name]
  if other then return other ~= text and other or nil end
  unit.signatures[name] = text
  if not unit.by_name[name] then unit.names:take(name) end
  table.insert(unit.needed, name)
end

local function check_name(name)
  if name:find "^llvm%." then
    errors.raise("function '%s': names that start with 'llvm.' are those of LLVM's own functions",
      name)
  end
end

local function check_finished(fn)
  if not fn:is_finished() then
    errors.raise("function '%s' is not finished: call fn:finish() before it can be written",
      fn:name())
  end
end

-- Gives a function, which will be defined, its name.
local function define(unit, fn)
  local name = fn:name()
  check_finished(fn)
  table.insert(unit.functions, fn)
  if unit.by_name[name] then return unit.names:take(name) end
  unit.by_name[name] = fn
  return unit.signatures[name] and name or unit.names:take(name)
end

local function declare(unit, fn)
  local name, text = fn:name(), unit:signature(fn)
  local other = use_name(unit, name, text)
  if other then
    errors.raise("function '%s' is declared as %s, but also used as %s", name, text, other)
  end
  return name
end

--- The name of a function in LLVM, without prefix. One that is met for the first time
--- will be defined or declared.
---@param fn phial.Function
---@return string
function Unit:symbol(fn)
  if not self.symbols[fn] then
    check_name(fn:name())
    self.symbols[fn] = is_declaration(fn) and declare(self, fn) or define(self, fn)
  end
  return self.symbols[fn]
end

--- What precedes the type in the definition of a function: only roots are visible.
---@param fn phial.Function
---@return string
function Unit:linkage(fn) return self.roots[fn] and "" or "internal " end

--- Notes that a function is called by its name; returns another signature with which
--- it is used, if one exists.
---@param name string
---@param returned string
---@param params string[]
---@return string?
function Unit:need(name, returned, params)
  check_name(name)
  return use_name(self, name, ("%s (%s)"):format(returned, table.concat(params, ", ")))
end

-- Declares what is called by name and not defined.
local function declare_needed(unit)
  for _, name in ipairs(unit.needed) do
    local fn, used = unit.by_name[name], unit.signatures[name]
    if not fn then
      local returned, params = used:match "^(.-) (%(.*)$"
      unit:declare(("declare %s @%s%s"):format(returned, Names.quoted(name), params))
    elseif unit:signature(fn) ~= used then
      errors.raise("function '%s' is called by its name as %s, but is %s", name, used,
        unit:signature(fn))
    end
  end
end

-- }== Lines ===========================================================

--- Adds a line outside functions: of several declarations of a function the first one.
---@param line string
function Unit:declare(line)
  local symbol = line:match '^%s*declare.-@("[^"]*")%s*%(' or line:match "^%s*declare.-@([^%s(]+)"
  if self.declared[symbol or line] then return end
  self.declared[symbol or line] = true
  table.insert(self.declared, { symbol = symbol, line = line })
end

-- The declarations of what the text does not define.
local function declarations(unit)
  local defined, lines = {}, {}
  for _, fn in ipairs(unit.functions) do defined[Names.quoted(unit.symbols[fn])] = true end
  for _, it in ipairs(unit.declared) do
    if not defined[it.symbol] then lines[#lines + 1] = it.line end
  end
  return lines
end

--- A pointer to a message, as an argument.
---@param text string
---@return string
function Unit:message(text)
  local symbol, size = self.names:take ".why", #text + 1
  self:declare(("declare void @phial_trap(%s)"):format(self:type "ptr"))
  self.messages[#self.messages + 1] = ('@%s = private unnamed_addr constant [%d x i8] c"%s\\00"')
    :format(symbol, size, Names.escaped(text))
  if self.opts.pointers ~= "typed" then return "ptr @" .. symbol end
  return ("i8* getelementptr ([%d x i8], [%d x i8]* @%s, i64 0, i64 0)"):format(size, size, symbol)
end

-- }== The text ========================================================

local function append(out, lines)
  if #lines == 0 then return end
  if #out > 0 then out[#out + 1] = "" end
  table.move(lines, 1, #lines, #out + 1, out)
end

--- The text of functions and of all that they reach.
---@param name string
---@return string
function Unit:text(name)
  local bodies, versions, i = {}, {}, 1
  while self.functions[i] do
    versions[i] = self.functions[i]:version()
    bodies[i] = Body.define(self, self.functions[i])
    i = i + 1
  end
  for k, version in ipairs(versions) do
    if self.functions[k]:version() ~= version then
      errors.raise("function '%s' was changed while it was read", self.functions[k]:name())
    end
  end
  declare_needed(self)
  local out = { ('source_filename = "%s"'):format(Names.escaped(self.opts.file or name)) }
  append(out, self.messages)
  append(out, declarations(self))
  for _, body in ipairs(bodies) do append(out, body) end
  append(out, self.debug:text())
  return table.concat(out, "\n") .. "\n"
end

-- }====================================================================

return Unit
