-- R:explain takes only instructions that can exist, and says that a rule applies
-- only if it would.
local phial = require "phial"
local refused = require "spec.support.refused"

local D = phial.dialect("m", {
  neg = { args = { "i64" }, result = "i64", pure = true },
  br = { args = 1, terminator = true, targets = 2 },
  go = { args = 1, terminator = true, targets = "*" },
  stop = { args = 1, terminator = true },
})

local R = phial.rules():attach(D):add([[
  not:  branch(~c, T, F) => branch(c, F, T)
  same: branch(_, T, T)  => jump(T)
  one:  switch(x, D, K, T) => branch(x == K, T, D) @ unoriented, always
  both: m.br(_, T, T) => jump(T)
  neg:  x + 0 => m.neg(x) @ unoriented, always
]], nil, "r")

local function start(dialects)
  local fn = phial.fn("f", { "x:i64", "c:i1" }, nil, { rules = false, dialects = dialects })
  return fn, fn:arg(1), fn:arg(2), fn:block "t", fn:block "e", fn:block "g"
end

describe("R:explain of a terminator", function()
  it("wants as many targets as it has", function()
    local fn, x, c, t, e, g = start { D }
    local nc = fn:entry():bnot(c)
    refused(fn, "'branch' has 2 targets, got 0", function() R:explain(fn, "branch", nc) end)
    refused(fn, "'branch' has 2 targets, got 1", function() R:explain(fn, "branch", nc, t) end)
    local more = "'branch' has 2 targets, got 3"
    refused(fn, more, function() R:explain(fn, "branch", nc, t, e, g) end)
    refused(fn, more, function() R:explain(fn, "branch", c, t, t, g) end)
    refused(fn, "'jump' has 1 target, got 0", function() R:explain(fn, "jump") end)
    refused(fn, "'jump' has 1 target, got 2", function() R:explain(fn, "jump", t, e) end)
    refused(fn, "'switch' has 1 target, got 0", function() R:explain(fn, "switch", x) end)
    refused(fn, "'switch' has 2 targets, got 1", function() R:explain(fn, "switch", x, 1, t) end)
    refused(fn, "'switch' has 2 targets, got 3",
      function() R:explain(fn, "switch", x, 1, t, e, g) end)
    refused(fn, "'ret' has 0 targets, got 1", function() R:explain(fn, "ret", t) end)
    refused(fn, "'unreachable' has 0 targets, got 1",
      function() R:explain(fn, "unreachable", t) end)
    refused(fn, "'m.br' has 2 targets, got 0", function() R:explain(fn, D.br, x) end)
    refused(fn, "'m.br' has 2 targets, got 1", function() R:explain(fn, "m.br", x, t) end)
    refused(fn, "'m.br' has 2 targets, got 3", function() R:explain(fn, D.br, x, t, e, g) end)
    refused(fn, "'m.stop' has 0 targets, got 1", function() R:explain(fn, D.stop, x, t) end)
    assert.equal("m.go %x, t, e, g: no rule is about it", R:explain(fn, D.go, x, t, e, g))
    assert.equal("branch %c, t, e:\n  not: operand 1 (%c) is not 'bnot'\n"
      .. "  same: the targets differ", R:explain(fn, "branch", c, t, e))
    assert.equal("switch %x, 1, t, e:\n  one: applies", R:explain(fn, "switch", x, 1, t, e))
  end)
end)

describe("R:explain of another instruction", function()
  it("wants an alloca that can be", function()
    local fn, x = start { D }
    for _, args in ipairs { { x, x }, { 8, 3 }, { 0, 8 }, { 8, x } } do
      refused(fn, "no 'alloca' has such operands: its size, from 1 to 1073741824, and its "
        .. "alignment, a power of two up to 4096, are constants",
        function() R:explain(fn, "alloca", table.unpack(args)) end)
    end
    assert.equal("alloca 8, 8: no rule is about it", R:explain(fn, "alloca", 8, 8))
  end)

  it("wants no targets", function()
    local fn, x, _, t = start { D }
    refused(fn, "'add' has 0 targets, got 1", function() R:explain(fn, "add", x, 0, t) end)
    refused(fn, "'m.neg' has 0 targets, got 1", function() R:explain(fn, D.neg, x, t) end)
  end)
end)

describe("R:explain of a rule whose result needs a dialect", function()
  it("tells that the function does not have it", function()
    local fn, x = start()
    assert.equal("add %x, 0:\n  neg: its result needs the dialect 'm', " ..
      "which function 'f' does not have", R:explain(fn, "add", x, 0))
    local with, y = start { D }
    assert.equal("add %x, 0:\n  neg: applies", R:explain(with, "add", y, 0))
  end)

  it("says so because it does not apply", function()
    local S = phial.rules()
    local fn = phial.fn("f", { "x:i64" }, nil, { rules = S })
    S:attach(D):add "neg: x + 0 => m.neg(x) @ unoriented, always"
    assert.matches("^add %%x, 0:\n  neg: its result needs the dialect 'm',",
      S:explain(fn, "add", fn:arg(1), 0))
    assert.equal("add", fn:entry():add(fn:arg(1), 0):op())
  end)
end)

describe("R:explain of a rule whose result cannot be made", function()
  it("tells of an expression without a value", function()
    local S = phial.rules "div: x * C => x * sdiv(6, C) @ unsafe \"a spec\", unoriented"
    local fn, x = start()
    assert.equal("mul %x, 0:\n  div: an expression of its result has no value",
      S:explain(fn, "mul", x, 0))
    assert.equal("mul %x, 3:\n  div: applies", S:explain(fn, "mul", x, 3))
  end)

  it("tells of an instruction that must exist already", function()
    local S = phial.rules "known: x - C => !(x + -C)"
    local fn, x = start()
    assert.equal("sub %x, 3:\n  known: applies, if what it marks with '!' exists already",
      S:explain(fn, "sub", x, 3))
  end)
end)

describe("R:explain of what exists", function()
  local E = phial.dialect("e", { k = { args = { "i64" }, result = "i64", pure = true } })
  local S = phial.rules():attach(E):add([[
    two:  (x + 1) * y => x * y + y @ unoriented
    one:  once(x + 1) * 3 => x * 3 @ unsafe "an example"
    keys: e.k(e.k(x)) => x
    bad:  x - y => 0 if $bad(x)
    late: x + 1 => x @ late, unsafe "an example"
    turn: branch(~c, T, F) => branch(c, F, T)
  ]], { bad = function() error("no", 0) end }, "s")

  local function start_with(opts)
    opts.dialects, opts.rules = { E }, false
    local fn = phial.fn("f", { "x:i64", "y:i64" }, "i64", opts)
    return fn, fn:entry(), fn:arg(1), fn:arg(2)
  end

  it("does not count its own use, nor what is other than it is", function()
    local fn, b, x, y = start_with {}
    local sum = b:add(x, 1)
    local product = b:mul(sum, 3)
    assert.equal("mul %4, 3:\n  one: applies\n  two: applies", S:explain(product))
    assert.matches("one: operand 1 %(%%4%) has other uses\n", S:explain(fn, "mul", sum, 3))
    b:ret(b:mul(product, y))
    assert.equal("add %x, 1:\n  late: it is '@ late': it applies in finish only", S:explain(sum))
    fn:finish()
    assert.equal("add %x, 1:\n  late: applies", S:explain(sum, "late"))
    assert.equal("ret %7: no rule is about it", S:explain(b:terminator()))
  end)

  it("counts instructions", function()
    local _, b, x, y = start_with {}
    local sum = b:add(x, 1)
    local product = b:mul(sum, y)
    b:ret(b:add(product, sum))
    assert.equal("mul %4, %y:\n  two: its result is 2 instructions, so 1 of the 1 that its pattern "
      .. "takes apart must have no other use, and 0 are so; '@ always' does not count them",
      S:explain(product, "two"))
  end)

  it("tells data, and the rule whose guard fails", function()
    local fn, b, x, y = start_with {}
    local one = b:emit(E.k, x, { data = 7 })
    assert.equal("e.k %3:\n  keys: operand 1 (%3) has data, of which its pattern says nothing",
      S:explain(b:emit(E.k, one)))
    assert.equal("e.k %x: it has data, of which patterns say nothing", S:explain(one))
    local T
    T = phial.rules("text: x + 3 => x if $f(x)", { f = function() return T:text() end })
    assert.equal("add %x, 3:\n  text: applies", T:explain(fn, "add", x, 3))
    for _, args in ipairs { { b:sub(x, y) }, { fn, "sub", x, y } } do
      local ok, why = pcall(S.explain, S, table.unpack(args))
      assert.same({ false, "rule 'bad' (s:4): no" }, { ok, why })
    end
  end)

  it("takes terminators, and names of rules", function()
    local fn = phial.fn("f", { "c:i1" }, nil, { rules = false })
    local b, c, t, e = fn:entry(), fn:arg(1), fn:block "t", fn:block "e"
    b:branch(b:bnot(c), t, e)
    assert.equal("branch %2, t, e:\n  turn: applies", S:explain(b:terminator()))
    refused(nil, "bad argument #2 to 'explain' (there is no rule 'none')",
      function() S:explain(b:terminator(), "none") end)
    local it = "phial.Function or phial.Value expected, got number"
    refused(nil, ("bad argument #1 to 'explain' (%s)"):format(it), function() S:explain(1) end)
  end)
end)
