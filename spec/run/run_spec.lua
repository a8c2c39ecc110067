-- Running: arguments, results, calls, traps, refusals.
local phial = require "phial"
local here = require "spec.support.here"
local refused = require "spec.support.refused"
local trapped = require("spec.support.raises").equal

local function parse(text, ...) return assert(phial.parse(text, { dialects = { ... } })) end

-- A function that returns its argument.
local function identity(type)
  local fn = phial.fn("id", { "x:" .. type }, type)
  fn:entry():ret(fn:arg(1))
  return fn:finish()
end

-- A function that calls callee with x, with types of argument and result.
local function calling(callee, from, to)
  local fn = phial.fn("f", { "x:" .. (from or "i64") }, to or "i64")
  fn:entry():ret(fn:entry():call(callee, to or "i64", fn:arg(1)))
  return fn:finish()
end

-- The same; the callee is set afterwards, so that the call is not checked.
local function calling_later(callee, from, to)
  local fn = calling("later", from, to)
  for v in fn:values() do if v:op() == "call" then v:set_data(callee) end end
  return fn
end

local SUM = [[
fn sum(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: 0, body: %i2]
  %s: i64 = phi s [entry: 0, body: %s2]
  %more: i1 = slt %i, %n
  branch %more, body, done
body: <- head
  %s2: i64 = add %s, %i
  %i2: i64 = add %i, 1 @ "sum.x":3:7
  jump head
done: <- head
  ret %s
}]]

describe("a finished function", function()
  it("can have hundreds of blocks in which nothing happens", function()
    local fn = phial.fn("f", { "n" }, "i64")
    local b, joins, n = fn:entry(), {}, 400
    for i = 1, n do
      local more = fn:block()
      joins[i] = fn:block()
      b:branch(b:sgt(fn:arg(1), i), more, joins[i])
      more:seal()
      b = more
    end
    for i = n, 1, -1 do
      b:jump(joins[i])
      joins[i]:seal()
      b = joins[i]
    end
    b:ret(7)
    assert.equal(7, fn:finish()(5))
  end)

  it("runs when it is called", function()
    local sum = parse(SUM)
    assert.equal(45, sum(10))
    assert.equal(45, sum(10, nil))
    assert.equal(45, sum(10, {}))
  end)

  it("is what a function must be to run", function()
    local fn = phial.fn("f", {}, "i64")
    local message = "function 'f' is not finished: call fn:finish() before it can run"
    refused(nil, message, function() fn() end)
    fn:entry():ret(1)
    refused(nil, message, function() fn() end)
    refused(nil, message, function() phial.emit.lua(fn) end)
    fn:finish()
    assert.equal(1, fn())
    fn:reopen()
    refused(nil, message, function() fn() end)
    fn:finish()
    assert.equal(1, fn())
    fn:close()
    refused(nil, "function 'f' is closed", function() fn() end)
  end)

  it("is compiled anew when it has changed", function()
    local fn = calling(function(x) return x + 1 end)
    assert.equal(2, fn(1))
    local call = fn:entry():insts()[1]
    call:set_data(function(x) return x + 2 end)
    assert.equal(3, fn(1))
    call:set_data "twice"
    assert.equal(2, fn(1, { env = { twice = function(x) return x + x end } }))
  end)

  it("returns nothing when it has no result", function()
    local fn = phial.fn("f", {})
    fn:entry():ret()
    fn:finish()
    assert.equal(0, select("#", fn()))
    assert.equal(0, select("#", load((phial.emit.lua(fn, { form = "blocks" })))()()))
  end)

  it("can be left and entered again by a coroutine", function()
    local fn = calling(coroutine.yield)
    local co = coroutine.wrap(function(...) return fn(...) end)
    assert.equal(5, co(5))
    assert.equal(7, co(7))
  end)
end)

describe("arguments", function()
  it("are counted", function()
    local sum = parse(SUM)
    refused(nil, "wrong number of arguments to 'sum' (1 expected, got 0)", function() sum() end)
    refused(nil, "wrong number of arguments to 'sum' (1 expected, got 2)", function() sum(1, 2) end)
    refused(nil, "wrong number of arguments to 'sum' (1 expected, got 3)",
      function() sum(1, {}, {}) end)
  end)

  for type, cases in pairs {
    i1 = { [true] = true, [false] = false },
    i8 = { [127] = 127, [-128] = -128, [255] = -1, [128] = -128 },
    i16 = { [65535] = -1, [-32768] = -32768 },
    i32 = { [4294967295] = -1, [-2147483648] = -2147483648 },
    i64 = { [math.mininteger] = math.mininteger, [math.maxinteger] = math.maxinteger },
    f32 = { [0.1] = 0.10000000149011612, [1 << 24] = 16777216.0, [-0.5] = -0.5 },
    f64 = { [0.1] = 0.1, [3] = 3.0, [1 << 53] = 0x1p53, [1 / 0] = 1 / 0 },
    any = { [1] = 1, x = "x", [1.5] = 1.5, [false] = false, [print] = print },
  } do
    it("of type " .. type .. " are taken", function()
      local id = identity(type)
      for given, taken in pairs(cases) do
        local got = id(given)
        assert.equal(taken, got)
        assert.equal(math.type(taken), math.type(got))
      end
    end)
  end

  it("of type any may be nil", function() assert.is_nil(identity "any" (nil)) end)

  it("that do not fit are refused, with the parameter's name", function()
    local i8, i64, i1, f64, f32 = identity "i8", identity "i64", identity "i1", identity "f64",
      identity "f32"
    refused(nil, "bad argument #1 'x' to 'id' (256 does not fit i8)", function() i8(256) end)
    refused(nil, "bad argument #1 'x' to 'id' (-129 does not fit i8)", function() i8(-129) end)
    refused(nil, "bad argument #1 'x' to 'id' (i8 expected, got 1.0)", function() i8(1.0) end)
    refused(nil, "bad argument #1 'x' to 'id' (i64 expected, got \"1\")", function() i64 "1" end)
    refused(nil, "bad argument #1 'x' to 'id' (i64 expected, got true)", function() i64(true) end)
    refused(nil, "bad argument #1 'x' to 'id' (i64 expected, got nil)", function() i64(nil) end)
    refused(nil, "bad argument #1 'x' to 'id' (i1 expected, got 1)", function() i1(1) end)
    refused(nil, "bad argument #1 'x' to 'id' (i1 expected, got nil)", function() i1(nil) end)
    refused(nil, "bad argument #1 'x' to 'id' (f64 expected, got a table)", function() f64 {} end)
    refused(nil, "bad argument #1 'x' to 'id' (9007199254740993 does not fit f64)",
      function() f64(9007199254740993) end)
    refused(nil, "bad argument #1 'x' to 'id' (16777217 does not fit f32)",
      function() f32(16777217) end)
  end)

  it("can be followed by options, which are checked", function()
    local sum = parse(SUM)
    refused(nil, "option 'fuel': integer expected, got 1.5", function() sum(1, { fuel = 1.5 }) end)
    refused(nil, "option 'env': table expected, got \"x\"", function() sum(1, { env = "x" }) end)
    -- metatables say nothing
    local function fail() error "asked" end
    assert.equal(0, sum(1, setmetatable({}, { __index = fail, __pairs = fail })))
  end)
end)

describe("fuel", function()
  local sum = parse(SUM)

  it("is used up block by block", function()
    assert.equal(3, sum(3, { fuel = 9 }))
    trapped("sum: block 'done': out of fuel", sum, 3, { fuel = 8 })
    trapped("sum: block 'body' (sum.x:3:7): out of fuel", sum, 3, { fuel = 6 })
    trapped("sum: block 'entry': out of fuel", sum, 3, { fuel = 0 })
    assert.equal(3, sum(3))
  end)

  it("is shared with what a function calls", function()
    local f = calling(sum)
    assert.equal(3, f(3, { fuel = 10 }))
    trapped("sum: block 'done': out of fuel", f, 3, { fuel = 9 })
    local g = calling "sum"
    assert.equal(3, g(3, { fuel = 10, env = { sum = sum } }))
    trapped("sum: block 'done': out of fuel", g, 3, { fuel = 9, env = { sum = sum } })
  end)

  it("ends endless recursion", function()
    local fn = phial.fn("f", { "x:i64" }, "i64")
    fn:entry():ret(fn:entry():call(fn, "i64", fn:arg(1)))
    fn:finish()
    trapped("f: block 'entry': out of fuel", fn, 3, { fuel = 1000 })
  end)
end)

describe("a call", function()
  it("takes what a Lua function returns as the type that it has", function()
    assert.equal(-1, calling(function() return 255 end, "i64", "i8")(0))
    assert.equal(2.0, calling(function() return 2 end, "i64", "f64")(0))
    assert.is_false(calling(function() return false end, "i64", "i1")(0))
    assert.is_nil(calling(function() end, "i64", "any")(0))
    trapped("f: 'call %x' in block 'entry': result: i8 expected, got 256",
      calling(function() return 256 end, "i64", "i8"), 0)
    trapped("f: 'call %x' in block 'entry': result: i1 expected, got nil",
      calling(function() end, "i64", "i1"), 0)
    trapped("f: 'call %x' in block 'entry': result: f64 expected, got a string",
      calling(function() return "1" end, "i64", "f64"), 0)
  end)

  it("can be of anything that Lua can call", function()
    local object = setmetatable({}, { __call = function(_, x) return x * 3 end })
    assert.equal(9, calling(object)(3))
    refused(nil, "f: 'call %x' in block 'entry': its callee is a table: it cannot be called",
      function() calling({})(3) end)
    local read = parse "fn f(%x: i64) {\nentry:\n  call {host 1} %x\n  ret\n}"
    refused(nil, "f: 'call %x' in block 'entry': its callee is not known", function() read(1) end)
  end)

  it("of a phial function can be repeated after a call of a Lua function", function()
    local fn, g = phial.fn("f", { "x" }, "i64"), identity "i64"
    local b, x = fn:entry(), fn:arg(1)
    local once = b:call(g, "i64", x)
    local twice = b:call(function(n) return 2 * n end, "i64", once)
    b:ret(b:call(g, "i64", twice))
    fn:finish()
    assert.equal(14, fn(7))
  end)

  it("passes on errors", function()
    local err = {}
    trapped(err, calling(function() error(err) end), 1)
  end)

  it("of a phial function is checked before it runs", function()
    local two = phial.fn("two", { "x:i64", "y:i8" }, "i64")
    two:entry():ret(two:arg(1))
    two:finish()
    local nothing = phial.fn("nothing", { "x:i64" })
    nothing:entry():ret()
    nothing:finish()
    local function where(callee) return ("f: 'call @%s %%x' in block 'entry': "):format(callee) end
    refused(nil, where "two" .. "wrong number of arguments to 'two' (2 expected, got 1)",
      function() calling_later(two)(1) end)
    refused(nil, where "id" .. "argument 1 of function 'id' is of type i8, not i64",
      function() calling_later(identity "i8")(1) end)
    refused(nil, where "nothing" .. "function 'nothing' returns nothing, not i64",
      function() calling_later(nothing)(1) end)
    refused(nil, where "id" .. "function 'id' returns i64, not i8",
      function() calling_later(identity "i64", "i64", "i8")(1) end)
  end)

  it("between i64 and any checks what it cannot know", function()
    local to_any, from_any = calling(identity "any"), calling(identity "i64", "any")
    assert.equal(3, to_any(3))
    assert.equal(3, from_any(3))
    trapped("f: 'call @id %x' in block 'entry': argument 1: i64 expected, got 1.5", from_any, 1.5)
    local any = calling(function() return "x" end, "any", "any")
    trapped("f: 'call @f %x' in block 'entry': result: i64 expected, got a string",
      calling(any, "any", "i64"), 1)
  end)

  it("of a phial function sees its changes", function()
    local g = calling(function(x) return x + 1 end)
    local f = calling(g)
    assert.equal(2, f(1))
    g:entry():insts()[1]:set_data(function(x) return x + 5 end)
    assert.equal(6, f(1))
    g:reopen()
    trapped("f: 'call @f %x' in block 'entry': function 'f' is not finished", f, 1)
    g:finish()
    assert.equal(6, f(1))
    local later = calling_later(g)
    g:close()
    trapped("f: 'call @f %x' in block 'entry': its callee is closed", f, 1)
    refused(nil, "f: 'call %x' in block 'entry': its callee is closed", function() later(1) end)
  end)

  it("means what env has at the call, also if it has meant something else before", function()
    local function one_of(body) return phial.build("f", { "x:i64" }, "i64", body) end
    local function plus(n) return one_of(function(b, v) b:ret(v.x + n) end) end
    local f = one_of(function(b, v) b:ret(b:call("g", "i64", v.x)) end)
    local one, two, env = plus(1), plus(2), {}
    for _, opts in ipairs { {}, { env = env } } do
      trapped("f: 'call @g %x' in block 'entry': there is no 'g' in the option env", f, 1, opts)
    end
    for _, callee in ipairs { one, two, one, one, function() return 7 end, two, one } do
      env.g = callee
      assert.equal(callee(3), f(3, { env = env }))
      assert.equal(callee(4), f(4, { env = env }))
    end
    assert.equal(7, f(1, { env = setmetatable({}, { __index = function()
      return function() return 7 end
    end }) }))
  end)

  it("can go back and forth between functions", function()
    local even = phial.fn("even", { "n:i64" }, "i1")
    local odd = phial.fn("odd", { "n:i64" }, "i1")
    for fn, other in pairs { [even] = odd, [odd] = even } do
      local entry, zero, more = fn:entry(), fn:block "zero", fn:block "more"
      entry:branch(entry:eq(fn:arg(1), 0), zero, more)
      zero:ret(fn == even)
      more:ret(more:call(other, "i1", more:sub(fn:arg(1), 1)))
      fn:finish()
    end
    assert.is_true(even(10))
    assert.is_false(odd(10))
    assert.is_true(odd(20001))
  end)
end)

describe("a dialect", function()
  local trace
  local D = phial.dialect("toy", {
    pair = { args = { "any" }, result = "any", results = 3, eval = function(a)
      return a, a + 1, a + 2
    end },
    wide = { args = 1, result = "i8", eval = function(a) return a end },
    note = { args = "*", eval = function(...) trace[#trace + 1] = table.concat({ ... }, " ") end },
    pick = { args = 1, terminator = true, targets = 3, eval = function(a) return a end },
    leave = { args = "*", terminator = true, eval = function(...) return select("#", ...) end },
    mute = { args = 1, result = "any" },
  })

  local function toy(result, fill)
    local fn = phial.fn("f", { "x:any" }, result, { dialects = { D } })
    fill(fn, fn:entry(), fn:arg(1))
    return fn:finish()
  end

  it("runs by the evals of its ops, which get the data last", function()
    trace = {}
    local fn = toy(nil, function(_, entry, x)
      entry:emit(D.note, x, 2, { data = "data" })
      entry:emit(D.note, { data = 5 })
      entry:emit(D.note)
      entry:ret()
    end)
    fn "x"
    assert.same({ "x 2 data", "5", "" }, trace)
  end)

  it("has results that other blocks take, several times", function()
    local fn = phial.parse([[
fn f(%x: any) -> any {
a:
  %1: any = toy.pair %x
  %2: any = proj {3} %1
  jump b
b: <- a
  %3: any = proj {2} %1
  %4: any = proj {3} %1
  toy.note %4, %3, %2, %1
  ret %4
}]], { dialects = { D } })
    for _, form in ipairs { "goto", "blocks" } do
      trace = {}
      local source, host = phial.emit.lua(fn, { form = form })
      assert.equal(9, load(source)(host)(7))
      assert.same({ "9 8 9 7" }, trace)
    end
  end)

  it("lacks the result that an invalid projection asks for", function()
    local fn = phial.parse("fn f(%x: any) -> any {\na:\n  %1: any = toy.pair %x\n"
      .. "  %2: any = proj %1\n  ret %2\n}\n", { dialects = { D } })
    assert.is_nil(fn(7))
  end)

  it("has ops of several results", function()
    local fn = toy("any", function(_, entry, x)
      local a, b, c = entry:emit(D.pair, x)
      trace = {}
      entry:emit(D.note, c, b, a)
      entry:ret(c)
    end)
    assert.equal(7, fn(5))
    assert.same({ "7 6 5" }, trace)
  end)

  it("has its results checked", function()
    local fn = toy("i8", function(_, entry, x) entry:ret(entry:emit(D.wide, x)) end)
    assert.equal(-1, fn(255))
    trapped("f: 'toy.wide %x' in block 'entry': result: i8 expected, got a table", fn, {})
  end)

  it("has terminators, whose eval tells the target", function()
    local fn = toy("any", function(fn, entry, x)
      local blocks = {}
      for i = 1, 3 do blocks[i] = fn:block() end
      entry:emit(D.pick, x, blocks)
      for i = 1, 3 do blocks[i]:ret(fn:const(i * 10, "any")) end
    end)
    assert.equal(10, fn(1))
    assert.equal(30, fn(3))
    trapped("f: 'toy.pick %x' in block 'entry': eval returned 4, and no target from 1 to 3", fn, 4)
    trapped("f: 'toy.pick %x' in block 'entry': eval returned nil, and no target from 1 to 3", fn,
      nil)
  end)

  it("has terminators that end the function, with what their eval returns", function()
    local fn = toy("any", function(_, entry, x) entry:emit(D.leave, x, x) end)
    assert.equal(2, fn(1))
    fn = toy("i1", function(_, entry, x) entry:emit(D.leave, x) end)
    trapped("f: 'toy.leave %x' in block 'entry': result: i1 expected, got 1", fn, 1)
    fn = toy(nil, function(_, entry, x) entry:emit(D.leave, x) end)
    assert.equal(0, select("#", fn(1)))
  end)

  it("without an eval cannot be run", function()
    local fn = toy("any", function(fn, entry, x)
      fn:set_loc(3, 1, "t.x")
      entry:ret(entry:emit(D.mute, x))
    end)
    refused(nil, "f: 'toy.mute %x' in block 'entry' (t.x:3:1): "
      .. "op 'toy.mute' has no eval: it cannot be run", function() fn(1) end)
  end)
end)

describe("phial.emit.lua", function()
  it("writes what one would write by hand", function()
    assert.equal([[
-- sum(n: i64) -> i64
local function sum(n_1)
  local i_3, s_4
  s_4 = 0
  i_3 = 0
  ::head_2::
  if not (i_3 < n_1) then goto done_4 end
  s_4 = s_4 + i_3
  i_3 = i_3 + 1
  goto head_2
  ::done_4::
  return s_4
end
return sum
]], (phial.emit.lua(parse(SUM))))
  end)

  it("leaves out what only itself needs", function()
    local fn = parse [[
fn f(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi [entry: 0, body: %i2]
  %dead: i64 = phi [entry: 1, body: %dead2]
  %c: i1 = slt %i, %n
  branch %c, body, done
body: <- head
  %i2: i64 = add %i, 1
  %dead2: i64 = mul %dead, 3
  jump head
done: <- head
  ret %i
}]]
    for _, form in ipairs { "goto", "blocks" } do
      local source = phial.emit.lua(fn, { form = form })
      assert.is_nil(source:find("* 3", 1, true))
      assert.equal(5, load(source)()(5))
    end
  end)

  it("writes a function for each block", function()
    assert.equal([[
-- sum(n: i64) -> i64
local sum
local B = {}
do
  local function part()
    B[1] = function(F) -- "entry"
      F[3] = 0
      F[2] = 0
      return 2
    end
    B[2] = function(F) -- "head"
      if F[2] < F[1] then return 3 end
      return 4
    end
    B[3] = function(F) -- "body"
      F[3] = F[3] + F[2]
      F[2] = F[2] + 1
      return 2
    end
    B[4] = function(F) -- "done"
      return false, F[3]
    end
  end
  part()
end
function sum(a1)
  local F = { a1 }
  local b, result = 1
  repeat b, result = B[b](F) until not b
  return result
end
return sum
]], (phial.emit.lua(parse(SUM), { form = "blocks" })))
  end)

  it("gives what the source needs from outside", function()
    local source, host = phial.emit.lua(calling(math.abs))
    assert.equal(5, load(source)(host)(-5))
    assert.same({ math.abs }, host)
    source, host = phial.emit.lua(calling "abs")
    host.env = math
    assert.equal(5, load(source)(host)(-5))
    source, host = phial.emit.lua(calling(identity "i64"))
    assert.equal(5, load(source)(host)(5))
  end)

  it("refuses what it cannot do", function()
    local fn = phial.fn("f", {}, "i64")
    local entry = fn:entry()
    local values = {}
    for i = 1, 300 do values[i] = entry:call(math.abs, "i64", i) end
    for i = 300, 1, -1 do entry:call(print, false, values[i]) end
    entry:ret(1)
    fn:finish()
    refused(nil, "function 'f' is too large for one Lua function: it needs more than 180 locals; "
      .. 'leave out form = "goto"', function() phial.emit.lua(fn, { form = "goto" }) end)
    for _, misuse in ipairs {
      { { locals = "x" }, "option 'locals': integer expected, got \"x\"" },
      { { locals = 0 }, "option 'locals': 1 to 180 expected, got 0" },
      { { locals = 200 }, "option 'locals': 1 to 180 expected, got 200" },
      { { fuel = 100 }, "option 'fuel': boolean expected, got 100" },
    } do
      refused(nil, "'phial.emit.lua': " .. misuse[2], function() phial.emit.lua(fn, misuse[1]) end)
    end
    refused(nil, "bad argument #1 to 'phial.emit.lua' (phial.Function expected, got nil)",
      function() phial.emit.lua() end)
    local ok, why = pcall(phial.emit.lua, phial.module "m") local place = here()
    assert.same({ false, place .. ": bad argument #1 to 'phial.emit.lua' (phial.Function expected, "
      .. "got phial.Module)" }, { ok, why })
  end)
end)

describe("a function that is read", function()
  -- as finalizers can, too
  it("must not be changed meanwhile", function()
    local fn
    local function change() fn:block() end
    fn = calling(setmetatable({}, setmetatable({}, { __index = change })))
    refused(nil, "function 'f' was changed while it was read", function() fn(1) end)
    refused(nil, "function 'f' was changed while it was read", function() phial.emit.lua(fn) end)
    fn:entry():insts()[1]:set_data(math.abs)
    assert.equal(1, fn(-1))
  end)
end)
