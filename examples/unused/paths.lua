-- Paths on which a value is nil where it is used.
--
-- The search goes from the use to the entry, against the direction of control and through
-- phis.  What is known at the use must hold on the whole path, and that the value is nil.
-- It is sure that this can happen if a test on the path finds the value nil: the program
-- itself expects that, and then forgets it.  It is also sure if nil was assigned, and the
-- tests on the path compare one value with constants: there are more values than these.
-- It is not sure if
--   - nil was assigned, and there are other tests: they may exclude the use;
--   - the test selects a value, as in `a and b or c`, where b is tested but never nil;
--   - a later test on the path depends on the value, or on what it is a result of, as in
--     `if not x and err`, or `if is_good(x)`;
--   - another turn of a loop follows the test.
local tests = require "unused.tests"

local NIL <const> = tests.NIL
local MOST <const> = 4000 -- steps of a search
local NEAR <const> = 60 -- values of which a condition consists
local VISITS <const> = 4 -- of a block: what must hold differs
local MANY <const> = 24 -- things that must hold
local HOPS <const> = 4 -- empty blocks between a branch and where values meet

---@class unused.Path
---@field value phial.Value what is nil
---@field test unused.Known? that finds it nil
---@field sure boolean

-- {== What tests say of a value ========================================

-- True if a branch depends on a value, or on the call of which this is a result.
local function depends(branch, value)
  local call = value:op() == "lua.item" and value:args()[1]
  local todo, seen, count = { branch }, {}, 0
  while #todo > 0 and count < NEAR do
    count = count + 1
    for _, arg in ipairs(table.remove(todo):args()) do
      local it = tests.origin(arg)
      if it == value or it == call then return true end
      if not seen[it] then seen[it], todo[#todo + 1] = true, it end
    end
  end
  return false
end

-- True if a block does nothing but to go on.
local function is_empty(block)
  for _, inst in ipairs(block:insts()) do
    local op = inst:op()
    if op ~= "copy" and op ~= "refine" and op ~= "jump" then return false end
  end
  return #block:succs() == 1 and #block:phis() == 0
end

-- True if all values are copies and refinements of one.
local function same(values)
  for _, value in ipairs(values) do
    if tests.origin(value) ~= tests.origin(values[1]) then return false end
  end
  return true
end

-- True if the value that a test finds nil is the result of what it selects otherwise.
local function selects(test)
  local from, to = test.branch:block(), test.other
  for _ = 1, HOPS do
    if not is_empty(to) then break end
    from, to = to, to:succs()[1]
  end
  for n, pred in ipairs(to:preds()) do
    for _, phi in ipairs(pred == from and to:phis() or {}) do
      if tests.origin(phi:args()[n]) == test.value then return not same(phi:args()) end
    end
  end
  return false
end

-- True if a test that finds a value nil does not select it, and later ones do not depend
-- on the value: those in `known`, which is what is known there, and in `later`, those
-- between there and the use.
local function is_sure(test, value, known, later)
  while known ~= test do
    later, known = { known = known, after = later }, known.before
  end
  while later do
    if later.known.value ~= value and depends(later.known.branch, value) then return false end
    later = later.after
  end
  return not selects(test)
end

-- True if control falls through an `if` that compares one value with several constants and
-- assigns something on each of its branches.  Nothing else decides, after nil was assigned
-- in a block, whether control gets there, and then to the end of the path.
local function falls_through(facts, later, block)
  local last, count = later, 0
  while last and last.after do last = last.after end
  local value = last and last.known.value
  if not value then return false end
  while later.known.value ~= value do later = later.after end
  local known = facts:at(later.known.branch:block())
  if known and block:dominates(known.branch:block()) then return false end
  while later and later.known.value == value and later.known.kinds == tests.ALL do
    later, count = later.after, count + 1
  end
  return not later and count > 1
end

-- }== Paths ============================================================

---@class unused.Step a place on a path
---@field block phial.Block
---@field value phial.Value which is nil at the start of this block, or was the last to be so
---@field needs unused.Known[] what must hold there
---@field test unused.Known? that finds the value nil
---@field sure boolean unless there is a doubt
---@field later { known: unused.Known, after: table? }? the tests up to the use

-- What must hold where something is known, and that a value is nil.
local function needs_of(known, value)
  local list = { { value = value, kinds = NIL } }
  while known do
    if known.value then list[#list + 1] = known end
    known = known.before
  end
  return list
end

-- The value that comes over the nth edge to a block, without copies.
local function from_edge(value, block, n)
  if value:op() ~= "phi" or value:block() ~= block then return value end
  return tests.origin(value:args()[n])
end

-- True if a value is made in a block, and so does not exist before.
local function is_made(value, block) return value:op() ~= "phi" and value:block() == block end

-- What must hold before the nth edge to a block, from pred; nil if it does not.  What is
-- tested there must hold, too.
local function hold(facts, step, n, pred, known)
  local is_tested = known and known.value and known.branch:block() == pred
  if is_tested and facts:kinds(known.value, known) == 0 then return nil end
  local list = {}
  for _, need in ipairs(step.needs) do
    local value = from_edge(need.value, step.block, n)
    if value ~= need.value or not is_made(value, step.block) then
      if facts:kinds(value, known) & need.kinds == 0 then return nil end
      list[#list + 1] = value == need.value and need or { value = value, kinds = need.kinds }
    end
  end
  if is_tested and #list < MANY then list[#list + 1] = known end
  return list
end

-- The step before another one, over the nth edge to its block; nil if none is possible.
local function before(facts, step, n, pred)
  if not step.test and is_made(step.value, step.block) then return nil end
  local known = facts:on_edge(pred, step.block)
  local needs = hold(facts, step, n, pred, known)
  if not needs then return nil end
  local value, test = from_edge(step.value, step.block, n), step.test
  local sure, later = step.sure, step.later
  if not test then
    sure = sure and not step.block:dominates(pred)
    test = facts.finding(value, known)
    if test then
      sure = sure and is_sure(test, value, known, later)
    elseif known and known.branch:block() == pred then
      later = { known = known, after = later }
    end
  end
  return { block = pred, value = value, needs = needs, test = test, sure = sure, later = later }
end

-- What distinguishes a step from others, except what must hold.
local function key_of(step)
  local flags = (step.test and 1 or 0) | (step.sure and 2 or 0)
  return step.block:id() << 32 | step.value:id() << 2 | flags
end

--- A path on which a value is nil at the start of a block, a sure one if the search finds
--- one; nil if it finds none.
---@param facts unused.Facts
---@param value phial.Value without copies and refinements
---@param block phial.Block
---@return unused.Path?
local function find(facts, value, block)
  local entry, seen, steps, found = facts.fn:entry(), {}, 0, nil
  local needs = needs_of(facts:at(block), value)
  local todo = { { block = block, value = value, needs = needs, sure = true } }
  while #todo > 0 and steps < MOST do
    local step = table.remove(todo)
    local here = step.block
    steps = steps + 1
    local is_nil = not step.test and step.value:op() == "copy" and step.value:block() == here
    if is_nil or step.test and here == entry then
      local sure = step.sure and (not is_nil or falls_through(facts, step.later, here))
      found = { value = step.value, test = step.test, sure = sure }
      if sure then return found end
    end
    for n, pred in ipairs(here:preds()) do
      if facts.solution:is_taken(pred, here) then
        local next = before(facts, step, n, pred)
        local key = next and key_of(next)
        local visits = next and (seen[key] or 0) + 1
        if next and visits <= VISITS then seen[key], todo[#todo + 1] = visits, next end
      end
    end
  end
  return found
end

return { find = find }
