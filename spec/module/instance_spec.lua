-- Instances: modules at work, with memory that lasts.
local child = require "spec.support.child"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

-- A counter: next() adds to a global and returns it.
local function counter()
  local m = phial.module("m")
  local count = m:global("count", "i64", 10)
  m:global("text", 4, "abc", { constant = true })
  m:global("flag", "i1", true)
  m:global("half", "f32", 0.5)
  local fn = m:fn("next", { "step:i64" }, "i64")
  local b = fn:entry()
  local p = b:address(count)
  b:store(p, b:add(b:load(p, "i64"), fn:arg(1)))
  b:ret(b:load(p, "i64"))
  m:declare("host", { "x:i64" }, "i64")
  local out = m:fn("out", { "x:i64" }, "i64")
  out:entry():ret(out:entry():call("host", nil, out:arg(1)))
  return m:finish()
end

describe("an instance", function()
  it("has memory of its own, which lasts from call to call", function()
    local m = counter()
    local p, q = m:instance(), m:instance()
    assert.equal(11, p:call("next", 1))
    assert.equal(13, p:call("next", 2))
    assert.equal(15, q:call("next", 5))
    assert.equal(m, p:module())
    assert.equal("phial.Instance of 'm'", tostring(p))
    assert.equal(17, m:get("next")(7))
    assert.equal(17, m:get("next")(7))
    assert.equal(13, p:load("count", "i64"))
  end)

  it("sees each change of a function, be it called directly or by name", function()
    local m = phial.module("m", { rules = false })
    local g = m:build("g", { "x:i64" }, "i64", function(b, v) b:ret(v.x + 1) end)
    m:build("by_name", { "x:i64" }, "i64", function(b, v) b:ret(b:call("g", nil, v.x)) end)
    m:build("direct", { "x:i64" }, "i64", function(b, v) b:ret(b:call(g, nil, v.x)) end)
    m:build("other", {}, "i64", function(b) b:ret(0) end)
    m:finish()
    local instance, sum = m:instance(), g:entry():insts()[1]

    local function check(expected)
      assert.equal(0, instance:call "other")
      assert.equal(expected, instance:call("by_name", 5))
      assert.equal(expected, instance:call("direct", 5))
      assert.equal(expected, instance:call("g", 5))
    end

    check(6)
    check(6)
    sum:set_arg(2, 3)
    check(8)
    sum:replace(sum:after():mul(sum, 2))
    g:entry():back():ret(g:entry():terminator():before():mul(sum, 3))
    check(24)
    g:clean { dead = true }
    check(24)
    g:reopen()
    local why = "'call @g %x' in block 'entry': function 'g' is not finished"
    raises.with(why, function() instance:call("by_name", 5) end)
    raises.with(why, function() instance:call("direct", 5) end)
    g:finish()
    check(24)
    g:entry():back():jump(g:block())
    raises.with("'unreachable' in block 'b3': reached", function() instance:call("direct", 5) end)
    g:close()
    raises.with("its callee is closed", function() instance:call("direct", 5) end)
    assert.equal(0, instance:call "other")
  end)

  it("sees changes of functions of other modules and of what env has", function()
    local function constant(n) return phial.build("g", {}, "i64", function(b) b:ret(n) end) end
    local m, env = phial.module "m", { g = constant(1) }
    m:declare("g", {}, "i64")
    m:build("f", {}, "i64", function(b) b:ret(b:call("g")) end)
    local instance = m:finish():instance { env = env }
    assert.equal(1, instance:call "f")
    env.g:entry():back():ret(2)
    assert.equal(2, instance:call "f")
    env.g = constant(3)
    assert.equal(3, instance:call "f")
    env.g = function() return 4 end
    assert.equal(4, instance:call "f")
    env.g = constant(5)
    assert.equal(5, instance:call "f")
    env.g = nil
    raises.with("there is no 'g' in the option env", function() instance:call "f" end)
  end)

  it("can be called again after a coroutine inside of it was closed or dropped", function()
    local m = phial.module("m")
    m:declare("host", {}, "i64")
    local fn = m:fn("f", {}, "i64")
    local b = fn:entry()
    b:store(b:alloca(1 << 20), 1)
    b:ret(b:call("host"))
    m:finish()
    local host = coroutine.yield
    local p = m:instance { env = { host = function() return host() end } }
    local function start()
      local co = coroutine.create(function() return p:call "f" end)
      assert(coroutine.resume(co))
      return co
    end
    local co = start()
    refused(nil, "'f' cannot be called: its instance is running in another coroutine",
      function() p:call "f" end)
    coroutine.close(co)
    for _ = 1, 200 do coroutine.close(start()) end
    host = function() return 3 end
    assert.equal(3, p:call "f")
    host = coroutine.yield
    start() -- is dropped
    collectgarbage()
    collectgarbage()
    host = function() return 4 end
    assert.equal(4, p:call "f")
  end)

  -- In a process of its own, whose heap is small: each step of the collector is a cycle.
  it("can be asked by a finalizer while it places a global", function()
    local _, problem, status = child [==[
      local phial = require "phial"
      local NAMES <const> = { "small", "where", "big", "fixed" }
      local BIG <const> = ("x"):rep(100000)
      -- The k-th collection, while the work allocates memory, does the deed.
      local function at_collection(k, deed, work)
        local over = false
        local function trap()
          setmetatable({}, { __gc = function()
            k = k - 1
            if k == 0 then deed() elseif not over then trap() end
          end })
        end
        trap()
        collectgarbage("incremental", 1, 1000, 30)
        collectgarbage "restart"
        work()
        over = true
        collectgarbage("incremental", 200, 100, 13)
        return k <= 0
      end
      -- An instance that is to place these.
      local function start()
        local m = phial.module("m")
        m:global("first", 8, "first")
        local p = m:instance()
        m:global("where", "ptr", m:global("small", 1000, "abc"))
        m:global("big", #BIG, BIG)
        m:global("fixed", #BIG, BIG, { constant = true })
        return p
      end
      -- What is found is whole, and stays as it is.
      local function ask(p)
        local seen = { where = p:load("where", "ptr") }
        for _, it in ipairs(NAMES) do seen[it .. " at"] = p:address(it) end
        for _, it in ipairs { "small", "big", "fixed" } do seen[it] = p:bytes(it) end
        return seen
      end
      local k, ended = 0, false
      while not ended do
        k, ended = k + 1, true
        for _, name in ipairs(NAMES) do
          local p, found = start(), nil
          local function deed()
            found = ask(p)
            p:store("small", "i8", 7)
          end
          if at_collection(k, deed, function() p:address(name) end) then
            ended = false
            assert(p:load("small", "i8") == 7)
            p:store("small", "i8", ("a"):byte())
            for key, value in pairs(ask(p)) do assert(found[key] == value, key) end
            assert(found.small == "abc" .. ("\0"):rep(997))
            assert(found.big == BIG and found.fixed == BIG)
            assert(found["small at"] == found.where)
          end
        end
      end
      assert(k > 1)]==]
    assert.equal("", problem)
    assert.equal(0, status)
  end)

  it("ends a call that has used up its fuel, and keeps what was stored", function()
    local m = phial.module("m")
    m:global("n", "i64")
    m:declare("host", {}, "i64")
    local spin = m:fn("spin", { "times" }, "i64")
    local i = spin:var "i"
    local b, head = spin:entry(), spin:block "head"
    local more, done = spin:block "more", spin:block "done"
    b:write(i, 0)
    b:jump(head)
    head:branch(head:eq(i, spin:arg(1)), done, more)
    local p = more:address "n"
    more:store(p, more:add(more:load(p, "i64"), 1))
    more:write(i, more:add(i, 1))
    more:jump(head)
    done:ret(done:call("host"))
    m:finish()
    local env = { host = function() return 7 end }
    local it = m:instance { env = env }
    assert.equal(7, it:call("spin", 10, { fuel = 100 }))
    raises.matching("^spin: .*out of fuel", it.call, it, "spin", 1000, { fuel = 100 })
    local n = it:load("n", "i64")
    assert.is_true(n > 40 and n < 70)
    assert.equal(7, it:call("spin", 1000))
    assert.equal(7, it:call("spin", 3, nil))
    assert.equal(7, it:call("spin", 3, {}))
    assert.equal(n + 1006, it:load("n", "i64"))
    env.host = function()
      env.host = function() return 8 end
      return it:call("spin", 20, { fuel = 100 })
    end
    assert.equal(8, it:call("spin", 20, { fuel = 50 }))
    refused(nil, "unknown option 'env'; there are: fuel",
      function() it:call("spin", 3, { env = {} }) end)
    refused(nil, "wrong number of arguments to 'spin' (1 expected, got 2)",
      function() it:call("spin", 3, 4) end)
    refused(nil, "option 'fuel': integer expected, got 1.5",
      function() it:call("spin", 3, { fuel = 1.5 }) end)
  end)

  it("shows and changes its memory", function()
    local p = counter():instance()
    p:store("count", "i64", 40)
    assert.equal(42, p:call("next", 2))
    assert.equal("abc\0", p:bytes "text")
    assert.equal("bc", p:bytes(p:address "text" + 1, 2))
    assert.equal("", p:bytes(0, 0))
    assert.is_true(p:load("flag", "i1"))
    assert.equal(0.5, p:load("half", "f32"))
    assert.equal(p, p:set_bytes("count", "\1\2"))
    assert.equal(0x201, p:load("count", "i64"))
    p:store("count", "ptr", p:address "count")
    assert.equal(p:address "count", p:load("count", "ptr"))
  end)

  it("refuses what is not there or does not fit", function()
    local p = counter():instance()
    refused(nil, "module 'm' has no 'nxt' (did you mean 'next'?)", function() p:call "nxt" end)
    refused(nil, "'count' is a global: it cannot be called", function() p:call "count" end)
    refused(nil, "bad argument #1 to 'call' (a name expected, got nil)", function() p:call() end)
    refused(nil, "wrong number of arguments to 'next' (1 expected, got 0)",
      function() p:call "next" end)
    refused(nil, "bad argument #1 'step' to 'next' (i64 expected, got 1.5)",
      function() p:call("next", 1.5) end)
    refused(nil, "load of i64 at 0x0: outside memory", function() p:load(0, "i64") end)
    refused(nil, "store of i8 at 0x" .. ("%x"):format(p:address "text") .. ": it is constant",
      function() p:store("text", "i8", 1) end)
    refused(nil, "bad argument #2 to 'load' (a type that memory can hold expected, got \"any\")",
      function() p:load("count", "any") end)
    refused(nil, "bad argument #3 to 'store' (i8 expected, got 300)",
      function() p:store("count", "i8", 300) end)
    refused(nil, "calling 'call' on bad self (phial.Instance expected, got a table)",
      function() p.call({}, "next") end)
    refused(nil, "bad argument #1 to 'instance' (table expected, got 3)",
      function() p:module():instance(3) end)
    refused(nil, "1 byte at 0x4: outside memory", function() p:bytes(4, 1) end)
    refused(nil, "write of 1 byte at 0x4: outside memory", function() p:set_bytes(4, "x") end)
    for name, kind in pairs { next = "function", host = "declaration" } do
      local message = ("'%s' is a %s: it has no bytes"):format(name, kind)
      refused(nil, message, function() p:bytes(name) end)
      refused(nil, message, function() p:bytes(name, 1) end)
      refused(nil, message, function() p:load(name, "i8") end)
      refused(nil, message, function() p:store(name, "i8", 1) end)
      refused(nil, message, function() p:set_bytes(name, "x") end)
    end
    raises.matching("9000000 bytes at 0x%x+: outside memory", p.bytes, p, "count", 9000000)
  end)
end)
