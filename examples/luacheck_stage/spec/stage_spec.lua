-- The example luacheck_stage gives luacheck's own warnings: of files, and of random programs.
local command_of = require "spec.support.command"
local prop = require "spec.support.prop"
local random_lua = require "spec.support.random_lua"

package.path = "examples/?.lua;" .. package.path
local compare = require "luacheck_stage.compare"

local function generate(pick)
  local text = random_lua.program(pick)
  return setmetatable({ text = text }, { __tostring = function() return text end })
end

describe("the stage resolve_locals", function()
  it("leads to the warnings of luacheck's for random programs", function()
    prop.forall(generate, function(case)
      assert.same({}, compare.text(case.text).other)
    end, 160)
  end)

  it("does so for statements that change tables and refer to themselves", function()
    for _, text in ipairs {
      "local t = {} t.x = t",
      "local t = {} t.f = function() return t end",
      "local t = {} t.f = function() t.x = 1 end",
      "local t = {} t.f = function() t.x = f(t) end t = {} t.y = t.x",
      "local s = string function f() return s.foo, s.rep end function g() return s.bar end",
      "local a, b = f() b = 1 return b",
      "local x x = 1 x = 2 x, x = 3, 4",
      "local function f() g() end local function g() f() end",
      "local f, g function f() g() end function g() f() end",
      "local x if a then x = 1 elseif b then x = 2 end return x",
    } do
      assert.same({}, compare.text(text).other, text)
    end
  end)

  it("is compared by a command", function()
    local command = command_of "examples/luacheck_stage/main.lua"
    local out, err, status = command "examples/luacheck_stage/compare.lua lua/phial/build/init.lua"
    assert.matches("^2 files, %d+ warnings, 0 differ; luacheck's stage [%d.]+ s, this one", out)
    assert.equal("", err)
    assert.equal(0, status)
  end)
end)
