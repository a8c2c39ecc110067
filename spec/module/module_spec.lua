-- Modules: symbols, calls checked by signature, names resolved by finish.
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

-- A function of one block that returns a call of callee with the arguments.
local function calling(m, name, callee, result, ...)
  local fn = m:fn(name, {}, result)
  fn:entry():ret(fn:entry():call(callee, result, ...))
  return fn
end

describe("a module", function()
  it("has what was made in it, by name and in order", function()
    local m = phial.module("m")
    local f, g = m:fn("f", { "x:i64" }, "i64"), m:global("g", "i32", 7)
    local d, h = m:declare("d", { "x:f64" }, "f64"), m:fn("h")
    assert.equal("m", m:name())
    assert.equal(f, m:get("f"))
    assert.equal(g, m:get("g"))
    assert.equal(d, m:get("d"))
    assert.is_nil(m:get("x"))
    local names = {}
    for _, list in ipairs { m:functions(), m:globals(), m:declarations() } do
      for _, it in ipairs(list) do names[#names + 1] = it:name() end
    end
    assert.same({ "f", "h", "g", "d" }, names)
    assert.equal(m, f:module())
    assert.equal(m, h:module())
    assert.equal(m, g:module())
    assert.is_nil(phial.fn("alone"):module())
    assert.is_true(d:is_declaration())
    assert.is_false(f:is_declaration())
  end)

  it("gives its options to its functions", function()
    local m = phial.module("m", { rules = false, type = "i8" })
    local f, g = m:fn("f"), m:fn("g", nil, nil, { type = "i16" })
    assert.equal("i8", f:var("x"):type())
    assert.equal("i16", g:var("x"):type())
    assert.equal("add", f:entry():add(f:const(1, "i64"), 2):op())
  end)

  it("refuses a name that is taken, and what is no name", function()
    local m = phial.module("m")
    m:fn("f")
    m:global("g", "i64")
    local here = "spec/module/module_spec.lua:"
    local line = debug.getinfo(1, "l").currentline
    refused(nil, ("module 'm' has a function 'f' already (at %s%d)"):format(here, line - 3),
      function() m:fn("f") end)
    refused(nil, ("module 'm' has a global 'g' already (at %s%d)"):format(here, line - 2),
      function() m:declare("g") end)
    local bad = bad_argument(nil, m)
    bad("fn", 1, "a name expected, got nil")
    bad("global", 1, "a name expected, got \"\"", "", "i64")
    bad("fn", 2, "a list expected, got number", "h", 3)
    bad("fn", 3, "unknown type 'i65'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any", "h", {}, "i65")
    bad("declare", 3, "unknown type 'i65'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any", "h", {}, "i65")
    bad("build", 2, "parameter 1: \"name:type\" expected, got number",
      "h", { 1 }, nil, function() end)
    refused(nil, "bad argument #2 to 'phial.build' (parameter 1 has no name)",
      function() phial.build("h", { "" }, nil, function() end) end)
    refused(nil, "calling 'fn' on bad self (phial.Module expected, got a table)",
      function() m.fn({}, "f") end)
    refused(nil, "bad argument #1 to 'phial.module' (a name expected, got 1)",
      function() phial.module(1) end)
  end)

  it("turns a declaration into the function that is defined later", function()
    local m = phial.module("m")
    local declared = m:declare("later", { "x:i64" }, "i64")
    local fn = calling(m, "first", declared, "i64", 3)
    local line = debug.getinfo(1, "l").currentline
    refused(nil, ("function 'later' was declared as (i64) -> i64 (at spec/module/"
      .. "module_spec.lua:%d), not as (i32)"):format(line - 2),
      function() m:fn("later", { "y:i32" }) end)
    local later = m:fn("later", { "y:i64" }, "i64")
    later:entry():ret(later:entry():mul(later:arg(1), 2))
    m:finish()
    assert.equal(6, fn())
    assert.same({}, m:declarations())
    assert.equal(later, m:get("later"))
  end)
end)

describe("a global", function()
  local m = phial.module("m")

  it("has a type or a size, an initial value, an alignment", function()
    local g = m:global("a", "i16", 65535)
    assert.same({ "a", "i16", 2, 2, -1, "\xff\xff" },
      { g:name(), g:type(), g:size(), g:align(), g:initial(), g:bytes() })
    local h = m:global("b", 5, "ab", { align = 16, constant = true, linkage = "internal" })
    assert.same({ 5, 16, "ab", "ab\0\0\0", true, "internal" },
      { h:size(), h:align(), h:initial(), h:bytes(), h:is_constant(), h:linkage() })
    assert.is_nil(h:type())
    assert.equal("\0\0\0\0\0\0\xf8\x3f", m:global("c", "f64", 1.5):bytes())
    assert.equal("\1", m:global("d", "i1", true):bytes())
    assert.equal(("\0"):rep(8), m:global("e", "ptr", g):bytes())
    assert.equal("@a", tostring(g))
  end)

  it("is refused where it makes no sense", function()
    local function no(message, ...)
      local args = table.pack(...)
      refused(nil, message, function() m:global("x", table.unpack(args, 1, args.n)) end)
    end
    no("global 'x': a type that memory can hold, or a size, expected, got 'any'", "any")
    no("global 'x': a type that memory can hold, or a size, expected, got nil")
    no("global 'x': a size from 1 to 2147483647 expected, got 0", 0)
    no("global 'x': 256 is not a value of type i8", "i8", 256)
    no("global 'x': \"s\" is not a value of type i64", "i64", "s")
    no("global 'x': its bytes expected, a string or a list of runs, got 1", 8, 1)
    no("global 'x' has 2 bytes, and its initial value 3", 2, "abc")
    no("global 'x': option 'align': a power of two up to 4096 expected, got 3", "i64", 1,
      { align = 3 })
    no("global 'x': option 'linkage': \"external\" or \"internal\" expected, got \"weak\"",
      "i64", 1, { linkage = "weak" })
    assert.is_nil(m:get("x"))
  end)
end)

describe("a call in a module", function()
  it("is checked against the signature of a function or declaration", function()
    local m = phial.module("m")
    m:fn("f", { "x:i32", "y:f64" }, "i32")
    m:declare("printf", { "s:i64" }, "i32", { variadic = true })
    local fn = m:fn("caller", { "n:i64" })
    local b, n = fn:entry(), fn:arg(1)
    refused(fn, "wrong number of arguments to 'f' (2 expected, got 1)",
      function() b:call("f", "i32", 1) end)
    local bad = bad_argument(fn, b)
    bad("call", 3, "i32 expected by parameter 'x' of 'f', got i64 '%n'", "f", "i32", n, 1.0)
    bad("call", 4, "f64 expected by parameter 'y' of 'f', got true", "f", "i32", 1, true)
    bad("call", 3, "2147483648000 does not fit i32", "f", "i32", 2147483648000, 1.0)
    refused(fn, "function 'f' returns i32, not i64", function() b:call("f", "i64", 1, 1.0) end)
    refused(fn, "wrong number of arguments to 'printf' (at least 1 expected, got 0)",
      function() b:call("printf") end)
    local v = b:call("f", nil, 1, 2)
    assert.same({ "i32", "i32", "f64" }, { v:type(), v:args()[1]:type(), v:args()[2]:type() })
    assert.equal(m:get("f"), v:data())
    assert.is_nil(b:call("f", false, 1, 2))
    local var = fn:var("w", "i64")
    refused(fn, "function 'f' returns i32, not i64", function() b:let(var, "call", "f", 1, 2.0) end)
    b:call(m:get("printf"), nil, n, 1.5, true)
  end)

  it("of what cannot be called is refused", function()
    local m = phial.module("m")
    local g, closed = m:global("g", "i64"), phial.fn("closed")
    closed:close()
    local fn = m:fn("caller")
    local b = fn:entry()
    local bad = bad_argument(fn, b)
    bad("call", 1, "'g' is a global: it cannot be called", "g")
    refused(fn, "bad argument #1 to 'call' (callee expected: a function or a name, got a "
      .. "phial.Global)", function() b:call(g) end)
    bad("call", 1, "function 'closed' is closed", closed)
  end)

  it("knows types of dialects by their full names", function()
    local one = phial.dialect("one", { make = { result = "t" } }, { "t" })
    local m = phial.module("m")
    local makes = m:fn("makes", { "x:one.t" }, "one.t", { dialects = { one } })
    local plain, other = m:fn "plain", m:fn("other", { "y:one.t" }, nil, { dialects = { one } })
    refused(plain, "function 'makes' returns one.t: dialect 'one' is missing in the option "
      .. "'dialects' of 'plain'", function() plain:entry():call(makes, nil, nil) end)
    local b = other:entry()
    refused(other, "bad argument #3 to 'call' (one.t expected by parameter 'x' of 'makes', got 1)",
      function() b:call(makes, nil, 1) end)
    refused(other, "function 'makes' returns one.t, not i64",
      function() b:call(makes, "i64", other:arg(1)) end)
    assert.equal("one.t", b:call(makes, nil, other:arg(1)):type())
  end)

  it("by a name that is not known yet is checked by finish, with its place", function()
    local m = phial.module("m")
    calling(m, "a", "nothing", "i64")
    calling(m, "b", "later", "i64", 1.5)
    calling(m, "c", "later", "i32", 1)
    calling(m, "d", "g", "i32") -- not known yet
    local line = debug.getinfo(calling, "S").linedefined + 2
    local later = m:fn("later", { "x:i64" }, "i64")
    later:entry():ret(1)
    m:global("g", "i64")
    local at = (" (at spec/module/module_spec.lua:%d)"):format(line)
    local lines = {
      "'a' calls 'nothing'" .. at .. ", which module 'm' does not have",
      "'b' calls 'later'" .. at .. ": argument 1 is of type f64, not i64",
      "'c' calls 'later'" .. at .. ": it returns i64, not i32",
      "'d' calls 'g'" .. at .. ": it is a global",
    }
    refused(nil, "module 'm' cannot be finished: these uses of names are wrong\n  "
      .. table.concat(lines, "\n  "), function() m:finish() end)
    local ok, problems = m:verify()
    assert.is_nil(ok)
    assert.same(lines, problems)
  end)

  it("is neither compiled nor written after finish refused it, until finish accepts it", function()
    local m = phial.module("m")
    local fn = calling(m, "f", "later", "i64", 3)
    local function is_refused(what, f)
      refused(nil, ("module 'm' cannot be %s: m:finish() refused it, and must be called again")
        :format(what), f)
    end
    assert.is_false(pcall(m.finish, m))
    is_refused("compiled", function() m:compile() end)
    for _, name in ipairs { "c", "llvm" } do
      is_refused("written", function() phial.emit[name](m) end)
    end
    local later = m:fn("later", { "x:i64" }, "i64")
    later:entry():ret(later:arg(1))
    is_refused("written", function() phial.emit.c(m) end)
    m:finish()
    assert.equal(3, fn())
    assert.matches("later", phial.emit.c(m))
    assert.matches("later", phial.emit.llvm(m))
    local lib <close> = m:compile()
    assert.equal(3, lib:call "f")
  end)

  it("runs", function()
    local m = phial.module("m")
    local even = m:fn("even", { "n:i64" }, "i1")
    local b, n = even:entry(), even:arg(1)
    local yes, no = even:block("yes", 1), even:block("no", 1)
    b:branch(b:eq(n, 0), yes, no)
    yes:ret(true)
    no:ret(no:call("odd", "i1", no:sub(n, 1)))
    local odd = m:fn("odd", { "n:i64" }, "i1")
    odd:entry():ret(odd:entry():bnot(odd:entry():call(even, nil, odd:arg(1))))
    m:finish()
    assert.is_true(m:verify())
    assert.is_true(even(10))
    assert.is_false(even(7))
  end)
end)

describe("a symbol of another module", function()
  it("must not have the name of one of this module", function()
    local one, two = phial.module "one", phial.module "two"
    local there = one:fn("f", {}, "i64")
    there:entry():ret(1)
    one:finish()
    local place = {}
    local function calls(fn, callee)
      place[fn] = debug.getinfo(1, "l").currentline + 1
      fn:entry():ret(fn:entry():call(callee))
    end
    calls(two:fn("f", {}, "i64", { where = "all" }), there)
    refused(nil, ("module 'two' cannot be finished: these uses of names are wrong\n  'f' calls "
      .. "'f' (at spec/module/module_spec.lua:%d) of module 'one', but the name is that of a "
      .. "function of module 'two'"):format(place[two:get "f"]), function() two:finish() end)
    local three = phial.module "three"
    calls(three:fn("g", {}, "i64"), there)
    three:finish()
    assert.equal(1, three:get("g")())
  end)
end)

describe("m:build", function()
  it("builds a function of the module", function()
    local m = phial.module("m", { type = "i32" })
    local twice = m:build("twice", { "x" }, "i32", function(b, v) b:ret(b:mul(v.x, 2)) end)
    m:build("four", {}, "i32", {}, function(b) b:ret(b:call("twice", nil, 2)) end)
    m:finish()
    assert.equal(m, twice:module())
    assert.equal(4, m:get("four")())
    refused(nil, "bad argument #5 to 'build' (function expected, got nil)",
      function() m:build("f") end)
    local ok, why = pcall(m.build, m, "f", {}, nil, function() error("no", 0) end)
    assert.same({ false, "no" }, { ok, why })
    assert.is_nil(m:get "f")
    m:build("f", {}, nil, function() end)
  end)
end)

describe("a declaration", function()
  it("has no body, and says so", function()
    local m = phial.module("m")
    local d = m:declare("d", { "x:i64" }, "i64")
    local why = "function 'd' is a declaration: it has no body"
    refused(d, why, function() d:entry():ret(1) end)
    refused(d, why, function() d:block() end)
    refused(d, why, function() d:finish() end)
    refused(d, why, function() d(1) end)
    assert.equal("declare d(%x: i64) -> i64\n", d:text())
  end)

  it("calls what the option env has under its name", function()
    local m = phial.module("m")
    m:declare("host", { "x:i64" }, "i64")
    local fn = m:fn("f", {}, "i64")
    fn:entry():ret(fn:entry():call("host", nil, 20))
    m:finish()
    assert.equal(40, fn { env = { host = function(x) return 2 * x end } })
    raises.equal("f: 'call @host 20' in block 'entry': there is no 'host' in the option env", fn)
    raises.equal("f: 'call @host 20' in block 'entry': result: i64 expected, got a string",
      fn, { env = { host = function() return "x" end } })
  end)
end)

describe("a call through the address of a declaration", function()
  it("must have its signature", function()
    local m = phial.module("m")
    m:declare("host", { "x:f64" }, "f64")
    local fn = m:fn("f", {}, "i64")
    local b = fn:entry()
    b:ret(b:call(b:address "host", "i64", 3))
    m:finish()
    raises.matching("call through 0x%x+: 'host' is %(f64%) %-> f64, called as %(i64%) %-> i64$",
      fn, { env = { host = function() return 5 end } })
  end)
end)

describe("a function of a module", function()
  it("is not finished in part if a function lacks a terminator", function()
    local m = phial.module "m"
    local ready, lacking = m:fn "ready", m:fn "lacking"
    ready:entry():ret()
    ready:block "that nobody needed"
    assert.error_matches(function() m:finish() end, "function 'lacking' cannot be finished")
    assert.is_false(ready:is_finished())
    lacking:entry():ret()
    assert.is_true(m:finish():verify())
  end)

  it("knows names that were not resolved by finish yet", function()
    local m = phial.module("m")
    local fn = calling(m, "first", "later", "i64", 20)
    fn:finish()
    local later = m:fn("later", { "x:i64" }, "i64")
    later:entry():ret(later:entry():add(later:arg(1), 1))
    later:finish()
    assert.equal(21, fn())
    assert.equal(21, m:instance():call "first")
  end)

  it("leaves its name when it is closed", function()
    local m = phial.module("m")
    m:fn("f"):close()
    local f = m:fn("f", {}, "i64")
    f:entry():ret(3)
    assert.equal(3, m:finish():get("f")())
    assert.equal("module m\n\nfn f() -> i64 {\nentry:\n  ret 3\n}\n", m:text())
  end)

  it("is a comment in tostring(m) when it is closed", function()
    local m = phial.module("m")
    local f, g = m:fn("f"), m:fn("a b")
    m:fn("h"):entry():ret()
    m:declare("d"):close()
    f:close()
    g:close()
    refused(nil, "function 'f' is closed", function() m:text() end)
    local rest = "module m\n\nfn h() {\nentry:\n  ret\n}\n"
    local remarks = "-- function d is closed\n-- function f is closed\n"
      .. '-- function "a b" is closed\n'
    assert.equal(rest .. "\n" .. remarks, tostring(m))
    assert.equal(rest, phial.parse(tostring(m)):text())
    m:global("p", "ptr", f)
    assert.equal("module m\n\n" .. remarks .. "-- function 'f' is closed\n", tostring(m))
  end)
end)

describe("a module with many unknown names", function()
  it("is reported, with at most 50 of them", function()
    local m = phial.module("m")
    for i = 1, 400 do
      local fn = m:fn("f" .. i)
      fn:entry():call("unknown" .. i)
      fn:entry():ret()
    end
    raises.with("\n  and 350 more", m.finish, m)
    assert.equal(400, #select(2, m:verify()))
  end)
end)

describe("a call graph", function()
  it("knows callers, callees and components", function()
    local m = phial.module("m")
    local function make(name, ...)
      local fn = m:fn(name)
      for _, callee in ipairs { ... } do fn:entry():call(callee) end
      fn:entry():ret()
      return fn
    end
    local a, b = make("a", "b", "c", "b"), make("b", "a")
    local c, d = make("c", "d"), make("d", "d")
    local e = make("e", print)
    m:finish()
    local graph = m:callgraph()
    assert.same({ b, c }, graph:callees(a))
    assert.same({ b }, graph:callers(a))
    assert.same({ c, d }, graph:callers(d))
    assert.is_true(graph:calls_unknown(e))
    assert.is_false(graph:calls_unknown(a))
    assert.same({ { d }, { c }, { a, b }, { e } }, graph:sccs())
    refused(nil, "bad argument #1 to 'callees' (a function of the module expected, got \"a\")",
      function() graph:callees("a") end)
    refused(nil, "calling 'sccs' on bad self (phial.CallGraph expected, got a phial.Function)",
      function() graph.sccs(a) end)
    assert.is_nil(next(graph))
  end)

  it("of a long chain of functions needs no recursion", function()
    local m = phial.module("m", { rules = false })
    for i = 1, 3000 do
      local fn = m:fn("f" .. i)
      fn:entry():call("f" .. i % 3000 + 1)
      fn:entry():ret()
    end
    m:finish()
    local sccs = m:callgraph():sccs()
    assert.equal(1, #sccs)
    assert.equal(3000, #sccs[1])
  end)
end)
