-- phial.emit.cps: what its text is, read and run by an oracle, and what its Lua computes.
local assert = require "spec.support.assert"
local arithmetic = require "spec.support.arithmetic"
local cps = require "spec.oracle.cps"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local interpret = require "spec.oracle.programs"
local oracle = require "spec.oracle.structured"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local results = require "spec.support.results"
local search = require "spec.support.search"
local semantics = require "spec.oracle.semantics"
local structured = require "spec.support.structured"

local STEPS = 100

-- The most values that a structured program shows.
local MOST = 40

-- The deepest nesting: the default, one that only some functions exceed, flat.
local NESTINGS = { 150, 2, 0 }

-- A generator that also chooses a nesting.
local function nested(generate)
  return function(pick)
    local p = generate(pick)
    return setmetatable({ p = p, nesting = NESTINGS[pick(#NESTINGS)] }, {
      __tostring = function(it) return ("nesting %d\n%s"):format(it.nesting, it.p) end,
    })
  end
end

local function program(pick) return programs.generate(pick, 12) end

-- The continuation of a whole function.
local function identity(...) return ... end

-- The function in Lua, called as fn is.
local function emitted(fn, opts, fuel)
  local source, host = phial.emit.cps(fn, opts)
  if fuel then host.fuel = { left = fuel } end
  local chunk = assert(load(source, "=emitted", "t"))
  local f, n = chunk(host), #fn:params()
  return function(...)
    local args = { ... }
    args[n + 1] = identity
    return f(table.unpack(args, 1, n + 1))
  end
end

-- Blocks of the random programs have no names.
local function is_block(name) return name:find "^b%d+$" ~= nil or name == "entry" end

--
-- {== Goldens =========================================================
--

describe("the text", function()
  local function text_of(code, nesting)
    local fn = assert(load(code, "=golden"))(phial)
    assert(fn:verify())
    local text, host = phial.emit.cps(fn, { nesting = nesting })
    local it = cps.read(text, host)
    cps.check_keywords(it)
    cps.continuations(it)
    return text
  end

  for name, check in golden.each("spec/golden/emit", function(code)
    return text_of(code)
  end, "cps") do
    it("of " .. name, check)
  end

  it("of figure8, flat", function()
    local path = "spec/golden/emit/figure8.lua"
    golden.check(path, text_of(file.read(path), 0), "flat")
  end)
end)

-- }== Structure =======================================================

-- The immediate dominators by name, by their definition: a dominates b if b is not reached
-- without it; the immediate one is the dominator that all others dominate.
local function immediate_dominators(succs, entry)
  local function reached(without)
    return search({ entry }, function(name) return succs[name] end, without)
  end
  local all, dominates = reached(), {}
  for name in pairs(all) do dominates[name] = reached(name) end
  local function strictly(a, b) return a ~= b and not dominates[a][b] end
  local idom = {}
  for b in pairs(all) do
    for a in pairs(all) do
      if strictly(a, b) and (not idom[b] or strictly(idom[b], a)) then idom[b] = a end
    end
  end
  return idom
end

local function successors(fn)
  local succs, phis = {}, {}
  for b in fn:blocks() do
    local list = {}
    for i, to in ipairs(b:succs()) do list[i] = tostring(to) end
    succs[tostring(b)], phis[tostring(b)] = list, b:phis()
  end
  return succs, phis
end

-- The block that a continuation is, or is inside.
local function block_around(continuation)
  local around = continuation.around
  while around and around.name and not is_block(around.name) do around = around.around end
  return around and is_block(around.name) and around.name or "entry"
end

-- Compares the nesting with dominance, and parameters with phis.
local function check_structure(fn, it)
  local succs, phis = successors(fn)
  local idom, found = immediate_dominators(succs, "entry"), {}
  for name, continuation in pairs(cps.continuations(it)) do
    if is_block(name) then
      found[name] = true
      if name ~= "entry" then assert.equal(idom[name], block_around(continuation)) end
      assert.equal(#phis[name], #continuation.params)
    end
  end
  for name in pairs(idom) do assert.is_true(found[name]) end
end

describe("the text of a random program", function()
  it("is nested by dominance, with a parameter for each phi", function()
    prop.forall(nested(function(pick) return programs.pruned(program(pick)) end), function(case)
      local fn = programs.build(case.p, { runs = true }):finish()
      fn:clean { dead = true } -- dead code is not written
      local it = cps.read(phial.emit.cps(fn, { nesting = case.nesting }))
      check_structure(fn, it)
      cps.check_keywords(it)
    end)
  end)

  it("shows what it shows over its variables", function()
    local function eval(op) return programs.dialect[op:match "%.(.*)"]:eval() end
    prop.forall(nested(program), function(case)
      local fn = programs.build(case.p, { runs = true }):finish()
      local it = cps.read(phial.emit.cps(fn, { nesting = case.nesting }))
      local shown = programs.watch()
      results.outcome(cps.run, it, { eval = eval, fuel = STEPS, is_block = is_block })
      assert.same(interpret.variables(case.p, STEPS), shown)
    end)
  end)
end)

-- Compares what two ways of running a random function return and show: run(show, ...).
local function check_alike(case, expected, got)
  local shown
  local function show(...) shown = table.pack(...) end
  local function observe(run)
    shown = { n = 0 }
    return results.outcome(run, show, table.unpack(case.p.values)), shown
  end
  local result, seen = observe(expected)
  results.check(result, observe(got), "result")
  for i = 1, seen.n do results.check(seen[i], shown[i], "x" .. i) end
  assert.equal(seen.n, shown.n)
end

describe("the text of a random function", function()
  it("computes what the function computes", function()
    prop.forall(nested(arithmetic.generate), function(case)
      local fn = arithmetic.build(case.p, "show")
      local it = cps.read(phial.emit.cps(fn, { nesting = case.nesting }))
      check_alike(case, function(show, ...)
        return semantics.run(fn, { env = { show = show }, fuel = STEPS }, ...)
      end, function(show, ...)
        return cps.run(it, { env = { show = show }, fuel = STEPS, is_block = is_block }, ...)
      end)
    end)
  end)
end)

-- }== Lua =============================================================

describe("the Lua of a random program", function()
  it("shows what it shows over its variables", function()
    prop.forall(nested(program), function(case)
      for _, copies in ipairs { false, true } do
        local fn = programs.build(case.p, { copies = copies, runs = true }):finish()
        local f = emitted(fn, { form = "lua", nesting = case.nesting, fuel = true }, STEPS)
        local shown = programs.watch()
        results.outcome(f)
        assert.same(interpret.variables(case.p, STEPS), shown)
      end
    end)
  end)
end)

describe("the Lua of a random structured program", function()
  it("shows what its tree shows", function()
    prop.forall(nested(structured.generate), function(case)
      local fn = structured.build(case.p)
      local source, host = phial.emit.cps(fn, { form = "lua", nesting = case.nesting })
      host.env = {}
      local f = assert(load(source, "=emitted", "t"))(host)
      for _, args in ipairs { { 0, 0, 0 }, { 3, -2, 7 } } do
        local a, b, c = table.unpack(args)
        local expected = oracle.watch(MOST, function(show)
          return oracle.run(case.p, show, a, b, c)
        end)
        assert.same(expected, oracle.watch(MOST, function(show)
          host.env.show = show
          return f(a, b, c, identity)
        end))
      end
    end)
  end)
end)

describe("the Lua of a random function", function()
  local function check(case)
    local show_it
    local fn = arithmetic.build(case.p, function(...) return show_it(...) end)
    local opts, n = { form = "lua", nesting = case.nesting, fuel = true }, #case.p.values + 1
    check_alike(case, function(show, ...)
      show_it = show
      local args = { ... }
      args[n] = { fuel = STEPS }
      return fn(table.unpack(args, 1, n))
    end, function(show, ...)
      show_it = show
      return emitted(fn, opts, STEPS)(...)
    end)
  end

  it("computes what fn(...) computes", function()
    prop.forall(nested(arithmetic.generate), check)
  end)

  it("computes it with memory, too", function()
    prop.forall(nested(function(pick)
      return arithmetic.generate(pick, nil, nil, { memory = true })
    end), check)
  end)
end)

describe("the Lua form", function()
  it("passes the result to its last argument", function()
    local fn = phial.build("double", { "n" }, "i64", function(b, v) b:ret(b:add(v.n, v.n)) end)
    local double = assert(load((phial.emit.cps(fn, { form = "lua" }))))()
    local got
    assert.equal("rest", double(21, function(...)
      got = table.pack(...)
      return "rest"
    end))
    assert.same({ 42, n = 1 }, got)
    local nothing = phial.fn "nothing"
    nothing:entry():ret()
    assert(load((phial.emit.cps(nothing:finish(), { form = "lua" }))))()(function(...)
      got = table.pack(...)
    end)
    assert.same({ n = 0 }, got)
  end)

  it("has proper tail calls: the stack does not grow", function()
    local fn = phial.build("count", { "n" }, "i64", function(b, v)
      b:while_(function() return b:sgt(v.n, 0) end, function() v.n = b:sub(v.n, 1) end)
      b:ret(v.n)
    end)
    for _, deepest in ipairs { 150, 0 } do
      local source = phial.emit.cps(fn, { form = "lua", nesting = deepest })
      local depth, frames = 0, 0
      load(source)()(300000, function()
        while debug.getinfo(2 + depth, "f") do depth = depth + 1 end
        frames = depth
      end)
      assert.is_true(frames < 100)
    end
  end)

  it("frees its memory", function()
    local fn = phial.fn("f", { "n:i64" }, "i64")
    local b, yes, no = fn:entry(), fn:block("yes", 1), fn:block("no", 1)
    local p = b:alloca(1 << 16)
    b:store(p, fn:arg(1))
    b:branch(b:sgt(fn:arg(1), 0), yes, no)
    yes:ret(yes:load(p, "i64"))
    no:ret(-1)
    fn:finish()
    for _, deepest in ipairs { 150, 0 } do
      local source, host = phial.emit.cps(fn, { form = "lua", nesting = deepest })
      local f = assert(load(source))(host)
      local outer = host.space.memory.alloca(8, 8)
      for i = 1, 2000 do -- more would not fit
        assert.equal(i, f(i, identity))
        assert.equal(-1, f(-i, identity))
      end
      assert.equal(outer + 8, host.space.memory.alloca(8, 8))
    end
  end)

  it("calls itself in direct style", function()
    for _, deepest in ipairs { 150, 0 } do
      local fn = phial.fn("fact", { "n:i64" }, "i64")
      local b, n = fn:entry(), fn:arg(1)
      local more, done = fn:block("more", 1), fn:block("done", 1)
      b:branch(b:sgt(n, 1), more, done)
      more:ret(more:mul(n, more:call(fn, "i64", more:sub(n, 1))))
      done:ret(1)
      fn:finish()
      assert.equal(3628800, emitted(fn, { form = "lua", nesting = deepest })(10))
    end
  end)
end)

-- }== Limits ==========================================================

-- A function with a chain of `n` choices, each nested in the one before; each value is
-- used at the end if `uses`.
local function chain(n, uses)
  return phial.build("chain", { "x" }, "i64", function(b, v)
    local all = {}
    for i = 1, n do
      all[i] = b:mul(v.x, i + 1)
      b:if_(b:sgt(v.x, i), function() v.x = b:add(v.x, i) end)
    end
    if uses then
      for i = 1, n do v.x = b:bxor(v.x, all[i]) end
    end
    b:ret(v.x)
  end)
end

-- A chain whose last block has a switch with many cases and, as an argument, an expression
-- that needs as many levels of Lua's parser as one can.
local function chain_with_expression(n)
  local fn = phial.fn("chain", { "x:i64" }, "i64", { rules = false, where = false })
  local b, x, y, join, cases = fn:entry(), fn:param(1), fn:var "y", fn:block "join", {}
  for i = 1, n do
    local yes, after = fn:block(nil, 1), fn:block(nil, 2)
    b:branch(b:sgt(x, i), yes, after)
    yes:write(x, yes:add(x, i))
    yes:jump(after)
    b = after
  end
  local it = b:trunc(x, "i8")
  for i = 1, 20 do it = b:shl(fn:const(i, "i8"), it) end
  b:write(y, b:sext(it, "i64"))
  for i = 1, 500 do cases[i] = join end
  b:switch(x, join, cases)
  join:seal()
  join:ret(y)
  return fn:finish()
end

-- A function whose entry leads to `n` blocks that lead to one with `phis` phis.
local function wide(n, phis)
  local fn = phial.fn("wide", { "x:i64" }, "i64", { rules = false, where = false })
  local vars, cases, join = {}, {}, fn:block("join", n)
  for i = 1, phis do vars[i] = fn:var("v" .. i) end
  for i = 1, n do cases[i] = fn:block(nil, 1) end
  fn:entry():switch(fn:arg(1), cases[1], table.move(cases, 2, n, 2, {}))
  for i, b in ipairs(cases) do
    for k, var in ipairs(vars) do b:write(var, b:add(fn:arg(1), i * k)) end
    b:jump(join)
  end
  local sum = fn:const(0)
  for k, var in ipairs(vars) do sum = join:add(join:mul(sum, 31), join:bxor(join:read(var), k)) end
  join:ret(sum)
  return fn:finish()
end

-- A function with `n` parameters.
local function broad(n)
  local names = {}
  for i = 1, n do names[i] = "p" .. i end
  return phial.build("broad", names, "i64", function(b, v)
    local sum = b:const(0)
    for _, name in ipairs(names) do sum = b:sub(v[name], sum) end
    b:if_(b:sgt(sum, 0), function() b:ret(sum) end)
    b:ret(b:neg(sum))
  end)
end

local function check_calls(fn, ...)
  local f = emitted(fn, { form = "lua" })
  for _, x in ipairs { 0, 1, 3, 77, -5, 1000000 } do assert.equal(fn(x, ...), f(x, ...)) end
end

local function is_flat(fn)
  return phial.emit.cps(fn, { form = "lua" }):find("local B = {}", 1, true) ~= nil
end

-- A function one of whose blocks has `phis` phis and keeps `n` values at once.
local function crowded(phis, n)
  local fn = phial.fn("crowded", { "x:i64" }, "i64", { rules = false, where = false })
  local b, yes, join, vars, all = fn:entry(), fn:block("yes", 1), fn:block("join", 2), {}, {}
  for i = 1, phis do vars[i] = fn:var("v" .. i) end
  for i, var in ipairs(vars) do b:write(var, i) end
  b:branch(b:sgt(fn:arg(1), 3), yes, join)
  for i, var in ipairs(vars) do yes:write(var, yes:mul(fn:arg(1), i)) end
  yes:jump(join)
  for i = 1, n do all[i] = join:bxor(join:mul(fn:arg(1), i), vars[i % phis + 1]) end
  local sum = all[1]
  for i = 2, n do sum = join:add(join:mul(sum, all[i]), all[n + 1 - i]) end
  join:ret(sum)
  return fn:finish()
end

describe("Lua's limits:", function()
  it("a nesting of 150 is nested, a deeper one is flat", function()
    for n, flat in pairs { [10] = false, [150] = false, [151] = true, [400] = true } do
      local fn = chain(n)
      assert.equal(flat, is_flat(fn))
      assert.equal(flat, phial.emit.cps(fn):find(" within ", 1, true) ~= nil)
      check_calls(fn)
    end
  end)

  it("deep expressions in a deep nesting", function()
    for n = 109, 149, 20 do
      local fn = chain_with_expression(n)
      assert.is_false(is_flat(fn))
      check_calls(fn)
    end
  end)

  it("more upvalues than a function can have", function()
    local fn = chain(140, true)
    assert.is_false(is_flat(fn))
    check_calls(fn)
    local more = phial.build("more", { "x" }, "i64", function(b, v)
      local all = {}
      for i = 1, 40 do
        for k = 1, 6 do all[#all + 1] = b:mul(v.x, i * 100 + k) end
        b:if_(b:sgt(v.x, i), function() v.x = b:add(v.x, i) end)
      end
      for _, it in ipairs(all) do v.x = b:bxor(v.x, it) end
      b:ret(v.x)
    end)
    assert.is_true(is_flat(more))
    check_calls(more)
  end)

  it("more locals, continuations and parameters than a function can have", function()
    for _, fn in ipairs { wide(3, 40), wide(3, 41), wide(2, 300), wide(150, 3), wide(190, 3),
      wide(1000, 1), crowded(40, 190), crowded(10, 400) } do
      check_calls(fn)
    end
    assert.is_false(is_flat(wide(3, 40)))
    assert.is_true(is_flat(wide(3, 41)))
    for _, n in ipairs { 1, 100, 101, 300 } do
      local fn, args = broad(n), {}
      for i = 2, n do args[i - 1] = i * i end
      check_calls(fn, table.unpack(args))
    end
  end)

  it("a function with many parameters calls itself", function()
    local names = {}
    for i = 1, 120 do names[i] = "p" .. i .. ":i64" end
    local fn = phial.fn("many", names, "i64")
    local b, more, done, args = fn:entry(), fn:block("more", 1), fn:block("done", 1), {}
    for i = 1, 120 do args[i] = fn:arg(i) end
    b:branch(b:sgt(args[120], 0), more, done)
    args[120] = more:sub(args[120], 1)
    args[1] = more:add(args[1], args[2])
    more:ret(more:call(fn, "i64", table.unpack(args)))
    done:ret(fn:arg(1))
    fn:finish()
    local given = {}
    for i = 1, 120 do given[i] = i end
    assert.equal(fn(table.unpack(given)), emitted(fn, { form = "lua" })(table.unpack(given)))
  end)

  it("many blocks", function()
    local f = emitted(wide(10001, 1), { form = "lua" }) -- a part of the Lua has at most 10,000
    for _, i in ipairs { 2, 700, 10001 } do assert.equal(i + i ~ 1, f(i)) end
    assert.equal(70000 + 1 ~ 1, f(70000))
  end)
end)

-- }== Arguments =======================================================

describe("phial.emit.cps", function()
  local fn = phial.build("f", { "n" }, "i64", function(b, v) b:ret(v.n) end)

  it("refuses what it does not take", function()
    refused(nil, "bad argument #1 to 'phial.emit.cps' (phial.Function expected, got nil)",
      function() phial.emit.cps() end)
    refused(nil, "bad argument #2 to 'phial.emit.cps' (table expected, got \"lua\")",
      function() phial.emit.cps(fn, "lua") end)
    refused(nil, "'phial.emit.cps': option 'nesting': 0 to 150 expected, got 151",
      function() phial.emit.cps(fn, { nesting = 151 }) end)
    refused(nil, "'phial.emit.cps': option 'nesting': 0 to 150 expected, got -1",
      function() phial.emit.cps(fn, { nesting = -1 }) end)
    refused(nil, "'phial.emit.cps': option 'fuel' needs form = \"lua\"",
      function() phial.emit.cps(fn, { fuel = true }) end)
  end)

  it("refuses functions without a finished body", function()
    refused(nil, "function 'g' is not finished: call fn:finish() before it can be written",
      function() phial.emit.cps(phial.fn "g") end)
    local h = phial.module("m"):declare("h", { "i64" }, "i64")
    refused(nil, "function 'h' is a declaration: it has no body",
      function() phial.emit.cps(h) end)
    local closed = phial.fn "g"
    closed:close()
    refused(nil, "function 'g' is closed", function() phial.emit.cps(closed) end)
  end)

  it("returns the values that have no text", function()
    local callee, object = function() return 1 end, {}
    local D = phial.dialect("d", { take = { args = 0, result = "i64" } })
    local it = phial.fn("f", {}, "i64", { rules = false })
    local b = it:entry()
    b:emit(D.take, { data = object })
    b:ret(b:call(callee, "i64", b:emit(D.take, { data = object })))
    local text, host = phial.emit.cps(it:finish())
    assert.truthy(text:find("d.take {host 1}()", 1, true))
    assert.truthy(text:find("call {host 2}(v", 1, true))
    assert.same({ object, callee }, host)
  end)
end)

-- }====================================================================

it("phis have operands for unreachable predecessors, also before others", function()
  local fn = assert(phial.parse [[
fn f(%c: i1) -> i64 {
entry:
  branch %c, a, b
b: <- entry
  jump x
x: <- a, b
  %v: i64 = phi [a: %3, b: 5]
  ret %v
a: <- entry
  %3: i64 = add 1, 2
  jump x
}]])
  fn:entry():back():jump(fn:find "b") -- which keeps a's edge
  for _, nesting in ipairs { 0, 100 } do
    local source, host = phial.emit.cps(fn, { form = "lua", nesting = nesting })
    assert.equal(5, load(source)(host)(true, function(...) return ... end))
  end
end)
