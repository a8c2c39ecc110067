-- Where what comes from outside gets to: a fact is true for a value that may be made of the
-- result of a source and was not cleaned in between.
local M = {}

local function any_operand(v, fact)
  for i = 1, #v:args() do
    if fact(i) then return true end
  end
  return false
end

--- The problem, for fn:solve.
---@param spec {sources: string[], cleaners: string[]} names of ops; "param" is a source, too
---@return phial.Problem
function M.problem(spec)
  local transfer = { default = any_operand }
  for _, op in ipairs(spec.sources) do transfer[op] = function() return true end end
  for _, op in ipairs(spec.cleaners) do transfer[op] = function() return false end end
  return { bottom = false, join = function(a, b) return a or b end, transfer = transfer }
end

--- The instructions of some ops, the sinks, that a tainted operand may reach.
---@param fn phial.Function
---@param spec {sources: string[], cleaners: string[], sinks: string[]}
---@return phial.Value[]
function M.find(fn, spec)
  local solution, is_sink, found = fn:solve(M.problem(spec)), {}, {}
  for _, op in ipairs(spec.sinks) do is_sink[op] = true end
  for v in fn:values() do
    local reached = is_sink[v:op()] and solution:is_taken(v:block())
    if reached and any_operand(v, function(i) return solution:fact(v:args()[i]) end) then
      found[#found + 1] = v
    end
  end
  return found
end

return M
