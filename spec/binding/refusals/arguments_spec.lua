-- What methods refuse as self, arguments and options.
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

describe("a method refuses", function()
  it("a dot for a colon", function()
    local _, entry, n = subject()
    refused(nil, "calling 'add' on bad self (phial.Block expected, got phial.Value) (use ':'?)",
      function() entry.add(n, 1) end)
    refused(nil, "calling 'seal' on bad self (phial.Block expected, got no value) (use ':'?)",
      function() entry.seal() end)
  end)

  it("too many arguments and too few, also of ops", function()
    local fn, entry, n = subject()
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 1)", function() entry:add(n) end)
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 3)", function() entry:add(n, 1, 2) end)
    refused(fn, "wrong number of arguments to 'neg' (1 expected, got 0)", function() entry:neg() end)
    fn:set_current(entry)
    refused(fn, "wrong number of arguments to 'slt' (1 expected, got 2)", function() n:slt(1, 2) end)
  end)

  it("names, numbers and constants of the wrong kind", function()
    local fn = subject()
    local bad = bad_argument(fn, fn)
    bad("var", 1, "string expected, got number", 1)
    bad("block", 1, "string expected, got number", 2)
    bad("block", 2, "number expected, got string", "b", "2")
    bad("block", 2, "integer expected, got 1.5", "b", 1.5)
    bad("block", 2, "-1 is not in 0 .. 2147483647", "b", -1)
    bad("param", 1, "6 is not in 1 .. 5", 6)
    bad("arg", 1, "0 is not in 1 .. 5", 0)
    local none = fn:const(nil)
    assert.same({ "any" }, { none:type() })
    assert.equal("nil", tostring(none))
    assert.equal(none, fn:const(nil, "any"))
    bad("const", 1, "nil is a constant of type any only", nil, "i64")
    bad("const", 1, "constant expected, got a table", {})
    bad("const", 1, "i64 expected, got a string", "1", "i64")
    bad("const", 1, "4294967296 does not fit i32", 1 << 32, "i32")
    bad("set_loc", 1, "0 is not in 1 .. 4294967295", 0)
    local g = phial.fn("g")
    refused(g, "function 'g' has no parameters", function() g:arg(1) end)
  end)

  it("unknown options, and lists the known ones (all of them: lists_spec.lua)", function()
    local fn = subject()
    refused(nil, "bad argument #4 to 'phial.fn' (unknown option 'strickt'; there are: construction, "
      .. "type, copies, accesses, undef, strict, keep_unreachable, split, where, dialects, rules, "
      .. "log, linkage, variadic, applications)",
      function() phial.fn("f", {}, nil, { strickt = true }) end)
    local bad = bad_argument(fn, fn)
    bad("finish", 1, "option 'verify': boolean expected, got string", { verify = "no" })
    bad("finish", 1, "table expected, got boolean", false)
    bad("text", 1, [[option 'ids': "own" or "dense" expected, got "short"]], { ids = "short" })
    refused(nil, "bad argument #2 to 'phial.parse' (option 'file': string expected, got number)",
      function() phial.parse("fn", { file = 1 }) end)
  end)

  it("options of the wrong kind", function()
    local function with(opts) return phial.fn("f", {}, nil, opts) end
    refused(nil, "bad argument #4 to 'phial.fn' (table expected, got boolean)",
      function() phial.fn("f", {}, nil, true) end)
    refused(nil, [[bad argument #4 to 'phial.fn' (option 'undef': "undef", "error" or a function expected, got 0)]],
      function() phial.fn("f", {}, nil, { undef = 0 }) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'copies': boolean expected, got number)",
      function() phial.fn("f", {}, nil, { copies = 1 }) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'accesses': boolean expected, got string)",
      function() phial.fn("f", {}, nil, { accesses = "all" }) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'type': unknown type 'int'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)",
      function() phial.fn("f", {}, nil, { type = "int" }) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'rules': phial.Rules or false expected, got table)",
      function() phial.fn("f", {}, nil, { rules = {} }) end)
    refused(nil, "option 'dialects': element 1: a dialect expected, got table",
      function() phial.fn("f", {}, nil, { dialects = { {} } }) end)
    assert.equal("f", with { rules = false, copies = true, strict = true, where = false }:name())
  end)

  it("malformed parameters", function()
    local message = "bad argument #2 to 'phial.fn' (%s)"
    for params, why in pairs {
      [{ "n:" }] = "parameter 1: unknown type ''; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any",
      [{ "a", "n:int" }] = "parameter 2: unknown type 'int'"
        .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any",
      [{ ":i64" }] = "parameter 1 has no name",
      [{ "" }] = "parameter 1 has no name",
      [{ 1 }] = [[parameter 1: "name:type" expected, got number]],
      [{ n = "i64" }] = "a list expected, but 'n' is a key of it",
    } do
      refused(nil, message:format(why), function() phial.fn("f", params) end)
    end
    refused(nil, message:format "a list expected, got string", function() phial.fn("f", "n:i64") end)
    refused(nil, "bad argument #3 to 'phial.fn' (unknown type 'void'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)",
      function() phial.fn("f", {}, "void") end)
    refused(nil, "bad argument #1 to 'phial.fn' (string expected, got table)",
      function() phial.fn { "n" } end)
  end)
end)

describe("a trailing nil", function()
  it("is as if it were absent, where no more arguments are taken", function()
    local D = phial.dialect("d", {
      op = { args = "*", result = "any" }, two = { args = 2 },
      go = { args = "*", targets = "*", terminator = true },
    })
    local fn = phial.fn("f", { "x" }, nil, { dialects = { D }, rules = false })
    local b, x = fn:entry(), fn:arg(1)
    fn:set_current(b)
    local var, to = fn:var("v", "i64", nil, nil), fn:block("to", 1, nil)
    b:write(var, 1, nil)
    b:write(var, x, nil, nil)
    assert.equal(x, b:read(var))
    assert.equal("add mul copy sub", table.concat({ b:add(x, 1, nil):op(),
      b:mul(x, 2, nil, nil):op(), b:copy(x, nil):op(), x:sub(1, nil):op() }, " "))
    assert.same({ x }, b:emit(D.op, x, nil):args())
    assert.equal("datum", b:emit(D.op, x, { data = "datum" }, nil, nil):data())
    b:emit(D.two, x, x, nil)
    b:let(var, "zext", b:trunc(x, "i8", nil), "i64", nil)
    b:let(var, "zext", b:trunc(x, "i8"), nil, nil)
    b:call("g", nil, x)
    b:jump(to, nil)
    to:emit(D.go, x, fn:block "end", nil)
    fn:block():seal(nil)
  end)

  it("is missed where it has to be something", function()
    local fn = phial.fn("f", { "x" })
    local b, x = fn:entry(), fn:arg(1)
    local bad = bad_argument(fn, b)
    bad("add", 2, "value expected, got nil", x, nil, nil)
    bad("jump", 1, "phial.Block expected, got nil", nil, nil)
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 3)",
      function() b:add(x, 1, 2, nil) end)
  end)
end)
