--- What examples/llvm says about itself with --stats, and limits of time and memory that do not
--- depend on what it says.
local file = require "tools.file"
local quoted = require("bench.lib.corpus").quoted
local tools = require "bench.lib.llvm.tools"

local M = {}

--- Of one file: seconds of the processor, and KiB.
M.MAX_SECONDS, M.MAX_KIB = 60, 2 * 1024 * 1024

--- The seconds that the shell's `times` prints for its children.
local function seconds_of_children(text)
  local minutes, seconds, system_minutes, system = text:match
    "\n(%d+)m([%d.]+)s (%d+)m([%d.]+)s\n$"
  return 60 * (minutes + system_minutes) + seconds + system
end

--- Runs it on a file within the limits; returns its figures by name, with the processor's seconds
--- of the whole process as `seconds`, or nil and the complaint.
---@param with llvm.Tools
---@param path string
---@param rules boolean
---@return table<string, number>?
---@return string?
function M.of(with, path, rules)
  local errors = os.tmpname()
  local said, complaint = tools.run(("ulimit -t %d; ulimit -v %d; %s --stats %s 2>%s >/dev/null || "
    .. "{ cat %s >&2; exit 1; }; times"):format(M.MAX_SECONDS, M.MAX_KIB,
    tools.promotion(with, rules), quoted(path), quoted(errors), quoted(errors)))
  local text = file.read(errors)
  os.remove(errors)
  if not said then return nil, complaint end
  local stats = { seconds = seconds_of_children(said) }
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
