--- phial.emit.llvm: LLVM IR that does exactly what finished functions do.
local Unit = require "phial.emit.llvm.unit"
local errors = require "phial.errors"
local options = require "phial.options"

local M = {
  help = "LLVM IR",
}

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

local KNOWN = {
  pointers = { "opaque", "typed" }, traps = { "checked", "trap", "call", "undefined" },
  file = "string", directory = "string",
}

local function new_unit(opts)
  return Unit.new(options.argument("phial.emit.llvm", 2, opts, KNOWN))
end

--- The function, and what it calls and refers to, which is not visible from outside.
---@param fn phial.Function
---@param opts? phial.emit.llvm.Options
---@return string
function M.func(fn, opts)
  local unit = new_unit(opts)
  errors.check_finished(fn, "be written")
  unit.symbols:add(fn, true)
  return unit:text(fn:name())
end

--- The functions and globals of a module.
---@param m phial.Module
---@param opts? phial.emit.llvm.Options
---@return string
function M.module(m, opts)
  local unit = new_unit(opts)
  for _, g in ipairs(m:globals()) do
    if not g:is_declaration() then unit.symbols:add(g, g:linkage() == "external") end
  end
  for _, fn in ipairs(m:functions()) do unit.symbols:add(fn, fn:linkage() == "external") end
  return unit:text(m:name())
end

return M
