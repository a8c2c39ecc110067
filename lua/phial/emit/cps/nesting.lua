-- Nests the blocks of a function by dominance: a block is inside its immediate
-- dominator, so it sees whatever it uses. Blocks that have the same immediate
-- dominator form a group, whose members see one another.
local core = require "phial.core"

local M = {}

---@class phial.emit.cps.Block: phial.code.Block
---@field parent phial.emit.cps.Block? its immediate dominator
---@field children phial.emit.cps.Block[] the blocks inside it, in reverse postorder
---@field depth integer the number of blocks around it
---@field loops boolean? blocks inside it call one another, or themselves, in a cycle

--- Nests the blocks of a program.
---@param program phial.code.Program
---@return integer depth the greatest
function M.nest(program)
  local by_id, deepest = {}, 0
  for _, block in ipairs(program.blocks) do
    by_id[block.id], block.children, block.depth = block, {}, 0
    local idom = core.block(program.fn, block.id):idom()
    local parent = idom and by_id[idom:id()]
    if parent then
      block.parent, block.depth = parent, parent.depth + 1
      table.insert(parent.children, block)
      deepest = math.max(deepest, block.depth)
    end
  end
  return deepest
end

--- Finds the groups with cycles: those in which an edge leads from a member, or from inside
--- it, to this member or one that precedes it in reverse postorder.
---@param program phial.code.Program
function M.find_loops(program)
  for _, block in ipairs(program.blocks) do
    for _, edge in ipairs(block.edges) do
      local to, member = edge.to, block
      while member.depth > to.depth do member = member.parent end
      if member.number >= to.number then to.parent.loops = true end
    end
  end
end

--- True if an edge leads backward in reverse postorder: if there is a loop.
---@param program phial.code.Program
---@return boolean
function M.has_loop(program)
  for _, block in ipairs(program.blocks) do
    for _, edge in ipairs(block.edges) do
      if edge.to.number <= block.number then return true end
    end
  end
  return false
end

return M
