-- The control-flow graph of one function's code, before SSA construction: the
-- blocks, the number of edges that lead to each, and the order to fill them in.
--
-- Because the number of predecessors is known beforehand, each block seals itself
-- with its last edge; and when blocks are filled in reverse postorder, only targets
-- of back edges are unsealed when they are filled.  Unreachable code (after a
-- return or an endless loop) is not in any block.
local opcodes = require "luac.opcodes"

local M = {}

local targets, runs, bad = opcodes.targets, opcodes.runs, opcodes.bad

local LEADS <const>, ENDS <const> = 1, 2

-- The reachable instructions, by pc: 0, plus LEADS if the instruction starts a block,
-- plus ENDS if it is a jump or a return.
local function reached(code)
  local marks = { LEADS }
  local todo, n = { 1 }, 1
  while n > 0 do
    local pc, ended = todo[n], false
    n = n - 1
    repeat
      local i = code[pc]
      if not i then bad(pc, nil, "control leaves the code") end
      local words, mark = runs[i & 0x807f], marks[pc] or 0
      if words then
        marks[pc] = mark
        pc = pc + words
      else
        marks[pc], ended = mark | ENDS, true
        local first, second = targets[i & 0x7f](code, pc)
        if second then
          if not marks[second] then n, todo[n + 1] = n + 1, second end
          marks[second] = (marks[second] or 0) | LEADS
        end
        if first then
          if not marks[first] then n, todo[n + 1] = n + 1, first end
          marks[first] = (marks[first] or 0) | LEADS
        end
      end
    until ended or marks[pc]
  end
  return marks
end

-- The blocks in order of pc, and by their first pc. A block ends with a jump or a
-- return, or where the next block starts.
local function cut(code)
  local marks = reached(code)
  local blocks, at = {}, {}
  local block
  for pc = 1, #code do
    local mark = marks[pc]
    if mark then
      if mark & LEADS ~= 0 then
        if block then block[1] = pc end
        block = { nil, nil, first = pc, last = pc, preds = 0 }
        blocks[#blocks + 1], at[pc] = block, block
      end
      block.last = pc
      if mark & ENDS ~= 0 then
        block[1], block[2] = targets[code[pc] & 0x7f](code, pc)
        block = nil
      end
    end
  end
  return blocks, at
end

local function connect(blocks, at)
  for b = 1, #blocks do
    local block = blocks[b]
    for i = 1, #block do
      local target = at[block[i]]
      block[i], target.preds = target, target.preds + 1
    end
  end
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
  local blocks, at = cut(code)
  connect(blocks, at)
  local order = postorder(blocks[1])
  local n = #order
  for i = 1, n // 2 do order[i], order[n + 1 - i] = order[n + 1 - i], order[i] end
  return blocks, order
end

return M
