-- Calls, and ops of dialects, which bring functions of their own.
local Names = require "phial.emit.llvm.names"
local callees = require "phial.code.callees"
local errors = require "phial.errors"
local types = require "phial.emit.llvm.types"

local M = {}

--
-- {== Calls ===========================================================
--

-- Writes a call. Results that are not wanted get no name.
local function write_call(body, v, returned, callee, operands)
  local text = ("call %s %s(%s)"):format(returned, callee, table.concat(operands, ", "))
  if v.type then body:set(v, "%s", text) else body:line("%s", text) end
end

-- The type of an argument, as it is passed if nothing else is known.
local function passed_type(body, arg)
  return types.passed(body:type(arg.type), types.PASSING[arg.type])
end

local function passed(body, args)
  local operands = {}
  for i, arg in ipairs(args) do
    operands[i] = ("%s %s"):format(passed_type(body, arg), body:text(arg))
  end
  return operands
end

-- An argument after those of the parameters, as C promotes it: a double, an int or wider.
local function promoted(body, arg)
  local type = arg.type
  if type == "f32" then return "double " .. body:let("fpext %s to double", body:typed(arg)) end
  if types.width(type) and types.width(type) < 32 then
    local extend = type == "i1" and "zext" or "sext"
    return "i32 " .. body:let("%s %s to i32", extend, body:typed(arg))
  end
  return body:typed(arg)
end

-- The parts of a call: the type of the result, the callee and the operands as LLVM writes them, and
-- the type of the function.

-- Those of a call of a function of that signature, except the callee.
local function of_signature(body, fn, args)
  local params, result, operands = fn:params(), fn:result(), {}
  local signature = body.unit.symbols:signature(fn)
  for i in ipairs(params) do
    operands[i] = ("%s %s"):format(types.passed(body:type(args[i].type), fn:passing(i)),
      body:text(args[i]))
  end
  local returned = types.returned(result and body:type(result), fn:passing())
  if fn:is_variadic() then
    for i = #params + 1, #args do operands[i] = promoted(body, args[i]) end
    returned = types.plain(signature)
  end
  return returned, operands, signature
end

local function of_function(body, v, fn)
  callees.check(body.program, v, fn, function(...) body:refuse(...) end)
  local symbol = "@" .. Names.quoted(body.unit.symbols:of(fn))
  local returned, operands, signature = of_signature(body, fn, v.args)
  return returned, symbol, operands, signature
end

-- The result of a call, and the type of a function with that result and these operands.
local function signature_of(body, v, operands)
  local result = callees.wanted(body.program, v)
  local params = {}
  local returned = types.returned(result and body:type(result), types.PASSING[result])
  for i, arg in ipairs(operands) do params[i] = passed_type(body, arg) end
  return returned, ("%s (%s)"):format(returned, table.concat(params, ", "))
end

-- A function that is known by its name only: its signature is that of its calls.
local function of_name(body, v, name)
  local returned, signature = signature_of(body, v, v.args)
  local other = body.unit.symbols:call(name, signature)
  if other then
    body:refuse("'%s' is also used as %s: one function has one signature", name, other)
  end
  return returned, "@" .. Names.quoted(name), passed(body, v.args), signature
end

-- The same for the function at an address, whose parameters take so many operands, if further ones
-- follow.
local function as_shown(body, v, args, named)
  local fixed = table.move(args, 1, named or #args, 1, {})
  local operands, returned, signature = passed(body, fixed), signature_of(body, v, fixed)
  if named then
    for i = named + 1, #args do operands[i] = promoted(body, args[i]) end
    signature = signature:gsub("%)$", named > 0 and ", ...)" or "...)")
    returned = types.plain(signature)
  end
  return returned, operands, signature
end

-- The function at an address, the first operand.
local function of_address(body, v)
  local args = table.move(v.args, 2, #v.args, 1, {})
  local fn, named = callees.at_address(body.program, v, function(...) body:refuse(...) end)
  local function parts()
    if fn then return of_signature(body, fn, args) end
    return as_shown(body, v, args, named)
  end
  local callee, returned, operands, signature = body:text(v.args[1]), parts()
  if body.unit.symbols.is_typed then
    callee = body:let("bitcast i8* %s to %s*", callee, types.plain(signature))
  end
  return returned, callee, operands, signature
end

local function of_symbol(body, v)
  local it = callees.found(body.program.fn, body:handle(v):data())
  local why = "its callee is a Lua %s: only functions of phial and names can be called"
  local is_function = callees.is_function(it, why, function(...) body:refuse(...) end)
  local parts = is_function and of_function or of_name
  return parts(body, v, it)
end

local function call(body, v)
  write_call(body, v, of_symbol(body, v))
  if v.results then
    body.v = v.results[1]
    body:refuse "a call of LLVM has one result"
  end
end

local function call_indirect(body, v) write_call(body, v, of_address(body, v)) end

-- Writes a tail call, which LLVM guarantees if both functions have one type.
local function write_tail(body, returned, callee, operands, signature)
  local own, result = body.unit.symbols:signature(body.program.fn), body.program.result
  if signature:find("...", 1, true) then
    body:refuse "LLVM guarantees no tail calls of variadic functions"
  end
  if signature ~= own then
    body:refuse("LLVM guarantees tail calls between functions of one type: the callee is %s, "
      .. "not %s", signature, own)
  end
  local text = ("musttail call %s %s(%s)"):format(returned, callee, table.concat(operands, ", "))
  if not result then
    body:line("%s", text)
    return body:line "ret void"
  end
  body:line("ret %s %s", body:type(result), body:let("%s", text))
end

local function tail_call(body, v) write_tail(body, of_symbol(body, v)) end

local function tail_call_indirect(body, v) write_tail(body, of_address(body, v)) end

-- }== Dialects ========================================================

-- What the `llvm` of an op gets as its third argument.
local Site = {}
Site.__index = Site

---@class phial.emit.llvm.Site: phial.Site
---@field body phial.emit.llvm.Body
---@field value phial.code.Value the instruction
---@field labels string[] of a terminator's targets
---@field results table<integer, string>

function Site:type(type) return self.body:type(type) end

function Site:result(i)
  i = i or 1
  if not callees.has_result(self.value, i) then
    self.body:refuse("the op has no result %s", i)
  end
  self.results[i] = self.results[i] or self.body:temp()
  return self.results[i]
end

function Site:target(i)
  local label = self.labels[i]
  return label and "label %" .. label or self.body:refuse("the op has no target %s", i)
end

function Site:temp() return self.body:temp() end

function Site:label(hint)
  if hint ~= nil then errors.check_string("label", 1, hint) end
  return Names.quoted(self.body.names:take(hint or "l"))
end

function Site:declare(line)
  errors.check_string("declare", 1, line)
  self.body.unit:declare(line)
end

-- The names of the results.
local function results_of(body, v)
  local results = { body.texts[v.id] }
  for _, result in ipairs(v.results or {}) do results[result.index] = body.texts[result.id] end
  return results
end

-- Writes lines, of which labels begin blocks.
local function write_lines(body, lines)
  for _, line in ipairs(lines) do
    local label = line:match '^%s*([-A-Za-z$._0-9]+):%s*$' or line:match '^%s*("[^"]*"):%s*$'
    if label then
      body:start(label)
    elseif line:find("!dbg", 1, true) then
      body.lines[#body.lines + 1] = "  " .. line
    else
      body:line("%s", line)
    end
  end
end

--- Writes an op of a dialect.
---@param body phial.emit.llvm.Body
---@param v phial.code.Value
---@param labels string[]? of a terminator's targets
function M.dialect(body, v, labels)
  local write, operands = callees.of_dialect(body.program.fn, v, "llvm"), {}
  if not write then body:refuse("op '%s' has no llvm: it cannot be written as LLVM IR", v.op) end
  for i, arg in ipairs(v.args) do operands[i] = body:text(arg) end
  local site = setmetatable({ body = body, value = v, labels = labels or {},
    results = results_of(body, v) }, Site)
  local function refuse(...) body:refuse(...) end
  write_lines(body, callees.lines(body.program, v, "llvm", refuse, write, body:handle(v), operands,
    site))
end

-- }====================================================================

local rows = {
  call = call, call_indirect = call_indirect, tail_call = tail_call,
  tail_call_indirect = tail_call_indirect,
}

--- How calls and ops of dialects are written; nil: the op is another one.
---@param op string
---@return fun(body: phial.emit.llvm.Body, v: phial.code.Value)?
function M.row(op)
  return rows[op] or op:find(".", 1, true) and M.dialect or nil
end

return M
