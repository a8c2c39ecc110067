-- The local variables of a Lua function, and which of them a write of a
-- register defines.
--
-- Debug information contains names and ranges of instructions, but not registers.
-- Locals occupy registers as on a stack, so these can be counted.  A local's range
-- begins after the instructions that compute its first value: these still write a
-- register without a name.
local opcodes = require "luac.opcodes"

local M = {}

---@class unused.Local
---@field name string
---@field line integer? where it is declared (declarations.lua)
---@field register integer
---@field from integer visible after this instruction
---@field to integer up to this one

-- Scopes nest: a local ends with its scope at the latest.  Ranges alone do not tell
-- which scope that is: a local at the end of a body begins where the body ends.
local function ended(before, here) return before.to < here.to end

-- The locals in each register, in order.
local function registers(proto)
  local stack, by_register = {}, {}
  for _, here in ipairs(proto.locals) do
    while #stack > 0 and ended(stack[#stack], here) do stack[#stack] = nil end
    local register = #stack
    local variable = {
      name = here.name, line = here.line, register = register, from = here.from, to = here.to,
    }
    stack[register + 1] = variable
    by_register[register] = by_register[register] or {}
    table.insert(by_register[register], variable)
  end
  return by_register
end

-- The first local of a list that is visible at pc, or begins at `from` or later.
local function search(list, pc, from)
  local low, high = 1, #list + 1
  while low < high do
    local middle = (low + high) // 2
    local here = list[middle]
    if here.to >= pc or here.from >= from then high = middle else low = middle + 1 end
  end
  return list[low]
end

-- The instruction at the end of a loop writes the variables of its body.
local ENDS = { [opcodes.number.FORLOOP] = 0, [opcodes.number.TFORCALL] = 1 }

local function body(code, pc)
  local offset = ENDS[code[pc] & 0x7f]
  return offset and opcodes.targets[code[pc + offset] & 0x7f](code, pc + offset)
end

--- A function of an instruction and a register that it writes. It returns the
--- local to which this gives a value, if any, and whether it is its first value.
---@param proto table
---@return fun(pc: integer, register: integer): unused.Local?, boolean?
function M.of(proto)
  local by_register = registers(proto)
  return function(pc, register)
    local list = by_register[register]
    if not list then return nil end
    local start = body(proto.code, pc)
    local from = start and start - 1 or pc
    local here = search(list, start or pc, from)
    return here, here and here.from >= from
  end
end

--- A function of an instruction and a register: the local that is visible there.
---@param proto table
---@return fun(pc: integer, register: integer): unused.Local?
function M.visible(proto)
  local by_register = registers(proto)
  return function(pc, register)
    local list = by_register[register]
    local here = list and search(list, pc, math.maxinteger)
    return here and here.from < pc and here or nil
  end
end

return M
