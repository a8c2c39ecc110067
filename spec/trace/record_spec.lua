-- Recorded traces make the same function again.
local assert = require "spec.support.assert"
local child = require "spec.support.child"
local document = require "spec.support.document"
local file = require "spec.support.file"
local oracle = require "spec.oracle.structured"
local phial = require "phial"
local prop = require "spec.support.prop"
local programs = require "spec.support.programs"
local refused = require "spec.support.refused"
local structured = require "spec.support.structured"
local variants = require "spec.support.variants"

package.path = "examples/?.lua;" .. package.path

-- A callee that is an object is replayed as another one, of another name.
local function unhosted(text)
  return (text:gsub("call @table", "call @host"):gsub("call @\"[^\"]*\"", "call @host"))
end

local function dense(fn) return unhosted(fn:text { ids = "dense" }) end

-- The reads without a definition, sorted.
local function undefined(fn)
  local list = {}
  for i, read in ipairs(fn:undefined_reads()) do
    local loc = read.loc or {}
    list[i] = ("%s %s:%s:%s"):format(read.var, loc.file, loc.line, loc.col)
  end
  table.sort(list)
  return list
end

-- Calls f; returns a recorder for each function that it made.
local function recorded(f)
  local records, fn = {}, phial.fn
  phial.fn = function(...)
    local made = fn(...)
    records[#records + 1] = phial.record(made)
    return made
  end
  local ok, err = pcall(f)
  phial.fn = fn
  if not ok then error(err, 0) end
  return records
end

-- Checks that the trace makes this function, in all variants, with and without
-- its dialects.
local function check(fn, text, opts)
  local expected, reads = dense(fn), undefined(fn)
  for i, construction in ipairs(variants) do
    local dialects = i % 2 == 1 and opts and opts.dialects or {}
    local again, why = phial.replay(text, { construction = construction, dialects = dialects })
    if not again then error(why .. " of\n" .. text) end
    local got = dense(again)
    if got ~= expected then
      error(("%s\nmade\n%snot\n%s"):format(text, got, expected))
    end
    assert.same(reads, undefined(again))
    again:close()
  end
end

-- {== The text =========================================================

describe("a record", function()
  it("of the manual's example is what the frontend did", function()
    local source = document.code("docs/start/frontend.md", 4)
    local record = recorded(function()
      assert(load(source, "=frontend.md", "t", {
        require = require, print = function() end,
      }))()
    end)[1]
    assert.equal(file.read "docs/trace.md":match "```\n(F sum 1 0.-)```", record:text())
  end)

  -- Everything that a frontend can do, with names, constants and data of all kinds.
  local lang = phial.dialect("lang", {
    split = { args = 1, results = 3, result = "i64" },
    make = { result = "obj", args = "*" },
    show = { args = 1 },
    fork = { args = 1, terminator = true, targets = "*" },
    stop = { terminator = true },
  }, { "obj" })
  local table_of_ours, other = {}, {}

  local function everything(fn)
    local b, x, odd = fn:entry(), fn:var "x", fn:var("x", "any")
    fn:set_loc(1)
    local one, two, three = b:emit("lang.split", fn:arg(1))
    b:proj(one, 2, "i64")
    fn:set_loc(2, 3, "a file")
    b:write(x, b:add(two, three):set_name "sum")
    local wide = b:sext(b:trunc(b:read(x), "i8"), "i32")
    b:emit("lang.show", wide, { data = "a \"text\"\n" })
    fn:set_loc()
    b:emit("lang.show", b:select(true, 1.5, -0.0), { data = 0.1 })
    for _, it in ipairs { true, -3, "", table_of_ours, other, table_of_ours } do
      b:emit("lang.show", fn:const(it == true or nil, "any"), { data = it })
    end
    b:write(odd, "text")
    b:call("print", false, b:read(odd), fn:const(0.0 / 0.0), fn:const(-1 // 0.0, "f32"))
    local called = b:call("all", "i64", fn:undef "i64", fn:const(200, "i8"))
    called:set_data(other)
    b:write(fn:var("object", "lang.obj"), b:emit("lang.make", "x", true))
    local left, right, join = fn:block "b3", fn:block "", fn:block("a b", 4)
    local empty, dead = fn:block(), fn:block("b3", 0)
    dead:write(x, 7)
    dead:jump(join)
    b:switch(b:read(x), left, { [0] = right, [-5] = right, [9] = empty })
    left:seal(); right:seal()
    left:write(x, 1)
    left:jump(join)
    right:emit("lang.fork", right:read(x), { join, join, data = "way" })
    empty:unreachable()
    local phi = join:phi { [left] = 4, [right] = called }
    join:phi { [left] = one, [right] = one }
    join:write(x, join:mul(phi, join:read(x)))
    local loop, last = fn:block "loop", fn:block "last"
    join:jump(loop)
    loop:branch(loop:eq(loop:read(x), 0), loop, last)
    last:emit("lang.stop")
    assert(fn:finish())
    fn:reopen()
    local more = fn:block "more"
    more:write(odd, fn:const(nil, "any"))
    more:ret(more:read(x))
    fn:finish()
  end

  it("tells everything that a frontend can do", function()
    local fn = phial.fn("all of it", { "n", "o:lang.obj" }, "i64", {
      dialects = { lang }, rules = false,
    })
    local record = phial.record(fn)
    everything(fn)
    check(fn, record:text(), { dialects = { lang } })
    local again = assert(phial.replay(record:text(), { dialects = { lang } }))
    assert.equal(unhosted(fn:text():gsub("{host %d}", "{host}")),
      unhosted(again:text():gsub("{host %d}", "{host}")))
  end)

  it("tells the answers of the undef function", function()
    local nothing
    local fn = phial.fn("f", { "n:any" }, "any", { rules = false, undef = function(var)
      return var:name() == "a" and 5 or var:name() == "b" and nothing or nil
    end })
    nothing = fn:arg(1)
    local record = phial.record(fn)
    local a, b, head = fn:var "a", fn:var("b", "any"), fn:block "head"
    fn:entry():branch(fn:const(true), head, head)
    head:add(head:read(a), 1)
    head:ret(head:read(b))
    fn:finish()
    assert.truthy(record:text():find "\nU a 5\nU b %%1\n")
    check(fn, record:text())
  end)

  it("tells what the undef function says after it has failed", function()
    local asked = 0
    local fn = phial.fn("f", { "c:i1" }, "i64", { undef = function()
      asked = asked + 1
      return asked > 2 and 7 or error "later"
    end })
    local record = phial.record(fn)
    local x, entry, set, join = fn:var "x", fn:entry(), fn:block("set", 1), fn:block("join", 2)
    assert.is_false(pcall(entry.read, entry, x))
    assert.is_false(pcall(entry.branch, entry, fn:arg(1), set, join))
    set:write(x, 2)
    set:jump(join)
    join:ret(join:read(x))
    fn:finish()
    assert.equal(3, asked)
    check(fn, record:text())
  end)

  it("does not tell what finish makes when it simplifies", function()
    local fn = phial.fn("f", { "n:i64", "c:i1" }, "i64",
      { rules = phial.rules "double: (x + 1) * 2 => x * 2 + 2 @ unoriented" })
    local record, x = phial.record(fn), fn:var "x"
    local entry, head, done = fn:entry(), fn:block "head", fn:block "done"
    entry:write(x, entry:add(fn:arg(1), 1))
    entry:jump(head)
    local twice = head:mul(head:read(x), 2)
    head:branch(fn:arg(2), head, done)
    done:ret(twice)
    fn:finish()
    assert.equal(1, fn:stats().late_applied)
    local again = assert(phial.replay(record))
    assert.equal(fn(20, false), again(20, false))
  end)

  -- The line of each is that on which it starts.
  local edits = {
    function(_, _, _, _, w) w:before():add(w:args()[1], 1) end,
    function(_, _, _, v) v:replace(3) end,
    function(_, _, _, _, w) w:set_arg(1, 3) end,
    function(_, _, _, _, w) w:move_before(w:block():insts()[1]) end,
    function(_, _, out) out:insts()[1]:erase() end,
    function(fn) fn:block "b" end,
    function(_, entry, out) entry:split_edge(out) end,
    function(_, entry, out) entry:add_edge(out, true) end,
    function(_, entry, out) entry:remove_edge(out) end,
    function(_, _, out) out:back():unreachable() end,
    function(_, entry, out, v) out:front():phi { [entry] = v } end,
    function(fn) fn:clean { dead = true } end, function(fn) fn:forward() end,
    function(fn, entry, out) entry:retarget(out, fn:block()) end,
    function(fn) fn:block()
      fn:clean { unreached = true }
      fn:reopen()
    end,
  }

  it("ends where a finished function is edited, and shows what that made", function()
    for _, edit in ipairs(edits) do
      local fn = phial.fn("f", { "n" }, "i64", { rules = false })
      local record = phial.record(fn)
      local entry, out, x = fn:entry(), fn:block("out", 1), fn:var "x"
      entry:write(x, entry:add(fn:arg(1), 1))
      entry:jump(out)
      out:neg(2)
      out:ret(out:mul(out:read(x), 2))
      local before = dense(fn:finish())
      edit(fn, entry, out, entry:insts()[1], out:insts()[2])
      local now = fn:text():gsub("[^\n]+", "-- %0")
      assert.equal(("E\n-- edited at spec/trace/record_spec.lua:%d: the trace ends here, "
        .. "it cannot express edits\n-- the function is now:\n%s")
        :format(debug.getinfo(edit, "S").linedefined, now),
        record:text():match "\n(E\n.*)")
      assert.equal(before, dense(assert(phial.replay(record:text()))))
    end
  end)

  it("names phis that no read gave", function()
    local fn = phial.fn("f", { "c:i1" }, "i64")
    local record = phial.record(fn)
    local x, c, loop = fn:var "x", fn:arg(1), fn:block "loop"
    local set, join, done = fn:block("set", 1), fn:block("join", 2), fn:block("done", 1)
    fn:entry():jump(loop)
    loop:branch(c, set, join)
    set:write(x, 1)
    set:jump(join)
    join:write(x, join:add(join:read(x), loop:phis()[1]))
    join:branch(c, loop, done)
    done:ret(done:read(x))
    fn:finish()
    assert.truthy(record:text():find "\nr x %%7\nk %%6 loop x\ni %%8 i64 add %%7 %%6\n")
    check(fn, record:text())
  end)

  it("can be saved, and written as it comes", function()
    local path, stream = os.tmpname(), os.tmpname()
    local fn = phial.fn("f")
    local record = phial.record(fn, stream)
    fn:entry():ret()
    assert.equal("F f 1 0 -\nb entry\nx -\n", file.read(stream))
    assert.is_true(record:save(path))
    assert.equal(record:text(), file.read(path))
    assert.equal(record:text(), tostring(record))
    os.remove(path); os.remove(stream)
    local ok, why = record:save "no/such/folder"
    assert.is_nil(ok)
    assert.truthy(why:find "no/such/folder")
  end)

  it("outlives its function", function()
    local fn = phial.fn("f")
    local record = phial.record(fn)
    fn:entry():ret()
    fn:close()
    assert.equal("F f 1 0 -\nb entry\nx -\n", record:text())
  end)

  it("is not made if its file cannot be written", function()
    local made = phial.fn "f"
    assert.same({ nil, "no/such/folder: No such file or directory" },
      { phial.record(made, "no/such/folder") })
    assert.equal("F f 1 0 -\n", phial.record(made):text())
  end)
end)

describe("a record", function()
  local function recording()
    local fn = phial.fn("f", { "x" }, nil, { rules = false })
    return phial.record(fn), fn
  end

  it("has a name for its kind, and shows nothing else", function()
    local record = recording()
    assert.equal("phial.Record", getmetatable(record).__name)
    assert.is_nil(next(record))
    refused(nil, "a phial.Record has no method 'told'", function() record:told() end)
  end)

  it("checks what its methods are called with", function()
    local record = recording()
    local self = "calling '%s' on bad self (phial.Record expected, got %s) (use ':'?)"
    for _, method in ipairs { "text", "save" } do
      refused(nil, self:format(method, "nil"), function() record[method]() end)
      refused(nil, self:format(method, "1"), function() record[method](1) end)
      refused(nil, self:format(method, '"a path"'), function() record[method] "a path" end)
      refused(nil, self:format(method, "a table"), function() record[method]({}, "a path") end)
      refused(nil, self:format(method, "a phial.Function"),
        function() record[method](phial.fn "f", "a path") end)
    end
    refused(nil, "wrong number of arguments to 'text' (0 expected, got 1)",
      function() record:text(1) end)
    assert.equal(record:text(), record:text(nil))
    refused(nil, "wrong number of arguments to 'save' (1 expected, got 0)",
      function() record:save() end)
    refused(nil, "wrong number of arguments to 'save' (1 expected, got 2)",
      function() record:save("no/such/folder", 1) end)
    refused(nil, "bad argument #1 to 'save' (string expected, got nil)",
      function() record:save(nil) end)
    refused(nil, "bad argument #1 to 'save' (string expected, got 1)",
      function() record:save(1) end)
    refused(nil, "bad argument #1 to 'save' (path without NUL expected, got \"a\\x00b\")",
      function() record:save "a\0b" end)
    refused(nil, "bad argument #2 to 'phial.record' (path without NUL expected, got \"\\x00\")",
      function() phial.record(phial.fn "f", "\0") end)
    refused(nil, "bad argument #1 to 'save' (string expected, got a table)",
      function() record:save {} end)
  end)

  it("is refused by phial.record, by that name", function()
    refused(nil, "bad argument #1 to 'phial.record' (phial.Function expected, got nil)",
      function() phial.record() end)
    refused(nil, "bad argument #2 to 'phial.record' (string expected, got 1)",
      function() phial.record(phial.fn "f", 1) end)
    refused(nil, "wrong number of arguments to 'phial.record' (1 to 2 expected, got 3)",
      function() phial.record(phial.fn "f", nil, 1) end)
    refused(nil, "wrong number of arguments to 'phial.replay' (1 to 2 expected, got 3)",
      function() phial.replay("", {}, 1) end)
    refused(nil, "wrong number of arguments to 'phial.steps' (1 to 2 expected, got 3)",
      function() phial.steps("", {}, 1) end)
  end)
end)

-- Linux has a file that is always full.
describe("a record that cannot be written", function()
  local FULL = "/dev/full"
  local function exists()
    local full = io.open(FULL, "wb")
    if full then full:close() end
    return full
  end

  it("is said where it is to be saved, or begun", function()
    if not exists() then return pending "there is no /dev/full" end
    local fn = phial.fn "f"
    local nothing = { nil, "/dev/full: No space left on device" }
    assert.same(nothing, { phial.record(fn, FULL) })
    assert.same(nothing, { phial.record(fn):save(FULL) })
  end)

  -- The file may grow to one block: then it is full. What gcov writes at the end
  -- of a build with --coverage would be cut short, too.
  it("is an error of the call that is recorded, once", function()
    local path = os.tmpname()
    local out, err, status = child([[
      local phial = require "phial"
      local fn = phial.fn("f", { "x" }, nil, { rules = false })
      phial.record(fn, arg[1])
      local b, x, errors, n = fn:entry(), fn:arg(1), {}, 0
      for i = 1, 5000 do
        local ok, why = pcall(function() b:add(x, i) end)
        if not ok then errors[#errors + 1] = why:gsub("^[^:]*:", "") end
      end
      for _ in ipairs(b:insts()) do n = n + 1 end
      print(#errors, n)
      print((errors[1]:gsub("'.*'", "")))
    ]], "trap '' XFSZ; ulimit -f 1; GCOV_PREFIX=/dev/null", path)
    os.remove(path)
    assert.same({ "1\t5000\n6: the trace cannot be written to : File too large\n", "", 0 },
      { out, err, status })
  end)
end)

-- }== The same function again ==========================================

-- Each order of sealing with another variant.
local as = { early = "simple", finish = "marker", random = "scc", count = "operand" }

describe("replaying a record makes the same function", function()
  for _, seal in ipairs { "early", "finish", "random", "count" } do
    for _, copies in ipairs { false, true } do
      local label = ("of random programs, sealed %s%s"):format(seal, copies and ", copies" or "")
      it(label, function()
        prop.forall(programs.generate, function(p)
          local fn
          local opts = { seal = seal, copies = copies, construction = as[seal] }
          local record = recorded(function()
            fn = programs.build(p, opts)
            fn:finish()
          end)[1]
          check(fn, record:text(), { dialects = { programs.dialect } })
          local same = assert(phial.replay(record:text(), { dialects = { programs.dialect } }))
          assert.equal(fn:text(), same:text())
          assert.same(fn:stats(), same:stats())
        end)
      end)
    end
  end

  it("of copies of parameters", function()
    for _, writes in ipairs { true, false } do
      local fn = phial.fn("f", { "a", "b:i32" }, "i64", { copies = true })
      local record, entry, a, b = phial.record(fn), fn:entry(), fn:param(1), fn:param(2)
      if writes then entry:write(a, entry:add(entry:read(a), entry:sext(entry:read(b), "i64"))) end
      entry:ret(entry:read(a))
      fn:finish()
      assert.equal(fn:text(), assert(phial.replay(record:text())):text())
    end
  end)

  it("of a switch of an i1", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local record, a, b, c = phial.record(fn), fn:block "a", fn:block "b", fn:block "c"
    fn:entry():switch(fn:arg(1), c, { [0] = a, [1] = b })
    for i, block in ipairs { a, b, c } do block:ret(i) end
    fn:finish()
    assert.truthy(record:text():find("\ns 3 c a b %1 false true\n", 1, true))
    local again = assert(phial.replay(record))
    assert.equal(fn:text(), again:text())
    assert.equal(1, again(false))
    assert.equal(2, again(true))
  end)

  it("of a function that calls what it takes the address of, and jumps to it", function()
    local g = phial.fn("g", { "p:ptr" }, "ptr")
    g:entry():ret(g:arg(1))
    g:finish()
    local fn = phial.fn("f", {}, "ptr")
    local record, entry = phial.record(fn), fn:entry()
    entry:tail_call(g, entry:call(g, nil, entry:address(g)))
    fn:finish()
    assert.equal(fn:text(), assert(phial.replay(record, { host = { g } })):text())
    local lone = assert(phial.replay(record))
    assert.equal(3, #lone:entry():insts())
    assert.has_error(function() lone() end)
  end)

  it("of results of different types, whose dialect is not given", function()
    local D = phial.dialect("d", { two = { args = 0, results = { "i64", "t" } } }, { "t" })
    local fn = phial.fn("f", {}, nil, { dialects = { D } })
    local record = phial.record(fn)
    fn:entry():emit(D.two)
    fn:entry():ret()
    fn:finish()
    assert.equal(fn:text(), assert(phial.replay(record)):text())
  end)

  it("of structured programs", function()
    prop.forall(structured.generate, function(p)
      local fn
      local record = recorded(function() fn = structured.build(p, { rules = false }) end)[1]
      check(fn, record:text())
    end)
  end)

  it("of structured programs, with rules", function()
    prop.forall(structured.generate, function(p)
      local record = recorded(function() structured.build(p, { rules = false }) end)[1]
      local fn = assert(phial.replay(record:text(), { rules = true }))
      assert(fn:verify())
      local function shown(go) return oracle.watch(40, go) end
      assert.same(shown(function(show) return oracle.run(p, show, 3, -2, 7) end),
        shown(function(show) return fn(3, -2, 7, { env = { show = show } }) end))
    end)
  end)

  it("of Lua's bytecode", function()
    if _VERSION ~= "Lua 5.4" then return end
    local translate = require("luac.translate").translate
    local bytecode, names_of = require "luac.bytecode", require("luac.names").of
    local source = file.read "examples/luac/instructions.lua"
    local protos, names = names_of(assert(bytecode.read(string.dump(assert(load(source))))))
    for _, proto in ipairs(protos) do
      local fn
      local record = recorded(function() fn = translate(proto, names) end)[1]
      check(fn, record:text())
    end
  end)
end)

-- }=====================================================================
