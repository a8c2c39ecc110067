-- fn:forward() on random functions: they compute the same, in minimal and pruned SSA form.
local classes = require "spec.support.class_programs"
local memory = require "spec.support.memory_programs"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local function check_form(fn)
  assert(fn:verify())
  assert.is_true(fn:is_minimal())
  assert.is_true(fn:is_pruned())
end

-- What a module computes, by input.
local function outcomes(m)
  local list = {}
  for i, input in ipairs(memory.INPUTS) do
    local instance = m:instance()
    list[i] = results.outcome(instance.call, instance, "top", table.unpack(input))
  end
  return list
end

describe("fn:forward() of a random function", function()
  for _, promoted in ipairs { false, true } do
    it(promoted and "computes the same after fn:promote()" or "computes the same", function()
      local loads, stores, phis = 0, 0, 0
      prop.forall(memory.generate, function(items)
        local m, fn = memory.build(items)
        local expected = outcomes(m)
        if promoted then fn:promote() end
        local done = fn:forward()
        check_form(fn)
        for i, got in ipairs(outcomes(m)) do results.check(expected[i], got, "input " .. i) end
        loads, stores, phis = loads + done.loads, stores + done.stores, phis + done.phis
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
      check_form(fn)
      results.check(expected, outcome(fn, program.x), "run")
      fn:close()
    end)
  end)
end)
