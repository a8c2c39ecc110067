-- What is wrong with the arguments of a call from Lua: of a function that runs as Lua or
-- as native code.
local errors = require "phial.errors"

local M = {}

---@class phial.run.Signature
---@field name string
---@field params {name: string, type: string}[]

--- The message about argument i, which is not of its type.
---@param of phial.run.Signature
---@param i integer
---@param it any
---@return string
function M.argument(of, i, it)
  local param = of.params[i]
  local why = ("%s expected, got %s"):format(param.type, errors.got(it))
  if math.type(it) == "integer" and param.type ~= "i1" then
    why = ("%d does not fit %s"):format(it, param.type)
  end
  return ("bad argument #%d '%s' to '%s' (%s)"):format(i, param.name, of.name, why)
end

--- The message about a wrong number of arguments.
---@param of phial.run.Signature
---@param given integer
---@return string
function M.count(of, given)
  return ("wrong number of arguments to '%s' (%d expected, got %d)"):format(of.name, #of.params,
    given)
end

return M
