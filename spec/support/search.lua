-- What a search reaches.

--- The set of what is reached from `from`, which is part of it, by steps to `nexts(it)`.
---@generic T
---@param from T[]
---@param nexts fun(it: T): T[]
---@param banned T? is not entered
---@return table<T, true>
return function(from, nexts, banned)
  local seen, work = {}, {}
  local function visit(list)
    for _, it in ipairs(list) do
      if it ~= banned and not seen[it] then
        seen[it] = true
        work[#work + 1] = it
      end
    end
  end
  visit(from)
  while #work > 0 do visit(nexts(table.remove(work))) end
  return seen
end
