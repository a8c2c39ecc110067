-- The control-flow graph of one function's code, before any SSA: which blocks
-- there are, how many edges lead to each, and in which order to fill them.
--
-- Knowing the number of predecessors beforehand lets each block seal itself
-- with its last edge, and filling in reverse postorder leaves unsealed only
-- the blocks that some jump goes back to.  Code that nothing reaches (after a
-- return or an endless loop) is no block.
local opcodes = require "luac.opcodes"

local M = {}

local length, targets, bad = opcodes.length, opcodes.targets, opcodes.bad

-- What can be executed, by pc: true, or LEADS when it starts a block.
local LEADS <const> = 1
local function reached(code)
  local marks = { LEADS }
  local todo, n = { 1 }, 1
  local function lead(pc)
    if not marks[pc] then n, todo[n + 1] = n + 1, pc end
    marks[pc] = LEADS
  end
  while n > 0 do
    local pc, where = todo[n]
    n = n - 1
    repeat
      local i = code[pc]
      if not i then bad(pc, nil, "control leaves the code") end
      marks[pc] = marks[pc] or true
      where = targets[i & 0x7f]
      if where then
        local first, second = where(code, pc)
        if second then lead(second) end
        if first then lead(first) end
      else
        pc = pc + length[i & 0x807f]
      end
    until where or marks[pc]
  end
  return marks
end

-- The blocks in order of pc. A block ends with what says where control goes,
-- or where the next one starts.
local function cut(code)
  local marks = reached(code)
  local blocks, at = {}, {}
  local start, last
  local function close(first, second)
    local block = { first, second, first = start, last = last, from = {} }
    blocks[#blocks + 1], at[start], start = block, block, nil
  end
  for pc = 1, #code do
    local mark = marks[pc]
    if mark then
      if mark == LEADS then
        if start then close(pc) end
        start = pc
      end
      last = pc
      local where = targets[code[pc] & 0x7f]
      if where then close(where(code, pc)) end
    end
  end
  return blocks, at
end

local function connect(blocks, at)
  for _, block in ipairs(blocks) do
    for i, pc in ipairs(block) do
      local target = at[pc]
      block[i] = target
      target.from[#target.from + 1] = block
    end
  end
end

-- Depth first from the first block, each block after all it leads to, with
-- the way down on a stack.  Of two targets the second comes first in it, so
-- that, turned round, a loop stands before what follows it.
local function postorder(first)
  local order, path, todo = {}, { first }, {}
  local seen = { [first] = true }
  todo[1] = #first
  while #path > 0 do
    local block, i = path[#path], todo[#path]
    if i > 0 then
      todo[#path] = i - 1
      local target = block[i]
      if not seen[target] then
        seen[target] = true
        path[#path + 1] = target
        todo[#path] = #target
      end
    else
      order[#order + 1] = block
      path[#path] = nil
    end
  end
  return order
end

--- The blocks of some code: { target..., first=, last=, from= }; `from` has a
--- block for each edge that leads here.
---@param code integer[]
---@return table blocks in order of pc
---@return table order the same ones in reverse postorder
function M.of(code)
  local blocks, at = cut(code)
  connect(blocks, at)
  local order = postorder(blocks[1])
  local n = #order
  for i = 1, n // 2 do order[i], order[n + 1 - i] = order[n + 1 - i], order[i] end
  return blocks, order
end

return M
