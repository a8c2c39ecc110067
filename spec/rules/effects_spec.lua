-- What an op does besides giving its result: how it is said, and what follows
-- for merging, dropping, running and rules.
local phial = require "phial"
local refused = require "spec.support.refused"

local made

-- A memory: cells are tables.
local function memory()
  made = made or phial.dialect("m", {
    alloca = { result = "any", effect = "new", eval = function() return { 0 } end },
    load = { args = { "any" }, result = "i64", effect = "read", eval = function(p)
      return p[1]
    end },
    store = { args = { "any", "i64" }, effect = "write", eval = function(p, x) p[1] = x end },
    next = { args = { "any" }, result = "i64", effect = "write", eval = function(p)
      p[1] = p[1] + 1
      return p[1]
    end },
    same = { args = { "any" }, result = "any", effect = "none", eval = function(p) return p end },
    check = { args = { "i64" }, result = "i64", effect = "none", traps = true, eval = function(x)
      return x ~= 0 and x or error("zero", 0)
    end },
    peek = { args = { "any" }, result = "i64", effect = "read", traps = true, eval = function(p)
      return p[1] ~= 0 and p[1] or error("zero", 0)
    end },
    pure = { args = { "i64" }, result = "i64", pure = true, eval = function(x) return -x end },
    silent = { args = { "i64" }, result = "i64", eval = function(x) return x end },
  })
  return made
end

-- A function and what a test needs of it.
local function start(result, opts)
  local D = memory()
  opts = opts or {}
  opts.dialects = { D }
  local fn = phial.fn("f", { "p:any", "x:i64" }, result, opts)
  return fn, fn:entry(), D, fn:arg(1), fn:arg(2)
end

local function ops(block)
  local list = {}
  for i, v in ipairs(block:insts()) do list[i] = v:op() end
  return table.concat(list, " ")
end

describe("an op says its effect:", function()
  it("in no other way", function()
    local names = 'effect: "none", "read", "new" or "write" expected, got %s'
    for _, case in ipairs {
      { { effect = true }, names:format "true" }, { { effect = false }, names:format "false" },
      { { effect = "pure", result = "i64" }, names:format '"pure"' },
      { { effect = 1 }, names:format "1" },
      { { effect = {} }, names:format "table" },
      { { traps = 1 }, "traps: boolean expected, got number" },
    } do
      refused(nil, ("bad argument #2 to 'phial.dialect' (op 'x': %s)"):format(case[2]),
        function() phial.dialect("e", { x = case[1] }) end)
    end
  end)

  it("not with words that say nothing together", function()
    local pure = 'pure = true is effect = "none", not "%s"'
    local ends = "effect, reads, writes and traps are not for a terminator"
    for _, case in ipairs {
      { { pure = false, result = "i64" },
        'pure = false says nothing: say effect = "none", "read", "new" or "write"' },
      { { pure = false, effect = "none", result = "i64" },
        'pure = false says nothing: say effect = "none", "read", "new" or "write"' },
      { { pure = true, effect = "write", result = "i64" }, pure:format "write" },
      { { pure = true, effect = "read", result = "i64" }, pure:format "read" },
      { { pure = true, effect = "new", result = "i64" }, pure:format "new" },
      { { effect = "read" }, 'effect = "read", but no result' },
      { { effect = "new" }, 'effect = "new", but no result' },
      { { terminator = true, effect = "write" }, ends },
      { { terminator = true, traps = true }, ends },
    } do
      refused(nil, ("bad argument #2 to 'phial.dialect' (op 'x': %s)"):format(case[2]),
        function() phial.dialect("e", { x = case[1] }) end)
    end
  end)

  it("also those of phial", function()
    local effect, traps = {}, {}
    for _, op in ipairs(phial.ops()) do
      effect[op.name], traps[op.name] = op.effect, op.traps or false
      local pure = op.effect == "none" and not op.traps and not op.terminator
      assert.equal(op.pure or false, pure, op.name)
    end
    for name, expected in pairs {
      add = "none", phi = "none", const = "none", copy = "none", proj = "none", sdiv = "none",
      ftoi = "none", call = "write",
    } do assert.equal(expected, effect[name], name) end
    for _, name in ipairs { "sdiv", "udiv", "srem", "urem", "ftoi", "ftou" } do
      assert.is_true(traps[name], name)
    end
    assert.is_false(traps.add or traps.call)
  end)
end)

describe("an equal instruction", function()
  it("stands for another one if that has no effect, or reads and nothing was written", function()
    local _, b, D, p, x = start()
    assert.not_equal(b:emit(D.alloca), b:emit(D.alloca))
    assert.equal(b:emit(D.load, p), b:emit(D.load, p))
    assert.equal(b:emit(D.peek, p), b:emit(D.peek, p))
    local load, peek = b:emit(D.load, p), b:emit(D.peek, p)
    b:emit(D.next, p)
    assert.not_equal(load, b:emit(D.load, p))
    assert.not_equal(peek, b:emit(D.peek, p))
    assert.not_equal(b:emit(D.next, p), b:emit(D.next, p))
    assert.not_equal(b:emit(D.silent, x), b:emit(D.silent, x))
    assert.not_equal(b:call("g", "i64"), b:call("g", "i64"))
    assert.equal(b:emit(D.same, p), b:emit(D.same, p))
    assert.equal(b:emit(D.pure, x), b:emit(D.pure, x))
  end)

  it("that traps stands for one that it dominates", function()
    local fn, b, D, _, x = start "i64"
    local v, next_block = b:emit(D.check, x), fn:block "next"
    assert.equal(v, b:emit(D.check, x))
    b:jump(next_block)
    next_block:seal()
    assert.equal(v, next_block:emit(D.check, x))
  end)

  it("is found by finish, too", function()
    local fn, b, D, p = start "i64"
    local q = fn:block "q"
    b:emit(D.load, b:emit(D.same, p))
    b:jump(q)
    local v, a = q:emit(D.load, q:emit(D.same, p)), q:emit(D.alloca)
    q:ret(q:add(q:add(v, q:emit(D.load, a)), q:emit(D.load, q:emit(D.alloca))))
    fn:finish()
    assert.equal("m.same m.load jump", ops(b))
    assert.equal("m.alloca m.load add m.alloca m.load add ret", ops(q))
  end)

  it("is not found in text, nor by simplify", function()
    local D = memory()
    local fn = assert(phial.parse([[
fn f(%p: any) -> i64 {
entry:
  %2: any = m.alloca
  %3: any = m.alloca
  m.store %2, 1
  %4: i64 = m.load %2
  m.store %2, 2
  %5: i64 = m.load %2
  %6: i64 = m.load %3
  %7: i64 = add %4, %5
  %8: i64 = add %7, %6
  ret %8
}
]], { dialects = { D } }))
    fn:reopen():finish()
    assert.equal("m.alloca m.alloca m.store m.load m.store m.load m.load add add ret",
      ops(fn:entry()))
    assert.equal(3, fn "p")
  end)
end)

describe("what nothing uses", function()
  it("is dropped by sweep unless it writes or traps", function()
    local fn, b, D, p, x = start()
    for _, op in ipairs { "alloca", "load", "next", "same", "check", "peek", "pure", "silent" } do
      local takes = { alloca = {}, check = { x }, pure = { x }, silent = { x } }
      b:emit(D[op], table.unpack(takes[op] or { p }))
    end
    b:emit(D.store, p, 1)
    b:ret()
    fn:finish()
    fn:clean { dead = true }
    assert.equal("m.next m.check m.peek m.silent m.store ret", ops(b))
  end)

  it("traps when it is run", function()
    for _, op in ipairs { "check", "peek" } do
      local fn, b, D, p, x = start()
      b:emit(D[op], op == "check" and x or p)
      b:ret()
      fn:finish()
      fn:clean { dead = true }
      assert.error_matches(function() fn({ 0 }, 0) end, "zero$")
      assert.has_no_error(function() fn({ 1 }, 1) end)
    end
  end)
end)

describe("running keeps the order of reads and writes:", function()
  local function cells(b, D, x)
    local p, q = b:emit(D.alloca), b:emit(D.alloca)
    b:emit(D.store, p, 1)
    b:emit(D.store, q, 2)
    local first = b:emit(D.load, p)
    b:emit(D.store, p, x)
    local second, other = b:emit(D.load, p), b:emit(D.load, q)
    return b:add(b:mul(b:add(b:mul(first, 10), second), 10), other)
  end

  for _, rules in ipairs { "with rules", "without" } do
    it(rules, function()
      local fn, b, D, _, x = start("i64", { rules = rules == "without" and false or nil })
      b:ret(cells(b, D, x))
      fn:finish()
      assert.equal(152, fn({}, 5))
      fn:clean { dead = true }
      assert.equal(152, fn({}, 5))
      for _, form in ipairs { "goto", "blocks" } do
        local source, host = phial.emit.lua(fn, { form = form })
        assert.equal(152, load(source)(host)({}, 5))
      end
    end)
  end

  it("a read that is used once, after a write", function()
    local fn, b, D, p, x = start "i64"
    local v = b:emit(D.load, p)
    b:emit(D.store, p, x)
    b:ret(v)
    assert.equal(1, fn:finish()({ 1 }, 5))
  end)

  it("a read after a call, and after another op that says nothing", function()
    for _, way in ipairs { "call", "silent" } do
      local fn, b, D, p, x = start "i64"
      local cell = { 1 }
      local v = b:emit(D.load, p)
      if way == "call" then
        b:call(function() cell[1] = 7 end, nil)
      else
        b:emit(D.next, p)
        b:emit(D.silent, x)
      end
      b:ret(v)
      assert.equal(1, fn:finish()(cell, 5))
    end
  end)

  it("in a loop", function()
    local fn, b, D, p = start "i64"
    local i, sum = fn:var "i", fn:var "sum"
    local loop, done = fn:block "loop", fn:block "done"
    b:write(i, 0)
    b:write(sum, 0)
    b:jump(loop)
    local before = loop:emit(D.load, p)
    loop:emit(D.store, p, loop:add(before, 1))
    loop:write(sum, loop:add(loop:read(sum), loop:add(before, loop:emit(D.load, p))))
    loop:write(i, loop:add(loop:read(i), 1))
    loop:branch(loop:slt(loop:read(i), 3), loop, done)
    loop:seal()
    done:seal()
    done:ret(done:read(sum))
    assert.equal(1 + 3 + 5, fn:finish()({ 0 }, 0))
  end)
end)

describe("a rule", function()
  local function rules(text, functions)
    return phial.rules():attach(memory()):add(text, functions, "r")
  end

  -- What is said of a text, where '^' marks the place.
  local function mistake(why, text, functions)
    local column = text:find("^", 1, true)
    text = text:gsub("%^", "")
    local ok, message = pcall(rules, text, functions)
    assert.is_false(ok, "taken: " .. text)
    message = message:gsub("^.-: r:", "r:"):gsub("\n.*", "")
    assert.equal(("r:1:%d: %s"):format(column, why), message)
  end

  it("has an effectful op in a pattern as its root only", function()
    local inner = "'m.%s' has the effect \"%s\": in a pattern it can be the root only"
    local read = inner:format("load", "read")
    mistake(read, "x + ^m.load(p) => x")
    mistake(read, "^m.load(p) - m.load(p) => 0")
    mistake(inner:format("peek", "read"), "x + ^m.peek(p) => x")
    mistake(inner:format("alloca", "new"), "m.load(^m.alloca()) => 0")
    mistake(inner:format("next", "write"), "x + ^m.next(p) => x")
    mistake(inner:format("silent", "write"), "x + ^m.silent(y) => x")
    mistake(inner:format("load", "read"), "m.store(p, ^m.load(p)) => m.store(p, 0)")
  end)

  it("has one in its result as its root only, in place of one with the same effect", function()
    local result = "'m.%s' has the effect \"%s\": " ..
      "in a result it can be the root only, for a pattern with that effect"
    local read, write = result:format("load", "read"), result:format("next", "write")
    mistake(read, "m.pure(x) => ^m.load(nil) @ unoriented")
    mistake(read, "m.next(p) => ^m.load(p) @ unoriented")
    mistake(read, "m.load(p) => ^m.load(p) + 0 @ unoriented")
    mistake(write, "m.load(p) => ^m.next(p) @ unoriented")
    mistake(write, "m.store(p, x) => m.store(p, ^m.next(p)) @ unoriented")
    mistake(result:format("alloca", "new"), "m.load(p) => m.load(^m.alloca()) @ unoriented")
  end)

  it("does not lose a write", function()
    local lost = "'m.next' has the effect \"write\": the result must have it, too"
    mistake(lost, "m.next(p) => ^0")
    mistake(lost, "m.next(p) => ^m.pure(1) @ unoriented")
    mistake(lost, "m.next(p) => ^$f(p)", { f = print })
  end)

  it("may replace one by another, and a read or new by a value", function()
    local R = rules [[
      store: m.store(m.same(p), x) => m.store(p, x)
      next:  m.next(m.same(p)) => m.next(p)
      load:  m.load(m.same(p)) => m.load(p)
      known: m.load(nil) => 0
      peek:  m.peek(m.same(p)) => m.peek(p)
      trap:  m.check(sdiv(x, 1)) => m.check(x)
    ]]
    local fn, b, D, p = start("i64", { rules = R })
    local q = b:emit("m.same", p)
    b:emit("m.store", q, 3)
    assert.equal(p, b:insts()[2]:args()[1])
    for _, op in ipairs { "next", "load", "peek" } do
      local v = b:emit("m." .. op, q)
      assert.equal("m." .. op, v:op())
      assert.equal(p, v:args()[1])
    end
    assert.equal(0, (b:emit("m.load", fn:const(nil, "any")):const()))
    assert.is_not_nil(D)
  end)

  it("does so in finish, too, and keeps the classes that were said", function()
    local R = rules [[
      store: m.store(m.same(p), x) => m.store(p, x) @ late
      load:  m.load(m.same(p)) => m.load(p) @ late
    ]]
    local fn, b, D, p = start("i64", { rules = R })
    local q = b:emit(D.same, p)
    local v = b:emit(D.load, q, { reads = { "heap" } })
    b:emit(D.store, q, v, { writes = { "heap" } })
    b:ret(v)
    fn:finish()
    local _, load, store = table.unpack(b:insts())
    assert.same({ p, p, v:now() }, { load:arg(1), store:arg(1), store:arg(2) })
    assert.matches("m.load %%p reads%(heap%)", fn:text())
    assert.matches("m.store %%p, %%%d+ .*writes%(heap%)", fn:text())
  end)
end)
