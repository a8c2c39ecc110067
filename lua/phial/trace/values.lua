--- The words of a trace: names, constants and data as text, and back.
-- A line is words with blanks between them. Blanks inside quotes and braces
-- belong to the word; what starts with `--` is a comment.
local M = {}

-- {== Quotes ===========================================================

local named = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

---@param s string
---@return string
function M.quoted(s)
  return '"' .. s:gsub('[%c"\\]', function(c)
    return named[c] or ("\\x%02x"):format(c:byte())
  end) .. '"'
end

--- An identifier as it is, anything else in quotes.
---@param s string
---@return string
function M.name(s)
  return s:find "^[%a_][%w_]*$" and s or M.quoted(s)
end

local meant = { n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\" }

-- The string whose opening quote is at `from`, and where it goes on behind it.
local function unquoted(text, from)
  local out, at = {}, from + 1
  while true do
    local plain, stop = text:match('^([^"\\]*)()', at)
    out[#out + 1] = plain
    local c = text:sub(stop, stop)
    if c == '"' then return table.concat(out), stop + 1 end
    local escape = text:sub(stop + 1, stop + 1)
    local hex = text:match("^x(%x%x)", stop + 1)
    if c == "" or not (meant[escape] or hex) then return nil end
    out[#out + 1] = hex and string.char(tonumber(hex, 16)) or meant[escape]
    at = stop + (hex and 4 or 2)
  end
end

-- Where the word that begins at `from` ends, behind it; nil: quotes or braces
-- are not closed.
local function word_end(line, from)
  local braced = line:sub(from, from) == "{"
  local at, stops = from, braced and '[}"]' or '[%s"]'
  while true do
    at = line:find(stops, at)
    if not at then return not braced and #line + 1 or nil end
    local c = line:sub(at, at)
    if c == '"' then
      local _, behind = unquoted(line, at)
      if not behind then return nil end
      at = behind
    else
      return c == "}" and at + 1 or at
    end
  end
end

-- The words of a line without quotes and braces.
local function split_plain(line)
  local words = {}
  for word in line:gmatch "%S+" do
    if word:find "^%-%-" then break end
    words[#words + 1] = word
  end
  return words
end

--- The words of a line; nil when quotes or braces are not closed.
---@param line string
---@return string[]?
function M.split(line)
  if not line:find '["{]' then return split_plain(line) end
  local words, at = {}, 1
  while true do
    at = line:find("%S", at)
    if not at or line:find("^%-%-", at) then return words end
    local stop = word_end(line, at)
    if not stop then return nil end
    words[#words + 1] = line:sub(at, stop - 1)
    at = stop
  end
end

--- The name that a word starts with, and the rest of the word.
---@param word string
---@return string? name nil when there is none
---@return string rest
function M.unnamed(word)
  if word:byte() == 34 then
    local name, behind = unquoted(word, 1)
    return name, name and word:sub(behind) or word
  end
  local name, rest = word:match "^([%a_][%w_]*)(.*)$"
  return name, rest or word
end

-- }== Numbers ==========================================================

local function nan(bits) return (string.unpack("<d", string.pack("<I8", bits))) end

local special = {
  inf = math.huge, ["-inf"] = -math.huge,
  nan = nan(0x7ff8000000000000), ["-nan"] = nan(0xfff8000000000000),
}

local function float_text(x)
  if x == math.huge then return "inf" elseif x == -math.huge then return "-inf" end
  if x ~= x then
    local bits = string.unpack("<i8", string.pack("<d", x))
    if bits == 0x7ff8000000000000 then return "nan" end
    return bits == 0xfff8000000000000 and "-nan" or ("nan(0x%x)"):format(bits)
  end
  for digits = 1, 17 do
    local text = ("%%.%dg"):format(digits):format(x)
    if tonumber(text) == x then
      text = text:gsub(",", ".")
      return text:find "[.e]" and text or text .. ".0"
    end
  end
end

-- The number that a word is, without its type.
local function number(word)
  if special[word] then return special[word] end
  if word:find "^%-?%d+$" then
    local n = tonumber(word)
    return math.type(n) == "integer" and n or nil
  end
  if word:find "^%-?%d+%.?%d*[eE]?[+-]?%d*$" then return tonumber(word) end
  local hex = word:match "^nan%(0x(%x+)%)$"
  local x = hex and #hex <= 16 and nan(tonumber(hex, 16))
  return x and x ~= x and x or nil
end

-- }== Constants ========================================================

---@class phial.trace.Constant
---@field value any
---@field type string
---@field undef? boolean

local words = { ["true"] = true, ["false"] = false }

local function typed(value, type, default)
  return { value = value, type = type or default }
end

--- A constant as the text form has it; nil when it is none.
---@param word string
---@return phial.trace.Constant?
function M.constant(word)
  if word == "nil" then return typed(nil, "any") end
  if word:byte() == 34 then
    local s, behind = unquoted(word, 1)
    return behind == #word + 1 and typed(s, "any") or nil
  end
  local text, type = word:match "^(.-):([%a_][%w_.]*)$"
  if text == "undef" then return { undef = true, type = type } end
  text = text or word
  if words[text] ~= nil then return typed(words[text], type, "i1") end
  local n = number(text)
  return n and typed(n, type, math.type(n) == "integer" and "i64" or "f64")
end

-- }== Data =============================================================

--- What an instruction carries, in braces; things that only the host knows
--- have numbers.
---@param value any
---@param host fun(value: any): integer
---@return string
function M.data_text(value, host)
  local kind = math.type(value) or type(value)
  if kind == "string" then return "{" .. M.quoted(value) .. "}" end
  if kind == "float" then return "{" .. float_text(value) .. "}" end
  if kind == "integer" or kind == "boolean" then return "{" .. tostring(value) .. "}" end
  return ("{host %d}"):format(host(value))
end

--- What stands in braces.
---@param word string
---@return {value: any, host: integer?}? # nil: the word is wrong
function M.data(word)
  local text = word:match "^{%s*(.-)%s*}$"
  if not text then return nil end
  if text == "nil" then return {} end
  local host = text:match "^host%s+(%d+)$"
  if host then return { host = math.tointeger(tonumber(host)) } end
  if text:byte() == 34 then
    local s, behind = unquoted(text, 1)
    return behind == #text + 1 and { value = s } or nil
  end
  local value = words[text]
  if value == nil then value = number(text) end
  return value ~= nil and { value = value } or nil
end

-- }=====================================================================

return M
