-- What expressions denote: values, and places in SSA form or in memory, of types of C. Loads,
-- stores, conversions and arithmetic.
local Parser = require "minic.parser"
local types = require "minic.types"

---@class minic.Operand
---@field type minic.Type
---@field value phial.Value? a value that is not in memory
---@field var phial.Variable? a variable in SSA form
---@field at phial.Value? in memory: the address; of a function, too
---@field symbol minic.Symbol? a function
---@field bits { at: integer, width: integer }? of a bit-field, in the unit at the address
---@field temporary boolean? in memory, but not something to assign to
---@field unaligned boolean? it may lie at any address

-- {== Places ==========================================================

local UNALIGNED <const> = { align = 1 }

local function load(fn, e)
  if e.type.volatile then return fn:load_volatile(e.at, e.type.ir) end
  return fn:load(e.at, e.type.ir, e.unaligned and UNALIGNED or nil)
end

local function store(fn, e, value)
  if e.type.volatile then return fn:store_volatile(e.at, value) end
  fn:store(e.at, value, e.unaligned and UNALIGNED or nil)
end

-- Bits of the unit at an address.
local function load_bits(fn, e)
  local all, bits = e.type.size * 8, e.bits
  local left = fn:shl(fn:load(e.at, "i" .. all), all - bits.at - bits.width)
  local value = fn:emit(e.type.signed and "sar" or "shr", left, all - bits.width)
  return e.type.ir == "i1" and fn:trunc(value, "i1") or value
end

local function store_bits(fn, e, value)
  local all, at, width = e.type.size * 8, e.bits.at, e.bits.width
  local ir, mask = "i" .. all, width == 64 and -1 or (1 << width) - 1
  if e.type.ir == "i1" then value = fn:zext(value, ir) end
  local others = fn:band(fn:load(e.at, ir), ~(mask << at) << 64 - all >> 64 - all)
  fn:store(e.at, fn:bor(others, fn:shl(fn:band(value, mask), at)))
  return load_bits(fn, e)
end

--- The operand as a value: what a place holds; the address of an array or function.
---@param e minic.Operand
---@return minic.Operand
function Parser:rvalue(e)
  local fn, type = self.fn, e.type
  local plain = types.plain(type)
  if e.value then return e end
  if type.kind == "array" or type.kind == "function" then
    return { type = self.passed_as(type), value = e.at }
  end
  if e.var then return { type = plain, value = fn:read(e.var) } end
  if type.kind == "struct" then
    return { type = plain, at = e.at, temporary = true, initial = e.initial }
  end
  self:check(type.ir, nil, "a value of type '%s' cannot be used", type)
  if not e.bits then return { type = plain, value = load(fn, e) } end
  -- a bit-field that an int can hold is one in arithmetic, else an unsigned int if that can
  local width = e.bits.width
  local is_int, is_unsigned = width < 32 or width == 32 and type.signed, width == 32
  return self:cast({ type = plain, value = load_bits(fn, e) },
    is_int and types.int or is_unsigned and types.unsigned or plain)
end

--- Stores an operand of the type of the place. Returns what the place holds then.
---@param e minic.Operand
---@param from minic.Operand
---@return minic.Operand
function Parser:store(e, from)
  local fn, value, plain = self.fn, from.value, types.plain(e.type)
  if e.type.kind == "struct" then
    if plain.size > 0 then fn:memcpy(e.at, from.at, plain.size) end
    return { type = plain, at = e.at, temporary = true }
  elseif e.var then
    fn:write(e.var, value)
  elseif e.bits then
    value = store_bits(fn, e, value)
  else
    store(fn, e, value)
  end
  return { type = plain, value = value }
end

--- Assigns, with the conversion of an assignment.
---@param e minic.Operand
---@param from minic.Operand
---@param at minic.Token
---@return minic.Operand
function Parser:assign(e, from, at)
  self:check((e.var or e.at and not e.temporary) and e.type.kind ~= "array"
    and e.type.kind ~= "function", at, "this cannot be assigned to")
  self:check(not e.type.const, at, "this cannot be assigned to: its type is '%s'", e.type)
  return self:store(e, self:converted(from, e.type, at))
end

--- The member of a struct or union that a token names.
---@param e minic.Operand
---@param name minic.Token
---@return minic.Operand
function Parser:member(e, name)
  local whole = e.type
  self:check(whole.kind == "struct", name, "a value of type '%s' has no members", whole)
  local field, offset = types.field(whole, name.text)
  self:check(field, name, "'%s' has no member '%s'", whole, name.text)
  return { type = types.qualified(field.type, whole.const, whole.volatile), bits = field.bits,
    at = self:offset(e.at, offset), temporary = e.temporary,
    unaligned = e.unaligned or offset % field.type.align ~= 0 or whole.align < field.type.align }
end

function Parser:offset(at, n) return n == 0 and at or self.fn:ptradd(at, n) end

--- New memory of the function, for something of that type.
---@return phial.Value
function Parser:memory(type, align)
  self:check(type.size, nil, "'%s' is incomplete", type)
  return self.fn:alloca(math.max(type.size, 1), align or type.align)
end

--- A place for the value of an expression that is computed in several blocks.
---@param type minic.Type
---@return minic.Operand
function Parser:junction(type)
  if not type.ir then type = types.pointer(type) end
  if self.body and self.body.twice and self.fn == self.body.fn then
    return { type = types.qualified(type, false, true), at = self:memory(type) }
  end
  return { type = type, var = self.fn:var(nil, type.ir) }
end

-- }== Conversions =====================================================

---@param value number
---@param type minic.Type
---@return minic.Operand
function Parser:constant(value, type)
  return { type = type, value = self.fn:const(value, type.ir) }
end

--- A value as calls have it: of a struct, the address.
---@param type minic.Type
---@param value phial.Value
---@return minic.Operand
function Parser:passed(type, value) -- luacheck: no self
  return { type = type, [type.ir and "value" or "at"] = value, temporary = true }
end

--- An i1 as an int.
function Parser:as_int(bit) return { type = types.int, value = self.fn:zext(bit, "i32") } end

--- What an operand means as a condition, an i1.
---@param e minic.Operand
---@param at minic.Token?
---@return phial.Value
function Parser:truth(e, at)
  local fn, it = self.fn, self:rvalue(e)
  self:check(it.value, at, "a value of type '%s' is no condition", e.type)
  if it.type.ir == "i1" then return it.value end
  if it.type.kind == "float" then return fn:fne(it.value, 0.0) end
  return fn:ne(it.value, 0)
end

-- Integers to integers.
local function resized(fn, value, from, to)
  if from.size == to.size and from.ir ~= "i1" then return value end
  if to.size < from.size then return fn:trunc(value, to.ir) end
  return fn[from.signed and "sext" or "zext"](fn, value, to.ir)
end

local CASTS <const> = { int_int = resized }
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
  self:check(cast and it.value, at, "a value of type '%s' cannot be converted to '%s'", e.type,
    type)
  return { type = type, value = cast(self.fn, it.value, it.type, type) }
end

--- True of a constant 0, which is a null pointer where a pointer is wanted.
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
  self:check(not mixed or self.is_zero(it), at,
    "a value of type '%s' cannot become '%s' without a cast", it.type, type)
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
  ["^"] = { "bxor", "bxor" }, ["<<"] = { "shl", "shl" }, [">>"] = { "sar", "shr" }
}
local COMPARES <const> = {
  ["=="] = { "eq", "eq", "feq" }, ["!="] = { "ne", "ne", "fne" }, ["<"] = { "slt", "ult", "flt" },
  ["<="] = { "sle", "ule", "fle" }, [">"] = { "sgt", "ugt", "fgt" },
  [">="] = { "sge", "uge", "fge" }
}

-- A pointer and an index, which counts elements.
local function pointer_sum(self, op, pointer, index, is_difference)
  local fn, to = self.fn, pointer.type.to
  local size = to.size or to.kind ~= "struct" and 1
  self:check(size, op, "'%s' is incomplete", to)
  local i = self:cast(index, index.type.size < 8 and types.long or index.type)
  local n = fn:mul(i.value, size)
  return { type = pointer.type, value = fn:ptradd(pointer.value, is_difference and fn:neg(n) or n) }
end

local function pointer_difference(self, l, r)
  local fn, size = self.fn, l.type.to.size or 1
  local n = fn:sub(fn:bitcast(l.value, "i64"), fn:bitcast(r.value, "i64"))
  return { type = types.long, value = size > 1 and fn:sdiv(n, size) or n }
end

-- One side is a pointer, or both are; nil if that does not have the operator.
local function with_pointers(self, op, name, l, r)
  local both, r_is_int = l.type.kind == r.type.kind, r.type.kind == "int"
  if (name == "+" or name == "-") and r_is_int then
    return pointer_sum(self, op, l, r, name == "-")
  elseif name == "+" and l.type.kind == "int" then
    return pointer_sum(self, op, r, l)
  elseif name == "-" and both then
    return pointer_difference(self, l, r)
  elseif COMPARES[name] and (both or self.is_zero(l) or self.is_zero(r)) then
    local to = types.pointer(types.void)
    local a, b = self:cast(l, to), self:cast(r, to)
    return self:as_int(self.fn[COMPARES[name][2]](self.fn, a.value, b.value))
  end
end

-- Both sides are numbers; nil if these do not have the operator.
local function with_numbers(self, op, name, l, r)
  local shift = name == "<<" or name == ">>"
  local type = shift and types.promoted(l.type) or types.common(l.type, r.type)
  local how = (OPS[name] or COMPARES[name])[type.kind == "float" and 3 or type.signed and 1 or 2]
  if not how or shift and r.type.kind ~= "int" then return nil end
  l, r = self:cast(l, type), self:cast(r, type)
  self:locate(op)
  local value = self.fn[how](self.fn, l.value, r.value)
  return COMPARES[name] and self:as_int(value) or { type = type, value = value }
end

--- A binary operator that evaluates both sides.
---@param op minic.Token of which an `=` at the end is ignored, except in comparisons
---@param l minic.Operand
---@param r minic.Operand
---@param name string? the operator if it is not the token
---@return minic.Operand
function Parser:arithmetic(op, l, r, name)
  name = name or COMPARES[op.kind] and op.kind or op.kind:gsub("=$", "")
  l, r = self:rvalue(l), self:rvalue(r)
  local result
  if l.type.kind == "pointer" or r.type.kind == "pointer" then
    result = with_pointers(self, op, name, l, r)
  elseif types.is_arithmetic(l.type) and types.is_arithmetic(r.type) then
    result = with_numbers(self, op, name, l, r)
  end
  self:check(result, op, "'%s' is not defined for '%s' and '%s'", op.text, l.type, r.type)
  return result
end

--- Gives what follows the position of a token.
---@param token minic.Token
function Parser:locate(token) self.fn:set_loc(token.line, token.col, token.file) end

-- }=====================================================================
