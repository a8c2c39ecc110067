-- Pure ops of dialects are folded by their eval.
local phial = require "phial"

local function i64(eval, more)
  local op = { args = { "i64" }, result = "i64", pure = true, eval = eval }
  for key, value in pairs(more or {}) do op[key] = value end
  return op
end
local function same(x) return x end

local D = phial.dialect("d", {
  twice = i64(function(x) return x * 2, 1, {} end),
  mix = i64(function(a, b, c) return ("%s %s %s"):format(a, b, c) end,
    { args = { "any", "i1", "f64" }, result = "any" }),
  as = i64(function(x, data) if data == nil then return x else return data end end,
    { args = 1, result = "*" }),
  four = i64(function() return 4 end, { args = 0 }), wrong = i64(function() error {} end),
  yields = i64(coroutine.yield), none = i64(), box = i64(same, { result = "box" }),
  said = i64(same, { results = "*" }), traps = i64(same, { traps = true }),
  env = i64(function(_, x) return x end, { env = true }),
  two = { args = { "i64" }, results = { "i64", "i64" }, pure = true, eval = same },
  loads = { args = { "i64" }, result = "i64", effect = "read", eval = same },
}, { "box" })

local function start(opts)
  local fn = phial.fn("f", { "x:i64", "c:i1" }, "any", opts)
  return fn, fn:entry()
end

-- What an op of constants becomes: the value of a constant, or the op that stays.
local function emitted(op, ...)
  local v = select(2, start()):emit(D[op], ...)
  return v:op() == "const" and v:const() or v:op()
end

describe("a pure op of a dialect with constant operands", function()
  it("is the constant that its eval returns: the result of a run", function()
    local fn, b = start()
    assert.equal("nil true 0.5", (b:emit(D.mix, fn:const(nil, "any"), true, 0.5):const()))
    assert.equal("const", b:emit(D.as, fn:const(nil, "any"), "any"):op())
    assert.equal("42 4 8", ("%s %s %s"):format(emitted("twice", 21), emitted "four",
      emitted("as", 1, "i64", { data = 8 })))
    for _, case in ipairs {
      { 127, "i8", 127 }, { 128, "i8", -128 }, { 256, "i8" }, { -129, "i8" }, { true, "i1", true },
      { 1, "i1" }, { 0xffff, "i16", -1 }, { true, "i64" }, { 1.0, "i64" }, { "1", "i64" },
      { 2, "f64", 2.0 }, { 0.1, "f32", 0.1 }, { 2 ^ 53 | 1, "f64" }, { -0.0, "f64", -0.0 },
      { 5, "ptr", 5 }, { "x", "ptr" }, { "x", "any", "x" }, { 3.5, "any", 3.5 },
    } do
      fn = phial.fn("f", {}, case[2])
      local v = fn:entry():emit(D.as, fn:const(case[1], "any"), case[2])
      fn:entry():ret(v)
      local ran, got = pcall(fn:finish())
      assert.same({ case[3] ~= nil, ran }, { v:op() == "const", v:op() == "const" })
      if ran then assert.equal(("%q"):format(got), ("%q"):format(v:const())) end
    end
  end)

  it("stays if the eval cannot say, or may not", function()
    for op in ("wrong yields none box two said traps loads env"):gmatch "%a+" do
      assert.equal("d." .. op, emitted(op, 1))
    end
    assert.equal("d.as", emitted("as", 1, "i64", { data = {} }))
    local fn, b = start { rules = false }
    b:ret(b:emit(D.as, b:emit(D.twice, 21), "any"))
    fn:finish():clean { rules = true }
    assert.truthy(fn:text():find("d.twice 21", 1, true))
  end)

  it("becomes one when its operands do", function()
    local fn, b = start()
    b:ret(b:emit(D.as, b:emit(D.twice, fn:arg(1)), "any"))
    fn:finish():arg(1):replace(fn:const(21, "i64"))
    fn:clean { rules = true }
    assert.truthy(fn:text():find("ret 42", 1, true))
  end)

  it("is folded within rules and what their actions emit", function()
    local R = phial.rules():attach(D):add("x * 3 => d.twice(21)\nx * 5 => $act(x)",
      { act = function(b) return b:emit(D.twice, b:emit(D.twice, 1)) end })
    local fn, b = start { rules = R }
    assert.equal(42, (b:mul(fn:arg(1), 3):const()))
    assert.equal(4, (b:mul(fn:arg(1), 5):const()))
    assert.equal(3, fn:stats().folded)
  end)
end)

it("an eval that is called to fold can read the function, change its rules, not it", function()
  local R, fn, b, why = phial.rules "x + 0 => x", nil, nil, nil
  local E = phial.dialect("e", { op = i64(function(x)
    R:add(("x - %d => x @ unsafe \"no\""):format(100 + #b:insts()))
    why = select(2, pcall(b.add, b, fn:arg(1), 7))
    pcall(fn.close, fn)
    collectgarbage()
    return emitted("twice", x)
  end) })
  R:attach(E):add "m: x * 9 => (x + e.op(1)) - e.op(2) @ unoriented, always"
  fn, b = start { rules = R }
  assert.equal(10, (b:emit(E.op, 5):const()))
  assert.matches("callback", why)
  assert.equal("sub", b:mul(fn:arg(1), 9):op())
end)
