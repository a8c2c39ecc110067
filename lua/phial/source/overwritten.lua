--- Which writes end what a write wrote, on all paths: a walk over the blocks that follow it, up to
-- the next access of the variable on each path.
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

-- The first access of a variable in a block, or behind another one there.
local function next_access(by_block, block, var, after)
  for _, access in ipairs(by_block[block] and by_block[block][var] or {}) do
    if not after or access:id() > after:id() then return access end
  end
  return nil
end

--- The names of these writes, each once; nil if a path reads the value, declares the variable
--- anew, or returns.
---@param unit phial.source.Function
---@param v phial.source.Variable
---@param write phial.Access
---@return table[]?
function M.by(unit, v, write)
  local by_block, var = accesses_of(unit), unit.vars[v]
  local start, after, met, found = write:block(), write, {}, {}
  if unit.first and start == unit.fn:entry() then start, after = unit.first, nil end
  local todo = { start }
  while #todo > 0 do
    local block = table.remove(todo)
    local access = next_access(by_block, block, var, after)
    after = nil
    local node = access and access:node()
    if access and (not access:is_write() or node == v.node) then return nil end
    if node and not met[node] then met[node], found[#found + 1] = true, node end
    local succs = node and {} or block:succs()
    if not node and #succs == 0 then return nil end
    for _, succ in ipairs(succs) do
      if not met[succ] then met[succ], todo[#todo + 1] = true, succ end
    end
  end
  return #found > 0 and found or nil
end

return M
