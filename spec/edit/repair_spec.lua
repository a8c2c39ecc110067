-- fn:repair: values of a finished function that have become one variable.
local assert = require "spec.support.assert"
local bad_argument = require "spec.support.bad_argument"
local golden = require "spec.support.golden"
local phial = require "phial"
local parsed = require "spec.support.parsed"
local refused = require "spec.support.refused"

local lines, read = parsed.lines, parsed.read

local DIAMOND = [[
fn f(%c: i1, %n: i64) -> i64 {
entry:
  %3: i64 = add %n, 1
  branch %c, a, b
a: <- entry
  %5: i64 = mul %3, 2
  jump done
b: <- entry
  jump done
done: <- a, b
  %8: i64 = add %3, 5
  ret %8
}]]

describe("fn:repair", function()
  it("gives each use the definition that reaches it", function()
    local fn, v, b = read(DIAMOND)
    local w = b.a:back():add(fn:arg(2), 7)
    local r = fn:repair(v[3])
    assert.equal(r, r:define(w, w))
    assert.same({ visited = 4, uses = 1, phis = 1, removed = 0 }, r:rewrite())
    assert.equal("  %5: i64 = mul %3, 2\n  %14: i64 = add %n, 7\n  jump done", lines(fn, "a"))
    assert.equal("  %15: i64 = phi [a: %14, b: %3]\n  %8: i64 = add %15, 5\n  ret %8",
      lines(fn, "done"))
    assert(fn:verify())
    assert.same({ v[5], b.done:phis()[1] }, (function()
      local users = v[3]:users()
      table.sort(users, function(x, y) return x:id() < y:id() end)
      return users
    end)())
  end)

  it("defines a parameter at the start of the entry", function()
    local fn, v, b = read(DIAMOND)
    local n = fn:arg(2)
    fn:repair(n):define(b.a, 7):rewrite()
    assert.equal(n, v[3]:args()[1])
    local last = b.done:back():mul(n, 2)
    fn:repair(n):define(b.a, 7):rewrite()
    assert.equal("phi", last:args()[1]:op())
    assert.same({ fn:const(7), n }, last:args()[1]:args())
    fn:repair(n):define(b.entry, 41):rewrite()
    assert.equal("  %3: i64 = add 41, 1\n  branch %c, a, b", lines(fn, "entry"))
  end)

  it("changes nothing without a further definition", function()
    local fn, v = read(parsed.SUM)
    local text = fn:text()
    assert.same({ visited = 3, uses = 0, phis = 0, removed = 0 }, fn:repair(v[5]):rewrite())
    assert.equal(text, fn:text())
  end)

  it("makes no phi where every path has the same definition", function()
    local fn, v, b = read(DIAMOND)
    local w = b.entry:front():add(fn:arg(2), 7)
    fn:repair(v[3]):define(b.a, w):define(b.b, w):rewrite()
    assert.equal("  %8: i64 = add " .. tostring(w) .. ", 5\n  ret %8", lines(fn, "done"))
  end)

  it("takes literals, blocks, instructions, phis and terminators as definitions", function()
    local fn, v, b = read(parsed.SUM)
    local r = fn:repair(v[5]):define(b.body, 1):define(v[7], 2):define(b.body:terminator(), 3)
    r:define(v[4], 4)
    assert.same({ visited = 3, uses = 2, phis = 0, removed = 1 }, r:rewrite())
    assert.equal("  %7: i64 = add 1, %4\n  %8: i64 = add %4, 1\n  jump head", lines(fn, "body"))
    assert.equal("  ret 4", lines(fn, "done"))
    assert(fn:verify())
  end)

  it("defines at the ends of blocks, after what the terminator reads", function()
    local fn, v, b = read(DIAMOND)
    local flag = b.entry:back():slt(v[3], 0)
    b.entry:back():branch(flag, b.a, b.b)
    fn:repair(flag):define(b.entry:terminator(), true):rewrite()
    assert.equal(flag, b.entry:terminator():args()[1])
    fn:repair(v[3]):define(b.a:terminator(), 70):define(b.b:terminator(), 80):rewrite()
    assert.equal(75, fn(true, -100))
    assert.equal(85, fn(true, 100))
  end)

  it("keeps what a definition uses as it was before it", function()
    local fn, v, b = read(DIAMOND)
    local w = b.done:front():mul(v[3], v[3])
    fn:repair(v[3]):define(w, w):rewrite()
    assert.same({ v[3], v[3] }, w:args())
    assert.equal(w, v[8]:args()[1])
  end)

  it("lets the last of several definitions at a place hide the others", function()
    local fn, v, b = read(DIAMOND)
    fn:repair(v[3]):define(b.done, 1):define(b.done, 2):define(v[3], 3):define(v[3], 4):rewrite()
    assert.equal("  %8: i64 = add 2, 5\n  ret %8", lines(fn, "done"))
    assert.equal("  %5: i64 = mul 4, 2\n  jump done", lines(fn, "a"))
  end)

  it("uses undef where no definition reaches", function()
    local fn, v, b = read(DIAMOND)
    v[5]:move_before(b.b:terminator())
    v[8]:set_arg(2, v[5])
    assert.is_nil((fn:verify()))
    assert.same({ visited = 4, uses = 1, phis = 1, removed = 0 }, fn:repair(v[5]):rewrite())
    assert(fn:verify())
    assert.equal("  %10: i64 = phi [a: undef:i64, b: %5]",
      (lines(fn, "done"):match "[^\n]*":gsub("^  %%%d+", "  %%10")))
  end)

  it("uses undef in blocks that nothing leads to", function()
    local fn, v = read(DIAMOND)
    local lost, again = fn:block "lost", fn:block "again"
    local use = again:back():add(v[3], 1)
    again:back():jump(lost)
    lost:back():jump(again)
    fn:repair(v[3]):rewrite()
    assert.equal(fn:undef "i64", use:args()[1])
  end)

  it("replaces phis that no value enters by undef", function()
    local fn = read(DIAMOND)
    local lost = fn:block "lost"
    lost:back():jump(lost)
    local phi = lost:front():phi { [lost] = fn:arg(2) }
    local use = lost:back():add(phi, 1)
    phi:set_arg(1, phi)
    assert.same({ visited = 1, uses = 1, phis = 0, removed = 1 }, fn:repair(phi):rewrite())
    assert.equal(fn:undef "i64", use:args()[1])
    assert.equal(fn:undef "i64", phi:now())
  end)

  it("removes phis of its values that are not needed any more", function()
    local fn, v, b = read(parsed.SUM)
    local r = fn:repair(v[5], v[7]):define(b.done, 7)
    assert.same({ visited = 3, uses = 1, phis = 0, removed = 0 }, r:rewrite())
    assert.same({ visited = 3, uses = 1, phis = 0, removed = 1 },
      fn:repair(v[5]):define(b.body, v[4]):define(b.done, 1):rewrite())
    assert.has_error(function() v[5]:op() end,
      "value '%5' is gone: it was erased or dropped")
    assert.equal("  %7: i64 = add %4, %4\n  %8: i64 = add %4, 1\n  jump head", lines(fn, "body"))
    assert(fn:verify())
  end)

  it("replaces phis of its values that have become redundant", function()
    local fn, v = read(parsed.SUM)
    local r = fn:repair(v[5], v[7]):define(v[7], v[5])
    assert.same({ visited = 3, uses = 2, phis = 0, removed = 1 }, r:rewrite())
    assert.equal(fn:const(0, "i64"), v[5]:now())
    assert.equal("  ret 0", lines(fn, "done"))
    assert(fn:verify())
  end)

  it("keeps phis that are copied with their block, which have one operand of it left", function()
    local fn = read [[
      fn f() -> i64 {
      entry:
        jump head
      head: <- entry, back
        %x: i64 = phi [entry: 3, back: %y]
        %y: i64 = phi [entry: 7, back: %x]
        %s: i64 = phi [entry: 0, back: %t]
        %t: i64 = add %s, %x
        %more: i1 = slt %t, 12
        branch %more, back, exit
      back: <- head
        jump head
      exit: <- head
        %r: i64 = mul %s, %x
        ret %r
      }]]
    assert.equal(30, fn())
    local entry, head, twin, now = fn:entry(), fn:find "head", fn:block(), {}
    local list = table.move(head:insts(), 1, 2, 4, head:phis())
    entry:retarget(head, twin)
    for i, start in ipairs { 3, 7, 0 } do now[i] = twin:front():phi { [entry] = start } end
    now[4] = twin:back():add(now[3], now[1])
    now[5] = twin:back():slt(now[4], 12)
    twin:back():branch(now[5], table.unpack(head:succs()))
    for i, v in ipairs(list) do fn:repair(v, now[i]):rewrite() end
    fn:clean { phis = true }
    assert(fn:verify())
    assert.equal(30, fn())
  end)

  it("keeps a phi whose operand does not dominate it, until that is repaired", function()
    local fn = read [[
      fn f() -> i64 {
      entry:
        jump head
      head: <- entry, back
        %x: i64 = phi [entry: 0, back: %next]
        jump body
      body: <- head
        %next: i64 = add %x, 3
        %more: i1 = slt %next, 10
        branch %more, back, exit
      back: <- body
        jump head
      exit: <- body
        ret %x
      }]]
    local x, start = fn:find "%x", fn:block()
    fn:entry():retarget(fn:find "head", start)
    start:back():jump(fn:find "back")
    assert.equal(0, fn:repair(x):define(start, 0):rewrite().removed)
    fn:repair(fn:find "%next"):define(start, 0):rewrite()
    assert.equal("phi", x:op())
    fn:clean { phis = true }
    assert(fn:verify())
    assert.equal(9, fn())
  end)

  -- The version of %x in the copy is %next as it was, which the copy makes anew.
  it("keeps a phi of an operand that is still to be repaired", function()
    local fn = read [[
      fn f() -> i64 {
      entry:
        jump head
      head: <- entry, back
        %x: i64 = phi [entry: 1, back: %next]
        %next: i64 = mul %x, 3
        %more: i1 = slt %next, 100
        branch %more, back, exit
      back: <- head
        jump head
      exit: <- head
        ret %x
      }]]
    local x, next, twin, back = fn:find "%x", fn:find "%next", fn:block "twin", fn:find "back"
    back:retarget(fn:find "head", twin)
    local at = twin:back()
    local again = at:phi { [back] = next }
    local next_again = at:mul(again, 3)
    at:branch(at:slt(next_again, 100), back, fn:find "exit")
    assert.equal(1, fn:repair(x, again):rewrite().removed)
    assert.equal("phi", again:op())
    fn:repair(next, next_again):rewrite()
    fn:clean { phis = true }
    assert(fn:verify())
    assert.equal(81, fn())
  end)

  it("names its phis after the variable of its first value", function()
    local fn, v, b = read(parsed.SUM)
    b.body:back():branch(v[6], b.head, b.done)
    fn:repair(v[5], v[7]):rewrite()
    assert.truthy(lines(fn, "done"):find("phi s [head: %5, body: %7]", 1, true))
    assert(fn:verify())
  end)

  it("leaves the further results of an instruction", function()
    local D = phial.dialect("d", { two = { results = 2, result = "i64", eval = function()
      return 3, 4
    end } })
    local fn = phial.fn("f", {}, "i64", { dialects = { D } })
    local x, y = fn:entry():emit "d.two"
    local sum = fn:entry():add(x, y)
    fn:entry():ret(sum)
    fn:finish()
    fn:repair(x):define(x, 10):rewrite()
    assert.equal(x, y:args()[1])
    assert.equal(14, fn())
  end)

  it("visits the blocks between definitions and uses only", function()
    local fn = phial.fn("f", { "c:i1", "n:i64" }, "i64")
    local at, vs = fn:entry(), {}
    local D = phial.dialect("d", { show = { args = 1 } })
    for i = 1, 200 do
      local yes, join = fn:block(nil, 1), fn:block(nil, 2)
      vs[i] = at:mul(fn:arg(2), i + 1)
      at:branch(fn:arg(1), yes, join)
      yes:jump(join)
      at = join
      at:emit(D.show, vs[i])
    end
    at:ret(vs[1])
    fn:finish()
    local block = vs[100]:block():succs()[1]
    assert.same({ visited = 3, uses = 1, phis = 1, removed = 0 },
      fn:repair(vs[100]):define(block, 7):rewrite())
    assert.equal(400, fn:repair(vs[1]):rewrite().visited - 1)
    assert(fn:verify())
  end)

  it("notes what it does in the log", function()
    local fn, v, b = read(DIAMOND)
    local told = {}
    fn:log(function(e) told[#told + 1] = e.event .. " " .. tostring(e.value or e.block) end)
    fn:repair(v[3]):define(b.a, 7):rewrite()
    assert.same({ "edited done", "phi " .. tostring(b.done:phis()[1]), "edited %5", "edited %8" },
      told)
  end)

  it("takes a value twice, and phis to which no edge leads any more", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local entry, a, join = fn:entry(), fn:block "a", fn:block "join"
    local one = entry:call("one", "i64")
    entry:branch(fn:arg(1), a, join)
    local two = a:call("two", "i64")
    a:jump(join)
    join:ret(one)
    fn:finish()
    fn:repair(one, one, two):rewrite()
    local phi = join:phis()[1]
    assert.same({ one, two }, phi:args())
    entry:remove_edge(join)
    a:remove_edge(join)
    fn:repair(phi, one):rewrite()
    assert.is_true(fn:verify())
    assert.equal("undef", join:terminator():arg(1):op())
  end)

  it("takes phis to which no edge leads any more for undef, also where phis merge them", function()
    local fn, v, b = read(DIAMOND)
    local phi = b.b:front():phi { [b.entry] = v[3] }
    v[8]:set_arg(2, phi)
    b.entry:remove_edge(b.b)
    fn:repair(v[3], phi):rewrite()
    assert.matches("phi %[a: %%3, b: undef:i64%]", lines(fn, "done"))
  end)
end)

describe("the edit", function()
  for name, check in golden.each("spec/golden/edit", golden.built) do it(name, check) end
end)

describe("fn:repair refuses", function()
  it("what is no variable", function()
    local fn, v, b = read(DIAMOND)
    local other = read(parsed.SUM)
    local bad = bad_argument(fn, fn)
    bad("repair", 1, "phial.Value expected, got 3", 3)
    bad("repair", 1, "'7' is a constant: it is the same everywhere", fn:const(7))
    refused(fn, "bad argument #2 to 'repair' ('undef:i64' is a constant: it is the same "
      .. "everywhere)", function() fn:repair(v[3], fn:undef "i64") end)
    bad("repair", 2, "i64 expected, got i1 '%c'", v[3], fn:arg(1))
    bad("repair", 1, "'jump done' has no result", b.a:terminator())
    bad("repair", 1, "i64 '%n' belongs to function 'sum', not to 'f'", other:arg(1))
    local open = phial.fn("g", { "n:i64" })
    refused(open, "function 'g' is not finished: edit it after fn:finish()",
      function() open:repair(open:arg(1)) end)
  end)

  it("wrong definitions", function()
    local fn, v, b = read(DIAMOND)
    local r = fn:repair(v[3])
    local bad = bad_argument(fn, r)
    bad("define", 1, "block or instruction expected, got nil", nil, 3)
    bad("define", 1, "'%n' is not an instruction: it is in no block", fn:arg(2), 3)
    bad("define", 2, "i64 expected, got i1 '%c'", b.a, fn:arg(1))
    bad("define", 2, "i64 expected, got 1.5", v[5], 1.5)
    assert.same(0, r:rewrite().uses)
  end)

  it("to be done twice", function()
    local fn, v, b = read(DIAMOND)
    local r = fn:repair(v[3])
    r:rewrite()
    local message = "this repair of function 'f' is done: start another one, by fn:repair()"
    refused(fn, message, function() r:rewrite() end)
    refused(fn, message, function() r:define(b.a, 3) end)
  end)

  it("what is gone when it is to be done", function()
    local fn, v, b = read(DIAMOND)
    local w = b.a:back():add(1, 2)
    local r = fn:repair(w)
    w:erase()
    refused(fn, "value 1 of the repair, '%13', is gone: it was erased or dropped",
      function() r:rewrite() end)
    w = b.a:back():add(1, 2)
    r = fn:repair(v[3]):define(b.a, 1):define(w, 3)
    w:erase()
    local gone = "definition %d of the repair: '%%%d' is gone: it was erased or dropped"
    refused(fn, gone:format(2, 14), function() r:rewrite() end)
    w = b.a:back():add(1, 2)
    r = fn:repair(v[3]):define(b.a, w)
    w:erase()
    refused(fn, gone:format(1, 15), function() r:rewrite() end)
    r = fn:repair(v[3]):define(b.b, 4)
    b.b:retarget(b.done, b.a)
    b.entry:back():jump(b.a)
    fn:clean { unreached = true }
    refused(fn, "definition 1 of the repair: block 'b' is gone: it was dropped",
      function() r:rewrite() end)
  end)

  it("what is a constant when it is to be done", function()
    local fn, v = read(parsed.SUM)
    v[5]:set_arg(2, 0)
    local r, r2 = fn:repair(v[5]), fn:repair(v[4]):define(v[5], 1)
    fn:clean { phis = true }
    refused(fn, "value 1 of the repair was replaced by '0', a constant", function() r:rewrite() end)
    refused(fn, "definition 1 of the repair: the instruction before it was replaced by '0'",
      function() r2:rewrite() end)
  end)

  it("to be done in a function that was reopened", function()
    local fn, v = read(DIAMOND)
    local r = fn:repair(v[3])
    fn:reopen()
    refused(fn, "function 'f' is not finished: edit it after fn:finish()",
      function() r:rewrite() end)
  end)
end)
