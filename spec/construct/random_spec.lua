-- Properties of construction over random programs, checked against slow and
-- plainly right oracles.
local assert = require "spec.support.assert"
local interpret = require "spec.oracle.programs"
local lateread = require "spec.support.lateread"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local variants = require "spec.support.variants"

local SEALS = { "early", "finish", "random", "count" }

local function program(pick) return programs.generate(pick) end

local function each_way(check)
  return function(p)
    for _, construction in ipairs(variants) do
      for _, seal in ipairs(SEALS) do
        check(p, { construction = construction, seal = seal })
      end
    end
  end
end

local function finished(p, opts)
  local fn, vars, blocks = programs.build(p, opts)
  fn:finish()
  return fn, vars, blocks
end

describe("a constructed function", function()
  it("does what the program does, is minimal and pruned, and alike in all variants", function()
    prop.forall(program, function(p)
      local expected, first = interpret.variables(p, 60), nil
      each_way(function(_, opts)
        local fn = finished(p, opts)
        assert(fn:verify())
        assert.is_true((fn:is_minimal()))
        assert.is_true((fn:is_pruned()))
        assert.same(expected, interpret.ssa(fn, 60))
        local text = fn:text { ids = "dense" }
        first = first or text
        assert.equal(first, text)
      end)(p)
      assert.same(expected, interpret.ssa(finished(p, { copies = true }), 60))
    end)
  end)

  it("reads back from its text", function()
    prop.forall(program, function(p)
      local fn = finished(p)
      local text = fn:text()
      local again = assert(phial.parse(text, { dialects = { programs.dialect } }))
      assert.equal(text, again:text())
      assert(again:verify())
    end)
  end)

  it("reads back from its text before it is finished, too", function()
    prop.forall(program, each_way(function(p, opts)
      local text = programs.build(p, opts):text()
      local again = assert(phial.parse(text, { dialects = { programs.dialect } }))
      assert.equal(text, again:text())
    end))
  end)
end)

-- Removing redundant phis by Algorithm 5, as printed: recursive, quadratic.
local algorithm5 = require "spec.oracle.algorithm5"

describe("removing redundant phis", function()
  for construction, seal in pairs { marker = "early", operand = "finish" } do
    it("does what Algorithm 5 does: " .. construction, function()
      prop.forall(function(pick)
        return programs.pruned(programs.generate(pick, 12))
      end, function(p)
        local fn, _, blocks = programs.build(p, { construction = construction, seal = seal })
        for _, block in ipairs(blocks) do
          if not block:is_sealed() then block:seal() end
        end
        local phis, expected = {}, algorithm5(fn)
        for _, block in ipairs(blocks) do
          -- a handle's id changes when it is replaced
          for _, phi in ipairs(block:phis()) do phis[#phis + 1] = { phi, expected[phi:id()] } end
        end
        if construction == "marker" then
          assert.equal(next(expected) == nil, (fn:is_minimal()))
        end
        fn:finish()
        assert.is_true((fn:is_minimal()))
        for _, phi in ipairs(phis) do
          if phi[2] then
            assert.equal(phi[2]:now(), phi[1]:now())
          else
            assert.equal("phi", phi[1]:op())
          end
        end
      end)
    end)
  end

  it("is checked where Algorithm 5 would take long", function()
    local fn, p, q = lateread(1000, true)
    local is_minimal, phi = fn:is_minimal()
    assert.is_false(is_minimal)
    assert.is_true(phi:block() == p or phi:block() == q)
    local phis = fn:stats().phis
    fn:finish()
    assert.is_true(fn:is_minimal())
    assert.equal(phis - 2, fn:stats().phis)
  end)
end)

describe("reads without a definition", function()
  -- Runs the program along a path of blocks; true if the variable has no
  -- definition at its end.
  local function undefined_along(p, path, name)
    local defined = {}
    for k, block in ipairs(path) do
      for _, op in ipairs(p.blocks[block]) do
        if op.op ~= "use" and k < #path then defined["v" .. op.var] = true end
      end
    end
    return not defined[name]
  end

  local function reads_before_definition(p)
    -- by data-flow analysis: the variables that may be undefined at the start of
    -- each block
    local may, changed = {}, true
    local seen = programs.reached(p)
    for i = 1, #p.blocks do may[i] = {} end
    for v = 1, p.vars do may[1][v] = true end
    while changed do
      changed = false
      for i, block in ipairs(p.blocks) do
        local now = table.move({}, 1, 0, 1, {})
        for v in pairs(may[i]) do now[v] = true end
        for _, op in ipairs(block) do if op.op ~= "use" then now[op.var] = nil end end
        for _, target in ipairs(seen[i] and block.targets or {}) do
          for v in pairs(now) do
            if not may[target][v] then may[target][v] = true changed = true end
          end
        end
      end
    end
    local reads = {}
    for i, block in ipairs(p.blocks) do
      local now = {}
      for v in pairs(seen[i] and may[i] or {}) do now[v] = true end
      local function read(v) if v and now[v] then reads[i .. " v" .. v] = true end end
      for _, op in ipairs(block) do
        read(op.a)
        read(op.b)
        if op.op ~= "use" then now[op.var] = nil end
      end
      read(block.cond)
    end
    return reads
  end

  -- Without copies: the data-flow analysis takes a copy of an undefined variable
  -- for a definition.
  local function without_copies(pick)
    local p = programs.generate(pick)
    for _, block in ipairs(p.blocks) do
      for _, op in ipairs(block) do
        if op.op == "copy" then op.op, op.b = "write", op.a end
      end
    end
    return p
  end

  it("are found, each with a path that has none", function()
    prop.forall(without_copies, each_way(function(p, opts)
      local fn, _, blocks = programs.build(p, opts)
      local number = {}
      for i, block in ipairs(blocks) do number[block] = i end
      fn:finish()
      local found = {}
      for _, read in ipairs(fn:undefined_reads()) do
        local path = {}
        for i, block in ipairs(read.path) do path[i] = number[block] end
        local last = path[#path]
        found[last .. " " .. read.var:name()] = true
        assert.equal(1, path[1])
        for i = 2, #path do
          local is_edge = false
          for _, target in ipairs(p.blocks[path[i - 1]].targets) do
            is_edge = is_edge or target == path[i]
          end
          assert.is_true(is_edge, "the path follows edges")
        end
        assert.is_true(undefined_along(p, path, read.var:name()))
      end
      assert.same(reads_before_definition(p), found)
    end))
  end)
end)
