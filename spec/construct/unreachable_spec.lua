-- finish { keep_unreachable = true }: the reachable part is as without it, and the rest is
-- what slow and plainly right searches say.
local assert = require "spec.support.assert"
local interpret = require "spec.oracle.programs"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local variants = require "spec.support.variants"

local RUNS = 40
local SEALS = { "early", "finish", "count" }

-- Calls check(p, options) for each variant and order of sealing, with rules and without.
local function each_way(check)
  return function(p)
    for i, construction in ipairs(variants) do
      for k, seal in ipairs(SEALS) do
        check(p, { construction = construction, seal = seal,
          rules = (i + k) % 2 == 0 and phial.rules "int" })
      end
    end
  end
end

-- The finished function, its unreachable blocks dropped or kept.
local function finished(p, opts, keep)
  local fn, vars, blocks = programs.build(p, opts)
  return fn:finish { keep_unreachable = keep }, vars, blocks
end

-- The text up to the first block that is marked as unreachable.
local function reachable_text(fn, how)
  local text = fn:text(how)
  local head = text:match "^(.-\n)%S+: unreachable"
  return head and head .. "}\n" or text
end

local function unreachable(fn)
  local list = {}
  for b in fn:blocks() do
    if not b:is_reachable() then list[#list + 1] = b end
  end
  return list
end

describe("the reachable part of a function that keeps unreachable blocks", function()
  it("has the text that it has without them", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      local without, with = finished(p, opts, false), finished(p, opts, true)
      assert.equal(without:text(), reachable_text(with))
      assert.equal(without:text { ids = "dense" }, reachable_text(with, { ids = "dense" }))
    end), RUNS)
  end)

  it("has that text, in dense ids, too, if dead blocks add edges", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      opts.rules = nil
      local without = finished(p, opts, false)
      opts.keep_unreachable = true
      local with = finished(p, opts)
      assert.equal(without:text { ids = "dense" }, reachable_text(with, { ids = "dense" }))
    end), RUNS)
  end)

  it("has the same order, dominators and loops", function()
    prop.forall(programs.generate, function(p)
      local opts = { seal = "finish" }
      local without, with = finished(p, opts, false), finished(p, opts, true)
      local order, whole = without:rpo(), with:rpo()
      for i, b in ipairs(order) do
        assert.equal(b:id(), whole[i]:id())
        assert.equal(b:idom() and b:idom():id(), whole[i]:idom() and whole[i]:idom():id())
      end
      for i, loop in ipairs(without:loops()) do
        local same = with:loops()[i]
        assert.equal(loop.header:id(), same.header:id())
        assert.equal(loop.reducible, same.reducible)
        assert.equal(#loop.blocks, #same.blocks)
      end
    end)
  end)
end)

-- What a search from the blocks of `list` meets along arrived edges, without `banned`.
local function reached_from(fn, list, banned)
  local succs, seen, work = {}, {}, {}
  for b in fn:blocks() do
    for _, pred in ipairs(b:preds()) do
      succs[pred] = succs[pred] or {}
      table.insert(succs[pred], b)
    end
  end
  local function visit(b)
    if b ~= banned and not seen[b] then seen[b], work[#work + 1] = true, b end
  end
  for _, b in ipairs(list) do visit(b) end
  for _, b in ipairs(work) do -- which grows
    for _, to in ipairs(succs[b] or {}) do visit(to) end
  end
  return seen
end

-- The first block, by id, of each set of unreachable blocks that reach each other and that
-- no other one reaches.
local function roots_of(fn)
  local roots, others = {}, unreachable(fn)
  for _, b in ipairs(others) do
    local is_root = true
    for _, a in ipairs(others) do
      if a:reaches(b) and (not b:reaches(a) or a:id() < b:id()) then is_root = false end
    end
    if is_root then roots[#roots + 1] = b end
  end
  return roots
end

describe("what runs or exports a function", function()
  it("ignores the unreachable blocks that it keeps", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      opts.runs = true
      local without, with = finished(p, opts, false), finished(p, opts, true)
      for _, emitter in ipairs { "lua", "blockargs", "cps" } do
        assert.equal(phial.emit[emitter](without), phial.emit[emitter](with))
      end
      local leaving, same = without:leave(), with:leave()
      assert.equal(leaving:count(), same:count())
      for b in with:blocks() do
        for _, v in ipairs(b:insts()) do
          if not b:is_reachable() then assert.is_nil(same:of(v)) end
        end
      end
    end), RUNS)
  end)
end)

describe("the unreachable part", function()
  it("is well-formed, minimal and pruned, and reads back from its text", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      for _, keep in ipairs { false, true } do
        opts.keep_unreachable = keep
        local fn = finished(p, opts, true)
        assert(fn:verify())
        assert.is_true((fn:minimal()))
        assert.is_true((fn:pruned()))
        local text = fn:text()
        local again = assert(phial.parse(text, { dialects = { programs.dialect } }))
        assert.equal(text, again:text())
        assert(again:verify())
        assert.equal(#fn:rpo(), #again:rpo())
      end
    end), RUNS)
  end)

  it("follows in reverse postorder", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      local fn = finished(p, opts, true)
      local order, at, behind = fn:rpo(), {}, false
      for i, b in ipairs(order) do
        assert.is_nil(at[b])
        at[b] = i
      end
      for b in fn:blocks() do assert.is_number(at[b]) end
      for _, b in ipairs(order) do
        behind = behind or not b:is_reachable()
        assert.equal(behind, not b:is_reachable())
      end
      -- a block precedes its successors, except along an edge of a cycle
      for _, b in ipairs(order) do
        for _, pred in ipairs(b:preds()) do
          assert.is_true(at[pred] < at[b] or b:reaches(pred))
        end
      end
    end), RUNS)
  end)

  it("has the dominators that a virtual root gives it", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      local fn = finished(p, opts, true)
      local roots = roots_of(fn)
      for _, root in ipairs(roots) do assert.is_nil(root:idom()) end
      table.insert(roots, fn:entry())
      local idoms = {}
      for a in fn:blocks() do
        local seen = reached_from(fn, roots, a)
        for b in fn:blocks() do
          assert.equal(a == b or not seen[b], fn:dominates(a, b))
          if a ~= b and not seen[b] then
            local idom = idoms[b]
            if not idom or fn:dominates(idom, a) then idoms[b] = a end
          end
        end
      end
      for b in fn:blocks() do assert.equal(idoms[b], b:idom()) end
    end), RUNS)
  end)

  it("has the loops that its cycles are", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      local fn, in_loop = finished(p, opts, true), {}
      for _, loop in ipairs(fn:loops()) do
        for _, b in ipairs(loop.blocks) do in_loop[b] = true end
      end
      for b in fn:blocks() do
        local on_cycle = false
        for _, pred in ipairs(b:preds()) do on_cycle = on_cycle or b:reaches(pred) end
        assert.equal(on_cycle, in_loop[b] == true)
      end
    end), RUNS)
  end)

  it("does what the program does from there, if dead blocks add edges", function()
    prop.forall(programs.generate, each_way(function(p, opts)
      opts.rules, opts.keep_unreachable = nil, true
      local fn, _, blocks = finished(p, opts)
      local stops = programs.reached(p)
      for i, block in ipairs(blocks) do
        if not block:is_reachable() and #block:preds() == 0 then
          assert.same(interpret.variables(p, 40, i, stops),
            interpret.ssa(fn, 40, nil, block))
        end
      end
    end), RUNS)
  end)
end)
