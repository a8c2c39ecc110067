-- The command: reports values that programs assign and never use, and variables
-- that they use and may not have assigned.
local USAGE = [[
usage: lua5.4 main.lua [--all] FILE ...
FILE is a While program if its name ends in .while, otherwise a Lua 5.4 program.
Each report is a line, file:line: message.  The exit status is 1 if there are any.
--all: also variables of Lua that are nil on paths that may be impossible
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local languages = { lua = require "unused.lua", ["while"] = require "unused.while" }

local function shown(path, report)
  local place = report.col and report.line .. ":" .. report.col or report.line
  return ("%s:%s: %s\n"):format(path, place, report.message)
end

local o = command.options(arg, { ["--all"] = "all" })
local clean = true

-- True, or nil and a message.
local function process(path)
  local language = path:find "%.while$" and "while" or "lua"
  local reports, why = languages[language].reports(path, o.all)
  if not reports then return nil, why end
  for _, report in ipairs(reports) do io.write(shown(path, report)) end
  clean = clean and #reports == 0
  return true
end

local done = command.each(o.files, process)
os.exit(done and clean, true)
