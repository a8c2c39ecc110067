--- Functions in languages in SSA form, as the core writes them.
local Body = require "phial.code.body"

---@class phial.code.Ssa: phial.code.Body
---@field label_of fun(line: string): string? the label of the block that a line begins
local Ssa = Body.class()

--- Makes a class.
---@return table
function Ssa.class() return Body.class(Ssa) end

function Ssa:temp() return (select(2, self.w:take "t")) end

Ssa.nowhere = Ssa.temp

--- The names of the results of an op. Several projections of one result have the same.
---@param call phial.code.Call
---@return table<integer, string>
---@return table # nothing else is to be done
function Ssa:places_of(call)
  local places, known = { call.type and self:text(call.id) }, {}
  for _, it in ipairs(self:projections(call.id)) do
    local key = it.index .. it.type
    if known[key] then self.w:name(it.id, known[key]) end
    known[key] = self:text(it.id)
    places[it.index] = known[key]
  end
  return places, {}
end

function Ssa.reads() return false end

--- Writes a line of an op, which can be a label: that begins a block.
---@param line string
function Ssa:put(line)
  local label = self.label_of(line)
  if label then
    self.w:start(label)
  elseif line:find("!dbg", 1, true) then
    self.w:directive("  " .. line)
  else
    self.w:line(line)
  end
end

return Ssa
