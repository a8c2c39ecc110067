-- The examples of rules: each runs, and prints what is expected.
local command_of = require "spec.support.command"
local golden = require "spec.support.golden"
local under = require "spec.support.under"

describe("examples/rules:", function()
  for _, name in ipairs {
    "branches", "division", "found", "matrices", "modular", "sql", "strength", "tagged", "vectors",
  } do
    it(name, function()
      local out, err = command_of("examples/rules/" .. name .. ".lua") ""
      assert.equal("", err)
      golden.check("examples/rules/golden/" .. name .. ".lua", out)
    end)
  end

  local prove = not under.brief and os.execute "command -v z3 >/dev/null" and it or pending
  prove("z3 proves the laws of tagged words", function()
    local out = command_of "examples/rules/tagged.lua" "prove"
    assert.equal(8, select(2, out:gsub(": proved\n", "")))
  end)
end)
