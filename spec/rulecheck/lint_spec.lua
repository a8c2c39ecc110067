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
      .. "pattern go; '@ always' allows it\na: cannot be oriented: it might be applied forever",
    ["a: x * 3 => (x << 1) + x @ unoriented, always"] = "a: cannot be oriented: it might be applied forever",
    ["a: x + 0 => x @ unoriented"] = "a: is oriented: it needs no '@ unoriented'",
    ["a: x + C => x if width(x) == 7"] = "a: never applies: its guard was never true",
  }
  for text, message in pairs(cases) do
    it("says of " .. text:gsub("\n", " and "), function()
      local ok, problems = odd(text)
      assert.is_nil(ok)
      assert.equal(message, problems)
    end)
  end

  it("does not take one alternative for another", function()
    assert.is_true(odd "a: ~([slt|sgt](x, y)) => [sge|sle](x, y)")
  end)

  it("tells guards apart that ask about different types", function()
    local rule = "trunc(zext(x:T):U):V => trunc(x):V if width(%s) > width(V)"
    assert.is_true(odd("a: " .. rule:format "T" .. "\nb: " .. rule:format "U"))
    assert.is_nil(odd("a: " .. rule:format "T" .. "\nb: " .. rule:format "x"))
  end)

  it("looks at rules that are on", function()
    local R = phial.rules "a: x + 0 => x\nb: y + 0 => y"
    R:enable("a", false)
    assert.is_true(R:lint())
  end)
end)
