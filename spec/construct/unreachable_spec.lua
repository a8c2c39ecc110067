-- finish { keep_unreachable = true }: the reachable part is as without it, and the rest is
-- what slow and plainly right searches say.
local arithmetic = require "spec.support.arithmetic"
local assert = require "spec.support.assert"
local interpret = require "spec.oracle.programs"
local lazy = require "spec.support.lazy"
local patterns = require "spec.support.patterns"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local search = require "spec.support.search"
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
  local succs = {}
  for b in fn:blocks() do
    for _, pred in ipairs(b:preds()) do
      succs[pred] = succs[pred] or {}
      table.insert(succs[pred], b)
    end
  end
  return search(list, function(b) return succs[b] or {} end, banned)
end

-- The first block, by id, of each set of unreachable blocks that reach each other and that
-- no other one reaches.
local function roots_of(fn)
  local roots, others = {}, unreachable(fn)
  for _, b in ipairs(others) do
    local is_root = true
    for _, a in ipairs(others) do
      if a:can_reach(b) and (not b:can_reach(a) or a:id() < b:id()) then is_root = false end
    end
    if is_root then roots[#roots + 1] = b end
  end
  return roots
end

-- Random functions with random options beside each other; `keep`: that of finish, or that of
-- phial.fn.
local RULES <const> = patterns.read(patterns.standard())
local SETS <const> = { false, phial.rules "int", phial.rules() }
local ORDERS <const> = { "late", "early", "counted" }

local function one_in(pick, n) return pick(n) == 1 end

local function generate_simplified(pick)
  local memory = one_in(pick, 2)
  local case = {
    program = arithmetic.generate(pick, 10, not memory and RULES, { memory = memory }),
    keep = one_in(pick, 2) and "finish" or "fn", rules = pick(#SETS), seal = ORDERS[pick(3)],
    construction = variants[pick(#variants)], refine = one_in(pick, 2), split = one_in(pick, 2),
    copies = one_in(pick, 4), named = one_in(pick, 2),
  }
  return setmetatable(case, { __tostring = function()
    local said = {}
    for name, choice in pairs(case) do said[#said + 1] = name .. " = " .. tostring(choice) end
    table.sort(said)
    return table.concat(said, "\n")
  end })
end

local function build_simplified(case, opts)
  return arithmetic.build(case.program, print, {
    rules = SETS[case.rules], seal = case.seal, construction = case.construction,
    refine = case.refine, split = case.split, copies = case.copies, named = case.named,
    keep_unreachable = opts.keep == "fn" or nil,
    finish = { keep_unreachable = opts.keep ~= nil }, started = opts.started,
  })
end

local function check_whole(fn)
  local ok, problems = fn:verify()
  if not ok then error(table.concat(problems, "\n") .. fn:text(), 0) end
  local text = fn:text()
  local again, why = phial.parse(text, { dialects = { lazy.dialect, programs.dialect } })
  if not again then error(why .. "\n" .. text, 0) end
  assert.equal(text, again:text())
  assert(again:verify())
  return again
end

describe("a random function that keeps unreachable blocks", function()
  it("is well-formed, minimal and pruned, and reads back, with any options", function()
    prop.forall(generate_simplified, function(case)
      local fn = build_simplified(case, { keep = case.keep })
      check_whole(fn)
      assert(fn:is_minimal())
      assert(fn:is_pruned())
      if case.keep == "finish" then
        assert.equal(build_simplified(case, {}):text(), reachable_text(fn))
      end
    end)
  end)

  it("is so when a branch loses an edge, and rules are applied once more", function()
    prop.forall(generate_simplified, function(case)
      case.rules = math.max(case.rules, 2)
      local fn = build_simplified(case, { keep = case.keep })
      for b in fn:blocks() do
        local to = b:is_reachable() and b:succs() or {}
        if #to > 1 and to[1] ~= to[2] and b:terminator():op() == "branch" then
          b:remove_edge(to[1])
          break
        end
      end
      fn:clean { rules = true }
      check_whole(fn)
    end)
  end)

  it("is so when its trace is replayed, with rules and without", function()
    prop.forall(generate_simplified, function(case)
      local record
      case.rules, case.refine = 1, false -- what a trace expresses
      local fn = build_simplified(case, { keep = case.keep,
        started = function(it) record = phial.record(it) end })
      local again = assert(phial.replay(tostring(record)))
      local function shape(it)
        return (it:text { ids = "dense" }:gsub("call @%S+", "call"))
      end
      assert.equal(shape(fn), shape(again))
      check_whole(assert(phial.replay(tostring(record), { rules = true })))
    end)
  end)
end)

describe("a function with refinements", function()
  it("is well-formed, minimal and pruned, and reads back", function()
    prop.forall(function(pick) return lazy.generate(pick, 10, one_in(pick, 2), true) end,
      function(program)
        for i, construction in ipairs(variants) do
          for k, seal in ipairs(lazy.seals) do
            local fn = lazy.build(program, { construction = construction, seal = seal,
              rules = i % 2 == 0, split = k % 2 == 0, keep_unreachable = (i + k) % 3 == 0 })
            check_whole(fn:finish { keep_unreachable = true })
            assert(fn:is_minimal())
            assert(fn:is_pruned())
            fn:reopen()
            assert(phial.parse(fn:text(), { dialects = { lazy.dialect } }))
          end
        end
      end)
  end)
end)

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
          if not b:is_reachable() then assert.is_nil(same:location(v)) end
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
        local again = check_whole(fn)
        assert.is_true((fn:is_minimal()))
        assert.is_true((fn:is_pruned()))
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
          assert.is_true(at[pred] < at[b] or b:can_reach(pred))
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
          assert.equal(a == b or not seen[b], a:dominates(b))
          if a ~= b and not seen[b] then
            local idom = idoms[b]
            if not idom or idom:dominates(a) then idoms[b] = a end
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
        for _, pred in ipairs(b:preds()) do on_cycle = on_cycle or b:can_reach(pred) end
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
          assert.same(interpret.variables(p, 40, i, stops), interpret.ssa(fn, 40, nil, block))
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
    assert.equal(2, fn:clean { unreached = true }.unreached)
    assert.is_false(fn:keeps_unreachable())
    assert.equal(3, #fn:rpo())
  end)

  it("are dropped if finish says so, though the function was to keep them", function()
    local fn = example { keep = true }
    assert.is_true(fn:keeps_unreachable())
    assert.equal(3, #fn:finish { keep_unreachable = false }:rpo())
  end)

  it("ask nobody what a variable is that nothing writes", function()
    local fn = phial.fn("f", {}, "i64", { keep_unreachable = true, undef = error })
    fn:entry():ret(0)
    local dead = fn:block "dead"
    dead:seal()
    dead:ret(dead:read(fn:var("x", "i64")))
    assert.matches("dead: unreachable\n  ret undef", fn:finish():text())
  end)

  it("are not seen by what simplifies", function()
    local fn = example {}
    fn:finish { keep_unreachable = true }
    fn:clean { rules = true }
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
    cut(function() at.loop:split_edge(at.loop) end)
    at.loop:back():branch(fn:arg(1), at.exit, at.loop, { [at.exit:phis()[1]] = at.sum })
    assert(fn:verify())
    assert.equal(3, #at.exit:preds())
    at.loop:back():jump(at.exit)
    fn:clean { phis = true }
    assert(fn:verify())
    at.loop:remove_edge(at.exit)
    assert(fn:verify())
    assert.equal("unreachable", at.loop:terminator():op())
  end)

  it("lead to a block that was announced and finished before, without a further edge", function()
    local fn = phial.fn("f", {}, nil, { rules = false })
    local exit = fn:block("exit", 2)
    fn:entry():jump(exit)
    exit:ret()
    fn:finish()
    fn:reopen()
    local dead = fn:block("dead", 0)
    dead:jump(exit)
    fn:finish { keep_unreachable = true }
    assert.same({ fn:entry() }, exit:preds())
    assert.same({ exit }, dead:succs())
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

  it("are not entered by edits before they lead on, also where rules have been applied", function()
    for _, rules in ipairs { false, phial.rules() } do
      local fn = phial.fn("f", {}, nil, { rules = rules, keep_unreachable = true })
      local entry, out, dead = fn:entry(), fn:block "out", fn:block "dead"
      entry:jump(out)
      dead:jump(out)
      out:ret()
      fn:finish()
      raises.with("'dead' was dead when it got its terminator", entry.retarget, entry, out, dead)
      dead:back():jump(out)
      entry:retarget(out, dead)
      assert.is_true(fn:verify())
    end
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
      again = assert(phial.replay(tostring(record), { construction = "cytron" }))
      assert.is_false(again:keeps_unreachable())
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

  it("are in the order of a text, whatever ids the others show", function()
    local fn = phial.fn "f"
    local dead, nameless, exit = fn:block "dead", fn:block(), fn:block "exit"
    fn:entry():jump(exit)
    for _, block in ipairs { dead, nameless, exit } do block:ret() end
    local text = fn:finish { keep_unreachable = true }:text()
    assert.equal("fn f() {\nentry:\n  jump exit\nexit: <- entry\n  ret\n"
      .. "dead: unreachable\n  ret\nb3: unreachable\n  ret\n}\n", text)
    assert.equal(text, assert(phial.parse(text)):text())
  end)

  it("may lack edges to others that were reachable when these were cut", function()
    local fn, at = example {}
    fn:finish { keep_unreachable = true }
    at.entry:remove_edge(at.exit)
    at.other:remove_edge(at.exit)
    fn:clean { phis = true }
    assert.same({}, at.exit:preds())
    assert.same({ at.loop, at.exit }, at.loop:succs())
    check_whole(fn)
  end)
end)

-- Where `dead` leads to another block, which uses a value of it, that may be unknown to phial:
-- it is for the frontend to say.
local function with_handle(opts, finish)
  local fn = phial.fn("f", { "p" }, "i64", opts)
  local dead, a, b = fn:block "dead", fn:block "a", fn:block "b"
  fn:entry():ret(0)
  if finish then dead:seal() end
  local v = dead:mul(fn:arg(1), 7)
  if finish then dead:jump(b) else dead:branch(fn:const(true), a, b) end
  a:ret(v)
  b:ret(v)
  check_whole(fn:finish(finish))
  return a:terminator():args()[1]:op(), b:terminator():args()[1]:op()
end

describe("a value of an unreachable block", function()
  it("is undefined where the edge to its use was folded away", function()
    local a, b = with_handle { keep_unreachable = true }
    assert.same({ "mul", "undef" }, { a, b })
  end)

  it("is undefined where a phi meets it after an edge that was not added", function()
    local fn = phial.fn("f", { "p" }, "i64", { rules = false })
    local dead, a, b, join = fn:block "dead", fn:block "a", fn:block "b", fn:block "join"
    local x = fn:var "x"
    fn:entry():ret(0)
    dead:seal()
    local v = dead:mul(fn:arg(1), 7)
    dead:jump(a)
    a:write(x, v)
    a:jump(join)
    b:write(x, 1)
    b:jump(join)
    join:ret(x)
    check_whole(fn:finish { keep_unreachable = true })
    assert.matches("phi x %[a: undef:i64, b: 1%]", fn:text())
  end)

  it("is undefined where a dead block has not added the edge to its use", function()
    local a, b = with_handle({ rules = false }, { keep_unreachable = true })
    assert.same({ "undef", "undef" }, { a, b })
  end)
end)

describe("a value of an unreachable block that is used before it", function()
  it("is undefined when rules are applied once more", function()
    local fn = phial.fn("f", {}, "i64", { rules = phial.rules "int", keep_unreachable = true })
    local dead = fn:block "dead"
    fn:entry():ret(0)
    local late = dead:call("g", "i64")
    dead:ret(late)
    fn:finish()
    local early = late:before():call("h", "i64", late)
    fn:clean { rules = true }
    assert.is_true(fn:verify())
    assert.equal("undef", early:arg(1):op())
  end)
end)

describe("a block that rules leave unreachable", function()
  it("has the operands of edges from reachable blocks no more", function()
    local fn = phial.fn("f", { "x" }, "i64", { rules = phial.rules "int" })
    local i, x, head, body = fn:var "i", fn:param(1), fn:block "head", fn:block "body"
    local dead, exit = fn:block "dead", fn:block "exit"
    fn:entry():write(i, 0)
    fn:entry():jump(head)
    head:branch(head:eq(head:read(i), 0), body, exit) -- always true, as finish will find out
    body:jump(head)
    dead:write(x, 3)
    dead:jump(exit)
    exit:ret(exit:read(x))
    fn:finish { keep_unreachable = true }
    check_whole(fn)
    assert.same({ dead }, exit:preds())
    assert.equal(3, (exit:terminator():arg(1):const()))
  end)

  it("has the edges and phis that it had before", function()
    local fn = phial.fn("f", {}, "i64")
    local i, x, head, body = fn:var "i", fn:var "x", fn:block "head", fn:block "body"
    local way, dead, exit = fn:block "way", fn:block "dead", fn:block "exit"
    fn:entry():write(i, 0)
    fn:entry():jump(head)
    head:branch(head:eq(head:read(i), 0), body, way) -- always true, as finish will find out
    body:jump(head)
    way:write(x, 1)
    way:jump(exit)
    dead:write(x, 3)
    dead:jump(exit)
    exit:ret(exit:read(x))
    fn:finish { keep_unreachable = true }
    assert.equal([[
fn f() -> i64 {
entry:
  jump head
head: <- entry, body
  jump body
body: <- head
  jump head
way: unreachable
  jump exit
dead: unreachable
  jump exit
exit: unreachable <- way, dead
  %11: i64 = phi x [way: 1, dead: 3]
  ret %11
}
]], fn:text())
    check_whole(fn)
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

  it("leaves no phi of undef and of what is known of it", function()
    for _, construction in ipairs(variants) do
      local fn = phial.fn("f", { "c:i1" }, "i64", {
        rules = false, construction = construction, keep_unreachable = true, split = true,
      })
      local c, x, head, body = fn:arg(1), fn:var "x", fn:block "head", fn:block "body"
      local other, exit = fn:block "other", fn:block "exit"
      fn:entry():ret(0)
      head:branch(c, body, head, { refine = { x } })
      body:branch(c, head, exit)
      other:jump(exit)
      exit:ret(exit:read(x))
      check_whole(fn:finish())
      assert.is_true((fn:is_minimal()))
      assert.same({}, exit:phis())
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
