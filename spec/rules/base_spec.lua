-- Sets over a base: what only the set knows, the base is never asked about.
local child = require "spec.support.child"
local phial = require "phial"

-- Ops that the base has no numbers for: so many that a read after its tables
-- leaves them.
local MANY = [[
local phial = require "phial"
local ops = { br = { args = 1, terminator = true, targets = 2 } }
for i = 1, 5000 do
  ops["op" .. i] = {
    args = { "i64", "i64" }, result = "i64", pure = true, commutative = i % 2 == 0,
  }
end
local D = phial.dialect("d", ops)
local R = phial.rules "int":attach(D)
local fn = phial.fn("f", { "x", "y" }, "i64", { rules = R, dialects = { D } })
local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
]]

describe("a set over the standard one, with ops of its own,", function()
  for what, source in pairs {
    ["simplifies them"] = [[
      for i = 1, 5000 do assert(b:emit(D["op" .. i], x, y):op() == "d.op" .. i) end]],
    ["simplifies them by rules of its own"] = [[
      R:add "own: d.op4999(x, x) => x"
      assert(b:emit(D.op4999, x, x) == x)
      for i = 1, 4998 do assert(b:emit(D["op" .. i], x, x):op() == "d.op" .. i) end]],
    ["simplifies what has them as operands"] = [[
      for i = 1, 5000 do
        local v = b:emit(D["op" .. i], x, y)
        assert(b:add(v, 0) == v and b:sub(v, v):const() == 0)
      end]],
    ["explains them"] = [[
      for i = 1, 5000, 20 do
        assert(R:explain(fn, D["op" .. i], x, y):find "no rule is about it$")
      end]],
    ["ends blocks with them"] = [[
      b:emit(D.br, x, fn:block "b", fn:block "c")
      assert(b:terminator():op() == "d.br")]],
    ["includes them in another"] = [[
      R:add "own: d.op4999(x, x) => x"
      local S = phial.rules "int":include(R)
      local g = phial.fn("g", { "x" }, nil, { rules = S })
      assert(g:entry():emit(D.op4999, g:arg(1), g:arg(1)) == g:arg(1))
      for i = 1, 4998 do g:entry():emit(D["op" .. i], g:arg(1), g:arg(1)) end]],
    ["checks and looks at rules of them"] = [[
      R:add "own: d.op4999(x, x) => x"
      assert(R:lint())
      assert(R:check { width = 2, limit = 4, cases = 100 })]],
  } do
    it(what, function()
      local out, err, status = child(MANY .. source .. "\nprint 'done'")
      assert.same({ "done\n", "", 0 }, { out, err, status })
    end)
  end

  -- An op of one set has the number that another op has in another set.
  it("is not mixed up with another one", function()
    local A = phial.dialect("a", { f = { args = { "i64" }, result = "i64", pure = true } })
    local B = phial.dialect("b", { g = { args = { "i64" }, result = "i64", pure = true } })
    local R = phial.rules "int":attach(A):add "ff: a.f(a.f(x)) => x"
    local S = phial.rules "int":attach(B):add "gg: b.g(b.g(x)) => b.g(x)"
    local f = phial.fn("f", { "x" }, nil, { rules = R })
    local g = phial.fn("g", { "x" }, nil, { rules = S })
    local v, w = f:entry():emit(A.f, f:arg(1)), g:entry():emit(B.g, g:arg(1))
    assert.equal(f:arg(1), f:entry():emit(A.f, v))
    assert.equal(w, g:entry():emit(B.g, w))
    assert.equal(v, f:entry():add(v, 0))
  end)
end)
