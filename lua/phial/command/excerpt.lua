--- Messages about a place in a text, followed by the line and a caret below the place; and the
-- places of what messages name.
local M = {}

-- {== The line and the caret ===========================================

-- Columns of a terminal that are shown of a line, and those of them before the place.
local WIDTH <const>, BEFORE <const> = 100, 60

-- Characters that take no column, and those that take two: first and last of each range.
local NONE <const> = {
  { 0x300, 0x36f }, { 0x200b, 0x200f }, { 0x202a, 0x202e }, { 0x2060, 0x206f },
  { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xfeff, 0xfeff },
}
local TWO <const> = {
  { 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf }, { 0xac00, 0xd7a3 },
  { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 },
  { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
}

local function among(code, ranges)
  for _, range in ipairs(ranges) do
    if code >= range[1] and code <= range[2] then return true end
  end
  return false
end

-- What a terminal might obey: control characters, and those that change the direction of text.
local UNSAFE <const> = {
  "[\0-\8\11-\31\127]", "\xc2[\x80-\x9f]", "\xe2\x80[\xaa-\xae]", "\xe2\x81[\xa6-\xa9]",
}

--- A text for a terminal: what that might obey is shown as question marks. Lines and tabs stay.
---@param text string
---@return string
function M.safe(text)
  for _, pattern in ipairs(UNSAFE) do text = text:gsub(pattern, "?") end
  return text
end

---@class phial.command.Cell a character as a terminal shows it
---@field text string
---@field blank string as wide as the text
---@field width integer
---@field behind integer the byte after it

-- The character at a byte. What a terminal might obey, and bytes
-- that are not UTF-8, are shown as question marks.
local function cell(line, at)
  local char = line:match("^[\xc2-\xf4][\x80-\xbf]+", at)
  local code = char and utf8.len(char) == 1 and utf8.codepoint(char)
  if not code then
    char = line:sub(at, at)
    if char == "\t" then return { text = char, blank = char, width = 8, behind = at + 1 } end
    local shown = char:find "[ -~]" and char or "?"
    return { text = shown, blank = " ", width = 1, behind = at + 1 }
  end
  local shown = M.safe(char)
  local width = shown ~= char and 1 or among(code, NONE) and 0 or among(code, TWO) and 2 or 1
  return { text = shown, blank = (" "):rep(width), width = width, behind = at + #char }
end

--- A line, and a caret below one of its bytes; of a long line, what is around that.
---@param line string
---@param column integer from 1; may be after the end
---@return string
function M.marked(line, column)
  line = line:gsub("\r$", "")
  local from = #line > WIDTH and math.max(column - BEFORE, 1) or 1
  while from > 1 and line:find("^[\x80-\xbf]", from) do from = from - 1 end
  local text, blank = { from > 1 and "..." or "" }, { from > 1 and "   " or "" }
  local at, left = from, WIDTH
  while at <= #line and left > 0 do
    local it = cell(line, at)
    at, left, text[#text + 1] = it.behind, left - it.width, it.text
    local is_cut = at <= #line and left <= 0 -- the caret is not below what is left out
    if column >= at and not is_cut then blank[#blank + 1] = it.blank end
  end
  return ("  %s%s\n  %s^"):format(table.concat(text), at <= #line and "..." or "",
    table.concat(blank))
end

-- A line of a text; nil if it has fewer.
local function line_of(text, number)
  local at = 1
  for _ = 2, number do
    at = text:match("^[^\n]*\n()", at)
    if not at then return nil end
  end
  return text:match("^[^\n]*", at)
end

-- The place of a word in a line; nil if it does not occur as a whole word.
local function word_at(line, word)
  local at = 0
  repeat
    at = line:find(word, at + 1, true)
    local before, after = line:sub((at or 1) - 1, (at or 1) - 1), line:sub((at or 1) + #word)
    local whole = not before:find "[%w_.%%]" and not after:find "^[%w_.]"
  until not at or whole
  return at
end

-- The column of what a message without one is about: the first word that it quotes and the line
-- has; or the first word of the line.
local function column_in(line, said)
  for first, rest in said:gmatch "(['%%])([^'%s]+)" do
    local id = first == "%" and rest:match "^%d+"
    local at = word_at(line, id and "%" .. id or rest)
    if at then return at end
  end
  return line:match "^%s*()"
end

--- A message that starts with a place, "name:line:col: " or "name:line: ", with the line of the
--- text and a caret. Other messages stay as they are; an excerpt at the end of a message is
--- replaced.
---@param message string
---@param name string of the text
---@param text string
---@return string
function M.shown(message, name, text)
  if message:sub(1, #name + 1) ~= name .. ":" then return message end
  local number, rest = message:match("^(%d+)(:.*)$", #name + 2)
  local line = number and line_of(text, tonumber(number))
  if not line then return message end
  local column, said = rest:match "^:(%d+): (.*)"
  said = said or rest:match "^: (.*)"
  if not said then return message end
  column = tonumber(column) or column_in(line, said)
  local bare = said:match "^(.-)\n[^\n]*\n[ \t]*%^\n?$" or said
  return ("%s:%s:%d: %s\n%s"):format(name, number, column, bare, M.marked(line, column))
end

-- }== Functions, blocks and instructions ===============================

---@class phial.command.Places where a function and its blocks and instructions are
---@field line integer
---@field blocks table<string, {line: integer, lines: {[1]: integer, [2]: string}[]}>

--- Reads where functions and blocks are.
---@param text string in the text form
---@return table<string, phial.command.Places> by function
function M.places(text)
  local list, its, block, number = {}, nil, nil, 0
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    local name, label = line:match "^%s*fn%s+([^%s(]+)", line:match "^([^%s:%%]+):"
    if name then
      its, block = { line = number, blocks = {} }, nil
      list[name] = list[name] or its
    elseif its and label then
      block = { line = number, lines = {} }
      its.blocks[label] = its.blocks[label] or block
    elseif block then
      table.insert(block.lines, { number, line })
    end
  end
  return list
end

-- The line of an instruction as messages write it, "%5 = add %6, 1"; nil if no line has it.
local function line_of_inst(block, inst)
  local result, rest = inst:match "^(%%%S+) = (.*)$"
  rest = (rest or inst):gsub(", %.%.%.$", "")
  for _, it in ipairs(block.lines) do
    local number, line = it[1], it[2]
    if line:find(rest, 1, true) and (not result or line:match "^%s*(%%[^%s:]+)" == result) then
      return number
    end
  end
end

--- A message about a function, with the line of the text that it is about: that of the instruction
--- or block that it names, or of the function.
---@param input phial.command.Input
---@param name string of the function
---@param message string
---@param found? table<string, phial.command.Places> of the text, if they are known
---@return string
function M.located(input, name, message, found)
  if input.kind ~= "text" then return ("%s: %s"):format(input.name, message) end
  local its = (found or M.places(input.text))[name]
  if not its then return ("%s: %s"):format(input.name, message) end
  local inst, within = message:match "'([^']*)' in block '([^']*)'"
  local block = its.blocks[within or message:match "block '([^']*)'"] or its
  local line = inst and block ~= its and line_of_inst(block, inst) or block.line
  return M.shown(("%s:%d: %s"):format(input.name, line, message), input.name, input.text)
end

-- }=====================================================================

return M
