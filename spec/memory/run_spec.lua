-- Memory when a function runs: contents, checks, what is freed and when.
local phial = require "phial"
local run = require "phial.run"
local traps = require("spec.support.raises").equal
local under = require "spec.support.under"

local function build(params, result, body, opts)
  local fn = phial.fn("f", params, result, opts)
  body(fn, fn:entry(), table.unpack(fn:params()))
  fn:finish()
  assert(fn:verify())
  return fn
end

describe("memory", function()
  it("holds every type, its least byte first", function()
    local values = {
      i1 = { true, false }, i8 = { -128, 127 }, i16 = { -32768, 0x1234 },
      i32 = { -1, 0x12345678 }, i64 = { math.mininteger, 0x123456789abcdef0 },
      f32 = { 1.5, -1 / 0 }, f64 = { 0.1, -0.0 }, ptr = { 0, 1 << 40 },
    }
    for type, list in pairs(values) do
      local fn = build({ "x:" .. type }, type, function(_, b, x)
        local p = b:ptradd(b:alloca(24), 8)
        b:memset(p, 255, 8)
        b:store(p, x)
        b:ret(b:load(p, type))
      end)
      for _, x in ipairs(list) do assert.equal(x, fn(x)) end
    end
    local bytes = build({ "x:i32" }, "i64", function(_, b, x)
      local p = b:alloca "i64"
      b:store(b:ptradd(p, 4), x)
      b:ret(b:load(p, "i64"))
    end)
    assert.equal(0x0123456700000000, bytes(0x01234567))
  end)

  it("keeps the bits of a nan", function()
    local fn = build({ "x:i32" }, "i32", function(_, b, x)
      local p = b:alloca "i32"
      b:store(p, x)
      local nan = b:load(p, "f32")
      b:store(p, nan)
      b:ret(b:load(p, "i32"))
    end, { rules = false })
    for _, x in ipairs { under.signalling and 0x7f800001, 0x7fc00000, -1 } do
      if x then assert.equal(x, fn(x)) end
    end
  end)

  it("is zero where an alloca starts, and freed when the function returns", function()
    local inner = build({ "x:i64" }, "ptr", function(_, b, x)
      local p = b:alloca(64, 64)
      b:call("check", nil, b:load(p, "i64"))
      b:store(p, x)
      b:ret(p)
    end)
    local outer = build({}, "i1", function(fn, b)
      local mine = b:alloca "i8"
      local p, q = b:call(inner, "ptr", 1), b:call(inner, "ptr", 2)
      b:store(mine, fn:const(3, "i8"))
      b:ret(b:eq(p, q))
    end)
    assert.is_true(outer { env = { check = function(x) assert.equal(0, x) end } })
  end)

  it("is freed in both forms of generated code, by every return", function()
    local fn = build({ "n:i64", "c:i1" }, "i64", function(fn, b, n, c)
      local p, left, right = b:alloca(256), fn:block(), fn:block()
      b:store(p, n)
      b:branch(c, left, right)
      left:ret(left:load(p, "i64"))
      right:ret(7)
    end)
    local source, host
    local times = under.valgrind and 200 or 20000
    for _, form in ipairs { "goto", "blocks" } do
      source, host = phial.emit.lua(fn, { form = form })
      local f = load(source)(host)
      for i = 1, times do assert.equal(i % 2 == 0 and i or 7, f(i, i % 2 == 0)) end
      assert.equal(0, host.space.memory.top())
    end
  end)

  it("is on a stack: recursion has memory of its own in each call", function()
    local fn = phial.fn("sum", { "n:i64" }, "i64")
    local b, done, more = fn:entry(), fn:block(), fn:block()
    local p = b:alloca "i64"
    b:store(p, fn:arg(1))
    b:branch(b:eq(fn:arg(1), 0), done, more)
    done:ret(0)
    local rest = more:call(fn, "i64", more:sub(fn:arg(1), 1))
    more:ret(more:add(rest, more:load(p, "i64")))
    fn:finish()
    assert.equal(5050, fn(100))
    assert.equal(500500, fn(1000))
  end)

  it("overflows in a recursion without end", function()
    local fn = phial.fn("f", {}, "i64")
    local b = fn:entry()
    b:store(b:alloca(1 << 20), 1)
    b:ret(b:add(b:call(fn, "i64"), 1))
    fn:finish()
    traps("f: 'alloca 1048576, 8' in block 'entry': stack overflow: there is no memory for it", fn)
    traps("f: 'alloca 1048576, 8' in block 'entry': stack overflow: there is no memory for it", fn)
  end)

  it("is as at first in each call, also after an error and in a call inside of one", function()
    local fn
    fn = build({ "n:i64" }, "i64", function(_, b, n)
      local p = b:alloca "i64"
      b:store(p, n)
      b:call("again", nil, n)
      b:ret(b:load(p, "i64"))
    end)
    local env = {}
    function env.again(n)
      if n == 0 then error "enough" end
      if n > 1 then assert.equal(n - 1, fn(n - 1, { env = env })) end
    end
    assert.equal(5, fn(5, { env = env }))
    for _ = 1, 3 do
      assert.is_false(pcall(fn, 0, { env = env }))
      assert.equal(1, fn(1, { env = env }))
    end
  end)

  it("survives coroutines that are left in a call", function()
    local fn = build({ "n:i64" }, "i64", function(_, b, n)
      local p = b:alloca "i64"
      b:store(p, n)
      b:call("wait", nil)
      b:ret(b:load(p, "i64"))
    end)
    local env, results = { wait = coroutine.yield }, {}
    local threads = {}
    for i = 1, 5 do
      threads[i] = coroutine.wrap(function() results[i] = fn(i, { env = env }) end)
      threads[i]()
    end
    for i = 1, 4 do threads[i]() end
    assert.same({ 1, 2, 3, 4 }, results)
    env.wait = function() end
    assert.equal(9, fn(9, { env = env }))
  end)

  -- Each on functions that have never run: what they call is linked when it is called.
  it("is its own in each call, also if another one runs before it is used", function()
    local env = {}
    local function make()
      local m = phial.module "m"
      m:global("n", "i64", 10)
      m:declare "wait"
      local count, main = m:fn("count", {}, "i64"), m:fn("main", {}, "i64")
      local b, entry = count:entry(), main:entry()
      local p = b:address "n"
      b:store(p, b:add(b:load(p, "i64"), 1))
      b:ret(b:load(p, "i64"))
      entry:call("wait", nil)
      entry:ret(entry:call(count))
      m:finish()
      return function() return main { env = env } end
    end
    local main = make()
    local threads = {}
    for i = 1, 3 do
      env.wait = coroutine.yield
      threads[i] = coroutine.wrap(main)
      threads[i]()
      env.wait = function() end
      assert.equal(11, main())
    end
    for i = 1, 3 do assert.equal(11, threads[i]()) end
    for _ = 1, 2 do
      main = make()
      for _ = 1, 3 do
        local depth = 0
        env.wait = function()
          depth = depth + 1
          if depth < 5 then return assert.equal(11, main()) end
          if depth == 5 then error "enough" end
        end
        assert.is_false(pcall(main))
        assert.equal(11, main())
      end
    end
  end)
end)

describe("an access that is wrong traps with its instruction:", function()
  local function access(body)
    return build({ "p:ptr" }, nil, function(_, b, p)
      body(b, p)
      b:ret()
    end)
  end

  it("outside memory", function()
    local load = build({ "p:ptr" }, "i32", function(_, b, p) b:ret(b:load(p, "i32")) end)
    traps("f: 'load %p' in block 'entry': load of i32 at 0x0: outside memory", load, 0)
    traps("f: 'load %p' in block 'entry': load of i32 at 0x1234: outside memory", load, 0x1234)
    traps("f: 'load %p' in block 'entry': load of i32 at 0xffffffffffffffff: outside memory", load, -1)
    local store = access(function(b, p) b:store(p, true) end)
    traps("f: 'store %p, true' in block 'entry': store of i1 at 0x10000000000: outside memory",
      store, 1 << 40)
    local behind = access(function(b) b:store(b:ptradd(b:alloca(12), 8), 1) end)
    traps("f: 'store %5, 1' in block 'entry': store of i64 at 0x200000008: outside memory",
      behind, 0)
    local zeros = access(function(b, p) b:memset(p, 0, -1) end)
    traps("f: 'memset %p, 0:i8, -1' in block 'entry': memset of -1 bytes at 0x1000: outside memory",
      zeros, 4096)
    local copy = access(function(b, p) b:memcpy(b:alloca(8), p, 8) end)
    traps("f: 'memcpy %3, %p, 8' in block 'entry': memcpy of 8 bytes from 0x8: outside memory",
      copy, 8)
    access(function(b, p) b:memset(p, 0, 0) b:memcpy(p, p, 0) end)(0)
  end)

  it("not aligned", function()
    local fn = build({ "n:i64" }, "i16", function(_, b, n)
      b:ret(b:load(b:ptradd(b:alloca(8), n), "i16"))
    end)
    assert.equal(0, fn(6))
    traps("f: 'load %4' in block 'entry': load of i16 at 0x200000005: not aligned to 2", fn, 5)
  end)

  it("but one with the alignment 1 need not be", function()
    local fn = build({ "n:i64" }, "i16", function(_, b, n)
      local p = b:ptradd(b:alloca(16), n)
      b:store(p, 0x0102030405060708, { align = 1 })
      b:ret(b:load(b:ptradd(p, 1), "i16", { align = 1 }))
    end)
    for i = 0, 8 do assert.equal(0x0607, fn(i)) end
    traps("f: 'store_unaligned %5, 72623859790382856' in block 'entry': store_unaligned of i64 at "
      .. "0x200000009: outside memory", fn, 9)
  end)

  it("a copy that overlaps, unless it is a memmove", function()
    local move = build({ "n:i64" }, "i64", function(_, b, n)
      local p = b:alloca(64)
      b:store(p, 0x0807060504030201)
      b:memmove(b:ptradd(p, n), p, 8)
      b:memmove(p, b:ptradd(p, n), 7)
      b:ret(b:load(p, "i64"))
    end)
    assert.equal(0x0807060504030201, move(0))
    assert.equal(0x0707060504030201, move(1))
    traps("f: 'memmove %7, %4, 8' in block 'entry': memmove of 8 bytes to 0x200000039: outside "
      .. "memory", move, 57)

    local fn = build({ "n:i64" }, nil, function(_, b, n)
      local p = b:alloca(64)
      b:memcpy(p, b:ptradd(p, n), 16)
      b:ret()
    end)
    fn(0)
    fn(16)
    traps("f: 'memcpy %4, %5, 16' in block 'entry': memcpy of 16 bytes to 0x200000000: they overlap "
      .. "those that are copied", fn, 8)
  end)

  it("but a load that is not used is dropped", function()
    access(function(b, p) b:load(p, "i8") end)(0)
  end)
end)

describe("a call through an address", function()
  local double = build({ "n:i64" }, "i64", function(_, b, n) b:ret(b:add(n, n)) end)

  it("calls functions of phial and of the environment", function()
    local fn = build({ "c:i1" }, "i64", function(_, b, c)
      local p = b:select(c, b:address(double), b:address "host")
      b:ret(b:call(p, "i64", 21))
    end)
    local env = { host = function(n) return n + 1 end }
    assert.equal(42, fn(true, { env = env }))
    assert.equal(22, fn(false, { env = env }))
    env.host = double
    assert.equal(42, fn(false, { env = env }))
    env.host = function() return 1.5 end
    traps("f: 'call_indirect %4, 21' in block 'entry': result: i64 expected, got 1.5", fn, false,
      { env = env })
    traps("f: 'call_indirect %4, 21' in block 'entry': there is no 'host' in the option env", fn,
      false)
  end)

  it("traps if there is no function, or one of another signature", function()
    local call = build({ "p:ptr" }, "i64", function(_, b, p) b:ret(b:call(p, "i64", 1)) end)
    traps("f: 'call_indirect %p, 1' in block 'entry': call through 0x10: there is no function", call,
      16)
    local wrong = build({}, nil, function(_, b)
      b:call(b:address(double), nil, 1.5)
      b:ret()
    end)
    traps("f: 'call_indirect %1, 1.5' in block 'entry': call through 0x10000000000: 'f' is (i64) -> "
      .. "i64, called as (f64)", wrong)
    local dropped = build({}, nil, function(_, b)
      b:call(b:address(double), nil, 1)
      b:ret()
    end)
    dropped()
  end)
end)

describe("globals", function()
  local m = phial.module "m"
  local count = m:global("count", "i32", 5)
  m:global("table", 16, "abc", { constant = true })
  m:global("where", "ptr", count)
  m:global("which", "ptr", "next")

  local nextof = m:fn("next", {}, "i32")
  do
    local b = nextof:entry()
    local p = b:address "count"
    local n = b:add(b:load(p, "i32"), 1)
    b:store(p, n)
    b:ret(n)
  end

  local twice = m:fn("twice", {}, "i32")
  do
    local b = twice:entry()
    local f = b:load(b:address "which", "ptr")
    b:call(f, "i32")
    b:call(nextof, "i32")
    b:ret(b:load(b:load(b:address "where", "ptr"), "i32"))
  end

  local letter = m:fn("letter", { "i:i64" }, "i8")
  do
    local b = letter:entry()
    b:ret(b:load(b:ptradd(b:address "table", letter:arg(1)), "i8"))
  end

  local spoil = m:fn "spoil"
  spoil:entry():store(spoil:entry():address "table", 1)
  spoil:entry():ret()
  m:finish()

  it("have their initial values in each call from outside", function()
    assert.equal(6, nextof())
    assert.equal(6, nextof())
    assert.equal(7, twice())
    assert.equal(7, twice())
    assert.equal(("b"):byte(), letter(1))
    assert.equal(0, letter(15))
  end)

  it("take as much memory as they have bytes, and initial values no more than theirs", function()
    local MIB <const> = 1 << 20
    local big = phial.module "big"
    big:global("first", "i64", 3)
    big:global("zeros", 16 * MIB)
    big:global("last", "i64")
    local step = big:fn("count", {}, "i64")
    local b = step:entry()
    local function next_of(p, n)
      b:store(p, b:add(b:load(p, "i64"), n))
      return b:load(p, "i64")
    end
    local sum = b:add(next_of(b:address "first", 1), next_of(b:address "last", 10))
    b:ret(b:add(sum, next_of(b:ptradd(b:address "zeros", 9 * MIB), 100)))
    big:finish()
    collectgarbage()
    collectgarbage()
    local before = collectgarbage "count"
    local p = big:instance()
    assert.is_true(collectgarbage "count" - before < 17 * 1024)
    assert.same({ 114, 225 }, { p:call "count", p:call "count" })
    assert.same({ 114, 114 }, { step(), step() })
    big:global("later", "i64", 7)
    assert.same({ 114, 114, 7 }, { step(), step(), big:instance():load("later", "i64") })
  end)

  it("that are constant are not written", function()
    traps("spoil: 'store %1, 1' in block 'entry': store of i64 at 0x1000: it is constant", spoil)
  end)

  it("last in a run that lasts", function()
    local one, other = run.open(m), run.open(m)
    assert.equal(6, run.call_in(one, nextof))
    assert.equal(8, run.call_in(one, twice))
    assert.equal(9, run.call_in(one, nextof))
    assert.equal(6, run.call_in(other, nextof))
    assert.is_false(pcall(run.call_in, one, spoil))
    assert.equal(10, run.call_in(one, nextof))
    assert.equal(6, nextof())
  end)
end)
