-- What threading gains: counts before and after.
local thread = require "threading.thread"

local M = {}

--- The order of the counts.
M.names = { "branches", "phis", "instructions" }

-- Branches, phis, and instructions without terminators; further results of an instruction
-- are not counted.
local function counts(fn)
  local branches, phis, instructions = 0, 0, 0
  for block in fn:blocks() do
    phis = phis + #block:phis()
    for _, inst in ipairs(block:insts()) do
      if inst:op() ~= "proj" then instructions = instructions + 1 end
    end
    instructions = instructions - 1
    if block:terminator():op() == "branch" then branches = branches + 1 end
  end
  return { branches, phis, instructions }
end

---@class threading.Gains
---@field edges integer that were threaded
---@field before integer[]
---@field after integer[]

--- Threads a function. What is unused is removed before.
---@param fn phial.Function
---@return threading.Gains
function M.of(fn)
  fn:clean { dead = true }
  local before = counts(fn)
  local edges = thread.all(fn)
  return { edges = edges, before = before, after = counts(fn) }
end

--- Adds the gains of a function to a total, which begins as {}.
---@param total threading.Gains
---@param gains threading.Gains
function M.add(total, gains)
  total.edges = (total.edges or 0) + gains.edges
  for _, when in ipairs { "before", "after" } do
    total[when] = total[when] or { 0, 0, 0 }
    for i, n in ipairs(gains[when]) do total[when][i] = total[when][i] + n end
  end
end

--- "3 edges; branches 5 -> 3, phis 4 -> 2, instructions 20 -> 19"
---@param gains threading.Gains
---@return string
function M.text(gains)
  local parts = {}
  for i, name in ipairs(M.names) do
    parts[i] = ("%s %d -> %d"):format(name, gains.before[i], gains.after[i])
  end
  local edges = gains.edges == 1 and "1 edge" or gains.edges .. " edges"
  return ("%s; %s"):format(edges, table.concat(parts, ", "))
end

return M
