--- Functions in languages in SSA form, as the core writes them: what it asks for in all of them,
--- and instructions that functions of users write.
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local where = require "phial.where"

---@class phial.code.Ssa what rows that are functions are called with, and the id of the instruction
---@field fn phial.Function
---@field name string
---@field w phial.core.Writing
---@field type fun(self, v: integer, type: string): string a type of phial in the language
---@field declare fun(self, line: string) adds a line outside functions, once
---@field target fun(self, label: string): string as functions get it
---@field label_of fun(line: string): string? the label of the block that a line begins
---@field trapping fun(self, why: string?): string lines that trap, and end a block
---@field told boolean? traps have messages
local Ssa = {}
Ssa.__index = Ssa

--- Makes a class.
---@return table
function Ssa.class()
  local class = setmetatable({}, Ssa)
  class.__index = class
  return class
end

--- The handle of a value.
---@param v integer
---@return phial.Value
function Ssa:handle(v) return core.value(self.fn, v) end

--- An instruction as errors and traps name it.
---@param v integer
---@return string
function Ssa:where(v) return where.instruction(self.name, self:handle(v)) end

--- Raises that an instruction cannot be written.
---@param v integer
---@param format string
function Ssa:refuse(v, format, ...)
  errors.raise("%s: %s", self:where(v), format:format(...))
end

--- A call as `callees` reads it.
---@param v integer
---@param op string
---@return table
function Ssa:record(v, op) return callees.record(self.fn, v, op) end

--
-- {== What users write ==================================================
--

-- What a function gets as its third argument.
local Site = {}
Site.__index = Site

---@class phial.code.Site: phial.Site
---@field code phial.code.Ssa
---@field value table the instruction
---@field results table<integer, string>
---@field labels string[]

function Site:type(type) return self.code:type(self.value.id, type) end

function Site:result(i)
  i = i or 1
  if not callees.has_result(self.value, i) then
    self.code:refuse(self.value.id, "the op has no result %s", i)
  end
  self.results[i] = self.results[i] or self:temp()
  return self.results[i]
end

function Site:target(i)
  local label = self.labels[i]
  return label and self.code:target(label)
    or self.code:refuse(self.value.id, "the op has no target %s", i)
end

function Site:temp() return self.code.w:temp() end

function Site:label(hint)
  if hint ~= nil then errors.check_string("label", 1, hint) end
  return self.code.w:take(hint or "l")
end

function Site:declare(line)
  errors.check_string("declare", 1, line)
  self.code:declare(line)
end

function Site:trap(message)
  errors.check_string("trap", 1, message)
  local code = self.code
  return code:trapping(code.told and code:where(self.value.id) .. ": " .. message or nil)
end

-- The names of the results. Several projections of one result have the same.
local function results_of(code, v)
  local results, known = { v.type and code.w:text(v.id) }, {}
  for _, id in ipairs(code.w:results(v.id)) do
    local index, type = code:handle(id):index() or 0, code.w:type(id)
    local key = index .. type
    if known[key] then code.w:share(id, known[key]) else known[key] = id end
    results[index] = code.w:text(id)
  end
  return results
end

-- Writes lines, of which labels begin blocks.
local function write_lines(code, lines)
  for _, line in ipairs(lines) do
    local label = code.label_of(line)
    if label then
      code.w:start(label)
    elseif line:find("!dbg", 1, true) then
      code.w:directive("  " .. line)
    else
      code.w:line(line)
    end
  end
end

--- Writes an instruction by a function.
---@param v integer
---@param key string the field that has the function
---@param write fun(v: phial.Value, operands: string[], emit: phial.Site): string|string[]
function Ssa:write(v, key, write)
  local handle, operands = self:handle(v), {}
  local it = self:record(v, handle:op())
  for i, arg in ipairs(it.args) do operands[i] = self.w:text(arg.id) end
  local site = setmetatable({ code = self, value = it, results = results_of(self, it),
    labels = handle == handle:block():terminator() and self.w:labels() or {} }, Site)
  write_lines(self, callees.lines(self, it, key, function(...) self:refuse(v, ...) end, write,
    handle, operands, site))
end

-- }======================================================================

return Ssa
