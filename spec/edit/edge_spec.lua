-- Edges of a finished function: redirected, added, removed, split; terminators
-- replaced.
local assert = require "spec.support.assert"
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local read = require("spec.support.parsed").read
local refused = require "spec.support.refused"

-- The blocks with these names.
local function shown(fn, ...)
  local out = {}
  for _, name in ipairs { ... } do
    out[#out + 1] = fn:text():match("\n(" .. name .. ":.-)\n%f[%a}]")
  end
  return table.concat(out, "\n")
end

local DIAMOND = [[
fn f(%c: i1) -> i64 {
entry:
  branch %c, a, b
a: <- entry
  jump join
b: <- entry
  jump join
join: <- a, b
  %6: i64 = phi x [a: 1, b: 2]
  ret %6
}]]

local SWITCH = [[
fn f(%n: i64, %c: i1) -> i64 {
entry:
  switch %n, a [1: a, 2: b, 3: a]
a: <- entry, entry, entry
  %4: i64 = phi x [entry: 0, entry: 10, entry: 30]
  ret %4
b: <- entry
  ret 20
}]]

describe("block:retarget", function()
  it("leads all edges to a block elsewhere, with values for the phis there", function()
    local fn, v, b = read(SWITCH)
    b.entry:retarget(b.a, b.b)
    assert.equal([[
entry:
  switch %n, b [1: b, 2: b, 3: b]
a:
  %4: i64 = phi x []
  ret %4
b: <- entry, entry, entry, entry
  ret 20]], shown(fn, "entry", "a", "b"))
    b.entry:retarget(b.b, b.a, { [v[4]] = 7 })
    assert.equal("a: <- entry, entry, entry, entry\n"
      .. "  %4: i64 = phi x [entry: 7, entry: 7, entry: 7, entry: 7]\n  ret %4", shown(fn, "a"))
    assert.same({ "phi '%4' in block 'a' is trivial" }, (select(2, fn:verify())))
    assert.equal(1, fn:clean({ phis = true }).phis)
    assert.is_true(fn:verify())
    assert.equal(1, fn:clean({ unreached = true }).unreached)
    assert.same({}, b.b:preds())
  end)

  it("keeps the order of edges between the same blocks the same at both ends", function()
    local fn, v, b = read(SWITCH)
    b.entry:retarget(b.b, b.a, { [v[4]] = 20 })
    assert.equal([[
entry:
  switch %n, a [1: a, 2: a, 3: a]
a: <- entry, entry, entry, entry
  %4: i64 = phi x [entry: 0, entry: 10, entry: 20, entry: 30]
  ret %4]], shown(fn, "entry", "a"))
  end)

  it("wants the phis' values, and nothing else", function()
    local fn, v, b = read(DIAMOND)
    refused(fn, "phi '%6' in block 'join': no value for predecessor 'entry'",
      function() b.entry:retarget(b.a, b.join) end)
    refused(fn, "phi '%6' in block 'join': i64 expected, got 1.5",
      function() b.entry:retarget(b.a, b.join, { [v[6]] = 1.5 }) end)
    refused(fn, "phi '%6' in block 'join': i64 expected, got i1 '%c'",
      function() b.entry:retarget(b.a, b.join, { [v[6]] = fn:arg(1) }) end)
    refused(fn, "phi '%6' is in block 'join', to which 'entry' gets no new edge",
      function() b.entry:retarget(b.a, b.b, { [v[6]] = 1 }) end)
    local bad = bad_argument(fn, b.entry)
    bad("retarget", 3, "a phi expected as key, got i1 '%c'", b.a, b.join, { [fn:arg(1)] = 1 })
    bad("retarget", 3, "a phi expected as key, got a string", b.a, b.join, { x = 1 })
    bad("retarget", 3, "a table of values by phi expected, got number", b.a, b.join, 1)
    bad("retarget", 3, "phial.Value expected, got a table", b.a, b.join, { [v[6]] = {} })
  end)

  it("wants an edge, and another target", function()
    local fn, _, b = read(DIAMOND)
    refused(fn, "bad argument #1 to 'retarget' ('a' does not lead to 'b')",
      function() b.a:retarget(b.b, b.join) end)
    refused(fn, "bad argument #2 to 'retarget' ('entry' leads there)",
      function() b.entry:retarget(b.a, b.a) end)
    refused(fn, "block 'entry' is the entry: 'a' cannot become a predecessor of it",
      function() b.a:retarget(b.join, b.entry) end)
  end)

  it("does not lead to a block whose own terminator adds no edges", function()
    local fn, _, b = read "fn f() {\nentry:\n  jump out\nout: <- entry\n  ret\ndead:\n  jump out\n}"
    refused(fn, "block 'dead' was dead when it got its terminator, which adds no edges: end "
      .. "it anew, "
      .. "at block:back(), before 'entry' leads there",
        function() b.entry:retarget(b.out, b.dead) end)
    refused(fn, "bad argument #1 to 'retarget' ('dead' is dead: it does not lead to 'out')",
      function() b.dead:retarget(b.out, b.dead) end)
    refused(fn, "bad argument #1 to 'add_edge' ('dead' is dead: it does not lead to 'out')",
      function() b.dead:add_edge(b.out, true) end)
    refused(fn, "bad argument #1 to 'split_edge' ('dead' is dead: it does not lead to 'out')",
      function() b.dead:split_edge(b.out) end)
    b.dead:back():jump(b.out)
    b.entry:retarget(b.out, b.dead)
    assert.equal("entry:\n  jump dead\nout: <- dead\n  ret\ndead: <- entry\n  jump out",
      shown(fn, "entry", "out", "dead"))
    assert.is_true(fn:verify())
  end)
end)

describe("block:add_edge", function()
  it("makes a branch of a jump", function()
    local fn, v, b = read(DIAMOND)
    b.a:add_edge(b.b, fn:arg(1))
    b.b:add_edge(b.join, true, { [v[6]] = 3 })
    assert.equal([[
a: <- entry
  branch %c, b, join
b: <- entry, a
  branch true, join, join
join: <- a, b, b
  %6: i64 = phi x [a: 1, b: 3, b: 2]
  ret %6]], shown(fn, "a", "b", "join"))
    assert.is_true(fn:verify())
  end)

  it("takes no key that is there, however often it is used, but that of the value", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    local entry, a, b, n = fn:entry(), fn:block "a", fn:block "b", fn:arg(1)
    for _ = 1, 5 do n = entry:add(n, 1) end
    entry:switch(5, a, { [1] = b })
    a:ret(n)
    b:ret(n)
    fn:finish()
    refused(fn, "bad argument #2 to 'add_edge' ('switch 5, 1, a, ...' has key 1 already)",
      function() entry:add_edge(b, 1) end)
    entry:add_edge(b, 5)
    assert.is_true(fn:verify())
  end)

  it("gives a switch a case", function()
    local fn, v, b = read(SWITCH)
    b.entry:add_edge(b.b, -1)
    b.entry:add_edge(b.a, 7, { [v[4]] = 70 })
    assert.equal([[
entry:
  switch %n, a [1: a, 2: b, 3: a, -1: b, 7: a]
a: <- entry, entry, entry, entry
  %4: i64 = phi x [entry: 0, entry: 10, entry: 30, entry: 70]
  ret %4
b: <- entry, entry
  ret 20]], shown(fn, "entry", "a", "b"))
    assert.is_true(fn:verify())
  end)

  it("leaves the keys of a switch in order where it is moved", function()
    local fn, _, b = read(SWITCH)
    b.entry:remove_edge(b.a, 2)
    phial.build("g", {}, nil, function(g) g:ret() end):copy_into(b.entry:terminator():before(), {})
    assert.matches("switch %%n, a %[2: b, 3: a%]", fn:text())
  end)

  it("gives a dialect's terminator a target, if it takes any number", function()
    local D = phial.dialect("d", {
      br = { args = 0, terminator = true, targets = 1 },
      go = { args = 0, terminator = true, targets = "*" },
    })
    local fn = phial.fn("f", {}, nil, { dialects = { D } })
    local entry, out, more = fn:entry(), fn:block "out", fn:block "more"
    entry:emit(D.go, { out })
    out:emit(D.br, { more })
    more:ret()
    fn:finish()
    entry:add_edge(more)
    assert.same({ out, more }, entry:succs())
    refused(fn, "bad argument #2 to 'add_edge' (nil expected for 'd.go out, more', got 1)",
      function() entry:add_edge(more, 1) end)
    refused(fn, "'d.br more' takes no further target: end block 'out' anew, at block:back()",
      function() out:add_edge(more) end)
    refused(fn, "'d.br more' has a fixed number of targets: end block 'out' anew, at block:back()",
      function() out:remove_edge(more) end)
    entry:remove_edge(out)
    entry:remove_edge(more)
    assert.equal("d.go", entry:terminator():op())
    assert.same({}, entry:succs())
    assert.is_true(fn:verify())
  end)

  it("wants to know when", function()
    local fn, _, b = read(SWITCH)
    refused(fn, "bad argument #2 to 'add_edge' (integer expected as key of 'switch %n, 1, "
      .. "2, ...', got nil)",
      function() b.entry:add_edge(b.b) end)
    refused(fn, "bad argument #2 to 'add_edge' ('switch %n, 1, 2, ...' has key 3 already)",
      function() b.entry:add_edge(b.b, 3) end)
    refused(fn, "'ret 20' takes no further target: end block 'b' anew, at block:back()",
      function() b.b:add_edge(b.a, true, {}) end)
    fn, _, b = read(DIAMOND)
    refused(fn, "bad argument #2 to 'add_edge' (i1 expected: when is it not 'jump join')",
      function() b.a:add_edge(b.b) end)
    refused(fn, "bad argument #2 to 'add_edge' (i1 expected, got 1.5)",
      function() b.a:add_edge(b.b, 1.5) end)
    refused(fn, "'branch %c, a, b' takes no further target: end block 'entry' anew, at "
      .. "block:back()",
      function() b.entry:add_edge(b.b, true) end)
  end)
end)

describe("block:remove_edge", function()
  it("makes a jump of a branch, and of a jump unreachable", function()
    local fn, _, b = read(DIAMOND)
    b.entry:remove_edge(b.b)
    assert.equal("entry:\n  jump a", shown(fn, "entry"))
    assert.is_true(fn:verify())
    assert.equal(1, fn:clean({ unreached = true }).unreached)
    assert.equal("join: <- a\n  %6: i64 = phi x [a: 1]\n  ret %6", shown(fn, "join"))
    fn:clean { phis = true }
    assert.equal("join: <- a\n  ret 1", shown(fn, "join"))
    b.entry:remove_edge(b.a)
    assert.equal("entry:\n  unreachable", shown(fn, "entry"))
    assert.equal(2, fn:clean({ unreached = true }).unreached)
    assert.is_true(fn:verify())
  end)

  it("takes a case of a switch", function()
    local fn, _, b = read(SWITCH)
    b.entry:remove_edge(b.a, 2)
    b.entry:remove_edge(b.b)
    assert.equal([[
entry:
  switch %n, a [3: a]
a: <- entry, entry
  %4: i64 = phi x [entry: 0, entry: 30]
  ret %4]], shown(fn, "entry", "a"))
    b.entry:remove_edge(b.a, 1)
    assert.equal("entry:\n  switch %n, a []\na: <- entry\n  %4: i64 = phi x [entry: 30]\n  ret %4",
      shown(fn, "entry", "a"))
    b.entry:remove_edge(b.a)
    assert.equal("entry:\n  unreachable", shown(fn, "entry"))
  end)

  it("makes the last case of a switch its default when that goes", function()
    local fn, _, b = read(SWITCH)
    b.entry:remove_edge(b.a, 1)
    assert.equal([[
entry:
  switch %n, a [1: a, 2: b]
a: <- entry, entry
  %4: i64 = phi x [entry: 30, entry: 10]
  ret %4]], shown(fn, "entry", "a"))
    assert.is_true(fn:verify())
  end)

  it("wants to know which one", function()
    local fn, _, b = read(SWITCH)
    refused(fn, "3 edges lead from 'entry' to 'a': say which one, 1 to 3",
      function() b.entry:remove_edge(b.a) end)
    refused(fn, "bad argument #2 to 'remove_edge' (4 is not in 1 .. 3)",
      function() b.entry:remove_edge(b.a, 4) end)
    refused(fn, "bad argument #1 to 'remove_edge' ('b' does not lead to 'a')",
      function() b.b:remove_edge(b.a) end)
  end)
end)

describe("block:split_edge", function()
  it("puts a block on an edge", function()
    local fn, _, b = read(SWITCH)
    local middle = b.entry:split_edge(b.a, 2, "middle")
    middle:front():call("print", nil, fn:arg(1))
    assert.equal([[
entry:
  switch %n, a [1: middle, 2: b, 3: a]
a: <- entry, middle, entry
  %4: i64 = phi x [entry: 0, middle: 10, entry: 30]
  ret %4
middle: <- entry
  call @print %n
  jump a]], shown(fn, "entry", "a", "middle"))
    assert.is_true(middle:is_sealed())
    assert.is_true(fn:verify())
  end)

  it("puts one on the only and on the last edge, and on one to the block itself", function()
    local fn, _, b = read "fn f() {\nentry:\n  jump loop\nloop: <- entry, loop\n  jump loop\n}"
    local first, back = b.entry:split_edge(b.loop), b.loop:split_edge(b.loop)
    assert.same({ first, back }, b.loop:preds())
    assert.same({ back }, b.loop:succs())
    assert.equal(1, b.loop:loop_depth())
    assert.equal(1, back:loop_depth())
    assert.is_true(first:dominates(back))
    assert.is_true(fn:verify())
  end)

  it("wants to know which one", function()
    local fn, _, b = read(SWITCH)
    refused(fn, "3 edges lead from 'entry' to 'a': say which one, 1 to 3",
      function() b.entry:split_edge(b.a) end)
    refused(fn, "bad argument #2 to 'split_edge' (4 is not in 1 .. 3)",
      function() b.entry:split_edge(b.a, 4) end)
    refused(fn, "bad argument #1 to 'split_edge' ('b' does not lead to 'a')",
      function() b.b:split_edge(b.a) end)
    refused(fn, "bad argument #1 to 'split_edge' (phial.Block expected, got nil)",
      function() b.b:split_edge(nil) end)
    refused(fn, "bad argument #3 to 'split_edge' (string expected, got number)",
      function() b.entry:split_edge(b.a, 1, 2) end)
    local _, _, of_other = read(SWITCH)
    refused(fn, "bad argument #1 to 'split_edge' (block 'a' belongs to another function 'f')",
      function() b.entry:split_edge(of_other.a) end)
  end)
end)

describe("block:merge", function()
  it("makes what follows part of the block, and replaces its phis", function()
    local fn, v, b = read [[
fn f(%c: i1) -> i64 {
entry:
  branch %c, a, join
a: <- entry
  %5: i64 = add 1, 2
  jump b
b: <- a
  %6: i64 = phi x [a: %5]
  %7: i64 = mul %6, %6
  branch %c, join, join
join: <- entry, b, b
  %9: i64 = phi x [entry: 0, b: %6, b: %7]
  ret %9
}]]
    assert.same({ false, true, false }, { b.entry:can_merge(), b.a:can_merge(), b.b:can_merge() })
    b.a:merge()
    assert.is_false(b.b:can_merge())
    assert.equal([[
fn f(%c: i1) -> i64 {
entry:
  branch %c, a, join
a: <- entry
  %5: i64 = add 1, 2
  %7: i64 = mul %5, %5
  branch %c, join, join
join: <- entry, a, a
  %9: i64 = phi x [entry: 0, a: %5, a: %7]
  ret %9
}
]], fn:text())
    assert.is_true(fn:verify())
    assert.equal(v[5], v[6]:now())
    assert.is_false(b.b:is_reachable())
  end)

  it("is refused unless one jump leads there", function()
    local fn, _, b = read(DIAMOND)
    refused(fn, "block 'entry' ends with 'branch %c, a, b': only what a jump leads to merges",
      function() b.entry:merge() end)
    refused(fn, "block 'join' has other predecessors than 'a'", function() b.a:merge() end)
    local endless, _, of = read [[
fn f() {
entry:
  jump loop
loop: <- entry, loop
  jump loop
}]]
    of.entry:back():ret()
    refused(endless, "block 'loop' leads to itself", function() of.loop:merge() end)
  end)
end)

describe("a function whose edge was split, and joined again", function()
  it("can be reopened and finished", function()
    local fn, _, b = read(DIAMOND)
    local before = fn:text()
    b.a:split_edge(b.join)
    b.a:merge()
    fn:reopen()
    assert.equal(before, fn:finish():text())
  end)
end)

describe("block:merge, of kept unreachable blocks", function()
  local fn = phial.fn("f", {}, "i64", { rules = false, keep_unreachable = true })
  local join, a, b, c = fn:block "join", fn:block "a", fn:block "b", fn:block "c"
  local head, latch = fn:block "head", fn:block "latch"
  fn:entry():jump(join)
  join:ret(1)
  a:jump(b)
  b:call("g")
  b:jump(c)
  c:jump(join)
  head:jump(latch)
  latch:jump(head)
  fn:finish()

  it("leaves blocks that are unreachable, and edges that are cut", function()
    assert.same({ true, false }, { a:can_merge(), c:can_merge() })
    a:merge()
    a:merge()
    assert.is_false(a:can_merge())
    assert.is_true(fn:verify())
    assert.equal("a: unreachable\n  call @g\n  jump join\nb: unreachable\n  unreachable\n"
      .. "c: unreachable\n  unreachable", shown(fn, "a", "b", "c"))
  end)

  it("gives undef to a phi of itself", function()
    local phi = latch:front():phi { [head] = 1 }
    phi:set_arg(1, phi)
    latch:back():call("h", nil, phi)
    head:merge()
    assert.is_true(fn:verify())
    assert.equal("head: unreachable <- head\n  call @h undef:i64\n  jump head", shown(fn, "head"))
  end)
end)

describe("a block", function()
  it("can be added, ended anew and led to", function()
    local fn, v, b = read(DIAMOND)
    local check = fn:block "check"
    assert.equal("check:\n  unreachable", shown(fn, "check"))
    assert.is_true(fn:verify())
    local at = check:back()
    local none = at:eq(3, 0)
    at:branch(none, b.a, b.join, { [v[6]] = 9 })
    b.entry:retarget(b.a, check)
    assert.equal([[
entry:
  branch %c, check, b
a: <- check
  jump join
b: <- entry
  jump join
join: <- a, b, check
  %6: i64 = phi x [a: 1, b: 2, check: 9]
  ret %6
check: <- entry
  ]] .. tostring(none) .. [[: i1 = eq 3, 0
  branch ]] .. tostring(none) .. ", a, join", shown(fn, "entry", "a", "b", "join", "check"))
    assert.is_true(fn:verify())
  end)

  it("keeps the edges that its new terminator has too", function()
    local fn, v, b = read(SWITCH)
    local old = b.entry:terminator()
    b.entry:back():switch(fn:arg(1), b.b, { [5] = b.a, [6] = b.a })
    assert.equal([[
entry:
  switch %n, b [5: a, 6: a]
a: <- entry, entry
  %4: i64 = phi x [entry: 0, entry: 10]
  ret %4
b: <- entry
  ret 20]], shown(fn, "entry", "a", "b"))
    refused(fn, "value '%3' is gone: it was erased or dropped", function() old:op() end)
    b.entry:back():branch(fn:arg(2), b.a, b.b)
    b.entry:back():branch(fn:arg(2), b.a, b.a, { [v[4]] = 8 })
    assert.equal("a: <- entry, entry\n  %4: i64 = phi x [entry: 0, entry: 8]\n  ret %4",
      shown(fn, "a"))
    b.entry:back():jump(b.a)
    b.entry:back():ret(1)
    assert.equal("entry:\n  ret 1", shown(fn, "entry"))
    b.b:back():unreachable()
    assert.equal("b:\n  unreachable", shown(fn, "b"))
    assert.equal(2, fn:clean({ unreached = true }).unreached)
    assert.is_true(fn:verify())
  end)

  it("can be ended with a dialect's terminator", function()
    local D = phial.dialect("d", { br = { args = 1, terminator = true, targets = 2 } })
    local fn, v, b = read(DIAMOND)
    b.a:back():emit(D.br, fn:arg(1), { b.b, b.join, data = "likely" })
    b.b:back():emit(D.br, fn:arg(1), { b.join, b.join, phis = { [v[6]] = 4 } })
    assert.equal([[
a: <- entry
  d.br {"likely"} %c, [b, join]
b: <- entry, a
  d.br %c, [join, join]
join: <- a, b, b
  %6: i64 = phi x [a: 1, b: 2, b: 4]
  ret %6]], shown(fn, "a", "b", "join"))
    assert.is_true(fn:verify())
    refused(fn, "phi '%6' in block 'join': no value for predecessor 'entry'",
      function() b.entry:back():emit(D.br, true, { b.a, b.join }) end)
  end)

  it("is ended anew with what could end it in construction", function()
    local fn, _, b = read(DIAMOND)
    refused(fn, "bad argument #1 to 'branch' (3 does not fit i1)",
      function() b.entry:back():branch(3, b.a, b.b) end)
    refused(fn, "function 'f' returns i64: 'ret' needs a value",
      function() b.entry:back():ret() end)
    refused(fn, "block 'entry' is the entry: 'a' cannot become a predecessor of it",
      function() b.a:back():jump(b.entry) end)
    refused(fn, "bad argument #1 to 'jump' (phial.Block expected, got nil)",
      function() b.a:back():jump(nil) end)
    refused(fn, "function 'f' is finished: edit it at cursors, as block:back(), or by fn:reopen()",
      function() b.a:jump(b.b) end)
    refused(fn, "bad argument #2 to 'block' (function 'f' is finished: blocks that are made now "
      .. "have no predecessors until edges are redirected to them)",
      function() fn:block("late", 0) end)
  end)

  it("that was added is as good as others after reopen", function()
    local fn, _, b = read(DIAMOND)
    local more = fn:block "more"
    b.entry:retarget(b.b, more)
    fn:clean { unreached = true }
    more:back():jump(b.a)
    fn:reopen()
    local last, other = fn:block "last", fn:block "other"
    refused(fn, "block 'more' is sealed: 'last' cannot become a predecessor of it",
      function() last:jump(more) end)
    last:ret(1)
    other:ret(2)
    fn:finish { verify = false }
    fn:clean { phis = true }
    assert.is_true(fn:verify())
    assert.equal("a: <- entry, more\n  jump join", shown(fn, "a"))
  end)
end)

it("a switch grows and shrinks by thousands of cases", function()
  local fn, v, b = read(SWITCH)
  local n = 1000
  for key = 10, 10 + n do b.entry:add_edge(b.a, key, { [v[4]] = key }) end
  assert.equal(n + 5, #b.entry:succs())
  for _ = 1, n do b.entry:remove_edge(b.a, 1) end
  assert.equal(5, #b.entry:succs())
  assert.is_true(fn:verify())
end)
