-- The command: compares the warnings of luacheck's stage and of ours.
local USAGE = [[
usage: lua5.4 main.lua FILE ...
Prints the warnings that luacheck gives with one of the two stages alone; then how many warnings
there are, and the seconds that each stage takes. The exit status is 1 if there are differences.
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local compare = require "luacheck_stage.compare"

local files, count, other, theirs, ours = 0, 0, 0, 0, 0

local function process(path)
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  local found = compare.text(file:read "a")
  for _, it in ipairs(found.other) do print(path, it) end
  files, count, other = files + 1, count + found.count, other + #found.other
  theirs, ours = theirs + found.theirs, ours + found.ours
  return true
end

local done = command.each(command.options(arg, {}).files, process)
print(("%d files, %d warnings, %d differ; luacheck's stage %.2f s, this one %.2f s"):format(files,
  count, other, theirs, ours))
os.exit(done and other == 0, true)
