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
  if as[node.text] or not node.op then return as[node.text] or node.text end
  local operands = {}
  for i, kid in ipairs(node) do operands[i] = text_of(kid, as) end
  return terms.text(node.op, operands)
end

local function rule_of(pattern, result, as, as_result, guard)
  return ("%s => %s%s"):format(text_of(pattern, as), text_of(result, as_result or as),
    guard and " if " .. guard or "")
end

-- }== Verdicts =========================================================

---@class phial.rules.Trial what is known about the rules for a term
---@field set fun(text: string): phial.Rules a set with a text, and the dialects
---@field dialects table<string, phial.Dialect> by name
---@field samples table values by type, and a list of counterexamples
---@field limits table options of R:prove, with steps: so that the answer is the same each time
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
    limits = { solver = opts.solver, seconds = opts.seconds, steps = opts.steps or STEPS },
    open = 0, known_open = opts.known_open or {}, later = opts.later,
    set = function(rules)
      local set = core.rules()
      for _, dialect in ipairs(dialects) do set:attach(dialect) end
      return set:add(rules, nil, "text")
    end,
  }
end

local function said(verdict) return (verdict:gsub("^.-: ", "", 1)) end

local QUICK <const> = { width = 3, limit = 9, cases = 200 }

-- Whether values refute a rule, many of them; and the verdict.
local function check(trial, rule, is_quick)
  local done, R = pcall(trial.set, rule)
  if not done then return false, R end
  local how = { samples = trial.samples }
  local ok, verdicts = R:check(is_quick and options.union(QUICK, how) or how)
  return ok, said(verdicts[1]), R
end

-- After so many rules for a term that a solver leaves open, it is not asked about more.
local OPEN <const> = 2

-- What a solver says of rules, and values that refute them; nil: it is not installed.
local function ask(trial, R)
  local done, refusal, verdicts, samples = pcall(R.prove, R, trial.limits)
  if done then return verdicts, samples end
  if not core.refusal(refusal):find "there is no solver" then error(refusal, 0) end
  trial.unsolved = true
end

-- True if the verdict is that a solver cannot be asked: it is not told of all ops.
local function is_beyond(verdict) return verdict:find ": open: " ~= nil end

-- Judges a rule: true if it is proved, or is to be, or if no solver is installed or knows its ops,
-- tested; and the verdict, nil for one that is to be proved.
local function judge(trial, rule)
  local holds, verdict, R = check(trial, rule)
  if holds and (trial.open >= OPEN or trial.known_open[rule]) then return false, "open" end
  if not holds or trial.unsolved then return holds, verdict end
  if trial.later then return true end
  local verdicts, samples = ask(trial, R)
  if not verdicts or is_beyond(verdicts[1]) then return true, verdict end
  table.move(samples, 1, #samples, #trial.samples + 1, trial.samples)
  if verdicts[1]:find ": open" then trial.open = trial.open + 1 end
  return verdicts[1]:find ": proved" ~= nil, said(verdicts[1])
end

--- Asks about rules together; those that are proved, or cannot be, get their verdict.
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
    if is_beyond(verdict) then list[i].verdict = select(2, check(trial, texts[i])) end
    trial.known_open[texts[i]] = verdict:find ": open" ~= nil
  end
end

-- }== Parts that are variables =========================================

-- The names that no text of the rule has, of letters.
local function fresh(rule, names)
  local list = {}
  for name in names:gmatch "." do
    if not rule:find("%f[%w_]" .. name .. "%f[^%w_]") then list[#list + 1] = name end
  end
  return list
end

local function with_parts(trial, pattern, result, as, kinds)
  for _, part in ipairs(terms.parts(pattern, function(it) return it.op end)) do
    local rule = rule_of(pattern, result, as)
    local name = fresh(rule, "xyzuvwpqrst")[1]
    as[part.text] = name
    local wider = rule_of(pattern, result, as)
    if wider ~= rule and check(trial, wider, true) and check(trial, wider) then
      kinds[name] = part.type
    else
      as[part.text] = nil
    end
  end
end

-- }== Formulas of constants ============================================

-- What formulas name, in Lua.
local KNOWN <const> = { INT_MIN = math.mininteger, INT_MAX = math.maxinteger, ult = math.ult }
function KNOWN.ule(v, w) return not math.ult(w, v) end
function KNOWN.pow2(v) return v ~= 0 and v & v - 1 == 0 end
function KNOWN.ismask(v) return v > 0 and v & v + 1 == 0 end
function KNOWN.shr(v, w) return v >> w end
function KNOWN.rotr(v, w) return v >> w | v << 64 - w end
function KNOWN.log2(v)
  for n = 0, 62 do
    if v == 1 << n then return n end
  end
  return 0.5 -- no literal is that
end

-- Reads formulas of constants A and B, which Lua writes as rules do: texts, and functions of A, B
-- and whether A precedes B in the rule. They are false where the condition of their line does not
-- hold. A width is 64 or 32.
local function formulas(lines)
  local list = {}
  for line in lines:gmatch "[^\n]+" do
    local row, condition = line:match "^(.-) +if (.*)$"
    for text in (row or line):gmatch "[^; ][^;]*" do
      local wide, narrow = text:gsub("width", "64"), text:gsub("width", "32")
      if wide ~= narrow then wide = ("(%s or %s)"):format(wide, narrow) end
      local lua = ("local A, B, in_order = ...; return %s and %s"):format(condition or true, wide)
      list[#list + 1] = { text = text, value = load(lua, text, "t", KNOWN) }
    end
  end
  return list
end

-- What literals of a result can be: shifts are by amounts.
local EXPRESSIONS <const> = formulas [[
  A; ~A; -A; A + 1; A - 1; log2(A)
  1 << A; (1 << A) - 1                     if A >= 0 and A < 63
  A << 1
  (-1) << A                                if A >= 0 and A < 63
  A - B; A & ~B
  A << B; shr(A, B); rotr(A, B)            if B >= 0 and B < 64
  A + B; A & B; A | B; A ~ B; A * B        if in_order
]]

-- What guards require, weak conditions first.
local CONDITIONS <const> = formulas [[
  A ~= 0; A ~= 1; A ~= -1; A ~= INT_MIN; A ~= INT_MAX; A & 1 == 1; A >= 0; A < 0; ult(A, width)
  A > 0; pow2(A)
  pow2(-A)                                            if A ~= -1
  ismask(A); A == width - 1
  ult(A, width) and ult(B, width) and A + B < width   if in_order
  ult(A, width) and ult(B, width) and A + B >= width  if in_order
  ult(A, width) and ult(B, width) and A + B == width  if in_order
  A <= B; ule(A, B)
  A & B == 0; A | B == -1; A == ~B; A == -B           if in_order
  A & B == A; ult(A, B); A < B
]]

-- The formulas of all of so many constants: texts, and functions of a list of values.
local function instances(list, n, symbols)
  local all = {}
  local function add(formula, i, j)
    local names = { A = symbols[i], B = symbols[j] }
    all[#all + 1] = {
      text = formula.text:gsub("%f[%w][AB]%f[^%w]", names),
      value = function(values) return formula.value(values[i], values[j], i < j) end,
    }
  end
  for i = 1, n do
    for _, formula in ipairs(list) do
      for j = 1, n do
        if (i ~= j) == (formula.text:find "B" ~= nil) then add(formula, i, j) end
      end
    end
  end
  return all
end

--- Literals that may follow from others.
---@param literals integer[]
---@return integer[]
function M.suggest(literals)
  local list, first = { 0, 1, -1 }, { table.unpack(literals, 1, math.min(3, #literals)) }
  for _, it in ipairs(instances(EXPRESSIONS, #first, {})) do
    list[#list + 1] = math.tointeger(it.value(first))
  end
  return list
end

-- }== Literals that are constants ======================================

-- Guards that are true of the constants, weak ones first.
local function guards_of(values, symbols, variable, pattern)
  local width = variable and ("width(%s)"):format(variable)
  local has_amounts = pattern:find "<<" or pattern:find "s[ha]r%(" or pattern:find "rot"
  local function always() return true end
  local single, list = {}, { { value = always } }
  if width then list[2] = { text = width .. " > 1", value = always } end
  for _, it in ipairs(instances(CONDITIONS, #values, symbols)) do
    local is_known = has_amounts and width or not it.text:find "width"
    if is_known and it.value(values) then
      single[#single + 1] = { text = it.text:gsub("width", width or ""), value = it.value }
    end
  end
  table.move(single, 1, #single, #list + 1, list)
  for i, a in ipairs(single) do
    for j = i + 1, #single do
      local b = single[j]
      list[#list + 1] = {
        text = a.text .. " and " .. b.text,
        value = function(of) return a.value(of) and b.value(of) end,
      }
    end
  end
  return list
end

local VALUES <const> = {
  0, 1, -1, 2, -2, 3, 4, -4, 5, 6, 7, 8, -8, 12, 15, 16, -16, 24, 31, 48, 64, 127, 255, 256,
}

-- True if a guard permits some values of so many constants, where that at `place` is not `own`.
local function permits(guard, n, place, own, values)
  if #values == n then return guard.value(values) end
  local k = #values + 1
  for _, v in ipairs(VALUES) do
    values[k] = v
    if (k ~= place or v ~= own) and permits(guard, n, place, own, values) then return true end
    values[k] = nil
  end
  return false
end

-- True if each constant can have several values: else it should be the literal.
local function is_general(guard, values)
  for i, v in ipairs(values) do
    if not permits(guard, #values, i, v, {}) then return false end
  end
  return true
end

-- Guards that are tried, and expressions for literals of the result.
local GUARDS <const>, CHOICES <const> = 200, 12

local function is_integer(node) return node.value ~= nil and node.type == "t" end

-- All choices of texts for the literals of the result.
local function choices_of(result, values, symbols, as)
  local all, expressions = { as }, instances(EXPRESSIONS, #values, symbols)
  for _, literal in ipairs(terms.parts(result, is_integer)) do
    local more = {}
    local function add(choice, text)
      more[#more + 1] = setmetatable({ [literal.text] = text }, { __index = choice })
    end
    for _, choice in ipairs(all) do
      for _, it in ipairs(expressions) do
        if #more < CHOICES and it.value(values) == literal.value then add(choice, it.text) end
      end
      add(choice, literal.text)
    end
    all = more
  end
  return all
end

-- The rule with these literals as constants.
local function with_constants(trial, pattern, result, as, chosen, variable)
  local values, constants = {}, setmetatable({}, { __index = as })
  local symbols = fresh(rule_of(pattern, result, as), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  for i, literal in ipairs(chosen) do
    values[i], constants[literal.text] = literal.value, symbols[i]
  end
  local choices = choices_of(result, values, symbols, as)
  local guards = guards_of(values, symbols, variable, text_of(pattern, as))
  for i = 1, math.min(#guards, GUARDS) do
    for _, choice in ipairs(choices) do
      local rule = rule_of(pattern, result, constants, choice, guards[i].text)
      if check(trial, rule, true) and is_general(guards[i], values) then
        local holds, verdict = judge(trial, rule)
        if holds then return rule, verdict end
      end
    end
  end
end

-- Literals to make constants of, by their places: the largest sets first.
local SETS <const> = { { 1, 2, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 }, { 1 }, { 2 }, { 3 } }

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
  local literals = terms.parts(pattern, is_integer)
  for _, places in ipairs(SETS) do
    local chosen = {}
    for i, place in ipairs(places) do chosen[i] = literals[place] end
    if #chosen == #places then
      local wider, verdict = with_constants(trial, pattern, result, as, chosen, integer(rules[1]))
      if wider then return wider, verdict end
    end
  end
  for _, rule in ipairs(rules) do
    local holds, verdict = judge(trial, rule)
    if holds then return rule, verdict end
  end
  return nil, "open"
end

-- }====================================================================

return M
