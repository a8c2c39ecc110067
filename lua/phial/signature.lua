-- Signatures of functions: as text, and what does not fit them.
local errors = require "phial.errors"
local types = require "phial.code.types"

local M = {}

---@class phial.Signature
---@field name string
---@field params {name: string, type: string}[]
---@field result string? as `results` gives it
---@field is_variadic boolean

--- The types of the results of a function as texts show them: "i64, i32"; nil if it has none.
---@param fn phial.Function
---@return string?
function M.results(fn) return fn:result() and table.concat(fn:results(), ", ") end

--- The signature of a function.
---@param fn phial.Function
---@return phial.Signature
function M.of(fn)
  local signature = { name = fn:name(), params = {}, result = M.results(fn),
    is_variadic = fn:is_variadic() }
  for i, var in ipairs(fn:params()) do
    signature.params[i] = { name = var:name(), type = var:type() }
  end
  return signature
end

--- The types of the parameters of a function.
---@param fn phial.Function
---@return string[]
function M.types(fn)
  local list = {}
  for i, var in ipairs(fn:params()) do list[i] = var:type() end
  return list
end

--- How C passes parameters of a function, and its result (0), where that is not as usual.
---@param fn phial.Function
---@return table<integer, string>
function M.passings(fn)
  local list = {}
  for i, var in ipairs(fn:params()) do
    if fn:passing(i) ~= types.PASSING[var:type()] then list[i] = fn:passing(i) end
  end
  if fn:passing() ~= types.PASSING[fn:result()] then list[0] = fn:passing() end
  return list
end

--- The types of the parameters of a function and of its result as texts show them: "i8 zeroext";
--- "..." is the last one of a variadic function.
---@param fn phial.Function
---@return string[]
---@return string?
function M.passed(fn)
  local list, result = M.types(fn), M.results(fn)
  for i, passing in pairs(M.passings(fn)) do
    if i == 0 then
      result = ("%s %s"):format(result, passing)
    else
      list[i] = ("%s %s"):format(list[i], passing)
    end
  end
  if fn:is_variadic() then list[#list + 1] = "..." end
  return list, result
end

--- "(i64, ptr) -> i64".
---@param list string[]
---@param result string?
---@return string
function M.text(list, result)
  return ("(%s)%s"):format(table.concat(list, ", "), result and " -> " .. result or "")
end

--- The message about argument i, which is not of its type.
---@param of phial.Signature
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

--- The message about a result of a tail call that is not of the type of its function.
---@param of phial.Signature
---@param wanted string?
---@return string
function M.returned(of, wanted)
  return ("function '%s' returns %s, not %s"):format(of.name, of.result or "nothing",
    wanted or "nothing")
end

--- True if a function takes so many arguments.
---@param of phial.Signature
---@param given integer
---@return boolean
function M.takes(of, given)
  return given == #of.params or of.is_variadic and given > #of.params
end

--- The message about a wrong number of arguments.
---@param of phial.Signature
---@param given integer
---@return string
function M.count(of, given)
  return ("wrong number of arguments to '%s' (%s%d expected, got %d)"):format(of.name,
    of.is_variadic and "at least " or "", #of.params, given)
end

return M
