-- R:check of rules over the types and ops of a dialect: values from `samples`,
-- computed by `eval`; what functions of guards say of values, from `facts`.
local phial = require "phial"
local refused = require "spec.support.refused"

-- SQL's logic, with "null"; boxes; ops of any type.
local function logic(compare)
  return function(a, b)
    if a == "null" or b == "null" then return "null" end
    return compare(a, b)
  end
end

local D = phial.dialect("s", {
  lt = { args = { "tri", "tri" }, result = "tri", pure = true,
    eval = logic(function(a, b) return a < b end) },
  le = { args = { "tri", "tri" }, result = "tri", pure = true,
    eval = logic(function(a, b) return a <= b end) },
  eq = { args = { "tri", "tri" }, result = "tri", pure = true,
    eval = logic(function(a, b) return a == b end) },
  no = { args = { "tri" }, result = "tri", pure = true,
    eval = function(a) if a == "null" then return a else return not a end end },
  isnull = { args = { "tri" }, result = "tri", pure = true,
    eval = function(a) return a == "null" end },
  box = { args = { "i64" }, result = "box", pure = true, eval = function(x) return { at = x } end },
  unbox = { args = { "box" }, result = "i64", pure = true, eval = function(b) return b.at end },
  zero = { args = 0, result = "*", pure = true, eval = function() return 0 end },
  first = { args = 2, result = "*", pure = true, eval = function(a) return a end },
  size = { args = 1, result = "i64", pure = true, eval = function(a) return #a end },
  setting = { args = 0, result = "i64", env = true, pure = true, eval = function() return 1 end },
}, { "tri", "box" })

local TRI = { ["s.tri"] = { 1, 2, 3, "null" } }
local TESTED = ": tested, applied in %d+ cases$"

local function check(text, opts, functions)
  return phial.rules():attach(D):add(text, functions, "r"):check(opts)
end

-- The verdict on one rule.
local function one(text, opts, functions)
  local _, list = check(text, opts, functions)
  assert.equal(1, #list)
  return list[1]
end

describe("values of a dialect's types", function()
  it("that only its ops compute need no samples", function()
    assert.matches(TESTED, one "a: s.unbox(s.box(x)) => x")
    assert.matches("^a: wrong at i64, s%.box: x=", one "a: s.unbox(s.box(x)) => ~x")
    assert.matches(TESTED, one "a: s.unbox(s.box(x)) + 0 => s.unbox(s.box(x)) @ unoriented")
  end)

  it("are samples", function()
    local ok, list = check([[
      wrong: s.no(s.lt(x, y)) => s.le(x, y) @ unoriented
      right: s.no(s.lt(x, y)) => s.le(y, x) @ unoriented
      null:  s.eq(x, x) => s.no(s.isnull(x)) @ unoriented, always
    ]], { samples = TRI })
    assert.is_nil(ok)
    assert.matches("^wrong: wrong at s%.tri: x=%d, y=%d: %a+ %-> %a+$", list[1])
    assert.matches("^right" .. TESTED, list[2])
    assert.equal("null: wrong at s.tri: x=null: null -> false", list[3])
  end)

  it("are equal if == says so, or their fields are", function()
    local same = "a: s.box(s.unbox(x)) => x"
    assert.matches(TESTED, one(same, { samples = { ["s.box"] = { { at = 1 }, { at = 2 } } } }))
    assert.equal("a: wrong at i64, s.box: x=sample 1: a table -> sample 1",
      one(same, { samples = { ["s.box"] = { { at = 1, color = "red" } } } }))
    local mt = { __eq = function(a, b) return a.at == b.at end,
      __tostring = function(a) return "box " .. a.at end }
    local D2 = phial.dialect("t", {
      next = { args = { "box" }, result = "box", pure = true,
        eval = function(a) return setmetatable({ at = a.at + 1 }, mt) end },
    }, { "box" })
    local _, list = phial.rules():attach(D2):add "a: t.next(x) => x"
      :check { samples = { ["t.box"] = { setmetatable({ at = 7 }, mt) } } }
    assert.equal("a: wrong at t.box: x=box 7: box 8 -> box 7", list[1])
  end)

  it("may contain themselves", function()
    local function round()
      local it = {}
      it.a, it.b, it.c = it, it, it
      return it
    end
    local D3 = phial.dialect("t", { new = { args = { "box" }, result = "box", pure = true,
      eval = round } }, { "box" })
    local _, list = phial.rules():attach(D3):add "a: t.new(x) => x"
      :check { samples = { ["t.box"] = { round() } } }
    assert.equal("a: wrong at t.box: x=sample 1: a table -> sample 1", list[1])
  end)

  it("are not needed by R:lint", function()
    local R = phial.rules():attach(D)
    assert.is_true(R:add "a: s.no(s.no(x)) => x\nb: s.unbox(s.box(x)) => x":lint())
    local _, odd = R:add "c: s.isnull(s.no(s.no(x))) => s.isnull(x)":lint()
    assert.same({ "c: never applies: 'a' rewrites its 'no' first" }, odd)
    _, odd = phial.rules():attach(D):add("a: s.le(x, y) => s.no(s.lt(y, x)) @ unoriented, always\n"
      .. "b: s.no(s.lt(x, y)) => s.le(y, x) @ unoriented"):lint()
    assert.matches("a: goes round in circles with 'b'", table.concat(odd, "\n"), 1, true)
  end)

  it("are not known without samples, which is told apart", function()
    local text = [[
      a: s.no(s.no(x)) => x
      b: s.unbox(s.box(x)) => x
      c: s.no(s.isnull(x)) => s.isnull(x) @ unsafe "it is not called"
    ]]
    local ok, list, unchecked = check(text)
    assert.is_true(ok)
    assert.equal(3, #list)
    assert.same({ "a: not checked: nothing is known of values of type 's.tri': "
      .. "see option 'samples'" }, unchecked)
    ok, list, unchecked = check(text, { strict = true, samples = TRI })
    assert.is_nil(ok)
    assert.equal("b", list[2]:match "^(%w+): .* '@ tested' says that this is enough$")
    assert.same({}, unchecked)
    assert.is_nil((check("a: s.no(s.no(x)) => x @ tested", { strict = true })))
    assert.is_true(check("a: s.no(s.no(x)) => x @ tested",
      { strict = true, samples = { ["s.tri"] = { true, false, "null" } } }))
  end)

  for what, case in pairs {
    ["'s.x' is neither 'any' nor a type or an op of a dialect that is attached"] =
      { ["s.x"] = { 1 } },
    ["'i64' is neither 'any' nor a type or an op of a dialect that is attached"] = { i64 = { 1 } },
    ["values by variable expected, got number"] = { 1 },
    ["'s.tri': the list is empty"] = { ["s.tri"] = {} },
    ["'s.tri': a list expected, but position 2 is missing"] = { ["s.tri"] = { 1, nil, 3 } },
    ["table expected, got number"] = 1,
  } do
    it("have samples: " .. what, function()
      refused(nil, "bad argument #1 to 'check' (option 'samples': " .. what .. ")",
        function() phial.rules():attach(D):check { samples = case } end)
    end)
  end
end)

describe("ops of any type", function()
  it("are tried at types of phial and at those that have samples", function()
    local rule = "a: s.first(x, y):T => y:T"
    assert.matches("^a: wrong at ", one(rule))
    assert.matches("^a: wrong at .*s%.tri", one("a: s.first(x:T, s.no(y)):T => s.no(y)",
      { samples = TRI }))
    assert.matches("^a: tested, applied in %d+ cases, at some combinations of types only$",
      one("a: s.first(s.first(x:T, y):T, 1:i64):T => s.first(x:T, y):T"))
    assert.equal("a: wrong at i64, any: x=12345: 5 -> 4",
      one("a: s.size(s.first(x:any, x):any) => 4", { samples = { any = { "12345" } } }))
  end)

  it("whose eval raises an error in each case say nothing of the rule", function()
    assert.equal("a: not checked: its pattern trapped in each case that was tried",
      one "a: s.size(s.first(x, x):T) => s.size(x:T)")
  end)

  it("that need an env are not evaluated", function()
    assert.equal("a: not checked: 's.setting' has no eval",
      one "a: s.setting() + 0 => s.setting() @ unoriented")
  end)

  -- Only casts have to be possible.
  it("are part of a result, with any number of operands", function()
    local R = phial.rules():attach(D):add("b: x * 78 => $zero()\n"
      .. "a: x * 77 => s.first(s.zero():i64, x):i64 @ unoriented, always",
      { zero = function(b) return b:emit(D.zero, "i64") end })
    local fn = phial.fn("f", { "x" }, "i64", { rules = R, dialects = { D } })
    assert.equal("s.first", fn:entry():mul(fn:arg(1), 77):op())
    assert.equal(0, fn:entry():mul(fn:arg(1), 78):const())
  end)
end)

describe("what an action makes", function()
  local functions = {
    swapped = function(b, x, y) return b:emit(D.le, y, x) end,
    boxed = function(b, x) return b:emit(D.unbox, b:emit(D.box, b:bnot(x))) end,
  }
  it("is evaluated if it is of a dialect", function()
    assert.matches(TESTED,
      one("a: s.no(s.lt(x, y)) => $swapped(x, y)", { samples = TRI }, functions))
    assert.matches("^a: wrong at s%.tri: ",
      one("a: s.no(s.lt(x, y)) => $swapped(y, x)", { samples = TRI }, functions))
    assert.matches("^a: wrong at i64, s%.box: ",
      one("a: s.unbox(s.box(x)) => $boxed(x)", nil, functions))
    assert.matches("^a: wrong at i64: ", one("a: x:i64 + 3 => $boxed(x)", nil, functions))
  end)
end)

describe("a function of a guard", function()
  local positive = function() return false end
  local function is(expected, fact)
    local _, list, unchecked = check("a: smax(x, 0) => x if $positive(x)",
      { facts = fact and { [positive] = fact } }, { positive = positive })
    assert.matches(expected, list[1])
    return unchecked
  end

  it("is true of the values of which 'facts' says so", function()
    is("^a: checked, applied in %d+ cases$", function(x) return x >= 0 end)
    is("^a: wrong at i8: x=%-1: 0 %-> %-1$", function(x) return x >= -1 end)
    is("^a: never applies: its guard was never true$", function() return false end)
  end)

  it("is not known without", function()
    local unchecked = is("^a: not checked: 'facts' does not say of which values its guard is true; "
      .. "if of all: wrong at i8: x=%-128: 0 %-> %-128$")
    assert.equal(1, #unchecked)
    assert.equal("a: checked, applied in", check and
      select(2, check("a: x + 0 => x if $positive(x)", nil, { positive = positive }))[1]
        :match "^a: checked, applied in")
  end)

  it("names the rule if its fact raises an error", function()
    local ok, why = pcall(is, "", function() error("no", 0) end)
    assert.is_false(ok)
    assert.equal("rule 'a' (r:1): no", why)
  end)

  it("is one of the rules' functions", function()
    refused(nil, "bad argument #1 to 'check' (option 'facts': functions by functions of the "
      .. "rules expected, got a number by a string)",
      function() phial.rules():check { facts = { p = 1 } } end)
    refused(nil, "bad argument #1 to 'check' (option 'facts': table expected, got boolean)",
      function() phial.rules():check { facts = true } end)
  end)
end)
