-- The command: reports values that programs assign and never use, and variables
-- that they use and may not have assigned.
local USAGE = [[
usage: lua5.4 main.lua FILE ...
FILE is a While program if its name ends in .while, otherwise a Lua 5.4 program.
Each report is a line, file:line: message.  The exit status is 1 if there are any.
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local languages = { lua = require "unused.lua", ["while"] = require "unused.while" }

local function shown(path, report)
  local place = report.col and report.line .. ":" .. report.col or report.line
  return ("%s:%s: %s\n"):format(path, place, report.message)
end

local clean = true

-- True, or nil and a message.
local function process(path)
  local language = path:find "%.while$" and "while" or "lua"
  local reports, why = languages[language].reports(path)
  if not reports then return nil, why end
  for _, report in ipairs(reports) do io.write(shown(path, report)) end
  clean = clean and #reports == 0
  return true
end

local o = command.options(arg, {})
local done = command.each(o.files, process)
os.exit(done and clean, true)
