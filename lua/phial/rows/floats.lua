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

return M
