--- What calls, addresses and ops of dialects refer to, for all emitters.
local core = require "phial.core"
local errors = require "phial.errors"
local programs = require "phial.code.program"
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

--- An instruction as the functions here read it.
---@param fn phial.Function
---@param id integer
---@param op string
---@return {id: integer, op: string, type: string?, args: {id: integer, type: string}[],
--- ids: integer[], types: string[]} # ids and types of the operands, also one by one
function M.record(fn, id, op)
  local type, ids, types = core.instruction(fn, id)
  local args = {}
  for i, arg in ipairs(ids) do args[i] = { id = arg, type = types[i] } end
  return { id = id, op = op, type = type, args = args, ids = ids, types = types }
end

--- The type of the result that a call needs: of a tail call, that of the function.
---@param program phial.code.Program
---@param v phial.code.Value
---@return string?
function M.wanted(program, v)
  if v.op == "tail_call" or v.op == "tail_call_indirect" then return program.result end
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
---@param program phial.code.Program
---@param v phial.code.Value
---@param callee phial.Function
---@param refuse fun(format: string, ...: any)
---@param converts boolean? what is of type any becomes what is wanted, and the other way round,
--- except the result of a tail call
function M.check(program, v, callee, refuse, converts)
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
    result, wanted = signature.results(callee), signature.results(program.fn)
  end
  if result == wanted or not is_tail and (not wanted or fits(result, wanted)) then return end
  refuse("%s", signature.returned({ name = callee:name(), result = result }, wanted))
end

--- Raises unless a callee returns the further results that a call takes.
---@param further {index: integer, type: string}[]
---@param callee phial.Function
---@param refuse fun(format: string, ...: any)
---@param converts boolean? as for `check`
function M.check_further(further, callee, refuse, converts)
  local returned = callee:results()
  for _, it in ipairs(further) do
    local type = returned[it.index]
    local fits = type == it.type or converts and type and (type == "any" or it.type == "any")
    if not fits then
      refuse("function '%s' returns %s, and result %d would be %s", callee:name(),
        signature.results(callee) or "nothing", it.index, it.type)
    end
  end
end

--- Raises unless a callee is a phial function or a name.
---@param callee any
---@param format string the message, with the type of Lua
---@param refuse fun(format: string, ...: any)
---@return boolean # it is a function
function M.is_function(callee, format, refuse)
  if errors.class(callee) == "phial.Function" then return true end
  if type(callee) ~= "string" then
    refuse(callee == nil and "its callee is not known" or format, type(callee))
  end
  return false
end

--- What a dialect has under a key for an op, such as its `eval`; nil if it has nothing.
---@param fn phial.Function
---@param v phial.code.Value
---@param key string
---@return any value
---@return phial.DialectOp?
function M.of_dialect(fn, v, key)
  local dialect, name = v.op:match "^([^.]*)%.(.*)$"
  local op = dialect and fn:dialect(dialect)[name]
  return op and op[key](op), op
end

--- What a call at an address says of the function there: the one whose signature it has, and how
--- many parameters it has if it is variadic.
---@param program phial.code.Program
---@param v phial.code.Value
---@param refuse fun(format: string, ...: any)
---@return phial.Function? fn
---@return integer? named
function M.at_address(program, v, refuse)
  local data = programs.handle(program, v):data()
  if data == nil or math.type(data) == "integer" and data >= 0 and data < #v.args then
    return nil, data
  end
  local fn = M.found(program.fn, data)
  if errors.class(fn) ~= "phial.Function" then
    refuse("its data is neither a number of parameters nor the name of a function")
  end
  local args = table.move(v.args, 2, #v.args, 1, {})
  M.check(program, { op = v.op, type = v.type, args = args }, fn, refuse)
  return fn, fn:is_variadic() and #fn:params() or nil
end

--- True if an op of a dialect can have an i-th result, which need not be used.
---@param v phial.code.Value
---@param i any
---@return boolean
function M.has_result(v, i) return v.type ~= nil and math.type(i) == "integer" and i > 0 end

-- The lines of a text.
local function lines_of(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do list[#list + 1] = line end
  return list
end

-- The lines of a list of strings; nil, and what it is instead.
local function lines_in(list)
  local ok, taken = pcall(core.list, list, "a table")
  if not ok then return nil, core.refusal(taken) end
  for _, line in ipairs(taken) do
    if type(line) ~= "string" then return nil, "a list with " .. errors.got(line) end
  end
  return lines_of(table.concat(taken, "\n"))
end

-- A site that is kept has nothing to give when its op has been written.
local function close(site, op)
  for name in pairs(site) do site[name] = nil end
  setmetatable(site, { __index = function(_, name)
    return function() errors.raise("%s: op '%s' has been written", name, op) end
  end })
end

--- Calls the function of an op that writes it, its `llvm` or `c`, and returns the lines that it
--- makes, a text or a list. Raises if it makes neither, or changes the function that is read.
---@param program phial.code.Program
---@param v phial.code.Value
---@param key "llvm"|"c"
---@param refuse fun(format: string, ...: any)
---@param write function
---@param handle phial.Value its arguments
---@param operands string[]
---@param site phial.Site
---@return string[]
function M.lines(program, v, key, refuse, write, handle, operands, site)
  local fn, version = program.fn, program.fn:version()
  local made = write(handle, operands, site)
  close(site, v.op)
  local usable = core.is_usable(fn)
  if not usable or fn:version() ~= version then
    programs.blame(("the %s of op '%s' has %s function '%s'"):format(key, v.op,
      usable and "changed" or "closed", program.name))
  end
  if type(made) == "string" then return lines_of(made) end
  local list, why = nil, errors.got(made) .. ": lines expected"
  if type(made) == "table" then list, why = lines_in(made) end
  return list or refuse("the %s of op '%s' returned %s", key, v.op, why)
end

return M
