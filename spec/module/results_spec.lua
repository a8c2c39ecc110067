-- Functions with several results: texts, calls, returns, runs, copies, and what is refused.
local compilers = require "spec.support.compilers"
local json = require "spec.support.json"
local llvm = require "spec.support.llvm"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local TEXT <const> = [[
module m

declare host(%x: i64) -> i64, i32

fn split(%x: i64) -> i64, i32 {
entry:
  %2: i32 = trunc %x
  %3: i64 = shr %x, 32
  ret %3, %2
}

fn swap(%x: i64) -> i32, i64 {
entry:
  %2: i64 = call @split %x
  %3: i32 = proj {2} %2
  ret %3, %2
}

fn tail(%x: i64) -> i32, i64 {
entry:
  tail_call @swap %x
}

fn tail_at(%p: ptr, %x: i64) -> i64, i32 {
entry:
  tail_call_indirect %p, %x
}

fn via(%x: i64) -> i64, i32 {
entry:
  %2: ptr = address @split
  tail_call @tail_at %2, %x
}

fn tail_host(%x: i64) -> i64, i32 {
entry:
  tail_call @host %x
}

fn of_host(%x: i64) -> i32, i64 {
entry:
  %2: i64 = call @host %x
  %3: i32 = proj {2} %2
  ret %3, %2
}

fn at_address(%which: i1, %x: i64) -> i32, i64 {
entry:
  %3: ptr = address @split
  %4: ptr = address @host
  %5: ptr = select %which, %3, %4
  %6: i64 = call_indirect {"split"} %5, %x
  %7: i32 = proj {2} %6
  ret %7, %6
}

fn first(%x: i64) -> i64 {
entry:
  %2: i64 = call @split %x
  ret %2
}

fn none(%x: i64) {
entry:
  call @split %x
  ret
}
]]

local X <const> = 7 << 32 | 9

local function read() return assert(phial.parse(TEXT)) end

--
-- {== Texts and runs ==================================================
--

it("a text with several results is read and printed", function()
  assert.equal(TEXT, tostring(read()))
  local split = read():get "split"
  assert.same({ "i64", "i32" }, split:results())
  assert.equal("i64", split:result())
  assert.same({ "i64" }, read():get "first":results())
  assert.same({}, read():get "none":results())
end)

local ENV <const> = { env = { host = function(x) return x >> 32, x & 0xffffffff, "more" end } }

-- By function, what it returns.
local CASES <const> = {
  split = { 7, 9 }, via = { 7, 9 }, swap = { 9, 7 }, tail = { 9, 7 }, tail_host = { 7, 9 },
  of_host = { 9, 7 }, first = { 7 }, none = {},
}

it("runs return Lua's several values", function()
  local m = read()
  for name, expected in pairs(CASES) do
    assert.same(expected, { m:get(name)(X, ENV) })
    assert.same(expected, { m:get(name)(X, { env = ENV.env, fuel = 10 }) })
    assert.same(expected, { m:instance(ENV):call(name, X) })
  end
  for _, which in ipairs { true, false } do
    assert.same({ 9, 7 }, { m:get "at_address"(which, X, ENV) })
  end
end)

it("so does emitted Lua, in all its forms", function()
  for _, opts in ipairs { { form = "goto" }, { form = "blocks" } } do
    for name, expected in pairs(CASES) do
      local source, host = phial.emit.lua(read():get(name), opts)
      host.env = ENV.env
      assert.same(expected, { load(source)(host)(X) })
    end
  end
  for _, nesting in ipairs { 150, 0 } do
    for _, name in ipairs { "split", "swap", "of_host" } do
      local source, host = phial.emit.cps(read():get(name), { form = "lua", nesting = nesting })
      host.env = ENV.env
      local function ret(...) return "ret", ... end
      assert.same({ "ret", table.unpack(CASES[name]) }, { load(source)(host)(X, ret) })
    end
  end
end)

it("a function of Lua gives what its declaration says", function()
  local m = read()
  for name, where in pairs { of_host = "call", tail_host = "tail_call" } do
    raises.equal(("%s: '%s @host %%x' in block 'entry': result 2: i32 expected, got nil"):format(
      name, where), m:get(name), X, { env = { host = function(x) return x end } })
    raises.matching("result.*: i64 expected, got true$", m:get(name), X,
      { env = { host = function() return true, 1 end } })
  end
end)

it("a call through an address is one of that signature", function()
  local m = read()
  local main = m:fn("main", { "x:i64" })
  main:entry():call("tail_at", false, main:entry():address "swap", main:arg(1))
  main:entry():ret()
  m:finish()
  raises.matching("call through 0x%x+: 'swap' is %(i64%) %-> i32, i64, called as %(i64%) "
    .. "%-> i64, i32$", main, X)
end)

it("many results are returned, by all forms", function()
  for _, n in ipairs { 41, 250, 1000 } do
    local types, values = {}, {}
    for i = 1, n do types[i], values[i] = "i64", i end
    local m = phial.module "many"
    local many = m:fn("many", { "x:i64" }, types)
    many:entry():ret(many:arg(1), table.unpack(values, 2))
    local sums = m:fn("again", { "x:i64" }, types)
    local got = { sums:entry():call("many", types, sums:arg(1)) }
    assert.equal(n, #got)
    sums:entry():ret(table.unpack(got))
    m:finish()
    assert.equal(tostring(m), tostring(phial.parse(tostring(m))))
    assert.same(values, { m:get "again"(1) })
    local source, host = phial.emit.lua(many, { form = "blocks" })
    assert.same(values, { load(source)(host)(1) })
  end
  local types = {}
  for i = 1, 1001 do types[i] = "i64" end
  raises.with("(1001 results: a function has at most 1000)", phial.fn, "f", {}, types)
  local fn, why = phial.parse("fn f() -> " .. table.concat(types, ", ") .. " {\nentry:\n}\n")
  assert.is_nil(fn)
  assert.matches("a function has at most 1000 results$", why)
end)

-- }== Calls and returns ===============================================

it("a call gives its results, or writes them to variables", function()
  local fn = phial.fn("f", { "x:i64" }, { "i64", "i32" })
  local b, q, r = fn:entry(), fn:var("q", "i64"), fn:var("r", "i32")
  local one, two = b:call("later", { "i64", "i32" }, fn:arg(1))
  b:let(q, r, "call", fn, one)
  assert.same({ one, two }, one:results())
  assert.is_nil(b:call(fn, false, one))
  assert.equal(1, select("#", (b:call(fn, nil, one))))
  b:ret(q, r)
  assert.equal([[
fn f(%x: i64) -> i64, i32 {
entry:
  %2: i64 = call @later %x
  %3: i32 = proj {2} %2
  %4: i64 = call @f %2
  %5: i32 = proj {2} %4
  call @f %2
  %7: i64 = call @f %2
  %8: i32 = proj {2} %7
  ret %4, %5
}
]], tostring(fn:finish()))
end)

it("wrong returns and calls are refused where they are made", function()
  local fn = phial.fn("f", { "x:i64" }, { "i64", "i32" })
  local b, x = fn:entry(), fn:arg(1)
  local q, r = fn:var("q", "i64"), fn:var("r", "i32")
  local two = b:call(fn, nil, x)
  local p = fn:const(0, "ptr")
  refused(fn, "function 'f' returns i64, i32: 'ret' needs 2 values, got 0",
    function() b:ret() end)
  refused(fn, "function 'f' returns i64, i32: 'ret' needs 2 values, got 1",
    function() b:ret(x, nil) end)
  refused(fn, "function 'f' returns i64, i32: 'ret' needs 2 values, got 3",
    function() b:ret(x, 1, 2) end)
  refused(fn, "bad argument #2 to 'ret' (i32 expected, got i64 '%x')",
    function() b:ret(x, x) end)
  refused(fn, "function 'f' returns i64, i32, not i64", function() b:call(fn, "i64", x) end)
  refused(fn, "function 'f' returns i64, i32, not i64, i1",
    function() b:call(fn, { "i64", "i1" }, x) end)
  refused(fn, "function 'f' returns i64, i32, not i64, i32, i1",
    function() b:call(fn, { "i64", "i32", "i1" }, x) end)
  refused(fn, "function 'f' returns i64, i32, not i64", function() b:let(q, "call", fn, x) end)
  refused(fn, "function 'f' returns i64, i32, not i32, i64",
    function() b:let(r, q, "call", fn, x) end)
  refused(fn, "'call': results: from 1 to 32767 types expected, got 0",
    function() b:call(fn, {}, x) end)
  refused(fn, "'call': results: name of a type expected, got 1",
    function() b:call(fn, { 1 }, x) end)
  refused(fn, "bad argument #2 to 'proj' ('%2' has no result 3)",
    function() b:proj(two, 3, "i64") end)
  refused(fn, "bad argument #3 to 'proj' (i32 expected, as '%2' has it, got i64)",
    function() b:proj(two, 2, "i64") end)
  refused(fn, "a call at an address has several results if the option 'as' of 'call' names a "
    .. "function that has them", function() b:call(p, { "i64", "i32" }, x) end)
  local one = phial.fn("one", { "x:i64" }, "i64")
  refused(fn, "function 'one' returns i64, not i64, i32",
    function() b:call(one, { "i64", "i32" }, x) end)
  refused(fn, "function 'one' returns i64, not i64, i32 as 'f' does",
    function() b:tail_call(one, x) end)
  refused(one, "function 'f' returns i64, i32, not i64 as 'one' does",
    function() one:entry():tail_call(fn, 1) end)
end)

it("a module tells what is wrong with results of calls by name", function()
  local function message(results, write)
    local m = phial.module "m"
    local fn = m:fn("f", { "x:i64" })
    write(fn:entry(), fn)
    fn:entry():ret()
    m:declare("g", { "x:i64" }, results)
    return raises.message(m.finish, m)
  end
  local wrong = message({ "i64", "i32" },
    function(b, fn) b:call("g", { "i64", "i64" }, fn:arg(1)) end)
  assert.matches("it returns i64, i32, not i64 as result 2$", wrong)
  assert.matches("it returns i64, not i1 as result 3$", message("i64",
    function(b, fn) b:proj(b:call("g", "i64", fn:arg(1)), 3, "i1") end))
  assert.matches("it returns i64, i32, not i1$", message({ "i64", "i32" },
    function(b, fn) b:call("g", "i1", fn:arg(1)) end))
  local m = phial.module "m"
  m:declare("g", {}, { "i64", "i32" })
  raises.with("function 'g' was declared as () -> i64, i32 (at ",
    m.fn, m, "g", {}, "i64")
end)

it("what is wrong in a text is told", function()
  local function why(text) return (select(2, phial.parse(text))) end
  assert.equal("3:3: 'ret' takes 2 operands, not 1",
    why "fn f(%x: i64) -> i64, i32 {\nentry:\n  ret %x\n}\n")
  assert.equal("1:25: a type expected, got '{'",
    why "fn f(%x: i64) -> i64,   {\nentry:\n  ret %x\n}\n")
  assert.matches("'{' expected, got ','$",
    why "fn f(%x: i64) -> i8 zeroext, i64 {\nentry:\n  ret 1:i8, %x\n}\n")
end)

it("functions and their results are checked when they are made", function()
  raises.with("(result 2: unknown type 'i65'"
    .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)",
    phial.fn, "f", {}, { "i64", "i65" })
  raises.with("(result 2: name of a type expected, got number)", phial.fn, "f", {}, { "i64", 1 })
  assert.same({}, phial.fn("f", {}, {}):results())
end)

-- }== Copies ==========================================================

it("a copy gives all results, also of a tail call", function()
  local m = phial.parse [[
module m

fn two(%x: i64) -> i64, i32 {
entry:
  ret %x, 2:i32
}

fn pick(%c: i1, %x: i64) -> i64, i32 {
entry:
  branch %c, one, other
one: <- entry
  ret %x, 1:i32
other: <- entry
  tail_call @two %x
}

fn main(%c: i1) -> i32, i64 {
entry:
  %2: i64 = call @pick %c, 5
  %3: i32 = proj {2} %2
  ret %3, %2
}
]]
  local main, pick = m:get "main", m:get "pick"
  local call = main:entry():insts()[1]
  local further = call:results()[2]
  local _, _, first, _, second = pick:copy_into(call:before(), call:args())
  further:replace(second)
  further:erase()
  call:replace(first)
  call:erase()
  main:clean { phis = true }
  assert(main:verify())
  assert.same({ 1, 5 }, { main(true) })
  assert.same({ 2, 5 }, { main(false) })
  assert.equal(1, #main:find "other":insts()[1]:results() - 1)
end)

-- }== Languages =======================================================

-- The same without what lies elsewhere, and tail calls, which few compilers guarantee.
local function inside(linkage)
  local text = TEXT:gsub("declare[^\n]*\n\n", ""):gsub("fn [%w]*_?host.-\n}\n\n?", "")
    :gsub("fn of_host.-\n}\n\n", ""):gsub("fn tail.-\n}\n\n", ""):gsub("fn via.-\n}\n\n", "")
    :gsub("(%%4: ptr = address) @host", "%1 @split")
  text = text .. [[

fn rec(%n: i64, %x: f64) -> f64, i1, ptr, i8, f32 {
entry:
  %c: i1 = eq %n, 0
  branch %c, done, more
done: <- entry
  ret %x, true, 7:ptr, -1:i8, 0.5:f32
more: <- entry
  %m: i64 = sub %n, 1
  %r: f64 = call @rec %m, %x
  %2: i1 = proj {2} %r
  %3: ptr = proj {3} %r
  %4: i8 = proj {4} %r
  %5: f32 = proj {5} %r
  %y: f64 = fadd %r, 1.0
  ret %y, %2, %3, %4, %5
}

fn never() -> i64, i32 {
entry:
  unreachable
}
]]
  return (text:gsub("\nfn ", "\n" .. linkage .. "fn "))
end

compilers.each(pending, function(cc)
  it("native code by " .. cc .. " returns Lua's several values", function()
    local library <close> = phial.parse(inside ""):compile(compilers.options(cc))
    for _, name in ipairs { "split", "swap", "first", "none" } do
      assert.same(CASES[name], { library:call(name, X) })
    end
    assert.same({ 9, 7 }, { library:call("at_address", true, X) })
    assert.same({ 5.25, true, 7, -1, 0.5 }, { library:call("rec", 5, 0.25) })
    raises.with("never: 'unreachable' in block 'entry': reached", library.call, library, "never")
    raises.with("rec: 'call @rec %m, %x' in block 'more': stack overflow", library.call,
      library, "rec", 1 << 40, 0.25)
  end)
end)

it("C has several results in a struct", function()
  assert.equal([[
struct phial_1 { uint64_t m1; uint32_t m2; };
struct phial_2 { uint32_t m1; uint64_t m2; };

extern struct phial_1 host(uint64_t);

struct phial_2 of_host(uint64_t x) {
  struct phial_1 r;

  uint64_t v2 = (r = host(x)).m1;
  uint32_t v3 = r.m2;
  return (struct phial_2){ v3, v2 };
}
]], phial.emit.c(read():get "of_host"):match "struct.*")
end)

it("C and LLVM need to know what is called", function()
  local fn = phial.fn("f", { "x:i64" }, { "i64", "any" })
  fn:entry():ret(1, "x")
  fn:finish()
  raises.with("function 'f': a result is of type any, which C does not have", phial.emit.c, fn)
  local by_name = phial.fn("g", { "x:i64" }, "i32")
  by_name:entry():ret((select(2, by_name:entry():call("h", { "i64", "i32" }, by_name:arg(1)))))
  by_name:finish()
  raises.with("several results of 'h' need a declaration", phial.emit.c, by_name)
  raises.with("several results of 'h' lie elsewhere: go through C", phial.emit.llvm, by_name)
  assert.equal(5, by_name(1, { env = { h = function() return 1, 5 end } }))
end)

it("LLVM has a struct of its own for functions of the text, and refuses others by name", function()
  local m = phial.parse(inside "internal " .. [[

fn product(%x: i64) -> i64 {
entry:
  %2: i32 = call @at_address true, %x
  %3: i64 = proj {2} %2
  %4: i64 = sext %2
  %5: i64 = mul %4, %3
  ret %5
}
]])
  local fn = m:get "product"
  assert.equal(63, fn(X))
  for _, kind in ipairs { "opaque", "typed" } do
    if llvm.tools[kind] then
      llvm.each_way({ { fn = fn, args = { X } } }, kind, {}, nil, false, function(_, outcomes)
        assert.equal("is " .. llvm.shown("i64", 63), outcomes[1])
      end)
    end
  end
  raises.with("function 'split' has several results and is visible: LLVM cannot say how C returns "
    .. "them: go through C, or make it internal", phial.emit.llvm, read())
  raises.with("function 'host' has several results and is a declaration: LLVM cannot say how C "
    .. "returns them: go through C", phial.emit.llvm, phial.parse [[
module m

declare host(%x: i64) -> i64, i32

fn main(%x: i64) -> i64 {
entry:
  %2: i64 = call @host %x
  ret %2
}
]])
end)

it("continuations, blocks with arguments and JSON have all of them", function()
  local split = read():get "split"
  assert.matches("^split%(x : i64, ret : %(i64, i32%) → ⊥%) → ⊥\n.*in ret%(v3, v2%)\n$",
    phial.emit.cps(split))
  assert.matches("^fn split%(i64%) %-> i64, i32 {.*ret %%3, %%2\n}\n$",
    phial.emit.blockargs(split))
  local document = json.read(phial.emit.json(read():get "swap")).functions[1]
  assert.same({ "i32", "i64" }, document.results)
  assert.equal("i32", document.result)
  assert.is_nil(json.read(phial.emit.json(read():get "first")).functions[1].results)
end)

-- }== Traces and the builder ==========================================

it("a trace is recorded and replayed", function()
  local fn = phial.fn("f", { "x:i64" }, { "i64", "i32" })
  local record, b = phial.record(fn), fn:entry()
  local one, two = b:call("g", { "i64", "i32" }, fn:arg(1))
  b:call("g", { "i64", "i64" }, one)
  b:call(fn:const(8, "ptr"), { "i64", "i8" }, one, { as = "g" })
  b:ret(one, two)
  fn:finish()
  assert.equal([[
F f 1 0 i64,i32 x:i64
b entry
i %2 %3 i64 , i32 call {"g"} %1
i %4 %5 i64 call {"g"} %2
i %7 %8 i64 , i8 call_indirect {"g"} 8:ptr %2
x %2 %3
E
]], record:text())
  assert.equal(tostring(fn), tostring(phial.replay(record:text())))
end)

it("the builder gives and returns several", function()
  local m = phial.module "m"
  m:build("divmod", { "a:i64", "b:i64" }, { "i64", "i64" }, function(b, v)
    b:if_(v.b:eq(0), function() b:ret(0, v.a) end)
    b:ret(v.a:sdiv(v.b), v.a:srem(v.b))
  end)
  local fn = m:build("swapped", { "a:i64" }, { "i64", "i64" }, function(b, v)
    v.q, v.r = b:call("divmod", nil, v.a, 7)
    b:ret(v.r, v.q)
  end)
  assert.same({ 2, 4 }, { fn(30) })
  raises.with("function 'f' returns i64, i32, but the end of its body", phial.build, "f", {},
    { "i64", "i32" }, function() end)
end)

-- }====================================================================
