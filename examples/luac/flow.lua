-- The control-flow graph of one function's code, before any SSA: which blocks
-- there are, how many edges lead to each, and in which order to fill them.
--
-- Knowing the number of predecessors beforehand lets each block seal itself
-- with its last edge, and filling in reverse postorder leaves unsealed only
-- the blocks that some jump goes back to.  Code that nothing reaches (after a
-- return or an endless loop) is no block.
local opcodes = require "luac.opcodes"

local M = {}

local after, targets, bad = opcodes.after, opcodes.targets, opcodes.bad

-- Marks what can be executed and, of that, what starts a block.
local function leaders(code)
  local seen, leads = {}, { [1] = true }
  local todo = { 1 }
  while #todo > 0 do
    local pc = table.remove(todo)
    while not seen[pc] do
      local i = code[pc]
      if not i then bad(pc, nil, "control leaves the code") end
      seen[pc] = true
      local where = targets[i & 0x7f]
      if where then
        local first, second = where(code, pc)
        if first then leads[first], todo[#todo + 1] = true, first end
        if second then leads[second], todo[#todo + 1] = true, second end
        break
      end
      pc = after(i, pc)
    end
  end
  return seen, leads
end

-- The last instruction of the block at pc, and where control goes from there.
local function finish(code, leads, pc)
  while true do
    local i = code[pc]
    local where = targets[i & 0x7f]
    if where then return pc, where(code, pc) end
    local next = after(i, pc)
    if leads[next] then return pc, next end
    pc = next
  end
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
  local seen, leads = leaders(code)
  local blocks, at = {}, {}
  for pc = 1, #code do
    if leads[pc] and seen[pc] then
      local last, first_target, second_target = finish(code, leads, pc)
      local block = {
        first_target, second_target, first = pc, last = last, from = {},
      }
      blocks[#blocks + 1], at[pc] = block, block
    end
  end
  connect(blocks, at)
  local order = postorder(blocks[1])
  local n = #order
  for i = 1, n // 2 do order[i], order[n + 1 - i] = order[n + 1 - i], order[i] end
  return blocks, order
end

return M
