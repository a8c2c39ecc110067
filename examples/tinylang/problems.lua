-- What is wrong with a program: messages with their places, one for each place, in
-- the order of the files and the text.

---@class tinylang.Problems
---@field list { source: while.Source, at: integer, message: string, more: string? }[]
local Problems = {}
Problems.__index = Problems

--- Adds a problem, unless there is one at its place.
---@param source while.Source
---@param at integer
---@param message string a format
---@return { more: string? }? added `more`: lines that follow the line with the caret
function Problems:add(source, at, message, ...)
  local places = self.places[source] or {}
  self.places[source] = places
  if places[at] then return nil end
  places[at] = true
  local problem = { source = source, at = at, message = message:format(...) }
  self.list[#self.list + 1] = problem
  return problem
end

function Problems:is_empty() return #self.list == 0 end

--- The messages, each with the line and a caret.
---@return string[]
function Problems:texts()
  table.sort(self.list, function(a, b)
    if a.source ~= b.source then return a.source.number < b.source.number end
    return a.at < b.at
  end)
  local texts = {}
  for i, problem in ipairs(self.list) do
    local line, col = problem.source:place(problem.at)
    texts[i] = problem.source:problem(line, col, problem.message) .. (problem.more or "")
  end
  return texts
end

local function new()
  return setmetatable({ list = {}, places = {} }, Problems)
end

return { new = new }
