-- Calls and terminators.
local boundary = require "phial.emit.c.boundary"
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local names = require "phial.emit.c.names"
local types = require "phial.emit.c.types"

local M = {}

--
-- {== Calls ===========================================================
--

-- What stands for the next operand in the pattern of calls that are alike: as it is; as a whole
-- expression; the same, but compilers warn of constants, and of what depends on some, that change
-- when they get a sign; with its sign; a constant gets its type.
local HOLE <const>, WHOLE <const>, EXTENDED <const>, SIGNED <const>, TYPED <const> =
  "\1", "\2", "\3", "\4", "\5"

-- An argument after those of the parameters: C makes an int of it, with its sign.
local function promoted(type)
  local width = types.width(type)
  return width and width > 1 and width < 32 and SIGNED or TYPED
end

-- The arguments of a call from number `first` on; of: the signature of the callee, if it is known;
-- named: how many parameters take, if not all.
local function arguments(arg_types, first, of, named)
  local texts, passings = {}, of and of.passings or types.PASSING
  named = named or of and #of.types or #arg_types
  for i = first, #arg_types do
    local n = i - first + 1
    local passing = passings[of and n or arg_types[i]]
    texts[n] = n > named and promoted(arg_types[i]) or passing == "signext" and EXTENDED or WHOLE
  end
  return table.concat(texts, ", ")
end

-- The C name of the callee, and it if it is a function of phial, with its signature.
local function callee_of(code, v, op, type, arg_types)
  local it = code:symbol(v)
  local known = callees.is_usable(it) and code.unit.symbols:interface(it)
  if not known or op == "tail_call" or not callees.fits(type, arg_types, known) then
    if not callees.is_function(code, v, it, "its callee is a Lua %s, which C cannot call") then
      if code.w:results(v)[1] then
        code:refuse(v, "several results of '%s' need a declaration", it)
      end
      return code.program.callee[v]
    end
    callees.check(code, callees.record(code.fn, v), it)
  end
  return code.unit.symbols:of(it), it, known
end

-- True if a call takes further results, which its callee must return.
local function takes_more(code, v, fn)
  local list = code:further(v)
  callees.check_further(code, v, list, fn)
  return list[1] ~= nil
end

-- A call that returns the struct of several results, as the first of them; the others are kept.
local function first_of(code, v, text, fn)
  local _, _, _, uses = code.w:about(v)
  if takes_more(code, v, fn) then
    code.kept[v] = code.w:take "r"
    table.insert(code.arrays, code.unit.symbols:several(fn) .. " " .. code.kept[v])
    text = ("(%s = %s)"):format(code.kept[v], text)
  end
  return uses > 0 and text .. ".m1" or text
end

-- Writes the further results of a call.
local function write_further(code, v)
  for _, it in ipairs(code:further(v)) do
    if select(4, code.w:about(it.id)) > 0 then
      code.w:set(it.id, ("%s.m%d"):format(code.kept[v], it.index))
    end
  end
end

-- The value of a call of a symbol, which may have a sign, or be made an int, as a pattern.
local function called(code, v, text, fn, symbol)
  local several = fn and code.unit.symbols:several(fn)
  local _, type, _, uses, _, is_inline = code.w:about(v)
  if code.checks and code:checks_depth(symbol) and not code:again(symbol) then
    local kept = several or type and uses > 0 and types.name(type)
    text = kept and ("%s(%s, %s)"):format(code:need "phial_nested", kept, text)
      or ("%s(%s)"):format(code:need "phial_nested_void", text)
  end
  if several then return first_of(code, v, text, fn) end
  if fn then takes_more(code, v, fn) end
  local width = is_inline and types.width(type)
  local is_int = width and width > 1 and width < 32
  if is_int or is_inline and fn and code.unit.symbols:interface(fn).passing == "signext" then
    text = ("(%s)%s"):format(types.name(type), text)
  end
  return text
end

local function call(code, v)
  local type, _, arg_types = core.instruction(code.fn, v)
  local name, fn, known = callee_of(code, v, "call", type, arg_types)
  local again, args = code:again(fn), arguments(arg_types, 1, known)
  if again then name, args = again, args .. " phial_floor_next" end
  local open = not code.program.is_host[v] and "(" or args == "" and "" or ", "
  return called(code, v, name .. open .. args .. ")", fn, fn or code.checks and code:symbol(v))
end

-- What an operand is the address of, if that is known.
local function what_is_at(code, id)
  local address = code:handle(id)
  local data = address:op() == "address" and address:data()
  return code.program.alike.symbols[data] or data
end

-- The call of the function at an address, which has the type that the call says, or shows; that
-- type, with %s for the name; and the function whose signature it is.
local function at_address(code, v)
  local symbols, it = code.unit.symbols, callees.record(code.fn, v)
  local known, fn, named = what_is_at(code, it.ids[1]), callees.at_address(code, it)
  if not fn and errors.class(known) == "phial.Function" and boundary.is_needed(symbols, known) then
    code:refuse(v, "'%s' passes a struct or va_list by value, which the option 'as' says",
      known:name())
  end
  if named == 0 then code:refuse(v, "C wants a parameter before '...'") end
  if not fn and code.w:results(v)[1] then code:refuse(v, "several results need the option 'as'") end
  local format = fn and symbols:type_of(fn)
    or symbols.type_of_call(symbols:wanted(code.fn, it.op, it.type), it.types, 2, named)
  local args = arguments(it.types, 2, fn and symbols:interface(fn), named)
  symbols.calls_out = true
  local through = code.program.through[v]
  local text = through and ("%s(%s%s%s)"):format(through, HOLE, #args > 0 and ", " or "", args)
    or ("((%s)(uintptr_t)%s)(%s)"):format(format:format "(*)", HOLE, args)
  return text, format, fn
end

local function call_indirect(code, v)
  local text, _, fn = at_address(code, v)
  return called(code, v, text, fn)
end

-- The row of calls that a function makes a pattern of.
local function filled(pattern, others_alike)
  return {
    expr = function(code, v) return code.w:filled(v, pattern(code, v)), true end,
    pattern = others_alike and pattern,
    check = function(code, v) code:check_depth(v, code:symbol(v)) end,
    further = write_further,
  }
end

-- }== Terminators =====================================================

-- A call that ends a function: an expression. C guarantees it between functions of one type.
local function tail(code, v)
  local symbols = code.unit.symbols
  local text, type
  if code.w:about(v) == "tail_call" then
    local _, _, arg_types = core.instruction(code.fn, v)
    local name, _, known = callee_of(code, v, "tail_call", nil, arg_types)
    text = ("%s(%s)"):format(name, arguments(arg_types, 1, known))
    type = symbols:type_of(code:symbol(v), symbols:wanted(code.fn, "tail_call"), arg_types)
  else
    text, type = at_address(code, v)
  end
  if type:find("...", 1, true) then
    code:refuse(v, "C guarantees no tail calls of variadic functions")
  end
  local own = symbols:type_of(code.fn)
  if type ~= own then
    code:refuse(v, "C guarantees tail calls between functions of one type: the callee is %s, "
      .. "not %s", type:format "", own:format "")
  end
  return code.w:filled(v, text)
end

-- A call of the function itself: the parameters get the arguments, all at once.
local function start_anew(code, v)
  local args, params, sources, is_param = code:args(v), code:parameters(), {}, {}
  for _, param in ipairs(params) do is_param[param.name] = true end
  for i, param in ipairs(params) do
    local text = code:bare(args[i])
    local _, type, _, _, _, is_inline = code.w:about(args[i])
    local may_change = is_inline or is_param[text] and text ~= param.name
    sources[i] = may_change and code:temp(type, text) or text
  end
  for i, param in ipairs(params) do
    if sources[i] ~= param.name then
      code:line("%s = %s;", param.name, sources[i])
    else
      param.stays = (param.stays or 0) + 1
    end
  end
  code.w:restart()
end

-- A compiler without musttail guarantees nothing.
local function tail_call(code, v)
  if code:symbol(v) == code.fn and not code.fn:is_variadic() then
    return start_anew(code, v)
  end
  local text = tail(code, v)
  code:need "PHIAL_MUSTTAIL"
  code.w:directive "#ifdef PHIAL_MUSTTAIL"
  code:line("{ PHIAL_MUSTTAIL return %s; }", text) -- clang refuses it after a label
  code.w:directive "#else"
  code.w:directive("#error " .. names.quoted(code:where(v)
    .. ": tail calls need a compiler with musttail, as clang 13 or gcc 15"))
  code.w:directive "#endif"
  code.returns = true
end

-- Returns several results in a struct.
local function ret_several(code, v)
  local args = code:args(v)
  for i, arg in ipairs(args) do args[i] = code:bare(arg) end
  code:line("return (%s){ %s };", code.several, table.concat(args, ", "))
  code.returns = true
end

-- Writes the cases that lead to one target in a row as one.
local function write_cases(code, args, is_bit)
  local w = code.w
  for i = 2, #args do
    local key = is_bit and (code:handle(args[i]):const() and "1" or "0") or code:signed(args[i])
    local to, has_moves = w:target(i)
    local following, has_more = w:target(math.min(i + 1, #args))
    code:line("case %s:", key)
    if i == #args or to ~= following or has_moves or has_more then
      w:indent(1)
      w:go(i)
      w:indent(-1)
    end
  end
end

local function switch(code, v)
  local args = code:args(v)
  local subject = args[1]
  local type = code:type_of(subject)
  local is_bit = type == "i1"
  if #args > 1 then
    code:line("switch ((%s)%s) {", is_bit and "int" or types.signed(type),
      code.w:foldable(subject) and ("%s(%s)"):format(code:need("phial_any_" .. type),
        code:bare(subject)) or code:text(subject))
    write_cases(code, args, is_bit)
    code:line "}"
  elseif not select(8, code.w:about(subject)) then
    code:line("(void)%s;", code:text(subject)) -- compilers would warn
  end
  code.w:go(1, true)
end

local function unreachable(code, v)
  if code.flags.traps then return code.w:trap(v, nil, "reached") end
  code:line("%s();", code:need "PHIAL_UNREACHABLE")
end

--- How what refers to symbols or ends a block is written.
M.rows = {
  call = filled(call, true), call_indirect = filled(call_indirect),
  tail_call = tail_call, tail_call_indirect = tail_call, switch = switch,
  ret = "[a=none] do return;\n[!a=none,!extends] do return $=a;\n[extends] do return $^a;",
  unreachable = unreachable,
}

--- The same in functions with several results.
M.rows_of_several = { ret = ret_several }
for op, row in pairs(M.rows) do M.rows_of_several[op] = M.rows_of_several[op] or row end

-- }====================================================================

return M
