-- The state of a function with registers that are memory somewhere (capture.lua).
local State = require "luac.state"
local ops = require "luac.dialect"

---@class luac.Shared: luac.State
---@field memory table<integer, table> capture.of
local Shared = setmetatable({}, { __index = State })
Shared.__index = Shared

local carrying, unpack = State.carrying, table.unpack

local function has(set, register)
  return set and set >> (register & 63) & 1 ~= 0
end

local function store(self, register)
  self.block:emit(ops.store, self.vars[register], carrying[register])
end

-- Stores what was written to a register, if it is memory here.
local function written(self, register)
  local word = self.memory[register]
  if word and has(word.stores[self.pc], register) then store(self, register) end
end

function Shared:read(register)
  local word = self.memory[register]
  if word and has(word.loads[self.pc], register) then
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
  self.block:write(self.vars[register], operand)
  written(self, register)
end

function Shared:let(register, op, ...)
  self.block:let(self.vars[register], op, ...)
  written(self, register)
end

--- Stores the parameters that are memory, before the first instruction.
function Shared:start()
  for register = 0, self.proto.params - 1 do
    local word = self.memory[register]
    if word and has(word.start, register) then store(self, register) end
  end
end

return Shared
