-- Calls whose time must grow with the size of what they are about, and no faster.
local near_linear = require "spec.support.growth"
local phial = require "phial"
local refused = require "spec.support.refused"

local PLAIN = { rules = false, where = false }

local function is_near_linear(name, n, make, call)
  it(name, function()
    local good, why = near_linear(n, make, call)
    assert(good, why)
  end)
end

-- A switch with n cases, a block each, that join: the function, the blocks and
-- the join, which has a phi.
local function fan(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local b, join, other, v = fn:entry(), fn:block "join", fn:block "other", fn:var "v"
  local blocks = {}
  for i = 1, n do blocks[i] = fn:block() end
  b:switch(fn:arg(1), other, blocks)
  other:seal()
  other:ret(0)
  for i, block in ipairs(blocks) do
    block:seal()
    block:write(v, i)
    block:jump(join)
  end
  join:seal()
  join:ret(join:read(v))
  return fn:finish { verify = false }, blocks, join, other
end

-- A switch whose n cases all go to one block.
local function bundle(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local one, other, list = fn:block "one", fn:block "other", {}
  for i = 1, n do list[i] = one end
  fn:entry():switch(fn:arg(1), other, list)
  one:seal()
  other:seal()
  one:ret(1)
  other:ret(2)
  return fn:finish { verify = false }, one, other, n
end

-- n loops, each in the one before.
local function nest(n)
  local fn = phial.fn("f", { "c:i1" }, nil, PLAIN)
  local b, heads, exits = fn:entry(), {}, {}
  for i = 1, n do
    heads[i], exits[i] = fn:block(), fn:block()
    b:jump(heads[i])
    b = fn:block()
    heads[i]:branch(fn:arg(1), b, exits[i])
    b:seal()
  end
  for i = n, 1, -1 do
    b:jump(heads[i])
    heads[i]:seal()
    exits[i]:seal()
    b = exits[i]
  end
  b:ret()
  return fn:finish { verify = false }
end

-- A switch whose n cases go to three blocks, in turns; each block has a phi.
local function turns(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local few, list = {}, {}
  for k = 1, 3 do few[k] = fn:block() end
  for i = 1, n do list[i] = few[i % 3 + 1] end
  fn:entry():switch(fn:arg(1), few[1], list)
  for _, b in ipairs(few) do
    b:seal()
    b:ret(0)
  end
  fn:finish { verify = false }
  for _, b in ipairs(few) do b:front():phi { [fn:entry()] = 7 } end
  return fn, few, n
end

describe("edits of many edges take time that is near-linear:", function()
  is_near_linear("those into a join, to another block", 400, fan, function(_, blocks, join, other)
    for _, block in ipairs(blocks) do block:retarget(join, other) end
  end)

  is_near_linear("those of a switch", 400, fan, function(fn, blocks, _, other)
    for _, block in ipairs(blocks) do fn:entry():retarget(block, other) end
  end)

  is_near_linear("those of a switch, all to one block", 2000, bundle, function(fn, one, other)
    fn:entry():retarget(one, other)
  end)

  is_near_linear("blocks put on them", 900, fan, function(fn, blocks, join)
    for _, block in ipairs(blocks) do fn:split_edge(block, join) end
  end)

  is_near_linear("blocks put on them, all into one block", 250, bundle, function(fn, one, _, n)
    for _ = 1, n do fn:split_edge(fn:entry(), one, 1) end
  end)

  is_near_linear("blocks ended anew", 800, fan, function(_, blocks)
    for _, block in ipairs(blocks) do block:back():ret(1) end
  end)

  is_near_linear("cases added", 400, bundle, function(fn, _, other, n)
    for i = 1, n do fn:entry():add_edge(other, n + i) end
  end)

  is_near_linear("cases removed, first ones first", 400, fan, function(fn, blocks)
    for _, block in ipairs(blocks) do fn:entry():remove_edge(block) end
  end)

  is_near_linear("cases removed, last ones first", 400, fan, function(fn, blocks)
    for i = #blocks, 1, -1 do fn:entry():remove_edge(blocks[i]) end
  end)

  is_near_linear("those of a switch, last ones first, to a block with a phi", 400, fan,
    function(fn, blocks, join)
      local values = { [join:phis()[1]] = 7 }
      for i = #blocks, 1, -1 do fn:entry():retarget(blocks[i], join, values) end
    end)

  is_near_linear("cases that lead to few blocks removed, first ones first", 400, turns,
    function(fn, few, n)
      for i = 1, n do fn:entry():remove_edge(few[i % 3 + 1], i % 3 == 0 and 2 or 1) end
    end)

  is_near_linear("cases that lead to few blocks split, last ones first", 400, turns,
    function(fn, few, n)
      for i = n, 4, -1 do fn:split_edge(fn:entry(), few[i % 3 + 1], i // 3) end
    end)

  is_near_linear("first cases and defaults that lead to one block removed", 1200, turns,
    function(fn, few, n)
      for _ = 1, n // 3 do fn:entry():remove_edge(few[1], 1) end
    end)
end)

describe("loops that are nested", function()
  is_near_linear("are listed in near-linear time", 250, nest, function(fn) fn:loops() end)

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
    assert.is_true(bytes(1600) < 16 * bytes(200))
  end)

  it("have the blocks that they had when they were asked for, also if edits follow", function()
    local fn, expected = nest(3), {}
    local loops, other = fn:loops(), fn:loops()
    for i, loop in ipairs(other) do expected[i] = loop.blocks end
    assert.equal(expected[2], other[2].blocks)
    assert.equal(loops[2].header, expected[2][1])
    assert.is_nil(loops[2].nothing)
    loops[3].header:back():ret()
    fn:drop_unreached()
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

describe("sets of many rules take time that is near-linear:", function()
  local function text(n, pattern)
    local lines = {}
    for i = 1, n do lines[i] = pattern:format(i, 1000 + i) end
    return table.concat(lines, "\n")
  end

  local function rules(n) return phial.rules(text(n, "r%d: x + %d => x")), n end

  is_near_linear("applied, differing in constants", 500, function(n)
    local R = rules(n)
    local fn = phial.fn("f", { "x" }, nil, { rules = R, where = false })
    fn:entry():add(fn:arg(1), 1)
    return fn, n
  end, function(fn, n)
    for i = 1, n do fn:entry():add(fn:arg(1), 10 + i) end
  end)

  is_near_linear("applied, differing in constants below", 500, function(n)
    local R = phial.rules(text(n, "r%d: (x + %d) - y => x"))
    local fn = phial.fn("f", { "x", "y" }, nil, { rules = R, where = false })
    fn:entry():sub(fn:arg(1), fn:arg(2))
    return fn, n
  end, function(fn, n)
    local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
    for i = 1, n do b:sub(b:add(x, 10 + i), y) end
  end)

  is_near_linear("taken out by name", 900, rules, function(R, n)
    for i = 1, n do R:remove("r" .. i) end
  end)

  is_near_linear("shown by name", 250, rules, function(R, n)
    for i = 1, n do R:text("r" .. i) end
  end)
end)
