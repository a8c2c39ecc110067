-- R:check says of each rule what it knows: proved, checked, tested, wrong or
-- never applies.
local file = require "spec.support.file"
local phial = require "phial"
local under = require "spec.support.under"

-- Whether all is well, and the verdicts, a line each.
local function verdicts(text, opts, functions, dialect)
  local R = phial.rules()
  if dialect then R:attach(dialect) end
  local ok, list = R:add(text, functions, "r"):check(opts)
  return ok, list
end

local function one(text, opts, functions, dialect)
  local ok, list = verdicts(text, opts, functions, dialect)
  assert.equal(1, #list, text)
  return list[1], ok
end

local function is(expected, text, opts, functions, dialect)
  local got, ok = one(text, opts, functions, dialect)
  local good = not expected:find "wrong" and not expected:find "never"
  assert.matches("^" .. expected .. "$", got)
  assert.equal(good and true or nil, ok)
end

local PROVED, CHECKED = "a: proved", "a: checked, applied in %d+ cases"
local TESTED = "a: tested, applied in %d+ cases"
local WRONG = "a: wrong at [^\n]+"

describe("a rule is", function()
  it("proved when all types and all values were tried", function()
    is(PROVED, "a: x:i1 & x => x")
    is(PROVED, "a: x:i8 + 0 => x")
    is(PROVED, "a: branch(_, T, T) => jump(T)")
    is(PROVED, "a: trunc(zext(x:i8):i16):i8 => x")
    is(PROVED, "a: x:i8 + y => y + x @ unoriented", { limit = 16 })
  end)

  it("checked when all values at small widths were tried, and some above", function()
    is(CHECKED, "a: x + 0 => x")
    is(CHECKED, "a: x * C => x << log2(C) if pow2(C)")
    is(CHECKED, "a: trunc(zext(x:T)):T => x")
    is(CHECKED .. ", for all answers that its guard may get",
      "a: x + 0 => x if uses(x) == 1 and not isconst(x)")
  end)

  it("tested when some values were", function()
    is("a: tested, applied in 5000 cases", "a: x:i32 + 0 => x")
    is("a: tested, applied in 200 cases", "a: x:i32 + 0 => x", { cases = 200 })
    is(TESTED, "a: fneg(fneg(x)) => x")
    is(TESTED, "a: x:i8 + y => y + x @ unoriented")
  end)

  it("tested when it applied at no small width", function()
    is(TESTED, "a: x + C => x - -C if C == 1000 @ unoriented")
    is(TESTED, "a: x & C => x & 0xffff if C == 0xffff and width(x) > 16 @ unoriented")
    is(TESTED, "a: shl(shl(x, A), B) => 0 if A == 40 and B == 30 and width(x) == 64")
    is(TESTED, "a: x * C => x << 4 if popcnt(C) == 1 and ctz(C) == 4")
  end)

  it("tested when a side of an 'or' of its guard held at no small width", function()
    local seldom = "C * 0x9E3779B97F4A7C15 == 12345"
    is(TESTED, ("a: x + C => x if C == 0 or %s"):format(seldom))
    is(TESTED, ("a: x + C => x if %s or C == 0"):format(seldom))
    is(TESTED, ("a: x + C => x if not (C ~= 0 and not (%s))"):format(seldom))
    is(TESTED, ("a: x + C => x if C == 0 or C & 1 == 1 and (C == 0 or %s)"):format(seldom))
    is(TESTED, ("a: x + C => x if C == 0 or $f(C) or %s"):format(seldom), nil,
      { f = function() return false end })
    is(CHECKED, "a: x - C => x + -C if C == 0 or not (C == 1 or C ~= 2) @ unoriented")
    is(CHECKED, "a: x - C => x + -C if C == 0 or $f(C) @ unoriented", nil,
      { f = function(C) return 1 // C == 1 end }) -- not called where C is 0
  end)

  it("wrong, although it is right at each small width", function()
    is(WRONG, "a: (x & A) | (y & B) => x | y if A == 0xff and B == 0xff00")
    is(WRONG, "a: shl(shl(x, A), B) => 0 if A == 20 and B == 30")
    is(WRONG, "a: x * C => x if C == 1 or popcnt(C) == 8 and ctz(C) == 4")
    is(WRONG, "a: x + C => x if C == 0 or popcnt(C) == 9 and ctz(C) == 9")
    is(WRONG, "a: (x & A) | B => x | B if A * B == -1")
  end)

  it("never applied, and it is said why", function()
    local guard = "a: never applies: its guard was never true"
    is(guard, "a: x + C => x if width(x) == 7")
    is(guard, "a: x + C => x if C == 3 and C == 4")
    is(guard, "a: x + C => x if $no(C)", nil, { no = function() return false end })
    is("a: never applies: its action made nothing", "a: x + C => $no(x)", nil,
      { no = function() end })
    is("a: never applies: its result never had a value", "a: x + C => x + log2(C & 0) @ unoriented")
    is("a: never applies: it applied only at widths that no type has",
      "a: zext(trunc(x:T):U):T => x & (-1 >> (width(x) ~ width(U))) @ unoriented")
    is("a: never applies: no types fit it", "a: zext(x:T):U => trunc(x):U @ unoriented")
  end)

  it("not checked when its author says so, or nothing is known", function()
    is("a: not checked: no %-0%.0 here", 'a: fadd(x, 0.0) => x @ unsafe "no -0.0 here"')
    local D = phial.dialect("m", { neg = { args = { "i64" }, result = "i64", pure = true } })
    is("a: not checked: 'm%.neg' has no eval", "a: m.neg(m.neg(x)) => x", nil, nil, D)
  end)
end)

describe("R:check", function()
  it("gives the verdicts of all rules, in their order", function()
    local ok, list = verdicts [[
      a: x:i1 & x => x
      b: x + 0 => x
      c: fneg(fneg(x)) => x
      d: x * 0 => 0
    ]]
    assert.is_true(ok)
    assert.equal("a: proved b: checked c: tested d: checked",
      (table.concat(list, " "):gsub(", applied in %d+ cases", "")))
    ok, list = verdicts "a: x:i1 & x => x\nb: x + 0 => 0\nc: x - C => x if C == 1 and C == 2"
    assert.is_nil(ok)
    assert.equal(3, #list)
    assert.equal("a: proved", list[1])
    assert.matches("^b: wrong at ", list[2])
    assert.matches("^c: never applies: ", list[3])
  end)

  it("names each alternative, and rules without a name by their line", function()
    local _, list = verdicts "a: [add|sub](x:i8, 0) => x\nx:i8 ~ 0 => x"
    assert.same({ "a: proved", "a: proved", "r:2: proved" }, list)
  end)

  it("is not content with tests when it is strict, unless the rule says so", function()
    local tested = "a: tested, applied in 5000 cases: '@ tested' says that this is enough"
    local got, ok = one("a: x:i32 + 0 => x", { strict = true })
    assert.equal(tested, got)
    assert.is_nil(ok)
    is(TESTED, "a: x:i32 + 0 => x @ tested", { strict = true })
    is(TESTED, "a: x:i32 + 0 => x @ tested, prio 1, late", { strict = true })
    is(CHECKED, "a: x + 0 => x", { strict = true })
    is(PROVED, "a: x:i8 + 0 => x @ tested", { strict = true })
    is(WRONG, "a: fadd(x, 0.0) => x @ tested", { strict = true })
    is(TESTED, "a: x:i32 + 0 => x", { strict = false })
    assert.error_matches(function() phial.rules():check { strict = 1 } end,
      "bad argument #1 to 'check' %(option 'strict': boolean expected, got number%)$")
  end)

  it("has its words in the types and the docs", function()
    for _, path in ipairs { "types/phial.lua", "docs/rules.md" } do
      local text = file.read(path)
      for _, word in ipairs { "proved", "checked", "tested", "wrong", "never applies", "strict" } do
        assert.truthy(text:find(word, 1, true), path .. ": " .. word)
      end
    end
  end)
end)

describe("widths are those that exist", function()
  it("where the meaning of a rule hangs on them", function()
    for _, text in ipairs {
      "a: shl(x, y & (width(x) - 1)) => shl(x, y)",
      "a: shr(x, y & C) => shr(x, y) if C == width(x) - 1",
      "a: shl(x, C) | shr(x, D) => shr(x, D) | shl(x, C) if C + D == width(x) @ unoriented",
      "a: shl(x, y) | shr(x, -y & (width(x) - 1)) => shl(x, y) | shr(x, -y) @ unoriented",
      "a: shr(x, -y) => shr(x, width(x) - y) @ unoriented",
    } do
      local got, ok = one(text)
      assert.is_true(ok, got)
    end
  end)

  it("in counterexamples, if there is one", function()
    is("a: wrong at i8: x=%-?%d+, A=%d+: [^\n]+", "a: sar(shl(x, A), A) => x")
    is("a: wrong at i8: x=%-?%d+, y=%-?%d+: [^\n]+", "a: (x & y) == 0 => x == 0")
  end)
end)

describe("what is tried", function()
  it("are the constants of a rule, floats, too", function()
    is(WRONG, "a: feq(x, 7.25) => false")
    is(WRONG, "a: flt(x, 1234.5) => fle(x, 1234.5) @ unoriented")
    is(WRONG, "a: feq(x:f32, 0.375:f32) => false")
    is(WRONG, "a: fadd(x, 1e10) => fsub(x, 1e10) @ unoriented")
    is(WRONG, "a: x:i32 == 1234567 => false")
    is(WRONG, "a: x:i64 < 0x123456789abc => x <= 0x123456789abc @ unoriented")
  end)

  it("are all combinations of types", function()
    local text = "a: ult(a:A, b:A) & (ult(c:B, d:B) & (ult(e:C, f:C) & ult(g:D, h:D))) => false "
      .. "if width(A) == 64 and width(B) == 64 and width(C) == 64 and width(D) == 64"
    is("a: wrong at i64: [^\n]+", text)
    is("a: wrong at i8, i64: [^\n]+", (text:gsub("width%(D%) == 64", "width(D) == 8")))
  end)

  it("is what a dialect's ops compute", function()
    local D = phial.dialect("d", {
      dbl = { args = { "i64" }, result = "i64", pure = true, eval = function(x) return x + x end },
      odd = { args = { "i64" }, result = "i1", pure = true, eval = function(x)
        return x & 1 == 1
      end },
      byte = { args = { "i8" }, result = "i8", pure = true, eval = function(x) return x & 255 end },
      wide = { args = { "i8" }, result = "i8", pure = true, eval = function(x) return x + 256 end },
      half = { args = { "f64" }, result = "f64", pure = true, eval = function(x) return x / 2 end },
      fail = { args = { "i64" }, result = "i64", pure = true, eval = function() error "no" end },
    })
    local function with(expected, text) is(expected, text, nil, nil, D) end
    with(TESTED, "a: d.dbl(x) => x + x @ unoriented")
    with("a: wrong at i64: x=%-?%d+: %-?%d+ %-> %-?%d+", "a: d.dbl(x) => x")
    with("a: wrong at i64: x=%-?%d+: 1 %-> 0", "a: d.odd(x) => x == 1 @ unoriented")
    with(TESTED, "a: d.odd(x) => x & 1 == 1 @ unoriented, always")
    with(TESTED, "a: d.half(x) => fmul(x, 0.5) @ unoriented")
    with(WRONG, "a: d.half(d.half(x)) => d.half(x)")
    with(PROVED, "a: d.byte(x) => x")
    with("a: wrong at i8: x=%-?%d+: %-?%d+ %-> a trap", "a: x + 0 => d.wide(x) @ unoriented")
    with("a: wrong at i64: x=%-?%d+: %-?%d+ %-> a trap", "a: x + 0 => d.fail(x) @ unoriented")
  end)

  -- As in Hacker's Delight; the multiplier is too small, or larger than it may
  -- be: then it is wrong for one in some 1,000 numbers.
  it("finds wrong magic divisors", function()
    local missed = {}
    for i = 1, 60 do
      local d = i < 40 and 2 * i + 1 or 1000003 + 7919 * i
      local s = 0
      while 1 << s < d do s = s + 1 end
      local m = (1 << 32 + s - 1) // d + (i % 2 == 0 and (d < 100 and 2 or 2000) or 0)
      local text = ("a: udiv(x:i32, %d) => trunc(shr(zext(x):i64 * %d, %d)):i32 "
        .. "@ unoriented, always"):format(d, m, 32 + s - 1)
      if phial.rules(text):check() then missed[#missed + 1] = text end
    end
    assert.same({}, missed)
  end)
end)

describe("a nan", function()
  it("may become another one, which is said", function()
    local some = TESTED .. ", up to the bits of nans"
    is(some, "a: fmul(fneg(x), C) => fmul(x, fneg(C))")
    is(some, "a: fsub(x, C) => fadd(x, fneg(C)) @ unoriented")
    is(TESTED, "a: fneg(fneg(x)) => x")
    is(TESTED, "a: fmul(x, 2.0) => fadd(x, x) @ unoriented")
    assert.truthy(file.read("docs/rules.md"):find("up to the bits of nans", 1, true))
  end)

  it("whose bits are looked at has them", function()
    is(WRONG, "a: bitcast(fmul(fneg(x:f64), C)):i64 => bitcast(fmul(x, fneg(C))):i64")
  end)
end)

describe("sums of shift amounts", function()
  it("wrap around in a guard, too", function()
    is(WRONG, "a: shl(shl(x, A), B) => shl(x, A + B) if A + B < width(x)")
    is(WRONG, "a: sar(sar(x, A), B) => sar(x, width(x) - 1) if A + B >= width(x)")
    is(CHECKED, "a: shl(shl(x, A), B) => shl(x, A + B) "
      .. "if ult(A, width(x)) and ult(B, width(x)) and A + B < width(x)")
  end)
end)

describe("no rule is said to hold", function()
  local RUNS <const> = tonumber(os.getenv "RUNS") or under.brief and 20 or 60

  -- What is true of constants that no small width has.
  local function guard()
    local wide = math.random(0x100, 0xffff)
    local kinds = {
      ("C == %d"):format(wide), ("C >= %d and C <= %d"):format(wide, wide + 3),
      ("C == %d or C == %d"):format(wide, wide + 77), ("C - 1 == %d"):format(wide),
      ("C & 0xfff0 == %d"):format((wide | 0x1000) & 0xfff0),
      ("popcnt(C) == %d and ctz(C) == %d"):format(math.random(2, 9), math.random(9, 20)),
      ("pow2(C) and log2(C) == %d"):format(math.random(9, 31)),
      ("pow2(C + 1) and C > %d"):format(wide), ("not (C < %d)"):format(wide),
      ("ugt(C, %d) and C > 0"):format(wide),
      ("clz(C) == width(C) - %d"):format(math.random(10, 30)),
    }
    return kinds[math.random(#kinds)]
  end

  it("whose guard hides from small widths what is wrong", function()
    math.randomseed(tonumber(os.getenv "SEED") or 1)
    for _ = 1, RUNS do
      local g = guard()
      for _, text in ipairs { "a: x * C => x if %s", "a: x + C => x if C == 0 or %s" } do
        local got, ok = one(text:format(g))
        assert.is_nil(ok, text:format(g) .. "\n" .. got)
      end
    end
  end)

  it("for more than tested, if its guard hides it from small widths", function()
    math.randomseed(tonumber(os.getenv "SEED") or 1)
    for _ = 1, RUNS do
      local text = ("a: x + C => x - -C if %s @ unoriented"):format(guard())
      local got = one(text)
      assert.truthy(got:find "^a: tested, " or got:find "^a: never applies: ", text .. "\n" .. got)
    end
  end)

  it("that is wrong at one constant only", function()
    math.randomseed(tonumber(os.getenv "SEED") or 1)
    for _ = 1, RUNS do
      local k, a = math.random(0x101, 0xfffff) | 1, math.random(0x100, 0xffff)
      local conditions = {
        ("C == %d"):format(k), ("C + %d == %d"):format(a, k + a), ("C - %d == %d"):format(a, k - a),
        ("C ~ %d == %d"):format(a, k ~ a), ("-C == %d"):format(-k), ("~C == %d"):format(~k),
      }
      local is_k = conditions[math.random(#conditions)]
      for _, text in ipairs {
        "a: x * C => x << log2(C) if pow2(C) or %s",
        "a: udiv(x, C) => shr(x, log2(C)) if pow2(C) or %s",
        "a: x + C => x ~ C if C == INT_MIN or %s @ unoriented",
        "a: x ~= C => true if %s",
        "a: x & C => x if C == -1 or %s",
      } do
        local got, ok = one(text:format(is_k))
        assert.is_nil(ok, text:format(is_k) .. "\n" .. got)
      end
    end
  end)
end)
