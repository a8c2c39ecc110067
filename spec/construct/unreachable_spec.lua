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

-- A dead loop, with an edge into the reachable block `exit`, which has a phi.
local function example(opts)
  local fn = phial.fn("f", { "c:i1" }, "i64", {
    rules = false, keep_unreachable = opts.keep, undef = opts.undef })
  local x, entry, other, exit = fn:var "x", fn:entry(), fn:block "other", fn:block "exit"
  local dead, loop = fn:block "dead", fn:block "loop"
  entry:write(x, 1)
  entry:branch(fn:arg(1), other, exit)
  other:write(x, 2)
  other:jump(exit)
  dead:write(x, 3)
  dead:jump(loop)
  local sum = loop:add(loop:read(x), 1)
  loop:write(x, sum)
  loop:branch(fn:arg(1), loop, exit)
  exit:ret(exit:read(x))
  return fn, { entry = entry, other = other, exit = exit, dead = dead, loop = loop, sum = sum }
end

describe("kept unreachable blocks", function()
  it("stay until they are dropped", function()
    local fn, at = example {}
    assert.is_false(fn:keeps_unreachable())
    fn:finish { keep_unreachable = true }
    assert.is_true(fn:keeps_unreachable())
    assert.equal(5, #fn:rpo())
    assert.same({ at.loop, at.exit }, at.loop:succs())
    assert.equal(2, #at.exit:preds())
    assert.same({ fn:arg(1), at.sum }, at.loop:live_out())
    assert.equal(2, fn:drop_unreached())
    assert.is_false(fn:keeps_unreachable())
    assert.equal(3, #fn:rpo())
  end)

  it("are dropped if finish says so, though the function was to keep them", function()
    local fn = example { keep = true }
    assert.is_true(fn:keeps_unreachable())
    assert.equal(3, #fn:finish { keep_unreachable = false }:rpo())
  end)

  it("are not seen by what simplifies", function()
    local fn = example {}
    fn:finish { keep_unreachable = true }
    fn:resimplify()
    assert(fn:verify())
    assert.equal(5, #fn:rpo())
  end)

  it("can be given other terminators and edges", function()
    local fn, at = example {}
    fn:finish { keep_unreachable = true }
    local function cut(call)
      refused(fn, "finish has cut edges from 'loop', which was unreachable: end it anew, "
        .. "at block:back()", call)
    end
    cut(function() at.loop:retarget(at.loop, at.dead) end)
    cut(function() at.loop:remove_edge(at.loop) end)
    cut(function() fn:split_edge(at.loop, at.loop) end)
    at.loop:back():branch(fn:arg(1), at.exit, at.loop, { [at.exit:phis()[1]] = at.sum })
    assert(fn:verify())
    assert.equal(3, #at.exit:preds())
    at.loop:back():jump(at.exit)
    fn:minimize()
    assert(fn:verify())
    at.loop:remove_edge(at.exit)
    assert(fn:verify())
    assert.equal("unreachable", at.loop:terminator():op())
  end)

  it("must not be entered while their edges are cut", function()
    local fn, at = example {}
    fn:finish { keep_unreachable = true }
    at.other:back():jump(at.dead)
    local ok, problems = fn:verify()
    assert.is_nil(ok)
    assert.matches("block 'loop' leads to 'exit', but is no predecessor of it",
      table.concat(problems, "\n"))
  end)

  it("are recorded and replayed", function()
    for _, opts in ipairs { { keep = true }, { keep_at_finish = true } } do
      local fn = phial.fn("f", {}, nil, { rules = false, keep_unreachable = opts.keep })
      local record = phial.record(fn)
      local x, dead, after = fn:var "x", fn:block "dead", fn:block "after"
      fn:entry():ret()
      dead:seal()
      dead:write(x, 1)
      dead:jump(after)
      after:write(x, after:add(after:read(x), 1))
      after:ret()
      fn:finish { keep_unreachable = true }
      local again = assert(phial.replay(tostring(record)))
      assert.equal(fn:text { ids = "dense" }, again:text { ids = "dense" })
      assert.is_false((assert(phial.construct(tostring(record), "cytron")):keeps_unreachable()))
    end
  end)

  it("are refused in texts that are wrong about them", function()
    local text = example {}:finish { keep_unreachable = true }:text()
    local function why(pattern, by)
      local changed = text:gsub(pattern, by)
      local fn, message = phial.parse(changed)
      assert.is_nil(fn)
      return message
    end
    assert.matches("'other' is reachable", why("other: <", "other: unreachable <"))
    assert.matches("'dead' must be marked as unreachable, as others are",
      why("dead: unreachable", "dead:"))
  end)

  it("have names of their own, which those of reachable blocks do not depend on", function()
    local fn = phial.fn "f"
    local first, dead = fn:block "then", fn:block "then"
    fn:entry():jump(first)
    first:ret()
    dead:ret()
    local text = fn:finish { keep_unreachable = true }:text()
    assert.equal("fn f() {\nentry:\n  jump then\nthen: <- entry\n  ret\n"
      .. "then.3: unreachable\n  ret\n}\n", text)
    assert.equal(text, assert(phial.parse(text)):text())
  end)
end)

describe("a loop that nothing enters", function()
  it("gives undef to the phi that meets what comes from elsewhere", function()
    for _, construction in ipairs(variants) do
      local fn = phial.fn("f", { "c:i1", "y" }, "i64", {
        rules = false, construction = construction, keep_unreachable = true,
      })
      local c, x = fn:arg(1), fn:var "x"
      local p, q, r = fn:block "p", fn:block "q", fn:block "r"
      local other, join = fn:block "other", fn:block "join"
      fn:entry():ret(1)
      p:switch(fn:arg(2), q, { [1] = r, [2] = join })
      q:branch(c, p, r)
      r:branch(c, p, q)
      other:write(x, other:add(7, fn:arg(2)))
      other:jump(join)
      join:ret(x)
      fn:finish()
      assert.matches("phi x %[p: undef:i64, other: ", fn:text())
    end
  end)
end)

describe("block:live_out", function()
  it("does not follow the edges that a dead block does not add", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local x, entry, a, b = fn:var "x", fn:entry(), fn:block "a", fn:block "b"
    local join, dead = fn:block("join", 3), fn:block("dead", 0)
    entry:branch(fn:arg(1), a, b)
    a:write(x, a:add(1, 2))
    a:jump(join)
    b:write(x, b:add(3, 4))
    b:jump(join)
    dead:jump(join)
    local sum = join:read(x)
    join:ret(join:add(sum, sum))
    assert.same({}, dead:live_out())
  end)
end)
