-- Globals: memory of a module with a name, a size and an initial value.
local errors = require "phial.errors"
local new_class = require "phial.handle"
local options = require "phial.options"
local runtime = require "phial.run.runtime"
local types = require "phial.code.types"

local M = {}

-- The alignment of a global that is given by its size: that of the widest type.
local WIDEST = 8

-- How each type is written to memory, least significant byte first.
local FORMATS = { i8 = "<i1", i16 = "<i2", i32 = "<i4", i64 = "<i8", f32 = "<f", f64 = "<d" }

-- The largest size.
local MOST = 0x7fffffff

local class = new_class "phial.Global"
local of = class.of

---@class phial.Global
local Global = class.methods

--
-- {== What is known of it =============================================
--

-- What is behind a handle; there is a method for each field.
---@class phial.module.GlobalState
---@field name string
---@field type string? of its value; nil if it was made by its size
---@field size integer in bytes
---@field align integer in bytes, a power of two
---@field initial any a number, boolean or string of bytes; for a ptr a function, a global or a
--- name; nil: zeros
---@field is_constant boolean nothing writes to it
---@field linkage string "external": other parts of the program see its name; or "internal"
---@field module phial.Module
local FIELDS <const> = {
  "name", "type", "size", "align", "initial", "is_constant", "linkage", "module",
}

for _, field in ipairs(FIELDS) do
  Global[field] = function(self) return of(self, field)[field] end
end

--- Its initial bytes; those of a ptr are zeros, since addresses are not known yet.
---@return string
function Global:bytes()
  local g = of(self, "bytes")
  local value = g.initial
  if value == nil or g.type == "ptr" then return ("\0"):rep(g.size) end
  if not g.type then return value .. ("\0"):rep(g.size - #value) end
  if g.type == "i1" then return value and "\1" or "\0" end
  return string.pack(FORMATS[g.type], value)
end

function class.meta:__tostring() return "@" .. class.behind(self).name end

-- The name that `call` and `address` show.
function class.meta:__symbol() return class.behind(self).name end

-- }== Making ==========================================================

local function is_power_of_two(n) return n > 0 and n & (n - 1) == 0 end

--- True if it is a global.
---@param it any
---@return boolean
function M.is(it) return class.behind(it) ~= nil end

local function is_symbol(value)
  return type(value) == "string" or M.is(value) or errors.class(value) == "phial.Function"
end

--- The initial value of a type as it is kept; nil if it does not fit.
---@param type_name phial.Type
---@param value any other than 0 for a ptr
---@return any
function M.fitting(type_name, value)
  if type_name == "ptr" then return is_symbol(value) and value or nil end
  if type_name:find "^f" then
    if type(value) ~= "number" then return nil end
    -- arithmetic would lose the sign of a zero, or bits of a nan
    local float = math.type(value) == "integer" and value + 0.0 or value
    return type_name == "f32" and string.unpack("<f", string.pack("<f", float)) or float
  end
  return runtime.take(type_name)(value)
end

local function take_type(g, it)
  if math.type(it) == "integer" then
    if it < 1 or it > MOST then
      errors.raise("global '%s': a size from 1 to %d expected, got %d", g.name, MOST, it)
    end
    g.size, g.align = it, WIDEST
  elseif types.size(it) then
    g.type, g.size, g.align = it, types.size(it), types.size(it)
  else
    errors.raise("global '%s': a type that memory can hold, or a size, expected, got %s", g.name,
      type(it) == "string" and ("'%s'"):format(it) or errors.got(it))
  end
end

local function take_initial(g, value)
  if value == nil or g.type == "ptr" and value == 0 then return end
  if g.type then
    g.initial = M.fitting(g.type, value)
    if g.initial == nil then
      errors.raise("global '%s': %s is not a value of type %s", g.name, errors.got(value), g.type)
    end
    return
  end
  if type(value) ~= "string" then
    errors.raise("global '%s': its bytes expected, a string, got %s", g.name, errors.got(value))
  elseif #value > g.size then
    errors.raise("global '%s' has %d bytes, and its initial value %d", g.name, g.size, #value)
  end
  g.initial = value
end

local KNOWN <const> = {
  constant = "boolean", align = "integer", linkage = { "external", "internal" },
}

local function apply_options(g, opts)
  opts = options.take(("global '%s': "):format(g.name), opts or {}, KNOWN)
  g.is_constant = opts.constant == true
  g.linkage = opts.linkage or "external"
  if opts.align and not (is_power_of_two(opts.align) and opts.align <= 4096) then
    errors.raise("global '%s': option 'align': a power of two up to 4096 expected, got %d", g.name,
      opts.align)
  end
  g.align = opts.align or g.align
end

--- Makes a global; the module has checked the name.
---@param module phial.Module
---@param name string
---@param type string|integer
---@param initial any
---@param opts table?
---@return phial.Global
function M.new(module, name, type, initial, opts)
  local g = { module = module, name = name }
  take_type(g, type)
  take_initial(g, initial)
  apply_options(g, opts)
  return class.new(g)
end

-- }====================================================================

return M
