--- Rules that are found: R:best for a term, R:find for many, shapes.lua. A term has the cheapest
-- form that the bank makes, bank.lua; of both, or of the rule that R:generalise is given, a rule is
-- made that is as general as holds, general.lua.
local bank = require "phial.rules.find.bank"
local core = require "phial.core"
local errors = require "phial.errors"
local general = require "phial.rules.find.general"
local options = require "phial.options"
local portable = require "phial.portable"
local shapes = require "phial.rules.find.shapes"
local terms = require "phial.rules.find.term"

local M = {}

-- {== Reading ==========================================================

-- What a type of a rule is for a term: "t" for integers, a condition if it can be nothing else.
local function kind_of(read, type)
  local allowed, widths = read.rule.types[type], {}
  for _, name in ipairs(allowed) do widths[#widths + 1] = tonumber(name:match "^i(%d+)$") end
  if widths[1] and widths[#widths] > 1 then
    local width = not widths[2] and widths[1] or read.width
    if width ~= (read.width or width) then errors.raise "terms have integers of one width" end
    read.width = width
    return "t"
  elseif not (widths[1] or read.samples[allowed[1]]) then
    errors.raise("only terms of integers have a best form, this is a %s", allowed[1])
  end
  return allowed[1]
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
  if node.kind == "op" then
    form_of(read, node)
    for _, kid in ipairs(node) do note(read, kid) end
    return
  end
  local kind, name = kind_of(read, node.type), node.name
  if node.kind == "value" or node.kind == "constant" then
    if not read.kinds[name] then read.names[#read.names + 1] = name end
    read.kinds[name], read.is_constant[name] = kind, node.kind == "constant"
  elseif node.kind == "literal" then
    if kind == "t" then read.literals[#read.literals + 1] = node.value end
  elseif not terms.ends[node.kind:upper()] then
    errors.raise("'%s' has no best form: values, constants, literals and ops have", node.kind)
  end
end

-- A value or a constant.
local function variable(read, points, name)
  local leaf = terms.leaf(points, name, read.kinds[name])
  if read.is_constant[name] then leaf.weight, leaf.constant = 0, true end
  return leaf
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
  if node.kind ~= "op" then return variable(read, points, node.name) end
  local args = {}
  for i, kid in ipairs(node) do args[i] = term_of(points, read, kid) end
  return terms.apply(points, form_of(read, node), table.unpack(args))
end

-- }== The best form ====================================================

-- The leaves of the bank.
local function leaves_of(read, points)
  local list = { terms.leaf(points, "false", "i1", false), terms.leaf(points, "true", "i1", true) }
  local constants = {}
  for _, value in ipairs(general.suggest(read.literals)) do
    list[#list + 1] = terms.leaf(points, tostring(value), "t", value)
  end
  for _, name in ipairs(read.names) do
    local leaf = variable(read, points, name)
    list[#list + 1] = leaf
    if leaf.constant then constants[#constants + 1] = leaf end
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

-- Those that terms are compared at.
local POINTS <const> = 320

-- Searches of which each but the last has found what a solver refutes; forms that each judges.
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
  local key = { table.concat(read.literals, " "), table.unpack(portable.sorted(read.forms)) }
  for _, name in ipairs(read.names) do key[#key + 1] = name .. ":" .. read.kinds[name] end
  key = table.concat(key, " ")
  for _, its in ipairs(read.samples[1] and {} or read.banks) do
    if its.key == key then return its end
  end
  local points = terms.points(read, POINTS)
  local its = bank.new(points, leaves_of(read, points), forms_of(read))
  its.key, read.banks[BANKS] = key, nil
  table.insert(read.banks, 1, its)
  return its
end

-- The term has a line of its own, which is all that a message shows.
local function as_rule(term) return term .. "\n=>\n" .. term .. ' @ unoriented, unsafe ""' end

-- What a text of one rule has; none: only what the option `ops` has.
local function read_rule(method, R, text, opts)
  local trial = general.trial(R, (text or "") .. "\n" .. (opts.ops or ""), opts)
  local read = {
    trial = trial, samples = trial.samples, names = {}, kinds = {}, is_constant = {},
    literals = {}, forms = {}, banks = opts.banks or {},
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

-- The rule for the first form that holds, of those that the bank makes. Values that refute all are
-- new points for the next search.
local function best(R, text, opts)
  local read = read_rule("best", R, as_rule(text), opts)
  for _ = 1, TRIES do
    local its, refuted = bank_of(read), #read.samples
    local term = term_of(its.points, read, read.rule.pattern)
    local found = bank.find(its, term.type, term.vector, term.weight - 1, opts.size or 3)
    for i = 1, math.min(#found, TRIES) do
      local it = general_rule(read, term, found[i])
      if it then return it end
    end
    if #read.samples == refuted then return nil end
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
  local points = terms.points(read, 1)
  return general_rule(read, term_of(points, read, read.rule.pattern),
    term_of(points, read, read.rule.result))
end

--- R:generalise(text, opts)
function M.generalise(R, text, opts)
  return generalise(R, text, checked("generalise", R, text, opts))
end

-- }== Shapes ===========================================================

local OPS <const> = 4 -- the most that a shape has
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
  return shapes.harvest(opts.functions, OPS, opts.least or 2, opts.samples)
end

-- Shapes of terms of the ops that `enumerate` names; without it, of those of the option `ops`, or
-- else of all.
local function enumerated(R, opts)
  local how = options.take("option 'enumerate': ", opts.enumerate, ENUMERATE)
  local forms, has, read = {}, {}, read_rule("find", R, nil, opts)
  local all = forms_of(read)
  for _, t in ipairs { "t", "i1" } do all[#all + 1] = terms.form("select", { "i1", t, t }) end
  for _, form in ipairs(all) do
    local is_used = form.dialects or not opts.ops
    if how.ops then is_used = (" %s "):format(how.ops):find(" " .. form.op .. " ", 1, true) end
    forms[#forms + 1], has[form.op] = is_used and form or nil, true
  end
  for op in (how.ops or ""):gmatch "%S+" do
    if not has[op] then errors.raise("option 'enumerate': terms have no op '%s'", op) end
  end
  for it in (how.literals or ""):gmatch "%S+" do
    if not (math.tointeger(it) or terms.ends[it]) then
      errors.raise("option 'enumerate': a literal expected, got '%s'", it)
    end
  end
  return shapes.enumerate(forms, how.size or 2, how.vars or 2, how.literals, opts.samples,
    read.width)
end

-- The options, and the shapes that the set leaves as they are.
local function missed(method, R, opts, known)
  opts = take(method, R, 1, opts, known)
  local list = {}
  for _, shape in ipairs(opts.enumerate and enumerated(R, opts) or harvested(opts)) do
    list[#list + 1] = not shapes.is_done(R, shape) and shape or nil
  end
  return opts, list
end

--- R:shapes(opts)
function M.shapes(R, opts) return select(2, missed("shapes", R, opts, HARVEST)) end

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
  local it = not shapes.is_done(its.all, shape) and rule_for(its, shape)
  if it and not its.texts[it.rule]
    and shapes.is_done(general.trial(its.R, it.rule, {}).set(it.rule), shape) then
    its.all:add(it.rule)
    it.shape, its.found[#its.found + 1], its.texts[it.rule] = shape, it, true
    if not it.verdict then its.open[#its.open + 1] = it end
  end
end

-- Proves what was found. Where that fails, another rule is searched for, except for an enumerated
-- term whose rule is left open: the next of the many terms takes less time.
local function prove(its)
  general.prove(its.R, its.open, its.opts)
  local proved, again = {}, {}
  for _, it in ipairs(its.found) do
    local list = it.verdict and proved or again
    list[#list + 1] = it
  end
  its.found, its.open, its.opts.later = proved, {}, false
  its.all = core.rules():include(its.R)
  for _, it in ipairs(proved) do its.all:add(it.rule) end
  for _, it in ipairs(again) do
    its.texts[it.rule] = nil
    if not (it.shape.form and its.opts.known_open[it.rule]) then try(its, it.shape) end
  end
  its.opts.later = true
end

--- R:find(opts)
function M.find(R, opts)
  local list
  opts, list = missed("find", R, opts, FIND)
  opts.later, opts.banks, opts.known_open = true, {}, {}
  local its = { R = R, opts = opts, all = core.rules():include(R), found = {}, open = {},
    texts = {} }
  local start, i = os.clock(), opts.from or 1
  while list[i] and not (opts.limit and os.clock() - start >= opts.limit) do
    try(its, list[i])
    i = i + 1
    if #its.open == TOGETHER then prove(its) end
  end
  prove(its)
  return its.found, list[i] and i or nil
end

-- }====================================================================

return M
