-- CFG clean-up. Empty blocks, which only jump on, are left out; a branch whose two ways are the
-- same becomes a jump; blocks that follow each other in a straight line become one. A block of
-- its own stays on an edge where phis of the target tell it from another edge of the same source.

-- True if the block does nothing but jump.
local function is_empty(block)
  local last = block:terminator()
  return last:op() == "jump" and #block:phis() == 0 and #block:insts() == 1
end

---@class passes.Arrival
---@field from phial.Block
---@field operands table<phial.Value, phial.Value> of the target's phis

-- What arrives at a block: one entry for each edge.
---@return passes.Arrival[]
local function arrivals(block)
  local list = {}
  for i, pred in ipairs(block:preds()) do list[i] = { from = pred, operands = {} } end
  for _, phi in ipairs(block:phis()) do
    for i, operand in ipairs(phi:args()) do list[i].operands[phi] = operand end
  end
  return list
end

local function same(a, b)
  for phi, operand in pairs(a) do
    if b[phi] ~= operand then return false end
  end
  return true
end

-- Leads the predecessors of empty blocks before `block` to it, through chains of these; returns
-- how many edges were led so.
local function skip_empty(block)
  local list, known, count = arrivals(block), {}, 0
  for _, it in ipairs(list) do known[it.from] = known[it.from] or it.operands end
  while #list > 0 do
    local it = table.remove(list)
    local preds = it.from ~= block and is_empty(it.from) and it.from:preds() or {}
    for _, pred in ipairs(preds) do
      local before = known[pred]
      if before ~= it.operands and (not before or same(before, it.operands)) then
        pred:retarget(it.from, block, it.operands)
        known[pred], count = it.operands, count + 1
        list[#list + 1] = { from = pred, operands = it.operands }
      end
    end
    if #preds > 0 and #it.from:preds() == 0 then it.from:back():unreachable() end
  end
  return count
end

-- Makes jumps of branches that lead to `block` in both cases, and give its phis the same.
local function join_ways(block)
  local known, count = {}, 0
  for _, it in ipairs(arrivals(block)) do
    local before = known[it.from]
    if before and it.from:terminator():op() == "branch" and same(before, it.operands) then
      it.from:back():jump(block)
      count = count + 1
    end
    known[it.from] = it.operands
  end
  return count
end

-- Makes one block of it and those that follow it in a straight line.
local function merge_line(block)
  local count = 0
  while block:can_merge() do
    block:merge()
    count = count + 1
  end
  return count
end

--- Cleans the control flow of a finished function up, until nothing changes: what was merged may
--- let phis go, and these may have kept a block. A round takes near-linear time.
---@param fn phial.Function
---@return { skipped: integer, joined: integer, merged: integer } counts of what was done
return function(fn)
  local counts = { skipped = 0, joined = 0, merged = 0 }
  repeat
    local before = counts.skipped + counts.joined + counts.merged
    fn:clean { unreached = true, phis = true, dead = true }
    local blocks = fn:rpo()
    for _, block in ipairs(blocks) do counts.skipped = counts.skipped + skip_empty(block) end
    for _, block in ipairs(blocks) do counts.joined = counts.joined + join_ways(block) end
    fn:clean { unreached = true }
    for _, block in ipairs(blocks) do counts.merged = counts.merged + merge_line(block) end
  until before == counts.skipped + counts.joined + counts.merged
  return counts
end
