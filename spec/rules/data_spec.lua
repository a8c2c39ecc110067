-- Data in patterns and results: v.swz{"yx"}(x), v.swz{A}(x).
local assert = require "spec.support.assert"
local phial = require "phial"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"

local function swizzled(x, how)
  local r = {}
  for i = 1, #how do r[i] = x[tonumber(how:sub(i, i))] end
  return r
end

local V = phial.dialect("v", {
  swz = { args = { "vec" }, result = "vec", pure = true, cost = 4, eval = swizzled },
  add = { args = { "vec", "vec" }, result = "vec", pure = true, commutative = true, cost = 4,
    eval = function(a, b)
      local r = {}
      for i = 1, #a do r[i] = a[i] + b[i] end
      return r
    end },
  at = { args = { "vec" }, result = "i64", pure = true, cost = 2,
    eval = function(x, i) return x[i] end },
  k = { args = 0, result = "any", pure = true, eval = function(d) return d end },
  put = { args = { "vec" }, result = "vec", effect = "write" },
}, { "vec" })

local SAMPLES = {
  ["v.vec"] = { { 1, 2, 3 }, { 5, 6, 7 } }, ["v.swz"] = { "123", "213", "331" },
  ["v.at"] = { 1, 2, 3 },
}
local functions = {
  both = function(a, b)
    return (b:gsub(".", function(c) return a:sub(tonumber(c), tonumber(c)) end))
  end,
  nth = function(a, i) return tonumber(a:sub(i, i)) end,
  is_long = function(a) return #a > 3 end,
}

local function set(text) return phial.rules():attach(V):add(text, functions, "d") end

-- A function with these rules, and what emits into it: op(name, data, ...).
local function start(rules)
  local fn = phial.fn("f", { "x:v.vec", "y:v.vec" }, "i64", { rules = rules, dialects = { V } })
  local b = fn:entry()
  return function(name, data, ...)
    local args = table.pack(...)
    args[args.n + 1] = data ~= nil and { data = data } or nil
    return b:emit(V[name], table.unpack(args, 1, args.n + 1))
  end, fn:arg(1), fn:arg(2), fn
end

local ALL = set [[
  same: v.swz{"123"}(x) => x
  two:  v.swz{B}(v.swz{A}(x)) => v.swz{$both(A, B)}(x)
  out:  v.add(v.swz{A}(x), v.swz{A}(y)) => v.swz{A}(v.add(x, y))
  at:   v.at{I}(v.swz{A}(x)) => v.at{$nth(A, I)}(x)
]]

describe("data in a pattern", function()
  it("are compared: texts, integers, floats, booleans", function()
    local R = set [[
      text: v.swz{"12"}(x) => x
      int:  v.swz{-3}(x) => x
      real: v.swz{0.5}(x) => x
      yes:  v.swz{true}(x) => x
    ]]
    local op, x = start(R)
    for _, data in ipairs { "12", -3, 0.5, true } do assert.equal(x, op("swz", data, x)) end
    for _, data in ipairs { "1", "123", 3, -3.0, "-3", false, 1, {}, print } do
      assert.equal(data, op("swz", data, x):data())
    end
    assert.is_nil(op("swz", nil, x):data())
  end)

  it("are bound, must be equal where they are repeated, and are passed on", function()
    local op, x, y = start(ALL)
    local a, b = op("swz", "321", x), op("swz", "321", y)
    local sum = op("add", nil, a, b)
    assert.equal("321", sum:data())
    assert.equal("v.add", sum:arg(1):op())
    assert.equal("v.add", op("add", nil, a, op("swz", "213", y)):op())
    assert.equal("v.add", op("add", nil, a, op("swz", nil, y)):op())
    local lane = op("at", 1, sum)
    assert.same({ 3, sum:arg(1) }, { lane:data(), lane:arg(1) })
  end)

  it("can be what the core has no copy of", function()
    local seen
    local R = phial.rules():attach(V):add("a: v.swz{B}(v.swz{A}(x)) => v.swz{A}(x) if $see(A, B)",
      { see = function(a, b) seen = { a, b } return true end })
    local op, x = start(R)
    local first, second = {}, {}
    local inner = op("swz", first, x)
    assert.equal(inner, op("swz", second, inner))
    assert.equal(first, seen[1])
    assert.equal(second, seen[2])
  end)

  it("are any with _; without braces there are none", function()
    local R = set [[
      any:  v.at{_}(v.swz{_}(x)) => v.at(x)
      none: v.add(v.swz(x), y) => y
    ]]
    local op, x, y = start(R)
    local plain = op("at", nil, op("swz", "11", x))
    assert.equal("v.swz", plain:arg(1):op())
    assert.is_nil(op("at", 2, op("swz", "11", x)):data())
    assert.equal(y, op("add", nil, op("swz", nil, x), y))
    assert.equal("v.add", op("add", nil, op("swz", "11", x), y):op())
  end)

  it("belong to ops with an effect, and to inner ones with a name, once, in brackets", function()
    local R = set [[
      put:  v.put{1}(x) => v.put{2}(x) @ unoriented
      name: v.add(z @ v.swz{"1"}(x), x) => z
      once: v.add(once(v.swz{"2"}(x)), x) => x
      alt:  v.at{[1|2]}(v.swz{["12"|"21"]}(x)) => v.at{[-1|"a"]}(x)
    ]]
    local op, x = start(R)
    assert.equal(2, op("put", 1, x):data())
    assert.equal(3, op("put", 3, x):data())
    local one, two = op("swz", "1", x), op("swz", "2", x)
    assert.equal(one, op("add", nil, x, one))
    assert.equal(x, op("add", nil, x, two))
    op("at", 3, two)
    assert.equal("v.add", op("add", nil, x, two):op())
    local twelve = op("swz", "12", x)
    assert.equal(-1, op("at", 1, twelve):data())
    assert.equal(2, op("at", 2, twelve):data())
    assert.equal("a", op("at", 2, op("swz", "21", x)):data())
  end)

  it("are given to an action, and to guards, and a helper may have none", function()
    local R = phial.rules():attach(V):add([[
      act:  v.at{I}(v.swz{A}(x)) => $act(x, A, I) if $is_long(A)
      none: v.add(v.swz{A}(x), y) => v.swz{$nth(A, 4)}(y) @ unoriented
    ]], { is_long = functions.is_long, nth = functions.nth,
      act = function(_, _, a, i) return #a * 10 + i end })
    local op, x, y = start(R)
    assert.equal(41, op("at", 1, op("swz", "1111", x)):const())
    assert.equal("v.at", op("at", 1, op("swz", "11", x)):op())
    assert.equal("v.add", op("add", nil, op("swz", "11", x), y):op())
    assert.equal(3, op("add", nil, op("swz", "1113", x), y):data())
  end)

  it("are matched again in a finished function, and by phases", function()
    local op, x, _, fn = start(false)
    local v = op("swz", "321", op("swz", "321", x))
    fn:entry():ret(op("at", 1, v))
    fn:finish()
    assert.equal(2, fn:clean { rules = ALL, dead = true }.rules)
    assert.equal("fn f(%x: v.vec, %y: v.vec) -> i64 {\nentry:\n  %8: i64 = v.at {1} %x\n"
      .. "  ret %8\n}\n",
      (fn:text():gsub("%%%d+", "%%8")))
  end)

  it("cost nothing elsewhere: a set knows for which ops it has any", function()
    local R = phial.rules():attach(V):add "a: v.add(x, x) => x"
    local op, x = start(R)
    assert.equal("v.add", op("add", 7, x, x):op())
    R:add 'b: v.add{8}(x, y) => y'
    assert.equal("v.add", op("add", 7, x, x):op())
    assert.equal(x, op("add", 8, op("swz", nil, x), x))
    assert.equal(x, op("add", nil, x, x))
    R:remove "b"
    assert.equal("v.add", op("add", 8, op("swz", nil, x), x):op())
  end)
end)

describe("a set with data in patterns", function()
  it("is checked: with samples for the data of each op", function()
    local ok, verdicts = ALL:check { samples = SAMPLES }
    assert.is_true(ok)
    for _, verdict in ipairs(verdicts) do
      assert.matches(": tested, applied in %d+ cases$", verdict)
    end
    ok, verdicts = set([[
      hasty: v.swz{B}(v.swz{A}(x)) => v.swz{$both(B, A)}(x)
      lost:  v.add(v.swz{A}(x), v.swz{_}(y)) => v.swz{A}(v.add(x, y))
      text:  v.swz{"213"}(x) => x
    ]]):check { samples = SAMPLES }
    assert.is_nil(ok)
    assert.matches("^hasty: wrong at v.vec: B=%d+, A=%d+, x=sample %d: a table %-> a table$",
      verdicts[1])
    assert.matches("^lost: wrong at v.vec: A=%d+, x=sample %d, _=%d+,", verdicts[2])
    assert.matches("^text: wrong at v.vec: x=sample %d: a table %-> sample %d$", verdicts[3])
  end)

  it("is not checked without samples, and an action is given them", function()
    local R = phial.rules():attach(V):add([[
      act: v.at{I}(v.swz{A}(x)) => $act(x, A, I)
      bad: v.at{I}(v.swz{A}(x)) => $bad(x, A, I)
    ]], {
      act = function(b, x) return b:emit(V.at, b:emit(V.swz, x)) end,
      bad = function(_, _, a) return a == "331" and 9 or nil end,
    })
    local ok, verdicts, open = R:check { samples = { ["v.vec"] = SAMPLES["v.vec"] } }
    assert.same({ true, 2 }, { ok, #open })
    assert.equal("act: not checked: option 'samples' has none of its data I", verdicts[1])
    verdicts = select(2, R:check { samples = SAMPLES })
    assert.matches("^act: ", verdicts[1])
    assert.matches('^bad: wrong at i64, v.vec: .*A=331', verdicts[2])
  end)

  it("is linted", function()
    local _, said = set([[
      a: v.swz{"1"}(x) => x
      b: v.swz{"1"}(y) => y
      c: v.swz{A}(v.swz{A}(x)) => x @ prio 1
      d: v.swz{"2"}(v.swz{"2"}(x)) => v.swz{"2"}(x)
      e: v.swz{"2"}(v.swz{"3"}(x)) => v.swz{"2"}(x)
      f: v.at{"1"}(v.swz{"1"}(x)) => v.at(x)
      g: v.at{"1"}(v.swz(x)) => v.at(x)
    ]]):lint()
    assert.same({
      "b: is the same as 'a'",
      "d: never applies: before it is tried 'c'",
      "f: never applies: 'a' rewrites its 'swz' first",
    }, said)
    assert.is_true(ALL:lint())
  end)

  it("is explained", function()
    local op, x, y, fn = start(false)
    local a, b, plain = op("swz", "321", x), op("swz", "213", y), op("swz", nil, x)
    local function why(v, name) return ALL:explain(v, name):match ": (.*)" end
    assert.equal('the data of the instruction are not "123"', why(a, "same"))
    assert.equal("operand 1 (%x) is not 'v.swz'", why(a, "two"))
    assert.equal("operand 1 (%5) has no data",
      ALL:explain(fn, V.add, a, plain):match "out: (.*)")
    assert.equal("the data of operand 2 (%3) are not A",
      ALL:explain(fn, V.add, a, b):match "out: (.*)")
    assert.equal("applies", why(op("at", 2, a), "at"))
    assert.equal("the instruction has no data", why(plain, "same"))
    local mixed = set 'a: v.swz(x) => x\nb: v.swz{"1"}(x) => x'
    assert.equal("it has data, of which its pattern says nothing",
      mixed:explain(a, "a"):match ": (.*)")
  end)

  it("is included, and read as trees", function()
    local R = phial.rules():attach(V):include(ALL)
    local op, x = start(R)
    assert.equal(x, op("swz", "213", op("swz", "213", x)))
    local two = R:rules("two")[1]
    local outer, inner = two.pattern.data, two.pattern[1].data
    assert.same({ "data", "B", "data", "A", "helper" },
      { outer.kind, outer.name, inner.kind, inner.name, two.result.data.kind })
    assert.equal(functions.both, two.result.data.callback)
    assert.same({ "literal", "123" },
      { R:rules("same")[1].pattern.data.kind, R:rules("same")[1].pattern.data.value })
    R:include(ALL)
    assert.equal(4, #R:names())
  end)

  it("is refused where it makes no sense", function()
    for text, why in pairs {
      ["add{1}(x, 0) => x"] =
        "d:1:4: 'add' has no data here: only ops of dialects have, but for terminators",
      ["v.swz{x}(y) => y"] =
        "d:1:7: data expected: a text, a number, true, false, a name in upper case, or _",
      ["v.swz{INT_MIN}(y) => y"] = "d:1:7: data expected",
      ["v.swz{A}(x) => v.swz{B}(x)"] = "d:1:22: 'B' does not occur in the pattern",
      ["v.swz{A}(x) => v.swz{_}(x)"] = "d:1:22: '_' matches anything: it has no value",
      ["v.at{A}(x) => A"] = "d:1:15: 'A' is data elsewhere in this rule",
      ["v.at{A}(x) => 0 if A == 1"] = "d:1:22: only constants can be computed here",
      ["v.at{A}(x) => 0 if log2(A) == 1"] = "d:1:25: data can be an argument of $f only",
      ["v.swz{A(x) => x"] = "d:1:8: '}' expected, got '('",
      ["v.swz{A} => x"] = "d:1:10: '(' expected, got '=>'",
      ["v.swz{$nth(A)}(x) => x"] = "d:1:7: functions belong after '=>' or 'if'",
      ["{x} + 1 => x"] =
        "d:1:1: brackets are (), [] around alternatives, and {} around the data of an op",
    } do
      raises.with(why, set, text)
    end
  end)
end)

-- Rotations, whose amounts are data, within random terms of integers.
local ROT = phial.dialect("r", {
  rot = { args = { "i64" }, result = "i64", pure = true, cost = 3, eval = function(x, n)
    n = n & 63
    return n == 0 and x or x << n | x >> 64 - n
  end },
})
local LAWS <const> = {
  "r.rot{0}(x) => x", "r.rot{B}(r.rot{A}(x)) => r.rot{$plus(A, B)}(x)",
  "r.rot{A}(x) & r.rot{A}(y) => r.rot{A}(x & y)", "r.rot{A}(x) ~ r.rot{A}(y) => r.rot{A}(x ~ y)",
  "r.rot{A}(~x) => ~r.rot{A}(x) @ prio 1", "r.rot{[1|-1]}(r.rot{[-1|1]}(x)) => x @ prio 2",
  "r.rot{A}(x & C) => r.rot{A}(x) & $turned(C, A) @ unoriented",
  "r.rot{A}(x) ~ C => r.rot{A}(x ~ $turned(C, $less(A))) @ unoriented", "r.rot{32}(x) => $half(x)",
  "x & (z @ r.rot{A}(x)) => z if $whole(A)",
}
local eval = ROT.rot:eval()
local LAW_FUNCTIONS <const> = {
  plus = function(a, b) return a + b & 63 end, less = function(a) return -a end,
  turned = eval, whole = function(a) return a & 63 == 0 end,
  half = function(b, x) return b:bor(b:shl(x, 32), b:shr(x, 32)) end,
}
local AMOUNTS <const> = { 0, 1, -1, 32, 63, 64, 7 }

local function random_term(pick, depth)
  local kind = depth == 0 and pick(3) or pick(9)
  if kind <= 2 then return { kind } end
  if kind == 3 then return { AMOUNTS[pick(#AMOUNTS)] * pick(1 << 20), is_constant = true } end
  if kind <= 6 then return { random_term(pick, depth - 1), rot = AMOUNTS[pick(#AMOUNTS)] } end
  if kind == 7 then return { random_term(pick, depth - 1), op = "bnot" } end
  return { random_term(pick, depth - 1), random_term(pick, depth - 1),
    op = kind == 8 and "band" or "bxor" }
end

local function emit_term(b, fn, t)
  if t.is_constant then return fn:const(t[1], "i64") end
  if not t.op and not t.rot then return fn:arg(t[1]) end
  local a, c = emit_term(b, fn, t[1]), t[2] and emit_term(b, fn, t[2])
  if t.rot then return b:emit(ROT.rot, a, { data = t.rot }) end
  return t.op == "bnot" and b:bnot(a) or b[t.op](b, a, c)
end

it("random terms with data compute the same with any of the laws", function()
  prop.forall(function(pick)
    local laws, term = {}, random_term(pick, 5)
    for _, law in ipairs(LAWS) do
      if pick(2) == 1 then table.insert(laws, pick(#laws + 1), law) end
    end
    return { laws = table.concat(laws, "\n"), term = term, late = pick(2) == 1 }
  end, function(case)
    local R, results = phial.rules():attach(ROT):add(case.laws, LAW_FUNCTIONS), {}
    for i, rules in ipairs { false, R } do
      local fn <close> = phial.fn("f", { "x", "y" }, "i64",
        { rules = not case.late and rules, dialects = { ROT } })
      local b = fn:entry()
      b:ret(emit_term(b, fn, case.term))
      fn:finish():verify()
      if case.late and rules then fn:clean { rules = rules } end
      results[i] = { fn(0x123456789abcdef, -2), fn(-0x7654321, 1 << 62) }
    end
    assert.same(results[1], results[2])
  end)
end)
