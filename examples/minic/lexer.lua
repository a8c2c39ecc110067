-- Tokens of a preprocessed text, with LPeg. A line `# 12 "file.c"`, which the preprocessor
-- writes, says where the lines that follow come from.
local lpeg = require "lpeg"
local problem = require "minic.problem"

local P, R, S = lpeg.P, lpeg.R, lpeg.S
local C, Cc, Cg, Cp, Ct = lpeg.C, lpeg.Cc, lpeg.Cg, lpeg.Cp, lpeg.Ct

local KEYWORDS = [[_Alignas _Alignof _Bool _Generic _Noreturn _Static_assert __attribute__
  __builtin_va_arg __builtin_va_copy __builtin_va_end __builtin_va_list __builtin_va_start auto
  break case char const continue default do double else enum extern float for goto if inline int
  long register restrict return short signed sizeof static struct switch typedef union unsigned
  void volatile while]]
local SYMBOLS = [[<<= >>= ... -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= + - * / %
  & | ^ ~ ! < > = ? : ; , . ( ) [ ] { }]]
local SPELLED = { __inline = "inline", __inline__ = "inline", __restrict = "restrict",
  __const = "const", __volatile__ = "volatile", __signed__ = "signed",
  __attribute = "__attribute__" }

local keywords = {}
for word in KEYWORDS:gmatch "%S+" do keywords[word] = word end

---@class minic.Token
---@field kind string "name", "number", "string", "character", "end"; a keyword or symbol: its text
---@field text string
---@field value any of a number or character; the bytes of a string
---@field type string? of a number: the name of its type
---@field wide boolean? of a string or character
---@field line integer
---@field col integer
---@field file string

-- {== Numbers =========================================================

local INTEGERS = { "int", "unsigned int", "long", "unsigned long" }
local MOST = { 0x7FFFFFFF, 0xFFFFFFFF, math.maxinteger, -1 } -- the last one is unsigned

-- The value and the type of an integer; nil if there is none.
local function integer(base, digits, suffix)
  local value, most = 0, math.maxinteger // base * 2 + 1
  for digit in digits:gmatch "." do
    local units = tonumber(digit, base)
    if not units or math.ult(most, value) then return nil end
    value = value * base + units
    if math.ult(value, units) then return nil end
  end
  local unsigned, long = suffix:find "[uU]", suffix:find "[lL]"
  for i, name in ipairs(INTEGERS) do
    local is_other = long and i < 3 or unsigned and i % 2 == 1
      or base == 10 and not unsigned and i == 2
    if not is_other and not math.ult(MOST[i], value) then return value, name end
  end
end

local function float(text, suffix)
  return tonumber(text), suffix:lower() == "f" and "float" or suffix == "" and "double"
    or "long double"
end

-- }== Strings =========================================================

local ESCAPES = { n = "\n", t = "\t", r = "\r", a = "\a", b = "\b", f = "\f", v = "\v", e = "\27" }

local digit, letter, hex = R "09", R("az", "AZ") + S "_$" + R "\x80\xFF", R("09", "af", "AF")

local function in_base(base) return function(digits) return tonumber(digits, base) end end

local escape = P "\\" * ("x" * (C(hex ^ 1) / in_base(16)) + C(R "07" * R "07" ^ -2) / in_base(8)
  + C(1) / function(it) return (ESCAPES[it] or it):byte() end)
local four = hex * hex * hex * hex
local code_point = P "\\" * ("u" * C(four) + "U" * C(four * four)) / in_base(16)

-- What is between quotes, packed: elements are bytes, or code points, which narrow strings have as
-- UTF-8.
local function quoted(quote, format, mask, element, of_code)
  local plain = C(element - P(quote) - "\\") / of_code
  return P(quote) * Ct((code_point / of_code + escape + plain) ^ 0) * P(quote) / function(list)
    for i, it in ipairs(list) do
      list[i] = type(it) == "string" and it or format:pack(it & mask)
    end
    return table.concat(list)
  end
end

local function as_text(it) return type(it) == "number" and utf8.char(it) or it end
local function as_code(it) return type(it) == "number" and it or utf8.codepoint(it) end
local one = R "\0\x7F" + R "\xC2\xF4" * R "\x80\xBF" ^ 1

local function elements(quote)
  return "L" * Cg(Cc(true), "wide") * Cg(quoted(quote, "<I4", 0xFFFFFFFF, one, as_code), "value")
    + Cg(quoted(quote, "B", 0xFF, P(1), as_text), "value")
end

-- }== Tokens ==========================================================

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
local token = Ct(Cg(Cp(), "at") * (
  Cg(Cc "string", "kind") * elements '"'
  + Cg(Cc "character", "kind") * elements "'"
  + Cg(Cc "number", "kind") * Cg(Ct(number), "number") * -(letter + digit)
  + Cg(C(letter * (letter + digit) ^ 0), "text")
  + Cg(C(symbol), "kind")) * Cg(Cp(), "to"))
local line_tokens = Ct((S " \t\f\v\r" ^ 0 * token) ^ 0 * S " \t\f\v\r" ^ 0 * Cg(Cp(), "rest"))

local function complete(it, line, number_, file)
  it.line, it.col, it.file = number_, it.at, file
  if it.text then
    it.kind = keywords[SPELLED[it.text] or it.text] or "name"
  else
    it.text = line:sub(it.at, it.to - 1)
  end
  if it.kind == "number" then
    it.value, it.type = it.number[1], it.number[2]
    if not it.value then problem(it, "'%s' is not a number that a type has", it.text) end
  end
  return it
end

local M = {}

--- The tokens of a preprocessed text, the last one of kind "end".
---@param text string
---@param path string of its first lines
---@return minic.Token[]
function M.tokens(text, path)
  local list, number_, file = {}, 0, path
  for line in text:gmatch "([^\n]*)\n?" do
    number_ = number_ + 1
    local marked, name = line:match '^#%s*l?i?n?e?%s*(%d+)%s*"?([^"]*)'
    if marked then
      number_, file = tonumber(marked) - 1, name ~= "" and name or file
    elseif line:find "^%s*#%s*pragma%s+pack" then
      problem({ file = file, line = number_, col = 1 }, "#pragma pack is not supported")
    elseif not line:find "^%s*#" then
      local found = line_tokens:match(line)
      if found.rest <= #line then
        problem({ file = file, line = number_, col = found.rest },
          "'%s' does not begin a token", line:match("[%z\1-\x7F\xC2-\xF4][\x80-\xBF]*", found.rest))
      end
      for _, it in ipairs(found) do list[#list + 1] = complete(it, line, number_, file) end
    end
  end
  list[#list + 1] = { kind = "end", text = "the end", line = number_ + 1, col = 1, file = file }
  return list
end

return M

-- }=====================================================================
