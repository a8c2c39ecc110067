-- Globals: memory of a module with a name, a size and an initial value.
local core = require "phial.core"
local errors = require "phial.errors"
local new_class = require "phial.handle"
local options = require "phial.options"
local portable = require "phial.portable"
local runtime = require "phial.run.runtime"
local types = require "phial.code.types"

local M = {}

-- The alignment of a global that is given by its size: that of the widest type.
local WIDEST = 8

-- How each type is written to memory, least significant byte first.
local FORMATS = { i8 = "<i1", i16 = "<i2", i32 = "<i4", i64 = "<i8", f32 = "<f", f64 = "<d" }

-- The largest size; of what can grow.
local MOST <const>, RESERVED <const> = 0x7fffffff, 1 << 32

local class = new_class "phial.Global"
local of = class.of

---@class phial.Global
local Global = class.methods -- types/phial.lua says what they take and return

-- {== What is known of it =============================================

-- What is behind a handle; there is a method for each field.
---@class phial.module.GlobalState
---@field name string
---@field type string? of its value; nil if it was made by its size
---@field size integer in bytes
---@field reserve integer? the bytes to which it can grow
---@field align integer in bytes, a power of two
---@field initial any a number, boolean or string of bytes; for a ptr a function, a global, a name
--- or a phial.Ref; a list of runs, {offset, type, value}, by offset; nil: zeros
---@field refers true? a run is an address
---@field is_constant boolean nothing writes to it
---@field is_declaration boolean it is defined elsewhere
---@field linkage string "external": other parts of the program see its name; or "internal"
---@field module phial.Module
local FIELDS <const> = {
  "name", "type", "size", "reserve", "align", "is_constant", "is_declaration", "linkage", "module",
}

for _, field in ipairs(FIELDS) do
  Global[field] = function(self) return of(self, field)[field] end
end

--- Its initial value; runs as a list of {offset, type, value}, by offset.
function Global:initial()
  local value = of(self, "initial").initial
  if type(value) ~= "table" or getmetatable(value) then return value end
  local runs = {}
  for i, run in ipairs(value) do runs[i] = { table.unpack(run, 1, 3) } end
  return runs
end

--- What is behind a global, which is not to be changed.
---@type fun(it: phial.Global): phial.module.GlobalState
M.behind = class.behind

-- The initial value as runs.
local function runs_of(g)
  local value = g.initial
  if value == nil then return {} end
  if g.type then return { { 0, g.type, value } } end
  return type(value) == "string" and { { 0, "bytes", value } } or value
end

local function packed(type, value)
  if type == "bytes" then return value end
  if type == "ptr" then return ("\0"):rep(types.size "ptr") end
  if type == "i1" then return value and "\1" or "\0" end
  return string.pack(FORMATS[type], value)
end

--- Its initial bytes; those of a ptr are zeros, since addresses are not known yet.
function Global:bytes()
  of(self, "bytes")
  return M.bytes(self, function() return 0 end)
end

function class.meta:__tostring() return "@" .. class.behind(self).name end

-- The name that `call` and `address` show.
function class.meta:__symbol() return class.behind(self).name end

-- }== Addresses in initial values =====================================

local refs = new_class "phial.Ref"

---@class phial.Ref
local Ref = refs.methods

--- The name of what it refers to.
function Ref:name()
  local symbol = refs.of(self, "name").symbol
  return type(symbol) == "string" and symbol or symbol:name()
end

--- The bytes that are added to its address.
function Ref:offset() return refs.of(self, "offset").plus end

--- An address in an initial value as text: "@f + 4".
---@param value phial.Function|phial.Global|phial.Ref|string
---@return string
function M.address_text(value)
  local ref = refs.behind(value)
  local symbol, plus = ref and ref.symbol or value, ref and ref.plus or 0
  local name = "@" .. portable.name(type(symbol) == "string" and symbol or symbol:name())
  if plus == 0 then return name end
  return plus < 0 and name .. " - " .. tostring(plus):sub(2) or name .. " + " .. plus
end

refs.meta.__tostring = M.address_text

---@class phial.module.Address what an initial value has the address of
---@field offset integer where the address is stored
---@field symbol phial.Function|phial.Global|string
---@field plus integer bytes added to the address

-- The address that a run is, if it is one.
local function address_of(run)
  local value = run[3]
  if run[2] ~= "ptr" or value == 0 then return nil end
  local ref = refs.behind(value)
  return { offset = run[1], symbol = ref and ref.symbol or value, plus = ref and ref.plus or 0 }
end

-- The runs of a global among which some may be addresses.
local function pointers_of(g)
  return (g.type == "ptr" or g.refers) and runs_of(g) or {}
end

--- The addresses in the initial value of a global, by offset.
---@param it phial.Global
---@return phial.module.Address[]
function M.addresses(it)
  local list = {}
  for _, run in ipairs(pointers_of(class.behind(it))) do list[#list + 1] = address_of(run) end
  return list
end

--- What its initial value has the addresses of, by offset.
---@param it phial.Global
---@return (phial.Function|phial.Global|string)[]
function M.symbols(it)
  local list = M.addresses(it)
  for i, address in ipairs(list) do list[i] = address.symbol end
  return list
end

-- So many zeros are a gap: written as bytes, they would be longer than what says how many.
local GAP <const> = ("\0"):rep(32)

local function add_gap(parts, count)
  local last = parts[#parts]
  if math.type(last) == "integer" then
    parts[#parts] = last + count
  else
    parts[#parts + 1] = count
  end
end

-- Appends bytes to parts. What a gap follows has the first of its zeros, as strings of C do.
local function add_bytes(parts, bytes)
  local at = 1
  while at <= #bytes do
    local gap = bytes:find(GAP, at, true)
    if gap ~= at then
      parts[#parts + 1] = bytes:sub(at, gap or #bytes)
      at = (gap or #bytes) + 1
    end
    if gap then
      local stop = bytes:match("^\0+()", gap)
      add_gap(parts, stop - at)
      at = stop
    end
  end
end

--- The initial value of a global as strings of bytes, addresses, and numbers of zeros, which cover
--- it and what is reserved for it.
---@param it phial.Global
---@return (string|integer|phial.module.Address)[]
function M.parts(it)
  local parts, g, bytes, at = {}, class.behind(it), {}, 0
  local function add_all()
    if not bytes[1] then return end
    add_bytes(parts, table.concat(bytes))
    bytes = {}
  end
  local function add_zeros(count)
    bytes[#bytes + 1] = ("\0"):rep(math.min(count, #GAP))
    if count <= #GAP then return end
    add_all()
    add_gap(parts, count - #GAP)
  end
  local text = not g.type and type(g.initial) == "string" and g.initial
  if text then bytes[1], at = text, #text end
  for _, run in ipairs(text and {} or runs_of(g)) do
    local start, address = run[1], address_of(run)
    if start > at then add_zeros(start - at) end
    if address then
      add_all()
      parts[#parts + 1] = address
      at = start + types.size "ptr"
    else
      local value = packed(run[2], run[3])
      bytes[#bytes + 1] = value
      at = start + #value
    end
  end
  local size = g.reserve or g.size
  if size > at then add_zeros(size - at) end
  add_all()
  return parts
end

--- Raises if C or LLVM cannot write a global: all that is reserved would be bytes of the program.
---@param it phial.Global
function M.check_written(it)
  local g = class.behind(it)
  if not g.reserve or g.initial == nil then return end
  errors.raise("global '%s' can grow and has an initial value, which only instances and native "
    .. "code have", g.name)
end

--- The initial bytes of a global.
---@param it phial.Global
---@param value fun(address: phial.module.Address): integer
---@return string
function M.bytes(it, value)
  local out, left = {}, class.behind(it).size
  for i, part in ipairs(M.parts(it)) do
    if type(part) == "table" then part = ("<i8"):pack(value(part)) end
    out[i] = type(part) == "string" and part:sub(1, left) or ("\0"):rep(math.min(part, left))
    left = left - #out[i]
  end
  return table.concat(out)
end

---@class phial.module.Chunk
---@field offset integer
---@field bytes string

--- The initial bytes of a global as it is stored: without gaps of zeros.
---@param it phial.Global
---@param value fun(address: phial.module.Address): integer
---@return phial.module.Chunk[]
function M.chunks(it, value)
  local list, at = {}, 0
  for _, part in ipairs(M.parts(it)) do
    if type(part) == "table" then part = ("<i8"):pack(value(part)) end
    local is_gap = type(part) == "number"
    if not is_gap then list[#list + 1] = { offset = at, bytes = part } end
    at = at + (is_gap and part or #part)
  end
  return list
end

-- }== Making ==========================================================

--- True if it is a global.
---@param it any
---@return boolean
function M.is(it) return class.behind(it) ~= nil end

local function is_symbol(value)
  return type(value) == "string" or M.is(value) or errors.class(value) == "phial.Function"
end

--- What refers to a symbol, for an initial value.
---@param symbol phial.Function|phial.Global|phial.Ref|string
---@param plus integer? bytes added to its address (0)
---@return phial.Ref
function M.ref(symbol, plus)
  if refs.behind(symbol) and plus == nil then return symbol end
  if not is_symbol(symbol) or symbol == "" then
    errors.arg("ref", 1, "a name, a global or a function", symbol)
  elseif plus ~= nil and math.type(plus) ~= "integer" then
    errors.arg("ref", 2, "a number of bytes", plus)
  end
  return refs.new { symbol = symbol, plus = plus or 0 }
end

--- The initial value of a type as it is kept; nil if it does not fit.
---@param type_name phial.Type
---@param value any other than 0 for a ptr
---@return any
function M.fitting(type_name, value)
  if type_name == "ptr" then
    return (is_symbol(value) or refs.behind(value)) and value or nil
  end
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
    local least, most = g.reserve and 0 or 1, g.reserve or MOST
    if it < least or it > most then
      errors.raise("global '%s': a size from %d to %d expected, got %d", g.name, least, most, it)
    end
    g.size, g.align = it, WIDEST
  elseif types.size(it) and g.reserve then
    errors.raise("global '%s': what can grow has a size, not a type", g.name)
  elseif types.size(it) then
    g.type, g.size, g.align = it, types.size(it), types.size(it)
  else
    errors.raise("global '%s': a type that memory can hold, or a size, expected, got %s", g.name,
      type(it) == "string" and ("'%s'"):format(it) or errors.got(it))
  end
end

local function run_text(run) return ("%s at %d"):format(run[2], run[1]) end

-- A run as it is kept; it is the i-th one of a list.
local function take_run(g, i, run)
  local function refuse(...)
    errors.raise("global '%s': run %d: %s", g.name, i, string.format(...))
  end
  if type(run) ~= "table" or getmetatable(run) then
    refuse("a table expected, an offset, a type and a value, got %s", errors.got(run))
  end
  local offset, type_name, value = rawget(run, 1), rawget(run, 2), rawget(run, 3)
  for key in next, run do
    if key ~= 1 and key ~= 2 and key ~= 3 then
      refuse("an offset, a type and a value expected, but '%s' is a key of it",
        portable.tostring(key))
    end
  end
  local size = type_name == "bytes" and type(value) == "string" and #value
    or type(type_name) == "string" and types.size(type_name)
  if math.type(offset) ~= "integer" then
    refuse("an offset expected, got %s", errors.got(offset))
  elseif type_name ~= "bytes" and not size then
    refuse("a type that memory can hold, or 'bytes', expected, got %s",
      type(type_name) == "string" and ("'%s'"):format(type_name) or errors.got(type_name))
  end
  local is_null = type_name == "ptr" and value == 0
  local taken = is_null and 0
  if type_name == "bytes" then taken = type(value) == "string" and value or nil
  elseif not is_null then taken = M.fitting(type_name, value) end
  if taken == nil then
    refuse("%s is not a value of type %s", errors.got(value), type_name)
  elseif offset < 0 or offset > g.size - size then
    refuse("%s lies outside: the global has %d bytes", run_text { offset, type_name }, g.size)
  end
  if type_name == "ptr" and not is_null then g.refers = true end
  return { offset, type_name, taken, size = size }
end

-- Runs in order, none of which overlaps another one.
local function take_runs(g, list)
  local runs = {}
  for i, run in ipairs(core.list(list, ("global '%s': its runs"):format(g.name))) do
    runs[i] = take_run(g, i, run)
  end
  table.sort(runs, function(a, b) return a[1] < b[1] end)
  for i = 2, #runs do
    local before, run = runs[i - 1], runs[i]
    if before[1] + before.size > run[1] then
      errors.raise("global '%s': the runs %s and %s overlap", g.name, run_text(before),
        run_text(run))
    end
  end
  return runs
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
  if type(value) == "table" then
    g.initial = take_runs(g, value)
    return
  end
  if type(value) ~= "string" then
    errors.raise("global '%s': its bytes expected, a string or a list of runs, got %s", g.name,
      errors.got(value))
  elseif #value > g.size then
    errors.raise("global '%s' has %d bytes, and its initial value %d", g.name, g.size, #value)
  end
  g.initial = value
end

local KNOWN <const> = {
  constant = "boolean", align = "integer", linkage = { "external", "internal" },
  reserve = { 1, RESERVED },
}
local KNOWN_ELSEWHERE <const> = { constant = "boolean", align = "integer" }

local function take_options(g, opts, known)
  opts = options.take(("global '%s': "):format(g.name), opts or {}, known)
  g.reserve = opts.reserve
  if g.reserve and opts.constant then
    errors.raise("global '%s': what can grow is not constant", g.name)
  end
  return opts
end

local function apply_options(g, opts)
  g.is_constant = opts.constant == true
  g.linkage = opts.linkage or "external"
  local align = opts.align or g.align
  if align < 1 or align > 4096 or align & align - 1 ~= 0 then
    errors.raise("global '%s': option 'align': a power of two up to 4096 expected, got %d", g.name,
      align)
  end
  g.align = align
end

--- Makes a global; the module has checked the name.
---@param module phial.Module
---@param name string
---@param type string|integer
---@param initial any
---@param opts table?
---@return phial.Global
function M.new(module, name, type, initial, opts)
  local g = { module = module, name = name, is_declaration = false }
  opts = take_options(g, opts, KNOWN)
  take_type(g, type)
  take_initial(g, initial)
  apply_options(g, opts)
  return class.new(g)
end

--- Declares a global that is defined elsewhere.
---@param module phial.Module
---@param name string
---@param type string|integer
---@param opts table?
---@return phial.Global
function M.declare(module, name, type, opts)
  local g = { module = module, name = name, is_declaration = true }
  opts = take_options(g, opts, KNOWN_ELSEWHERE)
  take_type(g, type)
  apply_options(g, opts)
  return class.new(g)
end

--- Raises unless a definition is what its declaration says.
---@param declared phial.Global
---@param defined phial.Global
---@param place string of the declaration
function M.check_definition(declared, defined, place)
  local function said(g) return g:type() or ("%d bytes"):format(g:size()) end
  if said(declared) == said(defined) then return end
  errors.raise("global '%s' was declared as %s (at %s), not as %s", declared:name(),
    said(declared), place, said(defined))
end

-- }====================================================================

return M
