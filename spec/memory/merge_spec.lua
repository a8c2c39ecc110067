-- Which reads of memory become one, for each pair of accesses: in a block while it is built,
-- across blocks when the function is finished.
local phial = require "phial"

local world = phial.dialect("world", {
  get = { args = { "ptr" }, result = "i64", effect = "read", eval = function() return 1 end },
  two = { args = 0, result = "i64", results = 2, effect = "read", eval = function()
    return 1, 2
  end },
  new = { args = 0, result = "ptr", effect = "new", eval = function() return 8 end },
  set = { args = 0, effect = "write", eval = function() end },
  pure = { args = { "i64" }, result = "i64", effect = "none", eval = function(x) return x end },
  stop = { args = { "i1" }, terminator = true, targets = 2, eval = function() return 1 end },
})

local function start(opts)
  opts = opts or {}
  opts.dialects = { world }
  local fn = phial.fn("f", { "p:ptr", "q:ptr", "x:i64", "c:i1" }, nil, opts)
  return fn, fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4)
end

describe("two reads in a block", function()
  -- True if the second load is the first one; between(b, p, q, x) is what is between them.
  local function are_one(between)
    local _, b, p, q, x = start()
    local first = b:load(p, "i64")
    between(b, p, q, x)
    return first == b:load(p, "i64")
  end

  it("are one if nothing is written between them", function()
    assert.is_true(are_one(function() end))
    assert.is_true(are_one(function(b) b:alloca(8) end))
    assert.is_true(are_one(function(b, p, q) b:load(q, "i64") b:load(p, "i32") end))
    assert.is_true(are_one(function(b, _, _, x) b:sdiv(x, 7) b:add(x, 1) end))
    assert.is_true(are_one(function(b) b:emit(world.new) b:emit(world.two) end))
  end)

  it("are one also if they read nothing, and are the first instructions", function()
    local nothing = phial.dialect("nothing", {
      get = { args = 0, result = "i64", effect = "read", reads = {} },
    })
    local b = phial.fn("f", nil, nil, { dialects = { nothing } }):entry()
    assert.equal(b:emit(nothing.get), b:emit(nothing.get))
  end)

  it("are two if something is", function()
    assert.is_false(are_one(function(b, _, q, x) b:store(q, x) end))
    assert.is_false(are_one(function(b, _, q) b:memset(q, 0, 1) end))
    assert.is_false(are_one(function(b, p, q) b:memcpy(q, p, 1) end))
    assert.is_false(are_one(function(b) b:call "g" end))
    assert.is_false(are_one(function(b, _, q) b:call(q) end))
    assert.is_false(are_one(function(b) b:emit(world.set) end))
  end)

  it("are two if they are volatile, which also write", function()
    local fn, b, p, q, x = start()
    local first = b:load(p, "i64")
    assert.not_equal(b:load_volatile(q, "i64"), b:load_volatile(q, "i64"))
    assert.not_equal(first, b:load(p, "i64"))
    b:store_volatile(p, x)
    b:store_volatile(p, x)
    assert.not_equal(x, b:load(p, "i64"))
    b:ret()
    fn:finish()
    fn:clean()
    local seen = {}
    for _, v in ipairs(b:insts()) do seen[#seen + 1] = v:op() end
    assert.equal("load_volatile load_volatile store_volatile store_volatile ret",
      table.concat(seen, " "))
  end)

  it("are one or two, whether they are aligned or not", function()
    local fn, b, p, q, x = start()
    local other = fn:block("other", 1)
    local loose = { align = 1 }
    assert.equal(b:load(p, "i64", loose), b:load(p, "i64", loose))
    b:store(p, x, loose)
    assert.equal(x, b:load(p, "i64"))
    assert.equal(x, b:load(p, "i64", loose))
    b:store(q, x)
    local first = b:load(p, "i64", loose)
    assert.not_equal(x, first)
    b:jump(other)
    other:call("g", nil, other:load(p, "i64"), other:load(q, "i64", loose))
    other:ret()
    fn:finish()
    local call = other:insts()[1]
    assert.same({ first, x }, { call:args()[1], call:args()[2] })
  end)

  it("are two if address, type or op differ", function()
    local fn, b, p, q = start()
    local all = { b:load(p, "i64"), b:load(q, "i64"), b:load(p, "f64"), b:load(p, "ptr"),
      b:emit(world.get, p), b:load(b:ptradd(p, 8), "i64") }
    for i = 1, #all do
      for k = 1, i - 1 do assert.not_equal(all[i], all[k]) end
    end
    b:ret()
    fn:finish()
    assert.equal(8, #b:insts())
  end)

  it("are one through equal addresses and in ops of dialects", function()
    local _, b, p = start()
    assert.equal(b:load(b:ptradd(p, 8), "i64"), b:load(b:ptradd(b:ptradd(p, 4), 4), "i64"))
    assert.equal(b:emit(world.get, p), b:emit(world.get, p))
    local a1, a2 = b:emit(world.two)
    local b1, b2 = b:emit(world.two)
    assert.equal(a1, b1)
    assert.equal(a2, b2)
  end)

  it("are two allocas, always", function()
    local fn, b, _, _, x = start()
    local one, two = b:alloca(8), b:alloca(8)
    assert.not_equal(one, two)
    b:store(one, x)
    b:store(two, x)
    b:ret()
    fn:finish()
    assert.equal(5, #b:insts())
  end)

  it("are what was stored", function()
    local _, b, p, q, x = start()
    b:store(p, x)
    assert.equal(x, b:load(p, "i64"))
    assert.not_equal(x, b:load(p, "i32"))
    assert.not_equal(x, b:load(q, "i64"))
    b:store(q, 1)
    assert.not_equal(x, b:load(p, "i64"))
  end)

  it("are not what was stored if they have data", function()
    local _, b, p, _, x = start()
    b:store(p, x)
    assert.equal("load", b:emit("load", p, "i64", { data = "kept" }):op())
    assert.equal(x, b:load(p, "i64"))
  end)

  it("stay two without rules, and at cursors", function()
    local _, b, p = start { rules = false }
    assert.not_equal(b:load(p, "i64"), b:load(p, "i64"))
    local fn, c, q = start()
    c:load(q, "i64")
    c:ret()
    fn:finish()
    assert.not_equal(c:front():load(q, "i64"), c:front():load(q, "i64"))
    fn:clean { rules = true }
    assert.equal(2, #c:insts())
  end)

  it("of two blocks that are built at the same time are not mixed up", function()
    local fn, b, p, q, x, c = start()
    local l, r = fn:block(), fn:block()
    b:branch(c, l, r)
    l:seal()
    r:seal()
    local first = l:load(p, "i64")
    local other = r:load(p, "i64")
    assert.not_equal(first, other)
    r:store(q, x)
    assert.not_equal(first, l:load(q, "i64"))
    assert.not_equal(x, l:load(q, "i64"))
    assert.equal(x, r:load(q, "i64"))
  end)
end)

-- A function with these blocks: name, successors, code: R loads %p, W stores to %q, S to %p,
-- C calls, T may trap.
local function graph(blocks, opts)
  local fn = phial.fn("f", { "p:ptr", "q:ptr", "x:i64", "c:i64" }, "i64",
    { dialects = { world }, rules = opts })
  local p, q, x, c = fn:arg(1), fn:arg(2), fn:arg(3), fn:arg(4)
  local of, sum = { entry = fn:entry() }, fn:var "sum"
  fn:entry():write(sum, 0)
  for i = 2, #blocks do of[blocks[i][1]] = fn:block(blocks[i][1]) end
  for _, source in ipairs(blocks) do
    local b = of[source[1]]
    for letter in source[3]:gmatch "." do
      if letter == "R" then b:write(sum, b:add(b:read(sum), b:load(p, "i64"))) end
      if letter == "W" then b:store(q, x) end
      if letter == "S" then b:store(p, x) end
      if letter == "C" then b:call "g" end
      if letter == "T" then b:write(sum, b:sdiv(b:read(sum), x)) end
    end
    local targets = {}
    for name in source[2]:gmatch "%w+" do targets[#targets + 1] = of[name] end
    if #targets == 0 then b:ret(b:read(sum)) end
    if #targets == 1 then b:jump(targets[1]) end
    if #targets == 2 then b:branch(b:slt(b:read(sum), c), targets[1], targets[2]) end
  end
  fn:finish()
  assert(fn:verify())
  return fn
end

-- The blocks that have a load after finish: "entry, l".
local function loads(blocks, opts)
  local list, fn = {}, graph(blocks, opts)
  for b in fn:blocks() do
    for _, v in ipairs(b:insts()) do
      if v:op() == "load" then list[#list + 1] = tostring(b) end
    end
  end
  fn:close()
  return table.concat(list, " ")
end

describe("two reads in different blocks", function()
  it("are one if one dominates the other and nothing is written between", function()
    assert.equal("entry", loads { { "entry", "l", "R" }, { "l", "", "R" } })
    assert.equal("entry", loads { { "entry", "l r", "R" }, { "l", "j", "R" }, { "r", "j", "T" },
      { "j", "", "R" } })
    assert.equal("entry", loads { { "entry", "l", "TRT" }, { "l", "", "TR" } })
  end)

  it("are two if none dominates, or something is written on a way", function()
    assert.equal("l r", loads { { "entry", "l r", "" }, { "l", "j", "R" }, { "r", "j", "R" },
      { "j", "", "" } })
    for _, write in ipairs { "W", "C" } do
      assert.equal("entry l", loads { { "entry", "l", "R" .. write }, { "l", "", "R" } })
      assert.equal("entry l", loads { { "entry", "l", "R" }, { "l", "", write .. "R" } })
      assert.equal("entry j", loads { { "entry", "l r", "R" }, { "l", "j", write },
        { "r", "j", "R" }, { "j", "", "R" } })
    end
  end)

  it("are what was stored, if the store dominates", function()
    assert.equal("", loads { { "entry", "l", "S" }, { "l", "", "R" } })
    assert.equal("j", loads { { "entry", "l r", "S" }, { "l", "j", "RS" }, { "r", "j", "R" },
      { "j", "", "R" } })
    assert.equal("entry entry l", loads { { "entry", "l", "RSCR" }, { "l", "", "RWR" } })
  end)

  it("meet where versions meet, also if those have met before", function()
    -- the join of l and r is not the one of a and b
    assert.equal("entry e", loads { { "entry", "a b", "R" }, { "a", "l r", "" }, { "l", "j", "W" },
      { "r", "j", "R" }, { "j", "e", "" }, { "b", "e", "R" }, { "e", "", "R" } })
    assert.equal("entry", loads { { "entry", "a b", "R" }, { "a", "l r", "" }, { "l", "j", "" },
      { "r", "j", "R" }, { "j", "e", "R" }, { "b", "e", "R" }, { "e", "", "R" } })
  end)

  it("are in a loop: with a write it has a version of its own", function()
    assert.equal("entry", loads { { "entry", "h", "R" }, { "h", "b e", "R" }, { "b", "h", "R" },
      { "e", "", "R" } })
    assert.equal("entry h", loads { { "entry", "h", "R" }, { "h", "b e", "R" }, { "b", "h", "RW" },
      { "e", "", "R" } })
    assert.equal("entry h b", loads { { "entry", "h", "R" }, { "h", "b e", "R" },
      { "b", "h", "WR" }, { "e", "", "R" } })
    -- the inner loop writes: the outer one has versions, too
    assert.equal("entry h i", loads { { "entry", "h", "R" }, { "h", "i e", "R" },
      { "i", "k h", "R" }, { "k", "i", "W" }, { "e", "", "R" } })
  end)

  it("are in a loop with two entries", function()
    assert.equal("entry", loads { { "entry", "l r", "R" }, { "l", "r e", "R" }, { "r", "l e", "R" },
      { "e", "", "R" } })
    assert.equal("entry l r e", loads { { "entry", "l r", "R" }, { "l", "r e", "RW" },
      { "r", "l e", "R" }, { "e", "", "R" } })
  end)

  it("are two after a terminator that may write", function()
    local fn, b, p, _, _, c = start()
    local l, r = fn:block "l", fn:block "r"
    local first = b:load(p, "i64")
    b:emit(world.stop, c, l, r)
    l:call("g", nil, first, l:load(p, "i64"))
    l:ret()
    r:ret()
    fn:finish()
    assert.equal("load", l:insts()[1]:op())
  end)

  it("are one if they read nothing, whatever is written", function()
    local fn, b, p, _, x = start()
    local last = fn:block("last", 1)
    local nothing = { reads = {}, writes = {} }
    local first = b:call("pure", "i64", nothing)
    b:store(p, x)
    b:jump(last)
    last:call("use", nil, last:call("pure", "i64", nothing))
    last:ret()
    fn:finish()
    assert.same({ first }, last:insts()[1]:args())
  end)

  it("are of an alloca, some of whose addresses are made while they are merged", function()
    local fn, b, _, _, x = start()
    local header, i = fn:block "header", fn:var "i"
    local frame = b:alloca(24)
    local at = b:ptradd(frame, 12)
    b:write(i, 4)
    b:jump(header)
    local first = header:load(at, "i64")
    header:store(header:ptradd(header:ptradd(frame, header:read(i)), 4), x)
    local second = header:load(at, "i64")
    header:call("use", nil, first, second)
    header:ret()
    header:seal()
    fn:finish()
    assert.not_equal(first, second)
  end)

  it("are one if their addresses are equal only when they are merged", function()
    local fn, b, p = start()
    local header, i = fn:block "header", fn:var "i"
    local first = b:load(b:ptradd(p, 8), "i64")
    b:write(i, 4)
    b:jump(header)
    local second = header:load(header:ptradd(header:ptradd(p, header:read(i)), 4), "i64")
    header:call("use", nil, second)
    header:ret()
    header:seal()
    fn:finish()
    local insts = header:insts()
    assert.same({ first }, insts[#insts - 1]:args())
  end)

  it("are one if their addresses are phis that become equal after others have", function()
    local fn, b, _, q, _, c = start()
    local offsets, places = { fn:var "a", fn:var "b" }, { fn:var("p", "ptr"), fn:var("r", "ptr") }
    -- Both variables get one of two values each.
    local function choose(block, vars, first, second)
      local yes, no, done = fn:block("yes", 1), fn:block("no", 1), fn:block("done", 2)
      block:branch(c, yes, no)
      for i = 1, 2 do
        yes:write(vars[i], first)
        no:write(vars[i], second[i])
      end
      yes:jump(done)
      no:jump(done)
      return done
    end
    local at, loaded = choose(b, offsets, 8, { 16, 16 }), {}
    for i = 1, 2 do loaded[i] = at:ptradd(q, at:add(at:read(offsets[i]), 8)) end
    at = choose(at, places, q, loaded)
    for i = 1, 2 do loaded[i] = at:load(at:read(places[i]), "i64") end
    at:call("use", nil, loaded[1], loaded[2])
    at:ret()
    fn:finish()
    assert.equal(loaded[1], loaded[2])
  end)

  it("stay two without rules", function()
    assert.equal("entry l", loads({ { "entry", "l", "R" }, { "l", "", "R" } }, false))
  end)
end)
