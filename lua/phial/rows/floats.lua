--- Floats, and conversions.
local M = {}

for name, sign in pairs { fadd = "+", fsub = "-", fmul = "*", fdiv = "/" } do
  M[name] = { c = ("need floats\n$a %s $b"):format(sign) }
end
M.fneg = { c = "-$-a" }
M.fabs = { c = "@phial_fabs_$t($=a)" }
M.fsqrt = { c = "@phial_fsqrt_$t($=a)" }
M.copysign = { c = "@phial_copysign_$t($=a, $=b)" }

M.trunc = { c = "[t=i1] ($a & 1) != 0\n($T)$a" }
-- An assignment converts by itself.
M.zext = { c = "[inline] ($T)$a\n$a" }
-- (gcc wrongly warns of a quotient of "a ? -1 : 0"; tcc makes a wrong uint16_t of an int8_t.)
M.sext = { c = [[
  [a=i1,t=i8|i16] ($T)(-($T)$a)
  [a=i1] -($T)$a
  [t=i16] $+a & 65535
  ($T)$+a]] }
M.itof = { c = "[a=i1] $a ? ($T)-1 : 0\n($T)$+a" }
M.utof = { c = "($T)$a" }
M.fpromote = { c = "($T)$a" }
M.fdemote = { c = "($T)$a" }

-- Integers are addresses, and floats are bits by helpers.
M.bitcast = { c = [[
  [a=i64,t=ptr] (char *)(uintptr_t)$a
  [a=f64,t=ptr] (char *)(uintptr_t)@phial_bits64($a)
  [a=ptr,t=i64] (uint64_t)(uintptr_t)$a
  [a=ptr,t=f64] @phial_f64((uintptr_t)$a)
  [a=i32,t=f32] @phial_f32($a)
  [a=f32,t=i32] @phial_bits32($a)
  [a=i64,t=f64] @phial_f64($a)
  [a=f64,t=i64] @phial_bits64($a)
  $a]] }
M.copy = { c = "$a" }
M.refine = { c = "$a" }

-- 2^exponent as a double.
local function power(exponent)
  return exponent < 32 and ("%d.0"):format(1 << exponent) or ("0x1p%d"):format(exponent)
end

-- Traps unless a float is between two numbers, of which the lower one is included or
-- not, and the upper one is not.
local function check_range(code, v, above, below)
  if not code.flags.traps then return end
  local arg = code:args(v)[1]
  local a = code:text(arg)
  local x = code:type(arg) == "f32" and "(double)" .. a or a
  code:line("if (!(%s %s && %s < %s)) {", x, above, x, below)
  code:enter()
  code:trap(v, ("%s != %s"):format(a, a), "nan is no integer")
  code:trap(v, nil, "it does not fit " .. code:type(v))
  code:leave()
  code:line "}"
end

-- Rounds toward zero.
M.ftoi = { c = { atoms = true,
  check = function(code, v)
    local width = code.types.width(code:type(v))
    local above = width == 64 and ">= -0x1p63" or ("> -%d.0"):format((1 << width - 1) + 1)
    check_range(code, v, above, power(width - 1))
  end,
  expr = function(code, v)
    local a, type = code:text(code:args(v)[1]), code:type(v)
    if type == "i1" then return ("%s <= -1"):format(a) end
    return ("(%s)(%s)%s"):format(code.types.name(type), code.types.signed(type), a), true
  end,
} }

M.ftou = { c = { atoms = true,
  check = function(code, v)
    check_range(code, v, "> -1.0", power(code.types.width(code:type(v))))
  end,
  expr = function(code, v)
    local a, type = code:text(code:args(v)[1]), code:type(v)
    if type == "i1" then return ("%s >= 1"):format(a) end
    return ("(%s)%s"):format(code.types.name(type), a), true
  end,
} }

-- {== LLVM IR ===========================================================

for _, name in ipairs { "fadd", "fsub", "fmul", "fdiv" } do
  M[name].llvm = ("%s $T $a, $b"):format(name)
end
M.fneg.llvm = "fneg $T $a"
for name, instruction in pairs { fabs = "fabs", fsqrt = "sqrt" } do
  M[name].llvm = ([[
    declare declare $T $@llvm.%s.$t($T)
    call $T $@llvm.%s.$t($T $a)]]):format(instruction, instruction)
end
M.copysign.llvm = [[
  declare declare $T $@llvm.copysign.$t($T, $T)
  call $T $@llvm.copysign.$t($T $a, $T $b)]]

for name, instruction in pairs {
  trunc = "trunc", zext = "zext", sext = "sext", itof = "sitofp", utof = "uitofp",
  fpromote = "fpext", fdemote = "fptrunc",
} do M[name].llvm = ("%s $T.a $a to $T"):format(instruction) end

-- LLVM has no copies.
M.copy.llvm = "bitcast $T $a to $T"
M.refine.llvm = M.copy.llvm

-- An address is cast as an i64.
M.bitcast.llvm = [[
  [a=ptr,t=ptr] bitcast $T.a $a to $T
  [a=f64,t=ptr] let 1 bitcast double $a to i64
  [a=f64,t=ptr] inttoptr i64 $1 to $T
  [t=ptr] inttoptr i64 $a to $T
  [a=ptr,t=i64] ptrtoint $T.a $a to i64
  [a=ptr] let 1 ptrtoint $T.a $a to i64
  [a=ptr] bitcast i64 $1 to double
  bitcast $T.a $a to $T]]

-- A float of either type is written as the 64 bits of a double.
local function bits(x) return ("0x%016X"):format((string.unpack("<i8", string.pack("<d", x)))) end

-- Traps unless a float is between limits(width, digits of its mantissa), neither of which a nan
-- is: the relation to the lower one, it, and the upper one, which is not included.
local function in_range(limits)
  local lines = { "[told] let 1 fcmp uno $T.a $a, $a\n[told] trap $1: nan is no integer" }
  for from, digits in pairs { f32 = 24, f64 = 53 } do
    for _, width in ipairs { 1, 8, 16, 32, 64 } do
      local relation, lower, upper = limits(width, digits)
      local test = ("[traps,a=%s,t=i%d]"):format(from, width)
      lines[#lines + 1] = ("%s let 2 fcmp %s $T.a $a, %s"):format(test, relation, bits(lower))
      lines[#lines + 1] = ("%s let 3 fcmp olt $T.a $a, %s"):format(test, bits(upper))
    end
  end
  lines[#lines + 1] = "[traps] let 4 and i1 $2, $3\n[traps] let 5 xor i1 $4, true"
  lines[#lines + 1] = "trap $5: it does not fit $t\n"
  return table.concat(lines, "\n")
end

-- The lower limit is the least integer where no float lies between it and the integer below; else
-- it is that integer, which does not fit.
M.ftoi.llvm = in_range(function(width, digits)
  local limit = 2.0 ^ (width - 1)
  if width > digits then return "oge", -limit, limit end
  return "ogt", -limit - 1, limit
end) .. ("[t=i1] fcmp ole $T.a $a, %s\nfptosi $T.a $a to $T"):format(bits(-1.0))

M.ftou.llvm = in_range(function(width) return "ogt", -1.0, 2.0 ^ width end)
  .. ("[t=i1] fcmp oge $T.a $a, %s\nfptoui $T.a $a to $T"):format(bits(1.0))

-- }======================================================================

return M
