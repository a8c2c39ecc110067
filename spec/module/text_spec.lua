-- Modules as text, and text as modules.
local phial = require "phial"
local refused = require "spec.support.refused"
local under = require "spec.support.under"

local function sample()
  local m = phial.module("a module")
  local table = m:global("table", "i16", -3)
  m:global("message", 6, 'a"\n\0', { constant = true, linkage = "internal", align = 1 })
  m:global("on", "i1", true)
  m:global("pi", "f64", 3.25)
  m:global("where", "ptr", table)
  m:global("zeros", 100, nil, { align = 32 })
  m:declare("printf", { "format:i64" }, "i32", { variadic = true })
  m:declare("a b")
  m:declare("any", nil, "any", { variadic = true })
  local first = m:fn("first", { "x:i64" }, "i64")
  local b = first:entry()
  b:call("a b")
  b:call("printf", "i32", first:arg(1), 1.5)
  b:ret(b:call("second", "i64", first:arg(1)))
  local second = m:fn("second", { "x:i64" }, "i64")
  second:entry():ret(second:entry():call(first, nil, second:arg(1)))
  return m:finish()
end

describe("the text of a module", function()
  it("shows all its symbols", function()
    assert.equal([[
module "a module"

global table: i16 = -3
internal constant message: bytes 6 align 1 = "a\"\n\x00"
global on: i1 = true
global pi: f64 = 3.25
global where: ptr = @table
global zeros: bytes 100 align 32

declare printf(%format: i64, ...) -> i32
declare "a b"()
declare any(...) -> any

fn first(%x: i64) -> i64 {
entry:
  call @"a b"
  %4: i32 = call @printf %x, 1.5
  %5: i64 = call @second %x
  ret %5
}

fn second(%x: i64) -> i64 {
entry:
  %2: i64 = call @first %x
  ret %2
}
]], tostring(sample()))
  end)

  it("is read as the module that it shows", function()
    local text = sample():text()
    local m = assert(phial.parse(text))
    assert.equal(text, m:text())
    assert.equal(m:get("first"), m:get("second"):entry():insts()[1]:data())
    assert.equal("a module", m:name())
    assert.equal('a"\n\0', m:get("message"):initial())
    assert.is_true(m:get("any"):is_variadic())
    assert.is_true(m:verify())
  end)

  it("takes options, also if there is nothing that they could change", function()
    local m = phial.module "m"
    refused(nil, "bad argument #1 to 'text' (table expected, got number)", function() m:text(3) end)
    m:fn("f"):entry():ret()
    refused(nil, "bad argument #1 to 'text' (table expected, got number)", function() m:text(3) end)
  end)

  it("keeps every nan, and null is zero", function()
    local m = phial.module "m"
    for i, bits in ipairs { 0x7ff8000000000000, 0xfff8000000000000, 0x7ff8000000000001,
      under.signalling and 0x7ff0000000000001 or nil } do
      local bytes = ("<i8"):pack(bits)
      assert.equal(bytes, m:global("g" .. i, "f64", (("<d"):unpack(bytes))):bytes())
    end
    m:global("null", "ptr", 0)
    local text = m:text()
    local again = assert(phial.parse(text))
    assert.equal(text, again:text())
    for i = 1, 3 do assert.equal(m:get("g" .. i):bytes(), again:get("g" .. i):bytes()) end
    assert.equal(("\0"):rep(8), again:get("null"):bytes())
    assert.truthy(text:find("g1: f64 = nan\n", 1, true) and text:find("g2: f64 = -nan\n", 1, true))
  end)

  it("can have comments, empty lines and blanks", function()
    local m = assert(phial.parse("-- a comment\n\n  module m -- of modules\n\n\n"
      .. "global g:i64=1--one\ndeclare f ( )\n-- the end"))
    assert.equal("module m\n\nglobal g: i64 = 1\n\ndeclare f()\n", m:text())
  end)

  it("has what an interpreter of other text forms needs: a function alone stays alone", function()
    local fn = assert(phial.parse "fn f() {\nentry:\n  ret\n}\n")
    assert.is_nil(fn:module())
    local d = assert(phial.parse "declare f(%x: i64, ...)\n")
    assert.equal("declare f(%x: i64, ...)\n", d:text())
  end)
end)

-- A module that uses what it does not have: functions of Lua and symbols of another module.
local function using_others()
  local other, m = phial.module "other", phial.module "m"
  local count = other:global("count", "i64", 40)
  other:global("unused", "i64")
  local where = other:global("where", "ptr", count, { constant = true })
  local add = other:fn("add", { "n" }, "i64")
  local b = add:entry()
  b:ret(b:add(b:load(b:address(count), "i64"), add:arg(1)))
  other:finish()
  m:declare("known", { "x" }, "i64")
  m:global("f", "ptr", add)
  local use = m:fn("use", { "x" }, "i64")
  b = use:entry()
  local x = b:call(math.abs, "i64", use:arg(1))
  b:call(print, nil, x, true)
  b:call(print)
  x = b:call("known", nil, b:call(add, nil, x))
  b:ret(b:add(x, b:load(b:load(b:address(where), "ptr"), "i64")))
  m:finish()
  return m
end

describe("the text of a module that uses others", function()
  it("declares their functions, and has its own of their globals", function()
    assert.equal([[
module m

global f: ptr = @add
internal constant where: ptr = @count
internal global count: i64 = 40

declare known(%x: i64) -> i64
declare add(%n: i64) -> i64
declare "math.abs"(...) -> any
declare print(...) -> any

fn use(%x: i64) -> i64 {
entry:
  %2: i64 = call @"math.abs" %x
  call @print %2, true
  call @print
  %6: i64 = call @add %2
  %7: i64 = call @known %6
  %8: ptr = address @where
  %9: ptr = load %8
  %10: i64 = load %9
  %11: i64 = add %10, %7
  ret %11
}
]], tostring(using_others()))
  end)

  it("is read as a module that says the same", function()
    local m = using_others()
    local again = assert(phial.parse(m:text()))
    assert.equal(m:text(), again:text())
    assert.is_true(m:verify())
    assert.is_true(again:verify())
    local env = { known = function(x) return 2 * x end }
    assert.equal(126, m:get "use"(-3, { env = env }))
    local shown = {}
    env.add, env["math.abs"] = function(n) return n + 40 end, math.abs
    env.print = function(...) shown[#shown + 1] = table.pack(...) end
    assert.equal(126, again:get "use"(-3, { env = env }))
    assert.same({ { 3, true, n = 2 }, { n = 0 } }, shown)
  end)

  it("declares names with several meanings as what takes anything", function()
    local m = phial.module "m"
    local b = m:fn("f"):entry()
    for i = 1, 2 do
      local g = phial.fn("g", { i == 1 and "x:i64" or "x:f64" })
      g:entry():ret()
      b:call(g:finish(), nil, i == 1 and 1 or 1.5)
    end
    b:ret()
    m:finish()
    assert.truthy(m:text():find("\ndeclare g(...) -> any\n", 1, true))
    assert.equal(m:text(), assert(phial.parse(m:text())):text())
  end)

  it("would say something else of a function of Lua that has the name of a symbol", function()
    local m = phial.module "m"
    local fn = m:fn("f")
    fn:entry():call(print)
    fn:entry():ret()
    m:declare("print")
    refused(nil, "module 'm' cannot be finished: these uses of names are wrong\n  'f' calls "
      .. "'print' of Lua, but the name is that of a declaration of module 'm'",
      function() m:finish() end)
  end)
end)

describe("a wrong text of a module", function()
  local function wrong(text, message)
    local m, why = phial.parse(text, { file = "x" })
    assert.is_nil(m)
    assert.equal(message, why)
  end

  it("is reported with line and column", function()
    wrong("module", "x:1:7: the module's name expected, the text ends")
    wrong("module \"\"", "x:1:8: the module's name expected, not an empty one")
    wrong("module m\nglobal \"\": i64", "x:2:8: the global's name expected, not an empty one")
    wrong("module m\nfn \"\"() {\nentry:\n  ret\n}", "x:2:1: a function of a module needs a name")
    wrong("module m n", "x:1:10: the end of the line expected, got 'n'")
    wrong("module m\nfoo",
      "x:2:1: 'fn', 'declare', 'global', 'constant' or 'internal' expected, got 'foo'")
    wrong("module m\ninternal fn", "x:2:12: the function's name expected, the text ends")
    wrong("foo", "x:1:1: 'fn', 'internal', 'declare' or 'module' expected, got 'foo'")
    wrong("modul m\nglobal g: i64",
      "x:1:1: 'fn', 'internal', 'declare' or 'module' expected, got 'modul'")
    wrong("module m\nglobal g", "x:2:9: ':' expected, the text ends")
    wrong("module m\nglobal g: bytes\n", "x:2:16: a size expected, the line ends")
    wrong("module m\nglobal g: i64 = 1x", "x:2:17: '1x' is not a number")
    wrong("module m\nglobal g: i8 = x", "x:2:16: 'x' is not a value")
    wrong("module m\nglobal g: any = 1", "x:2:11: memory cannot hold a type 'any'")
    wrong("module m\nglobal g: foo = 1", "x:2:11: memory cannot hold a type 'foo'")
    wrong("module m\nglobal g: i8 = 256", "x:2:16: '256' is not a value of type i8")
    wrong("module m\nglobal g: bytes 4 = \"a\\q\"", "x:2:23: no such escape: '\\q'")
    wrong("module m\nglobal g: bytes 4 = \"a\\x0g\"", "x:2:23: no such escape: '\\x'")
    wrong("module m\nglobal g: bytes 4 = \"a\n", "x:2:21: this string has no end on its line")
    wrong("module m\nglobal g: bytes 4 = \"a\0\"",
      "x:2:23: a control character in a string: write it '\\x00'")
    wrong("module m\nglobal g: i8\nglobal g: i8",
      "x:3:1: module 'm' has a global 'g' already (at line 2)")
    wrong("module m\nglobal p: ptr = @q", "x:2:17: global 'p' has the address of 'q', which "
      .. "module 'm' does not have")
    wrong("module m\n\ndeclare f(%x: i65)", "x:3:15: there is no type 'i65'")
    wrong("module m\nfn f() {\nentry:\n  call @f 1\n  ret\n}",
      "x:4:8: 'f' calls 'f': wrong number of arguments (0 expected, got 1)")
    wrong("module m\nfn f() {\nentry:\n  call @g\n  ret\n}\nfn h() {\nentry:\n  ret",
      "x:9:6: a label, an instruction or '}' expected, the text ends")
    wrong("module m\nfn f() {\nentry:\n  call @g\n  ret\n}",
      "x:4:8: 'f' calls 'g', which module 'm' does not have")
  end)

  it("is not read with wrong options", function()
    refused(nil, "bad argument #2 to 'phial.parse' (table expected, got number)",
      function() phial.parse("module m", 3) end)
  end)

  it("is told of characters that no token has", function()
    local none = "no token starts with '\\x00'"
    wrong("\0module m", "x:1:1: " .. none)
    wrong("module\0 m", "x:1:7: " .. none)
    wrong("module m \0", "x:1:10: " .. none)
    wrong("module m\n\0", "x:2:1: " .. none)
    wrong("module m\nglobal g: \0", "x:2:11: " .. none)
    wrong("module m\nglobal g: i8 = \0", "x:2:16: " .. none)
    wrong("module m\nglobal g\0: i8", "x:2:9: " .. none)
    wrong("module m\nfn f() {\nentry:\n\0 ret\n}", "x:4:1: " .. none)
    wrong("module m\nglobal g: i8 é", "x:2:14: no token starts with 'é'")
  end)

  it("is told of numbers that do not fit", function()
    local function global(text, message)
      wrong("module m\nglobal g: " .. text, "x:2:" .. message)
    end
    local large = "18446744073709551616"
    global("i64 = " .. large, "17: '" .. large .. "' does not fit 64 bits")
    global("i64 = -9223372036854775809", "17: '-9223372036854775809' does not fit 64 bits")
    global("i32 = 18446744073709551615", "17: '18446744073709551615' is not a value of type i32")
    global("i64 = 0xff", "17: '0xff' is not a number")
    global("f64 = 1e999", "17: '1e999' is too large for a float")
    global("f64 = 1.5.5", "17: '1.5.5' is not a number")
    global("f64 = nan(0x1)", "21: the bits of a nan expected, got '0x1'")
    global("f64 = nan(0x17ff8000000000001)", "21: the bits of a nan expected, got "
      .. "'0x17ff8000000000001'")
    global("f32 = nan(0x7ff8000000000001)", "17: 'nan(0x7ff8000000000001)' is not a value of type "
      .. "f32")
    global("f32 = 1e300", "17: '1e300' is not a value of type f32")
    global("bytes " .. large, "17: '" .. large .. "' does not fit 64 bits")
    global("bytes 4 align " .. large, "25: '" .. large .. "' does not fit 64 bits")
    global("i64 = @f", "17: '@f' is not a value of type i64")
    global("ptr = \"f\"", "17: '\"f\"' is not a value of type ptr")
    global("i8 = \"a\\\\\"", "16: '\"a\\\\\"' is not a value of type i8")
    global("bytes 2 = 12", "21: a string, or runs in braces, expected, got '12'")
  end)

  it("can say an integer without its sign", function()
    local m = assert(phial.parse(
      "module m\nglobal g: i64 = 18446744073709551615\nglobal h: i8 = 255"))
    assert.equal(-1, m:get("g"):initial())
    assert.equal(-1, m:get("h"):initial())
  end)

  it("cut off anywhere gives an error or the module of what is there", function()
    local text = sample():text()
    for i = 1, #text do
      local m, why = phial.parse(text:sub(1, i))
      assert(m or why:find "^%d+:%d+: ", why)
    end
  end)
end)
