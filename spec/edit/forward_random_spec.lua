-- fn:forward() on random functions: they compute the same, in minimal and pruned SSA form.
local arithmetic = require "spec.support.arithmetic"
local classes = require "spec.support.class_programs"
local phial = require "phial"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local STEPS = 400

-- What fn gives by the oracle, which also ends if fn does not.
local function interpreted(fn, program)
  return results.outcome(semantics.run, fn, { fuel = STEPS }, table.unpack(program.values))
end

local function check(program, opts, promote)
  opts.result, opts.leave = "i64", arithmetic.digest
  local fn = arithmetic.build(program, nil, opts)
  local expected = interpreted(fn, program)
  if promote then fn:promote() end
  local done = fn:forward()
  assert(fn:verify())
  assert.is_true(fn:is_minimal())
  assert.is_true(fn:is_pruned())
  if expected == "out of fuel" then return done end
  results.check(expected, interpreted(fn, program), "interpreted")
  results.check(expected, results.outcome(fn, table.unpack(program.values)), "run")
  return done
end

describe("fn:forward() of a random function", function()
  local int = phial.rules "int"
  for _, memory in ipairs { true, "fixed" } do
    it("computes the same, at offsets that are " .. tostring(memory), function()
      local loads, stores, phis = 0, 0, 0
      prop.forall(function(pick)
        return arithmetic.generate(pick, nil, nil, { memory = memory, no_nans = true })
      end, function(program)
        for _, done in ipairs {
          check(program, { rules = false }), check(program, { rules = int, slots = true }),
          check(program, { rules = int, slots = true }, true),
        } do
          loads, stores, phis = loads + done.loads, stores + done.stores, phis + done.phis
        end
      end)
      assert.is_true(loads > 0 and stores > 0 and phis > 0)
    end)
  end

  it("computes the same, with classes and addresses that are chosen", function()
    local function outcome(run, ...)
      classes.reset()
      return results.outcome(run, ...)
    end
    prop.forall(classes.generate, function(program)
      local fn = classes.build(program, false).fn
      local expected = outcome(semantics.run, fn, {}, program.x)
      fn:forward()
      assert(fn:verify())
      assert.is_true(fn:is_minimal())
      results.check(expected, outcome(fn, program.x), "run")
      fn:close()
    end)
  end)
end)
