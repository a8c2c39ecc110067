-- fn:promote on random functions: they compute the same, in minimal and pruned SSA form, and
-- variables in memory become what they are if they are variables from the beginning.
local arithmetic = require "spec.support.arithmetic"
local phial = require "phial"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"
local variants = require "spec.support.variants"

local STEPS = 400

local function build(program, opts)
  opts.result, opts.leave = "i64", arithmetic.digest
  return arithmetic.build(program, nil, opts)
end

local function count(fn, op)
  local n = 0
  for v in fn:values() do
    if op == nil or v:op() == op then n = n + 1 end
  end
  return n
end

local function check_form(fn)
  assert(fn:verify())
  assert.is_true(fn:is_minimal())
  assert.is_true(fn:is_pruned())
end

-- Promotes fn; by the oracle and as Lua it gives what it gave.
local function check_same(fn, program)
  local expected = results.outcome(semantics.run, fn, { fuel = STEPS },
    table.unpack(program.values))
  local counts = fn:promote()
  check_form(fn)
  if expected ~= "out of fuel" then
    results.check(expected, results.outcome(semantics.run, fn, { fuel = 2 * STEPS },
      table.unpack(program.values)), "interpreted")
    results.check(expected, results.outcome(fn, table.unpack(program.values)), "run")
  end
  return counts
end

describe("fn:promote() of a random function", function()
  local int = phial.rules "int"

  it("gives the phis and instructions that variables give", function()
    prop.forall(arithmetic.generate, function(program)
      local wanted = build(program, { rules = false })
      wanted:clean { dead = true }
      for _, variant in ipairs(variants) do
        local fn = build(program, { rules = false, slots = true, construction = variant })
        local counts = check_same(fn, program)
        assert.equal(0, count(fn, "alloca"))
        assert.equal(0, count(fn, "load"))
        fn:clean { dead = true }
        assert.equal(count(wanted, "phi"), count(fn, "phi"))
        assert.equal(count(wanted), count(fn))
        assert.same({ allocas = 0, fields = 0, loads = 0, writes = 0, phis = 0 }, fn:promote())
        assert.is_true(counts.allocas > 0)
      end
    end)
  end)

  it("computes the same with rules", function()
    prop.forall(arithmetic.generate, function(program)
      check_same(build(program, { rules = int, slots = true }), program)
    end)
  end)

  for _, memory in ipairs { true, "fixed" } do
    it("computes the same with records, at offsets that are " .. tostring(memory), function()
      prop.forall(function(pick)
        return arithmetic.generate(pick, nil, nil, { memory = memory, no_nans = true })
      end, function(program)
        check_same(build(program, { rules = false }), program)
        check_same(build(program, { rules = int, slots = true }), program)
      end)
    end)
  end
end)
