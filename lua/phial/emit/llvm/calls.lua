-- Calls and terminators.
local Names = require "phial.emit.llvm.names"
local callees = require "phial.code.callees"
local types = require "phial.emit.llvm.types"

local M = {}

--
-- {== Calls ===========================================================
--

-- What stands for an operand in a pattern of calls that are alike. The call of which it is made
-- has `is_pattern`, and gets `lets` if it has more lines.
local HOLE <const> = "\1"

local function text_of(code, call, arg) return call.is_pattern and HOLE or code.w:text(arg.id) end

-- Writes an instruction of a call that computes something else; returns its name.
local function let(code, call, format, ...)
  if not call.is_pattern then return code:let(format, ...) end
  call.lets = true
  return ""
end

local function text(returned, callee, operands)
  return "call " .. returned .. " " .. callee .. "(" .. table.concat(operands, ", ") .. ")"
end

-- The struct of several results, if a call returns that.
local function several(returned) return returned:match "^{[^}]*}" end

-- Takes results of a call out of the struct that it returned.
local function take_results(code, call, struct, made)
  local function take(id, index)
    code.w:set(id, ("extractvalue %s %s, %d"):format(struct, made, index - 1))
  end
  take(call.id, 1)
  for _, it in ipairs(call.further) do take(it.id, it.index) end
end

-- Writes a call. Results that are not wanted get no name.
local function write_call(code, call, returned, ...)
  local made, struct = text(returned, ...), several(returned)
  if struct and call.type then return take_results(code, call, struct, code:let("%s", made)) end
  if call.type then code.w:set(call.id, made) else code.w:line(made) end
end

-- The type of an argument, as it is passed if nothing else is known.
local function passed_type(code, call, arg)
  return types.passed(code:type(call.id, arg.type), types.PASSING[arg.type])
end

local function passed(code, call, args)
  local operands = {}
  for i, arg in ipairs(args) do
    operands[i] = passed_type(code, call, arg) .. " " .. text_of(code, call, arg)
  end
  return operands
end

-- An argument after those of the parameters, as C promotes it: a double, an int or wider.
local function promoted(code, call, arg)
  local type = arg.type
  local operand = ("%s %s"):format(code:type(call.id, type), text_of(code, call, arg))
  if type == "f32" then return "double " .. let(code, call, "fpext %s to double", operand) end
  if types.width(type) and types.width(type) < 32 then
    return "i32 " .. let(code, call, "%s %s to i32", type == "i1" and "zext" or "sext", operand)
  end
  return operand
end

-- The parts of a call: the type of the result, the callee and the operands as LLVM writes them, and
-- the type of the function.

-- Those of a call of a function of that signature, except the callee.
local function of_signature(code, call, fn, args)
  local symbols, operands = code.unit.symbols, {}
  local signature, of = symbols:signature(fn), symbols:interface(fn)
  callees.check_further(code, call.id, call.further or {}, fn)
  for i in ipairs(of.types) do
    operands[i] = types.passed(code:type(call.id, args[i].type), of.passings[i]) .. " "
      .. text_of(code, call, args[i])
  end
  local returned = symbols:returned(fn)
  if of.variadic then
    for i = #of.types + 1, #args do operands[i] = promoted(code, call, args[i]) end
    returned = types.plain(signature)
  end
  return returned, operands, signature
end

local function of_function(code, call, fn)
  local known = callees.is_usable(fn) and code.unit.symbols:interface(fn)
  if not known or call.op == "tail_call" or not callees.fits(call.type, call.types, known) then
    callees.check(code, call, fn)
  end
  local symbol = "@" .. Names.quoted(code.unit.symbols:of(fn))
  local returned, operands, signature = of_signature(code, call, fn, call.args)
  return returned, symbol, operands, signature
end

-- The result of a call, and the type of a function with that result and these operands.
local function signature_of(code, call, operands)
  local result, params = callees.wanted(code, call), {}
  local returned = types.returned(result and code:type(call.id, result), types.PASSING[result])
  if call.op == "tail_call_indirect" and code.fn:results()[2] then
    returned = code.unit.symbols:returned(code.fn)
  end
  for i, arg in ipairs(operands) do params[i] = passed_type(code, call, arg) end
  return returned, ("%s (%s)"):format(returned, table.concat(params, ", "))
end

-- A function that is known by its name only: its signature is that of its calls.
local function of_name(code, call, name)
  local is_tail = call.op == "tail_call"
  if call.further and call.further[1] or is_tail and code.fn:results()[2] then
    code:refuse(call.id, "several results of '%s' lie elsewhere: go through C", name)
  end
  local returned, signature = signature_of(code, call, call.args)
  local other = code.unit.symbols:call(name, signature)
  if other then
    code:refuse(call.id, "'%s' is also used as %s: one function has one signature", name, other)
  end
  return returned, "@" .. Names.quoted(name), passed(code, call, call.args), signature
end

-- The same for the function at an address, whose parameters take so many operands, if further ones
-- follow.
local function as_shown(code, call, args, named)
  local fixed = table.move(args, 1, named or #args, 1, {})
  local operands, returned, signature = passed(code, call, fixed), signature_of(code, call, fixed)
  if named then
    for i = named + 1, #args do operands[i] = promoted(code, call, args[i]) end
    signature = signature:gsub("%)$", named > 0 and ", ...)" or "...)")
    returned = types.plain(signature)
  end
  return returned, operands, signature
end

-- The function at an address, the first operand.
local function of_address(code, call)
  local args = table.move(call.args, 2, #call.args, 1, {})
  local fn, named = callees.at_address(code, call)
  local function parts()
    if fn then return of_signature(code, call, fn, args) end
    if call.further and call.further[1] then
      code:refuse(call.id, "several results need the option 'as'")
    end
    return as_shown(code, call, args, named)
  end
  local callee, returned, operands, signature = text_of(code, call, call.args[1]), parts()
  if code.unit.symbols.is_typed then
    callee = let(code, call, "bitcast i8* %s to %s*", callee, types.plain(signature))
  end
  return returned, callee, operands, signature
end

local function of_symbol(code, call)
  local it = callees.found(code.fn, code:handle(call.id):data())
  local is_function = callees.is_function(code, call.id, it,
    "its callee is a Lua %s: only functions of phial and names can be called")
  local parts = is_function and of_function or of_name
  return parts(code, call, it)
end

-- The row of calls whose parts a function gives.
local function calling(parts)
  return {
    pattern = function(code, v)
      local it = callees.record(code.fn, v)
      it.is_pattern = true
      local pattern = text(parts(code, it))
      local is_whole = not it.lets and not (it.type and several(pattern:sub(6)))
      return is_whole and pattern or nil
    end,
    write = function(code, v)
      local it = callees.record(code.fn, v)
      it.further = code:projections(v)
      write_call(code, it, parts(code, it))
    end,
  }
end

-- Writes a tail call, which LLVM guarantees if both functions have one type.
local function write_tail(code, v, returned, callee, operands, signature)
  local own, result = code.unit.symbols:signature(code.fn), code.result
  if signature:find("...", 1, true) then
    code:refuse(v, "LLVM guarantees no tail calls of variadic functions")
  end
  if signature ~= own then
    code:refuse(v, "LLVM guarantees tail calls between functions of one type: the callee is %s, "
      .. "not %s", signature, own)
  end
  local tail = "musttail " .. text(returned, callee, operands)
  if not result then
    code.w:line(tail)
    return code.w:line "ret void"
  end
  local type = several(own) or code:type(v, result)
  if code.fn:results()[3] then code:refuse(v, "LLVM guarantees no tail calls of many results") end
  code.w:line(("ret %s %s"):format(type, code:let("%s", tail)))
end

-- The row of tail calls whose parts a function gives.
local function ending(parts)
  return function(code, v) write_tail(code, v, parts(code, callees.record(code.fn, v))) end
end

-- }== Terminators =====================================================

local function switch(code, v)
  local args, cases = code:args(v), {}
  local type = code:type(v, code:type_of(args[1]))
  for i, arg in ipairs(args) do
    cases[i] = (" %s %s, label %%%s"):format(type, code:text(arg), code.w:jump(i))
  end
  code:line("switch%s [%s ]", table.remove(cases, 1), table.concat(cases))
end

--- How what refers to symbols or ends a block is written.
M.rows = {
  call = calling(of_symbol), call_indirect = calling(of_address),
  tail_call = ending(of_symbol), tail_call_indirect = ending(of_address), switch = switch,
  phi = "phi $T", jump = "do br label %$>1", branch = "do br i1 $a, label %$>1, label %$>2",
  ret = "[a=none] do ret void\n[!a=none] do ret $T.a $a",
  unreachable = "trap: reached\n[!traps] do unreachable",
}

-- Returns several results in a struct.
local function ret_several(code, v)
  local struct, made = code.unit.symbols:returned(code.fn), "undef"
  for i, arg in ipairs(code:args(v)) do
    made = code:let("insertvalue %s %s, %s %s, %d", struct, made,
      code:type(v, code:type_of(arg)), code.w:text(arg), i - 1)
  end
  code.w:line(("ret %s %s"):format(struct, made))
end

--- The same in functions with several results.
M.rows_of_several = { ret = ret_several }
for op, row in pairs(M.rows) do M.rows_of_several[op] = M.rows_of_several[op] or row end

-- }====================================================================

return M
