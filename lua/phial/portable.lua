--- Numbers and strings as text, alike in every locale.
-- The locale decides what Lua's own functions do: the decimal point of `tostring`,
-- `string.format` and `tonumber`, the letters of `%a` and the control characters of
-- `%c` in patterns and of `%q`, the order of strings. phial uses these functions
-- instead, and ranges such as [A-Za-z] in patterns.
local core = require "phial.core"

local M = {}

--- As Lua's `tostring`, but a float is the shortest decimal that reads back as it.
---@type fun(value: any): string
M.tostring = core.tostring

--- The number of a decimal, with a point; nil if the text is not one.
---@param text string
---@return number?
function M.tonumber(text)
  if text:find "^-?%d+$" then return tonumber(text) end
  local whole, fraction, rest = text:match "^(-?%d+)%.?(%d*)(.*)$"
  local power = rest == "" and "0" or (rest or ""):match "^[eE]([+-]?%d+)$"
  power = math.tointeger(tonumber(power))
  -- without a point: 125e-2 for 1.25
  return power and tonumber(("%s%se%d"):format(whole, fraction, power - #fraction))
end

local escaped = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }
for code = 0, 127 do
  local char = string.char(code)
  if char:find "[\0-\31\127]" then escaped[char] = escaped[char] or ("\\x%02x"):format(code) end
end

--- A string in quotes, on one line, as Lua and the text form read it.
---@param s string
---@return string
function M.quoted(s)
  if s:find '[\0-\31\127"\\]' then s = s:gsub('[\0-\31\127"\\]', escaped) end
  return '"' .. s .. '"'
end

--- A string in quotes, a number or a boolean as text; nil: it is something else.
---@param value any
---@return string?
function M.literal(value)
  local kind = type(value)
  if kind == "string" then return M.quoted(value) end
  return (kind == "number" or kind == "boolean") and M.tostring(value) or nil
end

local meant = { n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\" }

--- Reads the string in quotes that starts at a byte of a text.
---@param text string
---@param at integer
---@param plain? string a pattern of the characters that stand for themselves
---@return string? value nil: it is wrong
---@return integer stop the byte after it; or the first one that is wrong
function M.unquoted(text, at, plain)
  local out, pattern = {}, "^(" .. (plain or '[^"\\]*') .. ")()"
  at = at + 1
  while true do
    local part, stop = text:match(pattern, at)
    out[#out + 1] = part
    if text:find('^"', stop) then return table.concat(out), stop + 1 end
    local hex = text:match("^\\x(%x%x)", stop)
    local char = hex and string.char(tonumber(hex, 16)) or meant[text:match("^\\(.)", stop)]
    if not char then return nil, stop end
    out[#out + 1], at = char, stop + (hex and 4 or 2)
  end
end

--- A name in the text form and in traces: an identifier as it is, anything else in quotes.
---@param name string
---@return string
function M.name(name)
  return name:find "^[A-Za-z_][A-Za-z0-9_]*$" and name or M.quoted(name)
end

--- The float of these bits. A division could give either nan.
---@param bits integer
---@return number
function M.float(bits) return (string.unpack("<d", string.pack("<i8", bits))) end

--- Constants that are words.
---@type table<string, boolean|number>
M.WORDS = { ["true"] = true, ["false"] = false, inf = 1 / 0, ["-inf"] = -1 / 0,
  nan = M.float(0x7ff8000000000000), ["-nan"] = M.float(0xfff8000000000000) }

--- A name as an identifier of Lua, which may be a reserved word: other characters
--- become underscores.
---@param name string
---@param most integer its length
---@return string
function M.identifier(name, most)
  return (name:gsub("[^A-Za-z0-9_]", "_"):gsub("^%d", "_%0"):sub(1, most))
end

--- True if one string precedes another, byte by byte: for `table.sort`.
---@param a string
---@param b string
---@return boolean
function M.precedes(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = a:byte(i), b:byte(i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

--- The names in a table, in that order.
---@param by_name table<string, any>
---@return string[]
function M.sorted(by_name)
  local names = {}
  for name in pairs(by_name) do names[#names + 1] = name end
  table.sort(names, M.precedes)
  return names
end

return M
