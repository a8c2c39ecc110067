-- Out of memory, and finalizers, at each allocation in turn: scripts in Lua states
-- of their own (spec/support/state.c). Nothing crashes or leaks; a function stays
-- well-formed, or says why it cannot be used.
local state = require "spec.support.state"
local under = require "spec.support.under"
local workloads = require "spec.support.workloads"

-- What each run of a finalizer does to the latest function.
local DEEDS = {
  ["closes the function"] = "fn:close()",
  ["calls __gc of the function"] = "debug.getmetatable(fn).__gc(fn)",
  ["asks for handles"] = [[
    for block in fn:blocks() do kept[block] = { block:phis(), block:insts() } end
    for i = 1, 40 do kept[i] = fn:const(i) end
    asked = fn]],
  ["asks in a coroutine"] = [[
    coroutine.wrap(function() for i = 1, 40 do fn:const(i * 1000) end fn:text() end)()]],
  ["goes on building"] = [[
    local x, block = fn:var "x", fn:block()
    block:seal()
    kept[#kept + 1] = block:add(block:read(x), 1)
    block:unreachable()]],
  ["makes another function"] = [[
    local other = phial.fn("other", { "n:i64" })
    for i = 1, 40 do kept[#kept + 1] = other:const(i) end
    if #kept % 80 == 0 then other:close() end]],
}

-- Sanitizers are slow. EVERY: no allocation is left out (`make every`).
local every = os.getenv "EVERY"
local RUNS = every and math.maxinteger // 4 or
  tonumber(os.getenv "RUNS") or (under.hard or under.brief) and 2 or 10

local runs = 0 -- states in which something happened at some allocation

-- The allocations of a script.
local function allocations(source, mode)
  local why, count = state.run("undisturbed = true " .. source, mode, math.maxinteger,
    math.maxinteger)
  assert(not why, why)
  return count
end

-- Nothing is collected when nothing disturbs: the deed of a finalizer makes no difference.
local of_deeds = {}
local function allocations_of_deeds(name)
  of_deeds[name] = of_deeds[name] or allocations(workloads.script(name, ""), "incremental")
  return of_deeds[name]
end

-- Runs a script with failures, or collections of a mode, at up to `most` of its `count`
-- allocations, drawn at random.
local function at_some(source, count, mode, width, most)
  local step = math.max(1, (count + most - 1) // most)
  for k = math.random(step), count, step do
    local why = state.run(source, mode, k, k + width - 1)
    assert(not why, ("at allocation %d of %d: %s"):format(k, count, why or ""))
    runs = runs + 1
  end
end

local FROM_THERE_ON <const> = math.maxinteger // 2
local MODES <const> = { "incremental", "generational" }

-- `make test` tries one allocation out of so many.
local STEP <const> = under.brief and 6 or 1

-- By `make test` the i-th script has these in turn.
local function modes(i) return under.brief and { MODES[i % 2 + 1] } or MODES end

-- Lua retries a failed allocation after a collection, as does phial: then two fail.
describe("when memory runs out:", function()
  for _, name in ipairs(workloads.names) do
    it(name, function()
      local source = workloads.script(name)
      local count = allocations(source)
      at_some(source, count, nil, 1, RUNS)
      at_some(source, count, nil, 2, 2 * RUNS)
      at_some(source, count, nil, FROM_THERE_ON, RUNS)
    end)
  end
end)

describe("when the garbage collector runs at each allocation:", function()
  for i, name in ipairs(workloads.names) do
    it(name, function()
      local source = "undisturbed = true " .. workloads.script(name)
      for _, mode in ipairs(modes(i)) do
        assert.is_nil((state.run(source, mode, 1, math.maxinteger)))
      end
    end)
  end
end)

for what, deed in pairs(DEEDS) do
  describe("when a finalizer " .. what .. ":", function()
    for i, name in ipairs(workloads.names) do
      it(name, function()
        local source = workloads.script(name, deed)
        for _, mode in ipairs(modes(i + #what)) do
          at_some(source, allocations_of_deeds(name), mode, 1, (RUNS + 1) // 2)
        end
      end)
    end
  end)
end

if every then teardown(function() print(runs .. " states") end) end

-- Runs a script with a collection at each allocation, or each n-th one, in turn.
local function at_each(source, n)
  local why, count = state.run(source, "incremental", math.maxinteger, math.maxinteger)
  assert.is_nil(why)
  for k = 1, count, n or 1 do assert.is_nil((state.run(source, "incremental", k, k))) end
end

-- The handles of the variables that it is asked about have to be made anew.
it("finalizers change nothing while an undef function is called", function()
  local source = [[
    local phial = require "phial.core"
    local fails = true
    local fn = phial.fn("f", {}, nil, { rules = false, undef = function()
      if fails then error "not now" end
      return 7
    end })
    local entry, x, y = fn:entry(), fn:var "x", fn:var "y"
    for i = 1, 4 do pcall(function() entry:read(fn:var("z" .. i)) end) end
    fails = false
    return function()
      setmetatable({}, { __gc = function() pcall(function() entry:%s end) end })
      entry:let(x, "add", y, 1)
    end, function()
      assert(fn:verify())
      if not entry:is_filled() then entry:unreachable() end
      fn:finish()
    end]]
  for _, deed in ipairs { "unreachable()", "read(y)", "let(x, 'add', x, y)" } do
    at_each(source:format(deed), STEP)
  end
end)

-- What a call emits goes as a whole where the function was when it began, or it is refused.
describe("finalizers that move the current block misplace nothing: it is", function()
  local SOURCE <const> = [[
    local phial = require "phial.core"
    local D = phial.dialect("d", { op = { args = "*", result = "i64", results = 2 } })
    local fn = phial.fn("f", { "n:i64" }, "i64", {
      rules = false, accesses = true, dialects = { D },
    })
    local from, to, n, x = fn:entry(), fn:block "to", fn:arg(1), fn:param(1)
    local y, z = fn:var "y", fn:var "z"
    local many, now, moved = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, 0, nil
    local steps = {
      function() return fn:add(n, x) end,
      function() return fn:emit(D.op, table.unpack(many)) end,
      function() return fn:call("g", "i64", table.unpack(many)) end,
      function() return fn:write(x, n, y, x, z, 5) end,
      function() fn:let(y, "call", "g", z, table.unpack(many)) end,
      function() fn:let(y, z, "d.op", x, n) end,
      function() return fn:set_node({}):write(x, y) end,
      function() fn:read(x, y, z, x, y) end,
      function() return fn:may_write({ x, y, z, x, y, z, x, y, z }, 3) end,
      function() return n + 1, x * 2 end,
      function() return n:sub(x) end,
      function() fn:kill(y) end,
    }
    local made, failed = {}, {}
    return function()
      fn:set_current(from)
      setmetatable({}, { __gc = function()
        if moved then return end
        moved = now
        %s
      end })
      for i, step in ipairs(steps) do
        now = i
        made[i] = table.pack(pcall(step))
      end
    end, function()
      for i, results in ipairs(made) do
        if not results[1] then
          assert(i >= (moved or math.huge), results[2])
          assert(%s, results[2])
        end
        for k = 2, results[1] and results.n or 1 do
          local at = results[k]:block()
          local expected = i < (moved or math.huge) and from or to
          assert(at == expected or i == moved and at == results[2]:block(), "misplaced by " .. i)
        end
      end
      assert(fn:verify())
      for _, block in ipairs { from, to } do if not block:is_filled() then block:ret(n) end end
      assert(fn:finish())
    end]]
  for what, deed in pairs {
    ["set to another"] = { "fn:set_current(to)", "false" },
    ["filled"] = { "from:ret(n)", 'results[2]:find("already ends with", 1, true)' },
    ["filled, and set to another"] = { "from:ret(n) fn:set_current(to)",
      'i == moved and results[2]:find("already ends with", 1, true)' },
    ["set to none"] = { "fn:set_current(nil)",
      'results[2]:find("has no current block", 1, true)' },
  } do
    it(what, function() at_each(SOURCE:format(deed[1], deed[2]), STEP) end)
  end
end)

it("an instruction may lose operands while its event is made", function()
  at_each [[
    local phial = require "phial.core"
    local fn = phial.fn("f", { "n:i64" }, nil, { rules = false, log = function() end })
    local entry, one, rest = fn:entry(), fn:block "one", fn:block "rest"
    for _, b in ipairs { one, rest } do b:ret() end
    return function()
      setmetatable({}, { __gc = function()
        fn:finish()
        entry:remove_edge(one)
      end })
      entry:switch(fn:arg(1), rest, { [1] = one })
    end, function() end]]
end)

it("a phi may lose operands while they are listed", function()
  at_each [[
    local phial = require "phial.core"
    local fn = phial.parse("fn f(%p: i1) -> i1 {\na:\n  branch %p, b, c\nb: <- a\n  jump c\n" ..
      "c: <- a, b\n  %1: i1 = phi [a: true, b: %p]\n  ret %1\n}")
    local a, phi = fn:find "a", fn:find "c":phis()[1]:id()
    return function()
      setmetatable({}, { __gc = function() a:remove_edge(fn:find "b") fn:clean() end })
      phial.instruction(fn, phi)
    end, function(good, why) assert(good or why:find "was changed", why) end]]
end)

it("what is being written is not used in another thread, or after it is closed", function()
  for _, deed in ipairs { "coroutine.wrap(pcall)(w.take, w, 'x')", "fn:close()" } do
    at_each(([[
      local phial = require "phial.core"
      local D = phial.dialect("d", { op = { args = 1, result = "i64", c = "f($a)" } })
      local language = phial.language { words = {}, types = { i64 = { D = "long " } }, forms = {},
        rows = { sdiv = "trap $b == 0: by zero\n$a / $b", ret = "do return $a" }, column = "c" }
      local fn, w, text = phial.fn("f", { "n:i64" }, "i64", { dialects = { D } })
      local entry = fn:entry()
      entry:ret(entry:sdiv(entry:emit(D.op, fn:arg(1)), fn:arg(1)))
      fn:finish()
      return function()
        w = phial.writing(language, fn, { texts = {}, flags = { traps = true }, needed = {},
          spell = function(_, name) return name, name end })
        setmetatable({}, { __gc = function() %s end })
        text = w:body()
      end, function(good, why)
        assert(why or text:find('by zero"\n  return (v2 / n)', 1, true), text)
        assert(good or why:find("changed while", 1, true) or why:find("is closed", 1, true), why)
      end]]):format(deed))
  end
end)

-- Finalizers run when phial needs memory and there is none left.
it("a function that waits for memory says so to finalizers", function()
  local source = [[
    local phial = require "phial.core"
    local fn = phial.fn("f", { "n:i64" }, nil, { rules = false })
    local entry, n, why = fn:entry(), fn:arg(1), nil
    return function()
      setmetatable({}, { __gc = function() why = select(2, pcall(fn.var, fn, "x")) end })
      for i = 1, 100 do entry:add(n, n) end
    end, function() if type(why) == "string" then error(why, 0) end end]]
  local why, count = state.run(source, nil, math.maxinteger, math.maxinteger)
  assert.is_nil(why)
  local told = {}
  for k = 1, count do told[state.run(source, nil, k, k) or ""] = true end
  local message = "calling 'var': function 'f' cannot be used now: it waits for memory, which " ..
    "finalizers may free"
  assert.is_true(told['[string "    local phial = require "phial.core"..."]:5: ' .. message],
    next(told))
end)

it("a function may be closed while a message about it is composed", function()
  local source = [[
    local phial = require "phial.core"
    local fn = phial.fn("f", { "n:i64" }, nil, { rules = false })
    local entry, n, why = fn:set_loc(1, 2, "file"):entry(), fn:arg(1), nil
    return function()
      setmetatable({}, { __gc = function() fn:close() end })
      why = select(2, pcall(entry.read, entry, n))
    end, function() error(why, 0) end]]
  local _, count = state.run(source, "incremental", math.maxinteger, math.maxinteger)
  local told = {}
  for k = 1, count do told[(state.run(source, "incremental", k, k):gsub("^.*%d: ", ""))] = true end
  assert.is_true(told["calling 'read': function 'f' is closed"], next(told))
end)
