-- Reads JSON, with LPeg, and knows where in its text a value is, so that messages about
-- the contents of a string can say so.
local lpeg = require "lpeg"

local C, Cc, Cp, Cs, Ct, P, R, S, V = lpeg.C, lpeg.Cc, lpeg.Cp, lpeg.Cs, lpeg.Ct, lpeg.P,
  lpeg.R, lpeg.S, lpeg.V

local M = {
  null = setmetatable({}, { __name = "null", __tostring = function() return "null" end }),
}

-- {== Strings ===========================================================

local SHORT <const> = {
  b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/",
}

local hex = R("09", "af", "AF")
local four = P "\\u" * C(hex * hex * hex * hex) / function(digits) return tonumber(digits, 16) end
local high = #(P "\\u" * S "dD" * S "89abAB") * four
local low = #(P "\\u" * S "dD" * R("cf", "CF")) * four

local pair = high * low / function(first, second)
  return utf8.char(0x10000 + (first - 0xd800 << 10) + second - 0xdc00)
end

-- A surrogate on its own is encoded as any other number.
local escape = pair + four / utf8.char + P "\\" * C(S 'bfnrt"\\/') / SHORT
local plain = 1 - (S '"\\' + R "\0\31")

-- }== Values ============================================================

local reached -- up to here, the text is right

local mark = lpeg.Cmt(true, function(_, at)
  reached = math.max(reached, at)
  return true
end)

local positions = setmetatable({}, { __mode = "k" }) -- of objects: of their values, by key

local function object(list)
  local it, at = {}, {}
  for i = 1, #list, 3 do
    it[list[i]], at[list[i]] = list[i + 2], list[i + 1]
  end
  positions[it] = at
  return it
end

local function token(pattern) return pattern * S " \t\r\n"^0 * mark end

local number = P "-"^-1 * (P "0" + R "19" * R "09"^0) * (P "." * R "09"^1)^-1
  * (S "eE" * S "+-"^-1 * R "09"^1)^-1
local string = token(P '"' * Cs((plain^1 * mark + escape)^0) * '"')
local member = string * token ":" * Cp() * V "value"

local document = P {
  token "" * V "value" * -1,
  value = string + token(number / tonumber)
    + token "{" * Ct((member * (token "," * member)^0)^-1) * token "}" / object
    + token "[" * Ct((V "value" * (token "," * V "value")^0)^-1) * token "]"
    + token "true" * Cc(true) + token "false" * Cc(false) + token "null" * Cc(M.null),
}

--- Reads a text; null is `M.null`.
---@param text string
---@return any value nil if it is not JSON
---@return string? message
---@return integer? at where in the text
function M.read(text)
  reached = 1
  local ok, value = pcall(lpeg.match, document, text)
  if not ok then return nil, "the JSON is nested too deeply", reached end
  if value ~= nil then return value end
  return nil, reached > #text and "the JSON ends too early" or "this is not JSON", reached
end

--- The position of a member's value in the text that an object was read from.
---@param it table
---@param key string
---@return integer?
function M.position(it, key) return positions[it] and positions[it][key] end

local one = (C(plain) + escape) * Cp()

--- The position in the text of the n-th byte of a string.
---@param text string
---@param at integer the position of the string
---@param n integer
---@return integer
function M.inside(text, at, n)
  at = at + 1
  local bytes, after = one:match(text, at)
  while bytes and n > #bytes do
    n, at = n - #bytes, after
    bytes, after = one:match(text, at)
  end
  return at
end

return M
