-- Reads JSON (RFC 8259) into tables, and compares it with a schema. null is M.null; lists
-- and objects are tables, lists with the metatable M.list.
local M = { null = {}, list = {} }

-- {== Reading ==========================================================

local escapes <const> = {
  ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t",
}

local function unescape(text)
  text = text:gsub("\\u([dD][89abAB]%x%x)\\u(%x%x%x%x)", function(a, b)
    local high, low = tonumber(a, 16) - 0xd800, tonumber(b, 16) - 0xdc00
    return utf8.char(0x10000 + (high << 10) + low)
  end)
  text = text:gsub("\\(.)(%x?%x?%x?%x?)", function(c, hex)
    if c == "u" then return utf8.char(tonumber(hex, 16)) end
    return assert(escapes[c], c) .. hex
  end)
  return text
end

local value

local function wrong(text, at, what)
  error(("JSON: %s expected at %d: %s"):format(what, at, text:sub(at, at + 20)), 0)
end

local function skip(text, at) return text:find("[^ \t\r\n]", at) or #text + 1 end

local function string_at(text, at)
  local from = at + 1
  while true do
    local stop = text:find('["\\]', from) or wrong(text, at, "the end of a string")
    if text:sub(stop, stop) == '"' then
      local inner = text:sub(at + 1, stop - 1)
      assert(not inner:find "[\0-\31]", "JSON: a control character in a string")
      assert(utf8.len(inner), "JSON: a string is not UTF-8")
      return unescape(inner), stop + 1
    end
    from = stop + 2
  end
end

-- The items between brackets: read(at) reads one.
local function items(text, at, closing, read)
  at = skip(text, at + 1)
  if text:sub(at, at) == closing then return at + 1 end
  while true do
    at = skip(text, read(at))
    local c = text:sub(at, at)
    if c == closing then return at + 1 end
    if c ~= "," then wrong(text, at, closing) end
    at = skip(text, at + 1)
  end
end

local words <const> = { ["true"] = true, ["false"] = false, null = M.null }

function value(text, at)
  local c = text:sub(at, at)
  if c == '"' then return string_at(text, at) end
  local out = c == "[" and setmetatable({}, M.list) or {}
  if c == "[" then
    return out, items(text, at, "]", function(from)
      local stop
      out[#out + 1], stop = value(text, from)
      return stop
    end)
  elseif c == "{" then
    return out, items(text, at, "}", function(from)
      local name, colon = string_at(text, from)
      colon = skip(text, colon)
      if text:sub(colon, colon) ~= ":" then wrong(text, colon, ":") end
      assert(out[name] == nil, "JSON: a name appears twice")
      local stop
      out[name], stop = value(text, skip(text, colon + 1))
      return stop
    end)
  end
  local word = text:match("^%l+", at)
  if words[word] ~= nil then return words[word], at + #word end
  local number = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at) or wrong(text, at, "a value")
  return tonumber(number), at + #number
end

--- Reads a text.
---@param text string
---@return any
function M.read(text)
  local it, at = value(text, skip(text, 1))
  if skip(text, at) <= #text then wrong(text, at, "the end") end
  return it
end

-- }== Schemas ==========================================================

local is = {
  object = function(it) return type(it) == "table" and getmetatable(it) ~= M.list end,
  array = function(it) return getmetatable(it) == M.list end,
  string = function(it) return type(it) == "string" end,
  boolean = function(it) return type(it) == "boolean" end,
  integer = function(it) return math.type(it) == "integer" end,
}

local check

-- By keyword: checks `it`, and returns a message if it does not fit.
local keywords = {}

keywords["$ref"] = function(name, it, root, path)
  return check(assert(root["$defs"][name:match "^#/%$defs/(.*)$"], name), it, root, path)
end

function keywords.type(wanted, it, _, path)
  if not is[wanted](it) then return ("%s: %s expected"):format(path, wanted) end
end

function keywords.const(wanted, it, _, path)
  if it ~= wanted then return ("%s: %s expected"):format(path, wanted) end
end

function keywords.minimum(least, it, _, path)
  if it < least then return ("%s: at least %s expected"):format(path, least) end
end

function keywords.minItems(least, it, _, path)
  if #it < least then return ("%s: at least %d items expected"):format(path, least) end
end

function keywords.required(names, it, _, path)
  for _, name in ipairs(names) do
    if it[name] == nil then return ("%s: %s is missing"):format(path, name) end
  end
end

function keywords.items(schema, it, root, path)
  for i, item in ipairs(it) do
    local why = check(schema, item, root, ("%s[%d]"):format(path, i))
    if why then return why end
  end
end

function keywords.properties(schemas, it, root, path)
  for name, schema in pairs(schemas) do
    local why = it[name] ~= nil and check(schema, it[name], root, path .. "." .. name)
    if why then return why end
  end
end

-- Keywords that are checked with others, or say nothing of values.
local others <const> = {
  additionalProperties = true, title = true, ["$schema"] = true, ["$defs"] = true,
}

function check(schema, it, root, path)
  local why = schema.type and keywords.type(schema.type, it, root, path)
  if why then return why end
  for word, wanted in pairs(schema) do
    if not others[word] then
      why = assert(keywords[word], word)(wanted, it, root, path)
      if why then return why end
    end
  end
  if schema.additionalProperties ~= false then return nil end
  for name in pairs(it) do
    if not schema.properties[name] then
      return ("%s: %s is not in the schema"):format(path, name)
    end
  end
end

--- Compares a value with a schema; returns a message if it does not fit.
---@param schema table
---@param it any
---@return string?
function M.check(schema, it)
  return check(schema, it, schema, "document")
end

-- }=====================================================================

return M
