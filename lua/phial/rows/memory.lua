--- Memory, addresses, and further arguments.
local M = {}

for _, kind in ipairs { "", "_unaligned", "_volatile" } do
  M["load" .. kind] = { c = ("@phial_load%s_$t($=a)"):format(kind) }
  M["store" .. kind] = { c = ("do @phial_store%s_$t.b($=a, $=b);"):format(kind) }
end

M.ptradd = { c = "[b<0] @phial_ptradd($=a, $+b)\n@phial_ptradd($=a, $=b)" }

-- The operands of memcpy may be equal.
for name, c_name in pairs { memcpy = "memmove", memmove = "memmove", memset = "memset" } do
  M[name] = { c = ("need string\ndo %s($=a, $=b, (size_t)$c);"):format(c_name) }
end

-- The bytes are those of an array of the function, of which the value is the name, unless it is in
-- a variable with others.
M.alloca = { c = function(code, v)
  local args = code:args(v)
  local size, align = code.w:known(args[1]), code.w:known(args[2])
  local _, _, name, _, _, _, shared = code.w:about(v)
  local array = shared and code.scope:take(name .. "_bytes") or name
  code.arrays[#code.arrays + 1] = ("_Alignas(%d) char %s[%d]"):format(align, array,
    math.max(size, 1))
  if shared then code.w:set(v, array) end
end }

M.address = { c = { expr = function(code, v)
  return code.texts[v] or code:refuse(v, "it is not known what has this address"), true
end } }

M.may = { c = function(code, v)
  code:refuse(v, "it is not known whether the write that op 'may' stands for has happened")
end }

local function list_at(code, arg)
  return ("%s(%s)"):format(code:need "phial_list", code:bare(arg))
end

-- rest: of a call, behind the first argument.
local function on_list(name, rest)
  M[name] = { c = function(code, v)
    local args = code:args(v)
    code:line("%s(%s%s);", name, list_at(code, args[1]), rest and ", " .. rest(code, args) or "")
  end }
end

on_list "va_end"
on_list("va_start", function(code) return code.given[#code.given] end)
on_list("va_copy", function(code, args) return list_at(code, args[2]) end)

-- What an argument becomes that no parameter takes.
local PROMOTED = { i1 = "int", i8 = "int", i16 = "int", f32 = "double" }

M.va_arg = { c = { expr = function(code, v)
  local own = code:type(v)
  local type = PROMOTED[own]
  local text = ("va_arg(%s, %s)"):format(list_at(code, code:args(v)[1]),
    type or code.types.name(own))
  return type and ("(%s)%s"):format(code.types.name(own), text) or text, true
end } }

return M
