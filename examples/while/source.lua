-- The text of a program: positions in it, and messages that show the line with a
-- caret:
--
--   gcd.while:3:11: expected an expression, found ';'
--     x := 1 + ;
--              ^
--
-- Positions are byte offsets, as LPeg counts them; columns are bytes too.

---@class while.Source
---@field path string
---@field text string
---@field starts integer[] the offset of each line
local Source = {}
Source.__index = Source

---@param path string
---@param text string
---@return while.Source
local function new(path, text)
  local starts = { 1 }
  for after in text:gmatch "\n()" do starts[#starts + 1] = after end
  return setmetatable({ path = path, text = text, starts = starts }, Source)
end

--- Line and column of an offset.
---@param at integer
---@return integer line
---@return integer col
function Source:place(at)
  local starts, low, high = self.starts, 1, #self.starts
  while low < high do
    local middle = (low + high + 1) // 2
    if starts[middle] <= at then low = middle else high = middle - 1 end
  end
  return low, at - starts[low] + 1
end

--- The offset of a line and column.
---@param line integer
---@param col integer
---@return integer at
function Source:offset(line, col) return self.starts[line] + col - 1 end

function Source:line(number)
  local from, next = self.starts[number], self.starts[number + 1] or #self.text + 2
  return (self.text:sub(from, next - 2):gsub("\r$", ""))
end

-- The caret is below its character, whatever precedes that in the line: tabs are
-- kept, and a character of several bytes counts once.
local function caret(line, col)
  local before = line:sub(1, col - 1):gsub("[\x80-\xBF]", "")
  return before:gsub("[^\t]", " ") .. "^"
end

--- A message with its position, the line, and a caret.
---@param number integer
---@param col integer
---@param message string
---@return string
function Source:problem(number, col, message)
  local line = self:line(number)
  return ("%s:%d:%d: %s\n  %s\n  %s"):format(self.path, number, col, message, line,
    caret(line, col))
end

return { new = new }
