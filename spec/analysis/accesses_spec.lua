-- Reads and writes as things: what accesses tell, and what they keep alive.
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local function func(opts)
  opts = opts or {}
  opts.accesses = true
  if opts.rules == nil then opts.rules = false end
  local fn = phial.fn("f", { "n:i64" }, "i64", opts)
  return fn, fn:entry(), fn:param(1)
end

local function nodes(list)
  local out = {}
  for i, access in ipairs(list) do out[i] = access:node() or false end
  return out
end

-- Two arms that write x, and a read of it after them.
local function diamond(opts)
  local fn, entry = func(opts)
  local x = fn:var "x"
  local yes, no, done = fn:block("yes", 1), fn:block("no", 1), fn:block("done", 2)
  fn:set_node "first"
  entry:write(x, 1)
  entry:branch(entry:slt(fn:arg(1), 0), yes, no)
  fn:set_node "yes"
  yes:write(x, 2)
  yes:jump(done)
  no:jump(done)
  fn:set_node "last"
  done:ret(done:read(x))
  return fn, x, yes, done
end

describe("an access", function()
  it("has a variable, block, value, node and position", function()
    local fn, entry, n = func()
    local x, node = fn:var "x", { kind = "assignment" }
    fn:set_loc(3, 4, "a.src", 3, 9)
    fn:set_node(node)
    local copy = entry:write(x, 7)
    fn:set_loc(5, 1)
    fn:set_node "use"
    local value = entry:read(x)
    fn:set_loc():set_node()
    entry:ret(entry:add(value, n))
    fn:finish()
    local writes, reads = fn:write_accesses(), fn:read_accesses()
    assert.equal(2, #writes) -- the first is the parameter's
    assert.equal(2, #reads)
    local write, read = writes[2], reads[1]
    assert.is_true(write:is_write())
    assert.is_false(read:is_write())
    assert.equal(x, write:var())
    assert.equal(entry, write:block())
    assert.equal(copy, write:value())
    assert.equal("copy", copy:op())
    assert.equal(node, write:node())
    assert.same({ 3, 4, "a.src", 3, 9 }, { write:loc() })
    assert.is_nil(write:place())
    assert.equal("use", read:node())
    assert.equal(copy, read:value())
    assert.same({ 5, 1 }, { read:loc() })
    assert.equal(n, reads[2]:var())
    assert.is_nil(reads[2]:node())
    assert.is_nil(reads[2]:loc())
    assert.same({ 1, 2, 3, 4 }, { writes[1]:id(), write:id(), read:id(), reads[2]:id() })
    assert.equal("write of x", tostring(write))
    assert.equal("read of n", tostring(reads[2]))
    assert.equal(write, fn:write_accesses()[2])
    assert.equal(7, fn(0))
  end)

  it("of a parameter is a write in the entry, before all others", function()
    local fn, entry, n = func()
    local write = fn:write_accesses()[1]
    assert.equal(n, write:var())
    assert.equal(entry, write:block())
    assert.equal(fn:arg(1), write:value():args()[1])
    fn:set_node "r"
    local read = entry:read(n)
    assert.equal(write:value(), read)
    assert.equal(write, fn:read_accesses()[1]:writes()[1])
    entry:ret(read)
    fn:finish():reopen()
    local more = fn:block "more"
    more:seal()
    fn:set_node "dead"
    more:read(n)
    fn:set_node "again"
    fn:entry():read(n)
    assert.same({ "r", "again" }, nodes(write:reads()))
  end)

  it("is made by each way to read and write", function()
    local fn, entry, n = func()
    local x, y = fn:var "x", fn:var "y"
    entry:write(x, n, y, 2)
    entry:read(x, y)
    entry:let(x, "add", y, 1)
    fn:set_node "w"
    entry:write(y, x)
    fn:set_node():set_current(entry)
    local sum = n + x
    entry:ret(x)
    assert.equal(1, #sum:users() + 1)
    local said = {}
    local all = {}
    for _, list in ipairs { fn:read_accesses(), fn:write_accesses() } do
      for _, it in ipairs(list) do all[it:id()] = it end
    end
    for i, it in ipairs(all) do
      said[i] = tostring(it) .. (it:node() and " as " .. it:node() or "")
    end
    assert.same({
      "write of n", "read of n", "write of x", "write of y", "read of x", "read of y", "read of y",
      "write of x", "read of x as w", "write of y as w", "read of n", "read of x", "read of x",
    }, said)
  end)

  it("gets its place and its position later", function()
    local fn, entry, n = func { where = "all" }
    fn:set_node(1)
    local value = entry:read(n) local line = debug.getinfo(1, "l").currentline
    local read = fn:read_accesses()[1]
    assert.equal("spec/analysis/accesses_spec.lua:" .. line, read:place())
    assert.is_nil(read:loc())
    entry:ret(value)
    fn:finish()
    read:set_loc(3, 1, "late", 4)
    assert.same({ 3, 1, "late", 4, nil }, { read:loc() })
    assert.is_nil(value:loc())
    read:set_loc()
    assert.is_nil(read:loc())
  end)

  it("in a block that was dropped has no value and reaches nothing", function()
    local fn, entry, n = func()
    local dead, x = fn:block("dead", 0), fn:var "x"
    fn:set_node "dead"
    dead:write(x, 1)
    dead:read(x)
    dead:ret(1)
    fn:set_node "live"
    entry:ret(entry:read(n))
    local write, read = fn:write_accesses()[2], fn:read_accesses()[1]
    assert.equal(1, #write:reads())
    fn:finish()
    assert.is_nil(write:value())
    assert.is_nil(read:value())
    assert.is_false(write:block():is_reachable())
    assert.same({}, write:reads())
    assert.same({ {}, false }, { read:writes() })
  end)

  it("is a value of Lua like other handles", function()
    local fn = diamond():finish()
    local write = fn:write_accesses()[2]
    assert.equal("phial.Access", getmetatable(write).__name)
    local set = { [write] = true }
    assert.is_true(set[fn:write_accesses()[2]])
    fn:close()
    assert.equal("phial.Access (closed)", tostring(write))
  end)
end)

describe("writes and reads", function()
  it("reach each other through phis", function()
    local fn = diamond():finish()
    local read = fn:read_accesses()[1]
    assert.equal("phi", read:value():op())
    local writes, undefined = read:writes()
    assert.same({ "first", "yes" }, nodes(writes))
    assert.is_false(undefined)
    assert.same({ "last" }, nodes(fn:write_accesses()[2]:reads()))
    assert.same({ "first", "yes" }, nodes(fn:defs_and_uses(fn:read_accesses())))
    assert.same({ "last" }, nodes(fn:defs_and_uses(fn:write_accesses())))
    assert.same({ {}, false }, { fn:defs_and_uses {} })
  end)

  it("tell whether a read may see no write", function()
    for _, undef in ipairs { "undef", function(var) return var:name() == "x" and 5 or nil end } do
      local fn, entry = func { undef = undef }
      local x, yes, done = fn:var "x", fn:block("yes", 1), fn:block("done", 2)
      entry:branch(entry:slt(fn:arg(1), 0), yes, done)
      fn:set_node "yes"
      yes:write(x, 5)
      yes:jump(done)
      fn:set_node "some"
      local phi = done:read(x)
      fn:set_node "all"
      done:write(x, phi)
      done:ret(done:read(x))
      fn:finish()
      local some, all = fn:read_accesses()[1], fn:read_accesses()[2]
      local writes, undefined = some:writes()
      assert.same({ "yes" }, nodes(writes))
      assert.is_true(undefined)
      writes, undefined = all:writes()
      assert.same({ "all" }, nodes(writes))
      assert.is_false(undefined)
      assert.is_true(select(2, fn:defs_and_uses(fn:read_accesses())))
      assert.equal(1, select("#", fn:defs_and_uses(fn:write_accesses())))
    end
  end)

  it("tell two writes of one value apart", function()
    local fn, entry = func()
    local x, yes, no, done = fn:var "x", fn:block("yes", 1), fn:block("no", 1), fn:block("done", 2)
    entry:branch(entry:slt(fn:arg(1), 0), yes, no)
    for _, arm in ipairs { yes, no } do
      fn:set_node(arm:name())
      arm:write(x, 1)
      arm:jump(done)
    end
    done:ret(done:read(x))
    fn:finish()
    assert.same({ "yes", "no" }, nodes(fn:read_accesses()[1]:writes()))
    assert.same({ 1, 1 }, { #fn:write_accesses()[2]:reads(), #fn:write_accesses()[3]:reads() })
  end)

  it("are answered for the function as edits leave it", function()
    local fn = diamond():finish()
    local _, first, second = table.unpack(fn:write_accesses())
    local read = fn:read_accesses()[1]
    assert.same({ "first", "yes" }, nodes(read:writes()))
    second:value():replace(first:value())
    assert.same({ "first" }, nodes(read:writes()))
    assert.same({}, second:reads())
    assert.same({ "last" }, nodes(first:reads()))
  end)

  it("are gone from the answers when a sweep removes the copy", function()
    local fn, entry, n = func()
    local x = fn:var "x"
    fn:set_node "unused"
    entry:write(x, 1)
    fn:set_node "no use"
    local read = entry:read(x)
    entry:ret(n)
    fn:finish()
    assert.equal(1, #fn:write_accesses()[2]:reads())
    fn:clean { dead = true }
    assert.is_nil(fn:write_accesses()[2]:value())
    assert.is_nil(fn:read_accesses()[1]:value())
    assert.same({}, fn:write_accesses()[2]:reads())
    assert.same({ {}, false }, { fn:read_accesses()[1]:writes() })
    assert.is_not_nil(read)
  end)

  it("are recorded in a trace as those of a function with copies", function()
    local fn, entry, n = func()
    local record = phial.record(fn)
    local x = fn:var "x"
    fn:set_node "node"
    entry:write(x, n)
    entry:ret(entry:read(x))
    fn:finish()
    assert.equal(fn:text(), phial.replay(record:text()):text())
  end)

  it("are not copied into the text", function()
    local fn = diamond():finish()
    local again = assert(phial.parse(fn:text()))
    refused(again, "function 'f' does not record reads and writes: make it with the option "
      .. "accesses = true", function() again:read_accesses() end)
  end)
end)

describe("a value", function()
  it("has accesses: the write that made it, and the reads that gave it", function()
    local fn = diamond()
    fn:finish()
    for _, access in ipairs(fn:write_accesses()) do
      assert.same({ access }, access:value():accesses())
    end
    local read = fn:read_accesses()[1]
    assert.same({ read }, read:value():accesses())
    assert.same({}, fn:find("yes"):terminator():accesses())
    local straight, entry, n = func()
    entry:read(n, n)
    entry:ret(0)
    assert.equal(3, #straight:finish():write_accesses()[1]:value():accesses())
  end)

  it("has operands, one by one", function()
    local fn, entry, n = func()
    local sum = entry:add(n, 2)
    assert.equal(sum:args()[1], sum:arg(1))
    assert.equal(2, sum:arg(2):const())
    assert.is_nil(sum:arg(3))
    refused(fn, "bad argument #1 to 'arg' (0 is not in 1 .. 4294967295)", function() sum:arg(0) end)
  end)
end)

describe("a may-write", function()
  it("is one access, with a copy of its own, that is a write", function()
    local fn, entry, n = func()
    local x, y = fn:var "x", fn:var "y"
    fn:set_loc(4, 2)
    fn:set_node "one"
    local one = entry:may_write({ x }, 1)
    fn:set_loc()
    fn:set_node "two"
    local two = entry:may_write({ x, n }, 1)
    fn:set_node "group"
    local group = entry:may_write(fn:group { y }, one)
    fn:set_node()
    local plain = entry:may_write({ y }, 3)
    local none = entry:may_write({}, 4)
    local writes = fn:write_accesses()
    assert.same({ false, "one", "two", "group", false, false }, nodes(writes))
    local copies, vars, names = {}, {}, {}
    for i = 2, #writes do
      local it = writes[i]
      assert.is_true(it:is_write())
      assert.is_true(it:is_may_write())
      assert.equal(entry, it:block())
      copies[i - 1], vars[i - 1], names[i - 1] = it:value(), it:var() or false, tostring(it)
      assert.equal("copy", it:value():op())
      assert.equal(it:var(), it:value():var())
    end
    assert.is_false(writes[1]:is_may_write())
    assert.same({ one, two, group, plain, none }, copies)
    assert.same({ x, false, false, y, false }, vars)
    assert.equal("may-write of x, may-write, may-write, may-write of y, may-write",
      table.concat(names, ", "))
    assert.same({ 4, 2 }, { writes[2]:loc() })
    assert.is_nil(writes[3]:loc())
    local read = entry:read(x)
    assert.same({ one, two }, { read:args()[1]:args()[2], read:args()[2] })
    assert.is_false(fn:read_accesses()[1]:is_may_write())
    entry:ret(0)
    assert(fn:finish():verify())
  end)

  it("adds to what reaches a read", function()
    local fn, entry = func()
    local x, y, c = fn:var "x", fn:var "y", entry:slt(fn:arg(1), 0)
    local yes, done = fn:block("yes", 1), fn:block("done", 2)
    fn:set_node "x"
    entry:write(x, 1)
    fn:set_node "y"
    entry:write(y, 2)
    entry:branch(c, yes, done, { refine = { x } })
    local unknown = yes:call("g", "i64")
    fn:set_node "first"
    yes:may_write({ x, y }, unknown)
    fn:set_node "over"
    yes:write(y, 3)
    fn:set_node "second"
    yes:may_write({ x, y }, unknown)
    yes:jump(done)
    fn:set_node "read x"
    done:read(x)
    fn:set_node "read y"
    done:ret(done:read(y))
    fn:finish()
    local of_x, of_y = table.unpack(fn:read_accesses())
    assert.same({ "x", "first", "second" }, nodes(of_x:writes()))
    assert.same({ "y", "over", "second" }, nodes(of_y:writes()))
    local first, second = fn:write_accesses()[4], fn:write_accesses()[6]
    assert.same({ "read x" }, nodes(first:reads()))
    assert.same({ "read x", "read y" }, nodes(second:reads()))
    assert.same({ "read x", "read y" }, nodes(fn:defs_and_uses { second, first }))
    assert.same({ "x", "first", "second" }, nodes(fn:defs_and_uses { of_x }))
  end)

  it("is all that may reach a read of a variable that has ended, or has no definition", function()
    local fn, entry = func()
    local x, y = fn:var "x", fn:var "y"
    local group = fn:group { x, y }
    fn:set_node "before"
    entry:write(x, 1)
    entry:kill(x)
    fn:set_node "call"
    entry:may_write(group, 2)
    fn:set_node "x"
    entry:read(x)
    fn:set_node "y"
    entry:read(y)
    fn:set_node "after"
    entry:write(x, 3)
    fn:set_node "again"
    entry:ret(entry:read(x))
    fn:finish()
    for i = 1, 2 do
      local writes, undefined = fn:read_accesses()[i]:writes()
      assert.same({ "call" }, nodes(writes))
      assert.is_true(undefined)
    end
    assert.same({ "after" }, nodes(fn:read_accesses()[3]:writes()))
    assert.same({}, fn:write_accesses()[2]:reads())
    assert.same({ "x", "y" }, nodes(fn:write_accesses()[3]:reads()))
  end)

  it("makes no copy without the option", function()
    local fn = phial.fn("f", { "x" }, nil, { rules = false, copies = true })
    local x, entry = fn:param(1), fn:entry()
    assert.equal(0, select("#", entry:may_write({ x }, 1)))
    assert.equal(fn:const(1), entry:read(x):args()[2])
  end)

  it("is not recorded in a trace", function()
    for _, single in ipairs { true, false } do
      local fn, entry = func()
      local record = phial.record(fn)
      local x = fn:var "x"
      entry:may_write(single and { x } or fn:group { x }, 5)
      if single then
        refused(nil, "a may-write has made a copy: traces have no lines for refinements and "
          .. "may-writes", function() entry:ret(1) end)
      else
        entry:ret(1)
        fn:finish()
        assert.equal(fn:text(), phial.replay(record:text()):text())
      end
    end
  end)
end)

describe("nodes", function()
  it("are kept by the function, and collected with it", function()
    local weak = setmetatable({}, { __mode = "v" })
    do
      local fn, entry = func()
      local x = fn:var "x"
      weak[1] = { fn = fn, entry = entry } -- refers to the function
      weak[2] = { x }
      fn:set_node(weak[1])
      entry:write(x, 1)
      local v = entry:add(fn:arg(1), 1)
      fn:set_node(weak[2])
      entry:read(x)
      collectgarbage()
      assert.equal(fn, fn:write_accesses()[2]:node().fn)
      assert.equal(fn, v:nodes()[1].fn)
      assert.equal(x, fn:read_accesses()[1]:node()[1])
      entry:ret(0)
      fn:finish()
      collectgarbage()
      assert.is_not_nil(weak[1])
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
    assert.is_nil(weak[2])
  end)

  it("are forgotten when the function is closed", function()
    local weak = setmetatable({}, { __mode = "v" })
    local fn, entry, n = func()
    weak[1] = {}
    fn:set_node(weak[1])
    entry:add(entry:read(n), 1)
    fn:close()
    collectgarbage()
    assert.is_nil(weak[1])
  end)

  it("may be anything, also nil", function()
    local fn, entry, n = func()
    local all = { false, 0, "s", fn, n, print, {} }
    for _, node in ipairs(all) do
      fn:set_node(node)
      entry:read(n)
    end
    fn:set_node(nil)
    entry:read(n)
    entry:write(n, 1)
    local reads = fn:read_accesses()
    for i, node in ipairs(all) do assert.equal(node, reads[i]:node()) end
    assert.is_nil(reads[#all + 1]:node())
    assert.is_nil(fn:write_accesses()[2]:node())
  end)
end)

describe("accesses are refused", function()
  local RECORDS = "function 'f' does not record reads and writes: make it with the option "
    .. "accesses = true"

  it("by a function without the option", function()
    local fn = phial.fn("f", { "n:i64" }, "i64")
    refused(fn, RECORDS, function() fn:read_accesses() end)
    refused(fn, RECORDS, function() fn:write_accesses() end)
    refused(fn, RECORDS, function() fn:defs_and_uses {} end)
  end)

  it("in lists that are not of reads or of writes", function()
    local fn = diamond()
    local other = diamond()
    local read, write = fn:read_accesses()[1], fn:write_accesses()[1]
    refused(fn, "bad argument #1 to 'defs_and_uses' (element 2 is a write, element 1 is not)",
      function() fn:defs_and_uses { read, write } end)
    refused(fn, "bad argument #1 to 'defs_and_uses' (element 2: phial.Access expected, got false)",
      function() fn:defs_and_uses { read, false, read } end)
    refused(fn, "bad argument #1 to 'defs_and_uses' (a list expected, got phial.Access)",
      function() fn:defs_and_uses(read) end)
    local foreign = other:read_accesses()[1]
    raises.with("read of 'x' belongs to another function 'f'", fn.defs_and_uses, fn, { foreign })
    local another, entry, n = func()
    entry:may_write({ n, n }, 1)
    raises.with("may-write belongs to another function 'f'",
      fn.defs_and_uses, fn, { another:write_accesses()[2] })
  end)

  it("where they have no answer", function()
    local fn = diamond()
    local read, write = fn:read_accesses()[1], fn:write_accesses()[1]
    refused(fn, "it is a write: reads() gives the reads that it reaches",
      function() write:writes() end)
    refused(fn, "it is a read: writes() gives the writes that reach it",
      function() read:reads() end)
  end)

  it("of a value without the option", function()
    local fn = phial.fn("f", { "n" })
    refused(fn, "function 'f' does not record reads and writes: make it with the option"
      .. " accesses = true",
      function() fn:arg(1):accesses() end)
  end)

  it("with a wrong limit", function()
    local fn, entry, n = func()
    local v = entry:read(n)
    refused(fn, "bad argument #1 to 'definitions' (0 is not in 1 .. 4294967295)",
      function() v:definitions(0) end)
    local other = diamond()
    local read = other:read_accesses()[1]
    refused(other, "bad argument #1 to 'writes' (0 is not in 1 .. 4294967295)",
      function() read:writes(0) end)
  end)
end)
