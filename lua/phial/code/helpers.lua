--- Functions that generated code brings along, as far as it needs them.
local Helpers = {}
Helpers.__index = Helpers

---@class phial.code.Helpers
---@field rows string[][] the name of each, names of others that it needs, its source; each precedes
--- its users
---@field index table<string, integer> by name

---@param rows string[][]
---@return phial.code.Helpers
function Helpers.new(rows)
  local index = {}
  for i, row in ipairs(rows) do index[row[1]] = i end
  return setmetatable({ rows = rows, index = index }, Helpers)
end

local function add(self, needed, name)
  local i = assert(self.index[name], name)
  if needed[i] then return end
  needed[i] = true
  for other in self.rows[i][2]:gmatch "%S+" do add(self, needed, other) end
end

--- The sources of some, and of those that they need, in order.
---@param names table<string, true>
---@return string[]
function Helpers:sources(names)
  local needed, out = {}, {}
  for name in pairs(names) do add(self, needed, name) end
  for i, row in ipairs(self.rows) do
    if needed[i] then out[#out + 1] = row[3] end
  end
  return out
end

return Helpers
