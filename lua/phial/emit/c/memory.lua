-- Ops on memory. Accesses copy bytes, which defines aliasing and alignment, and of which
-- compilers make one instruction; so does arithmetic with integers for addresses.
local types = require "phial.emit.c.types"

---@type table<string, phial.emit.c.Row>
local rows = {}

rows.load = { expr = function(code, v, a)
  return ("%s(%s)"):format(code:need("phial_load_" .. v.type), a)
end }

rows.store = { stmt = function(code, v)
  local to, value = code:operands(v)
  code:line("%s(%s, %s);", code:need("phial_store_" .. v.args[2].type), to, value)
end }

-- The bytes are those of an array of the function.
rows.alloca = { stmt = function(code, v)
  local size, align = code:known(v.args[1]), code:known(v.args[2])
  local name = code.scope:take(v.name .. "_bytes")
  table.insert(code.program.arrays, ("_Alignas(%d) char %s[%d]"):format(align, name,
    math.max(size, 1)))
  code:set(v, name)
end }

rows.ptradd = { expr = function(code, v, a, b)
  local known = code:known(v.args[2])
  if known and known < 0 then b = types.signed_constant(known) end
  return ("%s(%s, %s)"):format(code:need "phial_ptradd", a, known and b or code:text(v.args[2]))
end }

rows.address = { expr = function(code, v)
  return v.address or code:refuse(v, "it is not known what has this address")
end }

rows.memcpy = { stmt = function(code, v)
  code:need "string"
  -- both may be equal
  code:line("memmove(%s, %s, (size_t)%s);", code:operands(v))
end }

rows.memset = { stmt = function(code, v)
  code:need "string"
  code:line("memset(%s, %s, (size_t)%s);", code:operands(v))
end }

return rows
