-- What functions return: alternatives, of results that belong together.
local beliefs = require "phial_lint.beliefs"
local kinds = require "phial_lint.kinds"
local parts = require "phial_lint.parts"
local paths = require "phial_lint.paths"

local NIL <const>, FALSY <const>, TRUTHY <const> = kinds.NIL, kinds.FALSY, kinds.TRUTHY
local UNKNOWN <const> = kinds.UNKNOWN
local narrow = kinds.narrow

local MOST <const> = 8 -- alternatives of results

local WAYS <const> = 64 -- into phis, that a value of a `return` is looked for

-- The kinds of a value at the end of a block: where other ways in turn out not to be taken, tests
-- say more than refinements do. Of a phi, such as `a and b or c`, what it can be on each way.
local function kinds_at(facts, solution, block, value, budget)
  local from = facts.origin(value)
  local set = narrow(solution:fact(value), facts:tested(solution, block, from))
  if from:op() ~= "phi" or set & FALSY == 0 then return set end
  local falsy, join = 0, from:block()
  for n, pred in ipairs(join:preds()) do
    budget.left = budget.left - 1
    if budget.left < 0 then return set end
    if falsy ~= FALSY and solution:is_taken(pred, join) then
      falsy = falsy | kinds_at(facts, solution, pred, from:arg(n), budget) & FALSY
    end
  end
  set = set & (falsy | TRUTHY)
  return set ~= 0 and set or UNKNOWN
end

-- True if all of these values are nil or false, or not of a type that was asked for.
local function is_unexpected(set)
  return set & ~FALSY == 0 or set & UNKNOWN ~= 0 and set | FALSY ~= kinds.ALL
end

-- True if control only gets to a block where one of the first n arguments is not what is expected.
local function lacks_argument(facts, solution, block, fn, n)
  for i = 1, n do
    if is_unexpected(facts:tested(solution, block, fn:arg(i))) then return true end
  end
  return false
end

-- Results of which nothing says that they are nil.
local function without_nil(list)
  for n, set in ipairs(list) do
    if set & NIL ~= 0 then list[n] = set & ~NIL | UNKNOWN end
  end
  list.rest = UNKNOWN
end

-- The kinds of an operand of a `return`: not nil if no path leads there with nil.
local function kinds_returned(facts, solution, terminator, value, f)
  local set = kinds_at(facts, solution, terminator:block(), value, { left = WAYS })
  if set & NIL == 0 or set == NIL then return set end
  local path, is_certain = paths.of(facts, f):find(terminator, value, true)
  if path or not is_certain then return set end
  set = set & ~NIL
  return set ~= 0 and set or UNKNOWN
end

-- Adds what two values can be together where they are the first results of one call.
local function add_pairs(facts, solution, block, a, b, list)
  a, b = facts.origin(a), facts.origin(b)
  local call = a:op() == "lua.item" and a:arg(1)
  local is_pair = call and b:op() == "lua.item" and b:arg(1) == call
  local known = is_pair and a:data() == 1 and b:data() == 2 and facts:returned(call)
  for _, results in ipairs(known or {}) do
    local first = narrow(facts.nth(results, 1), facts:tested(solution, block, a))
    local second = narrow(facts.nth(results, 2), facts:tested(solution, block, b))
    if first ~= 0 and second ~= 0 then list[#list + 1] = { first, second } end
  end
  return known
end

-- What a `return` of two values gives, if these are results of calls that belong together, also of
-- one call on each way; nil if they are not.
local function pairs_at(facts, solution, terminator)
  local a, b, list = terminator:arg(1), terminator:arg(2), {}
  if not b or terminator:arg(3) then return nil end
  local block, first, second = terminator:block(), facts.origin(a), facts.origin(b)
  if first:op() ~= "phi" or second:op() ~= "phi" or first:block() ~= second:block() then
    return add_pairs(facts, solution, block, a, b, list) and list or nil
  end
  for n, pred in ipairs(first:block():preds()) do
    local is_known = not solution:is_taken(pred, first:block())
      or add_pairs(facts, solution, pred, first:arg(n), second:arg(n), list)
    if not is_known then return nil end
  end
  return list
end

-- What one `return` gives. It is not believed to be nil where the arguments are not what is
-- expected; nor is the message that follows nil.
local function results_at(facts, solution, terminator, f)
  local list, block = {}, terminator:block()
  local pair = pairs_at(facts, solution, terminator)
  if pair then return pair end
  for i, value in ipairs(terminator:args()) do
    local all = i == 1 and value:op() == "lua.callall" and facts:returned(value)
    if all then return all end
    local is_pack = value:type() ~= "any"
    list[is_pack and "rest" or i] = is_pack and UNKNOWN
      or kinds_returned(facts, solution, terminator, value, f)
  end
  local own = #f.fn:params() - #f.captured
  if lacks_argument(facts, solution, block, f.fn, own) then without_nil(list) end
  local message = list[2]
  if message and list[1] & ~FALSY == 0 and message ~= NIL then
    list[2] = message & NIL ~= 0 and message & ~NIL | UNKNOWN or message
  end
  return { list }
end

local function key_of(results)
  return table.concat(results, " ") .. (results.rest and " ..." or "")
end

-- All alternatives as one.
local function merged(facts, alternatives)
  local one, most = {}, 0
  for _, results in ipairs(alternatives) do
    most = math.max(most, #results)
    one.rest = one.rest or results.rest
  end
  for n = 1, most do
    one[n] = 0
    for _, results in ipairs(alternatives) do one[n] = one[n] | facts.nth(results, n) end
  end
  return { one }
end

--- What a function returns: alternatives.
---@param facts lint.Facts
---@param f phial.source.Function
---@param solution phial.Solution
---@return lint.Results[]
return function(facts, f, solution)
  local list, seen, rest = {}, {}, nil
  for _, terminator in ipairs(parts.of(f).returns) do
    local block, op = terminator:block(), terminator:op()
    local is_left = solution:is_taken(block) and not facts.ends[block]
    if is_left and op == "ret" and beliefs.is_left_over(facts, solution, block) then
      rest = {}
    elseif is_left then
      for _, results in ipairs(results_at(facts, solution, terminator, f)) do
        local key = key_of(results)
        if not seen[key] then seen[key], list[#list + 1] = true, results end
      end
    end
  end
  if not list[1] then list[1] = rest end
  return #list > MOST and merged(facts, list) or list
end
