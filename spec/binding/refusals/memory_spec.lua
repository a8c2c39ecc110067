-- What ops of memory refuse, and what is refused in their text.
local phial = require "phial"
local refused = require "spec.support.refused"

local function subject()
  local fn = phial.fn("f", { "p:ptr", "n:i64", "i:i32", "a:any" }, nil, { rules = false })
  return fn, fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4)
end

describe("an op of memory refuses", function()
  it("operands that are not addresses, or not of a type that memory holds", function()
    local fn, b, p, n, _, a = subject()
    refused(fn, "bad argument #1 to 'load' (ptr expected, got i64 '%n')", function() b:load(n, "i8") end)
    refused(fn, "bad argument #1 to 'store' (ptr expected, got 1.5)", function() b:store(1.5, n) end)
    refused(fn, "bad argument #2 to 'store' (integer, float or ptr expected, got any '%a')",
      function() b:store(p, a) end)
    refused(fn, "bad argument #2 to 'store' (integer, float or ptr expected, got a string)",
      function() b:store(p, "s") end)
    refused(fn, "bad argument #2 to 'ptradd' (i64 expected, got ptr '%p')", function() b:ptradd(p, p) end)
    refused(fn, "bad argument #2 to 'memset' (256 does not fit i8)", function() b:memset(p, 256, n) end)
    refused(fn, "bad argument #1 to 'slt' (integer expected, got ptr '%p')", function() b:slt(p, p) end)
    refused(fn, "bad argument #2 to 'eq' (ptr expected like argument #1, got i64 '%n')",
      function() b:eq(p, n) end)
    refused(fn, "bad argument #1 to 'eq' (integer or ptr expected, got any '%a')", function() b:eq(a, a) end)
    refused(fn, "bad argument #1 to 'call' (ptr expected, got i64 '%n')", function() b:call(n, "i8") end)
    refused(fn, "bad argument #2 to 'call' (type of the result, nil or false expected, got i64 '%n')",
      function() b:call(p, n) end)
    refused(fn, "bad argument #3 to 'call' (value expected, got nil)",
      function() b:call(p, "i8", nil) end)
    refused(fn, "bad argument #1 to 'address' (global, function or name expected, got a function)",
      function() b:address(print) end)
    refused(fn, "no '+' on ptr '%p'", function() fn:set_current(b) return p + 1 end)
  end)

  it("a type that memory does not hold, or none", function()
    local fn, b, p = subject()
    refused(fn, "bad argument #2 to 'load' (an integer type, a float type or ptr expected, got any)",
      function() b:load(p, "any") end)
    refused(fn, "bad argument #2 to 'load' (unknown type 'int')", function() b:load(p, "int") end)
    refused(fn, "'load' needs the type of its result: a type's name as last argument",
      function() b:load(p) end)
    refused(fn, "bad argument #2 to 'call' (unknown type 'int')",
      function() b:call(p, "int") end)
    local list = phial.dialect("d", {}, { "list" })
    local other = phial.fn("g", { "p:ptr" }, nil, { dialects = { list } })
    refused(other, "bad argument #2 to 'load' (an integer type, a float type or ptr expected, got d.list)",
      function() other:entry():load(other:arg(1), "d.list") end)
  end)

  it("an alloca that is not a constant size in the entry", function()
    local fn, b, _, n = subject()
    local c = fn:block "c"
    refused(fn, "bad argument #1 to 'alloca' (name of a type or constant number of bytes expected, got i64 '%n')",
      function() b:alloca(n) end)
    refused(fn, "bad argument #2 to 'alloca' (constant power of two expected, got i64 '%n')",
      function() b:alloca(8, n) end)
    refused(fn, "bad argument #1 to 'alloca' (0 is not in 1 .. 1073741824)", function() b:alloca(0) end)
    refused(fn, "bad argument #1 to 'alloca' (-1 is not in 1 .. 1073741824)", function() b:alloca(-1) end)
    refused(fn, "bad argument #2 to 'alloca' (24 is not a power of two in 1 .. 4096)",
      function() b:alloca(8, 24) end)
    refused(fn, "bad argument #2 to 'alloca' (8192 is not a power of two in 1 .. 4096)",
      function() b:alloca(8, 8192) end)
    refused(fn, "bad argument #1 to 'alloca' (unknown type 'int')", function() b:alloca "int" end)
    refused(fn, "bad argument #1 to 'alloca' (an integer type, a float type or ptr expected, got any)",
      function() b:alloca "any" end)
    refused(fn, "wrong number of arguments to 'alloca' (1 to 2 expected, got 0)", function() b:alloca() end)
    refused(fn, "an alloca belongs into the entry, not into block 'c'", function() c:alloca(8) end)
    refused(fn, "bad argument #1 to 'emit' ('alloca' has a method of its own: block:alloca)",
      function() b:emit("alloca", 8, 8) end)
  end)

  it("by let: what gives no result, or another one", function()
    local fn, b = subject()
    local v, w = fn:var("v", "ptr"), fn:var("w", "i32")
    refused(fn, "'alloca' needs the name of a type or a size", function() b:let(v, "alloca") end)
    refused(fn, "'alloca' takes a size and an alignment, got 3 arguments",
      function() b:let(v, "alloca", 8, 8, 8) end)
    refused(fn, "'address' takes a global, a function or a name", function() b:let(v, "address") end)
    refused(fn, "'call' needs a callee", function() b:let(v, "call") end)
    refused(fn, "bad argument #2 to 'let' ('call_indirect' has a method of its own: block:call)",
      function() b:let(v, "call_indirect") end)
    refused(fn, "'store' has 0 results: got 1 variable", function() b:let(v, "store", v, 1) end)
    refused(fn, "bad argument #1 to 'let' (i32 expected by variable 'w', but 'alloca' gives ptr)",
      function() b:let(w, "alloca", 8) end)
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
