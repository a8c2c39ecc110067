-- Calls of what is neither a function nor can be called like one.
local kinds = require "phial_lint.kinds"
local names = require "phial_lint.names"
local parts = require "phial_lint.parts"

local CALLABLE <const> = kinds.FUNCTION | kinds.TABLE | kinds.OTHER | kinds.UNKNOWN

return function(file)
  for _, f in ipairs(file.program:functions()) do
    local solution = file.facts.solutions[f]
    for _, call in ipairs(parts.of(f).calls) do
      local fact = solution:fact(call:arg(1))
      if fact & CALLABLE == 0 and fact & ~kinds.NIL ~= 0 and solution:is_taken(call:block()) then
        local node = names.operand(call, 1)
        file.reports:add(node, "721", "%s is called, and is %s", names.text(node), kinds.text(fact))
      end
    end
  end
end
