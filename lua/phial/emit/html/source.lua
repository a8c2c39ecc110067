--- The source files that a page shows: those that the events of a function are about, as
--- far as they can be read.
local core = require "phial.core"

local M = {}

-- Larger files are left out.
local LARGEST <const> = 4 * 1024 * 1024

-- The text of a regular file: others may have no end, or make wait for it.
local function read(path)
  local file <close> = core.open_regular(path)
  local text = file and file:read(LARGEST + 1)
  return text and #text <= LARGEST and text or nil
end

-- The text of a file, as the option `source` says: a text for all positions that name no
-- file, or texts by file name; true: files are read.
local function text_of(name, source)
  if type(source) == "table" then return source[name] or nil end
  if name == "" then return type(source) == "string" and source or nil end
  return source == true and read(name) or nil
end

--- The files of documents about some inputs, in the order in which they are first mentioned.
---@param inputs phial.emit.Input[]
---@param source string|table<string, string>|boolean the option
---@return {name: string, text: string}[]
function M.files(inputs, source)
  local out, seen = {}, {}
  local function see(name) -- the file of a position, "" if it has no name
    local text = not seen[name] and text_of(name, source)
    seen[name] = true
    if type(text) == "string" then out[#out + 1] = { name = name, text = text } end
  end
  for _, input in ipairs(inputs) do
    for _, place in ipairs(input.log.places) do see(place.file or "") end
    for value in input.log.fn:values() do
      local line, _, file = value:loc()
      if line then see(file or "") end
    end
  end
  return out
end

return M
