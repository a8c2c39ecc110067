-- Calls, and ops of dialects, which call their `eval`. Generated code gets functions
-- in its table `host` and checks the types of what they return.
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local numbers = require "phial.emit.lua.numbers"
local runtime = require "phial.run.runtime"

local M = {}

-- The most operands or results in registers at once.
local MANY = 40

--
-- {== Arguments =======================================================
--

local function listed(code, texts)
  local text = table.concat(texts, ", ")
  if #texts <= MANY then return text end
  return ("%s({ %s }, 1, %d)"):format(code:need "spread", text, #texts)
end

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

local function set_many(code, v, text)
  local last, targets = 1, { code:declare(v) }
  for _, result in ipairs(v.results) do
    targets[result.index] = code:declare(result)
    last = math.max(last, result.index)
  end
  if last > MANY then
    code:declare_local "all"
    code:line("all = { %s }", text)
    for i = 1, last do
      if targets[i] then code:line("%s = all[%d]", targets[i], i) end
    end
    return
  end
  for i = 1, last do
    if not targets[i] then targets[i] = code:declare_local "_" end
  end
  code:line("%s = %s", table.concat(targets, ", "), text)
end

-- Converts the value in the place of a result to its type.
local function take(code, v, result, what)
  local place = code:place(result)
  local text = place and runtime.taking(result.type, place, where(code, v, what),
    function(name) code:need(name) end)
  if text then code:line("%s", text) end
end

-- Assigns the results of a call to v and its further results.
local function set(code, v, text)
  if not v.type then return code:call(text) end
  if v.results then
    set_many(code, v, text)
    for _, result in ipairs(v.results) do take(code, v, result, "result " .. result.index) end
  elseif code:place(v) then
    code:set(v, text)
  else -- not used
    code:call(taken(code, v, v.type, text, "result"))
  end
  take(code, v, v, "result")
end

-- }== call ============================================================

-- What is called, and its arguments as texts.

local function of_phial(code, v, callee)
  local texts = {}
  callees.check(code.program, v, callee, function(...) code:refuse(v, ...) end, true)
  for i, var in ipairs(callee:params()) do
    local arg, want = v.args[i], var:type()
    texts[i] = code:text(arg)
    if arg.type ~= want and want ~= "any" then
      texts[i] = taken(code, v, want, texts[i], "argument " .. i)
    end
  end
  for i = #texts + 1, #v.args do texts[i] = code:text(v.args[i]) end
  return code:callee(v, callee) .. code:mark(v), texts
end

local function texts_of(code, v)
  local texts = {}
  for i, arg in ipairs(v.args) do texts[i] = code:text(arg) end
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
local function result_taker(v, type)
  if v.op == "tail_call" then
    return not type and "nothing" or runtime.taker(type) or "only_first"
  end
  return not v.results and type and runtime.taker(type)
end

-- What the environment has under a name; by_name in phial.run.runtime checks the result.
local function of_name(code, v, name)
  local type = callees.wanted(code.program, v)
  local taker = result_taker(v, type)
  local site = code:add_site(code:need "by_name", numbers.quote(name),
    numbers.quote(code:where(v)), types_of(v, 1), type and numbers.quote(type) or "nil",
    taker and code:need(taker) or "nil", v.op == "tail_call" and "true" or nil)
  return ("callee[%d]%s"):format(site, code:mark(v)), texts_of(code, v)
end

-- The function at an address; host.indirect checks its signature.
local function of_address(code, v)
  local type = callees.wanted(code.program, v)
  code.memory = true
  local site = code:add_site(code:need "indirect", numbers.quote(code:where(v)), types_of(v, 2),
    type and numbers.quote(type) or "nil", v.op == "tail_call_indirect" and "true" or nil)
  return ("callee[%d]%s"):format(site, code:mark(v)), texts_of(code, v)
end

-- The function of phial or the name that v calls; nil if it is neither. A name that the module has
-- means what it means there.
local function called(code, v)
  local it = code:data(v)
  local fn = callees.found(code.program.fn, it)
  if errors.class(fn) == "phial.Function" then
    if core.is_usable(fn) and fn:is_declaration() then return nil, fn:name() end
    return fn
  end
  return nil, type(it) == "string" and it or nil
end

-- Writes a call whose result is of its type.
local function put(code, v, callee, texts)
  local text = ("%s(%s)"):format(callee, listed(code, texts))
  if v.type then code:set(v, text) else code:call(text) end
end

local function call(code, v)
  local fn, name = called(code, v)
  local f, texts
  if fn then
    f, texts = of_phial(code, v, fn)
  elseif name then
    f, texts = of_name(code, v, name)
  end
  if f and (v.results or fn and fn:result() == "any") then
    return set(code, v, ("%s(%s)"):format(f, listed(code, texts)))
  elseif f then
    return put(code, v, f, texts)
  end
  local callee = code:data(v)
  if not errors.is_callable(callee) then
    code:refuse(v, callee == nil and "its callee is not known"
      or "its callee is a %s: it cannot be called", type(callee))
  end
  code.leaves = true
  set(code, v, ("%s(%s)"):format(code:host(callee), listed(code, texts_of(code, v))))
end

local function call_indirect(code, v) put(code, v, of_address(code, v)) end

--- What a tail call calls, and its arguments, as texts.
---@param code phial.emit.lua.Code
---@param v phial.code.Value
---@param ret string? the continuation, which only the function itself takes: others return
---@return string callee
---@return string arguments
function M.tail(code, v, ret)
  local fn, name, f, texts
  if v.op == "tail_call" then fn, name = called(code, v) end
  if ret and fn ~= code.program.fn then
    code:refuse(v, "only the function itself, not what returns, can be called with 'ret'")
  end
  if fn then
    f, texts = of_phial(code, v, fn)
  elseif name then
    f, texts = of_name(code, v, name)
  elseif v.op == "tail_call" then
    code:refuse(v, "its callee is not known")
  else
    f, texts = of_address(code, v)
  end
  texts[#texts + 1] = ret
  return f, listed(code, texts)
end

-- }== Dialects ========================================================

-- The expression for the eval of an op, and whether it takes the environment.
local function eval_of(code, v)
  local eval, op = callees.of_dialect(code.program.fn, v, "eval")
  if not eval then code:refuse(v, "op '%s' has no eval: it cannot be run", v.op) end
  code.leaves = true
  return code:host(eval), op:takes_env()
end

--- The call of the eval of a dialect's op, with the environment if it takes that, its
--- operands, then its data.
---@param code phial.emit.lua.Code
---@param v phial.code.Value
---@return string
function M.eval(code, v)
  local texts, data = texts_of(code, v), code:data(v)
  local eval, takes_env = eval_of(code, v)
  if data ~= nil then texts[#texts + 1] = numbers.literal(data) or code:host(data) end
  if takes_env then table.insert(texts, 1, code:need "env") end
  return ("%s%s(%s)"):format(eval, code:mark(v, true), listed(code, texts))
end

--- The function's result from a dialect's terminator.
---@param code phial.emit.lua.Code
---@param v phial.code.Value
---@return string
function M.returned(code, v)
  return taken(code, v, code.program.result, M.eval(code, v), "result")
end

local rows = {
  call = { run = call },
  call_indirect = { run = call_indirect },
  dialect = { run = function(code, v) set(code, v, M.eval(code, v)) end },
}

--- How a call or an op of a dialect is written.
---@param v phial.code.Value
---@return phial.emit.lua.Row
function M.row(v)
  return rows[v.op] or rows.dialect
end

-- }====================================================================

return M
