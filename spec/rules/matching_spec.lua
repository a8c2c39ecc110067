-- What rules match: comparisons of a value with itself, operands in any order, guards at the
-- width of their constants, conditions with their opposite, dead loops.
local child = require "spec.support.child"
local phial = require "phial"
local raises = require "spec.support.raises"
local under = require "spec.support.under"
local variants = require "spec.support.variants"

-- Returns a block of a function with these rules, and its parameters.
local function block(rules, opts)
  opts = opts or {}
  if type(rules) == "string" then rules = phial.rules(rules, nil, "r") end
  opts.rules = rules
  local fn = phial.fn("f", { "x:i64", "y:i64", "c:i1", "d:f64", "s:i8", "w:i32" }, nil, opts)
  return fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4), fn:arg(5), fn:arg(6)
end

local function const(v)
  assert.equal("const", v:op())
  return (v:const())
end

describe("a comparison of a value with itself matches", function()
  for op, other in pairs {
    sgt = "slt", slt = "sgt", sge = "sle", sle = "sge", ugt = "ult", ult = "ugt", uge = "ule",
    ule = "uge", fgt = "flt", flt = "fgt", fge = "fle", fle = "fge",
  } do
    it(op .. ", turned and not", function()
      local text = ("a: %s(x, x) => false"):format(op)
      for _, emitted in ipairs { op, other } do
        local b, x, _, _, d = block(text)
        local v = op:find "^f" and d or x
        assert.equal(false, const(b[emitted](b, v, v)))
      end
    end)
  end

  it("as an operator, and below another one", function()
    local b, x = block "a: x > x => false\nb: x >= x => true"
    assert.equal(false, const(b:sgt(x, x)))
    assert.equal(true, const(b:sle(x, x)))
    local _, c
    b, x, _, c = block "c: sgt(x, x) & c => false"
    assert.equal(false, const(b:band(b:sgt(x, x), c)))
    assert.equal(false, const(b:band(c, b:slt(x, x))))
    b, x = block "c: (x ~ x) > (x ~ x) => false"
    assert.equal(false, const(b:sgt(b:bxor(x, x), b:bxor(x, x))))
  end)

  it("as R:explain says", function()
    local R = phial.rules "a: ugt(x, x) => false"
    local fn = phial.fn("f", { "x" }, nil, { rules = false })
    assert.equal("ult %x, %x:\n  a: applies", R:explain(fn, "ugt", fn:arg(1), fn:arg(1)))
  end)
end)

describe("operands that change places", function()
  local OPS = { "add", "bxor", "bor", "mul", "band" }

  -- A pattern of n nested commutative ops.
  local function pattern(n)
    local text = "z"
    for i = n, 1, -1 do text = ("%s(neg(a%d), %s)"):format(OPS[i % #OPS + 1], i, text) end
    return text
  end

  -- Emits what it should match. At level i the operand that is not the inner one is made first
  -- if first(i) is true: the older operand is on the left.
  local function emit(b, x, n, first)
    local function level(i)
      if i > n then return b:sub(x, 1) end
      local outer = first(i) and b:neg(b:sub(x, 100 + i))
      local inner = level(i + 1)
      outer = outer or b:neg(b:sub(x, 100 + i))
      return b:emit(OPS[i % #OPS + 1], outer, inner)
    end
    return level(1)
  end

  for _, n in ipairs { 3, 8, 12 } do
    it(("are found in all of %d nodes"):format(n), function()
      math.randomseed(tonumber(os.getenv "SEED") or 1)
      for run = 1, 12 do
        local b, x = block("deep: " .. pattern(n) .. " => 7")
        local function first(i)
          if run <= 2 then return run == 1 end
          return run - 2 == i or run > 6 and math.random(2) == 1
        end
        local v = emit(b, x, n, first)
        assert.equal("const", v:op(), ("run %d"):format(run))
      end
    end)
  end

  it("do not match, as R:explain says of the order that gets furthest", function()
    local R = phial.rules("deep: " .. pattern(8):gsub("z", "(z - 9)") .. " => 7")
    for left = 0, 8 do
      local fn = phial.fn("f", { "x:i64" }, nil, { rules = phial.rules() })
      local v = emit(fn:entry(), fn:arg(1), 8, function(i) return i <= left end)
      assert.matches("deep: inner operand 1 is not 9$", R:explain(fn, v:op(), v:arg(1), v:arg(2)))
    end
  end)

  -- Random trees of commutative ops, comparisons and ops with one order, with variables that
  -- occur several times. A tree is { op, left, right }, a leaf the name of a variable or a
  -- number; what is compared becomes an integer again by zext.
  local TURNED = { slt = "sgt", sgt = "slt", ule = "uge", uge = "ule", eq = "eq", ne = "ne" }
  local COMPARES, INTS = { "slt", "sgt", "ule", "uge", "eq", "ne" },
    { "add", "mul", "band", "bor", "bxor", "add", "sub", "shl" }
  local VARS = { "a", "b", "c", "d", "e", "f", "g", "h" }

  local function tree(n)
    if n == 0 then return VARS[math.random(#VARS)] end
    local left = math.random(0, n - 1)
    local compare = math.random(5) == 1
    local list = compare and COMPARES or INTS
    local node = { list[math.random(#list)], tree(left), tree(n - 1 - left) }
    if n == 1 and math.random(4) == 1 then node[3] = math.random(2, 90) end
    if node[2] == node[3] then node[3] = 77 end
    return compare and { "zext", node } or node
  end

  local function written(t)
    if type(t) ~= "table" then return tostring(t) end
    if t[1] == "zext" then return ("zext(%s):i64"):format(written(t[2])) end
    return ("%s(%s, %s)"):format(t[1], written(t[2]), written(t[3]))
  end

  -- Emits it with the operands of each node in a random order.
  local function emitted(b, t, vars)
    if type(t) ~= "table" then return vars[t] or t end
    if t[1] == "zext" then return b:zext(emitted(b, t[2], vars), "i64") end
    local op, l, r = t[1]
    if math.random(2) == 1 then
      l = emitted(b, t[2], vars)
      r = emitted(b, t[3], vars)
    else
      r = emitted(b, t[3], vars)
      l = emitted(b, t[2], vars)
    end
    if math.random(2) == 1 and op ~= "sub" and op ~= "shl" and type(r) ~= "number" then
      op, l, r = TURNED[op] or op, r, l
    end
    return b:emit(op, l, r)
  end

  -- A copy in which one variable or number is another one.
  local function changed(t)
    if type(t) == "number" then return t + 100 end
    if type(t) == "string" then return VARS[math.random(#VARS)] end
    local copy, i = { table.unpack(t) }, math.random(2, #t)
    copy[i] = changed(copy[i])
    return copy
  end

  -- The value of a tree, as a string that does not depend on orders of operands.
  local function value(t)
    if type(t) ~= "table" then return tostring(t) end
    if t[1] == "zext" then return ("zext(%s)"):format(value(t[2])) end
    local op, l, r = t[1], value(t[2]), value(t[3])
    if op ~= "sub" and op ~= "shl" and l > r then op, l, r = TURNED[op] or op, r, l end
    return ("%s(%s, %s)"):format(op, l, r)
  end

  -- True if pattern t matches tree u such that `go_on` is true then.
  local function matches(t, u, bound, go_on)
    if type(t) == "number" then return t == u and go_on() end
    if type(t) == "string" then
      local known = bound[t]
      bound[t] = known or value(u)
      if bound[t] == value(u) and go_on() then return true end
      bound[t] = known
      return false
    end
    if type(u) ~= "table" then return false end
    if t[1] == "zext" then return u[1] == "zext" and matches(t[2], u[2], bound, go_on) end
    local function both(l, r)
      return matches(t[2], l, bound, function() return matches(t[3], r, bound, go_on) end)
    end
    return t[1] == u[1] and both(u[2], u[3])
      or t[1] ~= "sub" and t[1] ~= "shl" and (TURNED[t[1]] or t[1]) == u[1] and both(u[3], u[2])
  end

  it("are found in random patterns, and nothing else is", function()
    math.randomseed(tonumber(os.getenv "SEED") or 1)
    local found, runs = 0, tonumber(os.getenv "RUNS") or 200
    for _ = 1, runs do
      local wanted = { "sub", tree(math.random(2, 15)), "a" }
      local shown = math.random(4) == 1 and wanted or changed(wanted)
      local text = "p: " .. written(wanted) .. " => 7"
      local fn = phial.fn("f", VARS, nil, { rules = phial.rules(text) })
      local vars = {}
      for i, name in ipairs(VARS) do vars[name] = fn:arg(i) end
      local v = emitted(fn:entry(), shown, vars)
      local expected = matches(wanted, shown, {}, function() return true end)
      assert.equal(expected, v:op() == "const", text .. "\n" .. tostring(fn))
      found = found + (expected and 1 or 0)
    end
    assert.is_true(found >= runs // 10)
  end)

  it("take memory in proportion to the rule", function()
    if under.slow then return end -- a sanitizer keeps what is freed
    local out, err, status = child(([[
      local phial = require "phial"
      local function resident()
        local file = io.open "/proc/self/statm"
        if not file then print "unknown" os.exit(0) end
        return tonumber(file:read "a":match "^%%d+ (%%d+)") * 4
      end
      local lines = {}
      for i = 1, 30 do lines[i] = ("r%%d: %s => %%d"):format(i, i) end
      local R = phial.rules(table.concat(lines, "\n"))
      local fn = phial.fn("f", { "x" }, nil, { rules = R })
      fn:entry():add(fn:arg(1), 1)
      fn:entry():bxor(fn:arg(1), 1)
      collectgarbage()
      local before = resident()
      local S = phial.rules(table.concat(lines, "\n"))
      local g = phial.fn("g", { "x" }, nil, { rules = S })
      g:entry():add(g:arg(1), 1)
      g:entry():bxor(g:arg(1), 1)
      print((resident() - before) // 30)
    ]]):format(pattern(10)))
    assert.same({ "", 0 }, { err, status })
    local each = tonumber(out)
    if not each then return pending "/proc/self/statm does not exist" end
    assert.is_true(each < 64, each .. " KiB a rule")
  end)
end)

it("a rule does not apply where a cast that it makes would not be one", function()
  local R = phial.rules "trunc(zext(x)) => zext(x) @ unoriented"
  local fn = phial.build("f", { "x:i8" }, "i8", { rules = R }, function(b, v)
    b:ret(b:trunc(b:zext(v.x, "i64"), "i8"))
  end)
  assert.equal("trunc", fn:entry():terminator():arg(1):op())
end)

it("a rule may ask for equal labels beside its operands", function()
  local D = phial.dialect("m", { br = { args = 2, terminator = true, targets = 2 } })
  for _, operands in ipairs { "x, x", "x, y" } do
    local R = phial.rules():attach(D):add(("m.br(%s, L, L) => jump(L)"):format(operands))
    for other, op in pairs { "m.br", "jump" } do
      local fn = phial.fn("f", { "x" }, nil, { rules = R })
      local entry, targets = fn:entry(), { fn:block(), fn:block() }
      entry:emit(D.br, fn:arg(1), fn:arg(1), targets[2], targets[other])
      assert.equal(op, entry:terminator():op())
    end
  end
end)

it("a rule that counts uses applies to the first instruction when there are fewer", function()
  local R = phial.rules "x * 0 => 0\n x + 7 => x - -7 if uses(x) == 0 @ unoriented, always"
  local fn = phial.fn("f", { "x:i64" }, "i64", { rules = R })
  local entry, last, zero = fn:entry(), fn:block "last", fn:var("zero", "i64")
  last:call("use", false, last:mul(fn:arg(1), zero))
  local sum = entry:add(fn:arg(1), 7)
  entry:write(zero, 0)
  entry:jump(last)
  last:ret(sum)
  fn:finish()
  assert.equal("sub", sum:now():op())
end)

it("rules for all pairs of operands' ops are found", function()
  local LEFT, RIGHT = 8, 130
  local ops = { root = { args = { "i64", "i64" }, result = "i64", effect = "none" } }
  for i = 1, LEFT do ops["l" .. i] = { args = { "i64" }, result = "i64", effect = "none" } end
  for i = 1, RIGHT do ops["r" .. i] = { args = { "i64" }, result = "i64", effect = "none" } end
  local D, list = phial.dialect("all", ops), {}
  for i = 1, LEFT do
    for k = 1, RIGHT do
      list[#list + 1] = ("all.root(all.l%d(x), all.r%d(y)) => %d"):format(i, k, 1000 * i + k)
    end
  end
  local R = phial.rules():attach(D):add(table.concat(list, "\n"))
  local fn = phial.fn("f", { "x:i64" }, nil, { rules = R })
  local b, x = fn:entry(), fn:arg(1)
  for i = 1, LEFT do
    for k = 1, RIGHT, 43 do
      local v = b:emit("all.root", b:emit("all.l" .. i, x), b:emit("all.r" .. k, x))
      assert.equal(1000 * i + k, (v:const()))
    end
  end
end)

describe("a guard computes at the width of its constants", function()
  local text = "a: x & C => shr(x, 3) if C == -1 >> 3 @ unoriented"

  it("what is compared with one", function()
    local b, x, _, _, _, s, w = block(text)
    assert.equal("shr", b:band(x, -1 >> 3):op())
    assert.equal("shr", b:band(w, 0xffffffff >> 3):op())
    assert.equal("shr", b:band(s, 0xff >> 3):op())
    assert.equal("band", b:band(w, 0xffffffff >> 4):op())
    b, x, _, _, _, s = block "a: x & C => shr(x, 3) if (C & (-1 >> 3)) == (-1 >> 3) @ unoriented"
    assert.equal("shr", b:band(s, 0xff >> 3):op())
    assert.equal("shr", b:band(s, 0xff >> 2):op())
    assert.equal("band", b:band(x, 0xff >> 3):op())
  end)

  it("as a result does", function()
    local b, _, _, _, _, s, w = block "a: x | C => x & (-1 >> 3) if C == 1 @ unoriented"
    assert.equal(0xff >> 3, const(b:bor(s, 1):args()[2]))
    assert.equal(0xffffffff >> 3, const(b:bor(w, 1):args()[2]))
  end)

  it("and refuses what depends on a width that nothing determines", function()
    for _, guard in ipairs { "-1 >> 3 == 5", "ult(-1, 3)", "popcnt(-1) == 3", "pow2(-4)" } do
      raises.matching("r:1:%d+: nothing here determines the width of this\n",
        phial.rules, "a: x & 1 => x if " .. guard, nil, "r")
    end
    for _, guard in ipairs { "1 >> 3 == 0", "ult(1, 3)", "popcnt(5) == 2", "-3 + 4 == 1" } do
      phial.rules("a: x & 1 => x if " .. guard)
    end
  end)
end)

describe("a constant of a result", function()
  it("is kept while an inner instruction is rewritten", function()
    local R = phial.rules "int":add "pair: (x + A) + (y + B) => (x + y) + (A + B)"
    local fn = phial.build("f", { "x:i64" }, "i64", { rules = R }, function(b, v)
      local s = v.x << 1
      b:ret((s + 113) + (s + 39))
    end)
    assert.equal(192, fn(10))
  end)

  it("is computed wherever it is", function()
    local fn = phial.build("f", { "x:i64" }, "i64", { rules = phial.rules [[
      below: x * C => ~(x - (C + 1)) @ unoriented, always
      all:   x - x => width(i16) @ unoriented
    ]] }, function(b, v)
      b:ret((v.x - v.x) + v.x * 77)
    end)
    assert.equal(16 + ~(100 - 78), fn(100))
  end)

  it("is kept while the same rule rewrites an inner instruction", function()
    local R = phial.rules "pair: (x + A) + (y + B) => (x + y) + (A + B) @ always"
    local fn = phial.build("f", { "p:i64", "q:i64" }, "i64", { rules = R }, function(b, v)
      b:ret(((v.p + 1) + 10) + ((v.q + 2) + 20))
    end)
    assert.equal(2, fn:stats().applied)
    assert.equal(333, fn(100, 200))
  end)
end)

describe("phial's own rules", function()
  it("know a condition and its opposite", function()
    for _, op in ipairs { "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge" } do
      local b, x, y = block(phial.rules "int")
      local c = b[op](b, x, y)
      assert.equal(false, const(b:band(c, b:bnot(c))), op)
      assert.equal(false, const(b:band(b:bnot(c), c)), op)
      assert.equal(true, const(b:bor(c, b:bnot(c))), op)
      assert.equal(true, const(b:bxor(c, b:bnot(c))), op)
    end
  end)

  it("know one of floats, which has no opposite comparison", function()
    local b, _, _, _, d = block(phial.rules "int")
    local c = b:flt(d, 1.5)
    assert.equal(false, const(b:band(c, b:bnot(c))))
    assert.equal(true, const(b:bor(c, b:bnot(c))))
  end)
end)

describe("a loop that is never entered", function()
  -- Nothing but the loop itself leads into it, so its variable is computed from itself.
  local function dead_loop(step, kind, opts)
    opts.strict = true
    local fn = phial.fn("f", { "x", "c:i1" }, "i64", opts)
    local v, head, body, out = fn:var("v", kind), fn:block "head", fn:block "body", fn:block "out"
    fn:entry():write(v, kind == "i1" and fn:arg(2) or fn:arg(1))
    fn:entry():ret(1)
    head:write(v, step(head, head:read(v)))
    head:branch(kind == "i1" and head:read(v) or fn:arg(2), head, body)
    head:seal()
    body:seal()
    for _ = 1, 3 do body:write(v, step(body, body:read(v))) end
    if kind == "i1" then body:branch(body:read(v), out, out) else body:jump(out) end
    out:seal()
    out:ret(2)
    return fn:finish()
  end

  for _, construction in ipairs(variants) do
    for name, step in pairs {
      ["v + 3"] = function(b, v) return b:add(v, 3) end,
      ["v - 3"] = function(b, v) return b:sub(v, 3) end,
      ["v * 3"] = function(b, v) return b:mul(v, 3) end,
      ["-v"] = function(b, v) return b:neg(v) end,
    } do
      it(("does not go round in circles: v = %s, %s"):format(name, construction), function()
        assert.equal(1, dead_loop(step, "i64", { construction = construction })(5, true))
      end)
    end

    it("does not go round in circles: v = ~v, " .. construction, function()
      local function step(b, v) return b:bnot(v) end
      assert.equal(1, dead_loop(step, "i1", { construction = construction })(5, true))
    end)
  end
end)

it("a result of two instructions is made if it leaves one of those matched without uses", function()
  local R = phial.rules "p: shl(x, 1) - shr(y, 1) => neg(x) ~ y @ unoriented"
  for op, used in pairs { bxor = { {}, { 1 }, { 2 } }, sub = { { 1, 2 } } } do
    for _, others in ipairs(used) do
      local b, x, y = block(R)
      local inner = { b:shl(x, 1), b:shr(y, 1) }
      for _, i in ipairs(others) do b:call("show", false, inner[i]) end
      assert.equal(op, b:sub(inner[1], inner[2]):op())
    end
  end
end)

it("values of one type variable have one type, whatever hides them", function()
  local fn = phial.fn("f", { "a:i8", "b:i16", "c:i8" }, nil, {
    rules = phial.rules "narrow: zext(x) & zext(y) => zext(x & y) @ unoriented" })
  local b, wide = fn:entry(), {}
  for i = 1, 3 do wide[i] = b:zext(fn:arg(i), "i64") end
  assert.equal("band", b:band(wide[1], wide[2]):op())
  assert.equal("zext", b:band(wide[1], wide[3]):op())
end)
