-- A route: a way to make a random program with random options, changes that keep what it computes,
-- and a way to run it. What is chosen comes from pick(n), from 1 to n; route.said tells it.
local algorithms = require "phial.trace.algorithms"
local arithmetic = require "spec.support.arithmetic"
local blockargs = require "spec.oracle.blockargs"
local cps = require "spec.oracle.cps"
local json = require "spec.support.json"
local keeping = require "spec.support.keeping"
local leaving = require "spec.oracle.leaving"
local phial = require "phial"
local random_rules = require "spec.support.random_rules"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local passes = {}
for _, name in ipairs { "hoist", "inline", "switches", "tidy" } do
  passes[name] = require("examples.passes." .. name)
end

local M = {}

-- Blocks that a run may enter. A route may split edges.
local FUEL = 100000

-- Once in n times; shrinking makes it rare.
local function chance(pick, n) return pick(n) == n end

---@class fuzz.Route
---@field case table
---@field pick fun(n: integer): integer
---@field said string[]
---@field functions phial.Function[] the last one is called
---@field env table<string, phial.Function>
---@field module phial.Module?

-- {== Options ===========================================================

-- Draws that do not depend on what else is drawn: a set of rules is the same on all routes.
local function stream(seed)
  return function(n)
    seed = seed * 0x5851F42D4C957F2D + 0x14057B7EF767814F
    return (seed >> 33) % n + 1
  end
end

-- The standard rules but some: what an earlier one makes the others never see is seen.
local function some_rules(pick)
  local set = phial.rules "int"
  for _, name in ipairs(set:names()) do
    if pick(2) == 1 then set:enable(name, false) end
  end
  return set
end

local function rules_of(case, kind)
  if kind == 1 then return false end
  if kind == 2 then return "default" end
  if kind == 3 then return some_rules(stream(case.rules)) end
  local text, functions = random_rules.generate(stream(case.rules))
  return phial.rules(kind == 4 and "int" or nil):add(text, functions)
end

local TYPES = { "i64", "i1", "i8", "f32", "ptr", "any" }

-- By the names of the options of phial.fn.
local OPTIONS = {
  construction = function(pick) return algorithms.variants[pick(4)] end,
  type = function(pick) return TYPES[pick(#TYPES)] end,
  copies = function(pick) return chance(pick, 4) end,
  accesses = function(pick) return chance(pick, 6) end,
  keep_unreachable = function(pick) return chance(pick, 4) end,
  split = function(pick) return chance(pick, 2) end,
  undef = function(pick) return ({ "undef", "error", "values" })[pick(3)] end,
  strict = function(pick) return chance(pick, 3) end,
  linkage = function(pick) return ({ "external", "internal" })[pick(2)] end,
  where = function(pick) return ({ false, true, "all" })[pick(3)] end,
  log = function(pick)
    local function listen(e) return tostring(e.value) end
    local kind = pick(24) -- they take time
    return ({ [22] = true, [23] = listen, [24] = { listen, detail = true } })[kind] or false
  end,
  rules = function(pick) return pick(5) end,
}

-- By spec/support/arithmetic_builder.lua and spec/rules/bisect_spec.lua.
local ELSEWHERE = { dialects = true, variadic = true, applications = true }

-- Of that file, and of finish.
local MORE = {
  seal = function(pick) return ({ "late", "early", "counted" })[pick(3)] end,
  refine = function(pick) return chance(pick, 3) end,
  named = function(pick) return chance(pick, 3) end,
  current = function(pick) return chance(pick, 3) end,
  may = function(pick) return chance(pick, 6) end,
  slots = function(pick) return chance(pick, 12) end,
  finish = function(pick)
    return ({ {}, { verify = false }, { keep_unreachable = chance(pick, 2) } })[pick(3)]
  end,
}

local NAMES = {}
for _, list in ipairs { OPTIONS, MORE } do
  for name in pairs(list) do NAMES[#NAMES + 1] = name end
end
table.sort(NAMES)

--- The options of phial.fn that no route sets.
---@param declared { name: string }[]
---@return string[]
function M.forgotten(declared)
  local list = {}
  for _, field in ipairs(declared) do
    if not OPTIONS[field.name] and not ELSEWHERE[field.name] then list[#list + 1] = field.name end
  end
  return list
end

local shown
function shown(it)
  if type(it) ~= "table" then return type(it) == "function" and "function" or tostring(it) end
  local list = {}
  for key, value in pairs(it) do list[#list + 1] = ("%s=%s"):format(key, shown(value)) end
  table.sort(list)
  return "{" .. table.concat(list, ", ") .. "}"
end

local function random_options(route)
  local opts, said = {}, {}
  for i, name in ipairs(NAMES) do
    opts[name] = (OPTIONS[name] or MORE[name])(route.pick)
    said[i] = ("%s=%s"):format(name, shown(opts[name]))
  end
  -- random rules can undo each other
  opts.strict = opts.strict and opts.seal ~= "late" and opts.rules < 4
  opts.rules = rules_of(route.case, opts.rules)
  opts.result, opts.leave = "i64", arithmetic.digest
  route.said[#route.said + 1] = table.concat(said, " ")
  return opts
end

-- }== Construction ======================================================

-- Builds all functions; `started` is called with each before it is filled.
local function build(route, opts, started)
  for i, program in ipairs(route.case.programs) do
    opts.name = route.prefix .. "f" .. i
    opts.started = started
    local fn = arithmetic.build(program, nil, opts)
    route.functions[i], route.env[opts.name] = fn, fn
  end
  return route
end

local make = {}

function make.loose(route)
  local opts = random_options(route)
  function opts.callee(name, form)
    name = route.prefix .. name
    return form == 2 and route.env[name] or name
  end
  return build(route, opts)
end

function make.module(route)
  local opts, module = random_options(route), phial.module(route.prefix .. "m")
  function opts.make(...) return module:fn(...) end
  function opts.callee(name, form)
    name = route.prefix .. name
    return form == 2 and module:get(name) or name
  end
  build(route, opts)
  route.module = module:finish()
  return route
end

-- Constructs from traces, by all algorithms. They have no refinements and no may-writes.
function make.trace(route)
  local opts, pick, records = random_options(route), route.pick, {}
  local algorithm = algorithms.names[pick(#algorithms.names)]
  if algorithm == "brandis" then algorithm = "cytron" end -- it refuses gotos
  route.is_classical = algorithms.is_classical[algorithm]
  opts.keep_unreachable, opts.finish, opts.refine, opts.may = false, nil, false, false
  -- a trace tells what undef functions said, but a phi that nothing needs may ask for more
  if route.is_classical and opts.undef == "values" then opts.undef = nil end
  function opts.callee(name) return route.prefix .. name end
  build(route, opts, function(fn) records[#records + 1] = assert(phial.record(fn)) end)
  local again = { construction = algorithm, dialects = { arithmetic.dialect },
    rules = not route.is_classical and chance(pick, 3) or nil }
  route.said[#route.said + 1] = ("trace %s, rules %s"):format(algorithm, again.rules)
  for i, record in ipairs(records) do
    route.functions[i]:close()
    route.functions[i] = assert(phial.replay(record:text(), again))
    route.env[route.functions[i]:name()] = route.functions[i]
  end
  return route
end

local MAKE = { "loose", "module", "trace", "module" }

-- A may-write has not happened.
local function lower(fn)
  local list = {}
  for v in fn:values() do
    if v:op() == "may" then list[#list + 1] = v end
  end
  for _, v in ipairs(list) do
    local was = v:args()[1]
    if was ~= v then v:replace(was) end
    for i, arg in ipairs(was:op() == "phi" and was:args() or {}) do
      if arg == v then was:set_arg(i, was) end
    end
    if v:use_count() == 0 then v:erase() end
  end
end

local function check_verified(route, what)
  for _, fn in ipairs(route.functions) do
    local ok, problems = fn:verify()
    if not ok then error(what .. ": " .. table.concat(problems, "\n"), 0) end
  end
end

local function check_simplest(route, what)
  for _, fn in ipairs(route.functions) do
    if not fn:is_minimal() then error(what .. ": not minimal", 0) end
    if not fn:is_pruned() then error(what .. ": not pruned", 0) end
  end
end

-- }== Changes ===========================================================

local change = {}

local function parsed(text)
  local it, why = phial.parse(text, { dialects = { arithmetic.dialect } })
  if not it then error(("cannot be read: %s\n%s"):format(why, text), 0) end
  return it
end

local function replace(route, i, fn)
  route.functions[i]:close()
  route.functions[i], route.env[fn:name()] = fn, fn
end

-- True unless ids are so much larger than a text that they are not kept.
local function has_small_ids(fn)
  for v in fn:values() do
    if v:id() > 1024 then return false end
  end
  return true
end

function change.text(route)
  local opts = { ids = ({ "own", "dense" })[route.pick(2)],
    order = ({ "id", "rpo" })[route.pick(2)] }
  for _, fn in ipairs(route.functions) do
    if not has_small_ids(fn) then opts.ids = "dense" end
  end
  if route.module then
    local module = parsed(route.module:text(opts))
    for i, fn in ipairs(route.functions) do replace(route, i, module:get(fn:name())) end
    route.module = module
  else
    for i, fn in ipairs(route.functions) do
      local again, text = parsed(fn:text(opts)), fn:text()
      if opts.ids == "own" and opts.order == "id" and again:text() ~= text then
        error(("the text is not read as it was written\n%s\n%s"):format(text, again:text()), 0)
      end
      replace(route, i, again)
    end
  end
end

-- All or none: functions that stay would call closed ones.
function change.blockargs(route)
  if route.module then return end
  for _, fn in ipairs(route.functions) do
    if #fn:blocks()(fn):preds() > 0 or fn:keeps_unreachable() or not has_small_ids(fn) then
      return
    end
  end
  for i, fn in ipairs(route.functions) do
    -- parameters of blocks do not say of which variable they are: numbers begin anywhere
    local text = blockargs.text(phial.emit.blockargs(fn)):gsub("( = copy [%w_]+)/", "%1_")
    replace(route, i, parsed(text))
  end
end

-- Random rules can undo each other: they stop when fuel runs out, and the function has grown.
local function circles(fn) return fn:stats().exhausted > 0 end

function change.clean(route)
  local chores = {}
  for _, chore in ipairs { "unreached", "phis", "rules", "dead" } do
    chores[chore] = chance(route.pick, 2)
  end
  chores.phis = chores.phis or chores.unreached -- which can leave redundant ones
  for _, fn in ipairs(route.functions) do
    if not circles(fn) then fn:clean(chores) end
  end
end

function change.clean_all(route)
  for _, fn in ipairs(route.functions) do
    fn:clean { unreached = true, phis = true, rules = not circles(fn), dead = true }
  end
  check_simplest(route, "cleaned")
end

function change.reopen(route)
  for _, fn in ipairs(route.functions) do
    if not circles(fn) then fn:reopen():finish() end
  end
end

function change.edit(route)
  for _ = 1, route.pick(6) do
    local fn = route.functions[route.pick(#route.functions)]
    local name = keeping.names[route.pick(#keeping.names)]
    route.said[#route.said + 1] = name
    keeping[name](fn, route.pick)
    fn:clean { phis = true, rules = chance(route.pick, 3) and not circles(fn) }
  end
end

-- Makes several edges between the same two blocks, along which phis have unlike operands.
function change.parallel(route)
  for _, fn in ipairs(route.functions) do
    for _ = 1, route.pick(4) do keeping.fork(fn, route.pick) end
    for _ = 1, route.pick(8) do keeping.bypass(fn, route.pick) end
    fn:clean { phis = true, rules = chance(route.pick, 2) and not circles(fn) }
  end
end

-- The passes of examples/passes, each with the function and its options.
function change.passes(route)
  for _ = 1, route.pick(3) do
    local name = ({ "hoist", "inline", "switches", "tidy" })[route.pick(4)]
    route.said[#route.said + 1] = name
    for _, fn in ipairs(route.functions) do
      if not circles(fn) then passes[name](fn, { functions = route.env }) end
    end
  end
end

function change.promote(route)
  local changed = {}
  for _, fn in ipairs(route.functions) do
    if not circles(fn) and fn:promote().fields + fn:forward().loads > 0 then
      changed[#changed + 1] = fn
    end
  end
  check_simplest({ functions = changed }, "promoted")
end

function change.split(route)
  for _, fn in ipairs(route.functions) do fn:leave { split = true } end
end

-- What else is made of a function must only be well-formed.
function change.look(route)
  for _, fn in ipairs(route.functions) do
    local it, count = json.read(phial.emit.json(fn, { log = false })).functions[1], 0
    for _ in fn:blocks() do count = count + 1 end
    assert(#it.blocks == count, "blocks in JSON")
    assert(#phial.emit.dot(fn) > 0)
  end
end

local CHANGES = { "blockargs", "clean", "clean_all", "edit", "edit", "edit", "look", "parallel",
  "parallel", "passes", "passes", "promote", "promote", "reopen", "split", "text", "text" }

-- }== Making ============================================================

--- True if rules in circles have made so much that what follows takes too long.
function M.is_large(route)
  local values = 0
  for _, fn in ipairs(route.functions) do values = values + fn:stats().values end
  return values > 2000
end

--- Takes a route up to where the program is run.
---@param case table of M.generate
---@param pick fun(n: integer): integer
---@param prefix string of the functions' names
---@return fuzz.Route
function M.take(case, pick, prefix)
  local name = MAKE[pick(#MAKE)]
  local route = { case = case, pick = pick, prefix = prefix, said = { name }, functions = {},
    env = {} }
  M.latest = route
  make[name](route)
  check_verified(route, name)
  if not route.is_classical then check_simplest(route, name) end
  for _, fn in ipairs(route.functions) do
    lower(fn)
    if route.is_classical or fn:stats().phis > 0 then fn:clean { phis = true, dead = true } end
  end
  for _ = 1, M.is_large(route) and 0 or pick(4) - 1 do
    local it = CHANGES[pick(#CHANGES)]
    route.said[#route.said + 1] = it
    change[it](route)
    check_verified(route, it)
  end
  return route
end

function M.close(route)
  for _, fn in ipairs(route.functions) do fn:close() end
end

-- }== Running ===========================================================

-- Each returns a function of the arguments; nil where a way is not for such a program.
local run = {}

local function top(route) return route.functions[#route.functions] end

-- The arguments, and what follows them.
local function with(route, args, last)
  local n = #top(route):params()
  local all = table.move(args, 1, n, 1, {})
  all[n + 1] = last
  return table.unpack(all, 1, last and n + 1 or n)
end

function run.call(route)
  return function(args) return top(route)(with(route, args, { env = route.env, fuel = FUEL })) end
end

function run.instance(route)
  if not route.module then return end
  local instance, name = route.module:instance(), top(route):name()
  return function(args) return instance:call(name, with(route, args, { fuel = FUEL })) end
end

local FORMS = { { form = "goto" }, { form = "blocks" }, { locals = 2 }, { locals = 12 } }

-- Calls a chunk with fuel; its memory is the same for all inputs.
local function called(route, source, host, last)
  host.env = route.env
  return function(args)
    host.fuel = { left = FUEL }
    return assert(load(source, "=emitted", "t"))(host)(with(route, args, last))
  end
end

function run.lua(route)
  local form = FORMS[route.pick(#FORMS)]
  return called(route, phial.emit.lua(top(route), { form = form.form, locals = form.locals,
    fuel = true }))
end

local function identity(...) return ... end

local NESTINGS = { 150, 2, 0 }

function run.cps(route)
  local source, host = phial.emit.cps(top(route), { form = "lua", fuel = true,
    nesting = NESTINGS[route.pick(3)] })
  return called(route, source, host, identity)
end

function run.cps_text(route)
  local program = route.case.programs[1]
  if #route.functions > 1 or program.memory or program.foreign then return end
  for v in top(route):values() do
    if v:op() == "alloca" then return end
  end
  local it = cps.read(phial.emit.cps(top(route), { nesting = NESTINGS[route.pick(3)] }))
  return function(args)
    return cps.run(it, { is_block = function() return false end }, with(route, args))
  end
end

local function interpreted(route, leave)
  return function(args)
    return semantics.run(top(route), { env = route.env, fuel = FUEL, leaving = leave },
      with(route, args))
  end
end

function run.oracle(route) return interpreted(route) end

-- Runs by locations and moves.
function run.leave(route)
  local opts, left = { coalesce = chance(route.pick, 2), split = chance(route.pick, 3) }, {}
  local checks = chance(route.pick, 4)
  for _, fn in ipairs(route.functions) do
    left[fn] = fn:leave(opts)
    if checks and not fn:keeps_unreachable() then -- what is not reached has no locations
      leaving.check(fn, left[fn])
      leaving.check_types(fn, left[fn])
    end
  end
  return interpreted(route, function(fn) return left[fn] end)
end

local RUN = { "call", "call", "cps", "cps_text", "instance", "leave", "leave", "lua", "lua",
  "oracle" }

--- What the reference says: the oracle's interpreter on a construction without rules.
---@param case table
---@return table route, any[] outcomes by input; "out of fuel" if it takes too long
function M.reference(case, steps)
  local route = { case = case, prefix = "", functions = {}, env = {} }
  build(route, { result = "i64", leave = arithmetic.digest, callee = identity })
  local outcomes = {}
  for i, args in ipairs(case.inputs) do
    outcomes[i] = results.outcome(semantics.run, top(route), { env = route.env, fuel = steps },
      with(route, args))
  end
  return route, outcomes
end

--- Raises an error unless an outcome is as expected.
function M.compare(what, args, expected, got)
  if results.same(expected, got) then return end
  for i, arg in ipairs(args) do args[i] = tostring(arg) end
  error(("%s of (%s): expected %s, got %s"):format(what, table.concat(args, ", "),
    tostring(expected), tostring(got)), 0)
end

--- Runs a route in one way and compares with what is expected.
---@param route fuzz.Route
---@param expected any[]
function M.run(route, expected)
  local name, f
  repeat
    name = M.is_large(route) and "call" or RUN[route.pick(#RUN)]
    f = run[name](route)
  until f
  route.said[#route.said + 1] = name
  for i, args in ipairs(route.case.inputs) do
    if expected[i] ~= "out of fuel" then
      M.compare(name, table.move(args, 1, #args, 1, {}), expected[i], results.outcome(f, args))
    end
  end
end

-- }======================================================================

return M
