-- One function. The core writes its blocks; here are its head, and what rows that are functions
-- are called with.
local Names = require "phial.emit.llvm.names"
local Ssa = require "phial.code.ssa"
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local languages = require "phial.emit.llvm.language"
local types = require "phial.emit.llvm.types"

---@class phial.emit.llvm.Body: phial.code.Ssa
---@field unit phial.emit.llvm.Unit
---@field texts table<integer, string> none: addresses are values
---@field flags table<string, boolean>
---@field told boolean traps call a function with a message
---@field patterns table<string, string|false> those of calls
---@field scope phial.emit.llvm.Scope|false
local Body = Ssa.class()
Body.key, Body.language = "llvm", "as LLVM IR"

--
-- {== Rows =============================================================
--

--- The name of a type in LLVM.
---@param v integer the instruction
---@param type string
---@return string
function Body:type(v, type)
  return self.unit.symbols:type(type)
    or self:refuse(v, "type '%s' has no counterpart in LLVM", type)
end

--- Writes the instruction that computes something else; returns its name.
---@param format string
---@return string
function Body:let(format, ...)
  local text, name = format:format(...), self:temp()
  self.w:line(("%s = %s"):format(name, text))
  return name
end

--- What $f stands for: an address.
---@param v integer
---@return string
function Body:symbol(v)
  return self.unit.symbols:address(callees.found(self.fn, self:handle(v):data()))
end

function Body.target(_, label) return "label %" .. label end

function Body.label_of(line)
  return line:match '^%s*([-A-Za-z$._0-9]+):%s*$' or line:match '^%s*("[^"]*"):%s*$'
end

-- }== What the core asks for ===========================================

--- Adds a declaration to the unit.
---@param line string
function Body:declare(line) self.unit:declare(line) end

--- Takes the definitions of n positions; returns the number of the scope of those in a file, and
--- that of the next position.
---@param text string lines
---@param n integer
---@param file string?
---@return integer
---@return integer
function Body:places(text, n, file) return self.unit.debug:places(self.scope, text, n, file) end

--- The call that ends a trap.
---@param why string? a message, if it is told
---@return string
function Body:trap(why)
  if why then return ("void @phial_trap(%s)"):format(self.unit:message(why)) end
  self.unit:declare "declare void @llvm.trap()"
  return "void @llvm.trap()"
end

--- Lines that trap.
---@param v integer
---@param why string
---@return string
function Body:trapping(v, why)
  return ("call %s\nunreachable"):format(self:trap(self.told and self:where(v) .. ": " .. why))
end

-- }== The function =====================================================

local function open_scope(self)
  local line, file = self.w:position()
  local symbol = self.unit.symbols:of(self.fn)
  self.scope = line ~= nil and self.unit.debug:scope(self.name, symbol, line, file)
end

-- The type of a parameter or the result.
local function type_of(self, type)
  return self.unit.symbols:type(type)
    or errors.raise("function '%s': type '%s' has no counterpart in LLVM", self.name, type)
end

local function head(self)
  local fn, symbols, params = self.fn, self.unit.symbols, {}
  local of, names = symbols:interface(fn), self.w:given()
  for i, type in ipairs(of.types) do
    params[i] = types.passed(type_of(self, type), of.passings[i]) .. " " .. names[i]
  end
  if of.variadic then params[#params + 1] = "..." end
  return "define " .. symbols:linkage(fn)
    .. symbols:returned(fn) .. " @"
    .. Names.quoted(symbols:of(fn)) .. "(" .. table.concat(params, ", ") .. ")"
    .. symbols:attributes(fn) .. (self.scope and " !dbg !" .. self.scope.node or "") .. " {"
end

--- What rows that are functions are called with in all functions of a unit.
---@param unit phial.emit.llvm.Unit
---@return phial.emit.llvm.Body
function Body.new(unit)
  return setmetatable({ unit = unit, needed = unit.needed, texts = {},
    told = unit.flags.told, lines = true, scope = false, flags = unit.flags }, Body)
end

--- Writes the definition of a function.
---@param fn phial.Function
---@param out string[] gets its lines
function Body:define(fn, out)
  local symbols = self.unit.symbols
  local of = symbols:interface(fn)
  self.fn, self.name, self.result, self.patterns = fn, fn:name(), of.result,
    symbols:alike(fn).patterns
  self.w = core.writing(languages.of(of.results ~= nil, symbols.is_typed), fn, self)
  open_scope(self)
  out[#out + 1] = head(self)
  out[#out + 1] = self.w:body()
  out[#out + 1] = "}"
end

-- }=====================================================================

return Body
