-- Checks of arguments that methods refuse: bad_argument(fn, it)("add", 2, why, ...) calls
-- it:add(...), as spec/support/refused.lua does, and expects "bad argument #2 to 'add' (why)".
local refused = require "spec.support.refused"

---@param fn phial.Function? stays as it is
---@param it any has the methods
---@return fun(method: string, n: integer, why: string, ...: any)
return function(fn, it)
  return function(method, n, why, ...)
    local args = table.pack(...)
    refused(fn, ("bad argument #%d to '%s' (%s)"):format(n, method, why),
      function() it[method](it, table.unpack(args, 1, args.n)) end)
  end
end
