-- The things that calls begin with: functions in all states, what belongs to them, a module.
local acts = require "fuzz.attack.acts"
local arguments = require "fuzz.attack.arguments"
local phial = require "phial"
local random = require "fuzz.attack.random"
local world = require "fuzz.attack.world"

local chance, pick = random.chance, random.pick
local callback, keep = arguments.callback, world.keep

local PARAMS <const> = { "n:i64", "c:i1", "p:ptr", "x:f64", "m:i32" }
local EMITTED <const> = "fun(v: phial.Value, o: any, emit: phial.Site): string[]"

local function dialect()
  local function act(v) acts.act "eval" return v end
  local d = phial.dialect("d", {
    op = { args = { "i64" }, result = "i64", eval = act,
      effect = pick { "none", "read", "new", "write" }, c = callback(EMITTED),
      llvm = callback(EMITTED), describe = function() acts.act "describe" return "data" end },
    two = { args = 1, result = "i64", results = 2 },
    go = { terminator = true, targets = 2, args = { "i64" }, eval = function() return 1 end,
      c = callback(EMITTED), llvm = callback(EMITTED) },
  }, { "t" })
  keep(d)
  for _, name in ipairs { "op", "two", "go" } do keep(d[name]) end
  return d
end

local function rules()
  local r = phial.rules("a: x + C => $f(x) if $g(x)\nb: x * 0 => 0\nc: x - C => x @ late", {
    f = callback "fun(e: phial.Actor, x: phial.Value): phial.Value?",
    g = function() acts.act "guard" return chance(2) end })
  keep(r)
  keep(phial.rules "int")
  return r
end

-- A finished loop, whose terminator is one of the dialect now and then.
local function looping(opts, d)
  local fn = phial.fn("loop", PARAMS, "i64", opts)
  fn:set_current(fn:entry())
  local n, head, done = fn:param(1), fn:block "head", fn:block "done"
  fn:jump(head)
  fn:set_current(head)
  fn:let(n, "add", n, 1)
  fn:write(n, fn:emit(d.op, n))
  if chance(2) then fn:emit(d.go, n, head, done) else fn:branch(fn:slt(n, 9), head, done) end
  head:seal()
  done:seal()
  fn:set_current(done)
  fn:ret(n)
  fn:finish()
  world.keep_parts(fn)
  return fn
end

-- One under construction.
local function started(opts)
  local ok, fn = pcall(phial.fn, "f", PARAMS, "i64", opts)
  if not ok then fn = phial.fn("f", PARAMS, "i64", { accesses = true }) end
  world.keep_parts(fn)
  world.focus = world.families[#world.families]
  fn:set_current(fn:entry())
  if chance(3) then fn:set_loc(7, 2, "s.x") end
  if chance(3) then fn:set_node {} end
  for i = 1, 3 do
    keep(fn:block(nil, pick { 0, 1, 2, nil }))
    keep(fn:var("v" .. i, pick { "i64", "i1", "f64", "ptr", "i32" }))
  end
  keep(fn:group { fn:param(1) })
  if chance(4) then fn:set_current(nil) end
  return fn
end

local library

local function module_of_functions()
  local m = phial.module "m"
  keep(m)
  keep(m:global("g", "i64", 3))
  keep(m:global("s", 16))
  keep(m:global("r", 100, "abc", { reserve = 1 << 24 }))
  m:declare("h", { "x" }, "i64")
  world.keep_parts(m:build("f", { "n" }, "i64", function(b, v) b:ret(v.n) end))
  m:build("out", { "n" }, "i64", function(b, v) b:ret(b:call("h", nil, v.n)) end)
  m:finish()
  keep(m:callgraph())
  local env = { h = function() acts.act "env" return 1 end }
  keep(m:instance { env = env })
  if not library or not pcall(library.get, library, "f") then -- seldom, since it takes a while
    library = m:compile { env = env }
  end
  keep(library)
end

-- What a finished function gives.
local function keep_answers(fn)
  keep(fn:entry():back())
  keep(fn:leave())
  keep(fn:repair(fn:arg(1)))
  keep(fn:solve { bottom = 0, join = math.max, transfer = { default = function() return 0 end } })
end

-- Emits a function with ops whose callbacks act.
local function emit(fn)
  acts.quiet = false
  pcall(phial.emit.c, fn)
  pcall(phial.emit.llvm, fn)
  acts.quiet = true
end

--- Makes a world; what it returns calls a function while a builder may be at work.
---@return fun(rest: function)
return function()
  world.clear()
  local d, r = dialect(), rules()
  started { accesses = true, dialects = { d }, rules = chance(2) and r or nil }
  local fn = world.focus.fn
  fn:entry():read(fn:param(1))
  keep(fn:write_accesses()[1])
  keep(fn:read_accesses()[1])
  started { dialects = { d }, rules = r,
    undef = chance(2) and callback("fun(var: phial.Variable): phial.Operand", "undef") or nil }
  started(arguments.options "Options")
  local event
  local done = looping({ dialects = { d }, accesses = true,
    log = function(e) event = event or e end }, d)
  world.focus = world.families[#world.families]
  keep(event)
  keep_answers(done)
  looping({ dialects = { d }, log = true, rules = false }, d)
  keep(phial.fn "l":log(true))
  keep(phial.record(phial.fn("r", { "x" })))
  module_of_functions()
  emit(done)
  return function(rest)
    if chance(2) then return rest() end
    local entered
    pcall(phial.build, "b", PARAMS, "i64", { dialects = { d } }, function(b, v)
      world.keep_parts(b.fn)
      world.focus = world.families[#world.families]
      keep(b)
      keep(v, "Variables")
      b:loop(function(loop)
        keep(loop, "Loop")
        entered = true
        rest()
      end)
    end)
    if not entered then rest() end
  end
end
