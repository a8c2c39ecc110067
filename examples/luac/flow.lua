-- The control-flow graph of one function's code, before SSA construction: the
-- blocks, the number of edges that lead to each, and the order to fill them in.
--
-- Because the number of predecessors is known beforehand, each block seals itself
-- with its last edge; and when blocks are filled in reverse postorder, only targets
-- of back edges are unsealed when they are filled.  Unreachable code (after a
-- return or an endless loop) is not in any block.
local opcodes = require "luac.opcodes"

local M = {}

local targets, bad = opcodes.targets, opcodes.bad

-- These tables serve all functions, because small ones grow for longer than they are
-- used.  By instruction: the block that starts there, or false; and the place in `jumps`
-- of the next instruction that jumps or returns.  There are three words for each of
-- those: its number, and its targets, which are blocks (the first one is false until
-- the instruction is found to be reachable).
local at, next_jump, jumps = {}, {}, {}

local function scan(code)
  local at, next_jump, targets, n = at, next_jump, targets, 1 -- luacheck: ignore 431
  for pc = 1, #code do
    at[pc], next_jump[pc] = false, n
    if targets[code[pc] & 0x7f] then
      jumps[n], jumps[n + 1], n = pc, false, n + 3
    end
  end
  jumps[n] = nil
end

-- Finds where blocks start: where something reachable jumps to.
local function reach(code)
  local todo, n = {}, 0 -- places in `jumps`

  local function target(pc)
    if not pc then return nil end
    local block = at[pc]
    if block and code[pc] then return block end
    local jump = code[pc] and next_jump[pc]
    local last = jump and jumps[jump]
    if not last then bad(pc, nil, "control leaves the code") end
    block = { nil, nil, first = pc, last = last, preds = 0 }
    at[pc] = block
    if jumps[jump + 1] == false then n, jumps[jump + 1], todo[n + 1] = n + 1, nil, jump end
    return block
  end

  target(1)
  while n > 0 do
    local jump = todo[n]
    local pc = jumps[jump]
    local first, second = targets[code[pc] & 0x7f](code, pc)
    n = n - 1
    jumps[jump + 1], jumps[jump + 2] = target(first), target(second)
  end
end

-- Adds an edge.
local function connect(block, t, target)
  block[t], target.preds = target, target.preds + 1
end

-- Ends a block where `next` starts, the first block after it, or before.
local function finish(block, next)
  local last = block.last
  if next and next.first <= last then
    block.last = next.first - 1
    return connect(block, 1, next)
  end
  local jump = next_jump[last]
  local first, second = jumps[jump + 1], jumps[jump + 2]
  if first then connect(block, 1, first) end
  if second then connect(block, 2, second) end
end

-- The blocks in order of pc. A block ends with a jump or a return, or where the next
-- block starts.
local function cut(code)
  scan(code)
  reach(code)
  local blocks, n, at = { at[1] }, 1, at -- luacheck: ignore 431
  for pc = 2, #code do
    local block = at[pc]
    if block then
      finish(blocks[n], block)
      n = n + 1
      blocks[n] = block
    end
  end
  finish(blocks[n], nil)
  return blocks
end

-- Depth first from the first block, each block after all its successors, with the
-- current path on a stack; `left` is the number of targets of a block that are
-- still to be visited.  The second of two targets is visited first, so that in
-- reverse postorder a loop precedes what follows it.
local function postorder(first)
  local order, path, n = {}, { first }, 1
  first.left = #first
  while n > 0 do
    local block = path[n]
    local left = block.left
    if left > 0 then
      block.left = left - 1
      local target = block[left]
      if not target.left then
        n, target.left = n + 1, #target
        path[n] = target
      end
    else
      order[#order + 1] = block
      n = n - 1
    end
  end
  return order
end

--- The blocks of some code: { target..., first=, last=, preds= }; `preds` is the
--- number of edges that lead to the block.
---@param code integer[]
---@return table blocks in order of pc
---@return table order the same ones in reverse postorder
function M.of(code)
  local blocks = cut(code)
  local order = postorder(blocks[1])
  local n = #order
  for i = 1, n // 2 do order[i], order[n + 1 - i] = order[n + 1 - i], order[i] end
  return blocks, order
end

return M
