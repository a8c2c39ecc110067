-- fn:set_node(x) and v:nodes(): what instructions were made for.
local assert = require "spec.support.assert"
local phial = require "phial"
local refused = require "spec.support.refused"
local variants = require "spec.support.variants"

local function func(opts)
  local fn = phial.fn("f", { "n:i64", "m:i64", "c:i1" }, "i64", opts)
  return fn, fn:entry(), fn:arg(1), fn:arg(2)
end

local function nodes(v) return table.concat(v:nodes(), " ") end

describe("a node", function()
  it("is that of what follows, until another one is set", function()
    local fn, entry, n, m = func { rules = false }
    assert.is_nil(fn:node())
    local before = entry:add(n, m)
    assert.equal(fn, fn:set_node "a")
    assert.equal("a", fn:node())
    local first, second = entry:add(n, m), entry:mul(n, m)
    fn:set_node "b"
    local third = entry:add(n, m)
    fn:set_node()
    assert.is_nil(fn:node())
    local after = entry:add(n, m)
    fn:set_node "ret"
    entry:ret(after)
    fn:finish()
    assert.same({ "", "a", "a", "b", "" },
      { nodes(before), nodes(first), nodes(second), nodes(third), nodes(after) })
    assert.equal("ret", nodes(entry:terminator()))
    assert.same({ {}, {}, {} }, { n:nodes(), fn:const(5):nodes(), fn:undef "i64":nodes() })
  end)

  it("is any Lua value, and the same one once in a list", function()
    local fn, entry, n = func()
    local all, v = { false, 0, "s", fn, n, print, {}, 0 / 0, 1.5 }, nil
    for _ = 1, 2 do
      for _, node in ipairs(all) do
        fn:set_node(node)
        assert(rawequal(node, fn:node()) or node ~= node)
        v = entry:add(n, 1)
      end
    end
    local got = v:nodes()
    assert.is_true(got[8] ~= got[8] and got[10] ~= got[10]) -- nothing equals a nan
    got[8], got[10], all[8] = nil, nil, nil
    assert.same(all, got)
    v:nodes()[1] = "a list of the caller's"
    assert.is_false(v:nodes()[1])
  end)

  it("is that of the builder, too", function()
    local seen
    phial.build("f", { "n:i64" }, "i64", function(b, v)
      assert.equal(b, b:set_node "a")
      assert.equal("a", b:node())
      seen = v.n + 1
      b:ret(seen)
    end)
    assert.equal("a", nodes(seen))
  end)

  it("belongs to what writes make, and not to what reads make", function()
    for _, construction in ipairs(variants) do
      local fn, entry = func { rules = false, copies = true, construction = construction }
      local x, head, exit = fn:var "x", fn:block "head", fn:block "exit"
      fn:set_node "write"
      local copy = entry:write(x, 1)
      fn:set_node "jump"
      entry:jump(head)
      fn:set_node "read"
      head:write(x, head:add(x, 1))
      head:branch(fn:arg(3), head, exit)
      head:seal()
      exit:seal()
      exit:ret(x)
      fn:finish()
      assert.equal("write", nodes(copy))
      assert.same({}, head:phis()[1]:nodes())
      for _, v in ipairs(head:insts()) do assert.equal("read", nodes(v)) end
    end
  end)

  it("of a branch or call is that of refinements and may-writes", function()
    local fn, entry = func { rules = false }
    local x, yes, no = fn:param(1), fn:block("yes", 1), fn:block("no", 1)
    fn:set_node "branch"
    entry:branch(fn:arg(3), yes, no, { refine = { x } })
    fn:set_node "call"
    yes:may_write({ x }, 5)
    fn:set_node "read"
    local may = yes:read(x)
    yes:ret(may)
    no:ret(x)
    fn:finish()
    assert.same({ "may", "refine" }, { may:op(), may:args()[1]:op() })
    assert.same({ "call", "branch" }, { nodes(may), nodes(may:args()[1]) })
    assert.equal("branch", nodes(no:insts()[1]))
  end)
end)

describe("what is merged keeps all nodes:", function()
  it("equal values, when they are emitted", function()
    local fn, entry, n, m = func()
    local v
    for _, node in ipairs { "a", "b", "a", "c" } do
      fn:set_node(node)
      v = entry:add(n, m)
    end
    assert.equal("a b c", nodes(v))
  end)

  it("equal values that finish finds", function()
    local fn, entry, n = func()
    local x, head, exit = fn:var "x", fn:block "head", fn:block "exit"
    entry:write(x, n)
    fn:set_node "first"
    local first = entry:add(n, 1)
    entry:jump(head)
    fn:set_node "second"
    local second = head:add(x, 1)
    head:branch(fn:arg(3), head, exit)
    head:seal()
    exit:seal()
    exit:ret(exit:mul(first, second))
    assert.equal("second", nodes(second))
    fn:finish()
    assert.equal(first, second)
    assert.equal("first second", nodes(first))
  end)

  it("loads, and loads of what was stored", function()
    local fn, entry, n, m = func()
    local p = entry:alloca "i64"
    fn:set_node "sum"
    local sum = entry:add(n, m)
    entry:store(p, sum)
    fn:set_node "stored"
    assert.equal(sum, entry:load(p, "i64"))
    assert.equal("sum stored", nodes(sum))
    local q = entry:bitcast(n, "ptr")
    fn:set_node "once"
    local v = entry:load(q, "i64")
    fn:set_node "twice"
    assert.equal(v, entry:load(q, "i64"))
    assert.equal("once twice", nodes(v))
  end)

  it("trivial phis made by hand, at once and later", function()
    for _, construction in ipairs(variants) do
      local fn, entry, n = func { rules = false, construction = construction }
      local head, exit = fn:block("head", 2), fn:block("exit", 1)
      fn:set_node "v"
      local v = entry:add(n, 1)
      entry:jump(head)
      head:branch(fn:arg(3), head, exit)
      fn:set_node "of one value"
      assert.equal(v, exit:phi { [head] = v })
      fn:set_node "of itself"
      assert.equal(v, head:phi { [entry] = v, [head] = v })
      exit:ret(v)
      fn:finish()
      assert.equal("v of one value of itself", nodes(v))
    end
  end)

  it("redundant phis", function()
    local fn, entry, n = func { rules = false }
    local head, a, b = fn:block "head", fn:block "a", fn:block "b"
    fn:set_node "v"
    local v = entry:add(n, 1)
    fn:set_node()
    entry:branch(fn:arg(3), a, b)
    a:branch(fn:arg(3), b, head)
    b:branch(fn:arg(3), a, head)
    a:seal()
    b:seal()
    head:seal()
    head:ret(v)
    fn:finish()
    fn:set_node "a"
    local phi_a = a:front():phi { [entry] = v, [b] = v }
    fn:set_node "b"
    local phi_b = b:front():phi { [entry] = v, [a] = phi_a }
    phi_a:set_arg(2, phi_b)
    assert.same({ "a", "b" }, { nodes(phi_a), nodes(phi_b) })
    fn:clean { phis = true }
    assert.equal(v, phi_a)
    assert.equal(v, phi_b)
    local all = v:nodes()
    table.sort(all)
    assert.same({ "a", "b", "v" }, all)
  end)
end)

describe("what rules replace gives its nodes to what results:", function()
  it("an existing value, unless it is a constant or a parameter", function()
    local fn, entry, n, m = func()
    fn:set_node "v"
    local v = entry:add(n, m)
    fn:set_node "plus 0"
    assert.equal(v, entry:add(v, 0))
    assert.equal("v plus 0", nodes(v))
    assert.equal(n, entry:add(n, 0))
    assert.equal(fn:const(0), entry:sub(n, n))
    assert.same({ {}, {} }, { n:nodes(), fn:const(0):nodes() })
  end)

  it("new ones, all of them, where there is nothing equal", function()
    local R = phial.rules("r: x * 3 => $triple(x)", {
      triple = function(b, x) return b:add(b:shl(x, 1), x) end,
    })
    local fn, entry, n = func { rules = R }
    fn:set_node "times 3"
    local sum = entry:mul(n, 3)
    assert.same({ "add", "times 3" }, { sum:op(), nodes(sum) })
    local inner = sum:args()[1] == n and sum:args()[2] or sum:args()[1]
    assert.same({ "shl", "times 3" }, { inner:op(), nodes(inner) })
    fn:set_node "again"
    assert.equal(sum, entry:mul(n, 3))
    assert.equal("times 3 again", nodes(sum))
    assert.equal("times 3", nodes(inner))
  end)

  it("in finish", function()
    local fn, entry, n = func()
    local x, head, exit = fn:var "x", fn:block "head", fn:block "exit"
    entry:write(x, 8)
    entry:jump(head)
    fn:set_node "times x"
    local product = head:mul(n, x)
    fn:set_node "and times x"
    local both = head:add(product, head:mul(product, x))
    head:branch(fn:arg(3), head, exit)
    head:seal()
    exit:seal()
    exit:ret(both)
    fn:set_node "not this one"
    fn:finish()
    assert.equal("shl", product:op())
    assert.equal("times x", nodes(product))
    assert.equal("not this one", fn:node())
    for _, v in ipairs(head:insts()) do assert.is_nil(nodes(v):find "not this one") end
  end)

  it("terminators, at once and in finish, which also keep their position", function()
    for _, late in ipairs { false, true } do
      for _, op in ipairs { "jump", "branch" } do
        local fn, entry = func()
        local c, head, yes, no = fn:var("c2", "i1"), fn:block "head", fn:block "yes", fn:block "no"
        entry:write(c, op == "jump" and true or entry:bnot(fn:arg(3)))
        entry:jump(head)
        if not late then head:seal() end
        fn:set_node "branch"
        fn:set_loc(3)
        head:branch(c, yes, no)
        fn:set_node "other"
        fn:set_loc(9)
        if late then yes:jump(head) else yes:ret(1) end
        no:ret(no:add(fn:param(1), fn:arg(2)))
        fn:finish()
        local renewed = head:terminator()
        assert.equal(op, renewed:op())
        assert.equal("branch", nodes(renewed))
        assert.equal(3, (renewed:loc()))
      end
    end
  end)
end)

describe("an edit", function()
  local function finished()
    local fn, entry, n, m = func { rules = false }
    fn:set_node "v"
    local v = entry:add(n, m)
    fn:set_node "w"
    local w = entry:mul(n, m)
    fn:set_node "end"
    entry:ret(entry:sub(v, w))
    return fn:finish(), v, w, entry
  end

  it("makes instructions with the node that is set", function()
    local fn, v, _, entry = finished()
    fn:set_node "new"
    local new = v:after():add(v, 1)
    assert.equal("new", nodes(new))
    local to = fn:block "to"
    assert.equal("new", nodes(to:terminator()))
    entry:back():jump(to)
    assert.equal("new end", nodes(entry:terminator()))
  end)

  it("that replaces a value gives its nodes to the other one, and it keeps them", function()
    local _, v, w = finished()
    v:replace(w)
    assert.same({ "v", "w v" }, { nodes(v), nodes(w) })
    for _ = 1, 40 do -- in trees, the 40th would have 2^40 leaves
      w:replace(v)
      v:replace(w)
    end
    assert.same({ "v w", "w v" }, { nodes(v), nodes(w) })
    v:erase()
    assert.equal("w v", nodes(w))
    refused(nil, "value '%4' is gone: it was erased or dropped", function() v:nodes() end)
  end)

  it("that changes a terminator keeps its nodes", function()
    local fn, entry = func { rules = false }
    local a, b = fn:block("a", 1), fn:block("b", 1)
    fn:set_node "branch"
    entry:branch(fn:arg(3), a, b)
    a:ret(1)
    b:ret(2)
    fn:finish()
    fn:set_node()
    entry:remove_edge(b)
    assert.same({ "jump", "branch" }, { entry:terminator():op(), nodes(entry:terminator()) })
    entry:add_edge(b, fn:arg(3))
    assert.same({ "branch", "branch" }, { entry:terminator():op(), nodes(entry:terminator()) })
  end)

  it("after reopen goes on with the nodes that there are", function()
    local fn, v = finished()
    fn:reopen()
    local more = fn:block("more", 0)
    assert.equal("end", fn:node())
    local new = more:add(fn:arg(1), 1)
    more:ret(new)
    assert.same({ "v", "end" }, { nodes(v), nodes(new) })
    fn:finish { keep_unreachable = true }
    assert.equal("end", nodes(new))
  end)
end)

describe("nodes", function()
  it("are in no text", function()
    local fn, entry, n = func()
    fn:set_node "a"
    entry:ret(entry:add(n, 1))
    local again = assert(phial.parse(fn:finish():text()))
    assert.equal(fn:text(), again:text())
    assert.same({}, again:entry():terminator():nodes())
  end)

  it("of an instruction whose rule fails are as they were", function()
    local fails = false
    local R = phial.rules("x + x => $f(x)", { f = function(b, x)
      if fails then error "no" end
      return b:shl(x, 1)
    end })
    local fn, entry, n = func { rules = R }
    fn:set_node "a"
    local v = entry:shl(n, 1)
    fails = true
    fn:set_node "b"
    assert.is_false((pcall(entry.add, entry, n, n)))
    assert.equal("a", nodes(v))
    fails = false
    assert.equal(v, entry:add(n, n))
    assert.equal("a b", nodes(v))
  end)
end)
