-- The lines on which a Lua program declares its local variables, from its source.
--
-- Bytecode does not have them: its locals have names, and its instructions lines, but
-- successive declarations without a value become one LOADNIL, with the line of the first
-- one.  The prototypes of a chunk, and the locals of each, are in the order of the source.
local M = {}

--- Gives each local of a chunk's prototypes the field `line`, where it is declared.
--- Names of constants that the compiler replaces by their values are not among them, and
--- the compiler's own locals are not declared.
---@param protos table[] in the order of the source
---@param program phial.source.Program
function M.place(protos, program)
  for n, f in ipairs(program:functions()) do
    local variables, next = f.variables, 1
    for _, here in ipairs(protos[n].locals) do
      local found = next
      while variables[found] and variables[found].name ~= here.name do found = found + 1 end
      if variables[found] then here.line, next = program:range(variables[found].node), found + 1 end
    end
  end
end

return M
