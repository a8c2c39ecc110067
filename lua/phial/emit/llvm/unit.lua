-- The whole text: functions that are reached, declarations, strings, metadata.
local Body = require "phial.emit.llvm.body"
local Debug = require "phial.emit.llvm.debug"
local Names = require "phial.emit.llvm.names"
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
---@field needed {name: string, text: string}[] functions that are known by name only
---@field signatures table<string, string> theirs, by name
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

--- The name of a function in LLVM, without prefix. A function that is met for the
--- first time will be defined.
---@param fn phial.Function
---@return string
function Unit:symbol(fn)
  local symbol = self.symbols[fn]
  if symbol then return symbol end
  local name = fn:name()
  if name:find "^llvm%." then
    errors.raise("function '%s': names that start with 'llvm.' are those of LLVM's own functions",
      name)
  elseif not fn:is_finished() then
    errors.raise("function '%s' is not finished: call fn:finish() before it can be written", name)
  end
  symbol = self.by_name[name] == nil and self.signatures[name] and name or self.names:take(name)
  self.symbols[fn], self.by_name[name] = symbol, self.by_name[name] or fn
  self.functions[#self.functions + 1] = fn
  return symbol
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
  local signature = ("%s (%s)"):format(returned, table.concat(params, ", "))
  local other = self.signatures[name]
  if other then return other ~= signature and other or nil end
  self.signatures[name] = signature
  if not self.by_name[name] then self.names:take(name) end
  self.needed[#self.needed + 1] = { name = name, text = ("declare %s @%s(%s)"):format(returned,
    Names.quoted(name), table.concat(params, ", ")) }
end

local function signature_of(unit, fn)
  local params, result = {}, fn:result()
  for i, var in ipairs { fn:params() } do params[i] = types.passed(unit:type(var:type())) end
  return ("%s (%s)"):format(types.returned(result and unit:type(result)), table.concat(params, ", "))
end

-- Declares what is called by name; functions of the text may be, too.
local function declare_needed(unit)
  for _, it in ipairs(unit.needed) do
    local fn, used = unit.by_name[it.name], unit.signatures[it.name]
    if not fn then
      unit:declare(it.text)
    elseif signature_of(unit, fn) ~= used then
      errors.raise("function '%s' is called by its name as %s, but is %s", it.name, used,
        signature_of(unit, fn))
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
  for _, symbol in pairs(unit.symbols) do defined[Names.quoted(symbol)] = true end
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
