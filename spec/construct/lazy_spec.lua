-- Lazy definitions: refinements and may-writes, against plain data flow over the program.
local assert = require "spec.support.assert"
local facts = require "spec.oracle.facts"
local lazy = require "spec.support.lazy"
local phial = require "phial"
local prop = require "spec.support.prop"
local variants = require "spec.support.variants"

local RUNS <const> = 15

local function each_way(check)
  return function(program)
    for _, construction in ipairs(variants) do
      for _, seal in ipairs(lazy.seals) do
        for _, rules in ipairs { false, true } do
          check(program, { construction = construction, seal = seal, rules = rules })
        end
      end
    end
  end
end

local function finished(program, opts)
  local fn = lazy.build(program, opts)
  return fn:finish()
end

-- The variables of the phis of each block.
local function phis(fn)
  local out = {}
  for b in fn:blocks() do
    local names = {}
    for i, phi in ipairs(b:phis()) do names[i] = phi:var():name() end
    table.sort(names)
    out[b:name()] = table.concat(names, " ")
  end
  return out
end

-- The same with edges split.
local function split_each_way(check)
  return each_way(function(program, opts)
    opts.split = true
    check(program, opts)
  end)
end

describe("a function with lazy definitions", function()
  it("reads what plain data flow says", function()
    prop.forall(lazy.generate, function(program)
      local expected = facts.of_program(program)
      each_way(function(_, opts)
        assert.same(expected, facts.of_function(finished(program, opts)))
      end)(program)
    end, RUNS)
  end)

  it("verifies, is minimal and pruned, and reads back from its text", function()
    prop.forall(lazy.generate, each_way(function(program, opts)
      local fn = lazy.build(program, opts)
      assert(phial.parse(fn:text(), { dialects = { lazy.dialect } }))
      fn:finish()
      assert(fn:verify())
      assert.is_true((fn:is_minimal()))
      assert.is_true((fn:is_pruned()))
      local again = assert(phial.parse(fn:text(), { dialects = { lazy.dialect } }))
      assert.equal(fn:text(), again:text())
    end), RUNS)
  end)

  it("does not depend on the order of sealing nor on the variant", function()
    prop.forall(lazy.generate, function(program)
      local first = {}
      each_way(function(_, opts)
        local text = finished(program, opts):text { ids = "dense" }
        first[opts.rules] = first[opts.rules] or text
        assert.equal(first[opts.rules], text)
      end)(program)
    end, RUNS)
  end)

  it("has the phis that it has without refinements", function()
    prop.forall(lazy.generate, each_way(function(program, opts)
      local with = phis(finished(program, opts))
      opts.refine = false
      assert.same(phis(finished(program, opts)), with)
    end), RUNS)
  end)

  it("reads what plain data flow says if edges are split", function()
    prop.forall(lazy.generate, function(program)
      local expected = facts.of_program(program, true)
      split_each_way(function(_, opts)
        local fn = finished(program, opts)
        assert.same(opts.rules and facts.of_program(program, true) or expected,
          facts.of_function(fn))
        assert.equal(0, opts.rules and 0 or fn:stats().dropped_refinements)
      end)(program)
    end, RUNS)
  end)

  it("keeps no block on an edge without a refinement", function()
    prop.forall(lazy.generate, split_each_way(function(program, opts)
      local fn = finished(program, opts)
      assert(fn:verify())
      for b in fn:blocks() do
        if not b:name() then assert.is_true(#b:insts() > 1) end
      end
    end), RUNS)
  end)
end)
