-- R:lint(): suspicious but valid rules.
local phial = require "phial"

local function odd(text)
  local ok, list = phial.rules(text):lint()
  return ok, list and table.concat(list, "\n")
end

describe("R:lint()", function()
  it("finds nothing odd in rules that are of use", function()
    assert.is_true(odd "a: x + 0 => x\nb: x * C => x << log2(C) if pow2(C)\nc: x ~ x => 0")
  end)

  local cases = {
    ["a: x + 0 => x\nb: 0 + y => y"] = "b: is the same as 'a'",
    ["a: x < y => false if width(x) == 8\nb: y > x => false if width(x) == 8"] = "b: is the same as 'a'",
    ["a: x * 0 => 0\nb: x * 0 => x"] = "b: never applies: it has another result for the pattern of 'a'",
    ["a: (x ~ y) ~ z => 0\nb: (x ~ y) ~ y => 0 @ prio -1"] = "b: never applies: before it is tried 'a'",
    ["a: x - 0 => x\nb: (x - 0) * y => y"] = "b: never applies: 'a' rewrites its 'sub' first",
    ["a: x * 3 => (x << 1) + x @ unoriented"] = "a: never applies: its result is 2 instructions, and too few of the "
      .. "pattern go; '@ always' allows it",
    ["a: x * 3 => (x << 1) + x @ unoriented, always\nb: (x << 1) + x => x * 3 @ unoriented"] =
      "a: goes round in circles with 'b'",
    ["a: x + C => x - -C @ unoriented\nb: x ~ 0 => x\nc: x - C => x + -C"] =
      "a: goes round in circles with 'c'",
    ["a: -(x * y) => -x * -y @ unoriented, always\nb: -x * y => -(x * y)"] =
      "a: goes round in circles with 'b'",
    ["a: x * C => x << log2(C) if pow2(C)\nb: x * 8 + y => y ~ x"] =
      "b: never applies: 'a' applies where it would",
    ["a: x - C => x + -C\nb: x - C => x ~ C if C == 7 and pow2(C + 1) @ prio -1"] =
      "b: never applies: before it is tried 'a'",
    ["a: x + 0 => x @ unoriented"] = "a: is oriented: it needs no '@ unoriented'",
    ["a: x - y => -(y - x) if isconst(x) and not isphi(y) @ unoriented"] =
      "a: never applies: its result is 2 instructions, and too few of the pattern go; '@ always' "
      .. "allows it",
    ["a: x + C => x if width(x) == 7"] = "a: never applies: its guard was never true",
  }
  for text, message in pairs(cases) do
    it("says of " .. text:gsub("\n", " and "), function()
      local ok, problems = odd(text)
      assert.is_nil(ok)
      assert.equal(message, problems)
    end)
  end

  it("counts what follows a ! as no instruction, its operands as some", function()
    assert.is_true(odd "a: select(c, x, y) + z => select(c, !(x + z), !(y + z)) @ unoriented")
    assert.is_true(odd "d: (x & y) | z => !(x | z) & !(y | z) @ unoriented")
    local _, problems = odd "a: x * 3 => !((x << 1) + (x << 2)) @ unoriented"
    assert.matches("^a: never applies: its result is 2 instructions", problems)
  end)

  it("says which orders of operands are left out", function()
    local function chain(n)
      local pattern = "x1"
      for i = 2, n + 1 do pattern = ("(%s & ~x%d)"):format(pattern, i) end
      return ("a: %s => x1 @ unsafe \"none\""):format(pattern)
    end
    assert.is_true(odd(chain(16)))
    local _, problems = odd(chain(17))
    assert.equal("a: does not match every order of operands: of its 17 commutative ops and "
      .. "comparisons, the 16 outermost match both ways", problems)
  end)

  it("says the same of a rule in a large set as in a set with each of the others", function()
    math.randomseed(tonumber(os.getenv "SEED") or 1)
    local function some(list) return list[math.random(#list)] end
    local function leaf() return some { "x", "A", "7", "x + y", "x < y" } end
    local function rule()
      local l, r = leaf(), leaf()
      if l == "x < y" then l = "zext(x < y):T" end
      if r == "x < y" then r = "zext(y > x):T" end
      local text = ("(%s) %s (%s) => %s"):format(l, some { "+", "<", ">" }, r, some { "x", "0" })
      local guards = { "A == 1", "A ~= 1", "1 == A", "pow2(A)", "width(x) == 8" }
      return math.random(2) == 1 and text .. " if " .. some(guards) or text
    end

    -- The names of rules that are odd in a set of these.
    local function odd_ones(rules)
      local out, _, problems = {}, phial.rules(table.concat(rules, "\n")):lint()
      for _, problem in ipairs(problems or {}) do out[problem:match "^%w+"] = true end
      return out
    end

    for _ = 1, tonumber(os.getenv "RUNS") or 60 do
      local rules, expected = {}, {}
      while #rules < 12 do
        local text = ("r%d: %s"):format(#rules + 1, rule())
        if pcall(phial.rules, text) then rules[#rules + 1] = text end
      end
      for i = 1, #rules do
        for k = i + 1, #rules do
          for name in pairs(odd_ones { rules[i], rules[k] }) do expected[name] = true end
        end
      end
      assert.same(expected, odd_ones(rules))
    end
  end)

  it("does not take one alternative for another", function()
    assert.is_true(odd "a: ~([slt|sgt](x, y)) => [sge|sle](x, y)")
  end)

  it("tells guards apart that ask about different types", function()
    local rule = "trunc(zext(x:T):U):V => 0 if width(%s) > width(V)"
    assert.is_true(odd("a: " .. rule:format "T" .. "\nb: " .. rule:format "U"))
    assert.is_nil(odd("a: " .. rule:format "T" .. "\nb: " .. rule:format "x"))
  end)

  it("looks at rules that are on", function()
    local R = phial.rules "a: x + 0 => x\nb: y + 0 => y"
    R:enable("a", false)
    assert.is_true(R:lint())
  end)
end)
