-- Random programs compute the same with rules as without: all types, sealed late
-- and early, loops of any shape, dead branches, traps. Half of their instructions
-- match patterns of rules. A mistake may need several rules, each of which is right, so
-- there are random sets of rules, too (a long search: RUNS=100000).
local assert = require "spec.support.assert"
local arithmetic = require "spec.support.arithmetic"
local patterns = require "spec.support.patterns"
local phial = require "phial"
local prop = require "spec.support.prop"
local random_rules = require "spec.support.random_rules"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"
local under = require "spec.support.under"
local variants = require "spec.support.variants"

local STEPS = 60
local SEALS = { "late", "early", "counted" }
local RULES = patterns.read(patterns.standard())

-- What a call returns, or why it trapped.
local function outcome(f, ...)
  local ok, it = pcall(f, ...)
  if ok then return it end
  return type(it) == "table" and it.trap or error(it, 0)
end

-- What the function returns and what it has shown.
local function run(program, opts)
  local shown = { n = 0 }
  local fn = arithmetic.build(program, function(...) shown = table.pack(...) end, opts)
  local limits = { fuel = STEPS }
  local result = outcome(semantics.run, fn, limits, table.unpack(program.values))
  return fn, result, shown
end

local function check_same(fn, what, expected, got)
  if not results.same(expected, got) then
    error(("%s is %s, not %s\n%s"):format(what, tostring(got), tostring(expected), fn), 0)
  end
end

-- Checks that what each statement has become, if it is an instruction, has its node.
local function check_nodes(nodes)
  for node, value in ipairs(nodes) do
    local there, block = pcall(function() return value and value:block() end)
    local found = not there or not block
    for _, it in ipairs(not found and value:nodes() or {}) do found = found or it == node end
    if not found then error(("%s lacks node %d"):format(value, node), 0) end
  end
end

-- Checks that it computes the same with these rules; returns the function.
local function check_result(case, rules)
  local opts = { rules = rules, seal = case.seal, construction = case.construction,
    refine = case.refine, split = case.split, keep_unreachable = case.keep, nodes = {} }
  local _, expected, shown = run(case.program)
  if expected == "out of fuel" then return end
  local fn, got, saw = run(case.program, opts)
  check_same(fn, "the result", expected, got)
  for i = 1, shown.n do check_same(fn, "x" .. i, shown[i], saw[i]) end
  assert(fn:is_minimal())
  assert(fn:is_pruned())
  check_nodes(opts.nodes)
  return fn
end

-- The same, and that it is fully simplified.
local function check(case, rules)
  local fn = check_result(case, rules)
  if fn and fn:clean { rules = true }.rules > 0 then
    error("simplified once more: " .. fn:text())
  end
  return fn
end

local function generate(pick, rules, opts, most)
  local seal, construction = SEALS[pick(#SEALS)], variants[pick(#variants)]
  return setmetatable({
    seal = seal, construction = construction,
    program = arithmetic.generate(pick, most or 8, rules, opts),
    refine = pick(3) == 1, split = pick(2) == 1, keep = pick(3) == 1,
  }, { __tostring = function(case)
    return ("%s\n%s\n%s"):format(seal, case.text or "", case.program)
  end })
end

-- A program that matches the patterns of random rules, as often as those of the default
-- ones, and these rules.
local function generate_with_rules(pick)
  local text, functions, plain = random_rules.generate(pick)
  local own, patterns_of_both = patterns.read("\n" .. plain), {}
  for i, rule in ipairs(RULES) do
    table.insert(patterns_of_both, rule)
    table.insert(patterns_of_both, own[i % #own + 1])
  end
  -- without the default rules, branches stay whose targets are one block
  local is_alone = pick(3) == 1
  local is_large = is_alone or pick(4) == 1
  local case = generate(pick, patterns_of_both, { dense = true }, is_large and 8 or 1)
  case.text, case.functions, case.base = text, functions, is_alone and "" or "int"
  case.refine, case.split = case.refine or is_alone, case.split or is_alone
  return case
end

describe("a random program", function()
  it("computes the same when it is folded and equal values are merged", function()
    local empty = phial.rules()
    prop.forall(generate, function(case) check(case, empty) end)
  end)

  it("computes the same with the default rules", function()
    local int = phial.rules "int"
    prop.forall(function(pick) return generate(pick, RULES) end,
      function(case) check(case, int) end)
  end)

  it("computes the same with the default rules and a set of random ones", function()
    prop.forall(generate_with_rules, function(case)
      check_result(case, phial.rules(case.base):add(case.text, case.functions))
    end)
  end)
end)

-- Instances of a pattern.
local ENOUGH <const> = under.valgrind and 3 or under.brief and 8 or 30

describe("each default rule", function()
  local int = phial.rules "int"
  local hits = {}

  -- The pattern in a function of its own.
  local function try(pick, rule)
    local params = {}
    local tree = patterns.instance(pick, rule, function(type)
      params[#params + 1] = type
      return { var = #params, type = type }
    end)
    if not tree then return end
    local program = { vars = params, values = {}, blocks = { { targets = {}, tree } } }
    tree.to = #params + 1
    params[tree.to] = tree.type
    for v, type in ipairs(params) do program.values[v] = arithmetic.constant(pick, type) end
    local fn = check({ program = program }, int)
    for name, n in pairs(fn:stats().rules) do hits[name] = (hits[name] or 0) + n end
  end

  it("constants among alternatives are met, each", function()
    local rule = patterns.read "\nr: x:i8 & [0|-1|C] => x"[1]
    local met = {}
    math.randomseed(1)
    for _ = 1, 500 do
      local tree = patterns.instance(math.random, rule, function(type) return { type = type } end)
      met[tree[2].const] = true
    end
    assert(met[0] and met[-1] and met[64])
  end)

  for _, rule in ipairs(RULES) do
    it(("applies and is right: %s"):format(rule.name), function()
      math.randomseed(1)
      for i = 1, 2000 do
        if i > ENOUGH and hits[rule.name] then break end
        try(math.random, rule) -- sometimes with another literal: then it must not
      end
      assert(hits[rule.name], "it never applies")
    end)
  end
end)
