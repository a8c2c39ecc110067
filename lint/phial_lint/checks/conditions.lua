-- Conditions that are always true, or always false. A name for a literal is not one: it is a switch
-- that the program's author turns.
local kinds = require "phial_lint.kinds"
local parts = require "phial_lint.parts"

local LOOPS <const> = { Fornum = true, Forin = true }

local function is_switch(facts, test)
  local value = facts:implied(test, true)
  local from = value:op() == "copy" and value:arg(1) or value
  return from:op() == "const" or from:op() == "param"
end

return function(file)
  local facts, seen = file.facts, {}
  for _, f in ipairs(file.program:functions()) do
    local solution = facts.solutions[f]
    for _, branch in ipairs(parts.of(f).branches) do
      local test = branch:arg(1)
      local fact = solution:fact(test)
      local is_certain = fact == kinds.TRUE or fact == kinds.FALSE
      local node = is_certain and solution:is_taken(branch:block()) and facts.node(test)
      if node and not LOOPS[node.tag] then
        if not seen[node] and not is_switch(facts, test) then
          seen[node] = true
          local is_true = (fact == kinds.TRUE) ~= (node[1] == "ne")
          file.reports:add(node, "731", "this condition is always %s", is_true)
        end
      end
    end
  end
end
