-- Sets of rules as Lua sees them: methods, functions behind $name, errors.
local child = require "spec.support.child"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local function fn(rules, params, opts)
  opts = opts or {}
  opts.rules = rules
  local f = phial.fn("f", params or { "x", "y" }, "i64", opts)
  return f, f:entry(), f:arg(1), f:arg(2)
end

describe("a set", function()
  it("is made empty, from text, and over the standard rules", function()
    assert.same({}, phial.rules():names())
    assert.same({ "a", "b" }, phial.rules("a: x + 0 => x\nb: x - 0 => x"):names())
    local names = {}
    for _, name in ipairs(phial.rules("int"):names()) do names[name] = true end
    assert.is_true(names.add0 and names.mul_pow2 and names.not_cmp)
  end)

  it("over the standard rules is each time another", function()
    local R, S = phial.rules "int", phial.rules "int"
    R:remove "add0"
    local _, b, x = fn(R)
    local _, c, y = fn(S)
    assert.not_equal(x, b:add(x, 0))
    assert.equal(y, c:add(y, 0))
  end)

  it("grows, and functions see it with the next instruction", function()
    local R = phial.rules()
    local _, b, x = fn(R)
    assert.equal("bnot", b:bnot(b:bnot(x)):op())
    assert.equal(R, R:add "notnot: ~(~x) => x")
    assert.equal(x, b:bnot(b:bnot(x)))
  end)

  it("is shared, and kept alive, by functions", function()
    local f, b, x = fn(phial.rules "negneg: -(-x) => x")
    local _, c, y = fn(phial.rules "negneg: -(-x) => x")
    collectgarbage()
    collectgarbage()
    assert.equal(x, b:neg(b:neg(x)))
    assert.equal(y, c:neg(c:neg(y)))
    assert.same({ negneg = 1 }, f:stats().rules)
  end)

  it("forgets rules, switches them off and on", function()
    local R = phial.rules "a: x + 0 => x\nb: x - 0 => x"
    local _, b, x = fn(R)
    R:enable("a", false)
    assert.same({ "b" }, R:names())
    assert.not_equal(x, b:add(x, 0))
    R:enable "a"
    assert.equal(x, b:add(x, 0))
    R:remove "a"
    assert.same({ "b" }, R:names())
    assert.not_equal(x, b:add(x, 0))
    refused(nil, "bad argument #1 to 'remove' (there is no rule 'a')", function() R:remove "a" end)
    refused(nil, "bad argument #1 to 'enable' (there is no rule 'c')", function() R:enable "c" end)
    refused(nil, "bad argument #2 to 'enable' (boolean expected, got number)",
      function() R:enable("b", 1) end)
  end)

  it("finds rules by name among many, again after they were removed", function()
    local R = phial.rules()
    for i = 1, 100 do R:add(("n%d: x + %d => x"):format(i, i)) end
    R:add "n7: x - 7 => x"
    assert.equal("n7: x + 7 => x\nn7: x - 7 => x\n", R:text "n7")
    R:enable("n7", false)
    refused(nil, "bad argument #1 to 'text' (there is no rule 'n7')", function() R:text "n7" end)
    R:enable "n7"
    for i = 1, 100 do R:remove("n" .. i) end
    assert.same({}, R:names())
    refused(nil, "bad argument #1 to 'remove' (there is no rule 'n7')",
      function() R:remove "n7" end)
    for i = 1, 3 do
      R:add(("n7: x | %d => x"):format(i))
      assert.equal(("n7: x | %d => x\n"):format(i), R:text "n7")
      R:remove "n7"
    end
    local S = phial.rules "int"
    local name = S:names()[3]
    S:remove(name)
    S:add(name .. ": x + 77 => x")
    assert.equal(name .. ": x + 77 => x\n", S:text(name))
    assert.not_equal("", phial.rules "int":text(name))
  end)

  it("takes in the rules of another", function()
    local S = phial.rules("even: x * C => x if $even(C)",
      { even = function(c) return c % 2 == 0 end })
    local R = phial.rules("one: x * 1 => x if $yes()", { yes = function() return true end })
    assert.equal(R, R:include(S))
    S:add "zero: x * 0 => 0"
    assert.same({ "one", "even" }, R:names())
    local _, b, x = fn(R)
    assert.equal(x, b:mul(x, 6))
    assert.equal(x, b:mul(x, 1))
    assert.not_equal(x, b:mul(x, 7))
    assert.equal(x, b:mul(x, 0))
    refused(nil, "bad argument #1 to 'include' (phial.Rules expected, got table)",
      function() R:include {} end)
  end)

  it("does not take itself in, nor what it has from its base a second time", function()
    local R = phial.rules "a: x + 0 => x"
    refused(nil, "bad argument #1 to 'include' (a set cannot include itself)",
      function() R:include(R) end)
    local S, alone = phial.rules "int", phial.rules("int"):text()
    S:include(phial.rules "int")
    assert.equal(alone, S:text())
    S:include(phial.rules("int"):add "mine: x - 0 => x")
    assert.equal(alone .. "mine: x - 0 => x\n", S:text())
  end)

  it("takes in what it has not, however often it is asked", function()
    local function yes() return true end
    local text = "a: [add|sub](x, 0) => x\nx ~ 0 => x\nb: x * y => x if $f(x)"
    local S = phial.rules(text, { f = yes }, "s")
    local R = phial.rules "x & x => x":include(S)
    local all = R:text()
    assert.equal(all, R:include(S):text())
    assert.equal(5, #R:rules())
    assert.equal(5, #R:include(phial.rules(text, { f = yes }, "s")):rules())
    assert.equal(6, #R:include(phial.rules(text, { f = function() end }, "s")):rules())
    R:remove "a"
    assert.equal(6, #R:include(S):rules())
    assert.equal(10, #R:include(phial.rules(text, { f = yes }, "of another place")):rules())
    local _, b, x, y = fn(R)
    assert.equal("param", b:mul(x, y):op())
  end)

  -- In which order the dialects of a set come is not known: some of these sets
  -- have good ones before the bad one.
  it("is as it was when it cannot take in another one", function()
    for i = 1, 8 do
      local A, B = ("a%d"):format(i), ("b%d"):format(i)
      local function dialect(name)
        return phial.dialect(name, { op = { args = 1, result = "i64", pure = true } })
      end
      local R, S = phial.rules():attach(dialect(A)), phial.rules():attach(dialect(A))
      for k = 1, 8 do S:attach(dialect(B .. k)) end
      refused(nil, ("another dialect named '%s' is attached already"):format(A),
        function() R:include(S) end)
      for k = 1, 8 do R:attach(dialect(B .. k)) end
    end
  end)

  it("counts what each rule does, in each function", function()
    local R = phial.rules "a: x + 0 => x\nx - 0 => x"
    local f, b, x = fn(R)
    b:add(x, 0)
    b:add(x, 0)
    b:sub(x, 0)
    local hits = f:stats().rules
    assert.equal(2, hits.a)
    hits.a = nil
    local name = next(hits)
    assert.matches("^%[.*ruleset_spec.lua:%d+%]:2$", name)
    assert.same({}, fn(R):stats().rules)
    assert.is_nil(fn(false):stats().rules)
  end)

  it("refuses wrong text with the whole message, and is as before", function()
    local R = phial.rules("a: x + 0 => x", nil, "mine")
    assert.equal([[
text:2:5: an operand expected, got '=>'
  x + => y
      ^]], raises.message(R.add, R, "b: x - 0 => x\nx + => y", nil, "text"))
    assert.same({ "a" }, R:names())
    refused(nil, "bad argument #1 to 'add' (string expected, got table)", function() R:add {} end)
    refused(nil, "bad argument #2 to 'add' (table expected, got boolean)",
      function() R:add("x + 0 => x", true) end)
    refused(nil, "bad argument #2 to 'add' (table of functions expected, got a string; if it is "
      .. "the second result of 'require', write (require ...))", function() R:add("", "") end)
    refused(nil, "wrong number of arguments to 'add' (1 to 3 expected, got 0)",
      function() R:add() end)
    refused(nil, "bad argument #1 to 'phial.rules' (string expected, got table)",
      function() phial.rules {} end)
  end)

  it("is not called with a dot, and not made of something else", function()
    refused(nil, "calling 'add' on bad self (phial.Rules expected, got string) (use ':'?)",
      function() phial.rules().add "x + 0 => x" end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'rules': phial.Rules or false expected, "
      .. 'got "int")', function() phial.fn("f", {}, nil, { rules = "int" }) end)
    assert.matches("^phial.Rules: ", tostring(phial.rules()))
  end)

  it("knows the ops of dialects that are attached", function()
    local D = phial.dialect("m", {
      mul = { args = { "mat", "mat" }, result = "mat", pure = true },
      t = { args = { "mat" }, result = "mat", pure = true },
      one = { args = 0, result = "mat", pure = true },
    }, { "mat" })
    local R = phial.rules()
    raises.with("there is no op 'm.t': is its dialect attached?", R.add, R, "m.t(a) => a")
    R:attach(D):add [[
      tt:   m.t(m.t(a)) => a
      one:  m.mul(a, m.one()) => a
      t_mul: m.mul(once(m.t(a)), once(m.t(b))) => m.t(m.mul(b, a))
    ]]
    local f = phial.fn("f", { "a:m.mat", "b:m.mat" }, "m.mat", { rules = R, dialects = { D } })
    local b, x, y = f:entry(), f:arg(1), f:arg(2)
    assert.equal(x, b:emit(D.t, b:emit("m.t", x)))
    assert.equal(x, b:emit(D.mul, x, b:emit(D.one)))
    local z = b:emit(D.mul, b:emit(D.t, x), b:emit(D.t, y))
    assert.equal("m.t", z:op())
    assert.same({ tt = 1, one = 1, t_mul = 1 }, f:stats().rules)
    refused(nil, "bad argument #1 to 'attach' (a dialect expected, got nil)",
      function() R:attach(nil) end)
    refused(nil, "another dialect named 'm' is attached already",
      function() R:attach(phial.dialect("m", {})) end)
  end)

  it("does not need its dialects in the order of the function", function()
    local A = phial.dialect("a", { f = { args = { "i64" }, result = "i64", pure = true } })
    local B = phial.dialect("b", { g = { args = { "i64" }, result = "i64", pure = true } })
    local R = phial.rules():attach(A):attach(B):add "fg: a.f(b.g(x)) => b.g(a.f(x)) @ unoriented"
    local f, b, x = fn(R, nil, { dialects = { B, A } })
    assert.equal("b.g", b:emit(A.f, b:emit(B.g, x)):op())
    assert.same({ fg = 1 }, f:stats().rules)
  end)
end)

describe("a guard", function()
  it("gets integers and values, and is the last of the tests", function()
    local seen = {}
    local R = phial.rules("g: (x + y) * C => x if $g(C, x, C + 1)",
      { g = function(...) seen[#seen + 1] = { ... } return true end })
    local _, b, x, y = fn(R)
    b:mul(x, 3)
    assert.same({}, seen)
    b:mul(b:add(x, y), -7)
    assert.equal(1, #seen)
    assert.equal(-7, seen[1][1])
    assert.equal("param", seen[1][2]:op())
    assert.equal(-6, seen[1][3])
  end)

  it("that fails leaves the function as it was", function()
    local R = phial.rules("g: x * C => x if $g(C)", { g = function() error "no" end }, "text")
    local f, b, x = fn(R)
    b:add(x, 1)
    local before = tostring(f)
    assert.matches("^rule 'g' %(text:1%): .*ruleset_spec.lua:%d+: no$",
      raises.message(b.mul, b, x, 7))
    assert.equal(before, tostring(f))
    assert.equal("add", b:add(x, 2):op())
    assert.equal(0, f:stats().rules.g or 0)
  end)

  it("can raise anything", function()
    local it = {}
    local R = phial.rules("g: x * C => x if $g(C)", { g = function() error(it) end })
    local _, b, x = fn(R)
    raises.equal(it, b.mul, b, x, 7)
  end)

  it("may look at the function, not change it, and build others", function()
    local b, x
    local errors = {}
    local R = phial.rules("g: x * C => x if $g(C)", {
      g = function()
        errors[1] = raises.message(b.add, b, x, 1)
        local _, c, y = fn(phial.rules "int")
        return y == c:add(y, 0) and x:type() == "i64"
      end,
    })
    local _
    _, b, x = fn(R)
    assert.equal(x, b:mul(x, 7))
    assert.equal("calling 'add': function 'f' is waiting for a callback of yours (undef, log or "
      .. "of a rule): it can be read, not changed", errors[1])
  end)

  it("cannot yield", function()
    local R = phial.rules("g: x * C => x if $g(C)", { g = function() coroutine.yield() end }, "t")
    local _, b, x = fn(R)
    local ok, why = coroutine.resume(coroutine.create(function() b:mul(x, 7) end))
    assert.is_false(ok)
    assert.matches("^[^:]*:%d+: rule 'g' %(t:1%): its function may not yield$", why)
  end)

  it("must be given", function()
    local R = phial.rules()
    assert.matches("^text:1:16: no function 'g' was given with these rules\n",
      raises.message(R.add, R, "x * C => x if $g(C)", { h = print }, "text"))
  end)
end)

describe("a late rule", function()
  it("waits for finish, and its failure leaves the function open", function()
    local fail = true
    local R = phial.rules("l: x * C => x if $g(C) @ late",
      { g = function() if fail then error("no", 0) end return true end }, "t")
    local f, b, x = fn(R)
    local v = b:mul(x, 7)
    assert.equal("mul", v:op())
    assert.matches("\n  l: it is '@ late': it applies in finish only$", R:explain(f, "mul", x, 7))
    b:ret(v)
    local before = tostring(f)
    assert.equal("rule 'l' (t:1): no", raises.message(f.finish, f))
    assert.is_false(f:is_finished())
    assert.equal(before, tostring(f))
    fail = false
    f:finish()
    assert.same({ l = 1 }, f:stats().rules)
    assert.equal(x, v)
  end)

  it("applies to what is used once, with all uses known", function()
    local R = phial.rules "o: once(x * y) + z => x @ late"
    local f, b, x, y = fn(R)
    local m = b:mul(x, y)
    local s = b:add(m, 1)
    b:ret(b:sub(s, m))
    f:finish()
    assert.same({}, f:stats().rules)
    local g, c, u, v = fn(R)
    c:ret(c:add(c:mul(u, v), 1))
    g:finish()
    assert.same({ o = 1 }, g:stats().rules)
  end)
end)

describe("an action", function()
  local function acting(act, text)
    return fn(phial.rules(text or "a: x * C => $a(x, C)", { a = act }, "text"))
  end

  it("emits, simplified, where the instruction would be", function()
    local f, b, x = acting(function(e, v, c) return e:add(e:shl(v, c), v) end)
    local v = b:mul(x, 3)
    assert.equal("add", v:op())
    assert.equal(b, v:block())
    assert.equal(v, b:mul(x, 3))
    assert.equal(2, f:stats().rules.a)
  end)

  it("returns a value, a number, a boolean, or nil", function()
    local answer
    local _, b, x = acting(function(_, v) if answer == "x" then return v end return answer end)
    answer = "x"
    assert.equal(x, b:mul(x, 3))
    answer = 5
    assert.equal(5, b:mul(x, 3):const())
    answer = nil
    assert.equal("mul", b:mul(x, 3):op())
    local _, c, y = acting(function() return true end, "a: slt(x, C) => $a(x, C)")
    assert.equal(true, c:slt(y, 3):const())
  end)

  it("that says nil after all leaves nothing, and the next rule has its turn", function()
    local f, b, x = acting(function(e, v) e:add(v, 77) end, [[
      a: x * C => $a(x, C) @ prio 1
      b: x * 3 => x]])
    local before = tostring(f)
    assert.equal(x, b:mul(x, 3))
    assert.equal(before, tostring(f))
    assert.same({ b = 1 }, f:stats().rules)
  end)

  it("that says nil after another one has answered leaves nothing of either", function()
    local R = phial.rules([[
      outer: x * C => $outer(x)
      inner: x ~ C => $inner(x)]], {
      outer = function(e, v) e:bxor(e:add(v, 77), 1) end,
      inner = function(e, v) return e:sub(e:add(v, 78), 79) end
    })
    local f = phial.fn("f", { "x" }, nil, { rules = R })
    assert.equal("mul", f:entry():mul(f:arg(1), 3):op())
    assert.equal(1, #f:entry():insts())
  end)

  it("that fails leaves the function as it was", function()
    local f, b, x = acting(function(e, v) e:add(v, 77) error "oh" end)
    b:add(x, 1)
    local before = tostring(f)
    assert.matches("^rule 'a' %(text:1%): .*: oh$", raises.message(b.mul, b, x, 3))
    assert.equal(before, tostring(f))
    assert.equal(0, b:add(x, 77):use_count())
    assert.equal("add", b:add(x, 78):op())
  end)

  it("returns what fits", function()
    local answer
    local f, b, x = acting(function() return answer end)
    local function wrong(it)
      answer = it
      return raises.message(b.mul, b, x, 3)
    end
    local before = tostring(f)
    assert.equal("rule 'a' (text:1): its action returned a string, i64 or nil expected", wrong "3")
    assert.equal("rule 'a' (text:1): its action returned true, i64 or nil expected", wrong(true))
    assert.equal("rule 'a' (text:1): its action returned 1.5, i64 or nil expected", wrong(1.5))
    assert.equal("rule 'a' (text:1): its action returned a table, i64 or nil expected", wrong {})
    local _, _, y = fn(false)
    assert.equal("rule 'a' (text:1): its action returned a value of another function", wrong(y))
    assert.equal("rule 'a' (text:1): its action returned i1 'true', i64 expected",
      wrong(f:const(true)))
    assert.equal(before, tostring(f))
  end)

  it("returns a value only where it is known to be there", function()
    local answer
    local f, b, x = acting(function() return answer end)
    local left, right, join = f:block "left", f:block "right", f:block "join"
    b:branch(b:slt(x, 0), left, right)
    left:seal()
    right:seal()
    answer = left:add(x, 5)
    assert.equal("rule 'a' (text:1): its action returned '" .. tostring(answer) ..
      "' of block 'left', which is not known to dominate block 'right'",
      raises.message(right.mul, right, x, 3))
    assert.equal(answer, left:mul(x, 3))
    left:jump(join)
    right:jump(join)
    assert.is_not_nil(raises.message(join.mul, join, x, 3))
  end)

  it("has a builder of pure instructions that works while it runs", function()
    local kept, wrong
    local _, b, x = acting(function(e, v)
      kept = e
      wrong = {
        raises.message(e.sdiv, e, v, v),
        raises.message(e.emit, e, "nothing", v),
        raises.message(e.emit, e, "phi", v),
        raises.message(e.add, e, v),
        raises.message(e.add, e, v, true),
        raises.message(e.trunc, e, v),
        raises.message(e.const, e, {}),
        tostring(e),
        raises.message(function() e:jump() end),
        raises.message(function() e:seal() end),
      }
      return e:emit("add", v, e:const(2))
    end)
    assert.equal("add", b:mul(x, 3):op())
    assert.same({
      "'sdiv' is not pure: the builder of an action emits pure instructions only",
      "bad argument #1 to 'emit' (unknown op 'nothing')",
      "bad argument #1 to 'emit' ('phi' is not for the builder of an action)",
      "wrong number of arguments to 'add' (2 expected, got 1)",
      "bad argument #2 to 'add' (i64 expected like argument #1, got true)",
      "'trunc' needs the type of its result: a type's name as last argument",
      "bad argument #1 to 'const' (constant expected, got a table)",
      "phial.Actor",
      "a phial.Actor has no method 'jump'",
      "a phial.Actor has no method 'seal'",
    }, wrong)
    assert.equal("this builder works only while the action that got it runs",
      raises.message(kept.add, kept, x, 1))
  end)

  it("runs within another, and an error within is of the inner one", function()
    local fail, caught
    local R = phial.rules([[
      inner: x - C => $inner(x, C) if C ~= 1
      outer: x * C => $outer(x, C)]], {
      inner = function(e, v, c)
        if fail then error("deep", 0) end
        return e:sub(e:sub(v, 1), c - 1)
      end,
      outer = function(e, v, c)
        if caught then pcall(e.sub, e, v, c) return v end
        return e:add(e:sub(v, c), v)
      end,
    }, "t")
    local f, b, x = fn(R)
    assert.equal("add", b:mul(x, 3):op())
    local before = tostring(f)
    fail = true
    assert.equal("rule 'inner' (t:1): deep", raises.message(b.mul, b, x, 4))
    caught = true
    assert.equal("rule 'outer' (t:2): its action has caught an error of its builder: it must " ..
      "let it pass",
      raises.message(b.mul, b, x, 5))
    assert.equal(before, tostring(f))
    fail, caught = false, false
    assert.equal("add", b:mul(x, 4):op())
  end)

  it("runs within another, and what both have emitted and taken back is taken back once", function()
    local R = phial.rules("outer: x * C => $outer(x)\ninner: x - C => $inner(x)", {
      outer = function(e, v) e:sub(v, 7) end, inner = function(e, v) e:add(v, 9) end,
    })
    local _, b, x, y = fn(R)
    local used = b:add(x, y)
    assert.same({}, used:users()) -- uses are kept from here on
    assert.same({ b:mul(used, 3) }, used:users())
  end)

  it("may add rules, which count from the next instruction on", function()
    local R = phial.rules()
    R:add("a: x * C => $a(x, C)", { a = function(_, v)
      R:add "b: x + 0 => x"
      R:remove "a"
      return v
    end })
    local _, b, x = fn(R)
    assert.equal(x, b:mul(x, 3))
    assert.equal(x, b:add(x, 0))
    assert.equal("mul", b:mul(x, 3):op())
  end)
end)

describe("a function behind $name", function()
  it("cannot free what it is called from", function()
    local freed
    local function free() getmetatable(freed).__gc(freed) return true end
    local R = phial.rules("a: x + y => $f(x, y) if $free(x)",
      { free = free, f = function(b, x, y) return free() and b:sub(x, y) end })
    for _, which in ipairs { "function", "rules" } do
      local f = phial.fn("f", { "n:i64", "m:i64" }, nil, { rules = R })
      freed = which == "rules" and R or f
      assert.equal("sub", f:entry():add(f:arg(1), f:arg(2)):op())
      assert.same({ a = 1 }, f:stats().rules)
    end
  end)
end)

describe("rules without end", function()
  local text = [[
    ab: x + y => y - (0 - x) @ unoriented, always
    ba: x - y => x + (0 - y) @ unoriented, always]]

  it("stop, and the instruction is there", function()
    local f, b, x, y = fn(phial.rules(text))
    assert.is_not_nil(b:add(x, y))
    assert.is_true(f:stats().exhausted > 0)
  end)

  it("are a warning at finish, once until the set changes, that names the circle", function()
    local out, _, status = child([[
      local phial = require "phial"
      local R = phial.rules("up: x * C => x * (C + 1) @ unoriented", nil, "t")
      local function finish(name)
        local fn = phial.fn(name, { "x:i64" }, "i64", { rules = R })
        fn:entry():ret(fn:entry():mul(fn:arg(1), 3))
        fn:finish()
        fn:reopen():finish()
      end
      warn "@on"
      finish "f"
      finish "g"
      R:enable("up", true)
      finish "h"]], "exec 2>&1;")
    assert.equal(0, status)
    assert.equal(2, select(2, out:gsub("Lua warning", "")))
    assert.equal(2, select(2, out:gsub("function '[fh]'", "")))
    assert.equal(":6: function 'f': rules go round in circles: 200 were applied "
      .. "to one instruction, again and again rule 'up' (t:1)",
      out:match "^Lua warning: [^:]+([^\n]*)")
  end)

  -- An action whose result is the instruction that it replaces.
  local function summed(R)
    return phial.build("f", { "n:i64" }, "i64", { rules = R }, function(b, v)
      v.s, v.i = 0, 0
      b:while_(function() return v.i:slt(v.n) end, function()
        v.s, v.i = v.s + v.n + 3, v.i + 1
      end)
      b:ret(v.s)
    end)
  end

  it("end in time if actions make new values each time", function()
    local asked = 0
    local R = phial.rules("copy: z + A => $copy(z, A) @ unoriented", { copy = function(b, z, A)
      asked = asked + 1
      return b:add(z, A)
    end })
    local f = summed(R)
    assert.equal(130, f(10))
    assert(asked < 20000, asked)
  end)

  -- What the action makes is made again and again, so that looking for it uses up the steps
  -- of a pass, while it is at work.
  it("leave an action what it has made, though steps run out", function()
    local applies, count = false, 0
    local R = phial.rules([[
      add0: x + 0 => x
      or0:  x | 0 => x
      more: x * C => $more(x, C) if $applies(C) @ unoriented]], {
      applies = function() return applies end,
      more = function(b, x, C)
        applies, count = false, count + 1
        local result = b:mul(x, C)
        for _ = 1, 2 do
          for i = 1, 200 do b:sub(x, i) end
        end
        applies = true
        return result
      end,
    })
    local f = phial.fn("f", { "a:i64", "c:i1" }, "i64", { rules = R })
    local v, zero, entry = f:var "v", f:var "zero", f:entry()
    local loop, out = f:block "loop", f:block "out"
    entry:write(v, f:arg(1))
    entry:write(zero, 0)
    entry:jump(loop)
    local x, none = loop:read(v), loop:read(zero)
    local product = loop:mul(loop:add(x, none), 3)
    loop:write(v, loop:bor(x, none))
    loop:branch(f:arg(2), loop, out)
    loop:seal()
    out:seal()
    out:ret(product)
    applies = true
    assert.has_no_error(function() f:finish() end)
    assert(count > 1, "the product was looked at once")
  end)

  it("make no more of a large function than of a small one", function()
    local size = {}
    for i, R in ipairs { phial.rules(text),
      phial.rules "r: x + C => (x + (C - 1)) + 1 @ unoriented, always" } do
      local f = summed(R)
      for k = 1, 5 do
        f:clean { rules = true }
        size[k] = f:stats().values
      end
      assert(size[5] - size[4] <= size[2] - size[1] + 10, i)
      assert.equal(130, f(10))
    end
  end)

  it("stop for good in passes, until the set changes", function()
    for i, R in ipairs { phial.rules(text),
      phial.rules "r: x + C => (x + (C - 1)) + 1 @ unoriented, always",
      -- Fuel never runs out: the sums are looked at again because of what uses their operands.
      phial.rules [[double: x + y =>
        (((x | 1) + (y | 1)) * ((x | 2) + (y | 2))) ~ ((x | 1) - (x | 2))
          if uses(x) > 0 @ unoriented, always]] } do
      local f, b, x, y = fn(R)
      local p, q = b:mul(x, 3), b:mul(y, 5)
      b:ret(b:mul(b:add(b:add(p, q), 7), b:sub(p, q)))
      f:finish()
      local size = {}
      for k = 1, 40 do
        f:clean { rules = true }
        local last = f:values()
        for v in f:values() do last = v:id() end
        size[k] = last
      end
      assert.equal(size[20], size[40])
      assert(size[40] < 5000, i)
      assert.is_true(f:stats().exhausted > 0)
      local applied = f:stats().late_applied
      R:add "again: x * 3 => x + x + x @ unoriented"
      f:clean { rules = true }
      assert(f:stats().late_applied > applied, i)
    end
  end)

  it("leave an instruction to which they come back", function()
    local R = phial.rules [[
      up:   smax(x, y) => smin(x, y) @ unoriented
      down: smin(x, y) => smax(x, y) @ unoriented]]
    local f, b, x, y = fn(R)
    local v = b:smax(x, y)
    b:ret(v)
    f:finish()
    local before = f:text()
    f:clean { rules = true }
    assert.equal(before, f:text())
  end)

  it("are no warning if there are none", function()
    local quiet = [[
      local phial = require "phial"
      local fn = phial.fn("f", { "x" })
      fn:entry():add(fn:arg(1), 0)
      fn:entry():ret()
      warn "@on"
      fn:finish()]]
    assert.equal("", (child(quiet, "exec 2>&1;")))
  end)

  it("are none if a result has many instructions: only their nesting is limited", function()
    local sum = "(x ~ 1)"
    for i = 2, 60 do sum = ("%s + (x ~ %d)"):format(sum, i) end
    local R = phial.rules("many: x * 77 => " .. sum .. " @ unoriented, always\nlast: x ~ 60 => 60")
    local f, b, x = fn(R)
    assert.equal(60, (b:mul(x, 77):arg(2):const()))
    assert.equal(0, f:stats().exhausted)
  end)

  it("are none in loops after a condition that is false", function()
    local n = 100
    local f = phial.build("f", { "n:i64" }, "i64", { rules = phial.rules "int" }, function(b, v)
      v.x = v.n
      b:if_(b:const(false), function()
        for _ = 1, 3 do
          b:while_(function() return v.x:sgt(0) end, function() v.x = v.x - 1 end)
          for i = 1, n do
            v.x = v.x - 1
            b:if_(v.x:sgt(i), function() b:call("use", false, v.x + 1) end)
          end
        end
      end)
      b:ret(v.x + 1)
    end)
    local s = f:stats()
    assert(s.applied < 20 * n, s.applied)
    assert.equal(0, s.exhausted)
  end)

  it("are none in a loop with several entries that finish finds dead", function()
    for _, n in ipairs { 1, 10, 100 } do
      local f = phial.fn("f", { "n:i64" }, "i64", { rules = phial.rules "int", strict = true })
      local x, zero = f:var "x", f:var "zero"
      local entry, head, enter, a, b, out = f:entry(), f:block "head", f:block "enter",
        f:block "a", f:block "b", f:block "out"
      local function count_down(block)
        for _ = 1, n do
          block:write(x, block:sub(block:read(x), 1))
          block:call("use", false, block:read(x))
        end
      end
      entry:write(x, f:arg(1))
      entry:write(zero, 0)
      entry:jump(head)
      head:branch(head:ne(head:read(zero), 0), enter, out)
      enter:branch(enter:sgt(f:arg(1), 3), a, b)
      count_down(a)
      a:jump(b)
      count_down(b)
      b:branch(b:sgt(b:read(x), 0), a, out)
      out:ret(out:add(f:arg(1), 1))
      for _, block in ipairs { a, b, out, enter, head } do block:seal() end
      f:finish()
      assert(f:stats().late_applied <= 2 * n, f:stats().late_applied)
      assert.equal(0, f:stats().exhausted)
    end
  end)

  -- When `head` is sealed, nothing is known yet of `back`, which leads to it.
  it("are counted, but are no error, in a dead loop that construction does not know", function()
    local f = phial.fn("f", { "c:i1" }, "i64", { rules = phial.rules "int", strict = true })
    local x = f:var "x"
    local dead, head, back, out = f:block "dead", f:block "head", f:block "back", f:block "out"
    f:entry():ret(1)
    dead:write(x, dead:sub(dead:read(x), 2))
    dead:branch(f:arg(1), dead, head)
    head:read(x)
    head:branch(f:arg(1), out, back)
    back:jump(head)
    for _, block in ipairs { dead, head, back, out } do block:seal() end
    out:ret(out:sub(out:read(x), 1))
    assert.equal(1, f:stats().exhausted)
    assert.has_no_error(function() f:finish() end)
  end)

  it("are an error each time that finish is called when strict", function()
    local R = phial.rules "up: x * C => x * (C + 1) @ unoriented, late"
    local f, b, x = fn(R, nil, { strict = true })
    b:ret(b:mul(x, 3))
    for _ = 1, 3 do
      local _, why = pcall(f.finish, f)
      assert.matches("rules go round in circles", why)
    end
    R:remove "up"
    assert.equal(12, f:finish()(4, 0))
  end)

  it("are an error that shows the circle when strict", function()
    local R = phial.rules("up: x * C => x * (C + 1) @ unoriented", nil, "t")
    local f, b, x = fn(R, nil, { strict = true })
    local before = tostring(f)
    assert.equal("rules go round in circles: 200 were applied to one instruction, " ..
      "again and again rule 'up' (t:1)",
      raises.message(b.mul, b, x, 3))
    assert.equal(before, tostring(f))
  end)
end)

describe("R:explain", function()
  it("tells what keeps each rule from applying", function()
    local R = phial.rules([[
      add0:  x + 0 => x
      add_k: (x + A) + B => x + (A + B)
      dbl:   x + x => x << 1 if width(x) > 1
      odd:   x + C => x if $odd(C)
      mac:   once(x * y) + z => x]], { odd = function(c) return c == 5 end })
    local f, b, x, y = fn(false)
    assert.equal([[
add %x, 3:
  mac: operand 1 (%x) is not 'mul'
  add0: operand 2 (3) is not 0
  odd: its guard is false
  add_k: operand 1 (%x) is not 'add'
  dbl: operand 1 (%x) and operand 2 (3) differ]], R:explain(f, "add", 3, x))
    assert.matches("\n  odd: applies\n", R:explain(f, "add", x, 5))
    local m = b:mul(x, y)
    assert.matches("\n  mac: applies\n", R:explain(f, "add", y, m))
    b:neg(m)
    assert.matches("\n  mac: operand 1 %(%%%d+%) has other uses\n", R:explain(f, "add", y, m))
    assert.equal("sub %x, 3: no rule is about it", R:explain(f, "sub", x, 3))
    refused(nil, "bad argument #1 to 'explain' (phial.Function or phial.Value expected, "
      .. "got string)",
      function() R:explain("add", x, 3) end)
    assert.equal("bad argument #2 to 'explain' (unknown op 'plus')",
      raises.message(R.explain, R, f, "plus", x, 3))
  end)
end)
