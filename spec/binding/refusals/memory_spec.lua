-- What ops of memory refuse, and what is refused in their text.
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local refused = require "spec.support.refused"

local function subject()
  local fn = phial.fn("f", { "p:ptr", "n:i64", "i:i32", "a:any" }, nil, { rules = false })
  return fn, fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4)
end

describe("an op of memory refuses", function()
  it("operands that are not addresses, or not of a type that memory holds", function()
    local fn, b, p, n, _, a = subject()
    local bad = bad_argument(fn, b)
    bad("load", 1, "ptr expected, got i64 '%n'", n, "i8")
    bad("store", 1, "ptr expected, got 1.5", 1.5, n)
    bad("store", 2, "integer, float or ptr expected, got any '%a'", p, a)
    bad("store", 2, "integer, float or ptr expected, got a string", p, "s")
    bad("ptradd", 2, "i64 expected, got ptr '%p'", p, p)
    bad("memset", 2, "256 does not fit i8", p, 256, n)
    bad("slt", 1, "integer expected, got ptr '%p'", p, p)
    bad("eq", 2, "ptr expected like argument #1, got i64 '%n'", p, n)
    bad("eq", 1, "integer or ptr expected, got any '%a'", a, a)
    bad("call", 1, "ptr expected, got i64 '%n'", n, "i8")
    bad("call", 2, "type or types of the results, nil or false expected, got i64 '%n'", p, n)
    bad("call", 3, "value expected, got nil", p, "i8", nil)
    bad("address", 1, "global, function or name expected, got a function", print)
    refused(fn, "no '+' on ptr '%p'", function() fn:set_current(b) return p + 1 end)
  end)

  it("a type that memory does not hold, or none", function()
    local fn, b, p = subject()
    local bad = bad_argument(fn, b)
    bad("load", 2, "an integer type, a float type or ptr expected, got any", p, "any")
    bad("load", 2, "unknown type 'int'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any", p, "int")
    refused(fn, "'load' needs the type of its result: a type's name as last argument",
      function() b:load(p) end)
    bad("call", 2, "unknown type 'int'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any", p, "int")
    local list = phial.dialect("d", {}, { "list" })
    local other = phial.fn("g", { "p:ptr" }, nil, { dialects = { list } })
    refused(other, "bad argument #2 to 'load' (an integer type, a float type or ptr expected, got d.list)",
      function() other:entry():load(other:arg(1), "d.list") end)
  end)

  it("an alloca that is not a constant size in the entry", function()
    local fn, b, _, n = subject()
    local c = fn:block "c"
    local bad = bad_argument(fn, b)
    bad("alloca", 1, "name of a type or constant number of bytes expected, got i64 '%n'", n)
    bad("alloca", 2, "constant power of two expected, got i64 '%n'", 8, n)
    bad("alloca", 1, "0 is not in 1 .. 1073741824", 0)
    bad("alloca", 1, "-1 is not in 1 .. 1073741824", -1)
    bad("alloca", 2, "24 is not a power of two in 1 .. 4096", 8, 24)
    bad("alloca", 2, "8192 is not a power of two in 1 .. 4096", 8, 8192)
    bad("alloca", 1, "unknown type 'int'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any", "int")
    bad("alloca", 1, "an integer type, a float type or ptr expected, got any", "any")
    refused(fn, "an alloca belongs into the entry, not into block 'c'", function() c:alloca(8) end)
    bad("emit", 1, "'alloca' has a method of its own: block:alloca", "alloca", 8, 8)
  end)

  it("by let: what gives no result, or another one", function()
    local fn, b = subject()
    local v, w = fn:var("v", "ptr"), fn:var("w", "i32")
    refused(fn, "'alloca' needs the name of a type or a size", function() b:let(v, "alloca") end)
    refused(fn, "'alloca' takes a size and an alignment, got 3 arguments",
      function() b:let(v, "alloca", 8, 8, 8) end)
    refused(fn, "'address' takes a global, a function or a name", function() b:let(v, "address") end)
    refused(fn, "'call' needs a callee", function() b:let(v, "call") end)
    local bad = bad_argument(fn, b)
    bad("let", 2, "'call_indirect' has a method of its own: block:call", v, "call_indirect")
    refused(fn, "'store' has 0 results: got 1 variable", function() b:let(v, "store", v, 1) end)
    bad("let", 1, "i32 expected by variable 'w', but 'alloca' gives ptr", w, "alloca", 8)
  end)

  it("edits that take an alloca out of the entry or change its size", function()
    local fn, b = subject()
    local c = fn:block "c"
    local it = b:alloca(8)
    b:jump(c)
    c:seal()
    c:ret()
    fn:finish()
    refused(fn, "bad argument #1 to 'move_before' (it is in block 'c': an alloca belongs into the entry)",
      function() it:move_before(c:insts()[1]) end)
    refused(fn, "the size and alignment of '%6 = alloca 8, 8' do not change",
      function() it:set_arg(1, 16) end)
    refused(fn, "an alloca belongs into the entry, not into block 'c'", function() c:back():alloca(8) end)
    assert.equal(2, #b:front():alloca(8):block():insts() - 1)
    assert.is_true(fn:verify())
  end)
end)

describe("the text of an op of memory is refused", function()
  local function wrong(message, line)
    local _, err = phial.parse(("fn f(%%p: ptr, %%n: i64, %%a: any) {\nentry:\n  %s\n  ret\n}\n"):format(line))
    assert.equal(message, err)
  end

  it("with its line and column", function()
    wrong("3:7: 'load' cannot give any here", "%4: any = load %p")
    wrong("3:3: the result of 'load' is missing", "load %p")
    wrong("3:13: operand 2 of 'store' must be an integer, float or ptr, '%a' is any", "store %p, %a")
    wrong("3:15: operand 1 of 'eq' must be an integer or ptr, '%a' is any", "%4: i1 = eq %a, %a")
    wrong("3:24: operand 2 of 'ptradd' must be i64, '8' is i8", "%4: ptr = ptradd %p, 8:i8")
    wrong("3:19: '0.5' is not a constant of type ptr", "%4: i1 = eq %p, 0.5:ptr")
    wrong("3:20: '%n' is not a size: a constant from 1 to 1073741824", "%4: ptr = alloca %n, 8")
    wrong("3:20: '0' is not a size: a constant from 1 to 1073741824", "%4: ptr = alloca 0, 8")
    wrong("3:23: '6' is not an alignment: a constant power of two up to 4096", "%4: ptr = alloca 8, 6")
    wrong("3:7: 'alloca' gives ptr, not i64", "%4: i64 = alloca 8, 8")
    wrong("5:14: an alloca belongs into the entry", "jump c\nc: <- entry\n  %4: ptr =  alloca 8, 8")
  end)
end)
