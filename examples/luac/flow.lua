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

-- These tables are refilled for each function: new ones would cost more to grow than
-- the rest of this file.
local at = {} -- by instruction: the block that starts there, or false
local next_jump = {} -- by instruction: where the next jump or return is in `jumps`
local jumps = {} -- for each of these its number and its target blocks, three words

local UNSEEN <const> = false -- the first target of a jump that was not reached yet

local function scan(code)
  local at, next_jump, targets, n = at, next_jump, targets, 1 -- luacheck: ignore 431
  for pc = 1, #code do
    at[pc], next_jump[pc] = false, n
    if targets[code[pc] & 0x7f] then
      jumps[n], jumps[n + 1], n = pc, UNSEEN, n + 3
    end
  end
  jumps[n] = nil -- control must not get here
end

-- Finds where blocks start: where something reachable jumps to.
local function reach(code)
  local todo, n = {}, 0 -- places in `jumps`

  local function start(pc)
    local jump = code[pc] and next_jump[pc]
    local last = jump and jumps[jump]
    if not last then bad(pc, nil, "control leaves the code") end
    at[pc] = { nil, nil, first = pc, last = last, preds = 0 }
    if jumps[jump + 1] == UNSEEN then
      n = n + 1
      todo[n], jumps[jump + 1] = jump, nil
    end
    return at[pc]
  end

  local function target(pc)
    return pc and (code[pc] and at[pc] or start(pc)) or nil
  end

  start(1)
  while n > 0 do
    local jump = todo[n]
    local pc = jumps[jump]
    n = n - 1
    local first, second = targets[code[pc] & 0x7f](code, pc)
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
