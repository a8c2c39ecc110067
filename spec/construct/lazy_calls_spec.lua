-- Refinements and may-writes, call by call: what they make, drop and refuse.
local assert = require "spec.support.assert"
local here = require "spec.support.here"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"


local function new(params, opts)
  opts = opts or {}
  opts.rules = opts.rules or false
  return phial.fn("f", params or { "x", "c:i1" }, "i64", opts)
end

local function ops(fn, op)
  local list = {}
  for v in fn:values() do
    if v:op() == op then list[#list + 1] = v end
  end
  return list
end

-- A branch on c that refines x, and a return of x on each side.
local function branched(fn, opts)
  local x, c = table.unpack(fn:params())
  local yes, no = fn:block "yes", fn:block "no"
  fn:entry():branch(c, yes, no, opts or { refine = { x } })
  return yes, no, x
end

describe("a refinement", function()
  it("names the value, the condition and the side", function()
    local fn = new()
    local yes, no, x = branched(fn)
    yes:seal()
    no:seal()
    local v, w = yes:read(x), no:read(x)
    assert.same({ fn:arg(1), fn:arg(2), fn:const(true) }, v:args())
    assert.same({ fn:arg(1), fn:arg(2), fn:const(false) }, w:args())
    assert.equal(x, v:var())
    assert.equal("yes", v:block():name())
  end)

  it("replaces what was read before the target was sealed", function()
    local fn = new()
    local yes, _, x = branched(fn)
    local v = yes:read(x)
    assert.equal("phi", v:op())
    yes:seal()
    assert.equal("refine", v:now():op())
    assert.equal(v:now(), yes:read(x))
  end)

  it("is not made where the variable was written", function()
    local fn = new()
    local yes, no, x = branched(fn)
    yes:write(x, 1)
    yes:seal()
    no:seal()
    yes:ret(x)
    no:ret(0)
    assert.same({}, ops(fn:finish(), "refine"))
  end)

  it("can be of several variables, one of them twice", function()
    local fn = phial.fn("f", { "x", "y", "c:i1" }, nil, { rules = false })
    local x, y, c = table.unpack(fn:params())
    local yes, no = fn:block(nil, 1), fn:block(nil, 1)
    fn:entry():branch(c, yes, no, { refine = { x, y, x } })
    yes:call("use", nil, x, y)
    yes:ret()
    no:ret()
    assert.equal(2, #ops(fn:finish(), "refine"))
  end)

  it("has the key of a switch as its side", function()
    local fn = phial.fn("f", { "x" }, "i64", { rules = false })
    local x = fn:param(1)
    local default, one = fn:block(nil, 1), fn:block(nil, 1)
    fn:entry():switch(x, default, { [7] = one }, { refine = { x } })
    one:ret(x)
    default:ret(x)
    assert(fn:finish():verify())
    local found = ops(fn, "refine")
    assert.equal(1, #found)
    assert.same({ fn:arg(1), fn:arg(1), fn:const(7) }, found[1]:args())
  end)

  it("is dropped, and counted, where another edge leads to the target", function()
    local fn = new()
    local x, c = table.unpack(fn:params())
    local yes, meet = fn:block "yes", fn:block "meet"
    fn:entry():branch(c, yes, meet, { refine = { x } })
    yes:seal()
    yes:jump(meet)
    meet:seal()
    meet:ret(x)
    fn:finish()
    assert.same({}, ops(fn, "refine"))
    assert.equal(1, fn:stats().dropped_refinements)
  end)

  it("is dropped, and counted, where the branch became a jump", function()
    local fn = phial.fn("f", { "x" }, "i64")
    local x = fn:param(1)
    local yes, no = fn:block "yes", fn:block "no"
    fn:entry():branch(fn:const(true), yes, no, { refine = { x } })
    yes:seal()
    no:seal()
    yes:ret(x)
    no:ret(x)
    fn:finish()
    assert.same({}, ops(fn, "refine"))
    assert.equal(2, fn:stats().dropped_refinements)
  end)

  it("is dropped, and counted, where rules take the edge from a branch or switch", function()
    local fn = phial.fn("f", { "x:i64" }, "i64", { split = true, rules = phial.rules [[
      branch(x < 5, A, B) => branch(x < 4, A, A) @ unoriented
      switch(x, A, 1, B, 2, C) => switch(x, A, 1, B, 3, B) @ unoriented
      switch(x, A, 5, B, 6, C) => switch(x, A, 5, B) @ unoriented
    ]] })
    local x, entry = fn:param(1), fn:entry()
    local a, b, c, join = fn:block "a", fn:block "b", fn:block "c", fn:block "join"
    entry:branch(entry:slt(x, 5), a, join, { refine = { x } })
    a:switch(x, b, { [1] = c, [2] = join }, { refine = { x } })
    b:switch(x, c, { [5] = join, [6] = join }, { refine = { x } })
    c:jump(join)
    join:ret(x)
    fn:finish()
    assert.matches("ret %%x\n}", fn:text())
    assert.equal(3, fn:stats().dropped_refinements)
  end)

  it("keeps the condition that the frontend gave", function()
    local fn = phial.fn("f", { "x", "c:i1" }, "i64")
    local x, c = table.unpack(fn:params())
    local yes, no = fn:block(nil, 1), fn:block(nil, 1)
    local inverse = fn:entry():bnot(c)
    fn:entry():branch(inverse, yes, no, { refine = { x } })
    yes:ret(x)
    no:ret(0)
    assert.equal(inverse, ops(fn:finish(), "refine")[1]:args()[2])
  end)

  it("stays with its edge, which gets a block, where rules exchange the targets", function()
    for side = 1, 2 do
      local fn = phial.fn("f", { "x", "c:i1" }, "i64")
      local x, entry = fn:param(1), fn:entry()
      local other, join = fn:block("other", 1), fn:block("join", 2)
      local targets = side == 1 and { join, other } or { other, join }
      entry:branch(entry:bnot(fn:arg(2)), targets[1], targets[2], { refine = { x }, split = true })
      other:write(x, 0)
      other:jump(join)
      join:ret(join:read(x))
      assert.equal(0, fn:finish():stats().dropped_refinements)
      local refined = ops(fn, "refine")
      assert.same({ 1, side == 1 }, { #refined, (refined[1]:arg(3):const()) })
      assert.same({ join }, refined[1]:block():succs())
    end
  end)

  it("is dropped where rules exchange two edges to one block", function()
    local fn = phial.fn("f", { "x", "c:i1" }, "i64", { split = true,
      rules = phial.rules "branch(~c, T, F) => branch(c, F, T)" })
    local x, entry, join = fn:param(1), fn:entry(), fn:block("join", 2)
    entry:branch(entry:bnot(fn:arg(2)), join, join, { refine = { x } })
    assert.equal(fn:arg(2), entry:terminator():arg(1))
    assert.equal(fn:arg(1), join:read(x))
    assert.equal(2, fn:stats().dropped_refinements)
  end)

  it("is on each of two edges to one block, in blocks that no other edge may enter", function()
    local fn = new(nil, { split = true })
    local x, entry, join, late = fn:param(1), fn:entry(), fn:block("join", 2), fn:block "late"
    entry:branch(fn:arg(2), join, join, { refine = { x } })
    local yes, no = table.unpack(join:read(x):args())
    assert.same({ true, false }, { yes:arg(3):const(), (no:arg(3):const()) })
    refused(fn, "block 'b5' is sealed: 'late' cannot become a predecessor of it",
      function() late:jump(yes:block()) end)
  end)

  it("is dropped where rules leave one of several edges to its block", function()
    for _, split in ipairs { false, true } do
      local fn = phial.fn("f", { "n:i64" }, "i64", { split = split, rules = phial.rules
        "switch(x, D, 1, D, 2, T) => branch(x == 2, T, D) @ unoriented, always" })
      local n, entry = fn:param(1), fn:entry()
      local rest, two = fn:block("rest", 2), fn:block("two", 1)
      entry:switch(n, rest, { rest, two }, { refine = { n } })
      assert.equal(fn:arg(1), rest:read(n))
      local read = two:read(n)
      assert.same({ "refine", 2 }, { read:op(), (read:arg(3):const()) })
      assert.equal(1, fn:stats().dropped_refinements)
    end
  end)

  it("precedes those of later variables, whichever is read first", function()
    local fn = phial.fn("f", { "x", "y", "c:i1" }, "i64", { rules = false })
    local x, y, c = table.unpack(fn:params())
    local yes, no = fn:block("yes", 1), fn:block("no", 1)
    fn:entry():branch(c, yes, no, { refine = { y, x } })
    yes:ret(yes:sub(yes:read(y), yes:read(x)))
    no:ret(no:sub(no:read(x), no:read(y)))
    fn:finish()
    for _, b in ipairs { yes, no } do
      assert.same({ x, y }, { b:insts()[1]:var(), b:insts()[2]:var() })
    end
  end)

  it("is forgotten if a rule of the branch fails, and made once when it does not", function()
    local fails = true
    local fn = phial.fn("f", { "x", "c:i1" }, "i64", {
      rules = phial.rules("turn: branch(~c, T, F) => branch(c, F, T) if $may(c)", { may = function()
        if fails then error("not now", 0) end
        return true
      end }),
    })
    local x, entry = fn:param(1), fn:entry()
    local yes, no = fn:block("yes", 1), fn:block("no", 1)
    local c = entry:bnot(fn:arg(2))
    assert.has_error(function() entry:branch(c, yes, no, { refine = { x } }) end)
    fails = false
    entry:branch(c, yes, no, { refine = { x } })
    yes:ret(yes:read(x))
    no:ret(no:read(x))
    fn:finish()
    for _, block in ipairs { yes, no } do
      assert.equal("refine", block:insts()[1]:op())
      assert.equal(fn:arg(1), block:insts()[1]:args()[1])
    end
  end)

  it("is what the function computes with", function()
    local fn = new()
    local yes, no, x = branched(fn)
    yes:seal()
    no:seal()
    yes:ret(yes:add(x, 1))
    no:ret(no:add(x, 2))
    fn:finish()
    assert.equal(6, fn(5, true))
    assert.equal(7, fn(5, false))
    assert.matches("refine x %x, %c, true", fn:text(), nil, true)
    assert.matches("x_1 + 1", phial.emit.lua(fn), nil, true)
  end)

  it("makes undefined reads no more nor less", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local x, c = fn:var "x", fn:param(1)
    local yes, no = fn:block("yes", 1), fn:block("no", 1)
    fn:entry():branch(c, yes, no, { refine = { x } })
    no:write(x, 1)
    no:may_write({ x }, 2)
    no:ret(x)
    yes:ret(x)
    fn:finish()
    local found = fn:undefined_reads()
    assert.equal(1, #found)
    assert.equal("yes", found[1].block:name())
  end)

  it("is undefined where its variable is, also after it and through phis of others", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local c, x, y, b = fn:arg(1), fn:var "x", fn:var "y", {}
    for i = 1, 7 do b[i] = fn:block("b" .. i) end
    fn:entry():branch(c, b[1], b[2])
    b[1]:write(x, 1)
    b[1]:jump(b[2])
    b[2]:branch(c, b[3], b[6], { refine = { x } })
    b[3]:branch(c, b[4], b[5])
    b[4]:jump(b[5])
    b[5]:write(y, b[5]:read(x))
    b[5]:jump(b[6])
    b[6]:write(y, b[6]:add(b[6]:read(x), b[6]:read(y)))
    b[6]:jump(b[7])
    b[7]:ret(b[7]:add(b[7]:read(y), b[7]:read(x)))
    fn:finish()
    local found = {}
    for i, read in ipairs(fn:undefined_reads()) do
      local path = { read.var:name() }
      for k, block in ipairs(read.path) do path[k + 1] = block:name() end
      found[i] = table.concat(path, " ")
    end
    assert.same({ "x entry b2 b3 b5", "x entry b2 b6", "y entry b2 b6", "x entry b2 b6 b7" }, found)
  end)

  it("is refused with a list of other things", function()
    local fn = new()
    local x, c = table.unpack(fn:params())
    local other = phial.fn("g", { "x" }):param(1)
    local yes, no = fn:block(), fn:block()
    local entry = fn:entry()
    refused(fn, "bad argument #4 to 'branch' (option 'refine': a list of variables expected, "
      .. "got 1)", function() entry:branch(c, yes, no, { refine = 1 }) end)
    refused(fn, "bad argument #4 to 'branch' (option 'refine': variable 2: phial.Variable "
      .. "expected, got 1)", function() entry:branch(c, yes, no, { refine = { x, 1 } }) end)
    refused(fn, "bad argument #4 to 'branch' (variable 'x' belongs to function 'g', not to 'f')",
      function() entry:branch(c, yes, no, { refine = { other } }) end)
    entry:branch(c, yes, no, { refine = {} })
    yes:branch(c, no, no, {})
  end)
end)

describe("a may-write", function()
  it("gives what was there or what may have been written", function()
    local fn = new()
    local x, entry = fn:param(1), fn:entry()
    local v = entry:call("g", "i64")
    entry:may_write({ x }, v)
    local may = entry:read(x)
    assert.equal("may", may:op())
    assert.same({ fn:arg(1), v }, may:args())
    assert.equal(may, entry:read(x))
    entry:may_write({ x }, 5)
    assert.same({ may, fn:const(5) }, entry:read(x):args())
    entry:write(x, 1)
    assert.equal(fn:const(1), entry:read(x))
  end)

  it("writes a group as it is at the time", function()
    local fn = phial.fn("f", { "x", "y" }, nil, { rules = false })
    local x, y = table.unpack(fn:params())
    local group, entry = fn:group { x }, fn:entry()
    entry:may_write(group, 1)
    assert.equal(group, group:add(x, y))
    assert.equal(fn:arg(2), entry:read(y))
    entry:may_write(group, 2)
    assert.same({ fn:arg(2), fn:const(2) }, entry:read(y):args())
    assert.equal("may", entry:read(x):args()[1]:op())
  end)

  it("does not write what joins its group, or another one, later", function()
    local fn = phial.fn("f", { "p:i64", "q:i64" }, nil, { rules = false })
    local b, x, y, z, p, q = fn:entry(), fn:var "x", fn:var "y", fn:var "z", fn:arg(1), fn:arg(2)
    for i, var in ipairs { x, y, z } do b:write(var, i) end
    local group, other = fn:group { x }, fn:group { z }
    b:may_write(group, p)
    group:add(z)
    assert.equal(3, b:read(z):const())
    group:add(y)
    b:may_write(group, q)
    b:may_write(other, p)
    b:call("use", nil, b:read(x), b:read(y), b:read(z))
    b:ret()
    fn:finish()
    assert.equal([[
fn f(%p: i64, %q: i64) {
entry:
  %6: i64 = may x 1, %p
  %7: i64 = may x %6, %q
  %8: i64 = may y 2, %q
  %9: i64 = may z 3, %q
  %10: i64 = may z %9, %p
  call @use %7, %8, %10
  ret
}
]], fn:text())
  end)

  it("finds its place when finish has taken what was before it, and failed", function()
    local fails = true
    local fn = phial.fn("f", { "x:i64" }, "i64", { rules = phial.rules([[
      x + 0 => x @ late
      x + 9 => x if $may(x) @ late
    ]], { may = function()
      if fails then error("not now", 0) end
      return false
    end }) })
    local entry, exit, x, y = fn:entry(), fn:block "exit", fn:var "x", fn:var "y"
    entry:write(y, 1)
    entry:write(x, entry:add(fn:arg(1), 0))
    entry:may_write({ y }, fn:arg(1))
    entry:jump(exit)
    exit:ret(exit:add(exit:read(x), 9))
    raises.with("not now", fn.finish, fn)
    local value = entry:read(y)
    fails = false
    fn:finish()
    assert.equal(entry:insts()[1], value)
    assert.same({ "may", "jump" }, { value:op(), entry:insts()[2]:op() })
  end)

  it("is not folded nor merged", function()
    local fn = phial.fn("f", {}, "i64")
    local x, entry = fn:var "x", fn:entry()
    entry:write(x, 1)
    entry:may_write({ x }, 1)
    local once = entry:read(x)
    entry:may_write({ x }, 1)
    entry:ret(entry:sub(x, once))
    assert.equal(2, #ops(fn:finish(), "may"))
  end)

  it("cannot be run nor exported, unless it is not needed", function()
    local fn = new()
    local x, entry = fn:param(1), fn:entry()
    entry:may_write({ x }, 1)
    entry:ret(x)
    fn:finish()
    local what = "f: 'may %x, 1' in block 'entry': it is not known whether the write that op "
      .. "'may' stands for has happened"
    refused(fn, what, function() fn(1, true) end)
    for _, emitter in ipairs { "lua", "c", "llvm" } do
      refused(fn, what, function() phial.emit[emitter](fn) end)
    end
    local other = new()
    other:entry():may_write({ other:param(1) }, 1)
    other:entry():read(other:param(1))
    other:entry():ret(0)
    assert.equal(0, other:finish()(1, true))
  end)

  for n = 1, 2 do
    it(("can come after the function was reopened: in %d groups"):format(n), function()
      local fn = phial.fn("f", {}, "i64", { rules = false })
      local x, groups, entry = fn:var "x", {}, fn:entry()
      for i = 1, n do groups[i] = fn:group { fn:var() } end
      entry:may_write(groups[1], 2)
      for _, group in ipairs(groups) do group:add(x) end
      entry:ret(0)
      fn:finish():reopen()
      local more = fn:block("more", 0)
      more:write(x, 1)
      more:may_write(groups[1], 2)
      assert.equal("may", more:read(x):op())
      more:ret(x)
      assert(fn:finish():verify())
    end)
  end

  it("passes both its values on", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { accesses = true, rules = false })
    local x, c, entry = fn:var "x", fn:param(1), fn:entry()
    local yes, no = fn:block(nil, 1), fn:block(nil, 1)
    entry:write(x, 1)
    entry:may_write({ x }, entry:call("g", "i64"))
    entry:branch(c, yes, no, { refine = { x } })
    yes:ret(yes:read(x))
    no:ret(0)
    fn:finish()
    local writes = fn:write_accesses()
    local reads = writes[#writes]:reads()
    assert.equal(1, #reads)
    assert.equal("refine", reads[1]:value():op())
  end)

  it("reads its place", function()
    local fn = new()
    local x, entry = fn:param(1), fn:entry()
    fn:set_loc(3, 4)
    entry:may_write({ x }, 1)
    fn:set_loc(9)
    local line, column = entry:read(x):loc()
    assert.same({ 3, 4 }, { line, column })
  end)

  it("is refused for what cannot be written", function()
    local fn = phial.fn("f", { "x", "y:i32" }, nil, { rules = false })
    local x, y = table.unpack(fn:params())
    local entry, group = fn:entry(), fn:group {}
    local other = phial.fn("g", { "x" })
    refused(fn, "bad argument #1 to 'may_write' (variable 'y' has type i32: the variables of a"
      .. " may-write have one type, i64 here)", function() entry:may_write({ x, y }, 1) end)
    refused(fn, "bad argument #1 to 'may_write' (variable 'x' belongs to function 'g', not to 'f')",
      function() entry:may_write({ other:param(1) }, 1) end)
    refused(fn, "bad argument #1 to 'may_write' (phial.Group or list of variables expected, got"
      .. " i64 variable 'x')", function() entry:may_write(x, 1) end)
    refused(fn, "bad argument #1 to 'may_write' (a group of another function)",
      function() entry:may_write(other:group {}, 1) end)
    refused(fn, "bad argument #1 to 'add' (variable 'y' has type i32: those of the group have i64)",
      function() group:add(y) end)
    refused(fn, "bad argument #2 to 'may_write' (i64 expected, got 1.5)",
      function() entry:may_write({ x }, 1.5) end)
    local dead = fn:block("dead", 0)
    dead:ret()
    refused(fn, "bad argument #2 to 'may_write' (a value expected, got 'ret', which has no result)",
      function() entry:may_write({}, dead:terminator()) end)
    entry:ret() local at = here()
    refused(fn, ("block 'entry' already ends with 'ret' (at %s): nothing can be added after it (if "
      .. "its operands have led to another block, emit by the methods of fn: see fn:set_current)")
      :format(at), function() entry:may_write({ x }, 1) end)
    fn:finish()
    refused(fn, "function 'f' is finished: edit it at cursors, as block:back(), or by fn:reopen()",
      function() fn:group {} end)
    refused(fn, "function 'f' is finished: edit it at cursors, as block:back(), or by fn:reopen()",
      function() group:add(x) end)
  end)

  it("follows older ones where only a refinement is before both", function()
    local fn = phial.fn("f", { "c:i1", "x", "y" }, "i64", { rules = false })
    local c, x, y = table.unpack(fn:params())
    local entry, yes, no = fn:entry(), fn:block("yes", 1), fn:block("no", 1)
    entry:branch(c, yes, no, { refine = { y } })
    yes:may_write({ x }, 1)
    yes:may_write({ x }, yes:read(y))
    yes:ret(x)
    no:ret(0)
    fn:finish()
    assert.matches("refine y.*= may x %%x, 1.*= may x ", fn:text())
  end)

  it("is not recorded", function()
    local fn = new()
    phial.record(fn)
    local x, entry = fn:param(1), fn:entry()
    entry:may_write({ x }, 1)
    refused(nil, "a read has found a may-write: traces have no lines for refinements and"
      .. " may-writes", function() entry:read(x) end)
  end)
end)
