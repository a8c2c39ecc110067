-- Calls, and ops of dialects, which call their `eval`. Generated code gets functions
-- in its table `host` and checks the types of what they return.
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local numbers = require "phial.emit.lua.numbers"
local runtime = require "phial.run.runtime"
local signature = require "phial.signature"

local M = {}

--
-- {== Arguments =======================================================
--

-- An instruction and one of its values as errors name them, in quotes.
local function where(code, v, what)
  return numbers.quote(("%s: %s"):format(code:where(v), what))
end

-- The expression of a value from outside, converted to a type or refused; what:
-- "result", "argument 2".
local function taken(code, v, type, text, what)
  local taker = runtime.taker(type)
  if not taker then return text end
  return ("%s(%s, %s)"):format(code:need(taker), text, where(code, v, what))
end

-- }== Results =========================================================

-- Assigns several results. Of several values that are one result, one gets it, the others that one.
local function set_many(code, v, results, text)
  local last, targets, twins = 1, { code:place_declared(v.id) }, {}
  for _, result in ipairs(results) do
    local place, same = code:place_declared(result.id), targets[result.index]
    if same and place then
      twins[#twins + 1] = ("%s = %s"):format(place, same)
    else
      targets[result.index] = same or place
    end
    last = math.max(last, result.index)
  end
  if last > code.many then
    code:declare_local "all"
    code:line("all = { %s }", text)
    for i = 1, last do
      if targets[i] then code:line("%s = all[%d]", targets[i], i) end
    end
  else
    for i = 1, last do
      if not targets[i] then targets[i] = code:declare_local "_" end
    end
    code:line("%s = %s", table.concat(targets, ", "), text)
  end
  return twins
end

-- Converts the value in the place of a result to its type.
local function take(code, v, result, what)
  local place = code:place(result.id)
  local text = place and runtime.taking(result.type, place, where(code, v.id, what),
    function(name) code:need(name) end)
  if text then code:line("%s", text) end
end

-- Assigns the results of a call to v and its further results; returned: the types that they are
-- known to have.
local function set(code, v, text, results, returned)
  if not v.type then return code:call(text) end
  if #results > 0 then
    local twins = set_many(code, v, results, text)
    for _, result in ipairs(results) do
      local type = returned and returned[result.index]
      if type ~= result.type then take(code, v, result, "result " .. result.index) end
    end
    for _, twin in ipairs(twins) do code:line("%s", twin) end
  elseif code:place(v.id) then
    code:set(v.id, text)
  else -- not used
    code:call(taken(code, v.id, v.type, text, "result"))
  end
  if not (returned and returned[1] == v.type) then take(code, v, v, "result") end
end

-- The name of what converts all results of the function.
local function taker_of_all(code)
  if not code.takes_all then
    local takers = {}
    for i, type in ipairs(code.results) do
      local taker = runtime.taker(type)
      takers[i] = taker and code:need(taker) or "false"
    end
    code:declare(("local returned = %s { %s }"):format(code:need "all_of",
      table.concat(takers, ", ")))
    code.takes_all = true
  end
  return "returned"
end

-- }== call ============================================================

-- What is called, and its arguments as texts.

local function of_phial(code, v, callee, results)
  local texts = {}
  callees.check(code, v, callee, true)
  callees.check_further(code, v.id, results, callee, true)
  for i, var in ipairs(callee:params()) do
    local arg, want = v.args[i], var:type()
    texts[i] = code:bare(arg.id)
    if arg.type ~= want and want ~= "any" then
      texts[i] = taken(code, v.id, want, texts[i], "argument " .. i)
    end
  end
  for i = #texts + 1, #v.args do texts[i] = code:bare(v.args[i].id) end
  return code:callee(v, callee) .. code:mark(v.id), texts
end

local function texts_of(code, v)
  local texts = {}
  for i, arg in ipairs(v.args) do texts[i] = code:bare(arg.id) end
  return texts
end

-- The types of the operands of v from number `first` on.
local function types_of(v, first)
  local types = {}
  for i = first, #v.args do types[#types + 1] = v.args[i].type end
  return numbers.quote(table.concat(types, " "))
end

-- What converts the result of a call by name, unless there are several; after a tail call nothing
-- can leave out results.
local function result_taker(code, v, type, results)
  if v.op == "tail_call" then
    if #code.results > 1 then return taker_of_all(code) end
    return code:need(not type and "nothing" or runtime.taker(type) or "only_first")
  end
  local taker = #results == 0 and type and runtime.taker(type)
  return taker and code:need(taker) or "nil"
end

-- The types of the results that a call needs, as texts show them, in quotes; in a tail call those
-- of the function; fn: the one whose signature it has; more: its results as far as they are known,
-- if it has the signature of a name.
local function wanted(code, v, fn, more)
  local is_tail = v.op:find "^tail_call" ~= nil
  local text = v.type
  if is_tail or fn and text and #fn:results() > 1 then
    text = signature.results(is_tail and code.fn or fn)
  elseif text and more then
    for i, result in ipairs(more) do
      if result.index == i + 1 then text = text .. ", " .. result.type end
    end
    text = text .. ", ..."
  end
  return text and numbers.quote(text) or "nil", is_tail
end

-- What the environment has under a name; by_name in phial.run.runtime checks the result.
local function of_name(code, v, name, results)
  local type, is_tail = wanted(code, v)
  local taker = result_taker(code, v, callees.wanted(code, v), results)
  local site = code:add_site(code:need "by_name", numbers.quote(name),
    numbers.quote(code:where(v.id)), types_of(v, 1), type, taker,
    is_tail and (#code.results > 1 and '"all"' or "true") or nil)
  return ("callee[%d]%s"):format(site, code:mark(v.id)), texts_of(code, v)
end

-- The function at an address; host.indirect checks its signature.
local function of_address(code, v, fn, more)
  local type, is_tail = wanted(code, v, fn, more)
  local site = code:add_site(code:need "indirect", numbers.quote(code:where(v.id)), types_of(v, 2),
    type, is_tail and "true" or nil)
  return ("callee[%d]%s"):format(site, code:mark(v.id)), texts_of(code, v)
end

-- The function of phial or the name that v calls; nil if it is neither. A name that the module has
-- means what it means there.
local function called(code, v)
  local it = code:data(v.id)
  local fn = callees.found(code.fn, it)
  if errors.class(fn) == "phial.Function" then
    if core.is_usable(fn) and fn:is_declaration() then return nil, fn:name() end
    return fn
  end
  return nil, type(it) == "string" and it or nil
end

-- Writes a call whose result is of its type.
local function put(code, v, callee, texts)
  local text = ("%s(%s)"):format(callee, code:listed(texts))
  if v.type then code:set(v.id, text) else code:call(text) end
end

--- Writes a call.
---@param code phial.emit.lua.Code
---@param id integer
function M.call(code, id)
  local v, results = callees.record(code.fn, id), code:further(id)
  local fn, name = called(code, v)
  local f, texts
  if fn then
    f, texts = of_phial(code, v, fn, results)
  elseif name then
    f, texts = of_name(code, v, name, results)
  end
  if f and (#results > 0 or fn and fn:result() == "any") then
    return set(code, v, ("%s(%s)"):format(f, code:listed(texts)), results, fn and fn:results())
  elseif f then
    return put(code, v, f, texts)
  end
  local callee = code:data(id)
  if not errors.is_callable(callee) then
    code:refuse(id, callee == nil and "its callee is not known"
      or "its callee is a %s: it cannot be called", type(callee))
  end
  code.leaves = true
  set(code, v, ("%s(%s)"):format(code:host(callee), code:listed(texts_of(code, v))), results)
end

--- Writes a call of what is at an address.
---@param code phial.emit.lua.Code
---@param id integer
function M.call_indirect(code, id)
  local v, results = callees.record(code.fn, id), code:further(id)
  local data = code:data(id)
  local named = type(data) == "string" and callees.found(code.fn, data)
  local fn = errors.class(named) == "phial.Function" and named or nil
  if results[1] and not named then code:refuse(id, "several results need the option 'as'") end
  if fn then callees.check_further(code, id, results, fn) end
  local f, texts = of_address(code, v, fn, named and not fn and results)
  if not results[1] then return put(code, v, f, texts) end
  set(code, v, ("%s(%s)"):format(f, code:listed(texts)), results, fn and fn:results())
end

--- What a tail call calls, and its arguments, as texts.
---@param code phial.emit.lua.Code
---@param id integer
---@param ret string? the continuation, which only the function itself takes: others return
---@return string callee
---@return string arguments
function M.tail(code, id, ret)
  local v = callees.record(code.fn, id)
  local fn, name, f, texts
  if v.op == "tail_call" then fn, name = called(code, v) end
  if ret and fn ~= code.fn then
    code:refuse(id, "only the function itself, not what returns, can be called with 'ret'")
  end
  if fn then
    f, texts = of_phial(code, v, fn, {})
  elseif name then
    f, texts = of_name(code, v, name, {})
  elseif v.op == "tail_call" then
    code:refuse(id, "its callee is not known")
  else
    f, texts = of_address(code, v)
  end
  texts[#texts + 1] = ret
  return f, code:listed(texts)
end

-- }== Dialects ========================================================

-- The expression for the eval of an op, and whether it takes the environment.
local function eval_of(code, v)
  local eval, op = callees.of_dialect(code.fn, v.op, "eval")
  if not eval then code:refuse(v.id, "op '%s' has no eval: it cannot be run", v.op) end
  code.leaves = true
  return code:host(eval), op:takes_env()
end

local function eval(code, v)
  local texts, data = texts_of(code, v), code:data(v.id)
  local f, takes_env = eval_of(code, v)
  if data ~= nil then texts[#texts + 1] = numbers.literal(data) or code:host(data) end
  if takes_env then table.insert(texts, 1, code:need "env") end
  return ("%s%s(%s)"):format(f, code:mark(v.id, true), code:listed(texts))
end

--- The call of the eval of a dialect's op, with the environment if it takes that, its
--- operands, then its data.
---@param code phial.emit.lua.Code
---@param id integer
---@return string
function M.eval(code, id) return eval(code, callees.record(code.fn, id)) end

--- The function's results from a dialect's terminator.
---@param code phial.emit.lua.Code
---@param id integer
---@return string
function M.returned(code, id)
  if #code.results > 1 then
    return ("%s(%s, %s)"):format(taker_of_all(code), where(code, id, "result"), M.eval(code, id))
  end
  return taken(code, id, code.result, M.eval(code, id), "result")
end

--- Writes an op of a dialect that ends no block.
---@param code phial.emit.lua.Code
---@param id integer
function M.dialect(code, id)
  local v = callees.record(code.fn, id)
  set(code, v, eval(code, v), code:further(id))
end

-- }====================================================================

return M
