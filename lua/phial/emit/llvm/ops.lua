-- How each op is written. A row writes the instructions that compute a value from the
-- texts of its operands; checks that can trap go first. Calls and terminators are elsewhere.
local types = require "phial.emit.llvm.types"

local width = types.width

---@alias phial.emit.llvm.Row
---| fun(body: phial.emit.llvm.Body, v: phial.code.Value, a: string, b: string, c: string)

---@type table<string, phial.emit.llvm.Row>
local rows = {}

-- The type of the first operand.
local function type_of(v) return v.args[1].type end

-- The value of operand i if it is a constant other than false, else nil.
local function known(v, i)
  local arg = v.args[i]
  if arg.op == "undef" then return 0 end
  return arg.op == "const" and arg.value or nil
end

--
-- {== Integers and comparisons ========================================
--

-- An instruction of LLVM that means the same.
local function direct(instruction)
  return function(body, v, a, b)
    body:set(v, "%s %s %s, %s", instruction, body:type(type_of(v)), a, b)
  end
end

for name, instruction in pairs {
  add = "add", sub = "sub", mul = "mul", band = "and", bor = "or", bxor = "xor",
  fadd = "fadd", fsub = "fsub", fmul = "fmul", fdiv = "fdiv",
} do rows[name] = direct(instruction) end

for _, name in ipairs { "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge" } do
  rows[name] = direct("icmp " .. name)
end

-- Ordered: false if an operand is a nan; fne is unordered.
for name, relation in pairs {
  feq = "oeq", fne = "une", flt = "olt", fle = "ole", fgt = "ogt", fge = "oge",
} do rows[name] = direct("fcmp " .. relation) end

function rows.neg(body, v, a) body:set(v, "sub %s 0, %s", v.type, a) end
function rows.bnot(body, v, a) body:set(v, "xor %s %s, -1", v.type, a) end
function rows.fneg(body, v, a) body:set(v, "fneg %s %s", body:type(v.type), a) end

-- LLVM has no copies.
function rows.copy(body, v, a)
  local type = body:type(v.type)
  body:set(v, "bitcast %s %s to %s", type, a, type)
end

rows.refine = rows.copy

function rows.may(body)
  body:refuse "it is not known whether the write that op 'may' stands for has happened"
end

-- A shift by the width or more is undefined in LLVM.
for name, instruction in pairs { shl = "shl", shr = "lshr", sar = "ashr" } do
  rows[name] = function(body, v, a, b)
    local type, amount = v.type, known(v, 2)
    local last = width(type) - 1
    if last == 0 then return rows.copy(body, v, a) end
    if amount then
      b = ("%d"):format(amount & last)
    else
      b = body:let("and %s %s, %d", type, b, last)
    end
    body:set(v, "%s %s %s, %s", instruction, type, a, b)
  end
end

-- The amount of a funnel shift is taken modulo the width.
for name, direction in pairs { rotl = "l", rotr = "r" } do
  rows[name] = function(body, v, a, b)
    local type = v.type
    if type == "i1" then return rows.copy(body, v, a) end
    local intrinsic = ("@llvm.fsh%s.%s"):format(direction, type)
    body:declare("declare %s %s(%s, %s, %s)", type, intrinsic, type, type, type)
    body:set(v, "call %s %s(%s %s, %s %s, %s %s)", type, intrinsic, type, a, type, a, type, b)
  end
end

-- An intrinsic of the type of the result, which all operands have.
local function intrinsic_of(llvm_name, more)
  return function(body, v, a, b)
    local type = body:type(v.type)
    local params = b and type .. ", " .. type or type
    local args = b and ("%s %s, %s %s"):format(type, a, type, b) or type .. " " .. a
    if more then params, args = params .. ", i1", args .. ", i1 false" end
    local name = ("@llvm.%s.%s"):format(llvm_name, v.type)
    body:declare("declare %s %s(%s)", type, name, params)
    body:set(v, "call %s %s(%s)", type, name, args)
  end
end

for name, llvm_name in pairs {
  bswap = "bswap", popcnt = "ctpop", smin = "smin", smax = "smax", umin = "umin", umax = "umax",
  fabs = "fabs", fsqrt = "sqrt", copysign = "copysign",
} do rows[name] = intrinsic_of(llvm_name) end

-- The last argument: the count of 0 is defined.
rows.clz = intrinsic_of("ctlz", true)
rows.ctz = intrinsic_of("cttz", true)

-- The high half of a product of twice the width.
for name, extend in pairs { umulh = "zext", smulh = "sext" } do
  rows[name] = function(body, v, a, b)
    local bits = width(v.type)
    local wide = "i" .. 2 * bits
    a = body:let("%s %s %s to %s", extend, v.type, a, wide)
    b = body:let("%s %s %s to %s", extend, v.type, b, wide)
    local product = body:let("mul %s %s, %s", wide, a, b)
    local high = body:let("lshr %s %s, %d", wide, product, bits)
    body:set(v, "trunc %s %s to %s", wide, high, v.type)
  end
end

-- }== Division ========================================================

local function check_divisor(body, v, b)
  local divisor = known(v, 2)
  if divisor == nil then
    body:trap(body:let_check("icmp eq %s %s, 0", v.type, b), "division by zero")
  elseif divisor == 0 then
    body:trap("true", "division by zero")
  end
end

local function check_quotient(body, v, a, b)
  local type, dividend, divisor = v.type, known(v, 1), known(v, 2)
  local least = -1 << width(type) - 1
  if divisor and divisor ~= -1 or dividend and dividend ~= least then return end
  local test = body:let_check("icmp eq %s %s, %d", type, a, least)
  if not divisor then
    local is_minus = body:let_check("icmp eq %s %s, -1", type, b)
    test = body:let_check("and i1 %s, %s", test, is_minus)
  end
  body:trap(test, "the quotient does not fit " .. type)
end

local function divides(name, check, divide)
  rows[name] = function(body, v, a, b)
    check_divisor(body, v, b)
    check(body, v, a, b)
    -- by a true i1, which is 1 or -1: the operand or 0
    if v.type == "i1" then return rows.copy(body, v, name == "udiv" and a or "false") end
    divide(body, v, a, b)
  end
end

local function no_check() end

divides("sdiv", function(body, v, a, b)
  if v.type ~= "i1" then return check_quotient(body, v, a, b) end
  body:trap(a, "the quotient does not fit i1")
end, direct "sdiv")

divides("udiv", no_check, direct "udiv")
divides("urem", no_check, direct "urem")

-- The remainder by -1 is 0 as that by 1, but undefined in LLVM for the least integer.
divides("srem", no_check, function(body, v, a, b)
  local type, divisor = v.type, known(v, 2)
  if divisor == -1 then b = "1" end
  if not divisor then
    local is_minus = body:let("icmp eq %s %s, -1", type, b)
    b = body:let("select i1 %s, %s 1, %s %s", is_minus, type, type, b)
  end
  body:set(v, "srem %s %s, %s", type, a, b)
end)

-- }== Conversions =====================================================

for name, instruction in pairs {
  trunc = "trunc", zext = "zext", sext = "sext", itof = "sitofp", utof = "uitofp",
  fpromote = "fpext", fdemote = "fptrunc",
} do
  rows[name] = function(body, v, a)
    body:set(v, "%s %s %s to %s", instruction, body:type(type_of(v)), a, body:type(v.type))
  end
end

-- An address is cast as an i64.
function rows.bitcast(body, v, a)
  local from, to = type_of(v), v.type
  if from == to or from ~= "ptr" and to ~= "ptr" then
    return body:set(v, "bitcast %s %s to %s", body:type(from), a, body:type(to))
  end
  if from == "f64" then a = body:let("bitcast double %s to i64", a) end
  if to == "ptr" then return body:set(v, "inttoptr i64 %s to %s", a, body:type(to)) end
  local cast = ("ptrtoint %s %s to i64"):format(body:type(from), a)
  if to == "i64" then return body:set(v, "%s", cast) end
  body:set(v, "bitcast i64 %s to double", body:let("%s", cast))
end

-- The digits of the mantissa of a float type.
local DIGITS = { f32 = 24, f64 = 53 }

-- Traps unless relation(a, lower) and a < upper, neither of which a nan fulfils.
local function check_range(body, v, a, relation, lower, upper)
  if body.undefined then return end
  local from = type_of(v)
  local type = body:type(from)
  if body.told then
    body:trap(body:let_check("fcmp uno %s %s, %s", type, a, a), "nan is no integer")
  end
  local above = body:let_check("fcmp %s %s %s, %s", relation, type, a, types.constant(from, lower))
  local below = body:let_check("fcmp olt %s %s, %s", type, a, types.constant(from, upper))
  local fits = body:let_check("and i1 %s, %s", above, below)
  body:trap(body:let_check("xor i1 %s, true", fits), "it does not fit " .. v.type)
end

-- The lower limit is the least integer where no float lies between it and the integer
-- below; else it is that integer, which does not fit.
function rows.ftoi(body, v, a)
  local bits, limit = width(v.type), 2.0 ^ (width(v.type) - 1)
  if bits > DIGITS[type_of(v)] then
    check_range(body, v, a, "oge", -limit, limit)
  else
    check_range(body, v, a, "ogt", -limit - 1, limit)
  end
  local from = body:type(type_of(v))
  if bits == 1 then return body:set(v, "fcmp ole %s %s, 0xBFF0000000000000", from, a) end
  body:set(v, "fptosi %s %s to %s", from, a, v.type)
end

function rows.ftou(body, v, a)
  check_range(body, v, a, "ogt", -1.0, 2.0 ^ width(v.type))
  local from = body:type(type_of(v))
  if v.type == "i1" then return body:set(v, "fcmp oge %s %s, 0x3FF0000000000000", from, a) end
  body:set(v, "fptoui %s %s to %s", from, a, v.type)
end

-- }== Memory ==========================================================

-- In memory an i1 is a byte, 0 or 1; accesses are aligned to the size of their type.

-- An address as a pointer to a type of LLVM, with its type.
local function pointer(body, address, type)
  if not body.unit.symbols.is_typed then return "ptr " .. address end
  if type == "i8" then return "i8* " .. address end
  return ("%s* %s"):format(type, body:let("bitcast i8* %s to %s*", address, type))
end

-- The type in memory.
local function stored(body, type) return type == "i1" and "i8" or body:type(type) end

-- kind: "" or "volatile "; align: nil: to the size of the type.
local function loading(kind, align)
  return function(body, v, a)
    local type = stored(body, v.type)
    local text = ("load %s%s, %s, align %d"):format(kind, type, pointer(body, a, type),
      align or types.size(v.type))
    if v.type ~= "i1" then return body:set(v, "%s", text) end
    body:set(v, "trunc i8 %s to i1", body:let("%s", text))
  end
end

local function storing(kind, align)
  return function(body, v, a, b)
    local from = v.args[2].type
    local type = stored(body, from)
    if from == "i1" then b = body:let("zext i1 %s to i8", b) end
    body:line("store %s%s %s, %s, align %d", kind, type, b, pointer(body, a, type),
      align or types.size(from))
  end
end

rows.load, rows.store = loading "", storing ""
rows.load_volatile, rows.store_volatile = loading "volatile ", storing "volatile "
rows.load_unaligned, rows.store_unaligned = loading("", 1), storing("", 1)

-- All allocas are at the top: after a check that can trap they would be in another block
-- than the first, and LLVM would move the stack pointer each time. LLVM's sroa and mem2reg promote
-- an array, not so many bytes.
function rows.alloca(body, v, size, align)
  local name, is_typed = body:text(v), body.unit.symbols.is_typed
  local array = is_typed and body:temp() or name
  body:hoist(array, "alloca [%s x i8], align %s", size, align)
  if is_typed then body:hoist(name, "bitcast [%s x i8]* %s to i8*", size, array) end
end

function rows.ptradd(body, v, a, b)
  body:set(v, "getelementptr i8, %s %s, i64 %s", body:type "ptr", a, b)
end

function rows.address(body, v)
  rows.copy(body, v, body:address(body:handle(v):data()))
end

local function intrinsic(body, name, params)
  local p = body.unit.symbols.is_typed and "p0i8" or "p0"
  name = name:gsub("PTR", p)
  body:declare("declare void @%s(%s, i1)", name, params)
  return name
end

for _, op in ipairs { "memcpy", "memmove" } do
  rows[op] = function(body, _, to, from, count)
    local ptr = body:type "ptr"
    local params = ("%s, %s, i64"):format(ptr, ptr)
    local name = intrinsic(body, ("llvm.%s.PTR.PTR.i64"):format(op), params)
    body:line("call void @%s(%s %s, %s %s, i64 %s, i1 false)", name, ptr, to, ptr, from, count)
  end
end

function rows.memset(body, _, to, byte, count)
  local ptr = body:type "ptr"
  local name = intrinsic(body, "llvm.memset.PTR.i64", ("%s, i8, i64"):format(ptr))
  body:line("call void @%s(%s %s, i8 %s, i64 %s, i1 false)", name, ptr, to, byte, count)
end

-- }== Further arguments ===============================================

for op, count in pairs { va_start = 1, va_copy = 2, va_end = 1 } do
  rows[op] = function(body, _, ...)
    local ptr, operands = body:type "ptr", { ... }
    for i, operand in ipairs(operands) do operands[i] = ("%s %s"):format(ptr, operand) end
    body:declare("declare void @llvm.%s(%s)", op, ptr .. (", " .. ptr):rep(count - 1))
    body:line("call void @llvm.%s(%s)", op, table.concat(operands, ", ", 1, count))
  end
end

-- What an argument becomes that no parameter takes, and the way back.
local PROMOTED = { i1 = "i32", i8 = "i32", i16 = "i32", f32 = "double" }

function rows.va_arg(body, v, a)
  local type, wide = body:type(v.type), PROMOTED[v.type]
  local text = ("va_arg %s %s, %s"):format(body:type "ptr", a, wide or type)
  if not wide then return body:set(v, "%s", text) end
  local back = v.type == "f32" and "fptrunc" or "trunc"
  body:set(v, "%s %s %s to %s", back, wide, body:let("%s", text), type)
end

-- }== Others ==========================================================

function rows.select(body, v, c, a, b)
  local type = body:type(v.type)
  body:set(v, "select i1 %s, %s %s, %s %s", c, type, a, type, b)
end

-- }====================================================================

return rows
