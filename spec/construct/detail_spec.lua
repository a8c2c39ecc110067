-- The option `log` with details: what a look-up does on its way.
local child = require "spec.support.child"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local variants = require "spec.support.variants"

local DETAILS <const> = {
  climb = true, marked = true, mark_found = true, unmarked = true, reexamined = true,
}

-- A step of a look-up in words, with what it makes; other events have none.
local words = {}

function words.lookup(e) return ("look up %s in %s"):format(e.var:name(), e.block:name()) end

function words.climb(e)
  return ("climb from %s to %s, over %d, find %s"):format(e.from:name(), e.to:name(), e.passed,
    e.value_id and "%" .. e.value_id or "nothing")
end

function words.marked(e) return "mark " .. e.block:name() end

function words.mark_found(e) return "find mark of " .. e.block:name() end

function words.unmarked(e) return ("unmark %s: %%%d"):format(e.block:name(), e.value_id) end

function words.phi(e) return ("phi %%%d in %s"):format(e.value_id, e.block:name()) end

function words.reexamined(e) return ("look at %%%d again"):format(e.value_id) end

function words.trivial(e) return ("%%%d is trivial: %%%d"):format(e.value_id, e.by_id) end

function words.read(e) return ("read %%%d"):format(e.value_id) end

-- A listener that lists the words, in a table.
local function listener()
  local told = {}
  return function(e)
    if words[e.event] then told[#told + 1] = words[e.event](e) end
  end, told
end

-- A function of x and the condition c, whose blocks are made, with their edges, by `body`;
-- returns what is told of a read of x in the block `at`.
local function told_of(construction, body)
  local listen, told = listener()
  local fn = phial.fn("f", { "x", "c:i1" }, "i64", {
    rules = false, construction = construction, log = { listen, detail = true },
  })
  local x, c = table.unpack(fn:params())
  body(fn, x, c, function(at)
    for i = #told, 1, -1 do told[i] = nil end
    at:read(x)
  end)
  return told
end

-- Both arms of an if, and what follows it.
local function arms(fn)
  local entry, left, right, join = fn:entry(), fn:block "left", fn:block "right", fn:block "join"
  entry:branch(fn:arg(2), left, right)
  left:seal()
  right:seal()
  return left, right, join
end

local function diamond(writes)
  return function(fn, x, _, read)
    local left, right, join = arms(fn)
    left:write(x, 1)
    if writes then right:write(x, fn:const(1)) end
    left:jump(join)
    right:jump(join)
    join:seal()
    read(join)
  end
end

-- A loop that does not write x.
local function loop(fn, _, c, read)
  local head, body, tail = fn:block "head", fn:block "body", fn:block "tail"
  local last, done = fn:block "last", fn:block "done"
  fn:entry():jump(head)
  head:branch(c, body, done)
  body:seal()
  done:seal()
  body:branch(c, tail, last)
  tail:seal()
  tail:jump(last)
  last:seal()
  last:write(fn:var "other", 1)
  last:jump(head)
  head:seal()
  read(done)
end

-- A cycle of two blocks that is entered at both, so that no block in it has a link.
local function two_entries(fn, _, c, read)
  local left, right = fn:block "left", fn:block "right"
  fn:entry():branch(c, left, right)
  left:jump(right)
  right:jump(left)
  left:seal()
  right:seal()
  read(right)
end

describe("the log, with details", function()
  it("tells of marks", function()
    assert.same({
      "look up x in join", "mark join", "climb from left to left, over 0, find %4",
      "climb from right to entry, over 0, find %1", "phi %7 in join", "read %7",
    }, told_of("marker", diamond(false)))
  end)

  it("tells which joins need no phi", function()
    for _, construction in ipairs { "marker", "scc" } do
      assert.same({
        "look up x in join", "mark join", "climb from left to left, over 0, find %4",
        "climb from right to right, over 0, find %4", "unmark join: %4", "read %4",
      }, told_of(construction, diamond(true)))
    end
  end)

  it("tells how many blocks a climb passes over", function()
    assert.same({
      "look up x in done", "climb from done to entry, over 1, find %1", "read %1",
    }, told_of("marker", loop))
  end)

  it("tells of cycles", function()
    assert.same({
      "look up x in right", "mark right", "climb from entry to entry, over 0, find %1",
      "mark left", "climb from entry to entry, over 0, find %1", "find mark of right",
      "phi %6 in right", "phi %7 in left", "read %6",
    }, told_of("marker", two_entries))
    assert.same({
      "look up x in right", "mark right", "climb from entry to entry, over 0, find %1",
      "mark left", "climb from entry to entry, over 0, find %1", "find mark of right",
      "unmark right: %1", "unmark left: %1", "read %1",
    }, told_of("scc", two_entries))
  end)

  it("tells which phis are examined again", function()
    local listen, told = listener()
    local fn = phial.fn("f", { "x", "c:i1" }, "i64", {
      rules = false, log = { listen, detail = true },
    })
    local x, c = fn:param(1), fn:arg(2)
    local outer, inner, done = fn:block "outer", fn:block "inner", fn:block "done"
    fn:entry():jump(outer)
    outer:read(x)
    outer:jump(inner)
    inner:read(x)
    inner:branch(c, inner, done)
    done:seal()
    done:branch(c, outer, fn:block "out")
    for i = #told, 1, -1 do told[i] = nil end
    outer:seal() -- its phi has that of inner as an operand, which is not trivial yet
    assert.same({ "climb from entry to entry, over 0, find %1",
      "climb from done to inner, over 0, find %6" }, told)
    inner:seal()
    assert.same({ "climb from outer to outer, over 0, find %4", "%6 is trivial: %4",
      "look at %4 again", "%4 is trivial: %1" }, table.move(told, 3, #told, 1, {}))
  end)

  it("go to those who want them", function()
    local all, some, late = {}, {}, {}
    local fn = phial.fn("f", { "x", "c:i1" }, nil, {
      rules = false, log = function(e) some[#some + 1] = e.event end,
    })
    fn:log { function(e) all[#all + 1] = e.event end, detail = true }
    fn:log { function(e) late[#late + 1] = e.event end, detail = false }
    diamond(false)(fn, fn:param(1), nil, function(at) at:read(fn:param(1)) end)
    local others = {}
    for _, event in ipairs(all) do
      if not DETAILS[event] then others[#others + 1] = event end
    end
    assert.same(some, others)
    assert.same(some, late)
    assert(#all > #some)
  end)

  -- What marks are there, by block and variable; each goes, or a phi takes its place.
  local function follow_marks()
    local open = {}
    local function key(e) return e.block:id() .. " " .. e.var:id() end
    local step = {}
    function step.marked(e)
      assert.is_nil(open[key(e)])
      open[key(e)] = true
    end
    function step.mark_found(e) assert.is_true(open[key(e)]) end
    function step.unmarked(e)
      assert.is_true(open[key(e)])
      open[key(e)] = nil
    end
    function step.phi(e) if e.var then open[key(e)] = nil end end
    return step, open
  end

  -- The number of dominators of `from` up to `to`, without it.
  local function steps_up(from, to)
    local n = 0
    while from ~= to do
      from, n = assert(from:idom(), "it does not dominate"), n + 1
    end
    return n
  end

  for _, construction in ipairs(variants) do
    it("is true of random functions: " .. construction, function()
      prop.forall(programs.generate, function(p)
        local climbs, plain, others = {}, {}, {}
        local step, open = follow_marks()
        local fn = programs.build(p, {
          construction = construction, seal = p.vars % 2 == 0 and "early" or "finish",
          log = { function(e)
            if step[e.event] then step[e.event](e) end
            if e.event == "climb" then climbs[#climbs + 1] = e end
            if not DETAILS[e.event] then others[#others + 1] = e.event end
          end, detail = true },
          started = function(it) it:log(function(e) plain[#plain + 1] = e.event end) end,
        })
        fn:finish { keep_unreachable = true }
        assert.same({}, open)
        assert.same(others, plain)
        for _, e in ipairs(climbs) do
          if e.from:is_reachable() then
            assert(e.passed <= math.max(0, steps_up(e.from, e.to) - 1))
          end
        end
      end)
    end)
  end

  it("is refused where it is not what is expected", function()
    local fn = phial.fn "f"
    for what, option in pairs {
      ["a function expected, got number"] = 1,
      ["a function expected, got table"] = setmetatable({}, { __call = print }),
      ["a function expected, got boolean"] = { true },
      ["'detail': boolean expected, got number"] = { print, detail = 1 },
      ["unknown field 'details'"] = { print, details = true },
      ["unknown field '2'"] = { print, print },
    } do
      refused(nil, ("bad argument #4 to 'phial.fn' (option 'log': %s)"):format(what),
        function() phial.fn("f", nil, nil, { log = option }) end)
      refused(fn, ("bad argument #1 to 'log' (%s)"):format(what), function() fn:log(option) end)
    end
    refused(fn, "bad argument #1 to 'log' (a function expected, got nil)",
      function() fn:log(nil) end)
  end)

  it("needs a listener where only phial.core is loaded", function()
    local out = child [[
      local core = require "phial.core"
      print(select(2, pcall(core.fn, "f", nil, nil, { log = { detail = true } })))]]
    assert(out:find("(option 'log': a function expected, got nil)", 1, true), out)
  end)
end)
