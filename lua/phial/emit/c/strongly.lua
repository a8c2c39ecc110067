-- Strongly connected components (Tarjan, *Depth-First Search and Linear Graph
-- Algorithms*, SIAM J. Comput. 1972), without recursion.
local M = {}

--- Numbers components: nodes that reach one another have the same number.
---@generic T
---@param nodes T[]
---@param each_successor fun(node: T, f: fun(to: T))
---@return table<T, integer>
function M.components(nodes, each_successor)
  local index, low, component, stack, path = {}, {}, {}, {}, {}
  local count, components = 0, 0
  local function enter(node)
    count = count + 1
    index[node], low[node] = count, count
    stack[#stack + 1] = node
    local successors = {}
    each_successor(node, function(to) successors[#successors + 1] = to end)
    path[#path + 1] = { node = node, successors = successors, next = 1 }
  end
  local function leave(node)
    if low[node] ~= index[node] then return end
    components = components + 1
    repeat
      local member = table.remove(stack)
      component[member] = components
    until member == node
  end
  for _, root in ipairs(nodes) do
    if not index[root] then enter(root) end
    while #path > 0 do
      local top = path[#path]
      local to = top.successors[top.next]
      top.next = top.next + 1
      if to == nil then
        path[#path] = nil
        leave(top.node)
        local before = path[#path]
        if before then low[before.node] = math.min(low[before.node], low[top.node]) end
      elseif not index[to] then
        enter(to)
      elseif not component[to] then
        low[top.node] = math.min(low[top.node], index[to])
      end
    end
  end
  return component
end

return M
