-- Out of memory, and finalizers, at each allocation in turn: scripts in Lua states
-- of their own (spec/support/state.c). Nothing crashes or leaks; a function stays
-- well-formed, or says why it cannot be used.
local state = require "spec.support.state"
local under = require "spec.support.under"

-- What all scripts share. `made` keeps a function to be checked afterwards.
-- They use the C module only: loading the Lua files takes most of the time of a
-- state.
local SHARED = [[
local phial = require "phial.core"
local all = {}
local function made(fn)
  all[#all + 1] = fn
  return fn
end

local D = phial.dialect("d", {
  op = { args = 2, result = "any", pure = true },
  split = { args = "*", result = "any", results = 3 },
})

-- Loops that contain a condition, sealed early and late by turns.
local function sum(opts)
  local fn = made(phial.fn("sum", { "n:i64" }, "i64", opts))
  local n, i, s = fn:param(1), fn:var "i", fn:var "s"
  local block = fn:entry()
  block:write(i, 0)
  if not opts.undef then block:write(s, 0) end
  for k = 1, 2 do
    local head, body, odd = fn:block "head", fn:block "body", fn:block()
    local join, done = fn:block("join", 2), fn:block "done"
    block:jump(head)
    head:branch(head:slt(head:read(i, n)), body, done)
    if k == 1 then body:seal() done:seal() end
    body:branch(body:eq(body:read(i), k), odd, join)
    odd:seal()
    odd:write(s, odd:add(odd:read(s), 1))
    odd:jump(join)
    local a, b, c = join:read(i, s, n)
    join:write(i, join:add(a, k))
    join:write(s, join:sub(b, c))
    join:jump(head)
    if k == 2 then body:seal() done:seal() end
    head:seal()
    block = done
  end
  block:ret(block:read(s))
  return fn
end

local function check_verified(fn)
  local good, problems = fn:verify()
  assert(good, problems and table.concat(problems, "\n"))
end

local function check_finished(fn)
  assert(fn:is_minimal())
  local text = fn:text()
  assert(text == assert(phial.parse(text, { dialects = { D } })):text())
end

local function go_on(fn)
  check_verified(fn)
  for block in fn:blocks() do
    if not block:is_filled() and fn:result() then block:ret(fn:undef(fn:result())) end
    if not block:is_filled() then block:ret() end
  end
  if not fn:is_finished() then fn:finish() end
  check_verified(fn)
  check_finished(fn)
end

local function check()
  for _, fn in ipairs(all) do
    local usable, why = pcall(fn.name, fn)
    if usable then
      go_on(fn)
    else
      assert(why:find "out of memory while" or why:find "is closed", why)
      assert(not pcall(fn.block, fn) and not pcall(fn.finish, fn))
      tostring(fn)
      fn:close()
    end
  end
end
]]

local SCRIPTS = {
  ["building and asking"] = [[
    local fn = sum { rules = false, where = "all" }
    fn:finish()
    for v in fn:values() do v:users() end
    assert(fn:stats() and fn:undefined_reads() and fn:text { ids = "dense" })]],
  ["the standard rules"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = phial.rules "int" }))
    fn:entry():ret(fn:entry():add(fn:arg(1), 0))]],
  ["copies"] = [[sum({ copies = true, construction = "simple" }):finish():clean { dead = true }]],
  ["accesses"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = false, accesses = true }))
    local entry, head, n, x = fn:entry(), fn:block "head", fn:param(1), fn:var "x"
    entry:write_as({}, x, n)
    local many = {}
    for i = 1, 20 do many[i] = x end
    entry:may_write_as({}, many, 1)
    entry:may_write_as({}, fn:group { x }, 2)
    entry:jump(head)
    head:write_as({ fn }, x, head:add(head:read_as(print, x), n))
    head:branch(head:slt(x, n), head, head)
    head:seal()
    fn:finish()
    for _, it in ipairs(fn:write_accesses()) do
      assert(#it:reads() > 0 and it:value():uses_through_phis() and (it:node() or it:var() == n))
    end
    assert(#fn:defs_and_uses(fn:read_accesses()) == 5)
    for _, it in ipairs(fn:read_accesses()) do assert(#it:writes() > 0 and it:block()) end]],
  ["solving"] = [[
    local fn, other = sum({ rules = false }):finish(), nil
    for v in fn:values() do other = v:type() and v or other end
    for _, direction in ipairs { "forward", "backward" } do
      local r = fn:solve { bottom = "", join = math.max, direction = direction, edge = function(b)
        return b:preds()
      end, equal = function(a, b) return a == b end, transfer = { default = function(v, fact)
        local x = tonumber(fact(other)) or #v:users()
        return math.min(9, x + 1), x
      end } }
      assert(r:is_taken(fn:entry()) and r:fact(other))
    end]],
  ["rules"] = [[assert(sum({ rules = warm }):finish():stats().rules)]],
  ["an undef function"] = [[sum({ rules = warm, undef = function() return 7 end }):finish()]],
  ["short forms"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = warm, copies = #all % 2 == 0 }))
    local block, n, list = fn:entry(), fn:arg(1), {}
    local x, y, z = fn:var("x", "any"), fn:var("y", "any"), fn:var("z", "any")
    for i = 1, 10 do list[2 * i - 1], list[2 * i] = fn:var("v" .. i), i end
    local v, w = list[1], list[3]
    block:write(table.unpack(list))
    block:write(v, w, w, v)
    block:let(v, "add", v, w)
    block:let(w, "call", "f", v, n, 1)
    block:let(x, y, z, D.split, v, w, list[5], list[7], list[9], list[11], 1, 2, 3, { data = {} })
    block:let(x, "d.op", y, z)
    fn:set_current(block)
    block:ret(v + w * n)]],
  ["a log function"] = [[
    local told = 0
    local function log(e) told = told + #e.event + (e.value and #e.value:op() or 0) end
    sum({ rules = false, log = log }):finish()]],
  ["functions behind $name"] = [[
    local function twice(b, x) return b:shl(x, b:sub(2, 1)) end
    local R = phial.rules("r: x + x => $twice(x)\ns: x + y => y + x if $no(x, y) @ unoriented",
      { twice = twice, no = function(x, y) return x == y end })
    local fn = made(phial.fn("f", { "n:i64", "m:i64" }, "i64", { rules = R }))
    local n, m = fn:arg(1), fn:arg(2)
    local block = fn:entry()
    block:ret(block:add(block:add(n, m), block:add(n, n)))
    fn:finish()
    assert(fn:stats().rules.r == 1)
    R:explain(fn, "add", n, n)]],
  ["many handles"] = [[
    local kept = {}
    for k = 1, 3 do
      local fn = made(phial.fn("f", { "n:i64" }, nil, { rules = false }))
      for i = 1, 70 do kept[i] = fn:const(i) end
      for i = 1, 70 do assert(rawequal(kept[i], fn:const(i))) end
      if k == 2 then fn:close() end
    end]],
  ["data of blocks and variables"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, nil, { rules = false }))
    fn:entry():set_data { fn }
    fn:param(1):set_data { fn:entry() }
    local data = fn:entry():data()
    assert(data == nil or data[1] == fn)
    fn:block():set_data(nil)]],
  ["errors that are caught"] = [[
    local fn = made(phial.fn("f", { "n:i64", "m:any" }, nil, { rules = false }))
    local block, n, m = fn:entry(), fn:arg(1), fn:arg(2)
    local function try(method, at, ...) return select(2, pcall(at[method], at, ...)) end
    for i = 1, 6 do
      local x = try("var", fn, "x" .. i)
      try("write", block, x, try("add", block, n, i))
      try("read", block, x, x)
      try("emit", block, D.op, m, m)
      try("emit", block, D.split, m, "s", { data = {} })
      try("set_loc", fn, i, i, "file" .. i)
      try("text", fn)
      try("stats", fn)
      if i % 3 == 0 then collectgarbage() end
    end]],
  -- Each takes memory of Lua between looking at the function and using it.
  ["long lists, options and mistakes"] = [[
    local R = phial.rules()
    local fn = made(phial.fn("f", { "n:i64" }, nil, { rules = false, dialects = { D } }))
    fn:set_loc(1, 2, "file")
    local block, a, b, n, x = fn:entry(), fn:block(), fn:block(), fn:arg(1), fn:var "x"
    local many, vars = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { x, x, x, x, x, x, x, x, x }
    local function try(method, at, ...) pcall(at[method], at, ...) end
    try("emit", block, "d.split", table.unpack(many))
    try("emit", block, "d.op", n, n, { results = 2 })
    try("emit", block, "d.spilt", n)
    try("results", n)
    try("log", fn, function() end)
    try("explain", R, fn, "branch", true, a, b)
    try("branch", block, true, a, b, { refine = "x" })
    try("switch", block, n, a, { b }, { refine = { n, table.unpack(vars) } })
    local params = { "a", "b", "c", "d", "e", "f", "g", "h", "i" }
    local g = made(phial.fn("g", params, nil, { rules = false }))
    try("call", block, g, nil, table.unpack(many))]],
  ["edits"] = [[
    local fn = sum { rules = false }
    fn:finish()
    local blocks, adds = {}, {}
    for v in fn:values() do if v:op() == "add" then adds[#adds + 1] = v end end
    for block in fn:blocks() do blocks[#blocks + 1] = block end
    local v = adds[1]:before():add(fn:arg(1), 7)
    adds[1]:set_arg(1, v)
    adds[2]:replace(fn:arg(1))
    adds[2]:erase()
    for _, block in ipairs(blocks) do
      local to = block:succs()[1]
      if to then block:split_edge(to) end
    end
    local r = fn:repair(adds[1], v)
    for i, block in ipairs(blocks) do r:define(block, i) end
    r:rewrite()
    fn:reopen():finish()]],
}

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

local FINALIZER = [[
local kept, over, asked = {}, false, nil
local function deed(fn) %s end
local function trap()
  setmetatable({}, { __gc = function()
    if over then return end
    if #all > 0 then pcall(deed, all[#all]) end
    trap()
  end })
end
trap()
local function check_kept()
  over = true
  if not asked or not pcall(asked.name, asked) then return end
  for i = 1, 40 do assert(rawequal(kept[i], asked:const(i)), "another handle") end
end
]]

-- The global `undisturbed` is set where nothing is in the way of the work.
local function script(work, deed)
  local warm = work:find "warm" and 'local warm = require("phial.core").rules "int"\n' or ""
  return warm .. SHARED .. (deed and FINALIZER:format(deed) or "") ..
    "return function() " .. work .. " end, function(...) if undisturbed then assert(...) end " ..
    (deed and "check_kept() " or "") .. "check(...) end"
end

-- Sanitizers are slow.
local RUNS = tonumber(os.getenv "RUNS") or (under.slow or not os.getenv "LONG") and 10 or 30

-- Runs a script with failures at up to `most` of its allocations, drawn at random.
local function at_some(source, collects, width, most)
  local why, count = state.run("undisturbed = true " .. source, collects, math.maxinteger,
    math.maxinteger)
  assert(not why, why)
  local step = (count + most - 1) // most
  for k = math.random(step), count, step do
    why = state.run(source, collects, k, k + width - 1)
    assert(not why, ("at allocation %d of %d: %s"):format(k, count, why or ""))
  end
end

local sorted = {}
for name in pairs(SCRIPTS) do sorted[#sorted + 1] = name end
table.sort(sorted)

-- Lua retries a failed allocation after a collection, as does phial: two fail.
describe("when memory runs out:", function()
  for _, name in ipairs(sorted) do
    it(name, function()
      at_some(script(SCRIPTS[name]), false, 2, 3 * RUNS)
      at_some(script(SCRIPTS[name]), false, math.maxinteger // 2, RUNS)
    end)
  end
end)

for what, deed in pairs(DEEDS) do
  describe("when a finalizer " .. what .. ":", function()
    for _, name in ipairs(sorted) do
      it(name, function() at_some(script(SCRIPTS[name], deed), true, 1, RUNS) end)
    end
  end)
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
    local work = source:format(deed)
    local why, count = state.run(work, true, math.maxinteger, math.maxinteger)
    assert.is_nil(why)
    for k = 1, count do assert.is_nil((state.run(work, true, k, k))) end
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
      function() return fn:write_as({}, x, y) end,
      function() fn:read_as({}, x) end,
      function() fn:read(x, y, z, x, y) end,
      function() return fn:may_write_as({}, { x, y, z, x, y, z, x, y, z }, 3) end,
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
    it(what, function()
      local source = SOURCE:format(deed[1], deed[2])
      local why, count = state.run(source, true, math.maxinteger, math.maxinteger)
      assert.is_nil(why)
      for k = 1, count do assert.is_nil((state.run(source, true, k, k))) end
    end)
  end
end)

it("an instruction may lose operands while its event is made", function()
  local source = [[
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
  local why, count = state.run(source, true, math.maxinteger, math.maxinteger)
  assert.is_nil(why)
  for k = 1, count do assert.is_nil((state.run(source, true, k, k))) end
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
  local why, count = state.run(source, false, math.maxinteger, math.maxinteger)
  assert.is_nil(why)
  local told = {}
  for k = 1, count do told[state.run(source, false, k, k) or ""] = true end
  local message = "calling 'var': function 'f' cannot be used now: it waits for memory, which " ..
    "finalizers may free"
  assert.is_true(told['[string "    local phial = require "phial.core"..."]:5: ' .. message],
    next(told))
end)
