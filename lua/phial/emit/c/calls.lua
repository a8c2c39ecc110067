-- Calls, and ops of dialects, which write themselves.
local boundary = require "phial.emit.c.boundary"
local callees = require "phial.code.callees"
local errors = require "phial.errors"
local ops = require "phial.emit.c.ops"
local types = require "phial.emit.c.types"

local M = {}

--
-- {== Calls ===========================================================
--

-- An argument after those of the parameters: C makes an int of it, with its sign.
local function promoted(code, arg)
  local width = types.width(arg.type)
  if width and width > 1 and width < 32 then return code:signed(arg) end
  local text = code:bare(arg)
  return arg.block and text or ("(%s)%s"):format(types.name(arg.type), text)
end

-- The arguments of a call from number `first` on; fn: the callee, if it is known; named: how many
-- parameters take, if not all.
local function arguments(code, v, first, fn, named)
  local texts = {}
  named = named or fn and #fn:params() or #v.args
  for i = first, #v.args do
    local arg, n = v.args[i], #texts + 1
    local passing = types.PASSING[arg.type]
    if fn and n <= named then passing = fn:passing(n) end
    texts[n] = n <= named and code:passed(arg, passing) or promoted(code, arg)
  end
  return table.concat(texts, ", ")
end

-- The C name of the callee, and it if it is a function of phial.
local function callee_of(code, v)
  local it = v.symbol
  local function refuse(...) code:refuse(v, ...) end
  if not callees.is_function(it, "its callee is a Lua %s, which C cannot call", refuse) then
    return v.callee
  end
  callees.check(code.program, v, it, refuse)
  return code.unit.symbols:of(it), it
end

-- The value of a call, which may have a sign, or be made an int.
local function called(code, v, text, fn)
  if v.results then code:refuse(v, "a call has one result in C") end
  if code:checks_depth(v.symbol) and not code:again(v.symbol) then
    local type = v.type and v.uses > 0 and types.name(v.type)
    text = type and ("%s(%s, %s)"):format(code:need "phial_nested", type, text)
      or ("%s(%s)"):format(code:need "phial_nested_void", text)
  end
  local width = v.inline and types.width(v.type)
  local is_int = width and width > 1 and width < 32
  if is_int or v.inline and fn and fn:passing() == "signext" then
    text = ("(%s)%s"):format(types.name(v.type), text)
  end
  return text
end

local function call(code, v)
  local name, fn = callee_of(code, v)
  if fn == code.program.fn then code:need "recursions" end
  local again, args = code:again(fn), arguments(code, v, 1, fn)
  if again then name, args = again, args .. " phial_floor_next" end
  return called(code, v, ("%s(%s)"):format(name, args), fn), true
end

-- The call of the function at an address, which has the type that the call says, or shows; that
-- type, with %s for the name; and the function whose signature it is.
local function at_address(code, v)
  local symbols = code.unit.symbols
  local function refuse(...) code:refuse(v, ...) end
  local it, fn, named = v.args[1].symbol, callees.at_address(code.program, v, refuse)
  if not fn and errors.class(it) == "phial.Function" and boundary.is_needed(it) then
    refuse("'%s' passes a struct or va_list by value, which the option 'as' says", it:name())
  end
  if named == 0 then refuse "C wants a parameter before '...'" end
  local format = fn and symbols:type_of(fn)
    or symbols.type_of_call(callees.wanted(code.program, v), v.args, 2, named)
  local p, args = code:text(v.args[1]), arguments(code, v, 2, fn, named)
  symbols.calls_out = true
  if v.through then return ("%s(%s%s%s)"):format(v.through, p, #args > 0 and ", " or "", args) end
  return ("((%s)(uintptr_t)%s)(%s)"):format(format:format "(*)", p, args), format, fn
end

local function call_indirect(code, v)
  local text, _, fn = at_address(code, v)
  return called(code, v, text, fn), true
end

--- The call that ends a function: an expression. C guarantees it between functions of one type.
---@param code phial.emit.c.Code
---@param v phial.code.Value
---@return string
function M.tail(code, v)
  local symbols = code.unit.symbols
  local text, type
  if v.op == "tail_call" then
    local name, fn = callee_of(code, v)
    text = ("%s(%s)"):format(name, arguments(code, v, 1, fn))
    type = symbols:type_of(v.symbol, code.program.result, v.args)
  else
    text, type = at_address(code, v)
  end
  if type:find("...", 1, true) then
    code:refuse(v, "C guarantees no tail calls of variadic functions")
  end
  local own = symbols:type_of(code.program.fn)
  if type ~= own then
    code:refuse(v, "C guarantees tail calls between functions of one type: the callee is %s, "
      .. "not %s", type:format "", own:format "")
  end
  return text
end

-- }== Dialects ========================================================

-- Declares the results of an op, which its lines assign.
local function declare_results(code, v)
  local names = {}
  local function declare(result, i)
    if result.uses == 0 then
      names[i] = code:temp(result.type)
      return code:line("(void)%s;", names[i])
    end
    if result.is_local then code:line("%s;", types.declared(result.type, result.name)) end
    names[i] = result.name
  end
  if v.type then declare(v, 1) end
  for _, result in ipairs(v.results or {}) do declare(result, result.index) end
  return names
end

-- The operands of an op, whose lines may assign a result before they read all: an operand
-- in the variable of a result is saved.
local function read_operands(code, v, names)
  local is_result, texts = {}, {}
  for _, name in pairs(names) do is_result[name] = true end
  for i, arg in ipairs(v.args) do
    texts[i] = code:text(arg)
    if is_result[texts[i]] then texts[i] = code:temp(arg.type, texts[i]) end
  end
  return texts
end

-- What the `c` of an op gets as its third argument: phial.Site.
local function site(code, v, names, target)
  local it = {}
  function it.type(_, type)
    return types.name(type) or code:refuse(v, "type %s cannot be written in C", type)
  end
  function it.result(_, i)
    i = i or 1
    if not callees.has_result(v, i) then code:refuse(v, "the op has no result %s", i) end
    if not names[i] then names[i] = code:temp(v.type) end
    return names[i]
  end
  function it.target(_, i)
    return target and target(i) or code:refuse(v, "the op has no target %s", i)
  end
  function it.temp(_, type)
    it:type(type)
    return code:temp(type)
  end
  function it.declare(_, line)
    errors.check_string("declare", 1, line)
    code.unit:declare(line)
  end
  return it
end

--- Writes an op of a dialect.
---@param code phial.emit.c.Code
---@param v phial.code.Value
---@param target? fun(i: integer): string? the statement that goes to the target
function M.dialect(code, v, target)
  local write, op = callees.of_dialect(code.program.fn, v, "c")
  if not op then code:refuse(v, "op '%s' cannot be written in C", v.op) end
  if not write then code:refuse(v, "op '%s' has no c: it cannot be written in C", v.op) end
  code.unit.symbols.calls_out = true
  local names = declare_results(code, v)
  local operands = read_operands(code, v, names)
  local function refuse(...) code:refuse(v, ...) end
  local lines = callees.lines(code.program, v, "c", refuse, write, code:handle(v), operands,
    site(code, v, names, target))
  for _, line in ipairs(lines) do code:line("%s", line) end
end

local function calling(expr)
  return { expr = expr, effect = "write", prepare = ops.refers, check = function(code, v)
    code:check_depth(v, v.symbol)
  end }
end

--- How calls are written.
---@type table<string, phial.emit.c.Row>
M.rows = { call = calling(call), call_indirect = calling(call_indirect) }

--- How ops of dialects are written.
---@type phial.emit.c.Row
M.row_of_dialects = { stmt = M.dialect, effect = "write", atoms = true }

-- }====================================================================

return M
