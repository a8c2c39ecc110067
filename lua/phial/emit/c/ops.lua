-- How each op is written in C. Operands in an expression are names, constants, calls or in
-- parentheses. Arithmetic is unsigned, so that it wraps around; C computes with narrow types as
-- int, so that results are converted back. An expression has the type of its value, or is narrower
-- than int, because it can be part of another one.
local types = require "phial.emit.c.types"

local M = {}

---@class phial.emit.c.Row how an op is written
---@field expr? fun(code, v, a, b, c): string, boolean? an expression of operands; true: it needs
--- no parentheses as an operand
---@field stmt? fun(code, v) statements; without an expression
---@field check? fun(code, v, a, b, c) statements that precede the expression, at their place
---@field prepare? fun(program, v) called when the instruction was read
---@field effect? "read"|"write" on memory; write: or anything else
---@field atoms? boolean|fun(code, v): boolean operands are names and constants: they are written
--- several times, or not at all
---@field lazy? boolean an operand may not be evaluated
---@field bare? boolean operands need no parentheses

-- Rows by op: for all types, and for i1 operands where they differ.
local general, boolean = {}, {}

local function expression(name, write)
  general[name] = { expr = write }
  return general[name]
end

-- An operator of C.
local function direct(name, sign)
  expression(name, function(_, _, a, b) return a .. sign .. b end)
end

-- The types that are narrower than int.
local CONVERT <const> = { i1 = "(bool)(", i8 = "(uint8_t)(", i16 = "(uint16_t)(" }

-- Converts an expression with operators back to its type.
local function narrowed(type, text)
  local convert = CONVERT[type]
  if convert then return convert .. text .. ")", true end
  return text
end

--
-- {== Integers ========================================================
--

for name, sign in pairs { band = " & ", bor = " | ", bxor = " ^ " } do
  expression(name, function(_, v, a, b) return narrowed(v.type, a .. sign .. b) end)
end

-- Compilers warn where a complement of an int is compared.
expression("bnot", function(_, v, a)
  local width = types.width(v.type)
  return width < 32 and ("%d - %s"):format((1 << width) - 1, a) or "~" .. a
end)
expression("neg", function(_, v, a) return narrowed(v.type, "-" .. a) end)

-- The sum with a negative constant is a difference.
local function adding(name, sign, inverse)
  expression(name, function(_, v, a, b)
    local known = v.args[2].known
    if known and known < 0 and known > -0x80000000 then
      return narrowed(v.type, a .. inverse .. -known)
    end
    return narrowed(v.type, a .. sign .. b)
  end)
end

adding("add", " + ", " - ")
adding("sub", " - ", " + ")

-- As int, the product of two uint16_t can overflow.
expression("mul", function(_, v, a, b)
  if v.type == "i16" then a = ("(uint32_t)%s"):format(a) end
  return narrowed(v.type, a .. " * " .. b)
end)

-- A shift amount modulo the width.
local function amount(v, b, sign)
  local last, known = types.width(v.type) - 1, v.args[2].known
  if known then return (sign == "-" and -known or known) & last end
  return "(" .. (sign or "") .. b .. " & " .. last .. ")"
end

local function shifting(name, sign)
  expression(name, function(_, v, a, b)
    return narrowed(v.type, a .. sign .. amount(v, b))
  end)
end

-- A constant is an int, which may be too narrow.
M.shifts = { shl = true, shr = true, rotl = true, rotr = true }

shifting("shl", " << ")
shifting("shr", " >> ")

expression("sar", function(code, v, _, b)
  local a = code:signed(v.args[1])
  if v.args[1].known then a = ("(%s)%s"):format(types.signed(v.type), a) end
  return ("(%s)(%s >> %s)"):format(types.name(v.type), a, amount(v, b)), true
end)

-- Compilers recognise these as rotations.
local function rotating(name, one, other)
  expression(name, function(_, v, a, b)
    return narrowed(v.type, ("(%s %s %s) | (%s %s %s)"):format(a, one, amount(v, b), a,
      other, amount(v, b, "-")))
  end).atoms = true
end

rotating("rotl", "<<", ">>")
rotating("rotr", ">>", "<<")

-- A call of something named.
local function call(name, write)
  general[name] = { bare = true, expr = function(...) return write(...), true end }
end

-- Calls a helper of the type.
local function calling(name)
  local prefix = ("phial_%s_"):format(name)
  call(name, function(code, v, a, b)
    return code:need(prefix .. v.type) .. "(" .. a .. (b and ", " .. b or "") .. ")"
  end)
end

for _, name in ipairs {
  "bswap", "clz", "ctz", "popcnt", "smin", "smax", "umin", "umax", "umulh", "smulh",
} do calling(name) end

-- }== Comparing =======================================================

-- True for a constant that is the least or the greatest one.
local function is_extreme(v, is_signed)
  local known = v.known
  if not known then return false end
  local last = is_signed and ~(-1 << types.width(v.type) - 1) or -1
  return known == last or known == ~last
end

-- True if compilers may see what a comparison gives, and warn of it.
local function is_decidable(x, y, a, b, is_signed, orders)
  return x.inline or y.inline or a == b
    or orders and (is_extreme(x, is_signed) or is_extreme(y, is_signed))
end

local function comparing(name, sign, is_signed, orders)
  expression(name, function(code, v, a, b)
    local x, y = v.args[1], v.args[2]
    if is_decidable(x, y, a, b, is_signed, orders) then code:need "comparisons" end
    if is_signed then return code:signed(x) .. sign .. code:signed(y) end
    if orders and x.type == "ptr" then a, b = "(uintptr_t)" .. a, "(uintptr_t)" .. b end
    return a .. sign .. b
  end)
end

for name, sign in pairs { eq = " == ", ne = " != " } do
  comparing(name, sign)
  direct("f" .. name, sign)
end
for name, sign in pairs { lt = " < ", le = " <= ", gt = " > ", ge = " >= " } do
  comparing("s" .. name, sign, true, true)
  comparing("u" .. name, sign, false, true)
  direct("f" .. name, sign)
end

-- }== Division ========================================================

-- Traps on a zero divisor, unless it is a nonzero constant.
local function check_divisor(code, v, _, b)
  local known = v.args[2].known
  if not known then
    code:trap(v, ("%s == 0"):format(b), "division by zero")
  elseif known == 0 then
    code:trap(v, nil, "division by zero")
    code:ignore(v.args[1])
  end
end

local function least(type)
  return types.unsigned(type, -1 << types.width(type) - 1)
end

local function check_quotient(code, v, a, b)
  check_divisor(code, v, a, b)
  local known = v.args[2].known
  if known and known ~= -1 or v.args[1] == v.args[2] then return end
  local tests = {}
  if not known then tests[1] = ("%s == %s"):format(b, types.unsigned(v.type, -1)) end
  tests[#tests + 1] = ("%s == %s"):format(a, least(v.type))
  code:trap(v, table.concat(tests, " && "), "the quotient does not fit " .. v.type)
end

-- In C the remainder is not defined where the quotient is not.
local function check_remainder(code, v, a, b)
  check_divisor(code, v, a, b)
  if v.args[2].known == -1 then code:ignore(v.args[1]) end
end

local function zero(v) return ("(%s)0"):format(types.name(v.type)) end

-- The expression of a division whose divisor is not 0.
local quotient = {}

function quotient.udiv(_, _, a, b) return ("%s / %s"):format(a, b) end
function quotient.urem(_, _, a, b) return ("%s %% %s"):format(a, b) end

function quotient.sdiv(code, v)
  return ("(%s)(%s / %s)"):format(types.name(v.type), code:signed(v.args[1]),
    code:signed(v.args[2])), true
end

function quotient.srem(code, v, _, b)
  local known = v.args[2].known
  if known == -1 then return zero(v), true end
  local text = ("(%s)(%s %% %s)"):format(types.name(v.type), code:signed(v.args[1]),
    code:signed(v.args[2]))
  if known or types.width(v.type) < 32 then return text, true end
  return ("%s == %s ? 0 : %s"):format(b, types.unsigned(v.type, -1), text)
end

local CHECKS = { sdiv = check_quotient, srem = check_remainder }

for name, write in pairs(quotient) do
  general[name] = {
    check = CHECKS[name] or check_divisor,
    expr = function(code, v, a, b)
      if v.args[2].known == 0 then return zero(v), true end
      return write(code, v, a, b)
    end,
    atoms = function(code, v)
      local known = v.args[2].known
      if known then return known == 0 or known == -1 end
      return name == "srem" or code.unit.opts.traps ~= "undefined"
    end,
  }
end

-- }== One bit, where -1 equals 1 ======================================

local function bit(name, format)
  boolean[name] = { lazy = format:find "[&|]" ~= nil, expr = function(code, v, a, b)
    local x, y = v.args[1], v.args[2]
    if y and (is_decidable(x, y, a, b) or x.known ~= nil or y.known ~= nil) then
      code:need "comparisons"
    end
    return (format:gsub("%a", { a = a, b = b }))
  end }
end

for _, name in ipairs { "add", "sub", "bxor", "ne" } do bit(name, "a != b") end
for _, name in ipairs { "mul", "band", "smax", "umin" } do bit(name, "a && b") end
for _, name in ipairs { "neg", "shl", "shr", "sar", "rotl", "rotr", "popcnt" } do
  boolean[name] = { atoms = true, stmt = function(code, v)
    if v.args[2] then code:ignore(v.args[2]) end
    code:set(v, (code:operands(v)))
  end }
end
for _, name in ipairs { "slt", "ugt" } do bit(name, "a && !b") end
for _, name in ipairs { "sgt", "ult" } do bit(name, "!a && b") end
for _, name in ipairs { "sle", "uge" } do bit(name, "a || !b") end
for _, name in ipairs { "sge", "ule" } do bit(name, "!a || b") end
bit("eq", "a == b")
for _, name in ipairs { "bor", "smin", "umax" } do bit(name, "a || b") end
for _, name in ipairs { "bnot", "clz", "ctz" } do bit(name, "!a") end
for _, name in ipairs { "umulh", "smulh" } do
  boolean[name] = { atoms = true, stmt = function(code, v)
    code:ignore(v.args[1])
    code:ignore(v.args[2])
    code:set(v, "false")
  end }
end

local function bit_divides(name, result, overflows)
  boolean[name] = { atoms = true, effect = "write", stmt = function(code, v)
    local a, b = code:operands(v)
    code:ignore(v.args[1])
    code:ignore(v.args[2])
    code:trap(v, "!" .. b, "division by zero")
    if overflows then code:trap(v, a, "the quotient does not fit i1") end
    code:set(v, result or a)
  end }
end

bit_divides("sdiv", "false", true)
bit_divides("udiv")
bit_divides("srem", "false")
bit_divides("urem", "false")

-- }== Floats ==========================================================

for name, sign in pairs { fadd = " + ", fsub = " - ", fmul = " * ", fdiv = " / " } do
  expression(name, function(code, _, a, b)
    code:need "floats"
    return a .. sign .. b
  end)
end

expression("fneg", function(_, _, a) return (a:find "^-" and "-(%s)" or "-%s"):format(a) end)
for _, name in ipairs { "fabs", "fsqrt", "copysign" } do calling(name) end

-- }== Conversions =====================================================

-- A conversion is closed: it binds more tightly than operators with two operands.
local function converted(v, a) return "(" .. types.name(v.type) .. ")" .. a, true end

expression("trunc", function(_, v, a)
  if v.type == "i1" then return "(" .. a .. " & 1) != 0" end
  return converted(v, a)
end)

-- An assignment converts by itself.
expression("zext", function(_, v, a)
  if v.inline then return converted(v, a) end
  return a
end)
-- (A refine has no other operand in code.)
for _, name in ipairs { "copy", "refine" } do
  expression(name, function(_, _, a) return a, true end)
end
general.may = { stmt = function(code, v)
  code:refuse(v, "it is not known whether the write that op 'may' stands for has happened")
end }
-- (tcc makes a wrong uint16_t of an int8_t.)
expression("sext", function(code, v)
  local a = code:signed(v.args[1])
  if v.type == "i16" then return a .. " & 65535" end
  return converted(v, a)
end)
-- (gcc wrongly warns of a quotient of "a ? -1 : 0".)
boolean.sext = { expr = function(_, v, a)
  return narrowed(v.type, ("-(%s)%s"):format(types.name(v.type), a))
end }

expression("itof", function(code, v) return converted(v, code:signed(v.args[1])) end)
expression("utof", function(_, v, a) return converted(v, a) end)
for _, name in ipairs { "fpromote", "fdemote" } do general[name] = general.utof end
boolean.itof = { expr = function(_, v, a)
  return ("%s ? (%s)-1 : 0"):format(a, types.name(v.type))
end }

-- 2^exponent as a double.
local function power(exponent)
  return exponent < 32 and ("%d.0"):format(1 << exponent) or ("0x1p%d"):format(exponent)
end

-- Traps unless a float is between two numbers, of which the lower one is included or
-- not, and the upper one is not.
local function check_range(code, v, a, above, below)
  if code.unit.opts.traps == "undefined" then return end
  local x = v.args[1].type == "f32" and "(double)" .. a or a
  code:line("if (!(%s %s && %s < %s)) {", x, above, x, below)
  code:enter()
  code:trap(v, ("%s != %s"):format(a, a), "nan is no integer")
  code:trap(v, nil, "it does not fit " .. v.type)
  code:leave()
  code:line "}"
end

-- Rounds toward zero.
general.ftoi = { atoms = true,
  check = function(code, v, a)
    local width = types.width(v.type)
    local above = width == 64 and ">= -0x1p63" or ("> -%d.0"):format((1 << width - 1) + 1)
    check_range(code, v, a, above, power(width - 1))
  end,
  expr = function(_, v, a)
    if v.type == "i1" then return ("%s <= -1"):format(a) end
    return converted(v, "(" .. types.signed(v.type) .. ")" .. a)
  end,
}

general.ftou = { atoms = true,
  check = function(code, v, a)
    check_range(code, v, a, "> -1.0", power(types.width(v.type)))
  end,
  expr = function(_, v, a)
    if v.type == "i1" then return ("%s >= 1"):format(a) end
    return converted(v, a)
  end,
}

-- The bits of one type as another, by the names of both; integers are addresses and floats
-- are bits by helpers.
local CASTS = {
  i64ptr = "(char *)(uintptr_t)%s", f64ptr = "(char *)(uintptr_t)phial_bits64(%s)",
  ptri64 = "(uint64_t)(uintptr_t)%s", ptrf64 = "phial_f64((uintptr_t)%s)",
  i32f32 = "phial_f32(%s)", f32i32 = "phial_bits32(%s)",
  i64f64 = "phial_f64(%s)", f64i64 = "phial_bits64(%s)",
}

expression("bitcast", function(code, v, a)
  local format = CASTS[v.args[1].type .. v.type] or "%s"
  local helper = format:match "phial_%w+"
  if helper then code:need(helper) end
  return format:format(a), true
end)

-- }== Memory ==========================================================

for _, kind in ipairs { "", "_unaligned", "_volatile" } do
  local to_load, to_store = ("phial_load%s_"):format(kind), ("phial_store%s_"):format(kind)
  call("load" .. kind, function(code, v, a)
    return code:need(to_load .. v.type) .. "(" .. a .. ")"
  end)
  general["load" .. kind].effect = kind == "_volatile" and "write" or "read"
  general["store" .. kind] = { effect = "write", bare = true, stmt = function(code, v)
    local to, value = code:operands(v)
    code:put(code:need(to_store .. v.args[2].type) .. "(" .. to .. ", " .. value .. ");")
  end }
end

-- The bytes are those of an array of the function, of which the value is the name, unless it is in
-- a variable with others.
local function prepare_alloca(_, v)
  v.is_array = v.variable and not v.variable.changes
end

general.alloca = { prepare = prepare_alloca, stmt = function(code, v)
  local size, align = v.args[1].known, v.args[2].known
  local name = v.is_array and v.name or code.scope:take(v.name .. "_bytes")
  table.insert(code.program.arrays, ("_Alignas(%d) char %s[%d]"):format(align, name,
    math.max(size, 1)))
  if not v.is_array then code:set(v, name) end
end }

call("ptradd", function(code, v, a, b)
  local known = v.args[2].known
  if known and known < 0 then b = types.signed_constant(known) end
  return code:need "phial_ptradd" .. "(" .. a .. ", " .. b .. ")"
end)

--- Notes that an instruction refers to a symbol.
---@param program phial.code.Program
---@param v phial.code.Value
function M.refers(program, v) table.insert(program.symbolic, v) end

expression("address", function(code, v)
  return v.address or code:refuse(v, "it is not known what has this address"), true
end).prepare = function(program, v)
  v.is_address = v.variable and not v.variable.changes
  v.inline = v.is_address
  M.refers(program, v)
end

-- The operands of memcpy may be equal.
for name, c_name in pairs { memcpy = "memmove", memmove = "memmove", memset = "memset" } do
  general[name] = { effect = "write", stmt = function(code, v)
    code:need "string"
    local to, from, n = table.unpack(v.args)
    code:line("%s(%s, %s, (size_t)%s);", c_name, code:bare(to), code:bare(from), code:text(n))
  end }
end

-- }== Further arguments ===============================================

local function list_at(code, arg)
  return ("%s(%s)"):format(code:need "phial_list", code:bare(arg))
end

-- rest: of a call, behind the first argument.
local function on_list(name, rest)
  general[name] = { effect = "write", stmt = function(code, v)
    local list = list_at(code, v.args[1])
    code:line("%s(%s%s);", name, list, rest and ", " .. rest(code, v) or "")
  end }
end

on_list "va_end"
on_list("va_start", function(code) return code.program.params[#code.program.params].given end)
on_list("va_copy", function(code, v) return list_at(code, v.args[2]) end)

-- What an argument becomes that no parameter takes.
local PROMOTED = { i1 = "int", i8 = "int", i16 = "int", f32 = "double" }

general.va_arg = { effect = "write", expr = function(code, v)
  local type = PROMOTED[v.type]
  local text = ("va_arg(%s, %s)"):format(list_at(code, v.args[1]), type or types.name(v.type))
  return type and ("(%s)%s"):format(types.name(v.type), text) or text, true
end }

-- }== Others ==========================================================

general.select = { lazy = true, expr = function(_, v, c, a, b)
  if v.inline and not v.args[2].block and not v.args[3].block and types.width(v.type) then
    a = ("(%s)%s"):format(types.name(v.type), a)
  end
  return ("%s ? %s : %s"):format(c, a, b)
end }

--- How ops other than calls and terminators are written.
---@type table<string, phial.emit.c.Row>
M.rows = general

--- How those are written whose first operand is an i1, where that differs.
---@type table<string, phial.emit.c.Row>
M.rows_of_bits = boolean

-- }====================================================================

return M
