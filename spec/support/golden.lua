-- Golden files, in spec/golden in the folder of their spec: a program above the
-- line '---', the expected text below it. BLESS=1 rewrites the latter.
local file = require "spec.support.file"
local lfs = require "lfs"
local phial = require "phial"

local M = {}

--- The golden files of a folder, sorted. An empty folder is an error: it may be
--- misspelt.
---@param folder string in spec/golden
---@return string[] paths
function M.files(folder)
  local dir, paths = "spec/golden/" .. folder, {}
  for name in lfs.dir(dir) do
    if name:find "%.phial$" then paths[#paths + 1] = dir .. "/" .. name end
  end
  table.sort(paths)
  assert(#paths > 0, "no golden files in " .. dir)
  return paths
end

-- The program of a file and the text expected of it.
local function parts(path)
  local program, expected = file.read(path):match "^(.-\n)%-%-%-\n(.*)$"
  assert(program, path .. ": no line '---'")
  return program, expected
end

--- The program of a file.
---@param path string
---@return string program
function M.input(path)
  return (parts(path))
end

--- Compares what `run` makes of the program of a file with its expected text.
---@param path string
---@param run fun(program: string): string
function M.check(path, run)
  local program, expected = parts(path)
  local got = run(program)
  if os.getenv "BLESS" then
    file.write(path, program .. "---\n" .. got)
  elseif got ~= expected then
    error(("%s\n--- expected\n%s\n--- got\n%s"):format(path, expected, got), 2)
  end
end

--- Iterates over the files of a folder, for `it`: the name as words, and a function
--- that checks the file.
---@param folder string in spec/golden
---@param run fun(program: string): string
---@return fun(): string?, function?
function M.each(folder, run)
  local paths, i = M.files(folder), 0
  return function()
    i = i + 1
    local path = paths[i]
    if not path then return end
    local name = path:match("([^/]+)%.phial$"):gsub("_", " ")
    return name, function() M.check(path, run) end
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
