-- Functions as chunks, by phial.emit.lua and phial.emit.cps, that call others: what all of them
-- share is what they would in fn(...).
local phial = require "phial"
local raises = require "spec.support.raises"

local function identity(...) return ... end

-- Calls f(make, emitter) with each way to make a chunk: make(fn, opts) returns its function and
-- `host`.
local function each_form(f)
  for _, form in ipairs { "goto", "blocks" } do
    f(function(fn, opts)
      local source, host = phial.emit.lua(fn, { form = form, fuel = opts and opts.fuel ~= nil })
      for name, it in pairs(opts or {}) do host[name] = it end
      return assert(load(source, "=chunk", "t"))(host), host
    end, "lua")
  end
  for _, nesting in ipairs { 150, 0 } do
    f(function(fn, opts)
      local source, host = phial.emit.cps(fn, { form = "lua", nesting = nesting,
        fuel = opts and opts.fuel ~= nil })
      for name, it in pairs(opts or {}) do host[name] = it end
      local chunk = assert(load(source, "=chunk", "t"))(host)
      return function(...)
        local args = table.pack(...)
        args[args.n + 1] = identity
        return chunk(table.unpack(args, 1, args.n + 1))
      end, host
    end, "cps")
  end
end

local function module() return assert(phial.parse [[
module shared

global g: i64 = 1

fn get() -> i64 {
entry:
  %1: ptr = address @g
  %2: i64 = load %1
  ret %2
}

fn put(%p: ptr, %x: i64) {
entry:
  %3: ptr = alloca 8, 8
  store %3, %x
  %5: i64 = load %3
  store %p, %5
  ret
}

fn direct(%x: i64) -> i64 {
entry:
  %2: ptr = alloca 8, 8
  %3: ptr = address @g
  store %3, %x
  call @put %2, 5
  %6: i64 = call @get
  %7: i64 = load %2
  %8: i64 = add %6, %7
  ret %8
}

fn indirect(%x: i64) -> i64 {
entry:
  %2: ptr = alloca 8, 8
  %3: ptr = address @g
  store %3, %x
  %5: ptr = address @put
  call_indirect %5, %2, 5
  %7: ptr = address @get
  %8: i64 = call_indirect %7
  %9: i64 = load %2
  %10: i64 = add %8, %9
  ret %10
}

fn count() -> i64 {
entry:
  %1: i64 = call @get
  %2: i64 = add %1, 1
  %3: ptr = address @g
  call @put %3, %2
  ret %2
}

fn ping(%p: ptr, %n: i64) -> i64 {
entry:
  %3: ptr = alloca 8, 8
  %4: i64 = load %p
  %5: i1 = eq %n, 0
  branch %5, done, more
done: <- entry
  ret %4
more: <- entry
  %8: i64 = add %4, %n
  store %3, %8
  %10: i64 = sub %n, 1
  %11: i64 = call @pong %3, %10
  ret %11
}

fn pong(%p: ptr, %n: i64) -> i64 {
entry:
  %3: i64 = call @ping %p, %n
  ret %3
}

fn sum(%n: i64) -> i64 {
entry:
  %2: ptr = alloca 8, 8
  store %2, 0
  %4: i64 = call @ping %2, %n
  ret %4
}

fn last() -> i64 {
entry:
  %1: ptr = address @g
  store %1, 7
  tail_call @get
}
]]) end

describe("a chunk and what it calls", function()
  it("share memory", function()
    local m = module()
    each_form(function(make, emitter)
      for _, name in ipairs { "direct", "indirect" } do
        local f, host = make(m:get(name))
        assert.equal(15, f(10))
        assert.equal(16, f(11))
        assert.equal(0, host.space.memory.top())
      end
      assert.equal(5050, make(m:get "sum")(100))
      if emitter == "lua" then assert.equal(7, make(m:get "last")()) end
    end)
    for _, name in ipairs { "direct", "indirect" } do assert.equal(15, m:get(name)(10)) end
  end)

  it("share memory by name, outside a module", function()
    local put = phial.fn("put", { "p:ptr", "x:i32" })
    put:entry():store(put:arg(1), put:arg(2))
    put:entry():ret()
    local fn = phial.fn("f", {}, "i32")
    local b = fn:entry()
    local p = b:alloca "i32"
    b:call("put", nil, p, 3)
    b:call(b:address "put", nil, b:ptradd(p, 0), b:call(b:address "twice", "i32", b:load(p, "i32")))
    b:ret(b:load(p, "i32"))
    fn:finish()
    local env = { put = put:finish(), twice = function(x) return 2 * x end }
    assert.equal(6, fn { env = env })
    each_form(function(make) assert.equal(6, make(fn, { env = env })()) end)
  end)

  it("have globals that last as long as `host`, as in an instance", function()
    local m = module()
    each_form(function(make)
      local count = make(m:get "count")
      assert.same({ 2, 3, 4 }, { count(), count(), count() })
      assert.equal(2, make(m:get "count")())
    end)
    local count = m:get "count"
    assert.same({ 2, 2, 2 }, { count(), count(), count() })
    local p = m:instance()
    assert.same({ 2, 3, 4 }, { p:call "count", p:call "count", p:call "count" })
  end)

  it("share fuel, which can be given anew", function()
    local m = module()
    each_form(function(make)
      local f, host = make(m:get "sum", { fuel = { left = 100 } })
      assert.equal(55, f(10))
      assert.equal(100 - 1 - 10 * 3 - 2, host.fuel.left)
      raises.equal("ping: block 'entry': out of fuel", f, 30)
      host.fuel.left = 100
      assert.equal(55, f(10))
    end)
  end)

  it("have the functions and names of now", function()
    local inner = phial.fn("inner", {}, "i64")
    inner:entry():ret(inner:const(1, "i64"))
    inner:finish()
    local fn = phial.fn("f", {}, "i64")
    local b = fn:entry()
    local sum = b:add(b:call("other", "i64"), b:call(b:address "other", "i64"))
    b:ret(b:add(b:mul(b:call(inner, "i64"), 100), sum))
    fn:finish()
    each_form(function(make)
      local env = { other = inner }
      local f = make(fn, { env = env })
      assert.equal(102, f())
      local ret = inner:entry():terminator()
      ret:set_arg(1, inner:const(2, "i64"))
      assert.equal(204, f())
      ret:set_arg(1, inner:const(1, "i64"))
      env.other = function() return 5 end
      assert.equal(110, f())
      assert.equal(110, fn { env = env })
      env.other = inner
      assert.equal(102, f())
      assert.equal(102, fn { env = env })
    end)
  end)

  it("find addresses in env", function()
    local fn = phial.fn("f", {}, "i64")
    local b = fn:entry()
    b:ret(b:load(b:address "there", "i64"))
    fn:finish()
    local m = phial.module "m"
    local env = { there = m:global("there", "i64", 7) }
    each_form(function(make) assert.equal(7, make(fn, { env = env })()) end)
  end)

  it("say where an error happened, and a callee's allocas are freed", function()
    local D = phial.dialect("d", { fail = { args = 0, eval = function() error("bad", 0) end } })
    local inner = phial.fn("inner", {}, "i64")
    local b = inner:entry()
    b:store(b:alloca(64), 1)
    b:emit(D.fail)
    b:ret(0)
    inner:finish()
    local fn = phial.fn("f", { "p:ptr" }, "i64")
    fn:entry():store(fn:arg(1), 1)
    fn:entry():ret(fn:entry():call(inner, "i64"))
    fn:finish()
    each_form(function(make)
      local f, host = make(fn)
      local p = host.space.memory.alloca(8, 8)
      for _ = 1, 3 do
        raises.equal("inner: 'd.fail' in block 'entry': bad", f, p)
        assert.equal(8, host.space.memory.top())
      end
    end)
  end)
end)
