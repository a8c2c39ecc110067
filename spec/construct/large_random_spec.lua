-- Random programs of many variables with few values: more phis are trivial or redundant in
-- them, definitions are looked up in tables, and undefined variables get values that others
-- have.
local assert = require "spec.support.assert"
local interpret = require "spec.oracle.programs"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local variants = require "spec.support.variants"

local SEALS <const> = { "early", "finish", "random", "count" }
local BLOCKS <const> = 60

-- The undef function of a program. Nobody is asked what a variable is that only dead code reads,
-- if nothing kills it, since a block may not be known as dead by then.
local function asked(p)
  local may, reached = {}, programs.reached(p)
  for i, block in ipairs(p.blocks) do
    for _, op in ipairs { { a = block.cond }, table.unpack(block) } do
      if op.op == "kill" then may[op.var] = true end
      if reached[i] then may[op.a or 0], may[op.b or 0] = true, true end
    end
  end
  return function(var)
    assert.is_true(may[tonumber(var:name():match "%d+")])
    return programs.UNDEFINED
  end
end

local function generate(pick)
  local p = programs.generate_large(pick)
  p.options = { seal = SEALS[pick(#SEALS)], form = pick(2) == 1 and "short" or nil,
    current = pick(3) == 1, keep_unreachable = pick(3) == 1, copies = pick(4) == 1,
    accesses = pick(4) == 1 and true or nil, rules = pick(3) == 1 and phial.rules() or nil,
    undef = pick(2) == 1 and asked(p) or nil }
  return p
end

-- Counts the events of a function.
local function counting(opts)
  local counts = setmetatable({}, { __index = function() return 0 end })
  function opts.started(fn)
    fn:log(function(e) counts[e.event] = counts[e.event] + 1 end)
  end
  return counts
end

-- Checks that each phi of sealed blocks has two operands other than itself (Algorithm 3).
local function check_phis(blocks)
  for _, block in ipairs(blocks) do
    for _, phi in ipairs(block:is_sealed() and block:phis() or {}) do
      local first, is_trivial = nil, true
      for _, arg in ipairs(phi:args()) do
        arg = arg:now()
        if arg ~= phi then
          first = first or arg
          is_trivial = is_trivial and arg == first
        end
      end
      assert.is_false(is_trivial)
    end
  end
end

describe("a function with many variables", function()
  it("does what the program does, is minimal and pruned, and alike in all variants", function()
    prop.forall(generate, function(p)
      local expected, first = interpret.variables(p, BLOCKS), nil
      for _, construction in ipairs(variants) do
        p.options.construction = construction
        local fn = programs.build(p, p.options):finish()
        assert(fn:verify())
        assert.same(expected, interpret.ssa(fn, BLOCKS))
        assert.is_true((fn:is_minimal()))
        assert.is_true((fn:is_pruned()))
        local text = fn:text { ids = "dense" }
        first = first or text
        -- What is merged at once depends on what is known by then.
        if not p.options.rules then assert.equal(first, text) end
      end
    end, 160)
  end)

  it("has no trivial phi at any time, except in the variant that knows no users", function()
    prop.forall(generate, function(p)
      for _, construction in ipairs(variants) do
        if construction ~= "operand" then
          p.options.construction, p.options.filled = construction, check_phis
          programs.build(p, p.options)
        end
      end
    end, 40)
  end)

  it("counts what it tells of phis", function()
    prop.forall(generate, function(p)
      for _, construction in ipairs(variants) do
        p.options.construction = construction
        local counts = counting(p.options)
        local stats = programs.build(p, p.options):finish():stats()
        assert.equal(counts.trivial, stats.trivial_phis)
        assert.equal(counts.redundant, stats.redundant_phis)
      end
    end, 40)
  end)
end)
