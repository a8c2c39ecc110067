-- What is known of the values of a file: their kinds, and what its functions return, callees first.
local calls = require "phial_lint.calls"
local kinds = require "phial_lint.kinds"
local library = require "phial_lint.stdlib"
local modules = require "phial_lint.modules"
local parts = require "phial_lint.parts"
local predicates = require "phial_lint.predicates"
local summary = require "phial_lint.returns"
local texts = require "phial_lint.texts"

local NIL <const>, FALSE <const>, TRUE <const> = kinds.NIL, kinds.FALSE, kinds.TRUE
local UNKNOWN <const>, FALSY <const>, TRUTHY <const> = kinds.UNKNOWN, kinds.FALSY, kinds.TRUTHY
local NUMBER <const>, STRING <const> = kinds.NUMBER, kinds.STRING
local narrow = kinds.narrow


---@class lint.Facts
---@field program phial.source.Program
---@field solutions table<phial.source.Function, phial.Solution>
---@field order phial.source.Function[] callees first
---@field results table<phial.source.Function, lint.Results[]> alternatives of what they return;
--- empty if they never do
---@field ends table<phial.Block, true> blocks that control does not leave, as names say
---@field params table<phial.Value, phial.source.Captured> of captured variables
---@field callees table<phial.source.Function, phial.source.Function[]> whose results are used
---@field assigned table<string, integer> kinds of fields, by names
---@field searches table<phial.source.Function, lint.Search> for paths
---@field is_solved? boolean all functions are
---@field gifts? table<phial.source.Variable, integer> kinds that functions give what they capture
---@field sinks table<phial.source.Function, true> those that call what runs what it is given
local Facts = {}
Facts.__index = Facts
Facts.node = calls.node

-- {== Calls ===========================================================

--- The kinds that the program gives fields, and globals, of a name; any while functions are solved.
---@param name string
---@return integer
function Facts:assigned_to(name)
  local set = self.assigned[name]
  if set then return set end
  set = 0
  for _, f in ipairs(parts.setters(self.program)[name] or {}) do
    if not self.is_solved then return kinds.ALL end
    local solution = self.solutions[f]
    for _, value in ipairs(parts.of(f).fields[name]) do set = set | solution:fact(value) end
  end
  self.assigned[name] = set
  return set
end

local CONVERTS <const> = { [library.tonumber] = true, [library["math.tointeger"]] = true }
local COMPILES <const> = { [library.load] = true, [library.loadstring] = true }

--- What a call returns: alternatives; nil if nothing is known.
---@param call phial.Value
---@return lint.Results[]?
function Facts:returned(call)
  local f, effects = calls.callee(self.program, calls.node(call))
  if f then return self.results[f] end
  local text = effects and call:arg(2)
  if text and CONVERTS[effects] and texts.is_number(self, call, text) then return nil end
  if text and COMPILES[effects] and texts.is_written_down(self, text) then return nil end
  return effects and effects.results
end

--- The kinds of the nth result.
---@param results lint.Results
---@param n integer
function Facts.nth(results, n) return results[n] or results.rest or NIL end

local numbers = setmetatable({}, { __mode = "k" }) -- by call

-- True if the program computes with the second result of a call: then that is not a message.
local function is_second_number(call)
  if numbers[call] == nil then
    numbers[call] = false
    for _, user in ipairs(call:users()) do
      if user:op() == "lua.item" and user:data() == 2 and texts.is_computed_with(user) then
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
  local f, effects = calls.callee(self.program, calls.node(call))
  local results = f and self.results[f]
  if results and #results > 0 then return results end
  effects = effects or is_second_number(call) and library["string.match"] or library.others
  return effects.together or effects.results
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
  local it = origins[value]
  if it then return it end
  it = value
  local op = value:op()
  while op == "copy" or op == "refine" do
    local from = origins[it] or it:arg(1)
    op = from:op()
    if from == it or op == "const" then break end
    it = from
  end
  origins[value] = it
  return it
end
local origin = Facts.origin

local JOINS <const> = 4 -- phis, one after another, and their operands, that may be one value

-- What a value was before calls that may have changed it, also on several ways.
local function before_calls(value, joins)
  value = origin(value)
  if value:op() == "may" then return before_calls(value:arg(1), joins) end
  if value:op() ~= "phi" or joins == 0 or value:arg(JOINS + 1) then return value end
  local first = before_calls(value:arg(1), joins - 1)
  for _, operand in ipairs(value:args()) do
    if before_calls(operand, joins - 1) ~= first then return value end
  end
  return first
end

--- True if two values are the same one, or are computed alike of the same ones, also by calls.
---@param a phial.Value
---@param b phial.Value
function Facts.is_same(a, b)
  a, b = before_calls(a, JOINS), before_calls(b, JOINS)
  local op, others = a:op(), b:args()
  if a == b then return true end
  if op ~= b:op() or #others ~= #a:args() then return false end
  if op == "const" then return a:const() == b:const() end
  if op ~= "lua.index" and op ~= "lua.call" then return false end
  for i, arg in ipairs(a:args()) do
    if not Facts.is_same(arg, others[i]) then return false end
  end
  return true
end

local ITERATE <const> = { [library.pairs] = true, [library.ipairs] = true }

--- The table of which the call of a `for` loop gives what `pairs` or `ipairs` give; nil for others.
---@param call phial.Value
---@return phial.Value?
function Facts:iterated(call)
  local state = calls.node(call) and calls.node(call).tag == "Forin" and origin(call:arg(2))
  local made = state and state:op() == "copy" and state:arg(1) or state
  made = made and made:op() == "lua.item" and made:arg(1)
  local node = made and calls.node(made)
  local _, effects = nil, nil
  if node then _, effects = calls.callee(self.program, node) end
  return effects and ITERATE[effects] and made:arg(2) or nil
end

-- The value whose type a call asks for.
function Facts:typed(value)
  local call = origin(value)
  if call:op() ~= "lua.call" then return nil end
  local _, name = self.program:callee(calls.node(call))
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
  return both & ~(NUMBER | STRING | FALSY) == 0 and NUMBER or SOMETHING
end

local function test(_, fact)
  local set = fact(1)
  return condition(narrow(set, TRUTHY), narrow(set, FALSY))
end

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
      local _, effects = calls.callee(facts.program, calls.node(v))
      if effects and effects.checks then return UNKNOWN end
      if effects ~= library.tonumber or not v:arg(2) then return facts:result(v, 1) end
      if fact(2) & ~(NUMBER | NIL) == 0 then return fact(2) end
      return facts:result(v, 1) | fact(2) & NIL
    end,
    ["lua.item"] = function(v)
      local call = v:arg(1)
      if v:data() == 2 and facts:iterated(call) then return kinds.ALL & ~(NIL | UNKNOWN) end
      return call:op() == "lua.callall" and facts:result(call, v:data()) or UNKNOWN
    end,
  }
  for op in ("add sub mul mod pow div idiv"):gmatch "%a+" do t["lua." .. op] = numeric end
  for op in ("band bor bxor shl shr unm bnot"):gmatch "%a+" do
    t["lua." .. op] = function() return SOMETHING end
  end
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
  function t.param(v) return texts.literal_kind(facts, v) or UNKNOWN end
  return t
end

local function edge_of(facts)
  return function(from, _, fact, n)
    if facts.ends[from] then return false end
    return from:terminator():op() ~= "branch" or fact(1) & (n == 1 and TRUE or FALSE) ~= 0
  end
end

-- }== Functions =======================================================

local HOPS <const> = 16 -- blocks that are looked back
Facts.HOPS = HOPS

--- The only block from which control comes to another one; nil if there are several.
function Facts.only_pred(solution, block)
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

local collect_above

-- The way into a block on which a phi of it can be of some kinds; nil if there are several. Where
-- `a or b` needs no b, a is true.
local function way_of(facts, solution, phi, set)
  local only, is_clear = nil, set & TRUTHY == 0 or set & FALSY == 0
  for n, pred in ipairs(phi:block():preds()) do
    local operand = origin(phi:arg(n))
    local there = solution:fact(operand) ~= 0 and facts:tested(solution, pred, operand)
    local subject, wanted = facts:implied(operand, set & FALSY == 0)
    if is_clear and narrow(facts:tested(solution, pred, subject), wanted) == 0 then there = nil end
    if there and narrow(narrow(solution:fact(operand), there), set) ~= 0 then
      if only then return nil end
      only = pred
    end
  end
  return only
end

-- The branches that lead to a block, from the last one on, as long as there is one way in: values
-- that each tests, or asks a predicate about, and of which kinds these are then, in turn.
function collect_above(facts, solution, block)
  local list = {}
  for _ = 1, HOPS do
    local pred = Facts.only_pred(solution, block)
    if not pred then break end
    local terminator, succs = pred:terminator(), pred:succs()
    if terminator:op() == "branch" and succs[1] ~= succs[2] then
      local subject, set = facts:implied(terminator:arg(1), succs[1] == block)
      list[#list + 1], list[#list + 2] = subject, set
      for arg, others in predicates.each(facts, subject, set) do
        list[#list + 1], list[#list + 2] = arg, others
      end
      local is_join = subject:op() == "phi" and subject:block() == pred and not subject:arg(3)
        and pred:loop_header() ~= pred
      local way = is_join and way_of(facts, solution, subject, set)
      if way then -- `a and b` is true: so is a
        facts:tested(solution, way, subject)
        table.move(above[way], 1, math.min(#above[way], 2 * HOPS), #list + 1, list)
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

--- True if a call that gets a value, such as the name of a file, has given something by a test on
--- the way to the end of a block.
---@param solution phial.Solution
---@param block phial.Block
---@param value phial.Value
---@return boolean
function Facts:is_asked_about(solution, block, value)
  self:tested(solution, block, value)
  local list = above[block]
  for i = 1, #list, 2 do
    local call = list[i]
    if call:op() == "lua.item" then call = call:arg(1) end
    local is_given = list[i + 1] & FALSY == 0 and parts.CALLS[call:op()]
    for n = 2, is_given and #call:args() or 0 do
      if Facts.is_same(call:arg(n), value) then return true end
    end
  end
  return false
end

-- The functions of the file whose results a function uses; notes where blocks end, and whether it
-- runs commands.
local function callees_of(facts, f)
  local list = {}
  for _, call in ipairs(parts.of(f).calls) do
    local is_statement = call:op() == "lua.callnone"
    if is_statement and calls.ends(call) then facts.ends[call:block()] = true end
    local callee, effects = calls.callee(facts.program, calls.node(call))
    if callee and not is_statement then list[#list + 1] = callee end
    if effects and effects.sink then facts.sinks[f] = true end
  end
  return list
end

local solve

-- Notes which blocks end since what they call, a field of a table, too, never returns.
local function note_ends(facts, f, problem)
  for _, call in ipairs(parts.of(f).calls) do
    local callee = call:op() == "lua.callnone" and modules.called(facts.program, calls.node(call))
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
    edge = edge_of(facts),
  }
  for _, f in ipairs(program:functions()) do solve(facts, f, problem) end
  facts.is_solved, facts.assigned = true, {}
  return facts
end

-- }=====================================================================

return Facts
