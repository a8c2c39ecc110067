-- R:best: the cheapest form of a term, and its rule, which R:check and a solver judge.
local assert = require "spec.support.assert"
local phial = require "phial"
local raises = require "spec.support.raises"

local ready = os.execute "command -v z3 >/dev/null"

-- No such solver is installed: rules are checked only.
local ALONE <const> = { solver = "none/z3" }

local FOUND <const> = {
  ["((x ~ y) & z) | x"] = "((x ~ y) & z) | x => (y & z) | x",
  ["(x & y) + (x | y)"] = "(x & y) + (x | y) => x + y",
  ["(x | y) & ~(x & y)"] = "(x | y) & (~(x & y)) => x ~ y",
  ["((a * b) ~ y) == 0"] = "(x ~ y) == 0 => x == y",
  ["select(x < y, x, y)"] = "select(x < y, x, y) => smin(x, y)",
  ["(x + 3) + 4"] = "(x + A) + B => (A + B) + x",
  ["(x & 7) | (x & 56)"] = "(x & A) | (x & B) => (A | B) & x",
}

describe("R:best finds", function()
  for term, rule in pairs(FOUND) do
    it(rule, function()
      local best = phial.rules():best(term, ALONE)
      assert.equal(rule, best.rule)
      assert.truthy(best.saves > 0)
      assert.truthy(best.verdict:find "^checked", best.verdict)
    end)
  end

  local name = "what a solver proves"
  if ready then
    it(name, function()
      assert.same({
        form = "(y & z) | x", rule = "((x ~ y) & z) | x => (y & z) | x", saves = 4,
        verdict = "proved",
      }, phial.rules():best "((x ~ y) & z) | x")
    end)
  else
    pending(name .. ": needs z3")
  end

  it("the same each time", function()
    local R = phial.rules()
    assert.same(R:best("(x | y) - (x & y)", ALONE), R:best("(x | y) - (x & y)", ALONE))
  end)

  it("nothing where none is cheaper, or none holds", function()
    assert.is_nil(phial.rules():best("x + y", ALONE))
    assert.is_nil(phial.rules():best("(x & 65535) == 200", ALONE))
  end)
end)

describe("R:best refuses", function()
  for term, why in pairs {
    ["zext(x)"] = "op 'zext' is not one of those for which forms are found$",
    ["fadd(x, y)"] = "op 'fadd' is not one of those for which forms are found$",
    ["select(x, 1.5, y) "] = "only terms of integers have a best form, this is a f32$",
    ["x + _"] = "'_' matches anything: it has no value", ["x +"] = "an operand expected, got '=>'",
  } do
    it(term, function()
      local R = phial.rules()
      raises.matching(why, R.best, R, term)
    end)
  end
end)
