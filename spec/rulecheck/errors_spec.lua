-- An error that ends a question to a set early leaves the set as it was, keeps no
-- memory, and is raised as what it is.
local phial = require "phial"
local refused = require "spec.support.refused"
local state = require "spec.support.state"

-- Calls f at depths of C calls at which its own calls fail.
local DEEP = [[
local function deep(n, f)
  if n == 0 then f() return "" end
  return (string.gsub("a", "a", function() return deep(n - 1, f) end))
end
local function at_limit(f)
  local most = 0
  while pcall(deep, most + 1, function() end) do most = most + 1 end
  for depth = most, most - 8, -1 do pcall(deep, depth, f) end
end
]]

local RULES = [[
local phial = require "phial"
local R = phial.rules("a: x + C => $f(x, C) if $g(C)\nb: x * 1 => x", {
  g = function() return true end,
  f = function(b, x, C) return b:sub(x, -C) end,
})
]]

-- Checks that the set is as it was.
local WHOLE = [[
  assert(R:check { cases = 20 } and R:lint())
  R:add "z: x - 0 => x"
  assert(#R:names() == 3 and tostring(R):find "^phial.Rules: ")
]]

-- Asks in trouble, then checks the set.
local function script(question)
  return RULES .. DEEP .. "return function() " .. question .. " end, function(ok, why)\n" .. [[
    if not ok then assert(why == "not enough memory", why) end
  ]] .. WHOLE .. " end"
end

local QUESTIONS = {
  check = "R:check { cases = 20 }", lint = "R:lint()", text = "R:text() R:text 'b'",
  names = "R:names()",
  explain = "local fn = phial.fn('f', { 'x' }) R:explain(fn, 'add', fn:arg(1), 2)",
}

describe("a set is whole after", function()
  for name, question in pairs(QUESTIONS) do
    it("R:" .. name .. " at the limit of C calls", function()
      local source = script("at_limit(function() " .. question .. " end)")
      assert.is_nil((state.run(source, nil, math.maxinteger, math.maxinteger)))
    end)

    it("R:" .. name .. " without memory", function()
      local source = script(question)
      local why, count = state.run(source, nil, math.maxinteger, math.maxinteger)
      assert.is_nil(why)
      for k = 1, count, math.max(1, count // 12) do
        for _, last in ipairs { k + 1, math.maxinteger } do
          assert.is_nil((state.run(source, nil, k, last)))
        end
      end
    end)
  end
end)

-- Lua tries again when an allocation fails, and so does phial: so two fail.
describe("no memory in a function of a rule", function()
  local function only_memory(source)
    local why, count = state.run(source, nil, math.maxinteger, math.maxinteger)
    assert.is_nil(why)
    for k = 1, count do assert.is_nil((state.run(source, nil, k, k + 1))) end
  end

  for what, text in pairs { guard = "x * C => x if $f()", action = "x * C => $f(x)" } do
    it("is not the rule's error: " .. what, function()
      only_memory([[
        local phial = require "phial"
        local function f() return ("x"):rep(100):upper() and nil end
        local R = phial.rules("a: ]] .. text .. [[", { f = f })
        local fn = phial.fn("f", { "x" }, nil, { rules = R })
        return function() fn:entry():mul(fn:arg(1), 2) end, function(ok, why)
          assert(ok or why == "not enough memory", why)
        end]])
    end)
  end
end)

describe("what an action of R:check was given", function()
  local value, builder, R
  before_each(function()
    R = phial.rules("a: x * C => $f(x, C)", {
      f = function(b, x)
        value, builder = x, b
        return nil
      end,
    })
    R:check()
  end)

  it("belongs to a function that is closed", function()
    assert.equal("phial.Value (closed)", tostring(value))
    refused(nil, "calling 'op': function 'check' is closed", function() value:op() end)
    refused(nil, "calling '+': function 'check' is closed", function() return value + 1 end)
  end)

  it("is a builder that works no more", function()
    refused(nil, "this builder works only while the action that got it runs",
      function() builder:const(1) end)
  end)
end)
