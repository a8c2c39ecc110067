--- Makes a rule of two terms that compute the same: as general as holds, checked, then proved.
--
-- A rule is a pair of trees as R:rules gives them, whose texts are made here. It becomes more
-- general step by step: a part that both sides have becomes a variable, literals become constants,
-- under the weakest guard of a list with which the rule holds.
local core = require "phial.core"
local options = require "phial.options"
local terms = require "phial.rules.find.term"

local M = {}

-- {== Texts ============================================================

-- The text of a tree in which texts replace others.
local function text_of(node, as)
  local leaf = as[node.text] or node.text
  if not node.op or as[node.text] then return leaf end
  local args = {}
  for i, kid in ipairs(node) do
    local text = text_of(kid, as)
    args[i] = { text = text, op = kid.op and not as[kid.text] and kid.op
      or text:find "[ (]" and "constants" or nil }
  end
  return terms.text(node.op, args)
end

local function rule_of(pattern, result, as, as_result, guard)
  return ("%s => %s%s"):format(text_of(pattern, as), text_of(result, as_result or as),
    guard and guard ~= "" and " if " .. guard or "")
end

-- }== Verdicts =========================================================

---@class phial.rules.Trial what is known about the rules for a term
---@field set fun(text: string): phial.Rules a set with a text, and the dialects
---@field dialects table<string, phial.Dialect> by name
---@field samples table values by type, and a list of counterexamples
---@field solver string
---@field seconds number
---@field steps integer what the solver may take for a question, which is the same each time
---@field open integer how many rules the solver left open
---@field unsolved? boolean no such solver is installed
---@field known_open table<string, boolean> rules that it left open
---@field later? boolean M.prove is told of the rules that a solver is to prove

-- About a second of z3, so that the limit in seconds seldom counts.
local STEPS <const> = 4000000

--- A trial of rules that a text leads to, with the dialects of a set that the text names.
---@param R phial.Rules
---@param text string
---@param opts { solver?: string, seconds?: number, steps?: integer, samples?: table }
---@return phial.rules.Trial
function M.trial(R, text, opts)
  local dialects = terms.dialects(R, text)
  return {
    dialects = dialects, samples = options.union(opts.samples or {}),
    solver = opts.solver or "z3", seconds = opts.seconds or 5, steps = opts.steps or STEPS,
    open = 0, later = opts.later,
    known_open = opts.known_open or {},
    set = function(rules)
      local set = core.rules()
      for _, dialect in ipairs(dialects) do set:attach(dialect) end
      return set:add(rules, nil, "text")
    end,
  }
end

local function said(verdict) return (verdict:gsub("^.-: ", "", 1)) end

-- Whether values refute a rule, many of them; and the verdict.
local function check(trial, rule, is_quick)
  local done, R = pcall(trial.set, rule)
  if not done then return false, R end
  local ok, verdicts = R:check {
    samples = trial.samples, width = is_quick and 3 or nil, limit = is_quick and 9 or nil,
    cases = is_quick and 200 or nil,
  }
  return ok, said(verdicts[1]), R
end

-- True if solvers are told of all the ops of a rule.
local function has_meaning(trial, rule)
  for name, op in rule:gmatch "%f[%w_]([%a_][%w_]*)%.([%a_][%w_]*)" do
    if not trial.dialects[name][op]:smt() then return false end
  end
  return true
end

-- After so many rules for a term that a solver leaves open, it is not asked about more.
local OPEN <const> = 2

-- What a solver says of rules, and values that refute them; nil: it is not installed.
local function ask(trial, R)
  local done, refusal, verdicts, samples = pcall(R.prove, R,
    { solver = trial.solver, seconds = trial.seconds, steps = trial.steps })
  if done then return verdicts, samples end
  if not core.refusal(refusal):find "there is no solver" then error(refusal, 0) end
  trial.unsolved = true
end

--- Judges a rule: true if it is proved, or is to be, or if no solver is installed or knows its ops,
--- tested; and the verdict, nil for one that is to be proved.
---@param trial phial.rules.Trial
---@param rule string
---@return boolean holds
---@return string? verdict
function M.judge(trial, rule)
  local holds, verdict, R = check(trial, rule)
  if holds and (trial.open >= OPEN or trial.known_open[rule]) then return false, "open" end
  if not holds or trial.unsolved or not has_meaning(trial, rule) then return holds, verdict end
  if trial.later then return true end
  local verdicts, samples = ask(trial, R)
  if not verdicts then return true, verdict end
  table.move(samples, 1, #samples, #trial.samples + 1, trial.samples)
  if verdicts[1]:find ": open" then trial.open = trial.open + 1 end
  return verdicts[1]:find ": proved" ~= nil, said(verdicts[1])
end

--- Asks about rules together; those that are proved get their verdict.
---@param R phial.Rules
---@param list { rule: string, verdict: string? }[]
---@param opts table those of M.trial
function M.prove(R, list, opts)
  local texts = {}
  for i, it in ipairs(list) do texts[i] = it.rule end
  local text = table.concat(texts, "\n")
  local trial = M.trial(R, text, opts)
  for i, verdict in ipairs(list[1] and ask(trial, trial.set(text)) or {}) do
    if verdict:find ": proved" then list[i].verdict = said(verdict) end
    trial.known_open[texts[i]] = verdict:find ": open" ~= nil
  end
end

-- }== Parts that are variables =========================================

-- Lists the operations below the root by their texts, the largest first.
local function parts_of(pattern)
  local list, seen = {}, {}
  local function visit(node, is_root)
    if not node.op or seen[node.text] then return end
    if not is_root then list[#list + 1], seen[node.text] = node, true end
    for _, kid in ipairs(node) do visit(kid) end
  end
  visit(pattern, true)
  for i, node in ipairs(list) do node.place = i end
  table.sort(list, function(a, b)
    if a.weight ~= b.weight then return a.weight > b.weight end
    return a.place < b.place
  end)
  return list
end

-- A name that no text of the rule has.
local function fresh(rule, names)
  for name in names:gmatch "." do
    if not rule:find("%f[%w_]" .. name .. "%f[^%w_]") then return name end
  end
end

local function with_parts(trial, pattern, result, as, kinds)
  for _, part in ipairs(parts_of(pattern)) do
    local rule = rule_of(pattern, result, as)
    local name = fresh(rule, "xyzuvwpqrst")
    if name then
      as[part.text] = name
      local wider = rule_of(pattern, result, as)
      if wider == rule or not (check(trial, wider, true) and check(trial, wider)) then
        as[part.text] = nil
      else
        kinds[name] = part.type
      end
    end
  end
end

-- }== Literals that are constants ======================================

-- Expressions of constants with their values.
local function expressions(symbols)
  local list = {}
  local function add(text, value) list[#list + 1] = { text, value } end
  for _, a in ipairs(symbols) do
    local A, v = a[1], a[2]
    add(A, v) add("~" .. A, ~v) add("-" .. A, -v) add(A .. " + 1", v + 1) add(A .. " - 1", v - 1)
    if v > 0 and v & v - 1 == 0 then
      add(("log2(%s)"):format(A), terms.log2(v))
      add(("-log2(%s)"):format(A), -terms.log2(v))
    end
    if v >= 0 and v < 63 then
      add(("1 << %s"):format(A), 1 << v)
      add(("(1 << %s) - 1"):format(A), (1 << v) - 1)
    end
    add(A .. " << 1", v << 1)
    if v >= 0 and v < 63 then add("(-1) << " .. A, -1 << v) add("(-1) >> " .. A, -1 >> v) end
    for _, b in ipairs(symbols) do
      local B, w = b[1], b[2]
      if A ~= B then
        add(A .. " - " .. B, v - w) add(A .. " & ~" .. B, v & ~w)
        if w >= 0 and w < 64 then
          add(A .. " << " .. B, v << w)
          add(("shr(%s, %s)"):format(A, B), v >> w)
          add(("sar(%s, %s)"):format(A, B), v >> w | (v < 0 and ~(-1 >> w) or 0))
          add(("rotr(%s, %s)"):format(A, B), v >> w | v << 64 - w)
        end
        if A < B then
          add(A .. " + " .. B, v + w) add(A .. " & " .. B, v & w) add(A .. " | " .. B, v | w)
          add(A .. " ~ " .. B, v ~ w) add(A .. " * " .. B, v * w)
        end
      end
    end
  end
  return list
end

local function is_amount(v) return v >= 0 and v < 64 end

-- A condition on two amounts and their sum.
local function amounts(compare, holds)
  return { ("ult(A, %%w) and ult(B, %%w) and A + B %s %%w"):format(compare), function(v, w)
    return is_amount(v) and is_amount(w) and holds(v + w)
  end, once = true }
end

-- Conditions on one constant, weak ones first, and on two; `%w` is the width.
---@type { [1]: string, [2]: fun(v: integer, w: integer): boolean }[]
local ONE <const>, TWO <const> = {
  { "A ~= 0", function(v) return v ~= 0 end },
  { "A ~= 1", function(v) return v ~= 1 end },
  { "A ~= -1", function(v) return v ~= -1 end },
  { "A ~= INT_MIN", function(v) return v ~= math.mininteger end },
  { "A ~= INT_MAX", function(v) return v ~= math.maxinteger end },
  { "A & 1 == 1", function(v) return v & 1 == 1 end },
  { "A >= 0", function(v) return v >= 0 end },
  { "A < 0", function(v) return v < 0 end },
  { "ult(A, %w)", is_amount },
  { "A > 0", function(v) return v > 0 end },
  { "pow2(A)", function(v) return v ~= 0 and v & v - 1 == 0 end },
  { "pow2(-A)", function(v) return v < -1 and -v & -v - 1 == 0 end },
  { "ismask(A)", function(v) return v > 0 and v & v + 1 == 0 end },
  { "A == %w - 1", function(v) return v == 63 or v == 31 end }, -- at one of the widths
}, {
  amounts("<", function(sum) return sum < 64 end),
  amounts(">=", function(sum) return sum >= 64 end),
  amounts("==", function(sum) return sum == 64 end),
  { "A <= B", function(v, w) return v <= w end },
  { "ule(A, B)", function(v, w) return v == w or math.ult(v, w) end },
  { "A & B == 0", function(v, w) return v & w == 0 end, once = true },
  { "A | B == -1", function(v, w) return v | w == -1 end, once = true },
  { "A == ~B", function(v, w) return v == ~w end, once = true },
  { "A == -B", function(v, w) return v == -w end, once = true },
  { "A & B == A", function(v, w) return v & w == v end },
  { "ult(A, B)", function(v, w) return math.ult(v, w) end },
  { "A < B", function(v, w) return v < w end },
}
---@class phial.rules.Guard
---@field text string
---@field [integer] { [1]: function, [2]: integer, [3]: integer } conditions, places of constants

-- Guards that are true of the constants, weak ones first.
local function guards_of(symbols, variable, rule)
  local width = variable and ("width(%s)"):format(variable)
  local has_amounts = rule:find "<<" or rule:find "s[ha]r%(" or rule:find "rot"
  local list, single = { { text = "" }, width and { text = width .. " > 1" } }, {}
  local function add(condition, i, j)
    local a, b = symbols[i], symbols[j]
    if condition[2](a[2], b[2]) and (has_amounts and width or not condition[1]:find "%%w") then
      local text = condition[1]:gsub("%f[%w][AB]%f[^%w]", { A = a[1], B = b[1] })
      single[#single + 1] = { text = text:gsub("%%w", width or ""), { condition[2], i, j } }
    end
  end
  for i in ipairs(symbols) do
    for _, condition in ipairs(ONE) do add(condition, i, i) end
    for j in ipairs(symbols) do
      for _, condition in ipairs(i == j and {} or TWO) do
        if i < j or not condition.once then add(condition, i, j) end
      end
    end
  end
  table.move(single, 1, #single, #list + 1, list)
  for i, a in ipairs(single) do
    for j = i + 1, #single do
      list[#list + 1] = { text = a.text .. " and " .. single[j].text, a[1], single[j][1] }
    end
  end
  return list
end

local VALUES <const> = {
  0, 1, -1, 2, -2, 3, 4, -4, 5, 6, 7, 8, -8, 12, 15, 16, -16, 24, 31, 48, 64, 127, 255, 256,
}

-- True if a guard permits some values of which that at `place` is not `own`.
local function permits(guard, values, n, place, own)
  if #values == n then
    for _, it in ipairs(guard) do
      if not it[1](values[it[2]], values[it[3]]) then return false end
    end
    return true
  end
  local k, is_permitted = #values + 1, false
  for _, v in ipairs(VALUES) do
    if k ~= place or v ~= own then
      values[k] = v
      is_permitted = permits(guard, values, n, place, own)
      if is_permitted then break end
    end
  end
  values[k] = nil
  return is_permitted
end

-- True if each constant can have several values: else it should be the literal.
local function is_general(guard, symbols)
  for i, a in ipairs(symbols) do
    if not permits(guard, {}, #symbols, i, a[2]) then return false end
  end
  return true
end

-- The literals of a tree, by their values, in order.
local function literals_of(node, list)
  if node.value and node.type == "t" and not list[node.text] then
    list[#list + 1], list[node.text] = node, true
  end
  for _, kid in ipairs(node) do literals_of(kid, list) end
  return list
end

-- Guards that are tried, and expressions for literals of the result.
local GUARDS <const>, CHOICES <const> = 200, 12

-- All choices of texts for the literals of the result.
local function choices_of(result, symbols, as)
  local all = { as }
  for _, literal in ipairs(literals_of(result, {})) do
    local more = {}
    for _, choice in ipairs(all) do
      for _, it in ipairs(expressions(symbols)) do
        if it[2] == literal.value and #more < CHOICES then
          more[#more + 1] = setmetatable({ [literal.text] = it[1] }, { __index = choice })
        end
      end
      more[#more + 1] = setmetatable({ [literal.text] = literal.text }, { __index = choice })
    end
    all = more
  end
  return all
end

-- The rule with these literals as constants.
local function with_constants(trial, pattern, result, as, chosen, variable)
  local symbols, constants = {}, setmetatable({}, { __index = as })
  for i, literal in ipairs(chosen) do
    symbols[i] = { ("ABCD"):sub(i, i), literal.value }
    constants[literal.text] = symbols[i][1]
  end
  local choices = choices_of(result, symbols, as)
  local guards = guards_of(symbols, variable, text_of(pattern, as))
  for i = 1, math.min(#guards, GUARDS) do
    for _, choice in ipairs(choices) do
      local rule = rule_of(pattern, result, constants, choice, guards[i].text)
      if check(trial, rule, true) and is_general(guards[i], symbols) then
        local holds, verdict = M.judge(trial, rule)
        if holds then return rule, verdict end
      end
    end
  end
end

-- Sets of up to three literals to make constants of, the largest sets first.
local function subsets(literals)
  local sets = {}
  for _, bits in ipairs { 7, 3, 5, 6, 1, 2, 4 } do
    local set = {}
    for i = 1, bits < 1 << #literals and 3 or 0 do
      if bits >> i - 1 & 1 == 1 then set[#set + 1] = literals[i] end
    end
    sets[#sets + 1] = set[1] and set
  end
  return sets
end

--- The most general rule that is found of one, and the verdict; nil: it does not hold.
---@param trial phial.rules.Trial
---@param pattern phial.rules.Term
---@param result phial.rules.Term
---@param kinds table<string, string> of the names in the pattern their types
---@return string? rule
---@return string verdict
function M.rule(trial, pattern, result, kinds)
  kinds = options.union(kinds)
  -- An integer of a rule.
  local function integer(rule)
    for name in rule:gmatch "%f[%w_](%l)%f[^%w_(]" do
      if kinds[name] == "t" then return name end
    end
  end
  local typed, as, rules, guard = {}, {}, {}, nil
  for name, kind in next, kinds do typed[name] = kind == "i1" and name .. ":i1" or nil end
  local variable = integer(rule_of(pattern, result, as))
  local wide = variable and ("width(%s) > 1"):format(variable)
  for _, way in ipairs { { as }, { typed }, { typed, wide } } do
    local rule = rule_of(pattern, result, way[1], nil, way[2])
    if not rules[1] and check(trial, rule) then as, guard, rules = way[1], way[2], { rule } end
  end
  if not rules[1] then return nil, "wrong" end
  if not guard then
    with_parts(trial, pattern, result, as, kinds)
    if next(as) then table.insert(rules, 1, rule_of(pattern, result, as)) end
  end
  variable = integer(rules[1])
  for _, chosen in ipairs(subsets(literals_of(pattern, {}))) do
    local wider, verdict = with_constants(trial, pattern, result, as, chosen, variable)
    if wider then return wider, verdict end
  end
  for _, rule in ipairs(rules) do
    local holds, verdict = M.judge(trial, rule)
    if holds then return rule, verdict end
  end
  return nil, "open"
end

-- }====================================================================

return M
