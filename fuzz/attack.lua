-- Calls every function and method of types/phial.lua with arguments of all kinds, right and
-- wrong, at random: `lua5.4 fuzz/attack.lua SEED CALLS`.  Signatures come from that file, so
-- what is declared is called.  Callbacks, metamethods and finalizers raise, yield, collect,
-- close and call again.  A seed makes the same calls each time: the last number that is printed
-- is a sum over them and their outcomes.
-- TRACE=1 prints each call before it is made; GOON=1 goes on after a failure.
local phial = require "phial"
local acts = require "fuzz.attack.acts"
local arguments = require "fuzz.attack.arguments"
local check = require "fuzz.attack.check"
local declared = require "fuzz.attack.declared"
local made = require "fuzz.attack.made"
local random = require "fuzz.attack.random"
local skills = require "fuzz.attack.skills"
local world = require "fuzz.attack.world"

local chance, pick = random.chance, random.pick

local SEED <const>, CALLS <const> = tonumber(arg[1]) or 1, tonumber(arg[2]) or 10000
local PER_WORLD <const> = 150
local ENOUGH <const> = 40000 -- calls in which 99 of 100 functions are called
local TRACE <const> = os.getenv "TRACE"
local LIMITED <const> = { fuel = 200 } -- a run may be a loop without end

local counts = { calls = 0, refused = 0, accepted = 0, sum = 0 }
local called, accepted = {}, {} -- by the full name of a method
local suspended = {} -- coroutines

math.randomseed(SEED)

-- {== reports }

local function name_of(it)
  if type(it) == "string" then return ("%q"):format(it:sub(1, 30)) end
  local meta = type(it) == "userdata" and debug.getmetatable(it)
  return meta and tostring(meta.__name) or type(it) == "number" and tostring(it) or type(it)
end

local function describe(method, args, n)
  local said = {}
  for i = 1, n do said[i] = name_of(args[i]) end
  return ("%s(%s)"):format(method.full, table.concat(said, ", "))
end

local current_call = ""

local function report(what, message)
  io.stderr:write(("seed %d, call %d, %s: %s\n  %s\n"):format(
    SEED, counts.calls, what, current_call, tostring(message)))
  if not os.getenv "GOON" then os.exit(1) end
end

-- }== calls ===========================================================

local OPERATORS <const> = {
  __add = function(a, b) return a + b end, __sub = function(a, b) return a - b end,
  __mul = function(a, b) return a * b end, __div = function(a, b) return a / b end,
  __band = function(a, b) return a & b end, __bor = function(a, b) return a | b end,
  __bxor = function(a, b) return a ~ b end, __shl = function(a, b) return a << b end,
  __shr = function(a, b) return a >> b end, __unm = function(a) return -a end,
  __bnot = function(a) return ~a end,
}

-- Calls a method of the module, or of `it`.  Not tail calls, for the position.
local function invoke(method, it, args, n)
  local r
  if not method.class then
    r = table.pack(phial[method.name](table.unpack(args, 1, n)))
  elseif method.class == "emit" then
    r = table.pack(phial.emit[method.name](table.unpack(args, 1, n)))
  elseif OPERATORS[method.name] then
    r = table.pack(OPERATORS[method.name](it, args[1]))
  elseif method.name == "__call" then
    args[n + 1] = LIMITED
    r = table.pack(it(table.unpack(args, 1, n + 1)))
  else
    if method.full == "Instance.call" then n = n + 1; args[n] = LIMITED end
    r = table.pack(it[method.name](it, table.unpack(args, 1, n)))
  end
  return r
end

local function keep_results(method, r)
  if method.name == "compile" then pcall(function() r[1]:close() end) return end
  for i, type in ipairs(method.returns) do
    local class = type:match "phial%.(%w+)"
    local list = type:find "%[%]" and _G.type(r[i]) == "table" and r[i] or { r[i] }
    if class and not type:find "^fun%(" then
      for k = 1, math.min(#list, 4) do world.keep(list[k], class) end
    elseif class and _G.type(r[1]) == "function" then
      local ok, first = pcall(r[1], r[2])
      if ok then world.keep(first, class) end
    end
  end
end

-- What a call is made on, and with: mostly what fits together.
local function prepare(method, it)
  if it == nil and method.class and method.class ~= "emit" then
    it = chance(60) and arguments.any() or world.of(method.class)
  end
  local args, n, other
  if skills[method.full] and not chance(4) then
    local ok, list, on = pcall(skills[method.full], it)
    if ok then args, n, other = list, #(list or {}), on end
  end
  if not args then args, n = arguments.declared(method) end
  n = arguments.disturb(args, n)
  for i = 1, n do -- no file by any other name
    if method.writes and type(args[i]) == "string" then args[i] = "/dev/null" end
  end
  return other or it, args, n
end

local function has(it, method)
  if not method.class or method.class == "emit" then return true end
  local class = world.class(it)
  if not class then return false end
  if method.name:find "^__" then
    local meta = debug.getmetatable(it)
    return meta and meta[method.name] ~= nil
  end
  local ok, f = pcall(function() return it[method.name] end)
  return ok and type(f) == "function"
end

local function note(method, it, args, n)
  called[method.full] = true
  args[0] = it
  if method.edits then world.mark(args, n) end
  for i = 1, n do -- it need not be well-formed then
    if type(args[i]) == "table" and rawget(args[i], "verify") == false then
      for _, family in ipairs(world.families) do family.edited = true end
      world.focus.edited = true
    end
  end
end

local function random_method()
  return chance(2) and pick(declared.often) or pick(declared.methods)
end

-- The methods of a class; its own ones more often than those of all that emits.
local OF_CLASS <const> = {}
for _, method in ipairs(declared.methods) do
  for _, class in ipairs(declared.kinds(method.class or "M")) do
    OF_CLASS[class] = OF_CLASS[class] or {}
    for _ = 1, class == method.class and 20 or 1 do table.insert(OF_CLASS[class], method) end
  end
end

function acts.call_again(it)
  local method = it == nil and random_method() or pick(OF_CLASS[world.class(it) or "M"] or
    declared.methods)
  if method.name == "compile" or method.full == "Library.close" then return end
  local quiet = acts.quiet
  acts.quiet = true
  local on, args, n = prepare(method, it)
  acts.quiet = quiet
  if not has(on, method) then return end
  if TRACE then io.stderr:write("  in it ", describe(method, args, n), "\n") end
  note(method, on, args, n)
  local r = invoke(method, on, args, n)
  accepted[method.full] = true
  keep_results(method, r)
end

-- }== one call ========================================================

-- Continues, closes or forgets what has yielded.
local function go_on()
  local co = table.remove(suspended, math.random(#suspended))
  local does = pick { "resume", "close", "forget" }
  if does == "resume" and coroutine.resume(co) and coroutine.status(co) == "suspended" then
    suspended[#suspended + 1] = co
  elseif does == "close" then coroutine.close(co) end
end

local function run_in_coroutine(...)
  local co = coroutine.create(invoke)
  local ok, r = coroutine.resume(co, ...)
  if coroutine.status(co) == "suspended" then suspended[#suspended + 1] = co return true, nil end
  return ok, r
end

local function run(...)
  local how = chance(4) and run_in_coroutine or function(...) return pcall(invoke, ...) end
  if not chance(100) then return how(...) end
  return acts.stress(how, chance(10), ...)
end

local function add_up(method, ok, r)
  local n = ok and (r and r.n or 99) or type(r) == "string" and 7 or 8
  counts.sum = (counts.sum * 31 + #method.full * 100 + n) & 0xffffffff
end

local function finish_call(call, before, ok, r)
  local outcome = ok and "accepted" or "refused"
  counts[outcome] = counts[outcome] + 1
  add_up(call.method, ok, r)
  if ok and r then
    accepted[call.method.full] = true
    keep_results(call.method, r)
  elseif not ok and acts.interfered == call.interfered then
    local what, why = check.refused(call, before, r)
    if what then report(what, why) end
  end
end

local function one_call(method)
  world.turn(method.class ~= "emit" and method.class or nil, method.finished)
  local it, args, n = prepare(method)
  if not has(it, method) then return end
  counts.calls = counts.calls + 1
  current_call = describe(method, args, n)
  if TRACE then io.stderr:write(counts.calls, " ", current_call, "\n") end
  note(method, it, args, n)
  local call = { method = method, args = args, n = n, interfered = acts.interfered,
    bodies = acts.bodies,
    loc = rawequal(it, world.focus.fn) and method.name ~= "compile" and check.location(it) or nil }
  local before = check.states()
  acts.raised, acts.quiet = {}, false
  local ok, r = run(method, it, args, n)
  acts.quiet = true
  finish_call(call, before, ok, r)
end

local function between()
  if chance(10) then acts.garbage() end
  if chance(200) then collectgarbage() end
  if chance(150) then world.collect() end
  if #suspended > 0 and chance(3) then
    acts.quiet = false
    go_on()
    acts.quiet = true
  end
  local fn = world.focus.fn
  if chance(4) and world.is_finished(fn) == false and not fn:is_declaration() then
    pcall(function() if not fn:current() then fn:set_current(fn:block()) end end)
  end
end

-- }== the run =========================================================

local at = 0

local function next_method()
  if chance(3) then return pick(declared.often) end
  at = at % #declared.methods + 1
  local method = declared.methods[at]
  return (not method.slow or chance(method.slow)) and method or next_method()
end

-- The functions that are not in a set; `trap` is accepted by no call, since it raises.
local function missing(from)
  local names = {}
  for _, method in ipairs(declared.methods) do
    if not from[method.full] then names[#names + 1] = method.full end
  end
  return names
end

while counts.calls < CALLS do
  made()(function()
    for _ = 1, PER_WORLD do
      one_call(next_method())
      between()
    end
  end)
  local problems = check.ill_formed()
  if problems then report("verify", problems) end
  suspended = {}
  collectgarbage()
end

local never = missing(accepted)
print(("seed %d: %d calls, %d refused, %d accepted, %d of %d functions accepted, sum %08x"):format(
  SEED, counts.calls, counts.refused, counts.accepted, #declared.methods - #never,
  #declared.methods, counts.sum))
if #never > 1 then print("never accepted: " .. table.concat(never, " ")) end
local uncalled = missing(called)
if CALLS >= ENOUGH and 100 * #uncalled > #declared.methods then
  report("never called", table.concat(uncalled, " "))
end
