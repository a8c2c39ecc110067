-- A function that is being translated: its registers, constants and open results,
-- as instructions.lua sees them.
--
-- Each register is a variable: instructions read and write variables, and phial
-- places the phis.  Where closures share a register, it is memory instead
-- (capture.lua), which is loaded and stored.  Constants are used directly as
-- operands.
local opcodes = require "luac.opcodes"
local ops = require "luac.dialect"

---@class luac.State
---@field proto table
---@field code integer[]
---@field fn any the phial function
---@field vars table<integer, any> a variable for each register, from 0
---@field memory table? capture.of
---@field blocks table<integer, any> blocks by their first instruction
---@field edges table<integer, any> blocks on the edges of TESTSETs, by instruction
---@field block any the current block
---@field pc integer the instruction being translated
---@field open any the latest pack of open results in this block, or nil
---@field from integer the first register of that pack
---@field user integer the instruction that uses it
---@field names table<table, string> of functions, by prototype
---@field copies luac.Copy[] the writes, with the option copies
---@field exact boolean? positions contain the instruction's number
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

-- Makes the variable of a register.
local function variable(self, register)
  if register >= self.proto.stack then self:bad("no register %d", register) end
  local var = self.fn:var(NAMES[register])
  self.vars[register] = var
  return var
end

local function has(set, register)
  return set and set >> (register & 63) & 1 ~= 0
end

--- The value of a register.
function State:read(register)
  local memory = self.memory and self.memory[register >> 6]
  if memory and has(memory.loads[self.pc], register) then
    return self.block:emit(ops.load, carrying[register])
  end
  return self.block:read(self.vars[register] or variable(self, register))
end

--- The values of two registers.
function State:both(a, b)
  if self.memory then return self:read(a), self:read(b) end
  local vars = self.vars
  return self.block:read(vars[a] or variable(self, a), vars[b] or variable(self, b))
end

-- The values of registers first..last, followed by `more`, as a list.
local function list(self, first, last, more)
  local values, n = {}, 0
  for register = first, last do
    n = n + 1
    values[n] = self:read(register)
  end
  values[n + 1] = more
  return values
end

--- The last register before the open results, which begin at `first` or later.
function State:opened(first)
  if not self.open or self.user ~= self.pc or self.from < first then
    self:bad "no open results"
  end
  return self.from - 1
end

--- The values of registers first..last; with `open`, the values up to the open
--- results of the previous instruction, followed by these.
function State:values(first, last, open)
  if open then
    return unpack(list(self, first, self:opened(first), self.open))
  end
  if self.memory or last < first then return unpack(list(self, first, last)) end
  local vars = self.vars
  for register = first, last do
    if not vars[register] then variable(self, register) end
  end
  return self.block:read(unpack(vars, first, last))
end

---@class luac.Copy
---@field value any the copy that the write made
---@field register integer
---@field pc integer

function State:write(register, value)
  local var = self.vars[register] or variable(self, register)
  local copy = self.block:write(var, value)
  if copy then
    self.copies[#self.copies + 1] = { value = copy, register = register, pc = self.pc }
  end
  local memory = self.memory and self.memory[register >> 6]
  if memory and has(memory.stores[self.pc], register) then
    self.block:emit(ops.store, copy or value, carrying[register])
  end
end

--- Stores the parameters that are memory, before the first instruction.
function State:start()
  for register = 0, self.memory and self.proto.params - 1 or -1 do
    local memory = self.memory[register >> 6]
    if memory and has(memory.start, register) then
      local value = self.block:read(self.vars[register])
      self.block:emit(ops.store, value, carrying[register])
    end
  end
end

--- Leaves a pack open for the next instruction, starting at a register.
function State:leave(pack, register)
  self.open, self.from, self.user = pack, register, self.pc + 1
end

--- Writes n items of a pack to consecutive registers.
function State:spread(pack, first, n)
  for i = 1, n do
    self:write(first + i - 1, self.block:emit(ops.item, pack, carrying[i]))
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

--- The targets of this instruction: one, or two.
function State:targets()
  local op = self.code[self.pc] & 0x7f
  return opcodes.targets[op](self.code, self.pc)
end

function State:jump(pc)
  self.block:jump(self.blocks[pc])
end

--- The block on the edge of the jump of this instruction, a TESTSET.
function State:edge()
  return self.edges[self.pc]
end

return State
