-- The control flow of random programs: lists of blocks, whose targets are numbers of blocks.
local search = require "spec.support.search"

local M = {}

--- By block: the number of edges into it.
---@param blocks table[]
---@param targets_of fun(block: table): integer[]
---@return integer[]
function M.edges_into(blocks, targets_of)
  local count = {}
  for i = 1, #blocks do count[i] = 0 end
  for _, block in ipairs(blocks) do
    for _, target in ipairs(targets_of(block)) do count[target] = count[target] + 1 end
  end
  return count
end

--- The blocks that the first one reaches, as a set of numbers.
---@param blocks table[]
---@param targets_of fun(block: table): integer[]
---@return table<integer, true>
function M.reached(blocks, targets_of)
  return search({ 1 }, function(i) return targets_of(blocks[i]) end)
end

--- These blocks, in a list of their own, numbered anew also where they are targets.
---@param blocks table[]
---@param targets_of fun(block: table): integer[]
---@return table[]
function M.pruned(blocks, targets_of)
  local seen, new, kept = M.reached(blocks, targets_of), {}, {}
  for i, block in ipairs(blocks) do
    if seen[i] then
      kept[#kept + 1] = block
      new[i] = #kept
    end
  end
  for _, block in ipairs(kept) do
    local targets = targets_of(block)
    for i, target in ipairs(targets) do targets[i] = new[target] end
  end
  return kept
end

return M
