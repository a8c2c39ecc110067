-- Functions run: as Lua source, loaded once for each version of a function.
-- A run links: the functions that it calls are instances of their own, which
-- share its fuel and its names. Instances are kept, by the function that was
-- called first and by the table of names, until one of them has changed.
local core = require "phial.core"
local emit = require "phial.emit.lua"
local errors = require "phial.errors"
local runtime = require "phial.run.runtime"

local M = {}

local unpack = table.unpack
local version_of = core.Function.__index.version

---@class phial.run.Run
---@field root phial.Function the one that was called
---@field env table names that are called
---@field fuel {left: integer}?
---@field instances table<phial.Function, function>
---@field versions table<phial.Function, integer>
---@field checked table<phial.Function, function> the same for callers that may be wrong

---@class phial.run.Unit what is known of a function in one version
---@field version integer
---@field name string
---@field params {name: string, type: string, take: function?}[]
---@field plain phial.run.Code? compiled without fuel
---@field fuelled phial.run.Code? and with it
---@field runs table<table, phial.run.Run> by their names

---@class phial.run.Code
---@field chunk function
---@field host table
---@field callees table<integer, string>

-- By function; all of it goes when the function goes.
---@type table<phial.Function, phial.run.Unit>
local units = setmetatable({}, { __mode = "k" })

-- The names of a run that has none.
local NO_NAMES = {}

--
-- {== Compiling =======================================================
--

local function check_finished(fn)
  if errors.class(fn) ~= "phial.Function" then
    errors.raise("calling 'run' on bad self (phial.Function expected, got %s) (use ':'?)",
      errors.got(fn))
  elseif not fn:is_finished() then
    errors.raise("function '%s' is not finished: call fn:finish() before it can run", fn:name())
  end
end

local function new_unit(fn)
  check_finished(fn)
  local unit = { version = version_of(fn), name = fn:name(), params = {},
    runs = setmetatable({}, { __mode = "k" }) }
  for i, var in ipairs { fn:params() } do
    unit.params[i] = { name = var:name(), type = var:type(), take = runtime.take(var:type()) }
  end
  units[fn] = unit
  return unit
end

-- Reopening is a change: in the same version a function is finished still.
local function unit_of(fn)
  local unit = units[fn]
  return unit and unit.version == version_of(fn) and unit or new_unit(fn)
end

local function compile(fn, fuel)
  local made = emit.generate(fn, { fuel = fuel })
  local name = ("=[phial %s]"):format((fn:name():gsub("%c", "?")))
  return { chunk = assert(load(made.source, name, "t")), host = made.host, callees = made.callees }
end

local function code_of(unit, fn, fuel)
  local kind = fuel and "fuelled" or "plain"
  unit[kind] = unit[kind] or compile(fn, fuel)
  return unit[kind]
end

-- }== Linking =========================================================

-- Takes the place of a function until it is called.
local function stub(run, host, i, fn, where)
  return function(...)
    local ok, is_finished = pcall(fn.is_finished, fn)
    if not ok then error(("%s: its callee is closed"):format(where), 0) end
    if not is_finished then
      error(("%s: function '%s' is not finished"):format(where, fn:name()), 0)
    end
    host[i] = M.instance(run, fn)
    return host[i](...)
  end
end

-- What generated code calls under a name: phial functions run in the same run.
local function linker(run)
  return function(callee)
    if errors.class(callee) ~= "phial.Function" then return callee end
    run.checked[callee] = run.checked[callee] or M.checked(run, callee)
    return run.checked[callee]
  end
end

--- The function as it runs in a run.
---@param run phial.run.Run
---@param fn phial.Function
---@return function
function M.instance(run, fn)
  if run.instances[fn] then return run.instances[fn] end
  local unit = unit_of(fn)
  local code = code_of(unit, fn, run.fuel ~= nil)
  local host = { env = run.env, link = linker(run), fuel = run.fuel }
  table.move(code.host, 1, #code.host, 1, host)
  for i, where in pairs(code.callees) do host[i] = stub(run, host, i, code.host[i], where) end
  if fn ~= run.root then run.versions[fn] = unit.version end
  run.instances[fn] = code.chunk(host)
  return run.instances[fn]
end

local function new_run(root, env, fuel)
  return { root = root, env = env, fuel = fuel and { left = fuel }, instances = {}, versions = {},
    checked = {} }
end

-- Are the functions that a run has called as they were?
local function is_fresh(run)
  for fn, version in pairs(run.versions) do
    local ok, now = pcall(version_of, fn)
    if not ok or now ~= version then return false end
  end
  return true
end

local function run_of(unit, fn, env)
  local run = unit.runs[env]
  if not run or not is_fresh(run) then
    run = new_run(fn, env)
    unit.runs[env] = run
  end
  return run
end

-- }== Calling =========================================================

local function bad_argument(unit, i, it)
  local param = unit.params[i]
  local why = ("%s expected, got %s"):format(param.type, errors.got(it))
  if math.type(it) == "integer" and param.type ~= "i1" then
    why = ("%d does not fit %s"):format(it, param.type)
  end
  errors.raise("bad argument #%d '%s' to '%s' (%s)", i, param.name, unit.name, why)
end

local function check_count(unit, given)
  if given ~= #unit.params then
    errors.raise("wrong number of arguments to '%s' (%d expected, got %d)", unit.name, #unit.params,
      given)
  end
end

-- Argument i as a value of its type.
local function taken(unit, i, it)
  local take = unit.params[i].take
  if not take then return it end
  local value = take(it)
  if value == nil then bad_argument(unit, i, it) end
  return value
end

-- Calls fn with the first of the arguments.
local function enter(run, fn, unit, ...)
  local n, instance = #unit.params, run.instances[fn] or M.instance(run, fn)
  if n == 0 then return instance() end
  if n == 1 then return instance(taken(unit, 1, (...))) end
  local args = { ... }
  for i = 1, n do args[i] = taken(unit, i, args[i]) end
  return instance(unpack(args, 1, n))
end

--- A function for callers that may be wrong.
---@param run phial.run.Run
---@param fn phial.Function
---@return function
function M.checked(run, fn)
  return function(...)
    local unit = unit_of(fn)
    check_count(unit, select("#", ...))
    return enter(run, fn, unit, ...)
  end
end

local KNOWN = { env = "table", fuel = "integer" }

--- Runs a function: `fn(...)` and `fn:run(...)`. Behind the arguments may stand
--- options: `env`, the functions that it calls by name, and `fuel`, how many
--- blocks it may enter, and all that it calls.
---@param fn phial.Function
---@return any
function M.call(fn, ...)
  local unit, given = unit_of(fn), select("#", ...)
  local opts = given == #unit.params + 1 and select(given, ...)
  if type(opts) ~= "table" then
    check_count(unit, opts == nil and given - 1 or given)
    return enter(run_of(unit, fn, NO_NAMES), fn, unit, ...)
  end
  opts = errors.options("", opts, KNOWN)
  local env = opts.env or NO_NAMES
  local run = opts.fuel and new_run(fn, env, opts.fuel) or run_of(unit, fn, env)
  return enter(run, fn, unit, ...)
end

-- }====================================================================

return M
