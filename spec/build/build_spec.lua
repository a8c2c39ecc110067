-- The structured builder: the functions that it makes, and their meaning.
local assert = require "spec.support.assert"
local golden = require "spec.support.golden"
local oracle = require "spec.oracle.structured"
local phial = require "phial"
local prop = require "spec.support.prop"
local semantics = require "spec.oracle.semantics"
local structured = require "spec.support.structured"
local variants = require "spec.support.variants"

describe("the builder makes of", function()
  for name, check in golden.each("spec/golden/build", golden.built) do it(name, check) end
end)

describe("the builder", function()
  it("finishes functions without a result by itself", function()
    local fn = phial.build("f", {}, nil, { type = "i8" }, function(b, v)
      v.x = 100
      assert.equal("i8", b:find("x"):type())
      assert.equal(b.fn:entry(), b:current())
      assert.equal(b, b:set_loc(3, 4))
      assert.same({ 3, 4 }, { b:loc() })
    end)
    assert.equal("fn f() {\nentry:\n  ret @ 3:4\n}\n", fn:text())
  end)

  it("gives variables the type of their first value, literals the default type", function()
    local function types(default)
      local out = {}
      phial.build("f", { "h:i16" }, nil, { type = default }, function(b, v)
        v.i, v.f, v.t, v.h2 = 1, 1.5, true, v.h
        b:var "d"
        for i, name in ipairs { "i", "f", "t", "h2", "d" } do out[i] = b:find(name):type() end
      end)
      return table.concat(out, " ")
    end
    assert.equal("i64 f64 i1 i16 i64", types(nil))
    assert.equal("i32 f64 i1 i16 i32", types "i32")
    assert.equal("f32 f32 i1 i16 f32", types "f32")
    assert.equal("any any any i16 any", types "any")
  end)

  it("brings hidden variables back when a body ends", function()
    local told = {}
    local fn = phial.build("f", { "x:i64" }, nil, function(b, v)
      local function tell() told[#told + 1] = b:find("x"):type() end
      b:scope(function()
        b:var("x", "i32")
        b:var("x", "i16")
        b:scope(function()
          b:var("x", "i8")
          v.made = 1
          tell()
        end)
        tell()
      end)
      tell()
      assert.is_true(b:has "made")
      assert.is_false(b:has "unmade")
    end)
    assert.same({ "i8", "i16", "i64" }, told)
    assert(fn:verify())
  end)

  it("writes literals and values as block:write does, copies included", function()
    local function events(make)
      local list = {}
      local function log(e)
        list[#list + 1] = ("%s %s %s"):format(e.event, e.var and e.var:name(), e.value_id)
      end
      make { copies = true, log = log, rules = false, undef = function() return 7 end }
      return list
    end
    assert.same(events(function(opts)
      local fn = phial.fn("f", { "n:i64" }, nil, opts)
      local n, x, b = fn:param(1), fn:var("x", "i64"), fn:entry()
      b:write(x, 1)
      b:write(x, b:read(n))
      b:write(x, -3)
      b:read(fn:var("y", "i64"))
      b:ret()
      fn:finish()
    end), events(function(opts)
      phial.build("f", { "n:i64" }, nil, opts, function(b, v)
        v.x = 1
        v.x = v.n
        v.x = -3
        b:var("y", "i64")
        assert.equal(7, v.y:const())
      end)
    end))
  end)

  it("builds in coroutines that take turns", function()
    local function worker(name)
      return coroutine.wrap(function()
        return phial.build(name, { "n:i64" }, "i64", function(b, v)
          v.s = 0
          b:while_(function() return v.n:sgt(0) end, function()
            coroutine.yield()
            v.s = v.s + v.n
            coroutine.yield()
            v.n = v.n - 1
          end)
          b:ret(v.s)
        end)
      end)
    end
    local one, two = worker "f", worker "f"
    one() two() one() two()
    assert.equal(one():text(), two():text())
  end)

  it("makes allocas in the entry, from wherever", function()
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v)
      v.s = 0
      b:for_("i", 1, v.n, function()
        local cell = b:alloca "i64"
        b:store(cell, v.i)
        b:call("twice", nil, cell)
        v.s = v.s + b:load(cell, "i64")
      end)
      b:ret(v.s)
    end)
    local twice = phial.fn("twice", { "p:ptr" })
    local e, p = twice:entry(), twice:arg(1)
    e:store(p, e:mul(e:load(p, "i64"), 2))
    e:ret()
    twice:finish()
    assert.equal(30, fn(5, { env = { twice = twice } }))
  end)
end)

-- Two loops and a choice, built by hand and sealed as early as possible.
local function by_hand(opts)
  local fn = phial.fn("f", { "n:i64" }, "i64", opts)
  local n, i, s, j = fn:param(1), fn:var "i", fn:var "s", fn:var "j"
  local entry, head, body, done = fn:entry(), fn:block(), fn:block(), fn:block()
  local inner, inside, behind = fn:block(), fn:block(), fn:block()
  local yes, join = fn:block(), fn:block()
  entry:write(i, 0)
  entry:write(s, 0)
  entry:jump(head)
  head:branch(head:slt(head:read(i), head:read(n)), body, done)
  body:seal()
  body:write(j, 0)
  body:jump(inner)
  inner:branch(inner:slt(inner:read(j), inner:read(i)), inside, behind)
  inside:seal()
  inside:branch(inside:slt(inside:read(j), inside:read(n)), yes, join)
  yes:seal()
  yes:write(s, yes:add(yes:read(s), yes:read(j)))
  yes:jump(join)
  join:seal()
  join:write(j, join:add(join:read(j), 1))
  join:jump(inner)
  inner:seal()
  behind:seal()
  behind:write(i, behind:add(behind:read(i), 1))
  behind:jump(head)
  head:seal()
  done:seal()
  done:ret(done:read(s))
  return fn:finish()
end

local function by_builder(opts)
  return phial.build("f", { "n:i64" }, "i64", opts, function(b, v)
    v.i = 0
    v.s = 0
    b:while_(function() return v.i:slt(v.n) end, function()
      b:var("j", 0)
      b:while_(function() return v.j:slt(v.i) end, function()
        b:if_(v.j:slt(v.n), function() v.s = v.s + v.j end)
        v.j = v.j + 1
      end)
      v.i = v.i + 1
    end)
    b:ret(v.s)
  end)
end

describe("sealing by the builder is as early as by hand:", function()
  for _, construction in ipairs(variants) do
    it(construction, function()
      local opts = { construction = construction }
      local hand, built = by_hand(opts), by_builder(opts)
      assert.equal(hand:text { ids = "dense" }, built:text { ids = "dense" })
      assert.same(hand:stats(), built:stats())
    end)
  end
end)

-- Ways to run a function with callees in env.
local WAYS = {
  semantics = function(fn, env, a, b, c) return semantics.run(fn, { env = env }, a, b, c) end,
  ["fn(...)"] = function(fn, env, a, b, c) return fn(a, b, c, { env = env }) end,
}

describe("a random structured program", function()
  local ARGUMENTS = { { 0, 1, 2 }, { 5, -3, math.mininteger } }

  local function check(program, fn, run)
    for _, args in ipairs(ARGUMENTS) do
      local a, b, c = table.unpack(args)
      assert.same(oracle.watch(40, function(show)
        return oracle.run(program, show, a, b, c)
      end), oracle.watch(40, function(show)
        return run(fn, { show = show }, a, b, c)
      end))
    end
  end

  for way, run in pairs(WAYS) do
    it("does what it says, by " .. way, function()
      prop.forall(structured.generate, function(program)
        for _, construction in ipairs(variants) do
          local fn = structured.build(program, { construction = construction })
          assert(fn:verify())
          assert.is_true((fn:is_minimal()))
          check(program, fn, run)
        end
      end)
    end)
  end
end)
