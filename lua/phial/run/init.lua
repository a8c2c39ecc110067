-- Runs functions: as Lua source, loaded once per version of a function.
--
-- A run links a function with those that it calls: each gets an instance in the
-- run, and all share its fuel, its names and its memory. Runs are cached by the function
-- called first and the table of names. While a run is being called, which can take as long as a
-- coroutine waits, other calls have other runs.
--
-- A call takes no time for functions that it does not call, however many the run has linked: the
-- core tells a run when one of them may change, and names are looked up where they are called.
local core = require "phial.core"
local emit = require "phial.emit.lua"
local errors = require "phial.errors"
local later = require "phial.later"
local located = require "phial.run.located"
local options = require "phial.options"
local runtime = require "phial.run.runtime"
local signature = require "phial.signature"

local M = {}

local indirect_linker = later("phial.run.indirect", "linker")
local new_space = later("phial.run.space", "new")

local pack, unpack = table.pack, table.unpack
local version_of = core.Function.__index.version

---@class phial.run.Run
---@field [1] boolean a function of the instances may have changed; set by the core
---@field env table callees by name
---@field fuel {left: integer}?
---@field instances table<phial.Function, function>
---@field direct phial.run.Site[] calls by name that do not look it up
---@field leaves boolean? functions of the host are called, which can change env
---@field module phial.Module? of the function called first
---@field space phial.run.Space? if a function needs memory
---@field host table? of the chunk whose run it is: `env` and `fuel` are what it has
---@field counts boolean? the chunk counts blocks
---@field names table? `env` when functions were linked
---@field busy boolean? it is being called, or was left by an error or a coroutine

---@class phial.run.Site a call by name, whose function is callee[number]
---@field callee table<integer, function>
---@field number integer
---@field look_up function looks the name up at each call
---@field check function looks it up once

---@class phial.run.Unit: phial.Signature a version of a function; parameters also have `take`
---@field version integer
---@field plain phial.run.Code? compiled without fuel
---@field fuelled phial.run.Code? compiled with fuel
---@field runs table<table, phial.run.Run[]> by env, the latest first

---@class phial.run.Code: phial.emit.lua.Made without `source`; `host` lacks the run's fields
---@field chunk function returns an instance
---@field marks table<integer, table>? its calls by line, once an error was located

-- By function; collected with the function.
---@type table<phial.Function, phial.run.Unit>
local units = setmetatable({}, { __mode = "k" })

-- By function, the runs that have its code.
---@type table<phial.Function, table<phial.run.Run, true>>
local runs_of = setmetatable({}, { __mode = "k" })

-- The field of a run that the core sets.
local OUTDATED <const> = 1

-- The most runs that are cached for a function and an env.
local MOST_RUNS = 16

-- The env of runs without one.
local NO_NAMES = setmetatable({}, { __newindex = function()
  error("the function was called without the option env", 2)
end })

-- {== Compiling =======================================================

local function new_unit(fn)
  errors.check_finished(fn)
  local unit = signature.of(fn)
  unit.version, unit.runs = version_of(fn), setmetatable({}, { __mode = "k" })
  for _, param in ipairs(unit.params) do param.take = runtime.take(param.type) end
  units[fn] = unit
  return unit
end

-- The unit of the current version. Reopening changes the version: a unit's function
-- is finished.
local function unit_of(fn)
  local unit = units[fn]
  return unit and unit.version == version_of(fn) and unit or new_unit(fn)
end

local function compile(fn, fuel)
  local made = emit.generate(fn, { fuel = fuel })
  local name = ("%s%s]"):format(located.CHUNK, (fn:name():gsub("[\0-\31\127]", "?")))
  made.chunk = errors.compile(made.source, name, ("function '%s'"):format(fn:name()))
  made.source = nil
  return made
end

local function code_of(unit, fn, fuel)
  local kind = fuel and "fuelled" or "plain"
  unit[kind] = unit[kind] or compile(fn, fuel)
  return unit[kind]
end

-- }== Linking =========================================================

local refuse = located.raise

local function check_callee(fn, where)
  local usable, why = core.is_usable(fn)
  if not usable then refuse(where, "its callee is %s", why) end
  if not fn:is_finished() then refuse(where, "function '%s' is not finished", fn:name()) end
end

-- The instance of a function that an instruction calls.
local function instance_for(run, fn, where)
  check_callee(fn, where)
  return M.instance(run, fn)
end

-- Replaces itself by the instance of a function on the first call.
local function stub(run, host, i, fn, where)
  return function(...)
    host[i] = instance_for(run, fn, where)
    return host[i](...)
  end
end

-- The instance with conversions of arguments; takes: by the number of a parameter
-- whose type is not that of the argument.
local function converting(instance, unit, takes, where)
  return function(...)
    local args = pack(...)
    for i, take in pairs(takes) do
      local value = take(args[i])
      if value == nil then refuse(where, "%s", signature.argument(unit, i, args[i])) end
      args[i] = value
    end
    return instance(unpack(args, 1, args.n))
  end
end

-- From now on names are looked up at each call.
local function leave(run)
  if run.leaves then return end
  run.leaves = true
  for _, site in ipairs(run.direct) do site.callee[site.number] = site.look_up end
  run.direct = {}
end

-- Links a phial function that is called by name, with arguments of these types; also
-- returns whether the result is of the type that is expected; that of a tail call must be.
local function link(run, fn, where, types, result, is_tail)
  check_callee(fn, where)
  local unit, takes, n = unit_of(fn), {}, 0
  for type in types:gmatch "%S+" do
    n = n + 1
    local param = unit.params[n]
    if param and param.type ~= type then takes[n] = param.take end
  end
  if not signature.takes(unit, n) then refuse(where, "%s", signature.count(unit, n)) end
  local instance = M.instance(run, fn)
  if next(takes) then instance = converting(instance, unit, takes, where) end
  if is_tail and result ~= unit.result then
    refuse(where, "%s", signature.returned(unit, result))
  end
  return instance, not result or result == "any" or result == unit.result
end

-- Lets a call by name do without a look-up until the run is called again: as long as it calls no
-- function of the host, env does not change.
local function go_direct(run, callee, number, name, linked)
  local found = rawget(run.env, name)
  local site = { callee = callee, number = number, look_up = callee[number] }
  local function go()
    callee[number] = linked
    run.direct[#run.direct + 1] = site
  end
  function site.check(...)
    if run.leaves or rawget(run.env, name) ~= found then
      callee[number] = site.look_up
      return site.look_up(...)
    end
    go()
    return linked(...)
  end
  go()
end

-- Links what is called by name: phial functions are called in the same run.
local function linker(run)
  return function(found, where, types, result, is_tail, callee, number, name)
    if errors.class(found) ~= "phial.Function" then
      leave(run)
      return found, false
    end
    local linked, exact = link(run, found, where, types, result, is_tail)
    if exact and not run.leaves and rawget(run.env, name) == found then
      go_direct(run, callee, number, name, linked)
    end
    return linked, exact
  end
end

-- Gives the run a space, unless a finalizer has done so meanwhile.
local function give_space(run)
  local new = new_space(run.module, run)
  run.space = run.space or new
end

-- What the code of a function finds in `host` besides its callees.
local function host_of(run, fn, code)
  if code.memory and not run.space then give_space(run) end
  return { env = run.env, link = linker(run), fuel = run.fuel, space = run.space,
    module = code.memory and fn:module(),
    indirect = code.memory and indirect_linker(run, instance_for) }
end

-- Lets the run know when the function may change.
local function watch(run, fn)
  local runs = runs_of[fn] or setmetatable({}, { __mode = "k" })
  runs[run], runs_of[fn] = true, runs
  core.watch(fn, runs)
end

--- The instance of a function in a run.
---@param run phial.run.Run
---@param fn phial.Function
---@return function
function M.instance(run, fn)
  if run.instances[fn] then return run.instances[fn] end
  if run.host or not run.fuel then watch(run, fn) end -- else it is called once
  local unit = unit_of(fn)
  local code = code_of(unit, fn, run.fuel ~= nil)
  local host = host_of(run, fn, code)
  table.move(code.host, 1, #code.host, 1, host)
  for i, where in pairs(code.callees) do host[i] = stub(run, host, i, code.host[i], where) end
  if code.leaves then leave(run) end
  local instance = code.chunk(host)
  run.instances[fn] = instance
  if code.calls then
    located.add(instance, { fn = fn, version = unit.version, code = code, fuel = run.fuel ~= nil })
  end
  return instance
end

-- Makes a run forget all functions.
local function reset(run)
  run[OUTDATED], run.instances, run.direct, run.leaves = false, {}, {}, nil
  return run
end

local function new_run(root, env, fuel)
  return reset { env = env, fuel = fuel and { left = fuel }, module = root:module() }
end

-- Makes a run that is not being called ready for a call: meanwhile env may have changed.
local function renew(run)
  if run[OUTDATED] then reset(run) end
  local direct = run.direct
  for i = #direct, 1, -1 do
    direct[i].callee[direct[i].number], direct[i] = direct[i].check, nil
  end
end

-- The run for a call: one that is not being called.
local function run_of(unit, fn, env)
  local list = unit.runs[env] or {}
  for i = 1, #list do
    local run = list[i]
    if not run.busy then
      if run[OUTDATED] or run.space and not run.space:is_current() then
        run[OUTDATED], run.space = true, nil
      end
      renew(run)
      return run
    end
  end
  local run = new_run(fn, env)
  unit.runs[env] = list
  table.insert(list, 1, run)
  list[MOST_RUNS + 1] = nil
  return run
end

-- }== Calling =========================================================

-- The options after the arguments of a call, nil if none are given; raises if the number of
-- arguments is wrong.
local function options_behind(unit, known, ...)
  local given, expected = select("#", ...), #unit.params
  if given == expected then return nil end
  local may_follow = given == expected + 1 or unit.is_variadic and given > expected
  local last = may_follow and select(given, ...)
  if type(last) == "table" then return options.take("", last, known) end
  if last ~= nil and not signature.takes(unit, given) then
    errors.raise("%s", signature.count(unit, given))
  end
end

-- Argument i converted to its type.
local function converted(unit, i, it)
  local take = unit.params[i].take
  if not take then return it end
  local value = take(it)
  if value == nil then errors.raise("%s", signature.argument(unit, i, it)) end
  return value
end

-- The arguments of a variadic function: without options, those of parameters converted.
local function all_arguments(unit, ...)
  local args = pack(...)
  if args.n > #unit.params and type(args[args.n]) == "table" then args.n = args.n - 1 end
  for i = 1, args.n do
    if unit.params[i] then
      args[i] = converted(unit, i, args[i])
    elseif not math.type(args[i]) and type(args[i]) ~= "boolean" then
      errors.raise("bad argument #%d to '%s' (a number or boolean expected, got %s)", i,
        unit.name, errors.got(args[i]))
    end
  end
  return unpack(args, 1, args.n)
end

-- As many of the arguments as the function takes, converted.
local function arguments(unit, ...)
  local n = #unit.params
  if unit.is_variadic then return all_arguments(unit, ...) end
  if n == 0 then return end
  if n == 1 then return converted(unit, 1, (...)) end
  local args = { ... }
  for i = 1, n do args[i] = converted(unit, i, args[i]) end
  return unpack(args, 1, n)
end

local function finish(run, ok, ...)
  run.busy = nil
  if ok then return ... end
  error((...), 0)
end

-- Calls a function in a run of its own; memory has its initial contents then, also if an
-- error has ended the last call.
local function call_afresh(run, fn, ...)
  run.busy = true
  local instance = run.instances[fn] or M.instance(run, fn)
  local has_space = run.space ~= nil
  if has_space then run.space:restore() end
  return finish(run, located.call(has_space, instance, ...))
end

-- Calls a function with names, in a cached run. If it has no memory and calls nothing, a
-- run of its own makes no difference.
local function call_cached(unit, fn, env, ...)
  local code, run = code_of(unit, fn, nil), run_of(unit, fn, env)
  if code.calls or code.memory then return call_afresh(run, fn, ...) end
  return (run.instances[fn] or M.instance(run, fn))(...)
end

local KNOWN <const> = { env = "table", fuel = "integer" }

--- Runs a function: `fn(...)`. A table after the arguments has
--- options: `env`, callees by name, and `fuel`, the number of blocks that the
--- function and its callees may enter.
function M.call(fn, ...)
  local unit = unit_of(fn)
  local opts = options_behind(unit, KNOWN, ...)
  local env = opts and opts.env or NO_NAMES
  if not (opts and opts.fuel) then return call_cached(unit, fn, env, arguments(unit, ...)) end
  return call_afresh(new_run(fn, env, opts.fuel), fn, arguments(unit, ...))
end

-- }== Runs that last ==================================================

-- Ends a call in a run that lasts: the allocas made since are freed.
local function finish_lasting(run, top, thread, ok, ...)
  run.space.memory.release(top)
  run.owner[1] = thread
  return finish(run, ok, ...)
end

local running = coroutine.running

-- The coroutine in which the run is being called; nil if it is not. One that was closed, or
-- dropped while it waited, has left its allocas.
local function owner_of(run)
  local thread = run.owner[1]
  if thread and coroutine.status(thread) ~= "dead" then return thread end
  run.owner[1] = nil
  run.space.memory.release(0)
end

-- Calls the instance of a function in memory as it is.
local function call_lasting(run, fn, ...)
  local instance = run.instances[fn] or M.instance(run, fn)
  local thread = owner_of(run)
  if thread and thread ~= running() then
    errors.raise("'%s' cannot be called: its instance is running in another coroutine", fn:name())
  end
  run.owner[1] = running()
  return finish_lasting(run, run.space.memory.top(), thread, located.call(true, instance, ...))
end

local weak = { __mode = "v" }

--- Makes a run whose memory lasts from call to call.
---@param module phial.Module?
---@param env table? callees by name
---@return phial.run.Run
function M.open(module, env)
  local run = reset { env = env or NO_NAMES, module = module, owner = setmetatable({}, weak) }
  give_space(run)
  return run
end

local KNOWN_IN <const> = { fuel = "integer" }

--- Calls a function in a run that lasts. A table after the arguments has the option `fuel`.
---@param run phial.run.Run of M.open
---@param fn phial.Function
---@return any
function M.call_in(run, fn, ...)
  local unit = unit_of(fn)
  local opts = options_behind(unit, KNOWN_IN, ...)
  if opts and opts.fuel then -- a run of its own, in the same memory
    run = reset { env = run.env, fuel = { left = opts.fuel }, module = run.module,
      space = run.space, owner = run.owner }
  elseif not owner_of(run) then
    renew(run)
  end
  return call_lasting(run, fn, arguments(unit, ...))
end

-- }== Runs of chunks ===================================================

-- Makes the run of a chunk forget all functions if one has changed, or `host` has.
local function refresh(run)
  local host = run.host
  local fuel = run.counts and host.fuel or nil
  if run.names == run.env and run.fuel == fuel and not run[OUTDATED] then return end
  reset(run)
  run.names, run.fuel = run.env, fuel
end

-- The allocas of a call that an error has ended are freed.
local function finish_entered(run, top, ...)
  if run.space then run.space.memory.release(top) end
  return finish(run, ...)
end

-- What a chunk calls to enter its run: what find() links there.
local function entering(run, find)
  local instance, among
  return function(...)
    refresh(run)
    if among ~= run.instances then instance, among = find(), run.instances end
    local top = run.space and run.space.memory.top() or 0
    return finish_entered(run, top, located.call(true, instance, ...))
  end
end

local function entering_instance(run, fn, where)
  return entering(run, function() return instance_for(run, fn, where) end)
end

-- As `linker`, for calls by name in a chunk.
local function entering_linker(run)
  return function(found, where, types, result, is_tail)
    if errors.class(found) ~= "phial.Function" then return found, false end
    local linked, exact
    local function find()
      linked, exact = link(run, found, where, types, result, is_tail)
      return linked
    end
    refresh(run)
    find()
    return entering(run, find), exact
  end
end

--- Gives the table `host` of a chunk what it needs to call functions of phial: all run in memory
--- that belongs to `host`, which lasts.
---@param fn phial.Function
---@param made phial.emit.lua.Made
function M.attach(fn, made)
  local host = made.host
  local run = setmetatable({ host = host, counts = made.counts, module = fn:module() }, {
    __index = function(_, key) return key == "env" and (host.env or NO_NAMES) or nil end,
  })
  refresh(run)
  if made.memory then
    give_space(run)
    host.space, host.module = run.space, run.module
    host.indirect = indirect_linker(run, entering_instance)
  end
  host.link = entering_linker(run)
  for i, where in pairs(made.callees) do host[i] = entering_instance(run, host[i], where) end
end

-- }====================================================================

core.Function.__call = M.call

return M
