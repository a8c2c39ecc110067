-- The edges of a function of HIR, counted: each block is told how many lead to it, and
-- seals itself with the last one.  A switch can lead to a block by several edges.
local M = {}

local function by_number(tree)
  local blocks = {}
  for _, block in ipairs(tree.blocks) do
    if blocks[block.number] then
      return nil, ("bb%d exists already"):format(block.number), block.at
    end
    blocks[block.number] = block
  end
  return blocks
end

--- The blocks that the terminal of a block leads to, once for each edge.
---@param block react.Block
---@return fun(): integer?
function M.targets(block)
  local line, i = block.terminal, 0
  return function()
    repeat i = i + 1 until line[i] == nil or type(line[i]) == "number"
    return line[i]
  end
end

-- The printed predecessors must be the blocks that lead here.
local function check(block, from)
  local told = {}
  for _, number in ipairs(block.preds) do
    if told[number] or not from[number] then
      return ("bb%d does not lead to bb%d"):format(number, block.number)
    end
    told[number] = true
  end
  for number in pairs(from) do
    if not told[number] then
      return ("bb%d leads to bb%d, which does not list it"):format(number, block.number)
    end
  end
end

--- The number of edges to each block. Edges from unreachable blocks do not count.
---@param tree react.Function
---@return table<integer, integer>? by the blocks' numbers
---@return string? message if the edges and the printed predecessors differ
---@return integer? at where in the text
function M.count(tree)
  local blocks, message, at = by_number(tree)
  if not blocks then return nil, message, at end
  local counts, from = {}, {}
  for number in pairs(blocks) do counts[number], from[number] = 0, {} end
  for i, block in ipairs(tree.blocks) do
    local reached = i == 1 or #block.preds > 0
    for target in M.targets(block) do
      if not blocks[target] then
        return nil, ("bb%d does not exist"):format(target), block.terminal.at
      end
      if reached then
        counts[target], from[target][block.number] = counts[target] + 1, true
      end
    end
  end
  for i, block in ipairs(tree.blocks) do
    local wrong = check(block, from[block.number])
      or i == 1 and #block.preds > 0 and "something leads to the first block"
    if wrong then return nil, wrong, block.at end
  end
  return counts
end

return M
