-- Which rules hold where values are undefined, by trying: all results that a pattern can have when
-- each use of a value is another one, or one operand is poison. Types have 1 to 3 bits.
local phial = require "phial"

package.path = "examples/?.lua;" .. package.path
local rules_of_llvm = require "llvm.rules"
local under = require "spec.support.under"

local holds = rules_of_llvm.holds

local POISON <const>, TRAP <const> = {}, {}

-- {== Ops of few bits ===================================================

local function signed(a, w) return a >> w - 1 == 1 and a - (1 << w) or a end
local function truth(t) return t and 1 or 0 end

local ops = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, neg = function(a) return -a end,
  band = function(a, b) return a & b end, bor = function(a, b) return a | b end,
  bxor = function(a, b) return a ~ b end, bnot = function(a) return ~a end,
  trunc = function(a) return a end, zext = function(a) return a end,
  sext = function(a, _, w) return signed(a, w) end,
  shl = function(a, b, w) return b < w and a << b or POISON end,
  shr = function(a, b, w) return b < w and a >> b or POISON end,
  sar = function(a, b, w) return b < w and signed(a, w) >> b or POISON end,
  udiv = function(a, b) return b == 0 and TRAP or a // b end,
  urem = function(a, b) return b == 0 and TRAP or a % b end,
  rotl = function(a, b, w) return a << b % w | (a & (1 << w) - 1) >> (w - b % w) end,
  rotr = function(a, b, w) return (a & (1 << w) - 1) >> b % w | a << (w - b % w) end,
}

for name, test in pairs {
  lt = function(a, b) return a < b end, le = function(a, b) return a <= b end,
  gt = function(a, b) return a > b end, ge = function(a, b) return a >= b end,
} do
  ops["u" .. name] = function(a, b) return truth(test(a, b)) end
  ops["s" .. name] = function(a, b, w) return truth(test(signed(a, w), signed(b, w))) end
end
function ops.eq(a, b) return truth(a == b) end
function ops.ne(a, b) return truth(a ~= b) end
for name, test in pairs { min = math.min, max = math.max } do
  ops["u" .. name] = function(a, b) return test(a, b) end
  ops["s" .. name] = function(a, b, w) return test(signed(a, w), signed(b, w)) end
end

-- }== Rules ==============================================================

-- True if all of a tree can be computed here.
local function is_known(node)
  local kind = node.kind
  if kind == "op" and not ops[node.op] and node.op ~= "select" or kind == "expression"
    and not ops[node.op] or kind == "type" or kind == "any" or kind == "only" or node.as then
    return false
  end
  for _, kid in ipairs(node) do
    if not is_known(kid) then return false end
  end
  return true
end

-- Calls visit(wide, narrow) with the types of each cast.
local function each_cast(node, visit)
  if node.op == "zext" or node.op == "sext" then visit(node.type, node[1].type) end
  if node.op == "trunc" then visit(node[1].type, node.type) end
  for _, kid in ipairs(node) do each_cast(kid, visit) end
end

-- The widths of a rule's types, small ones: conditions have 1 bit, what is cast to or from is as
-- wide as that needs, all else has 2. Nil if floats are among them.
local function widths_of(rule)
  local widths = {}
  for i, names in ipairs(rule.types) do
    if names[#names]:find "^[fp]" then return nil end
    widths[i] = #names == 1 and names[1] == "i1" and 1 or 2
  end
  local function widen(wide, narrow) widths[wide] = math.max(widths[wide], widths[narrow] + 1) end
  each_cast(rule.pattern, function(_, narrow) widths[narrow] = 1 end)
  for _ = 1, #widths do
    each_cast(rule.pattern, widen)
    each_cast(rule.result, widen)
  end
  return widths
end

-- The value of a tree. A state has the widths, the values of variables, POISON among them, and the
-- undefined variable with the values of its uses, the next of which is taken.
local function value(s, node)
  local w = s.widths[node.type]
  if node.kind == "literal" then
    return (math.tointeger(node.value) or truth(node.value)) & (1 << w) - 1
  elseif node.kind == "int_min" then
    return 1 << w - 1
  elseif node.kind == "int_max" then
    return (1 << w - 1) - 1
  elseif node.name and node.name == s.undefined then
    s.at = s.at + 1
    return s.chosen[s.at] or 0
  elseif node.name then
    return s.values[node.name]
  end
  local args = {}
  for i, kid in ipairs(node) do
    args[i] = value(s, kid)
    if args[i] == TRAP then return TRAP end
  end
  if node.op == "select" then
    return args[1] == POISON and POISON or args[1] == 1 and args[2] or args[3]
  end
  if args[1] == POISON or args[2] == POISON then return POISON end
  local result = ops[node.op](args[1], args[2], s.widths[node[1].type])
  return math.type(result) and result & (1 << w) - 1 or result
end

-- The set of the values of a tree, of which the undefined variable's uses can be any.
local function results(s, node)
  local set, width = {}, s.undefined and s.width_of[s.undefined] or 0
  local function choose(i)
    s.at = 0
    local result = value(s, node)
    set[result] = true
    if s.at < i then return end -- so many uses are there
    for choice = 0, (1 << width) - 1 do
      s.chosen[i] = choice
      choose(i + 1)
    end
  end
  choose(1)
  return set
end

-- What is wrong with a rule in this state; nil if nothing is.
local function wrong(s, rule)
  local before = results(s, rule.pattern)
  if before[POISON] or before[TRAP] then return nil end
  for result in pairs(results(s, rule.result)) do
    if not before[result] then return ("%s undefined"):format(s.undefined or "poison") end
  end
end

local function variables(rule, widths)
  local list, width_of = {}, {}
  local function visit(node)
    if node.name and not width_of[node.name] and node.type then
      list[#list + 1], width_of[node.name] = node, widths[node.type]
    end
    for _, kid in ipairs(node) do visit(kid) end
  end
  visit(rule.pattern)
  return list, width_of
end

-- Tries a rule with each of its values undefined, and poison, and samples of the others.
local function try(rule, widths)
  local list, width_of = variables(rule, widths)
  for _, odd in ipairs(list) do
    for _ = 1, odd.kind == "value" and 8 or 0 do
      local values = {}
      for _, node in ipairs(list) do
        values[node.name] = math.random(0, (1 << width_of[node.name]) - 1)
      end
      local s = { widths = widths, width_of = width_of, values = values, chosen = {}, at = 0,
        undefined = odd.name }
      local why = wrong(s, rule)
      s.undefined, values[odd.name] = nil, POISON
      why = why or wrong(s, rule)
      if why then return why end
    end
  end
end

-- }== Specs ==============================================================

describe("a rule that examples/llvm uses", function()
  it("holds for undefined values", function()
    math.randomseed(1)
    local tried = { [true] = 0, [false] = 0 }
    for _, rule in ipairs(phial.rules("int"):add(rules_of_llvm.TEXT):rules()) do
      local widths = not rule.guard and widths_of(rule)
      if widths and rule.pattern.type and is_known(rule.pattern) and is_known(rule.result) then
        local safe, why = holds(rule), try(rule, widths)
        assert(not (safe and why), ("%s: %s"):format(rule.text, why))
        tried[why == nil] = tried[why == nil] + 1
      end
    end
    assert.is_true(tried[true] > 150 and tried[false] > 3, tried[true])
  end)

  it("is right, and holds, if it is its own", function()
    local R = phial.rules(rules_of_llvm.TEXT)
    assert.is_true(R:check { cases = 1000 })
    for _, rule in ipairs(R:rules()) do assert(holds(rule), rule.text) end
    assert.is_true(under.brief or R:prove { widths = { 1, 8, 16 } })
  end)

  it("uses no value oftener than its pattern does", function()
    for text, expected in pairs {
      ["x * 2 => x + x"] = false, ["x + x => x * 2"] = true,
      ["select(c, x, y) & 1 => select(c, x & 1, y & 1)"] = false,
      ["select(~c, x, y) => select(c, y, x)"] = true, ["select(c, true, x) => c | x"] = false,
    } do
      local rule = phial.rules(text .. " @ unoriented, always"):rules()[1]
      assert.equal(expected, holds(rule), text)
    end
  end)

  it("makes nothing that LLVM does not define where its pattern is defined", function()
    for text, expected in pairs {
      ["x << (y & 31) => x << y"] = false, ["x * (1 << y) => x << y"] = true,
      ["x << (y + 32) => x << y"] = false, ["shr(x, y) & 1 => shr(x, y) ~ 1"] = true,
      ["select(c, x << y, x) => x << select(c, y, 0)"] = false,
      ["x * 2 => x << 1"] = true, ["x - sdiv(x, y) * y => srem(x, y)"] = false,
      ["srem(x, C) => srem(x, -C)"] = true,
    } do
      local rule = phial.rules(text .. " @ unoriented, always"):rules()[1]
      assert.equal(expected, holds(rule), text)
    end
  end)
end)

-- }======================================================================
