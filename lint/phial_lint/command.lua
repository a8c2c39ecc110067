-- The command phial-lint.
local file = require "phial.command.file"
local formats = require "phial_lint.formats"
local lint = require "phial_lint"
local new_settings = require "phial_lint.settings"
local options = require "phial.command.options"

local M = {}

local USAGE <const> = [[
usage: phial-lint [OPTION ...] PATH ...
Reports what is wrong in Lua files, those of folders, and "-", the standard input, by data flow.
--possible: also uses of nil that depend on more than one condition (W712)
--explain: also how it comes to that, step by step
--format NAME: plain (a report is a line, as of luacheck), json or sarif
--config FILE: in place of .luacheckrc; --no-config: none
--metamethods: operators and fields of tables may change what calls may change
--filename NAME: of the standard input, for .luacheckrc
The exit status is 0, 1 if there are reports, 2 if a file is not Lua or has a
comment to luacheck that is wrong, 3 if one cannot be read.
]]

local KNOWN <const> = {
  ["--explain"] = "explain", ["--format"] = { "format" }, ["--config"] = { "config" },
  ["--possible"] = "possible", ["--metamethods"] = "metamethods", ["--no-config"] = "no_config",
  ["--filename"] = { "filename" }, ["--help"] = "help",
}

local REPORTS <const>, ERRORS <const>, FAILED <const> = 1, 2, 3

local function refuse(why)
  io.stderr:write(why, "\n", USAGE)
  return FAILED
end

local function drop_possible(reports)
  for i = #reports, 1, -1 do
    if reports[i].code == "712" then table.remove(reports, i) end
  end
end

-- The reports on a file, and the exit status that they would lead to; nil and why if it cannot be
-- read.
local function checked(path, settings, name, o)
  local text, why = file.read(path)
  if not text then return nil, why end
  local ok, reports = pcall(lint.text, text, settings, name, o.metamethods)
  if not ok then return nil, ("%s: phial-lint fails: %s"):format(path, reports) end
  reports.program = nil -- for a collection
  if not o.possible then drop_possible(reports) end
  local status = 0
  for _, report in ipairs(reports) do
    status = math.max(status, report.is_error and ERRORS or REPORTS)
  end
  return reports, status
end

-- Collections wait until memory is four times what is in use, and are made between files, where
-- little is: what lies close together is quick.
local PAUSE <const> = 400
local FEW <const> = 8192 -- KB in use that need no collection

-- Returns a function that collects what files before have left.
local function new_collector()
  collectgarbage("setpause", PAUSE)
  local most = FEW
  return function()
    if collectgarbage "count" < most then return end
    collectgarbage()
    most = math.max(FEW, 2 * collectgarbage "count")
  end
end

-- Checks the files that words of the command line mean; returns the exit status, too.
local function checked_all(words, settings, o)
  local list, status, collect = {}, 0, new_collector()
  for _, word in ipairs(words) do
    for _, path in ipairs(word == "-" and { word } or settings:files(word)) do
      local name = path
      if path == "-" then name = o.filename end
      collect()
      local reports, result = checked(path, settings, name, o)
      if not reports then io.stderr:write(result, "\n") end
      status = math.max(status, reports and result or FAILED)
      list[#list + 1] = reports and { path = name or path, reports = reports }
    end
  end
  return list, status
end

--- Runs the command.
---@param args string[]
---@return integer status
function M.main(args)
  local o, why = options.read(args, KNOWN)
  if not o then return refuse(why) end
  if o.help then
    io.stdout:write(USAGE)
    return 0
  end
  local words = table.move(o.rest, 1, #o.rest, #o.files + 1, o.files)
  if #words == 0 then return refuse "no file given" end
  local format = o.format or "plain"
  local write = formats[format]
  if not write then return refuse(("--format: no format is called '%s'"):format(format)) end
  local settings, problem = new_settings(not o.no_config and o.config)
  if not settings then return refuse(problem) end
  local list, status = checked_all(words, settings, o)
  io.stdout:write(write(list, o.explain))
  return status
end

return M
