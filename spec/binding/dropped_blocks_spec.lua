-- Handles of blocks that were dropped: questions are answered, changes refused.
local phial = require "phial"
local refused = require "spec.support.refused"

-- A function with a dropped block of two instructions, a phi and an edge.
local function dropped()
  local fn = phial.fn("f", { "n:i64", "c:i1" }, "i64", { rules = false })
  local entry, join = fn:entry(), fn:block "join"
  local dead, nameless = fn:block("dead", 0), fn:block(nil, 0)
  local head = fn:block "cut off"
  entry:jump(join)
  dead:branch(dead:slt(fn:arg(1), 3), head, join)
  nameless:ret(1)
  head:write(fn:param(1), head:add(fn:param(1), 1))
  head:branch(fn:arg(2), head, join)
  join:ret(fn:param(1))
  for _, b in ipairs { dead, nameless, head } do b:set_data(b:id()) end
  fn:finish()
  return fn, { dead, nameless, head }, join
end

describe("a dropped block", function()
  it("tells its name, id and data", function()
    local _, blocks = dropped()
    local names, texts = { "dead", nil, "cut off" }, { "dead", "b4", "cut off" }
    for i, b in ipairs(blocks) do
      assert.equal(names[i], b:name())
      assert.truthy(tostring(b):find(texts[i], 1, true), tostring(b))
      assert.equal(i + 2, b:id())
      assert.equal(b:id(), b:data())
      assert.equal("new", b:set_data("new"):data())
    end
  end)

  it("has nothing in it and no neighbours", function()
    local fn, blocks = dropped()
    local function nothing()
      for _, b in ipairs(blocks) do
        for _, method in ipairs { "preds", "succs", "phis", "insts", "live_out" } do
          assert.same({}, b[method](b), method)
        end
        assert.same({}, b:live_in())
        assert.is_nil(b:idom())
        assert.is_nil(b:terminator())
        assert.equal(0, b:loop_depth())
        assert.is_nil(b:loop_header())
        assert.is_true(b:is_filled())
        assert.is_true(b:is_sealed())
        assert.is_true(b:is_filled())
        assert.is_false(b:is_reachable())
      end
    end
    nothing()
    fn:reopen()
    nothing()
    fn:block "another"
    nothing()
  end)

  it("dominates nothing, and no path reaches it", function()
    local _, blocks, join = dropped()
    for _, b in ipairs(blocks) do
      assert.is_false(b:dominates(join))
      assert.is_true(join:dominates(b))
    end
  end)

  it("answers when fn:clean has dropped it", function()
    local fn = phial.parse [[
fn f(%c: i1) -> i64 {
entry:
  branch %c, yes, no
yes: <- entry
  %2: i64 = add 1, 2
  ret %2
no: <- entry
  ret 2
}
]]
    local yes = fn:find "yes"
    local v = yes:insts()[1]
    fn:entry():back():jump(fn:find "no")
    assert.is_false(yes:is_reachable())
    assert.equal(v, yes:insts()[1])
    fn:clean { unreached = true }
    assert.same({}, yes:insts())
    assert.is_false(yes:is_reachable())
    assert.equal("yes", yes:name())
    refused(fn, "value '%2' is gone: it was erased or dropped", function() v:op() end)
  end)

  it("cannot be changed, nor be used by a change", function()
    local fn, blocks, join = dropped()
    local dead = blocks[1]
    local gone = "block 'dead' is gone: it was dropped, since nothing reaches it"
    local arg = "bad argument #%d to '%s' (block 'dead' is gone: it was dropped)"
    refused(fn, gone, function() dead:front() end)
    refused(fn, gone, function() dead:back() end)
    refused(fn, gone, function() dead:retarget(join, join) end)
    refused(fn, gone, function() dead:add_edge(join) end)
    refused(fn, gone, function() dead:remove_edge(join) end)
    refused(fn, arg:format(1, "add_edge"), function() fn:entry():add_edge(dead) end)
    refused(fn, gone, function() dead:split_edge(join) end)
    refused(fn, arg:format(1, "split_edge"), function() fn:entry():split_edge(dead) end)
    fn:reopen()
    local var, n = fn:param(1), fn:arg(1)
    refused(fn, gone, function() dead:read(var) end)
    refused(fn, gone, function() dead:read(var, var) end)
    refused(fn, gone, function() dead:write(var, n) end)
    refused(fn, gone, function() dead:let(var, "add", n, 1) end)
    refused(fn, gone, function() dead:seal() end)
    refused(fn, gone, function() dead:add(1, 2) end)
    refused(fn, gone, function() dead:jump(join) end)
    refused(fn, gone, function() dead:jump_if_open(join) end)
    refused(fn, gone, function() dead:ret(1) end)
    refused(fn, gone, function() dead:phi {} end)
    refused(fn, arg:format(1, "set_current"), function() fn:set_current(dead) end)
    local new = fn:block "new"
    refused(fn, arg:format(1, "jump"), function() new:jump(dead) end)
  end)

  it("is refused once its function is closed", function()
    local fn, blocks = dropped()
    fn:close()
    for _, method in ipairs { "name", "preds", "insts", "is_reachable", "loop_depth" } do
      refused(nil, ("calling '%s': function 'f' is closed"):format(method),
        function() blocks[1][method](blocks[1]) end)
    end
  end)

  it("is what a log function gets, at the event and later", function()
    local kept = {}
    local fn = phial.fn("f", {}, nil, { log = function(e)
      if e.event == "dropped" then kept[#kept + 1] = e.block:set_data(e.block:name()) end
    end })
    fn:block("a", 0):ret()
    fn:block("b", 0):ret()
    fn:entry():ret()
    fn:finish()
    assert.equal(2, #kept)
    for _, b in ipairs(kept) do
      assert.equal(b:name(), b:data())
      assert.same({}, b:insts())
    end
  end)
end)
