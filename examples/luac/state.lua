-- A function that is being translated: its registers, constants and open results,
-- as instructions.lua sees them.
--
-- Each register is a variable, which instructions use as an operand and write results
-- to; phial reads it, and places the phis.  Where closures share a register, it is
-- memory instead (capture.lua): shared.lua loads and stores it.  Constants are used
-- directly as operands.
local opcodes = require "luac.opcodes"
local ops = require "luac.dialect"

---@class luac.State
---@field proto table
---@field code integer[]
---@field names table<table, string> of functions, by prototype
---@field fn any the phial function
---@field vars table<integer, any> a variable for each register, from 0
---@field edges table<integer, any> blocks on the edges of TESTSETs, by instruction
---@field pc integer the instruction being translated
---@field accesses? boolean instructions are nodes of accesses
---@field block any the current block
---@field taken any where control goes from here: the only target, or the first one
---@field other any the second target
---@field open any the latest pack of open results in this block, or nil
---@field from integer the first register of that pack
---@field user integer the instruction that uses it
local State = {}
State.__index = State

local unpack = table.unpack

-- Extras by their data, a number or a name: { data = it }, made once.
local carrying = setmetatable({}, { __index = function(t, data)
  local extra = { data = data }
  t[data] = extra
  return extra
end })
State.carrying = carrying

-- The names of registers.
local NAMES = {}
for register = 0, 255 do NAMES[register] = "r" .. register end

--- Raises an error: the instruction is invalid.
function State:bad(why, ...)
  opcodes.bad(self.pc, self.code[self.pc], why, ...)
end

local Registers = { __index = function(_, register)
  error(("bad bytecode: no register %d"):format(register), 0)
end }

--- The variables of the registers: parameters are first.
function State:registers()
  local fn, vars = self.fn, setmetatable({}, Registers)
  local params = self.proto.params
  for register = 0, params - 1 do vars[register] = fn:param(register + 1) end
  for register = params, self.proto.stack - 1 do
    vars[register] = fn:var(NAMES[register])
  end
  return vars
end

--- A register as an operand: it is read when the instruction is emitted.
function State:read(register) return self.vars[register] end

--- Registers first..last as operands; none if first > last.
function State:range(first, last) return unpack(self.vars, first, last) end

--- The same; with `open`, the registers up to the open results of the previous
--- instruction, followed by these.
function State:values(first, last, open)
  if not open then return self:range(first, last) end
  if not self.open or self.user ~= self.pc or self.from < first then
    self:bad "no open results"
  end
  local list = { self:range(first, self.from - 1) }
  list[#list + 1] = self.open
  return unpack(list)
end

--- Writes an operand to a register.
function State:write(register, operand)
  self.block:write(self.vars[register], operand)
end

--- Emits an instruction and writes its result to a register.
function State:let(register, op, ...)
  self.block:let(self.vars[register], op, ...)
end

--- Emits a call whose result is not written to one register, and returns it.
function State:call(op, ...) return self.block:emit(op, ...) end

--- Ends the block with a branch.
function State:branch(condition, yes, no) self.block:branch(condition, yes, no) end

--- Leaves a pack open for the next instruction, starting at a register.
function State:leave(pack, register)
  self.open, self.from, self.user = pack, register, self.pc + 1
end

--- Writes n items of a pack to consecutive registers.
function State:spread(pack, first, n)
  for i = 1, n do
    self:let(first + i - 1, ops.item, pack, carrying[i])
  end
end

--- nil as a value: the only constant that cannot be an operand directly.
function State:null()
  return self.fn:const(nil, "any")
end

--- K[index].
function State:constant(index)
  local constants = self.proto.constants
  if index >= constants.n then self:bad("no constant %d", index) end
  local value = constants[index]
  if value == nil then return self:null() end
  return value
end

--- The operand C: a constant if k is set.
function State:rk(i)
  if opcodes.k(i) then return self:constant(i >> 24) end
  return self:read(i >> 24)
end

--- An upvalue as data of an instruction: its name, or its number.
function State:upvalue(index)
  local upvalue = self.proto.upvalues[index]
  if not upvalue then self:bad("no upvalue %d", index) end
  return carrying[upvalue.name or index]
end

--- The argument in the next instruction.
function State:extra()
  local next = self.code[self.pc + 1] or 0
  if next & 0x7f ~= opcodes.number.EXTRAARG then self:bad "its extra argument is missing" end
  return next >> 7
end

--- The block on the edge of the jump of this instruction, a TESTSET.
function State:edge()
  return self.edges[self.pc]
end

return State
