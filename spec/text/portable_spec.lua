-- Numbers and strings as text in phial.portable: as the core and Lua have them.
local phial = require "phial"
local portable = require "phial.portable"
local prop = require "spec.support.prop"

-- A number of any exponent, often with few digits.
local function number(pick)
  if pick(2) == 1 then return (pick(2000) - 1000) / 10 ^ pick(40) * 10 ^ pick(40) end
  local bits = 0
  for _ = 1, 4 do bits = bits << 16 | pick(0x10000) - 1 end
  return (string.unpack("<d", string.pack("<i8", bits)))
end

it("a number has the text of a constant, and reads back", function()
  local fn = phial.fn "f"
  prop.forall(number, function(x)
    local text = portable.tostring(x)
    assert.equal(tostring(fn:const(x, "f64")), text)
    if x - x == 0 then
      assert.equal(x, tonumber(text))
      assert.equal(("%a"):format(x), ("%a"):format(portable.tonumber(text)))
    end
  end)
end)

it("a text that is not a decimal is none", function()
  for _, text in ipairs { "", "-", ".5", "5.e", "1e", "1e+", "0x10", " 1", "1 ", "1.5.5", "nan",
    "inf", "1,5", "1e99999999999999999999" } do
    assert.is_nil(portable.tonumber(text))
  end
  assert.same({ 15.0, -0.25, 1e300, 7 }, { portable.tonumber "1.5e1", portable.tonumber "-0.25",
    portable.tonumber "1E+300", portable.tonumber "7" })
end)

it("a string in quotes is one for Lua, on one line of printable characters", function()
  prop.forall(function(pick)
    local bytes = {}
    for i = 1, pick(20) - 1 do bytes[i] = pick(256) - 1 end
    return string.char(table.unpack(bytes))
  end, function(s)
    local text = portable.quoted(s)
    assert.equal(s, load("return " .. text)())
    assert.is_nil(text:find "[\0-\31\127]")
  end)
end)

it("strings are ordered by their bytes", function()
  local list = { "b", "", "\xc3", "a", "B", "aa", "_" }
  table.sort(list, portable.precedes)
  assert.same({ "", "B", "_", "a", "aa", "b", "\xc3" }, list)
end)
