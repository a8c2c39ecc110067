-- A function with a parameter of each kind, read in the entry, whose methods are
-- called wrongly.
local phial = require "phial"

---@param opts phial.Options?
---@param result string?
---@return phial.Function fn
---@return phial.Block entry
---@return phial.Value ... n:i64, c:i1, x:f64, b:i8, a:any
return function(opts, result)
  local fn = phial.fn("f", { "n:i64", "c:i1", "x:f64", "b:i8", "a:any" }, result, opts)
  local entry = fn:entry()
  local values = fn:params()
  for i, var in ipairs(values) do values[i] = entry:read(var) end
  return fn, entry, table.unpack(values)
end
