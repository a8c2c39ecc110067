--- Comparisons, and the choice between two values.
local M = {}

-- Compilers may see what a comparison gives, and warn of it.
local function decidable(extreme)
  local text = "[a=inline] need comparisons\n[b=inline] need comparisons\n[a=b] need comparisons\n"
  if not extreme then return text end
  return text .. ("[a=%s] need comparisons\n[b=%s] need comparisons\n"):format(extreme, extreme)
end

-- One bit, where -1 equals 1.
local function of_bits(text)
  local lazy = text:find "[&|]" and "[a=i1] lazy\n" or ""
  return "[a=i1,a=const] need comparisons\n[a=i1,b=const] need comparisons\n"
    .. lazy .. "[a=i1] " .. text .. "\n"
end

M.eq = { c = decidable() .. of_bits "$a == $b" .. "$a == $b" }
M.ne = { c = decidable() .. of_bits "$a != $b" .. "$a != $b" }

local SIGNS <const> = { lt = "<", le = "<=", gt = ">", ge = ">=" }
local BITS <const> = { slt = "$a && !$b", sgt = "!$a && $b", sle = "$a || !$b", sge = "!$a || $b",
  ult = "!$a && $b", ugt = "$a && !$b", ule = "!$a || $b", uge = "$a || !$b" }

for name, sign in pairs(SIGNS) do
  M["s" .. name] = { c = decidable "extreme" .. of_bits(BITS["s" .. name])
    .. ("$+a %s $+b"):format(sign) }
  M["u" .. name] = { c = decidable "uextreme" .. of_bits(BITS["u" .. name])
    .. ("[a=ptr] (uintptr_t)$a %s (uintptr_t)$b\n$a %s $b"):format(sign, sign) }
  M["f" .. name] = { c = ("$a %s $b"):format(sign) }
end
M.feq = { c = "$a == $b" }
M.fne = { c = "$a != $b" }

M.select = { c = [[
  lazy
  [inline,b=const,c=const,t=i1|i8|i16|i32|i64] $a ? ($T)$b : $c
  $a ? $b : $c]] }

-- {== LLVM IR ===========================================================

for _, name in ipairs { "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge" } do
  M[name].llvm = ("icmp %s $T.a $a, $b"):format(name)
end

-- Ordered: false if an operand is a nan; fne is unordered.
for name, relation in pairs {
  feq = "oeq", fne = "une", flt = "olt", fle = "ole", fgt = "ogt", fge = "oge",
} do M[name].llvm = ("fcmp %s $T.a $a, $b"):format(relation) end

M.select.llvm = "select i1 $a, $T $b, $T $c"

-- }======================================================================

return M
