--- Redundant phis of a function, by Algorithm 5 of Braun et al., "Simple and Efficient Construction
--- of Static Single Assignment Form" (CC 2013): a strongly connected component of phis with one
--- operand from outside means that operand; of a component with several, the phis whose operands
--- are all inside are looked at again. Without recursion, since components may be deep.

--- Strongly connected components of `phis`, operands before users (Tarjan).
local function components(phis, operand)
  local inside, index, low, open, members, out, count = {}, {}, {}, {}, {}, {}, 0
  for _, phi in ipairs(phis) do inside[phi] = true end

  local function enter(path, phi)
    count = count + 1
    index[phi], low[phi], open[phi] = count, count, true
    members[#members + 1] = phi
    path[#path + 1] = { phi = phi, at = 0 }
  end

  local function leave(path)
    local phi = table.remove(path).phi
    local user = path[#path]
    if user then low[user.phi] = math.min(low[user.phi], low[phi]) end
    if low[phi] < index[phi] then return end
    local scc = {}
    repeat
      local member = table.remove(members)
      open[member] = nil
      scc[#scc + 1] = member
    until member == phi
    out[#out + 1] = scc
  end

  for _, root in ipairs(phis) do
    local path = {}
    if not index[root] then enter(path, root) end
    while #path > 0 do
      local top = path[#path]
      top.at = top.at + 1
      if top.at > #top.phi.ops then
        leave(path)
      else
        local op = operand(top.phi, top.at)
        if inside[op] and not index[op] then
          enter(path, op)
        elseif open[op] then
          low[top.phi] = math.min(low[top.phi], index[op])
        end
      end
    end
  end
  return out
end

--- Returns, for each redundant phi of a function, the value that it stands for; that value is
--- not a redundant phi itself.
---@param fn llvm.Function
---@return table<llvm.Phi, llvm.Value>
---@return integer how many
return function(fn)
  local replaced, count = {}, 0
  local function now(value)
    while replaced[value] do value = replaced[value] end
    return value
  end
  local function operand(phi, i) return now(phi.ops[i]) end

  --- The operands from outside, and the members without any.
  local function boundary(scc)
    local member, outer, inner = {}, {}, {}
    for _, phi in ipairs(scc) do member[phi] = true end
    for _, phi in ipairs(scc) do
      local is_inner = true
      for i = 1, #phi.ops do
        local op = operand(phi, i)
        if not member[op] then
          is_inner = false
          if not outer[op] then
            outer[op] = true
            outer[#outer + 1] = op
          end
        end
      end
      if is_inner then inner[#inner + 1] = phi end
    end
    return outer, inner
  end

  local phis = {}
  for _, block in ipairs(fn.blocks) do table.move(block.phis, 1, #block.phis, #phis + 1, phis) end
  local work = { phis }
  while #work > 0 do
    local sccs = components(table.remove(work), operand)
    for i, scc in ipairs(sccs) do
      local outer, inner = boundary(scc)
      if #outer == 1 then
        for _, phi in ipairs(scc) do
          replaced[phi] = outer[1]
          count = count + 1
        end
      elseif #inner > 0 and #outer > 1 then
        -- First the inside of this component, then the remaining ones, as with recursion.
        local rest = {}
        for k = i + 1, #sccs do table.move(sccs[k], 1, #sccs[k], #rest + 1, rest) end
        if #rest > 0 then work[#work + 1] = rest end
        work[#work + 1] = inner
        break
      end
    end
  end
  for phi in pairs(replaced) do replaced[phi] = now(phi) end
  return replaced, count
end
