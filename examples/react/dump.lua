-- Dumps of the compiler: files in which each line is a function, {"file", "pre", "ssa",
-- "post"}, compared with what we make of "pre".
local compare = require "react.compare"
local json = require "react.json"
local names = require "react.names"
local reader = require "react.reader"
local translate = require "react.translate"
local writer = require "react.writer"

local M = {}

local function fail(col, message) error({ col = col, message = message }, 0) end

-- The object of a line.
local function object(line)
  local it, message, at = json.read(line)
  if it == nil then fail(at, message) end
  for _, key in ipairs { "file", "pre", "ssa", "post" } do
    if type(it) ~= "table" or type(it[key]) ~= "string" then
      fail(1, ('a line must be an object in which "%s" is a string'):format(key))
    end
  end
  return it
end

-- The tree of one of the texts.
local function tree(line, it, key)
  local read, message, at = reader.read(it[key])
  if read then return read end
  fail(json.inside(line, json.position(it, key), at), ('in "%s": %s'):format(key, message))
end

-- Our text, read again: what is compared is what would be printed.
local function ours(line, it, way)
  local pre = tree(line, it, "pre")
  local translation, message, at = translate.translate(pre, way)
  if not translation then
    fail(json.inside(line, json.position(it, "pre"), at), ('in "pre": %s'):format(message))
  end
  local text = writer.text(pre, names.of(translation))
  translation:close()
  return assert(reader.read(text)), text
end

-- nil, or the difference.
local function difference(line, it)
  local within, text = ours(line, it, "within")
  local _, other = ours(line, it, "each")
  if text ~= other then return "nested functions as functions give something else" end
  for _, key in ipairs { "ssa", "post" } do
    local equal, why = compare[key](within, tree(line, it, key))
    if not equal then return ("after %s: %s"):format(key, why) end
  end
end

--- Compares a line: returns the file that its function is from and, unless they are
--- equal, the difference; or nil, a message, and a column.
---@param line string
---@return string? file
---@return string? difference
---@return integer? col
function M.compare(line)
  local ok, file, why = pcall(function()
    local it = object(line)
    return it.file, difference(line, it)
  end)
  if ok then return file, why end
  if type(file) ~= "table" then error(file, 0) end
  return nil, file.message, file.col
end

return M
