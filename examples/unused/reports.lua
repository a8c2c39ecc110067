-- A list of reports, sorted by their position in the source.
---@class unused.Report
---@field line integer
---@field col? integer
---@field message string

---@class unused.Reports
local Reports = {}
Reports.__index = Reports

---@param line integer
---@param col integer?
---@param message string
function Reports:add(line, col, message, ...)
  self[#self + 1] = {
    line = line, col = col, message = message:format(...), number = #self,
  }
end

---@return unused.Report[]
function Reports:sorted()
  table.sort(self, function(a, b)
    if a.line ~= b.line then return a.line < b.line end
    if a.col ~= b.col then return (a.col or 0) < (b.col or 0) end
    return a.number < b.number
  end)
  return self
end

---@return unused.Reports
local function new()
  return setmetatable({}, Reports)
end

local MOST = 5 -- lines in one message

--- The lines of some values, for a message: "line 3", "lines 3, 5"; nil if none has
--- a line.
---@param values phial.Value[]
---@return string?
local function lines(values)
  local list, seen = {}, {}
  for _, value in ipairs(values) do
    local line = value:loc()
    if line and not seen[line] then seen[line], list[#list + 1] = true, line end
  end
  table.sort(list)
  if #list == 0 then return nil end
  local text = table.concat(list, ", ", 1, math.min(#list, MOST))
  return (#list == 1 and "line " or "lines ") .. text .. (#list > MOST and ", ..." or "")
end

return { new = new, lines = lines }
