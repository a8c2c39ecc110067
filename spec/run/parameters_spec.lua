-- The number of parameters is limited, and messages name the limit.
local phial = require "phial"
local refused = require "spec.support.refused"
local under = require "spec.support.under"

local MOST = 250000

local function names(n)
  local params = {}
  for i = 1, n do params[i] = "p" end
  return params
end

describe("parameters", function()
  it("can be so many", function()
    local fn = phial.fn("f", names(MOST), "i64", { rules = false, where = false })
    fn:entry():ret(fn:arg(MOST))
    fn:finish()
    local args = {}
    for i = 1, MOST do args[i] = i end
    assert.equal(MOST, fn(table.unpack(args)))
    if under.brief then return end
    assert.equal(MOST, phial.parse(fn:text())(table.unpack(args)))
  end)

  it("are refused when they are more", function()
    local params = names(1000000)
    local message = "bad argument #2 to '%s' (1000000 parameters: a function has at most 250000)"
    refused(nil, message:format "phial.fn", function() phial.fn("f", params) end)
    refused(nil, message:format "phial.build",
      function() phial.build("f", params, nil, function() end) end)
  end)

  it("are refused in a text when they are more", function()
    local params = {}
    for i = 1, MOST + 1 do params[i] = ("%%p%d: i64"):format(i) end
    local text = "fn f(" .. table.concat(params, ", ") .. ") {\nentry:\n  ret\n}\n"
    local fn, why = phial.parse(text)
    assert.is_true(fn == nil)
    local col = text:find("%p250001", 1, true)
    assert.equal(("1:%d: a function has at most 250000 parameters"):format(col), why)
  end)
end)
