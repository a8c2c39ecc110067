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

-- Lines that trap unless a float is in a range, by types of the result; a float is compared as a
-- double. (-2^63 - 1 is no double.)
local function checks(ranges)
  local text = ""
  for _, range in ipairs(ranges) do
    for from, a in pairs { f32 = "(double)$a", f64 = "$a" } do
      text = text .. ("[traps,t=%s,a=%s] do if (!(%s %s && %s < %s)) {\n"):format(range[1], from, a,
        range[2], a, range[3])
    end
  end
  return text .. [[
    [traps] trap $a != $a: nan is no integer
    [traps] trap: it does not fit $t
    [traps] do }
  ]]
end

-- Rounds toward zero.
M.ftoi = { c = checks {
  { "i64", ">= -0x1p63", "0x1p63" }, { "i1|i8|i16|i32", "> -$((1<<w-1)+1).0", "$(1<<w-1).0" },
} .. "[t=i1] $a <= -1\n($T)($S)$a" }
M.ftou = { c = checks {
  { "i64", "> -1.0", "0x1p64" }, { "i32", "> -1.0", "0x1p32" },
  { "i1|i8|i16", "> -1.0", "$(1<<w).0" },
} .. "[t=i1] $a >= 1\n($T)$a" }

return M
