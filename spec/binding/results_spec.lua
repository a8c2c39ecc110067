-- Ops of dialects whose results each instruction says; evals that get the environment.
local phial = require "phial"
local refused = require "spec.support.refused"

local D = phial.dialect("d", {
  get = { args = 1, result = "*", eval = function(x) return x end },
  many = { args = { "i64" }, result = "i64", results = "*", eval = function(n)
    return n, n + 1, n + 2
  end },
  all = { args = "*", result = "*", results = "*", effect = "none", eval = function(...)
    return ...
  end },
  call = { args = "*", result = "*", env = true, eval = function(env, a, b)
    return env.f(a, b)
  end },
  stop = { args = 0, result = "i64", eval = function() phial.trap "stopped" end },
})

local function start()
  local fn = phial.fn("f", { "x:i64" }, "i64", { dialects = { D } })
  return fn, fn:entry(), fn:arg(1)
end

local function build()
  local fn, b, x = start()
  local trace = phial.record(fn)
  local v, w = fn:var "v", fn:var "w"
  local got = b:emit(D.get, x, "i64")
  local one, two, three = b:emit("d.many", got, { results = 3 })
  local p, q = b:emit(D.all, 1, 2, "i32", { results = 2, data = "hi" })
  b:let(v, w, D.many, 5)
  b:let(v, D.get, 7)
  b:ret(b:emit(D.call, b:add(one, three), b:read(w), "i64"))
  fn:finish()
  return fn, trace, { one, two, three }, { p, q }
end

describe("results that an instruction says", function()
  it("have its type, and are as many", function()
    local fn, _, many, all = build()
    assert.same(many, many[1]:results())
    assert.same(all, all[1]:results())
    assert.equal("i32", all[2]:type())
    assert.equal("hi", all[1]:data())
    assert.same({ fn:arg(1) }, fn:arg(1):results())
    assert.same({}, fn:entry():insts()[#fn:entry():insts()]:results())
    assert.is_true(fn:verify())
    assert.equal(2206, fn(10, { env = { f = function(a, b) return a * 100 + b end } }))
  end)

  it("need no operands", function()
    local none = phial.dialect("none", {
      seed = { result = "*", effect = "none", eval = function() return 7 end },
      any = { args = "*", result = "*", effect = "none", eval = function() return 8 end },
    })
    local fn = phial.fn("f", {}, "i64", { dialects = { none } })
    local b, v = fn:entry(), fn:var "v"
    b:let(v, none.seed, "i64")
    b:ret(b:add(v, b:emit("none.any", "i64", { data = "x" })))
    assert.equal(15, fn:finish()())
    assert.equal(fn:text(), phial.parse(fn:text(), { dialects = { none } }):text())
    fn = phial.fn("f", {}, "i64", { dialects = { none } })
    refused(fn, "'none.seed' needs the type of its result: a type's name as last argument",
      function() fn:entry():emit(none.seed) end)
    refused(fn, "'none.any' needs the type of its result: a type's name as last argument",
      function() fn:entry():emit(none.any, 1) end)
  end)

  it("are in text and in traces, also without the dialect", function()
    local fn, trace = build()
    local text = fn:text()
    assert.equal(text, phial.parse(text, { dialects = { D } }):text())
    local dense = fn:text { ids = "dense" }
    assert.equal(dense, phial.replay(trace:text(), { dialects = { D } }):text { ids = "dense" })
    assert.equal(dense, phial.replay(trace:text()):text { ids = "dense" })
  end)

  it("are told by the op", function()
    assert.is_true(D.get:says_type())
    assert.is_false(D.many:says_type())
    assert.equal("*", D.many:results())
    assert.same({ 1, 3 }, { D.get:results(), D.get:cost() })
    assert.is_true(D.call:takes_env())
    assert.is_false(D.get:takes_env())
  end)

  it("can be in rules", function()
    local R = phial.rules():attach(D):add "twice: d.all(d.all(x)) => d.all(x)"
    local fn = phial.fn("f", { "x:i64" }, nil, { rules = R, dialects = { D } })
    local b = fn:entry()
    local once = b:emit(D.all, fn:arg(1), "i64")
    assert.equal(once, b:emit(D.all, once, "i64"))
    assert.equal("d.all", b:emit(D.all, once, "i32"):op())
  end)

  it("have several types, that the op, the instruction or variables say", function()
    local E = phial.dialect("e", {
      two = { args = 1, results = { "i64", "i1" }, pure = true, eval = function(x)
        return x + 1, x > 3
      end },
    })
    local fn = phial.fn("f", { "x:i64" }, "i64", { dialects = { D, E } })
    local trace, b, x = phial.record(fn), fn:entry(), fn:arg(1)
    local more, is_more = b:emit(E.two, x)
    local number, truth = b:emit(D.all, more, is_more, { results = { "i64", "i1" } })
    local v, w = fn:var("v", "i1"), fn:var "w"
    b:let(v, w, D.all, truth, number)
    b:ret(b:select(v, w, 0))
    fn:finish()
    assert.same({ "i64", "i1", "i64", "i1" },
      { more:type(), is_more:type(), number:type(), truth:type() })
    assert.same({ 5, 0 }, { fn(4), fn(3) })
    assert.equal(fn:text(), phial.parse(fn:text(), { dialects = { D, E } }):text())
    assert.equal(fn:text(), phial.parse(fn:text(), { dialects = "any" }):text())
    assert.equal(fn:text(), phial.replay(trace:text(), { dialects = { D, E } }):text())
    local wrong = fn:text():gsub("i1 = proj", "i8 = proj", 1)
    assert.is_nil((phial.parse(wrong, { dialects = { D, E } }):verify()))
    local more_code = fn:reopen():block("more", 0)
    refused(fn, "'d.all': results: name of a type expected, got a string",
      function() more_code:emit(D.all, { results = { "i99" } }) end)
  end)

  it("are those of what a rule puts in the place of an instruction", function()
    local E = phial.dialect("e", {
      two = { args = { "i64" }, results = { "i64", "i1" }, pure = true, cost = 9,
        eval = function(x) return x, x > 3 end },
      light = { args = { "i64" }, results = { "i64", "i1", "f64" }, pure = true,
        eval = function(x) return x, x > 3, 0.5 end },
      other = { args = { "i64" }, results = { "i64", "i8" }, pure = true },
      pair = { args = { "i64" }, result = "i64", results = 2, pure = true },
      some = { args = { "i64" }, result = "i64", results = "*", pure = true },
      any = { args = { "i64" }, result = "*", results = "*", pure = true },
    })
    local R = phial.rules():attach(E):add "lighter: e.two(x) => e.light(x)"
    local fn = phial.fn("f", { "x:i64" }, "i64", { rules = R, dialects = { E } })
    local b = fn:entry()
    local more, is_more = b:emit(E.two, fn:arg(1))
    b:ret(b:select(is_more, more, 0))
    assert.same({ 0, 4 }, { fn:finish()(3), fn(4) })
    assert.same({ "e.light", { more, is_more } }, { more:op(), more:results() })
    local _, verdicts = R:check()
    assert.same({ "lighter: not checked: 'e.two' has several results" }, verdicts)
    for _, case in ipairs { { "two", "x" }, { "two", "5" }, { "two", "!e.two(x)" },
      { "two", "$act(x)" }, { "two", "e.other(x)" }, { "two", "e.pair(x)" },
      { "light", "e.two(x)" }, { "pair", "e.two(x)" }, { "some", "e.pair(x)" },
      { "any", "e.some(x)" }, { "some", "x" }, { "two", "e.any(x)", good = true },
      { "pair", "e.some(x)", good = true }, { "some", "e.any(x)", good = true },
      { "any", "e.any(x)", good = true } } do
      local rule = ("e.%s(x) => %s @ unoriented"):format(case[1], case[2])
      local ok, err = pcall(phial.rules():attach(E).add, R, rule, { act = function() end })
      assert.equal(case.good or false, ok, rule)
      if not ok then
        assert.matches(("'e.%s' has several results: an op with the same ones expected here")
          :format(case[1]), err, 1, true)
      end
    end
  end)

  it("do not become those of an equal instruction that says other types", function()
    for _, effect in ipairs { "none", "read" } do
      local E = phial.dialect("e", { all = { args = "*", result = "*", results = "*",
        effect = effect, eval = function(...) return ... end } })
      local fn = phial.fn("f", { "x:i64", "y:i8" }, "i64", { dialects = { E } })
      local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
      local function types(second) return { results = { "i64", second } } end
      local _, narrow = b:emit(E.all, x, y, types "i8")
      local _, wide = b:emit(E.all, x, y, types "i16")
      local _, narrow_again = b:emit(E.all, x, y, types "i8")
      local _, narrow_sum = b:emit(E.all, b:add(x, 1), y, types "i8")
      local next_block = fn:block "next"
      b:jump(next_block)
      next_block:seal()
      local _, wide_again = next_block:emit(E.all, x, y, types "i16")
      b = next_block
      b:ret(b:add(b:zext(wide, "i64"), b:add(b:zext(wide_again, "i64"), b:add(b:zext(narrow_sum,
        "i64"), b:add(b:zext(narrow, "i64"), b:zext(narrow_again, "i64"))))))
      fn:finish()
      assert.same({ narrow, wide }, { narrow_again, wide_again })
      assert.not_equal(narrow:arg(1), wide:arg(1))
      assert.equal(2 * 0xfffd + 3 * 0xfd, fn(1, -3))
    end
  end)

  it("stay apart where they are too many to be compared", function()
    local E = phial.dialect("e", { all = { args = { "i64" }, result = "*", results = "*",
      pure = true } })
    for _, case in ipairs { { results = 2, uses = 1, stay = 1 },
      { results = 2, uses = 70, stay = 2 },
      { results = 17, uses = 1, stay = 2 } } do
      local fn = phial.fn("f", { "x:i64", "y:i64" }, "i64", { dialects = { E } })
      local b, types = fn:entry(), { "i64", "i1" }
      for i = 3, case.results do types[i] = "i64" end
      local one = b:emit(E.all, fn:arg(1), { results = types })
      local two = b:emit(E.all, fn:arg(2), { results = types })
      local sum = b:add(one:results()[#types // 2 * 2 - 1], two)
      for i = 1, case.uses do sum = b:mul(b:add(sum, i), one) end
      b:ret(sum)
      fn:finish()
      fn:arg(2):replace(fn:arg(1))
      fn:clean { rules = true }
      assert.equal(case.stay, select(2, fn:text():gsub("e%.all", "")))
    end
  end)

  it("are refused if they are not said, or cannot be", function()
    local fn, b, x = start()
    local v, w = fn:var "v", fn:var "w"
    refused(fn, "bad argument #3 to 'emit' (name of a type expected, got i64 '%x')",
      function() b:emit(D.get, 1, x) end)
    refused(fn, "bad argument #3 to 'emit' (unknown type 'i99'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)",
      function() b:emit(D.get, 1, "i99") end)
    refused(fn, "the number of results of 'd.get' cannot be said",
      function() b:emit(D.get, 1, "i64", { results = 2 }) end)
    refused(fn, "'d.many': results: a number from 1 to 32767, or a list of types expected, got 0",
      function() b:emit(D.many, 1, { results = 0 }) end)
    refused(fn, "'d.get' has 1 result: got 2 variables", function() b:let(v, w, D.get, 3) end)
  end)

  it("are refused in descriptions that say something else", function()
    refused(nil, "bad argument #2 to 'phial.dialect' (op 'a': results: a list of types expected; "
      .. "or a number from 1 to 32767 or \"*\", next to result)",
      function() phial.dialect("e", { a = { result = "*", results = "x" } }) end)
    refused(nil, "bad argument #2 to 'phial.dialect' (op 'a': env: boolean expected, got number)",
      function() phial.dialect("e", { a = { env = 1 } }) end)
  end)
end)

describe("an eval", function()
  it("traps with the place of its instruction", function()
    local fn, b = start()
    b:ret(b:emit(D.stop))
    fn:finish()
    local _, err = pcall(fn, 1)
    assert.equal("f: 'd.stop' in block 'entry': stopped", err)
    refused(nil, "bad argument #1 to 'phial.trap' (string expected, got nil)",
      function() phial.trap() end)
  end)

  it("gets an env that cannot be changed if the run has none", function()
    local fn, b = start()
    local set = phial.dialect("e", { set = { env = true, eval = function(env) env.x = 1 end } })
    b:emit(set.set)
    b:ret(0)
    fn:finish()
    local env = {}
    fn(1, { env = env })
    assert.equal(1, env.x)
    assert.matches("the function was called without the option env", select(2, pcall(fn, 1)))
  end)
end)
