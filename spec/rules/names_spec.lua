-- Names of operations in a pattern, z @ (x + y), and of patterns, let.
local assert = require "spec.support.assert"
local phial = require "phial"

-- The value of what is built, and the instructions of its function.
local function built(rules, build)
  local fn = phial.fn("f", { "x", "y", "z" }, nil, { rules = phial.rules(rules) })
  local value = build(fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3))
  return value, fn
end

describe("the name of an operation", function()
  it("is that of its value, in the result", function()
    local inner
    local value = built("(w @ (x + y)) & x => w", function(b, x, y)
      inner = b:add(x, y)
      return b:band(x, inner)
    end)
    assert.equal(inner, value)
  end)

  it("is that of its value in another place of the pattern", function()
    local rules = "(w @ (x + y)) - (w ~ z) => z @ unoriented"
    local function difference(other)
      return built(rules, function(b, x, y, z)
        local w = b:add(x, y)
        return b:sub(w, b:bxor(z, other and b:mul(x, y) or w))
      end)
    end
    assert.equal("z", difference(false):name())
    assert.equal("sub", difference(true):op())
  end)

  it("can be asked about in a guard, and given to a function", function()
    local seen
    local function build(b, x, y)
      local w = b:add(x, y)
      return b:band(w, 7)
    end
    local R = phial.rules("(w @ (x + y)) & C => w if uses(w) == 0 and width(w) == 64 and $see(w)",
      { see = function(w) seen = w return true end })
    local fn = phial.fn("f", { "x", "y" }, nil, { rules = R })
    local value = build(fn:entry(), fn:arg(1), fn:arg(2))
    assert.equal(seen, value)
    assert.equal("add", seen:op())
  end)

  -- What the result names is needed still, and so is what that uses.
  it("keeps what it names from counting as redundant", function()
    local text = "~(w @ (x & ~y)) => (%s) - 1 @ unoriented"
    local function of(result)
      return (built(text:format(result), function(b, x, y) return b:bnot(b:band(x, b:bnot(y))) end))
    end
    assert.equal("sub", of("x + y"):op())
    assert.equal("bnot", of("w + y"):op())
  end)

  it("counts as what it names where rules are weighed", function()
    assert.error_matches(function() phial.rules "x & (w @ (x | y)) => w - y" end,
      "has 'y' more often")
    phial.rules "x & (w @ (x | y)) => w"
    -- names of names: of more values than 32 bits count
    local pattern = "w0 @ add(x, y)"
    for i = 1, 40 do pattern = ("w%d @ add(%s, w%d)"):format(i, pattern, i - 1) end
    assert.error_matches(function() phial.rules(pattern .. " - 1 => w40") end, "applied forever")
  end)

  it("is a field of its node", function()
    local rule = phial.rules("once(w @ (x + y)) & x => w"):rules()[1]
    assert.equal("w", rule.pattern[1].as)
    assert.is_true(rule.pattern[1].once)
    assert.same({ "value", "w" }, { rule.result.kind, rule.result.name })
    assert.equal(1, #rule.types)
  end)

  it("is that of what is computed where rules are checked", function()
    local _, list = phial.rules([[
      right: x & (w @ (x | y)) => w & x @ unoriented
      wrong: x | (w @ (x & y)) => w ~ y @ unoriented
      fold:  copysign(w @ fadd(x, y), w) => w
      acts:  (w @ (x & y)) | y => $other(w, y)
    ]], { other = function(b, w, y) return b:bor(b:band(w, w), y) end }):check()
    assert.matches("^right: checked", list[1])
    assert.matches("^wrong: wrong at i8: x=.*w=", list[2])
    assert.matches("^fold: tested", list[3])
    assert.matches("^acts: tested", list[4])
  end)

  it("makes rules the same that name the same", function()
    local _, odd = phial.rules([[
      a: x & (w @ (x | y)) => w
      b: z & (v @ (z | u)) => v
      c: x & (w @ (x | y)) => x
    ]]):lint()
    assert.same({ "b: is the same as 'a'",
      "c: never applies: it has another result for the pattern of 'a'" }, odd)
  end)
end)

describe("let", function()
  local inverse = "let inverse(x) = ~x | x ~ -1 | -1 - x\n"

  it("names the forms of a pattern", function()
    for _, make in ipairs {
      function(b, x) return b:bnot(x) end,
      function(b, x) return b:bxor(x, -1) end,
      function(b, x) return b:sub(-1, x) end,
    } do
      local value = built(inverse .. "a: once(inverse(x)) & inverse(y) => ~(x | y)",
        function(b, x, y) return b:band(make(b, x), b:bnot(y)) end)
      assert.equal("bor", value:args()[1]:op())
    end
  end)

  it("makes a rule of each form, whose text is complete", function()
    local R = phial.rules(inverse ..
      "x - x => 0\na: inverse(inverse(x)) => x\nb: inverse(5 & x) => 1")
    local numbers = {}
    for i, rule in ipairs(R:rules "a") do
      numbers[i] = rule.alternative
      assert.equal(inverse .. "a: inverse(inverse(x)) => x", rule.text)
    end
    assert.same({ 1, 2, 3, 4, 5, 6, 7, 8, 9 }, numbers)
    assert.equal("x - x => 0\n" .. R:text "a" .. R:text "b", R:text())
    assert.equal(13, #phial.rules(R:text()):rules())
  end)

  it("goes with alternatives in brackets", function()
    local R = phial.rules(inverse ..
      "a: [slt|sgt](inverse(x), inverse([y|x])) => [y|x] < x @ always")
    assert.equal(18, #R:rules())
    assert.same({ "sgt", "x" }, { R:rules()[18].pattern.op, R:rules()[18].pattern[2][2].name })
  end)

  it("uses what precedes it, constants, types and operands of any size", function()
    local R = phial.rules [[
      let sum(x, y) = x + y | x - -y
      let masked(x, M) = x & M | sum(x, 0) & M
      let top(x) = sar(x, width(x) - 1)
      a: masked(
           w @ (x:i8 | y), 0xf) => 0
      b: top(x) & C => 0
      c: masked(top(z), K) | 1 => 1
    ]]
    local count = {}
    for _, rule in ipairs(R:rules()) do count[rule.name] = (count[rule.name] or 0) + 1 end
    assert.same({ a = 3, b = 1, c = 3 }, count)
  end)

  it("is replaced by a later one of its name, for what follows", function()
    local text = [[
let a(x) = ~x
let b(x) = a(-x)
let a(x) = x + 1
b(a(x)) => x
]]
    local R = phial.rules(text)
    assert.equal(text, R:text())
    local pattern = R:rules()[1].pattern
    assert.same({ "bnot", "neg", "add" }, { pattern.op, pattern[1].op, pattern[1][1].op })
    assert.error_matches(function()
      local lines = {}
      for i = 1, 1001 do lines[i] = ("let a%d(x) = ~x"):format(i) end
      phial.rules(table.concat(lines, "\n"))
    end, ":1001:5: a text has at most 1000 definitions")
  end)

  it("holds in the text that has it", function()
    local R = phial.rules(inverse .. "inverse(x) & x => 0")
    assert.error_matches(function() R:add "inverse(x) + 1 => -x" end, "no op 'inverse'")
    R:add(inverse .. "inverse(x) + 1 => -x")
    R:add "let + 0 => let"
  end)
end)
