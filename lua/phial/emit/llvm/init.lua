--- phial.emit.llvm: LLVM IR that does exactly what finished functions do.
local Unit = require "phial.emit.llvm.unit"
local errors = require "phial.errors"

local M = {}

---@class phial.emit.llvm.Options
--- Pointers as LLVM 15 and later write them ("opaque", the default), or with types, for
--- LLVM 14 and earlier.
---@field pointers? "opaque"|"typed"
--- What a trap does: llvm.trap ("checked", the default, or "trap"), `void
--- phial_trap(const char *why)` with a message, which must not return ("call"); or nothing
--- is checked, and what would trap is undefined ("undefined").
---@field traps? "checked"|"trap"|"call"|"undefined"
---@field file? string the source file of positions that name none
---@field directory? string that of the source files

local KNOWN = { pointers = "string", traps = "string", file = "string", directory = "string" }

local VALUES = {
  pointers = { "opaque", "typed" }, traps = { "checked", "trap", "call", "undefined" },
}

local function check_value(name, value)
  local names = {}
  for i, known in ipairs(VALUES[name]) do
    if value == nil or value == known then return end
    names[i] = '"' .. known .. '"'
  end
  errors.raise("'phial.emit.llvm': option '%s': %s expected, got %s", name,
    table.concat(names, " or "), errors.got(value))
end

local function take_options(opts)
  if opts == nil then return {} end
  if type(opts) ~= "table" then errors.arg("phial.emit.llvm", 2, "table", opts) end
  opts = errors.options("'phial.emit.llvm': ", opts, KNOWN)
  for name in pairs(VALUES) do check_value(name, opts[name]) end
  return opts
end

--- The function, and what it calls and refers to, which is not visible from outside.
---@param fn phial.Function
---@param opts? phial.emit.llvm.Options
---@return string
function M.func(fn, opts)
  local unit = Unit.new(take_options(opts))
  errors.check_finished(fn, "be written")
  unit:add(fn)
  return unit:text(fn:name())
end

--- The functions and globals of a module.
---@param m phial.Module
---@param opts? phial.emit.llvm.Options
---@return string
function M.module(m, opts)
  local unit = Unit.new(take_options(opts))
  for g in m:globals() do unit:add(g) end
  for fn in m:functions() do unit:add(fn) end
  return unit:text(m:name())
end

return M
