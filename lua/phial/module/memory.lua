-- Memory from outside: the methods that instances and libraries have in common.
local errors = require "phial.errors"
local global = require "phial.module.global"
local link = require "phial.module.link"
local runtime = require "phial.run.runtime"
local types = require "phial.code.types"

local M = {}

---@class phial.module.Memory what is behind an instance or a library
---@field what string "module 'm'"
---@field symbols table<string, phial.Function|phial.Global>
---@field address fun(symbol: phial.Function|phial.Global): integer
---@field memory table<string, function> phial.core.space(), or what does the same: load_i64 and the
--- others, store_i64 and the others, fault, bytes, write, grow

--- The symbol of a name.
---@param it phial.module.Memory
---@param method string
---@param name any
---@return phial.Function|phial.Global
function M.symbol(it, method, name)
  if type(name) ~= "string" then errors.arg(method, 1, "a name", name) end
  local symbol = it.symbols[name]
  if symbol then return symbol end
  errors.raise("%s has no '%s'%s", it.what, name, errors.near(name, it.symbols))
end

-- An address, given as an integer or as the name of a global.
local function address_of(it, method, at)
  if math.type(at) == "integer" then return at end
  local symbol = M.symbol(it, method, at)
  if not global.is(symbol) then
    errors.raise("'%s' is a %s: it has no bytes", at, link.kind(symbol))
  end
  return it.address(symbol)
end

local function check_type(method, i, type)
  if not types.size(type) then
    errors.arg(method, i, "a type that memory can hold", type)
  end
end

-- Raises what is wrong with n bytes at an address.
local function fault(it, what, address, n, writes)
  errors.raise("%s at %s", what, it.memory.fault(address, n, writes))
end

--- Adds the methods to a table.
---@param methods table
---@param of fun(self: any, method: string): phial.module.Memory
function M.add(methods, of)
  --- The address of a global or function.
  function methods:address(name)
    local it = of(self, "address")
    return it.address(M.symbol(it, "address", name))
  end

  --- Reads a value from memory.
  function methods:load(at, type)
    local it = of(self, "load")
    local address = address_of(it, "load", at)
    check_type("load", 2, type)
    local value = it.memory["load_" .. type](address)
    if value == nil then fault(it, "load of " .. type, address, types.size(type), false) end
    if type == "i1" and value ~= true then return value == 1 end
    return value
  end

  --- Writes a value to memory.
  function methods:store(at, type, value)
    local it = of(self, "store")
    local address = address_of(it, "store", at)
    check_type("store", 2, type)
    local take = runtime.take(type == "ptr" and "i64" or type)
    local taken = take(value)
    if taken == nil then errors.arg("store", 3, type, value) end
    if not it.memory["store_" .. type](address, taken) then
      fault(it, "store of " .. type, address, types.size(type), true)
    end
  end

  --- Reads bytes.
  function methods:bytes(at, n)
    local it = of(self, "bytes")
    local address = address_of(it, "bytes", at)
    if n == nil and type(at) == "string" then
      local symbol = it.symbols[at]
      n = symbol:reserve() and it.memory.grow(address, 0) or symbol:size()
    end
    if math.type(n) ~= "integer" or n < 0 then errors.arg("bytes", 2, "a number of bytes", n) end
    return n == 0 and "" or it.memory.bytes(address, n)
      or errors.raise("%d byte%s at 0x%x: outside memory", n, n == 1 and "" or "s", address)
  end

  --- Adds bytes to a global that can grow.
  function methods:grow(name, n)
    local it = of(self, "grow")
    local symbol = M.symbol(it, "grow", name)
    if not global.is(symbol) or not symbol:reserve() then
      errors.raise("'%s' cannot grow: it is a %s without the option 'reserve'", name,
        link.kind(symbol))
    end
    if math.type(n) ~= "integer" or n < 0 then errors.arg("grow", 2, "a number of bytes", n) end
    return it.memory.grow(it.address(symbol), n)
  end

  --- Writes bytes; all are checked first.
  function methods:set_bytes(at, bytes)
    local it = of(self, "set_bytes")
    local address = address_of(it, "set_bytes", at)
    if type(bytes) ~= "string" then errors.arg("set_bytes", 2, "a string", bytes) end
    local why = it.memory.write(address, bytes)
    if why then errors.raise("%s", why) end
    return self
  end
end

return M
