-- The examples of rules: each runs, and prints what is expected.
local command_of = require "spec.support.command"
local golden = require "spec.support.golden"

describe("examples/rules:", function()
  for _, name in ipairs { "branches", "division", "matrices", "modular", "strength" } do
    it(name, function()
      local out, err = command_of("examples/rules/" .. name .. ".lua") ""
      assert.equal("", err)
      golden.check("examples/rules/golden/" .. name .. ".lua", out)
    end)
  end
end)
