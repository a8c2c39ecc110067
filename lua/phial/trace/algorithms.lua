-- The names of the algorithms that construct from traces.
local M = {}

--- The variants of the paper's algorithm: phis are placed while a function is filled.
M.variants = { "marker", "simple", "scc", "operand" }

--- Those that place phis when it is finished.
M.classical = { "cytron", "briggs", "choi", "djgraph", "aycock", "brandis" }

--- The names of all algorithms; what a choice of one is, also in messages.
---@type phial.options.Kind
M.names = table.move(M.classical, 1, #M.classical, #M.variants + 1, { table.unpack(M.variants) })
M.names.expected = table.concat(M.names, ", ", 1, #M.names - 1) .. " or " .. M.names[#M.names]

--- By name: true for a classical algorithm, false for the others; nil for what is none.
---@type table<string, boolean>
M.is_classical = {}
for i, name in ipairs(M.names) do M.is_classical[name] = i > #M.variants end

return M
