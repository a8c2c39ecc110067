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

local function quoted(text)
  if not text:find '[^ !#-;=-%[%]-~]' then return '"' .. text .. '"' end
  if not utf8.len(text) then -- JSON is UTF-8: other bytes are shown as numbers, as in the text form
    text = text:gsub("[\x80-\xff]", function(c) return ("\\x%02x"):format(c:byte()) end)
  end
  text = text:gsub('[\0-\31"\\<\127]', escape)
  return '"' .. text:gsub("\u{2028}", "\\u2028"):gsub("\u{2029}", "\\u2029") .. '"'
end

-- }== Values ===========================================================

local write

-- Fields that are written first, in this order, for readers; the others follow by name.
local ORDER <const> = {
  "event", "id", "block", "var", "value", "text", "name", "op", "type", "data", "args",
  "new_op", "new_args", "targets",
  "index", "from", "to", "passed", "operand", "by", "preds", "succs", "phis", "insts", "line",
  "place", "loc",
}

local RANK <const>, KEY <const> = {}, {}
for i, name in ipairs(ORDER) do RANK[name], KEY[i] = i, quoted(name) .. ":" end

local function object(it)
  local ranks, others, out = {}, {}, {}
  for name in pairs(it) do
    if RANK[name] then ranks[#ranks + 1] = RANK[name] else others[#others + 1] = name end
  end
  table.sort(ranks)
  for i, rank in ipairs(ranks) do out[i] = KEY[rank] .. write(it[ORDER[rank]]) end
  if #others > 1 then table.sort(others, portable.precedes) end
  for _, name in ipairs(others) do out[#out + 1] = quoted(name) .. ":" .. write(it[name]) end
  return "{" .. table.concat(out, ",") .. "}"
end

-- A table without entries is a list: no object of a document is empty. Numbers are integers.
function write(it)
  if type(it) == "string" then return quoted(it) end
  if type(it) ~= "table" then return tostring(it) end
  if it[1] == nil and next(it) ~= nil then return object(it) end
  local out = {}
  for i, item in ipairs(it) do out[i] = write(item) end
  return "[" .. table.concat(out, ",") .. "]"
end

-- }== Documents ========================================================

-- The fields of a function in order, after its name; those in ROWS are lists with a line for each
-- item, and those in PRINTED are texts.
local FIELDS <const> = {
  "linkage", "variadic", "params", "result", "results", "passing", "construction",
  "finished", "problem", "vars", "blocks", "dropped", "values", "loops", "places", "trace",
  "events",
}
local ROWS <const> = { dropped = true, trace = true, events = true }
local PRINTED <const> = { vars = true, blocks = true, values = true, loops = true, places = true }

local HEAD <const> = {}
for _, name in ipairs(FIELDS) do HEAD[name] = (',\n"%s": '):format(name) end

--- A row of a list.
---@type fun(it: table): string
M.row = object

--- Rows as a list, a line for each.
---@param items table[]
---@return string
function M.rows(items)
  local out = {}
  for i, it in ipairs(items) do out[i] = object(it) end
  return "[\n" .. table.concat(out, ",\n") .. "\n]"
end

local function add_rows(out, items)
  if #items == 0 then
    out[#out + 1] = "[]"
    return
  end
  for i, it in ipairs(items) do
    out[#out + 1] = i == 1 and "[\n" or ",\n"
    out[#out + 1] = object(it)
  end
  out[#out + 1] = "\n]"
end

-- All parts are put together at once: a document can be large.
local function add_func(out, it)
  out[#out + 1] = '{\n"name": '
  out[#out + 1] = quoted(it.name)
  for _, name in ipairs(FIELDS) do
    local field = it[name]
    if field ~= nil then
      out[#out + 1] = HEAD[name]
      if ROWS[name] then
        add_rows(out, field)
      else
        out[#out + 1] = PRINTED[name] and field or write(field)
      end
    end
  end
  out[#out + 1] = "\n}"
end

--- A document as JSON.
---@param funcs table[] the documents about functions
---@param further? table<string, any> other fields
---@return string
function M.document(funcs, further)
  local out = { '{\n"format": 1,\n"functions": [' }
  for i, it in ipairs(funcs) do
    if i > 1 then out[#out + 1] = ",\n" end
    add_func(out, it)
  end
  out[#out + 1] = "]"
  for _, name in ipairs(portable.sorted(further or {})) do
    out[#out + 1] = (',\n"%s": '):format(name)
    out[#out + 1] = write(further[name])
  end
  out[#out + 1] = "\n}\n"
  return table.concat(out)
end

-- }=====================================================================

return M
