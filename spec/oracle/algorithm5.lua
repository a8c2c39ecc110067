-- Algorithm 5 of the paper as printed: removes redundant sets of phis from
-- the sets of a function, recursively. Returns what is replaced by what; does not
-- change the function.

-- Strongly connected components of `phis`, operands before users.
local function components(phis, operands)
  local inside, index, low, on, stack, out, count = {}, {}, {}, {}, {}, {}, 0
  for _, phi in ipairs(phis) do inside[phi] = true end
  local function visit(phi)
    count = count + 1
    index[phi], low[phi], on[phi] = count, count, true
    stack[#stack + 1] = phi
    for _, op in ipairs(operands(phi)) do
      if inside[op] and not index[op] then
        visit(op)
        low[phi] = math.min(low[phi], low[op])
      elseif on[op] then
        low[phi] = math.min(low[phi], index[op])
      end
    end
    if low[phi] == index[phi] then
      local scc = {}
      repeat
        local member = table.remove(stack)
        on[member] = nil
        scc[#scc + 1] = member
      until member == phi
      out[#out + 1] = scc
    end
  end
  for _, phi in ipairs(phis) do
    if not index[phi] then visit(phi) end
  end
  return out
end

---@param fn phial.Function all its blocks sealed
---@return table<integer, phial.Value> # by the id of a redundant phi: its value
return function(fn)
  local replaced = {} -- value -> value
  local function now(v)
    while replaced[v] do v = replaced[v] end
    return v
  end
  local function operands(phi)
    local args = phi:args()
    for i, arg in ipairs(args) do args[i] = now(arg:now()) end
    return args
  end
  local remove -- removeRedundantPhis

  local function process(scc) -- processSCC
    local member, inner, outer, only = {}, {}, 0, nil
    for _, phi in ipairs(scc) do member[phi] = true end
    local seen = {}
    for _, phi in ipairs(scc) do
      local is_inner = true
      for _, op in ipairs(operands(phi)) do
        if not member[op] then
          is_inner = false
          if not seen[op] then
            seen[op] = true
            outer, only = outer + 1, op
          end
        end
      end
      if is_inner then inner[#inner + 1] = phi end
    end
    if outer == 1 then
      for _, phi in ipairs(scc) do replaced[phi] = only end
    elseif outer > 1 then
      remove(inner)
    end
  end

  function remove(phis)
    for _, scc in ipairs(components(phis, operands)) do process(scc) end
  end

  local phis = {}
  for v in fn:values() do
    if v:op() == "phi" then phis[#phis + 1] = v end
  end
  remove(phis)
  local by_id = {}
  for phi in pairs(replaced) do by_id[phi:id()] = now(phi) end
  return by_id
end
