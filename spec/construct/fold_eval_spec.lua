-- Pure ops of dialects are folded by their eval.
local phial = require "phial"

local calls = 0

local D = phial.dialect("d", {
  twice = { args = { "i64" }, result = "i64", pure = true, eval = function(x) return x * 2 end },
  mix = { args = { "any", "i1", "f64" }, result = "any", pure = true,
    eval = function(a, b, c) return ("%s %s %s"):format(a, b, c) end },
  as = { args = 1, result = "*", pure = true, eval = function(x, data)
    if data ~= nil then return data end
    return x
  end },
  pick = { args = { "i64" }, result = "any", pure = true, eval = function(i)
    return ({ 1, "two", 3.5, true, nil, {}, print })[i]
  end },
  four = { args = 0, result = "i64", pure = true, eval = function() return 4 end },
  many = { args = { "i64" }, result = "i64", pure = true, eval = function(x) return x, 1, {} end },
  wrong = { args = { "i64" }, result = "i64", pure = true, eval = function() error {} end },
  deep = { args = { "i64" }, result = "i64", pure = true, eval = function(x)
    local function f() return 1 + f() end
    return f() + x
  end },
  yields = { args = { "i64" }, result = "i64", pure = true, eval = coroutine.yield },
  none = { args = { "i64" }, result = "i64", pure = true },
  box = { args = { "i64" }, result = "box", pure = true, eval = function(x) return x end },
  two = { args = { "i64" }, results = { "i64", "i64" }, pure = true,
    eval = function(x) return x, x end },
  said = { args = { "i64" }, result = "*", results = "*", pure = true,
    eval = function(x) return x, x end },
  traps = { args = { "i64" }, result = "i64", pure = true, traps = true,
    eval = function(x) return x end },
  loads = { args = { "i64" }, result = "i64", effect = "read", eval = function(x) return x end },
  env = { args = { "i64" }, result = "i64", pure = true, env = true,
    eval = function(_, x) return x end },
  count = { args = { "i64" }, result = "i64", pure = true, eval = function(x)
    calls = calls + 1
    return x
  end },
}, { "box" })

local function start(opts)
  local fn = phial.fn("f", { "x:i64", "c:i1" }, "any", opts)
  return fn, fn:entry()
end

-- What an op of constants becomes: the value of a constant, or the op that stays.
local function emitted(op, ...)
  local _, b = start()
  local v = b:emit(D[op], ...)
  if v:op() == "const" then return v:const() end
  return v:op()
end

describe("a pure op of a dialect with constant operands", function()
  it("is the constant that its eval returns", function()
    assert.equal(42, emitted("twice", 21))
    assert.equal("nil true 0.5", (function()
      local fn, b = start()
      return b:emit(D.mix, fn:const(nil, "any"), true, 0.5):const()
    end)())
    assert.equal(4, emitted "four")
    assert.equal(7, emitted("many", 7))
    assert.equal(8, emitted("as", 1, "i64", { data = 8 }))
  end)

  it("is of any of the types that constants have", function()
    for i, want in ipairs { 1, "two", 3.5, true } do assert.equal(want, emitted("pick", i)) end
    local _, b = start()
    local none = b:emit(D.pick, 5)
    assert.equal("const any", none:op() .. " " .. tostring(none:type()))
    assert.is_nil(none:const())
    for _, i in ipairs { 6, 7 } do assert.equal("d.pick", emitted("pick", i)) end
  end)

  it("has the result that a run has, or stays", function()
    for _, case in ipairs {
      { 127, "i8", 127 }, { 128, "i8", -128 }, { 256, "i8" }, { -129, "i8" }, { true, "i1", true },
      { 1, "i1" }, { 0xffff, "i16", -1 }, { true, "i64" }, { 1.0, "i64" }, { "1", "i64" },
      { 2, "f64", 2.0 }, { 0.1, "f32", 0.1 }, { 2 ^ 53 | 1, "f64" }, { -0.0, "f64", -0.0 },
      { 5, "ptr", 5 }, { "x", "ptr" },
    } do
      local fn = phial.fn("f", {}, case[2])
      local b = fn:entry()
      local v = b:emit(D.as, fn:const(case[1], "any"), case[2])
      b:ret(v)
      local is_const = v:op() == "const"
      local ran, got = pcall(fn:finish())
      assert.equal(case[3] ~= nil, is_const)
      assert.equal(ran, is_const)
      if ran then assert.equal(("%q"):format(got), ("%q"):format(v:const())) end
    end
  end)

  it("stays if the eval cannot say, with what a run says of it", function()
    for _, op in ipairs { "wrong", "deep", "yields", "none", "box", "two", "said", "traps", "loads",
      "env" } do
      local given = op == "said" and { 1, "i64" } or { 1 }
      assert.equal("d." .. op, emitted(op, table.unpack(given)))
    end
    local fn, b = start()
    b:ret(b:emit(D.as, b:emit(D.yields, 5), "any"))
    fn:finish()
    local run = coroutine.wrap(function() return fn(0, true) end)
    assert.equal(5, run())
    assert.equal(6, run(6))
  end)

  it("stays with other operands, and in a function without rules", function()
    local fn, b = start()
    assert.equal("d.twice", b:emit(D.twice, fn:arg(1)):op())
    assert.equal("d.mix", b:emit(D.mix, "a", fn:arg(2), 1.0):op())
    fn, b = start { rules = false }
    assert.equal("d.twice", b:emit(D.twice, 21):op())
    b:ret(b:emit(D.as, b:emit(D.twice, 21), "any"))
    fn:finish():clean { rules = true }
    assert.is_nil(tostring(fn):find("ret 42", 1, true))
  end)

  it("becomes one when its operands do", function()
    local fn, b = start()
    local i = fn:var("i", "i64")
    b:write(i, 20)
    local loop, out = fn:block "loop", fn:block "out"
    b:jump(loop)
    local v = loop:emit(D.as, loop:emit(D.twice, loop:add(loop:read(i), 1)), "any")
    loop:branch(fn:arg(2), loop, out)
    loop:seal()
    out:seal()
    out:ret(v)
    fn:finish()
    assert.truthy(tostring(fn):find("ret 42", 1, true))
    fn, b = start()
    b:ret(b:emit(D.as, b:emit(D.twice, fn:arg(1)), "any"))
    fn:finish()
    fn:arg(1):replace(fn:const(21, "i64"))
    fn:clean { rules = true }
    assert.truthy(tostring(fn):find("ret 42", 1, true))
  end)

  it("is folded within rules and what their actions emit", function()
    local R = phial.rules():attach(D):add([[
      a: x * 3 => d.twice(21)
      b: x * 5 => $act(x)
    ]], { act = function(b) return b:emit(D.twice, b:emit(D.twice, 1)) end })
    local fn, b = start { rules = R }
    assert.equal(42, b:mul(fn:arg(1), 3):const())
    assert.equal(4, b:mul(fn:arg(1), 5):const())
  end)

  it("tells of it, as of others", function()
    local told
    local fn, b = start { log = function(e) told = told or e.event end }
    told = nil
    b:emit(D.twice, 1)
    assert.equal("folded", told)
    assert.equal(1, fn:stats().folded)
  end)
end)

describe("an eval that is called to fold", function()
  local function with(eval, body)
    local E = phial.dialect("e", { op = { args = { "i64" }, result = "i64", pure = true,
      eval = eval } })
    return body(E)
  end

  it("can read the function, not change it", function()
    local fn, b, read, why
    with(function(x)
      read = #b:insts()
      why = select(2, pcall(b.add, b, fn:arg(1), 7))
      return x
    end, function(E)
      fn, b = start()
      assert.equal(3, b:emit(E.op, 3):const())
    end)
    assert.equal(0, read)
    assert.matches("callback", why)
  end)

  it("can change the set of rules and close the function", function()
    local R = phial.rules "x + 0 => x"
    local fn, b
    with(function(x)
      R:add(("y%d: x - %d => x"):format(calls, calls))
      calls = calls + 1
      collectgarbage()
      pcall(fn.close, fn)
      return x
    end, function(E)
      R:attach(E):add "m: x * 9 => (x + e.op(1)) - e.op(2) @ unoriented, always"
      fn, b = start { rules = R }
      assert.equal(5, b:emit(E.op, 5):const())
      assert.equal("add", b:mul(fn:arg(1), 9):op())
    end)
  end)

  it("can build other functions, with ops that fold", function()
    with(function(x)
      local _, b = start()
      return b:emit(D.twice, x):const()
    end, function(E)
      local _, b = start()
      assert.equal(6, b:emit(E.op, 3):const())
    end)
  end)

  it("is called once for equal instructions that fold", function()
    calls = 0
    local _, b = start()
    b:emit(D.count, 1)
    assert.equal(1, calls)
  end)
end)
