--- Names, constants and data of a trace, as text and back.
-- Each is a word. A line is a list of words separated by blanks; blanks inside
-- quotes and braces belong to the word, and `--` starts a comment.
local core = require "phial.core"
local portable = require "phial.portable"

local M = {}

-- {== Words ============================================================

local BLANKS = " \t\n\v\f\r"
local BLANK, WORD = "[" .. BLANKS .. "]", "[^" .. BLANKS .. "]+"

-- The position after the word that starts at `from`; nil if quotes or braces are
-- not closed.
local function word_end(line, from)
  local braced = line:sub(from, from) == "{"
  local at, stops = from, braced and '[}"]' or '["' .. BLANKS .. "]"
  while true do
    at = line:find(stops, at)
    if not at then return not braced and #line + 1 or nil end
    local c = line:sub(at, at)
    if c == '"' then
      local value, behind = portable.unquoted(line, at)
      if not value then return nil end
      at = behind
    else
      return c == "}" and at + 1 or at
    end
  end
end

-- The words of a line without quotes and braces.
local function split_plain(line)
  local words = {}
  for word in line:gmatch(WORD) do
    if word:find "^%-%-" then break end
    words[#words + 1] = word
  end
  return words
end

--- The words of a line; nil if quotes or braces are not closed.
---@param line string
---@return string[]?
function M.split(line)
  if not line:find '["{]' then return split_plain(line) end
  local words, at = {}, 1
  while true do
    at = line:find(WORD, at)
    if not at or line:find("^%-%-", at) then return words end
    local stop = word_end(line, at)
    if not stop then return nil end
    words[#words + 1] = line:sub(at, stop - 1)
    at = stop
  end
end

--- Splits a word into the name that it starts with and the rest.
---@param word string
---@return string? name nil if it does not start with one
---@return string rest
function M.unnamed(word)
  if word:byte() == 34 then
    local name, behind = portable.unquoted(word, 1)
    return name, name and word:sub(behind) or word
  end
  local name, rest = word:match "^([A-Za-z_][A-Za-z0-9_]*)(.*)$"
  return name, rest or word
end

--- The label of a block or variable in a trace: its number, or its name and which of that name
--- it is.
---@param counts table<string, integer> how many of each name precede it
---@param name string?
---@param number integer
---@return string
function M.label(counts, name, number)
  if not name then return tostring(number) end
  counts[name] = (counts[name] or 0) + 1
  return portable.name(name) .. (counts[name] > 1 and "/" .. counts[name] or "")
end

-- }== Constants ========================================================

-- Reads a number without a type, or a word that is a constant; nil if the word is neither.
local function literal(word)
  if portable.WORDS[word] ~= nil then return portable.WORDS[word] end
  local n = portable.tonumber(word)
  if n then return (math.type(n) == "integer" or not word:find "^%-?%d+$") and n or nil end
  local hex = word:match "^nan%(0x(%x+)%)$"
  local x = hex and #hex <= 16 and portable.float(tonumber(hex, 16))
  return x and x ~= x and x or nil
end

---@class phial.trace.Constant
---@field value any
---@field type string
---@field undef? boolean

local function typed(value, type, default)
  return { value = value, type = type or default }
end

--- Reads a constant as the text form has it; nil if the word is not one.
---@param word string
---@return phial.trace.Constant?
function M.constant(word)
  if word == "nil" then return typed(nil, "any") end
  if word:byte() == 34 then
    local s, behind = portable.unquoted(word, 1)
    return s and behind == #word + 1 and typed(s, "any") or nil
  end
  local text, type = word:match "^(.-):([A-Za-z_][A-Za-z0-9_.]*)$"
  if text == "undef" then return { undef = true, type = type } end
  local value = literal(text or word)
  if value == nil then return nil end
  local kind = math.type(value)
  return typed(value, type, kind == "integer" and "i64" or kind == "float" and "f64" or "i1")
end

-- }== Effects ==========================================================

local function classes_text(word, set)
  return ("%s(%s)"):format(word, set == "all" and "..." or table.concat(set, ","))
end

--- What is said of the classes that an instruction reads and writes: words as in the text form,
--- without blanks in them.
---@param v phial.Value
---@return string[]
function M.effects_texts(v)
  local reads, writes = core.said(v)
  local out = {}
  if reads then out[1] = classes_text("reads", reads) end
  if writes then out[#out + 1] = classes_text("writes", writes) end
  return out
end

--- Reads one of these words.
---@param word string
---@return "reads"|"writes"|nil which nil if it is none
---@return string[]|"all"|nil classes
function M.effects(word)
  local which, names = word:match "^(%l+)%(([%w_,.]*)%)$"
  if which ~= "reads" and which ~= "writes" then return nil end
  if names == "..." then return which, "all" end
  local set = {}
  for name in (names == "" and "" or "," .. names):gmatch ",([^,]*)" do set[#set + 1] = name end
  return which, set
end

-- }== Data =============================================================

--- The data of an instruction, in braces; values that only the host has are
--- numbered.
---@param value any
---@param host fun(value: any): integer gives the number
---@return string
function M.data_text(value, host)
  return ("{%s}"):format(portable.literal(value) or ("host %d"):format(host(value)))
end

--- Reads data in braces.
---@param word string
---@return {value: any, host: integer?}? # nil if the word is wrong
function M.data(word)
  if not word:find "^{.*}$" then return nil end
  -- in two steps: a single pattern would try each blank of a long string as the first of the last
  local from = word:match("^" .. BLANK .. "*()", 2)
  local text = word:sub(from, -2):match("^.*[^" .. BLANKS .. "]") or ""
  if text == "nil" then return {} end
  local host = text:match("^host" .. BLANK .. "+(%d+)$")
  if host then return { host = math.tointeger(tonumber(host)) } end
  if text:byte() == 34 then
    local s, behind = portable.unquoted(text, 1)
    return s and behind == #text + 1 and { value = s } or nil
  end
  local value = literal(text)
  return value ~= nil and { value = value } or nil
end

-- }=====================================================================

return M
