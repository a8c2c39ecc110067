-- The whole text: globals, declarations, functions, metadata.
local Body = require "phial.emit.llvm.body"
local Debug = require "phial.emit.llvm.debug"
local Names = require "phial.emit.llvm.names"
local Symbols = require "phial.emit.llvm.symbols"
local core = require "phial.core"
local errors = require "phial.errors"
local programs = require "phial.code.program"

local Unit = {}
Unit.__index = Unit

---@class phial.emit.llvm.Unit
---@field opts phial.emit.llvm.Options
---@field symbols phial.emit.llvm.Symbols
---@field declared {symbol: string?, line: string}[] lines; also a set of symbols
---@field needed table<string, true> lines that rows have declared
---@field messages string[] definitions of strings
---@field flags table<string, boolean> of rows
---@field debug phial.emit.llvm.Debug

--- A text without anything in it.
---@param opts phial.emit.llvm.Options
---@return phial.emit.llvm.Unit
function Unit.new(opts)
  local is_typed = opts.pointers == "typed"
  return setmetatable({ opts = opts, symbols = Symbols.new(is_typed), declared = {}, needed = {},
    messages = {},
    flags = { traps = opts.traps ~= "undefined", told = opts.traps == "call", typed = is_typed },
    debug = Debug.new(opts) }, Unit)
end

--
-- {== Lines ===========================================================
--

--- Adds a line outside functions: of several declarations of a function the first one.
---@param line string
function Unit:declare(line)
  local symbol = line:match '^%s*declare.-@("[^"]*")%s*%(' or line:match "^%s*declare.-@([^%s(]+)"
  if self.declared[symbol or line] then return end
  self.declared[symbol or line] = true
  table.insert(self.declared, { symbol = symbol, line = line })
end

-- The declarations of what the text does not define.
local function declarations(self)
  local defined, lines = {}, {}
  for _, line in ipairs(self.symbols:outside()) do self:declare(line) end
  for name in pairs(self.symbols.by_name) do defined[Names.quoted(name)] = true end
  for _, it in ipairs(self.declared) do
    if not defined[it.symbol] then lines[#lines + 1] = it.line end
  end
  return lines
end

--- A pointer to a message, as an argument.
---@param text string
---@return string
function Unit:message(text)
  local symbol, size = self.symbols.scope:take ".why", #text + 1
  if #self.messages == 0 then
    local other = self.symbols:call("phial_trap", ("void (%s)"):format(self.symbols:type "ptr"))
    if other then errors.raise("'phial_trap', which traps call, is also used as %s", other) end
  end
  self.messages[#self.messages + 1] = ('@%s = private unnamed_addr constant [%d x i8] c"%s\\00"')
    :format(symbol, size, Names.escaped(text))
  if not self.symbols.is_typed then return "ptr @" .. symbol end
  return ("i8* getelementptr ([%d x i8], [%d x i8]* @%s, i64 0, i64 0)"):format(size, size, symbol)
end

-- }== The text ========================================================

-- Writes the functions and globals that have been reached, and what these reach.
local function write_all(self, versions)
  local symbols, body, bodies, lines = self.symbols, Body.new(self), {}, {}
  symbols:each(function(fn)
    versions[fn] = fn:version()
    if bodies[1] then bodies[#bodies + 1] = "" end
    body:define(fn, bodies)
  end, function(g) lines[#lines + 1] = symbols:define_global(g) end)
  return { bodies = bodies, globals = lines }
end

--- The text of what was added and of all that it reaches.
---@param name string
---@return string
function Unit:text(name)
  local versions = {}
  local written = programs.reading(versions, write_all, self, versions)
  local out = { ('source_filename = "%s"'):format(Names.escaped(self.opts.file or name)) }
  for _, lines in ipairs { self.symbols.structs, written.globals, self.messages,
    declarations(self), written.bodies, self.debug:text() } do
    if #lines > 0 then out[#out + 1] = "" end
    table.move(lines, 1, #lines, #out + 1, out)
  end
  out[#out + 1] = ""
  return core.joined(out)
end

-- }====================================================================

return Unit
