-- fn:leave on random functions: executed by locations and moves they compute what
-- they compute as SSA form, no two values in a location interfere, and coalescing never
-- leaves more moves.
local assert = require "spec.support.assert"
local arithmetic = require "spec.support.arithmetic"
local interpret = require "spec.oracle.programs"
local oracle = require "spec.oracle.leaving"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local results = require "spec.support.results"

local STEPS = 40

local WAYS = {
  { coalesce = true }, { coalesce = false }, { coalesce = true, split = true },
  { coalesce = false, split = true },
}

local function finished(p, copies)
  local fn = programs.build(p, { copies = copies, runs = true })
  fn:finish()
  return fn
end

local function program(pick) return programs.generate(pick) end

describe("a random program that has left SSA form", function()
  it("shows what it shows over its variables", function()
    prop.forall(program, function(p)
      for _, copies in ipairs { false, true } do
        local fn = finished(p, copies)
        for _, opts in ipairs(WAYS) do
          local shown = programs.watch()
          -- blocks on edges that were split take fuel, but show nothing
          results.outcome(oracle.run, fn, fn:leave(opts), 2 * STEPS)
          local expected = interpret.variables(p, STEPS)
          for i = 1, math.min(#shown, #expected) do assert.equal(expected[i], shown[i]) end
        end
        local d = fn:leave()
        local shown = programs.watch()
        results.outcome(oracle.run, fn, d, 2 * STEPS)
        local again = programs.watch()
        results.outcome(fn, { fuel = 2 * STEPS })
        assert.same(again, shown)
      end
    end)
  end)

  it("has no two values in a location that interfere", function()
    prop.forall(program, function(p)
      for _, copies in ipairs { false, true } do
        local fn = finished(p, copies)
        for _, split in ipairs { false, true } do
          local d = fn:leave { split = split }
          oracle.check(fn, d)
          oracle.check_types(fn, d)
        end
      end
    end)
  end)

  it("has no more moves for coalescing", function()
    local left, all = 0, 0
    prop.forall(program, function(p)
      for _, copies in ipairs { false, true } do
        local fn = finished(p, copies)
        local with = oracle.total(fn, fn:leave())
        local without = oracle.total(fn, fn:leave { coalesce = false })
        if with > without then error(("%d moves, %d without"):format(with, without), 0) end
        left, all = left + with, all + without
      end
    end)
    assert.is_true(left < all)
  end)

  it("has critical edges with moves where it says so, until they are split", function()
    prop.forall(program, function(p)
      local fn = finished(p)
      for _, coalesce in ipairs { true, false } do
        local d, told = fn:leave { coalesce = coalesce }, {}
        for i, edge in ipairs(d:critical_edges()) do
          told[i] = ("%s %s %d"):format(edge.from, edge.to, edge.nth)
          told[told[i]] = true
        end
        local count = 0
        oracle.each_edge(fn, function(from, to, nth)
          local critical = #from:succs() > 1 and #to:preds() > 1
          if critical and #d:moves(from, to, nth) > 0 then
            assert.is_true(told[("%s %s %d"):format(from, to, nth)])
            count = count + 1
          end
        end)
        assert.equal(#told, count)
        assert.same({}, fn:leave { coalesce = coalesce, split = true }:critical_edges())
        assert(fn:verify())
      end
    end)
  end)
end)

describe("a random function that has left SSA form", function()
  it("computes what it computes in SSA form", function()
    prop.forall(arithmetic.generate, function(p)
      local shown
      local function show(...) shown = table.pack(...) end
      local fn = arithmetic.build(p, show)
      local function run(f, ...)
        shown = { n = 0 }
        return results.outcome(f, ...), shown
      end
      local args = table.move(p.values, 1, #p.values, 1, {})
      args[#args + 1] = { fuel = STEPS }
      local expected, seen = run(fn, table.unpack(args))
      for i, opts in ipairs { { coalesce = true }, { coalesce = false } } do
        local d = fn:leave(opts)
        if opts.coalesce then oracle.check(fn, d) end
        local got, saw = run(oracle.run, fn, d, STEPS, table.unpack(p.values))
        if not results.same(expected, got) then
          error(("%d: %s, not %s"):format(i, tostring(got), tostring(expected)), 0)
        end
        for k = 1, seen.n do assert.is_true(results.same(seen[k], saw[k])) end
      end
    end)
  end)
end)
