--- R:smt and R:prove: rules as questions to a solver, at each combination of types.
--
-- What a solver does not decide in time is asked again with shifts as products and complements as
-- differences, whose laws solvers know, and then for each value of the constants that are amounts
-- of shifts, modulo the width, or, if none are, of one that may be a power of two.
local core = require "phial.core"
local errors = require "phial.errors"
local options = require "phial.options"
local replay = require "phial.rules.replay"
local smt = require "phial.rules.smt"
local solvers = require "phial.rules.solver"
local terms = require "phial.rules.terms"

local M = {}

local WIDTHS <const> = { 1, 8, 16, 32, 64 }

-- {== Types ============================================================

-- The types that a rule's type can be: integers of these widths, and all others.
local function choices(allowed, is_wanted)
  local list = {}
  for _, type in ipairs(allowed) do
    local width = terms.width(type)
    local is_int = type:match "^i%d+$"
    if width and (not is_int or #allowed == 1 or is_wanted[width]) then list[#list + 1] = type end
  end
  return list
end

-- By class of op.
local fits = {
  narrow = function(from, to) return to < from end,
  widen = function(from, to) return to > from end,
  bitcast = function(from, to) return to == from end,
}
fits.fnarrow, fits.fwiden = fits.narrow, fits.widen

-- Whether all casts of a tree are possible.
local function casts_fit(types, node)
  local fit = fits[terms.class(node.op)]
  if fit and not fit(terms.width(types[node[1].type]), terms.width(types[node.type])) then
    return false
  end
  for _, kid in ipairs(node) do
    if not casts_fit(types, kid) then return false end
  end
  return true
end

-- All combinations of types at which the rule can apply.
local function combinations(rule, widths)
  local is_wanted, all, possible = {}, { {} }, {}
  for _, width in ipairs(widths) do is_wanted[width] = true end
  for _, allowed in ipairs(rule.types) do
    local longer = {}
    for _, types in ipairs(all) do
      for _, type in ipairs(choices(allowed, is_wanted)) do
        local one = table.move(types, 1, #types, 1, {})
        one[#one + 1], longer[#longer + 1] = type, one
      end
    end
    all = longer
  end
  for _, types in ipairs(all) do
    if casts_fit(types, rule.pattern) and casts_fit(types, rule.result)
      and (not rule.guard or casts_fit(types, rule.guard)) then
      possible[#possible + 1] = types
    end
  end
  return possible
end

-- The types as a message names them, narrow ones first, without the i1 of conditions.
local function type_names(types)
  local names, seen = {}, { i1 = true }
  for _, type in ipairs(types) do
    if not seen[type] then names[#names + 1] = type end
    seen[type] = true
  end
  table.sort(names, function(a, b)
    if terms.width(a) ~= terms.width(b) then return terms.width(a) < terms.width(b) end
    return a < b
  end)
  return #names > 0 and table.concat(names, ", ") or "i1"
end

-- }== One question =====================================================

-- Conditions of which one holds: the constant is a number less than its width, a power of two,
-- or something else.
local function cases_of(variable)
  local bits, list, seen = terms.width(variable.type), {}, {}
  for i = 0, bits - 1 do
    for _, value in ipairs { i, 1 << i } do
      if not seen[value] then
        list[#list + 1] = ("(= %s %s)"):format(variable.symbol, terms.number(value, bits))
      end
      seen[value] = true
    end
  end
  list[#list + 1] = ("(not (or %s))"):format(table.concat(list, " "))
  return list
end

-- The answer to a question that the solver has not decided, from those to its cases; a second
-- result is the case that makes it satisfiable. `case` is what has been assumed, about constants up
-- to the one numbered i.
local function split(solver, query, case, i)
  local variable
  repeat
    i = i + 1
    variable = query.variables[i]
    if not variable then return "unknown" end
  until variable.kind == "constant" and not terms.is_float(variable.type)
  local cases, texts = {}, {}
  for k, one in ipairs(cases_of(variable)) do
    cases[k] = { low = {}, asserted = table.move(case.asserted, 1, #case.asserted, 2, { one }) }
    texts[k] = smt.text(query, cases[k])
  end
  for k, answer in ipairs(solvers.ask(solver, texts)) do
    local found = cases[k]
    if answer == "unknown" then answer, found = split(solver, query, cases[k], i) end
    if answer ~= "unsat" then return answer, found end
  end
  return "unsat"
end

-- }== Amounts ==========================================================

-- Adds the names of constants that are amounts of shifts.
local function note_amounts(node, found)
  if terms.shifts(node.op) and node[2].kind == "constant" then found[node[2].name] = true end
  for _, kid in ipairs(node) do note_amounts(kid, found) end
  return found
end

-- Questions that are asked in one run of the solver; and for which a rule is split at most.
local AT_ONCE <const>, MOST <const> = 256, 4096

-- How long an easy question takes, in ms, and the part of its steps.
local EASY <const>, FEW <const> = 100, 4

-- All questions about a rule may take as many steps as so many of them.
local BUDGET <const> = 20

-- All values, modulo the width, of the constants that are amounts; nil: none are, or too many.
local function amounts_of(rule, query)
  local is_amount, cases = note_amounts(rule.result, note_amounts(rule.pattern, {})),
    { { asserted = {}, low = {} } }
  for _, v in ipairs(query.variables) do
    local more, width = {}, terms.width(v.type)
    if is_amount[v.name] and width > 1 then
      if #cases * width > MOST then return nil end
      for _, case in ipairs(cases) do
        for i = 0, width - 1 do
          local low = { [v.symbol] = i }
          for symbol, known in pairs(case.low) do low[symbol] = known end
          more[#more + 1] = { asserted = {}, low = low }
        end
      end
      cases = more
    end
  end
  return #cases > 1 and cases or nil
end

-- The cases that are open after asking about each of them; or one that makes it satisfiable.
local function ask_cases(solver, query, cases)
  local open = {}
  for first = 1, #cases, AT_ONCE do
    local texts = smt.texts(first, math.min(first + AT_ONCE - 1, #cases),
      function(k) return query, cases[k] end)
    for k, answer in ipairs(solvers.ask(solver, texts)) do
      local case = cases[first + k - 1]
      if answer == "sat" then return nil, case end
      if answer == "unknown" then open[#open + 1] = case end
    end
  end
  return open
end

-- The answer for each amount, asked in both ways.
local function split_amounts(solver, query, other, cases)
  local open = cases
  for _, way in ipairs { query, other } do
    local more, found = ask_cases(solver, way, open)
    if not more then return "sat", found end
    if #more == 0 then return "unsat" end
    open = more
  end
  return "unknown"
end

-- The same for a question, asked in another way first.
local function decide(solver, rule, query)
  local none = { asserted = {}, low = {} }
  local other = smt.query(rule, query.types, true)
  local answer = solvers.ask(solver, { smt.text(other) })[1]
  if answer ~= "unknown" then return answer, none end
  local cases = amounts_of(rule, query)
  if cases then return split_amounts(solver, query, other, cases) end
  if solver.left and not rule.text:find "pow2" then return "unknown" end
  return split(solver, query, none, 0)
end

-- }== Counterexamples ==================================================

-- Bits by the name of a variable, of values for which the rule is wrong.
local function counterexample(solver, query, case)
  local symbols, values = {}, {}
  for i, v in ipairs(query.variables) do symbols[i] = v.symbol end
  local model = solvers.model(solver, smt.text(query, case), symbols)
  for _, v in ipairs(query.variables) do values[v.name] = model[v.symbol] or 0 end
  return values
end

-- "wrong at i8: x=1: 2 -> 3", or "open at ..." if running it does not show that; and the values.
local function say_wrong(solver, rule, query, case)
  local values, list, case_of_check = counterexample(solver, query, case), {}, {}
  local without, with = replay.run(rule, query, values)
  for i, v in ipairs(query.variables) do
    list[i] = ("%s=%s"):format(v.name, replay.shown(values[v.name], v.type))
    case_of_check[v.name] = replay.value(values[v.name], v.type)
  end
  local where = type_names(query.types)
  if #list > 0 then where = where .. ": " .. table.concat(list, ", ") end
  if without then
    return ("wrong at %s: %s -> %s"):format(where, without, with), nil, case_of_check
  end
  if query.calls[1] then
    return ("open at %s: not for all that its functions could give"):format(type_names(query.types))
  end
  return ("open at %s: the solver says wrong, running it does not show it"):format(where)
end

-- }== Functions of constants ===========================================

-- Calls the functions where the rule seems wrong, and adds what they give to the question. False:
-- that is known already, or not an integer.
local function learn(solver, query, case)
  local symbols, learned = {}, false
  for _, call in ipairs(query.calls) do
    table.move(call.args, 1, #call.args, #symbols + 1, symbols)
  end
  local model = solvers.model(solver, smt.text(query, case), symbols)
  for _, call in ipairs(query.calls) do
    local args, applied = {}, call.name
    for i, symbol in ipairs(call.args) do
      args[i] = model[symbol]
      applied = ("%s %s"):format(applied, terms.number(args[i] or 0, 64))
    end
    local done, result = pcall(call.callback, table.unpack(args))
    if type(result) == "boolean" then result = result and -1 or 0 end
    if done and #args == #call.args and math.type(result) == "integer" then
      if #args > 0 then applied = ("(%s)"):format(applied) end
      local fact = ("(assert (= %s %s))"):format(applied, terms.number(result, 64))
      learned = learned or not query.known[fact]
      if not query.known[fact] then table.insert(query.asserted, fact) end
      query.known[fact] = true
    end
  end
  return learned
end

-- What is asked of the functions of a question at most.
local LEARNED <const> = 8

-- The answer "sat" to a question, or another one once more is known of the functions.
local function reconsider(solver, query, case)
  local answer, n = "sat", 0
  query.known = {}
  while answer == "sat" and query.calls[1] and n < LEARNED and learn(solver, query, case) do
    answer, case, n = solvers.ask(solver, { smt.text(query) })[1], nil, n + 1
    query.assumed = false
  end
  return answer, case
end

-- }== Verdicts =========================================================

-- The types at which questions are open: "i32", "i32 and i64".
local function say_open(open)
  local list = {}
  for i, query in ipairs(open) do list[i] = type_names(query.types) end
  return "open at " .. table.concat(list, "; ") .. ": not decided in time"
end

-- The questions about a rule; or nil, and why there are none.
local function questions_of(rule, widths)
  local queries = {}
  if rule.unsafe then return nil, "it is marked unsafe: " .. rule.unsafe end
  for i, types in ipairs(combinations(rule, widths)) do
    queries[i] = smt.query(rule, types)
    if queries[i].unknown then return nil, queries[i].unknown end
  end
  if not queries[1] then return nil, "no integers of these widths, floats or addresses fit it" end
  return queries
end

-- Marks the questions that are easy, asked in one of both ways, and not satisfiable: they are asked
-- together, which takes little more time than one, but none for long.
local function mark_easy(solver, all)
  local brisk = setmetatable({ many = AT_ONCE }, { __index = solver })
  if solver.steps then brisk.steps = solver.steps // FEW
  else brisk.one = math.min(solver.one, EASY) end
  for _, multiplies in ipairs { false, true } do
    local open = {}
    for _, it in ipairs(all) do open[#open + 1] = not it.easy and it or nil end
    for first = 1, #open, AT_ONCE do
      local texts = smt.texts(first, math.min(first + AT_ONCE - 1, #open), function(k)
        return smt.query(open[k].rule, open[k].types, multiplies)
      end)
      for i, answer in ipairs(solvers.ask(brisk, texts)) do
        open[first + i - 1].easy = answer == "unsat"
      end
    end
  end
end

-- The verdict on a rule; true if it is proved; values for which it is wrong.
local function judge(solver, rule, queries, why)
  if not queries then return "open: " .. why end
  local open, texts, is_easy = {}, {}, true
  for i, query in ipairs(queries) do
    texts[i], is_easy = smt.text(query), is_easy and query.easy
  end
  for i, answer in ipairs(is_easy and {} or solvers.ask(solver, texts)) do
    local case
    if answer == "unknown" then answer, case = decide(solver, rule, queries[i]) end
    if answer == "sat" then answer, case = reconsider(solver, queries[i], case) end
    if answer == "sat" then return say_wrong(solver, rule, queries[i], case) end
    if answer == "unknown" then open[#open + 1] = queries[i] end
  end
  if #open > 0 then return say_open(open) end
  return "proved" .. (queries[1].assumed and ", for all answers that its guard may get" or ""), true
end

local function title(rule) return rule.name or ("%s:%d"):format(rule.source, rule.line) end

-- }== Methods ==========================================================

local function take_widths(list)
  if list == nil then return WIDTHS end
  for i, width in ipairs(list) do
    if not terms.width("i" .. tostring(width)) then
      errors.raise("option 'widths': 1, 8, 16, 32 or 64 expected, got %s as number %d",
        errors.got(width), i)
    end
  end
  return list
end

-- Notes which ops of dialects nodes are of, and these dialects; fn has all of them.
local function note_own(rule, fn, node)
  local name, op = (node.op or ""):match "^(.-)%.(.+)$"
  if name then
    rule.dialects[name] = fn:dialect(name)
    node.own = rule.dialects[name][op]
    rule.blind = rule.blind or not (node.own:eval() or node.own:lua())
  end
  for _, kid in ipairs(node) do note_own(rule, fn, kid) end
end

-- The functions behind $name: calls are in the tree as they are in the text.
local function functions_of(rule)
  local callbacks, functions, i = {}, {}, 0
  local function add(node)
    callbacks[#callbacks + 1] = node.callback
    if node.data then add(node.data) end
    for _, kid in ipairs(node) do add(kid) end
  end
  add(rule.result)
  if rule.guard then add(rule.guard) end
  for name in rule.text:gmatch "%$([%a_][%w_]*)" do
    i = i + 1
    functions[name] = callbacks[i]
  end
  return i == #callbacks and functions or nil
end

-- The rules of a set, or those of that name; errors are those of R:rules, called by another name.
local function rules_of(method, R, name)
  local done, list = pcall(core.Rules.__index.rules, R, name)
  if not done then
    error(type(list) == "string" and list:gsub("'rules'", ("'%s'"):format(method), 1) or list, 0)
  end
  local fn <close> = core.fn("rules", nil, nil, { rules = R })
  for _, rule in ipairs(list) do
    rule.dialects, rule.functions = {}, functions_of(rule)
    rule.blind = rule.functions == nil
    note_own(rule, fn, rule.pattern)
    note_own(rule, fn, rule.result)
  end
  return list
end

--- R:prove(opts)
function M.prove(R, opts)
  opts = options.argument("prove", 1, opts, { solver = "string", widths = "list",
    seconds = { 0.0, 1e6 }, limit = { 0.0 }, rule = "string", steps = "integer" })
  local solver = solvers.new(opts.solver or "z3", opts.seconds or 5, opts.steps)
  local widths, ok, verdicts, samples = take_widths(opts.widths), true, {}, {}
  local rules, queries, whys, all = rules_of("prove", R, opts.rule), {}, {}, {}
  for i, rule in ipairs(rules) do
    queries[i], whys[i] = questions_of(rule, widths)
    if queries[i] then table.move(queries[i], 1, #queries[i], #all + 1, all) end
  end
  if rules[2] then mark_easy(solver, all) end
  for i, rule in ipairs(rules) do
    solver.stop = opts.limit and os.time() + opts.limit
    solver.left = opts.steps and opts.steps * BUDGET
    local verdict, is_proved, values = judge(solver, rule, queries[i], whys[i])
    verdicts[i] = ("%s: %s"):format(title(rule), verdict)
    samples[#samples + 1] = values
    ok = ok and is_proved or nil
  end
  return ok, verdicts, samples
end

--- R:smt(name, opts)
function M.smt(R, name, opts)
  opts = options.argument("smt", 2, opts, { widths = "list" })
  local widths, lines = take_widths(opts.widths), {}
  for _, rule in ipairs(rules_of("smt", R, name)) do
    for _, types in ipairs(combinations(rule, widths)) do
      local query = smt.query(rule, types)
      if query.unknown then errors.raise("rule '%s': %s", title(rule), query.unknown) end
      lines[#lines + 1] = ("; %s at %s\n%s"):format(title(rule), type_names(types),
        smt.text(query))
    end
  end
  return table.concat(lines)
end

-- }====================================================================

return M
