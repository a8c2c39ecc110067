-- Calls whose time and memory must grow with the size of what they are about, and no faster.
local growing = require "spec.support.growing"
local growth = require "spec.support.growth"
local refused = require "spec.support.refused"
local under = require "spec.support.under"

local nest = growing.nest

local function check(cases)
  for _, case in ipairs(cases) do
    it(case.name, function()
      if under.hard then return pending "it takes long in the build for tests" end
      local good, why = growth.is_near_linear(case.n, case.make, case.call)
      assert(good, why)
    end)
  end
end

describe("time is near-linear in the size:", function() check(growing.cases) end)

describe("time is near-linear in the size of data:", function()
  check(require "spec.support.growing_data")
end)

describe("loops that are nested", function()
  it("take memory in proportion, without lists of blocks that nobody asks for", function()
    local function bytes(n)
      local fn = nest(n)
      for _ in fn:blocks() do collectgarbage "step" end
      collectgarbage()
      local before = collectgarbage "count"
      local loops = fn:loops()
      collectgarbage()
      assert.equal(n, #loops)
      return collectgarbage "count" - before
    end
    bytes(10)
    local few = under.brief and 50 or 200
    assert.is_true(bytes(8 * few) < 16 * bytes(few))
  end)

  it("have the blocks that they had when they were asked for, also if edits follow", function()
    local fn, expected = nest(3), {}
    local loops, other = fn:loops(), fn:loops()
    for i, loop in ipairs(other) do expected[i] = loop.blocks end
    assert.equal(expected[2], other[2].blocks)
    assert.equal(loops[2].header, expected[2][1])
    assert.is_nil(loops[2].nothing)
    loops[3].header:back():ret()
    fn:clean { unreached = true }
    assert.not_equal(3, #fn:loops())
    for i, loop in ipairs(loops) do assert.same(expected[i], loop.blocks) end
  end)

  it("keep their blocks when the function is closed, if they have been asked for", function()
    local fn = nest(3)
    local loops = fn:loops()
    local blocks = loops[2].blocks
    fn:close()
    assert.equal(blocks, loops[2].blocks)
    refused(nil, "calling 'blocks': function 'f' is closed", function() return loops[1].blocks end)
  end)
end)
