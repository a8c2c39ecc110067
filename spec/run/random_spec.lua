-- Properties of running over random functions, checked against slow and plainly
-- right oracles; and functions beyond Lua's limits.
local assert = require "spec.support.assert"
local phial = require "phial"
local arithmetic = require "spec.support.arithmetic"
local interpret = require "spec.oracle.programs"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local RUNS = tonumber(os.getenv "RUNS") or 200
local STEPS = 100

-- The ways in which a function is emitted.
local FORMS = {
  { form = "goto", fuel = true }, { form = "blocks", fuel = true },
  { locals = 2, fuel = true }, { locals = 12, fuel = true },
}

-- What a function calls in its place, by name, and so without fuel.
local ENV = { echo = function(x) return x end }

-- The function in Lua, which stops after STEPS blocks.
local function emitted(fn, opts)
  local source, host = phial.emit.lua(fn, opts)
  host.fuel, host.env = { left = STEPS }, ENV
  return assert(load(source, "=emitted", "t"))(host)
end

describe("a random program", function()
  it("shows what it shows over its variables", function()
    prop.forall(function(pick) return programs.generate(pick, 12) end, function(p)
      local expected = interpret.variables(p, STEPS)
      for _, copies in ipairs { false, true } do
        local fn = programs.build(p, { copies = copies, runs = true })
        fn:finish()
        for _, opts in ipairs(FORMS) do
          local shown = programs.watch()
          results.outcome(emitted(fn, opts))
          assert.same(expected, shown)
        end
        local shown = programs.watch()
        results.outcome(fn, { fuel = STEPS })
        assert.same(expected, shown)
      end
    end)
  end)

  it("computes what its text says", function()
    prop.forall(arithmetic.generate, function(p)
      local shown
      local function show(...) shown = table.pack(...) end
      local leave = #p.vars % 2 == 0 and arithmetic.leaving_to(show, "echo") or nil
      local fn = arithmetic.build(p, show, { leave = leave })
      local function run(f, ...)
        shown = { n = 0 }
        return results.outcome(f, ...), shown
      end
      local expected, seen = run(semantics.run, fn, { fuel = STEPS, env = ENV },
        table.unpack(p.values))
      local function check(what, got, saw)
        results.check(expected, got, what)
        assert.equal(seen.n, saw.n)
        for i = 1, seen.n do results.check(seen[i], saw[i], ("%s, x%d"):format(what, i)) end
      end
      for i, opts in ipairs(FORMS) do
        check("form " .. i, run(emitted(fn, opts), table.unpack(p.values)))
      end
    end)
  end)
end)

--
-- {== Rounding ========================================================
--

describe("f32", function()
  it("is rounded as C rounds it", function()
    local fn = phial.fn("f", { "x:f64" }, "f32")
    local b = fn:entry()
    -- values from Lua are rounded when they come in
    b:ret(b:call(function(x) return x end, "f32", fn:arg(1)))
    fn:finish()
    math.randomseed(2)
    for _ = 1, RUNS * 20 do
      local e, m = math.random(1023 - 160, 1023 + 130), math.random(0) & 0xfffffffffffff
      if math.random(2) == 1 then m = m & ~0xfffffff end -- in the middle of two
      local bits = math.random(0, 1) << 63 | e << 52 | m
      local x = string.unpack("<d", string.pack("<i8", bits))
      results.check(string.unpack("<f", string.pack("<f", x)), fn(x), ("%a"):format(x))
    end
  end)
end)

-- }== Beyond Lua's limits =============================================

local function numbers(n, f)
  local list = {}
  for i = 1, n do list[i] = f(i) end
  return list
end

describe("a function with", function()
  it("300 parameters runs", function()
    local fn = phial.fn("f", numbers(300, function(i) return "x" .. i end), "i64")
    local b, sum, expected = fn:entry(), fn:const(0), 0
    for i = 1, 300 do
      sum = b:add(sum, b:mul(fn:arg(i), i))
      expected = expected + i * i * i
    end
    b:ret(sum)
    assert.equal(expected, fn:finish()(table.unpack(numbers(300, function(i) return i * i end))))
  end)

  it("a call of 1000 arguments runs", function()
    local fn = phial.fn("f", { "x" }, "i64")
    local b = fn:entry()
    local args = numbers(1000, function(i) return b:add(fn:arg(1), i) end)
    b:ret(b:call(function(...) return select("#", ...) * 10000 + select(999, ...) end, "i64",
      table.unpack(args)))
    assert.equal(10001004, fn:finish()(5))
  end)

  it("an op of 300 results runs", function()
    local D = phial.dialect("many", { op = { result = "any", results = 300, eval = function()
      return table.unpack(numbers(300, function(i) return i end))
    end } })
    local fn = phial.fn("f", {}, "any")
    local b = fn:entry()
    local values = { b:emit(D.op) }
    b:ret(b:call(function(...) return select(300, ...) .. " of " .. select("#", ...) end, "any",
      table.unpack(values)))
    assert.equal("300 of 300", fn:finish()())
  end)

  it("a switch of 3000 cases runs", function()
    local fn = phial.fn("f", { "x" }, "i64")
    local other, cases = fn:block(), {}
    for i = 1, 3000 do cases[i * 7 - 9000] = fn:block() end
    fn:entry():switch(fn:arg(1), other, cases)
    other:ret(-1)
    for key, block in pairs(cases) do block:ret(key * 2) end
    fn:finish()
    for _, x in ipairs { 7 - 9000, 12000, 700 - 9000 } do assert.equal(x * 2, fn(x)) end
    for _, x in ipairs { 0 - 9000, 12007, 8 - 9000, math.mininteger } do
      assert.equal(-1, fn(x))
    end
  end)

  it("an expression of 3000 levels runs", function()
    local fn = phial.fn("f", { "x" }, "i64")
    local b, v, expected = fn:entry(), fn:arg(1), 1
    for i = 1, 3000 do
      v = b:bxor(b:mul(i, v), 3)
      expected = i * expected ~ 3
    end
    b:ret(v)
    assert.equal(expected, fn:finish()(1))
  end)

  for _, n in ipairs { 2, 170, 178, 190, 400 } do
    it(n .. " variables that all change places in a loop runs", function()
      local fn = phial.fn("f", { "n" }, "i64")
      local entry, head, body, done = fn:entry(), fn:block(), fn:block(), fn:block()
      local k, vars = fn:var "k", numbers(n, function(i) return fn:var("v" .. i) end)
      entry:write(k, 0)
      for i, var in ipairs(vars) do entry:write(var, i) end
      entry:jump(head)
      head:branch(head:slt(head:read(k), fn:arg(1)), body, done)
      body:write(k, body:add(body:read(k), 1))
      local old = numbers(n, function(i) return body:read(vars[i]) end)
      for i, var in ipairs(vars) do
        body:write(var, i % 5 == 0 and body:sub(old[i % n + 1], old[n + 1 - i]) or old[i % n + 1])
      end
      body:jump(head)
      local sum = fn:const(0)
      for _, var in ipairs(vars) do sum = done:add(done:mul(sum, 31), done:read(var)) end
      done:ret(sum)
      fn:finish()
      local now = numbers(n, function(i) return i end)
      for turns = 0, 6 do
        local expected = 0
        for i = 1, n do expected = expected * 31 + now[i] end
        assert.equal(expected, fn(turns))
        local before = now
        now = numbers(n, function(i)
          return i % 5 == 0 and before[i % n + 1] - before[n + 1 - i] or before[i % n + 1]
        end)
      end
    end)
  end

  -- More than 10,000 blocks are emitted in parts. Fewer under sanitizers, which are
  -- slow.
  local count = (RUNS < 200 or os.getenv "LD_PRELOAD") and 2000 or os.getenv "LONG" and 20000
    or 11000

  it(("%d blocks and %d values runs"):format(count, count * 5), function()
    local fn = phial.fn("f", { "n" }, "i64", { where = false, rules = false })
    local vars = { fn:var "a", fn:var "b", fn:var "c" }
    local now, block = { 1, 2, 3 }, fn:entry()
    for v = 1, 3 do block:write(vars[v], v) end
    local function turn(v, i)
      local a, b = block:read(vars[v]), block:read(vars[v % 3 + 1])
      block:write(vars[v], block:sub(block:mul(a, i), b))
    end
    -- diamonds, which are computed here as well
    for i = 1, count // 2 do
      local left, join = fn:block(), fn:block(nil, 2)
      block:branch(block:slt(block:read(vars[1]), block:read(vars[2])), left, join)
      left:seal()
      local taken = now[1] < now[2]
      block = left
      turn(i % 3 + 1, i)
      if taken then now[i % 3 + 1] = now[i % 3 + 1] * i - now[(i % 3 + 1) % 3 + 1] end
      left:jump(join)
      block = join
      for v = 1, 3 do
        turn(v, 3)
        now[v] = now[v] * 3 - now[v % 3 + 1]
      end
    end
    block:ret(block:add(block:add(block:read(vars[1]), block:read(vars[2])), block:read(vars[3])))
    fn:finish()
    assert(fn:stats().values >= count * 5)
    assert.equal(now[1] + now[2] + now[3], fn(0))
  end)

  it("a recursion of 10,000 levels runs in either form", function()
    local fn = phial.fn("f", { "n" }, "i64")
    local entry, zero, more = fn:entry(), fn:block(), fn:block()
    entry:branch(entry:eq(fn:arg(1), 0), zero, more)
    zero:ret(0)
    more:ret(more:add(more:call(fn, "i64", more:sub(fn:arg(1), 1)), fn:arg(1)))
    fn:finish()
    assert.equal(50005000, fn(10000))
    assert.equal(50005000, load((phial.emit.lua(fn, { form = "blocks" })))()(10000))
  end)
end)

-- }====================================================================
