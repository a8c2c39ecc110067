-- Random functions in which several edges between the same two blocks bring phis unlike operands,
-- as edits make them: whatever changes the functions keeps what they compute.
local arithmetic = require "spec.support.arithmetic"
local keeping = require "spec.support.keeping"
local phial = require "phial"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local STEPS = 400

-- Rules of terminators; each keeps what is taken.
local RULES = phial.rules [[
  branch(~c, T, F) => branch(c, F, T)
  branch(_, T, T) => jump(T)
  switch(_, D) => jump(D)
  switch(_, D, _, D) => jump(D)
  switch(x, D, K, T) => branch(x == K, T, D) @ unoriented, always
  switch(x, D, J, D, K, T) => switch(x, D, K, T) @ unoriented
  switch(x, D, J, S, K, D) => switch(x, D, J, S) @ unoriented
  switch(x, D, J, S, K, T) => switch(x, D, K, T, J, S) if J < K @ unoriented
]]

local SETS = { phial.rules "int", RULES, phial.rules() }

local function generate(pick)
  local case = arithmetic.generate(pick, nil, nil, { ticks = 4 })
  case.rules, case.draws = SETS[pick(#SETS)], {}
  for i = 1, 60 do case.draws[i] = pick(60) end
  return case
end

-- The function, with edges made parallel; slots: its variables are memory.
local function edited(case, slots)
  local fn, k = arithmetic.build(case, nil, { rules = case.rules, slots = slots,
    result = "i64", leave = arithmetic.digest }), 0
  local function draw(n)
    k = k % #case.draws + 1
    return case.draws[k] % n + 1
  end
  for _ = 1, 4 do
    keeping.fork(fn, draw)
    keeping.bypass(fn, draw)
  end
  return fn
end

local changes = {}

function changes.rules(fn)
  fn:clean { rules = true }
  assert.same({ rules = 0 }, fn:clean { rules = true })
end

function changes.everything(fn) fn:clean() end

function changes.text(fn)
  local text = fn:text()
  assert.equal(text, assert(phial.parse(text)):text())
  return assert(phial.parse(text))
end

function changes.split(fn) fn:leave { split = true } end

function changes.promote(fn) fn:promote() end

describe("edges between the same two blocks", function()
  for name, change in pairs(changes) do
    it(("keep what a function computes: %s"):format(name), function()
      prop.forall(generate, function(case)
        local fn = edited(case, name == "promote")
        assert(fn:verify())
        local function outcome(f)
          return results.outcome(semantics.run, f, { fuel = STEPS }, table.unpack(case.values))
        end
        local expected = outcome(fn)
        fn = change(fn) or fn
        assert(fn:verify())
        if expected ~= "out of fuel" then results.check(expected, outcome(fn)) end
      end)
    end)
  end
end)
