-- Conditions that are always true, or always false. A name for a literal is not one: it is a switch
-- that the program's author turns.
local kinds = require "phial_lint.kinds"

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
    for _, block in ipairs(f.fn:rpo()) do
      local terminator = block:terminator()
      local test = terminator:op() == "branch" and solution:is_taken(block) and terminator:arg(1)
      local fact = test and solution:fact(test)
      local node = test and facts.node(test)
      if node and (fact == kinds.TRUE or fact == kinds.FALSE) and not LOOPS[node.tag] then
        if not seen[node] and not is_switch(facts, test) then
          seen[node] = true
          local is_true = (fact == kinds.TRUE) ~= (node[1] == "ne")
          file.reports:add(node, "731", "this condition is always %s", is_true)
        end
      end
    end
  end
end
