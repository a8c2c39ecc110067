-- block:can_reach(other): compared with a search along block:succs().
local assert = require "spec.support.assert"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local search = require "spec.support.search"

local function check(fn)
  for a in fn:blocks() do
    local seen = search({ a }, a.succs)
    for b in fn:blocks() do assert.equal(seen[b] == true, a:can_reach(b)) end
  end
end

describe("block:can_reach", function()
  it("says whether a path exists, before finish as after it", function()
    prop.forall(programs.generate, function(p)
      local fn = programs.build(p, { seal = "finish" })
      check(fn)
      check(fn:finish())
    end)
  end)

  it("counts the edges that exist so far; each block reaches itself", function()
    local fn = phial.fn "f"
    local entry, a, dead = fn:entry(), fn:block "a", fn:block("dead", 0)
    assert.is_false(entry:can_reach(a))
    assert.is_true(a:can_reach(a))
    entry:jump(a)
    dead:jump(a)
    assert.is_true(entry:can_reach(a))
    assert.is_false(a:can_reach(entry))
    assert.is_false(dead:can_reach(a)) -- a dead block adds no edges
  end)

  it("is false for blocks that were dropped", function()
    local fn = phial.fn "f"
    local entry, dead = fn:entry(), fn:block("dead", 0)
    entry:ret()
    dead:ret()
    fn:finish()
    assert.is_false(dead:can_reach(dead))
    assert.is_false(entry:can_reach(dead))
    assert.is_false(dead:can_reach(entry))
  end)

  it("searches without recursion", function()
    local fn = phial.fn("f", {}, nil, { rules = false })
    local first, b = fn:entry(), fn:entry()
    for _ = 1, 100000 do
      local next = fn:block(nil, 1)
      b:jump(next)
      b = next
    end
    assert.is_true(first:can_reach(b))
    assert.is_false(b:can_reach(first))
  end)

end)

for _, method in ipairs { "can_reach", "dominates" } do
  it("block:" .. method .. " takes a block of its function", function()
    local fn, other = phial.fn "f", phial.fn "other"
    local entry, elsewhere = fn:entry(), other:entry()
    local function asked(message, ...)
      local args = table.pack(...)
      refused(fn, message:gsub("METHOD", method),
        function() entry[method](table.unpack(args, 1, args.n)) end)
    end
    asked("bad argument #1 to 'METHOD' (phial.Block expected, got 1)", entry, 1)
    asked("bad argument #1 to 'METHOD' (phial.Block expected, got nil)", entry, nil)
    asked("bad argument #1 to 'METHOD' (block 'entry' belongs to function 'other', not to 'f')",
      entry, elsewhere)
  end)
end
