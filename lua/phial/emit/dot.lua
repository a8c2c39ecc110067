--- phial.emit.dot: the control-flow graph in Graphviz's language, as the core prints it.
-- A block is a table: name, phis, instructions. Edges are labelled with their
-- condition or key; back edges to a dominator are blue, back edges of an
-- irreducible loop are red.
local core = require "phial.core"

local M = {
  help = "the control flow, for Graphviz", joined = true, lenient = true,
}

--- The control-flow graph of a function in Graphviz's language.
function M.func(fn) return core.dot(fn) end

return M
