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
  entry:write_as("first", x, 1)
  entry:branch(entry:slt(fn:arg(1), 0), yes, no)
  yes:write_as("yes", x, 2)
  yes:jump(done)
  no:jump(done)
  done:ret(done:read_as("last", x))
  return fn, x, yes, done
end

describe("an access", function()
  it("has a variable, block, value, node and position", function()
    local fn, entry, n = func()
    local x, node = fn:var "x", { kind = "assignment" }
    fn:set_loc(3, 4, "a.src", 3, 9)
    local copy = entry:write_as(node, x, 7)
    fn:set_loc(5, 1)
    local value = entry:read_as("use", x)
    fn:set_loc()
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
    local read = entry:read_as("r", n)
    assert.equal(write:value(), read)
    assert.equal(write, fn:read_accesses()[1]:writes()[1])
    entry:ret(read)
    fn:finish():reopen()
    local more = fn:block "more"
    more:seal()
    more:read_as("dead", n)
    fn:entry():read_as("again", n)
    assert.same({ "r", "again" }, nodes(write:reads()))
  end)

  it("is made by each way to read and write", function()
    local fn, entry, n = func()
    local x, y = fn:var "x", fn:var "y"
    entry:write(x, n, y, 2)
    entry:read(x, y)
    entry:let(x, "add", y, 1)
    entry:write_as("w", y, x)
    fn:set_current(entry)
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
      "write of x", "read of x", "write of y as w", "read of n", "read of x", "read of x",
    }, said)
  end)

  it("gets its place and its position later", function()
    local fn, entry, n = func { where = "all" }
    local value = entry:read_as(1, n) local line = debug.getinfo(1, "l").currentline
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
    dead:write_as("dead", x, 1)
    dead:read_as("dead", x)
    dead:ret(1)
    entry:ret(entry:read_as("live", n))
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
    refused(nil, "calling 'var': function 'f' is closed", function() write:var() end)
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
      yes:write_as("yes", x, 5)
      yes:jump(done)
      local phi = done:read_as("some", x)
      done:write_as("all", x, phi)
      done:ret(done:read_as("all", x))
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
      arm:write_as(arm:name(), x, 1)
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
    entry:write_as("unused", x, 1)
    local read = entry:read_as("no use", x)
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
    entry:write_as("node", x, n)
    entry:ret(entry:read_as("node", x))
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

describe("a may-write", function()
  it("is one access, with a copy of its own, that is a write", function()
    local fn, entry, n = func()
    local x, y = fn:var "x", fn:var "y"
    fn:set_loc(4, 2)
    local one = entry:may_write_as("one", { x }, 1)
    fn:set_loc()
    local two = entry:may_write_as("two", { x, n }, 1)
    local group = entry:may_write_as("group", fn:group { y }, one)
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
    entry:write_as("x", x, 1)
    entry:write_as("y", y, 2)
    entry:branch(c, yes, done, { refine = { x } })
    local unknown = yes:call("g", "i64")
    yes:may_write_as("first", { x, y }, unknown)
    yes:write_as("over", y, 3)
    yes:may_write_as("second", { x, y }, unknown)
    yes:jump(done)
    done:read_as("read x", x)
    done:ret(done:read_as("read y", y))
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
    entry:write_as("before", x, 1)
    entry:kill(x)
    entry:may_write_as("call", group, 2)
    entry:read_as("x", x)
    entry:read_as("y", y)
    entry:write_as("after", x, 3)
    entry:ret(entry:read_as("again", x))
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
      entry:write_as(weak[1], x, 1)
      entry:read_as(weak[2], x)
      collectgarbage()
      assert.equal(fn, fn:write_accesses()[2]:node().fn)
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
    entry:read_as(weak[1], n)
    fn:close()
    collectgarbage()
    assert.is_nil(weak[1])
  end)

  it("may be anything, also nil", function()
    local fn, entry, n = func()
    local all = { false, 0, "s", fn, n, print, {} }
    for _, node in ipairs(all) do entry:read_as(node, n) end
    entry:read_as(nil, n)
    entry:write_as(nil, n, 1)
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
    local entry, n = fn:entry(), fn:param(1)
    refused(fn, RECORDS, function() entry:read_as("node", n) end)
    refused(fn, RECORDS, function() entry:write_as("node", n, 1) end)
    refused(fn, RECORDS, function() entry:may_write_as("node", { n }, 1) end)
    refused(fn, RECORDS, function() fn:read_accesses() end)
    refused(fn, RECORDS, function() fn:write_accesses() end)
    refused(fn, RECORDS, function() fn:defs_and_uses {} end)
  end)

  it("with wrong arguments", function()
    local fn, entry, n = func()
    local v = entry:read_as("node", n)
    refused(fn, "bad argument #2 to 'read_as' (phial.Variable expected, got i64 '%2')",
      function() entry:read_as("node", v) end)
    refused(fn, "wrong number of arguments to 'read_as' (2 expected, got 1)",
      function() entry:read_as(n) end)
    refused(fn, "bad argument #2 to 'write_as' (phial.Variable expected, got 1)",
      function() entry:write_as("node", 1, n) end)
    refused(fn, "bad argument #3 to 'write_as' (i64 expected by variable 'n', got 1.5)",
      function() entry:write_as("node", n, 1.5) end)
    refused(fn, "wrong number of arguments to 'write_as' (3 expected, got 2)",
      function() entry:write_as(n, 1) end)
    refused(fn, "bad argument #2 to 'may_write_as' (phial.Group or list of variables expected, "
      .. "got i64 variable 'n')", function() entry:may_write_as("node", n, 1) end)
    refused(fn, "bad argument #3 to 'may_write_as' (i64 expected, got 1.5)",
      function() entry:may_write_as("node", { n }, 1.5) end)
    refused(fn, "wrong number of arguments to 'may_write_as' (3 expected, got 2)",
      function() entry:may_write_as({ n }, 1) end)
    entry:ret(v)
    for _, write in ipairs { entry.write_as, entry.may_write_as } do
      raises.with("block 'entry' already ends with 'ret %2'",
        write, entry, "node", write == entry.write_as and n or { n }, 1)
    end
    assert.equal(1, #fn:read_accesses())
    assert.equal(1, #fn:write_accesses())
  end)

  it("in lists that are not of reads or of writes", function()
    local fn = diamond()
    local other = diamond()
    local read, write = fn:read_accesses()[1], fn:write_accesses()[1]
    refused(fn, "bad argument #1 to 'defs_and_uses' (element 2 is a write, element 1 is not)",
      function() fn:defs_and_uses { read, write } end)
    refused(fn, "bad argument #1 to 'defs_and_uses' (element 2: phial.Access expected, got false)",
      function() fn:defs_and_uses { read, false, read } end)
    refused(fn, "bad argument #1 to 'defs_and_uses' (table expected, got userdata)",
      function() fn:defs_and_uses(read) end)
    local foreign = other:read_accesses()[1]
    raises.with("read of 'x' belongs to function 'f' (at ", fn.defs_and_uses, fn, { foreign })
    local another, entry, n = func()
    entry:may_write({ n, n }, 1)
    raises.with("may-write belongs to function 'f' (at ",
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

  it("by v:definitions with a wrong limit", function()
    local fn, entry, n = func()
    local v = entry:read(n)
    refused(fn, "bad argument #1 to 'definitions' (0 is not in 1 .. 4294967295)",
      function() v:definitions(0) end)
  end)
end)
