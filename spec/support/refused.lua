-- Checks that a call is refused: the whole message with its position, and that
-- the function is unchanged.

-- All that can be seen of a function.
local function seen(fn)
  local stats = {}
  for name, n in pairs(fn:stats()) do
    if type(n) == "number" then stats[#stats + 1] = name .. "=" .. n end
  end
  table.sort(stats)
  return fn:text() .. table.concat(stats, " ")
end

---@param fn phial.Function? stays as it is
---@param message string
---@param call function written on one line, where it is refused
---@param caller fun(call: function)? calls it
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
