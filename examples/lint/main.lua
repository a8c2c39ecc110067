-- The command: reports what is wrong in Lua files, by data flow.
local USAGE = [[
usage: lua5.4 main.lua [--explain] FILE ...
Each report is a line, file:line:col: (code) message. The exit status is 1 if there are any.
--explain: also how it comes to that, step by step
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local lint = require "lint.lint"

local options = command.options(arg, { ["--explain"] = "explain" })
local found = false

local function process(path)
  local reports, message = lint.file(path)
  if not reports then return nil, message end
  for _, report in ipairs(reports) do
    found = true
    print(path .. report:text())
    for _, step in ipairs(options.explain and report.steps or {}) do
      print(("    %s:%d:%d: %s"):format(path, step.line, step.col, step.text))
    end
  end
  for _, name in ipairs(options.explain and reports.unsearched or {}) do
    print(("%s: not all paths of '%s' were searched for uses of nil"):format(path, name))
  end
  return true
end

local done = command.each(options.files, process)
os.exit(done and not found, true)
