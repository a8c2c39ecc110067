--- Comparisons, and the choice between two values.
local comparing = require("phial.rows.lua").comparing

local M = {}

-- C: compilers may see what a comparison gives, and warn of it.
local function decidable(extreme)
  local text = "[a=inline] need comparisons\n[b=inline] need comparisons\n[a=b] need comparisons\n"
  if not extreme then return text end
  return text .. ("[a=%s] need comparisons\n[b=%s] need comparisons\n"):format(extreme, extreme)
end

-- C: one bit, where -1 equals 1.
local function of_bits(text)
  local lazy = text:find "[&|]" and "[a=i1] lazy\n" or ""
  return "[a=i1,a=const] need comparisons\n[a=i1,b=const] need comparisons\n"
    .. lazy .. "[a=i1] " .. text .. "\n"
end

-- SMT: a truth as an i1.
local function bit(truth) return ("(ite %s (_ bv1 1) (_ bv0 1))"):format(truth) end

local function row(name, c, lua, relation)
  M[name] = {
    c = c, llvm = ("icmp %s $T.a $a, $b"):format(name), lua = lua,
    smt = bit(("(%s $a $b)"):format(relation or "bv" .. name)),
  }
end

for name, it in pairs { eq = { "==", "==", "=" }, ne = { "!=", "~=", "distinct" } } do
  local text = ("$a %s $b"):format(it[1])
  row(name, decidable() .. of_bits(text) .. text, ("$a %s $b"):format(it[2]), it[3])
end

-- Lua of one bit, from that of C.
local function bits_of_lua(text)
  return "[a=i1] " .. text:gsub("&&", "and"):gsub("||", "or"):gsub("!", "not ") .. "\n"
end

local SIGNS <const> = { lt = "<", le = "<=", gt = ">", ge = ">=" }

for name, bits in pairs { slt = "$a && !$b", sgt = "!$a && $b", sle = "$a || !$b",
  sge = "!$a || $b" } do
  local sign = SIGNS[name:sub(2)]
  row(name, decidable "extreme" .. of_bits(bits) .. ("$+a %s $+b"):format(sign),
    bits_of_lua(bits) .. comparing(false, sign))
end
for name, bits in pairs { ult = "!$a && $b", ugt = "$a && !$b", ule = "!$a || $b",
  uge = "$a || !$b" } do
  local sign = SIGNS[name:sub(2)]
  row(name, decidable "uextreme" .. of_bits(bits)
    .. ("[a=ptr] (uintptr_t)$a %s (uintptr_t)$b\n$a %s $b"):format(sign, sign),
    bits_of_lua(bits) .. comparing(true, sign))
end

-- LLVM: ordered, so that it is false if an operand is a nan; fne is unordered.
for name, it in pairs {
  feq = { "==", "oeq", "fp.eq" }, fne = { "!=", "une" }, flt = { "<", "olt", "fp.lt" },
  fle = { "<=", "ole", "fp.leq" }, fgt = { ">", "ogt", "fp.gt" }, fge = { ">=", "oge", "fp.geq" },
} do
  M[name] = { c = ("$a %s $b"):format(it[1]), llvm = ("fcmp %s $T.a $a, $b"):format(it[2]),
    lua = ("$a %s $b"):format(it[1] == "!=" and "~=" or it[1]),
    smt = bit(it[3] and ("(%s $a $b)"):format(it[3]) or "(not (fp.eq $a $b))") }
end

M.select = {
  c = [[
    lazy
    [inline,b=const,c=const,t=i1|i8|i16|i32|i64] $a ? ($T)$b : $c
    $a ? $b : $c]],
  llvm = "select i1 $a, $T $b, $T $c",
  -- numbers are true
  lua = [[
    [t=i1] $a and $b or not $a and $c
    [t=i8|i16|i32|i64|ptr|f32|f64] $a and $b or $c
    set
    do if $a then $v = $b else $v = $c end]],
  smt = "(ite (= $a (_ bv1 1)) $b $c)",
}

return M
