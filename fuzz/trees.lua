-- Runs random programs of fuzz/tree.lua: `lua5.4 fuzz/trees.lua SEED COUNT`. A tree is built by
-- blocks that are sealed in any order, with random options, edited, and run in several ways. Each
-- gives the result, or trap, and calls of the host that the walk over the tree says. What fails is
-- made smaller by leaving out statements, and printed.
package.path = "./?.lua;" .. package.path
local compilers = require "spec.support.compilers"
local phial = require "phial"
local tree = require "fuzz.tree"

local FIRST <const>, COUNT <const> = tonumber(arg[1]) or 1, tonumber(arg[2]) or 200
local FUEL <const>, PATIENCE <const>, EVERY <const> = 100000, 30, 10
local R <const>, one_of <const>, chance <const> = math.random, tree.one_of, tree.chance

-- {== Building ==========================================================

local emit, build = {}, {}
local function value(s, e) return (emit[e[1]](s, e)) end
local function block(s) return s.fn:block() end

-- At once, or later, in any order.
local function seal(s, b)
  if chance(2) then b:seal() else table.insert(s.open, R(#s.open + 1), b) end
end
local function continue_at(s, b)
  seal(s, b)
  s.fn:set_current(b)
end
local function dead(s) s.fn:set_current(s.fn:block(nil, 0)) end
local function start_of(s, array) return array == "g" and s.fn:address(s.memory) or s.array end
local function place(s, array, index, size)
  local i = s.fn:zext(s.fn:band(value(s, index), tree.SIZE[array] // size - 1), "i64")
  return s.fn:ptradd(start_of(s, array), s.fn:mul(i, size))
end

function emit.const(s, e) return s.fn:const(e.value, e.type) end
function emit.var(s, e) return s.fn:read(s.vars[e.var]) end
function emit.binary(s, e) return s.fn:emit(e.op, value(s, e[2]), value(s, e[3])) end
function emit.unary(s, e)
  return s.fn:emit(e.op, value(s, e[2]), not tree.is_unary[e.op] and e.type or nil)
end
function emit.select(s, e) return s.fn:select(value(s, e[2]), value(s, e[3]), value(s, e[4])) end
function emit.load(s, e)
  return s.fn:load(place(s, e.array, e[2], tree.WIDTH[e.type] // 8), e.type)
end
function emit.host(s, e) return s.fn:call(s.host, nil, value(s, e[2])) end
emit["and"] = function(s, e)
  local first, var, is_and = value(s, e[2]), s.fn:var(nil, "i1"), e[1] == "and"
  local more, done = block(s), block(s)
  s.fn:write(var, first)
  s.fn:branch(first, is_and and more or done, is_and and done or more)
  continue_at(s, more)
  s.fn:write(var, value(s, e[3]))
  s.fn:jump(done)
  continue_at(s, done)
  return s.fn:read(var)
end
emit["or"] = emit["and"]

local function sequence(s, list)
  if list.label then s.labels[list.label] = block(s) end
  for _, it in ipairs(list) do build[it[1]](s, it) end
  if list.label then seal(s, s.labels[list.label]) end
end
local function arm(s, b, list, done)
  s.fn:set_current(b)
  sequence(s, list)
  s.fn:jump(done)
end

function build.set(s, it) s.fn:write(s.vars[it.var], value(s, it[2])) end
function build.store(s, it)
  s.fn:store(place(s, it.array, it[2], tree.WIDTH[it[3].type] // 8), value(s, it[3]))
end
function build.fill(s, it) s.fn:memset(start_of(s, it.array), value(s, it[2]), it.size) end
function build.move(s, it) s.fn:memcpy(start_of(s, it.array), start_of(s, it.from), it.size) end
build["if"] = function(s, it)
  local yes, no, done = s.fn:block(nil, 1), s.fn:block(nil, 1), block(s)
  s.fn:branch(value(s, it[2]), yes, no)
  arm(s, yes, it[3], done)
  arm(s, no, it[4], done)
  continue_at(s, done)
end
build["while"] = function(s, it)
  local head, body, done, tests_first = block(s), block(s), block(s), it[1] == "while"
  s.fn:jump(tests_first and head or body)
  s.fn:set_current(body)
  sequence(s, it[3])
  s.fn:jump(head)
  continue_at(s, head)
  s.fn:branch(value(s, it[2]), tests_first and body or done, tests_first and done or body)
  seal(s, body)
  continue_at(s, done)
end
build["repeat"] = build["while"]
function build.switch(s, it)
  local cases, blocks, done, default = {}, {}, block(s), s.fn:block(nil, 1)
  for i in ipairs(it.arms) do blocks[i] = block(s) end
  for key, i in pairs(it.arm_of) do cases[key] = blocks[i] end
  s.fn:switch(value(s, it[2]), default, cases)
  for i, list in ipairs(it.arms) do
    seal(s, blocks[i])
    arm(s, blocks[i], list, done)
  end
  arm(s, default, it[3], done)
  continue_at(s, done)
end
function build.label(s, it)
  s.fn:jump(s.labels[it.label])
  s.fn:set_current(s.labels[it.label])
end
build["goto"] = function(s, it) s.fn:jump(s.labels[it.label]) dead(s) end
build["return"] = function(s, it) s.fn:ret(value(s, it[2])) dead(s) end
function build.trap(s, it) s.fn:trap(it.message) dead(s) end
function build.trap_if(s, it) s.fn:trap_if(value(s, it[2]), it.message) end
local function called(s, it)
  local f = s.functions[it.callee]
  local args = { chance(4) and s.fn:address(f) or f, it[1] == "call" and "i64" or nil }
  table.insert(args, s.fn:sub(s.fn:arg(1), 1))
  for i = 2, #it.callee.params do table.insert(args, (value(s, it[i]))) end
  return table.unpack(args)
end
function build.call(s, it) s.fn:write(s.vars[it.var], s.fn:call(called(s, it))) end
function build.tail(s, it) s.fn:tail_call(called(s, it)) dead(s) end

local function some_rules()
  local set = R(3) > 1 and phial.rules "int"
  for _ = 1, set and chance(2) and 60 or 0 do set:enable(one_of(set:names()), false) end
  return set
end

local function body(s, f)
  s.fn:set_current(s.fn:entry())
  s.array = s.fn:alloca(tree.SIZE.l)
  s.fn:memset(s.array, 0, tree.SIZE.l)
  for i, var in ipairs(f.params) do s.vars[var] = s.fn:param(i) end
  for i = #f.params, #f.vars do
    s.vars[f.vars[i]] = s.fn:var(f.vars[i].name, f.vars[i].type)
    s.fn:write(s.vars[f.vars[i]], s.fn:const(0, f.vars[i].type))
  end
  sequence(s, f.body)
  s.fn:ret(value(s, f.result))
  for _, b in ipairs(s.open) do b:seal() end
end

local function construct(program)
  local m, functions, top = phial.module "m", {}, program[#program]
  local memory, host = m:global("g", tree.SIZE.g), m:declare("host", { "x:i64" }, "i64")
  for _, f in ipairs(program) do
    local params = {}
    for i, it in ipairs(f.params) do params[i] = it.name .. ":" .. it.type end
    functions[f] = m:fn(f.name, params, "i64", { rules = some_rules(), copies = chance(4),
      construction = one_of { "marker", "simple", "scc", "operand" }, keep_unreachable = chance(6),
      linkage = f ~= top and chance(3) and "internal" or nil, split = chance(4), where = chance(2),
    })
  end
  for _, f in ipairs(program) do
    body({ fn = functions[f], vars = {}, open = {}, labels = {}, memory = memory, host = host,
      functions = functions }, f)
  end
  return m:finish()
end

-- }== Edits of a function ================================================

local edits = {}
function edits.clean(fn) fn:clean { phis = true, rules = chance(2), dead = chance(2) } end
function edits.promote(fn) fn:promote() end
function edits.forward(fn) fn:forward() end
function edits.reopen(fn) fn:reopen():finish() end
function edits.split(fn)
  for _, from in ipairs(fn:rpo()) do
    local to = from:is_reachable() and from:succs() or {}
    if #to > 0 and chance(3) then from:split_edge(one_of(to), 1) end
  end
end
-- An instruction of a function that gives a value, or nil.
local function some(fn, accepts)
  local list = {}
  for v in fn:values() do list[#list + 1] = v:type() and v:block() and accepts(v) and v or nil end
  return #list > 0 and one_of(list) or nil
end
function edits.copy(fn)
  local v = some(fn, function(v) return v:op() ~= "phi" and v:op() ~= "alloca" end)
  if not v then return end
  local copy = v:after():copy(v)
  fn:repair(v):define(copy, copy):rewrite()
end
function edits.inline(fn, m)
  local function callee(v) return v:op() == "call" and m:get(v:data():name()) end
  local v = fn:stats().values < 300 and some(fn, function(v)
    return v:block():is_reachable() and callee(v) and not callee(v):is_declaration()
  end)
  if not v then return end
  local _, _, result = callee(v):copy_into(v:before(), v:args())
  v:replace(result)
  v:erase()
  fn:clean { phis = true, rules = chance(2) }
end
local EDITS <const> = { "clean", "copy", "forward", "inline", "promote", "reopen", "split" }

-- }== Runs ==============================================================

local COMPILERS <const> = {}
for _, cc in ipairs(compilers.NAMES) do table.insert(COMPILERS, compilers.has(cc) and cc or nil) end

-- Each makes what can be called, and the last argument.
local run = {}
function run.call(m, env) return m:get "top", { env = env, fuel = FUEL } end
function run.instance(m, env)
  local instance = m:instance { env = env }
  return function(...) return instance:call("top", ...) end, { fuel = FUEL }
end
function run.lua(m, env)
  local forms = { {}, { form = "blocks" }, { locals = 3 } }
  local source, host = phial.emit.lua(m:get "top", one_of(forms))
  host.env = env
  return assert(load(source))(host)
end
function run.c(m, env)
  local library = m:compile { cc = one_of(COMPILERS), flags = one_of { "-O0", "-O2" }, env = env }
  return function(...) return library:call("top", ...) end
end

local counts = { integer = 0, string = 0, ["nil"] = 0 }

-- Builds, edits and runs a program; raises an error if it does something else than the walk says.
local function try(program, seed, says)
  math.randomseed(seed)
  local m, log = construct(program), {}
  for i = 1, R(0, 3) do
    says[i] = one_of(EDITS)
    for _, fn in ipairs(m:functions()) do edits[says[i]](fn, m) end
    if chance(4) then m = assert(phial.parse(m:text())) end
    local ok, problems = m:verify()
    assert(ok, not ok and table.concat(problems, "\n"))
  end
  local is_native = seed % EVERY == 0 and #COMPILERS > 0 and not program.tails
  says[#says + 1] = is_native and "c" or one_of { "call", "instance", "lua" }
  local f, last = run[says[#says]](m, { host = function(x) return tree.host(log, x) end })
  says.text = m:text()
  for i, input in ipairs(program.inputs) do
    local wanted, calls = tree.outcome(program, input)
    local kind = math.type(wanted) or type(wanted)
    counts[kind] = counts[kind] + 1
    if wanted then
      local args = table.move(input, 1, #input, 1, {})
      args[#args + 1], log = last, {}
      local ok, got = pcall(f, table.unpack(args))
      got = ok and got or tostring(got):match ": ([^:]*)$"
      local same = got == wanted and table.concat(log, " ") == table.concat(calls, " ")
      assert(same, ("input %d: %s, not %s"):format(i, got, wanted))
    end
  end
end

-- }== Failures ==========================================================

-- Leaves out statements as long as what is left fails.
local function reduce(list, fails)
  for i = #list, 1, -1 do
    local it = table.remove(list, i)
    if it[1] == "label" or not fails() then
      table.insert(list, i, it)
      for k = 3, #it do reduce(type(it[k][1]) == "table" and it[k] or {}, fails) end
      for _, inner in ipairs(it.arms or {}) do reduce(inner, fails) end
    end
  end
end

for seed = FIRST, FIRST + COUNT - 1 do
  if os.getenv "TRACE" then io.stderr:write("seed ", seed, "\n") end
  math.randomseed(seed)
  local program, says, deadline = tree.generate(), {}, os.time() + PATIENCE
  local ok, why = pcall(try, program, seed, {})
  if not ok then
    local function fails() return os.time() < deadline and not pcall(try, program, seed, {}) end
    for i = 1, #program - 1 do reduce(program[i].body, fails) end
    local _, now = pcall(try, program, seed, says)
    print(("%s\n%s\n%s\nseed %d: %s"):format(says.text, table.concat(says, "; "), now, seed, why))
    os.exit(false)
  end
end
print(("trees %d to %d: %d runs end, %d trap, %d are endless"):format(FIRST, FIRST + COUNT - 1,
  counts.integer, counts.string, counts["nil"]))
