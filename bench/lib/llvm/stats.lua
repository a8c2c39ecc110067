--- What examples/llvm says about itself with --stats, and limits of time and memory that do not
--- depend on what it says.
local quoted = require("bench.lib.corpus").quoted
local tools = require "bench.lib.llvm.tools"

local M = {}

--- Of one file: seconds and KiB.
M.MAX_SECONDS, M.MAX_KIB = 60, 2 * 1024 * 1024

--- Runs it on a file within the limits; returns its figures by name, with the seconds of the whole
--- process as `seconds`, or nil and the complaint.
---@param with llvm.Tools
---@param path string
---@param rules boolean
---@return table<string, number>?
---@return string?
function M.of(with, path, rules)
  local errors = os.tmpname()
  local start = tools.now()
  local ok, complaint = tools.run(("ulimit -v %d; timeout %d %s --stats %s >/dev/null 2>%s || "
    .. "{ s=$?; cat %s >&2; exit $s; }"):format(M.MAX_KIB, M.MAX_SECONDS,
    tools.promotion(with, rules), quoted(path), quoted(errors), quoted(errors)))
  local seconds, text = tools.now() - start, tools.read(errors)
  os.remove(errors)
  if not ok then return nil, complaint end
  local stats = { seconds = seconds }
  for key, value in text:gmatch "([%w_]+)[ :=]+([%d.e+-]+)" do stats[key] = tonumber(value) end
  return stats
end

--- Adds the figures of a file; the memory of several is that of the largest.
function M.add(sum, stats)
  for key, value in pairs(stats) do
    if key == "peak_kib" then
      sum[key] = math.max(sum[key] or 0, value)
    else
      sum[key] = (sum[key] or 0) + value
    end
  end
end

return M
