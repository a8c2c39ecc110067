-- block:kill(var): the variable ends.
local assert = require "spec.support.assert"
local interpret = require "spec.oracle.programs"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local variants = require "spec.support.variants"

local RUNS = 60
local SEALS = { "early", "finish", "random", "count" }

-- The reads that can be undefined, as sorted text; each with a path that ends there.
local function undefined(fn)
  local list = {}
  for i, it in ipairs(fn:undefined_reads()) do
    list[i] = ("%s in %d"):format(it.var:name(), it.block:id())
    assert.equal(fn:entry(), it.path[1])
    assert.equal(it.block, it.path[#it.path])
    for k = 2, #it.path do
      local found = false
      for _, pred in ipairs(it.path[k]:preds()) do found = found or pred == it.path[k - 1] end
      assert.is_true(found)
    end
  end
  table.sort(list)
  return list
end

describe("a variable that ends", function()
  it("is undefined until it is written again, in every variant and order of sealing", function()
    prop.forall(programs.generate_with_kills, function(p)
      local text
      for _, construction in ipairs(variants) do
        for _, seal in ipairs(SEALS) do
          local fn = programs.build(p, { construction = construction, seal = seal }):finish()
          assert.same(interpret.variables(p, 60), interpret.ssa(fn, 60))
          assert.is_true((fn:is_minimal()))
          assert.is_true((fn:is_pruned()))
          text = text or fn:text { ids = "dense" }
          assert.equal(text, fn:text { ids = "dense" })
        end
      end
    end, RUNS)
  end)

  it("ends with copies, in the short form, and in a replayed trace, too", function()
    prop.forall(programs.generate_with_kills, function(p)
      for _, opts in ipairs { { copies = true }, { form = "short" } } do
        local fn = programs.build(p, opts):finish()
        assert.same(interpret.variables(p, 60), interpret.ssa(fn, 60))
      end
      local record
      local fn = programs.build(p, { started = function(f) record = phial.record(f) end })
      fn:finish()
      local again = assert(phial.replay(tostring(record)))
      assert.equal(fn:text { ids = "dense" }, again:text { ids = "dense" })
    end, RUNS)
  end)

  it("is reported by the classical algorithms, also where the undef function is asked", function()
    local function events(undef)
      local out = {}
      local fn = phial.fn("f", {}, nil, { rules = false, undef = undef, log = function(e)
        if e.event == "kill" or e.event == "write" then out[#out + 1] = e.event end
      end })
      require "phial.core".classical(fn, "cytron")
      local x, entry = fn:var "x", fn:entry()
      entry:write(x, 1)
      entry:kill(x)
      entry:ret()
      fn:finish()
      return out
    end
    assert.same({ "write", "kill" }, events(nil))
    assert.same({ "write", "kill" }, events(function() return 7 end))
  end)

  it("is listed where it is read then, whatever the option undef says", function()
    prop.forall(programs.generate_with_kills, function(p)
      local by_value = programs.build(p, { copies = true }):finish()
      local by_writes = programs.build(p, { copies = true, undef = function() return 7 end })
      assert.same(undefined(by_value), undefined(by_writes:finish()))
    end, RUNS)
  end)

  it("is asked for only if it is read", function()
    local asked = {}
    local fn = phial.fn("f", {}, "i64", {
      undef = function(var) asked[#asked + 1] = var:name() return 42 end,
    })
    local x, y, entry = fn:var "x", fn:var "y", fn:entry()
    entry:write(x, 1, y, 2)
    entry:kill(x)
    entry:kill(y)
    assert.same({}, asked)
    entry:ret(entry:read(y))
    fn:finish()
    assert.same({ "y" }, asked)
    assert.equal(42, fn())
  end)

  it("ends in an open block, once or again, and tells the log", function()
    local events = {}
    local fn = phial.fn("f", {}, nil, { log = function(e)
      if e.event == "kill" then events[#events + 1] = tostring(e.block) .. tostring(e.var) end
    end })
    local x, entry = fn:var "x", fn:entry()
    entry:kill(x)
    entry:kill(x)
    assert.same({ "entryx", "entryx" }, events)
    refused(fn, "bad argument #1 to 'kill' (phial.Variable expected, got 1)",
      function() entry:kill(1) end)
    entry:ret()
    raises.matching("already ends with 'ret'", entry.kill, entry, x)
  end)
end)
