-- QBE's intermediate language: rows and a frame. Values of i1, i8 and i16 are words whose upper
-- bits are 0. What QBE lacks has no row, and is refused by name.
local phial = require "phial"

-- T: the type; I: the integer of its size; K: makes one, or the other way round; E: extends a word
-- to it; P: what C passes; L, S: loads and stores; N: clears the upper bits; X: extends the sign.
local i32 = { T = "w", I = "w", K = "copy", E = "copy", P = "w", L = "loadw", S = "storew" }
local i64 = { T = "l", I = "l", K = "copy", E = "extuw", P = "l", L = "loadl", S = "storel" }
local types = {
  i1 = { T = "w", I = "w", K = "copy", E = "copy", N = "and 1,", X = "sub 0,", P = "w",
    S = "storeb" },
  i8 = { T = "w", I = "w", K = "copy", E = "copy", N = "extub", X = "extsb", L = "loadub",
    S = "storeb" },
  i16 = { T = "w", I = "w", K = "copy", E = "copy", N = "extuh", X = "extsh", L = "loaduh",
    S = "storeh" },
  i32 = i32, i64 = i64, ptr = i64,
  f32 = { T = "s", I = "w", K = "cast", E = "copy", P = "s", L = "loads", S = "stores" },
  f64 = { T = "d", I = "l", K = "cast", E = "extuw", P = "d", L = "loadd", S = "stored" },
}

local rows = {
  phi = "$T phi", jump = "do jmp @$>1", branch = "do jnz $a, @$>1, @$>2",
  switch = "case w ceq$T.a $a, $b", ret = "[a=none] ret\nret $a",
  unreachable = "trap: reached\n[!traps] do hlt", trap = "trap: $m", trap_if = "trap $a: $m",
  call = "[t=none] call $$$f($*a)\n$P call $$$f($*a)",
  call_indirect = "[t=none] call $a($*b)\n$P call $a($*b)",
  address = "l copy $$$f", ptradd = "l add $a, $b", store = "do $S.b $b, $a",
  load = "[t=i1] let 1 w loadub $a\n[t=i1] w and 1, $1\n$T $L $a",
  memcpy = "do call $$memcpy($*a)", memmove = "do call $$memmove($*a)",
  memset = "do call $$memset(l $a, w $b, l $c)",
  alloca = "top\n[b<5] l alloc4 $a\n[b<9] l alloc8 $a\n[b<17] l alloc16 $a",
  copy = "$T copy $a", refine = "$T copy $a", fneg = "$T neg $a",
  -- floats and conversions
  fpromote = "d exts $a", fdemote = "s truncd $a", zext = "[t=i64] l extuw $a\nw copy $a",
  sext = "[a=i32] l extsw $a\nlet 1 w $X.a $a\n[t=i64] l extsw $1\n[t=i8|i16] w $N $1\nw copy $1",
  itof = "[a=i64] $T sltof $a\n[a=i32] $T swtof $a\nlet 1 w $X.a $a\n$T swtof $1",
  utof = "[a=i64] $T ultof $a\nlet 1 l extuw $a\n$T sltof $1",
  bitcast = "[a=f32|f64,!t=f32|f64] $T cast $a\n[!a=f32|f64,t=f32|f64] $T cast $a\n$T copy $a",
  ftoi = "[a=f32,t=i32] let 1 w cges $a, s_-2147483648\n"
    .. "[a=f64,t=i32] let 1 w cgtd $a, d_-2147483649\n[t=i32] let 2 w clt$T.a $a, $T.a_2147483648\n"
    .. "[t=i64] let 1 w cge$T.a $a, $T.a_-9223372036854775808\n"
    .. "[t=i64] let 2 w clt$T.a $a, $T.a_9223372036854775808\n[t=i32|i64] let 3 w and $1, $2\n"
    .. "[t=i32|i64] let 4 w xor $3, 1\n[t=i32|i64] trap $4: it does not fit $t\n"
    .. "[t=i32|i64] $T $T.atosi $a",
}
for op in ("add sub mul div"):gmatch "%w+" do rows["f" .. op] = ("$T %s $a, $b"):format(op) end
for op in ("eq ne lt le gt ge"):gmatch "%w+" do
  rows["f" .. op] = ("w c%s$T.a $a, $b"):format(op)
end

-- Lines for narrow integers, of a result or an operand, and one for others. Operands with signs are
-- $8 and $9.
local function sized(narrow, wide, which)
  local test = ("[%s=i1|i8|i16"):format(which or "t")
  return narrow:gsub("[^\n]+", function(line)
    return line:find "^%[" and test .. "," .. line:sub(2) or test .. "] " .. line
  end) .. "\n" .. wide
end
local SIGNED <const> = "let 8 w $X.a $a\nlet 9 w $X.b $b\n"

for op, text in pairs { add = "add $a, $b", sub = "sub $a, $b", mul = "mul $a, $b",
  neg = "neg $a", bnot = "xor $a, -1", trunc = "copy $a" } do
  rows[op] = sized("let 1 w " .. text .. "\nw $N $1", "$T " .. text)
end
for op, name in pairs { band = "and", bor = "or", bxor = "xor" } do
  rows[op] = ("$T %s $a, $b"):format(name)
end
for op, first in pairs { shl = "copy", shr = "copy", sar = "$X" } do -- QBE: modulo the size
  rows[op] = sized(("[t=i1] w copy $a\nlet 1 w and $b, $(w-1)\nlet 2 w %s $a\n"
    .. "let 3 w %s $2, $1\nw $N $3"):format(first, op), ("$T %s $a, $b"):format(op))
end

local ZERO <const> = "[traps] let 1 w ceq$T $b, 0\ntrap $1: division by zero\n"
local FITS <const> = "[traps] let 2 w ceq$T $a, $(1<<w-1)\n[traps] let 3 w ceq$T $b, $((1<<w)-1)\n"
  .. "[traps] let 4 w and $2, $3\ntrap $4: the quotient does not fit $t\n"
rows.udiv, rows.urem = ZERO .. "$T udiv $a, $b", ZERO .. "$T urem $a, $b"
rows.sdiv = ZERO .. FITS .. sized(SIGNED .. "let 5 w div $8, $9\nw $N $5", "$T div $a, $b")
rows.srem = ZERO .. sized(SIGNED .. "let 5 w rem $8, $9\nw $N $5", -- by 1 instead of -1
  "let 2 $T ceq$T $b, -1\nlet 3 $T add $2, $2\nlet 4 $T add $b, $3\n$T rem $a, $4")

-- A comparison; `to`: what precedes it.
local function compare(name, to)
  local wide = ("%sw c%s$T.a $a, $b"):format(to, name)
  if not name:find "^s" then return wide end
  return sized(SIGNED .. ("%sw c%sw $8, $9"):format(to, name), "[!a=i1|i8|i16] " .. wide, "a")
end
for name in ("eq ne slt sle sgt sge ult ule ugt uge"):gmatch "%w+" do
  rows[name] = compare(name, "")
end

-- The first operand where $1 is 1, the second one where it is 0.
local CHOICE <const> = "let 2 $I $E $1\nlet 3 $I sub 0, $2\nlet 4 $I $K %s\nlet 5 $I $K %s\n"
  .. "let 6 $I xor $4, $5\nlet 7 $I and $6, $3\nlet 8 $I xor $7, $5\n$T $K $8"
rows.select = "let 1 w copy $a\n" .. CHOICE:format("$b", "$c")
for op, name in pairs { smin = "slt", smax = "sgt", umin = "ult", umax = "ugt" } do
  rows[op] = compare(name, "let 1 ") .. "\n" .. CHOICE:format("$a", "$b")
end

local BYTES <const> = { f32 = { "<f", "<I4" }, f64 = { "<d", "<i8" } }
local MASKS <const> = { i8 = 0xff, i16 = 0xffff }

return phial.exporter {
  name = "QBE", help = "QBE's intermediate language", types = types, rows = rows, longest = 60,
  value = "%$v =", label = "@$v", incoming = "@$>1 $a", argument = "$P $a",
  trap = "call $$abort()\nhlt",
  constant = function(type, value) -- floats by their bits
    if type == "i1" then return value and "1" or "0" end
    local from, to = table.unpack(BYTES[type] or {})
    if from then value = string.unpack(to, string.pack(from, value)) end
    return ("%d"):format(value & (MASKS[type] or -1))
  end,
  frame = function(fn, it)
    local type = fn:result()
    local result = type and (types[type].P or error(it.name .. ": QBE returns no " .. type, 0))
    return ("%sfunction %s$%s(%s) {\n%s\n}"):format(it.is_exported and "export " or "",
      result and result .. " " or "", it.name, it.params, it.body)
  end,
}
