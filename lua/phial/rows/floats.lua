--- Floats, and conversions.
--
-- Lua computes f32 in f64, and rounds again: f64 has enough bits that rounding twice is harmless.
local M = {}

for name, sign in pairs { fadd = "+", fsub = "-", fmul = "*", fdiv = "/" } do
  M[name] = { c = ("need floats\n$a %s $b"):format(sign), llvm = name .. " $T $a, $b",
    lua = ("[t=f32] @f32($a %s $b)\n$a %s $b"):format(sign, sign),
    smt = ("(fp.%s RNE $a $b)"):format(name:sub(2)) }
end
M.fneg = { c = "-$-a", llvm = "fneg $T $a", lua = "-$a", smt = "(fp.neg $a)\nsign (not $-a)" }

-- Lua: `//` rounds down, and keeps nans, infinities and -0.0.
for name, it in pairs {
  fabs = { "fabs", "(fp.abs $a)\nsign false", "@abs($=a)" },
  fsqrt = { "sqrt", "(fp.sqrt RNE $a)", "[t=f32] @f32(@sqrt($=a))\n@sqrt($=a)" },
  ffloor = { "floor", "(fp.roundToIntegral RTN $a)", "$a // 1" },
  fceil = { "ceil", "(fp.roundToIntegral RTP $a)", "-(-$a // 1)" },
  ftrunc = { "trunc", "(fp.roundToIntegral RTZ $a)", "$a < 0 and -(-$a // 1) or $a // 1" },
  fnearest = { "rint", "(fp.roundToIntegral RNE $a)", "@nearest($=a)" },
} do
  M[name] = { c = ("@phial_%s_$t($=a)"):format(name), llvm = ([[
    declare declare $T $@llvm.%s.$t($T)
    call $T $@llvm.%s.$t($T $a)]]):format(it[1], it[1]), smt = it[2], lua = it[3] }
end

-- The lesser or greater one; equal operands differ at most in the sign of 0, and their bits have
-- that of the result. `picked` is the operand that decides where it is a nan: then the result is
-- the first one. LLVM: not all its versions know `minimum` everywhere, and `minnum` does not mean
-- the same on all machines.
local function extreme(name, less, predicate, join, picked)
  M[name] = {
    c = ("@phial_%s_$t($=a, $=b)"):format(name),
    llvm = ([[
      let 1 fcmp PREDICATE $T $a, $b
      let 2 select i1 $1, $T $a, $T $b
      let 3 fcmp uno $T $PICKED, $PICKED
      let 4 select i1 $3, $T $a, $T $2
      let 5 bitcast $T $a to i$(w)
      let 6 bitcast $T $b to i$(w)
      let 7 JOIN i$(w) $5, $6
      let 8 bitcast i$(w) $7 to $T
      let 9 fcmp oeq $T $a, $b
      select i1 $9, $T $8, $T $4]]):gsub("%u%u+", { PREDICATE = predicate, JOIN = join,
        PICKED = picked }),
    lua = ("($a %s $b or $%s ~= $%s or $a == $b and 1 / $a %s 0) and $a or $b"):format(less, picked,
      picked, less),
    smt = ("(ite (or (fp.%s $a $b) (fp.isNaN $%s) (and (fp.eq $a $b) %s)) $a $b)"):format(
      less == "<" and "lt" or "gt", picked, less == "<" and "$-a" or "(not $-a)"),
  }
end

extreme("fminimum", "<", "olt", "or", "a")
extreme("fmaximum", ">", "ogt", "and", "a")
extreme("fminnum", "<", "olt", "or", "b")
extreme("fmaxnum", ">", "ogt", "and", "b")

M.copysign = {
  c = "@phial_copysign_$t($=a, $=b)",
  llvm = [[
    declare declare $T $@llvm.copysign.$t($T, $T)
    call $T $@llvm.copysign.$t($T $a, $T $b)]],
  lua = "@copysign($=a, $=b)",
  smt = "(ite (= $-a $-b) $a (fp.neg $a))\nsign $-b",
}

-- {== Conversions =======================================================

local function row(name, c, instruction, lua, smt)
  M[name] = { c = c, llvm = instruction .. " $T.a $a to $T", lua = lua, smt = smt }
end

row("trunc", "[t=i1] ($a & 1) != 0\n($T)$a", "trunc",
  "[t=i1] $~a & 1 == 1\n($~a + $x(1<<w-1) & $x((1<<w)-1)) - $x(1<<w-1)",
  "((_ extract $(w-1) 0) $a)")
-- In C, an assignment converts by itself.
row("zext", "[inline] ($T)$a\n$a", "zext", "[a=i1] $a and 1 or 0\n$~a & $x((1<<w.a)-1)",
  "((_ zero_extend $(w-w.a)) $a)")
-- (gcc wrongly warns of a quotient of "a ? -1 : 0"; tcc makes a wrong uint16_t of an int8_t.)
row("sext", [[
  [a=i1,t=i8|i16] ($T)(-($T)$a)
  [a=i1] -($T)$a
  [t=i16] $+a & 65535
  ($T)$+a]], "sext", "[a=i1] $a and -1 or 0\n$a", "((_ sign_extend $(w-w.a)) $a)")
row("itof", "[a=i1] $a ? ($T)-1 : 0\n($T)$+a", "sitofp", [[
  [a=i1] $a and -1.0 or 0.0
  [t=f64] $a + 0.0
  [a=i8|i16] $a + 0.0
  [a=i64] @itof32($=a)
  @f32($a + 0.0)]], "((_ to_fp $T) RNE $a)")
row("utof", "($T)$a", "uitofp", [[
  [a=i1] $a and 1.0 or 0.0
  [a=i64,t=f64] @utof($=a)
  [a=i64] @utof32($=a)
  [t=f64] ($~a & $x((1<<w.a)-1)) + 0.0
  [a=i8|i16] ($~a & $x((1<<w.a)-1)) + 0.0
  @f32(($~a & $x((1<<w.a)-1)) + 0.0)]], "((_ to_fp_unsigned $T) RNE $a)")
row("fpromote", "($T)$a", "fpext", "$a", "((_ to_fp $T) RNE $a)")
row("fdemote", "($T)$a", "fptrunc", "@fdemote($=a)", "((_ to_fp $T) RNE $a)")

-- C: integers are addresses, and floats are bits by helpers. LLVM: an address is cast as an i64.
-- SMT: the bits of a computed nan are not known.
M.bitcast = {
  c = [[
    [a=i64,t=ptr] (char *)(uintptr_t)$a
    [a=f64,t=ptr] (char *)(uintptr_t)@phial_bits64($a)
    [a=ptr,t=i64] (uint64_t)(uintptr_t)$a
    [a=ptr,t=f64] @phial_f64((uintptr_t)$a)
    [a=i32,t=f32] @phial_f32($a)
    [a=f32,t=i32] @phial_bits32($a)
    [a=i64,t=f64] @phial_f64($a)
    [a=f64,t=i64] @phial_bits64($a)
    $a]],
  llvm = [[
    [a=ptr,t=ptr] bitcast $T.a $a to $T
    [a=f64,t=ptr] let 1 bitcast double $a to i64
    [a=f64,t=ptr] inttoptr i64 $1 to $T
    [t=ptr] inttoptr i64 $a to $T
    [a=ptr,t=i64] ptrtoint $T.a $a to i64
    [a=ptr] let 1 ptrtoint $T.a $a to i64
    [a=ptr] bitcast i64 $1 to double
    bitcast $T.a $a to $T]],
  lua = [[
    [a=i32,t=f32] @float32($=a)
    [a=f32,t=i32] @bits32($=a)
    [a=i64|ptr,t=f64] @float64($=a)
    [a=f64,t=i64|ptr] @bits64($=a)
    $a]],
  smt = function(step)
    if step.from:find "^f" then return nil end
    return step.to:find "^f" and "((_ to_fp $T) $a)" or "$a"
  end,
}

-- LLVM has no copies.
for _, name in ipairs { "copy", "refine" } do
  M[name] = { c = "$a", llvm = "bitcast $T $a to $T", lua = "$a", smt = "$a" }
end

-- }== To integers =======================================================

-- C: lines that trap unless a float is in a range, by types of the result; a float is compared as
-- a double. (No double is -2^63 - 1.)
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

-- Lua: the same.
local function check(test, range)
  return ("[%s] do if not (%s) then @trap($w, $a ~= $a and \"nan is no integer\" or "
    .. "\"it does not fit $t\") end\n"):format(test, range)
end

-- LLVM: a float of either type is written as the 64 bits of a double.
local function bits(x) return ("0x%016X"):format((string.unpack("<i8", string.pack("<d", x)))) end

-- LLVM: traps unless a float is between limits(width, digits of its mantissa), neither of which a
-- nan is: the relation to the lower one, it, and the upper one, which is not included.
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

-- SMT: between least and most, which are powers of two or 0; rounded, it fits the type.
local function whole(name, least, most)
  return function(step, float)
    return ([[
      ((_ fp.to_NAME $(w)) RTZ $a)
      trap (not (and (fp.leq LEAST WHOLE) (fp.lt WHOLE MOST)))]]):gsub("%u%u%u%u+", {
        NAME = name, WHOLE = "(fp.roundToIntegral RTZ $a)",
        LEAST = float(least(step.w), step.from), MOST = float(most(step.w), step.from) })
  end
end

-- Rounds toward zero. The lower limit is the least integer where no float lies between it and the
-- integer below; else it is that integer, which does not fit.
M.ftoi = {
  c = checks {
    { "i64", ">= -0x1p63", "0x1p63" }, { "i1|i8|i16|i32", "> -$((1<<w-1)+1).0", "$(1<<w-1).0" },
  } .. "[t=i1] $a <= -1\n($T)($S)$a",
  llvm = in_range(function(width, digits)
    local limit = 2.0 ^ (width - 1)
    if width > digits then return "oge", -limit, limit end
    return "ogt", -limit - 1, limit
  end) .. ("[t=i1] fcmp ole $T.a $a, %s\nfptosi $T.a $a to $T"):format(bits(-1.0)),
  lua = check("t=i64", "$a >= -0x1p63 and $a < 0x1p63")
    .. check("!t=i64", "$a > -$((1<<w-1)+1).0 and $a < $(1<<w-1).0")
    .. "[t=i1] set $a <= -1\n[!t=i1] set $a < 0 and -(-$a // 1) | 0 or $a // 1 | 0",
  smt = whole("sbv", function(w) return -2.0 ^ (w - 1) end, function(w) return 2.0 ^ (w - 1) end),
}

M.ftou = {
  c = checks {
    { "i64", "> -1.0", "0x1p64" }, { "i32", "> -1.0", "0x1p32" },
    { "i1|i8|i16", "> -1.0", "$(1<<w).0" },
  } .. "[t=i1] $a >= 1\n($T)$a",
  llvm = in_range(function(width) return "ogt", -1.0, 2.0 ^ width end)
    .. ("[t=i1] fcmp oge $T.a $a, %s\nfptoui $T.a $a to $T"):format(bits(1.0)),
  lua = check("t=i64", "$a > -1.0 and $a < 0x1p64")
    .. check("!t=i64", "$a > -1.0 and $a < $(1<<w).0") .. [[
    [t=i1] set $a >= 1
    [t=i64] set $a < 1 and 0 or $a < 0x1p63 and $a // 1 | 0 or $a - 0x1p63 | 0x8000000000000000
    [!t=i1|i64] set (($a < 1 and 0 or $a // 1 | 0) + $x(1<<w-1) & $x((1<<w)-1)) - $x(1<<w-1)]],
  smt = whole("ubv", function() return 0.0 end, function(w) return 2.0 ^ w end),
}

-- The same without traps. SMT: by what is used outside the limits, which are powers of two or 0.
local function saturated(name, least, most, limits)
  return function(step, float)
    return ([[
      (ite (fp.isNaN $a) $k(0) (ite (fp.lt $a LEAST) $k(BELOW) (ite (fp.geq $a MOST) $k(ABOVE)
        ((_ fp.to_NAME $(w)) RTZ $a))))]]):gsub("\n *", " "):gsub("%u%u%u%u+", { NAME = name,
        LEAST = float(least(step.w), step.from), MOST = float(most(step.w), step.from),
        BELOW = limits[1], ABOVE = limits[2] })
  end
end

for name, it in pairs {
  ftoi_sat = { "fptosi.sat", "<= -1", "@ftoi_sat($=a, ~$((1<<w-1)-1), $((1<<w-1)-1))" },
  ftou_sat = { "fptoui.sat", ">= 1", "[t=i64] @ftou_sat64($=a)\n"
    .. "(@ftoi_sat($=a, 0, $((1<<w)-1)) + $x(1<<w-1) & $x((1<<w)-1)) - $x(1<<w-1)" },
} do
  local intrinsic, of_bit, lua = table.unpack(it)
  M[name] = {
    c = ("[t=i1] $a %s\n[a=f32] @phial_%s_$t((double)$a)\n@phial_%s_$t($=a)"):format(of_bit, name,
      name),
    llvm = ([[
      declare declare $t $@llvm.%s.$t.$t.a($T.a)
      call $t $@llvm.%s.$t.$t.a($T.a $a)]]):format(intrinsic, intrinsic),
    lua = ("[t=i1] $a %s\n%s"):format(of_bit, lua),
  }
end
M.ftoi_sat.smt = saturated("sbv", function(w) return -2.0 ^ (w - 1) end,
  function(w) return 2.0 ^ (w - 1) end, { "1<<w-1", "(1<<w-1)-1" })
M.ftou_sat.smt = saturated("ubv", function() return 0.0 end, function(w) return 2.0 ^ w end,
  { "0", "-1" })

-- }======================================================================

return M
