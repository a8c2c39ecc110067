-- Text to tokens, with LPeg. Comments nest: (* one (* in *) another *).
local lpeg = require "lpeg"

local P, R, S = lpeg.P, lpeg.R, lpeg.S
local C, Carg, Cc, Cg = lpeg.C, lpeg.Carg, lpeg.Cc, lpeg.Cg
local Cmt, Cp, Ct = lpeg.Cmt, lpeg.Cp, lpeg.Ct

local KEYWORDS = [[AND BEGIN CONST DIV DO ELSE ELSIF END FROM IF IMPORT MOD MODULE NOT OR
  PROCEDURE RETURN THEN VAR WHILE]]
local SYMBOLS = ":= <= >= = # < > + - * / , . ; : ( )"

local keywords = {}
for word in KEYWORDS:gmatch "%S+" do keywords[word] = true end

local function note(mistakes, at, message)
  mistakes[#mistakes + 1] = { at = at, message = message }
end

-- Goes to the end of a comment, of which the opening has been matched.
local function skip_comment(text, after, mistakes)
  local at, level = after, 1
  while level > 0 do
    local from = text:find("[(*][*)]", at)
    local both = from and text:sub(from, from + 1)
    if not from then
      note(mistakes, after - 2, "this comment has no end")
      mistakes.cut = true
      return #text + 1
    end
    level = level + (both == "(*" and 1 or both == "*)" and -1 or 0)
    at = from + ((both == "(*" or both == "*)") and 2 or 1)
  end
  return at
end

-- The value of a number; hexadecimal digits are followed by an H.
local function value_of(digits)
  local hex = digits:match "^0*(.-)H$"
  if hex then
    if #hex > 16 then return nil, "the number does not fit in 64 bits" end
    return tonumber("0" .. hex, 16)
  end
  if digits:find "%D" then return nil, "hexadecimal digits need an H at the end" end
  local value = math.tointeger(tonumber(digits))
  return value, not value and "the number does not fit in 64 bits" or nil
end

local function read_number(_, after, digits, mistakes)
  local value, problem = value_of(digits)
  if problem then note(mistakes, after - #digits, problem) end
  return true, value or 0
end

local function unknown(_, after, character, mistakes)
  note(mistakes, after - #character, ("'%s' is not a character of the language"):format(character))
  return true
end

local digit, letter = R "09", R("az", "AZ") + "_"
local comment = P "(*" * Cmt(Carg(1), skip_comment)
local space = (S " \t\r\n\f" + comment) ^ 0

local symbol = P(false)
for text in SYMBOLS:gmatch "%S+" do symbol = symbol + text end

local function kind_of(word) return keywords[word] and word or "name" end

local word = C(letter * (letter + digit) ^ 0)
local digits = C(digit * (digit + R "AF") ^ 0 * P "H" ^ -1)
local token = Ct(Cg(Cp(), "at") * (
    Cg(word / kind_of, "kind")
    + Cg(Cc "number", "kind") * Cg(Cmt(digits * Carg(1), read_number), "value")
    + Cg(C(symbol), "kind")) * Cg(Cp(), "to"))
local stray = Cmt(C(1 * R "\x80\xBF" ^ 0) * Carg(1), unknown)
local tokens = Ct(space * ((token + stray) * space) ^ 0)

local M = {}

---@alias tinylang.Mistakes { at: integer, message: string }[]|{ cut: boolean? }

---@class tinylang.Token
---@field kind string a keyword or a symbol, "name", "number", or "end" after the last one
---@field at integer its offset in the text
---@field to integer the offset after it
---@field value integer? of a number

--- The tokens of a text, and what is wrong with them: `cut` if a comment has no end.
---@param text string
---@return tinylang.Token[]
---@return tinylang.Mistakes mistakes
function M.tokens(text)
  local mistakes = {}
  local list = tokens:match(text, 1, mistakes)
  list[#list + 1] = { kind = "end", at = #text + 1, to = #text + 1 }
  return list, mistakes
end

return M
