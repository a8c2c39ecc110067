--- The SCC variant of section 3.3 as the paper describes it, recursive and slow, over
--- a finished graph of blocks: which phis the reads of one variable need, and their
--- operands. Two blocks are in one component if each reaches the other.

---@class oracle.Graph
---@field preds integer[][] by block, from 1, the entry
---@field writes table<integer, any> by block: the value that is written last
---@field undef any what an undefined variable is

---@class oracle.Phi
---@field block integer
---@field operands any[] values, undef or phis, in the order of the predecessors

---@param graph oracle.Graph
---@return fun(block: integer): any value of the variable at the end of a block
---@return table<integer, oracle.Phi> phis by block, as reads need them
return function(graph)
  local def, phis = {}, {} -- by block
  for block, value in pairs(graph.writes) do def[block] = value end
  if def[1] == nil then def[1] = graph.undef end

  -- The blocks without a definition that lead to `block` through such blocks.
  local function above(block, seen)
    seen = seen or {}
    if def[block] ~= nil or seen[block] then return seen end
    seen[block] = true
    for _, pred in ipairs(graph.preds[block]) do above(pred, seen) end
    return seen
  end

  local function component(block)
    local members = { block }
    for other in pairs(above(block)) do
      if other ~= block and above(other)[block] then members[#members + 1] = other end
    end
    table.sort(members)
    return members
  end

  local read

  -- Defines the variable in all blocks of the component, or in those that get a phi.
  local function settle(members)
    local inside, entered, values, one = {}, {}, 0, graph.undef
    for _, block in ipairs(members) do inside[block] = true end
    for _, block in ipairs(members) do
      for _, pred in ipairs(graph.preds[block]) do
        local value = not inside[pred] and read(pred)
        if not inside[pred] then
          if not entered[1] then values, one = 1, value end
          if value ~= one then values = 2 end
          if entered[#entered] ~= block then entered[#entered + 1] = block end
        end
      end
    end
    if values < 2 then
      for _, block in ipairs(members) do def[block] = one end
      return
    end
    for _, block in ipairs(entered) do
      phis[block] = { block = block, operands = {} }
      def[block] = phis[block]
    end
    for _, block in ipairs(entered) do
      for i, pred in ipairs(graph.preds[block]) do phis[block].operands[i] = read(pred) end
    end
  end

  function read(block)
    if def[block] == nil then
      settle(component(block))
      return read(block)
    end
    return def[block]
  end

  return read, phis
end
