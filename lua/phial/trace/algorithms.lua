-- The names of the algorithms that construct from traces.
local M = {}

--- The variants of the paper's algorithm: phis are placed while a function is filled.
M.variants = { "marker", "simple", "scc", "operand" }

--- Those that place phis when it is finished.
M.classical = { "cytron", "briggs", "choi", "djgraph", "aycock", "brandis" }

--- True for the classical ones.
---@type table<string, true>
M.is_classical = {}
for _, name in ipairs(M.classical) do M.is_classical[name] = true end

return M
