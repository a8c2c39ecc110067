-- Random choices: all of them come from one seed.
local M = {}

--- A random element of a list.
---@param list any[]
---@return any
function M.pick(list) return list[math.random(#list)] end

--- True once in n times.
---@param n integer
---@return boolean
function M.chance(n) return math.random(n) == 1 end

return M
