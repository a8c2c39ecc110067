-- Blocks that the entry reaches, in reverse postorder, and the edges between them.
local problems = require "llvm.problems"

local M = {}

local function targets_of(it, block)
  local terminator = block.instructions[#block.instructions]
  local list = {}
  for i, label in ipairs(terminator.targets) do
    list[i] = it.labels[label]
      or problems.raise(terminator.line, label, "block '%s' is not defined", label)
  end
  return list
end

--- Finds the reachable blocks, counts the edges to each of them.
---@param it llvm.Function
---@return llvm.Block[] order
function M.of(it)
  local entry = it.blocks[1]
  local succs, next_one, postorder = { [entry] = targets_of(it, entry) }, { [entry] = 1 }, {}
  local stack, top = { entry }, 1
  while top > 0 do
    local block = stack[top]
    local target = succs[block][next_one[block]]
    if not target then
      postorder[#postorder + 1] = block
      top = top - 1
    else
      next_one[block] = next_one[block] + 1
      target.preds = target.preds + 1
      if not succs[target] then
        succs[target], next_one[target] = targets_of(it, target), 1
        top = top + 1
        stack[top] = target
      end
    end
  end
  if entry.preds > 0 then problems.raise(entry.line, nil, "the entry has predecessors") end
  local order, n = {}, #postorder
  for i = 1, n do order[i] = postorder[n + 1 - i] end
  it.succs = succs
  return order
end

return M
