-- The examples of rules: each runs alone, and prints what it printed.
local command_of = require "spec.support.command"
local golden = require "spec.support.golden"

describe("examples/rules:", function()
  for _, path in ipairs(golden.files "spec/golden/rules") do
    it(path:match "([^/]+)%.phial$", function()
      golden.check(path, function(script)
        local out, err = command_of(script:match "%S+") ""
        assert.equal("", err)
        return out
      end)
    end)
  end
end)
