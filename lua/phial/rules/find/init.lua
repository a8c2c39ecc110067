--- Rules that are found: R:best for a term, R:find for what code has often, harvest.lua. A term has
-- the cheapest form that the bank makes, bank.lua; of both, or of the rule that R:generalise is
-- given, a rule is made that is as general as holds, general.lua.
local bank = require "phial.rules.find.bank"
local core = require "phial.core"
local errors = require "phial.errors"
local general = require "phial.rules.find.general"
local harvest = require "phial.rules.find.harvest"
local options = require "phial.options"
local terms = require "phial.rules.find.term"

local M = {}

-- {== Reading ==========================================================

---@class phial.rules.Read
---@field names string[] of values and constants
---@field is_truth table<string, boolean> of them, by name
---@field is_constant table<string, boolean>
---@field literals integer[] of integer type

-- What a type of a rule is: a condition if it can be nothing else.
local function kind_of(rule, type)
  local allowed = rule.types[type]
  for _, name in ipairs(allowed) do
    if name:find "^i" and name ~= "i1" then return "t" end
  end
  return allowed[1] == "i1" and "i1"
    or errors.raise("only terms of integers have a best form, this is a %s", allowed[1])
end

local function note_leaf(read, node, kind)
  if node.kind == "literal" then
    local value = node.value == true and 1 or node.value or 0
    if kind == "t" then read.literals[#read.literals + 1] = value end
    return
  end
  if node.kind ~= "value" and node.kind ~= "constant" then
    errors.raise("'%s' has no best form: values, constants, literals and ops have", node.kind)
  end
  if read.is_truth[node.name] == nil then read.names[#read.names + 1] = node.name end
  read.is_truth[node.name] = kind == "i1"
  read.is_constant[node.name] = node.kind == "constant"
end

local function note(read, rule, node)
  if node.kind ~= "op" then return note_leaf(read, node, kind_of(rule, node.type)) end
  if node.op ~= "select" and not terms.ops[node.op] then
    errors.raise("op '%s' is not one of those for which forms are found", node.op)
  end
  for _, kid in ipairs(node) do note(read, rule, kid) end
end

-- The term of a tree at points.
local function term_of(points, rule, node)
  if node.kind == "literal" then
    local kind, value = kind_of(rule, node.type), node.value
    if kind == "i1" then value = value == true and 1 or value == false and 0 or value end
    return terms.leaf(points, tostring(node.value), kind, value)
  end
  if node.kind ~= "op" then
    local leaf = terms.leaf(points, node.name, points.is_truth[node.name] and "i1" or "t")
    if node.kind == "constant" then leaf.weight, leaf.constant = 0, true end
    return leaf
  end
  local args = {}
  for i, kid in ipairs(node) do args[i] = term_of(points, rule, kid) end
  return terms.apply(points, node.op, table.unpack(args))
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
    if a > 0 and a < 63 then table.move({ 1 << a, (1 << a) - 1 }, 1, 2, #list + 1, list) end
  end
  return list
end

-- The leaves of the bank.
local function leaves_of(read, points)
  local list = { terms.leaf(points, "false", "i1", 0), terms.leaf(points, "true", "i1", 1) }
  local constants = {}
  for _, value in ipairs(suggest(read.literals)) do
    list[#list + 1] = terms.leaf(points, tostring(value), "t", value)
  end
  for _, name in ipairs(read.names) do
    local leaf = terms.leaf(points, name, read.is_truth[name] and "i1" or "t")
    list[#list + 1] = leaf
    if read.is_constant[name] then
      leaf.weight, leaf.constant, constants[#constants + 1] = 0, true, leaf
    end
  end
  for _, a in ipairs(constants) do
    for _, b in ipairs(a.type == "t" and constants or {}) do
      for _, op in ipairs { "add", "sub", "band", "bor", "bxor" } do
        local term = terms.apply(points, op, a, b)
        term.weight, term.ops, term.constant = 0, 0, true
        list[#list + 1] = term
      end
    end
  end
  list[#list + 1] = terms.leaf(points, "INT_MIN", "t", function(w) return 1 << w - 1 end)
  list[#list + 1] = terms.leaf(points, "INT_MAX", "t", function(w) return (1 << w - 1) - 1 end)
  for _, leaf in ipairs(list) do leaf.value = math.tointeger(tonumber(leaf.text)) end
  return list
end

-- }== The best form ====================================================

-- Searches of which each but the last has found what a solver refutes.
local TRIES <const> = 8

-- The most general rule from a term to a form; nil: none holds.
local function general_rule(read, trial, term, form)
  local text, verdict = general.rule(trial, term, form, read.is_truth)
  return text and {
    form = form.text, rule = text, verdict = verdict, saves = term.weight - form.weight,
  } or nil
end

-- The forms that the bank makes, as rules, the first that holds.
local function search(read, rule, trial, size)
  local points = terms.points(read.names, read.is_truth, read.literals, trial.samples)
  local term = term_of(points, rule, rule.pattern)
  local its = bank.new(points, leaves_of(read, points))
  local found = bank.find(its, term.type, term.vector, term.weight - 1, size)
  local refuted = #trial.samples
  for i, form in ipairs(found) do
    if i > TRIES then break end
    local it = general_rule(read, trial, term, form)
    if it then return it end
  end
  return nil, #trial.samples > refuted
end

local function read_rule(method, text)
  local rules = core.rules(text):rules()
  local rule, read = rules[1], { names = {}, is_truth = {}, is_constant = {}, literals = {} }
  if #rules ~= 1 then errors.arg(method, 1, "one rule", text) end
  note(read, rule, rule.pattern)
  return rule, read
end

local function trial_of(opts)
  return { samples = {}, solver = opts.solver or "z3", seconds = opts.seconds or 5 }
end

local function best(text, opts)
  local rule, read = read_rule("best", ("%s => %s @ unoriented, unsafe \"\""):format(text, text))
  local trial = trial_of(opts)
  for _ = 1, TRIES do
    local found, again = search(read, rule, trial, opts.size or 3)
    if found or not again then return found end
  end
end

local BEST <const> = { solver = "string", seconds = "number", size = "integer" }

-- The options of a method that is given a text.
local function checked(method, R, text, opts)
  if errors.class(R) ~= "phial.Rules" then errors.self(method, "phial.Rules", R) end
  errors.check_string(method, 1, text)
  return options.argument(method, 2, opts, BEST)
end

--- R:best(text, opts)
function M.best(R, text, opts) return best(text, checked("best", R, text, opts)) end

--- R:generalise(text, opts)
function M.generalise(R, text, opts)
  opts = checked("generalise", R, text, opts)
  local rule, read = read_rule("generalise", text)
  if rule.guard then
    errors.arg("generalise", 1, "a rule without a guard", text, "guards are found")
  end
  note(read, rule, rule.result)
  local points = terms.points(read.names, read.is_truth, read.literals, {})
  return general_rule(read, trial_of(opts), term_of(points, rule, rule.pattern),
    term_of(points, rule, rule.result))
end

-- }== What code has often ==============================================

-- The most ops of a shape.
local OPS <const> = 4

local HARVEST <const> = { functions = "list", least = { 1 } }
local FIND <const> = options.union(HARVEST, BEST, { from = { 1 }, limit = "number" })

-- The options, and the shapes that the set leaves as they are.
local function harvested(method, R, opts, known)
  if errors.class(R) ~= "phial.Rules" then errors.self(method, "phial.Rules", R) end
  opts = options.argument(method, 1, opts, known)
  if not opts.functions then errors.raise("option 'functions': a list of functions expected") end
  for i, fn in ipairs(opts.functions) do
    if errors.class(fn) ~= "phial.Function" then
      errors.raise("option 'functions'[%d]: phial.Function expected, got %s", i, errors.got(fn))
    end
    errors.check_finished(fn, "be searched")
  end
  local list = {}
  for _, shape in ipairs(harvest.shapes(opts.functions, OPS, opts.least or 2)) do
    if not harvest.shrinks(R, shape) then list[#list + 1] = shape end
  end
  return opts, list
end

--- R:shapes(opts)
function M.shapes(R, opts)
  local _, list = harvested("shapes", R, opts, HARVEST)
  return list
end

--- R:find(opts)
function M.find(R, opts)
  local shapes
  opts, shapes = harvested("find", R, opts, FIND)
  local found, all, start = {}, core.rules():include(R), os.clock()
  for i = opts.from or 1, #shapes do
    if opts.limit and os.clock() - start >= opts.limit then return found, i end
    local shape = shapes[i]
    local it = not harvest.shrinks(all, shape) and best(shape.text, opts)
    if it and harvest.shrinks(core.rules(it.rule), shape) then
      all:add(it.rule)
      it.shape, found[#found + 1] = shape, it
    end
  end
  return found
end

-- }====================================================================

return M
