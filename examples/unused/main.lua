-- The command: what programs assign and never use, and what they use and may
-- not have assigned.
local USAGE = [[
usage: lua5.4 main.lua FILE ...
FILE is a program of While, when its name ends in .while, or of Lua 5.4.  Each
report is a line, file:line: what.  The exit status is 1 when there is one.
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local languages = { lua = require "unused.lua", ["while"] = require "unused.while" }

local function shown(path, report)
  local place = report.col and report.line .. ":" .. report.col or report.line
  return ("%s:%s: %s\n"):format(path, place, report.message)
end

-- How many reports, or nil and what is wrong with the file.
local function process(path)
  local language = path:find "%.while$" and "while" or "lua"
  local reports, why = languages[language].reports(path)
  if not reports then return nil, why end
  for _, report in ipairs(reports) do io.write(shown(path, report)) end
  return #reports
end

if not arg[1] or arg[1]:find "^%-." then
  io.stderr:write(USAGE)
  os.exit(1)
end
local clean = true
for _, path in ipairs(arg) do
  local ran, count, why = pcall(process, path)
  if not ran then why = path .. ": " .. tostring(count) end
  if why then io.stderr:write(why, "\n") end
  clean = clean and count == 0
end
os.exit(clean, true)
