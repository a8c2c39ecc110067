-- The text of a document, which an editor changes. Its positions count units of an encoding, from
-- 0 on; those of lint count characters, from 1 on.
---@class lint.Document
---@field lines string[] with their ends
---@field encoding "utf-8"|"utf-16"|"utf-32"
---@field version? integer
---@field is_checked boolean its reports are those of its text
---@field reports lint.Reports? nil if the text is not Lua
local Document = {}
Document.__index = Document

local function split(text)
  local lines, from = {}, 1
  for after in text:gmatch "[^\r\n]*\r?\n?()" do
    local line = text:sub(from, after - 1)
    if line:find "[\r\n]$" then lines[#lines + 1], from = line, after end
  end
  lines[#lines + 1] = text:sub(from)
  return lines
end

local function without_end(line) return (line:gsub("[\r\n]+$", "")) end

-- How many units a part of a line has; a text that is not UTF-8 has bytes.
local function units(text, encoding)
  local n = encoding ~= "utf-8" and text:find "[\x80-\xff]" and utf8.len(text, 1, -1, true)
  if not n then return #text end
  if encoding == "utf-16" then n = n + select(2, text:gsub("[\xf0-\xf7]", "")) end
  return n
end

-- The place in a line, a byte, of so many units; that of its end if there are fewer.
local function byte_at(line, count, encoding)
  if encoding == "utf-8" or not utf8.len(line, 1, -1, true) then
    return math.min(count, #line) + 1
  end
  for at, code in utf8.codes(line, true) do
    if count <= 0 then return at end
    count = count - (encoding == "utf-16" and code > 0xFFFF and 2 or 1)
  end
  return #line + 1
end

--- The position of a character.
---@param line integer from 1 on
---@param col integer from 1 on
function Document:position(line, col)
  local text = without_end(self.lines[line] or "")
  if text:find "[\x80-\xff]" and utf8.len(text, 1, -1, true) then
    local at = utf8.offset(text, col) or #text + 1
    return { line = line - 1, character = units(text:sub(1, at - 1), self.encoding) }
  end
  return { line = line - 1, character = math.min(col - 1, #text) }
end

--- The character at a position: its line and its column.
---@return integer line
---@return integer col
function Document:place(line, character)
  local text = without_end(self.lines[line + 1] or "")
  local at = byte_at(text, character, self.encoding)
  return line + 1, units(text:sub(1, at - 1), "utf-32") + 1
end

-- A position as a line, at most the last one, and a byte of it.
local function clamped(self, line, character)
  if line >= #self.lines then return #self.lines, #self.lines[#self.lines] + 1 end
  local text = without_end(self.lines[line + 1])
  return line + 1, byte_at(text, character, self.encoding)
end

--- Replaces what is between two positions; without them, all.
function Document:replace(text, line, character, end_line, end_character)
  self.is_checked = false
  if not line then
    self.lines = split(text)
    return
  end
  local lines = self.lines
  local first, from = clamped(self, line, character)
  local last, to = clamped(self, end_line, end_character)
  if last < first or last == first and to < from then
    first, from, last, to = last, to, first, from
  end
  text = lines[first]:sub(1, from - 1) .. text .. lines[last]:sub(to)
  if first > 1 and lines[first - 1]:find "\r$" then -- what follows may complete its end
    first, text = first - 1, lines[first - 1] .. text
  end
  local new, n = split(text), #lines
  if last < n then new[#new] = new[#new] ~= "" and new[#new] or nil end
  local after = first + #new
  table.move(lines, last + 1, n, after)
  table.move(new, 1, #new, first, lines)
  for i = n, after + n - last, -1 do lines[i] = nil end
end

function Document:text() return table.concat(self.lines) end

---@param text string
---@param encoding string
---@return lint.Document
return function(text, encoding)
  return setmetatable({ lines = split(text), encoding = encoding, is_checked = false }, Document)
end
