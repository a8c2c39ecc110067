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

local function add(parts, part)
  parts[#parts + 1] = part
  parts.stop = math.max(parts.stop or 0, part.offset + part.type.size)
end

-- Forgets what an earlier initializer gave to a part.
local function clear(parts, part, size)
  if part.offset >= (parts.stop or 0) then return end
  for i = #parts, 1, -1 do
    local at = parts[i].offset - part.offset
    if at >= 0 and at < size then table.remove(parts, i) end
  end
end

local function members_of(type) return type.members or {} end

local function count_of(type)
  if type.kind == "array" then return type.count or math.huge end
  return type.union and math.min(#members_of(type), 1) or #members_of(type)
end

-- The i-th member of an array or struct, from 0. Of a union only the first one is not named.
local function member(self, whole, i, is_named)
  local type = whole.type
  if type.kind == "array" then
    self:check(i < count_of(type), nil, "the array has %d elements", type.count)
    return { type = type.to, offset = whole.offset + i * type.to.size }
  end
  self:check(is_named or i < count_of(type), nil, "'%s' has no further member", type)
  local field = type.members[i + 1]
  return { type = field.type, offset = whole.offset + field.offset, bits = field.bits }
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
  for i, field in ipairs(members_of(type)) do
    if field.name == name.text then return i - 1 end
    if not field.name and types.field(field.type, name.text) then
      self:go_to(self.at - 2)
      return i - 1
    end
  end
  self:check(false, name, "'%s' has no member '%s'", type, name.text)
end

local DESIGNATORS <const> = { ["["] = true, ["."] = true }

-- The members of an array or struct, in braces or without; returns how many it has. The first one
-- may have been read.
local function members(self, whole, parts, braced, first)
  local i, most = 0, 0
  while first or not braced or self.token.kind ~= "}" do
    if DESIGNATORS[self.token.kind] and not first then
      i = designated(self, whole.type)
      local part = member(self, whole, i, true)
      if DESIGNATORS[self.token.kind] then
        members(self, part, parts, false)
      else
        if not part.bits then
          clear(parts, part, whole.type.union and whole.type.size or part.type.size)
        end
        self:expect "="
        fill(self, part, parts)
      end
    else
      fill(self, member(self, whole, i), parts, first)
      first = nil
    end
    i = i + 1
    most = math.max(most, i)
    local follows = self:peek(1).kind
    if self.token.kind ~= "," or not braced
      and (i >= count_of(whole.type) or follows == "}" or DESIGNATORS[follows]) then
      break
    end
    self:next()
  end
  return most
end

-- The string that is next, for an array of characters; or what has been read if it is one.
local function text_for(self, type, first)
  if type.kind ~= "array" or type.to.kind ~= "int" then return nil end
  if first then return first.literal and type.to.size == first.type.to.size and first or nil end
  return self.token.kind == "string" and type.to.size == types[self.token.type].size
    and self:unary() or nil
end

-- An array of characters from a string; returns its length.
local function fill_text(self, whole, parts, bytes)
  local to = whole.type.to
  local length = #bytes // to.size
  local most = whole.type.count or length + 1
  for i = 0, math.min(most, length) - 1 do
    local code = ("<i" .. to.size):unpack(bytes, i * to.size + 1)
    add(parts, { offset = whole.offset + i * to.size, type = to,
      e = self:constant(code, types.plain(to)) })
  end
  return most
end

-- What is in braces, after the opening one.
local function fill_braced(self, part, parts)
  local kind, count = part.type.kind, 0
  local text = text_for(self, part.type)
  if text then
    count = fill_text(self, part, parts, text.literal)
    self:accept ","
  elseif kind == "array" or kind == "struct" then
    count = members(self, part, parts, true)
  elseif self.token.kind ~= "}" then
    fill(self, part, parts)
    self:accept ","
  end
  self:expect "}"
  return count
end

-- Fills a part from what follows, or from an expression that has been read; returns the number of
-- elements of an array.
function fill(self, part, parts, first)
  local at, type = self.token, part.type
  local text = text_for(self, type, first)
  if text then return fill_text(self, part, parts, text.literal) end
  if not first and self:accept "{" then return fill_braced(self, part, parts) end
  local e = first or type.kind ~= "array" and self:assignment() or nil
  if type.kind == "array" or type.kind == "struct" and count_of(type) > 0
    and not types.same(types.plain(e.type), types.plain(type)) then
    return members(self, part, parts, false, e)
  end
  part.e = self:converted(e, type, at)
  add(parts, part)
end

-- The parts of an object, and its type, with the number of elements if that was not known.
local function read(self, type)
  local parts, at = {}, self.token
  local count = fill(self, { type = type, offset = 0 }, parts)
  if type.kind == "array" and not type.count then
    self:check(count, at, "this does not initialize an array")
    type = types.array(type.to, count)
  end
  return parts, type
end

-- {== Objects of a function ===========================================

--- The initial value of a local object, after the `=`.
---@param symbol minic.Symbol
function Parser:initialize(symbol)
  local fn = self.fn
  local parts, type = read(self, symbol.type)
  if not symbol.type.size then symbol.type, symbol.at = type, self:memory(type) end
  if not symbol.at then
    fn:write(symbol.var, parts[1] and parts[1].e.value or self:constant(0, type).value)
    return
  end
  if not type.ir and type.size > 0 then fn:memset(symbol.at, 0, type.size) end
  for _, part in ipairs(parts) do
    part.at = self:offset(symbol.at, part.offset)
    part.unaligned = part.offset % part.type.align ~= 0
    self:store(part, part.e)
  end
end

-- }== Objects with values from the start ==============================

-- A constant address: the name of what it is in, and an offset.
local function address(value)
  if not value then return nil end
  local op, args = value:op(), value:args()
  if op == "bitcast" then return address(args[1]) end
  if op == "address" then return value:data(), 0 end
  if op ~= "ptradd" then return nil end
  local name, more = address(args[1])
  if name and args[2]:const() then return name, more + args[2]:const() end
end

-- Adds a bit-field to the bytes by their offsets.
local function add_bits(bytes, part, value)
  local mask = part.bits.width == 64 and -1 or (1 << part.bits.width) - 1
  for i = 0, part.type.size - 1 do
    local own, at = mask << part.bits.at >> 8 * i & 0xFF, part.offset + i
    local bits = (value & mask) << part.bits.at >> 8 * i & 0xFF
    if own ~= 0 then bytes[at] = (bytes[at] or 0) & ~own | bits end
  end
end

-- Adds a part to the runs, or to the bytes of bit-fields.
local function add_constant(self, part, runs, bytes, at)
  local e, ir = part.e, part.type.ir
  for _, run in ipairs(e.initial or {}) do
    table.insert(runs, { part.offset + run[1], run[2], run[3] })
  end
  if e.initial then return end
  local value = e.value and e.value:const()
  if part.bits and value ~= nil then
    return add_bits(bytes, part, value == true and 1 or value or 0)
  elseif value == nil then
    local name, offset = address(e.value)
    self:check(name and part.type.size == 8, at, "this is not constant")
    value, ir = self.module:ref(name, offset), "ptr"
  end
  table.insert(runs, { part.offset, ir == "ptr" and math.type(value) and "i64" or ir, value })
end

--- The initial value of an object that exists for the whole run, after the `=`.
---@param type minic.Type
---@return minic.Type type with the number of elements
---@return phial.Run[] what the module's global gets
function Parser:static_initializer(type)
  local start, runs, bytes, parts = self.token, {}, {}, nil
  self:constantly(function() parts, type = read(self, type) end)
  for _, part in ipairs(parts) do add_constant(self, part, runs, bytes, start) end
  for at, byte in pairs(bytes) do table.insert(runs, { at, "bytes", string.char(byte) }) end
  return type, runs
end

-- }=====================================================================
