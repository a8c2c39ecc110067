-- Checks a source.
local calls = require "phial_lint.calls"
local Facts = require "phial_lint.facts"
local luacheck = require "phial.source.luacheck"
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

-- luacheck's parser, which remembers what it finds besides the tree: `found`, as luacheck's stages
-- expect it.
local function remembering()
  local parser = {}
  function parser.parse(text)
    local tree, message, line, col = luacheck.parse(text)
    parser.found = tree and tree.found
    return tree, message, line, col
  end
  return parser
end

--- The reports on a source; one alone, an error, if it is not Lua.
---@param text string
---@param settings? lint.Settings what its author has told luacheck, and that of comments in it
---@param name? string of the file, for the settings
---@param metamethods? boolean operators and fields of tables may write what calls may write
---@return lint.Reports
function M.text(text, settings, name, metamethods)
  local parser = remembering()
  local program, message = source.parse(text, {
    name = "source", values = true, refine = true, fields = true, calls = calls.option,
    metamethods = metamethods, parser = parser,
  })
  local reports = new_reports(program)
  if not program then return reports:refuse(message) end
  local it = { program = program, facts = Facts.new(program), reports = reports }
  for _, check in ipairs(CHECKS) do require("phial_lint.checks." .. check)(it) end
  reports:sort()
  if settings then settings:filter(reports, parser.found, name) end
  return reports
end

return M
