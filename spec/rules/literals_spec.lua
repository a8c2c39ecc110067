-- Rules that differ in constants, or in ops of operands of operands: which one applies, among
-- many of one shape.
local phial = require "phial"
local prop = require "spec.support.prop"

local WIDTHS = { i8 = 8, i16 = 16, i32 = 32, i64 = 64 }
local TYPES = { "i8", "i16", "i32", "i64" }

local NUMBERS = { 0, 1, 2, 3, 5, 7, 100, 127, 128, 129, 200, 254, 255, 256, 1000, 32767, 32768,
  65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, math.maxinteger, math.mininteger,
  -1, -2, -3, -56, -100, -127, -128, -129, -256, -1000, -32768, -32769 }

local function is_representable(n, width)
  return width == 64 or n >= -(1 << width - 1) and n < 1 << width
end

local function is_equal(a, b, width)
  return width == 64 and a == b or (a - b) & (1 << width) - 1 == 0
end

-- The shapes of rules: how many ops and literals they have, which order them, and
-- whether they match an instruction x + c, or (x - c) + d, at some width.
local shapes = {
  { text = "x + %d", ops = 0, literals = 1 },
  { text = "x + C", ops = 0, literals = 0, guard = " if C == %d" },
  { text = "(x - %d) + C", ops = 1, literals = 1, deep = true },
  { text = "(x - C) + %d", ops = 1, literals = 1 },
  { text = "(x - C) + D", ops = 1, literals = 0, deep = true, guard = " if C == %d" },
}

local function generate(pick)
  local rules = {}
  for i = 1, pick(60) do
    rules[i] = { shape = pick(#shapes), number = NUMBERS[pick(#NUMBERS)], prio = pick(3) - 2 }
  end
  local insts = {}
  for i = 1, 12 do
    insts[i] = { type = TYPES[pick(#TYPES)], deep = pick(2) == 1 and NUMBERS[pick(#NUMBERS)],
      number = NUMBERS[pick(#NUMBERS)] }
  end
  return setmetatable({ rules = rules, insts = insts }, { __tostring = function() return "" end })
end

local function text(rules)
  local lines = {}
  for i, rule in ipairs(rules) do
    local shape = shapes[rule.shape]
    local guard = shape.guard and shape.guard:format(rule.number) or ""
    lines[i] = ("r%d: %s => x%s @ prio %d"):format(i,
      shape.guard and shape.text or shape.text:format(rule.number), guard, rule.prio)
  end
  return table.concat(lines, "\n")
end

-- The number of the rule that comes first among those that match, or nil.
local function expected(rules, inst, c, deep)
  local best
  local function precedes(a, b)
    local s, t = shapes[a.shape], shapes[b.shape]
    if a.prio ~= b.prio then return a.prio > b.prio end
    if s.ops ~= t.ops then return s.ops > t.ops end
    return s.literals > t.literals
  end
  for i, rule in ipairs(rules) do
    local shape, width = shapes[rule.shape], WIDTHS[inst.type]
    local it = c
    if shape.deep then it = deep end
    local fits = it and (shape.ops == 0 or deep)
    if shape.guard then
      fits = fits and it == rule.number
    else
      fits = fits and is_representable(rule.number, width) and is_equal(it, rule.number, width)
    end
    if fits and (not best or precedes(rule, rules[best])) then best = i end
  end
  return best
end

-- A constant as rules see it.
local function wrapped(n, width)
  local unused = 64 - width
  n = n << unused
  return unused == 0 and n or n // (1 << unused)
end

it("of many rules of one shape the first one that matches applies", function()
  prop.forall(generate, function(case)
    local R = phial.rules(text(case.rules))
    for _, inst in ipairs(case.insts) do
      local fn = phial.fn("f", { "x:" .. inst.type }, nil, { rules = R, where = false })
      local b, x, width = fn:entry(), fn:arg(1), WIDTHS[inst.type]
      local c, d = wrapped(inst.number, width), inst.deep and wrapped(inst.deep, width)
      local left = d and b:sub(x, d) or x
      local it, want = b:add(left, c), expected(case.rules, inst, c, d)
      assert.equal(want and "r" .. want, (next(fn:stats().rules)))
      if want then
        assert.equal(shapes[case.rules[want].shape].ops == 0 and left or x, it)
      end
    end
  end)
end)

-- What a rule asks of an operand, or what that is: anything, an op, or a constant, but not of
-- the first one, since constants are computed.
local OPERANDS <const> = { "any", "shr", "sar", "udiv", "urem", 3, 100 }

local function generate_ops(pick)
  local function draw()
    return { OPERANDS[pick(5)], OPERANDS[pick(#OPERANDS)], OPERANDS[pick(#OPERANDS)] }
  end
  local rules, insts = {}, {}
  for i = 1, pick(400) do rules[i] = draw() end
  for i = 1, 12 do insts[i] = draw() end
  return setmetatable({ rules = rules, insts = insts }, { __tostring = function() return "" end })
end

-- shl(p, q) - r, each operand as the rule asks for.
local function text_of_ops(rules)
  local lines = {}
  for i, rule in ipairs(rules) do
    local operands = {}
    for k, it in ipairs(rule) do
      operands[k] = it == "any" and "_" or type(it) == "string" and it .. "(_, _)" or tostring(it)
    end
    lines[i] = ("r%d: shl(%s, %s) - %s => 0"):format(i, table.unpack(operands))
  end
  return table.concat(lines, "\n")
end

-- More ops come first, then more literals.
local function rank_of(rule)
  local rank = 0
  for _, it in ipairs(rule) do
    rank = rank + (it == "any" and 0 or type(it) == "string" and 10 or 1)
  end
  return rank
end

local function expected_of_ops(rules, inst)
  local best
  for i, rule in ipairs(rules) do
    local fits = true
    for k, it in ipairs(rule) do fits = fits and (it == "any" or it == inst[k]) end
    if fits and (not best or rank_of(rule) > rank_of(rules[best])) then best = i end
  end
  return best
end

it("of many rules that differ in ops the first one that matches applies", function()
  prop.forall(generate_ops, function(case)
    local R = phial.rules(text_of_ops(case.rules))
    for _, inst in ipairs(case.insts) do
      local fn = phial.fn("f", { "x", "y" }, nil, { rules = R, where = false })
      local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
      local operands = {}
      for k, it in ipairs(inst) do
        operands[k] = it == "any" and x or type(it) == "string" and b:emit(it, x, y) or it
      end
      local want = expected_of_ops(case.rules, inst)
      b:sub(b:shl(operands[1], operands[2]), operands[3])
      assert.equal(want and "r" .. want, (next(fn:stats().rules)))
      fn:close()
    end
  end)
end)

it("a float is that of the rule, also where rules are few", function()
  local fn = phial.fn("f", { "x:f64" }, nil, {
    rules = phial.rules "one: fadd(x, 1.5) => x\nzero: fadd(x, -0.0) => x", where = false })
  local b, x = fn:entry(), fn:arg(1)
  assert.equal(x, b:fadd(x, 1.5))
  assert.equal(x, b:fadd(x, -0.0))
  for _, other in ipairs { 2.5, -1.5, 0.0 } do assert.not_equal(x, b:fadd(x, other)) end
end)

it("floats and values of any type find theirs, too", function()
  local lines = {}
  for i = 1, 40 do
    lines[#lines + 1] = ("f%d: fadd(x, %d.5) => x"):format(i, i)
    lines[#lines + 1] = ("m%d: fmul(x, -%d.5) => x"):format(i, i)
  end
  local R = phial.rules(table.concat(lines, "\n"))
  for _, type in ipairs { "f32", "f64" } do
    local fn = phial.fn("f", { "x:" .. type }, nil, { rules = R, where = false })
    local b, x = fn:entry(), fn:arg(1)
    for i = 1, 40 do
      assert.equal(x, b:fadd(x, i + 0.5))
      assert.equal(x, b:fmul(x, -0.5 - i))
      assert.not_equal(x, b:fadd(x, i + 0.25))
    end
    assert.equal(1, fn:stats().rules.f17)
  end
end)

it("rules that switch off, are removed or added are respected", function()
  local lines = {}
  for i = 1, 20 do lines[i] = ("r%d: x + %d => x"):format(i, 100 + i) end
  local R = phial.rules(table.concat(lines, "\n"))
  local fn = phial.fn("f", { "x" }, nil, { rules = R, where = false })
  local b, x = fn:entry(), fn:arg(1)
  assert.equal(x, b:add(x, 105))
  R:remove "r5"
  assert.not_equal(x, b:add(x, 105))
  R:add "late: x + 105 => x"
  assert.equal(x, b:add(x, 105))
  R:enable("late", false)
  assert.not_equal(x, b:add(x, 105))
end)
