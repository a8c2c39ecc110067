--- What each op computes, as terms of SMT-LIB 2: bit vectors for integers and addresses, floats
-- of IEEE 754. Values and constants of rules are computed by the same rows.
local M = {}

local WIDTH <const> = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64, ptr = 64, f32 = 32, f64 = 64 }
local FORMAT <const> = { f32 = "8 24", f64 = "11 53" }

--- The width of a type in bits; nil if solvers do not know it.
---@param type string
---@return integer?
function M.width(type) return WIDTH[type] end

---@param type string
---@return boolean
function M.is_float(type) return FORMAT[type] ~= nil end

--- A bit vector of so many bits.
---@param value integer
---@param bits integer
---@return string
function M.number(value, bits)
  if bits < 64 then value = value & (1 << bits) - 1 end
  return bits % 4 == 0 and ("#x%0" .. bits // 4 .. "x"):format(value)
    or ("(_ bv%d %d)"):format(value, bits)
end

--- The float whose bits are a bit vector.
---@param bits string
---@param type string
---@return string
function M.float(bits, type) return ("((_ to_fp %s) %s)"):format(FORMAT[type], bits) end

--- A Lua number as a float.
---@param value number
---@param type string
---@return string
function M.float_number(value, type)
  local packed = string.pack(type == "f32" and "<f" or "<d", value)
  local bits = string.unpack(type == "f32" and "<I4" or "<i8", packed)
  return M.float(M.number(bits, WIDTH[type]), type)
end

--- A truth as an i1.
---@param truth string
---@return string
function M.bit(truth) return ("(ite %s (_ bv1 1) (_ bv0 1))"):format(truth) end

--- A bit vector made as wide, or as narrow, as said.
---@param term string
---@param from integer bits
---@param to integer
---@param is_signed? boolean
---@return string
function M.resize(term, from, to, is_signed)
  if to < from then return ("((_ extract %d 0) %s)"):format(to - 1, term) end
  if to == from then return term end
  return ("((_ %s %d) %s)"):format(is_signed and "sign_extend" or "zero_extend", to - from, term)
end

--
-- {== Rows =============================================================
--

---@class phial.rules.Step what a row computes
---@field from string the type of the operands
---@field to string that of the result
---@field bits integer the width of `from`
---@field multiplies? boolean shifts to the left are products
---@field sign fun(float: string): string the sign of a float, as a truth

-- A row gets a step and the terms of the operands; it returns the result and, if the op can
-- trap, when it does.
---@alias phial.rules.Row
---| fun(step: phial.rules.Step, a: string, b: string, c: string): string?, string?

---@type table<string, phial.rules.Row>
local rows = {}
M.rows = rows

local function direct(name)
  return function(_, a, b)
    if not b then return ("(%s %s)"):format(name, a) end
    return ("(%s %s %s)"):format(name, a, b)
  end
end

for op, name in pairs {
  add = "bvadd", sub = "bvsub", mul = "bvmul", neg = "bvneg", bnot = "bvnot", band = "bvand",
  bor = "bvor", bxor = "bvxor", ptradd = "bvadd", fneg = "fp.neg", fabs = "fp.abs",
} do rows[op] = direct(name) end

for op, name in pairs {
  fadd = "fp.add RNE", fsub = "fp.sub RNE", fmul = "fp.mul RNE", fdiv = "fp.div RNE",
  fsqrt = "fp.sqrt RNE",
} do rows[op] = direct(name) end

for op, name in pairs {
  eq = "=", slt = "bvslt", sle = "bvsle", sgt = "bvsgt", sge = "bvsge", ult = "bvult",
  ule = "bvule", ugt = "bvugt", uge = "bvuge", feq = "fp.eq", flt = "fp.lt", fle = "fp.leq",
  fgt = "fp.gt", fge = "fp.geq",
} do
  local compare = direct(name)
  rows[op] = function(step, a, b) return M.bit(compare(step, a, b)) end
end

function rows.ne(_, a, b) return M.bit(("(distinct %s %s)"):format(a, b)) end
function rows.fne(_, a, b) return M.bit(("(not (fp.eq %s %s))"):format(a, b)) end
function rows.copy(_, a) return a end

function rows.select(_, c, a, b) return ("(ite (= %s (_ bv1 1)) %s %s)"):format(c, a, b) end

local function min_by(relation)
  return function(_, a, b) return ("(ite (%s %s %s) %s %s)"):format(relation, a, b, a, b) end
end

rows.smin, rows.umin = min_by "bvslt", min_by "bvult"
rows.smax, rows.umax = min_by "bvsgt", min_by "bvugt"

function rows.copysign(step, a, b)
  return ("(ite (= %s %s) %s (fp.neg %s))"):format(step.sign(a), step.sign(b), a, a)
end

-- }== Shifts ===========================================================

-- An amount modulo the width, a power of two.
local function amount(step, b)
  return ("(bvand %s %s)"):format(b, M.number(step.bits - 1, step.bits))
end

for op, name in pairs { shl = "bvshl", shr = "bvlshr", sar = "bvashr" } do
  rows[op] = function(step, a, b) return ("(%s %s %s)"):format(name, a, amount(step, b)) end
end

local shift_left = rows.shl

function rows.shl(step, a, b)
  if not step.multiplies then return shift_left(step, a, b) end
  return ("(bvmul %s %s)"):format(a, shift_left(step, M.number(1, step.bits), b))
end

for op, names in pairs { rotl = { "bvshl", "bvlshr" }, rotr = { "bvlshr", "bvshl" } } do
  rows[op] = function(step, a, b)
    local back = amount(step, ("(bvsub %s %s)"):format(M.number(step.bits, step.bits),
      amount(step, b)))
    return ("(bvor (%s %s %s) (%s %s %s))"):format(names[1], a, amount(step, b), names[2], a, back)
  end
end

-- }== Division =========================================================

local function is_zero(step, b) return ("(= %s %s)"):format(b, M.number(0, step.bits)) end

local function overflows(step, a, b)
  local least = M.number(1 << step.bits - 1, step.bits)
  return ("(and (= %s %s) (= %s %s))"):format(a, least, b, M.number(-1, step.bits))
end

local function divides(name, traps)
  return function(step, a, b) return ("(%s %s %s)"):format(name, a, b), traps(step, a, b) end
end

local function divides_signed(step, a, b)
  return ("(or %s %s)"):format(is_zero(step, b), overflows(step, a, b))
end

local function by_zero(step, _, b) return is_zero(step, b) end

rows.udiv, rows.urem = divides("bvudiv", by_zero), divides("bvurem", by_zero)
rows.sdiv, rows.srem = divides("bvsdiv", divides_signed), divides("bvsrem", by_zero)

-- }== Bits =============================================================

local function bit_at(a, i) return ("((_ extract %d %d) %s)"):format(i, i, a) end

-- How many bits precede the first one, from bit `first` to bit `last`.
local function leading(step, a, first, last, by)
  local term = M.number(step.bits, step.bits)
  for i = last, first, -by do
    local count = M.number(math.abs(i - first), step.bits)
    term = ("(ite (= %s (_ bv1 1)) %s %s)"):format(bit_at(a, i), count, term)
  end
  return term
end

function rows.clz(step, a) return leading(step, a, step.bits - 1, 0, -1) end
function rows.ctz(step, a) return leading(step, a, 0, step.bits - 1, 1) end

function rows.popcnt(step, a)
  local sum = {}
  for i = 0, step.bits - 1 do sum[#sum + 1] = M.resize(bit_at(a, i), 1, step.bits) end
  return #sum == 1 and sum[1] or ("(bvadd %s)"):format(table.concat(sum, " "))
end

function rows.bswap(step, a)
  local bytes = {}
  for i = 0, step.bits - 8, 8 do
    bytes[#bytes + 1] = ("((_ extract %d %d) %s)"):format(i + 7, i, a)
  end
  return ("(concat %s)"):format(table.concat(bytes, " "))
end

for op, is_signed in pairs { umulh = false, smulh = true } do
  rows[op] = function(step, a, b)
    local bits = step.bits
    a, b = M.resize(a, bits, 2 * bits, is_signed), M.resize(b, bits, 2 * bits, is_signed)
    return ("((_ extract %d %d) (bvmul %s %s))"):format(2 * bits - 1, bits, a, b)
  end
end

-- }== Casts ============================================================

function rows.trunc(step, a) return M.resize(a, step.bits, WIDTH[step.to]) end
rows.zext = rows.trunc
function rows.sext(step, a) return M.resize(a, step.bits, WIDTH[step.to], true) end

local function to_format(text) -- rounds to nearest
  return function(step, a) return ("((_ %s %s) RNE %s)"):format(text, FORMAT[step.to], a) end
end

rows.itof, rows.utof = to_format "to_fp", to_format "to_fp_unsigned"
rows.fpromote, rows.fdemote = to_format "to_fp", to_format "to_fp"

-- Between least and most, which are powers of two or 0, rounded towards zero.
local function to_integer(name, least, most)
  return function(step, a)
    local bits = WIDTH[step.to]
    local whole = ("(fp.roundToIntegral RTZ %s)"):format(a)
    local fits = ("(and (fp.leq %s %s) (fp.lt %s %s))"):format(
      M.float_number(least(bits), step.from), whole, whole,
      M.float_number(most(bits), step.from))
    return ("((_ %s %d) RTZ %s)"):format(name, bits, a), ("(not %s)"):format(fits)
  end
end

rows.ftoi = to_integer("fp.to_sbv", function(bits) return -2.0 ^ (bits - 1) end,
  function(bits) return 2.0 ^ (bits - 1) end)
rows.ftou = to_integer("fp.to_ubv", function() return 0.0 end,
  function(bits) return 2.0 ^ bits end)

-- What the bits of a computed nan are nobody knows.
function rows.bitcast(step, a)
  if FORMAT[step.from] then return nil end
  return FORMAT[step.to] and M.float(a, step.to) or a
end

-- }====================================================================

return M
