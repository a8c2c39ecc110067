-- Tokens of a preprocessed text, with LPeg. A line `# 12 "file.c"`, which the preprocessor
-- writes, says where the lines that follow come from.
local lpeg = require "lpeg"

local P, R, S = lpeg.P, lpeg.R, lpeg.S
local C, Cc, Cg, Cp, Cs, Ct = lpeg.C, lpeg.Cc, lpeg.Cg, lpeg.Cp, lpeg.Cs, lpeg.Ct

local KEYWORDS = [[_Alignas _Alignof _Bool _Generic _Noreturn _Static_assert __attribute__
  __builtin_va_arg __builtin_va_copy __builtin_va_end __builtin_va_list __builtin_va_start auto
  break case char const continue default do double else enum extern float for goto if inline int
  long register restrict return short signed sizeof static struct switch typedef union unsigned
  void volatile while]]
local SYMBOLS = [[<<= >>= ... -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= + - * / %
  & | ^ ~ ! < > = ? : ; , . ( ) [ ] { }]]

---@class minic.Token
---@field kind string "name", "number", "string", "character", "end"; a keyword or symbol: its text
---@field text string
---@field value any of a number; the bytes of a string or character
---@field type string? the name of its type; of a string or character that of its elements
---@field line integer
---@field col integer
---@field file string

local M = {}

--- Raises what is wrong with a program, which the compiler catches.
---@param at { file: string, line: integer, col: integer } a token
---@param message string a format
function M.problem(at, message, ...)
  error(("%s:%d:%d: "):format(at.file, at.line, at.col) .. message:format(...), 0)
end

-- {== Numbers =========================================================

local INTEGERS = { "int", "unsigned int", "long", "unsigned long" }
local MOST = { 0x7FFFFFFF, 0xFFFFFFFF, math.maxinteger, -1 } -- the last one is unsigned

-- The value and the type of an integer; nothing if there is none.
local function integer(base, digits, suffix)
  local value, most = 0, math.maxinteger // base * 2 + 1
  for digit in digits:gmatch "." do
    local units = tonumber(digit, base)
    if not units or math.ult(most, value) then return end
    value = value * base + units
    if math.ult(value, units) then return end
  end
  local unsigned, long = suffix:find "[uU]", suffix:find "[lL]"
  for i, name in ipairs(INTEGERS) do
    local is_other = long and i < 3 or unsigned and i % 2 == 1
      or base == 10 and not unsigned and i == 2
    if not is_other and not math.ult(MOST[i], value) then return value, name end
  end
end

local function float(text, suffix)
  return tonumber(text), suffix == "" and "double" or suffix:lower() == "f" and "float" or nil
end

-- }== Strings =========================================================

local ESCAPES = { n = "\n", t = "\t", r = "\r", a = "\a", b = "\b", f = "\f", v = "\v", e = "\27" }

local digit, letter, hex = R "09", R("az", "AZ") + S "_$" + R "\x80\xFF", R("09", "af", "AF")
local escape = P "\\" * ("x" * (C(hex ^ 1) * Cc(16) / tonumber)
  + C(R "07" * R "07" ^ -2) * Cc(8) / tonumber
  + C(1) / function(it) return (ESCAPES[it] or it):byte() end)
local four = hex * hex * hex * hex
local code_point = P "\\" * ("u" * C(four) + "U" * C(four * four)) * Cc(16) / tonumber
local one = R "\0\x7F" + R "\xC2\xF4" * R "\x80\xBF" ^ 1

local function byte(code) return string.char(code & 0xFF) end
local function wide(code) return ("<I4"):pack(code & 0xFFFFFFFF) end

-- What is between quotes, packed, and the type of its elements; narrow ones have code points as
-- UTF-8.
local function quoted(quote)
  return quote * Cs((code_point / utf8.char + escape / byte + 1 - P(quote)) ^ 0) * quote * Cc "char"
    + "L" * P(quote) * Cs(((code_point + escape + C(one - P(quote)) / utf8.codepoint) / wide) ^ 0)
    * quote * Cc "int"
end

-- }== Tokens ==========================================================

local keywords = {}
for word in KEYWORDS:gmatch "%S+" do keywords[word] = word end
local symbol = P(false)
for text in SYMBOLS:gmatch "%S+" do symbol = symbol + text end

local exponent = S "eE" * S "+-" ^ -1 * digit ^ 1
local binary = S "pP" * S "+-" ^ -1 * digit ^ 1
local decimal = digit ^ 1 * (("." * digit ^ 0) * exponent ^ -1 + exponent)
  + "." * digit ^ 1 * exponent ^ -1
local hexfloat = "0" * S "xX" * hex ^ 0 * ("." * hex ^ 0) ^ -1 * binary
local digits = "0" * S "xX" * Cc(16) * C(hex ^ 1) + "0" * S "bB" * Cc(2) * C(R "01" ^ 1)
  + #P "0" * Cc(8) * C(digit ^ 1) + Cc(10) * C(digit ^ 1)
local number = C(hexfloat + decimal) * C(S "fFlL" ^ -1) / float + digits * C(S "uUlL" ^ 0) / integer

local function kind(name) return Cg(Cc(name), "kind") end
local word = C(letter * (letter + digit) ^ 0)
local token = Ct(Cg(Cp(), "col") * (quoted '"' * kind "string" + quoted "'" * kind "character"
  + number * kind "number" * -(letter + digit)
  + Cg(word / function(text) return keywords[text] or "name" end + C(symbol), "kind"))
  * Cg(Cp(), "to"))
local space = S " \t\f\v\r" ^ 0
local line_tokens = Ct((space * token) ^ 0 * space * Cg(Cp(), "rest"))

-- Adds the tokens of a line.
local function add_tokens(list, text, line, file)
  local found = line_tokens:match(text)
  for _, it in ipairs(found) do
    it.text, it.line, it.file = text:sub(it.col, it.to - 1), line, file
    it.value, it.type = it[1], it[2]
    if it.kind == "number" and not it.type then
      M.problem(it, "'%s' is not a number that a type has", it.text)
    end
    list[#list + 1] = it
  end
  if found.rest <= #text then
    M.problem({ file = file, line = line, col = found.rest }, "'%s' does not begin a token",
      text:match("[%z\1-\x7F\xC2-\xF4][\x80-\xBF]*", found.rest))
  end
end

--- The tokens of a preprocessed text, the last one of kind "end".
---@param text string
---@param path string of its first lines
---@return minic.Token[]
function M.tokens(text, path)
  local list, line, file = {}, 0, path
  for it in text:gmatch "([^\n]*)\n?" do
    line = line + 1
    local marked, name = it:match '^#%s*l?i?n?e?%s*(%d+)%s*"?([^"]*)'
    if marked then
      line, file = tonumber(marked) - 1, name ~= "" and name or file
    elseif it:find "^%s*#%s*pragma%s+pack" then
      M.problem({ file = file, line = line, col = 1 }, "#pragma pack is not supported")
    elseif not it:find "^%s*#" then
      add_tokens(list, it, line, file)
    end
  end
  list[#list + 1] = { kind = "end", text = "the end", line = line + 1, col = 1, file = file }
  return list
end

return M

-- }=====================================================================
