-- Functions that compute constants, in results and guards: x + $g(C), K == $g($h(C)).
local assert = require "spec.support.assert"
local phial = require "phial"
local raises = require "spec.support.raises"

local function start(rules, functions)
  local fn = phial.fn("f", { "x", "y:i8", "c:i1", "z:f32" }, nil, {
    rules = type(rules) == "string" and phial.rules(rules, functions, "h") or rules })
  return fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4), fn
end

-- The op of a value, and its second operand.
local function is(op, constant, v)
  assert.same({ op, constant }, { v:op(), (v:arg(2):const()) })
end

describe("a function of constants", function()
  it("is an operand of the result, at the type there", function()
    local b, x, y, c, z = start([[
      add:  x * C => x + $twice(C)
      bool: x & C => x ~ $is(C) @ unoriented
      real: fmul(x, C) => fadd(x, $third(C))
      wide: x << C => x + zext($twice(C):i8) @ unoriented
    ]], { twice = function(C) return 2 * C end, is = function(C) return C == -1 end,
      third = function(C) return C / 3 end })
    is("add", 20, b:mul(x, 10))
    is("add", -56, b:mul(y, 100))
    is("bxor", true, b:band(c, true))
    assert.equal(string.unpack("<f", string.pack("<f", 1 / 3)), b:fmul(z, 1.0):arg(2):const())
    assert.equal(16, b:shl(x, 8):arg(2):const())
  end)

  it("is computed with, and nested: what comes out of one goes into the next", function()
    local seen = {}
    local b, x = start("a: x * C => x + (C + ~$f($g(C), $h(C), C + 1)) if C > $g(2)", {
      f = function(...) table.insert(seen, { ... }) return 7 end,
      g = function(C) return C % 2 == 0 and "even" and C or nil end,
      h = function(C) return C .. "!" end,
    })
    assert.equal(4 + ~7, b:mul(x, 4):arg(2):const())
    assert.same({ { 4, "4!", 5 } }, seen)
    assert.equal("mul", b:mul(x, 5):op())
    assert.equal("mul", b:mul(x, 2):op())
  end)

  it("is compared in guards, with what nothing else computes", function()
    local b, x, _, _, z = start([[
      two:  (x & A) | (x & B) => x if B == $others(A)
      real: fmul(x, C) => x if C == $one() and not (C < $one() or not $yes(C, $one()))
    ]], { others = function(A) return ~A end, one = function() return 1 end,
      yes = function(a, b) return a == b end })
    assert.equal(x, b:bor(b:band(x, 0xf0), b:band(x, ~0xf0)))
    assert.equal("bor", b:bor(b:band(x, 0xf0), b:band(x, 0xf)):op())
    assert.equal(z, b:fmul(z, 1.0))
    assert.equal("fmul", b:fmul(z, 2.0):op())
  end)

  it("has none for nil: the rule does not apply; what does not fit the type is an error", function()
    local value
    local b, x, y, _, z = start([[
      one: x * C => x + $f(C)
      two: x - C => x if C == $f(C)
      real: fadd(x, C) => fadd(x, $f(C)) @ unoriented
    ]], { f = function() return value end })
    assert.equal("mul", b:mul(x, 3):op())
    assert.equal("sub", b:sub(x, 3):op())
    for bad, name in pairs { [0.5] = "0.5", ["4"] = "a string", [true] = "true" } do
      value = bad
      local why = (": its function returned %s: integer or nil expected"):format(name)
      raises.with("rule 'one' (h:1)" .. why, b.mul, b, y, 3)
      raises.with("rule 'two' (h:2)" .. why, b.sub, b, x, 3)
    end
    value = "1"
    raises.with("rule 'real' (h:3): its function returned a string: a number of that type or nil "
      .. "expected", b.fadd, b, z, 2.0)
    value = nil
    assert.equal("mul", b:mul(y, 3):op())
    b, x = start("a: x * C => x + $f(C)", { f = function() error "no" end })
    raises.with("rule 'a' (h:1): ", b.mul, b, x, 3)
  end)

  it("gives dialects data and constants of type any", function()
    local D = phial.dialect("d", { get = { args = { "any", "any" }, result = "any", pure = true } })
    local R = phial.rules():attach(D):add(
      "a: d.get(x, K) => d.get(x, $key(K)) if $is(K) @ unoriented",
      { key = function(k) return k .. "!" end, is = function(k) return k == "k" end })
    local fn = phial.fn("f", { "x:any" }, nil, { rules = R, dialects = { D } })
    assert.equal("k!", fn:entry():emit(D.get, fn:arg(1), "k"):arg(2):const())
  end)

  it("is known to include, explain, lint and trees", function()
    local f = { g = function(C) return C > 1 and C or nil end, h = function(C) return C * 2 end }
    local R = phial.rules():include(phial.rules([[
      a: x * C => x + $g($h(C)) if C ~= $h(C)
      b: x * C => x + 1 if C == $g(C)
    ]], f, "h"))
    local b, x, _, _, _, fn = start(R)
    assert.equal(6, b:mul(x, 3):arg(2):const())
    assert.equal("mul %x, 3:\n  a: applies\n  b: applies", R:explain(fn, "mul", x, 3))
    assert.is_true(R:lint())
    local tree = R:rules("a")[1]
    local helper = tree.result[2]
    assert.same({ "helper", f.g, "helper", f.h, "constant" },
      { helper.kind, helper.callback, helper[1].kind, helper[1].callback, helper[1][1].kind })
    assert.equal("helper", tree.guard[2].kind)
  end)

  it("is called by a check, at each width", function()
    local ok, verdicts = phial.rules([[
      right: x * C => x << $log(C) if $is(C)
      wrong: x * C => x << $log($next(C))
      twice: (x & A) | (x & B) => x if B == $others(A)
      never: x + C => x if C ~= $same(C)
      none:  x + C => x if C == $none(C)
      act:   x * C => $act(x, $log(C)) if C == $power($log(C))
    ]], {
      log = function(C) for i = 0, 62 do if C == 1 << i then return i end end end,
      is = function(C) return C > 0 and C & C - 1 == 0 end,
      next = function(C) return C + 1 end, same = function(C) return C end, none = function() end,
      others = function(A) return ~A end, power = function(i) return 1 << i end,
      act = function(b, x, i) return b:shl(x, i) end,
    }):check()
    assert.is_nil(ok)
    for i, pattern in ipairs { "^right: checked, ", "^wrong: wrong at i8: ", "^twice: checked, ",
      "^never: never applies: its guard was never true", "^none: never applies: its guard was",
      "^act: tested, " } do
      assert.matches(pattern, verdicts[i])
    end
    raises.with("]:1): its function returned 0.5: integer or nil expected",
      function()
        phial.rules("x * C => x + $f(C)", { f = function() return 0.5 end }):check()
      end)
  end)
end)
