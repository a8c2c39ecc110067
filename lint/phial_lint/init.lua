-- Checks a source.
local Facts = require "phial_lint.facts"
local new_reports = require "phial_lint.reports"
local source = require "phial.source"

local M = {}

local CHECKS <const> = {
  "unused", "values", "uninitialized", "unreachable", "loops", "statements", "conditions", "nils",
  "calls", "taint",
}

---@class lint.File what checks look at
---@field program phial.source.Program
---@field facts lint.Facts
---@field reports lint.Reports

--- The reports on a source; one alone, an error, if it is not Lua.
---@param text string
---@param settings? lint.Settings what its author has told luacheck, and that of comments in it
---@param name? string of the file, for the settings
---@param metamethods? boolean operators and fields of tables may write what calls may write
---@return lint.Reports
function M.text(text, settings, name, metamethods)
  local program, message = source.parse(text, {
    name = "source", values = true, refine = true, fields = true, calls = Facts.calls,
    metamethods = metamethods,
  })
  local reports = new_reports(program)
  if not program then return reports:refuse(message) end
  local it = { program = program, facts = Facts.new(program), reports = reports }
  for _, check in ipairs(CHECKS) do require("phial_lint.checks." .. check)(it) end
  reports:sort()
  if settings then settings:filter(reports, text, name) end
  return reports
end

return M
