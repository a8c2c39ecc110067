--- What follows a write: a walk over the blocks after it, up to the next write of the variable on
-- each path. Control also goes from unreachable code to where it would go.
local M = {}

-- The accesses of a function, in order, by block and variable.
local function accesses_of(unit)
  if unit.by_block then return unit.by_block end
  local all, by_block = {}, {}
  for _, access in ipairs(unit.fn:read_accesses()) do all[access:id()] = access end
  for _, access in ipairs(unit.fn:write_accesses()) do all[access:id()] = access end
  for _, access in ipairs(all) do
    local block, var = access:block(), access:var()
    if var and not access:is_may_write() then
      local here = by_block[block] or {}
      by_block[block] = here
      here[var] = here[var] or {}
      table.insert(here[var], access)
    end
  end
  unit.by_block = by_block
  return by_block
end

---@class phial.source.Following
---@field reads phial.Access[] those before the next write; some of them twice
---@field writes table[] the names of the next writes, each once
---@field is_left boolean a path declares the variable anew, or returns, before any of these

-- Adds the accesses in a block, after one if it is given; true if control goes on after them.
local function pass(found, met, v, accesses, after)
  for _, access in ipairs(accesses) do
    local node, is_behind = access:node(), not after or access:id() > after:id()
    if is_behind and not access:is_write() then
      table.insert(found.reads, access)
    elseif is_behind and node then
      found.is_left = found.is_left or node == v.node
      if not met[node] then table.insert(found.writes, node) end
      met[node] = true
      return false
    end
  end
  return true
end

local NONE <const> = {}

--- What follows a write of a variable in its function.
---@param unit phial.source.Function
---@param v phial.source.Variable
---@param write phial.Access
---@return phial.source.Following
function M.after(unit, v, write)
  local by_block, var, met = accesses_of(unit), unit.vars[v], {}
  local found = { reads = {}, writes = {}, is_left = false }
  local start, after = write:block(), write
  if unit.first and start == unit.fn:entry() then start, after = unit.first, nil end
  local todo = { start }
  while #todo > 0 do
    local block = table.remove(todo)
    local here = by_block[block] and by_block[block][var] or NONE
    local goes_on = pass(found, met, v, here, after)
    local succs = goes_on and block:succs() or NONE
    after = nil
    found.is_left = found.is_left or goes_on and #succs == 0
    for _, succ in ipairs(succs) do
      if not met[succ] then met[succ], todo[#todo + 1] = true, succ end
    end
  end
  return found
end

return M
