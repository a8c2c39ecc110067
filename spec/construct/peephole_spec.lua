-- Emitted instructions are folded, canonicalized, rewritten and merged.
local assert = require "spec.support.assert"
local golden = require "spec.support.golden"
local ops = require "spec.support.ops"
local phial = require "phial"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

describe("simplifying", function()
  for name, check in golden.each("spec/golden/construct/peephole", golden.built) do
    it(name, check)
  end
end)

-- A function that simplifies, with these parameters, and its entry.
local function start(params, opts)
  opts = opts or {}
  opts.rules = opts.rules or phial.rules()
  local fn = phial.fn("f", params, nil, opts)
  return fn, fn:entry()
end

--
-- {== Folding =========================================================
--

local WIDTH = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64, ptr = 64 }

local function samples(type)
  if type == "i1" then return { false, true } end
  local width = WIDTH[type]
  if not width then
    return { 0.0, -0.0, 1.0, -1.5, 2.5, 0.1, 127.5, -128.5, 255.9, 1e10, -2.0 ^ 31, 2.0 ^ 31,
      -2.0 ^ 63, 2.0 ^ 63, 2.0 ^ 64, -0.75, 1 / 0, -1 / 0, 0 / 0, type == "f64" and 1e308 or 3e38 }
  end
  local least = -1 << width - 1
  return { 0, 1, 2, 3, 7, width - 1, -1, -2, -7, least, least + 1, ~least, ~least - 1 }
end

-- Folds op on constants in every combination of samples.
local function check_op(op, types, result, said)
  local fn, entry = start {}
  local function each(i, consts, plain)
    if i <= #types then
      for _, x in ipairs(samples(types[i])) do
        x = types[i] == "f32" and string.unpack("<f", string.pack("<f", x)) or x
        consts[i], plain[i] = fn:const(x, types[i]), x
        each(i + 1, consts, plain)
      end
      return
    end
    consts[#types + 1] = said
    local v = entry:emit(op, table.unpack(consts))
    local kind = { type = result, from = types[1] }
    local ok, expected = pcall(semantics.op, op, kind, table.unpack(plain, 1, #types))
    if not ok then
      assert(expected.trap, expected)
      assert.equal(op, v:op())
    else
      assert(v:op() == "const", op .. " is not folded: src/core/ir/opeval.c")
      if not results.same(expected, (v:const())) then
        error(("%s on %s: %s, not %s"):format(op, table.concat(types, " "), v:const(), expected))
      end
    end
  end
  each(1, {}, {})
end

describe("a terminator", function()
  local D = phial.dialect("t", {
    go = { args = 1, terminator = true, targets = "*" },
    stop = { args = 1, terminator = true },
  })
  local R = phial.rules():attach(D):add "stop: t.stop(~~x) => t.stop(x)\none: t.go(_, T) => jump(T)"

  it("of a dialect is simplified by the rules about its op", function()
    local fn = phial.fn("f", { "x" }, nil, { rules = R, dialects = { D } })
    local b, x, next_block = fn:entry(), fn:arg(1), fn:block "next"
    b:emit(D.go, x, next_block)
    assert.equal("jump", b:terminator():op())
    next_block:seal()
    next_block:emit(D.stop, next_block:bnot(next_block:bnot(x)))
    assert.same({ x }, next_block:terminator():args())
  end)

  it("of a dialect can have many targets", function()
    local fn = phial.fn("f", { "x" }, nil, { rules = R, dialects = { D } })
    local targets = {}
    for i = 1, 20 do targets[i] = fn:block() end
    fn:entry():emit(D.go, fn:arg(1), table.unpack(targets))
    assert.same(targets, fn:entry():succs())
  end)
end)

describe("folding", function()
  for _, row in ipairs(ops.all) do
    it("knows " .. row.name, function() ops.each_form(row, check_op) end)
  end

  it("leaves a trap where it is", function()
    local _, entry = start {}
    assert.equal("sdiv", entry:sdiv(1, 0):op())
    assert.equal("ftoi", entry:ftoi(0 / 0, "i32"):op())
  end)

  it("leaves what is no number", function()
    local fn, entry = start {}
    assert.equal("bitcast", entry:bitcast(fn:const("x", "any"), "any"):op())
    assert.equal("select", entry:select(fn:undef "i1", 1, 2):op())
  end)
end)

-- }== Order ===========================================================

describe("operands", function()
  it("have constants right, else what commutes the older value, compares the less", function()
    local fn, entry = start { "a", "b" }
    local a, b = fn:arg(1), fn:arg(2)
    assert.same({ b, a }, entry:add(a, b):args())
    assert.same({ a, fn:const(3) }, entry:mul(3, a):args())
    local less = entry:sgt(b, a)
    assert.equal("slt", less:op())
    assert.same({ a, b }, less:args())
    assert.equal(less, entry:slt(a, b))
    assert.equal("sgt", entry:slt(5, a):op())
    assert.same({ a, b }, entry:sub(a, b):args())
  end)
end)

-- }== Merging =========================================================

describe("equal values", function()
  it("differ by type, op, operands and data", function()
    local D = phial.dialect("d", { get = { args = { "i64" }, result = "i64", pure = true } })
    local fn, entry = start({ "a" }, { dialects = { D } })
    local a = fn:arg(1)
    assert.equal(entry:trunc(a, "i8"), entry:trunc(a, "i8"))
    assert.not_equal(entry:trunc(a, "i8"), entry:trunc(a, "i16"))
    local x = entry:emit(D.get, a, { data = "x" })
    assert.equal(x, entry:emit(D.get, a, { data = "x" }))
    assert.not_equal(x, entry:emit(D.get, a, { data = "y" }))
    assert.equal("x", x:data())
  end)

  it("are what a result that makes nothing looks for", function()
    local fn, entry = start({ "a" }, { rules = phial.rules "known: x - C => !(x + -C)" })
    assert.equal("sub", entry:sub(fn:arg(1), 3):op())
    local sum = entry:add(fn:arg(1), -4)
    assert.equal(sum, entry:sub(fn:arg(1), 4))
  end)

  it("are found among many", function()
    local fn, entry = start { "i64" }
    local made = {}
    for i = 1, 100 do made[i] = entry:mul(fn:arg(1), 1001 + 2 * i) end
    for i = 1, 100 do assert.equal(made[i], entry:mul(fn:arg(1), 1001 + 2 * i)) end
  end)

  it("may be divisions: the second one does not trap", function()
    local fn, entry = start { "a", "b" }
    assert.equal(entry:sdiv(fn:arg(1), fn:arg(2)), entry:sdiv(fn:arg(1), fn:arg(2)))
  end)

  it("are not looked for over an unsealed block", function()
    local fn, entry = start { "a" }
    local next = fn:block()
    local v = entry:neg(fn:arg(1))
    entry:jump(next)
    local w = next:neg(fn:arg(1))
    assert.not_equal(v, w)
    next:ret()
    fn:finish()
    assert.equal(v, w)
  end)

  it("are not looked for among blocks into which has only been emitted", function()
    local fn = phial.fn("f", { "x:i64" }, "i64")
    local x, var, first, last = fn:arg(1), fn:var "v", fn:block "first", nil
    first:read(var)
    for _ = 1, 1000 do last = fn:block() end
    assert.not_equal(last:mul(x, 77), first:mul(x, 77))
  end)

  it("keep the copies that writes make", function()
    local fn, entry = start({ "a" }, { copies = true })
    local x = fn:var "x"
    assert.not_equal(entry:write(x, fn:arg(1)), entry:write(x, fn:arg(1)))
    entry:ret()
    fn:finish()
    assert.equal(3, fn:stats().values - 1)
  end)
end)

-- }== Phis by hand ====================================================

describe("a phi by hand", function()
  local function fork(cond)
    local fn, entry = start { "a" }
    local left, right, join = fn:block("left", 1), fn:block("right", 1), fn:block("join", 2)
    if type(cond) == "boolean" then cond = fn:const(cond) end
    entry:branch(cond, left, right)
    local x, y = left:neg(fn:arg(1)), right:bnot(fn:arg(1))
    left:jump(join)
    right:jump(join)
    return fn, join:phi { [left] = x, [right] = y }, x, y
  end

  it("has no operand for an edge that is folded away", function()
    local _, phi, x = fork(true)
    assert.equal(x, phi)
    local _, again, _, y = fork(false)
    assert.equal(y, again)
  end)

  it("is undef where all edges are folded away", function()
    local fn, entry = start {}
    local left, right, other = fn:block("left", 1), fn:block("right", 1), fn:block("other", 1)
    local join = fn:block("join", 2)
    entry:branch(fn:const(true), other, left)
    left:jump(join)
    entry = other
    entry:branch(fn:const(false), right, fn:block("end", 1))
    right:jump(join)
    assert.equal("undef", join:phi({ [left] = 1, [right] = 2 }):op())
  end)

  it("may have operands for several edges of a block that are folded away", function()
    local fn, entry = start { "c:i1" }
    local other, a, b = fn:block("other", 1), fn:block("a", 2), fn:block("b", 2)
    entry:switch(fn:const(7), other, { a, b })
    other:branch(fn:arg(1), a, b)
    for _, join in ipairs { a, b } do
      assert.equal(5, (join:phi { [entry] = 4, [other] = 5 }:const()))
    end
  end)

  it("is refused for other blocks, also when the function is reopened", function()
    local fn, entry = start {}
    local other, join = fn:block "other", fn:block("join", 1)
    local function check()
      assert.error_matches(function() join:phi { [entry] = 1, [join] = 2 } end,
        "phi in block 'join': 'join' is not a predecessor of it")
    end
    entry:jump(join)
    check()
    join:ret()
    other:ret()
    fn:finish()
    fn:reopen()
    check()
  end)
end)

-- }== Later ===========================================================

describe("finish", function()
  -- A block after a jump whose read of `var` is found to be `value` when it is sealed.
  local function behind_phi(fn, var, value)
    local head = fn:block "head"
    fn:entry():write(var, value)
    fn:entry():jump(head)
    return head, head:read(var)
  end

  it("looks again at what was emitted against a phi that has gone", function()
    local fn, entry = start({ "a" }, { rules = phial.rules "int" })
    local a = fn:param(1)
    local head, done = fn:block "head", fn:block("done", 1)
    entry:jump(head)
    local zero = head:sub(head:read(a), fn:arg(1))
    head:branch(head:slt(1, zero), head, done)
    local sum = done:add(zero, 5)
    done:ret()
    assert.equal("add", sum:op())
    fn:finish()
    assert.equal("const", sum:op())
    assert.equal(5, (sum:now():const()))
    assert.same({ done }, head:succs())
    assert(fn:verify())
  end)

  it("tells the log what it has simplified", function()
    local told = {}
    local fn, entry = start({ "a" }, { rules = phial.rules "int", log = function(e)
      if e.event == "rule" or e.event == "simplified" then told[#told + 1] = e end
    end })
    local a = fn:param(1)
    local next = fn:block()
    entry:jump(next)
    local v = next:sub(next:read(a), fn:arg(1))
    next:write(a, v)
    next:ret()
    fn:finish()
    assert.equal(2, #told)
    assert.equal("rule", told[1].event)
    assert.equal(next, told[1].block)
    assert.equal("simplified", told[2].event)
    assert.equal(0, (told[2].by:const()))
  end)

  it("tells the log of phis that have become trivial", function()
    local told = {}
    local fn = start({ "a", "c:i1" }, { rules = phial.rules "int", log = function(e)
      if e.event == "trivial" then told[#told + 1] = e end
    end })
    local v, head, zero = fn:var "v", behind_phi(fn, fn:var "zero", 0)
    local left, done = fn:block("left", 1), fn:block "done"
    head:write(v, head:add(fn:arg(1), zero))
    head:branch(fn:arg(2), left, done)
    left:write(v, fn:arg(1))
    left:jump(done)
    done:seal()
    local phi = done:read(v)
    local id = phi:id()
    done:call("g", nil, phi)
    done:ret()
    fn:finish()
    local last = told[#told]
    assert.same({ done, id, fn:arg(1) }, { last.block, last.value_id, last.by })
  end)

  it("counts what it finds", function()
    local fn, entry = start({ "a" }, { rules = phial.rules "int" })
    local a = fn:param(1)
    local next = fn:block()
    entry:add(entry:add(fn:arg(1), 1), 2)
    entry:add(fn:const(1), 2)
    entry:jump(next)
    next:sub(next:read(a), fn:arg(1))
    next:add(fn:arg(1), 3)
    next:ret()
    fn:finish()
    local s = fn:stats()
    assert.same({ 1, 1, 0, 0, 1, 1, 0 }, { s.applied, s.folded, s.merged, s.late_folded,
      s.late_applied, s.late_merged, s.exhausted })
  end)

  it("removes phis that only a folded edge needed", function()
    local fn, entry = start({ "a", "c:i1" }, { rules = phial.rules() })
    local a, c = table.unpack(fn:params())
    local flag, x = fn:var("flag", "i1"), fn:var "x"
    local left, right, mid = fn:block("left", 1), fn:block("right", 1), fn:block("mid", 2)
    local head, body, done = fn:block "head", fn:block("body", 1), fn:block("done", 2)
    local extra = fn:block("extra", 1)
    entry:write(flag, true)
    entry:branch(entry:read(c), left, right)
    left:write(x, 1)
    left:jump(mid)
    right:write(x, 2)
    right:jump(mid)
    mid:jump(head)
    head:branch(head:read(flag), body, extra)
    body:write(x, 7)
    body:jump(done)
    extra:jump(done)
    done:call("show", false, done:read(x), done:read(a))
    done:ret()
    fn:finish()
    assert(fn:is_pruned())
    assert(fn:verify())
    assert.equal(0, fn:stats().phis)
  end)

  it("makes a switch anew of which only the order of keys changes", function()
    local fn, entry = start({ "x" }, { rules = phial.rules [[
      turn: switch(x, D, J, T, K, T) => switch(x, D, K, T, J, T) if J < K @ late, unoriented
    ]] })
    local one, other = fn:block("one", 2), fn:block("other", 1)
    entry:switch(fn:arg(1), other, { one, one })
    one:ret()
    other:ret()
    fn:finish()
    assert.matches("switch %%x, other %[2: one, 1: one%]", fn:text())
  end)

  -- The number of products of x * (y + z) in the head of a loop that changes z, after a late
  -- rule has made `sum` of it.
  local function products(sum, rule, condition, change)
    local fn, entry = start({ "x", "y" }, { rules = phial.rules(([[
      distribute: x * (y + z) => %s @ late, unoriented, always
      %s @ late]]):format(sum, rule)) })
    local x, y, z, zero = fn:arg(1), fn:arg(2), fn:var "z", fn:var "zero"
    local head, body, done = fn:block "head", fn:block("body", 1), fn:block("done", 1)
    entry:write(z, y, zero, 0)
    entry:jump(head)
    local product = head:mul(x, head:add(y, z))
    head:branch(condition(head, x), body, done)
    body:write(z, change(body, x, y, zero))
    body:jump(head)
    head:seal()
    done:call("show", false, product)
    done:ret()
    fn:finish()
    return select(2, fn:text():gsub("= mul", ""))
  end

  -- The phi of z goes when the walk is past what the rule has made.
  it("merges values that one rule has made, in either order, when they become equal", function()
    for _, sum in ipairs { "x * y + x * z", "x * z + x * y", "(x * z ~ 5) + x * y" } do
      assert.equal(1, products(sum, "decide: (x - 77) < 3 => false",
        function(head, x) return head:slt(head:sub(x, 77), 3) end,
        function(body, x) return body:call("g", "i64", x) end))
    end
  end)

  -- No further round follows, since no edge goes and nothing else changes.
  it("merges them in the same round, and at once where a result has a value twice", function()
    for _, sum in ipairs { "x * y + x * z", "x * z + x * y", "(x * z ~ 5) + x * y",
      "(x * 3 ~ 5) + x * 3" } do
      assert.equal(1, products(sum, "same: x - 0 => x",
        function(head, x) return head:slt(x, 3) end,
        function(body, _, y, zero) return body:sub(y, zero) end))
    end
  end)

  -- x and y are always equal, then z and w, of which only y and w are computed with.
  local function twins(opts)
    return phial.build("f", { "a", "b", "c:i1" }, "i64", opts, function(b, v)
      v.x, v.y = v.a, v.a
      b:if_(v.c, function() v.x, v.y = v.b, v.b end)
      v.z, v.w = v.x, v.y
      b:if_(v.a:slt(3), function() v.z, v.w = 3, 3 end)
      b:ret((v.x ~ v.y) + v.z * v.w)
    end)
  end

  it("merges phis of a block with the same operands", function()
    local fn = twins {}
    assert.same({ 2, 2 }, { fn:stats().phis, fn:stats().late_merged })
    assert.equal(16, fn(4, 5, false))
    assert.is_nil(fn:text():find "bxor")
  end)

  -- A branch on x, and a switch of it.
  local function ending(rules, functions)
    local fn = phial.fn("f", { "x:i64" }, "i64", { rules = phial.rules(rules, functions) })
    local entry, a, b, c = fn:entry(), fn:block "a", fn:block "b", fn:block "c"
    local d, x = fn:block "d", fn:arg(1)
    entry:branch(entry:slt(x, 5), a, b)
    a:switch(x, b, { [1] = c, [2] = d })
    b:ret(2)
    c:ret(3)
    d:ret(d:add(x, 4))
    return fn
  end

  it("makes no terminator that needs another edge", function()
    local fn = ending "branch(x < 5, A, B) => branch(x < 4, A, A) @ late, unoriented, always"
    fn:finish()
    assert.matches("branch %%%d+, a, b", fn:text())
  end)

  it("lets a switch lose cases, and drops the blocks after them", function()
    local fn = ending "switch(x, A, 1, B, 2, C) => switch(x, A, 1, B) @ late, unoriented"
    fn:finish()
    assert.matches("switch %%x, b %[1: c%]", fn:text())
    assert.is_nil(fn:find "d")
  end)

  it("exchanges targets that only a guard tells apart", function()
    local asked
    local fn = ending("branch(c, A, B) => branch(c, B, A) if $once(c) @ late, unoriented", {
      once = function()
        local first = not asked
        asked = true
        return first
      end })
    fn:finish()
    assert.matches("branch %%%d+, b, a", fn:text())
  end)

  it("ends when a callback fails in a block or its terminator, and can be repeated", function()
    for _, rule in ipairs {
      "branch(c, A, B) => branch(c, B, A) if $may(c) @ late, unoriented",
      "x < C => x <= C if $may(x) @ late, unoriented",
      "x < C => $may(x) @ late",
    } do
      local fails = true
      local fn = ending(rule, { may = function(b, x)
        if fails and x then b:mul(x, 77) end
        if fails then error("not now", 0) end
      end })
      raises.with("not now", fn.finish, fn)
      local before = fn:text()
      assert.is_nil(before:find "mul")
      fails = false
      assert.equal(before, fn:finish():text())
    end
  end)

  it("looks at what uses what it looks at again, as far as rules look", function()
    local fn = start({ "a" }, { rules = phial.rules [[
      near: (x ~ y) - 5 => x @ unoriented
      far:  ((5 + x) * y) << z => z @ unoriented
    ]] })
    local head, phi = behind_phi(fn, fn:var "v", 5)
    local shift = head:shl(head:mul(head:add(phi, fn:arg(1)), fn:arg(1)), 3)
    local other = head:sub(head:bxor(fn:arg(1), 7), phi)
    head:call("g", nil, shift, other)
    head:ret()
    fn:finish()
    assert.equal(3, (shift:now():const()))
    assert.equal(fn:arg(1), other:now())
  end)

  it("looks at it again as far as guards may look", function()
    local fn = start({ "a" }, { rules = phial.rules([[
      known: x - y => y if nonneg(x) @ unoriented
      asked: x ~ y => y if $is_masked(x) @ unoriented
    ]], { is_masked = function(x) return x:arg(2) and x:arg(2):const() end }) })
    local head, phi = behind_phi(fn, fn:var "v", 5)
    local masked = head:band(fn:arg(1), phi)
    local known, asked = head:sub(masked, fn:arg(1)), head:bxor(masked, 7)
    head:call("g", nil, known, asked)
    head:ret()
    fn:finish()
    assert.equal(fn:arg(1), known:now())
    assert.equal(7, (asked:now():const()))
  end)

  it("looks again at what uses what has one user less, which rules ask for", function()
    local fn = start({ "a" }, { rules = phial.rules [[
      gone: (x * y) + 0 => y @ unoriented
      once: (x * y) - 3 => (x ~ y) ~ 3 @ unoriented
    ]] })
    local head, phi = behind_phi(fn, fn:var "v", 0)
    local product = head:mul(fn:arg(1), 77)
    local sum, difference = head:add(product, phi), head:sub(product, 3)
    head:call("g", nil, difference, sum)
    head:ret()
    fn:finish()
    assert.equal("bxor", difference:now():op())
  end)

  it("merges what only a folded edge kept apart", function()
    local fn = start({ "a", "b" }, { rules = phial.rules "int" })
    local head, flag = behind_phi(fn, fn:var("flag", "i1"), true)
    local left, right, done = fn:block("left", 1), fn:block("right", 1), fn:block("done", 2)
    head:branch(flag, left, right)
    local first = left:mul(fn:arg(1), fn:arg(2))
    left:jump(done)
    right:jump(done)
    local second = done:mul(fn:arg(1), fn:arg(2))
    done:call("g", nil, first, second)
    done:ret()
    fn:finish()
    assert.equal(first, second:now())
  end)

  it("merges what computes with twins and what a rule has made", function()
    local fn = start({ "a", "b", "c:i1" }, { rules = phial.rules [[
      made: x - 0 => x * 77 @ unoriented, always
    ]] })
    local x, y, zero = fn:var "x", fn:var "y", fn:var "zero"
    local left, right, done = fn:block("left", 1), fn:block("right", 1), fn:block "done"
    fn:entry():write(x, fn:arg(1), y, fn:arg(1), zero, 0)
    fn:entry():branch(fn:arg(3), left, right)
    left:write(x, fn:arg(2), y, fn:arg(2))
    left:jump(done)
    right:jump(done)
    local first, second = done:sub(done:read(x), done:read(zero)), done:mul(done:read(y), 77)
    done:call("g", nil, first, second)
    done:ret()
    fn:finish()
    assert.equal(first:now(), second:now())
  end)

  it("does not look at what it has cut off", function()
    local asked = {}
    local fn = start({ "a" }, { rules = phial.rules("x * C => x if $ask(C) @ late", {
      ask = function(c)
        asked[c] = true
        return false
      end }) })
    local head, flag = behind_phi(fn, fn:var("flag", "i1"), true)
    local left, right = fn:block("left", 1), fn:block("right", 1)
    head:branch(flag, left, right)
    right:call("g", nil, right:mul(fn:arg(1), 6))
    right:ret()
    left:call("g", nil, left:mul(fn:arg(1), 7))
    left:ret()
    fn:finish()
    assert.same({ [7] = true }, asked)
  end)

  it("lets late rules wait, and merges nothing of before, when the function is reopened", function()
    local fn, entry = start({}, { rules = phial.rules [[
      twice: x + x => x * 2 @ late, unoriented
      once:  x * 7 => x - 3 if uses(x) == 0 @ unoriented
    ]] })
    local v, head, done = fn:var "v", fn:block "head", fn:block("done", 1)
    local phi = head:read(v)
    local x, y = entry:call("g", "i64"), entry:call("g", "i64")
    entry:write(v, y)
    entry:jump(head)
    local sum = head:add(x, x)
    head:write(v, 5)
    head:branch(head:slt(phi, 3), head, done)
    done:call("g", nil, sum)
    done:ret()
    fn:finish()
    assert.equal("mul", sum:now():op())
    fn:reopen()
    local b = fn:block()
    local again, used = b:add(x, x), b:mul(y, 7)
    assert.same({ "add", "mul" }, { again:op(), used:op() })
    assert.same({ again, used }, b:insts())
    b:ret()
    fn:finish()
  end)

  it("gives a callback the phi of its block, but no value that comes later", function()
    local phi, later
    local fn = phial.fn("f", { "c:i1", "x:i64" }, "i64", { rules = phial.rules([[
      phi:   x + 7 => $phi(x) @ late, unoriented
      later: x + 8 => $later(x) @ late, unoriented]],
      { phi = function() return phi end, later = function() return later end }) })
    local entry, head, out, i = fn:entry(), fn:block "head", fn:block "out", fn:var "i"
    entry:write(i, 0)
    entry:jump(head)
    phi = head:read(i)
    local seven, eight = head:add(fn:arg(2), 7), head:add(fn:arg(2), 8)
    later = head:add(phi, 1)
    head:write(i, later)
    head:branch(fn:arg(1), head, out)
    out:ret(out:sub(seven, eight))
    raises.with("later", fn.finish, fn)
    assert.equal(phi, seven:now())
  end)

  -- Variables come in pairs, which always have the same values.
  local function pairs_of_equals(pick, with_loops)
    local function statements(depth)
      local list = {}
      for i = 1, pick(3) do
        local kind = pick(depth > 1 and 1 or with_loops and 3 or 2)
        list[i] = kind == 1 and { to = pick(3), from = pick(3), add = pick(3) - 1 }
          or { loop = kind == 3, of = pick(3), statements(depth + 1), statements(depth + 1) }
      end
      return list
    end
    return statements(0)
  end

  local function build_pairs(program)
    return phial.build("f", { "n" }, "i64", function(b, v)
      local function fill(list)
        for _, it in ipairs(list) do
          local x = v["x" .. (it.of or it.from)]
          if it.loop then
            b:while_(function() return v.n:sgt(0) end, function()
              v.n = v.n - 1
              fill(it[1])
            end)
          elseif it.of then
            b:if_(x:slt(v.n), function() fill(it[1]) end, function() fill(it[2]) end)
          else
            local y = v["y" .. it.from]
            if it.add > 0 then x, y = v.n + it.add, v.n + it.add end
            v["x" .. it.to], v["y" .. it.to] = x, y
          end
        end
      end
      for i = 1, 3 do v["x" .. i], v["y" .. i] = v.n + i, v.n + i end
      fill(program)
      b:ret((v.x1 ~ v.y1) | (v.x2 ~ v.y2) | (v.x3 ~ v.y3))
    end)
  end

  -- What is computed from twins is merged by the next round, of which there are 16.
  it("merges phis after phis: what is always equal without loops is found to be", function()
    prop.forall(pairs_of_equals, function(program)
      local fn = build_pairs(program)
      assert(fn:text():find "ret 0", fn:text())
    end)
  end)

  it("merges phis in loops as far as they are equal", function()
    prop.forall(function(pick) return pairs_of_equals(pick, true) end, function(program)
      local fn = build_pairs(program)
      assert(fn:is_minimal() and fn:is_pruned())
      for n = -2, 5 do assert.equal(0, fn(n)) end
    end)
  end)

  it("merges no phis where they tell of variables, or nothing is simplified", function()
    for _, opts in ipairs { { copies = true }, { accesses = true }, { rules = false } } do
      assert.equal(4, twins(opts):stats().phis)
    end
  end)

  -- n arms add to a variable of the loop around them, which is found to be a parameter only
  -- after them: then all of them compute the same, and none is above another.
  it("looks at each of many equal values once", function()
    local n, before = 2000, os.clock()
    local fn, entry = start({ "x", "y" }, { rules = phial.rules "int", where = false })
    local v, zero, sum = fn:var "v", fn:var "zero", fn:var "sum"
    local head, latch, done, arms = fn:block(), fn:block(), fn:block(), {}
    for i = 1, n do arms[i] = fn:block() end
    entry:write(v, fn:arg(1), zero, 0, sum, 0)
    entry:jump(head)
    head:switch(v, done, arms)
    done:seal()
    for i, arm in ipairs(arms) do
      arm:seal()
      arm:write(sum, arm:mul(arm:add(v, fn:arg(2)), arm:add(sum, i)))
      arm:jump(latch)
    end
    latch:seal()
    latch:let(v, "add", v, zero)
    latch:jump(head)
    head:seal()
    done:ret()
    local built = os.clock() - before
    fn:finish { verify = false }
    local finished = os.clock() - before - built
    assert.equal(fn:arg(1), entry:succs()[1]:insts()[1]:args()[1])
    assert(finished < 5 * built, finished / built)
  end)
end)

-- }====================================================================
