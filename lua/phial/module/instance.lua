-- Instances: a module at work, with memory of its own that lasts from call to call.
local errors = require "phial.errors"
local global = require "phial.module.global"
local new_class = require "phial.handle"
local link = require "phial.module.link"
local options = require "phial.options"
local run = require "phial.run"
local runtime = require "phial.run.runtime"
local types = require "phial.code.types"

local M = {}

-- Behind an instance are its module and run.
local class = new_class "phial.Instance"
local of = class.of

---@class phial.Instance
local Instance = class.methods -- types/phial.lua says what they take and return

local function symbol_of(state, method, name)
  if type(name) ~= "string" then errors.arg(method, 1, "a name", name) end
  local symbol = state.symbols[name]
  if symbol then return symbol end
  errors.raise("module '%s' has no '%s'%s", state.module:name(), name,
    errors.near(name, state.symbols))
end

--- Calls a function of the module; its memory is as the last call has left it. A table after
--- the arguments has the option `fuel`, as for the functions of phial.
function Instance:call(name, ...)
  local state = of(self, "call")
  local fn = symbol_of(state, "call", name)
  if errors.class(fn) ~= "phial.Function" then
    errors.raise("'%s' is a global: it cannot be called", name)
  end
  return run.call_in(state.run, fn, ...)
end

function Instance:module() return of(self, "module").module end

-- {== Memory ==========================================================

--- The address of a global or function.
function Instance:address(name)
  local state = of(self, "address")
  return state.run.space:address(symbol_of(state, "address", name))
end

-- An address, given as an integer or as the name of a global.
local function address_of(state, method, it)
  if math.type(it) == "integer" then return it end
  local symbol = symbol_of(state, method, it)
  if not global.is(symbol) then
    errors.raise("'%s' is a %s: it has no bytes", it, link.kind(symbol))
  end
  return state.run.space:address(symbol)
end

local function check_type(method, i, type)
  if not types.size(type) then
    errors.arg(method, i, "a type that memory can hold", type)
  end
end

-- Raises what is wrong with n bytes at an address.
local function fault(state, what, address, n, writes)
  errors.raise("%s at %s", what, state.run.space.memory.fault(address, n, writes))
end

--- Reads a value from memory.
function Instance:load(at, type)
  local state = of(self, "load")
  local address = address_of(state, "load", at)
  check_type("load", 2, type)
  local value = state.run.space.memory["load_" .. type](address)
  if value == nil then fault(state, "load of " .. type, address, types.size(type), false) end
  if type == "i1" and value ~= true then return value == 1 end
  return value
end

--- Writes a value to memory.
function Instance:store(at, type, value)
  local state = of(self, "store")
  local address = address_of(state, "store", at)
  check_type("store", 2, type)
  local take = runtime.take(type == "ptr" and "i64" or type)
  local taken = take(value)
  if taken == nil then errors.arg("store", 3, type, value) end
  if not state.run.space.memory["store_" .. type](address, taken) then
    fault(state, "store of " .. type, address, types.size(type), true)
  end
end

--- Reads bytes.
function Instance:bytes(at, n)
  local state = of(self, "bytes")
  local address = address_of(state, "bytes", at)
  if n == nil and type(at) == "string" then n = state.symbols[at]:size() end
  if math.type(n) ~= "integer" or n < 0 then errors.arg("bytes", 2, "a number of bytes", n) end
  return n == 0 and "" or state.run.space.memory.bytes(address, n)
    or errors.raise("%d byte%s at 0x%x: outside memory", n, n == 1 and "" or "s", address)
end

--- Writes bytes; all are checked first.
function Instance:set_bytes(at, bytes)
  local state = of(self, "set_bytes")
  local address = address_of(state, "set_bytes", at)
  if type(bytes) ~= "string" then errors.arg("set_bytes", 2, "a string", bytes) end
  local why = state.run.space.memory.write(address, bytes)
  if why then errors.raise("%s", why) end
  return self
end

-- }====================================================================

function class.meta:__tostring()
  return ("phial.Instance of '%s'"):format(class.behind(self).module:name())
end

local KNOWN = { env = "table" }

--- Makes an instance.
---@param state phial.module.State
---@param opts { env: table? }?
---@return phial.Instance
function M.new(state, opts)
  opts = options.argument("instance", 1, opts, KNOWN)
  return class.new { module = state.module, symbols = state.symbols,
    run = run.open(state.module, opts.env) }
end

return M
