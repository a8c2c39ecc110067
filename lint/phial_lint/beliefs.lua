-- What is believed of paths: which of them a program does not take, though nothing that is known
-- excludes them.
local calls = require "phial_lint.calls"
local kinds = require "phial_lint.kinds"

local NIL <const> = kinds.NIL
local narrow = kinds.narrow

local M = {}

local LOOPS <const> = { Fornum = true, Forin = true }
local COUNTS_TO <const> = { ["lua.lt"] = true, ["lua.le"] = true }
local EQUALS <const> = { ["lua.eq"] = true, ["lua.rawequal"] = true }

-- True if what comes to a phi over the nth edge is the value of a choice, `c and value or other`.
local function is_chosen(facts, phi, n)
  local is_choice = false
  for _, user in ipairs(phi:users()) do
    local node = user:op() == "lua.truthy" and facts.node(user)
    is_choice = is_choice or node and node.tag == "Op" and node[1] == "and"
  end
  local above = is_choice and phi:block():preds()[n]:preds()[1]
  local test = above and above:terminator()
  return test and test:op() == "branch"
    and facts:implied(test:arg(1), false) ~= facts:implied(phi:arg(n), false)
end

-- True if a comparison is one with the best of a loop so far.
local function is_of_best(facts, test)
  if not COUNTS_TO[test:op()] then return false end
  for _, operand in ipairs(test:args()) do
    local from = facts.origin(operand)
    if from:op() == "phi" and from:block():loop_header() == from:block() then return true end
  end
  return false
end

-- True if what leads to a block is a comparison that finds two values equal, or one the best.
local function is_sought(facts, block)
  local pred = block:preds()[1]
  while pred and not block:preds()[2] do
    local terminator = pred:terminator()
    if terminator:op() == "branch" then
      local test, holds = terminator:arg(1), pred:succs()[1] == block
      return holds and (EQUALS[test:op()] ~= nil or is_of_best(facts, test))
    end
    block, pred = pred, pred:preds()[1]
  end
  return false
end

local function is_loop(facts, block)
  local node = facts.node(block:terminator())
  return node and LOOPS[node.tag]
end

-- True if a step is in a loop that has ended where the path uses what it searches.
local function is_ended(facts, step)
  local head = step.block
  while step do
    local node = step.block == head and step.test and facts.node(step.test)
    if node and (node.tag == "Forin") == step.holds then return true end
    step = step.after
  end
  return false
end

-- True if a phi is what a `for` loop, when it has ended, has found by a comparison, and nothing
-- came over the nth edge. It is believed to find something, if the program does not test that.
local function is_found(search, step, phi, n)
  local from, block = search.facts.origin(phi:arg(n)), phi:block()
  if from:op() == "copy" then from = from:arg(1) end
  if search.asked[phi] or from:op() ~= "const" or from:const() ~= nil then return false end
  local head = block:loop_header() == block and block or block:preds()[n]
  if not is_loop(search.facts, head) or head == block and not is_ended(search.facts, step) then
    return false
  end
  local todo, seen = { phi }, { [phi] = true }
  for _, it in ipairs(todo) do
    for i, pred in ipairs(it:block():preds()) do
      local value = search.facts.origin(it:arg(i))
      if seen[value] or search.solution:fact(value) == NIL then goto continue end
      if is_sought(search.facts, pred) then return true end
      seen[value] = true
      if value:op() == "phi" then todo[#todo + 1] = value end
      ::continue::
    end
  end
  return false
end

local WIDE <const> = 16 -- operands: of phis with more, nothing is believed

-- True if what comes to a phi over the nth edge is not believed to be nil or false: nothing says so
-- of it, and it is chosen, or it is another value of the phi that tests find so, or that has a
-- message.
local function is_meant(search, phi, n)
  local solution, origin, meant = search.solution, search.facts.origin, phi:arg(n)
  if solution:fact(meant) ~= kinds.UNKNOWN or search.suspects[meant] then return false end
  if phi:arg(WIDE + 1) then return false end
  local operands, preds = phi:args(), phi:block():preds()
  for i, operand in ipairs(operands) do
    local from = origin(operand)
    local tested = search.facts:tested(solution, preds[i], from)
    local has_message = from:op() == "lua.item" and origin(meant):op() == "lua.call"
    local is_other = search.suspects[operand] and narrow(solution:fact(operand), tested) & NIL ~= 0
    if has_message or is_other then return true end
  end
  return is_chosen(search.facts, phi, n)
end

--- True if what comes to a phi over the nth edge is believed not to be nil or false.
---@param search lint.Search
---@param step lint.Step at the start of the phi's block
---@param phi phial.Value
---@param n integer
---@return boolean
function M.is_something(search, step, phi, n)
  return is_meant(search, phi, n) or is_found(search, step, phi, n)
end

--- True if a step is the head of a loop that has not made a turn, a `for` loop or one that compares
--- numbers: such a path is not believed.
---@param search lint.Search
function M.skips_loop(search, step, pred)
  local test = step.test
  local node = test and search.facts.node(test)
  local tag = node and node.tag
  local is_counting = tag == "Fornum" or tag == "Op" and COUNTS_TO[test:op()]
    and step.block:loop_header() == step.block
  local ends = tag == "Forin" and step.holds or is_counting and not step.holds
  return ends and not step.block:dominates(pred)
end

-- True if the tests after a reason, except those of `for` loops, are of one value: others are
-- likely to exclude what the search cannot know.
local function is_plain(search, tests, reason)
  local one
  for _, at in ipairs(tests) do
    local node = search.facts.node(at.test)
    if at.test ~= reason and not (node and LOOPS[node.tag]) then
      local subject = search.facts:implied(at.test, true)
      if one and subject ~= one then return false end
      one = subject
    end
  end
  return true
end

local CHOICE <const> = 2 -- comparisons: no other case is believed

local LEFT <const> = { copy = true, phi = true } -- ops of what a path has left nil

-- True if something is left nil since comparisons say that a value is none of two others, or
-- more, and not what it is: they are likely to be all that it can be.
local function is_none(search, step)
  local counts, most = {}, 0
  if not LEFT[step.reason:op()] then return false end
  while step do
    local test = step.test
    local op = test and test:op()
    local is_equal = op == "lua.eq"
      or op == "lua.rawequal" and search:number(test:arg(2):const()) ~= 0
    if is_equal then
      local subject = search.facts.origin(search.facts:typed(test:arg(1)) or test:arg(1))
      counts[subject] = step.holds and -math.huge or (counts[subject] or 0) + 1
    end
    step = step.after
  end
  for _, count in pairs(counts) do most = math.max(most, count) end
  return most >= CHOICE
end

local QUESTIONS <const> = { is = true, has = true, can = true }

-- True if a value is the answer to a question, `is_open()` or `x:hasName()`.
local function is_asked(facts, value)
  local node = value:op() == "lua.call" and facts.node(value)
  local name = node and (node.tag == "Invoke" and node[2] or node[1])
  if name and name.tag == "Index" then name = name[2] end
  return name and QUESTIONS[tostring(name[1]):match "^%u?%l*":lower()]
end

-- True if a call gives the same when it is made again: of a function of the file, or of one of the
-- library that runs nothing, and gets nothing from outside.
local function is_stable(facts, value)
  if value:op() ~= "lua.call" then return false end
  local f, effects = calls.callee(facts.program, calls.node(value))
  if not effects then return f ~= nil end
  return not effects.calls and not effects.sink and not effects.source
end

-- True if the answers to a question that is asked twice differ on a path, or if a test finds that a
-- call like the one whose result is nil gives something.
local function disagrees(facts, step, value)
  value = facts.origin(value)
  local answers, is_call = {}, is_stable(facts, value)
  while step do
    local subject, set
    if step.test then subject, set = facts:implied(step.test, step.holds) end
    local is_again = is_call and subject and subject ~= value and set & NIL == 0
    if is_again and facts.is_same(subject, value) then return true end
    if subject and is_asked(facts, subject) then
      for other, answer in pairs(answers) do
        if answer & set == 0 and facts.is_same(subject, other) then return true end
      end
      answers[subject] = set
    end
    step = step.after
  end
  return false
end

--- True if it is believed that the program can take a path.
---@param search lint.Search
---@param step lint.Step its first
---@param tests { test: phial.Value, holds: boolean }[]
---@param value phial.Value what is nil at its end
---@return boolean
function M.can_be(search, step, tests, value)
  return (search.is_result or is_plain(search, tests, step.reason))
    and not is_none(search, step) and not disagrees(search.facts, step, value)
end

--- True if control falls off the end of a function since comparisons say that a value is none of
-- some.
---@param facts lint.Facts
---@param solution phial.Solution
---@param block phial.Block
---@return boolean
function M.is_left_over(facts, solution, block)
  local subject, count = nil, 0
  for _ = 1, facts.HOPS do
    local pred = facts.only_pred(solution, block)
    if not pred then break end
    local terminator = pred:terminator()
    local compared = terminator:op() == "branch" and facts.origin(terminator:arg(1))
    if compared and EQUALS[compared:op()] and pred:succs()[2] == block then
      local value = facts.origin(compared:arg(1))
      if value == (subject or value) then subject, count = value, count + 1 end
    end
    block = pred
  end
  return count >= CHOICE
end

return M
