-- What expressions denote: values, and places in SSA form or in memory, of types of C. Loads,
-- stores, conversions and arithmetic.
local Parser = require "minic.parser"
local types = require "minic.types"

---@class minic.Operand
---@field type minic.Type
---@field value phial.Value? a value that is not in memory
---@field var phial.Variable? a variable in SSA form
---@field at phial.Value? in memory: the address; of a function, too
---@field bits { at: integer, width: integer }? of a bit-field, in the unit at the address
---@field temporary boolean? in memory, but not something to assign to
---@field unaligned boolean? it may lie at any address

-- {== Places ==========================================================

--- True if it can be assigned to.
---@param e minic.Operand
---@return boolean
function Parser.is_place(e) return e.var ~= nil or e.at ~= nil and not e.temporary end

local UNALIGNED <const> = { align = 1 }

local function load(fn, e)
  if e.type.volatile then return fn:load_volatile(e.at, e.type.ir) end
  return fn:load(e.at, e.type.ir, e.unaligned and UNALIGNED or nil)
end

local function store(fn, e, value)
  if e.type.volatile then return fn:store_volatile(e.at, value) end
  fn:store(e.at, value, e.unaligned and UNALIGNED or nil)
end

-- The bits of a field, of a unit that has been loaded; or what is left of a value there.
local function field_bits(fn, type, unit, at, width)
  local all = type.size * 8
  local left = fn:shl(unit, fn:const(all - at - width, unit:type()))
  return fn[type.signed and "sar" or "shr"](fn, left, fn:const(all - width, unit:type()))
end

local function unit_type(e) return "i" .. e.type.size * 8 end

local function load_bits(fn, e)
  local unit = fn:load(e.at, unit_type(e))
  local value = field_bits(fn, e.type, unit, e.bits.at, e.bits.width)
  return e.type.ir == "i1" and fn:trunc(value, "i1") or value
end

local function store_bits(fn, e, value)
  local type, at, width = unit_type(e), e.bits.at, e.bits.width
  local mask = width == 64 and -1 or (1 << width) - 1
  if e.type.ir == "i1" then value = fn:zext(value, type) end
  local others = fn:band(fn:load(e.at, type), fn:const(~(mask << at) << 64 - e.type.size * 8
    >> 64 - e.type.size * 8, type))
  local own = fn:shl(fn:band(value, fn:const(mask, type)), fn:const(at, type))
  fn:store(e.at, fn:bor(others, own))
  if e.type.ir == "i1" then return fn:trunc(value, "i1") end
  return field_bits(fn, e.type, value, 0, width)
end

-- A bit-field that an int can hold is one in arithmetic.
local function read_type(e)
  local is_int = e.bits and e.type.rank <= 3 and (e.bits.width < 32 or e.type.signed)
  return is_int and types.int or types.plain(e.type)
end

--- The operand as a value: what a place holds; the address of an array or function.
---@param e minic.Operand
---@return minic.Operand
function Parser:rvalue(e)
  local fn, type = self.fn, e.type
  if e.value then return e end
  if e.symbol then return { type = types.pointer(type), value = fn:address(e.symbol.global) } end
  if type.kind == "array" then return { type = types.pointer(type.to), value = e.at } end
  if type.kind == "function" then return { type = types.pointer(type), value = e.at } end
  if e.var then return { type = types.plain(type), value = fn:read(e.var) } end
  if type.kind == "struct" then
    return { type = types.plain(type), at = e.at, temporary = true, initial = e.initial }
  end
  if not type.ir then
    self:problem(nil, "a value of type '%s' cannot be used", types.shown(type))
  end
  if e.bits then
    return self:cast({ type = types.plain(type), value = load_bits(fn, e) }, read_type(e))
  end
  return { type = types.plain(type), value = load(fn, e) }
end

--- Stores an operand of the type of the place. Returns what the place holds then.
---@param e minic.Operand
---@param from minic.Operand
---@return minic.Operand
function Parser:store(e, from)
  local fn, value = self.fn, from.value
  if e.var then
    fn:write(e.var, value)
  elseif e.type.kind == "struct" then
    if e.type.size > 0 then fn:memcpy(e.at, from.at, fn:const(e.type.size)) end
    return { type = types.plain(e.type), at = e.at, temporary = true }
  elseif e.bits then
    value = store_bits(fn, e, value)
  else
    store(fn, e, value)
  end
  return { type = types.plain(e.type), value = value }
end

--- Assigns, with the conversion of an assignment.
---@param e minic.Operand
---@param from minic.Operand
---@param at minic.Token
---@return minic.Operand
function Parser:assign(e, from, at)
  if not self.is_place(e) or e.type.kind == "array" or e.type.kind == "function" then
    self:problem(at, "this cannot be assigned to")
  end
  if e.type.const then
    self:problem(at, "this cannot be assigned to: its type is '%s'", types.shown(e.type))
  end
  return self:store(e, self:converted(from, e.type, at))
end

--- The member of a struct or union.
---@param e minic.Operand
---@param name minic.Token
---@return minic.Operand
function Parser:member(e, name)
  if e.type.kind ~= "struct" then
    self:problem(name, "a value of type '%s' has no members", types.shown(e.type))
  end
  local field, offset = types.field(e.type, name.text)
  if not field then
    self:problem(name, "'%s' has no member '%s'", types.shown(e.type), name.text)
  end
  return self:part(e, field, offset)
end

---@param e minic.Operand
---@param field minic.Field
---@param offset integer
---@return minic.Operand
function Parser:part(e, field, offset)
  local whole = e.type
  return { type = types.qualified(field.type, whole.const, whole.volatile), bits = field.bits,
    at = self:offset(e.at, offset), temporary = e.temporary,
    unaligned = e.unaligned or offset % field.type.align ~= 0 or whole.align < field.type.align }
end

function Parser:offset(at, n) return n == 0 and at or self.fn:ptradd(at, self.fn:const(n)) end

--- New memory of the function, for a value in memory.
---@param type minic.Type
---@return phial.Value
function Parser:memory(type)
  return self.fn:alloca(math.max(type.size, 1), type.align)
end

-- }== Conversions =====================================================

---@param value number
---@param type minic.Type
---@return minic.Operand
function Parser:constant(value, type)
  return { type = type, value = self.fn:const(value, type.ir) }
end

--- What an operand means as a condition, an i1.
---@param e minic.Operand
---@param at minic.Token?
---@return phial.Value
function Parser:truth(e, at)
  local fn, it = self.fn, self:rvalue(e)
  if not it.value then
    self:problem(at, "a value of type '%s' is no condition", types.shown(e.type))
  end
  if it.type.ir == "i1" then return it.value end
  if it.type.kind == "float" then return fn:fne(it.value, fn:const(0.0, it.type.ir)) end
  return fn:ne(it.value, fn:const(0, it.type.ir))
end

-- Integers to integers.
local function resized(fn, value, from, to)
  if from.size == to.size and from.ir ~= "i1" then return value end
  if to.size < from.size then return fn:trunc(value, to.ir) end
  return fn[from.signed and "sext" or "zext"](fn, value, to.ir)
end

local CASTS = {}
function CASTS.int_int(fn, v, from, to) return resized(fn, v, from, to) end
function CASTS.int_float(fn, v, from, to)
  return fn[from.signed and "itof" or "utof"](fn, v, to.ir)
end
function CASTS.float_int(fn, v, _, to) return fn[to.signed and "ftoi" or "ftou"](fn, v, to.ir) end
function CASTS.float_float(fn, v, from, to)
  if from.ir == to.ir then return v end
  return fn[to.ir == "f64" and "fpromote" or "fdemote"](fn, v, to.ir)
end
function CASTS.pointer_pointer(_, v) return v end
function CASTS.int_pointer(fn, v, from)
  return fn:bitcast(resized(fn, v, from, types.long), "ptr")
end
function CASTS.pointer_int(fn, v, _, to)
  return resized(fn, fn:bitcast(v, "i64"), types.long, to)
end

--- A cast: the value of an operand as another type.
---@param e minic.Operand
---@param type minic.Type
---@param at minic.Token?
---@return minic.Operand
function Parser:cast(e, type, at)
  type = types.plain(type)
  if type.kind == "void" then return { type = type } end
  local it = self:rvalue(e)
  if type.kind == "struct" and types.same(it.type, type) then return it end
  if type.ir == "i1" and it.value then return { type = type, value = self:truth(it) } end
  local cast = CASTS[it.type.kind .. "_" .. type.kind]
  if not cast or not it.value then
    self:problem(at, "a value of type '%s' cannot be converted to '%s'", types.shown(e.type),
      types.shown(type))
  end
  return { type = type, value = cast(self.fn, it.value, it.type, type) }
end

--- True of a constant 0, which is a null pointer where a pointer is wanted.
---@param e minic.Operand
---@return boolean
function Parser.is_zero(e)
  return e.value ~= nil and (e.type.kind == "int" or e.type.kind == "pointer")
    and (e.value:const() == 0 or e.value:const() == false)
end

--- The conversion of an assignment or argument.
---@param e minic.Operand
---@param type minic.Type
---@param at minic.Token
---@return minic.Operand
function Parser:converted(e, type, at)
  local it = self:rvalue(e)
  local mixed = it.type.kind ~= type.kind and type.ir ~= "i1"
    and (it.type.kind == "pointer" or type.kind == "pointer")
  if mixed and not self.is_zero(it) then
    self:problem(at, "a value of type '%s' cannot become '%s' without a cast", types.shown(it.type),
      types.shown(type))
  end
  return self:cast(it, type, at)
end

--- The conversion of an argument whose parameter has no type.
---@param e minic.Operand
---@return minic.Operand
function Parser:promoted(e)
  local it = self:rvalue(e)
  if it.type.kind == "float" then return self:cast(it, types.double) end
  return it.type.kind == "int" and self:cast(it, types.promoted(it.type)) or it
end

-- }== Arithmetic ======================================================

-- The ops for signed integers, unsigned ones and pointers, and floats.
local OPS <const> = {
  ["+"] = { "add", "add", "fadd" }, ["-"] = { "sub", "sub", "fsub" },
  ["*"] = { "mul", "mul", "fmul" }, ["/"] = { "sdiv", "udiv", "fdiv" },
  ["%"] = { "srem", "urem" }, ["&"] = { "band", "band" }, ["|"] = { "bor", "bor" },
  ["^"] = { "bxor", "bxor" }, ["<<"] = { "shl", "shl" }, [">>"] = { "sar", "shr" },
  ["=="] = { "eq", "eq", "feq" }, ["!="] = { "ne", "ne", "fne" }, ["<"] = { "slt", "ult", "flt" },
  ["<="] = { "sle", "ule", "fle" }, [">"] = { "sgt", "ugt", "fgt" },
  [">="] = { "sge", "uge", "fge" }
}
local COMPARES <const> = { ["=="] = 1, ["!="] = 1, ["<"] = 1, ["<="] = 1, [">"] = 1, [">="] = 1 }

local function refuse(self, op, l, r)
  self:problem(op, "'%s' is not defined for '%s' and '%s'", op.text, types.shown(l.type),
    types.shown(r.type))
end

-- An element size times an index, as the offset of an address.
local function scaled(self, pointer, index, op)
  local size = pointer.type.to.size or pointer.type.to.kind ~= "struct" and 1
  if not size then self:problem(op, "'%s' is incomplete", types.shown(pointer.type.to)) end
  local n = self:cast(index, index.type.size < 8 and types.long or index.type)
  return self.fn:mul(n.value, self.fn:const(size))
end

local function pointer_sum(self, op, pointer, index)
  local n = scaled(self, pointer, index, op)
  if op.kind:sub(1, 1) == "-" then n = self.fn:neg(n) end
  return { type = pointer.type, value = self.fn:ptradd(pointer.value, n) }
end

local function pointer_difference(self, l, r)
  local fn, size = self.fn, l.type.to.size or 1
  local n = fn:sub(fn:bitcast(l.value, "i64"), fn:bitcast(r.value, "i64"))
  return { type = types.long, value = size > 1 and fn:sdiv(n, fn:const(size)) or n }
end

-- Pointers, or a pointer and 0.
local function compare_pointers(self, name, l, r, op)
  if not (l.type.kind == r.type.kind or self.is_zero(l) or self.is_zero(r)) then
    refuse(self, op, l, r)
  end
  local a, b = self:cast(l, types.pointer(types.void)), self:cast(r, types.pointer(types.void))
  return self.fn[name](self.fn, a.value, b.value)
end

local function with_pointers(self, op, name, l, r)
  local left, right = l.type.kind == "pointer", r.type.kind == "pointer"
  if name == "+" and not right and r.type.kind == "int" then return pointer_sum(self, op, l, r) end
  if name == "+" and not left and l.type.kind == "int" then return pointer_sum(self, op, r, l) end
  if name == "-" and left and r.type.kind == "int" then return pointer_sum(self, op, l, r) end
  if name == "-" and left and right then return pointer_difference(self, l, r) end
  if not COMPARES[name] then refuse(self, op, l, r) end
  local bit = compare_pointers(self, OPS[name][2], l, r, op)
  return { type = types.int, value = self.fn:zext(bit, "i32") }
end

--- A binary operator that evaluates both sides.
---@param op minic.Token also one that assigns, as `+=`
---@param l minic.Operand
---@param r minic.Operand
---@return minic.Operand
function Parser:arithmetic(op, l, r)
  local name = COMPARES[op.kind] and op.kind or op.kind:gsub("=$", "")
  if op.kind == "++" or op.kind == "--" then name = op.kind:sub(1, 1) end
  l, r = self:rvalue(l), self:rvalue(r)
  if l.type.kind == "pointer" or r.type.kind == "pointer" then
    return with_pointers(self, op, name, l, r)
  end
  if not (types.is_arithmetic(l.type) and types.is_arithmetic(r.type)) then
    refuse(self, op, l, r)
  end
  local shift = name == "<<" or name == ">>"
  local type = shift and types.promoted(l.type) or types.common(l.type, r.type)
  local how = OPS[name][type.kind == "float" and 3 or type.signed and 1 or 2]
  if not how or shift and r.type.kind ~= "int" then refuse(self, op, l, r) end
  l, r = self:cast(l, type), self:cast(r, type)
  self:locate(op)
  local value = self.fn[how](self.fn, l.value, r.value)
  if not COMPARES[name] then return { type = type, value = value } end
  return { type = types.int, value = self.fn:zext(value, "i32") }
end

--- Gives what follows the position of a token.
---@param token minic.Token
function Parser:locate(token) self.fn:set_loc(token.line, token.col, token.file) end

-- }=====================================================================
