-- Reads binary modules of WebAssembly 1.0 with sign extension, saturating conversions, several
-- values and bulk memory. (WebAssembly Core Specification 2.0, chapter 5, "Binary Format".)
local M = {}

local byte, sub, unpack = string.byte, string.sub, string.unpack

-- {== Bytes ===============================================================

---@class wasm.Reader a position in a module
---@field text string
---@field at integer
---@field path string
local Reader = {}
Reader.__index = Reader
M.Reader = Reader

--- Ends reading with a message that gives the offset.
function Reader:fail(format, ...)
  error(("%s: offset 0x%x: %s"):format(self.path, self.at - 1, format:format(...)), 0)
end

function Reader:byte()
  local at = self.at
  self.at = at + 1
  return byte(self.text, at) or self:fail "the file ends early"
end

-- The bits of a LEB128 number, and how many they are.
local function bits(self)
  local value, shift = 0, 0
  repeat
    local b = self:byte()
    value = value | (b & 0x7f) << shift
    shift = shift + 7
  until b < 0x80 or shift > 63
  return value, shift
end

--- An unsigned LEB128 number.
---@return integer
function Reader:u32() return (bits(self)) end

--- A signed LEB128 number.
---@return integer
function Reader:signed()
  local value, shift = bits(self)
  local sign = 1 << shift - 1
  return shift < 64 and (value ~ sign) - sign or value
end

--- So many bytes.
---@param n integer
---@return string
function Reader:bytes(n)
  local at = self.at
  if at + n > #self.text + 1 then self:fail "the file ends early" end
  self.at = at + n
  return sub(self.text, at, at + n - 1)
end

function Reader:name() return self:bytes(self:u32()) end

--- A list: a number, and so many of what `read` reads.
function Reader:list(read)
  local list = {}
  for i = 1, self:u32() do list[i] = read(self, i) end
  return list
end

-- }== Types ===============================================================

local TYPES <const> = { [0x7f] = "i32", [0x7e] = "i64", [0x7d] = "f32", [0x7c] = "f64" }
M.TYPES = TYPES

local function value_type(r)
  local b = r:byte()
  return TYPES[b] or r:fail("values of type 0x%02x are not supported", b)
end

local function function_type(r)
  if r:byte() ~= 0x60 then r:fail "a function type was expected" end
  local params, results = r:list(value_type), r:list(value_type)
  return { params = params, results = results,
    key = table.concat(params, " ") .. ">" .. table.concat(results, " ") }
end

local function limits(r)
  local flags = r:byte()
  if flags > 1 then r:fail "shared and 64-bit memories are not supported" end
  return { min = r:u32(), max = flags == 1 and r:u32() or nil }
end

local function table_type(r)
  if r:byte() ~= 0x70 then r:fail "only tables of functions are supported" end
  return limits(r)
end

local function global_type(r)
  return { type = value_type(r), mutable = r:byte() == 1 }
end

local function func_index(r) return { func = r:u32() + 1 } end

--- By opcode, what reads a constant: a number, {global = i}, {func = i}, or {} for no function.
local CONSTANTS <const> = {
  [0x41] = Reader.signed, [0x42] = Reader.signed,
  [0x43] = function(r) return (unpack("<f", r:bytes(4))) end,
  [0x44] = function(r) return (unpack("<d", r:bytes(8))) end,
  [0x23] = function(r) return { global = r:u32() + 1 } end,
  [0xd2] = func_index,
  [0xd0] = function(r) return r:byte() and {} end,
}
M.CONSTANTS = CONSTANTS

local function constant(r)
  local op = r:byte()
  local read = CONSTANTS[op] or r:fail("a constant expression with opcode 0x%02x", op)
  local value = read(r)
  if r:byte() ~= 0x0b then r:fail "a constant expression of several instructions" end
  return value
end

-- }== Sections ============================================================

local function type_at(r, m)
  local n = r:u32()
  return m.types[n + 1] or r:fail("there is no type %d", n)
end

local IMPORTS <const> = {
  [0] = function(r, m, import)
    import.type = type_at(r, m)
    table.insert(m.funcs, import)
  end,
  function(r, m, import) m.table, import.table = table_type(r), true end,
  function(r, m, import) m.memory, import.memory = limits(r), true end,
  function(r, m, import)
    local global = global_type(r)
    import.global, global.import = true, import
    table.insert(m.globals, global)
  end,
}

-- An element segment is {mode, offset, funcs}, a data segment {mode, offset, bytes}.
local MODES <const> = { [0] = "active", "passive", "active", "declared" }

local function elements(r)
  local flags = r:u32()
  local mode = MODES[flags & 1 == 0 and 0 or flags & 3]
  if flags & 3 == 2 and r:u32() ~= 0 then r:fail "several tables are not supported" end
  local offset = mode == "active" and constant(r) or nil
  if flags & 3 ~= 0 then r:byte() end
  return { mode = mode, offset = offset, funcs = r:list(flags & 4 == 0 and func_index or constant) }
end

local function data(r)
  local flags = r:u32()
  if flags == 2 then r:u32() end
  local mode = MODES[flags]
  return { mode = mode, offset = mode == "active" and constant(r) or nil, bytes = r:name() }
end

local function locals(r)
  local list = {}
  for _ = 1, r:u32() do
    local n, type = r:u32(), value_type(r)
    if #list + n > 50000 then r:fail "more than 50000 locals" end
    for _ = 1, n do list[#list + 1] = type end
  end
  return list
end

-- The names of functions that tools write into a section of their own.
local function names(r, m, stop)
  while r.at < stop do
    local kind, size = r:byte(), r:u32()
    local after = r.at + size
    if kind == 1 then
      r:list(function()
        local f, name = m.funcs[r:u32() + 1], r:name()
        if f then f.name = name end
      end)
    end
    r.at = after
  end
end

local SECTIONS <const> = {
  [0] = function(r, m, stop)
    if r:name() == "name" then names(r, m, stop) end
    r.at = stop
  end,
  [1] = function(r, m) m.types = r:list(function_type) end,
  [2] = function(r, m)
    m.imports = r:list(function()
      local import = { module = r:name(), name = r:name() }
      local kind = r:byte()
      local read = IMPORTS[kind] or r:fail("an import of kind %d", kind)
      read(r, m, import)
      return import
    end)
  end,
  [3] = function(r, m) r:list(function() table.insert(m.funcs, { type = type_at(r, m) }) end) end,
  [4] = function(r, m) r:list(function() m.table = table_type(r) end) end,
  [5] = function(r, m) r:list(function() m.memory = limits(r) end) end,
  [6] = function(r, m)
    r:list(function()
      local global = global_type(r)
      global.initial = constant(r)
      table.insert(m.globals, global)
    end)
  end,
  [7] = function(r, m)
    m.exports = r:list(function()
      return { name = r:name(), kind = r:byte(), index = r:u32() + 1 }
    end)
  end,
  [8] = function(r, m) m.start = r:u32() + 1 end,
  [9] = function(r, m) m.elements = r:list(elements) end,
  [10] = function(r, m)
    local imported = #m.funcs - r:u32()
    if imported < 0 then r:fail "more functions have code than there are" end
    for i = imported + 1, #m.funcs do
      local size = r:u32()
      local stop, f = r.at + size, m.funcs[i]
      f.locals = locals(r)
      f.at, f.stop, r.at = r.at, stop, stop
    end
  end,
  [11] = function(r, m) m.data = r:list(data) end,
  [12] = function(r) r:u32() end, -- how many segments of data come
}

--- Reads a module; an error says what is wrong, and where.
---@param text string the bytes
---@param path string for messages
---@return table module, wasm.Reader reader at whose positions the code of functions is
function M.read(text, path)
  local r = setmetatable({ text = text, at = 9, path = path }, Reader)
  if sub(text, 1, 8) ~= "\0asm\1\0\0\0" then
    error(path .. ": not a binary module of WebAssembly 1.0", 0)
  end
  local m = { types = {}, imports = {}, funcs = {}, globals = {}, exports = {}, elements = {},
    data = {} }
  while r.at <= #text do
    local id, size = r:byte(), r:u32()
    local stop, read = r.at + size, SECTIONS[id] or r:fail("a section of kind %d", id)
    read(r, m, stop)
    if r.at ~= stop then r:fail "a section ends elsewhere than it says" end
  end
  return m, r
end

-- }========================================================================

return M
