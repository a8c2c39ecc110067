--- Rules that are found: R:best for a term, R:find for what code has often, harvest.lua. A term has
-- the cheapest form that the bank makes, bank.lua; of both, or of the rule that R:generalise is
-- given, a rule is made that is as general as holds, general.lua.
local bank = require "phial.rules.find.bank"
local core = require "phial.core"
local enumerate = require "phial.rules.find.enumerate"
local errors = require "phial.errors"
local general = require "phial.rules.find.general"
local harvest = require "phial.rules.find.harvest"
local options = require "phial.options"
local portable = require "phial.portable"
local terms = require "phial.rules.find.term"

local M = {}

-- {== Reading ==========================================================

-- What a type of a rule is for a term: "t" for integers, a condition if it can be nothing else.
local function kind_of(read, type)
  local allowed = read.rule.types[type]
  local widths = {}
  for _, name in ipairs(allowed) do widths[#widths + 1] = tonumber(name:match "^i(%d+)$") end
  if widths[1] and widths[#widths] > 1 then
    if not widths[2] then read.width = widths[1] end
    return "t"
  end
  return (widths[1] or read.samples[allowed[1]]) and allowed[1] or errors.raise(
    "only terms of integers have a best form, this is a %s", allowed[1])
end

local function note_leaf(read, node, kind)
  if node.kind == "literal" then
    local value = node.value == true and 1 or node.value or 0
    if kind == "t" then read.literals[#read.literals + 1] = value end
    return
  elseif terms.ends[node.kind:upper()] then
    return
  end
  if node.kind ~= "value" and node.kind ~= "constant" then
    errors.raise("'%s' has no best form: values, constants, literals and ops have", node.kind)
  end
  if not read.kinds[node.name] then read.names[#read.names + 1] = node.name end
  read.kinds[node.name] = kind
  read.is_constant[node.name] = node.kind == "constant"
end

-- The op of a node at its types.
local function form_of(read, node)
  local args, dialect, name = {}, node.op:match "^(.-)%.(.+)$"
  if node.data or not (dialect or terms.has(node.op)) then
    errors.raise("op '%s' is not one of those for which forms are found", node.op)
  end
  for i, kid in ipairs(node) do args[i] = kind_of(read, kid.type) end
  local result = kind_of(read, node.type)
  if dialect then
    read.forms[node.op] = read.forms[node.op]
      or terms.own(read.trial.dialects[dialect], read.trial.dialects[dialect][name], args, result)
    return read.forms[node.op]
  end
  return terms.form(node.op, args)
end

local function note(read, node)
  if node.kind ~= "op" then return note_leaf(read, node, kind_of(read, node.type)) end
  form_of(read, node)
  for _, kid in ipairs(node) do note(read, kid) end
end

-- The term of a tree at points.
local function term_of(points, read, node)
  if node.kind == "literal" then
    local kind, value = kind_of(read, node.type), node.value
    if kind == "i1" then value = value == true or value == 1 or value == -1 end
    return terms.leaf(points, tostring(node.value), kind, value)
  end
  local edge = node.kind:upper()
  if terms.ends[edge] then return terms.leaf(points, edge, "t") end
  if node.kind ~= "op" then
    local leaf = terms.leaf(points, node.name, read.kinds[node.name])
    if node.kind == "constant" then leaf.weight, leaf.constant = 0, true end
    return leaf
  end
  local args = {}
  for i, kid in ipairs(node) do args[i] = term_of(points, read, kid) end
  return terms.apply(points, form_of(read, node), table.unpack(args))
end

-- }== Leaves ===========================================================

-- Adds literals that follow from those of the term.
local function suggest(literals)
  local list = { 0, 1, -1 }
  for i, a in ipairs(literals) do
    if i > 3 then break end
    table.move({ a, -a, ~a, a + 1, a - 1, a << 1, a >> 1 }, 1, 7, #list + 1, list)
    for j = 1, i - 1 do
      local b = literals[j]
      table.move({ a + b, a - b, b - a, a & b, a | b, a ~ b, a * b }, 1, 7, #list + 1, list)
    end
    if a > 0 and a & a - 1 == 0 then list[#list + 1] = terms.log2(a) end
    local power = 1 << a
    if a > 0 and a < 63 then table.move({ power, power - 1, -power }, 1, 3, #list + 1, list) end
  end
  return list
end

-- The leaves of the bank.
local function leaves_of(read, points)
  local list = { terms.leaf(points, "false", "i1", false), terms.leaf(points, "true", "i1", true) }
  local constants = {}
  for _, value in ipairs(suggest(read.literals)) do
    list[#list + 1] = terms.leaf(points, tostring(value), "t", value)
  end
  for _, name in ipairs(read.names) do
    local leaf = terms.leaf(points, name, read.kinds[name])
    list[#list + 1] = leaf
    if read.is_constant[name] then
      leaf.weight, leaf.constant, constants[#constants + 1] = 0, true, leaf
    end
  end
  for _, a in ipairs(constants) do
    for _, b in ipairs(a.type == "t" and constants or {}) do
      for _, op in ipairs { "add", "sub", "band", "bor", "bxor" } do
        local term = terms.apply(points, terms.form(op, { "t", "t" }), a, b)
        term.weight, term.ops, term.constant = 0, 0, true
        list[#list + 1] = term
      end
    end
  end
  for _, text in ipairs { "INT_MIN", "INT_MAX" } do
    list[#list + 1] = terms.leaf(points, text, "t")
  end
  return list
end

-- }== The best form ====================================================

-- Those that terms are compared at.
local POINTS <const> = 320

-- Searches of which each but the last has found what a solver refutes.
local TRIES <const> = 8

-- The most general rule from a term to a form; nil: none holds.
local function general_rule(read, term, form)
  local text, verdict = general.rule(read.trial, term, form, read.kinds)
  return text and {
    form = form.text, rule = text, verdict = verdict, saves = term.weight - form.weight,
  } or nil
end

-- All forms that terms have.
local function forms_of(read)
  local forms = { table.unpack(terms.all) }
  for _, name in ipairs(portable.sorted(read.forms)) do forms[#forms + 1] = read.forms[name] end
  return forms
end

-- Banks that are kept for terms with the same leaves.
local BANKS <const> = 4

local function bank_of(read)
  local kept = not read.samples[1] and read.banks or {}
  local key = { table.concat(read.literals, " "), table.unpack(portable.sorted(read.forms)) }
  for _, name in ipairs(read.names) do key[#key + 1] = name .. ":" .. read.kinds[name] end
  key = table.concat(key, " ")
  for _, its in ipairs(kept) do
    if its.key == key then return its end
  end
  local points = terms.points(read, read.samples, POINTS)
  local its = bank.new(points, leaves_of(read, points), forms_of(read))
  if #kept == BANKS then table.remove(kept, 1) end
  its.key, kept[#kept + 1] = key, its
  return its
end

-- The forms that the bank makes, as rules, the first that holds.
local function search(read, size)
  local trial, its = read.trial, bank_of(read)
  local term = term_of(its.points, read, read.rule.pattern)
  local found = bank.find(its, term.type, term.vector, term.weight - 1, size)
  local refuted = #trial.samples
  for i, form in ipairs(found) do
    if i > TRIES then break end
    local it = general_rule(read, term, form)
    if it then return it end
  end
  return nil, #trial.samples > refuted
end

-- The term has a line of its own, which is all that a message shows.
local function as_rule(term) return term .. "\n=>\n" .. term .. ' @ unoriented, unsafe ""' end

-- What a text of one rule has; none: only what the option `ops` has.
local function read_rule(method, R, text, opts)
  local trial = general.trial(R, (text or "") .. (opts.ops or ""), opts)
  local read = {
    trial = trial, samples = trial.samples, names = {}, kinds = {}, is_constant = {},
    literals = {}, forms = {}, banks = opts.banks,
  }
  for line in (opts.ops or ""):gmatch "[^\n]+" do
    read.rule = trial.set(as_rule(line)):rules()[1]
    form_of(read, read.rule.pattern)
  end
  if text then
    local rules = trial.set(text):rules()
    if #rules ~= 1 then errors.arg(method, 1, "one rule", text) end
    read.rule = rules[1]
    note(read, read.rule.pattern)
  end
  return read
end

local function best(R, text, opts)
  local read = read_rule("best", R, as_rule(text), opts)
  for _ = 1, TRIES do
    local found, again = search(read, opts.size or 3)
    if found or not again then return found end
  end
end

local BEST <const> = {
  solver = "string", seconds = { 0.0, 1e6 }, steps = "integer", size = { 1, 3 }, samples = "table",
  ops = "string",
}

-- Options of a method of R; `samples` are lists of values by type.
local function take(method, R, i, opts, known)
  if errors.class(R) ~= "phial.Rules" then errors.self(method, "phial.Rules", R) end
  opts = options.argument(method, i, opts, known)
  local samples = {}
  for type, values in next, opts.samples or {} do
    local where = ("option 'samples'[%s]"):format(portable.tostring(type))
    samples[type] = core.list(values, where)
    if not samples[type][1] then errors.raise("%s: a value expected", where) end
  end
  opts.samples = samples
  return opts
end

-- The options of a method that is given a text.
local function checked(method, R, text, opts)
  opts = take(method, R, 2, opts, BEST)
  errors.check_string(method, 1, text)
  return opts
end

--- R:best(text, opts)
function M.best(R, text, opts) return best(R, text, checked("best", R, text, opts)) end

local function generalise(R, text, opts)
  local read = read_rule("generalise", R, text, opts)
  if read.rule.guard then
    errors.arg("generalise", 1, "a rule without a guard", text, "guards are found")
  end
  note(read, read.rule.result)
  local points = terms.points(read, {}, 1)
  return general_rule(read, term_of(points, read, read.rule.pattern),
    term_of(points, read, read.rule.result))
end

--- R:generalise(text, opts)
function M.generalise(R, text, opts)
  return generalise(R, text, checked("generalise", R, text, opts))
end

-- }== What code has often ==============================================

-- The most ops of a shape.
local OPS <const> = 4

local HARVEST <const> = { functions = "list", least = { 1 }, samples = "table" }
local FIND <const> = options.union(HARVEST, BEST,
  { from = { 1 }, limit = { 0.0 }, enumerate = "table" })
local ENUMERATE <const> = { size = { 1, 4 }, vars = { 1, 3 }, ops = "string", literals = "string" }

local function harvested(opts)
  if not opts.functions then errors.raise("option 'functions': a list of functions expected") end
  for i, fn in ipairs(opts.functions) do
    if errors.class(fn) ~= "phial.Function" then
      errors.raise("option 'functions'[%d]: phial.Function expected, got %s", i, errors.got(fn))
    end
    errors.check_finished(fn, "be searched")
  end
  return harvest.shapes(opts.functions, OPS, opts.least or 2, opts.samples)
end

-- Shapes of terms of the ops that `enumerate` names; without it, of those of the option `ops`, or
-- else of all.
local function enumerated(R, opts)
  local how = options.take("option 'enumerate': ", opts.enumerate, ENUMERATE)
  local forms, all = {}, forms_of(read_rule("find", R, nil, opts))
  for _, type in ipairs { "t", "i1" } do
    all[#all + 1] = terms.form("select", { "i1", type, type })
  end
  for _, form in ipairs(all) do
    local is_used = form.own or not opts.ops
    if how.ops then is_used = (" %s "):format(how.ops):find(" " .. form.op .. " ", 1, true) end
    forms[#forms + 1] = is_used and form or nil
  end
  return enumerate.shapes(forms, how.size or 2, how.vars or 2, how.literals, opts.samples)
end

-- The options, and the shapes that the set leaves as they are.
local function missed(method, R, opts, known)
  opts = take(method, R, 1, opts, known)
  local list = {}
  for _, shape in ipairs(opts.enumerate and enumerated(R, opts) or harvested(opts)) do
    list[#list + 1] = not harvest.is_done(R, shape) and shape or nil
  end
  return opts, list
end

--- R:shapes(opts)
function M.shapes(R, opts)
  local _, list = missed("shapes", R, opts, HARVEST)
  return list
end

-- Rules that are proved together, which takes much less time than one by one.
local TOGETHER <const> = 64

-- The rule for a shape. The form that an enumeration knows may differ at other points, and have
-- other variables then.
local function rule_for(its, shape)
  if not shape.form then return best(its.R, shape.text, its.opts) end
  local text = ("%s => %s @ unoriented"):format(shape.text, shape.form)
  return pcall(general.trial(its.R, text, {}).set, text) and generalise(its.R, text, its.opts)
end

local function try(its, shape)
  local it = not harvest.is_done(its.all, shape) and rule_for(its, shape)
  if it and not its.texts[it.rule]
    and harvest.is_done(general.trial(its.R, it.rule, {}).set(it.rule), shape) then
    its.all:add(it.rule)
    it.shape, its.found[#its.found + 1], its.texts[it.rule] = shape, it, true
    if not it.verdict then its.open[#its.open + 1] = it end
  end
end

-- Proves what was found. Where that fails, another rule is searched for, except for an enumerated
-- term whose rule is left open: the next of the many terms takes less time.
local function prove(its)
  general.prove(its.R, its.open, its.opts)
  local again = {}
  for i = #its.found, 1, -1 do
    if not its.found[i].verdict then table.insert(again, 1, table.remove(its.found, i)) end
  end
  if again[1] then
    its.all = core.rules():include(its.R)
    for _, it in ipairs(its.found) do its.all:add(it.rule) end
  end
  its.opts.later = false
  for _, it in ipairs(again) do
    its.texts[it.rule] = nil
    if not (it.shape.form and its.opts.known_open[it.rule]) then try(its, it.shape) end
  end
  its.opts.later, its.open = true, {}
end

--- R:find(opts)
function M.find(R, opts)
  local shapes
  opts, shapes = missed("find", R, opts, FIND)
  opts.later, opts.banks, opts.known_open = true, {}, {}
  local its = { R = R, opts = opts, all = core.rules():include(R), found = {}, open = {},
    texts = {} }
  local start, i = os.clock(), opts.from or 1
  while shapes[i] and not (opts.limit and os.clock() - start >= opts.limit) do
    try(its, shapes[i])
    i = i + 1
    if #its.open == TOGETHER then prove(its) end
  end
  prove(its)
  return its.found, shapes[i] and i or nil
end

-- }====================================================================

return M
