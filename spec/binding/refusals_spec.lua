-- Every mistake is answered at the call that makes it: the whole message, its
-- position, and the function as it was.
local phial = require "phial"
local refused = require "spec.support.refused"

local here = debug.getinfo(1, "S").short_src

-- The line of the caller.
local function line()
  return debug.getinfo(2, "l").currentline
end

-- A function with a parameter of each kind.
local function subject(opts, result)
  local fn = phial.fn("f", { "n:i64", "c:i1", "x:f64", "b:i8", "a:any" }, result, opts)
  local entry = fn:entry()
  local vars = table.pack(fn:params())
  local values = {}
  for i = 1, vars.n do values[i] = entry:read(vars[i]) end
  return fn, entry, table.unpack(values)
end

describe("the ten mistakes:", function()
  it("1 blocks without a terminator are listed all at once", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    local n = fn:arg(1)
    local a = fn:block "a" local made_a = line()
    local b = fn:block "b" local made_b = line()
    fn:entry():branch(fn:entry():slt(n, 3), a, b)
    local v = a:add(n, 1)
    local w = a:sub(v, 2)
    refused(fn, ([[
function 'f' cannot be finished: these blocks need a terminator (jump, branch, switch, ret or unreachable)
  block 'a' (at %s:%d): its last instruction is '%s = sub %s, 2'
  block 'b' (at %s:%d): it is empty]]):format(here, made_a, w, v, here, made_b),
      function() fn:finish() end)
  end)

  it("2 something after the terminator", function()
    local fn, entry, n = subject()
    local out = fn:block "out"
    entry:jump(out) local at = line()
    local message = ("block 'entry' already ends with 'jump out' (at %s:%d): nothing can be added after it"):format(here, at)
    refused(fn, message, function() entry:add(n, 1) end)
    refused(fn, message, function() entry:jump(out) end)
    refused(fn, message, function() entry:write(fn:param(1), 3) end)
    refused(fn, message, function() entry:ret() end)
    refused(fn, message, function() entry:call("print", nil, n) end)
    refused(fn, message, function() entry:switch(n, out, {}) end)
    assert.is_false(entry:is_open())
    assert.is_false(entry:jump_if_open(out))
    assert.equal(n, entry:read(fn:param(1)))
  end)

  it("3 sealed too early", function()
    local fn, entry, _, c = subject()
    local head, body = fn:block "head", fn:block "body"
    entry:jump(head)
    head:seal() local at = line()
    head:branch(c, body, body)
    refused(fn, ("block 'head' is sealed (at %s:%d): 'body' cannot become a predecessor of it"):format(here, at),
      function() body:jump(head) end)
  end)

  it("4 forgotten to seal: no mistake, unless strict", function()
    local function loop(opts)
      local fn = phial.fn("f", {}, nil, opts)
      local i, s = fn:var "i", fn:var "s"
      local head = fn:block "head" local at = line()
      fn:entry():write(i, 1)
      fn:entry():write(s, 1)
      fn:entry():jump(head)
      head:write(i, head:add(head:read(i), head:read(s)))
      head:jump(head)
      return fn, at
    end
    assert.equal("f", loop():finish():name())
    local fn, at = loop { strict = true }
    refused(fn, ([[
function 'f' cannot be finished: strict, and these blocks are not sealed
  block 'head' (at %s:%d): incomplete phis of 'i', 's']]):format(here, at), function() fn:finish() end)
    fn:finish { strict = false }
  end)

  it("4 a block that counts its predecessors and lacks some", function()
    local fn = phial.fn("f", {}, nil, { strict = true })
    local join = fn:block("join", 3) local at = line()
    fn:entry():jump(join)
    join:ret()
    refused(fn, ([[
function 'f' cannot be finished: strict, and these blocks are not sealed
  block 'join' (at %s:%d), which waits for 2 of 3 predecessors]]):format(here, at), function() fn:finish() end)
  end)

  it("5 a variable that is undefined on a path", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { undef = "error" })
    local x = fn:var "x" local declared = line()
    local left, join = fn:block "left", fn:block "join"
    fn:entry():branch(fn:arg(1), left, join)
    left:seal()
    left:write(x, 1)
    left:jump(join)
    join:seal()
    fn:loc(12, 5)
    local v = join:read(x) local read = line()
    fn:loc()
    join:ret(v)
    local message = ([[
function 'f' cannot be finished: these reads see no definition on a path
  variable 'x' (at %s:%d), read in block 'join' (at %s:%d) @ 12:5: entry -> join]])
      :format(here, declared, here, read)
    refused(fn, message, function() fn:finish() end)
    refused(fn, message, function() fn:finish() end)
  end)

  it("6 a value where its definition does not dominate", function()
    local fn = phial.fn("f", { "c:i1", "n:i64" }, "i64")
    local left, join = fn:block "left", fn:block "join"
    fn:entry():branch(fn:arg(1), left, join)
    local v = left:add(fn:arg(2), 1)
    left:jump(join)
    join:ret(v)
    local ok, err = pcall(fn.finish, fn)
    assert.is_false(ok)
    assert.truthy(err:find("function 'f' is not well-formed\n  ", 1, true))
    assert.truthy(err:find("'left'", 1, true), err)
    local good, problems = fn:verify()
    assert.is_nil(good)
    assert.equal("table", type(problems))
    assert.truthy(join:is_sealed() and join:is_filled())
  end)

  it("7 a phi by hand that does not match its predecessors", function()
    local fn, entry, n, c, _, b = subject()
    local left, join = fn:block "left", fn:block "join"
    local stranger = fn:block "stranger"
    entry:branch(c, left, join)
    left:jump(join)
    refused(fn, "block 'join' is not sealed: a phi by hand needs to know all predecessors, so seal it first",
      function() join:phi { [entry] = n, [left] = 1 } end)
    join:seal()
    refused(fn, "phi in block 'join': no value for predecessor 'left'",
      function() join:phi { [entry] = n } end)
    refused(fn, "phi in block 'join': 'stranger' is not a predecessor of it",
      function() join:phi { [entry] = n, [left] = 1, [stranger] = 2 } end)
    refused(fn, "phi in block 'join': i64 expected, got i8 '%b'",
      function() join:phi { [entry] = n, [left] = b } end)
    refused(fn, "phi in block 'join': i64 expected, got 1.5",
      function() join:phi { [entry] = n, [left] = 1.5 } end)
    refused(fn, "bad argument #1 to 'phi' (phial.Block expected, got 1)",
      function() join:phi { [entry] = n, [left] = 1, 7 } end)
    refused(fn, "block 'entry' has no predecessors: no phi can be in it",
      function() entry:phi {} end)
    assert.equal("phi", join:phi { [entry] = n, [left] = 1 }:op())
  end)

  it("8 operands of the wrong type", function()
    local fn, entry, n, c, x, b, a = subject()
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got i1 '%c')",
      function() entry:add(n, c) end)
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got 1.5)",
      function() entry:add(n, 1.5) end)
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got a string; strings are never numbers)",
      function() entry:add(n, "1") end)
    refused(fn, "bad argument #1 to 'add' (i64 expected like argument #2, got true)",
      function() entry:add(true, n) end)
    refused(fn, "bad argument #2 to 'add' (256 does not fit i8)", function() entry:add(b, 256) end)
    refused(fn, "bad argument #2 to 'add' (-129 does not fit i8)", function() entry:add(b, -129) end)
    refused(fn, "bad argument #1 to 'add' (integer expected, got f64 '%x')",
      function() entry:add(x, 1.5) end)
    refused(fn, "bad argument #1 to 'fadd' (float expected, got i64 '%n')",
      function() entry:fadd(n, n) end)
    refused(fn, "bad argument #2 to 'fadd' (f64 expected like argument #1, got 9007199254740993)",
      function() entry:fadd(x, 9007199254740993) end)
    refused(fn, "bad argument #1 to 'select' (i1 expected, got i64 '%n')",
      function() entry:select(n, n, n) end)
    refused(fn, "bad argument #2 to 'select' (i64 expected like argument #3, got a string; strings are never numbers)",
      function() entry:select(c, "x", n) end)
    refused(fn, "bad argument #1 to 'neg' (integer expected, got any '%a')", function() entry:neg(a) end)
    refused(fn, "bad argument #2 to 'trunc' (an integer type narrower than i8 expected, got i32)",
      function() entry:trunc(b, "i32") end)
    refused(fn, "bad argument #2 to 'zext' (an integer type wider than i64 expected, got i64)",
      function() entry:zext(n, "i64") end)
    refused(fn, "bad argument #2 to 'itof' (a float type expected, got i64)",
      function() entry:itof(n, "i64") end)
    refused(fn, "bad argument #2 to 'ftoi' (an integer type expected, got f32)",
      function() entry:ftoi(x, "f32") end)
    refused(fn, "bad argument #2 to 'bitcast' (a type as wide as i64 expected, got i32)",
      function() entry:bitcast(n, "i32") end)
    refused(fn, "'trunc' needs the type of its result: a type's name as last argument",
      function() entry:trunc(n) end)
    refused(fn, "bad argument #1 to 'slt' (i64 expected like '%n', got i1 '%c')",
      function() fn:at(entry) n:slt(c) end)
    refused(fn, "bad argument #2 to 'write' (i64 expected by variable 'n', got i1 '%c')",
      function() entry:write(fn:param(1), c) end)
    refused(fn, "bad argument #2 to 'write' (i1 expected by variable 'c', got 1.5)",
      function() entry:write(fn:param(2), 1.5) end)
    refused(fn, "bad argument #2 to 'write' (300 does not fit i8)",
      function() entry:write(fn:param(4), 300) end)
  end)

  it("9 value operators without a block", function()
    local fn, entry, n = subject()
    local message =
      "fn:at is not set: say fn:at(block) to tell into which block values emit, or use the block's methods"
    refused(fn, message, function() return n + 1 end)
    refused(fn, message, function() return n:slt(1) end)
    fn:at(entry)
    assert.equal("add", (n + 1):op())
    assert.equal(entry, fn:at())
  end)

  it("9 something of another function", function()
    local fn, entry, n = subject()
    local other = phial.fn("g", { "n:i64" })
    local m, block, d = other:arg(1), other:block "b", fn:block "d"
    refused(fn, "bad argument #2 to 'add' (it belongs to function 'g', not to 'f')",
      function() entry:add(n, m) end)
    refused(fn, "bad argument #1 to 'jump' (it belongs to function 'g', not to 'f')",
      function() entry:jump(block) end)
    refused(fn, "bad argument #1 to 'read' (it belongs to function 'g', not to 'f')",
      function() entry:read(other:param(1)) end)
    refused(fn, "bad argument #2 to 'read' (it belongs to function 'g', not to 'f')",
      function() entry:read(fn:param(1), other:param(1)) end)
    refused(fn, "bad argument #1 to 'write' (it belongs to function 'g', not to 'f')",
      function() entry:write(other:param(1), n) end)
    refused(fn, "bad argument #2 to 'write' (it belongs to function 'g', not to 'f')",
      function() entry:write(fn:param(1), m) end)
    refused(fn, "bad argument #1 to 'at' (it belongs to function 'g', not to 'f')",
      function() fn:at(block) end)
    refused(fn, "bad argument #3 to 'switch' (it belongs to function 'g', not to 'f')",
      function() entry:switch(n, d, { [1] = block }) end)
    refused(fn, "bad argument #1 to 'dominates' (it belongs to function 'g', not to 'f')",
      function() fn:dominates(block, entry) end)
    fn:at(entry)
    refused(fn, "bad argument #2 to '+' (it belongs to function 'g', not to 'f')",
      function() return n + m end)
    other:close()
    refused(fn, "bad argument #2 to 'add' (it belongs to function 'g', which is closed)",
      function() entry:add(n, m) end)
  end)

  it("10 handles of what is gone", function()
    local fn = phial.fn("f", {}, nil, { rules = false })
    local dead = fn:block("dead", 0)
    local v = dead:add(1, 2)
    dead:ret()
    fn:entry():ret()
    local n = fn:block "lonely"
    n:ret()
    fn:finish()
    refused(fn, "block 'dead' is gone: it was dropped, since nothing reaches it",
      function() dead:preds() end)
    refused(fn, "value '%3' is gone: it was erased, swept or dropped", function() v:op() end)
    refused(fn, "bad argument #1 to 'live_in' (block 'lonely' is gone: it was dropped)",
      function() fn:live_in(n) end)
    fn:reopen()
    refused(fn, "bad argument #1 to 'at' (block 'dead' is gone: it was dropped)",
      function() fn:at(dead) end)
    refused(fn, "block 'dead' is gone: it was dropped, since nothing reaches it",
      function() dead:add(1, 2) end)
    refused(fn, "block 'dead' is gone: it was dropped, since nothing reaches it",
      function() dead:phi {} end)
    local new = fn:block "new"
    refused(fn, "bad argument #1 to 'add' (value '%3' is gone: it was erased, swept or dropped)",
      function() new:add(v, 2) end)
  end)

  it("10 handles of a closed function", function()
    local fn, entry, n = subject()
    local var = fn:param(1)
    fn:close()
    fn:close()
    for _, call in ipairs {
      function() fn:text() end, function() fn:finish() end, function() entry:seal() end,
      function() entry:name() end, function() n:op() end, function() return n + 1 end,
      function() var:name() end, function() fn:blocks() end, function() entry:add(1, 2) end,
    } do
      refused(nil, "function 'f' is closed", call)
    end
    assert.equal("phial.Function (closed)", tostring(fn))
    assert.equal("phial.Value (closed)", tostring(n))
    assert.is_true(n == n) -- luacheck: ignore 411
  end)
end)

describe("edges:", function()
  it("the entry has no predecessors", function()
    local fn, entry = subject()
    local b = fn:block "b"
    refused(fn, "block 'entry' is the entry: 'b' cannot become a predecessor of it",
      function() b:jump(entry) end)
    refused(fn, "block 'entry' is the entry: 'entry' cannot become a predecessor of it",
      function() entry:jump(entry) end)
  end)

  it("a block takes no more predecessors than it was made for", function()
    local fn, entry, n, c = subject()
    local join = fn:block("join", 2) local at = line()
    local a, b = fn:block "a", fn:block "b"
    entry:branch(c, a, b)
    local message = "block 'join' was made for 2 predecessors (at %s:%d): the edge from '%s' is one too many"
    refused(fn, message:format(here, at, "a"),
      function() a:switch(n, join, { join, join }) end)
    a:branch(c, join, join)
    assert.is_true(join:is_sealed())
    refused(fn, message:format(here, at, "b"), function() b:jump(join) end)
    local dead = fn:block("dead", 0)
    refused(fn, message:format(here, at, "dead"), function() dead:jump(join) end)
  end)

  it("a dead block may name a sealed one: it adds no edge", function()
    local fn, entry = subject()
    local done, dead = fn:block "done", fn:block("dead", 0)
    entry:jump(done)
    done:seal()
    dead:jump(done)
    assert.equal(1, #done:preds())
  end)

  it("a block is sealed once", function()
    local fn, entry = subject()
    local b = fn:block "b"
    b:seal() local at = line()
    refused(fn, ("block 'b' is already sealed (at %s:%d): seal it once, when no more predecessors will come")
      :format(here, at), function() b:seal() end)
    refused(fn, "block 'entry' is already sealed: the entry always is", function() entry:seal() end)
    local join = fn:block("join", 1)
    entry:jump(join) at = line()
    refused(fn, ("block 'join' is already sealed (at %s:%d): made with a number of predecessors, it seals itself")
      :format(here, at), function() join:seal() end)
  end)

  it("a switch has distinct integer keys and blocks", function()
    local fn, entry, n, c, x, b = subject()
    local t = fn:block "t"
    refused(fn, "bad argument #3 to 'switch' (integer keys expected, got a string)",
      function() entry:switch(n, t, { a = t }) end)
    refused(fn, "bad argument #3 to 'switch' (integer keys expected, got 1.5)",
      function() entry:switch(n, t, { [1.5] = t }) end)
    refused(fn, "bad argument #3 to 'switch' (key 300 does not fit i8)",
      function() entry:switch(b, t, { [300] = t }) end)
    refused(fn, "bad argument #3 to 'switch' (keys -1 and 255 are the same i8)",
      function() entry:switch(b, t, { [255] = t, [-1] = t }) end)
    refused(fn, "bad argument #3 to 'switch' (keys -1 and 1 are the same i1)",
      function() entry:switch(c, t, { [1] = t, [-1] = t }) end)
    refused(fn, "bad argument #3 to 'switch' (key 1: phial.Block expected, got i64 '%n')",
      function() entry:switch(n, t, { n }) end)
    refused(fn, "bad argument #3 to 'switch' (table expected, got userdata)",
      function() entry:switch(n, t, t) end)
    refused(fn, "bad argument #2 to 'switch' (phial.Block expected, got a table)",
      function() entry:switch(n, {}, {}) end)
    refused(fn, "bad argument #1 to 'switch' (integer expected, got f64 '%x')",
      function() entry:switch(x, t, {}) end)
    refused(fn, "bad argument #1 to 'switch' (integer expected, got 1.5)",
      function() entry:switch(1.5, t, {}) end)
    entry:switch(b, t, { [200] = t, [0] = t, [-3] = t })
    local keys = {}
    for i, k in ipairs(entry:insts()[1]:args()) do keys[i] = tostring(k) end
    assert.equal("%b, -56:i8, -3:i8, 0:i8", table.concat(keys, ", "))
  end)

  it("branch and ret want what they want", function()
    local fn, entry, n, c = subject({}, "i64")
    local t = fn:block "t"
    refused(fn, "bad argument #1 to 'branch' (i1 expected, got i64 '%n')",
      function() entry:branch(n, t, t) end)
    refused(fn, "bad argument #1 to 'branch' (2 does not fit i1)", function() entry:branch(2, t, t) end)
    refused(fn, "bad argument #2 to 'branch' (phial.Block expected, got nil)",
      function() entry:branch(c, nil, t) end)
    refused(fn, "function 'f' returns i64: 'ret' needs a value", function() entry:ret() end)
    refused(fn, "bad argument #1 to 'ret' (i64 expected, got i1 '%c')", function() entry:ret(c) end)
    refused(fn, "bad argument #1 to 'ret' (i64 expected, got true)", function() entry:ret(true) end)
    local void, first = subject()
    refused(void, "function 'f' returns nothing: 'ret' takes no value", function() first:ret(1) end)
  end)
end)

describe("calls:", function()
  it("a dot for a colon", function()
    local _, entry, n = subject()
    refused(nil, "calling 'add' on bad self (phial.Block expected, got phial.Value) (use ':'?)",
      function() entry.add(n, 1) end)
    refused(nil, "calling 'seal' on bad self (phial.Block expected, got no value) (use ':'?)",
      function() entry.seal() end)
    refused(nil, "calling 'slt' on bad self (phial.Value expected, got number) (use ':'?)",
      function() n.slt(1, n) end)
    refused(nil, "calling 'text' on bad self (phial.Function expected, got string) (use ':'?)",
      function() phial.fn("f").text "x" end)
  end)

  it("too many arguments and too few", function()
    local fn, entry, n = subject()
    local var = fn:param(1)
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 1)", function() entry:add(n) end)
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 3)", function() entry:add(n, 1, 2) end)
    refused(fn, "wrong number of arguments to 'neg' (1 expected, got 0)", function() entry:neg() end)
    refused(fn, "wrong number of arguments to 'read' (at least 1 expected, got 0)",
      function() entry:read() end)
    refused(fn, "wrong number of arguments to 'write' (2 expected, got 1)", function() entry:write(var) end)
    refused(fn, "wrong number of arguments to 'jump' (1 expected, got 0)", function() entry:jump() end)
    refused(fn, "wrong number of arguments to 'branch' (3 expected, got 4)",
      function() entry:branch(1, 2, 3, 4) end)
    refused(fn, "wrong number of arguments to 'seal' (0 expected, got 1)", function() entry:seal(1) end)
    refused(fn, "wrong number of arguments to 'block' (0 to 2 expected, got 3)",
      function() fn:block("b", 1, 1) end)
    refused(fn, "wrong number of arguments to 'phial.fn' (1 to 4 expected, got 0)",
      function() phial.fn() end)
    fn:at(entry)
    refused(fn, "wrong number of arguments to 'slt' (1 expected, got 2)", function() n:slt(1, 2) end)
  end)

  it("nil, and what is no value", function()
    local fn, entry, n = subject()
    local var = fn:param(1)
    refused(fn, "bad argument #2 to 'add' (value expected, got nil)", function() entry:add(n, nil) end)
    refused(fn, "bad argument #1 to 'add' (value expected, got a phial.Block)",
      function() entry:add(entry, n) end)
    refused(fn, "bad argument #1 to 'add' (value expected, got a phial.Variable: "
      .. "read it first, by block:read(var))", function() entry:add(var, n) end)
    refused(fn, "bad argument #2 to 'write' (phial.Value expected, got a phial.Variable: "
      .. "read it first, by block:read(var))", function() entry:write(var, var) end)
    refused(fn, "bad argument #1 to 'add' (value expected, got a userdata)",
      function() entry:add(io.stdout, n) end)
    refused(fn, "bad argument #1 to 'read' (phial.Variable expected, got nil)",
      function() entry:read(nil) end)
    refused(fn, "bad argument #1 to 'read' (phial.Variable expected, got a string)",
      function() entry:read "n" end)
    refused(fn, "bad argument #2 to 'read' (phial.Variable expected, got 1)",
      function() entry:read(var, 1) end)
    refused(fn, "bad argument #3 to 'read' (phial.Variable expected, got nil)",
      function() entry:read(var, var, nil) end)
    refused(fn, "bad argument #2 to 'write' (phial.Value expected, got nil)",
      function() entry:write(var, nil) end)
    refused(fn, "bad argument #1 to 'jump' (phial.Block expected, got i64 '%n')",
      function() entry:jump(n) end)
    refused(fn, "bad argument #1 to 'phi' (table expected, got nil)", function() entry:phi(nil) end)
  end)

  it("an instruction without a result is no operand", function()
    local fn, entry, n = subject()
    entry:call("print", nil, n)
    local call = entry:insts()[1]
    refused(fn, "bad argument #3 to 'call' (value expected, got 'call %n', which has no result)",
      function() entry:call("print", nil, call) end)
  end)

  it("an unknown op or type", function()
    local fn, entry, n = subject()
    refused(fn, "bad argument #1 to 'emit' (unknown op 'plus')", function() entry:emit("plus", n, 1) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'ad': did you mean 'add'?)",
      function() entry:emit("ad", n, 1) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'selcet': did you mean 'select'?)",
      function() entry:emit("selcet", n, 1) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'cons')", function() entry:emit("cons", 1) end)
    refused(fn, ("bad argument #1 to 'emit' (unknown op '%s')"):format(("a"):rep(100)),
      function() entry:emit(("a"):rep(100), n, 1) end)
    local D = phial.dialect("lua", { getfield = { args = 1, result = "any" } })
    refused(fn, "bad argument #1 to 'emit' (unknown op 'lua.getfield')",
      function() entry:emit("lua.getfield", n) end)
    entry:emit(D.getfield, n)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'lua.getfeild': did you mean 'lua.getfield'?)",
      function() entry:emit("lua.getfeild", n) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'getfield': did you mean 'lua.getfield'?)",
      function() entry:emit("getfield", n) end)
    refused(fn, "bad argument #1 to 'emit' (op expected (a name or an op of a dialect), got nil)",
      function() entry:emit(nil) end)
    refused(fn, "wrong number of arguments to 'emit' (at least 1 expected, got 0)", function() entry:emit() end)
    refused(fn, "bad argument #1 to 'emit' ('jump' has a method of its own: block:jump)",
      function() entry:emit("jump", entry) end)
    refused(fn, "bad argument #1 to 'emit' ('call' has a method of its own: block:call)",
      function() entry:emit("call", n, "i64") end)
    refused(fn, "bad argument #1 to 'emit' ('phi' has a method of its own: block:phi)",
      function() entry:emit("phi", n, n) end)
    refused(fn, "bad argument #1 to 'emit' ('const' is not an instruction)", function() entry:emit "const" end)
    refused(fn, "bad argument #2 to 'var' (unknown type 'i65')", function() fn:var("v", "i65") end)
    refused(fn, "bad argument #2 to 'var' (name of a type expected, got 64)", function() fn:var("v", 64) end)
    refused(fn, "bad argument #1 to 'undef' (unknown type '')", function() fn:undef "" end)
    refused(fn, "bad argument #2 to 'call' (unknown type 'int')",
      function() entry:call("print", "int", n) end)
    refused(fn, "bad argument #1 to 'call' (callee expected: a function or a name)",
      function() entry:call(nil, "i64") end)
  end)

  it("names, numbers and constants of the wrong kind", function()
    local fn = subject()
    refused(fn, "bad argument #1 to 'var' (string expected, got number)", function() fn:var(1) end)
    refused(fn, "bad argument #1 to 'block' (string expected, got number)", function() fn:block(2) end)
    refused(fn, "bad argument #2 to 'block' (number expected, got string)", function() fn:block("b", "2") end)
    refused(fn, "bad argument #2 to 'block' (integer expected, got 1.5)", function() fn:block("b", 1.5) end)
    refused(fn, "bad argument #2 to 'block' (-1 is not in 0 .. 2147483647)", function() fn:block("b", -1) end)
    refused(fn, "bad argument #1 to 'param' (6 is not in 1 .. 5)", function() fn:param(6) end)
    refused(fn, "bad argument #1 to 'arg' (0 is not in 1 .. 5)", function() fn:arg(0) end)
    refused(fn, "bad argument #1 to 'const' (nil is a constant of type any only)",
      function() fn:const(nil) end)
    refused(fn, "bad argument #1 to 'const' (constant expected, got a table)", function() fn:const {} end)
    refused(fn, "bad argument #1 to 'const' (i64 expected, got a string)",
      function() fn:const("1", "i64") end)
    refused(fn, "bad argument #1 to 'const' (4294967296 does not fit i32)",
      function() fn:const(1 << 32, "i32") end)
    refused(fn, "bad argument #1 to 'loc' (0 is not in 1 .. 4294967295)", function() fn:loc(0) end)
    local none = phial.fn("g")
    refused(none, "function 'g' has no parameters", function() none:arg(1) end)
  end)

  it("unknown options tell the known ones", function()
    local fn = subject()
    refused(nil, "bad argument #4 to 'phial.fn' (unknown option 'strickt'; there are: construction, "
      .. "type, copies, undef, strict, where, dialects, rules, log)",
      function() phial.fn("f", {}, nil, { strickt = true }) end)
    refused(fn, "bad argument #1 to 'finish' (unknown option '1'; there are: verify, strict)",
      function() fn:finish { true } end)
    refused(fn, "bad argument #1 to 'finish' (option 'verify': boolean expected, got string)",
      function() fn:finish { verify = "no" } end)
    refused(fn, "bad argument #1 to 'finish' (table expected, got boolean)", function() fn:finish(false) end)
    refused(fn, "bad argument #1 to 'text' (unknown option 'id'; there are: ids)",
      function() fn:text { id = "dense" } end)
    refused(fn, [[bad argument #1 to 'text' (option 'ids': "own" or "dense" expected, got short)]],
      function() fn:text { ids = "short" } end)
    refused(nil, "bad argument #2 to 'phial.parse' (unknown option 'dialect'; there are: dialects, file)",
      function() phial.parse("", { dialect = {} }) end)
  end)

  it("options of the wrong kind", function()
    local function with(opts) return phial.fn("f", {}, nil, opts) end
    refused(nil, "bad argument #4 to 'phial.fn' (table expected, got boolean)",
      function() phial.fn("f", {}, nil, true) end)
    refused(nil, [[bad argument #4 to 'phial.fn' (option 'construction': "marker" or "simple" expected, got scc)]],
      function() phial.fn("f", {}, nil, { construction = "scc" }) end)
    refused(nil, [[bad argument #4 to 'phial.fn' (option 'undef': "undef", "error" or a function expected, got 0)]],
      function() phial.fn("f", {}, nil, { undef = 0 }) end)
    refused(nil, [[bad argument #4 to 'phial.fn' (option 'where': true, false or "all" expected, got some)]],
      function() phial.fn("f", {}, nil, { where = "some" }) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'copies': boolean expected, got number)",
      function() phial.fn("f", {}, nil, { copies = 1 }) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'type': unknown type 'int')",
      function() phial.fn("f", {}, nil, { type = "int" }) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'rules': phial.Rules or false expected, got table)",
      function() phial.fn("f", {}, nil, { rules = {} }) end)
    refused(nil, "option 'dialects': a list of dialects expected",
      function() phial.fn("f", {}, nil, { dialects = { {} } }) end)
    assert.equal("f", with { rules = false, copies = true, strict = true, where = false }:name())
  end)

  it("malformed parameters", function()
    local message = "bad argument #2 to 'phial.fn' (%s)"
    for params, why in pairs {
      [{ "n:" }] = "parameter 1: unknown type ''",
      [{ "a", "n:int" }] = "parameter 2: unknown type 'int'",
      [{ ":i64" }] = "parameter 1 has no name",
      [{ "" }] = "parameter 1 has no name",
      [{ 1 }] = [[parameter 1: "name:type" expected, got number]],
      [{ n = "i64" }] = [[a list of parameters "name:type" expected]],
    } do
      refused(nil, message:format(why), function() phial.fn("f", params) end)
    end
    refused(nil, message:format "table expected, got string", function() phial.fn("f", "n:i64") end)
    refused(nil, "bad argument #3 to 'phial.fn' (unknown type 'void')",
      function() phial.fn("f", {}, "void") end)
    refused(nil, "bad argument #1 to 'phial.fn' (string expected, got table)",
      function() phial.fn { "n" } end)
  end)
end)

describe("emitters", function()
  it("want a function", function()
    refused(nil, "bad argument #1 to 'phial.emit.dot' (phial.Function expected, got nil)",
      function() phial.emit.dot() end)
    refused(nil, "bad argument #1 to 'phial.emit.text' (phial.Function expected, got string)",
      function() phial.emit.text "f" end)
    local fn = phial.fn "f"
    fn:close()
    refused(nil, "function 'f' is closed", function() local _ = phial.emit.dot(fn) end)
  end)
end)

describe("operators:", function()
  it("values have no order", function()
    local fn, entry, n, _, x = subject()
    fn:at(entry)
    local message = "values have no order in Lua, it would make a boolean of the result: use v:%s(w)"
    refused(fn, message:format "slt", function() return n < 1 end)
    refused(fn, message:format "slt", function() return n > n end)
    refused(fn, message:format "sle", function() return 1 <= n end)
    refused(fn, message:format "flt", function() return x < 1.5 end)
    refused(fn, message:format "fle", function() return 1.5 >= x end)
  end)

  it("have a meaning on some types only", function()
    local fn, entry, n, _, x, _, a = subject()
    fn:at(entry)
    refused(fn, "no '/' on i64 '%n': use v:sdiv(w) or v:udiv(w)", function() return n / 2 end)
    refused(fn, "no '//' on i64 '%n': use v:sdiv(w) or v:udiv(w)", function() return n // 2 end)
    refused(fn, "no '%' on i64 '%n': use v:srem(w) or v:urem(w)", function() return 2 % n end)
    refused(fn, "no '&' on f64 '%x'", function() return x & 1 end)
    refused(fn, "no '+' on any '%a'", function() return a + 1 end)
    refused(fn, "bad argument #2 to 'add' (value expected, got nil)", function() return n + nil end)
    refused(fn, "bad argument #2 to 'fadd' (f64 expected like argument #1, got i64 '%n')",
      function() return x + n end)
  end)
end)

describe("after finish:", function()
  local function finished()
    local fn, entry, n = subject()
    entry:ret()
    return fn:finish(), entry, n
  end

  it("nothing is made", function()
    local fn, entry, n = finished()
    local message = "function 'f' is finished: call fn:reopen() to change it"
    refused(fn, message, function() entry:add(n, 1) end)
    refused(fn, message, function() entry:read(fn:param(1)) end)
    refused(fn, message, function() entry:write(fn:param(1), 1) end)
    refused(fn, message, function() fn:block "b" end)
    refused(fn, message, function() entry:jump(entry) end)
    refused(fn, message, function() entry:seal() end)
    refused(fn, message, function() fn:finish() end)
  end)

  it("there is something to reopen, only", function()
    local fn = finished()
    fn:reopen()
    refused(fn, "function 'f' is not finished: there is nothing to reopen", function() fn:reopen() end)
  end)

  it("there is something to sweep, only", function()
    local fn = subject()
    refused(fn, "function 'f' is not finished: what nothing uses yet may be read still, "
      .. "so sweep after fn:finish()", function() fn:sweep() end)
  end)

  it("the text of an unfinished function makes one that stays so", function()
    local fn = subject()
    local again = assert(phial.parse(fn:text()))
    local message = "function 'f' was parsed from the text of an unfinished function: it can be read, not changed"
    refused(again, message, function() again:entry():ret() end)
    refused(again, message, function() again:block() end)
    refused(again, message, function() again:finish() end)
    refused(again, message, function() again:reopen() end)
  end)
end)

describe("the undef function:", function()
  local function with(undef)
    local fn = phial.fn("f", { "n:i64" }, "i64", { undef = undef })
    return fn, fn:entry(), fn:var "x"
  end

  it("is asked once for a variable", function()
    local asked = {}
    local fn, entry, x = with(function(var)
      asked[#asked + 1] = var
      return 7
    end)
    local y = fn:var "y"
    assert.equal(7, (entry:read(x):const()))
    assert.equal(7, (entry:read(x):const()))
    assert.equal(7, (entry:read(y):const()))
    assert.same({ x, y }, asked)
  end)

  it("may answer with an argument or a constant", function()
    local fn, entry, x
    fn, entry, x = with(function() return fn:arg(1) end)
    assert.equal(fn:arg(1), entry:read(x))
  end)

  it("is asked when sealing tells", function()
    local asked = 0
    local fn, entry, x = with(function() asked = asked + 1 return 3 end)
    local b = fn:block "b"
    local v = b:read(x)
    assert.equal("phi", v:op())
    entry:jump(b)
    assert.equal(0, asked)
    b:seal()
    assert.equal(3, (v:const()))
    b:ret(v)
    fn:finish()
    assert.equal(1, asked)
  end)

  it("must answer with something of the variable's type", function()
    for _, case in ipairs {
      { function() end, "nil" }, { function() return "1" end, "a string" }, { function() return 1.5 end, "1.5" },
      { function() return {} end, "a table" },
    } do
      local _, entry, x = with(case[1])
      local ok, err = pcall(function() return entry:read(x) end)
      assert.is_false(ok)
      assert.equal("the undef function must return a constant or an argument of type i64 for variable 'x', got "
        .. case[2], (err:gsub("^[^:]+:%d+: ", "")))
    end
  end)

  it("raises through the call, and is asked again", function()
    local fail = true
    local fn, entry, x = with(function(var)
      if fail then error { var = var } end
      return 7
    end)
    local done = fn:block("done", 1)
    local function failing(...)
      local ok, err = pcall(...)
      assert.is_false(ok)
      assert.equal(x, err.var)
    end
    failing(entry.read, entry, x)
    failing(entry.read, entry, x)
    failing(entry.jump, entry, done)
    assert.is_true(done:is_sealed())
    failing(done.ret, done, 0)
    failing(fn.finish, fn)
    fail = false
    fn:finish()
    assert(fn:verify())
  end)

  it("reads the function and does not change it", function()
    local fn, entry, x
    local message = "function 'f' is busy with a function of yours (undef, log or of a rule): it " ..
      "can be read, not changed"
    local errors, text = {}, nil
    fn, entry, x = with(function()
      local function note(f, ...) errors[#errors + 1] = select(2, pcall(f, ...)) end
      note(function() entry:add(1, 2) end)
      note(function() entry:read(x) end)
      note(function() fn:block "b" end)
      note(function() fn:finish() end)
      note(function() fn:var "v" end)
      note(function() fn:const(1) end)
      note(function() fn:close() end)
      note(function() getmetatable(fn).__close(fn) end)
      text = fn:text()
      return 0
    end)
    assert.equal(0, (entry:read(x):const()))
    assert.equal("fn f", text:sub(1, 4))
    assert.equal(8, #errors)
    for i, err in ipairs(errors) do
      err = err:gsub("^[^:]+:%d+: ", "")
      assert.equal(i < 7 and message or "the function is busy: it cannot be closed", err)
    end
  end)

  it("does not yield", function()
    local _, entry, x = with(function() coroutine.yield() end)
    local co = coroutine.create(function() return entry:read(x) end)
    local ok, err = coroutine.resume(co)
    assert.is_false(ok)
    assert.equal("attempt to yield across a C-call boundary", err)
  end)
end)

describe("dialects:", function()
  local D = phial.dialect("d", {
    op2 = { args = 2, result = "any", pure = true },
    typed = { args = { "t", "i64" }, result = "t" },
    br = { args = 1, terminator = true, targets = 2 },
    sw = { args = "*", terminator = true, targets = "*" },
    pair = { args = 1, result = "i64", results = 3 },
    use = { args = 1 },
  }, { "t" })

  it("check counts, types and targets", function()
    local fn, entry, n = subject()
    local t = fn:block "t"
    refused(fn, "wrong number of arguments to 'd.op2' (2 expected, got 1)",
      function() entry:emit(D.op2, n) end)
    refused(fn, "bad argument #1 to 'd.typed' (d.t expected, got i64 '%n')",
      function() entry:emit(D.typed, n, 1) end)
    refused(fn, "bad argument #1 to 'd.typed' (d.t expected, got 1)",
      function() entry:emit("d.typed", 1, 1) end)
    refused(fn, "'d.br' has 2 targets, got 1", function() entry:emit(D.br, n, { t }) end)
    refused(fn, "'d.br' has 2 targets, got 0", function() entry:emit(D.br, n) end)
    refused(fn, "bad argument #3 to 'emit' (target 2: phial.Block expected, got i64 '%n')",
      function() entry:emit(D.sw, n, { t, n }) end)
    refused(fn, "'d.br' has 2 targets, got 1", function() entry:emit(D.br, n, t) end)
    refused(fn, "wrong number of arguments to 'd.br' (1 expected, got 2)",
      function() entry:emit(D.br, n, n, t, t) end)
    refused(fn, "bad argument #4 to 'emit' (target 2: phial.Block expected, got i64 '%n')",
      function() entry:emit(D.br, n, t, n) end)
    refused(fn, "bad argument #3 to 'emit' (target 1: phial.Block expected, got nil)",
      function() entry:emit(D.br, n, nil, t) end)
    refused(fn, "bad argument #4 to 'emit' (targets are given before the table, too)",
      function() entry:emit(D.sw, n, t, { t }) end)
    refused(fn, "bad argument #3 to 'emit' (a list of targets, and data, expected)",
      function() entry:emit(D.sw, n, { t, name = t }) end)
    refused(fn, "bad argument #4 to 'emit' (unknown option 'datum'; there are: data)",
      function() entry:emit(D.op2, n, n, { datum = 1 }) end)
    refused(fn, "block 'entry' is the entry: 'entry' cannot become a predecessor of it",
      function() entry:emit(D.sw, { t, entry }) end)
    local a, b, c = entry:emit(D.pair, n)
    assert.equal("d.pair proj proj", table.concat({ a:op(), b:op(), c:op() }, " "))
    assert.same({ 2, 3 }, { b:data(), c:data() })
    refused(fn, ("bad argument #2 to 'proj' ('%s' has no result 4)"):format(a),
      function() entry:proj(a, 4, "i64") end)
    refused(fn, ("bad argument #3 to 'proj' (i64 expected like '%s', got f64)"):format(a),
      function() entry:proj(a, 2, "f64") end)
    assert.equal(0, select("#", entry:emit(D.use, n)))
  end)

  it("describe their ops well", function()
    for spec, why in pairs {
      [{ arg = 1 }] = "unknown field 'arg'; there are: args, result, pure, commutative, effect, "
        .. "terminator, targets, results, cost, eval",
      [{ args = -1 }] = 'args: a number, a list of types or "*" expected',
      [{ args = { "int" } }] = "unknown type 'int'",
      [{ result = 1 }] = "unknown type '1'",
      [{ pure = 1 }] = "pure: boolean expected, got number",
      [{ pure = true, effect = true }] = "pure, and with an effect",
      [{ commutative = true }] = "commutative, but not of two args",
      [{ targets = 2 }] = "targets, but no terminator",
      [{ terminator = true, result = "i64" }] = "a terminator is not pure and has no result",
      [{ results = 2 }] = "results: a number from 1 on expected, next to result",
      [{ eval = 1 }] = "eval: function expected",
    } do
      refused(nil, ("bad argument #2 to 'phial.dialect' (op 'x': %s)"):format(why),
        function() phial.dialect("e", { x = spec }) end)
    end
    refused(nil, "bad argument #1 to 'phial.dialect' ('a b' is not a name)",
      function() phial.dialect("a b", {}) end)
    refused(nil, "bad argument #2 to 'phial.dialect' (names of ops with their descriptions expected)",
      function() phial.dialect("e", { ["a b"] = {} }) end)
    refused(nil, "bad argument #3 to 'phial.dialect' (type 'i64' exists already)",
      function() phial.dialect("e", {}, { "i64" }) end)
  end)

  it("have different names in one function", function()
    local fn = phial.fn("f", {}, nil, { dialects = { D } })
    local other = phial.dialect("d", { nop = {} })
    refused(fn, "another dialect named 'd' is attached already", function() fn:entry():emit(other.nop) end)
  end)
end)

describe("bad text", function()
  it("is answered with its line and column", function()
    local fn, why = phial.parse("fn f() {\nentry:\n  rat\n}\n")
    assert.is_nil(fn)
    assert.equal("3:3: ", why:sub(1, 5))
    fn, why = phial.parse("fn", { file = "x.phial" })
    assert.is_nil(fn)
    assert.equal("x.phial:1:3: ", why:sub(1, 13))
  end)
end)
