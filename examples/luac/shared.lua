-- The state of a function with registers that are memory somewhere (capture.lua), or
-- each of whose writes makes a copy (the option copies).
local State = require "luac.state"
local ops = require "luac.dialect"

---@class luac.Shared: luac.State
---@field memory table<integer, table> capture.of
---@field copies luac.Copy[]? the writes, with the option copies
local Shared = setmetatable({}, { __index = State })
Shared.__index = Shared

---@class luac.Copy
---@field value any the copy that the write made
---@field variable any that of the register
---@field register integer
---@field pc integer

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
  local copy = self.block:write(self.vars[register], operand)
  if copy then
    self.copies[#self.copies + 1] = {
      value = copy, variable = self.vars[register], register = register, pc = self.pc,
    }
  end
  written(self, register)
end

function Shared:let(register, op, ...)
  if self.copies then return self:write(register, self.block:emit(op, ...)) end
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
