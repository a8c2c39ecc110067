--- Delta debugging (Zeller and Hildebrandt: Simplifying and isolating failure-inducing input,
-- IEEE Transactions on Software Engineering 28, 2002): the algorithm ddmin.

-- The list in n parts of almost equal length.
local function parts_of(list, n)
  local parts, from = {}, 1
  for i = 1, n do
    local to = from + (#list - from + 1) // (n - i + 1) - 1
    parts[i] = table.move(list, from, to, 1, {})
    from = to + 1
  end
  return parts
end

-- All parts but one.
local function without(parts, i)
  local out = {}
  for k, part in ipairs(parts) do
    if k ~= i then table.move(part, 1, #part, #out + 1, out) end
  end
  return out
end

--- Finds a part of a list that still fails, and of which no item can be left out.
---@param list any[] fails
---@param fails fun(list: any[]): boolean
---@return any[]
return function(list, fails)
  if #list > 0 and fails {} then return {} end
  local n = 2
  while #list >= 2 do
    local parts, smaller = parts_of(list, n), nil
    for i = 1, n do
      if fails(parts[i]) then smaller, n = parts[i], 2 break end
    end
    for i = 1, smaller and 0 or n do
      local rest = without(parts, i)
      if n > 2 and fails(rest) then smaller, n = rest, math.max(n - 1, 2) break end
    end
    if not smaller and n == #list then break end
    n = smaller and math.min(n, #smaller) or math.min(2 * n, #list)
    list = smaller or list
  end
  return list
end
