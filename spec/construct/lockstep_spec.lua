-- Lock-step semantics: a program and its SSA form are executed at once, and after each step
-- the value of each variable is that of its SSA name (Ullrich, Verified Construction of
-- Static Single Assignment Form, theorem `equiv`). All variants and classical algorithms.
-- (examples/while/spec/construction_spec.lua does so for While programs.)
local assert = require "spec.support.assert"
local follow = require("spec.oracle.lockstep").follow
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local variants = require "spec.support.variants"

local SEALS = { "early", "finish", "random", "count" }
local CLASSICAL = require "spec.support.classical"
local BLOCKS, PATHS = 30, 3 -- of a path; of a program

-- {== Random paths ======================================================

local function program(pick) return programs.pruned(programs.generate(pick, 8)) end

-- Calls check(fn) for the SSA forms of a program.
local function each_form(p, opts, check)
  local record
  local function start(fn) record = record or phial.record(fn) end
  for _, construction in ipairs(variants) do
    for _, seal in ipairs(SEALS) do
      local fn <close> = programs.build(p, {
        construction = construction, seal = seal, copies = opts.copies, states = opts.states,
        started = start,
      })
      fn:finish()
      check(fn)
    end
  end
  for _, algorithm in ipairs(CLASSICAL) do
    local fn <close> =
      assert(phial.replay(record, {
        construction = algorithm, dialects = { programs.dialect },
      }))
    check(fn)
  end
end

local function on_random_paths(opts)
  local compared = 0
  prop.forall(program, function(p)
    each_form(p, opts, function(fn)
      for _ = 1, PATHS do compared = compared + follow(p, fn, math.random, BLOCKS) end
    end)
  end, 20)
  assert.is_true(compared > 0)
end

describe("along random paths, after each step", function()
  it("all variables have the values of their names", function()
    on_random_paths { states = true }
  end)

  it("all variables have the values of their names, with a copy for each write", function()
    on_random_paths { states = true, copies = true }
  end)

  it("the variables that are used have the values of their names", function()
    on_random_paths {}
  end)
end)

describe("the comparison of lock-step", function()
  it("fails if a name is wrong", function()
    local p = { vars = 2, blocks = { { { op = "init", var = 1 }, { op = "init", var = 2 },
      { op = "use", a = 1 }, cond = 2, targets = {} } } }
    local fn = programs.build(p)
    fn:finish()
    assert.equal(2, follow(p, fn, math.random, BLOCKS))
    local first, _, use = table.unpack(fn:entry():insts())
    use:set_arg(1, fn:entry():insts()[2])
    raises.matching("^step 3, b1: v1 is 1, its name .* is 2$", follow, p, fn, math.random, BLOCKS)
    use:set_arg(1, first)
    assert.equal(2, follow(p, fn, math.random, BLOCKS))
  end)
end)

-- }======================================================================
