-- block:reaches(other): compared with a search along block:succs().
local assert = require "spec.support.assert"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local search = require "spec.support.search"

local function check(fn)
  for a in fn:blocks() do
    local seen = search({ a }, a.succs)
    for b in fn:blocks() do assert.equal(seen[b] == true, a:reaches(b)) end
  end
end

describe("block:reaches", function()
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
    assert.is_false(entry:reaches(a))
    assert.is_true(a:reaches(a))
    entry:jump(a)
    dead:jump(a)
    assert.is_true(entry:reaches(a))
    assert.is_false(a:reaches(entry))
    assert.is_false(dead:reaches(a)) -- a dead block adds no edges
  end)

  it("is false for blocks that were dropped", function()
    local fn = phial.fn "f"
    local entry, dead = fn:entry(), fn:block("dead", 0)
    entry:ret()
    dead:ret()
    fn:finish()
    assert.is_false(dead:reaches(dead))
    assert.is_false(entry:reaches(dead))
    assert.is_false(dead:reaches(entry))
  end)

  it("searches without recursion", function()
    local fn = phial.fn("f", {}, nil, { rules = false })
    local first, b = fn:entry(), fn:entry()
    for _ = 1, 100000 do
      local next = fn:block(nil, 1)
      b:jump(next)
      b = next
    end
    assert.is_true(first:reaches(b))
    assert.is_false(b:reaches(first))
  end)

  it("takes a block of its function", function()
    local fn, other = phial.fn "f", phial.fn "other"
    local entry, elsewhere = fn:entry(), other:entry()
    refused(fn, "bad argument #1 to 'reaches' (phial.Block expected, got 1)",
      function() entry:reaches(1) end)
    refused(fn, "bad argument #1 to 'reaches' (block 'entry' belongs to function 'other', "
      .. "not to 'f')", function() entry:reaches(elsewhere) end)
  end)
end)
