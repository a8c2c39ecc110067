--- Memory, addresses, and further arguments.
local M = {}

-- {== Accesses ==========================================================

-- In memory an i1 is a byte, 0 or 1. LLVM: accesses are aligned to the size of their type; LLVM 14
-- and before have types of pointers.
for kind, how in pairs { [""] = { "", "$A" }, _unaligned = { "", "1" },
  _volatile = { "volatile ", "$A" } } do
  local options = { KIND = how[1], ALIGN = how[2], BYTES = how[2]:gsub("A", "A.b") }
  M["load" .. kind] = { c = ("@phial_load%s_$t($=a)"):format(kind), llvm = ([[
    [t=i1] let 1 load KINDi8, $P $a, align 1
    [t=i1] trunc i8 $1 to i1
    [typed,!t=i8] let 1 bitcast i8* $a to $T*
    [typed,!t=i8] load KIND$T, $T* $1, align ALIGN
    load KIND$T, $P $a, align ALIGN]]):gsub("%u%u+", options), lua = ([[
    set @loadLUA_$t($=a)
    do if $v == nil then @fault($w(loadKIND of $t at ), $a, $B, false) end]])
    :gsub("%u%u+", { KIND = kind, LUA = kind == "_unaligned" and kind or "" }) }
  M["store" .. kind] = { c = ("do @phial_store%s_$t.b($=a, $=b);"):format(kind), llvm = ([[
    [b=i1] let 1 zext i1 $b to i8
    [b=i1] do store KINDi8 $1, $P.b $a, align 1
    [typed,!b=i1|i8] let 1 bitcast i8* $a to $T.b*
    [typed,!b=i1|i8] do store KIND$T.b $b, $T.b* $1, align BYTES
    [typed,b=i8] do store KINDi8 $b, i8* $a, align 1
    [!typed,!b=i1] do store KIND$T.b $b, ptr $a, align BYTES]]):gsub("%u%u+", options), lua = ([[
    do if not @storeLUA_$t.b($=a, $=b) then @fault($w(storeKIND of $t.b at ), $a, $B.b, true) end]])
    :gsub("%u%u+", { KIND = kind, LUA = kind == "_unaligned" and kind or "" }) }
end

-- C: the operands of memcpy may be equal.
local SET_OR_MOVE <const> = "need string\ndo %s($=a, $=b, (size_t)$c);"
for _, name in ipairs { "memcpy", "memmove" } do
  M[name] = { c = SET_OR_MOVE:format "memmove", llvm = ([[
    declare declare void $@llvm.%s.$Q.a.$Q.a.i64($T.a, $T.a, i64, i1)
    do call void $@llvm.%s.$Q.a.$Q.a.i64($T.a $a, $T.a $b, i64 $c, i1 false)]]):format(name, name),
    lua = ("do @done($w, @%s($=a, $=b, $=c))"):format(name == "memcpy" and "copy" or "move") }
end
M.memset = { c = SET_OR_MOVE:format "memset", llvm = [[
  declare declare void $@llvm.memset.$Q.a.i64($T.a, i8, i64, i1)
  do call void $@llvm.memset.$Q.a.i64($T.a $a, i8 $b, i64 $c, i1 false)]],
  lua = "do @done($w, @fill($=a, $=b, $=c))" }

-- }== Addresses =========================================================

M.ptradd = {
  c = "[b<0] @phial_ptradd($=a, $+b)\n@phial_ptradd($=a, $=b)",
  llvm = "getelementptr i8, $T $a, i64 $b",
  lua = "$a + $b",
  smt = "(bvadd $a $b)",
}

-- C: the bytes are those of an array of the function, of which the value is the name, unless it is
-- in a variable with others. LLVM: all allocas are at the top: after a check that can trap they
-- would be in another block than the first, and LLVM would move the stack pointer each time; its
-- sroa and mem2reg promote an array, not so many bytes.
M.alloca = {
  c = function(code, v)
    local args = code:args(v)
    local size, align = code:handle(args[1]):const(), code:handle(args[2]):const()
    local _, _, name, _, _, _, shared = code.w:about(v)
    local array = shared and code.w:take(name .. "_bytes") or name
    code.arrays[#code.arrays + 1] = ("_Alignas(%d) char %s[%d]"):format(align, array,
      math.max(size, 1))
    if shared then code.w:set(v, array) end
  end,
  llvm = [[
    top
    [typed] let 1 alloca [$a x i8], align $b
    [typed] bitcast [$a x i8]* $1 to i8*
    alloca [$a x i8], align $b]],
  lua = "set @alloca($=a, $=b)\ntrap not $v: stack overflow: there is no memory for it",
}

M.address = {
  c = { expr = function(code, v)
    local text = code.texts[code:handle(v):data()]
    return text or code:refuse(v, "it is not known what has this address"), true
  end },
  llvm = "bitcast $T $f to $T",
  lua = { expr = function(code, v) return code:address(v), true end },
}

local function refuse(code, v)
  code:refuse(v, "it is not known whether the write that op 'may' stands for has happened")
end

M.may = { c = refuse, llvm = refuse, lua = refuse }

-- }== Further arguments =================================================

local function list_at(code, arg)
  return ("%s(%s)"):format(code:need "phial_list", code:bare(arg))
end

-- rest: of the call in C, after the first argument; count: of lists.
local function on_list(name, count, rest)
  M[name] = {
    c = function(code, v)
      local args = code:args(v)
      code:line("%s(%s%s);", name, list_at(code, args[1]), rest and ", " .. rest(code, args) or "")
    end,
    llvm = ([[
      declare declare void $@llvm.NAME(%s)
      do call void $@llvm.NAME(%s)]]):format(count == 2 and "$T.a, $T.a" or "$T.a",
      count == 2 and "$T.a $a, $T.a $b" or "$T.a $a"):gsub("NAME", name),
  }
end

on_list("va_end", 1)
M.va_end.lua = "do @va_end($w, $=a)"
on_list("va_start", 1, function(code)
  local params = code:parameters()
  return params[#params].given
end)
on_list("va_copy", 2, function(code, args) return list_at(code, args[2]) end)
-- A va_list of Lua has the address of the next argument, and that after the last one.
M.va_start.lua = "[frame] do @va_start($w, $=a, F.va)\n[!frame] do @va_start($w, $=a, va)"
M.va_copy.lua = "do @done($w, @move($=a, $=b, 16))"

-- What an argument becomes in C that no parameter takes.
local PROMOTED = { i1 = "int", i8 = "int", i16 = "int", f32 = "double" }

M.va_arg = {
  c = { expr = function(code, v)
    local own = code:type_of(v)
    local type = PROMOTED[own]
    local text = ("va_arg(%s, %s)"):format(list_at(code, code:args(v)[1]),
      type or code.types.name(own))
    return type and ("(%s)%s"):format(code.types.name(own), text) or text, true
  end },
  llvm = [[
    [t=i1|i8|i16] let 1 va_arg $T.a $a, i32
    [t=i1|i8|i16] trunc i32 $1 to $t
    [t=f32] let 1 va_arg $T.a $a, double
    [t=f32] fptrunc double $1 to float
    va_arg $T.a $a, $T]],
  -- integers and addresses have 64 bits each, floats those of an f64
  lua = [[
    [t=f32] set @f32(@va_arg($w, $=a, @load_f64))
    [!t=f32] set @va_arg($w, $=a, @load_$t)]],
}

-- }======================================================================

return M
