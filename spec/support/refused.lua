-- A call that is refused: the whole message, its position, and the function as
-- it was.

-- All that can be seen of a function.
local function seen(fn)
  local stats = {}
  for name, n in pairs(fn:stats()) do
    if type(n) == "number" then stats[#stats + 1] = name .. "=" .. n end
  end
  table.sort(stats)
  return fn:text() .. table.concat(stats, " ")
end

--- `call` stands on one line and is refused there.
---@param fn phial.Function? that is as it was
---@param message string
---@param call function
---@param caller fun(call: function)? what calls it
return function(fn, message, call, caller)
  local before, where = fn and seen(fn), debug.getinfo(call, "S")
  local ok, err = pcall(caller or call, call)
  assert(not ok, "not refused: " .. message)
  local expected = ("%s:%d: %s"):format(where.short_src, where.linedefined, message)
  if err ~= expected then
    error(("expected %s\nbut it is %s"):format(expected, tostring(err)), 2)
  end
  if fn and seen(fn) ~= before then error("changed by a refused call: " .. message, 2) end
end
