-- Checks a source.
local Facts = require "lint.facts"
local file = require "phial.command.file"
local new_reports = require "lint.reports"
local source = require "phial.source"

local M = {}

local CHECKS <const> = {
  "unused", "values", "uninitialized", "unreachable", "conditions", "nils", "calls", "taint",
}

---@class lint.File what checks look at
---@field program phial.source.Program
---@field facts lint.Facts
---@field reports lint.Reports

--- The reports on a source; nil, a message and its place if it is not Lua.
---@param text string
---@param name? string of the file, for the message
---@return lint.Reports?
---@return string? message
function M.text(text, name)
  local program, message = source.parse(text, {
    name = name, values = true, refine = true, fields = true, calls = Facts.calls,
  })
  if not program then return nil, message end
  local reports = new_reports(program)
  local it = { program = program, facts = Facts.new(program), reports = reports }
  for _, check in ipairs(CHECKS) do require("lint.checks." .. check)(it) end
  return reports:sorted()
end

--- The reports on a file.
---@param path string
---@return lint.Reports?
---@return string? message
function M.file(path)
  local text, why = file.read(path)
  if not text then return nil, why end
  return M.text(text, path)
end

return M
