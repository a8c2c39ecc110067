-- What blocks refuse: terminators, edges, sealing, phis by hand.
local bad_argument = require "spec.support.bad_argument"
local here = require "spec.support.here"
local phial = require "phial"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

describe("a block refuses", function()
  it("what comes after its terminator", function()
    local fn, entry, n = subject()
    local out = fn:block "out"
    entry:jump(out) local at = here()
    local message = ("block 'entry' already ends with 'jump out' (at %s): nothing can be "
      .. "added after it (if its operands have led to another block, emit by the methods of fn: "
      .. "see fn:set_current)"):format(at)
    refused(fn, message, function() entry:add(n, 1) end)
    refused(fn, message, function() entry:jump(out) end)
    refused(fn, message, function() entry:write(fn:param(1), 3) end)
    refused(fn, message, function() entry:ret() end)
    refused(fn, message, function() entry:call("print", nil, n) end)
    refused(fn, message, function() entry:switch(n, out, {}) end)
    assert.is_true(entry:is_filled())
    assert.is_false(entry:jump_if_open(out))
    assert.equal(n, entry:read(fn:param(1)))
  end)

  it("a predecessor when it is sealed", function()
    local fn, entry, _, c = subject()
    local head, body = fn:block "head", fn:block "body"
    entry:jump(head)
    head:seal() local at = here()
    head:branch(c, body, body)
    refused(fn, ("block 'head' is sealed (at %s): 'body' cannot become a predecessor of it"):format(at),
      function() body:jump(head) end)
  end)

  it("a phi by hand that does not match its predecessors", function()
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
    local join = fn:block("join", 2) local at = here()
    local a, b = fn:block "a", fn:block "b"
    entry:branch(c, a, b)
    local message = "block 'join' was made for 2 predecessors (at %s): the edge from '%s' is one too many"
    refused(fn, message:format(at, "a"), function() a:switch(n, join, { join, join }) end)
    a:branch(c, join, join)
    assert.is_true(join:is_sealed())
    refused(fn, message:format(at, "b"), function() b:jump(join) end)
    local dead = fn:block("dead", 0)
    refused(fn, message:format(at, "dead"), function() dead:jump(join) end)
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
    b:seal() local at = here()
    refused(fn, ("block 'b' is already sealed (at %s): seal it once, when no more predecessors will come")
      :format(at), function() b:seal() end)
    refused(fn, "block 'entry' is already sealed: the entry always is", function() entry:seal() end)
    local join = fn:block("join", 1)
    entry:jump(join) at = here()
    refused(fn, ("block 'join' is already sealed (at %s): made with a number of predecessors, it seals itself")
      :format(at), function() join:seal() end)
  end)

  it("a switch has distinct integer keys and blocks", function()
    local fn, entry, n, c, x, b = subject()
    local t = fn:block "t"
    local bad = bad_argument(fn, entry)
    bad("switch", 3, "integer keys expected, got a string", n, t, { a = t })
    bad("switch", 3, "integer keys expected, got 1.5", n, t, { [1.5] = t })
    bad("switch", 3, "key 300 does not fit i8", b, t, { [300] = t })
    bad("switch", 3, "keys -1 and 255 are the same i8", b, t, { [255] = t, [-1] = t })
    bad("switch", 3, "keys -1 and 1 are the same i1", c, t, { [1] = t, [-1] = t })
    bad("switch", 3, "key 1: phial.Block expected, got i64 '%n'", n, t, { n })
    bad("switch", 3, "table expected, got phial.Block", n, t, t)
    bad("switch", 2, "phial.Block expected, got a table", n, {}, {})
    bad("switch", 1, "integer expected, got f64 '%x'", x, t, {})
    bad("switch", 1, "integer expected, got 1.5", 1.5, t, {})
    entry:switch(b, t, { [200] = t, [0] = t, [-3] = t })
    local keys = {}
    for i, k in ipairs(entry:insts()[1]:args()) do keys[i] = tostring(k) end
    assert.equal("%b, -56:i8, -3:i8, 0:i8", table.concat(keys, ", "))
  end)

  it("branch and ret want what they want", function()
    local fn, entry, n, c = subject({}, "i64")
    local t = fn:block "t"
    local bad = bad_argument(fn, entry)
    bad("branch", 1, "i1 expected, got i64 '%n'", n, t, t)
    bad("branch", 1, "2 does not fit i1", 2, t, t)
    bad("branch", 2, "phial.Block expected, got nil", c, nil, t)
    refused(fn, "function 'f' returns i64: 'ret' needs a value", function() entry:ret() end)
    bad("ret", 1, "i64 expected, got i1 '%c'", c)
    bad("ret", 1, "i64 expected, got true", true)
    local void, first = subject()
    refused(void, "function 'f' returns nothing: 'ret' takes no value", function() first:ret(1) end)
  end)
end)

describe("a condition that is a Lua boolean", function()
  local function message(method, value)
    return ("bad argument #1 to '%s' (value expected, got %s: '==' between handles gives a boolean, "
      .. "use v:eq(w); the constant is fn:const(%s))"):format(method, value, value)
  end

  it("is refused by branch and switch, of blocks and cursors", function()
    local fn, entry, n, c = subject()
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
    local fn, entry = subject()
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
