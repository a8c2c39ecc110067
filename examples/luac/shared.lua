-- The state of a function with registers that are memory somewhere (capture.lua), or
-- each of whose writes makes a copy (the option copies).
local State = require "luac.state"
local ops = require "luac.dialect"

---@class luac.Shared: luac.State
---@field memory table? capture.of
---@field copies luac.Copy[]? the writes, with the option copies
local Shared = setmetatable({}, { __index = State })
Shared.__index = Shared

---@class luac.Copy
---@field value any the copy that the write made
---@field register integer
---@field pc integer

local carrying, unpack = State.carrying, table.unpack

-- True if a register is memory for what the instruction does: "loads" or "stores".
local function is_memory(self, register, what)
  local word = self.memory and self.memory[register >> 6]
  local set = word and word[what][self.pc]
  return set and set >> (register & 63) & 1 ~= 0
end

local function store(self, register)
  self.block:emit(ops.store, self.vars[register], carrying[register])
end

function Shared:read(register)
  if is_memory(self, register, "loads") then
    return self.block:emit(ops.load, carrying[register])
  end
  return self.vars[register]
end

function Shared:range(first, last)
  local list, n = {}, 0
  for register = first, last do
    n = n + 1
    list[n] = self:read(register)
  end
  return unpack(list)
end

function Shared:write(register, operand)
  local copy = self.block:write(self.vars[register], operand)
  if copy then
    self.copies[#self.copies + 1] = { value = copy, register = register, pc = self.pc }
  end
  if is_memory(self, register, "stores") then store(self, register) end
end

function Shared:let(register, op, ...)
  if self.copies then return self:write(register, self.block:emit(op, ...)) end
  self.block:let(self.vars[register], op, ...)
  if is_memory(self, register, "stores") then store(self, register) end
end

--- Stores the parameters that are memory, before the first instruction.
function Shared:start()
  for register = 0, self.proto.params - 1 do
    local word = self.memory[register >> 6]
    if word and word.start >> (register & 63) & 1 ~= 0 then store(self, register) end
  end
end

return Shared
