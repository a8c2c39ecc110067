-- What instructions refuse as operands, ops and types.
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

describe("an instruction refuses", function()
  it("a value of the wrong type as self", function()
    local fn, entry, n, c, x = subject()
    fn:set_current(entry)
    refused(fn, "calling 'fadd' on bad self (float expected, got i64 '%n')",
      function() n:fadd(x) end)
    refused(fn, "calling 'select' on bad self (i1 expected, got i64 '%n')",
      function() n:select(n, n) end)
    refused(fn, "bad argument #1 to 'add' (i64 expected like '%n', got i1 '%c')",
      function() n:add(c) end)
  end)

  it("operands of the wrong type", function()
    local fn, entry, n, c, x, b, a = subject()
    local bad = bad_argument(fn, entry)
    bad("add", 2, "i64 expected like argument #1, got i1 '%c'", n, c)
    bad("add", 2, "i64 expected like argument #1, got 1.5", n, 1.5)
    bad("add", 2, "i64 expected like argument #1, got a string; strings are never numbers", n, "1")
    bad("add", 1, "i64 expected like argument #2, got true", true, n)
    bad("add", 2, "256 does not fit i8", b, 256)
    bad("add", 2, "-129 does not fit i8", b, -129)
    bad("add", 1, "integer expected, got f64 '%x'", x, 1.5)
    bad("fadd", 1, "float expected, got i64 '%n'", n, n)
    bad("fadd", 2, "f64 expected like argument #1, got 9007199254740993", x, 9007199254740993)
    bad("select", 1, "i1 expected, got i64 '%n'", n, n, n)
    bad("select", 2, "i64 expected like argument #3, got a string; strings are never numbers", c, "x", n)
    bad("neg", 1, "integer expected, got any '%a'", a)
    bad("trunc", 2, "an integer type narrower than i8 expected, got i32", b, "i32")
    bad("zext", 2, "an integer type wider than i64 expected, got i64", n, "i64")
    bad("itof", 2, "a float type expected, got i64", n, "i64")
    bad("ftoi", 2, "an integer type expected, got f32", x, "f32")
    bad("bswap", 1, "integer of 16 bits or more expected, got i8 '%b'", b)
    bad("fpromote", 2, "a float type wider than f64 expected, got f64", x, "f64")
    bad("fdemote", 2, "a float type narrower than f64 expected, got i32", x, "i32")
    bad("bitcast", 2, "a type as wide as i64 expected, got i32", n, "i32")
    refused(fn, "'trunc' needs the type of its result: a type's name as last argument",
      function() entry:trunc(n) end)
    refused(fn, "bad argument #1 to 'slt' (i64 expected like '%n', got i1 '%c')",
      function() fn:set_current(entry) n:slt(c) end)
    bad("write", 2, "i64 expected by variable 'n', got i1 '%c'", fn:param(1), c)
    bad("write", 2, "i1 expected by variable 'c', got 1.5", fn:param(2), 1.5)
    bad("write", 2, "300 does not fit i8", fn:param(4), 300)
  end)

  it("nil, and what is not a value", function()
    local fn, entry, n = subject()
    local var = fn:param(1)
    local bad = bad_argument(fn, entry)
    bad("add", 2, "value expected, got nil", n, nil)
    bad("add", 1, "value expected, got a phial.Block", entry, n)
    bad("write", 2, "phial.Value expected, got nil", var, nil)
    bad("add", 1, "value expected, got a userdata", io.stdout, n)
    bad("read", 1, "phial.Variable expected, got nil", nil)
    bad("read", 1, "phial.Variable expected, got a string", "n")
    bad("read", 2, "phial.Variable expected, got 1", var, 1)
    bad("read", 3, "phial.Variable expected, got nil", var, var, nil)
    bad("jump", 1, "phial.Block expected, got i64 '%n'", n)
    bad("phi", 1, "table expected, got nil", nil)
  end)

  it("nil as a value of type any, and how that is written", function()
    local D = phial.dialect("d", { op = { args = "*", result = "any" } })
    local fn, entry, n = subject { dialects = { D } }
    local why = 'value expected, got nil: nil as a value is fn:const(nil, "any"))'
    local var, other = fn:param(5), fn:param(1)
    refused(fn, "bad argument #2 to 'write' (" .. why, function() entry:write(var, nil) end)
    refused(fn, "bad argument #4 to 'write' (" .. why,
      function() entry:write(other, 1, var, nil) end)
    refused(fn, "bad argument #2 to 'write' (" .. why,
      function() entry:write(var, nil, other, 1) end)
    refused(fn, "bad argument #1 to 'd.op' (" .. why, function() entry:emit(D.op, nil, n) end)
    refused(fn, "bad argument #4 to 'call' (" .. why, function() entry:call("g", nil, n, nil) end)
    entry:write(var, fn:const(nil, "any"))
    assert.equal("nil", tostring(entry:read(var)))
  end)

  it("an instruction without a result as operand", function()
    local fn, entry, n = subject()
    entry:call("print", nil, n)
    local call = entry:insts()[1]
    refused(fn, "bad argument #3 to 'call' (value expected, got 'call @print %n', which has no result)",
      function() entry:call("print", nil, call) end)
  end)

  it("an unknown op or type", function()
    local fn, entry, n = subject()
    local bad = bad_argument(fn, entry)
    bad("emit", 1, "unknown op 'plus'", "plus", n, 1)
    bad("emit", 1, "unknown op 'ad': did you mean 'add'?", "ad", n, 1)
    bad("emit", 1, "unknown op 'selcet': did you mean 'select'?", "selcet", n, 1)
    bad("emit", 1, "unknown op 'cons'", "cons", 1)
    refused(fn, ("bad argument #1 to 'emit' (unknown op '%s')"):format(("a"):rep(100)),
      function() entry:emit(("a"):rep(100), n, 1) end)
    local D = phial.dialect("lua", { getfield = { args = 1, result = "any" } })
    bad("emit", 1, "unknown op 'lua.getfield': is its dialect in the option 'dialects'?", "lua.getfield", n)
    entry:emit(D.getfield, n)
    bad("emit", 1, "unknown op 'lua.getfeild': did you mean 'lua.getfield'?", "lua.getfeild", n)
    bad("emit", 1, "unknown op 'getfield': did you mean 'lua.getfield'?", "getfield", n)
    bad("emit", 1, "op expected (a name or an op of a dialect), got nil", nil)
    bad("emit", 1, "'jump' has a method of its own: block:jump", "jump", entry)
    bad("emit", 1, "'call' has a method of its own: block:call", "call", n, "i64")
    bad("emit", 1, "'phi' has a method of its own: block:phi", "phi", n, n)
    bad("emit", 1, "'const' is not an instruction", "const")
    refused(fn, "bad argument #2 to 'var' (unknown type 'i65'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)", function() fn:var("v", "i65") end)
    refused(fn, "bad argument #2 to 'var' (name of a type expected, got 64)", function() fn:var("v", 64) end)
    refused(fn, "bad argument #1 to 'undef' (unknown type ''"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)", function() fn:undef "" end)
    bad("call", 2, "unknown type 'int'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any", "print", "int", n)
    bad("call", 2, "type or types of the results, nil or false expected, got i64 '%n'", "print", n)
    bad("call", 1, "callee expected: a function or a name, got nil", nil, "i64")
    for _, method in ipairs { "call", "address" } do bad(method, 1, "the name is empty", "") end
  end)
end)

describe("operators", function()
  it("need a block", function()
    local fn, entry, n = subject()
    local message = "function 'f' has no current block: fn:set_current(block) says where its "
      .. "methods and operators emit"
    refused(fn, message, function() return n + 1 end)
    refused(fn, message, function() return n:slt(1) end)
    fn:set_current(entry)
    assert.equal("add", (n + 1):op())
    assert.equal(entry, fn:current())
  end)

  it("do not compare values", function()
    local fn, entry, n, _, x = subject()
    fn:set_current(entry)
    local message = "values have no order in Lua, it would make a boolean of the result: use "
    local slt = message .. "v:slt(w) for '<', v:sgt(w) for '>'"
    refused(fn, slt, function() return n < 1 end)
    refused(fn, slt, function() return n > 0 end)
    refused(fn, message .. "v:sle(w) for '<=', v:sge(w) for '>='", function() return 1 <= n end)
    refused(fn, message .. "v:flt(w) for '<', v:fgt(w) for '>'", function() return x < 1.5 end)
    refused(fn, message .. "v:fle(w) for '<=', v:fge(w) for '>='", function() return 1.5 >= x end)
  end)

  it("exist for some types only", function()
    local fn, entry, n, _, x, _, a = subject()
    fn:set_current(entry)
    refused(fn, "no '/' on i64 '%n': use v:sdiv(w) or v:udiv(w)", function() return n / 2 end)
    refused(fn, "no '//' on i64 '%n': use v:sdiv(w) or v:udiv(w)", function() return n // 2 end)
    refused(fn, "no '%' on i64 '%n': use v:srem(w) or v:urem(w)", function() return 2 % n end)
    refused(fn, "no '&' on f64 '%x'", function() return x & 1 end)
    refused(fn, "no '+' on any '%a'", function() return a + 1 end)
    refused(fn, "bad argument #2 to 'add' (value expected, got nil)", function() return n + nil end)
    refused(fn, "bad argument #2 to 'fadd' (f64 expected like argument #1, got i64 '%n')",
      function() return x + n end)
  end)
end)

describe("what phial does not have", function()
  local CALLED = {
    ["and"] = "'band'", ["or"] = "'bor'", ["not"] = "'bnot'", xor = "'bxor'", ashr = "'sar'",
    sra = "'sar'", lshr = "'shr'", lsl = "'shl'", div = "'sdiv' or 'udiv'",
    rem = "'srem' or 'urem'", mod = "'srem' or 'urem'", neq = "'ne'", lt = "'slt' or 'ult'",
    le = "'sle' or 'ule'", gt = "'sgt' or 'ugt'", ge = "'sge' or 'uge'",
  }

  for name, called in pairs(CALLED) do
    it("is answered with what it has: " .. name, function()
      local fn, entry, n = subject()
      refused(fn, ("bad argument #1 to 'emit' (unknown op '%s': did you mean %s?)"):format(name,
        called), function() entry:emit(name, n, n) end)
      refused(fn, ("a phial.Value has no method '%s': did you mean %s?"):format(name, called),
        function() n[name](n, n) end)
      refused(fn, ("a phial.Block has no method '%s': did you mean %s?"):format(name, called),
        function() entry[name](entry, n, n) end)
    end)
  end

  it("is answered with an op of a dialect that is called so", function()
    local D = phial.dialect("lang", { div = { args = 2, result = "i64" } })
    local fn, entry, n = subject { dialects = { D } }
    refused(fn, "bad argument #1 to 'emit' (unknown op 'div': did you mean 'lang.div'?)",
      function() entry:emit("div", n, n) end)
  end)

  it("is answered when it is not an op either", function()
    local fn, entry, n = subject()
    refused(fn, "a phial.Value has no method 'addd': did you mean 'add'?", function() n:addd(1) end)
    refused(fn, "a phial.Value has no method 'read'", function() n:read() end)
    refused(fn, "a phial.Block has no method 'set_all'", function() entry:set_all() end)
    refused(fn, "a phial.Function has no method 'finnish': did you mean 'finish'?",
      function() fn:finnish() end)
    refused(fn, "a phial.Variable has no method 'read'", function() fn:param(1):read() end)
    refused(fn, "a phial.Rules has no method 'chek': did you mean 'check'?",
      function() phial.rules():chek() end)
  end)
end)
