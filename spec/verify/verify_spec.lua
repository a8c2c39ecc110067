-- The verifier: for each invariant that a text can break, a text that breaks only
-- it. (Texts cannot break lists: see spec/c.)
local phial = require "phial"
local raises = require "spec.support.raises"

local function problems(text)
  local ok, list = assert(phial.parse(text)):verify()
  assert.equal(ok and true or nil, ok)
  return ok and {} or list
end

local DIAMOND = [[
fn f(%%c: i1) -> i64 {
entry:
  branch %%c, a, b
a: <- entry
  %%3: i64 = add 1, 2
  jump c
b: <- entry
  jump c
c: <- a, b
  %s
}
]]

describe("the verifier", function()
  it("accepts what is right", function()
    assert.same({}, problems(DIAMOND:format "%5: i64 = phi x [a: %3, b: 0]\n  ret %5"))
  end)

  it("finds a use that the definition does not dominate, and a path that avoids it", function()
    assert.same({
      "'ret %3' in block 'c' uses '%3', but block 'a', which defines it, is not on every path "
        .. "there: 'entry' -> 'b' -> 'c' avoids it; write it to a variable in 'a' and read that "
        .. "in 'c'",
    }, problems(DIAMOND:format "ret %3"))
  end)

  it("finds a use before the definition", function()
    assert.same({ "'%4 = add %3, 2' in block 'entry' uses '%3' before it is defined" }, problems [[
fn f() -> i64 {
entry:
  %4: i64 = add %3, 2
  %3: i64 = add 1, 2
  ret %4
}]])
  end)

  it("finds a phi operand that does not dominate the predecessor's end", function()
    assert.same({
      "phi '%5' in block 'c' has the operand '%3' for 'b', but block 'a', which defines it, is "
        .. "not on every path there: 'entry' -> 'b' avoids it; write it to a variable in 'a' and "
        .. "read that in 'b'",
    }, problems(DIAMOND:format "%5: i64 = phi x [a: 1, b: %3]\n  ret %5"))
  end)

  it("finds a trivial phi in a finished function", function()
    assert.same({ "phi '%5' in block 'c' is trivial" },
      problems(DIAMOND:format "%5: i64 = phi x [a: 1, b: 1]\n  ret %5"))
  end)

  it("finds a redundant set of phis in a finished function", function()
    assert.same({
      "phi '%5' in block 'a' is redundant: it always is '1'",
      "phi '%6' in block 'b' is redundant: it always is '1'",
    }, problems [[
fn f(%c: i1) -> i64 {
entry:
  branch %c, a, b
a: <- entry, b
  %5: i64 = phi x [entry: 1, b: %6]
  branch %c, b, d
b: <- entry, a
  %6: i64 = phi x [entry: 1, a: %5]
  jump a
d: <- a
  ret %5
}]])
  end)

  it("finds further results that are not there, or of another type", function()
    local D = phial.dialect("d", { pair = { result = "i64", results = 2 } })
    local function check(problem, text)
      local fn = assert(phial.parse(("fn f() {\nentry:\n  %%1: i64 = d.pair\n  %s\n  ret\n}")
        :format(text), { dialects = { D } }))
      assert.same({ problem and "'%2 = proj %1' in block 'entry' " .. problem or nil },
        select(2, fn:verify()) or {})
    end
    check(nil, "%2: i64 = proj {2} %1")
    check("asks for a further result that '%1' does not have", "%2: i64 = proj {3} %1")
    check("asks for a further result that '%1' does not have", "%2: i64 = proj {1} %1")
    check("asks for a further result that '%1' does not have", "%2: i64 = proj {\"2\"} %1")
    check("asks for a further result that '%1' does not have", "%2: i64 = proj %1")
    check("has type f64: that result of '%1' is i64", "%2: f64 = proj {2} %1")
  end)

  it("finds that a further result has two types, where its op leaves that open", function()
    local D = phial.dialect("d", { some = { result = "*", results = "*" } })
    local text = "fn f() -> i64 {\nentry:\n  %1: i64 = d.some\n  %2: i64 = d.some\n" ..
      "  %3: i64 = proj {2} %1\n  %4: i1 = proj {3} %1\n  %5: %s = proj {2} %2\n  jump next\n" ..
      "next: <- entry\n  %6: %s = proj {2} %1\n  ret %3\n}"
    local function found(...)
      local types, k = { ... }, 0
      local fn = assert(phial.parse((text:gsub("%%s", function() k = k + 1 return types[k] end)),
        { dialects = { D } }))
      return select(2, fn:verify()) or {}
    end
    assert.same({}, found("i1", "i64"))
    local what = "%6 = proj %1' in block 'next' has type f64: '%3', the same result of '%1', is i64"
    assert.same({ "'" .. what }, found("i1", "f64"))
  end)

  it("reports every problem, not the first", function()
    assert.equal(3, #problems [[
fn f(%c: i1) -> i64 {
entry:
  %4: i64 = add %3, %2
  %3: i64 = add 1, 2
  %2: i64 = add 3, %2
  ret %4
}]])
  end)

  it("names the variable to read again", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local x = fn:var "x"
    local a, b, join = fn:block("a", 1), fn:block("b", 1), fn:block("join", 2)
    local loop = fn:block "loop"
    fn:entry():branch(fn:arg(1), a, b)
    a:write(x, 1)
    a:jump(loop)
    local v = loop:read(x)
    loop:write(x, loop:add(v, 1))
    loop:branch(fn:arg(1), loop, join)
    b:jump(join)
    join:ret(v)
    raises.with("is what variable 'x' is in 'loop': read 'x' again in 'join'", fn.finish, fn)
    assert.falsy(fn:verify())
  end)
end)
