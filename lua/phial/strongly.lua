-- Strongly connected components (Tarjan, *Depth-First Search and Linear Graph
-- Algorithms*, SIAM J. Comput. 1972), without recursion.
local M = {}

--- Numbers components: nodes that reach one another have the same number, which is greater than
--- those of the components that they reach.
---@generic T
---@param nodes T[]
---@param each_successor fun(node: T, f: fun(to: T))
---@return table<T, integer>
---@return T[][] members by number
function M.components(nodes, each_successor)
  local index, low, component, stack, path = {}, {}, {}, {}, {}
  local count, members = 0, {}
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
    local first = #stack
    while stack[first] ~= node do first = first - 1 end
    members[#members + 1] = table.move(stack, first, #stack, 1, {})
    for _ = first, #stack do component[table.remove(stack)] = #members end
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
  return component, members
end

return M
