-- Classes of memory: where they are said, what keeps them, and what is refused.
local phial = require "phial"

local array = phial.dialect("array", {
  len = { args = 0, result = "i64", reads = { "len" }, eval = function() return 1 end },
  set = { args = 0, reads = {}, writes = { "items" }, eval = function() end },
  push = { args = 0, writes = { "len", "items" }, eval = function() end },
  look = { args = 0, result = "i64", effect = "write", reads = { "len" }, eval = function() end },
  other = { args = 0, effect = "write", eval = function() end },
  ["end"] = { args = 0, terminator = true },
})

local function start(opts)
  opts = opts or {}
  opts.dialects = { array }
  local fn = phial.fn("f", { "p:ptr", "q:ptr", "x:i64", "c:i1" }, "i64", opts)
  return fn:entry(), fn, fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4)
end

-- "reads; writes"
local function effects(it)
  local function text(set) return set == "all" and set or table.concat(set, " ") end
  local reads, writes = it:classes()
  return text(reads) .. "; " .. text(writes)
end

local heap, none = { "heap" }, {}

describe("v:classes()", function()
  it("tells what the op, the declaration or the instruction says", function()
    local m = phial.module("m", { dialects = { array } })
    m:declare("pure", {}, "i64", { reads = {}, writes = {} })
    m:declare("half", {}, "i64", { reads = heap })
    m:declare("any", {}, "i64")
    local fn = m:fn("f", { "p:ptr" }, "i64")
    local b, p = fn:entry(), fn:arg(1)
    local function last(...) return effects(b:insts()[#b:insts()]), ... end
    local function of(...) return (last(...)) end
    assert.equal("; ", effects(b:ptradd(p, 8)))
    assert.equal("; ", effects(p))
    assert.equal("; ", effects(b:alloca(8)))
    assert.equal("all; ", effects(b:load(p, "i64")))
    assert.equal("; all", of(b:store(p, 1)))
    assert.equal("; all", of(b:memset(p, 1, 1)))
    assert.equal("all; all", of(b:memcpy(p, p, 1)))
    assert.equal("all; all", of(b:store_volatile(p, 1)))
    assert.equal("all; all", of(b:call("any", nil)))
    assert.equal("heap; all", of(b:call("half", nil)))
    assert.equal("; ", of(b:call("pure", nil)))
    assert.equal("heap; ", of(b:call("pure", nil, { reads = heap })))
    assert.equal("len; ", effects(b:emit(array.len)))
    assert.equal("; items", of(b:emit(array.set)))
    assert.equal("all; items len", of(b:emit(array.push)))
    assert.equal("len; all", of(b:emit(array.look)))
    assert.equal("all; all", of(b:emit(array.other)))
    assert.equal("heap; ", effects(b:load(p, "i64", { reads = heap, align = 1 })))
    assert.equal("; a heap", of(b:store(p, 1, { writes = { "heap", "a", "heap" } })))
    assert.equal("all; heap", of(b:memmove(p, p, 1, { writes = heap })))
    assert.equal("all; ", of(b:call(p, "i64", { writes = none })))
    assert.equal("heap; all", of(b:emit(array.push, { reads = heap, writes = "all" })))
    assert.equal("heap; all", effects(m:get "half"))
    assert.equal("all; all", effects(fn))
    b:tail_call "any"
    assert.equal("all; all", effects(b:terminator()))
  end)
end)

describe("reads with classes", function()
  -- Whether two are one, in a block and across blocks.
  local function are_one(read, between)
    local out = {}
    for _, split in ipairs { false, true } do
      local b, fn, p, q = start { rules = phial.rules() }
      local one = read(b, p)
      between(b, p, q)
      if split then
        local next_block = fn:block "next"
        b:jump(next_block)
        next_block:seal()
        b = next_block
      end
      local two = read(b, p)
      b:ret(b:add(one, two))
      fn:finish()
      out[#out + 1] = tostring(one:now() == two:now())
    end
    return table.concat(out, " ")
  end
  it("become one also with as many classes as there can be", function()
    local fn = phial.fn("f", { "p:ptr", "q:ptr" }, nil, { rules = phial.rules() })
    local b, p, q = fn:entry(), fn:arg(1), fn:arg(2)
    local function read() return b:load(p, "i64", { reads = { "c32" } }) end
    for i = 1, 31 do b:store(q, 1, { writes = { "c" .. i } }) end
    local before = read()
    b:store(q, 1, { writes = { "c32" } })
    local behind = read()
    assert.not_equal(before, behind)
    assert.equal(behind, read())
  end)

  local function load(b, p) return b:load(p, "i64", { reads = heap }) end
  local function strlen(b, p) return b:call("strlen", "i64", p, { reads = heap, writes = none }) end

  it("become one unless one of their classes is written", function()
    for _, read in ipairs { load, strlen } do
      assert.equal("true true", are_one(read, function(b, _, q)
        b:store(q, 1, { writes = { "a" } })
      end))
      assert.equal("true true", are_one(read, function(b) b:emit(array.push) end))
      assert.equal("true true", are_one(read, function(b)
        b:call("g", nil, { writes = { "a" } })
      end))
      assert.equal("true true", are_one(read, function(b) b:call("g", nil, { writes = none }) end))
      assert.equal("false false", are_one(read, function(b, _, q) b:store(q, 1) end))
      assert.equal("false false", are_one(read, function(b, _, q)
        b:store(q, 1, { writes = { "a", "heap" } })
      end))
      assert.equal("false false", are_one(read, function(b) b:call("g", nil, { reads = none }) end))
      assert.equal("false false", are_one(read, function(b, _, q) b:store_volatile(q, 1) end))
    end
    assert.equal("false false", are_one(function(b, p) return b:load(p, "i64") end,
      function(b, _, q) b:store(q, 1, { writes = { "a" } }) end))
  end)

  it("are never one as long as a call writes, and calls stay", function()
    assert.equal("false false", are_one(function(b) return b:call("g", "i64", { reads = none }) end,
      function() end))
    local b, fn, _, _, x = start()
    b:call("g", nil, { reads = none, writes = none })
    b:ret(x)
    fn:finish()
    fn:clean()
    assert.equal(2, #b:insts())
  end)

  it("are never mixed up when their classes differ", function()
    local b, fn, p, q = start()
    local sum = b:load(p, "i64", { reads = { "a" } })
    b:store(q, 1, { writes = { "b" } })
    sum = b:add(sum, b:load(p, "i64", { reads = { "b" } }))
    b:ret(sum)
    assert.equal(5, #fn:finish():entry():insts())
  end)
end)

describe("allocas", function()
  -- True if a load of an alloca sees past a call, though its address is used by use(b, a, ...).
  local function is_private(use)
    local b, fn, p, q, x, c = start { rules = phial.rules() }
    local a, other = b:alloca(16), b:alloca(16)
    b:store(a, x)
    use(b, a, other, p, q, c, fn)
    b:call "g"
    local v = b:load(a, "i64")
    b:ret(b:add(v, 1))
    fn:finish()
    return v:now() == x
  end

  it("are apart if their addresses do not escape", function()
    for _, use in ipairs {
      function() end,
      function(b, a, _, p) b:memcpy(p, a, 8) end,
      function(b, a, _, _, q) b:load(b:ptradd(a, b:load(q, "i64")), "i8") end,
      function(b, a, other, _, _, c) b:load(b:select(c, b:ptradd(a, 8), other), "i64") end,
      function(b, a, other, _, _, _, fn) b:eq(a, other) b:ne(fn:const(0, "ptr"), a) end,
      function(b, a) b:load(b:copy(a), "i64", { align = 1 }) end,
      function(b, _, other) b:call("g", nil, other) end,
    } do assert.is_true(is_private(use)) end
  end)

  it("are not if anything else is done with their addresses", function()
    for _, use in ipairs {
      function(b, a) b:call("g", nil, b:ptradd(a, 8)) end,
      function(b, a, other) b:store(other, a) end,
      function(b, a) b:bitcast(a, "i64") end,
      function(b, a, _, p) b:eq(a, p) end,
      function(b, a) b:load_volatile(a, "i64") end,
      function(b, a, _, p, _, c) b:load(b:select(c, a, p), "i64") end,
      function(b, a, other, _, _, c) b:select(c, a, other) b:call("g", nil, other) end,
      function(b, a, other) b:eq(a, other) b:call("g", nil, other) end,
      function(b, a, _, p) b:call(p, nil, a) end,
    } do assert.is_false(is_private(use)) end
  end)

  it("go through the phis of a loop", function()
    local b, fn, _, _, x, c = start { rules = phial.rules() }
    local loop, done, at = fn:block "loop", fn:block("done", 1), fn:var("at", "ptr")
    local a = b:alloca(64)
    b:store(a, x)
    b:write(at, a)
    b:jump(loop)
    local v = loop:load(a, "i64")
    loop:call "g"
    loop:write(at, loop:ptradd(loop:read(at), 8))
    loop:load(loop:read(at), "i8")
    loop:branch(c, loop, done)
    loop:seal()
    done:ret(v)
    fn:finish()
    assert.equal(x, v:now())
  end)
end)

describe("classes are kept", function()
  local function program()
    local b, fn, p, _, x = start()
    local v = b:load(p, "i64", { reads = { "b", "a" } })
    b:emit(array.push, { reads = "all", writes = { "len" } })
    b:emit(array.look, { reads = "all" })
    b:store(p, x, { writes = { "a" } })
    v = b:add(v, b:call("g", "i64", p, { reads = { "b" }, writes = none }))
    b:ret(v)
    return fn:finish(), p
  end

  it("by texts", function()
    local fn = program()
    local text = fn:text()
    for _, part in ipairs { "load %p reads(a, b)\n", "array.push writes(len)\n",
      "array.look reads(...)\n", "store %p, %x writes(a)\n", "call @g %p reads(b) writes()\n" } do
      assert.truthy(text:find(part, 1, true), part)
    end
    assert.equal(text, assert(phial.parse(text, { dialects = { array } })):text())
    local m = phial.module "m"
    m:declare("g", { "p:ptr" }, "i64", { reads = { "b" }, writes = none })
    m:declare("h", {}, nil, { writes = { "a" }, variadic = true })
    local declared = "module m\n\ndeclare g(%p: ptr) -> i64 reads(b) writes()\n"
      .. "declare h(...) writes(a)\n"
    assert.equal(declared, m:text())
    local again = assert(phial.parse(declared))
    assert.equal(declared, again:text())
    assert.equal("b; ", effects(again:get "g"))
  end)

  it("by texts that say so many classes that none are left for a dialect", function()
    local d = phial.dialect("d", { get = { args = 0, result = "i64", reads = { "other" } } })
    local names = {}
    for i = 1, 32 do names[i] = "c" .. i end
    local fn = phial.fn("f", { "p:ptr" }, "i64", { rules = false })
    local b, p = fn:entry(), fn:arg(1)
    b:load(p, "i64", { reads = { table.unpack(names, 1, 20) } })
    b:load(p, "i64", { reads = { table.unpack(names, 21) } })
    local v = b:emit(d.get)
    b:ret(v)
    local text = fn:finish():text()
    local again = assert(phial.parse(text, { dialects = { d } }))
    assert.equal("all; ", effects(v))
    assert.equal("all; ", effects(again:find(tostring(v))))
    assert.equal(text, again:text())
    again = assert(phial.parse(text:gsub("c32", "c31"), { dialects = { d } }))
    assert.equal("other; ", effects(again:find(tostring(v))))
  end)

  it("by copies, by name", function()
    local callee = program()
    local b, fn, p, q, x, c = start()
    b:store(p, 1, { writes = { "z" } }) -- other numbers
    b:ret(x)
    fn:finish()
    callee:copy_into(b:terminator():before(), { p, q, x, c })
    assert(fn:verify())
    assert.truthy(fn:text():find("load %p reads(a, b)", 1, true))
    assert.truthy(fn:text():find("reads(b) writes()", 1, true))
    callee:copy_into(callee:entry():back(), { callee:arg(1), callee:arg(2), 1, true })
    assert.equal(2, select(2, callee:text():gsub("reads%(a, b%)", "")))
  end)

  it("by traces", function()
    local fn = phial.fn("f", { "p:ptr" }, "i64", { dialects = { array }, rules = false })
    local record, b, p = phial.record(fn), fn:entry(), fn:arg(1)
    local v = b:load(p, "i64", { reads = { "b", "a" } })
    b:store(p, v, { writes = heap })
    b:emit(array.look, { reads = "all" })
    v = b:add(v, b:call("g", "i64", p, { reads = none, writes = { "a" } }))
    b:ret(b:add(v, b:call(p, "i64", { writes = none })))
    fn:finish()
    local text = record:text()
    assert.truthy(text:find("load %1 reads(a,b)\n", 1, true))
    assert.truthy(text:find("array.look reads(...)\n", 1, true))
    local again = assert(phial.replay(text, { dialects = { array } }))
    assert.equal(fn:text { ids = "dense" }, again:text { ids = "dense" })
  end)

  it("by JSON", function()
    assert.truthy(phial.emit.json((program())):find('"effects":"reads(b) writes()"', 1, true))
  end)

  it("by rules, finish and cursors, where the instruction changes", function()
    local b, fn, p = start()
    local at = fn:var("at", "ptr")
    b:write(at, p)
    local loop, done = fn:block "loop", fn:block("done", 1)
    b:jump(loop)
    local v = loop:load(loop:ptradd(loop:read(at), 0), "i64", { reads = heap })
    loop:branch(fn:arg(4), loop, done)
    loop:seal()
    done:ret(v)
    fn:finish()
    assert.equal("heap; ", effects(v))
    local w = done:back():load(p, "i64", { reads = { "a" } })
    assert.equal("a; ", effects(w))
    assert(fn:verify())
  end)
end)

describe("classes are refused", function()
  local function says(message, f)
    local ok, why = pcall(f)
    assert.is_false(ok)
    assert.equal(message, (why:gsub("^[^:]*:%d+: ", "")))
  end

  it("where they cannot be said", function()
    local b, fn, p = start()
    local before = fn:text()
    says("'store' has no option 'reads'", function() b:store(p, 1, { reads = heap }) end)
    says("'load' has no option 'writes'", function() b:load(p, "i64", { writes = heap }) end)
    says("'load_volatile' has no option 'reads'", function()
      b:load_volatile(p, "i64", { reads = heap })
    end)
    says("'add' has no option 'reads'", function() b:add(1, 2, { reads = heap }) end)
    says("'array.len' has no option 'writes'", function() b:emit(array.len, { writes = heap }) end)
    says("'store' writes something: option 'writes' is empty", function()
      b:store(p, 1, { writes = {} })
    end)
    says([[option 'reads': a list of names of classes, or "all", expected, got a string]],
      function() b:load(p, "i64", { reads = "heap" }) end)
    says("option 'reads': an identifier expected, got a string", function()
      b:load(p, "i64", { reads = { "a b" } })
    end)
    says([[option 'writes': "all" cannot be in a list: it is everything]], function()
      b:call("g", nil, { writes = { "all" } })
    end)
    says("option 'writes': an identifier expected, got 1", function()
      b:call("g", nil, { writes = { 1 } })
    end)
    assert.equal(before, fn:text())
  end)

  it("beyond 32, and what comes with a dialect is everything then", function()
    local b, _, p = start()
    local names = {}
    for i = 1, 30 do names[i] = "c" .. i end
    local v = b:load(p, "i64", { reads = names }) -- len, items
    assert.equal(30, #v:classes())
    says("class 'more' is one too many: a function has at most 32", function()
      b:load(p, "i64", { reads = { "more" } })
    end)
    local d = phial.dialect("d", { get = { args = 0, result = "i64", reads = { "other" } } })
    assert.equal("all; ", effects(b:emit(d.get)))
  end)

  it("by phial.dialect", function()
    local function op(spec, message)
      spec.args = 0
      says("bad argument #2 to 'phial.dialect' (op 'o': " .. message .. ")", function()
        phial.dialect("d", { o = spec })
      end)
    end
    op({ reads = "len" }, "reads: a list expected, got string")
    op({ reads = { "all" }, result = "i64" }, "reads: \"all\" cannot be in a list: everything is "
      .. "what an op has without this field")
    op({ reads = { "a b" }, result = "i64" }, "reads: an identifier expected, got \"a b\"")
    op({ reads = heap, pure = true, result = "i64" },
      'reads and writes, but no effect "read" or "write"')
    op({ writes = {} },
      'writes: an op that writes nothing has effect = "read" and no such field')
    op({ writes = heap, effect = "read", result = "i64" },
      'writes: an op that writes nothing has effect = "read" and no such field')
    op({ writes = heap, terminator = true },
      "effect, reads, writes and traps are not for a terminator")
  end)

  it("by the parser", function()
    local function why(line)
      local fn, message = phial.parse("fn f(%p: ptr) {\nentry:\n  " .. line .. "\n  ret\n}")
      assert.is_nil(fn)
      return message
    end
    assert.equal("3:15: a 'store' cannot have these classes", why "store %p, 1 reads(a)")
    assert.equal("3:15: a 'store' cannot have these classes", why "store %p, 1 writes()")
    assert.equal("3:22: the name of a class expected, got ','", why "store %p, 1 writes(,)")
    assert.equal("3:22: 'all' is not a class: ... is everything", why "store %p, 1 writes(all)")
    assert.equal("3:25: 'all' is not a class: ... is everything", why "store %p, 1 writes(a, all)")
    local names = {}
    for i = 1, 33 do names[i] = "c" .. i end
    assert.truthy(why("store %p, 1 writes(" .. table.concat(names, ", ") .. ")")
      :find "class 'c33' is one too many: a function has 32")
  end)
end)
