--- Integers.
local comparing = require("phial.rows.lua").comparing

local M = {}

-- {== C: narrow types, and one bit =======================================

-- int computes with narrow types; the result is converted back.
local function narrow(text, tests)
  return ("[t=i8|i16%s] ($T)(%s)\n"):format(tests and "," .. tests or "", text)
    .. (tests and "[" .. tests .. "] " or "") .. text .. "\n"
end

-- What compilers may decide, and warn of.
local DECIDABLE <const> = [[
  [a=i1,a=inline] need comparisons
  [a=i1,b=inline] need comparisons
  [a=i1,a=b] need comparisons
  [a=i1,a=const] need comparisons
  [a=i1,b=const] need comparisons
]]

-- One bit, where -1 equals 1.
local function of_bits(text)
  local lazy = text:find "[&|]" and "[a=i1] lazy\n" or ""
  return (text:find "$b" and DECIDABLE or "") .. lazy .. "[a=i1] " .. text .. "\n"
end

-- One bit that an operand does not change.
local UNCHANGED <const> = "[a=i1] apart\n[a=i1] $=a\n"

-- {== Lua: 64 bits that narrow types have with their sign ================

-- The bits of a text beyond the type are made those of its sign; its operators bind at least as
-- strongly as +.
local WRAPPED <const> = "(%s + $x(1<<w-1) & $x((1<<w)-1)) - $x(1<<w-1)"
local function wrapped(text) return WRAPPED:format(text) end

-- What the type has of an operand, as a number without sign.
local LOW_A <const>, LOW_B <const> = "($~a & $x((1<<w)-1))", "($~b & $x((1<<w)-1))"

-- An op whose result bits do not depend on operand bits beyond the type. With a constant, `sum` is
-- added together with the number that wrapping adds.
local function wrapping(of_bit, text, sum)
  return ("[a=i1] %s\nraw %s\n[t=i64] %s\n"):format(of_bit, text, text)
    .. (sum and ("[b=const] ($~a + $x((1<<w-1)%s & (1<<w)-1) & $x((1<<w)-1)) - $x(1<<w-1)\n")
      :format(sum) or "") .. wrapped(text)
end

-- }== Arithmetic ========================================================

for name, it in pairs {
  band = { "$a && $b", "$a & $b", "and", "$a and $b" },
  bor = { "$a || $b", "$a | $b", "or", "$a or $b" },
  bxor = { "$a != $b", "$a ^ $b", "xor", "$a ~= $b", "$a ~ $b" },
} do
  M[name] = { c = of_bits(it[1]) .. narrow(it[2]), llvm = it[3] .. " $t $a, $b",
    lua = ("[a=i1] %s\n%s"):format(it[4], it[5] or it[2]), smt = ("(bv%s $a $b)"):format(it[3]) }
end
-- (Compilers of C warn where a complement of an int is compared.)
M.bnot = {
  c = of_bits "!$a" .. "[t=i8|i16] $((1<<w)-1) - $a\n~$a",
  llvm = "xor $t $a, -1",
  lua = "[a=i1] not $a\n~$a",
  smt = "[multiplies] (bvsub $k(-1) $a)\n(bvnot $a)",
}
M.neg = {
  c = UNCHANGED .. narrow "-$a",
  llvm = "sub $t 0, $a",
  lua = wrapping("$a", "-$~a"),
  smt = "(bvneg $a)",
}

-- In C, the sum with a negative constant is a difference.
local DIFFERS <const> = "b<0,!b<-2147483647"
M.add = {
  c = of_bits "$a != $b" .. narrow("$a - $(-b)", DIFFERS) .. narrow "$a + $b",
  llvm = "add $t $a, $b",
  lua = wrapping("$a ~= $b", "$~a + $~b", "+b"),
  smt = "(bvadd $a $b)",
}
M.sub = {
  c = of_bits "$a != $b" .. narrow("$a + $(-b)", DIFFERS) .. narrow "$a - $b",
  llvm = "sub $t $a, $b",
  lua = wrapping("$a ~= $b", "$~a - $~b", "-b"),
  smt = "(bvsub $a $b)",
}
-- (As int, the product of two uint16_t can overflow.)
M.mul = {
  c = of_bits "$a && $b" .. "[t=i16] ($T)((uint32_t)$a * $b)\n" .. narrow "$a * $b",
  llvm = "mul $t $a, $b",
  lua = wrapping("$a and $b", "$~a * $~b"),
  smt = "(bvmul $a $b)",
}

-- }== Shifts ============================================================

local UNSHIFTED <const> = "[a=i1,!b=const] do (void)$b;\n" .. UNCHANGED

-- C: # is the amount modulo the width, ~ what is left of the width. A constant is an int, which
-- may be too narrow to be shifted.
local function shifting(text)
  return UNSHIFTED .. narrow(text:gsub("#", "$(b & w-1)"):gsub("~", "$(-b & w-1)"), "b=const")
    .. narrow((text:gsub("#", "($b & $(w-1))"):gsub("~", "(-$b & $(w-1))")))
end

-- LLVM: a shift by the width or more is undefined.
local function shift(instruction)
  return ([[
    [t=i1] bitcast $t $a to $t
    [b=const] %s $t $a, $(b & w-1)
    let 1 and $t $b, $(w-1)
    %s $t $a, $1]]):format(instruction, instruction)
end

-- Lua: # is the amount modulo the width, ^ what is left of it, `low` the operand without sign;
-- more: lines for narrow types.
local function shifts(text, more)
  local known = text:gsub("#", "$(b & w-1)"):gsub("%^", "$(w-(b & w-1))")
  local unknown = text:gsub("#", "($~b & $(w-1))"):gsub("%^", "$(w) - ($~b & $(w-1))")
  local function sized(it) return wrapped("(" .. it:gsub("low", LOW_A) .. ")") end
  local function wide(it) return (it:gsub("low", "$~a")) end
  return ("[a=i1] $a\n[t=i64,b=const] %s\n[t=i64] %s\n%s[b=const] %s\n%s"):format(wide(known),
    wide(unknown), more or "", sized(known), sized(unknown))
end

-- The result of a shift to the right by at least one bit is not negative.
local NARROWED = ""
for _, width in ipairs { 8, 16, 32 } do
  NARROWED = NARROWED .. ("[t=i%d,b<%d,!b<1] %s >> $(b)\n"):format(width, width, LOW_A)
end

M.shl = {
  c = shifting "$!a << #",
  llvm = shift "shl",
  lua = shifts "$~a << #",
  smt = "[multiplies] (bvmul $a (bvshl $k(1) $%b))\n(bvshl $a $%b)",
}
M.shr = {
  c = shifting "$!a >> #",
  llvm = shift "lshr",
  lua = shifts("low >> #", NARROWED),
  smt = "(bvlshr $a $%b)",
}
M.sar = {
  c = UNSHIFTED .. [[
    [a=const,b=const] ($T)(($S)$+a >> $(b & w-1))
    [a=const] ($T)(($S)$+a >> ($b & $(w-1)))
    [b=const] ($T)($+a >> $(b & w-1))
    ($T)($+a >> ($b & $(w-1)))]],
  llvm = shift "ashr",
  lua = [[
    [a=i1] $a
    [!t=i64,b=const] ]] .. wrapped "($a >> $(b & w-1))" .. [[

    [!t=i64] ]] .. wrapped "($a >> ($b & $(w-1)))" .. [[

    [b=0] $a
    [b=const,!b<0,b<63] $a // $(1<<b)
    [b=const] $a >= 0 and $a >> $(b & 63) or ~(~$a >> $(b & 63))
    $a >= 0 and $a >> ($b & 63) or ~(~$a >> ($b & 63))]],
  smt = "(bvashr $a $%b)",
}

-- C: compilers recognise these as rotations. LLVM: the amount of a funnel shift is taken modulo
-- the width.
for name, it in pairs {
  rotl = { "($!a << #) | ($!a >> ~)", "fshl", "bvshl", "bvlshr", "$~a << # | low >> ^" },
  rotr = { "($!a >> #) | ($!a << ~)", "fshr", "bvlshr", "bvshl", "low >> # | $~a << ^" },
} do
  M[name] = { c = shifting(it[1]), llvm = ([[
    [t=i1] bitcast $t $a to $t
    declare declare $t $@llvm.%s.$t($t, $t, $t)
    call $t $@llvm.%s.$t($t $a, $t $a, $t $b)]]):format(it[2], it[2]), lua = shifts(it[5]),
    smt = ("(bvor (%s $a $%%b) (%s $a (bvand (bvsub $k(w) $%%b) $k(w-1))))"):format(it[3], it[4]) }
end

-- }== Helpers and intrinsics ============================================

for name, it in pairs {
  smin = { "$a || $b", "bvslt" }, umax = { "$a || $b", "bvugt" },
  smax = { "$a && $b", "bvsgt" }, umin = { "$a && $b", "bvult" },
} do
  M[name] = { c = of_bits(it[1]) .. ("@phial_%s_$t($=a, $=b)"):format(name), llvm = ([[
    declare declare $t $@llvm.%s.$t($t, $t)
    call $t $@llvm.%s.$t($t $a, $t $b)]]):format(name, name),
    lua = ("[a=i1] $a %s $b\n"):format(it[1]:find "&" and "and" or "or")
      .. comparing(name:find "^u" ~= nil, name:find "min" and "<" or ">", " and $a or $b"),
    smt = ("(ite (%s $a $b) $a $b)"):format(it[2]) }
end

-- In Lua, counts are those of 64 bits.
local OF_LUA <const> = {
  bswap = "[t=i64] @bswap($=a)\n" .. wrapped "(@bswap($=a) >> $(64-w))",
  popcnt = "[a=i1] $a\n[t=i64] @popcnt($=a)\n@popcnt($~a & $x((1<<w)-1))",
  clz = "[a=i1] not $a\n[t=i64] @clz($=a)\n@clz($~a & $x((1<<w)-1)) - $(64-w)",
  ctz = "[a=i1] not $a\n[t=i64] @ctz($=a)\n@ctz($a | $(1<<w))",
}

-- SMT: bits of the operand.
local function bits(last, first) return ("((_ extract %d %d) $a)"):format(last, first) end

-- SMT: how many bits precede the first one, from bit `first` to bit `last`.
local function leading(first, last, by)
  local text = "$k(w)"
  for i = last, first, -by do
    text = ("(ite (= %s (_ bv1 1)) $k(%d) %s)"):format(bits(i, i), math.abs(i - first), text)
  end
  return text
end

-- SMT: an operator on all parts of the operand, of `size` bits each.
local function of_parts(operator, part, size, w)
  local list = {}
  for i = 0, w - size, size do list[#list + 1] = part:format(bits(i + size - 1, i)) end
  return ("(%s %s)"):format(operator, table.concat(list, " "))
end

local in_bits = {
  bswap = function(step) return of_parts("concat", "%s", 8, step.w) end,
  popcnt = function(step)
    return step.w == 1 and bits(0, 0) or of_parts("bvadd", "((_ zero_extend $(w-1)) %s)", 1, step.w)
  end,
  clz = function(step) return leading(step.w - 1, 0, -1) end,
  ctz = function(step) return leading(0, step.w - 1, 1) end,
}

-- of_bit: C of one bit. LLVM: the last argument of the latter two says that the count of 0 is
-- defined.
for name, it in pairs {
  bswap = { "", "bswap", "" }, popcnt = { UNCHANGED, "ctpop", "" },
  clz = { of_bits "!$a", "ctlz", ", i1" }, ctz = { of_bits "!$a", "cttz", ", i1" },
} do
  local of_bit, intrinsic, more = table.unpack(it)
  M[name] = { c = of_bit .. ("@phial_%s_$t($=a)"):format(name), llvm = ([[
    declare declare $t $@llvm.%s.$t($t%s)
    call $t $@llvm.%s.$t($t $a%s)]]):format(intrinsic, more, intrinsic,
    more ~= "" and more .. " false" or ""), lua = OF_LUA[name], smt = in_bits[name] }
end

-- LLVM: the high half of a product of twice the width.
for name, it in pairs { umulh = { "zext", "zero" }, smulh = { "sext", "sign" } } do
  local extend = it[1]
  M[name] = {
    c = "[a=i1,!a=const] do (void)$a;\n[a=i1,!b=const] do (void)$b;\n[a=i1] apart\n"
      .. "[a=i1] false\n" .. ("@phial_%s_$t($=a, $=b)"):format(name),
    llvm = ([[
      let 1 %s $t $a to i$(2*w)
      let 2 %s $t $b to i$(2*w)
      let 3 mul i$(2*w) $1, $2
      let 4 lshr i$(2*w) $3, $(w)
      trunc i$(2*w) $4 to $t]]):format(extend, extend),
    lua = ("[a=i1] false\n[t=i64] @%s($=a, $=b)\n"):format(name) .. wrapped(
      name == "smulh" and "($a * $b >> $(w))" or ("(%s * %s >> $(w))"):format(LOW_A, LOW_B)),
    smt = ("((_ extract $(2*w-1) $(w)) (bvmul (# $a) (# $b)))"):gsub("#",
      ("(_ %s_extend $(w))"):format(it[2])),
  }
end

-- }== Division ==========================================================

-- C of one bit: the quotient by a true i1, which is 1 or -1, is the operand or 0.
local function of_one_bit(result, overflow)
  return "[a=i1,!a=const] do (void)$a;\n[a=i1,!b=const] do (void)$b;\n"
    .. "[a=i1] trap !$b: division by zero\n"
    .. (overflow and "[a=i1] trap $a: the quotient does not fit i1\n" or "")
    .. "[a=i1] apart\n[a=i1] " .. result .. "\n"
end

local BY_ZERO <const> = [[
  [!b=const] trap $b == 0: division by zero
  [b=0] trap: division by zero
  [b=0,!a=const] do (void)$a;
]]

-- The same in LLVM.
local IS_ZERO <const> = [[
  [traps,!b=const] let 1 icmp eq $t $b, 0
  [traps,t=i1,b=0] let 1 icmp eq $t $b, 0
  [!b=const] trap $1: division by zero
  [t=i1,b=0] trap $1: division by zero
  [!t=i1,b=0] trap true: division by zero
]]

-- LLVM: only the least integer has a quotient by -1 that does not fit.
local FITS <const> = [[
  [traps,!t=i1,!b=const,%s] let 2 icmp eq $t $a, $(-(1<<w-1))
  [traps,!t=i1,!b=const,%s] let 3 icmp eq $t $b, -1
  [traps,!t=i1,!b=const,%s] let 4 and i1 $2, $3
  [!t=i1,!b=const,%s] trap $4: the quotient does not fit $t
  [traps,!t=i1,b=-1,%s] let 2 icmp eq $t $a, $(-(1<<w-1))
  [!t=i1,b=-1,%s] trap $2: the quotient does not fit $t
]]

-- Lua of one bit, and of a divisor that is 0.
local function dividing(of_bit, overflow)
  return "[a=i1] trap not $b: division by zero\n"
    .. (overflow and "[a=i1] trap $a: the quotient does not fit i1\n" or "")
    .. "[a=i1] set " .. of_bit .. "\n"
    .. "[!a=i1,!b=const] trap $b == 0: division by zero\n[!a=i1,b=0] trap: division by zero\n"
end

local function dividing_unsigned(name, operator, of_bit)
  return dividing(of_bit) .. ("[t=i64] set @%s($=a, $=b)\n[!a=i1,!t=i64] set "):format(name)
    .. wrapped(("%s %s %s"):format(LOW_A, operator, LOW_B))
end

M.udiv = {
  c = of_one_bit "$a" .. BY_ZERO .. "[b=0] ($T)0\n$a / $b",
  llvm = IS_ZERO .. "[t=i1] bitcast $t $a to $t\nudiv $t $a, $b",
  lua = dividing_unsigned("udiv", "//", "$a"),
  smt = "(bvudiv $a $b)\ntrap (= $b $k(0))",
}
M.urem = {
  c = of_one_bit "false" .. BY_ZERO .. "[b=0] ($T)0\n$a % $b",
  llvm = IS_ZERO .. "[t=i1] bitcast $t false to $t\nurem $t $a, $b",
  lua = dividing_unsigned("urem", "%", "false"),
  smt = "(bvurem $a $b)\ntrap (= $b $k(0))",
}
M.sdiv = {
  c = of_one_bit("false", true) .. BY_ZERO .. [[
    [!b=const,!a=b] trap $b == $k(-1) && $a == $k(-(1<<w-1)): the quotient does not fit $t
    [b=-1] trap $a == $k(-(1<<w-1)): the quotient does not fit $t
    [b=0] ($T)0
    ($T)($+a / $+b)]],
  llvm = IS_ZERO .. FITS:gsub("%%s", "!a=const") .. FITS:gsub("%%s", "a=extreme,a<0") .. [[
    [t=i1] trap $a: the quotient does not fit $t
    [t=i1] bitcast $t false to $t
    sdiv $t $a, $b]],
  -- Lua rounds down.
  lua = dividing("false", true) .. [[
    [t=i64,!b=const] trap $b == -1 and $a == $x(1<<63): the quotient does not fit i64
    [t=i64,b=-1] trap $a == $x(1<<63): the quotient does not fit i64
    [!a=i1,!t=i64,!b=const] trap $b == -1 and $a == ($(-(1<<w-1))): the quotient does not fit $t
    [!a=i1,!t=i64,b=-1] trap $a == ($(-(1<<w-1))): the quotient does not fit $t
    [!a=i1] set $a // $b
    [!a=i1] do if $v < 0 and $v * $b ~= $a then $v = $v + 1 end]],
  smt = [[
    (bvsdiv $a $b)
    trap (or (= $b $k(0)) (and (= $a $k(1<<w-1)) (= $b $k(-1))))]],
}
-- C: the remainder is not defined where the quotient is not. LLVM: that by -1 is 0 as that by 1,
-- but undefined for the least integer.
M.srem = {
  c = of_one_bit "false" .. BY_ZERO .. [[
    [b=-1,!a=const] do (void)$a;
    [b=0] ($T)0
    [b=-1] ($T)0
    [b=const] ($T)($+a % $+b)
    [t=i8|i16] ($T)($+a % $+b)
    $b == $k(-1) ? 0 : ($T)($+a % $+b)]],
  llvm = IS_ZERO .. [[
    [t=i1] bitcast $t false to $t
    [b=-1] srem $t $a, 1
    [b=const] srem $t $a, $b
    let 2 icmp eq $t $b, -1
    let 3 select i1 $2, $t 1, $t $b
    srem $t $a, $3]],
  -- The remainder of Lua has the divisor's sign.
  lua = dividing "false" .. [[
    [!a=i1] set $a % $b
    [!a=i1,b=const,!b<1] do if $a < 0 and $v ~= 0 then $v = $v - $b end
    [!a=i1,b<1] do if $a ~ $v < 0 and $v ~= 0 then $v = $v - $b end
    [!a=i1,!b=const] do if $a ~ $v < 0 and $v ~= 0 then $v = $v - $b end]],
  smt = "(bvsrem $a $b)\ntrap (= $b $k(0))",
}

-- }======================================================================

return M
