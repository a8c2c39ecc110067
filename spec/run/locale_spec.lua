-- Nothing that phial writes or reads depends on the locale: the same work has the
-- same output with a decimal point and with a decimal comma, with other letters and
-- another order.
local child = require "spec.support.child"
local german = require "spec.support.german"

local SHARED = [==[
assert(os.setlocale(arg[1]))
package.path = "./?.lua;./examples/?.lua;" .. package.path
-- Written so that reading does not depend on the locale.
local half <const>, quarter <const>, tenth <const> = 1 / 2, 1 / 4, 1 / 10
assert(tostring(half) == (arg[1] == "C" and "0.5" or "0,5"))
assert(("a" < "B") == (arg[1] ~= "C"))
local phial = require "phial"

local function topic(name, f)
  print("== " .. name)
  local ok, why = pcall(f)
  if not ok then print("ENDED EARLY", why) end
end

-- A number by its bits.
local function shown(x)
  local is_float = math.type(x) == "float"
  return is_float and ("%016x"):format(string.unpack("<i8", string.pack("<d", x))) or x
end

local function told(f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok)
  assert(math.type(why) ~= "float")
  print((tostring(why):gsub("^[^ ]*:%d+: ", "")))
end

local D = phial.dialect("d", {
  op = { args = 1, result = "f64", pure = true, eval = function(x, data) return x + data end },
  br = { args = 1, terminator = true, targets = 2, eval = function() return half end },
})

local function floats(opts)
  local fn = phial.fn("f", { "x:f64", "y:f32" }, "f64", opts)
  local b = fn:entry()
  local x, y = fn:arg(1), fn:arg(2)
  for _, k in ipairs { half, quarter, tenth, -tenth, 1e300 * tenth, 5e-324, 1 / 3, 3.0, 0.0 } do
    x = b:fadd(b:fmul(x, k), -k)
  end
  y = b:fadd(y, fn:const(tenth, "f32"))
  local scaled = b:fmul(b:fadd(x, quarter), 1e5 + half)
  b:ret(b:select(b:flt(x, tenth), x, b:itof(b:ftoi(scaled, "i64"), "f64")))
  return fn:finish()
end
]==]

-- What is done, by topic.
local WORK = {
  { "Lua", [==[
    for _, form in ipairs { "goto", "blocks" } do
      local source = phial.emit.lua(floats(), { form = form })
      print(source)
      assert(load(source))
    end]==] },
  { "runs", [==[
    for _, x in ipairs { 0.0, half, -tenth, 1e10 } do
      local results = table.pack(floats()(x, quarter))
      assert(results.n == 1)
      print(shown(results[1]))
    end]==] },
  { "text", [==[
    print(floats())
    local again = assert(phial.parse(floats():text()))
    assert(again:text() == floats():text())
    print(select(2, phial.parse "fn f() -> f64 {\nentry:\n  ret 1,5\n}\n"))
    print(phial.emit.dot(floats()))
    print(tostring(phial.fn "f":const(half)), tostring(phial.fn "f":const(-tenth, "f32")))]==] },
  { "errors", [==[
    local fn = phial.fn("f", { "n:i64", "c:i1" }, "f64")
    local b = fn:entry()
    told(b.add, b, fn:arg(1), half)
    told(b.write, b, fn:param(1), half)
    told(b.branch, b, half, b, b)
    told(b.jump, b, tenth)
    told(b.ret, b, half < 1)
    told(fn.const, fn, half, "i64")
    told(fn.const, fn, 1e15 + half, "i8")
    told(fn.var, fn, "v", half)
    told(fn.block, fn, "b", half)
    told(fn.param, fn, half)
    told(fn.loc, fn, half)
    told(fn.text, fn, { ids = half })
    told(fn.text, fn, { [half] = 1 })
    told(fn.finish, fn, { [half] = 1 })
    told(b.switch, b, fn:arg(1), fn:block(), { [half] = fn:block() })
    told(phial.fn, "f", { half })
    told(phial.fn, "f", {}, half)
    told(phial.fn, "f", {}, nil, { construction = half })
    told(phial.fn, "f", {}, nil, { where = half })
    told(phial.dialect, "d", { op = { result = half } })
    told(phial.dialect, "d", { op = { [half] = 1 } })
    told(phial.emit.lua, fn, { locals = half })
    told(phial.emit.lua, fn, { form = half })
    told(function() return fn:arg(1) < half end)
    local undefined = phial.fn("f", {}, nil, { undef = function() return half end })
    told(function() undefined:entry():read(undefined:var "x") end)]==] },
  { "arguments and results", [==[
    local one = phial.fn("one", { "n:i64", "f:f32" }, "i64")
    one:entry():ret(one:entry():call("g", "i64", one:arg(1)))
    one:finish()
    told(one, half, half)
    told(one, 1, "x")
    told(one, 1, half, { env = { g = function() return quarter end } })
    told(one, 1, half, { env = { g = tenth } })
    told(one, 1, half, { fuel = half })]==] },
  { "dialects", [==[
    local of = phial.fn("of", { "x:f64" }, "f64")
    of:entry():ret(of:entry():emit(D.op, of:arg(1), { data = quarter }))
    of:finish()
    print(of, phial.emit.dot(of), shown(of(half)))
    local back = assert(phial.parse(of:text(), { dialects = { D } }))
    print(back, shown(back(half)))
    local to = phial.fn("to", { "x:f64" })
    local t, e = to:block "t", to:block "e"
    to:entry():emit(D.br, to:arg(1), t, e)
    t:ret()
    e:ret()
    told(to:finish(), half)]==] },
  { "rules", [==[
    local R = phial.rules "a: fadd(x, 0.5) => fadd(x, 0.25) @ unoriented\nb: fadd(x, 0.0) => x"
    local _, list = R:check()
    print(table.concat(list, "\n"))
    local fn = phial.fn("f", { "x:f64" }, nil, { rules = R })
    print(R:explain(fn, "fadd", fn:arg(1), tenth), R:text())
    print(fn:entry():fadd(fn:arg(1), half):args()[2])
    told(phial.rules, "a: x + 1.5 => x", nil, "r")
    told(phial.rules, "a: fadd(x, 0.1:f32) => x", nil, "r")
    told(R.check, R, { width = half })
    local function f(_, _, C)
      print(shown(C))
      return true
    end
    local seen = phial.rules("a: fadd(x, C) => $f(x, C)", { f = f }, "r")
    local g = phial.fn("g", { "x:f64" }, nil, { rules = seen })
    told(function() g:entry():fadd(g:arg(1), tenth) end)]==] },
  { "traces", [==[
    local traced = phial.fn("traced", { "x:f64" }, "f64", { rules = false })
    local record = phial.record(traced)
    local v = traced:entry():fadd(traced:arg(1), tenth)
    v = traced:entry():emit(D.op, v, { data = half })
    traced:entry():ret(v)
    traced:finish()
    v:set_data(quarter)
    print(record:text())
    local replayed = assert(phial.replay(record:text(), { dialects = { D } }))
    print(replayed, shown(replayed(half)))
    print(select(2, phial.replay "F f 1 0\nx 1,5\n"))
    for step in assert(phial.steps(record:text())) do print(step.line, step.text, step.problem) end
    told(phial.replay, tenth)
    told(phial.replay, "", { verify = tenth })]==] },
  { "the builder", [==[
    print(phial.build("sum", { "x:f64" }, "f64", function(b, v)
      v.s = 0.0
      b:for_("i", half, 3 - half, quarter, function() v.s = v.s + v.i * tenth end)
      b:ret(v.s)
    end))
    print(shown(phial.build("half", {}, "f64", function(b) b:ret(half) end)()))
    for _, body in ipairs {
      function(_, v) v.n = half end,
      function(b) b:for_("i", 0, 9, half, function() end) end,
      function(b) b:for_("i", 0, half, function() end) end,
      function(b) b:if_(half, function() end) end,
      function(b, v) b:switch_(v.n, { [half] = function() end }) end,
      function(b, v) b:switch_(v.n, { [1] = half }) end,
      function(_, v) v[half] = 1 end,
    } do told(phial.build, "f", { "n" }, nil, body) end]==] },
  { "other uses of numbers", [==[
    told(function() return phial.emit[half] end)
    told(phial.build, "f", {}, nil, function(b) return b[half] end)
    told(phial.build, "f", {}, nil, function(b) b[half] = 1 end)
    told(phial.build, "f", {}, nil, function(_, v) return v[half] end)
    told(phial.build, "f", {}, nil, function(b) b:goto_(half) end)
    told(phial.build, "f", {}, nil, function(b) b:label(half) end)
    told(phial.build, "f", {}, nil, function(b) b:var(half, 1) end)
    told(phial.build, "f", {}, nil, function(b) b:for_(half, 1, 2) end)
    told(phial.build, "f", {}, nil, function(b) b:break_(half) end)
    local fn = floats { where = false }
    local sum = fn:entry():insts()[1]
    told(fn.param, fn, half)
    told(sum.set_arg, sum, half, sum)
    for _, use in ipairs { "10", "1,0" } do
      told(phial.dialect, "d", { op = { cost = use } })
      told(phial.dialect, "d", { op = { args = use } })
      told(phial.dialect, "d", { op = { results = use, result = "f64" } })
      local R = phial.rules "a: x + 0 => x"
      told(R.check, R, { width = use })
      told(fn.loc, fn, use)
      told(sum.set_arg, sum, use, fn:const(half))
    end
    local inf <const>, nan <const> = 1 / 0, -(0 / 0)
    print(fn:const(inf), fn:const(-inf), fn:const(nan))
    told(fn.param, fn, inf)
    told(fn.param, fn, -1e300)]==] },
  { "names", [==[
    -- A letter in UTF-8 and in ISO-8859-1; a control byte of the latter.
    for _, letter in ipairs { "\xc3\xb6", "\xf6", "\xc2\x85", "\x85", "\xa0" } do
      local name = "h" .. letter .. "he"
      local fn = phial.fn(name, { letter .. ":f64", "I:i1" }, "f64")
      local record = phial.record(fn)
      local b, join = fn:entry(), fn:block(name)
      local other = fn:block(letter)
      b:branch(fn:arg(2), join, other)
      other:seal()
      b = other
      local v = b:emit(D.op, fn:arg(1), { data = half })
      b:write(fn:param(1), b:call(name, "f64", v))
      b:emit(D.op, v, { data = quarter })
      b:jump(join)
      join:seal()
      join:ret(join:read(fn:param(1)))
      fn:finish()
      print(fn)
      print(phial.emit.dot(fn))
      for _, form in ipairs { "goto", "blocks" } do
        local text, host = phial.emit.lua(fn, { form = form })
        print(text)
        assert(load(text))(host)
      end
      told(fn, half, false)
      print(record:text())
      print(assert(phial.replay(record:text(), { dialects = { D } })))
      print(shown(fn(half, true)), shown(fn(half, false, { env = { [name] = math.sqrt } })))
      print(select(2, phial.replay("F f 1 0\nb " .. letter .. "\n")))
      print(select(2, phial.replay("F f 1 0\nb" .. letter .. "entry\n")))
      print(select(2, phial.replay("F f 1 0\nx 1:" .. letter .. "\n")))
      print(select(2, phial.parse("fn " .. letter .. "() {\nentry:\n  ret\n}\n")))
      told(phial.fn, "f", { "x:" .. letter })
      told(phial.dialect, letter, {})
      told(phial.rules, letter .. ": x + 0 => x", nil, "r")
      told(phial.rules, "a: x" .. letter .. " + 0 => x", nil, "r")
    end]==] },
  { "order", [==[
    local text = "F f 1 0\nb entry\ni %1 any a.op\ni %2 any B.op\ni %3 any _.op\ni %4 any b.op\n"
      .. "i %5 b.T b.make\ni %6 b.u b.make2\nx %1\nE\n"
    print(assert(phial.replay(text)))
    told(phial.fn, "f", {}, nil, { Undef = 1 })
    told(phial.emit.lua, floats(), { Form = 1 })
    told(phial.build, "f", {}, nil, function(b, v) v.a = 1 v.B = 2 v.b = 3 return v.x end)]==] },
  { "a frontend", [==[
    local script = os.tmpname()
    local out = assert(io.open(script, "w"))
    out:write "local x = ... for i = 0.5, 2.25, 0.25 do x = x * 1.5 + i end return x // 0.1 + 1e300"
    out:close()
    assert(require("luac.chunk").each(script, function(fn) print(fn) end))
    os.remove(script)]==] },
}

-- examples/luac reads bytecode of 5.4.
if _VERSION ~= "Lua 5.4" then WORK[#WORK] = nil end

local function source()
  local parts = { SHARED }
  for _, topic in ipairs(WORK) do
    parts[#parts + 1] = ("topic(%q, function()\n%s\nend)"):format(topic[1], topic[2])
  end
  return table.concat(parts, "\n")
end

-- What was printed, by topic.
local function by_topic(text)
  local of, name = {}, nil
  for line in text:gsub("/tmp/lua_%w+", "SCRIPT"):gmatch "[^\n]*" do
    local starts = line:match "^== (.*)$"
    name = starts or name
    if name then of[name] = (of[name] or "") .. (starts and "" or line .. "\n") end
  end
  return of
end

local expected = {}

setup(function()
  local out, err, status = child(source(), "", "C")
  assert.same({ "", 0 }, { err, status })
  assert.is_nil(out:match "ENDED EARLY[^\n]*")
  expected = by_topic(out)
end)

for _, charset in ipairs { "UTF-8", "ISO-8859-1" } do
  describe("with a German locale in " .. charset, function()
    local got, ended
    setup(function()
      local name, setting = german(charset)
      local out, err, status = child(source(), setting, name)
      got = by_topic(out .. err)
      ended = status == 0
    end)

    for _, topic in ipairs(WORK) do
      local name = topic[1]
      it("the output is the same: " .. name, function()
        assert.equal(expected[name], got[name])
      end)
    end

    it("the work comes to its end", function() assert.is_true(ended) end)
  end)
end
