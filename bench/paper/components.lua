--- The non-trivial components of phis that Algorithm 5 finds, counted from what construction tells:
--- the phis that are replaced by the same value and have each other as operands.
local replayer = require "bench.lib.replayer"
local trace = require "bench.lib.trace"

local M = {}

---@class paper.Components
---@field sets integer
---@field irreducible integer of these, in functions whose control flow is irreducible

-- Collects what a log says about phis that are replaced.
local function listener()
  local told = { operands = {}, now = {}, redundant = {} }
  local function log(e)
    local kind = e.event
    if kind == "operand" then
      told.operands[#told.operands + 1] = { e.value_id, e.operand_id }
    elseif kind == "trivial" or kind == "redundant" then
      told.now[e.value_id] = e.by_id
      if kind == "redundant" then table.insert(told.redundant, e.value_id) end
    end
  end
  return told, log
end

local function root(parent, v)
  while parent[v] ~= v do v = parent[v] end
  return v
end

-- The number of sets of redundant phis.
local function count_sets(told)
  local parent, count = {}, #told.redundant
  for _, v in ipairs(told.redundant) do parent[v] = v end
  local function current(v)
    while v and not parent[v] and told.now[v] do v = told.now[v] end
    return v
  end
  for _, pair in ipairs(told.operands) do
    local phi, operand = pair[1], current(pair[2])
    if parent[phi] and parent[operand] and told.now[phi] == told.now[operand] then
      local a, b = root(parent, phi), root(parent, operand)
      if a ~= b then parent[a], count = b, count - 1 end
    end
  end
  return count
end

-- True if an edge leads back to a block that does not dominate it (depth-first from the entry).
local function is_irreducible(fn)
  local entered, left, found = {}, {}, false
  local stack = { { block = fn:entry(), succs = fn:entry():succs(), at = 0 } }
  entered[fn:entry()] = true
  while #stack > 0 do
    local top = stack[#stack]
    top.at = top.at + 1
    local to = top.succs[top.at]
    if not to then
      left[top.block] = true
      stack[#stack] = nil
    elseif not entered[to] then
      entered[to] = true
      stack[#stack + 1] = { block = to, succs = to:succs(), at = 0 }
    elseif not left[to] and not to:dominates(top.block) then
      found = true
    end
  end
  return found
end

--- Counts those of a program, constructed with the marker variant.
---@param program paper.Program
---@return paper.Components
function M.of(program)
  local out, told = { sets = 0, irreducible = 0 }, nil
  local options = { construction = "marker", log = function(e) told.log(e) end }
  for _, func in ipairs(trace.load(program.trace).funcs) do
    local heard, log = listener()
    told = { log = log }
    local fn <close> = replayer.finished(func, options)
    if #heard.redundant > 0 then
      local sets = count_sets(heard)
      out.sets = out.sets + sets
      if is_irreducible(fn) then out.irreducible = out.irreducible + sets end
    end
  end
  return out
end

return M
