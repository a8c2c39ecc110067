-- What messages tell besides what is wrong: which function and method, where in
-- the frontend's source, what to use instead.
local phial = require "phial"
local refused = require "spec.support.refused"

local here = debug.getinfo(1, "S").short_src

local function line() return debug.getinfo(2, "l").currentline end

local function start(opts)
  local fn = phial.fn("f", { "n:i64", "c:i1", "x:f64" }, "i64", opts)
  local entry = fn:entry()
  fn:at(entry)
  return fn, entry, fn:arg(1), fn:arg(2), fn:arg(3)
end

describe("a value of another function", function()
  it("is named with both functions", function()
    local fn, entry, n = start()
    local g = phial.fn("g", { "m:i8" })
    refused(fn, "bad argument #2 to 'add' (i8 '%m' belongs to function 'g', not to 'f')",
      function() entry:add(n, g:arg(1)) end)
    refused(fn, "bad argument #1 to 'jump' (block 'there' belongs to function 'g', not to 'f')",
      function() entry:jump(g:block "there") end)
    refused(fn, "bad argument #1 to 'read' (variable 'm' belongs to function 'g', not to 'f')",
      function() entry:read(g:param(1)) end)
    refused(fn, "bad argument #2 to 'add' (i64 '7' belongs to function 'g', not to 'f')",
      function() entry:add(n, g:const(7)) end)
  end)

  it("is named with both places, when the names are equal", function()
    local fn = phial.fn("f", { "n" }) local made = line()
    local other = phial.fn("f", { "n" }) local made_other = line()
    refused(fn, ("bad argument #2 to 'add' (i64 '%%n' belongs to function 'f' (at %s:%d), not to 'f' (at %s:%d))")
      :format(here, made_other, here, made), function() fn:entry():add(fn:arg(1), other:arg(1)) end)
    local quiet = phial.fn("f", { "n" }, nil, { where = false })
    refused(fn, "bad argument #2 to 'add' (i64 '%n' belongs to another function 'f')",
      function() fn:entry():add(fn:arg(1), quiet:arg(1)) end)
  end)
end)

describe("the frontend's own position", function()
  it("is in every error that is raised while building", function()
    local fn, entry, n, c = start()
    local block = fn:block "b"
    block:seal() local sealed = line()
    fn:loc(12, 5, "a.src")
    local at = " @ a.src:12:5"
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got i1 '%c')" .. at,
      function() entry:add(n, c) end)
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got i1 '%c')" .. at,
      function() return n + c end)
    refused(fn, "block 'entry' is the entry: 'entry' cannot become a predecessor of it" .. at,
      function() entry:jump(entry) end)
    refused(fn, ("block 'b' is already sealed (at %s:%d): seal it once, when no more predecessors "
      .. "will come"):format(here, sealed) .. at, function() block:seal() end)
    refused(fn, "bad argument #2 to 'write' (i64 expected by variable 'n', got i1 '%c')" .. at,
      function() entry:write(fn:param(1), c) end)
    refused(fn, "bad argument #1 to 'read' (phial.Variable expected, got nil)" .. at,
      function() entry:read(nil) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'foo')" .. at,
      function() entry:emit "foo" end)
    refused(fn, "bad argument #1 to 'block' (string expected, got number)" .. at,
      function() fn:block(1) end)
    refused(fn, "bad argument #1 to 'const' (constant expected, got a table)" .. at,
      function() fn:const {} end)
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 1)" .. at,
      function() entry:add(n) end)
    refused(fn, "values have no order in Lua, it would make a boolean of the result: "
      .. "use v:slt(w)" .. at, function() return n < n end)
    refused(fn, "function 'f' returns i64: 'ret' needs a value" .. at, function() entry:ret() end)
    fn:loc(13)
    refused(fn, "function 'f' returns i64: 'ret' needs a value @ 13", function() entry:ret() end)
    fn:loc()
    refused(fn, "function 'f' returns i64: 'ret' needs a value", function() entry:ret() end)
  end)

  it("is in errors of rules, too", function()
    local R = phial.rules("a: x * C => x if $g(C)", { g = function() error("no", 0) end }, "t")
    local fn, entry, n = start { rules = R }
    fn:loc(12, 5)
    refused(fn, "rule 'a' (t:1): no @ 12:5", function() entry:mul(n, 3) end)
  end)

  it("is in errors of the builder", function()
    local ok, why = pcall(phial.build, "f", { "n" }, nil, function(b, v)
      b:loc(12, 5, "a.src")
      v.n = "text"
    end)
    assert.is_false(ok)
    assert.matches(":%d+: variable 'n' of type i64 %(since [^)]*%) cannot be assigned \"text\" "
      .. "@ a%.src:12:5$", why)
  end)
end)

describe("an error in a function of a rule", function()
  local text = "inner: x - C => $inner(x, C) if C ~= 1\nouter: x * C => $outer(x, C)"

  it("has the place of the call that emits, and one rule, however deep", function()
    local R = phial.rules(text, {
      inner = function() error("deep", 0) end,
      outer = function(b, x, C) return b:add(b:sub(x, C), x) end,
    }, "t")
    local fn, entry, n = start { rules = R }
    refused(fn, "rule 'inner' (t:1): deep", function() entry:mul(n, 4) end)
    refused(fn, "rule 'inner' (t:1): deep", function() return n * 4 end)
  end)

  it("keeps its own place behind", function()
    local at
    local R = phial.rules("a: x * C => x if $g(C)", {
      g = function() at = line() error "no" end,
    }, "t")
    local _, entry, n = start { rules = R }
    local ok, why = pcall(function() entry:mul(n, 3) end) local called = line()
    assert.is_false(ok)
    assert.equal(("%s:%d: rule 'a' (t:1): %s:%d: no"):format(here, called, here, at), why)
  end)

  it("is passed on as it is when memory has run out, at any depth", function()
    local R = phial.rules(text, {
      inner = function() error("not enough memory", 0) end,
      outer = function(b, x, C) return b:add(b:sub(x, C), x) end,
    }, "t")
    local fn, entry, n = start { rules = R }
    fn:loc(12)
    assert.equal("not enough memory", select(2, pcall(entry.sub, entry, n, 3)))
    assert.equal("not enough memory", select(2, pcall(entry.mul, entry, n, 3)))
  end)

  it("is one rule's when the frontend's position is known, too", function()
    local R = phial.rules(text, {
      inner = function(b, x) return b:add(x, "text") end,
      outer = function(b, x, C) return b:add(b:sub(x, C), x) end,
    }, "t")
    local fn, entry, n = start { rules = R }
    fn:loc(12)
    local ok, why = pcall(function() entry:mul(n, 4) end)
    assert.is_false(ok)
    assert.matches("^[^:]+:%d+: rule 'inner' %(t:1%): [^:]+:%d+: bad argument #2 to 'add' [^@]+ @ 12$",
      why)
  end)

  it("is passed on as it is when it is not a text", function()
    local it_is = {}
    local R = phial.rules("a: x * C => x if $g(C)", { g = function() error(it_is) end }, "t")
    local _, entry, n = start { rules = R }
    assert.equal(it_is, select(2, pcall(entry.mul, entry, n, 3)))
  end)
end)

describe("what phial does not have", function()
  local CALLED = {
    ["and"] = "'band'", ["or"] = "'bor'", ["not"] = "'bnot'", xor = "'bxor'", ashr = "'sar'",
    sra = "'sar'", lshr = "'shr'", lsl = "'shl'", div = "'sdiv' or 'udiv'",
    rem = "'srem' or 'urem'", mod = "'srem' or 'urem'", neq = "'ne'", lt = "'slt' or 'ult'",
    le = "'sle' or 'ule'", gt = "'sgt' or 'ugt'", ge = "'sge' or 'uge'",
  }

  for name, called in pairs(CALLED) do
    it("is answered with what it has: " .. name, function()
      local fn, entry, n = start()
      refused(fn, ("bad argument #1 to 'emit' (unknown op '%s': did you mean %s?)"):format(name,
        called), function() entry:emit(name, n, n) end)
      refused(fn, ("a phial.Value has no method '%s': did you mean %s?"):format(name, called),
        function() n[name](n, n) end)
      refused(fn, ("a phial.Block has no method '%s': did you mean %s?"):format(name, called),
        function() entry[name](entry, n, n) end)
    end)
  end

  it("is answered with an op of a dialect that is called so", function()
    local D = phial.dialect("lang", { div = { args = 2, result = "i64" } })
    local fn, entry, n = start { dialects = { D } }
    refused(fn, "bad argument #1 to 'emit' (unknown op 'div': did you mean 'lang.div'?)",
      function() entry:emit("div", n, n) end)
  end)

  it("is answered when it is not an op either", function()
    local fn, entry, n = start()
    refused(fn, "a phial.Value has no method 'addd': did you mean 'add'?",
      function() n:addd(1) end)
    refused(fn, "a phial.Value has no method 'read'", function() n:read() end)
    refused(fn, "a phial.Block has no method 'set_all'", function() entry:set_all() end)
    refused(fn, "a phial.Function has no method 'finnish': did you mean 'finish'?",
      function() fn:finnish() end)
    refused(fn, "a phial.Variable has no method 'read'", function() fn:param(1):read() end)
    refused(fn, "a phial.Rules has no method 'chek': did you mean 'check'?",
      function() phial.rules():chek() end)
  end)
end)

describe("fn:const(nil)", function()
  it("is what the types and the builder say it is", function()
    local fn = start()
    local v = fn:const(nil)
    assert.same({ "any" }, { v:type() })
    assert.equal("nil", tostring(v))
    assert.equal(v, fn:const(nil, "any"))
    refused(fn, "wrong number of arguments to 'const' (1 to 2 expected, got 0)",
      function() fn:const() end)
    refused(fn, "bad argument #1 to 'const' (nil is a constant of type any only)",
      function() fn:const(nil, "i64") end)
  end)
end)

describe("a condition that is a Lua boolean", function()
  local function message(method, value)
    return ("bad argument #1 to '%s' (value expected, got %s: '==' between handles gives a boolean, "
      .. "use v:eq(w); the constant is fn:const(%s))"):format(method, value, value)
  end

  it("is refused by branch and switch, of blocks and cursors", function()
    local fn, entry, n, c = start()
    local t = fn:block "t"
    refused(fn, message("branch", "false"), function() entry:branch(n == c, t, t) end)
    refused(fn, message("branch", "false"), function() entry:branch(n:block() == t, t, t) end)
    refused(fn, message("switch", "true"), function() entry:switch(t == t, t, {}) end) -- luacheck: ignore 411
    local done = phial.fn("done", { "c:i1" })
    local out = done:block "out"
    done:entry():jump(out)
    out:seal()
    out:ret()
    done:finish()
    refused(done, message("branch", "true"),
      function() done:entry():back():branch(true, out, out) end)
    refused(done, message("switch", "true"),
      function() done:entry():back():switch(true, out, {}) end)
  end)

  it("is taken when it was asked for", function()
    local fn, entry = start()
    local t, e = fn:block "t", fn:block "e"
    entry:branch(fn:const(true), t, e)
    t:switch(fn:const(false), e, { [1] = fn:block "u" })
    assert.equal("jump", entry:terminator():op())
    local loop = phial.build("loop", { "n:i64" }, "i64", function(b, v)
      b:while_(function() return b:const(true) end, function()
        b:if_(v.n:sgt(3), function() b:ret(v.n) end)
        v.n = v.n + 1
      end)
    end)
    assert.equal(4, loop(0))
  end)
end)

describe("what goes wrong when it runs names function, instruction and place:", function()
  local function caller(callee, g)
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    fn:loc(7, 1, "f.src")
    local v = fn:entry():call(callee, "i64", fn:arg(1))
    fn:entry():ret(v)
    fn:finish()
    return function() return fn(1, { env = { g = g } }) end
  end

  local function raises(expected, f)
    local ok, why = pcall(f)
    assert.is_false(ok)
    assert.equal(expected, why)
  end

  local BY_NAME = "f: 'call {\"g\"} %n' in block 'entry' (f.src:7:1): "

  it("a call by name", function()
    raises(BY_NAME .. "there is no 'g' in the option env", caller("g", nil))
    raises(BY_NAME .. "its callee is a number: it cannot be called", caller("g", 3))
    raises(BY_NAME .. "its callee is a string: it cannot be called", caller("g", "x"))
    raises(BY_NAME .. "its callee is a table: it cannot be called", caller("g", {}))
    raises(BY_NAME .. "function 'u' is not finished", caller("g", phial.fn("u", { "n" }, "i64")))
    local closed = phial.fn "z"
    closed:close()
    raises(BY_NAME .. "its callee is closed", caller("g", closed))
    local function callee(params, result, value)
      local u = phial.fn("u", params, result)
      u:entry():ret(value)
      return u:finish()
    end
    raises(BY_NAME .. "wrong number of arguments to 'u' (2 expected, got 1)",
      caller("g", callee({ "a", "b" }, "i64", 1)))
    raises(BY_NAME .. "bad argument #1 'a' to 'u' (i1 expected, got 1)",
      caller("g", callee({ "a:i1" }, "i64", 1)))
    raises(BY_NAME .. "result: i64 expected, got 1.0", caller("g", callee({ "a" }, "f64", 1.0)))
    assert.equal(5, caller("g", setmetatable({}, { __call = function() return 5 end }))())
  end)

  it("a dialect's eval", function()
    local D = phial.dialect("d", {
      fail = { args = 1, result = "i64", eval = function() error "bad" end },
      table = { args = 1, result = "i64", eval = function() error { "bad" } end },
      go = { args = 1, terminator = true, targets = 2, eval = function() error("bad", 0) end },
    })
    local function with(op)
      local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
      fn:loc(7, 1, "f.src")
      local a, b = fn:block "a", fn:block "b"
      if op == "go" then
        fn:entry():emit(D.go, fn:arg(1), a, b)
      else
        fn:entry():write(fn:param(1), fn:entry():emit(D[op], fn:arg(1)))
        fn:entry():branch(fn:const(true), a, b)
      end
      a:seal() b:seal()
      a:ret(a:read(fn:param(1)))
      b:ret(0)
      fn:finish()
      return fn
    end
    local ok, why = pcall(with "fail", 1)
    assert.is_false(ok)
    assert.matches("^f: 'd%.fail %%n' in block 'entry' %(f%.src:7:1%): [^:]+:%d+: bad$", why)
    raises("f: 'd.go %n' in block 'entry' (f.src:7:1): bad", function() with "go" (1) end)
    ok, why = pcall(with "table", 1)
    assert.is_false(ok)
    assert.same({ "bad" }, why)
  end)

  it("an eval in a function that has been called, once", function()
    local D = phial.dialect("d", { fail = { args = 1, result = "i64", eval = function() error("bad", 0) end } })
    local g = phial.fn("g", { "n:i64" }, "i64")
    g:entry():ret(g:entry():emit(D.fail, g:arg(1)))
    g:finish()
    raises("g: 'd.fail %n' in block 'entry': bad", caller("g", g))
    local outer = phial.dialect("o", { run = { args = 1, result = "i64", eval = function(n) return g(n) end } })
    local f = phial.fn("f", { "n:i64" }, "i64")
    f:entry():ret(f:entry():emit(outer.run, f:arg(1)))
    f:finish()
    raises("g: 'd.fail %n' in block 'entry': bad", function() f(1) end)
  end)

  it("an eval in a function that is too large for one Lua function", function()
    local D = phial.dialect("d", { id = { args = 1, result = "i64", eval = function(n)
      return n < 1200 and n or error("bad", 0)
    end } })
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v)
      for i = 1, 520 do
        b:loc(i)
        b:if_(v.n:sgt(i), function() v.n = b:emit(D.id, v.n + 1) end)
      end
      b:ret(v.n)
    end)
    local ok, why = pcall(fn, 1199)
    assert.is_false(ok)
    assert.matches("^f: 'd%.id %%%d+' in block 'if_then%.2' %(1%): bad$", why)
    assert.equal(1, fn(1))
  end)

  it("recursion without end", function()
    for _, way in ipairs { "object", "name" } do
      local fn = phial.fn("rec", { "n:i64" }, "i64", { rules = false })
      fn:loc(9, 2, "r.src")
      local b = fn:entry()
      local v = b:call(way == "object" and fn or "rec", "i64", fn:arg(1))
      b:ret(b:add(v, 1))
      fn:finish()
      local ok, why = pcall(fn, 1, { env = { rec = fn } })
      assert.is_false(ok)
      assert.matches("^rec: 'call .*%%n' in block 'entry' %(r%.src:9:2%): stack overflow", why)
      assert.is_true(#why < 200)
    end
  end)
end)

describe("a call by name", function()
  local function fib(callee)
    local fn = phial.fn("fib", { "n:i64" }, "i64")
    local b, more, done = fn:entry(), fn:block "more", fn:block "done"
    b:branch(b:slt(fn:arg(1), 2), done, more)
    more:seal()
    done:seal()
    done:ret(fn:arg(1))
    local to = callee or fn
    local one = more:call(to, "i64", more:sub(fn:arg(1), 1))
    local two = more:call(to, "i64", more:sub(fn:arg(1), 2))
    more:ret(more:add(one, two))
    return fn:finish()
  end

  it("costs about what a call by object does", function()
    local object, name = fib(), fib "fib"
    local opts = { env = { fib = name } }
    assert.equal(610, object(15))
    assert.equal(610, name(15, opts))
    -- In CPU time, the best of several runs; another process can only make it longer.
    local function best(old, f, ...)
      local from = os.clock()
      f(17, ...)
      return math.min(old, os.clock() - from)
    end
    local by_object, by_name = math.huge, math.huge
    for _ = 1, 200 do
      by_object, by_name = best(by_object, object), best(by_name, name, opts)
      if by_name <= 1.6 * by_object then return end
      if by_name > 5 * by_object and by_name > 0.002 then break end
    end
    error(("%.1f times"):format(by_name / by_object))
  end)

  it("finds what a function of the host has changed, also far below", function()
    local env = {}
    local function calling(name, callee)
      local fn = phial.fn(name, { "n:i64" }, "i64")
      fn:entry():ret(fn:entry():call(callee, "i64", fn:arg(1)))
      return fn:finish()
    end
    local one = phial.fn("one", { "n:i64" }, "i64")
    one:entry():ret(1)
    one:finish()
    function env.change(n)
      env.g = function(m) return m + 1000 end
      return n
    end
    env.g, env.inner = one, calling("inner", "change")
    local f = phial.fn("f", { "n:i64" }, "i64")
    local b = f:entry()
    local before = b:call("g", "i64", f:arg(1))
    b:call("inner", "i64", f:arg(1))
    b:ret(b:add(before, b:call("g", "i64", f:arg(1))))
    f:finish()
    assert.equal(1 + 1005, f(5, { env = env }))
    env.g = one
    env.inner = one
    assert.equal(2, f(5, { env = env }))
    env.g = calling("other", "inner")
    assert.equal(2, f(5, { env = env }))
    env.g = setmetatable({}, { __call = function(_, n) return -n end })
    assert.equal(-10, f(5, { env = env }))
  end)

  it("may have the names that generated code uses", function()
    for _, name in ipairs { "env", "callee", "by_name", "host", "linked" } do
      local fn = phial.fn(name, { "n:i64" }, "i64")
      fn:entry():ret(fn:entry():call("f", "i64", fn:arg(1)))
      fn:finish()
      assert.equal(3, fn(2, { env = { f = function(n) return n + 1 end } }), name)
    end
  end)

  it("is looked up each time", function()
    local calls = 0
    local env = {}
    local g = phial.fn("g", { "n:i64" }, "i64")
    local b = g:entry()
    b:ret(b:add(b:call("h", "i64", g:arg(1)), b:call("h", "i64", g:arg(1))))
    g:finish()
    function env.h(n)
      calls = calls + 1
      env.h = function(m) return 100 * m end
      return n
    end
    assert.equal(1 + 100, g(1, { env = env }))
    assert.equal(200, g(1, { env = env }))
    assert.equal(1, calls)
  end)
end)
