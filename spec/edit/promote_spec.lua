-- fn:promote: which memory becomes values, and what it becomes.
local phial = require "phial"
local read = require("spec.support.parsed").read
local refused = require "spec.support.refused"

-- A function whose allocas have names; fill(b, fn, ...) fills the entry, given the allocas.
local function subject(sizes, fill, opts)
  local fn = phial.fn("f", { "p:ptr", "x:i64", "c:i1" }, "i64", opts or { rules = false })
  local b, allocas = fn:entry(), {}
  for i, size in ipairs(sizes) do
    allocas[i] = b:alloca(size):set_name(string.char(96 + i))
  end
  fill(b, fn, table.unpack(allocas))
  return fn:finish()
end

-- The blocks; values are numbered as they appear.
local function body(fn)
  local numbers, n = {}, 0
  local function number(id)
    if not numbers[id] then numbers[id], n = "%" .. n + 1, n + 1 end
    return numbers[id]
  end
  return (fn:text():gsub("^fn.-\n", ""):gsub("}\n$", ""):gsub("%%%d+", number))
end

-- The counts of what was done, in a line, and the text then.
local function promoted(fn)
  local n = fn:promote()
  assert(fn:verify())
  return ("%d allocas, %d fields, %d loads, %d writes, %d phis"):format(n.allocas, n.fields,
    n.loads, n.writes, n.phis), body(fn)
end

-- True if nothing happens to an 8-byte alloca that is used like this, besides one store and load.
local function stays(use, opts)
  local fn = subject({ 8 }, function(b, f, a)
    b:store(a, f:arg(2))
    use(b, f, a)
    b = f:find "next" or b
    b:ret(b:load(a, "i64"))
  end, opts)
  local before = fn:text()
  local n = fn:promote()
  return fn:text() == before and n.allocas == 0 and n.loads == 0
end

describe("fn:promote()", function()
  it("makes values of scalars, and names phis after the alloca", function()
    local fn = subject({ "i64", "i64" }, function(b, f, sum, i)
      local head, loop, done = f:block "head", f:block "loop", f:block "done"
      b:store(sum, 0)
      b:store(i, 0)
      b:jump(head)
      head:branch(head:slt(head:load(i, "i64"), f:arg(2)), loop, done)
      loop:store(sum, loop:add(loop:load(sum, "i64"), loop:load(i, "i64")))
      loop:store(i, loop:add(loop:load(i, "i64"), 1))
      loop:jump(head)
      done:ret(done:load(sum, "i64"))
    end)
    local counts, text = promoted(fn)
    assert.equal("2 allocas, 2 fields, 5 loads, 4 writes, 2 phis", counts)
    assert.equal([[
entry:
  jump head
head: <- entry, loop
  %1: i64 = phi b [entry: 0, loop: %2]
  %3: i64 = phi a [entry: 0, loop: %4]
  %5: i1 = slt %1, %x
  branch %5, loop, done
loop: <- head
  %4: i64 = add %3, %1
  %2: i64 = add %1, 1
  jump head
done: <- head
  ret %3
]], text)
  end)

  it("follows addresses to the end of an alloca and back", function()
    local fn = subject({ 8 }, function(b, f, a)
      local last = b:ptradd(b:ptradd(a, 8), -8)
      b:store(last, f:arg(2))
      b:ret(b:load(a, "i64"))
    end)
    local counts, text = promoted(fn)
    assert.equal("1 allocas, 1 fields, 1 loads, 1 writes, 0 phis", counts)
    assert.equal("entry:\n  ret %x\n", text)
  end)

  it("splits records into fields, also those that copies carry on", function()
    local fn = subject({ 24, 24, 24 }, function(b, f, one, two, three)
      local yes, join = f:block "yes", f:block "join"
      b:memset(one, 0, 24)
      b:branch(f:arg(3), yes, join)
      yes:store(one, f:arg(2))
      yes:store(yes:ptradd(one, 8), f:const(7, "i32"))
      yes:jump(join)
      join:memcpy(two, one, 24)
      join:memcpy(three, two, 24)
      local small = join:sext(join:load(join:ptradd(three, 8), "i32"), "i64")
      join:ret(join:add(join:load(three, "i64"), small))
    end)
    local counts, text = promoted(fn)
    assert.equal("3 allocas, 6 fields, 2 loads, 5 writes, 2 phis", counts)
    assert.truthy(text:find("phi a_0 [entry: 0, yes: %x]", 1, true))
    assert.truthy(text:find("phi a_8 [entry: 0:i32, yes: 7:i32]", 1, true))
  end)

  it("removes phis that are redundant without blocks that nothing reaches", function()
    local fn = read [[
fn f(%n: i64, %c: i1) -> i64 {
entry:
  branch %c, a, b
a: <- entry
  jump join
b: <- entry
  jump join
join: <- a, b
  %5: i64 = phi [a: %n, b: 1]
  ret %5
}]]
    fn:entry():back():jump(fn:find "a")
    fn:promote()
    assert.is_true((fn:is_minimal()))
    assert.truthy(fn:text():find("ret %n", 1, true))
  end)

  it("says of the pieces of a copy which classes it reads and writes", function()
    local fn = subject({ 8, 8 }, function(b, f, one, two)
      b:memcpy(one, f:arg(1), 8, { reads = { "from" }, writes = { "frame" } })
      b:memcpy(b:ptradd(f:arg(1), 8), one, 8, { reads = { "frame" }, writes = { "to" } })
      b:memcpy(two, b:ptradd(f:arg(1), 8), 8, { writes = { "frame" } })
      b:ret(b:load(two, "i64"))
    end)
    local counts, text = promoted(fn)
    assert.equal("2 allocas, 2 fields, 1 loads, 3 writes, 0 phis", counts)
    assert.equal([[
entry:
  %1: i64 = load_unaligned %p reads(from)
  %2: ptr = ptradd %p, 8
  store_unaligned %2, %1 writes(to)
  %3: ptr = ptradd %p, 8
  %4: i64 = load_unaligned %3
  ret %4
]], text)
  end)

  it("loads and stores the pieces of copies from and to other memory", function()
    local fn = subject({ 16 }, function(b, f, a)
      b:memcpy(a, f:arg(1), 16)
      local x = b:load(a, "f64")
      b:store(b:ptradd(a, 4), f:const(1, "i32"))
      b:store(b:ptradd(a, 8), f:arg(2))
      b:memmove(b:ptradd(f:arg(1), 1), a, 12)
      b:ret(b:ftoi(x, "i64"))
    end)
    assert.equal("0 allocas, 0 fields, 0 loads, 0 writes, 0 phis", (promoted(fn)))

    fn = subject({ 16 }, function(b, f, a)
      b:memcpy(a, f:arg(1), 12)
      local x = b:load(a, "f64")
      b:store(b:ptradd(a, 8), f:const(1, "i32"))
      b:memmove(b:ptradd(f:arg(1), 1), a, 12)
      b:ret(b:ftoi(x, "i64"))
    end)
    local counts, text = promoted(fn)
    assert.equal("1 allocas, 2 fields, 1 loads, 3 writes, 0 phis", counts)
    assert.equal([[
entry:
  %1: i64 = load_unaligned %p
  %2: ptr = ptradd %p, 8
  %3: i32 = load_unaligned %2
  %4: f64 = bitcast %1
  %5: ptr = ptradd %p, 1
  store_unaligned %5, %1
  %6: ptr = ptradd %5, 8
  store_unaligned %6, 1:i32
  %7: i64 = ftoi %4
  ret %7
]], text)
  end)

  it("fills fields of all types", function()
    local fn = subject({ 24 }, function(b, f, a)
      b:memset(a, b:trunc(f:arg(2), "i8"), 24)
      local sum = b:ftoi(b:load(a, "f64"), "i64")
      sum = b:add(sum, b:bitcast(b:load(b:ptradd(a, 8), "ptr"), "i64"))
      b:ret(b:add(sum, b:zext(b:load(b:ptradd(a, 16), "i8"), "i64")))
    end)
    assert.equal("1 allocas, 3 fields, 3 loads, 1 writes, 0 phis", (promoted(fn)))
    assert.equal(2261634 + 0x4141414141414141 + 0x41, fn(0, 0x41, false))
  end)

  it("makes bitcasts where types differ, and the field an integer then", function()
    local fn = subject({ 8, 8 }, function(b, f, a, c)
      b:store(a, f:arg(1))
      b:store(c, b:load(a, "f64"))
      b:ret(b:add(b:load(a, "i64"), b:load(c, "i64")))
    end)
    local counts, text = promoted(fn)
    assert.equal("2 allocas, 2 fields, 3 loads, 2 writes, 0 phis", counts)
    assert.equal(3, select(2, text:gsub("bitcast", "")))
    assert.equal(10, fn(5, 0, false))
  end)

  it("gives undef where nothing has been written", function()
    local fn = subject({ "i64" }, function(b, f, a)
      local yes, join = f:block "yes", f:block "join"
      b:branch(f:arg(3), yes, join)
      yes:store(a, 1)
      yes:jump(join)
      join:ret(join:load(a, "i64"))
    end)
    local _, text = promoted(fn)
    assert.truthy(text:find("phi a [entry: undef:i64, yes: 1]", 1, true))
  end)

  it("drops what is written and never read", function()
    local fn = subject({ 16, 8 }, function(b, f, a, c)
      b:store(a, f:arg(2))
      b:store(b:ptradd(a, 4), f:arg(2))
      b:memset(a, 1, 12)
      b:memcpy(c, f:arg(1), 8)
      b:ret(0)
    end)
    assert.same({ "2 allocas, 0 fields, 0 loads, 4 writes, 0 phis", "entry:\n  ret 0\n" },
      { promoted(fn) })
  end)

  it("leaves fields in memory in which accesses overlap partly, and no others", function()
    local fn = subject({ 16 }, function(b, f, a)
      b:store(a, f:arg(2))
      b:store(b:ptradd(a, 8), f:arg(2))
      local part = b:load(b:ptradd(a, 9), "i8", { align = 1 })
      b:ret(b:add(b:load(a, "i64"), b:zext(part, "i64")))
    end)
    local counts = promoted(fn)
    assert.equal("0 allocas, 1 fields, 1 loads, 1 writes, 0 phis", counts)
    assert.equal(0x1234 + 0x12, fn(0, 0x1234, false))
  end)

  it("copies alone what stays in memory, what overlaps before it is overwritten", function()
    local fn = subject({ 24 }, function(b, f, a)
      local sum
      for at = 0, 20, 4 do b:store(b:ptradd(a, at), f:const(at + 1, "i32")) end
      b:store(b:ptradd(a, 8), f:const(7, "i16"))
      b:store(b:ptradd(a, 12), f:arg(2), { align = 1 })
      b:memmove(b:ptradd(a, 8), a, 16)
      for at = 0, 20, 4 do
        local part = b:zext(b:load(b:ptradd(a, at), "i32"), "i64")
        sum = sum and b:add(b:mul(sum, 100), part) or part
      end
      b:ret(sum)
    end)
    local expected = fn(0, 0x1234, false)
    local _, text = promoted(fn)
    assert.equal(2, select(2, text:gsub("memmove %%%d+, %%%w+, 4\n", "")))
    assert.equal(expected, fn(0, 0x1234, false))
  end)

  it("does nothing to an alloca whose address is used otherwise", function()
    assert.is_false(stays(function() end))
    assert.is_true(stays(function(b, _, a) b:call("g", nil, a) end))
    assert.is_true(stays(function(b, f, a) b:store(f:arg(1), a) end))
    assert.is_true(stays(function(b, f, a) b:eq(a, f:arg(1)) end))
    assert.is_true(stays(function(b, _, a) b:bitcast(a, "i64") end))
    assert.is_true(stays(function(b, f, a) b:select(f:arg(3), a, f:arg(1)) end))
    assert.is_true(stays(function(b, f, a) b:load(b:ptradd(a, f:arg(2)), "i8") end))
    assert.is_true(stays(function(b, f, a) b:memset(a, 0, f:arg(2)) end))
    assert.is_true(stays(function(b, _, a) b:load_volatile(a, "i64") end))
    assert.is_true(stays(function(b, _, a) b:store_volatile(a, 1) end))
    assert.is_true(stays(function(b, _, a) b:load(b:ptradd(a, -8), "i64") end))
    assert.is_true(stays(function(b, _, a) b:load(b:ptradd(a, 4), "i64") end))
    assert.is_true(stays(function(b, f, a)
      local yes, next_block = f:block("yes", 1), f:block("next", 2)
      b:branch(f:arg(3), yes, next_block)
      yes:jump(next_block)
      next_block:phi { [b] = a, [yes] = f:arg(1) }
    end))
    assert.is_true(stays(function(b, f, a)
      b:write(f:var("v", "ptr"), a)
    end, { rules = false, copies = true }))
    assert.is_true(stays(function(b, _, a) -- an i1 is stored in a byte
      b:load(a, "i1")
    end))
  end)

  it("does nothing to large ones", function()
    local function field_of(size)
      local fn = subject({ size }, function(b, f, a)
        b:store(a, f:arg(2))
        b:ret(b:load(a, "i64"))
      end)
      return fn:promote().allocas
    end
    assert.equal(1, field_of(128))
    assert.equal(0, field_of(129))
  end)

  it("simplifies what uses the values, and calls guards", function()
    local seen = {}
    local rules = phial.rules("r: add(x, C) => x if $small(C)", {
      small = function(n) seen[#seen + 1] = n return n == 0 end,
    })
    local fn = subject({ "i64" }, function(b, f, a)
      b:store(a, 0)
      b:call "g"
      b:ret(b:add(f:arg(2), b:load(a, "i64")))
    end, { rules = rules })
    local _, text = promoted(fn)
    assert.equal("entry:\n  call @g\n  ret %x\n", text)
    assert.same({ 0 }, seen)
  end)

  it("leaves unreachable code that is kept as it is", function()
    for _, rules in ipairs { false, phial.rules "int" } do
      local fn = subject({ "i64", "i64" }, function(b, f, a, c)
        local lost = f:block "lost"
        lost:seal()
        b:store(a, f:arg(2))
        b:store(c, f:arg(2))
        b:call "g"
        b:ret(b:add(b:load(a, "i64"), b:load(c, "i64")))
        lost:store(c, 1)
        lost:ret(lost:load(c, "i64"))
      end, { rules = rules, keep_unreachable = true })
      local counts = promoted(fn)
      assert.equal(rules and "2 allocas, 1 fields, 1 loads, 2 writes, 0 phis"
        or "1 allocas, 1 fields, 1 loads, 1 writes, 0 phis", counts)
      assert.truthy(fn:text():find "lost: unreachable\n  store")
    end
  end)

  it("simplifies what computes with what it has loaded", function()
    local fn = subject({ "i64", "i64" }, function(b, _, a, c)
      b:store(a, 5)
      b:memcpy(c, a, 8)
      b:ret(b:add(b:load(c, "i64"), 1))
    end, {})
    fn:promote()
    assert.matches("ret 6", fn:text())
    assert.same({ 1, 1 }, { fn:stats().late_merged, fn:stats().late_folded })
  end)

  it("keeps no handle alive that it removes, and others as they are", function()
    local load, alloca
    local fn = subject({ "i64" }, function(b, f, a)
      b:store(a, f:arg(2))
      load, alloca = b:load(a, "i64"), a
      b:ret(load)
    end)
    fn:promote()
    assert.equal(fn:arg(2), load)
    refused(fn, "bad argument #1 to 'replace' (value '%a.5' is gone: it was erased "
      .. "or dropped)", function() load:replace(alloca) end)
  end)

  it("leaves copies of too much alone", function()
    local size <const> = 1 << 20
    assert.is_true(stays(function(b, f, a)
      b:memcpy(a, f:arg(1), size)
      b:memcpy(b:alloca(size), f:arg(1), size)
    end))
  end)

  it("knows that a local's bits were a pointer", function()
    local fn = subject({ 8 }, function(b, f, a)
      b:store(a, f:arg(2))
      b:ret(b:load(b:load(a, "ptr"), "i64"))
    end)
    local _, text = promoted(fn)
    assert.equal("entry:\n  %1: ptr = bitcast %x\n  %2: i64 = load %1\n  ret %2\n", text)
  end)

  it("makes integers of parts of pointers and floats", function()
    local fn = phial.fn("f", { "p:ptr", "d:f64", "s:f32" }, nil, { rules = false })
    local b, types = fn:entry(), {}
    for i, size in ipairs { 4, 4, 2 } do
      local whole, part, out = b:alloca(8), b:alloca(8), b:alloca(8)
      b:store(whole, fn:arg(i))
      b:memcpy(part, whole, size)
      b:memcpy(out, part, size)
      b:memcpy(b:ptradd(out, size), b:ptradd(whole, size), size)
      b:call("g", nil, b:load(out, fn:arg(i):type()))
    end
    b:ret()
    promoted(fn:finish())
    for type in fn:text():gmatch ": (%S+) = load_unaligned" do types[#types + 1] = type end
    assert.same({ "i32", "i32", "i16" }, types)
  end)

  it("does not store what was never defined", function()
    local fn = subject({ 8, 8 }, function(b, _, a, c)
      b:memcpy(c, a, 8)
      b:call("g", nil, c)
      b:ret(b:load(a, "i64"))
    end)
    local counts, text = promoted(fn)
    assert.equal("1 allocas, 1 fields, 1 loads, 1 writes, 0 phis", counts)
    assert.equal("entry:\n  %b: ptr = alloca 8, 8\n  call @g %b\n  ret undef:i64\n", text)
  end)

  -- In each round of the loop only every other copy has something new to copy. The halves of
  -- the value are written at one end of the chain, or read at the other one.
  it("is right where a chain of copies is too long to carry fields along it", function()
    for _, writes in ipairs { true, false } do
      local fn = phial.fn("f", { "x:i64" }, "i64", { rules = false })
      local entry, loop, done, x = fn:entry(), fn:block "loop", fn:block "done", fn:arg(1)
      local a, i, n = {}, fn:var "i", 16
      for k = 1, n do
        a[k] = entry:alloca(8)
        entry:store(a[k], 0)
      end
      if writes then
        entry:store(a[1], entry:trunc(x, "i32"))
        entry:store(entry:ptradd(a[1], 4), entry:trunc(entry:shr(x, 32), "i32"))
      else
        entry:store(a[1], x)
      end
      entry:write(i, 0)
      entry:jump(loop)
      for _, first in ipairs { 2, 1 } do
        for k = first, n - 1, 2 do loop:memcpy(a[k + 1], a[k], 8) end
      end
      local next = loop:add(loop:read(i), 1)
      loop:write(i, next)
      loop:branch(loop:slt(next, n), loop, done)
      if writes then
        done:ret(done:load(a[n], "i64"))
      else
        local high = done:load(done:ptradd(a[n], 4), "i32")
        done:ret(done:bor(done:shl(done:zext(high, "i64"), 32),
          done:zext(done:load(a[n], "i32"), "i64")))
      end
      local counts = promoted(fn:finish())
      assert.is_true(tonumber(counts:match "^%d+") < n)
      assert.equal(0x123456789abcdef, fn(0x123456789abcdef))
    end
  end)

  it("takes an alloca whose address was in another one when it is called again", function()
    local fn = subject({ 8, 8 }, function(b, f, a, c)
      b:store(a, f:arg(2))
      b:store(c, a)
      b:ret(b:load(b:load(c, "ptr"), "i64"))
    end)
    assert.same({ 1, 1, 0 }, { fn:promote().allocas, fn:promote().allocas, fn:promote().allocas })
    assert.equal("entry:\n  ret %x\n", body(fn))
  end)

  it("is for finished functions", function()
    local fn = phial.fn("f")
    refused(fn, "function 'f' is not finished: edit it after fn:finish()",
      function() fn:promote() end)
    fn:entry():ret()
    fn:finish()
  end)
end)
