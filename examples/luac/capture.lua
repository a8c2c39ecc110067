-- Which registers are memory, and where.
--
-- A closure shares registers with the function that makes it: from the CLOSURE
-- that captures a register until a CLOSE, other code may read and write it.
-- There it cannot be an SSA variable.  But the compiler uses the same register
-- for other purposes before and after, where it should remain a variable.  So
-- three sets of registers are computed for each instruction, by dataflow analysis
-- over the blocks:
--
--   forwards   `shared`: a closure may hold the register now.  `inside`: its
--              value may be in memory only.  This is so from the capture until
--              a write that no closure can see: also after the CLOSE, since the
--              closure may have changed the value before.
--   backwards  `wanted`: memory may be read before the next write, by a capture
--              or by a read while the register is inside.
--
-- A read loads if the register is inside; a write stores if it is shared, inside
-- or wanted.  A load then always finds what was written last, without debug
-- information and without stores on edges.  Names and sets are those of
-- effects.lua.
local effects = require "luac.effects"

local M = {}

-- Visits every block, and again those that a visit passes to `again`, until the
-- worklist is empty.  Sets only grow, so a block is revisited 128 times at most.
local function settle(blocks, visit)
  local todo, queued = table.move(blocks, 1, #blocks, 1, {}), {}
  for _, block in ipairs(todo) do queued[block] = true end
  local function again(block)
    if queued[block] then return end
    queued[block] = true
    todo[#todo + 1] = block
  end
  local at = 1
  while todo[at] do
    local block = todo[at]
    queued[block], at = nil, at + 1
    visit(block, again)
  end
end

-- {== Forwards =========================================================

local function step(word, pc, shared, inside)
  local captured, written = word.captured[pc], word.written[pc]
  if captured then shared, inside = shared | captured, inside | captured end
  if written then inside = inside & ~(written & ~shared) end
  return shared & ~(word.closed[pc] or 0), inside
end

-- From the start of a block to its end; notes what is inside before each
-- instruction, and what is inside or shared after it.
local function through(word, block, shared, inside)
  local list = word.touched[block]
  for n = 1, #list do
    local pc = list[n]
    word.loads[pc] = inside
    shared, inside = step(word, pc, shared, inside)
    word.stores[pc] = shared | inside
  end
  return shared, inside
end

local function forwards(word, order)
  local shared, inside = {}, {}
  for b = 1, #order do shared[order[b]], inside[order[b]] = 0, 0 end
  settle(order, function(block, again)
    local s, n = through(word, block, shared[block], inside[block])
    local edge = word.edge[block.last] or 0
    for t = 1, #block do
      local target, here = block[t], t == 1 and n & ~(edge & ~s) or n
      local s0, n0 = shared[target], inside[target]
      if s0 | s ~= s0 or n0 | here ~= n0 then
        shared[target], inside[target] = s0 | s, n0 | here
        again(target)
      end
    end
  end)
end

-- }== Backwards ========================================================

-- From the end of a block to its start; an instruction stores what is wanted after
-- it.
local function back(word, list, wanted)
  for n = #list, 1, -1 do
    local pc = list[n]
    word.stores[pc] = word.stores[pc] | wanted
    wanted = (wanted | (word.captured[pc] or 0)) & ~(word.written[pc] or 0)
      | (word.read[pc] or 0) & word.loads[pc]
  end
  return wanted
end

-- The predecessors of each block.
local function sources(order)
  local from = {}
  for _, block in ipairs(order) do from[block] = {} end
  for _, block in ipairs(order) do
    for _, target in ipairs(block) do
      from[target][#from[target] + 1] = block
    end
  end
  return from
end

local function backwards(word, order)
  local wanted, last_first, from = {}, {}, sources(order)
  for b, block in ipairs(order) do
    wanted[block] = 0
    last_first[#order + 1 - b] = block
  end
  settle(last_first, function(block, again)
    local pc, set = block.last, 0
    for t = 1, #block do
      local target, edge = block[t], t == 1 and word.edge[pc] or 0
      if edge ~= 0 then
        word.stores[pc] = word.stores[pc] | edge & wanted[target]
      end
      set = set | wanted[target] & ~edge
    end
    set = back(word, word.touched[block], set)
    if set ~= wanted[block] then
      wanted[block] = set
      for f = 1, #from[block] do again(from[block][f]) end
    end
  end)
  word.start = wanted[order[1]]
end

-- }=====================================================================

--- The registers of a function that are memory somewhere, each with its word; nil if
--- there are none. Words have sets of registers by pc (nil: none): `loads`, the registers
--- that are memory for reads, `stores`, those that are memory for writes; and `start`,
--- the parameters that are stored at the start.
---@return table<integer, table>? words_of
function M.of(proto, blocks, order)
  if proto.children.n == 0 then return nil end
  local words_of, words = effects.of(proto, blocks)
  for _, word in pairs(words) do
    word.loads, word.stores = {}, {}
    forwards(word, order)
    backwards(word, order)
  end
  return next(words) and words_of
end

return M
