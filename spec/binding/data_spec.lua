-- Data of blocks and variables: any Lua value, kept as long as the function.
local phial = require "phial"
local state = require "spec.support.state"
local under = require "spec.support.under"

-- A diamond whose arm `dead` is dropped by finish.
local function diamond()
  local fn = phial.fn("f", { "n:i64" }, "i64")
  local entry, yes, dead = fn:entry(), fn:block "yes", fn:block("dead", 0)
  entry:jump(yes)
  yes:ret(fn:arg(1))
  dead:ret(0)
  return fn, entry, yes, dead
end

local MANY <const> = (under.hard or under.valgrind) and 500 or 4000

local function collect()
  collectgarbage()
  collectgarbage()
end

-- Each kind of handle that has data.
local KINDS = {
  block = function(fn, i) return i == 1 and fn:entry() or fn:block("b" .. i) end,
  variable = function(fn, i) return i == 1 and fn:param(1) or fn:var("v" .. i) end,
}

for kind, make in pairs(KINDS) do
  describe("data of a " .. kind, function()
    it("is nil until it is set, then that very value, until nil is set", function()
      local fn = phial.fn("f", { "n:i64" })
      local it = make(fn, 1)
      assert.is_nil(it:data())
      for _, value in ipairs { 1, 1.5, "s", true, false, {}, print, fn, it, fn:entry(),
        coroutine.create(print), io.stdout, 0 / 0 } do
        it:set_data(value)
        assert.is_true(rawequal(it:data(), value) or value ~= value)
      end
      it:set_data(nil)
      assert.is_nil(it:data())
      it:set_data(nil)
    end)

    it("is set by a call that returns the handle", function()
      local fn, node = phial.fn("f", { "n:i64" }), {}
      local it = make(fn, 2):set_data(node)
      assert.equal("phial." .. kind:gsub("^%l", string.upper), getmetatable(it).__name)
      assert.is_true(rawequal(it, it:set_data(node)))
      assert.equal(node, it:data())
    end)

    it("belongs to one " .. kind, function()
      local fn, other = phial.fn("f", { "n:i64" }), phial.fn("f", { "n:i64" })
      local list = {}
      for i = 1, MANY do list[i] = make(fn, i):set_data(-i) end
      make(other, 1):set_data "other"
      for i = MANY, 1, -1 do assert.equal(-i, list[i]:data()) end
      assert.equal("other", make(other, 1):data())
      local one_of_the_others = kind == "block" and fn:param(1) or fn:entry()
      assert.is_nil(one_of_the_others:data())
    end)

    it("outlives its handle, and is freed with the function", function()
      local fn, weak = phial.fn("f", { "n:i64" }), setmetatable({}, { __mode = "v" })
      weak[1] = {}
      make(fn, 1):set_data(weak[1])
      collect()
      assert.equal(weak[1], make(fn, 1):data())
      assert.is_not_nil(weak[1])
      fn = nil -- luacheck: ignore 311
      collect()
      assert.is_nil(weak[1])
    end)

    it("is freed when the function is closed, and when it is replaced", function()
      local fn, weak = phial.fn("f", { "n:i64" }), setmetatable({}, { __mode = "v" })
      local it = make(fn, 1)
      weak[1], weak[2] = {}, {}
      it:set_data(weak[1])
      it:set_data(weak[2])
      collect()
      assert.is_nil(weak[1])
      assert.is_not_nil(weak[2])
      fn:close()
      collect()
      assert.is_nil(weak[2])
    end)

    it("may refer to the function and to handles: it is collected with them", function()
      local weak = setmetatable({}, { __mode = "k" })
      do
        local fn = phial.fn("f", { "n:i64" })
        local it = make(fn, 1)
        it:set_data { fn = fn, handle = it, block = fn:entry() }
        make(fn, 2):set_data(fn)
        make(fn, 3):set_data(it)
        weak[fn], weak[it] = true, true
      end
      collect()
      assert.is_nil(next(weak))
    end)

    it("is in no text, trace or version of the function", function()
      local fn = phial.fn("f", { "n:i64" }, "i64")
      local record, events = phial.record(fn), 0
      fn:log(function() events = events + 1 end)
      local text, trace, version = fn:text(), record:text(), fn:version()
      local stats = fn:stats()
      make(fn, 1):set_data { "node" }
      assert.equal(text, fn:text())
      assert.equal(trace, record:text())
      assert.equal(version, fn:version())
      assert.same(stats, fn:stats())
      assert.equal(0, events)
      fn:entry():ret(1)
      fn:finish()
      assert.equal(fn:text(), phial.replay(record:text()):text())
      assert.is_nil(fn:entry():terminator():data())
    end)

    it("works after finish, while reopened, and on what was parsed", function()
      local fn, entry = diamond()
      local it = kind == "block" and entry or fn:param(1)
      it:set_data "before"
      fn:finish()
      assert.equal("before", it:data())
      assert.equal("after", it:set_data("after"):data())
      fn:reopen()
      assert.equal("reopened", it:set_data("reopened"):data())
      for _, text in ipairs { fn:text(), "fn f(%n: i64) {\nentry:\n  jump a\na: <- entry, ...\n}\n",
        "declare f(%n: i64)" } do
        local parsed = assert(phial.parse(text))
        it = make(parsed, 1)
        assert.is_nil(it:data())
        assert.equal("parsed", it:set_data("parsed"):data())
      end
    end)

    it("works in callbacks", function()
      local seen = {}
      local fn
      local function note(it) seen[#seen + 1] = it:set_data("told"):data() end
      fn = phial.fn("f", { "n:i64" }, nil, {
        log = function() note(make(fn, 1)) end,
        undef = function() note(make(fn, 1)) return 0 end,
        rules = phial.rules("a: x + C => x if $ok(C)", {
          ok = function() note(make(fn, 1)) return true end,
        }),
      })
      local entry = fn:entry()
      entry:read(fn:var "x")
      entry:add(fn:arg(1), 1)
      entry:ret()
      fn:finish()
      assert.is_true(#seen > 3)
      assert.equal("told", seen[1])
    end)
  end)
end

describe("data of a builder", function()
  it("are those of the current block", function()
    local blocks = {}
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v)
      blocks[1] = b:set_data "start"
      b:if_(b:slt(v.n, 3), function()
        blocks[2] = b:set_data "then"
        b:ret(1)
      end)
      assert(b:data() == nil)
      b:ret(v.n)
    end)
    assert.equal("start", fn:entry():data())
    assert.equal(fn:entry(), blocks[1])
    assert.equal("then", blocks[2]:data())
  end)
end)

describe("data of thousands of blocks", function()
  it("stay what they are through finish, drops, edits and collections", function()
    local fn = phial.fn("f", { "c:i1" }, nil, { rules = false })
    local blocks, block = {}, fn:entry()
    for i = 1, MANY do
      local next_, dead = fn:block(nil, 2), fn:block(nil, 0)
      next_:set_data { i }
      dead:set_data { -i }
      dead:jump(next_)
      block:jump(next_)
      blocks[i], block = { next_, dead }, next_
      if i % (MANY // 4) == 0 then collectgarbage() end
    end
    block:ret()
    fn:finish()
    for i, pair in ipairs(blocks) do
      assert.equal(i, pair[1]:data()[1])
      assert.equal(-i, pair[2]:data()[1])
      pair[2]:set_data(nil)
    end
    blocks[MANY // 2][1]:back():ret()
    fn:clean { unreached = true }
    assert.equal(MANY - 1, blocks[MANY - 1][1]:data()[1])
    assert.is_nil(blocks[MANY - 1][2]:data())
  end)

  it("cost nothing where unused, and one entry of a table where used", function()
    local function bytes(use)
      local fn = phial.fn("f", {}, nil, { rules = false })
      for _ = 1, 2000 do fn:block(nil, 0) end
      collect()
      local before = collectgarbage "count"
      if use then for b in fn:blocks() do b:set_data(7) end end
      for b in fn:blocks() do b:data() end
      collect()
      return (collectgarbage "count" - before) * 1024
    end
    bytes(true)
    assert.is_true(bytes(false) < 64 * 1024) -- slots of handles
    assert.is_true(bytes(true) - bytes(false) < 2000 * 40)
  end)
end)

describe("data, at each allocation in turn:", function()
  local WORK = [[
    local phial = require "phial.core"
    local fn = phial.fn("f", { "n:i64" }, nil, { rules = false })
    local kept = { fn:entry(), fn:param(1), fn:block "b" }
    return function()
      %s
      for i, it in ipairs(kept) do it:set_data { fn, it, i } end
      kept[3]:set_data(nil)
    end, function()
      assert(fn:verify())
      for i, it in ipairs(kept) do
        local data = it:data()
        assert(data == nil or data[1] == fn and data[3] == i)
        it:set_data { it }
      end
    end]]
  local function each(source, mode)
    local why, count = state.run(source, mode, math.maxinteger, math.maxinteger)
    assert.is_nil(why)
    for k = 1, count do assert.is_nil((state.run(source, mode, k, k + 1))) end
  end

  it("memory runs out", function() each(WORK:format "") end)

  it("a finalizer sets data", function()
    each(WORK:format [[
      setmetatable({}, { __gc = function()
        for i = 1, 20 do fn:var("x" .. i):set_data(i) end
        kept[2]:set_data { fn, kept[2], 2 }
      end })]], "incremental")
  end)

  it("a finalizer closes the function", function()
    local source = [[
      local phial = require "phial.core"
      local fn = phial.fn("f", { "n:i64" }, nil, { rules = false })
      local kept = { fn:entry(), fn:param(1) }
      kept[1]:set_data { fn }
      return function()
        setmetatable({}, { __gc = function() fn:close() end })
        for _, it in ipairs(kept) do pcall(it.set_data, it, { fn }) end
      end, function() fn:close() end]]
    each(source, "incremental")
  end)

  it("the state is closed", function()
    assert.is_nil((state.run([[
      local phial = require "phial"
      keep = setmetatable({}, { __gc = function()
        pcall(function() block:set_data { block } end)
        pcall(function() return block:data(), variable:data() end)
      end })
      local fn = phial.fn("f", { "n:i64" })
      block, variable = fn:entry():set_data { fn }, fn:param(1):set_data(fn)
      block:data().finalized = setmetatable({ block }, { __gc = function(it)
        pcall(function() it[1]:set_data { it } end)
      end })
      return function() quit() end, function() end]], nil, math.maxinteger, math.maxinteger)))
  end)
end)
