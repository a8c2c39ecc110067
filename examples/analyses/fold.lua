-- What constants.lua finds, applied to the function by edits.
local constants = require "analyses.constants"

--- Replaces values that are always the same by constants, and removes edges that are never
--- taken, blocks that nothing reaches then, and what is not used any more.
---@param fn phial.Function finished
---@return integer values replaced
---@return integer edges removed
return function(fn)
  local solution, known, dead = fn:solve(constants.problem()), {}, {}
  for v in fn:values() do
    local x = solution:fact(v)
    if x ~= constants.NONE and x ~= constants.VARIES then known[#known + 1] = { v, x } end
  end
  for b in fn:blocks() do
    local count = {}
    for _, to in ipairs(solution:is_taken(b) and b:succs() or {}) do
      count[to] = (count[to] or 0) + 1
      if not solution:is_taken(b, to, count[to]) then dead[#dead + 1] = { b, to, count[to] } end
    end
  end
  for _, it in ipairs(known) do it[1]:replace(it[2]) end
  for i = #dead, 1, -1 do dead[i][1]:remove_edge(dead[i][2], dead[i][3]) end -- others keep numbers
  fn:clean { unreached = true, phis = true, dead = true }
  return #known, #dead
end
