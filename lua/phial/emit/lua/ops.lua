-- The ops of phial in Lua. An op with `expr` is an expression, which can be part of
-- another one; with `atoms` its operands appear more than once in it, so they must
-- be names or constants. An op with `stmt` is a statement: it traps, or `and`/`or`
-- cannot express it.
local calls = require "phial.emit.lua.calls"
local numbers = require "phial.emit.lua.numbers"
local types = require "phial.code.types"

local M = {}

local width, mask, wrap = numbers.width, numbers.mask, numbers.wrap

---@class phial.emit.lua.Row
---@field atoms boolean? operands must be names or constants
---@field loose boolean? operands may have wrong bits beyond the type
---@field raw? fun(code, v, a: string, b: string): string its result may have such bits
---@field expr? fun(code, v, a: string, b: string, c: string): string
---@field stmt? fun(code, v, a: string, b: string, c: string)
---@field run? fun(code, v) a statement with any number of operands

-- Rows by op: for all types, and for i1 operands where they differ.
local general, boolean = {}, {}

local function expression(name, expr, atoms)
  general[name] = { expr = expr, atoms = atoms }
end

-- An op that is an operator in Lua.
local function direct(name, format)
  expression(name, function(_, _, a, b) return format:format(a, b) end)
end

--
-- {== Integers ========================================================
--

-- Ops whose result bits do not depend on operand bits beyond the type: as operands
-- of one another they need not wrap. `raw` is the text that does not.
local function wrapping(name, format)
  local function raw(_, _, a, b) return format:format(a, b) end
  general[name] = { loose = true, raw = raw, expr = function(_, v, a, b)
    return v.type == "i64" and raw(_, v, a, b) or wrap(v.type, raw(_, v, a, b))
  end }
end

wrapping("add", "%s + %s")
wrapping("sub", "%s - %s")
wrapping("mul", "%s * %s")
wrapping("neg", "-%s")

-- Adds a constant together with the one that wrapping adds.
local function adding(name, sign)
  local row = general[name]
  local plain = row.expr
  function row.expr(code, v, a, b)
    local known = v.args[2].value
    if v.type == "i64" or not known then return plain(code, v, a, b) end
    return wrap(v.type, a, sign * known)
  end
end

adding("add", 1)
adding("sub", -1)

-- Results are sign-extended if the operands are.
direct("band", "%s & %s")
direct("bor", "%s | %s")
direct("bxor", "%s ~ %s")
direct("bnot", "~%s")

-- A shift amount modulo the width, as an operand, and as a number if known.
local function amount(v, b)
  local last, known = width(v.type) - 1, v.args[2].value
  if known then return ("%d"):format(known & last), known & last end
  return ("(%s & %d)"):format(b, last)
end

expression("shl", function(_, v, a, b)
  local text = ("%s << %s"):format(a, (amount(v, b)))
  return v.type == "i64" and text or wrap(v.type, "(" .. text .. ")")
end)

expression("shr", function(_, v, a, b)
  local by, known = amount(v, b)
  if v.type == "i64" then return ("%s >> %s"):format(a, by) end
  local text = ("(%s & %s) >> %s"):format(a, mask(v.type), by)
  if known and known > 0 then return text end
  return wrap(v.type, "(" .. text .. ")")
end)

expression("sar", function(_, v, a, b)
  local by, known = amount(v, b)
  if v.type ~= "i64" then return wrap(v.type, ("(%s >> %s)"):format(a, by)) end
  if known == 0 then return a end
  if known and known < 63 then return ("%s // %d"):format(a, 1 << known) end
  return ("%s >= 0 and %s >> %s or ~(~%s >> %s)"):format(a, a, by, a, by)
end, true)

-- Bits that leave at one end come in at the other.
local function rotates(name, format)
  expression(name, function(_, v, a, b)
    local by, known = amount(v, b)
    local rest = known and width(v.type) - known or ("%d - %s"):format(width(v.type), by)
    local low = v.type == "i64" and a or ("(%s & %s)"):format(a, mask(v.type))
    local text = format:gsub("%a+", { a = a, low = low, by = by, rest = rest })
    return v.type == "i64" and text or wrap(v.type, "(" .. text .. ")")
  end, true)
end

rotates("rotl", "a << by | low >> rest")
rotates("rotr", "low >> by | a << rest")

-- The bits that an operand has at its width, as a number without sign.
local function low_bits(v, text)
  return v.type == "i64" and text or ("%s & %s"):format(text, mask(v.type))
end

expression("bswap", function(code, v, a)
  local text = ("%s(%s)"):format(code:need "bswap", a)
  return v.type == "i64" and text or wrap(v.type, ("(%s >> %d)"):format(text, 64 - width(v.type)))
end)

-- Counted in 64 bits. No count needs more bits than the narrowest type has.
expression("popcnt", function(code, v, a)
  return ("%s(%s)"):format(code:need "popcnt", low_bits(v, a))
end)

expression("clz", function(code, v, a)
  return ("%s(%s) - %d"):format(code:need "clz", low_bits(v, a), 64 - width(v.type))
end)

expression("ctz", function(code, v, a)
  local stop = v.type == "i64" and "" or (" | %d"):format(1 << width(v.type))
  return ("%s(%s%s)"):format(code:need "ctz", a, stop)
end)

-- The high half of a product, which fits 64 bits unless it is that of i64.
local function multiplies_high(name)
  expression(name, function(code, v, a, b)
    if v.type == "i64" then return ("%s(%s, %s)"):format(code:need(name), a, b) end
    if name == "umulh" then a, b = "(" .. low_bits(v, a) .. ")", "(" .. low_bits(v, b) .. ")" end
    return wrap(v.type, ("(%s * %s >> %d)"):format(a, b, width(v.type)))
  end)
end

multiplies_high "umulh"
multiplies_high "smulh"

-- }== Comparing =======================================================

-- An operand of an unsigned comparison: zero-extended, or of 64 bits with the
-- highest bit flipped.
local function unsigned(arg, text)
  if width(arg.type) ~= 64 and arg.type ~= "ptr" then
    return arg.value and arg.value >= 0 and text or ("%s & %s"):format(text, mask(arg.type))
  end
  if arg.value then return numbers.literal(arg.value ~ math.mininteger) end
  return text .. " ~ 0x8000000000000000"
end

local function unsigned_comparison(v, sign, a, b)
  return ("%s %s %s"):format(unsigned(v.args[1], a), sign, unsigned(v.args[2], b))
end

local function compare_unsigned(name, sign)
  expression(name, function(_, v, a, b) return unsigned_comparison(v, sign, a, b) end)
end

for name, sign in pairs { min = "<", max = ">" } do
  expression("s" .. name, function(_, _, a, b)
    return ("%s %s %s and %s or %s"):format(a, sign, b, a, b)
  end, true)
  expression("u" .. name, function(_, v, a, b)
    return ("%s and %s or %s"):format(unsigned_comparison(v, sign, a, b), a, b)
  end, true)
end

for name, sign in pairs { eq = "==", ne = "~=" } do
  direct(name, "%s " .. sign .. " %s")
  direct("f" .. name, "%s " .. sign .. " %s")
end
for name, sign in pairs { lt = "<", le = "<=", gt = ">", ge = ">=" } do
  direct("s" .. name, "%s " .. sign .. " %s")
  direct("f" .. name, "%s " .. sign .. " %s")
  compare_unsigned("u" .. name, sign)
end

-- }== Division ========================================================

-- Traps on a zero divisor, unless it is a nonzero constant.
local function check_divisor(code, v, b)
  local known = v.args[2].value
  if known == nil then
    code:trap(v, b .. " == 0", "division by zero")
  elseif known == 0 then
    code:trap(v, "true", "division by zero")
  end
end

local function check_quotient(code, v, a, b)
  local known = v.args[2].value
  if known and known ~= -1 then return end
  local test = ("%s == %s"):format(a, numbers.least(v.type))
  if not known then test = ("%s == -1 and %s"):format(b, test) end
  code:trap(v, test, "the quotient does not fit " .. v.type)
end

local function divides(name, stmt)
  general[name] = { stmt = stmt, atoms = true }
end

-- Lua rounds down, so quotients and remainders are corrected. Its remainder has
-- the divisor's sign, which simplifies the test if that is known.
divides("sdiv", function(code, v, a, b)
  check_divisor(code, v, b)
  check_quotient(code, v, a, b)
  local q = code:set(v, ("%s // %s"):format(a, b))
  code:line("if %s < 0 and %s * %s ~= %s then %s = %s + 1 end", q, q, b, a, q, q)
end)

divides("srem", function(code, v, a, b)
  check_divisor(code, v, b)
  local r, known = code:set(v, ("%s %% %s"):format(a, b)), v.args[2].value
  local test = known and known > 0 and "%s < 0 and %s ~= 0" or "%s ~ %s < 0 and %s ~= 0"
  code:line("if %s then %s = %s - %s end", test:format(a, r, r), r, r, b)
end)

local function divides_unsigned(name, operator, helper)
  divides(name, function(code, v, a, b)
    check_divisor(code, v, b)
    if v.type == "i64" then
      code:set(v, ("%s(%s, %s)"):format(code:need(helper), a, b))
    else
      local m = mask(v.type)
      code:set(v, wrap(v.type, ("(%s & %s) %s (%s & %s)"):format(a, m, operator, b, m)))
    end
  end)
end

divides_unsigned("udiv", "//", "udiv")
divides_unsigned("urem", "%", "urem")

-- }== One bit, where -1 equals 1 ======================================

local function bit(name, format)
  boolean[name] = { expr = function(_, _, a, b) return format:format(a, b) end }
end

for _, name in ipairs { "add", "sub", "bxor", "ne" } do bit(name, "%s ~= %s") end
for _, name in ipairs { "mul", "band", "smax", "umin" } do bit(name, "%s and %s") end
for _, name in ipairs { "neg", "shl", "shr", "sar", "rotl", "rotr", "popcnt" } do
  bit(name, "%s")
end
for _, name in ipairs { "slt", "ugt" } do bit(name, "%s and not %s") end
for _, name in ipairs { "sgt", "ult" } do bit(name, "not %s and %s") end
for _, name in ipairs { "sle", "uge" } do bit(name, "%s or not %s") end
for _, name in ipairs { "sge", "ule" } do bit(name, "not %s or %s") end
for _, name in ipairs { "bor", "smin", "umax" } do bit(name, "%s or %s") end
for _, name in ipairs { "bnot", "clz", "ctz" } do bit(name, "not %s") end
for _, name in ipairs { "umulh", "smulh" } do bit(name, "false") end

local function bit_divides(name, result, overflows)
  boolean[name] = { atoms = true, stmt = function(code, v, a, b)
    code:trap(v, "not " .. b, "division by zero")
    if overflows then code:trap(v, a, "the quotient does not fit i1") end
    code:set(v, result:format(a))
  end }
end

bit_divides("sdiv", "false", true)
bit_divides("udiv", "%s")
bit_divides("srem", "false")
bit_divides("urem", "false")

-- }== Floats ==========================================================

-- f32 operations are done in f64 and rounded again: f64 has enough bits that the
-- double rounding is harmless.
local function floating(name, format)
  expression(name, function(code, v, a, b)
    local text = format:format(a, b)
    return v.type == "f32" and ("%s(%s)"):format(code:need "f32", text) or text
  end)
end

floating("fadd", "%s + %s")
floating("fsub", "%s - %s")
floating("fmul", "%s * %s")
floating("fdiv", "%s / %s")
expression("fneg", function(_, _, a) return "-" .. a end)

expression("fsqrt", function(code, v, a)
  local text = ("%s(%s)"):format(code:need "sqrt", a)
  return v.type == "f32" and ("%s(%s)"):format(code:need "f32", text) or text
end)

-- Calls a function of the runtime.
local function calling(name, helper)
  expression(name, function(code, _, a, b)
    return ("%s(%s%s)"):format(code:need(helper), a, b and ", " .. b or "")
  end)
end

calling("fabs", "abs")
calling("copysign", "copysign")

-- }== Conversions =====================================================

expression("trunc", function(_, v, a)
  return v.type == "i1" and a .. " & 1 == 1" or wrap(v.type, a)
end)

expression("zext", function(_, v, a) return a .. " & " .. mask(v.args[1].type) end)
expression("sext", function(_, _, a) return a end)
bit("zext", "%s and 1 or 0")
bit("sext", "%s and -1 or 0")
bit("itof", "%s and -1.0 or 0.0")
bit("utof", "%s and 1.0 or 0.0")

-- True if f32 represents all integers of the type.
local function is_narrow(type) return type == "i8" or type == "i16" end

expression("itof", function(code, v, a)
  local from = v.args[1].type
  if v.type == "f64" or is_narrow(from) then return a .. " + 0.0" end
  if from == "i64" then return ("%s(%s)"):format(code:need "itof32", a) end
  return ("%s(%s + 0.0)"):format(code:need "f32", a)
end)

expression("utof", function(code, v, a)
  local from = v.args[1].type
  if from == "i64" then
    return ("%s(%s)"):format(code:need(v.type == "f64" and "utof" or "utof32"), a)
  end
  local text = ("(%s & %s) + 0.0"):format(a, mask(from))
  if v.type == "f64" or is_narrow(from) then return text end
  return ("%s(%s)"):format(code:need "f32", text)
end)

calling("fdemote", "fdemote")
expression("fpromote", function(_, _, a) return a end)

-- Ops that read the bits of the type only.
for _, name in ipairs {
  "shl", "shr", "rotl", "rotr", "popcnt", "clz", "umulh", "ult", "ule", "ugt", "uge", "trunc",
  "zext", "utof",
} do
  general[name].loose = true
end

-- Traps unless a is between two numbers; relation: whether the lower one is
-- included (>=) or not (>). The upper one is not.
local function check_range(code, v, a, relation, least, most)
  local test = ("not (%s %s %s and %s < %s)"):format(a, relation, numbers.literal(least),
    a, numbers.literal(most))
  code:trap(v, test, ("%s ~= %s and \"nan is no integer\" or \"it does not fit %s\"")
    :format(a, a, v.type), true)
end

-- Rounds toward zero.
general.ftoi = { atoms = true, stmt = function(code, v, a)
  local limit = 2.0 ^ (width(v.type) - 1)
  if v.type == "i64" then
    check_range(code, v, a, ">=", -limit, limit)
  else
    check_range(code, v, a, ">", -limit - 1, limit)
  end
  if v.type == "i1" then
    code:set(v, a .. " <= -1")
  else
    code:set(v, ("%s < 0 and -(-%s // 1) | 0 or %s // 1 | 0"):format(a, a, a))
  end
end }

general.ftou = { atoms = true, stmt = function(code, v, a)
  check_range(code, v, a, ">", -1.0, 2.0 ^ width(v.type))
  if v.type == "i1" then
    code:set(v, a .. " >= 1")
  elseif v.type == "i64" then
    local text = "%s < 1 and 0 or %s < 0x1p63 and %s // 1 | 0 or %s - 0x1p63 | 0x8000000000000000"
    code:set(v, text:format(a, a, a, a))
  else
    code:set(v, wrap(v.type, ("(%s < 1 and 0 or %s // 1 | 0)"):format(a, a)))
  end
end }

local CASTS = {
  i32 = { f32 = "float32" }, f32 = { i32 = "bits32" },
  i64 = { f64 = "float64" }, f64 = { i64 = "bits64", ptr = "bits64" }, ptr = { f64 = "float64" },
}

expression("bitcast", function(code, v, a)
  local from = CASTS[v.args[1].type]
  local cast = from and from[v.type]
  return cast and ("%s(%s)"):format(code:need(cast), a) or a
end)

-- }== Addresses =======================================================

direct("ptradd", "%s + %s")

expression("address", function(code, v)
  local data = code:data(v)
  code.memory = true
  local text = numbers.literal(data) or code:host(data)
  return ("%s(%s, %s)"):format(code:need "address", text, numbers.quote(code:where(v)))
end)

-- }== Memory ==========================================================

-- Writes a trap for an access to memory that failed.
local function check_access(code, v, test, p, type, writes)
  code:line("if %s then %s(%s, %s, %d, %s) end", test, code:need "fault",
    numbers.quote(("%s: %s of %s at "):format(code:where(v), v.op, type)), p,
    types.size(type), writes)
end

-- The function that each access calls; nothing in Lua changes memory by itself.
local ACCESSES = {
  load = "load_", load_volatile = "load_", load_unaligned = "load_unaligned_",
  store = "store_", store_volatile = "store_", store_unaligned = "store_unaligned_",
}

-- A load that is not used may be dropped, so it does not trap.
local load = { atoms = true, stmt = function(code, v, p)
  code.memory = true
  local place = code:set(v, ("%s(%s)"):format(code:need(ACCESSES[v.op] .. v.type), p))
  check_access(code, v, place .. " == nil", p, v.type, "false")
end }

local store = { atoms = true, stmt = function(code, v, p, x)
  code.memory = true
  local type = v.args[2].type
  local test = ("not %s(%s, %s)"):format(code:need(ACCESSES[v.op] .. type), p, x)
  check_access(code, v, test, p, type, "true")
end }

for op in pairs(ACCESSES) do general[op] = op:find "^load" and load or store end

general.alloca = { stmt = function(code, v, size, align)
  code.memory = true
  local place = code:set(v, ("%s(%s, %s)"):format(code:need "alloca", size, align))
  code:trap(v, "not " .. place, "stack overflow: there is no memory for it")
end }

-- An op on several bytes, which returns what is wrong.
local function on_bytes(name, helper)
  general[name] = { stmt = function(code, v, a, b, c)
    code.memory = true
    code:call(("%s(%s, %s(%s, %s, %s))"):format(code:need "done", numbers.quote(code:where(v)),
      code:need(helper), a, b, c))
  end }
end

on_bytes("memcpy", "copy")
on_bytes("memmove", "move")
on_bytes("memset", "fill")

-- A va_list has the address of the next argument, and that behind the last one: phial.run.runtime.

local function on_list(name, format)
  general[name] = { atoms = true, stmt = function(code, v, p)
    code.memory = true
    code:call(("%s(%s, %s)"):format(code:need(name), numbers.quote(code:where(v)),
      format:format(p, code.in_frame and "F.va" or "va")))
  end }
end

on_list("va_start", "%s, %s")
on_list("va_end", "%s")

general.va_copy = { stmt = function(code, v, a, b)
  code.memory = true
  code:call(("%s(%s, %s(%s, %s, 16))"):format(code:need "done", numbers.quote(code:where(v)),
    code:need "move", a, b))
end }

-- Integers and addresses have 64 bits each, floats those of an f64.
general.va_arg = { stmt = function(code, v, p)
  code.memory = true
  local kind = types.is_float(v.type) and "f64" or v.type
  local text = ("%s(%s, %s, %s)"):format(code:need "va_arg", numbers.quote(code:where(v)), p,
    code:need("load_" .. kind))
  if v.type == "f32" then text = ("%s(%s)"):format(code:need "f32", text) end
  if code:place(v) then code:set(v, text) else code:call(text) end
end }

-- }== Others ==========================================================

expression("copy", function(_, _, a) return a end)

-- What is known of a value does not change it: it is the only operand in code.
general.refine = general.copy

general.may = { stmt = function(code, v)
  code:refuse(v, "it is not known whether the write that op 'may' stands for has happened")
end }

-- select, by the type of the result: numbers are true in Lua.
local choose = {
  number = { expr = function(_, _, c, a, b)
    return ("%s and %s or %s"):format(c, a, b)
  end },
  i1 = { atoms = true, expr = function(_, _, c, a, b)
    return ("%s and %s or not %s and %s"):format(c, a, c, b)
  end },
  other = { stmt = function(code, v, c, a, b)
    local target = code:declare(v)
    code:line("if %s then %s = %s else %s = %s end", c, target, a, target, b)
  end },
}

-- Values without code of their own, and terminators, which flow.lua writes.
for _, name in ipairs { "proj", "jump", "branch", "ret", "tail_call", "tail_call_indirect",
  "unreachable" } do
  general[name] = {}
end
general.switch = { atoms = true }

local function own_row(v)
  if v.op == "select" then
    if v.type == "i1" then return choose.i1 end
    return choose[numbers.is_number(v.type) and "number" or "other"]
  end
  local is_bit = v.args[1] and v.args[1].type == "i1"
  return is_bit and boolean[v.op] or general[v.op]
end

--- True if this table has code for the value's op on operands of these types.
---@param v phial.code.Value
---@return boolean
function M.has(v) return own_row(v) ~= nil end

--- How a value is computed in Lua.
---@param v phial.code.Value
---@return phial.emit.lua.Row
function M.row(v) return own_row(v) or calls.row(v) end

-- }====================================================================

return M
