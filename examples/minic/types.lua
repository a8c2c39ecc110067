-- Types of C, with the sizes and layouts of 64-bit Unix systems (System V).

---@class minic.Type
---@field kind "void"|"int"|"float"|"pointer"|"array"|"function"|"struct"
---@field name string of a type without parts, as messages have it
---@field size integer? in bytes; nil if the type is incomplete
---@field align integer
---@field ir string? the type of phial; of arrays and structs nil: they are in memory
---@field signed boolean?
---@field rank integer? of a number, as the conversions of C have it
---@field to minic.Type? of a pointer, array or function: the type that it leads to
---@field count integer? of an array
---@field params { name: string?, type: minic.Type }[]? of a function; nil: none are known
---@field variadic boolean?
---@field fields minic.Field[]? of a struct or union, once it is complete
---@field members minic.Field[]? those of the fields that initializers count: not unnamed bits
---@field union boolean?
---@field base minic.Type? of a qualified type: the same without qualifiers
---@field const boolean?
---@field volatile boolean?

---@class minic.Field
---@field name string? none: an anonymous struct or union, or bits without a name
---@field type minic.Type
---@field offset integer
---@field bits { at: integer, width: integer }? of a bit-field: where it is in its unit

local M = {}

M.void = { kind = "void", name = "void", align = 1 }
M._Bool = { kind = "int", name = "_Bool", size = 1, align = 1, rank = 0, ir = "i1" }
for rank, names in ipairs { "char,signed char,unsigned char", "short,unsigned short",
  "int,unsigned int", "long,unsigned long", "long long,unsigned long long" } do
  for name in names:gmatch "[^,]+" do
    local size = math.min(1 << rank - 1, 8)
    M[name] = { kind = "int", name = name, size = size, align = size,
      signed = not name:find "unsigned", rank = rank, ir = "i" .. size * 8 }
  end
end
M.unsigned = M["unsigned int"]
M.float = { kind = "float", name = "float", size = 4, align = 4, rank = 6, ir = "f32" }
M.double = { kind = "float", name = "double", size = 8, align = 8, rank = 7, ir = "f64" }

---@param to minic.Type
---@return minic.Type
function M.pointer(to) return { kind = "pointer", to = to, size = 8, align = 8, ir = "ptr" } end

--- An array; without a count its size is not known yet.
---@param of minic.Type
---@param count integer?
---@return minic.Type
function M.array(of, count)
  return { kind = "array", to = of, count = count, size = count and count * of.size,
    align = of.align }
end

-- An array, so that it is passed as its address.
M.__builtin_va_list = M.array(M.long, 4)

---@param result minic.Type
---@param params { name: string?, type: minic.Type }[]?
---@param variadic boolean?
---@return minic.Type
function M.func(result, params, variadic)
  return { kind = "function", to = result, params = params, variadic = variadic, align = 1 }
end

--- The type with further qualifiers.
---@param type minic.Type
---@param const boolean?
---@param volatile boolean?
---@return minic.Type
function M.qualified(type, const, volatile)
  if not (const or volatile) then return type end
  if type.kind == "array" then return M.array(M.qualified(type.to, const, volatile), type.count) end
  local base = type.base or type
  const, volatile = const or type.const, volatile or type.volatile
  return setmetatable({ base = base, const = const, volatile = volatile }, { __index = base })
end

--- The type without qualifiers.
---@param type minic.Type
---@return minic.Type
function M.plain(type) return type.base or type end

-- {== Questions =======================================================

function M.is_arithmetic(type) return type.kind == "int" or type.kind == "float" end

local function same_params(a, b)
  if not a.params or not b.params then return true end
  local same = #a.params == #b.params and not a.variadic == not b.variadic
  for i, param in ipairs(same and a.params or {}) do
    same = same and M.same(M.plain(param.type), M.plain(b.params[i].type))
  end
  return same
end

--- True if two types are compatible.
---@param a minic.Type
---@param b minic.Type
---@return boolean
function M.same(a, b)
  if not a.const ~= not b.const or not a.volatile ~= not b.volatile then return false end
  a, b = M.plain(a), M.plain(b)
  return a == b or a.kind == b.kind and a.to ~= nil and M.same(a.to, b.to)
    and (not a.count or not b.count or a.count == b.count) and same_params(a, b)
end

--- The type as messages show it.
---@param type minic.Type
---@return string
function M.shown(type)
  local prefix = (type.const and "const " or "") .. (type.volatile and "volatile " or "")
  if type.kind == "pointer" then return M.shown(type.to) .. " *" .. prefix:sub(1, -2) end
  if type.kind == "array" then return ("%s[%s]"):format(M.shown(type.to), type.count or "") end
  if type.kind ~= "function" then return prefix .. type.name end
  local list = {}
  for i, param in ipairs(type.params or {}) do list[i] = M.shown(param.type) end
  if type.variadic then list[#list + 1] = "..." end
  return ("%s(%s)"):format(M.shown(type.to), table.concat(list, ", "))
end

-- }== Conversions =====================================================

--- The type of an integer in arithmetic.
---@param type minic.Type
---@return minic.Type
function M.promoted(type) return (type.rank or 3) < 3 and M.int or M.plain(type) end

--- The type in which an operator computes with operands of two arithmetic types.
---@param a minic.Type
---@param b minic.Type
---@return minic.Type
function M.common(a, b)
  a, b = M.promoted(a), M.promoted(b)
  if a.rank < b.rank then a, b = b, a end
  if a.signed and not b.signed and a.size == b.size then
    return M["unsigned " .. a.name] or a.size > 4 and M["unsigned long"] or M["unsigned int"]
  end
  return (a.rank > b.rank or b.signed) and a or b
end

-- }== Structs and unions ==============================================

local function up(n, align) return (n + align - 1) // align * align end

-- A bit-field lies within a unit of its type; one of width 0 ends the unit before.
local function place_bits(field, at)
  local unit = field.type.size * 8
  if field.width == 0 then return up(at, unit) end
  if at // unit ~= (at + field.width - 1) // unit then at = up(at, unit) end
  field.offset = at // unit * field.type.size
  field.bits = { at = at % unit, width = field.width }
  return at + field.width
end

--- Gives the fields of a struct or union their offsets, and the type its size.
---@param type minic.Type
---@param fields (minic.Field|{ width: integer?, align: integer? })[]
---@param packed boolean?
function M.complete(type, fields, packed)
  local at, largest, align, members = 0, 0, 1, {} -- in bits, except the alignment
  for _, field in ipairs(fields) do
    local own = field.align or packed and 1 or field.type.align
    if type.union then at = 0 end
    if field.width then
      at = place_bits(field, at)
    else
      field.offset = up(at // 8 + (at % 8 > 0 and 1 or 0), own)
      at = (field.offset + (field.type.size or 0)) * 8
    end
    if field.name or not field.width then align = math.max(align, own) end
    if field.name or field.type.fields then table.insert(members, field) end
    largest = math.max(largest, at)
  end
  type.fields, type.members = fields, members
  type.align, type.size = align, up((largest + 7) // 8, align)
end

--- A field by its name, also one in an anonymous member, and its offset.
---@param type minic.Type
---@param name string
---@return minic.Field?
---@return integer offset
function M.field(type, name)
  for _, field in ipairs(type.fields or {}) do
    if field.name == name then return field, field.offset end
    if not field.name and field.type.fields then
      local inner, offset = M.field(field.type, name)
      if inner then return inner, field.offset + offset end
    end
  end
  return nil, 0
end

-- }=====================================================================

return M
