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

-- The names of files, in the order in which they are first mentioned.
local function names_of(funcs)
  local names, seen = {}, {}
  for _, func in ipairs(funcs) do
    for _, place in ipairs(func.places) do
      local name = place.file or ""
      if not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  return names
end

-- The text of a file, as the option `source` says: a text for all positions that name no
-- file, or texts by file name; true: files are read.
local function text_of(name, source)
  if type(source) == "table" then return source[name] or nil end
  if name == "" then return type(source) == "string" and source or nil end
  return source == true and read(name) or nil
end

--- The files of some documents about functions.
---@param funcs table[]
---@param source string|table<string, string>|boolean the option
---@return {name: string, text: string}[]
function M.files(funcs, source)
  local out = {}
  for _, name in ipairs(names_of(funcs)) do
    local text = text_of(name, source)
    if type(text) == "string" then out[#out + 1] = { name = name, text = text } end
  end
  return out
end

return M
