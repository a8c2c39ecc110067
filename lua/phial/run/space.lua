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
---@field pending table list and set of globals whose initial values are to be written
---@field growing {address: integer, chunks: phial.module.Chunk[]}[] initial values of globals that
--- can grow
---@field run {env: table} what lies elsewhere, by name
---@field external table<string, any> what names of env were found to be

local Space = {}
Space.__index = Space

-- {== Functions ========================================================

-- The address of a function, or of the name of one; a declaration is the same as its name.
local function number(space, it)
  local is_declaration = type(it) ~= "string" and core.is_usable(it) and it:is_declaration()
  local key = is_declaration and it:name() or it
  if not space.addresses[key] then
    space.addresses[key], space.functions[space.next] = space.next, key
    space.next = space.next + STEP
  end
  return space.addresses[key]
end

-- }== Globals ==========================================================

-- Makes room for all of them at once: a buffer that grows is copied.
local function reserve(space, module)
  local sizes = { [true] = 0, [false] = 0 }
  for _, g in ipairs(module:globals()) do
    local which = g:is_constant()
    if not g:is_declaration() and not g:reserve() then
      sizes[which] = sizes[which] + g:size() + g:align() - 1
    end
  end
  for which, size in pairs(sizes) do space.memory.reserve(size, which) end
end

-- A finalizer that runs when the memory grows may have placed it.
local function place(space, g)
  local pending, is_zero = space.pending, g:initial() == nil
  local address = g:reserve() and space.memory.reserve_global(g:size(), g:reserve())
    or not g:reserve() and space.memory.place(g:size(), g:align(), g:is_constant())
  if space.addresses[g] then return space.addresses[g] end
  if not address then errors.raise("global '%s' does not fit into memory", g:name()) end
  if not is_zero then pending[#pending + 1], pending[g] = g, true end
  space.addresses[g] = address
  return address
end

-- }== Addresses ========================================================

-- The address that the environment has under a name: an integer, or that of a global; nil: it
-- has none.
local function address_in_env(space, name)
  local it = rawget(space.run.env, name)
  local address = math.type(it) == "integer" and it
    or global.is(it) and not it:is_declaration() and place(space, it)
  if address then space.external[name] = it end
  return address or nil
end

local function declared_address(space, g, where)
  local address = address_in_env(space, g:name())
  if address then return address end
  local why = ("global '%s' lies elsewhere, and the option env has no address of that name")
    :format(g:name())
  if where then error(where .. ": " .. why, 0) end
  errors.raise("%s", why)
end

-- Gives an address to what data is.
local function find_address(space, data, module, where)
  if type(data) == "string" then data = module and module:get(data) or data end
  if space.addresses[data] then return space.addresses[data] end
  local address
  if not global.is(data) then
    address = type(data) == "string" and address_in_env(space, data) or number(space, data)
  else
    address = data:is_declaration() and declared_address(space, data, where)
      or place(space, data)
  end
  space.addresses[data] = address
  return address
end

-- Writes the initial value of a global that can grow.
local function write_chunks(space, it)
  for _, chunk in ipairs(it.chunks) do
    space.memory.start(it.address + chunk.offset, chunk.bytes)
  end
end

-- Writes initial values, which may have the address of a global that has no place yet. A finalizer
-- that runs meanwhile writes those that are missing.
local function write_initials(space)
  local pending = space.pending
  while #pending > 0 do
    local g = pending[#pending]
    local function address_of(it) return find_address(space, it.symbol, g:module()) + it.plus end
    local bytes, chunks = nil, nil
    if g:reserve() then chunks = global.chunks(g, address_of)
    else bytes = global.bytes(g, address_of) end
    if pending[g] then
      pending[g] = nil
      if chunks then
        space.growing[#space.growing + 1] = { address = space.addresses[g], chunks = chunks }
        write_chunks(space, space.growing[#space.growing])
      else
        space.memory.start(space.addresses[g], bytes)
      end
    end
    if pending[#pending] == g then pending[#pending] = nil end
  end
end

--- The address of a global, a function, or what a name means in a module; a name that the
--- module does not have is that of an address, a global or a function in the option `env`.
---@param data phial.Global|phial.Function|string
---@param module phial.Module?
---@param where string? the instruction, for errors
---@return integer
function Space:address(data, module, where)
  local address = find_address(self, data, module, where)
  write_initials(self)
  return address
end

--- Gives memory its initial contents.
function Space:restore()
  if not self.memory.restore() then return end
  for _, it in ipairs(self.growing) do write_chunks(self, it) end
end

--- True if the environment still has what was found in it.
---@return boolean
function Space:is_current()
  for name, it in pairs(self.external) do
    if rawget(self.run.env, name) ~= it then return false end
  end
  return true
end

-- }== Making ===========================================================

--- Makes a space with the globals of a module.
---@param module phial.Module?
---@param run {env: table}
---@return phial.run.Space
function M.new(module, run)
  local space = setmetatable({ memory = core.space(), addresses = {}, functions = {}, next = FIRST,
    pending = {}, growing = {}, run = run, external = {} }, Space)
  if module then
    reserve(space, module)
    for _, g in ipairs(module:globals()) do
      if not g:is_declaration() then place(space, g) end
    end
    write_initials(space)
  end
  return space
end

-- }=====================================================================

return M
