-- What is wrong with the input: errors that carry their place.
local M = {}

---@class llvm.Problem
---@field file string
---@field line integer
---@field column integer
---@field message string

local Problem = {}
Problem.__index = Problem

function Problem:__tostring()
  return ("%s:%d:%d: %s"):format(self.file, self.line, self.column, self.message)
end

-- The name and the text of the file that is being read.
local file, text = "-", ""

--- Sets the file that messages name from now on.
---@param name string
---@param content string
function M.start(name, content) file, text = name, content end

-- A line of the text.
local function line_at(number)
  local at = 1
  for _ = 2, number do at = (text:find("\n", at, true) or #text) + 1 end
  return text:match("^[^\n]*", at)
end

-- The column of a word in a line; of its first word if it is not there.
local function column_of(line, word)
  local from = word and 1
  while from do
    local first, last = line:find(word, from, true)
    if first and not line:find("^[%w._$-]", last + 1) then return first end
    from = last and last + 1
  end
  return line:match "^%s*()"
end

--- Raises an error at a place of the file.
---@param line integer
---@param word string? what the line has there (default: its first word)
---@param format string
function M.raise(line, word, format, ...)
  error(setmetatable({
    file = file, line = line, column = column_of(line_at(line), word),
    message = format:format(...),
  }, Problem), 0)
end

--- True if an error is one of these.
---@param it any
---@return boolean
function M.is(it) return getmetatable(it) == Problem end

return M
