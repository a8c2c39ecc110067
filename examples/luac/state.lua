-- A function being translated: its registers, constants and open results, as
-- instructions.lua sees them.
--
-- Each register is a variable: what an instruction does to registers is reads
-- and writes of variables, and phial places the phis.  Where closures share a
-- register it is memory instead (capture.lua): loaded and stored.  Constants are
-- operands as they are.
local opcodes = require "luac.opcodes"
local ops = require "luac.dialect"

---@class luac.State
---@field proto table
---@field code integer[]
---@field fn any the phial function
---@field vars table<integer, any> a variable for each register, from 0
---@field memory table? capture.of
---@field blocks table<integer, any> blocks by their first instruction
---@field edges table<integer, any> those on the edges of TESTSET, by that
---@field block any where instructions go now
---@field pc integer the instruction being translated
---@field open any the latest pack of open results in this block, or nil
---@field from integer the register where it begins
---@field user integer the instruction that it is for
---@field names table<table, string> of functions, by prototype
---@field copies luac.Copy[] what is written, with the option copies
---@field exact boolean? places have the instruction's number
local State = {}
State.__index = State

local unpack = table.unpack

-- By what an instruction carries, a number or a name: { data = it }, made once.
local carrying = setmetatable({}, { __index = function(t, data)
  local extra = { data = data }
  t[data] = extra
  return extra
end })
State.carrying = carrying

-- The names of registers.
local NAMES = {}
for register = 0, 255 do NAMES[register] = "r" .. register end

--- Raises: the instruction makes no sense.
function State:bad(why, ...)
  opcodes.bad(self.pc, self.code[self.pc], why, ...)
end

-- The variable of a register that had none so far.
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

-- Those of registers first..last, and then `more`, as a list.
local function list(self, first, last, more)
  local values, n = {}, 0
  for register = first, last do
    n = n + 1
    values[n] = self:read(register)
  end
  values[n + 1] = more
  return values
end

--- The last register from `first` on before the open results.
function State:opened(first)
  if not self.open or self.user ~= self.pc or self.from < first then
    self:bad "no open results"
  end
  return self.from - 1
end

--- The values of registers first..last; with `open` they end where the open
--- results of the instruction before begin, which follow then.
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

--- Parameters are written before the first instruction.
function State:start()
  for register = 0, self.memory and self.proto.params - 1 or -1 do
    local memory = self.memory[register >> 6]
    if memory and has(memory.start, register) then
      local value = self.block:read(self.vars[register])
      self.block:emit(ops.store, value, carrying[register])
    end
  end
end

--- Leaves a pack open for the next instruction, from a register on.
function State:leave(pack, register)
  self.open, self.from, self.user = pack, register, self.pc + 1
end

--- Writes n items of a pack to the registers from the first on.
function State:spread(pack, first, n)
  for i = 1, n do
    self:write(first + i - 1, self.block:emit(ops.item, pack, carrying[i]))
  end
end

--- nil as a value: the only constant that an operand cannot be as it is.
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

--- The operand C, a constant when k says so.
function State:rk(i)
  if opcodes.k(i) then return self:constant(i >> 24) end
  return self:read(i >> 24)
end

--- An upvalue, for an instruction to carry: by its name, or its number.
function State:upvalue(index)
  local upvalue = self.proto.upvalues[index]
  if not upvalue then self:bad("no upvalue %d", index) end
  return carrying[upvalue.name or index]
end

--- The argument that the next instruction is.
function State:extra()
  local next = self.code[self.pc + 1] or 0
  if next & 0x7f ~= opcodes.number.EXTRAARG then self:bad "no extra argument" end
  return next >> 7
end

--- Where control goes from here: one instruction, or two.
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
