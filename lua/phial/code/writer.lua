--- What all code is that an emitter writes: indented lines of a program, with errors that name
-- its instructions. A class for others to inherit.
local errors = require "phial.errors"
local programs = require "phial.code.program"
local where = require "phial.where"

---@class phial.code.Writer
---@field program phial.code.Program
---@field lines any[]
---@field indent string
---@field text fun(self, v: phial.code.Value): string a value as an operand
---@field expression fun(self, v: phial.code.Value): string what computes it
local Writer = {}

--- The handle of a value.
---@param v phial.code.Value
---@return phial.Value
function Writer:handle(v) return programs.handle(self.program, v) end

--- The data of an instruction.
---@param v phial.code.Value
---@return any
function Writer:data(v) return self:handle(v):data() end

--- An instruction as errors name it: "sum: 'sdiv %3, 0' in block 'b' (x:12)".
---@param v phial.code.Value
---@return string
function Writer:where(v) return where.instruction(self.program.name, self:handle(v)) end

--- Raises that v cannot be written.
---@param v phial.code.Value
---@param format string
function Writer:refuse(v, format, ...) errors.raise("%s: %s", self:where(v), format:format(...)) end

--- A value as a whole expression, where `text` is that of an operand.
---@param v phial.code.Value
---@return string
function Writer:bare(v) return v.inline and self:expression(v) or self:text(v) end

--- Indents the following lines.
function Writer:enter() self.indent = self.indent .. "  " end

--- Ends what `enter` began.
function Writer:leave() self.indent = self.indent:sub(3) end

--- Calls f; returns the lines that it writes, apart from the others.
---@param f fun()
---@return any[]
function Writer:apart(f)
  local lines = self.lines
  self.lines = {}
  f()
  lines, self.lines = self.lines, lines
  return lines
end

return Writer
