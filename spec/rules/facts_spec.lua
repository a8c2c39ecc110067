-- What guards are told of values: nonneg, nonzero, zero_bits.
local arithmetic = require "spec.support.arithmetic"
local assert = require "spec.support.assert"
local ops = require "spec.support.ops"
local patterns = require "spec.support.patterns"
local phial = require "phial"
local prop = require "spec.support.prop"
local semantics = require "spec.oracle.semantics"
local variants = require "spec.support.variants"

-- Rules that never apply, and call f(x, zero_bits, nonneg, nonzero) with operands.
local function asking(f)
  local lines = {}
  for _, op in ipairs(ops.with("t:tt", "b:tt", "b:ee")) do
    lines[#lines + 1] = ("%s(x:T, y) => %s(y, x)%s @ unoriented"):format(op, op,
      " if width(x) > 0 and $see(x, zero_bits(x), nonneg(x), nonzero(x))")
  end
  return phial.rules(table.concat(lines, "\n"), { see = function(...)
    f(...)
    return false
  end})
end

local function holds(claim, n)
  return n & claim.zeros == 0 and not (claim.nonneg and n < 0) and not (claim.nonzero and n == 0)
end

describe("a fact", function()
  local RULES = patterns.read(patterns.standard())

  local function generate(pick)
    local seals = { "late", "early", "counted" }
    return setmetatable({ program = arithmetic.generate(pick, 8, RULES, { dense = pick(2) == 1 }),
      seal = seals[pick(#seals)], construction = variants[pick(#variants)],
      refine = pick(3) == 1, split = pick(2) == 1, keep_unreachable = pick(3) == 1,
    }, { __tostring = function(case) return tostring(case.program) end })
  end

  it("is true of all values that random functions compute", function()
    local told, met = 0, 0
    local cases = prop.forall(generate, function(case)
      local claims, wrong = {}, nil
      local fn = arithmetic.build(case.program, function() end, { seal = case.seal,
        construction = case.construction, refine = case.refine, split = case.split,
        keep_unreachable = case.keep_unreachable,
        rules = asking(function(x, zeros, nonneg, nonzero)
          claims[x] = claims[x] or {}
          table.insert(claims[x], { zeros = zeros, nonneg = nonneg == 1, nonzero = nonzero == 1 })
          if zeros ~= 0 and x:op() ~= "const" then told = told + 1 end
        end) })
      local function watch(v, value)
        local n = value == true and -1 or value == false and 0 or value
        for _, claim in ipairs(claims[v] or {}) do
          met = met + 1
          if not holds(claim, n) then
            wrong = ("%s is %s, zeros %x\n%s"):format(v, value, claim.zeros, fn)
          end
        end
      end
      pcall(semantics.run, fn, { fuel = 60, watch = watch }, table.unpack(case.program.values))
      if wrong then error(wrong, 0) end
    end)
    assert(told >= cases // 10 and met >= cases // 10 * 50, ("%d told, %d met"):format(told, met))
  end)

  -- Operands of which something is known.
  local OPERANDS <const> = {
    function(b, x, n) return b:band(x, n) end, function(b, x, n) return b:bor(x, n) end,
    function(b, x, n) return b:shl(x, n) end, function(b, x, n) return b:shr(x, n) end,
    function(b, x, n) return b:sar(b:bor(x, 128), n) end, function(_, x) return x end,
    function(b, x, n) return b:bor(b:band(x, 0), n) end,
    function(b, x, n) return b:zext(b:trunc(b:band(x, n), "i1"), "i8") end,
    function(b, x, n) return b:trunc(b:bswap(b:sext(b:band(x, n), "i32")), "i8") end,
    function(b, x, n) return b:select(b:ult(x, n), b:band(x, 15), b:bor(x, n)) end,
  }
  local EXTREMES <const> = { 0, 1, 2, 3, 7, 8, 15, 31, 63, 64, 126, 127, -1, -2, -3, -8, -64, -127,
    -128, 85 }

  it("is true of each op, for operands of which something is known", function()
    local binary, unary, told = ops.with "t:tt", ops.with("t:t", "x:x"), 0
    local cases = prop.forall(function(pick)
      local function byte() return ((1 << pick(8)) - pick(3)) & 127 end
      return { op = pick(3) > 1 and binary[pick(#binary)] or unary[pick(#unary)],
        left = pick(#OPERANDS), right = pick(#OPERANDS), m = byte(), n = byte() }
    end, function(case)
      local claim
      local fn = phial.fn("f", { "x:i8", "y:i8", "z:i8" }, "i8", { rules = asking(
        function(_, zeros, nonneg, nonzero)
          claim = claim or { zeros = zeros, nonneg = nonneg == 1, nonzero = nonzero == 1 }
        end) })
      local b = fn:entry()
      local x = OPERANDS[case.left](b, fn:arg(1), case.m)
      local y = OPERANDS[case.right](b, fn:arg(2), case.n)
      local v = #ops.row[case.op].signature == 4 and b:emit(case.op, x, y) or b:emit(case.op, x)
      claim = nil
      b:sub(v, fn:arg(3))
      b:ret(v)
      fn:finish()
      if claim and claim.zeros ~= 0 then told = told + 1 end
      for _, x_is in ipairs(EXTREMES) do
        for _, y_is in ipairs(EXTREMES) do
          local done, n = pcall(fn, x_is, y_is, 0)
          if done and claim and not holds(claim, n) then
            error(("%d, zeros %x\n%s"):format(n, claim.zeros, fn), 0)
          end
        end
      end
    end, 800)
    assert(told >= cases // 5, told)
  end)

  -- What is known of i8 x, y: the bits that are 0, whether it is nonneg, nonzero.
  local EXPECTED <const> = {
    { 0x00, false, false, function(_, x) return x end },
    { 0xf8, true, false, function(b, x) return b:band(x, 7) end },
    { 0x00, false, true, function(b, x) return b:bor(x, 4) end },
    { 0xf8, true, true, function(b, x) return b:bor(b:band(x, 6), 1) end },
    { 0xe0, true, false, function(b, x, y) return b:add(b:band(x, 15), b:band(y, 15)) end },
    { 0x03, false, false, function(b, x, y) return b:sub(b:shl(x, 2), b:shl(y, 3)) end },
    { 0x07, false, false, function(b, x) return b:neg(b:shl(x, 3)) end },
    { 0x00, false, true, function(b, x) return b:neg(b:bor(x, 8)) end },
    { 0x07, false, false, function(b, x, y) return b:mul(b:shl(x, 2), b:shl(y, 1)) end },
    { 0xf0, true, false, function(b, x, y) return b:mul(b:band(x, 3), b:band(y, 3)) end },
    { 0xf0, true, false, function(b, x) return b:umulh(x, 15) end },
    { 0xc0, true, false, function(b, x, y) return b:udiv(b:band(x, 63), y) end },
    { 0xf8, true, false, function(b, x) return b:urem(x, 7) end },
    { 0x00, false, false, function(b, x, y) return b:sdiv(b:band(x, 63), y) end },
    { 0xc0, true, false, function(b, x) return b:sdiv(b:band(x, 63), 3) end },
    { 0xc0, true, false, function(b, x, y) return b:srem(b:band(x, 63), y) end },
    { 0x07, false, false, function(b, x) return b:bnot(b:bor(x, 7)) end },
    { 0x0f, false, false, function(b, x) return b:shl(x, 4) end },
    { 0x03, false, false, function(b, x, y) return b:shl(b:shl(x, 2), y) end },
    { 0xf0, true, false, function(b, x) return b:shr(x, 4) end },
    { 0xf0, true, false, function(b, x, y) return b:shr(b:band(x, 15), y) end },
    { 0xfc, true, false, function(b, x) return b:sar(b:band(x, 15), 2) end },
    { 0xe1, true, false, function(b, x) return b:rotl(b:band(x, 15), 1) end },
    { 0x87, true, false, function(b, x) return b:bnot(b:rotr(b:bor(x, 15), 1)) end },
    { 0x00, false, true, function(b, x, y) return b:rotr(b:bor(x, 1), y) end },
    { 0xf0, true, false, function(b, x) return b:clz(x) end },
    { 0xf0, true, false, function(b, x) return b:popcnt(x) end },
    { 0xf0, true, false, function(b, x, y) return b:umin(b:band(x, 15), y) end },
    { 0x00, false, true, function(b, x, y) return b:umax(b:bor(x, 1), y) end },
    { 0x80, true, false, function(b, x, y) return b:smax(b:band(x, 15), y) end },
    { 0x00, false, false, function(b, x, y) return b:smin(b:band(x, 15), y) end },
    { 0xfe, true, false, function(b, x, y) return b:zext(b:eq(x, y), "i8") end },
    { 0xe0, true, false, function(b, x, y)
      return b:select(b:slt(x, y), b:band(x, 15), b:band(y, 31))
    end },
    { 0xff, true, false, function(b, x) return b:trunc(b:shl(b:zext(x, "i32"), 8), "i8") end },
    { 0xfe, true, true, function(b, x)
      return b:trunc(b:bswap(b:bor(b:zext(x, "i16"), 0x100)), "i8")
    end },
    -- fifteen values, and two more
    { 0xf0, true, false, function(b, x)
      x = b:band(x, 15)
      for _ = 1, 12 do x = b:bnot(x) end
      return x
    end },
    { 0x00, false, false, function(b, x)
      x = b:band(x, 15)
      for _ = 1, 14 do x = b:bnot(x) end
      return x
    end },
  }

  for i, case in ipairs(EXPECTED) do
    it(("is known where definitions tell it, %d"):format(i), function()
      local seen
      local fn = phial.fn("f", { "x:i8", "y:i8", "z:i8" }, nil, { rules = asking(
        function(_, zeros, nonneg, nonzero)
          seen = { zeros & 0xff, nonneg == 1, nonzero == 1 }
        end) })
      local b = fn:entry()
      local v = case[4](b, fn:arg(1), fn:arg(2))
      seen = nil
      b:sub(v, fn:arg(3))
      assert.same({ case[1], case[2], case[3] }, seen)
    end)
  end

  -- A loop: entry -> head <-> body, and v, which is 1 at first and 5 at its end.
  local function loop(opts)
    local zeros
    opts.rules = asking(function(x, bits) if x:type() == "i8" then zeros = bits & 0xff end end)
    local fn = phial.fn("f", { "c:i1", "z:i8" }, nil, opts)
    local entry, head, body, done = fn:entry(), fn:block(), fn:block(), fn:block()
    local v = fn:var("v", "i8")
    entry:write(v, 1)
    entry:jump(head)
    local function ask(b)
      zeros = nil
      b:sub(b:read(v), fn:arg(2))
      return zeros
    end
    return ask, fn, head, body, done, v
  end

  it("is not told by a phi that has not got its operands", function()
    local ask, fn, head, body, done, v = loop {}
    assert.equal(0, ask(head))
    head:branch(fn:arg(1), body, done)
    body:seal()
    body:write(v, body:band(body:read(v), 5))
    body:jump(head)
    head:seal()
    done:seal()
    -- 1, or a value and 5, of whatever value
    assert.equal(0xfa, ask(done))
  end)

  it("is not told by a value that is undefined", function()
    local zeros
    local fn = phial.fn("f", { "c:i1", "z:i8" }, nil,
      { rules = asking(function(_, bits) zeros = bits end) })
    local b = fn:entry()
    b:sub(b:read(fn:var("v", "i8")), fn:arg(2))
    assert.equal(0, zeros)
  end)

  -- docs/rules.md: later questions get the new answer; what was simplified stays.
  it("is as definitions are when it is asked for, also after an edit", function()
    local R = phial.rules "a: x ~= 0 => true if nonzero(x)"
    local fn = phial.fn("f", { "x", "c:i1" }, "i1", { rules = R })
    local b = fn:entry()
    local x = b:bor(fn:arg(1), 4)
    local is = b:ne(x, 0)
    assert.is_true(is:const())
    b:ret(b:band(b:eq(x, 0), fn:arg(2)))
    fn:finish()
    x:set_arg(2, 0)
    local c = fn:entry():insts()[2]:before()
    assert.equal("ne", c:ne(x, 0):op())
  end)
end)

describe("rules with facts", function()
  it("are checked, whatever is known", function()
    local ok, list = phial.rules([[
      a: x & C => x if C | zero_bits(x) == -1
      b: sdiv(x, y) => udiv(x, y) if nonneg(x) and nonneg(y) @ unoriented
      c: (z @ (x & y)) + C => z | C if C & ~zero_bits(z) == 0 @ unoriented
    ]]):check()
    assert.is_true(ok)
    for i = 1, 3 do assert.matches(": checked, applied in %d+ cases$", list[i]) end
  end)

  it("are wrong if they say more than the fact", function()
    local _, list = phial.rules([[
      a: sdiv(x, C) => udiv(x, C) if nonneg(x) @ unoriented
      b: x & C => x if C & zero_bits(x) == 0
      c: x == 0 => true if not nonzero(x)
    ]]):check()
    for i = 1, 3 do assert.matches(": wrong at i8: ", list[i]) end
  end)
end)
