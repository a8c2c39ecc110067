-- Initializers: which parts of an object get which values. Braces can be left out, and parts
-- named, as C allows.
local Parser = require "minic.parser"
local types = require "minic.types"

---@class minic.Part
---@field offset integer
---@field type minic.Type
---@field bits { at: integer, width: integer }?
---@field e minic.Operand

local fill

-- Forgets what an earlier initializer gave to these bytes.
local function clear(parts, offset, size)
  for i = #parts, 1, -1 do
    local part = parts[i]
    if part.offset >= offset and part.offset < offset + size then table.remove(parts, i) end
  end
end

-- The members of a struct that get values.
local function named(type)
  local plain = types.plain(type)
  if not plain.members then
    plain.members = {}
    for _, field in ipairs(plain.fields or {}) do
      if field.name or field.type.fields then table.insert(plain.members, field) end
    end
  end
  return plain.members
end

-- The i-th member of an array or struct, from 0: its type, where it is, and its bits.
local function member(self, type, offset, i)
  if type.kind == "array" then
    if type.count and i >= type.count then
      self:problem(nil, "the array has %d elements", type.count)
    end
    return type.to, offset + i * type.to.size
  end
  local field = named(type)[i + 1]
  if not field then self:problem(nil, "'%s' has no further member", types.shown(type)) end
  return field.type, offset + field.offset, field.bits
end

local function count_of(type)
  if type.kind == "array" then return type.count or math.huge end
  return type.union and math.min(#named(type), 1) or #named(type)
end

-- The number of the member that a designator names; in an anonymous struct, that of this.
local function designated(self, type)
  if type.kind == "array" and self:accept "[" then
    local i = self:integer_constant()
    self:expect "]"
    return i
  end
  self:expect "."
  local name = self:expect "name"
  for i, field in ipairs(named(type)) do
    if field.name == name.text then return i - 1 end
    if not field.name and types.field(field.type, name.text) then
      self:go_to(self.at - 2)
      return i - 1, true
    end
  end
  self:problem(name, "'%s' has no member '%s'", types.shown(type), name.text)
end

local function at_designator(self) return self.token.kind == "[" or self.token.kind == "." end

-- The members of an array or struct, in braces or without; returns how many it has.
local function members(self, type, offset, parts, braced, first)
  local i, most = 0, 0
  while first or not braced or self.token.kind ~= "}" do
    if at_designator(self) and not first then
      local inner
      i, inner = designated(self, type)
      local of, where, bits = member(self, type, offset, i)
      if not bits then clear(parts, where, type.union and type.size or of.size) end
      if inner or at_designator(self) then
        members(self, of, where, parts, false)
      else
        self:expect "="
        fill(self, of, where, parts, bits)
      end
    else
      local of, where, bits = member(self, type, offset, i)
      fill(self, of, where, parts, bits, first)
      first = nil
    end
    i = i + 1
    most = math.max(most, i)
    local follows = self:peek(1).kind
    if self.token.kind ~= "," or not braced and (i >= count_of(type) or follows == "}"
      or follows == "[" or follows == ".") then
      break
    end
    self:next()
  end
  return most
end

local function is_text(self, type)
  return type.kind == "array" and type.to.kind == "int" and self.token.kind == "string"
    and type.to.size == (self.token.wide and 4 or 1)
end

-- A string for an array of characters; returns its length.
local function text(self, type, offset, parts, e)
  local bytes = e.literal
  local size = type.to.size
  local most = type.count or #bytes // size + 1
  for i = 0, math.min(most, #bytes // size) - 1 do
    local code = ("<i" .. size):unpack(bytes, i * size + 1)
    parts[#parts + 1] = { offset = offset + i * size, type = type.to,
      e = self:constant(code, types.plain(type.to)) }
  end
  return most
end

-- Fills an object from what follows, or from an expression that has been read; returns the
-- number of elements of an array.
function fill(self, type, offset, parts, bits, first)
  local at = self.token
  if first and first.literal and type.kind == "array" and type.to.size == first.type.to.size
    or not first and is_text(self, type) then
    return text(self, type, offset, parts, first or self:unary())
  end
  if not first and self:accept "{" then
    local count
    if is_text(self, type) then
      count = text(self, type, offset, parts, self:unary())
      self:accept ","
    elseif type.kind == "array" or type.kind == "struct" then
      count = members(self, type, offset, parts, true)
    elseif self.token.kind ~= "}" then
      fill(self, type, offset, parts, bits)
      self:accept ","
    end
    self:expect "}"
    return count or 0
  end
  local e = first or type.kind ~= "array" and self:assignment()
  if type.kind == "array"
    or type.kind == "struct" and not types.same(types.plain(e.type), types.plain(type)) then
    if count_of(type) > 0 then return members(self, type, offset, parts, false, e or nil) end
  end
  e = self:converted(e, type, at)
  parts[#parts + 1] = { offset = offset, type = type, bits = bits, e = e }
end

-- The parts of an object, and its type, with the number of elements if that was not known.
local function read(self, type)
  local parts, at = {}, self.token
  local count = fill(self, type, 0, parts)
  if type.kind == "array" and not type.count then
    if not count then self:problem(at, "this does not initialize an array") end
    type = types.array(type.to, count)
  end
  return parts, type
end

-- {== Objects of a function ===========================================

--- The initial value of a local object, behind the `=`.
---@param symbol minic.Symbol
function Parser:initialize(symbol)
  local fn = self.fn
  local parts, type = read(self, symbol.type)
  if not symbol.type.size then
    symbol.type = type
    symbol.at = self:memory(type)
  end
  if not symbol.at then
    fn:write(symbol.var, parts[1] and parts[1].e.value or self:constant(0, type).value)
    return
  end
  if (type.kind == "array" or type.kind == "struct") and type.size > 0 then
    fn:memset(symbol.at, fn:const(0, "i8"), fn:const(type.size))
  end
  for _, part in ipairs(parts) do
    self:store({ type = part.type, at = self:offset(symbol.at, part.offset), bits = part.bits,
      unaligned = part.offset % part.type.align ~= 0 }, part.e)
  end
end

-- }== Objects with values from the start ==============================

-- A constant address: the name of what it is in, and an offset.
local function address(value)
  if value:op() == "bitcast" then return address(value:args()[1]) end
  if value:op() == "address" then return value:data(), 0 end
  if value:op() ~= "ptradd" then return nil end
  local base, offset = table.unpack(value:args())
  local name, more = address(base)
  if name and offset:const() then return name, more + offset:const() end
end

-- Adds a bit-field to the bytes by their offsets.
local function add_bits(bytes, part, value)
  local mask = part.bits.width == 64 and -1 or (1 << part.bits.width) - 1
  for i = 0, part.type.size - 1 do
    local own = mask << part.bits.at >> 8 * i & 0xFF
    local at = part.offset + i
    local bits = (value & mask) << part.bits.at >> 8 * i & 0xFF
    if own ~= 0 then bytes[at] = (bytes[at] or 0) & ~own | bits end
  end
end

-- Adds a part to the runs, or to the bytes of bit-fields.
local function add_constant(self, part, runs, bytes, at)
  local e, ir = part.e, part.type.ir
  for _, run in ipairs(e.initial or {}) do
    runs[#runs + 1] = { part.offset + run[1], run[2], run[3] }
  end
  if e.initial then return end
  local value = e.value and e.value:const()
  if part.bits and value ~= nil then
    return add_bits(bytes, part, value == true and 1 or value or 0)
  elseif value == nil then
    local name, offset = address(e.value)
    if not name or part.type.size ~= 8 then self:problem(at, "this is not constant") end
    value, ir = self.module:ref(name, offset), "ptr"
  end
  runs[#runs + 1] = { part.offset, ir == "ptr" and math.type(value) and "i64" or ir, value }
end

--- The initial value of an object that exists for the whole run, behind the `=`.
---@param type minic.Type
---@return minic.Type type with the number of elements
---@return phial.Run[] what the module's global gets
function Parser:static_initializer(type)
  local start, parts, complete = self.token, nil, nil
  self:constantly(function() parts, complete = read(self, type) end)
  local runs, bytes = {}, {}
  for _, part in ipairs(parts) do add_constant(self, part, runs, bytes, start) end
  for at, byte in pairs(bytes) do runs[#runs + 1] = { at, "bytes", string.char(byte) } end
  return complete, runs
end

-- }=====================================================================
