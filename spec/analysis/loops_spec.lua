-- Loops, compared with their definition: nested strongly connected components.
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local search = require "spec.support.search"
local under = require "spec.support.under"

-- The blocks that `from` reaches inside a set, by at least one edge.
local function reached_inside(set, from)
  local function inside(block)
    local succs = {}
    for _, succ in ipairs(block:succs()) do succs[#succs + 1] = set[succ] and succ end
    return succs
  end
  return search(inside(from), inside)
end

-- The loops in a set of blocks, outer ones before inner ones. `order` is all
-- blocks in reverse postorder.
local function loops_inside(order, set, parent, out)
  local done = {}
  for _, header in ipairs(order) do
    local seen = set[header] and not done[header] and reached_inside(set, header)
    if seen and seen[header] then
      local loop = { header = header, parent = parent, depth = parent and parent.depth + 1 or 1 }
      local members = {}
      for block in pairs(seen) do
        if reached_inside(set, block)[header] then members[block], done[block] = true, true end
      end
      loop.members = members
      out[#out + 1] = loop
      local inner = {}
      for block in pairs(members) do inner[block] = block ~= header or nil end
      loops_inside(order, inner, loop, out)
    end
  end
  return out
end

local function is_entered_beside_header(loop, reached)
  for block in pairs(loop.members) do
    for _, pred in ipairs(block:preds()) do
      if block ~= loop.header and reached[pred] and not loop.members[pred] then return true end
    end
  end
  return false
end

local function expected(fn)
  local order, reached = fn:rpo(), {}
  for _, block in ipairs(order) do reached[block] = true end
  local loops = loops_inside(order, reached, nil, {})
  for _, loop in ipairs(loops) do
    loop.reducible = not is_entered_beside_header(loop, reached)
  end
  return loops
end

local function described(loop)
  local names = {}
  if loop.members then
    for block in pairs(loop.members) do names[#names + 1] = tostring(block) end
  else
    assert.equal(loop.header, loop.blocks[1])
    for i, block in ipairs(loop.blocks) do names[i] = tostring(block) end
  end
  table.sort(names)
  return ("%s in %s, depth %d, %s: %s"):format(loop.header, loop.parent and loop.parent.header,
    loop.depth, loop.reducible and "reducible" or "irreducible", table.concat(names, " "))
end

local function sorted(loops)
  local out = {}
  for i, loop in ipairs(loops) do out[i] = described(loop) end
  table.sort(out)
  return out
end

-- A function with blocks b1, b2 ... and these successors.
local function graph(succs)
  local fn = phial.fn("graph", { "c:any" }, nil, { dialects = { programs.dialect }, rules = false })
  local blocks = { fn:entry() }
  for i = 2, #succs do blocks[i] = fn:block() end
  for i, targets in ipairs(succs) do
    local list = {}
    for k, target in ipairs(targets) do list[k] = blocks[target] end
    if #list == 0 then blocks[i]:ret() else blocks[i]:emit("rnd.fork", fn:arg(1), list) end
  end
  return fn:finish(), blocks
end

local function found(succs) return sorted((graph(succs)):loops()) end

describe("loops", function()
  it("are nested", function()
    assert.same({
      "b2 in nil, depth 1, reducible: b2 b3 b4",
      "b3 in b2, depth 2, reducible: b3",
    }, found { { 2 }, { 3, 5 }, { 3, 4 }, { 2 }, {} })
  end)

  it("with one header are one loop", function()
    assert.same({ "b2 in nil, depth 1, reducible: b2 b3 b4" },
      found { { 2 }, { 3, 4 }, { 2 }, { 2, 5 }, {} })
  end)

  it("with two entries are irreducible", function()
    assert.same({ "b2 in nil, depth 1, irreducible: b2 b3" }, found { { 3, 2 }, { 3 }, { 2 } })
  end)

  it("in an irreducible one can be reducible, and the other way round", function()
    assert.same({
      "b2 in nil, depth 1, irreducible: b2 b3 b4",
      "b4 in b2, depth 2, reducible: b4",
    }, found { { 3, 2 }, { 3 }, { 4 }, { 4, 2 } })
    assert.same({
      "b2 in nil, depth 1, reducible: b2 b3 b4",
      "b3 in b2, depth 2, irreducible: b3 b4",
    }, found { { 2 }, { 4, 3 }, { 4 }, { 3, 2 } })
  end)

  it("that an edge enters from outside of all are all irreducible", function()
    assert.same({
      "b2 in nil, depth 1, irreducible: b2 b3 b4",
      "b3 in b2, depth 2, irreducible: b3 b4",
    }, found { { 4, 2 }, { 3 }, { 4 }, { 3, 2 } })
  end)

  it("come with the outer ones first, in reverse postorder", function()
    local fn = graph { { 2 }, { 3, 5 }, { 4 }, { 3, 2 }, { 6 }, { 5, 7 }, {} }
    local headers = {}
    for i, loop in ipairs(fn:loops()) do headers[i] = tostring(loop.header) end
    assert.same({ "b2", "b3", "b5" }, headers)
  end)

  it("have their loop around them as parent", function()
    local fn = graph { { 2 }, { 3 }, { 3, 2 } }
    local outer, inner = table.unpack(fn:loops())
    assert.equal(outer, inner.parent)
    assert.is_nil(outer.parent)
  end)

  it("are what their definition says", function()
    prop.forall(function(pick) return programs.generate(pick, 14) end, function(p)
      local fn = programs.build(p):finish()
      local loops = expected(fn)
      assert.same(sorted(loops), sorted(fn:loops()))
      local innermost = {} -- inner loops come later
      for _, loop in ipairs(loops) do
        for block in pairs(loop.members) do innermost[block] = loop end
      end
      for block in fn:blocks() do
        local loop = innermost[block] or { depth = 0 }
        assert.equal(loop.depth, block:loop_depth())
        assert.equal(loop.header, block:loop_header())
      end
    end)
  end)

  it("are all reducible exactly when the function is", function()
    prop.forall(function(pick) return programs.generate(pick, 14) end, function(p)
      local fn = programs.build(p):finish()
      local all = true
      for _, loop in ipairs(fn:loops()) do all = all and loop.reducible end
      assert.equal(fn:is_reducible(), all)
    end)
  end)

  it("do not count blocks that the entry does not reach", function()
    local fn = programs.build(programs.generate(function() return 1 end)):finish()
    assert.same({}, fn:loops())
    local lonely = fn:block()
    lonely:back():jump(lonely)
    assert.same({}, fn:loops())
    assert.equal(0, lonely:loop_depth())
  end)

  it("can be asked for before finish", function()
    local fn = phial.fn "f"
    local head = fn:block "head"
    fn:entry():jump(head)
    head:jump(head)
    assert.equal(1, head:loop_depth())
    assert.equal(0, fn:entry():loop_depth())
  end)

  local many = (under.hard or under.valgrind) and 300 or 20000

  -- A chain of blocks; each of the second half leads back, the last one
  -- farthest: n nested loops.
  local function nest(n)
    local succs = {}
    for i = 1, 2 * n do succs[i] = { i + 1 } end
    succs[2 * n + 1] = {}
    for i = n + 2, 2 * n + 1 do table.insert(succs[i], 2 * n + 3 - i) end
    return succs
  end

  it("nest thousands deep", function()
    local n = many
    local fn, blocks = graph(nest(n))
    assert.is_true(fn:is_reducible())
    assert.equal(n, blocks[n + 1]:loop_depth())
    assert.equal(n, blocks[n + 2]:loop_depth())
    assert.equal(1, blocks[2]:loop_depth())
  end)

  it("nest thousands deep where each is entered beside its header", function()
    local n = many
    local succs = nest(n)
    for i = 1, n - 1 do table.insert(succs[i], 1, n + 1) end
    local fn, blocks = graph(succs)
    assert.is_false(fn:is_reducible())
    assert.equal(n, blocks[n + 1]:loop_depth())
    assert.equal(1, blocks[2 * n + 1]:loop_depth())
  end)
end)
