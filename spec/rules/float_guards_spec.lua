-- Guards compare and compute floats by the operators of Lua.
local phial = require "phial"

local CONSTANTS <const> = { 0.0, -0.0, 0.5, 1.0, -1.0, 1.5, 2.0, -3.25, 1 / 0, -1 / 0, 0 / 0 }

-- The guard, and what it is of a constant.
local GUARDS <const> = {
  ["C == 0.5"] = function(C) return C == 0.5 end,
  ["C ~= C"] = function(C) return C ~= C end,
  ["not (C < 1.0)"] = function(C) return C >= 1 or C ~= C end,
  ["1.5 <= C or C > 100.0"] = function(C) return 1.5 <= C or C > 100 end,
  ["-C >= 1.0 and C * 2.0 - 1.0 + C ~= -4.0"] = function(C)
    return -C >= 1 and C * 2 - 1 + C ~= -4
  end,
  ["0.5 > C * C"] = function(C) return 0.5 > C * C end,
  ["fsqrt(C) == 0.0 and bitcast(C):T < 0"] = function(C) return C == 0 and 1 / C < 0 end,
  ["C + C == 3.0"] = function(C) return C + C == 3 end,
}

for guard, holds in pairs(GUARDS) do
  it("a rule applies as its guard says: " .. guard, function()
    for type, bits in pairs { f32 = "i32", f64 = "i64" } do
      local text = guard:gsub(":T", ":" .. bits)
      local R = phial.rules(("fmul(x:%s, C) => x if %s"):format(type, text))
      for _, C in ipairs(CONSTANTS) do
        local fn = phial.fn("f", { "x:" .. type }, nil, { rules = R })
        local value = fn:entry():fmul(fn:arg(1), C)
        assert.equal(holds(C), value == fn:arg(1), ("%s at %s"):format(C, type))
        fn:close()
      end
    end
  end)
end

it("an expression with integers that becomes a float is one", function()
  local R = phial.rules "x + C => x if itof(C):f64 == 2.0 and 2.0 - itof(C):f64 == 0.0"
  local fn = phial.fn("f", { "x" }, nil, { rules = R })
  assert.equal("x", fn:entry():add(fn:arg(1), 2):name())
  assert.equal("add", fn:entry():add(fn:arg(1), 3):op())
end)

it("what has no meaning for floats is refused", function()
  for text, message in pairs {
    ["fadd(x, C) => x if C & 1 == 0"] = "an integer expected here, this is a float",
    ["fadd(x, C) => x if C == 1"] = "a float expected here, this is an integer",
    ["x + C => x if C == 0.5"] = "a float expected here, this is an integer",
    ["fadd(x, C) + C => x"] = "an integer expected here, this is a float",
  } do
    assert.error_matches(function() phial.rules(text) end, message)
  end
end)
