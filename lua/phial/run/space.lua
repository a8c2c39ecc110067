-- The address space of a run: its memory, and the addresses of globals and functions.
--
-- Memory is a space of phial.core, whose functions generated code calls. Globals of the
-- module get their places at once, others when their addresses are first asked for.
-- Functions get numbers in a range of their own, in which nothing can be stored.
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"

local M = {}

local FIRST, STEP = 1 << 40, 16

---@class phial.run.Space
---@field memory table<string, function> phial.core.space()
---@field addresses table<any, integer> of globals, functions, and names of functions
---@field functions table<integer, phial.Function|string> by address
---@field next integer the next address of a function
---@field pending phial.Global[] whose initial values have not been written

local Space = {}
Space.__index = Space

-- {== Functions ========================================================

-- What stands for a function: a declaration is the same as its name.
local function key_of(fn)
  if core.is_usable(fn) and fn:is_declaration() then return fn:name() end
  return fn
end

local function add_function(space, key)
  local address = space.next
  space.next = address + STEP
  space.addresses[key], space.functions[address] = address, key
  return address
end

--- The function at an address, or the name of one; nil if there is none.
---@param address integer
---@return phial.Function|string|nil
function Space:callee(address) return self.functions[address] end

-- }== Globals ==========================================================

-- Makes room for all of them at once: a buffer that grows is copied.
local function reserve(space, module)
  local sizes = { [true] = 0, [false] = 0 }
  for g in module:globals() do
    local which = g:is_constant()
    sizes[which] = sizes[which] + g:size() + g:align() - 1
  end
  for which, size in pairs(sizes) do space.memory.reserve(size, which) end
end

local function place(space, g)
  local address = space.memory.place(g:size(), g:align(), g:is_constant())
  if not address then errors.raise("global '%s' does not fit into memory", g:name()) end
  space.addresses[g] = address
  if g:initial() ~= nil then space.pending[#space.pending + 1] = g end
  return address
end

-- Writes initial values once all globals have places, since they may be addresses.
local function start(space)
  while #space.pending > 0 do
    local g = table.remove(space.pending)
    local bytes = g:bytes()
    if g:type() == "ptr" then bytes = ("<i8"):pack(space:address(g:initial(), g:module())) end
    space.memory.start(space.addresses[g], bytes)
  end
end

-- }== Addresses ========================================================

--- The address of a global, a function, or what a name means in a module; a name that the
--- module does not have is that of a function in the option `env`.
---@param data phial.Global|phial.Function|string
---@param module phial.Module?
---@return integer
function Space:address(data, module)
  if type(data) == "string" then data = module and module:get(data) or data end
  if self.addresses[data] then return self.addresses[data] end
  if global.is(data) then
    local address = place(self, data)
    start(self)
    return address
  end
  local key = type(data) == "string" and data or key_of(data)
  local address = self.addresses[key] or add_function(self, key)
  self.addresses[data] = address
  return address
end

--- Makes memory as it was at first.
function Space:restore() self.memory.restore() end

-- }== Making ===========================================================

--- Makes a space with the globals of a module.
---@param module phial.Module?
---@return phial.run.Space
function M.new(module)
  local space = setmetatable({ memory = core.space(), addresses = {}, functions = {}, next = FIRST,
    pending = {} }, Space)
  if module then
    reserve(space, module)
    for g in module:globals() do place(space, g) end
    start(space)
  end
  return space
end

-- }=====================================================================

return M
