--- A fold of LLVM that phial does not do: phi(undef, x) is x if x dominates the
--- phi.  (Undef may be any value, so it may be x.  phial keeps the phi to answer
--- which reads see no definition.)
---
--- This does the same to the phis of a finished function, to check that the two
--- do not differ otherwise.
local M = {}

--- The phis of fn, each with a list of its operands.
local function graph(fn)
  local phis = {}
  for block in fn:blocks() do
    for _, phi in ipairs(block:phis()) do
      phis[#phis + 1] = { value = phi, args = phi:args() }
    end
  end
  return phis
end

--- Follows what phis were replaced by.
local function resolved(replaced, value)
  while replaced[value] do value = replaced[value] end
  return value
end

--- The only operand that is neither the phi nor undef; was there an undef?
--- Nothing when there are several.
local function single(phi, replaced)
  local found, undef
  for _, arg in ipairs(phi.args) do
    local value = resolved(replaced, arg)
    if value:op() == "undef" then
      undef = true
    elseif value ~= phi.value then
      if found and found ~= value then return nil end
      found = value
    end
  end
  return found, undef
end

local function foldable(phi, replaced)
  local value, undef = single(phi, replaced)
  if not value then return nil end
  local block = value:block()
  if not undef or not block or block:dominates(phi.value:block()) then
    return value
  end
end

--- The number of phis that are left of fn's when they are folded so.
---@param fn phial.Function finished
---@return integer
function M.phis(fn)
  local phis, replaced = graph(fn), {}
  local left = #phis
  repeat
    local before = left
    for _, phi in ipairs(phis) do
      if not replaced[phi.value] then
        replaced[phi.value] = foldable(phi, replaced)
        if replaced[phi.value] then left = left - 1 end
      end
    end
  until left == before
  return left
end

return M
