-- What --stats tells.
local Stats = {}
Stats.__index = Stats

---@return llvm.Stats
function Stats.new()
  ---@class llvm.Stats
  return setmetatable({ functions = 0, instructions = 0, allocas = 0, promoted = 0, phis = 0,
    nodes = 0, events = 0, seconds = { read = 0.0, construct = 0.0, write = 0.0 },
    part = nil, since = os.clock() }, Stats)
end

--- From now on, the time belongs to a part.
---@param part string?
function Stats:start(part)
  local now = os.clock()
  if self.part then self.seconds[self.part] = self.seconds[self.part] + now - self.since end
  self.part, self.since = part, now
end

-- Counts the nodes of the SSA form.
local function count_nodes(self, fn)
  for v in fn:values() do
    self.nodes = self.nodes + 1
    if v:op() == "phi" then self.phis = self.phis + 1 end
  end
end

--- Counts a function. Its events are what phial is told: reads and writes of variables,
--- instructions and terminators, the operands of phis of the input.
---@param ssa llvm.Ssa
function Stats:add(ssa)
  self.functions = self.functions + 1
  count_nodes(self, ssa.fn)
  for i, block in ipairs(ssa.source.blocks) do
    local reached = i == 1 or block.preds > 0
    self.instructions = self.instructions + #block.instructions + #block.phis
    if reached then self.events = self.events + #block.instructions end
    for _, phi in ipairs(block.phis) do self.events = self.events + #phi.values end
    for _, it in ipairs(block.instructions) do
      if it.kind == "alloca" then self.allocas = self.allocas + 1 end
    end
  end
  for _ in pairs(ssa.promotion.promoted) do self.promoted = self.promoted + 1 end
end

-- The most memory that the process has had, in KiB; nil where the system does not say.
local function peak()
  local file = io.open "/proc/self/status"
  if not file then return nil end
  local text = file:read "a"
  file:close()
  return text:match "VmHWM:%s*(%d+)"
end

--- The figures, a line each.
---@return string
function Stats:text()
  self:start(nil)
  local lines = {}
  for _, key in ipairs { "functions", "instructions", "allocas", "promoted", "phis", "nodes" } do
    lines[#lines + 1] = ("%s %d"):format(key, self[key])
  end
  local seconds = self.seconds
  for _, key in ipairs { "read", "construct", "write" } do
    lines[#lines + 1] = ("seconds_%s %.3f"):format(key, seconds[key])
  end
  lines[#lines + 1] = ("events %d"):format(self.events)
  lines[#lines + 1] = ("events_per_second %d"):format(self.events // math.max(seconds.construct,
    1e-6))
  lines[#lines + 1] = ("seconds_total %.3f"):format(os.clock())
  lines[#lines + 1] = ("peak_kib %s"):format(peak() or "unknown")
  return table.concat(lines, "\n") .. "\n"
end

return Stats
