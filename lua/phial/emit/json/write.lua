--- Writes documents as JSON: a line for each block, value and event.
--
-- The text can be put into HTML and into JavaScript as it is: `<`, and the two characters
-- of Unicode that end lines of JavaScript, are written as numbers.
local portable = require "phial.portable"

local M = {}

-- {== Strings ==========================================================

local named = {
  ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t",
}

local function escape(c) return named[c] or ("\\u%04x"):format(c:byte()) end

-- JSON is UTF-8: bytes that are not are shown as numbers, as the text form does.
local function as_utf8(text)
  if utf8.len(text) then return text end
  return (text:gsub("[\x80-\xff]", function(c) return ("\\x%02x"):format(c:byte()) end))
end

local function quoted(text)
  text = as_utf8(text):gsub('[\0-\31"\\<\127]', escape)
  return '"' .. text:gsub("\u{2028}", "\\u2028"):gsub("\u{2029}", "\\u2029") .. '"'
end

-- }== Values ===========================================================

local write

local function list(items)
  local out = {}
  for i, it in ipairs(items) do out[i] = write(it) end
  return "[" .. table.concat(out, ",") .. "]"
end

-- Fields that are written first, in this order, for readers; the others follow by name.
local ORDER <const> = {
  "event", "id", "block", "var", "value", "text", "name", "op", "type", "data", "args",
  "new_op", "new_args", "targets",
  "index", "from", "to", "passed", "operand", "by", "preds", "succs", "phis", "insts", "line",
  "place", "loc",
}

local is_ordered, key = {}, {}
for _, name in ipairs(ORDER) do is_ordered[name], key[name] = true, quoted(name) .. ":" end

local function object(it)
  local out, others = {}, {}
  for _, name in ipairs(ORDER) do
    local field = it[name]
    if field ~= nil then out[#out + 1] = key[name] .. write(field) end
  end
  for name in pairs(it) do
    if not is_ordered[name] then others[#others + 1] = name end
  end
  table.sort(others, portable.precedes)
  for _, name in ipairs(others) do out[#out + 1] = quoted(name) .. ":" .. write(it[name]) end
  return "{" .. table.concat(out, ",") .. "}"
end

-- A table without entries is a list: no object of a document is empty. Numbers are integers.
function write(it)
  if type(it) == "string" then return quoted(it) end
  if type(it) ~= "table" then return tostring(it) end
  return (it[1] ~= nil or next(it) == nil) and list(it) or object(it)
end

-- }== Documents ========================================================

-- The fields of a function in order; those in `lines` have a line for each item.
local FIELDS <const> = {
  "name", "linkage", "variadic", "params", "result", "passing", "construction",
  "finished", "problem", "vars", "blocks", "dropped", "values", "loops", "places", "trace",
  "events",
}
local LINES <const> = {
  blocks = true, dropped = true, values = true, loops = true, places = true, trace = true,
  events = true,
}

local function rows(items)
  local out = {}
  for i, it in ipairs(items) do out[i] = object(it) end
  return #out == 0 and "[]" or "[\n" .. table.concat(out, ",\n") .. "\n]"
end

local function func(it)
  local out = {}
  for _, name in ipairs(FIELDS) do
    if it[name] ~= nil then
      out[#out + 1] = ('"%s": %s'):format(name, (LINES[name] and rows or write)(it[name]))
    end
  end
  return "{\n" .. table.concat(out, ",\n") .. "\n}"
end

--- A document as JSON.
---@param funcs table[] the documents about functions
---@param further? table<string, any> other fields
---@return string
function M.document(funcs, further)
  local out, more = {}, {}
  for i, it in ipairs(funcs) do out[i] = func(it) end
  for i, name in ipairs(portable.sorted(further or {})) do
    more[i] = (',\n"%s": %s'):format(name, write(further[name]))
  end
  return ('{\n"format": 1,\n"functions": [%s]%s\n}\n'):format(table.concat(out, ",\n"),
    table.concat(more))
end

-- }=====================================================================

return M
