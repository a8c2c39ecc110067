-- The current block: what functions, operators and phial.build emit goes there, at the call.
local arithmetic = require "spec.support.arithmetic"
local differences = require "spec.support.differences"
local file = require "spec.support.file"
local here = require "spec.support.here"
local ops = require "spec.support.ops"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local variants = require "spec.support.variants"

local D <const> = phial.dialect("d", {
  op = { args = 1, result = "i64" }, many = { args = "*", result = "i64", results = "*" },
  leap = { targets = 1, terminator = true },
})

-- {== All methods ======================================================

-- A function in which each method can be called on `at`, an alloca or another. The options
-- are those of phial.fn.
local function subject(name, opts)
  local given = { rules = false, accesses = true, copies = true, variadic = true,
    dialects = { D } }
  for key, value in pairs(opts or {}) do given[key] = value end
  local fn = phial.fn("f", { "n:i64", "c:i1" }, "i64", given)
  local entry, other = fn:entry(), fn:block "other"
  if name == "alloca" then return fn, entry, other end
  local at = fn:block("at", 1)
  entry:emit(D.many, 1, { results = 2 }):set_name "many"
  entry:jump(at)
  return fn, at, other
end

-- By the name of a method: a call of it on `at`, a block or its function.
local calls = {}

function calls.emit(at, fn) return at:emit(D.op, fn:arg(1)) end
function calls.call(at, fn) return at:call("g", "i64", fn:arg(1), 2) end
function calls.alloca(at) return at:alloca "i64" end
function calls.address(at) return at:address "g" end
function calls.phi(at, fn) return at:phi { [fn:entry()] = fn:arg(1) } end
function calls.read(at, fn) return at:read(fn:param(1), fn:param(2)) end
function calls.write(at, fn) return at:write(fn:param(1), 3) end
function calls.let(at, fn) return at:let(fn:param(1), "add", fn:param(1), 4) end
function calls.kill(at, fn) return at:kill(fn:var "gone") end
function calls.may_write(at, fn) return at:may_write({ fn:param(1) }, 6) end
function calls.jump(at, _, other) return at:jump(other) end
function calls.jump_if_open(at, _, other) return at:jump_if_open(other) end
function calls.branch(at, fn, other) return at:branch(fn:param(2), other, other) end
function calls.switch(at, _, other) return at:switch(1, other, { [2] = other }) end
function calls.ret(at, fn) return at:ret(fn:param(1)) end
function calls.tail_call(at) return at:tail_call("next", 1) end
function calls.unreachable(at) return at:unreachable() end
function calls.trap(at) return at:trap "no" end
function calls.trap_if(at, fn) return at:trap_if(fn:param(2), "no") end

function calls.proj(at, fn)
  return at:proj(fn:find "%many", 2, "i64")
end

for _, row in ipairs(ops.all) do
  calls[row.name] = function(at, fn)
    local args
    ops.each_form(row, function(_, types, _, said)
      if args then return end
      args = {}
      for i, type in ipairs(types) do args[i] = fn:undef(type) end
      args[#args + 1] = said
    end)
    return at[row.name](at, table.unpack(args))
  end
end

for _, how in ipairs { "", "_volatile" } do
  calls["load" .. how] = function(at, fn) return at["load" .. how](at, fn:undef "ptr", "i8") end
  calls["store" .. how] = function(at, fn) return at["store" .. how](at, fn:undef "ptr", 1) end
end
function calls.ptradd(at, fn) return at:ptradd(fn:undef "ptr", 1) end
function calls.memcpy(at, fn) return at:memcpy(fn:undef "ptr", fn:undef "ptr", 8) end
function calls.memmove(at, fn) return at:memmove(fn:undef "ptr", fn:undef "ptr", 8) end
function calls.memset(at, fn) return at:memset(fn:undef "ptr", 0, 8) end
function calls.va_start(at, fn) return at:va_start(fn:undef "ptr") end
function calls.va_arg(at, fn) return at:va_arg(fn:undef "ptr", "i32") end
function calls.va_copy(at, fn) return at:va_copy(fn:undef "ptr", fn:undef "ptr") end
function calls.va_end(at, fn) return at:va_end(fn:undef "ptr") end

local names = {}
for name in pairs(calls) do names[#names + 1] = name end
table.sort(names)

local function each_method(check)
  for _, name in ipairs(names) do check(name, calls[name]) end
end

local NONE <const> = "function 'f' has no current block: fn:set_current(block) says where its "
  .. "methods and operators emit"

-- }== What it is ======================================================

describe("the function as a builder", function()
  it("has the methods of blocks that types/phial.lua says, the very same", function()
    local source, fn = file.read "types/phial.lua", subject()
    local of_blocks, of_functions = getmetatable(fn:entry()).__index, getmetatable(fn).__index
    local declared = {}
    for _, class in ipairs { "End", "Point", "Ops" } do
      for name in source:gmatch("\nfunction " .. class .. ":([%w_]+)%(") do
        declared[#declared + 1] = name
        assert.is_true(rawequal(of_blocks[name], of_functions[name]), name)
      end
    end
    local said = differences(names, "these", declared, "types/phial.lua")
    assert(said == "", said)
  end)

  it("does in the current block what the block's methods do there", function()
    each_method(function(name, call)
      local texts, results = {}, {}
      for i = 1, 2 do
        local fn, at, other = subject(name)
        assert.equal(fn, fn:set_current(at))
        local made = table.pack(call(i == 1 and at or fn, fn, other))
        for k = 1, made.n do made[k] = tostring(made[k]) end
        assert.equal(not at:is_filled() and at or nil, fn:current(), name)
        texts[i], results[i] = fn:text(), made
      end
      assert.equal(texts[1], texts[2])
      assert.same(results[1], results[2])
    end)
  end)

  it("takes and refuses what the block's methods do, in the same words", function()
    prop.forall(function(pick)
      local case = { name = names[pick(#names)] }
      for i = 1, pick(5) - 1 do case[i] = pick(20) end
      return case
    end, function(case)
      local told = {}
      for i = 1, 2 do
        local fn, at, other = subject()
        local foreign = phial.fn "g"
        fn:set_current(at)
        local pool = { 1, true, 1.5, "i64", "add", D.op, other, at, fn:arg(1), fn:arg(2),
          fn:param(1), fn:param(2), { fn:param(1) }, { [fn:entry()] = 1 }, { other },
          foreign:entry(), foreign:const(1), fn:undef "ptr", fn:find "%many" }
        local args = { n = #case }
        for k, draw in ipairs(case) do args[k] = pool[draw] end
        local results = table.pack(pcall((i == 1 and at or fn)[case.name], i == 1 and at or fn,
          table.unpack(args, 1, args.n)))
        for k = 1, results.n do results[k] = tostring(results[k]) end
        told[i] = table.concat(results, "\n") .. fn:text()
      end
      -- An alloca of the function goes to the entry.
      if case.name ~= "alloca" then assert.equal(told[1], told[2]) end
    end)
  end)

  it("acts where it is when the arguments are known", function()
    local fn = phial.fn("f", { "c:i1", "n" }, "i64")
    -- A condition's value: it moves on to another block.
    local function choice()
      local x, yes, join = fn:var "x", fn:block("yes", 1), fn:block("join", 2)
      fn:write(x, fn:arg(2))
      fn:branch(fn:arg(1), yes, join)
      fn:set_current(yes):write(x, 1)
      fn:jump(join)
      return fn:set_current(join):read(x)
    end
    fn:set_current(fn:entry())
    fn:ret(fn:sub(fn:mul(choice(), 3), choice()))
    fn:finish()
    assert.same({ 2, 14 }, { fn(true, 5), fn(false, 7) })
    fn = phial.fn("f", { "c:i1", "n" }, "i64")
    fn:set_current(fn:entry())
    local at, where = fn:current(), debug.getinfo(choice, "S")
    refused(nil, ("block 'entry' already ends with 'branch %%c, yes, join' (at %s:%d): nothing can "
      .. "be added after it (if its operands have led to another block, emit by the methods of fn: "
      .. "see fn:set_current)"):format(where.short_src, where.linedefined + 3),
      function() at:add(1, choice()) end)
    assert.equal("join", fn:current():name())
  end)

  it("constructs random programs as blocks do", function()
    prop.forall(programs.generate, function(p)
      for _, construction in ipairs(variants) do
        for _, form in ipairs { "long", "short" } do
          local texts = {}
          for i = 1, 2 do
            local fn = programs.build(p, {
              construction = construction, form = form, current = i == 2,
            })
            texts[i] = fn:text() .. fn:finish():text()
          end
          assert.equal(texts[1], texts[2])
        end
      end
    end)
  end)

  it("constructs random programs with rules as blocks do", function()
    prop.forall(function(pick) return arithmetic.generate(pick, nil, nil, { memory = true }) end,
      function(p)
        local opts = { rules = phial.rules "int", refine = true, seal = "early" }
        local text = arithmetic.build(p, "show", opts):text()
        opts.current = true
        assert.equal(text, arithmetic.build(p, "show", opts):text())
      end)
  end)
end)

-- An expression: a number (of an argument, if negative), { op, a, b } or { "?", a, b, c }.
local function expression(pick, depth)
  if depth == 0 or pick(5) == 1 then return pick(9) - 4 end
  local kind = ({ "add", "sub", "mul", "?", "?" })[pick(5)]
  local e = { kind }
  for i = 2, kind == "?" and 4 or 3 do e[i] = expression(pick, depth - 1) end
  return e
end

local function value_of(e, args)
  if math.type(e) then return e < 0 and args[-e] or e end
  if e[1] == "?" then return value_of(value_of(e[2], args) ~= 0 and e[3] or e[4], args) end
  local a, b = value_of(e[2], args), value_of(e[3], args)
  return e[1] == "add" and a + b or e[1] == "sub" and a - b or a * b
end

it("a frontend that recurses is right by the function's methods", function()
  prop.forall(function(pick) return { e = expression(pick, 5) } end, function(case)
    local fn = phial.fn("f", { "a", "b", "c" }, "i64")
    local emit
    local function arm(block, e, x, join)
      fn:set_current(block):write(x, emit(e))
      fn:jump(join)
    end
    function emit(e)
      if math.type(e) then return e < 0 and fn:arg(-e) or fn:const(e) end
      if e[1] ~= "?" then return fn[e[1]](fn, emit(e[2]), emit(e[3])) end
      local x, join = fn:var "x", fn:block(nil, 2)
      local yes, no = fn:block(nil, 1), fn:block(nil, 1)
      fn:branch(fn:ne(emit(e[2]), 0), yes, no)
      arm(yes, e[3], x, join)
      arm(no, e[4], x, join)
      return fn:set_current(join):read(x)
    end
    fn:set_current(fn:entry()):ret(emit(case.e))
    fn:finish()
    for _, args in ipairs { { 0, 1, 2 }, { -3, 0, 7 } } do
      assert.equal(value_of(case.e, args), fn(table.unpack(args)))
    end
  end)
end)

-- }== None =============================================================

-- The message of each method, where `make` has made what `subject` returns, and that nothing
-- has changed. The last that `make` returns is the place where the current block was filled, for
-- `expected`; only jump_if_open does nothing then.
local function check_refused(expected, make)
  each_method(function(name, call)
    local fn, _, other, place = make(name)
    fn:var "gone"
    for i = 1, 3 do fn:undef(({ "ptr", "i1", "i8" })[i]) end
    local before = fn:text()
    if name == "jump_if_open" and place then
      assert.is_false(call(fn, fn, other))
    else
      local message = place and expected:format(place) or expected
      assert.equal(message, raises.message(call, fn, fn, other), name)
    end
    assert.equal(before, fn:text(), name)
  end)
end

describe("without a current block each method says so", function()
  it("before it is set", function() check_refused(NONE, subject) end)

  it("when it is nil", function()
    check_refused(NONE, function(name)
      local fn, at, other = subject(name)
      assert.equal(fn, fn:set_current(at):set_current(nil))
      return fn, at, other
    end)
  end)

  it("after finish and reopen", function()
    check_refused(NONE, function(name)
      local fn, at, other = subject(name)
      fn:set_current(at):jump(other)
      fn:set_current(other):ret(1)
      fn:finish():reopen()
      assert.is_nil(fn:current())
      return fn, at, other
    end)
  end)

  it("where it is filled", function()
    check_refused("the current block 'other' already ends with 'ret 1' (at %s): "
      .. "fn:set_current(block) says where to go on", function(name)
      local fn, at, other = subject(name)
      fn:set_current(other):ret(1) local place = here()
      assert.is_nil(fn:current())
      return fn, at, other, place
    end)
  end)

  it("where it is filled, without a place if places are not recorded", function()
    local fn, _, other = subject(nil, { where = false })
    fn:set_current(other):ret(1)
    refused(fn, "the current block 'other' already ends with 'ret 1': fn:set_current(block) says "
      .. "where to go on", function() fn:add(1, 2) end)
  end)

  it("when the function is finished", function()
    local says = "function 'f' is finished: edit it at cursors, as block:back(), or by fn:reopen()"
    each_method(function(name, call)
      local fn, at, other = subject(name)
      fn:set_current(at):jump(other)
      fn:set_current(other):ret(1)
      fn:finish()
      assert.is_nil(fn:current())
      if name ~= "kill" then
        assert.equal(says, raises.message(call, fn, fn, other), name)
      end
    end)
  end)
end)

describe("fn:current()", function()
  it("is nil from the terminator on, whoever made it", function()
    for what, fill in pairs {
      ["the function"] = function(fn, _, other) fn:jump(other) end,
      ["the block"] = function(_, at, other) at:jump(other) end,
      ["folding"] = function(fn, _, other) fn:branch(fn:const(true), other, fn:block()) end,
      ["a dialect, by the function"] = function(fn, _, other) fn:emit("d.leap", { other }) end,
      ["a dialect, by the block"] = function(_, at, other) at:emit(D.leap, { other }) end,
      ["jump_if_open"] = function(fn, _, other) assert.is_true(fn:jump_if_open(other)) end,
    } do
      local fn, at, other = subject(nil, { rules = phial.rules "int" })
      fn:set_current(at)
      fill(fn, at, other)
      assert.is_true(at:is_filled(), what)
      assert.is_nil(fn:current(), what)
      assert.is_false(fn:jump_if_open(other))
      local last, where = what:find "dialect" and "d.leap" or "jump", debug.getinfo(fill, "S")
      refused(fn, ("the current block 'at' already ends with '%s other' (at %s:%d): "
        .. "fn:set_current(block) says where to go on"):format(last, where.short_src,
        where.linedefined), function() fn:read(fn:param(1)) end)
      assert.is_true(at:read(fn:param(1)) ~= nil) -- the block's own methods go on
      assert.equal("alloca", fn:entry():alloca(8):op())
      assert.equal(other, fn:set_current(other):current())
    end
  end)

  it("is not where allocas go: they are put into the entry", function()
    local fn, at = subject()
    fn:set_current(at)
    assert.equal(fn:entry(), fn:alloca("i64"):block())
    local place = fn:ret(1) or here()
    refused(fn, ("the current block 'at' already ends with 'ret 1' (at %s): "):format(place)
      .. "fn:set_current(block) says where to go on", function() fn:alloca "i64" end)
  end)

  it("stays where finish is refused", function()
    local fn, at = subject()
    fn:set_current(at)
    assert.has_error(function() fn:finish() end)
    assert.equal(at, fn:current())
  end)

  it("is nil when finish has dropped its block and fails", function()
    local fails = true
    local fn = phial.fn("f", {}, "i64", { undef = function()
      if fails then error("not now", 0) end
      return 7
    end })
    local entry, dead = fn:entry(), fn:block("dead", 0)
    local join, x = fn:block "join", fn:var "x"
    fn:set_current(dead):unreachable()
    entry:jump(join)
    join:ret(join:read(x))
    raises.equal("not now", fn.finish, fn)
    assert.is_nil(fn:current())
    assert.is_false(fn:jump_if_open(join))
    fails = false
    assert.equal(7, fn:finish()())
  end)
end)

describe("fn:set_current refuses", function()
  it("what is not an open block of the function, and changes nothing", function()
    local fn, at, other = subject()
    local foreign = phial.fn("g"):entry()
    fn:set_current(at)
    other:ret(0) local place = here()
    for message, it in pairs {
      ["block 'entry' belongs to function 'g', not to 'f'"] = foreign,
      [("block 'other' already ends with 'ret 0' (at %s)"):format(place)] = other,
      ["phial.Block expected, got i64 '%n'"] = fn:arg(1),
      ["phial.Block expected, got a string"] = "at",
      ["phial.Block expected, got false"] = false,
    } do
      refused(fn, ("bad argument #1 to 'set_current' (%s)"):format(message),
        function() fn:set_current(it) end)
      assert.equal(at, fn:current())
    end
    at:jump(other)
    fn:finish()
    refused(fn, "function 'f' is finished: edit it at cursors, as block:back(), or by fn:reopen()",
      function() fn:set_current(nil) end)
  end)

  it("functions without a body", function()
    local declaration = phial.module("m"):declare("g")
    refused(nil, "function 'g' is a declaration: it has no body",
      function() declaration:set_current(nil) end)
    refused(nil, "function 'g' is a declaration: it has no body",
      function() declaration:add(1, 2) end)
  end)
end)

-- }== Other places that follow it =======================================

describe("the current block", function()
  it("is where operators and the methods of values and variables emit", function()
    local fn, at, other = subject()
    local n, x = fn:arg(1), fn:param(1)
    fn:set_current(at)
    assert.equal(at, (n + 1):block())
    assert.equal(at, n:sub(1):block())
    assert.equal(at, (x * 2):block())
    at:jump(other)
    local message = ("the current block 'at' already ends with 'jump other' (at %s:%d): "
      .. "fn:set_current(block) says where to go on"):format(debug.getinfo(1, "S").short_src,
      debug.getinfo(1, "l").currentline - 3)
    refused(fn, message, function() return n + 1 end)
    refused(fn, message, function() return x:sub(1) end)
    fn:set_current(other)
    assert.equal(other, (n + 1):block())
  end)

  it("is that of phial.build's b", function()
    phial.build("f", { "n" }, "i64", function(b, v)
      local fn = b.fn
      assert.equal(fn:entry(), fn:current())
      assert.equal(fn:entry(), b:current())
      local on = fn:block "on"
      b:jump(on)
      assert.is_nil(b:current())
      refused(nil, "function 'f' has no current block", function() b:seal() end)
      assert.equal(b, b:set_current(on))
      assert.equal(on, fn:current())
      assert.equal(on, b:add(v.n, 1):block())
      assert.equal(on, fn:add(v.n, 1):block())
      local more = fn:block "more"
      fn:jump(more)
      fn:set_current(more)
      v.m = v.n + 2
      assert.equal(more, v.m:block())
      b:if_(v.n:eq(1), function() v.m = 3 end)
      assert.equal("if_done", fn:current():name())
      b:ret(v.m)
    end)
  end)

  it("cannot be moved while a callback runs, and is known to it", function()
    local waiting = "calling '%s': function 'f' is waiting for a callback of yours (undef, log or "
      .. "of a rule): it can be read, not changed"
    local fn, at, other, told
    local function try()
      told = (told or 0) + 1
      assert.equal(at, fn:current())
      for name, call in pairs(calls) do
        if name ~= "kill" and not name:find "^mem" and fn[name] ~= nil then
          local ok, why = pcall(call, fn, fn, other)
          assert(not ok and why:find("is waiting for a callback", 1, true), why)
        end
      end
      assert.equal(waiting:format "set_current", raises.message(fn.set_current, fn, other))
      return 7
    end
    local R = phial.rules("a: x + C => x if $try(C)", { try = function() return try() == 7 end })
    for _, opts in ipairs { { undef = try }, { log = function() if at then try() end end },
      { rules = R } } do
      fn, at, other, told = nil, nil, nil, nil
      local one, two, three = subject(nil, opts)
      one:set_current(two)
      fn, at, other = one, two, three
      local v = fn:read(fn:var "x")
      v = fn:mul(fn:add(v, 3), 5)
      assert.equal(at, v:block())
      assert.equal(at, fn:current())
      assert.is_true(told > 0)
    end
  end)
end)

-- }====================================================================
