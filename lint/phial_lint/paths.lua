-- Paths on which a value is nil where it is used.
--
-- The search goes from the use to the entry, against the direction of control, and through phis.
-- What tests say on the path must hold, of all values: a path on which one value would have to be
-- of two kinds does not exist; nor does one on which an earlier use would have failed. It must meet
-- a reason for the value to be nil: nil itself, a function that returns nil, or a test of a value
-- about which nothing else is known.
local beliefs = require "phial_lint.beliefs"
local kinds = require "phial_lint.kinds"
local parts = require "phial_lint.parts"
local library = require "phial_lint.stdlib"
local predicates = require "phial_lint.predicates"
local texts = require "phial_lint.texts"

local NIL <const>, FALSY <const>, TRUTHY <const> = kinds.NIL, kinds.FALSY, kinds.TRUTHY
local narrow = kinds.narrow
local MOST <const> = 2000 -- steps of a search
local BUDGET <const> = 100000 -- of a function: steps, and what must hold at each
local VISITS <const> = 4 -- of a block: what must hold differs

local M = {}

---@class lint.Path
---@field reason phial.Value what is nil, or the test that found it so
---@field tests { test: phial.Value, holds: boolean }[] after the reason, in the order of control

---@class lint.Step a place on a path, at the start of a block
---@field block phial.Block
---@field target? phial.Value what is nil; nil if the reason comes earlier
---@field reason? phial.Value
---@field known table<phial.Value, integer> what must hold: kinds, by values
---@field test? phial.Value of the block, if its result is known
---@field holds? boolean
---@field after? lint.Step

---@class lint.Search
---@field facts lint.Facts
---@field solution phial.Solution
---@field suspects table<phial.Value, true>
---@field asked table<phial.Value, true> that the program tests for nil
---@field left integer how much may be searched in the function; negative if that ended a search
---@field failing table<phial.Value, integer> uses of suspects, and how many of their operands must
--- not be nil
---@field parts lint.Parts
---@field is_result? boolean for a path to a `return`
---@field numbers table<any, integer> of constants that values are equal to
---@field count integer of these
---@field getting table<phial.Value, true> calls that get suspects
---@field required table<phial.Value, table<integer, integer> | false> calls that only return if
--- arguments, by their numbers, are of some kinds; of those that were asked about
local Search = {}
Search.__index = Search

-- {== Comparisons =====================================================

local COMPARES <const> = {
  ["lua.lt"] = function(a, b) return a < b end, ["lua.le"] = function(a, b) return a <= b end,
  ["lua.rawequal"] = function(a, b) return a == b end,
}

-- The value of an operand that is a constant; with a block, as it comes over the nth edge to it.
local function constant(facts, value, block, n)
  value = facts.origin(value)
  if value:op() == "phi" and value:block() == block then value = facts.origin(value:arg(n)) end
  if value:op() == "copy" then value = value:arg(1) end
  if value:op() == "const" then return value:const() end
end

-- The phi that a comparison is of, with a constant, as in `(x or 0) > 0`; nil for others.
local function compared_phi(facts, test)
  local a, b = facts.origin(test:arg(1)), facts.origin(test:arg(2))
  if a:op() ~= "phi" then a, b = b, a end
  return a:op() == "phi" and constant(facts, b) ~= nil and a or nil
end

-- True if a comparison can hold, or not, of what comes over the nth edge to a block.
local function can_hold(facts, test, set, block, n)
  local a, b = constant(facts, test:arg(1), block, n), constant(facts, test:arg(2), block, n)
  if a == nil or type(a) ~= type(b) then return true end
  return set & (COMPARES[test:op()](a, b) and kinds.TRUE or kinds.FALSE) ~= 0
end

-- }== What must hold ==================================================

-- True if the results of one call can be what is known of them together, and one of them is said
-- to be nil. Then it is not believed that others are nil without a reason.
function Search:agree(call, known, target)
  local alternatives = self.facts:together(call)
  for _, results in ipairs(alternatives) do
    local fits = not target or self.facts.nth(results, target:data()) & NIL ~= 0
    for value, set in pairs(known) do
      if value:op() == "lua.item" and value:arg(1) == call then
        local result = self.facts.nth(results, value:data())
        if target and set & ~FALSY == 0 then result = result & FALSY end
        fits = fits and narrow(result, set) ~= 0
      end
    end
    if fits then return true end
  end
  return #alternatives == 0
end

-- A constant that a value is equal to, as a number beside its kinds; 0 of nil and booleans.
function Search:number(it)
  if it == nil or type(it) == "boolean" then return 0 end
  local number = self.numbers[it]
  if not number then
    self.count = self.count + 1
    number = self.count * (kinds.ALL + 1)
    self.numbers[it] = number
  end
  return number
end

-- True if a constant can be of some kinds, and is the one that they name.
function Search:is_one_of(it, set)
  local number = set & ~kinds.ALL
  return narrow(kinds.of(it), set) ~= 0 and (number == 0 or number == self:number(it))
end

-- What two sets have in common, and the constant that one of them names; 0 if they name two.
local function both(a, b)
  local x, y = a & ~kinds.ALL, b & ~kinds.ALL
  if x ~= y and x ~= 0 and y ~= 0 then return 0 end
  return a & b & kinds.ALL | x | y
end

-- The object of `(object or {}).field`, if a value is one of these.
local function without_default(facts, value)
  value = facts.origin(value)
  if value:op() ~= "phi" then return nil end
  local object, default = value:arg(1), value:arg(2)
  if object:op() == "lua.newtable" then object, default = default, object end
  return default:op() == "lua.newtable" and not facts.node(default)[1] and object or nil
end

-- The object of `(object or {}).field` where that is something, or where `#(object or {})` is the
-- limit of a loop that makes a turn, or `pairs(object or {})` what it iterates over.
local function object_of(facts, value, op, set)
  if op == "lua.index" and set & NIL == 0 then return without_default(facts, value:arg(1)) end
  local list = op == "lua.item" and set & NIL == 0 and facts:iterated(value:arg(1))
  if list then return without_default(facts, list) end
  local limit = op == "lua.for" and set == kinds.TRUE and facts.origin(value:arg(2))
  if limit and limit:op() == "lua.len" then return without_default(facts, limit:arg(1)) end
  return nil
end

-- True if a call that may have changed a variable has not, as no function gives it these kinds, or
-- a field, as nothing in the file gives them to one of that name.
function Search:is_kept(value, op, set)
  local var = op == "may" and value:var()
  local v = var and var:data()
  if v then return v.written_by and self.facts:given(v) & set == 0 end
  return var and self.facts:assigned_to(var:name()) & set == 0
end

-- Adds that a value is of some kinds, and what follows; false if that cannot be.
function Search:assume(known, value, set)
  local op = value:op()
  while true do
    if op == "refine" then
      local subject, others = self.facts:implied(value:arg(2), value:arg(3):const())
      if subject == self.facts.origin(value) then set = set & others end
    elseif op == "lua.truthy" or op == "lua.boolean" or op == "lua.not" or op == "lua.rawequal" then
      if set & TRUTHY ~= 0 and set & FALSY ~= 0 then return true end
      if COMPARES[op] and compared_phi(self.facts, value) then
        known[value] = set & (known[value] or kinds.ALL)
      end
      local subject, others = self.facts:implied(value, set & TRUTHY ~= 0)
      if subject == value then return true end
      if op == "lua.rawequal" and subject == self.facts.origin(value:arg(1)) then
        local number = self:number(value:arg(2):const())
        if set & TRUTHY ~= 0 then
          others = others | number
        elseif number ~= 0 and (known[subject] or 0) & ~kinds.ALL == number then
          return false
        end
      end
      return self:assume(known, subject, others)
    elseif op ~= "copy" and not self:is_kept(value, op, set) then
      break
    end
    value = value:arg(1)
    op = value:op()
  end
  if op == "lua.eq" and set == kinds.TRUE then return self:equal(known, value) end
  if op == "const" then return self:is_one_of(value:const(), set) end
  set = both(set, known[value] or kinds.ALL)
  if self.is_result and op == "param" and set & TRUTHY == 0 then return false end
  known[value] = set
  if narrow(self.solution:fact(value), set) == 0 then return false end
  local object = object_of(self.facts, value, op, set)
  if object and not self:assume(known, object, TRUTHY) then return false end
  if op ~= "lua.call" and op ~= "lua.item" then return true end
  for arg, others in predicates.each(self.facts, value, set) do
    if not self:assume(known, arg, others) then return false end
  end
  return op ~= "lua.item" or self:agree(value:arg(1), known)
end

-- Adds that the operands of a comparison are equal, and not nil if nothing says so of one.
function Search:equal(known, test)
  local a, b = test:arg(1), test:arg(2)
  local function of(value)
    local set = self.solution:fact(value)
    if set == kinds.UNKNOWN and not self.suspects[value] then return kinds.ALL & ~NIL end
    return set & kinds.UNKNOWN ~= 0 and kinds.ALL or set
  end
  return self:assume(known, a, of(b)) and self:assume(known, b, of(a))
end

-- The kinds that arguments of a call have if it returns; false for any.
function Search:required_by(use)
  local list = self.required[use]
  if list == nil then
    local says = self.getting[use]
      or parts.CALLS[use:op()] and predicates.assertion(self.facts.node(use))
    list = says and predicates.required(self.facts, use) or false
    self.required[use] = list
  end
  return list
end

-- True if a use in a block, before another one, would fail, or a call would not return.
function Search:fails(block, known, last)
  local uses = self.parts.uses
  for n = self.parts.first[block] or 1, self.parts.last[block] or 0 do
    local use = uses[n]
    if use == last then return false end
    for i = 1, parts.COUNTS[use:op()] do
      local value = self.facts.origin(use:arg(i))
      local set = known[value]
      if set and narrow(self.solution:fact(value), set) & ~NIL == 0 then return true end
    end
    for i, others in pairs(self:required_by(use) or {}) do
      local value = use:arg(i + 1)
      local set = value and known[self.facts.origin(value)]
      if set and set & others == 0 then return true end
      local says_more = value and (others == NIL or value:op() == "phi")
      if says_more and not self:assume(known, value, others) then return true end
    end
  end
  return false
end

-- }== Steps ===========================================================

-- What must hold before the nth edge to a block; nil if it cannot.
function Search:before(step, n)
  local known, block = {}, step.block
  self.left = self.left - 1
  for value, set in pairs(step.known) do
    self.left = self.left - 1
    local op, is_here = value:op(), value:block() == block
    local phi = COMPARES[op] and compared_phi(self.facts, value)
    if phi then
      is_here = phi:block() == block
      if is_here and not can_hold(self.facts, value, set, block, n) then return nil end
    elseif is_here and op == "phi" then
      if set & TRUTHY == 0 and beliefs.is_something(self, step, value, n) then return nil end
      value, is_here = value:arg(n), false
    end
    if not is_here or op == "param" then
      if not self:assume(known, value, set) then return nil end
    end
  end
  return known
end

-- Adds what a branch says to a step, which is at its end; false if that cannot be.
function Search:tested(step, target)
  local terminator, succs = step.block:terminator(), step.block:succs()
  if terminator:op() ~= "branch" or succs[1] == succs[2] then return true end
  local test, holds = terminator:arg(1), succs[1] == target
  step.test, step.holds = test, holds
  local subject, set = self.facts:implied(test, holds)
  if step.target == subject and kinds.finds_nil(set) then
    step.target, step.reason = nil, test
  end
  return self:assume(step.known, test, holds and kinds.TRUE or kinds.FALSE)
end

-- What must be nil for a value to be nil, which is added to what is known: of `tonumber` of what is
-- a number if it is there, that. Nil if it cannot be.
function Search:cause(known, value)
  if not self:assume(known, value, NIL) then return nil end
  value = self.facts.origin(value)
  local text = value:op() == "lua.call" and self.solution:fact(value) & kinds.UNKNOWN ~= 0
    and texts.of(self.facts, value)
  local is_expected = text and self.asked[value] and self.facts.origin(text):op() == "param"
  if text and not is_expected then return self:cause(known, text) end
  return value
end

-- Looks whether a value is nil where it is made, or as it is made in a block where something is
-- known.
function Search:find_reason(step, known)
  local target = step.target
  local from = target:op() == "copy" and target:arg(1) or target
  local returned = known and self.solution:fact(target) & NIL ~= 0
    and (target:op() ~= "lua.item" or self:agree(target:arg(1), known, target))
  if returned or from:op() == "const" then step.target, step.reason = nil, target end
end

-- The step before another one, over the nth edge to its block; nil if there is none.
function Search:back(step, n, pred)
  local known = not beliefs.skips_loop(self, step, pred) and self:before(step, n)
  if not known then return nil end
  local target, is_made = step.target, false
  if target and target:block() == step.block then
    if target:op() == "phi" then
      target = self:cause(known, target:arg(n))
      if not target then return nil end
    else
      is_made = target:op() ~= "param"
    end
  end
  local before = {
    block = pred, target = target, reason = step.reason, known = known, after = step,
  }
  if target then self:find_reason(before, is_made and step.known) end
  if before.target and is_made then return nil end
  if before.reason and before.reason:op() == "const" then -- `a or nil`: the phi has a node
    before.reason = step.target
  end
  if not self:tested(before, step.block) or self:fails(pred, known) then return nil end
  return before
end

-- The tests after the reason, from the first step of a path on.
local function tests_of(step)
  while step.after and step.after.reason do step = step.after end
  local list = {}
  while step do
    if step.test then list[#list + 1] = { test = step.test, holds = step.holds } end
    step = step.after
  end
  return list
end

--- A path on which an operand of an instruction, a suspect, is nil; nil if the search finds none,
--- and whether there is none.
---@param use phial.Value
---@param value phial.Value
---@param is_result? boolean the use returns it: the path may depend on tests of several values,
--- but not on a parameter that is nil
---@return lint.Path?
---@return boolean? is_certain
function Search:find(use, value, is_result)
  self.is_result = is_result
  local start, entry = { block = use:block(), known = {} }, self.entry
  start.target = self:cause(start.known, value)
  if not start.target or self:fails(start.block, start.known, use) then return nil, true end
  self:find_reason(start)
  local todo, visits = { start }, {}
  for steps = 1, MOST do -- shortest paths first
    local step = todo[steps]
    if not step or self.left < 0 then return nil, self.left >= 0 end
    if step.block == entry then
      if step.target then self:find_reason(step, step.known) end
      local tests = step.reason and tests_of(step)
      if tests and beliefs.can_be(self, step, tests, value) then
        return { reason = step.reason, tests = tests }
      end
    end
    for n, pred in ipairs(step.block:preds()) do
      local before = self.solution:is_taken(pred, step.block) and self:back(step, n, pred)
      local key = before and pred:id() << 32 | (before.target and before.target:id() or 0)
      if before and (visits[key] or 0) < VISITS then
        visits[key] = (visits[key] or 0) + 1
        todo[#todo + 1] = before
      end
    end
  end
  return nil
end

-- }=====================================================================

local PASSES <const> = { copy = true, phi = true, refine = true }

-- Adds the values that copy one of a list, also through phis; what fails if one of these is nil;
-- the calls that get one.
local function with_copies(facts, todo)
  local set, failing, getting = {}, {}, {}
  while #todo > 0 do
    local value = table.remove(todo)
    if not set[value] then
      set[value] = true
      for _, user in ipairs(value:users()) do
        local op = user:op()
        failing[user] = parts.COUNTS[op]
        local is_text = op == "lua.call" and user:arg(2) == value and texts.of(facts, user)
        if PASSES[op] or is_text then
          todo[#todo + 1] = user
        elseif parts.CALLS[op] then
          getting[user] = true
        end
      end
    end
  end
  return set, failing, getting
end

-- True if a value is what a method gives that is called like a function of the library which always
-- gives a string, such as `s:sub(2)`: a test of it does not say that it may be nil.
local function is_text(facts, value)
  local node = value:op() == "lua.call" and facts.node(value)
  local effects = node and node.tag == "Invoke" and library["string." .. tostring(node[2][1])]
  return effects and #effects.results == 1 and effects.results[1][1] == kinds.STRING
end

-- Adds what a branch tests to the suspects, and to what is asked, if one of its ways finds that it
-- may be nil.
local function add_tested(facts, suspects, asked, branch)
  local subject, yes = facts:implied(branch:arg(1), true)
  local _, no = facts:implied(branch:arg(1), false)
  local finds = kinds.finds_nil(yes) or kinds.finds_nil(no)
  if finds and subject:type() == "any" and not is_text(facts, subject) then
    suspects[#suspects + 1], asked[subject] = subject, true
  end
end

-- The values of a function that may be nil for a reason in it: it says so, or tests them; and the
-- latter.
local function suspects_of(facts, solution, all)
  local suspects, asked = {}, {}
  for _, value in ipairs(all.nils) do
    if solution:fact(value) & NIL ~= 0 then suspects[#suspects + 1] = value end
  end
  for _, branch in ipairs(all.branches) do add_tested(facts, suspects, asked, branch) end
  return suspects, asked
end

--- A search for paths in a function.
---@param facts lint.Facts
---@param f phial.source.Function
---@return lint.Search
function M.of(facts, f)
  local search = facts.searches[f]
  if search then return search end
  local solution, all = facts.solutions[f], parts.of(f)
  local listed, asked = suspects_of(facts, solution, all)
  local suspects, failing, getting = with_copies(facts, listed)
  search = setmetatable({
    suspects = suspects, failing = failing, facts = facts, solution = solution, parts = all,
    getting = getting, required = {}, asked = asked, entry = f.fn:entry(), left = BUDGET,
    numbers = {}, count = 0,
  }, Search)
  facts.searches[f] = search
  return search
end

return M
