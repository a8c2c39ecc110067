-- What instructions refuse as operands, ops and types.
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
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got i1 '%c')",
      function() entry:add(n, c) end)
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got 1.5)",
      function() entry:add(n, 1.5) end)
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got a string; strings are never numbers)",
      function() entry:add(n, "1") end)
    refused(fn, "bad argument #1 to 'add' (i64 expected like argument #2, got true)",
      function() entry:add(true, n) end)
    refused(fn, "bad argument #2 to 'add' (256 does not fit i8)", function() entry:add(b, 256) end)
    refused(fn, "bad argument #2 to 'add' (-129 does not fit i8)", function() entry:add(b, -129) end)
    refused(fn, "bad argument #1 to 'add' (integer expected, got f64 '%x')",
      function() entry:add(x, 1.5) end)
    refused(fn, "bad argument #1 to 'fadd' (float expected, got i64 '%n')",
      function() entry:fadd(n, n) end)
    refused(fn, "bad argument #2 to 'fadd' (f64 expected like argument #1, got 9007199254740993)",
      function() entry:fadd(x, 9007199254740993) end)
    refused(fn, "bad argument #1 to 'select' (i1 expected, got i64 '%n')",
      function() entry:select(n, n, n) end)
    refused(fn, "bad argument #2 to 'select' (i64 expected like argument #3, got a string; strings are never numbers)",
      function() entry:select(c, "x", n) end)
    refused(fn, "bad argument #1 to 'neg' (integer expected, got any '%a')", function() entry:neg(a) end)
    refused(fn, "bad argument #2 to 'trunc' (an integer type narrower than i8 expected, got i32)",
      function() entry:trunc(b, "i32") end)
    refused(fn, "bad argument #2 to 'zext' (an integer type wider than i64 expected, got i64)",
      function() entry:zext(n, "i64") end)
    refused(fn, "bad argument #2 to 'itof' (a float type expected, got i64)",
      function() entry:itof(n, "i64") end)
    refused(fn, "bad argument #2 to 'ftoi' (an integer type expected, got f32)",
      function() entry:ftoi(x, "f32") end)
    refused(fn, "bad argument #1 to 'bswap' (integer of 16 bits or more expected, got i8 '%b')",
      function() entry:bswap(b) end)
    refused(fn, "bad argument #2 to 'fpromote' (a float type wider than f64 expected, got f64)",
      function() entry:fpromote(x, "f64") end)
    refused(fn, "bad argument #2 to 'fdemote' (a float type narrower than f64 expected, got i32)",
      function() entry:fdemote(x, "i32") end)
    refused(fn, "bad argument #2 to 'bitcast' (a type as wide as i64 expected, got i32)",
      function() entry:bitcast(n, "i32") end)
    refused(fn, "'trunc' needs the type of its result: a type's name as last argument",
      function() entry:trunc(n) end)
    refused(fn, "bad argument #1 to 'slt' (i64 expected like '%n', got i1 '%c')",
      function() fn:set_current(entry) n:slt(c) end)
    refused(fn, "bad argument #2 to 'write' (i64 expected by variable 'n', got i1 '%c')",
      function() entry:write(fn:param(1), c) end)
    refused(fn, "bad argument #2 to 'write' (i1 expected by variable 'c', got 1.5)",
      function() entry:write(fn:param(2), 1.5) end)
    refused(fn, "bad argument #2 to 'write' (300 does not fit i8)",
      function() entry:write(fn:param(4), 300) end)
  end)

  it("nil, and what is not a value", function()
    local fn, entry, n = subject()
    local var = fn:param(1)
    refused(fn, "bad argument #2 to 'add' (value expected, got nil)", function() entry:add(n, nil) end)
    refused(fn, "bad argument #1 to 'add' (value expected, got a phial.Block)",
      function() entry:add(entry, n) end)
    refused(fn, "bad argument #2 to 'write' (phial.Value expected, got nil)",
      function() entry:write(var, nil) end)
    refused(fn, "bad argument #1 to 'add' (value expected, got a userdata)",
      function() entry:add(io.stdout, n) end)
    refused(fn, "bad argument #1 to 'read' (phial.Variable expected, got nil)",
      function() entry:read(nil) end)
    refused(fn, "bad argument #1 to 'read' (phial.Variable expected, got a string)",
      function() entry:read "n" end)
    refused(fn, "bad argument #2 to 'read' (phial.Variable expected, got 1)",
      function() entry:read(var, 1) end)
    refused(fn, "bad argument #3 to 'read' (phial.Variable expected, got nil)",
      function() entry:read(var, var, nil) end)
    refused(fn, "bad argument #1 to 'jump' (phial.Block expected, got i64 '%n')",
      function() entry:jump(n) end)
    refused(fn, "bad argument #1 to 'phi' (table expected, got nil)", function() entry:phi(nil) end)
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
    refused(fn, "bad argument #4 to 'call' (" .. why,
      function() entry:call("g", nil, n, nil) end)
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
    refused(fn, "bad argument #1 to 'emit' (unknown op 'plus')", function() entry:emit("plus", n, 1) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'ad': did you mean 'add'?)",
      function() entry:emit("ad", n, 1) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'selcet': did you mean 'select'?)",
      function() entry:emit("selcet", n, 1) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'cons')", function() entry:emit("cons", 1) end)
    refused(fn, ("bad argument #1 to 'emit' (unknown op '%s')"):format(("a"):rep(100)),
      function() entry:emit(("a"):rep(100), n, 1) end)
    local D = phial.dialect("lua", { getfield = { args = 1, result = "any" } })
    refused(fn, "bad argument #1 to 'emit' (unknown op 'lua.getfield')",
      function() entry:emit("lua.getfield", n) end)
    entry:emit(D.getfield, n)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'lua.getfeild': did you mean 'lua.getfield'?)",
      function() entry:emit("lua.getfeild", n) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'getfield': did you mean 'lua.getfield'?)",
      function() entry:emit("getfield", n) end)
    refused(fn, "bad argument #1 to 'emit' (op expected (a name or an op of a dialect), got nil)",
      function() entry:emit(nil) end)
    refused(fn, "wrong number of arguments to 'emit' (at least 1 expected, got 0)", function() entry:emit() end)
    refused(fn, "bad argument #1 to 'emit' ('jump' has a method of its own: block:jump)",
      function() entry:emit("jump", entry) end)
    refused(fn, "bad argument #1 to 'emit' ('call' has a method of its own: block:call)",
      function() entry:emit("call", n, "i64") end)
    refused(fn, "bad argument #1 to 'emit' ('phi' has a method of its own: block:phi)",
      function() entry:emit("phi", n, n) end)
    refused(fn, "bad argument #1 to 'emit' ('const' is not an instruction)", function() entry:emit "const" end)
    refused(fn, "bad argument #2 to 'var' (unknown type 'i65')", function() fn:var("v", "i65") end)
    refused(fn, "bad argument #2 to 'var' (name of a type expected, got 64)", function() fn:var("v", 64) end)
    refused(fn, "bad argument #1 to 'undef' (unknown type '')", function() fn:undef "" end)
    refused(fn, "bad argument #2 to 'call' (unknown type 'int')",
      function() entry:call("print", "int", n) end)
    refused(fn, "bad argument #2 to 'call' (type of the result, nil or false expected, got i64 '%n')",
      function() entry:call("print", n) end)
    refused(fn, "bad argument #1 to 'call' (callee expected: a function or a name, got nil)",
      function() entry:call(nil, "i64") end)
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
    refused(fn, "a phial.Value has no method 'addd': did you mean 'add'?",
      function() n:addd(1) end)
    refused(fn, "a phial.Value has no method 'read'", function() n:read() end)
    refused(fn, "a phial.Block has no method 'set_all'", function() entry:set_all() end)
    refused(fn, "a phial.Function has no method 'finnish': did you mean 'finish'?",
      function() fn:finnish() end)
    refused(fn, "a phial.Variable has no method 'read'", function() fn:param(1):read() end)
    refused(fn, "a phial.Rules has no method 'chek': did you mean 'check'?",
      function() phial.rules():chek() end)
  end)
end)
