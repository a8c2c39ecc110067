-- Golden files: a program, such as figure2.lua, and next to it, in figure2.out, the text
-- expected of it; of each kind, in figure2.KIND.out, if it becomes several. BLESS=1 rewrites
-- these.
local file = require "spec.support.file"
local lfs = require "lfs"
local phial = require "phial"

local M = {}

--- Iterates over the programs of a folder, sorted. A folder without any is an error: it may be
--- misspelt.
---@param folder string
---@return fun(): string?, string? # the name without its extension, and the path
function M.programs(folder)
  local names, i = {}, 0
  for name in lfs.dir(folder) do
    if not name:find "^%." and not name:find "%.out$" then names[#names + 1] = name end
  end
  table.sort(names)
  assert(#names > 0, "no golden files in " .. folder)
  return function()
    i = i + 1
    if names[i] then return names[i]:match "^[^.]+", folder .. "/" .. names[i] end
  end
end

--- Compares a text with the one expected of a program.
---@param path string of the program
---@param got string
---@param kind string? of text
function M.check(path, got, kind)
  path = path:gsub("%.%w+$", (kind and "." .. kind or "") .. ".out")
  if os.getenv "BLESS" then return file.write(path, got) end
  local expected = file.read(path)
  if got ~= expected then
    error(("%s\n--- expected\n%s\n--- got\n%s"):format(path, expected, got), 2)
  end
end

--- Iterates over the programs of a folder, for `it`: the name as words, and a function
--- that checks what `run` makes of the program.
---@param folder string
---@param run fun(program: string, path: string): string
---@param kind string? of text
---@return fun(): string?, function?
function M.each(folder, run, kind)
  local next_program = M.programs(folder)
  return function()
    local name, path = next_program()
    if not name then return nil end
    return name:gsub("_", " "), function() M.check(path, run(file.read(path), path), kind) end
  end
end

--- The text of the function that a frontend's code makes, verified.
---@param code string
---@return string
function M.built(code)
  local fn = assert(load(code, "=golden"))(phial)
  assert(fn:verify())
  return fn:text()
end

return M
