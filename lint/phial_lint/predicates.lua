-- What answers of functions say of arguments: after `if is_empty(s) then return end`, s is not nil.
--
-- It is computed: each `return` gives some kinds of answers, after tests of the arguments; an
-- answer that is a test says what that says.
local calls = require "phial_lint.calls"
local kinds = require "phial_lint.kinds"
local library = require "phial_lint.stdlib"
local modules = require "phial_lint.modules"
local parts = require "phial_lint.parts"

local ALL <const>, NIL <const>, TRUTHY <const> = kinds.ALL, kinds.NIL, kinds.TRUTHY
local NOT_NIL <const> = ALL & ~NIL
local MOST <const> = 64 -- values that are looked at for an answer
local BLOCKS <const> = 32 -- of a function: a predicate is short

local M = {}

---@class lint.Implied the kinds of an argument, by its number, if the answer counts as true, or not
---@field [boolean] table<integer, integer>

---@class lint.Asking the answers that are looked at for an argument
---@field facts lint.Facts
---@field solution phial.Solution
---@field params phial.Value[] what the argument is
---@field tested table<phial.Block, integer> its kinds at ends of blocks
---@field left integer

-- The call whose first result a value is; nil if it is none.
local function call_of(value)
  local op = value:op()
  if op == "lua.item" and value:data() == 1 then
    value = value:arg(1)
    op = value:op()
  end
  return (op == "lua.call" or op == "lua.callall") and value or nil
end

-- True if a value is used, on all ways to the end of a block, as what is not nil.
local function is_used(value, block)
  for _, user in ipairs(value:users()) do
    local op = user:op()
    for i = 1, parts.COUNTS[op] or 0 do
      if user:arg(i) == value and user:block():dominates(block) then return true end
    end
    if (op == "copy" or op == "refine") and is_used(user, block) then return true end
  end
  return false
end

-- The kinds of the parameter where control gets to the end of a block.
local function tested(it, block)
  local set = it.tested[block]
  if set then return set end
  set = ALL
  for _, param in ipairs(it.params) do
    set = set & it.facts:tested(it.solution, block, param)
    if is_used(param, block) then set = set & NOT_NIL end
  end
  it.tested[block] = set
  return set
end

-- True if a value is the parameter.
local function is_it(it, value)
  value = it.facts.origin(value)
  for _, param in ipairs(it.params) do
    if param == value then return true end
  end
  return false
end

-- The kinds of the parameter if a call of another predicate is answered so.
local function called(it, call, holds)
  local set, implied = ALL, M.of(it.facts, call)
  for i, others in pairs(implied and implied[holds] or {}) do
    local arg = call:arg(i + 1)
    if arg and is_it(it, arg) then set = set & others end
  end
  return set
end

-- The kinds of the parameter if a value, at the end of a block, counts as true, or does not; 0 if
-- it cannot.
local function answered(it, value, holds, block)
  it.left = it.left - 1
  if it.left < 0 then return ALL end
  local facts, set = it.facts, tested(it, block)
  if value:type() ~= "any" and value:type() ~= "i1" then -- all results of a call
    local call = call_of(value)
    return call and set & called(it, call, holds) or set
  end
  local subject, others = facts:implied(value, holds)
  local op = subject:op()
  if op == "const" then
    return kinds.narrow(kinds.of((subject:const())), others) ~= 0 and set or 0
  elseif op == "phi" and (others == TRUTHY or others == kinds.FALSY) then
    local union = 0
    for n, pred in ipairs(subject:block():preds()) do
      if it.solution:is_taken(pred, subject:block()) then
        union = union | answered(it, subject:arg(n), others == TRUTHY, pred)
      end
    end
    return set & union
  elseif is_it(it, subject) then
    return set & others
  end
  local call = call_of(subject)
  if call then set = set & called(it, call, others & kinds.FALSY == 0) end
  return kinds.narrow(it.solution:fact(subject), others) ~= 0 and set or 0
end

-- True if a value is the first of what `...` gives, also by `select(1, ...)`.
local function is_first(facts, value)
  local op, all = value:op(), nil
  if op == "lua.item" and value:data() == 1 then
    all = value:arg(1)
  elseif op == "lua.call" and value:arg(2) and value:arg(2):op() == "const" then
    local _, effects = calls.callee(facts.program, facts.node(value))
    all = effects == library.select and value:arg(2):const() == 1 and value:arg(3)
  end
  return all and all:op() == "lua.varargs"
end

-- The values of a function that are its nth argument: a parameter; of `...`, the first argument.
local function params_of(facts, f, n)
  local list = { f.fn:arg(n) }
  for _, block in ipairs(f.node[1][n].tag == "Dots" and f.fn:rpo() or {}) do
    for _, inst in ipairs(block:insts()) do
      if is_first(facts, inst) then list[#list + 1] = inst end
    end
  end
  return list
end

-- What the answers of a function say of one argument, if they count as true, or do not.
local function implied_of(it, leaving, holds)
  local union = 0
  it.left = MOST
  for _, terminator in ipairs(leaving) do
    local block, answer = terminator:block(), terminator:arg(1)
    if answer then
      union = union | answered(it, answer, holds, block)
    else
      union = union | (holds and 0 or tested(it, block))
    end
  end
  return union
end

-- The terminators by which a function returns.
local function leaving_of(facts, f)
  local list, solution = {}, facts.solutions[f]
  for _, terminator in ipairs(parts.of(f).returns) do
    local block = terminator:block()
    local is_left = solution:is_taken(block) and not facts.ends[block]
    if is_left then list[#list + 1] = terminator end
  end
  return list
end

local known = setmetatable({}, { __mode = "k" }) -- by function; false while it is computed

local function implied_by(facts, f)
  if known[f] ~= nil or not facts.solutions[f] then return known[f] or nil end
  known[f] = false
  local all = { [true] = {}, [false] = {} }
  local leaving = #f.fn:rpo() <= BLOCKS and leaving_of(facts, f) or nil
  for i = 1, leaving and #f.fn:params() - #f.captured or 0 do
    local it = {
      facts = facts, solution = facts.solutions[f], params = params_of(facts, f, i), tested = {},
    }
    for holds, sets in pairs(all) do
      local set = implied_of(it, leaving, holds)
      if set ~= ALL then sets[i] = set end
    end
  end
  known[f] = all
  return all
end

-- What answers of functions of other files say, as names do, such as `is_empty` or `isValid`.
local ANSWERS <const> = {
  empty = { [true] = {}, [false] = { NOT_NIL } }, valid = { [true] = { NOT_NIL }, [false] = {} },
}

local elsewhere = setmetatable({}, { __mode = "k" }) -- by facts, by name; false if nothing is known

-- What the answers of a function of other files say, by the name that it has in a program.
local function implied_elsewhere(facts, name)
  local known_of = elsewhere[facts] or {}
  elsewhere[facts] = known_of
  if known_of[name] == nil then
    local others, other = modules.find(name, getmetatable(facts))
    local words = others and "" or name:lower():match "[^.]*$":gsub("^is_?", "")
    known_of[name] = others and implied_by(others, other) or ANSWERS[words] or false
  end
  return known_of[name] or nil
end

--- What the first result of a call says of its arguments; nil if nothing is known of the function.
---@param facts lint.Facts
---@param call phial.Value
---@return lint.Implied?
function M.of(facts, call)
  local f, name = modules.called(facts.program, facts.node(call))
  if f then return implied_by(facts, f) end
  if not name or library[name] then return nil end
  return implied_elsewhere(facts, name)
end

-- What assertions of a library say, by their names, such as `assert.is_not_nil(x)`: that no
-- argument is nil, unless they compare, but not for being other than nil, or negate something.
local COMPARES <const> = { "eq", "error", "fals", "not", "no%.", "same" }

local function asserted(name, node)
  local negated, list = name:find "not", {}
  if name:find "nil" then return { negated and NOT_NIL or NIL } end
  if name:find "not.?equal" or name:find "^_?ne%.?$" then -- what differs from nil
    local first, second = node[2] or {}, node[3] or {}
    if second.tag == "Nil" then return { NOT_NIL } end
    return first.tag == "Nil" and { [2] = NOT_NIL } or nil
  end
  for _, word in ipairs(COMPARES) do
    if name:find(word) then return nil end
  end
  for i = 1, #node - 1 do list[i] = NOT_NIL end
  return list
end

--- The words of an assertion that a call calls: "is.table." of `assert.is.table(x)`, "_not_nil" of
--- `assert_not_nil(x)` and `t.assert_not_nil(x)`; nil for others.
---@param node table
---@return string?
function M.assertion(node)
  local words, it = "", node.tag == "Call" and node[1] or {}
  local object = it
  while object.tag == "Index" do object = object[1] end
  if object.tag ~= "Id" then return nil end
  local key = object == it and object[1] or it[2][1]
  local word = tostring(key):lower():match "^assert(.+)"
  if word or object == it then return word end
  while it ~= object do
    words, it = tostring(it[2][1]):lower() .. "." .. words, it[1]
  end
  return object[1]:find "^asserts?$" and words or nil
end

--- The kinds that arguments of a call have if it returns, by their numbers; nil for any.
---@param facts lint.Facts
---@param call phial.Value
---@return table<integer, integer>?
function M.required(facts, call)
  local node = facts.node(call)
  local _, effects = calls.callee(facts.program, node)
  if effects and effects.needs then return { NOT_NIL } end
  local assertion = not modules.called(facts.program, node) and M.assertion(node)
  if assertion then return asserted(assertion, node) end
  local implied, list = M.of(facts, call), nil
  if not implied then return nil end
  for i, set in pairs(implied[true]) do
    set = set | (implied[false][i] or ALL)
    if set ~= ALL then
      list = list or {}
      list[i] = set
    end
  end
  return list
end

local NOTHING <const> = {}

--- Iterates over what a value says of others if it counts as true, or does not, as the first result
--- of a call: values, and of which kinds they are.
---@param facts lint.Facts
---@param value phial.Value
---@param set integer its kinds
---@return fun(): phial.Value?, integer?
function M.each(facts, value, set)
  local is_clear = set & TRUTHY == 0 or set & kinds.FALSY == 0
  local call = is_clear and call_of(value)
  local implied = call and M.of(facts, call)
  local list, i = implied and implied[set & kinds.FALSY == 0], nil
  if not list then return next, NOTHING end
  return function()
    local others
    repeat
      i, others = next(list, i)
      local arg = i and call:arg(i + 1)
      if arg then return arg, others end
    until not i
    return nil
  end
end

return M
