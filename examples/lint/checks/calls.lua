-- Calls of what is neither a function nor can be called like one.
local kinds = require "lint.kinds"
local names = require "lint.names"

local CALLABLE <const> = kinds.FUNCTION | kinds.TABLE | kinds.OTHER | kinds.UNKNOWN
local CALLS <const> = { ["lua.call"] = true, ["lua.callall"] = true, ["lua.callnone"] = true }

return function(file)
  for _, f in ipairs(file.program:functions()) do
    local solution = file.facts.solutions[f]
    for call in f.fn:values() do
      local fact = CALLS[call:op()] and solution:fact(call:arg(1)) or 0
      if fact & CALLABLE == 0 and fact & ~kinds.NIL ~= 0 and solution:is_taken(call:block()) then
        local node = names.operand(call, 1)
        file.reports:add(node, "721", "%s is called, and is %s", names.text(node), kinds.text(fact))
      end
    end
  end
end
