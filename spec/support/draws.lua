-- Random programs with the draws that choose what is done to them.
local programs = require "spec.support.programs"

local M = {}

local case_mt = { __tostring = function(case) return tostring(case.program) end }

--- A generator of cases: a program of at most `most` blocks, and `count` draws.
---@param count integer
---@param most integer?
---@return fun(pick: fun(n: integer): integer): table
function M.cases(count, most)
  return function(pick)
    local case = { program = programs.generate(pick, most), draws = {} }
    for i = 1, count do case.draws[i] = pick(1000) end
    return setmetatable(case, case_mt)
  end
end

--- A function that draws from 1 to n, or 0 if n is 0, and one that is true until all is drawn;
--- a missing draw is 1.
---@return fun(n: integer): integer draw
---@return fun(): boolean goes_on
function M.of(case)
  local k = 0
  return function(n)
    k = k + 1
    return n > 0 and ((case.draws[k] or 1) - 1) % n + 1 or 0
  end, function() return k < #case.draws end
end

return M
