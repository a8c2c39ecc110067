-- Calls every function and method of types/phial.lua with arguments of all kinds, right and
-- wrong, at random: `lua5.4 fuzz/attack.lua SEED CALLS`.  Signatures come from that file, so
-- what is declared is called.  Callbacks, metamethods and finalizers raise, yield, collect,
-- close and call again.  What a call must keep is checked behind it: see `check`.
-- TRACE=1 prints each call before it is made.
local declared = require "fuzz.declared"
local phial = require "phial"

local SEED <const>, CALLS <const> = tonumber(arg[1]) or 1, tonumber(arg[2]) or 10000
local PER_WORLD <const> = 120
local TRACE <const> = os.getenv "TRACE"
local R = math.random
math.randomseed(SEED)

local counts = { calls = 0, refused = 0, accepted = 0 }
local world -- things by the name of their class; functions is a list
local deep, acts = 0, 0 -- the nesting of callbacks, and what they have done
local quiet = true -- while things are made and looked at, callbacks do nothing
local current_call -- for reports

local function pick(list) return list[R(#list)] end
local function chance(n) return R(n) == 1 end

local function report(what, message)
  io.stderr:write(("seed %d, call %d, %s: %s\n  %s\n"):format(
    SEED, counts.calls, what, current_call or "", tostring(message)))
  if not os.getenv "GOON" then os.exit(1) end
end

-- Keeps a thing of a class for later calls.
local function keep(class, it)
  if type(it) == "userdata" then
    class = tostring(debug.getmetatable(it).__name):match "^phial%.(%w+)" or class
  elseif type(it) ~= "table" then return end
  local kept = world[class] or {}
  world[class] = kept
  local at = #kept < 24 and #kept + 1 or R(#kept)
  kept[at] = it
  if class == "Function" and type(it) == "userdata" and #world.functions < 8 then
    world.functions[#world.functions + 1] = it
  end
end

-- {== arguments }

local NUMBERS <const> = {
  0, 1, 2, 3, -1, 7, 64, 255, 1.5, -0.0, 1e308, math.huge, 0 / 0, 2^53, math.mininteger,
  math.maxinteger, 1 << 31, 1 << 32,
}
local STRINGS <const> = {
  "", "x", "f", "g", "a", "entry", "i64", "i1", "ptr", "f64", "add", "phi", "d.op", "d", "any",
  "\0", "%1", "int", "sel", ("n"):rep(300), "\xff", "copy", "jump", "d.t", "1", "default", "undef",
}
local TEXTS <const> = {
  "fn f() {\nentry:\n  ret\n}\n", "module m\nfn g(x:i64) -> i64 {\nentry:\n  ret %x\n}\n",
  "a: x + 0 => x", "b: x + C => $f(x, C) if $g(C)", "c: x * y => y * x", "fn", "",
}
local TYPES <const> = { "i64", "i64", "i64", "i1", "i8", "f64", "ptr", "any", "f32", "d.t" }
local OPS <const> = {
  "add", "sub", "slt", "d.op", "copy", "load", "select", "zext", "call", "alloca", "phi", "jump",
  "branch", "ret", "d.two", "mul", "eq", "undef", "const", "sdiv",
}

local make, act

local function function_of(text)
  local params, result = declared.callback(text)
  return function(...)
    for i, class in ipairs(params) do keep(class, (select(i, ...))) end
    act()
    if result then return make(result) end
  end
end

-- A table whose metamethods do things.
local function evil(t)
  local function meta() act() return make "any" end
  return setmetatable(t or {}, {
    __index = meta, __newindex = meta, __len = function() act() return R(0, 3) end, __call = meta,
    __pairs = function() act() return next, {} end, __eq = function() act() return chance(2) end,
    __tostring = function() act() return "evil" end, __name = pick { "evil", "phial.Value" },
    __close = act, __gc = chance(2) and act or nil,
  })
end

local function of_kind(class)
  for _ = 1, 8 do -- of some kinds none may be there
    local kept = world[pick(declared.kinds(class))]
    if kept then return pick(kept) end
  end
end

local HOSTILE <const> = {
  function() return nil end, function() return pick(NUMBERS) end,
  function() return pick(STRINGS) end, function() return chance(2) end,
  function() return {} end, function() return evil() end, function() return pick(TEXTS) end,
  function() return function_of "fun(a: any): any" end, function() return io.stdout end,
  function() return coroutine.create(print) end, function() return { make "any", make "any" } end,
  function() return { [make "phial.Value" or 1] = make "any" } end,
  function() return of_kind(pick(declared.classes)) end,
  function() return of_kind(pick(declared.classes)) end,
  function() return of_kind "Value" end, function() return of_kind "Block" end,
}

local function options_of(class)
  local t = {}
  for _, field in ipairs(declared.fields(class)) do
    if chance(#declared.fields(class) > 4 and 4 or 2) or not field.optional then
      t[field.name] = make(field.type, field.name)
    end
  end
  if chance(30) then t[pick(STRINGS)] = make "any" end
  return chance(30) and evil(t) or t
end

local function list_of(type, n)
  local list = {}
  for i = 1, n or R(0, 3) do list[i] = make(type) end
  return list
end

local function params()
  local list = {}
  for i = 1, R(0, 3) do list[i] = pick { "a", "b:i1", "p:ptr", "x:f64", "n:i64", "o:any" } end
  return list
end

-- What these are called decides; limits of time stay small.
local function small() return R(0, 4) end
local NAMED <const> = {
  text = function() return pick(TEXTS) end, path = function() return "/dev/null" end,
  op = function() return chance(3) and of_kind "Op" or pick(OPS) end, params = params,
  cases = small, limit = small, width = small, fuel = small, stack = small, cc = function() end,
  flags = function() end, nth = function() return pick { 1, 2 } end,
  source = function() return chance(2) end, i = function() return pick { 1, 2, 3 } end,
  file = function() return pick { "a.x", "b.x" } end,
  args = function() return pick { 0, 1, 2, "*", { "i64" } } end,
  message = function() return "m" end, results = function() return pick { 1, 2, "*" } end,
  targets = function() return pick { 0, 1, 2 } end,
}
local PLAIN <const> = {
  integer = function() return chance(4) and pick(NUMBERS) or R(0, 9) end,
  number = function() return pick(NUMBERS) end, boolean = function() return chance(2) end,
  string = function() return pick(STRINGS) end, any = function() return pick(HOSTILE)() end,
  ["nil"] = function() end, ["true"] = function() return true end,
  ["false"] = function() return false end, T = function() end, table = function() return {} end,
  ["function"] = function() return function_of "fun(a: any): any" end,
  ["phial.Type"] = function() return pick(TYPES) end,
  ["phial.Literal"] = function() return pick { 0, 1, 5, true, 2.5 } end,
  ["phial.Incoming"] = function() return { [of_kind "Value" or 1] = make "phial.Operand" } end,
}

local depth = 0
local function right(type, name)
  if NAMED[name] and not type:find "fun%(" then return NAMED[name]() end
  local one = pick(declared.alternatives(type))
  local literal = one:match '^"(.-)"'
  if literal then return literal end
  if PLAIN[one] then return PLAIN[one]() end
  if one:find "^fun%(" then return function_of(one) end
  local element = one:match "^(.+)%[%]$"
  if element then return list_of(element:gsub("^%((.*)%)$", "%1")) end
  if one:find "^table<" then
    local key, value = one:match "^table<(.-), ?(.*)>$"
    local k = make(key)
    return { [k == k and k or 1] = make(value), [2] = make(value) }
  end
  if one:find "^{" then
    local t = {}
    for key, of in one:gmatch "([%w_]+): ([^,}]+)" do t[key] = make(of, key) end
    return t
  end
  local class = one:match "^phial%.(%w+)"
  if not class then return pick(HOSTILE)() end
  if declared.aliases[class] then return make(declared.aliases[class]) end
  return of_kind(class) or options_of(class)
end

function make(type, name)
  depth = depth + 1
  local it
  if depth > 6 then it = nil
  elseif chance(12) and name ~= "path" then it = pick(HOSTILE)()
  else it = right(type, name) end
  depth = depth - 1
  return it
end

-- {==}

-- {== calls }

local LIMITED <const> = { fuel = 200 } -- a run may be a loop without end

-- The arguments of a call; now and then one too many, too few or exchanged.
local function arguments(method)
  local args, n = {}, 0
  for _, p in ipairs(method.params) do
    if p.name == "..." then
      local type = p.type:gsub("phial%.Block", "phial.Operand")
      for _ = 1, R(0, 2) do n = n + 1; args[n] = make(type) end
    elseif not (p.optional and chance(2)) then
      n = n + 1
      args[n] = make(p.type, p.name)
    elseif chance(2) then n = n + 1
    else break end
  end
  if chance(25) then n = math.max(0, n + pick { -1, 1, 2 }) end
  if chance(40) and n > 1 then
    local i, k = R(n), R(n)
    args[i], args[k] = args[k], args[i]
  end
  if method.writes then -- no file by any other name
    for i = 1, n do if type(args[i]) == "string" then args[i] = "/dev/null" end end
  end
  return args, n
end

local function name_of(it)
  if type(it) == "string" then return ("%q"):format(it:sub(1, 30)) end
  local meta = debug.getmetatable(it)
  return type(it) == "userdata" and tostring(meta and meta.__name) or
    type(it) == "number" and tostring(it) or type(it)
end

local function describe(method, args, n)
  local said = {}
  for i = 1, n do said[i] = name_of(args[i]) end
  return ("%s(%s)"):format(method.full, table.concat(said, ", "))
end

local function callee(method)
  if not method.class then return phial[method.name] end
  if method.class == "emit" then return phial.emit[method.name] end
end

-- Calls a method: of the module, or of `it`.  Not a tail call, for the position.
local function invoke(method, it, args, n)
  local f = callee(method)
  local r
  if f then
    r = table.pack(f(table.unpack(args, 1, n)))
  elseif method.name == "__call" then
    args[n + 1] = LIMITED
    r = table.pack(it(table.unpack(args, 1, n + 1)))
  else
    if method.name == "call" and method.class == "Instance" then n = n + 1; args[n] = LIMITED end
    r = table.pack(it[method.name](it, table.unpack(args, 1, n)))
  end
  return r
end

local function keep_results(method, r)
  if method.closes then pcall(function() r[1]:close() end) return end
  for i, type in ipairs(method.returns) do
    local element = type:match "phial%.(%w+)%[%]" or type:match "phial%.(%w+)"
    if type:find "%[%]" and _G.type(r[i]) == "table" then
      for k = 1, math.min(#r[i], 4) do keep(element, r[i][k]) end
    elseif element and not type:find "^fun%(" then keep(element, r[i])
    elseif type:find "^fun%(" and _G.type(r[1]) == "function" and element then
      local ok, v = pcall(r[1], r[2])
      if ok then keep(element, v) end
    end
  end
end

local function random_method()
  return chance(3) and pick(declared.often) or pick(declared.methods)
end

-- Does something in the middle of a call.
local ACTS <const> = {
  function() error(pick { "boom", {}, false, 3 }, R(0, 2)) end,
  function() coroutine.yield(of_kind "Value") end,
  function() collectgarbage() end, function() collectgarbage "step" end,
  function() pick(world.functions):close() end,
  function() pick(world.functions):finish() end, function() pick(world.functions):reopen() end,
  function() pick(world.functions):clean() end,
  function() coroutine.wrap(function() act() coroutine.yield() end)() end,
}
local function step_in()
  local method = random_method()
  if method.closes then return end
  local args, n = arguments(method)
  local it = method.class and of_kind(method.class)
  if TRACE then io.stderr:write("  in it ", describe(method, args, n), "\n") end
  keep_results(method, invoke(method, it, args, n))
end
for _ = 1, 14 do ACTS[#ACTS + 1] = step_in end

function act()
  if quiet then return end
  acts = acts + 1
  if deep > 2 or chance(3) then return end
  deep = deep + 1
  local does = pick(ACTS)
  local ok, why = pcall(does)
  deep = deep - 1
  if not ok and chance(12) then error(why, 0) end
end

-- {==}

-- {== worlds }

local function looping(opts, op)
  local fn = phial.fn("loop", { "n:i64", "c:i1", "p:ptr" }, "i64", opts)
  fn:set_current(fn:entry())
  local n, head, done = fn:param(1), fn:block "head", fn:block "done"
  fn:jump(head)
  fn:set_current(head)
  fn:let(n, "add", n, 1)
  fn:write(n, fn:emit(op, n))
  fn:branch(fn:slt(n, 9), head, done)
  head:seal()
  done:seal()
  fn:set_current(done)
  fn:ret(n)
  return fn:finish()
end

local function keep_parts(fn)
  keep("Function", fn)
  for b in fn:blocks() do keep("Block", b) end
  for v in fn:values() do keep("Value", v) end
  for i, p in ipairs(fn:params()) do keep("Variable", p) keep("Value", fn:arg(i)) end
end

local function started(opts)
  local ok, fn = pcall(phial.fn, "f", { "n:i64", "c:i1", "p:ptr" }, "i64", opts)
  if not ok then fn = phial.fn("f", { "n:i64", "c:i1", "p:ptr" }, "i64", { accesses = true }) end
  fn:set_current(fn:entry())
  if chance(3) then fn:set_loc(7, 2, "s.x") end
  for i = 1, 3 do
    keep("Block", fn:block(nil, pick { 0, 1, 2, nil }))
    keep("Variable", fn:var("v" .. i))
  end
  keep_parts(fn)
  if chance(4) then fn:set_current(nil) end
  return fn
end

local TWO <const> = { args = 1, result = "i64", results = 2 }

local function always() return 0 end

local library

local function made()
  world = { functions = {} }
  local op = { args = { "i64" }, result = "i64", eval = function(x) act() return x end,
    effect = pick { "none", "read", "new", "write" },
    c = function_of "fun(v: phial.Value, o: any, emit: phial.Site): string",
    llvm = function_of "fun(v: phial.Value, o: any, emit: phial.Site): string[]",
    describe = function() act() return "data" end }
  local d = phial.dialect("d", { op = op, two = TWO }, { "t" })
  keep("Dialect", d) keep("Op", d.op) keep("Op", d.two)
  local rules = phial.rules("a: x + 2 => $f(x) if $g(x)\nb: x * 0 => 0\nc: x - C => x @ late", {
    f = function_of "fun(e: phial.Actor, x: phial.Value): phial.Value?",
    g = function() act() return chance(2) end })
  local matched = phial.fn("a", { "x" }, nil, { rules = rules })
  pcall(function() matched:entry():add(matched:arg(1), 2) end)
  keep("Rules", rules) keep("Rules", phial.rules "int")
  local fn = started { accesses = true, dialects = { d }, rules = chance(2) and rules or nil }
  started(options_of "Options")
  keep("Access", fn:write_accesses()[1]) keep("Group", fn:group { fn:param(1) })
  local event
  local function listen(e) event = event or e end
  local done = looping({ dialects = { d }, accesses = true, log = listen }, d.op)
  local other = looping({ dialects = { d }, log = true }, d.op)
  for _, it in ipairs { done, other } do keep_parts(it) end
  pcall(phial.emit.c, done)
  pcall(phial.emit.llvm, done)
  keep("Event", event) keep("Log", phial.fn("l"):log(true))
  keep("Cursor", done:entry():back()) keep("Leaving", done:leave())
  keep("Repair", done:repair(done:arg(1)))
  keep("Solution", done:solve { bottom = 0, join = always, transfer = { default = always } })
  keep("Record", phial.record(phial.fn("r", { "x" })))
  local m = phial.module "m"
  keep("Module", m) keep("Global", m:global("g", "i64", 3)) keep("Global", m:global("s", 16))
  m:declare("h", { "x" }, "i64")
  local mf = m:build("f", { "n" }, "i64", function(b, v) b:ret(v.n) end)
  keep_parts(mf)
  m:finish()
  keep("CallGraph", m:callgraph())
  keep("Instance", m:instance { env = { h = function() act() return 1 end } })
  library = library or m:get "f" :compile() -- once, since it takes a while
  keep("Library", library)
  return function(rest) -- a builder lives while its body runs
    if chance(2) then return rest() end
    local entered
    pcall(phial.build, "b", { "n:i64", "c:i1" }, "i64", { dialects = { d } }, function(b, v)
      keep("Builder", b) keep("Variables", v) keep("Function", b.fn) keep_parts(b.fn)
      b:loop(function(loop)
        keep("Loop", loop)
        entered = true
        rest()
      end)
    end)
    if not entered then rest() end
  end
end

-- {==}

-- {== what holds after a call }

-- What a refused call must not change.
local function state_of(fn)
  local ok, version = pcall(fn.version, fn)
  if not ok then return "closed" end
  local said = { version, tostring(fn:is_finished()), fn:text(),
    fn:is_finished() and "" or tostring(fn:current()) }
  local stats, names = fn:stats(), {}
  for name in pairs(stats) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    said[#said + 1] = ("%s=%s"):format(name, math.type(stats[name]) and stats[name])
  end
  return table.concat(said, "\n")
end

local function states()
  local list = {}
  if not chance(4) then return end
  for i, fn in ipairs(world.functions) do list[i] = { fn, state_of(fn) } end
  return list
end

local function check_error(message)
  if type(message) ~= "string" then return report("an error that is not a string", message) end
  if message:find "attempt to" or message:find "phial/.*%.lua:%d+:" or
    message:find "stack overflow" or message:find "internal" then
    report("not an error of phial", message)
  end
  local elsewhere = current_call:find "^M.trap" or message:find "^%w+: " or message:find "\n"
  if not message:find "attack%.lua:%d+:" and not elsewhere then
    report("no position", message)
  end
end

local function check(before, ok, message, did)
  if ok or did then return end
  check_error(message)
  -- finish seals before it verifies, and a module finishes one function after the other
  if message:find "is not well%-formed" or current_call:find "^Module.finish" then return end
  for _, it in ipairs(before or {}) do
    local now = state_of(it[1])
    -- structures make constants of literals, which nothing but the version shows
    local from = current_call:find "^Builder" and now ~= "closed" and now:find "\n" or 1
    if now:sub(from) ~= it[2]:sub(-#now + from - 1) then
      report("a refused call changed", table.concat({ message, it[2], "--", now }, "\n"))
    end
  end
end

local function check_world()
  for _, fn in ipairs(world.functions) do
    local ok, finished = pcall(fn.is_finished, fn)
    if ok and finished and not world.edited and not fn:is_declaration() then
      local clean, problems = fn:verify()
      if not clean then report("verify", table.concat(problems, "\n") .. "\n" .. fn:text()) end
    end
  end
end

-- {==}

local function receiver(method)
  if chance(40) then return pick(HOSTILE)() end
  return of_kind(method.class)
end

local called, done = {}, {}

local function has(it, name)
  if name == "__call" then return debug.getmetatable(it).__call end
  local ok, f = pcall(function() return it[name] end)
  return ok and f
end

local function one_call(method)
  counts.calls = counts.calls + 1
  local args, n = arguments(method)
  local it = method.class and method.class ~= "emit" and receiver(method) or nil
  if method.class and method.class ~= "emit" then
    local meta = debug.getmetatable(it)
    if not meta or type(it) ~= "userdata" and type(it) ~= "table" or
      not has(it, method.name) then return end
    called[method.full] = true
  else called[method.full] = true end
  current_call = describe(method, args, n)
  if TRACE then io.stderr:write(counts.calls, " ", current_call, "\n") end
  local before, did = states(), acts
  quiet = false
  local run = chance(4) and function(...)
    return coroutine.resume(coroutine.create(invoke), ...)
  end or function(...) return pcall(invoke, ...) end
  local ok, r = run(method, it, args, n)
  quiet = true
  if ok and type(r) ~= "table" then ok, acts = true, acts + 1; r = {} end -- it has yielded
  counts[ok and "accepted" or "refused"] = counts[ok and "accepted" or "refused"] + 1
  if ok then done[method.full] = true; keep_results(method, r) end
  if method.edits or acts ~= did then world.edited = true end
  check(before, ok, r, acts ~= did)
end

local function run()
  collectgarbage(pick { "generational", "incremental" })
  local at = R(#declared.methods)
  while counts.calls < CALLS do
    made()(function()
      for _ = 1, PER_WORLD do
        at = at % #declared.methods + 1
        local method = chance(2) and declared.methods[at] or pick(declared.often)
        if not (method.closes and not chance(200)) then one_call(method) end
        if chance(10) then setmetatable({}, { __gc = act }) end
      end
    end)
    check_world()
  end
  local missed, never = {}, {}
  for _, method in ipairs(declared.methods) do
    if not called[method.full] and not method.closes then missed[#missed + 1] = method.full end
    if not done[method.full] then never[#never + 1] = method.full end
  end
  if CALLS >= 20000 and #missed > 0 then report("never called", table.concat(missed, " ")) end
  if os.getenv "NEVER" then print("never accepted: " .. table.concat(never, " ")) end
  print(("seed %d: %d calls, %d refused, %d accepted"):format(SEED, counts.calls,
    counts.refused, counts.accepted))
end
run()
