-- R:prove and R:smt: rules as questions to a solver. What needs one says so where z3 is missing.
local assert = require "spec.support.assert"
local phial = require "phial"
local raises = require "spec.support.raises"
local under = require "spec.support.under"

local ready = os.execute "command -v z3 >/dev/null"

local function prove(name, f)
  if ready then it(name, f) else pending(name .. ": needs z3") end
end

local function verdict(text, opts)
  local ok, list = phial.rules(text):prove(opts)
  assert.equal(1, #list)
  return list[1], ok
end

describe("R:smt", function()
  it("asks for values for which a rule is wrong", function()
    assert.equal([[
; a at i8
(reset)
(set-logic QF_BV)
(declare-const v.C (_ BitVec 8))
(declare-const v.x (_ BitVec 8))
(assert (and (distinct v.C #x00) (= (bvand v.C (bvsub v.C #x01)) #x00)))
(assert (or (distinct false false) (and (not false) (distinct (bvadd v.x v.C) v.x))))
(check-sat)
]], (phial.rules("a: x + C => x if pow2(C) @ unoriented"):smt("a", { widths = { 8 } })
      -- constants of guards have 64 bits
      :gsub("%(%(_ zero_extend 56%) (%b())%)", "%1")
      :gsub("%(%(_ extract 7 0%) %(%(_ sign_extend 56%) v.C%)%)", "v.C")
      :gsub("#x00000000000000(%x%x)", "#x%1")))
  end)

  it("refuses what solvers are not told", function()
    local R = phial.rules("a: x * C => $f(x, C)", { f = print })
    raises.matching("rule 'a': its result is made by a function$", R.smt, R, "a")
    raises.matching("there is no rule 'b'", R.smt, R, "b")
    R = phial.rules "a: bitcast(fneg(x:f32)):i32 => bitcast(x):i32 @ unoriented"
    raises.matching("rule 'a': 'bitcast' of f32 is not told to solvers$", R.smt, R, "a")
    local why = "option 'widths': 1, 8, 16, 32 or 64 expected, got 7 as number 1"
    raises.matching(why, R.smt, R, "a", { widths = { 7 } })
  end)
end)

describe("an op without smt is named", function()
  local d = phial.dialect("d", {
    one = { args = {}, result = "i32", pure = true },
    inc = { args = { "i32" }, result = "i32", pure = true, eval = function(a) return a + 1 end },
  })
  for text, op in pairs {
    ["a: ret(x + 0) => ret(x)"] = "ret", ["a: d.inc(x) + 0 => d.inc(x)"] = "d.inc",
    ["a: d.one() + x => x @ unoriented"] = "d.one", ["a: x + C => d.inc(C)"] = "d.inc",
  } do
    it(text, function()
      local R = phial.rules():attach(d):add(text)
      local why = ("op '%s' cannot be proved: it has no smt"):format(op)
      raises.matching("rule 'a': " .. why .. "$", R.smt, R, "a")
      assert.same({ "a: open: " .. why }, (select(2, R:prove())))
    end)
  end
end)

describe("the smt of a dialect's op", function()
  local function op(smt, args, eval, result)
    return { args = args or { "i8" }, result = result or "i8", pure = true, smt = smt, eval = eval,
      traps = smt:find "trap" ~= nil }
  end
  local two = { "i8", "i8" }
  local D = phial.dialect("m", {
    inc = op("(bvadd $a $k(1))", nil, function(x) return x == 127 and -128 or x + 1 end),
    mean = op("((_ extract $(w) 1) (bvadd ((_ sign_extend 1) $a) ((_ sign_extend 1) $b)))", two),
    pick = op("(ite (= $a #b1) $b (bvxor $c $d))", { "i1", "i8", "i8", "i8" }),
    div = op("trap (= $b $k(0))\n(bvudiv $a $b)", two),
    wide = op("((_ sign_extend $(w-w.a)) $a)", nil, nil, "*"),
    seven = op("$k(7)", {}), off = op "(bvadd $a $b)", number = op "(bvadd $a $k(w+x))",
    odd = op "(bvadd $a", liar = op("(bvneg $a)", nil, function(x) return x end),
  })
  local function said(text) return select(2, phial.rules():attach(D):add(text):prove())[1] end

  prove("is what is asked, and shown to be wrong if there is an eval", function()
    for i, text in ipairs {
      "m.mean(x, x) => x", "m.div(x, 1) => x", "m.inc(x) - 1 => x",
      "m.inc(C) => C + 1 @ unoriented", "m.seven() * x => x * 7 @ unoriented",
      "m.pick(~c, x, y, 0) => m.pick(c, y, x, 0) @ unoriented", "trunc(m.wide(x):i64):i8 => x",
    } do
      if not under.brief or i < 3 then assert.equal("a: proved", said("a: " .. text)) end
    end
    assert.matches("^a: wrong at i8: x=%-?%d+: %-?%d+ %-> %-?%d+$", said "a: m.inc(x) - 2 => x")
    for i, text in ipairs { "m.liar(x) => x", "m.div(x, x) => 1", "x:i8 * 77 => m.seven()" } do
      if under.brief and i > 1 then return end
      assert.matches("^a: open at i8: .*running it does not show it$", said("a: " .. text))
    end
  end)

  prove("is refused where it is no text of a value", function()
    for name, why in pairs {
      off = "op 'm.off': smt: there is no operand '$b'$", odd = "'z3' does not understand: ",
      number = "op 'm.number': smt: '$(w+x)' is not an integer made of w and w.a$",
    } do raises.matching(why:gsub("[+().]", "%%%0"), said, ("a: m.%s(x) => x"):format(name)) end
  end)
end)

describe("R:prove", function()
  local name = "asks cvc5 as well"
  if os.execute "command -v cvc5 >/dev/null" then
    it(name, function()
      local R = phial.rules "a: rotl(rotl(x:i8, A), B) => rotl(x, A + B)"
      assert((R:prove { solver = "cvc5" }))
    end)
  else
    pending(name .. ": needs cvc5")
  end

  it("says which solver is missing", function()
    local R = phial.rules "a: x + 0 => x"
    raises.matching("there is no solver '/nowhere/z3': install it, or set the option solver$",
      R.prove, R, { solver = "/nowhere/z3" })
    raises.matching('a name or path that ends with "z3" or "cvc5" expected', R.prove, R,
      { solver = "yices" })
  end)

  -- A rule of each kind, which its widths leave to a solver: by `make test` the first ones.
  prove("proves what holds", function()
    for i, text in ipairs {
      "a: x * C => x << log2(C) if pow2(C)",
      "a: rotl(rotl(x, A), B) => rotl(x, urem(urem(A, width(x)) + urem(B, width(x)), width(x)))",
      "a: udiv(x, C) => shr(x, log2(C)) if pow2(C)",
      "a: trunc(zext(x:T)):T => x",
      "a: [sle|sge|ule|uge]([smin|smax|umin|umax](x, y), x) => true @ prio 1",
      "a: bswap(bswap(x)) => x",
      "a: fsub(x, C) => fadd(x, fneg(C))",
      "a: copysign(x, fneg(x)) => fneg(x)",
      "a: copysign(x:f32, copysign(_, fneg(fabs(y)))) => fneg(fabs(x))",
      "a: branch(~c, T, F) => branch(c, F, T)",
      "a: fadd(x:f32, C) => x if bitcast(C):i32 == INT_MIN",
      "a: (z @ (x & y)) + C => z | C if C & ~zero_bits(z) == 0 @ unoriented",
      "a: sdiv(x, y) => udiv(x, y) if nonneg(x) and nonneg(y) and nonzero(y) @ unoriented",
      "a: select(c, z @ (x | y), z ~ x) & x => select(c, x, 0) @ unoriented, always",
      "a: switch(_, D) => jump(D)",
      "a: switch(x, D, K, T) => branch(x == K, T, D) @ unoriented, always",
      "a: switch(x, D, A, T, B, U) => switch(x, D, B, U, A, T) @ unoriented",
      "a: ptradd(ptradd(p, A), B) => ptradd(p, A + B)",
      "a: shl(x:i8, A) * B => x * (B << A) if ult(A, 8)",
    } do
      if under.brief and i > 3 then return end
      local ok, list = phial.rules(text):prove { widths = { 8, 16 } }
      assert.is_true(ok, list[1])
      assert.equal("a: proved", list[1])
    end
  end)

  prove("finds cases for R:check", function()
    local R = phial.rules [[
      a: (x:i64 ~ y) * 6364136223846793005 == 81985529216486895 => false
      b: x + 0 => x
    ]]
    assert.is_true(R:check())
    local _, _, samples = R:prove { rule = "a" }
    assert.is_nil((R:check { samples = samples }))
    assert.same({}, select(3, R:prove { rule = "b" }))
  end)

  prove("shows what is wrong, as phial computes it", function()
    for i, it in ipairs {
      { "a: sdiv(x:i8, 2) => sar(x, 1)", "a: wrong at i8: x=%-%d+: %-?%d+ %-> %-%d+" },
      { "a: branch(~c, T, F) => branch(c, T, F)", "a: wrong at i1: c=[01]: [TF] %-> [TF]" },
      { "a: switch(x:i8, D, K, T) => branch(x == K, D, T) @ unoriented, always",
        "a: wrong at i8: x=%-?%d+, K=%-?%d+: [TD] %-> [TD]" },
      { "a: switch(x:i8, D, 1, T, 2, U) => switch(x, D, 1, T) @ unoriented",
        "a: wrong at i8: x=2: U %-> D" },
      { "a: switch(x:i8, D, K, T) => switch(x, D, K, T, K, D) @ unoriented",
        "a: open at i8: .*: the solver says wrong, running it does not show it" },
      { "a: fadd(x:f32, 0.0) => x", "a: wrong at f32: x=%-0.0: 0.0 %-> %-0.0" },
      { "a: (z @ (x:i8 & y)) | x => z",
        "a: wrong at i8: x=%-?%d+, y=%-?%d+: %-?%d+ %-> %-?%d+" },
      { "a: sdiv(x:i8, C) => udiv(x, C) if nonneg(x) @ unoriented",
        "a: wrong at i8: x=%d+, C=%-%d+: %-?%d+ %-> %-?%d+" },
      { "a: fadd(x:f32, C) => x if C == 0.0",
        "a: wrong at f32: C=%-?0.0, x=%-0.0: 0.0 %-> %-0.0" },
      { "a: udiv(x:i8, x) => 1", "a: wrong at i8: x=0: a trap %-> 1" },
      { "a: shl(shl(x:i8, A), B) => shl(x, A + B)",
        "a: wrong at i8: .*A=.*: %-?%d+ %-> %-?%d+" },
      { "a: sub(x:i64, C) => x if C < INT_MAX @ unoriented", "a: wrong at i64: .*" },
    } do
      if under.brief and i > 2 then return end
      local got, ok = verdict(it[1])
      assert.is_nil(ok)
      assert.matches("^" .. it[2] .. "$", got)
    end
  end)

  prove("leaves open what it is not told", function()
    assert.equal("a: open: its result is made by a function", (select(2,
      phial.rules("a: x * C => $f(x, C)", { f = print }):prove())[1]))
    assert.equal("a: open: it is marked unsafe: so", (verdict 'a: x + 1 => x @ unsafe "so"'))
    assert.equal("a: open: no integers of these widths, floats or addresses fit it",
      (verdict("a: trunc(x):i16 & 0 => 0", { widths = { 8, 16 } })))
  end)

  prove("asks about each amount of shifts, if all at once is too much", function()
    if under.brief then return end -- the solver works for seconds
    local ok, list = phial.rules("int"):prove { rule = "rotl_k", widths = { 32 }, seconds = 1 }
    assert.is_true(ok, list[1])
    assert.matches("^a: wrong at i32: ", (verdict(
      "a: rotl(rotl(x:i32, A), B) => rotl(x, A + B + (A >> 31)) @ unoriented", { seconds = 1 })))
  end)

  prove("leaves open what its limit ends", function()
    for _, opts in ipairs { { limit = 0 }, { steps = 1 } } do
      opts.widths = { 8, 16 }
      assert.equal("a: open at i8; i16: not decided in time",
        (verdict("a: (x & y) + (x | y) => x + y", opts)))
    end
    raises.matching("'seconds': 0 to 1000000 expected", verdict, "x + 0 => x", { seconds = 0 / 0 })
  end)

  prove("takes any answer of what asks about values", function()
    assert.equal("a: proved, for all answers that its guard may get",
      (verdict("a: x + 0 => x if uses(x) == 1 or isphi(x)", { widths = { 8 }, limit = 9.87654 })))
    assert.matches("^a: .* at i8", (verdict("a: x + y => x if uses(x) == 1 @ unoriented",
      { widths = { 8 } })))
  end)

  prove("agrees with the built-in rules, a sample", function()
    local R = phial.rules "int"
    local names = R:names()
    for i = 1, #names, under.brief and 192 or 24 do
      local _, list = R:prove { rule = names[i], widths = { 1, 8, 16 }, seconds = 20 }
      for _, said in ipairs(list) do assert.matches(": proved$", said) end
    end
  end)
end)

describe("R:prove knows", function()
  local turns = phial.dialect("turn", {
    rot = { args = { "i64" }, result = "i64", pure = true,
      eval = function(x, n) n = n & 63 return n == 0 and x or x << n | x >> 64 - n end,
      smt = "(bvor (bvshl $a (bvand $b $k(63)))"
        .. " (bvlshr $a (bvsub $k(64) (bvand $b $k(63)))))" },
    mute = { args = { "i64" }, result = "i64", pure = true, smt = "$a" },
  })

  prove("data that are integers, as the operand after the last", function()
    local R = phial.rules():attach(turns):add([[
      full: turn.rot{64}(x) => x
      back: turn.rot{1}(turn.rot{-1}(x)) => x
      same: turn.rot{A}(x) & turn.rot{A}(y) => turn.rot{A}(x & y)
      two:  turn.rot{_}(x) == turn.rot{A}(x) => true
      any:  turn.rot{A}(x) => x @ unoriented
      plus: turn.rot{B}(turn.rot{A}(x)) => turn.rot{$plus(A, B)}(x)
      mute: turn.mute{1}(x) => x
      text: turn.rot{"a"}(x) => x
      yes:  turn.rot{true}(x) => x
    ]], { plus = function(a, b) return a + b end })
    local slow = under.brief and { same = true, two = true, plus = true } or {}
    local expected = { "full: proved", "back: proved", "same: proved", "two: wrong at i64: ",
      "any: wrong at i64: ",
      "plus: open at i64: not for all that its functions could give",
      "mute: open: op 'turn.mute': smt does not say what its data do",
      "text: open: data other than integers are not told to solvers",
      "yes: open: data other than integers are not told to solvers" }
    for i, start in ipairs(expected) do
      if not slow[R:names()[i]] then
        local _, list = R:prove { rule = R:names()[i] }
        assert.equal(start, list[1]:sub(1, #start))
        if i == 5 then
          assert.matches("^any: wrong at i64: x=%-?%d+, A=%-?%d+: %-?%d+ %-> %-?%d+$", list[1])
        end
      end
    end
  end)

  prove("functions of constants: what holds for any is proved, else they are asked", function()
    local R = phial.rules([[
      log:   x * C => x << $log(C) if 1 << $log(C) == C
      hasty: x * C => x << $log(C)
      again: x + C => x + $g($h(C)) if C == $g($h(C)) @ unoriented
      real:  fmul(x, C) => fmul(x, $g(C)) if C == $g(C) and C > 0.0 @ unoriented
      minus: x - C => x + $minus(C) @ unoriented
      one:   x:i1 & C => x & $same(C) @ unoriented
      asked: x + C => x if $never(C)
    ]], { log = function() return 1 end, g = print, h = print, minus = function(C) return -C end,
      same = function(C) return C end, never = function() return false end,
    })
    for i, row in ipairs {
      { "log", "proved, for all answers that its guard may get$" },
      { "asked", "open at i1: .*: the solver says wrong, running it does not show it" },
      { "hasty", "wrong at i[18]: " },
      { "again", "proved, for all answers that its guard may get$" },
      { "real", "proved, for all answers that its guard may get$" },
      { "minus", "open at i8: not for all that its functions could give$" }, { "one", "proved$" },
    } do
      if under.brief and i > 2 then return end -- the solver works for seconds
      local _, list = R:prove { widths = { 1, 8 }, rule = row[1] }
      assert.matches(("^%s: %s"):format(row[1], row[2]), list[1])
    end
  end)
end)
