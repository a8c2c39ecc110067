--- Which reads count when a trace is replayed with rules.
--
-- Reads that gave one value when the trace was recorded may give several then, all of which are
-- equal, except in dead code: where rules have folded a branch, a read finds nothing. So what a
-- value is called is decided by the first read in a block that is known to be reachable; in any
-- other block, by the block's own latest read.

---@class phial.trace.Live
---@field reachable table<phial.Block, boolean> blocks that have been filled
---@field current phial.Block
---@field known table<integer, boolean> values that such a read has named
---@field found table<integer, phial.Value> what reads in the current block call otherwise
local Live = {}
Live.__index = Live

--- A block is being filled from now on. An edge that comes later does not count: it is that of a
--- loop, or the block is filled before those that lead to it.
---@param block phial.Block
function Live:enter(block)
  self.current, self.found = block, {}
  for _, pred in ipairs(block:preds()) do
    if self.reachable[block] then return end
    self.reachable[block] = self.reachable[pred]
  end
end

--- True if a read in the current block decides what a value is called.
---@param id integer of the value
---@return boolean
function Live:counts(id)
  local first = self.reachable[self.current] and not self.known[id]
  if first then self.known[id] = true end
  return first or false
end

--- Of the blocks, only the entry is reachable from the start.
---@param entry phial.Block
---@return phial.trace.Live
return function(entry)
  return setmetatable({ reachable = { [entry] = true }, known = {}, found = {} }, Live)
end
