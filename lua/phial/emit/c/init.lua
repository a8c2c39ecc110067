--- phial.emit.c: C11 that does exactly what finished functions do.
local Unit = require "phial.emit.c.unit"
local options = require "phial.options"
local programs = require "phial.code.program"

local M = {
  help = "C",
}

---@class phial.emit.c.Options
--- "undefined": leaves out the checks of divisions, conversions and `unreachable`.
---@field traps? "checked"|"undefined"
---@field lines? boolean `#line` from the frontend's positions (default true)
---@field file? string the name of the C file, for lines without a position

local KNOWN = { traps = { "checked", "undefined" }, lines = "boolean", file = "string" }

local function take_options(opts, name)
  opts = options.argument("phial.emit.c", 2, opts, KNOWN)
  opts.lines = opts.lines ~= false
  opts.file = opts.file or name .. ".c"
  return opts
end

--- Writes functions and globals with all that they reach; for phial.native.
---@param functions phial.Function[]
---@param globals phial.Global[]
---@param opts table
---@return string source
---@return phial.emit.c.Unit
function M.generate(functions, globals, opts)
  local versions = {}
  local unit = Unit.new(functions, globals, opts)
  for _, program in ipairs(unit.programs) do versions[program.fn] = program.fn:version() end
  local source = programs.reading(versions, unit.write, unit)
  return source, unit
end

--- C source of a finished function and of all that it calls and refers to, which is not
--- visible to other files.
---@param fn phial.Function
---@param opts? phial.emit.c.Options
---@return string
function M.func(fn, opts)
  return (M.generate({ fn }, {}, take_options(opts, fn:name())))
end

--- The functions and globals of a module that other parts of a program see.
---@param m phial.Module
---@return phial.Function[]
---@return phial.Global[]
function M.visible(m)
  local functions, globals = {}, {}
  for _, fn in ipairs(m:functions()) do
    if fn:linkage() == "external" then functions[#functions + 1] = fn end
  end
  for _, g in ipairs(m:globals()) do
    if g:linkage() == "external" and not g:is_declaration() then globals[#globals + 1] = g end
  end
  return functions, globals
end

--- C source of the functions and globals of a module; of internal ones, those that are used.
---@param m phial.Module
---@param opts? phial.emit.c.Options
---@return string
function M.module(m, opts)
  opts = take_options(opts, m:name())
  local functions, globals = M.visible(m)
  return (M.generate(functions, globals, opts))
end

return M
