--- phial.emit: functions and modules as text of other kinds, an emitter a file.
--
-- phial.emit.NAME is made of the Lua module phial.emit.NAME, a phial.Emitter, which is loaded
-- when the field is first read. That the argument is of a class that the emitter takes is checked
-- here; its state and opts are the emitter's to check.
local errors = require "phial.errors"
local later = require "phial.later"
local portable = require "phial.portable"

local M = {}

local package = package or {} -- a program may withhold it from its scripts later

-- The state of a phial.Module; nil: it is something else.
local state_of = later("phial.module", "state")

-- The text of a trace or phial.Record; nil: it is something else.
local trace_of = later("phial.trace.replay", "text_of")

--- Those that come with phial, a set of names.
M.BUNDLED = {
  blockargs = true, c = true, cps = true, dot = true, html = true, json = true, llvm = true,
  lua = true, svg = true,
}

local function exists(name, path)
  if M.BUNDLED[name] then return true end
  if package.loaded and package.loaded[path] then return true end
  for _, searcher in ipairs(package.searchers or {}) do
    if type(searcher(path)) == "function" then return true end
  end
  return false
end

--- What the emitter of a name is; nil if there is no such module, or it is not an emitter.
---@param name any
---@return phial.Emitter?
function M.about(name)
  local path = "phial.emit." .. portable.tostring(name)
  local emitter = exists(name, path) and require(path)
  return type(emitter) == "table" and rawget(emitter, "func") and emitter or nil
end

local function raise_unknown(name)
  name = portable.tostring(name)
  local now = errors.now("phial.emit", name)
  if now then errors.raise("there is no emitter '%s'%s", name, now) end
  errors.raise("unknown emitter '%s'%s; there are: %s", name, errors.near(name, M.BUNDLED),
    table.concat(portable.sorted(M.BUNDLED), ", "))
end

--- Makes the field `name`: the emitter's functions with a check of their argument.
---@param emitters table phial.emit
---@param name any
---@return function
function M.load(emitters, name)
  local emitter = M.about(name) or raise_unknown(name)
  local emit_func, emit_module = rawget(emitter, "func"), rawget(emitter, "module")
  local emit_trace = rawget(emitter, "trace")
  local expected = emit_trace and "phial.Function, phial.Record or trace"
    or emit_module and "phial.Function or phial.Module" or "phial.Function"
  local function emit(it, opts)
    if errors.class(it) == "phial.Function" then return emit_func(it, opts) end
    local state = emit_module and state_of(it)
    if state then
      errors.check_accepted(state, "written")
      return emit_module(it, opts)
    end
    local text = emit_trace and trace_of(it)
    if text then return emit_trace(text, opts) end
    errors.raise("bad argument #1 to 'phial.emit.%s' (%s expected, got %s)", name, expected,
      state_of(it) and "phial.Module" or type(it))
  end
  rawset(emitters, name, emit)
  return emit
end

return M
