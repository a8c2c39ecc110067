-- The functions of rules are what their oracle says: all that functions.def
-- lists.
local bits = require "spec.oracle.bits"
local oracle = require "spec.oracle.functions"
local phial = require "phial"
local tables = require "tools.tables"
local under = require "spec.support.under"

local CASES <const> = under.valgrind and 50 or 500
local MISSING = "'%s' has no oracle: spec/oracle/functions.lua"

-- The checker tries all constants at the widths 1 to 4, and many at those of
-- the types; a guard sees them, and what the function is of them.
local function see(name, count)
  local seen = {}
  local function note(width, a, b, is)
    seen[#seen + 1] = { width = width, a = a, b = b, is = is }
    return false
  end
  local args = table.concat({ "A", "B" }, ", ", 1, count)
  phial.rules(("a: (x + A) * B => x if $note(width(A), A, B, %s(%s))"):format(name, args),
    { note = note }):check { cases = CASES }
  return seen
end

-- What a guard got, as the oracle gives it: a truth is 1 or 0, an integer of
-- the arguments' type its bits.
local function same(expected, is, width)
  if type(expected) == "boolean" then return is == (expected and 1 or 0) end
  if type(expected) == "number" then return is == expected end
  return is & (-1 >> 64 - width) == bits.value(bits.resize(expected, 65, 0)) & (-1 >> 64 - width)
end

-- As a number without sign, so that it can be a key.
local function key(width, a, b) return ("%d %x %x"):format(width, a & (1 << width) - 1,
  b & (1 << width) - 1) end

local function check_numbers(row)
  local f = assert(oracle.numbers[row.name], MISSING:format(row.name))
  local got = {}
  for _, case in ipairs(see(row.name, row.count)) do
    local w = case.width
    local expected = f(bits.of(case.a, w), bits.of(case.b, w))
    assert(same(expected, case.is, w), ("%s(%d, %d) at i%d is %s"):format(row.name, case.a, case.b,
      w, case.is))
    got[key(w, case.a, case.b)] = true
  end
  -- where the guard was not asked, the function has no value
  for w = 1, 4 do
    for a = 0, (1 << w) - 1 do
      for b = 0, (1 << w) - 1 do
        local expected = f(bits.of(a, w), bits.of(b, w))
        assert.equal(expected ~= nil, got[key(w, a, b)] ~= nil, key(w, a, b))
      end
    end
  end
end

-- A function with values of all kinds, and its last block.
local function with_values(rules)
  local fn = phial.fn("f", { "x", "c:i1" }, "i64", { rules = rules })
  local entry, left, join = fn:entry(), fn:block(), fn:block()
  local x, v = fn:arg(1), fn:var "v"
  local other = entry:mul(x, 3)
  entry:write(v, 1)
  entry:branch(fn:arg(2), left, join)
  left:seal()
  left:write(v, left:mul(x, 5))
  left:jump(join)
  join:seal()
  local here = join:mul(x, 7)
  join:mul(here, here)
  return fn, join, { x, other, join:read(v), here, fn:const(9) }
end

local function check_values(row)
  local f = assert(oracle.values[row.name], MISSING:format(row.name))
  for _, want in ipairs(row.result == "TRUTH" and { 0, 1 } or { 0, 1, 2, 3, ~9 }) do
    local test = row.result == "TRUTH" and (want == 1 and "%s(y)" or "not %s(y)")
      or "%s(y) == " .. want
    local rules = phial.rules(("a: x - y => 0 if %s"):format(test:format(row.name)))
    local fn, block, values = with_values(rules)
    for i, v in ipairs(values) do
      local is = f(v, block)
      local applies = (is == true and 1 or is or 0) == want
      local result = block:sub(fn:arg(1), v)
      -- constants are found on the right only, a difference to itself is folded
      assert.equal(applies, result:op() == "const", ("%s of value %d"):format(row.name, i))
    end
    fn:close()
  end
end

describe("the function of rules", function()
  for _, row in ipairs(tables.functions()) do
    it(row.name, function()
      local check = oracle.values[row.name] and check_values or check_numbers
      check(row)
    end)
  end
end)

-- R:prove asks solvers about it, R:check about a fact.
describe("for proofs, what is in lua/phial/rules/smt.lua (of a fact, also in true_fact of "
  .. "src/core/rulecheck/run_rule.c):", function()
  for _, row in ipairs(tables.functions()) do
    it(row.name, function()
      local args = row.argument ~= "NUMBERS" and "x" or row.count == 2 and "A, B" or "A"
      phial.rules(("a: (x:i8 + A) * B => x if %s(%s)%s @ unoriented"):format(row.name, args,
        row.result == "TRUTH" and "" or " == 1")):smt()
    end)
  end
end)

-- What ops have as names, too.
describe("a name that a function and an op have", function()
  local function result(rules, build, type)
    local fn = phial.fn("f", { "x:" .. type, "y:" .. type }, nil, { rules = phial.rules(rules) })
    return build(fn:entry(), fn:arg(1), fn:arg(2))
  end

  it("is that of the op where a value is among the operands", function()
    local v = result("ctz(x) => clz(x) @ unoriented", function(b, x) return b:ctz(x) end, "i8")
    assert.equal("clz", v:op())
    v = result("x - y => umulh(3, y) @ unoriented", function(b, x, y) return b:sub(x, y) end, "i8")
    assert.equal("umulh", v:op())
    v = result("x * 3 => popcnt(x:T) + width(x) @ unoriented, always",
      function(b, x) return b:mul(x, 3) end, "i16")
    assert.equal("popcnt", v:args()[1]:op())
    assert.equal(16, v:args()[2]:const())
  end)

  it("is that of the function where only constants are, or types", function()
    local v = result("x * C => x + ctz(C) @ unoriented",
      function(b, x) return b:mul(x, 8) end, "i8")
    assert.equal(3, v:args()[2]:const())
    v = result("x * C => x + clz(C:i8 >> (width(x) - 2)) @ unoriented",
      function(b, x) return b:mul(x, -1) end, "i8")
    assert.equal(6, v:args()[2]:const())
    -- a number of any type, computed with 64 bits
    v = result("trunc(x + C):V => trunc(x):V + clz(C + C) @ unoriented, always",
      function(b, x) return b:trunc(b:add(x, 64), "i8") end, "i32")
    assert.equal(56, v:args()[2]:const())
  end)

  it("is that of the function in a guard", function()
    local v = result("x + C => x if ctz(C) == 3 and umulh(C, C) == 0",
      function(b, x) return b:add(x, 8) end, "i64")
    assert.equal("x", v:name())
  end)
end)

describe("a function in a guard is called", function()
  local function emitted(rules, emit)
    local fn = phial.fn("f", { "x:i64", "y:i64" }, nil, { rules = rules })
    emit(fn:entry(), fn:arg(1), fn:arg(2))
  end

  it("after what else the guard says, wherever it is written", function()
    local asked = {}
    local R = phial.rules("x + C => x if $f(C) and C > 5 and (C == 7 or $f(9))", {
      f = function(C) asked[#asked + 1] = C return C ~= 9 end,
    })
    emitted(R, function(b, x) b:add(x, 3) b:add(x, 6) b:add(x, 7) end)
    assert.same({ 6, 9, 7 }, asked)
  end)

  it("once for an instruction, with the same arguments, by all rules of a text", function()
    local asked, lines = {}, {}
    for i = 1, 20 do
      lines[i] = ("r%d: x + y => x * %d if $f(x) and $f(y) @ unoriented, always"):format(i, i)
    end
    local R = phial.rules(table.concat(lines, "\n"), {
      f = function(v) asked[#asked + 1] = tostring(v) return tostring(v) ~= "%y" end,
    })
    emitted(R, function(b, x, y) b:add(x, y) end)
    assert.same({ "%y", "%x" }, asked)
    emitted(R, function(b, x, y) b:add(x, y) end)
    assert.same({ "%y", "%x", "%y", "%x" }, asked)
  end)

  it("again once an action was tried, which may have changed what it asks", function()
    local asked = 0
    local R = phial.rules("a: x + y => $act(x) if $f(x)\nb: x + y => $act(x) if $f(x)", {
      f = function() asked = asked + 1 return true end,
      act = function() return nil end,
    })
    emitted(R, function(b, x) b:add(x, x) end)
    assert.truthy(asked >= 2)
  end)
end)
