-- The ops into which HIR is translated: a dialect of phial with an op for each kind of
-- instruction and terminal.
--
-- What an instruction does is nothing to phial: it uses values and defines as many as it
-- likes, and its data is the printed line.  All have the effect "write" (the default), so
-- none is dropped or merged.
local grammar = require "react.grammar"
local phial = require "phial"

-- What texts of phial say of the data: the line.
local function describe(line)
  local parts = {}
  for _, piece in ipairs(line) do
    if type(piece) == "string" then parts[#parts + 1] = piece end
    if type(piece) == "table" then parts[#parts + 1] = piece.word end
  end
  return (table.concat(parts):gsub("\n%s*", " "))
end

local INSTRUCTION <const> = { args = "*", result = "any", results = "*", describe = describe }
local TERMINAL <const> = { args = "*", terminator = true, targets = "*", describe = describe }

local ops = {
  params = INSTRUCTION, -- defines the parameters of a nested function
  enter = TERMINAL, -- to a nested function, or past it
}
for op in pairs(grammar.VALUES) do ops[op] = INSTRUCTION end
for _, other in ipairs(grammar.OTHERS) do ops[other[1]] = INSTRUCTION end
for op in pairs(grammar.TERMINALS) do ops[op] = TERMINAL end

return phial.dialect("hir", ops)
