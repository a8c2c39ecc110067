-- Handles: one per entity while it is alive, weak, equal by identity; only the
-- function owns memory.
local assert = require "spec.support.assert"
local phial = require "phial"
local refused = require "spec.support.refused"
local under = require "spec.support.under"
local variants = require "spec.support.variants"

-- A loop whose phi of x turns out to be trivial when the header is sealed.
local function trivial_phi()
  local fn = phial.fn("f", { "n:i64" }, "i64")
  local n, head = fn:arg(1), fn:block "head"
  local x = fn:param(1)
  fn:entry():jump(head)
  local v = head:read(x)
  assert.equal("phi", v:op())
  return fn, head, v, n
end

local function collect()
  collectgarbage()
  collectgarbage()
end

describe("a handle", function()
  it("is the same one whenever it is asked for", function()
    local fn = phial.fn("f", { "n:i64", "m:i64" })
    local n, m = table.unpack(fn:params())
    assert.is_true(rawequal(fn:entry(), fn:entry()))
    assert.is_true(rawequal(n, fn:param(1)) and rawequal(m, fn:param(2)))
    assert.is_true(rawequal(fn:arg(1), fn:entry():read(n)))
    assert.is_true(rawequal(fn:const(1), fn:const(1)))
    local v = fn:entry():add(fn:arg(1), 1)
    assert.is_true(rawequal(v, fn:entry():insts()[1]))
    assert.is_true(rawequal(fn:const(1), v:args()[2]))
    assert.is_true(rawequal(fn:entry(), v:block()))
    local of = { [fn:entry()] = "entry", [v] = "v" }
    assert.equal("v", of[fn:entry():insts()[1]])
  end)

  it("is weak: nothing keeps it but the user", function()
    local fn = phial.fn("f", { "n:i64" })
    local gone = setmetatable({}, { __mode = "k" })
    gone[fn:entry()] = true
    gone[fn:entry():add(fn:arg(1), 2)] = true
    gone[fn:var "x"] = true
    collect()
    assert.is_nil(next(gone))
    assert.equal("add", fn:entry():insts()[1]:op())
  end)

  it("stays the same while thousands come and go", function()
    local fn = phial.fn("f", { "n:i64" })
    local entry, kept = fn:entry(), {}
    for i = 1, under.valgrind and 2000 or 9000 do
      local v = entry:add(fn:arg(1), i)
      if i % 100 == 0 then kept[i] = v end
      if i % 1000 == 0 then collect() end
    end
    for i, v in ipairs(entry:insts()) do
      assert.is_true(not kept[i] or rawequal(v, kept[i]))
    end
    local again = entry:insts()
    for i, v in ipairs(entry:insts()) do assert.is_true(rawequal(v, again[i])) end
    assert.is_true(rawequal(again[7]:args()[2], fn:const(7)))
  end)

  it("of a large function takes nothing when that is closed", function()
    local function large(n)
      local fn, kept = phial.fn("f", { "n:i64" }, nil, { where = false }), {}
      for i = 1, n do kept[i] = fn:const(i) end
      assert.equal(n, (kept[n]:const()))
      fn:close()
    end
    large(5000)
    collect()
    local before = collectgarbage "count"
    large(under.valgrind and 10000 or 100000)
    collect()
    assert.is_true(collectgarbage "count" - before < 100)
  end)

  it("never comes from a function that is closed", function()
    local old = {}
    for round = 1, 50 do
      local fn = phial.fn("f", { "n:i64" })
      local handles = { fn:entry(), fn:arg(1), fn:param(1), fn:entry():add(fn:arg(1), round) }
      for _, handle in ipairs(handles) do
        assert.is_nil(old[handle])
        old[handle] = true
      end
      assert.is_true(rawequal(handles[4], fn:entry():insts()[1]))
      fn:close()
    end
  end)

  it("keeps its function alive", function()
    local v
    do
      local fn = phial.fn("f", { "n:i64" })
      v = fn:entry():add(fn:arg(1), 2)
    end
    collect()
    assert.equal("add", v:op())
    assert.equal("%n", tostring(v:args()[1]))
  end)

  it("of a removed phi stands for what replaced it", function()
    local fn, head, v, n = trivial_phi()
    local id = v:id()
    assert.is_false(v == n)
    head:jump(head)
    head:seal()
    assert.is_true(v == n)
    assert.is_false(rawequal(v, n))
    assert.is_true(rawequal(v:now(), n))
    assert.equal("param", v:op())
    assert.equal("%n", tostring(v))
    assert.is_true(v:id() ~= id)
    assert.equal(fn:arg(1), v)
    local w = fn:block "other":add(v, v)
    assert.is_true(rawequal(n, w:args()[1]))
  end)

  it("of another kind or function is never equal", function()
    local f, g = phial.fn("f", { "n:i64" }), phial.fn("g", { "n:i64" })
    assert.is_false(f:arg(1) == g:arg(1))
    assert.is_false(f:arg(1) == f:entry())
    assert.is_false(f:entry() == f:param(1))
    assert.is_false(f == g)
  end)

  it("is short to read", function()
    local fn = phial.fn("f", { "n:i64" })
    local b = fn:block()
    assert.equal("b2", tostring(b))
    assert.equal("entry", tostring(fn:entry()))
    assert.equal("x y", tostring(fn:var "x y"))
    assert.equal("%n", tostring(fn:arg(1)))
    assert.equal("300:i16", tostring(fn:const(300, "i16")))
    assert.equal("fn f(%n: i64) {", tostring(fn):match "^[^\n]*")
  end)
end)

describe("values", function()
  it("have names, data and places", function()
    local fn = phial.fn("f", { "n:i64" }, nil, { rules = false })
    local entry = fn:entry()
    fn:set_loc(3, 4, "a.src")
    local v = entry:add(fn:arg(1), 1)
    fn:set_loc(5)
    local w = entry:sub(v, 1)
    fn:set_loc()
    local u = entry:call("print", "i64", v, w)
    assert.same({ 3, 4, "a.src" }, { v:loc() })
    assert.same({ 5, nil, nil }, { w:loc() })
    assert.is_nil(u:loc())
    assert.is_nil(v:name())
    v:set_name "sum"
    assert.equal("sum", v:name())
    assert.equal("%sum", tostring(v))
    assert.equal("n", fn:arg(1):name())
    assert.equal("print", u:data())
    local data = { 1, 2 }
    for _, d in ipairs { data, 12, 1.5, true, "str", print, {} } do
      v:set_data(d)
      assert.equal(d, v:data())
    end
    v:set_data(nil)
    assert.is_nil(v:data())
    v:set_data(data)
    collect()
    assert.equal(data, v:data())
    local x = entry:add(v, 1, { data = "x" })
    assert.equal("x", x:data())
  end)

  it("of constants tell what they are", function()
    local fn = phial.fn "f"
    local function both(...) return { ... } end
    assert.same({ 1, "i64" }, both(fn:const(1):const()))
    assert.same({ -56, "i8" }, both(fn:const(200, "i8"):const()))
    assert.same({ true, "i1" }, both(fn:const(true):const()))
    assert.same({ true, "i1" }, both(fn:const(1, "i1"):const()))
    assert.same({ 1.5, "f64" }, both(fn:const(1.5):const()))
    assert.same({ 3.0, "f32" }, both(fn:const(3, "f32"):const()))
    assert.same({ "s", "any" }, both(fn:const("s"):const()))
    assert.same({ 7, "any" }, both(fn:const(7, "any"):const()))
    assert.same({ nil, "any" }, both(fn:const(nil, "any"):const()))
    assert.same({ nil }, both(fn:undef("i64"):const()))
    assert.equal("undef", fn:undef("i64"):op())
    assert.equal(math.mininteger, (fn:const(math.mininteger):const()))
  end)

  it("know their users, each once", function()
    local fn = phial.fn("f", { "n:i64" }, nil, { rules = false })
    local n, entry = fn:arg(1), fn:entry()
    local v, w = entry:add(n, n), entry:sub(n, 1)
    assert.equal(3, n:use_count())
    local users = n:users()
    assert.equal(2, #users)
    assert.same({ [v] = true, [w] = true }, { [users[1]] = true, [users[2]] = true })
    assert.same({}, w:users())
  end)

  it("are emitted by operators", function()
    local fn = phial.fn("f", { "n:i64", "x:f64" })
    local n, x = fn:arg(1), fn:arg(2)
    fn:set_current(fn:entry())
    for op, v in pairs {
      add = n + 1, sub = 1 - n, mul = n * n, neg = -n,
      band = n & 7, bor = 7 | n, bxor = n ~ 1, bnot = ~n, shl = n << 2, shr = n >> 2,
      fadd = x + 1, fsub = 1.5 - x, fmul = x * x, fdiv = 1 / x, fneg = -x,
      slt = n:slt(3), select = n:eq(1):select(n, 2), trunc = n:trunc "i8", sdiv = n:sdiv(2),
    } do
      assert.equal(op, v:op())
    end
    local minus = (1 - n):args()
    assert.equal(1, (minus[1]:const()))
    assert.equal(n, minus[2])
  end)
end)

describe("fn:var", function()
  it("needs no name", function()
    local fn = phial.fn("f", { "c:i1" }, "f64", { rules = false, log = true })
    local record = phial.record(fn)
    local entry, a, join = fn:entry(), fn:block("a", 1), fn:block("join", 2)
    local one, two = fn:var(), fn:var(nil, "f64")
    assert.same({ "v2", "", "i64", "v3", "", "f64" },
      { tostring(one), one:name(), one:type(), tostring(two), two:name(), two:type() })
    entry:write(one, 1, two, 1.5)
    entry:branch(fn:arg(1), a, join)
    a:write(one, 2, two, 2.5)
    a:jump(join)
    join:call("g", nil, one)
    join:ret(two)
    local text = tostring(fn:finish())
    assert.equal(text, tostring(phial.parse(text)))
    assert.equal(text, tostring(phial.replay(record:text())))
    assert.truthy(phial.emit.json(fn, { variable = "v2" }):find('"name":"v2"', 1, true))
    assert.truthy(phial.emit.dot(fn):find("phi v2", 1, true))
  end)
end)

describe("fn:find", function()
  local function loop()
    local fn = phial.fn("f", { "n:i64" }, "i64")
    local entry, head, done = fn:entry(), fn:block "head", fn:block()
    local i = fn:var "i"
    entry:write(i, 0)
    entry:jump(head)
    head:write(i, head:add(head:read(i), 1))
    head:branch(head:slt(head:read(i), fn:arg(1)), head, done)
    done:ret(done:read(i))
    return fn:finish()
  end

  it("gives each value and block by what tostring gives", function()
    local fn = loop()
    for block in fn:blocks() do assert.equal(block, fn:find(tostring(block))) end
    for value in fn:values() do assert.equal(value, fn:find(tostring(value))) end
    assert.equal(fn:arg(1), fn:find "%n")
    assert.equal("phi", fn:find("head"):phis()[1]:op())
  end)

  it("knows names that two things have, and names in quotes", function()
    local fn = loop()
    local sum = fn:find("head"):insts()[1]
    sum:set_name "n"
    assert.is_nil(fn:find "%n")
    assert.equal(sum, fn:find("%n." .. sum:id()))
    sum:set_name "a b"
    assert.equal(sum, fn:find '%"a b"')
  end)

  it("gives nil where there is nothing of that name", function()
    local fn = loop()
    for _, name in ipairs { "", "%", "n", "%m", "%99999", "tail", "1", "%0", "b0", "b99999",
      "b18446744073709551616", " head", "head ", '"head"', "%n.1", '%"', "head\0", "%n.99999999999",
      '%"n"', "entry.1", "b1", "head.x", "-- head", "\n" } do
      assert.is_nil(fn:find(name), name)
    end
    local gone = fn:find("head"):insts()[1]
    local name = tostring(gone)
    assert.equal(gone, fn:find(name))
    gone:replace(fn:arg(1))
    fn:clean { dead = true }
    assert.is_nil(fn:find(name))
  end)

  it("finds what is written like an id, or has any name", function()
    local fn = phial.fn("f", { "x" }, nil, { rules = false })
    local entry = fn:entry()
    for _, name in ipairs { "b3", "b", "b0", "a.3", "a b", "\0\n", "n", "n", "entry", "é" } do
      local block, v = fn:block(name), entry:add(fn:arg(1), 1):set_name(name)
      assert.equal(block, fn:find(tostring(block)))
      assert.equal(v, fn:find(tostring(v)))
    end
  end)
end)

describe("iterators", function()
  it("go over blocks and values in order", function()
    local fn = phial.fn("f", { "c:i1" }, "i64")
    local x = fn:var "x"
    local a, empty, b = fn:block "a", fn:block "empty", fn:block "b"
    fn:entry():write(x, 1)
    fn:entry():branch(fn:arg(1), a, b)
    a:write(x, a:add(a:read(x), 1))
    a:jump(b)
    b:seal()
    b:ret(b:read(x))
    local blocks, ops = {}, {}
    for block in fn:blocks() do blocks[#blocks + 1] = tostring(block) end
    for v in fn:values() do ops[#ops + 1] = v:op() end
    assert.equal("entry a empty b", table.concat(blocks, " "))
    assert.equal("branch phi add jump phi ret", table.concat(ops, " "))
    empty:unreachable()
  end)

  it("notice that the value went away", function()
    local fn, head = trivial_phi()
    head:jump(head)
    local ok, err = pcall(function()
      for _ in fn:values() do head:seal() end
    end)
    assert.is_false(ok)
    assert.truthy(err:find("already sealed", 1, true) or err:find("went away", 1, true), err)
  end)

  it("notice that the value was erased", function()
    local fn = phial.fn("f", { "n" })
    fn:entry():add(fn:arg(1), 1)
    fn:entry():ret()
    fn:finish()
    refused(nil, "'%3' went away during the traversal of fn:values()",
      function() for v in fn:values() do v:erase() end end)
    refused(fn, "bad argument #1 to 'values' (phial.Value expected, got a string)",
      function() fn:values()(fn, "x") end)
  end)
end)

describe("a function", function()
  it("is closed by a to-be-closed variable, and once is enough", function()
    local kept
    do
      local fn <close> = phial.fn "f"
      kept = fn
      assert.equal("entry", fn:entry():name())
    end
    assert.equal("phial.Function (closed)", tostring(kept))
    getmetatable(kept).__gc(kept)
    getmetatable(kept).__close(kept)
    kept:close()
    assert.is_false(pcall(kept.text, kept))
  end)

  it("survives a call of __gc", function()
    local fn = phial.fn("f", { "n:i64" })
    local v = fn:arg(1)
    getmetatable(fn).__gc(fn)
    assert.is_false(pcall(v.op, v))
    assert.is_false(pcall(getmetatable(fn).__gc, v))
    assert.is_false(pcall(getmetatable(fn).__gc))
    assert.is_false(pcall(getmetatable(fn).__gc, io.stdout))
  end)

  it("may be closed by a finalizer at any time", function()
    local fn, live
    local function trap()
      setmetatable({}, { __gc = function()
        if fn then pcall(fn.close, fn) end
      end })
    end
    collectgarbage "generational"
    for _ = 1, (under.valgrind or under.brief) and 20 or 200 do
      local D = phial.dialect("d", { op = { args = 2, result = "i64", results = 2 } })
      fn, live = phial.fn("f", { "n:i64" }, "i64"), true
      local block, x, steps = fn:entry(), fn:param(1), 0
      trap()
      while live do
        steps = steps + 1 -- where much else lives, the collector waits for long
        if steps % 50 == 0 then collectgarbage "step" end
        live = pcall(function()
          block:write(x, block:add(block:read(x), 1))
          block:emit(D.op, block:read(x), 1, { data = {} })
          local next_block = fn:block "b"
          block:switch(block:read(x), next_block, { [1] = next_block })
          next_block:seal()
          block = next_block
          assert(fn:text() and fn:rpo() and fn:undefined_reads() and x:name())
        end)
      end
      fn = nil
    end
    collectgarbage "incremental"
  end)

  it("tells the collector of its size", function()
    collect()
    local most, before, name = 0, collectgarbage "count", ("x"):rep(100000)
    for _ = 1, under.valgrind and 60 or under.brief and 120 or 300 do
      local fn = phial.fn "f"
      for i = 1, 10 do fn:var(name .. i) end
      most = math.max(most, collectgarbage "count")
    end
    collect() -- what Lua counts are strings; the functions are ten times that
    -- The collector waits until memory has doubled.
    assert.truthy(most - before < math.max(50000, 1.5 * before), most)
    local freed = setmetatable({}, { __mode = "k" })
    collectgarbage "stop"
    freed[phial.fn "f"] = true
    collectgarbage "restart"
    local fn = phial.fn "f"
    for i = 1, 1000 do
      fn:var(name .. i)
      if not next(freed) then break end
    end
    assert.is_nil(next(freed))
  end)

  it("answers for the frontend", function()
    local fn = phial.fn("f", { "n", "m:i8" }, "i1", { type = "i16" })
    assert.equal("f", fn:name())
    assert.equal("i1", fn:result())
    assert.equal("i16", fn:arg(1):type())
    assert.equal("i8", fn:param(2):type())
    assert.equal("i16", fn:var("v"):type())
    assert.is_nil(phial.fn("g"):result())
    assert.is_nil(fn:current())
    assert.same({}, phial.fn("g"):params())
  end)

  it("parsed from text has variables for its parameters", function()
    local fn = assert(phial.parse "fn f(%a: i64, %b: i1) -> i64 {\nentry:\n  ret %a\n}\n")
    local a, b = table.unpack(fn:params())
    assert.equal("a", a:name())
    assert.equal("i1", b:type())
    fn:reopen()
    assert.equal("i8", fn:var("v", "i8"):type())
    assert.is_true(fn:verify())
  end)
end)

describe("dialects", function()
  it("give names to ops, that functions share", function()
    local weak = setmetatable({}, { __mode = "v" })
    local fn = phial.fn "f"
    do
      local D = phial.dialect("d", {
        mk = { result = "t" },
        use = { args = { "t" }, eval = print, llvm = error, c = type },
      }, { "t" })
      weak.d = D
      assert.equal("d", tostring(D))
      assert.equal("d.use", tostring(D.use))
      assert.equal("d.use", D.use:name())
      assert.equal("d", D.use:dialect())
      assert.equal(print, D.use:eval())
      assert.equal(error, D.use:llvm())
      assert.equal(type, D.use:c())
      assert.same({}, { D.mk:eval(), D.mk:llvm(), D.mk:c() })
      assert.is_nil(D.nothing)
      local v = fn:entry():emit(D.mk)
      fn:entry():emit(D.use, v, { data = { 1 } })
      assert.equal("d.t", v:type())
      fn:var("x", "d.t")
      fn:entry():ret()
    end
    collect()
    assert.truthy(weak.d)
    fn:finish()
    assert.equal("d.mk", fn:entry():insts()[1]:op())
    local again = assert(phial.parse(fn:text(), { dialects = { weak.d } }))
    assert.equal(fn:text(), again:text())
    assert.is_nil(again:entry():insts()[2]:data())
  end)

  it("end blocks", function()
    local D = phial.dialect("d", { br = { args = 1, terminator = true, targets = "*" } })
    local fn = phial.fn("f", { "n:i64" })
    local a, b = fn:block "a", fn:block "b"
    fn:entry():emit(D.br, fn:arg(1), { a, b, a, data = "how" })
    assert.same({ a, b, a }, fn:entry():succs())
    assert.equal("how", fn:entry():insts()[1]:data())
    a:ret()
    b:emit("d.br", 3)
    fn:finish()
  end)

  it("end blocks with targets after the operands", function()
    local D = phial.dialect("d", {
      br = { args = 1, terminator = true, targets = 2 },
      sw = { args = "*", terminator = true, targets = "*" },
    })
    local fn = phial.fn("f", { "n:i64" })
    local n, a, b, c = fn:arg(1), fn:block "a", fn:block "b", fn:block "c"
    fn:entry():emit(D.br, n, a, b)
    a:emit("d.br", 3, b, c, { data = "how" })
    b:emit(D.sw, n, 1, c, c, { data = 7 })
    c:emit(D.sw)
    assert.same({ a, b }, fn:entry():succs())
    assert.same({ b, c }, a:succs())
    assert.same({ c, c }, b:succs())
    assert.same({}, c:succs())
    assert.equal("how", a:terminator():data())
    assert.equal(7, b:terminator():data())
    assert.equal(2, #b:terminator():args())
    fn:finish()
  end)
end)

describe("reading several variables", function()
  -- The body of a loop, and n variables written before the loop.
  local function loop(n, opts)
    local fn = phial.fn("f", nil, nil, opts)
    local entry, head, body = fn:entry(), fn:block "head", fn:block "body"
    local vars = {}
    for i = 1, n do
      vars[i] = fn:var("v" .. i)
      if i % 3 > 0 then entry:write(vars[i], i) end
    end
    entry:jump(head)
    head:jump(body)
    return fn, body, vars, head
  end

  it("gives what reading each gives", function()
    for _, construction in ipairs(variants) do
      for _, n in ipairs { 1, 2, 5, 9, 300 } do
        local opts = { rules = false, construction = construction }
        local fn, body, vars, head = loop(n, opts)
        local twin, there, others, above = loop(n, opts)
        local together = { body:read(table.unpack(vars)) }
        assert.equal(n, #together)
        for i, var in ipairs(others) do
          assert.equal(there:read(var):id(), together[i]:id())
          assert.is_true(rawequal(body:read(vars[i]), together[i]))
        end
        body:jump(head)
        there:jump(above)
        assert.equal(tostring(twin:finish()), tostring(fn:finish()))
      end
    end
  end)

  it("takes a variable twice", function()
    local _, body, vars = loop(2)
    local a, b, c = body:read(vars[2], vars[1], vars[2])
    assert.is_true(rawequal(a, c))
    assert.is_false(a == b)
  end)

  it("asks for what is not defined", function()
    local fn = phial.fn("f", nil, nil, { undef = function(var) return #var:name() end })
    local a, b = fn:entry():read(fn:var "x", fn:var "long")
    assert.equal("1 4", ("%s %s"):format((a:const()), (b:const())))
  end)

  it("survives that its function is closed meanwhile", function()
    local pause, step = collectgarbage("setpause", 1), collectgarbage("setstepmul", 1000)
    for n = 1, 40 do
      local fn, body, vars = loop(n)
      setmetatable({}, { __gc = function() fn:close() end })
      pcall(body.read, body, table.unpack(vars))
    end
    collectgarbage("setpause", pause)
    collectgarbage("setstepmul", step)
  end)
end)
