-- What is known of the values of a file: their kinds, and what its functions return, callees first.
local kinds = require "phial_lint.kinds"
local library = require "phial_lint.stdlib"
local modules = require "phial_lint.modules"
local paths = require "phial_lint.paths"
local predicates = require "phial_lint.predicates"

local NIL <const>, FALSE <const>, TRUE <const> = kinds.NIL, kinds.FALSE, kinds.TRUE
local UNKNOWN <const>, FALSY <const>, TRUTHY <const> = kinds.UNKNOWN, kinds.FALSY, kinds.TRUTHY
local NUMBER <const>, STRING <const> = kinds.NUMBER, kinds.STRING
local narrow = kinds.narrow

local MOST <const> = 8 -- alternatives of results
local CALLS <const> = { ["lua.call"] = true, ["lua.callall"] = true, ["lua.callnone"] = true }

---@class lint.Facts
---@field program phial.source.Program
---@field solutions table<phial.source.Function, phial.Solution>
---@field order phial.source.Function[] callees first
---@field results table<phial.source.Function, lint.Results[]> alternatives of what they return;
--- empty if they never do
---@field ends table<phial.Block, true> blocks that control does not leave, as names say
---@field params table<phial.Value, phial.source.Captured> of captured variables
---@field callees table<phial.source.Function, phial.source.Function[]> whose results are used
---@field assigned table<string, boolean> names of fields
---@field searches table<phial.source.Function, lint.Search> for paths
---@field is_solved? boolean all functions are
---@field gifts? table<phial.source.Variable, integer> kinds that functions give what they capture
---@field sinks table<phial.source.Function, true> those that call what runs what it is given
local Facts = {}
Facts.__index = Facts

-- {== Calls ===========================================================

-- Methods of strings, if they are called with a literal.
local METHODS <const> = { find = true, gmatch = true, gsub = true, match = true }

--- What a call calls: a function of the file, or the effects of one of the library.
---@param program phial.source.Program
---@param node table
---@return phial.source.Function?
---@return lint.Effects?
function Facts.callee(program, node)
  if node.tag == "Call" then
    local f, name = program:callee(node)
    return f, library[name]
  elseif node.tag == "Invoke" and METHODS[node[2][1]] and node[3] and node[3].tag == "String" then
    return nil, library["string." .. node[2][1]]
  end
end

local calls = setmetatable({}, { __mode = "k" }) -- by function
local assigned = setmetatable({}, { __mode = "k" }) -- by function: keys

--- The calls in a function that is finished.
---@param f phial.source.Function
---@return phial.Value[]
function Facts.calls_in(f)
  local list, keys = calls[f], {}
  if not list then
    list = {}
    for _, block in ipairs(f.fn:rpo()) do
      for _, inst in ipairs(block:insts()) do
        local op = inst:op()
        if CALLS[op] then
          list[#list + 1] = inst
        elseif op == "lua.setindex" then
          keys[inst:arg(2):const() or 0] = true
        end
      end
    end
    calls[f], assigned[f] = list, keys
  end
  return list
end

--- True if something in the program assigns a field, or a global, of a name.
---@param name string
---@return boolean
function Facts:is_assigned(name)
  if self.assigned[name] == nil then
    local is_assigned = false
    for _, f in ipairs(self.program:functions()) do
      Facts.calls_in(f)
      is_assigned = is_assigned or assigned[f][name] or false
    end
    self.assigned[name] = is_assigned
  end
  return self.assigned[name]
end

local endless = setmetatable({}, { __mode = "k" }) -- by function

-- True if nothing in a function that is finished returns.
local function never_returns(f)
  if endless[f] ~= nil then return endless[f] end
  endless[f] = true
  for _, block in ipairs(f.fn:rpo()) do
    local op = block:terminator():op()
    if op == "ret" or op == "lua.return" then endless[f] = false end
  end
  return endless[f]
end

local NEVER <const>, CHECKS <const> = { returns = "never" }, { returns = "if true", writes = false }
local PURE <const> = { writes = false }

-- What a call calls, as Facts.callee; of the calls of a `for` loop, what has made the iterator.
local function called_by(program, node)
  if node.tag ~= "Forin" then return Facts.callee(program, node) end
  local made = node[2][1]
  local is_alone = made.tag == "Call" and not node[2][2]
  return nil, is_alone and select(2, Facts.callee(program, made)) or nil
end

local written = setmetatable({}, { __mode = "k" }) -- by function; false if it is not known

-- The captured variables that a function which is finished writes, also by what it calls; nil or
-- false if that is not known.
local function written_by(program, f)
  if written[f] ~= nil then return written[f] end
  written[f] = false -- of a function that calls itself, nothing is known
  local list, seen = {}, {}
  local function add(v)
    if not seen[v] then seen[v], list[#list + 1] = true, v end
  end
  for _, captured in ipairs(f.captured) do
    if #captured.writes > 0 then add(captured.variable) end
  end
  for _, call in ipairs(Facts.calls_in(f)) do
    local callee, effects = called_by(program, Facts.node(call))
    local others = callee and callee.fn and written_by(program, callee)
    if not others and (not effects or effects.calls) then return false end
    for _, v in ipairs(others or {}) do add(v) end
  end
  written[f] = list
  return list
end

-- True if a call is one of what has the name `assert`, also as a field: often, something wraps it;
-- or `try`, as LuaSocket calls it.
local function is_assert(node)
  local name = node[1]
  if name.tag == "Index" then name = name[2] end
  return node.tag == "Call" and (name[1] == "assert" or name[1] == "try")
end

--- The option `calls` of phial.source: calls that do not return, and what others write.
function Facts.calls(program, node)
  local f, effects = Facts.callee(program, node)
  if not effects and is_assert(node) then return { returns = "if true" } end
  if effects then
    return effects.never and NEVER or effects.checks and CHECKS or not effects.calls and PURE or nil
  end
  if not f or not f.fn then return nil end
  return never_returns(f) and NEVER or { writes = written_by(program, f) or nil }
end

-- What usually does not return, and what ends in "error" otherwise, except of a log: of functions
-- of other files, only names say so.
local ENDS <const> = {
  abort = true, die = true, exit = true, fail = true, fatal = true, quit = true, raise = true,
  throw = true,
}

local function ends(call)
  local node = Facts.node(call)
  local name = node.tag == "Call" and node[1] or node
  if name.tag ~= "Id" then
    local object = name[1][name[1].tag == "Index" and 2 or 1]
    if tostring(object and object[1] or name[1][1]):find "log" then return false end
    name = name[2]
  end
  local text = tostring(name and name[1])
  local fails = text:find "^assert_?[Tt]rue$" and node[2] and node[2].tag == "False"
  return fails or ENDS[text] or text:find "error$" ~= nil
end

--- The node that a value was made for.
function Facts.node(value) return value:nodes()[1] end

local COMPILES <const> = { [library.load] = true, [library.loadstring] = true }

--- What a call returns: alternatives; nil if nothing is known.
---@param call phial.Value
---@return lint.Results[]?
function Facts:returned(call)
  local f, effects = Facts.callee(self.program, Facts.node(call))
  if f then return self.results[f] end
  local text = effects and call:arg(2)
  if text and effects == library.tonumber and self:is_number(call, text) then return nil end
  if text and COMPILES[effects] and text:op() == "const" then return nil end
  return effects and effects.results
end

--- The kinds of the nth result.
---@param results lint.Results
---@param n integer
function Facts.nth(results, n) return results[n] or results.rest or NIL end

-- True if a value is a part of a string: what a pattern has captured, or `s:sub(1, 2)`.
function Facts:is_part(value)
  local op = value:op()
  if op == "lua.item" then value = value:arg(1) end
  if op == "phi" then return self:is_part(Facts.origin(value:arg(1))) end
  local node = Facts.node(value)
  if node and node.tag == "Forin" then node = node[2][1] end
  if not node then return false end
  if node.tag == "Invoke" then return library["string." .. tostring(node[2][1])] ~= nil end
  local name = node.tag == "Call" and select(2, self.program:callee(node)) or ""
  return name:find "^string%." ~= nil
end

-- True if a pattern is tried on a value.
function Facts:is_matched(value)
  for _, user in ipairs(value:users()) do
    local op, effects = user:op(), nil
    if (op == "copy" or op == "refine") and self:is_matched(user) then return true end
    if op:find "^lua%.call" then
      effects = select(2, Facts.callee(self.program, Facts.node(user)))
    end
    local is_match = effects == library["string.match"] or effects == library["string.find"]
    if effects and is_match then return true end
  end
  return false
end

local ARITHMETIC <const> = { ["lua.for"] = true, ["lua.unm"] = true }
for op in ("add sub mul mod pow div idiv"):gmatch "%a+" do ARITHMETIC["lua." .. op] = true end

-- True if something computes with a value.
local function is_computed_with(value)
  for _, user in ipairs(value:users()) do
    local op = user:op()
    if ARITHMETIC[op] or (op == "copy" or op == "refine") and is_computed_with(user) then
      return true
    end
  end
  return false
end

local numbers = setmetatable({}, { __mode = "k" }) -- by call

-- True if the program computes with the second result of a call: then that is not a message.
local function is_second_number(call)
  if numbers[call] == nil then
    numbers[call] = false
    for _, user in ipairs(call:users()) do
      if user:op() == "lua.item" and user:data() == 2 and is_computed_with(user) then
        numbers[call] = true
      end
    end
  end
  return numbers[call]
end

--- What can be returned together; also of calls of which nothing else is known.
---@param call phial.Value
---@return lint.Results[]
function Facts:together(call)
  local f, effects = Facts.callee(self.program, Facts.node(call))
  local results = f and self.results[f]
  if results and #results > 0 then return results end
  effects = effects or is_second_number(call) and library["string.match"] or library.others
  return effects.together or effects.results
end

local GIVEN <const> = { ["lua.concat"] = true, ["lua.varargs"] = true }

-- True if a value can be any text: an argument, also of the program, or what a function that is
-- known returns. What others store or return is what the program expects.
local function is_any_text(facts, value, seen)
  value = Facts.origin(value)
  if value:op() == "copy" then value = value:arg(1) end
  local op = value:op()
  if op == "const" then return math.type(tonumber((value:const() or 0))) == nil end
  if op == "phi" and not seen[value] then
    seen[value] = true
    for _, operand in ipairs(value:args()) do
      if is_any_text(facts, operand, seen) then return true end
    end
  elseif op == "lua.index" then
    local node = Facts.node(value)
    return node.tag == "Index" and node[1].tag == "Id" and node[1][1] == "arg"
  end
  local n = 1
  if op == "lua.item" then
    value, n = value:arg(1), value:data()
    op = value:op()
  end
  for _, results in ipairs(CALLS[op] and facts:returned(value) or {}) do
    if Facts.nth(results, n) & STRING ~= 0 then return true end
  end
  return op == "param" and not facts.params[value] or GIVEN[op] or false
end

--- What `tonumber` is called with, in a call of it; nil for other calls.
---@param call phial.Value
---@return phial.Value?
function Facts:text(call)
  local _, effects = Facts.callee(self.program, Facts.node(call))
  return effects and effects == library.tonumber and call:arg(2) or nil
end

-- True if a text is a number: what is cut out to be one, or is digits of a base, or matches a
-- pattern; so is what is computed with.
function Facts:is_number(call, text)
  local value = Facts.origin(text)
  return #call:args() > 2 or self:is_part(value) or self:is_matched(value)
    or is_computed_with(value) or not is_any_text(self, value, {})
end

function Facts:result(call, n)
  local alternatives = self:returned(call)
  if not alternatives or #alternatives == 0 then return UNKNOWN end
  local set = 0
  for _, results in ipairs(alternatives) do set = set | Facts.nth(results, n) end
  return set
end

-- }== Tests ===========================================================

local origins = setmetatable({}, { __mode = "k" }) -- chains of refinements are long

--- What a value is a copy of, or a refinement of; of a constant, the first copy.
---@param value phial.Value
---@return phial.Value
function Facts.origin(value)
  local op, start = value:op(), value
  while op == "copy" or op == "refine" do
    local from = origins[value] or value:arg(1)
    op = from:op()
    if from == value or op == "const" then break end
    value = from
  end
  if value ~= start then origins[start] = value end
  return value
end
local origin = Facts.origin

-- The value whose type a call asks for.
function Facts:typed(value)
  local call = origin(value)
  if call:op() ~= "lua.call" then return nil end
  local _, name = self.program:callee(Facts.node(call))
  return name == "type" and call:arg(2) or nil
end

local SINGLE <const> = NIL | FALSE | TRUE -- kinds of one value
local SOMETHING <const> = TRUTHY & ~UNKNOWN

function Facts:compared(test, holds)
  local value, constant = test:arg(1), test:arg(2):const()
  local subject = self:typed(value)
  local set = subject and kinds.by_name[constant] or kinds.of(constant)
  if holds then return subject or value, set end
  local excludes = subject and set ~= kinds.OTHER or set & SINGLE ~= 0
  return subject or value, excludes and kinds.ALL & ~set or kinds.ALL
end

local PASSES <const> = {
  copy = true, refine = true, ["lua.truthy"] = true, ["lua.boolean"] = true, ["lua.not"] = true,
}

--- What follows if a value counts as true, or does not: which value is of which kinds.
---@param value phial.Value
---@param holds boolean
---@return phial.Value
---@return integer kinds
function Facts:implied(value, holds)
  local op = value:op()
  while PASSES[op] do
    if op == "lua.not" then holds = not holds end
    local from = origin(value)
    value = from == value and value:arg(1) or from
    op = value:op()
  end
  if op == "lua.rawequal" then
    local subject, set = self:compared(value, holds)
    return origin(subject), set
  end
  return value, holds and TRUTHY or FALSY
end

-- }== Kinds ===========================================================

-- The kinds of a condition, or of its negation: can it be true, can it be false?
local function condition(yes, no) return (yes ~= 0 and TRUE or 0) | (no ~= 0 and FALSE or 0) end

local function numeric(_, fact)
  local both = fact(1) | fact(2)
  return both & ~(NUMBER | STRING | FALSY) == 0 and NUMBER or UNKNOWN
end

local function test(_, fact)
  local set = fact(1)
  return condition(narrow(set, TRUTHY), narrow(set, FALSY))
end

-- Of a variable of another function, its only value, if that is a literal.
local LITERALS <const> = {
  Function = kinds.FUNCTION, Table = kinds.TABLE, String = STRING, Number = NUMBER,
}

local function transfer_of(facts)
  local t = {
    const = function(v) return kinds.of((v:const())) end,
    copy = function(_, fact) return fact(1) end,
    default = function() return UNKNOWN end,
    ["lua.newtable"] = function() return kinds.TABLE end,
    ["lua.closure"] = function() return kinds.FUNCTION end,
    ["lua.len"] = function() return NUMBER end,
    ["lua.truthy"] = test, ["lua.boolean"] = test,
    ["lua.eq"] = function(_, fact)
      local a, b = fact(1), fact(2)
      return condition((a | b) & UNKNOWN | a & b, 1)
    end,
    ["lua.concat"] = function(_, fact)
      return (fact(1) | fact(2)) & ~(NUMBER | STRING | FALSY) == 0 and STRING or SOMETHING
    end,
    ["lua.call"] = function(v, fact)
      local _, effects = Facts.callee(facts.program, Facts.node(v))
      if effects and effects.checks then return UNKNOWN end
      if effects ~= library.tonumber or not v:arg(2) then return facts:result(v, 1) end
      if fact(2) & ~(NUMBER | NIL) == 0 then return fact(2) end
      return facts:result(v, 1) | fact(2) & NIL
    end,
    ["lua.item"] = function(v)
      local call = v:arg(1)
      return call:op() == "lua.callall" and facts:result(call, v:data()) or UNKNOWN
    end,
  }
  for op in ("add sub mul mod pow div idiv"):gmatch "%a+" do t["lua." .. op] = numeric end
  for op in ("lt le for unknown_test"):gmatch "[%a_]+" do
    t["lua." .. op] = function() return TRUE | FALSE end
  end
  t["lua.not"] = function(_, fact)
    local set = fact(1)
    return condition(narrow(set, FALSY), narrow(set, TRUTHY))
  end
  t["lua.rawequal"] = function(v, fact)
    local yes, set = facts:compared(v, true)
    local _, others = facts:compared(v, false)
    return condition(narrow(fact(yes), set), narrow(fact(yes), others))
  end
  function t.refine(v, fact)
    local subject, set = facts:implied(v:arg(2), v:arg(3):const())
    return subject == origin(v:arg(1)) and narrow(fact(1), set) or fact(1)
  end
  function t.param(v)
    local captured = facts.params[v]
    local x = captured and captured.variable
    return x and x.writes == 0 and x.value and LITERALS[x.value.tag] or UNKNOWN
  end
  return t
end

local function edge(facts, from, fact, n)
  if facts.ends[from] then return false end
  return from:terminator():op() ~= "branch" or fact(1) & (n == 1 and TRUE or FALSE) ~= 0
end

-- }== Functions =======================================================

local COMPARES <const> = { ["lua.eq"] = true, ["lua.rawequal"] = true }
local HOPS <const> = 16 -- blocks that a return looks back

-- The only block from which control comes to another one; nil if there are several.
local function only_pred(solution, block)
  local only
  for _, pred in ipairs(block:preds()) do
    if solution:is_taken(pred, block) then
      if only then return nil end
      only = pred
    end
  end
  return only
end

local above = setmetatable({}, { __mode = "k" }) -- by block

-- The branches that lead to a block, from the last one on, as long as there is one way in: values
-- that each tests, or asks a predicate about, and of which kinds these are then, in turn.
local function collect_above(facts, solution, block)
  local list = {}
  for _ = 1, HOPS do
    local pred = only_pred(solution, block)
    if not pred then break end
    local terminator, succs = pred:terminator(), pred:succs()
    if terminator:op() == "branch" and succs[1] ~= succs[2] then
      local subject, set = facts:implied(terminator:arg(1), succs[1] == block)
      list[#list + 1], list[#list + 2] = subject, set
      for arg, others in predicates.each(facts, subject, set) do
        list[#list + 1], list[#list + 2] = arg, others
      end
    end
    block = pred
  end
  return list
end

--- Of which kinds tests, on the way to the end of a block, say that a value is.
---@param solution phial.Solution
---@param block phial.Block
---@param value phial.Value
---@return integer
function Facts:tested(solution, block, value)
  local list, set = above[block], kinds.ALL
  if not list then
    list = collect_above(self, solution, block)
    above[block] = list
  end
  for i = 1, #list, 2 do
    if origin(list[i]) == value then set = set & list[i + 1] end
  end
  return set
end

local WAYS <const> = 64 -- into phis, that a value of a `return` is looked for

-- The kinds of a value at the end of a block: where other ways in turn out not to be taken, tests
-- say more than refinements do. Of a phi, such as `a and b or c`, what it can be on each way.
local function kinds_at(facts, solution, block, value, budget)
  local from = origin(value)
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

local CHOICE <const> = 2 -- comparisons: no other case is believed

-- True if control falls off the end of a function since comparisons say that a value is none of
-- some.
local function is_left_over(solution, block)
  local subject, count = nil, 0
  for _ = 1, HOPS do
    local pred = only_pred(solution, block)
    if not pred then break end
    local terminator = pred:terminator()
    local compared = terminator:op() == "branch" and origin(terminator:arg(1))
    if compared and COMPARES[compared:op()] and pred:succs()[2] == block then
      local value = origin(compared:arg(1))
      if value == (subject or value) then subject, count = value, count + 1 end
    end
    block = pred
  end
  return count >= CHOICE
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

-- What one `return` gives. It is not believed to be nil where the arguments are not what is
-- expected; nor is the message that follows nil.
local function results_at(facts, solution, terminator, f)
  local list, block = {}, terminator:block()
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
local function merged(alternatives)
  local one, most = {}, 0
  for _, results in ipairs(alternatives) do
    most = math.max(most, #results)
    one.rest = one.rest or results.rest
  end
  for n = 1, most do
    one[n] = 0
    for _, results in ipairs(alternatives) do one[n] = one[n] | Facts.nth(results, n) end
  end
  return { one }
end

local function summary(facts, f, solution)
  local list, seen, rest = {}, {}, nil
  for _, block in ipairs(f.fn:rpo()) do
    local terminator = block:terminator()
    local op = terminator:op()
    local is_left = solution:is_taken(block) and not facts.ends[block]
    if is_left and op == "ret" and is_left_over(solution, block) then
      rest = {}
    elseif is_left and (op == "ret" or op == "lua.return") then
      for _, results in ipairs(results_at(facts, solution, terminator, f)) do
        local key = key_of(results)
        if not seen[key] then seen[key], list[#list + 1] = true, results end
      end
    end
  end
  if not list[1] then list[1] = rest end
  return #list > MOST and merged(list) or list
end

-- The functions of the file whose results a function uses; notes where blocks end, and whether it
-- runs commands.
local function callees_of(facts, f)
  local list = {}
  for _, call in ipairs(Facts.calls_in(f)) do
    local is_statement = call:op() == "lua.callnone"
    if is_statement and ends(call) then facts.ends[call:block()] = true end
    local callee, effects = Facts.callee(facts.program, Facts.node(call))
    if callee and not is_statement then list[#list + 1] = callee end
    if effects and effects.sink then facts.sinks[f] = true end
  end
  return list
end

local solve

-- Notes which blocks end since what they call, a field of a table, too, never returns.
local function note_ends(facts, f, problem)
  for _, call in ipairs(Facts.calls_in(f)) do
    local callee = call:op() == "lua.callnone" and modules.called(facts.program, Facts.node(call))
    if callee then
      solve(facts, callee, problem)
      local results = facts.results[callee]
      if results and not results[1] then facts.ends[call:block()] = true end
    end
  end
end

function solve(facts, f, problem)
  if facts.started[f] then return end
  facts.started[f] = true
  facts.callees[f] = callees_of(facts, f)
  for _, callee in ipairs(facts.callees[f]) do solve(facts, callee, problem) end
  note_ends(facts, f, problem)
  local own = #f.fn:params() - #f.captured
  for i, captured in ipairs(f.captured) do facts.params[f.fn:arg(own + i)] = captured end
  local solution = f.fn:solve(problem)
  facts.solutions[f] = solution
  facts.results[f] = summary(facts, f, solution)
  table.insert(facts.order, f)
end

-- The kinds that functions give what they capture, by variables.
local function gifts_of(facts)
  local gifts = {}
  for f, solution in pairs(facts.solutions) do
    for _, write in ipairs(f.fn:write_accesses()) do
      local var = write:node() and write:var()
      local v = var and var:data()
      local value = v and v.owner ~= f and write:value()
      if value then gifts[v] = (gifts[v] or 0) | solution:fact(value) end
    end
  end
  return gifts
end

--- The kinds that other functions than its owner give a variable.
---@param v phial.source.Variable
---@return integer
function Facts:given(v)
  if not self.is_solved then return kinds.ALL end
  if not self.gifts then self.gifts = gifts_of(self) end
  return self.gifts[v] or 0
end

--- The functions that call what runs what it is given, and those whose results they use; callees
--- first.
---@return phial.source.Function[]
function Facts:concerned()
  local set, todo, list = {}, {}, {}
  for f in pairs(self.sinks) do todo[#todo + 1] = f end
  while #todo > 0 do
    local f = table.remove(todo)
    if not set[f] then
      set[f] = true
      table.move(self.callees[f], 1, #self.callees[f], #todo + 1, todo)
    end
  end
  for _, f in ipairs(self.order) do
    if set[f] then list[#list + 1] = f end
  end
  return list
end

--- The variables of a function for which a question is answered, by those of phial.
---@param f phial.source.Function
---@param ask fun(v: phial.source.Variable): boolean
---@return table<phial.Variable, phial.source.Variable>
function Facts.variables(f, ask)
  local set = {}
  for v, var in pairs(f.vars) do
    if ask(v) then set[var] = v end
  end
  return set
end

--- True if a variable is declared without a value.
---@param v phial.source.Variable
function Facts:is_empty(v)
  if v.kind ~= "local" or v.value then return false end
  for _, access in ipairs(self.program:accesses(v.node)) do
    local value = access:is_write() and access:value():arg(1)
    if value and value:op() == "const" and value:const() == nil then return true end
  end
  return false
end

--- The facts of a program with values and refinements.
---@param program phial.source.Program
---@return lint.Facts
function Facts.new(program)
  local facts = setmetatable({
    program = program, solutions = {}, results = {}, params = {}, order = {},
    ends = {}, started = {}, assigned = {}, callees = {}, sinks = {}, searches = {},
  }, Facts)
  local problem = {
    bottom = 0, join = function(a, b) return a | b end, transfer = transfer_of(facts),
    edge = function(from, _, fact, n) return edge(facts, from, fact, n) end,
  }
  for _, f in ipairs(program:functions()) do solve(facts, f, problem) end
  facts.is_solved = true
  return facts
end

-- }=====================================================================

return Facts
