-- The ops of memory: how they are emitted, and written and read as text.
local phial = require "phial"
local refused = require "spec.support.refused"

local function subject()
  local fn = phial.fn("f", { "p:ptr", "n:i64", "i:i32", "a:any" }, nil, { rules = false })
  return fn, fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4)
end

-- The ops of a block's instructions.
local function ops(b)
  local list = {}
  for i, v in ipairs(b:insts()) do list[i] = v:op() end
  return table.concat(list, " ")
end

-- The instructions of the entry, without the last, as text.
local function body(fn)
  fn:entry():ret()
  fn:finish()
  local text = fn:text { ids = "dense" }
  assert.equal(text, phial.parse(text):text())
  return (text:match ":\n(.*)  ret\n}\n$":gsub("%f[^\n\0]  ", ""))
end

describe("an op of memory", function()
  it("takes addresses, and the type that is not known", function()
    local fn, b, p, n, i = subject()
    b:store(p, i)
    b:store(p, b:load(p, "ptr"))
    b:memcpy(p, 4096, n)
    b:memset(p, 255, 16)
    b:ptradd(p, -8)
    b:ptradd(b:alloca "i16", n)
    b:alloca(24)
    b:alloca("i1", 16)
    b:eq(p, 0)
    b:select(true, p, fn:undef "ptr")
    b:bitcast(b:bitcast(p, "i64"), "ptr")
    assert.equal([[
store %p, %i
%5: ptr = load %p
store %p, %5
memcpy %p, 4096:ptr, %n
memset %p, -1:i8, 16
%6: ptr = ptradd %p, -8
%7: ptr = alloca 2, 2
%8: ptr = ptradd %7, %n
%9: ptr = alloca 24, 8
%10: ptr = alloca 1, 16
%11: i1 = eq %p, 0:ptr
%12: ptr = select true, %p, undef:ptr
%13: i64 = bitcast %p
%14: ptr = bitcast %13
]], body(fn))
  end)

  it("calls what is at an address", function()
    local fn, b, p, n = subject()
    local v = fn:var("v", "ptr")
    b:write(v, p)
    b:call(p, "i64", n, 1)
    b:call(v, nil, true)
    b:call(v, false)
    b:call(fn:const(0, "ptr"), "f32", "s")
    assert.equal([[
%5: i64 = call_indirect %p, %n, 1
call_indirect %p, true
call_indirect %p
%6: f32 = call_indirect 0:ptr, "s"
]], body(fn))
  end)

  it("is another one if it is volatile, or need not be aligned", function()
    local fn, b, p, n, i = subject()
    local v = fn:var("v", "i32")
    b:store_volatile(p, i)
    fn:set_current(b)
    p:store(n, { align = 1 })
    b:store(p, b:load(p, "i16", { align = 1 }), { align = 1, data = "d" })
    b:let(v, "load", p, { align = 1 })
    b:store(p, b:load_volatile(p, "f32"), { align = nil })
    b:emit("store_unaligned", p, b:emit("load_unaligned", p, "i1"))
    b:memmove(p, p, n)
    assert.equal([[
store_volatile %p, %i
store_unaligned %p, %n
%5: i16 = load_unaligned %p
store_unaligned {"d"} %p, %5
%6: i32 = load_unaligned %p
%7: f32 = load_volatile %p
store %p, %7
%8: i1 = load_unaligned %p
store_unaligned %p, %8
memmove %p, %p, %n
]], body(fn))
  end)

  it("takes the alignment 1 only, and no other op takes it", function()
    local fn, b, p, n = subject()
    refused(fn, "'load': option 'align': 1 expected, got 4",
      function() b:load(p, "i64", { align = 4 }) end)
    refused(fn, "'store': option 'align': 1 expected, got a string",
      function() b:store(p, n, { align = "x" }) end)
    refused(fn, "'load_volatile' has no option 'align'",
      function() b:load_volatile(p, "i64", { align = 1 }) end)
    refused(fn, "'add' has no option 'align'", function() b:add(n, 1, { align = 1 }) end)
    refused(fn, "bad argument #1 to 'load' (ptr expected, got i64 '%n')",
      function() b:load(n, "i64", { align = 1 }) end)
    refused(fn, "bad argument #2 to 'load_volatile' (an integer type, a float type or ptr "
      .. "expected, got any)", function() b:load_volatile(p, "any") end)
  end)

  it("can be a method of a value or variable, and an argument of emit", function()
    local fn, b, p = subject()
    local v = fn:var("v", "ptr")
    fn:set_current(b)
    b:write(v, p:ptradd(8))
    v:store(1.5)
    b:emit("store", v, b:emit("load", p, "f64"))
    assert.equal(0, select("#", b:store(p, 1)))
    assert.equal([[
%5: ptr = ptradd %p, 8
store %5, 1.5
%6: f64 = load %p
store %5, %6
store %p, 1
]], body(fn))
  end)

  it("can be written to a variable by let", function()
    local fn, b = subject()
    local v, w = fn:var("v", "ptr"), fn:var("w", "i32")
    b:let(v, "alloca", "i32")
    b:let(w, "load", v)
    b:let(v, "ptradd", v, 4)
    b:let(v, "address", "x")
    b:let(w, "call", v, w)
    b:let(w, "call", v)
    assert.equal(6, select(2, body(fn):gsub("[^\n]+", "")))
  end)

  it("makes one value of equal addresses, and never one of two allocas", function()
    local fn = phial.fn "f"
    local b, other = fn:entry(), phial.fn "other"
    assert.equal(b:address "x", b:address "x")
    assert.equal(b:address(other), b:address(other))
    assert.equal(b:address(fn), b:address(fn))
    assert.not_equal(b:address(fn), b:address(other))
    assert.not_equal(b:alloca(8), b:alloca(8))
    local it = b:address(other)
    b:address(other):set_data("y")
    assert.equal("y", it:data())
    assert.equal(other, b:address(other):data())
  end)

  it("folds: offsets of constants, and of offsets", function()
    local fn = phial.fn("f", { "p:ptr" })
    local b, p = fn:entry(), fn:arg(1)
    assert.equal("24:ptr", tostring(b:ptradd(16, 8)))
    assert.equal(p, b:ptradd(p, 0))
    assert.equal(b:ptradd(p, 12), b:ptradd(b:ptradd(p, 4), 8))
    assert.equal("true", tostring(b:eq(p, p)))
    assert.equal("false", tostring(b:eq(fn:const(8, "ptr"), 0)))
    assert.equal("8", tostring(b:bitcast(fn:const(8, "ptr"), "i64")))
  end)

  it("is in a trace", function()
    local fn, b, p, n = subject()
    local trace = phial.record(fn)
    b:store(b:alloca("i64", 32), n)
    b:memset(p, 0, b:load(p, "i64"))
    b:call(b:address "x", nil, b:call(b:address(fn), "i8"))
    b:ret()
    fn:finish()
    local again = assert(phial.replay(trace:text()))
    -- the function is an object of the host, and is replayed as another one
    local text = fn:text { ids = "dense" }:gsub("address @f", "address @table")
    assert.equal(text, again:text { ids = "dense" })
  end)

  for _, rules in ipairs { "default", "none" } do
    it("puts an alloca before the terminator of the entry, rules " .. rules, function()
      local fn = phial.fn("f", { "n:i64" }, "i64", rules == "none" and { rules = false } or nil)
      local recorded = phial.record(fn)
      local b, next_block = fn:entry(), fn:block("next", 1)
      local first = b:alloca "i64"
      b:jump(next_block)
      local second, third = fn:entry():alloca "i64", fn:entry():alloca(8, 16)
      next_block:store(first, fn:arg(1))
      next_block:store(second, 2)
      next_block:store(third, 3)
      next_block:ret(next_block:load(first, "i64"))
      fn:finish()
      assert.equal("alloca alloca alloca jump", ops(b))
      assert.equal(7, fn(7))
      assert.equal(fn:text(), phial.replay(recorded:text()):text())
    end)
  end
end)
