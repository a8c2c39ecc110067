-- Checks sources by luacheck with its own stage resolve_locals, and with the one here.
local ours = require "luacheck_stage.resolve_locals"
local parser = require "phial.source.luacheck"

local M = {}

local check = parser.require "luacheck.check"
local stage = parser.require "luacheck.stages.resolve_locals"

local function shown(it)
  if type(it) ~= "table" then return tostring(it) end
  local parts = {}
  for key, part in pairs(it) do parts[#parts + 1] = ("%s=%s"):format(key, shown(part)) end
  table.sort(parts)
  return ("{%s}"):format(table.concat(parts, " "))
end

-- The warnings of a source, as sorted texts, and the seconds that the stage takes.
local function warnings(text, run)
  local theirs, time, list = stage.run, 0, {}
  function stage.run(chstate)
    local start = os.clock()
    run(chstate)
    time = os.clock() - start
  end
  local ok, report = pcall(check, text)
  stage.run = theirs
  if not ok then error(report, 0) end
  for i, warning in ipairs(report.warnings) do list[i] = shown(warning) end
  table.sort(list)
  return list, time
end

---@class luacheck.Comparison
---@field count integer warnings of luacheck's stage
---@field other string[] those of one stage alone, with a sign
---@field theirs number seconds in luacheck's stage
---@field ours number

--- Compares the warnings of a source.
---@param text string
---@return luacheck.Comparison
function M.text(text)
  local by_theirs, theirs = warnings(text, stage.run)
  local by_ours, our_time = warnings(text, ours.run)
  local counts, other = {}, {}
  for _, it in ipairs(by_theirs) do counts[it] = (counts[it] or 0) + 1 end
  for _, it in ipairs(by_ours) do counts[it] = (counts[it] or 0) - 1 end
  for it, count in pairs(counts) do
    if count ~= 0 then other[#other + 1] = (count > 0 and "- " or "+ ") .. it end
  end
  table.sort(other)
  return { count = #by_theirs, other = other, theirs = theirs, ours = our_time }
end

return M
