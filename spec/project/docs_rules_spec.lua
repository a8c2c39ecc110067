-- The rules that docs/rules.md shows hold, except those that it shows to be wrong.
local file = require "spec.support.file"
local phial = require "phial"

local text = file.read "docs/rules.md"

-- Rules in the Lua code of a document before "Soundness"; what follows is wrong on purpose.
local function rules_of(source)
  local found, soundness = {}, source:find("\n## Soundness", 1, true)
  local function add(rule)
    if rule:find "=>" then found[#found + 1] = rule end
  end
  for at, block in source:gmatch "()\n```lua\n(.-)\n```" do
    if at < soundness then
      block = block:gsub("%[%[(.-)%]%]", function(rules)
        for line in rules:gmatch "[^\n]+" do add(line) end
        return ""
      end)
      for line in block:gmatch "[^\n]+" do
        if not line:find "^mistake" then
          for quoted in line:gmatch '"([^"]*)"' do
            for rule in quoted:gsub("\\n", "\n"):gmatch "[^\n]+" do add(rule) end
          end
        end
      end
    end
  end
  return found
end

describe("docs/rules.md", function()
  local functions = setmetatable({}, { __index = function() return function() end end })
  local mat = phial.dialect("mat", {
    transpose = { args = { "m" }, result = "m", pure = true },
    mul = { args = { "m", "m" }, result = "m", pure = true, cost = 20 },
  }, { "m" })

  it("shows no wrong rule as if it were right", function()
    local all = rules_of(text)
    assert.is_true(#all > 30)
    for _, rule in ipairs(all) do
      local ok, R = pcall(function() return phial.rules():attach(mat):add(rule, functions, "r") end)
      if ok then
        local _, list = R:check()
        for _, verdict in ipairs(list) do
          assert.is_nil(verdict:find ": wrong at ", rule .. "\n" .. verdict)
        end
      end
    end
  end)

  it("has a rule with '!' of which lint does not say that it never applies", function()
    local seen = 0
    for _, rule in ipairs(rules_of(text)) do
      if rule:find("select(c, !(", 1, true) then
        local _, problems = phial.rules(rule):lint()
        assert.is_nil(table.concat(problems or {}, "\n"):find "never applies")
        seen = seen + 1
      end
    end
    assert.equal(1, seen)
  end)
end)
