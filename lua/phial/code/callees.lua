--- What calls, addresses and ops of dialects refer to, for all emitters.
local core = require "phial.core"
local errors = require "phial.errors"
local signature = require "phial.signature"

local M = {}

--- The ops whose data is a function, a global, or the name of one.
M.SYMBOLIC = { call = true, tail_call = true, address = true }

--- What a name or declaration means in a function or in the initial value of a global: a
--- function, a global, or the name of something that lies elsewhere.
---@param fn phial.Function|phial.Global
---@param it any
---@return any
function M.found(fn, it)
  if type(it) ~= "string" then return it end
  local module = fn:module()
  return module and module:get(it) or it
end

--- True if it is a function of phial that is not closed.
---@param it any
---@return boolean
function M.is_usable(it)
  return errors.class(it) == "phial.Function" and core.is_usable(it)
end

---@class phial.code.Call an instruction as the functions here read it
---@field id integer
---@field op string
---@field type string?
---@field args {id: integer, type: string}[]
---@field ids integer[] of the operands
---@field types string[] theirs

--- Reads an instruction.
---@param fn phial.Function
---@param id integer
---@return phial.code.Call
function M.record(fn, id)
  local type, ids, types = core.instruction(fn, id)
  local args = {}
  for i, arg in ipairs(ids) do args[i] = { id = arg, type = types[i] } end
  return { id = id, op = core.value(fn, id):op(), type = type, args = args, ids = ids,
    types = types }
end

--- The type of the result that a call needs: of a tail call, that of the function.
---@param code phial.code.Body
---@param v phial.code.Call
---@return string?
function M.wanted(code, v)
  if v.op == "tail_call" or v.op == "tail_call_indirect" then return code.result end
  return v.type
end

--- True if a phial function can be called so; `check` says why not.
---@param type string? of the result that is wanted
---@param arg_types string[]
---@param of phial.code.Interface of the function
---@return boolean
function M.fits(type, arg_types, of)
  if #arg_types ~= #of.types and not (of.variadic and #arg_types > #of.types) then return false end
  for i, wanted in ipairs(of.types) do
    if arg_types[i] ~= wanted then return false end
  end
  return type == nil or type == of.result
end

--- Raises unless a phial function can be called as v calls it.
---@param code phial.code.Body
---@param v phial.code.Call
---@param callee phial.Function
---@param converts boolean? what is of type any becomes what is wanted, and the other way round,
--- except the result of a tail call
function M.check(code, v, callee, converts)
  local function refuse(...) code:refuse(v.id, ...) end
  local function fits(type, other)
    return type == other or converts and type and (type == "any" or other == "any")
  end
  local usable, why = core.is_usable(callee)
  if not usable then refuse("its callee is %s", why) end
  local params, more, args = callee:params(), callee:is_variadic(), v.args
  if #args < #params or #args > #params and not more then
    refuse("wrong number of arguments to '%s' (%d%s expected, got %d)", callee:name(), #params,
      more and " or more" or "", #args)
  end
  for i, var in ipairs(params) do
    if not fits(var:type(), args[i].type) then
      refuse("argument %d of function '%s' is of type %s, not %s", i, callee:name(), var:type(),
        args[i].type)
    end
  end
  local result, wanted = callee:result(), v.type
  local is_tail = v.op == "tail_call"
  if is_tail or v.op == "tail_call_indirect" then
    result, wanted = signature.results(callee), signature.results(code.fn)
  end
  if result == wanted or not is_tail and (not wanted or fits(result, wanted)) then return end
  refuse("%s", signature.returned({ name = callee:name(), result = result }, wanted))
end

--- Raises unless a callee returns the further results that a call takes.
---@param code phial.code.Body
---@param v integer the call
---@param further phial.code.Result[]
---@param callee phial.Function
---@param converts boolean? as for `check`
function M.check_further(code, v, further, callee, converts)
  local returned = callee:results()
  for _, it in ipairs(further) do
    local type = returned[it.index]
    local fits = type == it.type or converts and type and (type == "any" or it.type == "any")
    if not fits then
      code:refuse(v, "function '%s' returns %s, and result %d would be %s", callee:name(),
        signature.results(callee) or "nothing", it.index, it.type)
    end
  end
end

--- Raises unless a callee is a phial function or a name.
---@param code phial.code.Body
---@param v integer the call
---@param callee any
---@param format string the message, with the type of Lua
---@return boolean # it is a function
function M.is_function(code, v, callee, format)
  if errors.class(callee) == "phial.Function" then return true end
  if type(callee) ~= "string" then
    code:refuse(v, callee == nil and "its callee is not known" or format, type(callee))
  end
  return false
end

--- What a dialect has under a key for an op, such as its `eval`; nil if it has nothing.
---@param fn phial.Function
---@param name_of_op string
---@param key string
---@return any value
---@return phial.DialectOp?
function M.of_dialect(fn, name_of_op, key)
  local dialect, name = name_of_op:match "^([^.]*)%.(.*)$"
  local op = dialect and fn:dialect(dialect)[name]
  return op and op[key](op), op
end

--- What a call at an address says of the function there: the one whose signature it has, and how
--- many parameters it has if it is variadic.
---@param code phial.code.Body
---@param v phial.code.Call
---@return phial.Function? fn
---@return integer? named
function M.at_address(code, v)
  local data = code:handle(v.id):data()
  if data == nil or math.type(data) == "integer" and data >= 0 and data < #v.args then
    return nil, data
  end
  local fn = M.found(code.fn, data)
  if errors.class(fn) ~= "phial.Function" then
    code:refuse(v.id, "its data is neither a number of parameters nor the name of a function")
  end
  local args = table.move(v.args, 2, #v.args, 1, {})
  M.check(code, { id = v.id, op = v.op, type = v.type, args = args }, fn)
  return fn, fn:is_variadic() and #fn:params() or nil
end

return M
