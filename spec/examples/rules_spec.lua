-- The examples of rules: each runs, and prints what is expected.
local command_of = require "spec.support.command"
local golden = require "spec.support.golden"

local function printed(script)
  local out, err = command_of(script:match "%S+") ""
  assert.equal("", err)
  return out
end

describe("examples/rules:", function()
  for name, check in golden.each("examples/rules", printed) do it(name, check) end
end)
