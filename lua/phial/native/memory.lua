-- Memory of libraries from outside: what lib:load and the others access.
--
-- What lies in a global of the library has bounds, which are checked as instances check theirs.
-- Other addresses are those of the process: the system is asked whether memory is there.
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local hosts = require "phial.emit.c.hosts"
local memory = require "phial.module.memory"
local types = require "phial.code.types"

local M = {}

-- No system has memory there.
local LOWEST <const> = 4096

---@class phial.native.Extent where a global lies
---@field first integer
---@field size integer
---@field is_constant boolean
---@field reserve integer? bytes that belong to it
---@field mapping userdata?

-- The last extent that does not begin behind an address.
local function extent_before(extents, p)
  local low, high = 1, #extents
  while low <= high do
    local middle = (low + high) // 2
    if math.ult(p, extents[middle].first) then high = middle - 1 else low = middle + 1 end
  end
  return extents[high]
end

-- Whether n bytes at an address are memory: true; nil, if only the system knows; false, and why
-- not.
local function is_memory(extents, p, n, writes)
  local extent = extent_before(extents, p)
  local offset = extent and p - extent.first
  if math.ult(p, LOWEST) or n < 0 then return false, "outside memory" end
  if not extent or not math.ult(offset, extent.reserve or extent.size) then return nil end
  if n > extent.size - offset then return false, "outside memory" end
  if writes and extent.is_constant then return false, "it is constant" end
  return true
end

-- What phial.core.space() has, for a library.
local function functions_on(library, extents)
  local f = {}
  function f.fault(p, n, writes)
    local is_there, why = is_memory(extents, p, 1, writes)
    if is_there and n > 1 and p & n - 1 ~= 0 then why = "not aligned to " .. n end
    return ("0x%x: %s"):format(p, why or "outside memory")
  end
  for type, letter in pairs(hosts.LETTERS) do
    local n = types.size(type)
    f["load_" .. type] = function(p)
      local known = p & n - 1 == 0 and is_memory(extents, p, n)
      if known == false then return nil end
      return core.peek(library, p, letter, known)
    end
    f["store_" .. type] = function(p, value)
      local known = p & n - 1 == 0 and is_memory(extents, p, n, true)
      return known ~= false and core.poke(library, p, letter, value, known)
    end
  end
  function f.bytes(p, n)
    local known = is_memory(extents, p, n)
    if known == false then return nil end
    return core.peek(library, p, n, known)
  end
  function f.write(p, bytes)
    if bytes == "" then return nil end
    local known = is_memory(extents, p, #bytes, true)
    if known ~= false and core.poke(library, p, nil, bytes, known) then return nil end
    local _, why = is_memory(extents, p, #bytes, true)
    return ("write of %d byte%s at 0x%x: %s"):format(#bytes, #bytes == 1 and "" or "s", p,
      why or "outside memory")
  end
  function f.grow(address, n)
    local extent = extent_before(extents, address)
    local before = core.grow(extent.mapping, n)
    if before then extent.size = before + n end
    return before
  end
  return f
end

-- Gives the globals that can grow their size and initial value.
local function start_growing(list, f, address)
  for _, it in ipairs(list) do
    if not f.grow(it.address, it.global:size()) then
      errors.raise("global '%s' does not fit into memory", it.global:name())
    end
  end
  for _, it in ipairs(list) do
    local function address_of(ref)
      return address(callees.found(it.global, ref.symbol)) + ref.plus
    end
    for _, chunk in ipairs(global.chunks(it.global, address_of)) do
      f.write(it.address + chunk.offset, chunk.bytes)
    end
  end
end

---@type table<phial.Library, phial.module.Memory>
local behind = setmetatable({}, { __mode = "k" })

memory.add(core.Library.__index, function(self, method)
  local it = behind[self] or errors.self(method, "phial.Library", self)
  if not core.is_open(self) then errors.raise("calling '%s': the library is closed", method) end
  return it
end)

--- Makes the symbols of a library known.
---@param library phial.Library
---@param exported (phial.Function|phial.Global)[] in the order of its table
---@param module phial.module.State? that was compiled
---@param growing phial.emit.c.Growing[]
---@param found table<phial.Global, phial.Global|integer> what env has for those that are declared
function M.open(library, exported, module, growing, found)
  local symbols, numbers, extents = {}, {}, {}
  for name, it in pairs(module and module.symbols or {}) do symbols[name] = it end
  for i, it in ipairs(exported) do
    numbers[it] = i - 1
    symbols[it:name()] = symbols[it:name()] or it
    if global.is(it) then
      extents[#extents + 1] = { first = core.address(library, i - 1), size = it:size(),
        is_constant = it:is_constant() }
      local more = growing[it]
      if more then
        local extent = extents[#extents]
        extent.size, extent.reserve, extent.mapping = 0, it:reserve(), more.mapping
      end
    end
  end
  table.sort(extents, function(a, b) return math.ult(a.first, b.first) end)
  local function address(symbol)
    symbol = found[symbol] or symbol
    if math.type(symbol) == "integer" then return symbol end
    local name = type(symbol) == "string" and symbol or symbol:name()
    local at = core.address(library, numbers[symbol] or name)
    return at or errors.raise("'%s' has no address in the library", name)
  end
  local functions = functions_on(library, extents)
  start_growing(growing, functions, address)
  behind[library] = { what = module and ("module '%s'"):format(module.name) or "the library",
    symbols = symbols, address = address, memory = functions }
end

return M
