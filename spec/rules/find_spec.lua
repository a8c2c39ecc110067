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
  -- No guard that only 1 meets.
  ["(1 << x) & 1"] = "(1 << x) & 1 => shr(1, x)",
  ["select(x:i1, 1, 0) & 1"] = "(select(x, A, B)) & A => select(x, A, A & B)",
  ["(A + x) - 5"] = "(A + x) - B => ((-B) + x) + A", -- the literal has another name
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

  local prove = ready and it or pending
  prove("what z3 proves", function()
    assert.same({
      form = "(y & z) | x", rule = "((x ~ y) & z) | x => (y & z) | x", saves = 4,
      verdict = "proved",
    }, phial.rules():best "((x ~ y) & z) | x")
  end)

  it("the same each time", function()
    local R = phial.rules()
    assert.same(R:best("(x | y) - (x & y)", ALONE), R:best("(x | y) - (x & y)", ALONE))
  end)

  it("nothing where none is cheaper, or none holds", function()
    assert.is_nil(phial.rules():best("x + y", ALONE))
    assert.is_nil(phial.rules():best("(x & 65535) == 200", ALONE))
  end)
end)

describe("R:generalise", function()
  it("makes a rule with literals general", function()
    local its = phial.rules():generalise("shr(x, 3) << 3 => x & -8", ALONE)
    assert.equal("(shr(x, A)) << A => x & ((-1) << A)", its.rule)
    assert.truthy(its.verdict:find "^checked", its.verdict)
    assert.same({ "x & (-8)", 3 }, { its.form, its.saves })
  end)

  it("refuses", function()
    local R = phial.rules()
    assert.is_nil(R:generalise("(x & 65535) == 200 => x == 200", ALONE))
    raises.matching("'generalise' %(one rule expected, got \"\"%)$", R.generalise, R, "")
    raises.matching("a rule without a guard expected, got .*: guards are found%)$", R.generalise, R,
      "x * C => x << log2(C) if pow2(C)")
  end)
end)

describe("R:find", function()
  -- x - 1 is in no shape, but for being a leaf: it has two users.
  local function functions()
    local list = {}
    for i = 1, 2 do
      local fn = phial.fn("f" .. i, { "x", "y", "p:ptr" }, "i64", { rules = false })
      local x, y, p = fn:arg(1), fn:arg(2), fn:arg(3)
      local b = fn:entry()
      local less = b:sub(x, 1)
      b:store(p, less)
      b:ret(b:select(b:eq(b:band(b:bor(x, y), b:bnot(b:band(x, y))), i), x, b:band(less, x)))
      list[i] = fn:finish()
    end
    return list
  end

  it("lists what the rules of the set leave", function()
    local texts = {}
    for _, shape in ipairs(phial.rules():shapes { functions = functions() }) do
      texts[#texts + 1] = ("%d %d %s"):format(shape.count, shape.ops, shape.text)
    end
    assert.same({
      "2 4 (x | y) & (~(x & y))", "2 3 x & (~(y & z))", "2 3 (x | y) & (~z)", "2 2 ~(x & y)",
      "2 2 (x | y) & z", "2 2 x & (~y)", "2 2 select(x:i1, y, z & y)",
    }, texts)
    local R = phial.rules "a: (x | y) & ~(x & y) => x ~ y"
    assert.equal(6, #R:shapes { functions = functions() })
  end)

  it("finds a rule for each, and goes on where it stopped", function()
    local R, opts = phial.rules(), { functions = functions(), solver = ALONE.solver }
    local found, rest = R:find(opts)
    assert.equal("(x | y) & (~(x & y)) => x ~ y", found[1].rule)
    assert.same({ 2, "f1" }, { found[1].shape.count, found[1].shape.at[1].fn:name() })
    assert.same({ 1, nil }, { #found, rest })
    opts.limit = 0
    found, rest = R:find(opts)
    assert.same({ 0, 1 }, { #found, rest })
    opts.limit, opts.from = nil, 2
    assert.equal(0, #R:find(opts))
  end)

  it("enumerates terms", function()
    local how = { size = 1, vars = 1, ops = "add sub popcnt", literals = "0" }
    local found = phial.rules "x - x => 0":find { enumerate = how, solver = ALONE.solver }
    assert.same({ "x + 0 => x", "popcnt(a:i1) => a:i1", "x - 0 => x" },
      { found[1].rule, found[2].rule, found[3].rule })
  end)

  it("enumerates terms of integers that have one width", function()
    local function twice(x) return (2 * x << 32) // (1 << 32) end
    local D = phial.dialect("one",
      { twice = { args = { "i32" }, result = "i32", pure = true, eval = twice } })
    local R = phial.rules():attach(D)
    local found = R:find { ops = "one.twice(x)", solver = ALONE.solver,
      enumerate = { size = 2, vars = 1, ops = "sub one.twice", literals = "" } }
    assert.equal("(one.twice(x)) - x => x", found[6].rule)
    for why, how in pairs {
      ["terms have no op 'adds'$"] = { ops = "add adds" },
      ["a literal expected, got 'z'$"] = { literals = "0 z" },
      ["i32 does not have all literals$"] = { literals = "4294967296" },
    } do
      raises.matching(why, R.find, R, { ops = "one.twice(x)", enumerate = how })
    end
  end)

  it("refuses what is no list of finished functions", function()
    local R, fn = phial.rules(), phial.fn "open"
    raises.matching("option 'functions': a list of functions expected", R.find, R, {})
    raises.matching('phial.Function expected, got "f"$', R.shapes, R, { functions = { "f" } })
    raises.matching("function 'open' is not finished", R.shapes, R, { functions = { fn } })
  end)
end)

describe("R:best refuses", function()
  for term, why in pairs {
    ["zext(x)"] = "op 'zext' is not one of those for which forms are found$",
    ["fadd(x, y)"] = "op 'fadd' is not one of those for which forms are found$",
    ["select(x, 1.5, y) "] = "only terms of integers have a best form, this is a f32$",
    ["x + _"] = "'_' matches anything: it has no value", ["x +"] = "got '=>'\n  =>\n  ^$",
    ["x / 2"] = "division has no operator here: sdiv, udiv, srem or urem\n  x / 2\n    ^$",
  } do
    it(term, function()
      raises.matching(why, phial.rules().best, phial.rules(), term)
    end)
  end
end)
