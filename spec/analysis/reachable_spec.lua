-- block:is_reachable(): while a function is built, false as soon as nothing can reach the
-- block any more; of a finished function, the truth.
local phial = require "phial"
local search = require "spec.support.search"

local function check(fn)
  local seen = search({ fn:entry() }, fn:entry().succs)
  for b in fn:blocks() do assert.equal(seen[b] == true, b:is_reachable(), tostring(b)) end
end

describe("block:is_reachable()", function()
  it("is false, while the function is built, when nothing can lead to it any more", function()
    local fn = phial.fn("f", { "c:i1" })
    local entry, open, counted = fn:entry(), fn:block "open", fn:block("counted", 2)
    local dead, after = fn:block("dead", 0), fn:block "after"
    assert.is_true(entry:is_reachable())
    assert.is_true(open:is_reachable())
    assert.is_true(counted:is_reachable())
    assert.is_false(dead:is_reachable())
    dead:jump(after)
    after:seal()
    assert.is_false(after:is_reachable())
    local late = fn:block "late"
    dead = fn:block("dead", 0)
    dead:branch(fn:arg(1), late, counted)
    assert.is_true(late:is_reachable())
    late:seal()
    assert.is_false(late:is_reachable())
    entry:jump(open)
    open:seal()
    assert.is_true(open:is_reachable())
  end)

  it("is exact once the function is finished, also after edits and while reopened", function()
    local fn = phial.fn("f", { "c:i1" }, nil, { rules = false })
    local c, entry, a, b, loop = fn:arg(1), fn:entry(), fn:block "a", fn:block "b", fn:block "loop"
    entry:branch(c, a, b)
    a:jump(loop)
    loop:branch(c, loop, b)
    b:ret()
    local dead = fn:block("dead", 0)
    dead:ret()
    fn:finish()
    check(fn)
    assert.is_true(loop:is_reachable())
    assert.is_false(dead:is_reachable())
    entry:remove_edge(a)
    check(fn)
    assert.is_false(a:is_reachable())
    assert.is_false(loop:is_reachable())
    assert.is_true(b:is_reachable())
    fn:clean { unreached = true }
    assert.is_false(loop:is_reachable())
    fn:reopen()
    assert.is_false(loop:is_reachable())
    assert.is_true(b:is_reachable())
    local new = fn:block "new"
    assert.is_true(new:is_reachable())
    assert.is_false(fn:block("dead", 0):is_reachable())
  end)

  it("says of a frozen function what the function said whose text it was", function()
    local fn = phial.fn("f", { "c:i1" })
    local a, dead = fn:block "a", fn:block("dead", 0)
    fn:entry():jump(a)
    dead:jump(a)
    local parsed = assert(phial.parse(fn:text()))
    for b in fn:blocks() do
      assert.equal(b:is_reachable(), parsed:find(tostring(b)):is_reachable(), tostring(b))
    end
    assert.is_true((phial.parse "declare f()"):entry():is_reachable())
  end)
end)
