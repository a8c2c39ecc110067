-- callee:copy_into(cursor, args): a function becomes part of another one, or of itself.
local assert = require "spec.support.assert"
local arithmetic = require "spec.support.arithmetic"
local bad_argument = require "spec.support.bad_argument"
local here = require "spec.support.here"
local phial = require "phial"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local read = require("spec.support.parsed").read
local refused = require "spec.support.refused"
local results = require "spec.support.results"

local ABS <const> = [[
fn abs(%x: i64) -> i64 {
entry:
  %2: i1 = slt %x, 0
  branch %2, minus, plus
minus: <- entry
  %y: i64 = neg %x
  ret %y
plus: <- entry
  ret %x
}]]

local CALLER <const> = [[
fn f(%n: i64) -> i64 {
entry:
  %2: i64 = add %n, 1
  %3: i64 = mul %2, 2
  ret %3
}]]

-- Copies a function to where another one, or itself, returns.
local function copy(callee, into, args) return callee:copy_into(into:entry():back(), args) end

describe("callee:copy_into", function()
  it("makes calls of tail calls", function()
    local m = phial.module "m"
    local twice = m:build("twice", { "x:i64" }, "i64", function(b, v) b:ret(v.x * 2) end)
    local callee = m:build("callee", { "x:i64", "p:ptr" }, "i64", function(b, v)
      b:if_(v.x:slt(0), function() b:tail_call(v.p, v.x) end)
      b:tail_call(twice, v.x + 1)
    end)
    local fn = m:build("f", { "n:i64" }, "i64", function(b, v)
      b:ret(b:call(callee, nil, v.n, b:address(twice)))
    end)
    m:finish()
    local call = fn:entry():insts()[2]
    local _, _, result = callee:copy_into(call:before(), call:args())
    call:replace(result)
    call:erase()
    assert.is_true(fn:verify())
    assert.same({ -6, 8 }, { fn(-3), fn(3) })
    assert.is_nil(fn:text():find("tail_call", 1, true))
  end)

  it("splits the block at the cursor; results are the phi of what is returned", function()
    local fn, v = read(CALLER)
    local callee, _, old = read(ABS)
    local entry, rest, result, map = callee:copy_into(v[3]:before(), { v[2] })
    v[3]:set_arg(1, result)
    assert.equal([[
fn f(%n: i64) -> i64 {
entry:
  %2: i64 = add %n, 1
  jump abs
abs: <- entry
  %7: i1 = slt %2, 0
  branch %7, minus, plus
minus: <- abs
  %y: i64 = neg %2
  jump b5
plus: <- abs
  jump b5
b5: <- minus, plus
  %14: i64 = phi [minus: %y, plus: %2]
  %3: i64 = mul %14, 2
  ret %3
}
]], fn:text())
    assert.is_true(fn:verify())
    assert.equal("abs b5 %14", ("%s %s %s"):format(entry, rest, result))
    assert.equal(entry, map[callee:entry()])
    assert.equal(fn:find "minus", map[old.minus])
    assert.equal(v[2], map[callee:arg(1)])
    assert.equal(fn:find "%y", map[callee:find "%y"])
    assert.equal(fn:const(0), map[callee:const(0)])
    assert.is_nil(map[old.minus:terminator()])
    assert.equal(14, fn(-8))
    assert.equal(7, callee(-7))
  end)

  it("takes literals, and a function without parameters needs no list", function()
    local fn, v = read(CALLER)
    local _, _, result = read(ABS):copy_into(v[3]:before(), { -5 })
    v[3]:set_arg(2, result)
    assert.equal(20, fn(3))
    local empty = phial.build("e", {}, nil, function(b) b:ret() end)
    local _, _, nothing = empty:copy_into(v[3]:before())
    assert.is_nil(nothing)
    assert.is_true(fn:verify())
  end)

  it("copies a function into itself, as it was before", function()
    local fn = read(ABS)
    local y = fn:find "%y"
    local _, _, result = fn:copy_into(y:after(), { y })
    result:block():terminator():set_arg(1, result)
    assert.equal([[
fn abs(%x: i64) -> i64 {
entry:
  %2: i1 = slt %x, 0
  branch %2, minus.2, plus.3
minus.2: <- entry
  %y.4: i64 = neg %x
  jump abs
plus.3: <- entry
  ret %x
abs: <- minus.2
  %8: i1 = slt %y.4, 0
  branch %8, minus.5, plus.6
minus.5: <- abs
  %y.10: i64 = neg %y.4
  jump b7
plus.6: <- abs
  jump b7
b7: <- minus.5, plus.6
  %14: i64 = phi [minus.5: %y.10, plus.6: %y.4]
  ret %14
}
]], fn:text())
    assert.is_true(fn:verify())
    assert.equal(9, fn(-9))
  end)

  it("makes no phi of one value, and undef where nothing returns", function()
    local fn, v = read(CALLER)
    local same = read((ABS:gsub("ret %%y", "ret %%x")))
    local _, _, result = same:copy_into(v[3]:before(), { v[2] })
    assert.equal(v[2], result)
    local never = read "fn never(%x: i64) -> i64 {\nentry:\n  unreachable\n}"
    local _, rest, nothing = never:copy_into(v[3]:before(), { v[2] })
    assert.equal(fn:undef "i64", nothing)
    assert.is_false(rest:is_reachable())
    assert.equal(1, fn:clean { unreached = true }.unreached)
    assert.is_true(fn:verify())
  end)

  it("moves allocas into the entry, and leaves those of the caller there", function()
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v)
      local slot = b:alloca "i64"
      b:store(slot, v.n)
      b:while_(function() return b:load(slot, "i64"):slt(100) end, function()
        b:store(slot, b:load(slot, "i64") + 30)
      end)
      b:ret(b:load(slot, "i64"))
    end)
    local twice = phial.build("f", { "n:i64" }, "i64", function(b, v)
      b:ret(v.n + v.n)
    end)
    local at = twice:entry():front()
    at:alloca "i32"
    local _, rest, result = fn:copy_into(at, { twice:arg(1) })
    rest:terminator():set_arg(1, result)
    assert.is_true(twice:verify())
    local ops = {}
    for i, inst in ipairs(twice:entry():insts()) do ops[i] = inst:op() end
    assert.same({ "alloca", "alloca", "jump" }, ops)
    assert.equal(115, twice(25))
  end)

  it("keeps data, names, variables and locations, and attaches dialects", function()
    local D = phial.dialect("d", {
      make = { args = 1, result = "t", effect = "new" },
      see = { args = { "t" }, result = "i64", effect = "read" },
      halt = { terminator = true },
    }, { "t" })
    local datum = {}
    local callee = phial.fn("g", { "c:i1" }, "i64", { where = "all" })
    callee:set_current(callee:entry())
    callee:set_loc(3, 4, "g.src")
    local x = callee:emit(D.make, 1, { data = datum }):set_name "x"
    local var, stop, go = callee:var("kept", "i64"), callee:block("stop", 1), callee:block("go", 1)
    callee:write(var, callee:emit(D.see, x))
    callee:branch(callee:param(1), stop, go)
    callee:set_current(stop)
    callee:emit(D.halt)
    callee:set_current(go)
    callee:ret(var)
    callee:finish()
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v) b:ret(v.n) end)
    local _, rest, result, map = copy(callee, fn, { true })
    rest:terminator():set_arg(1, result)
    local copied = map[x]
    assert.equal(D, fn:dialect "d")
    assert.equal("d.make d.t %x", ("%s %s %s"):format(copied:op(), copied:type(), copied))
    assert.same({ x:loc() }, { copied:loc() })
    assert.equal(x:place(), copied:place())
    assert.equal(datum, copied:data())
    assert.equal("d.halt", map[stop]:terminator():op())
    copied:set_data {}
    assert.equal(datum, x:data())
    local _, _, _, again = copy(callee, callee, { false })
    again[x]:set_data {}
    assert.equal(datum, x:data())
    assert.is_true(fn:verify() and callee:verify())
  end)

  it("gives all phis of a variable one variable", function()
    local callee = phial.build("g", { "n:i64" }, "i64", function(b, v)
      v.x = 0
      b:while_(function() return v.x:slt(v.n) end, function()
        b:if_(v.x:eq(3), function() v.x = v.x + 2 end)
        v.x = v.x + 1
      end)
      b:ret(v.x)
    end)
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v) b:ret(v.n) end)
    copy(callee, fn, { 5 })
    assert.equal(2, select(2, fn:text():gsub("phi x ", "")))
  end)

  it("has blocks that end where it was made", function()
    local callee = phial.build("g", { "n:i64" }, "i64", function(b, v)
      b:if_(v.n:eq(3), function() b:ret(1) end)
      b:ret(v.n)
    end)
    local fn = phial.build("f", { "n:i64" }, "i64", { where = "all" }, function(b, v)
      b:ret(v.n)
    end)
    local place, _, _, _, map = here(), callee:copy_into(fn:entry():back(), { fn:arg(1) })
    fn:reopen()
    local ok, message = pcall(map[callee:entry()].add, map[callee:entry()], 1, 2)
    assert.is_false(ok)
    assert.matches(("ends with 'branch %%4, if_then, if_done' (at %s)"):format(place), message, 1,
      true)
  end)

  it("keeps nodes", function()
    local made, ret, own = {}, {}, {}
    local callee = phial.fn("g", { "n:i64" }, "i64"):set_node(made)
    callee:set_current(callee:entry())
    local slot = callee:alloca "i64"
    callee:store(slot, callee:arg(1))
    callee:set_node(ret)
    callee:ret(callee:add(callee:arg(1), 1))
    callee:finish()
    local fn = phial.fn("f", { "n:i64" }, "i64"):set_node(own)
    fn:set_current(fn:entry())
    fn:ret(fn:add(fn:arg(1), 1))
    fn:finish()
    local entry, rest, result, map = copy(callee, fn, { 2 })
    assert.same({ made }, map[slot]:nodes())
    assert.same({ ret }, result:nodes())
    assert.same({ ret }, entry:terminator():nodes())
    assert.same({ own }, rest:terminator():nodes())
    rest:terminator():set_arg(1, result)
    assert.equal(3, fn(5))
    local _, _, again = copy(callee, callee, { 3 })
    assert.same({ ret }, again:nodes())
  end)

  it("keeps all nodes of what stands for equal instructions", function()
    local nodes = { {}, {}, {} }
    local callee, sum = phial.fn("g", { "n:i64" }, "i64")
    callee:set_current(callee:entry())
    for _, node in ipairs(nodes) do
      callee:set_node(node)
      sum = callee:add(callee:arg(1), 1)
    end
    callee:ret(sum)
    callee:finish()
    for _, has_nodes in ipairs { true, false } do
      local fn = phial.fn("f", {}, "i64")
      if has_nodes then fn:set_node {} end
      fn:entry():ret(0)
      fn:finish()
      local _, _, result = copy(callee, fn, { 2 })
      assert.same(nodes, sum:nodes())
      assert.same(nodes, result:nodes())
    end
  end)

  it("shares symbols with the function", function()
    local function seek() return 7 end
    local callee = phial.build("g", {}, "i64", function(b) b:ret(b:call(seek, "i64")) end)
    local fn = phial.build("f", {}, "i64", function(b) b:ret(b:call(seek, "i64")) end)
    local _, rest, result = copy(callee, fn, {})
    rest:terminator():set_arg(1, rest:terminator():args()[1])
    assert.equal(seek, result:data())
    assert.equal(7, fn())
  end)

  it("leaves out what the entry does not reach", function()
    local callee, v, b = read [[
fn g(%c: i1) -> i64 {
entry:
  branch %c, a, join
a: <- entry
  jump join
join: <- entry, a
  %4: i64 = phi [entry: 1, a: 2]
  ret %4
}]]
    b.entry:remove_edge(b.a)
    local fn = read(CALLER)
    local _, _, result, map = copy(callee, fn, { true })
    assert.equal(1, #result:args())
    assert.is_nil(map[b.a])
    assert.equal(2, #v[4]:args())
    assert.equal(1, fn:clean { phis = true }.phis)
    assert.is_true(fn:verify())
  end)
end)

-- All calls of functions of phial, the last ones of a block first.
local function calls_of(fn)
  local found = {}
  for v in fn:values() do
    if v:op() == "call" and type(v:data()) == "userdata" then
      table.insert(found, 1, v)
    end
  end
  return found
end

it("a copy in place of a call computes the same, on random programs", function()
  local count = 0
  local cases = prop.forall(function(pick)
    local opts = { no_nans = true, memory = pick(2) == 1, ticks = pick(3) > 1 and pick(6) or nil,
      several = pick(2) == 1, tails = pick(2) == 1 }
    local case = { programs = arithmetic.generate_all(pick, 3, 6, nil, opts), args = {} }
    local top = case.programs[3]
    for i = 1, top.params do case.args[i] = arithmetic.constant(pick, top.vars[i]) end
    return case
  end, function(case)
    local env, fn = {}, nil
    for i, program in ipairs(case.programs) do
      fn = arithmetic.build(program, nil, { name = "f" .. i, result = "i64",
        leave = arithmetic.digest, callee = function(name) return env[name] or name end })
      env["f" .. i] = fn
    end
    local args = table.move(case.args, 1, #fn:params(), 1, {})
    args[#fn:params() + 1] = { env = env, fuel = 2000 }
    local before = results.outcome(fn, table.unpack(args, 1, #fn:params() + 1))
    for _, call in ipairs(calls_of(fn)) do
      local _, _, first, _, second = call:data():copy_into(call:before(), call:args())
      local further = call:results()[2]
      if further then
        further:replace(second)
        further:erase()
      end
      call:replace(first)
      call:erase()
      count = count + 1
    end
    fn:clean { phis = true } -- which arguments have made redundant
    assert(fn:verify())
    local again = phial.parse(fn:text(), { dialects = { arithmetic.dialect } })
    assert.equal(fn:text(), again:text())
    if before == "out of fuel" then return end
    results.check(before, results.outcome(fn, table.unpack(args, 1, #fn:params() + 1)))
  end)
  assert(count >= cases // 5, count)
end)

describe("a copy", function()
  it("has the undefs, the refinements and what is returned in three places", function()
    local callee = phial.fn("g", { "x:i64" }, "i64", { rules = false })
    local entry, one, two = callee:entry(), callee:block "one", callee:block "two"
    local three, x, unwritten = callee:block "three", callee:var "x", callee:var "unwritten"
    entry:write(x, callee:arg(1))
    entry:switch(callee:arg(1), one, { [1] = two, [2] = three }, { refine = { x } })
    one:ret(3)
    two:ret(two:add(two:read(x), 1))
    three:ret(three:read(unwritten))
    callee:finish()
    local fn, v = read(CALLER)
    local _, rest, result = copy(callee, fn, { v[2] })
    rest:terminator():set_arg(1, result)
    assert.is_true(fn:verify())
    assert.matches("%%(%d+): i64 = refine x %%2, %%2, 1\n  %%%d+: i64 = add %%%1, 1\n", fn:text())
    assert.matches("phi %[one: 3, two: %%%d+, three: undef:i64%]\n  ret", fn:text())
    copy(fn, fn, { v[2] })
    assert.is_true(fn:verify())
    assert.same({ 3, 2, 3 }, { fn(2), fn(0), fn(7) })
  end)

  it("has the lines of source code, also without a file", function()
    local fn, callee = read(CALLER), read(ABS)
    callee:find "%y":set_loc(1)
    copy(callee, fn, { 1 })
    assert.same({ 1 }, { fn:find "%y":loc() })
  end)

  it("leaves the allocas of the entry where they are", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    local entry = fn:entry()
    local sum = entry:add(fn:arg(1), 1)
    local alloca = entry:alloca(8)
    entry:store(alloca, sum)
    entry:ret(entry:load(alloca, "i64"))
    fn:finish()
    read(ABS):copy_into(sum:before(), { sum:args()[1] })
    assert.is_true(fn:verify())
    assert.same({ entry, 4 }, { alloca:block(), fn(3) })
  end)
end)

describe("refused:", function()
  local fn, callee, at = (read(CALLER)), (read(ABS))
  at = fn:entry():back()

  it("a callee that cannot be copied", function()
    refused(fn, "calling 'copy_into' on bad self (function 'g' is not finished)",
      function() phial.fn("g"):copy_into(at) end)
    refused(fn, "calling 'copy_into' on bad self ('h' is a declaration: it has no body)",
      function() phial.module "m":declare("h", {}, "i64"):copy_into(at) end)
    local stray, v, b = read(ABS)
    b.plus:terminator():set_arg(1, stray:find "%y")
    b.entry:remove_edge(b.minus)
    refused(fn, "calling 'copy_into' on bad self ('ret %y' in block 'plus' uses a value that no "
      .. "path from the entry defines)", function() stray:copy_into(at, { 1 }) end)
    assert.equal(2, v[2]:id())
  end)

  it("a callee that uses what was dropped, or joins it", function()
    for _, keep in ipairs { false, true } do
      local other = phial.fn("g", {}, "i64", { rules = phial.rules "int" })
      local way, dead, join = other:block "way", other:block "dead", other:block "join"
      local side = other:block "side"
      other:entry():branch(other:const(true), way, dead)
      local lost = dead:call("h", "i64")
      dead:jump(join)
      way:branch(way:call("c", "i1"), side, join)
      side:jump(join)
      join:seal()
      local phi = keep and join:phi { [way] = lost, [side] = 2, [dead] = 1 }
      join:ret(phi or join:add(lost, 1))
      other:finish { verify = false, keep_unreachable = keep }
      raises.with("in block 'join' uses a value that no path from the entry defines",
        other.copy_into, other, at)
    end
  end)

  it("arguments that do not fit", function()
    local bad = bad_argument(fn, callee)
    bad("copy_into", 2, "'abs' takes 1 argument, got 0", at)
    bad("copy_into", 2, "'abs' takes 1 argument, got 2", at, { 1, 2 })
    bad("copy_into", 2, "i64 expected by parameter 'x' of 'abs', got true", at, { true })
    refused(fn, "bad argument #2 to 'copy_into' (i64 expected by parameter 'x' of 'abs', got i1 "
      .. "'true')", function() callee:copy_into(at, { fn:const(true) }) end)
    bad("copy_into", 2, "argument 1: phial.Value expected, got a table", at, { {} })
    refused(fn, "bad argument #2 to 'copy_into' (i64 '%x' belongs to function 'abs', not "
      .. "to 'f')",
      function() callee:copy_into(at, { callee:arg(1) }) end)
    bad("copy_into", 2, "a list expected, got number", at, 1)
  end)

  it("what is not a cursor, or has lost its place", function()
    refused(fn, "bad argument #1 to 'copy_into' (phial.Cursor expected, got a phial.Block)",
      function() callee:copy_into(fn:entry(), { 1 }) end)
    local other = read(ABS)
    local lost = other:find "%y":before()
    other:find "minus":back():ret(1)
    other:find "%y":erase()
    refused(other, "the cursor has lost its place: the 'neg' that it preceded is gone",
      function() callee:copy_into(lost, { 1 }) end)
  end)
end)
