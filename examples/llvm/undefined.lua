-- Phis of which some operands are undefined and all others the same value: as LLVM, takes that
-- value for the phi, if it is known there on each path.
local M = {}

-- The value that all defined operands are; nil if they differ.
local function common(phi)
  local value
  for _, arg in ipairs(phi:args()) do
    if arg ~= phi and arg:op() ~= "undef" then
      if value and value ~= arg then return nil end
      value = arg
    end
  end
  return value
end

-- True if each path to a block goes along the first edge out of another one.
local function is_behind_first_edge(from, block)
  local target, edges = from:succs()[1], 0
  for _, pred in ipairs(target:preds()) do
    if pred == from then
      edges = edges + 1
    elseif not target:dominates(pred) then
      return false
    end
  end
  return edges == 1 and target:dominates(block)
end

-- The result of a terminator, as `invoke` and `callbr`, is there after its first edge alone.
local function reaches(value, phi)
  local block = value:block()
  if not block then return true end
  if value:op() == "llvm.result" then return is_behind_first_edge(block, phi:block()) end
  return block ~= phi:block() and block:dominates(phi:block())
end

local function has_undef(phi)
  for _, arg in ipairs(phi:args()) do
    if arg:op() == "undef" then return true end
  end
  return false
end

-- The phis of variables with an undefined operand.
local function suspects(fn, is_variable)
  local list = {}
  for block in fn:blocks() do
    for _, phi in ipairs(block:phis()) do
      if is_variable(phi:var()) and has_undef(phi) then list[#list + 1] = phi end
    end
  end
  return list
end

--- Replaces such phis of a finished function.
---@param fn phial.Function
---@param is_variable fun(var: phial.Variable): boolean whether its phis are new ones
function M.replace(fn, is_variable)
  local list, again = suspects(fn, is_variable), true
  while again do
    again = false
    for i = #list, 1, -1 do
      local phi = list[i]
      local value = common(phi)
      if value and reaches(value, phi) then
        phi:replace(value)
        phi:erase()
        table.remove(list, i)
        again = true
      end
    end
  end
end

return M
