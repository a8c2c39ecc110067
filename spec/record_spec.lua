-- What a frontend does, recorded as a trace, makes the same function again;
-- and no text, however wrong, does more than give a line and a reason.
local corpus = require "bench.lib.corpus"
local phial = require "phial"
local prop = require "spec.support.prop"
local programs = require "spec.support.programs"
local structured = require "spec.support.structured"

package.path = "examples/?.lua;" .. package.path

local function dense(fn) return fn:text { ids = "dense" } end

-- Calls f; a list of recorders, one for each function that it made.
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

-- Does the trace make this function, in both variants and with no dialect at
-- hand?
local function check(fn, text, opts)
  opts = opts or {}
  for _, construction in ipairs { "marker", "simple" } do
    for _, dialects in ipairs { opts.dialects or {}, {} } do
      local again, why = phial.replay(text, { construction = construction, dialects = dialects })
      if not again then error(why .. " of\n" .. text) end
      if dense(fn) ~= dense(again) then
        error(("%s\nmade\n%snot\n%s"):format(text, dense(again), dense(fn)))
      end
      again:close()
    end
  end
end

local function slurp(path)
  local f <close> = assert(io.open(path, "rb"))
  return f:read "a"
end

-- {== The text =========================================================

describe("a record", function()
  it("of the README's example is what the frontend did", function()
    local source = slurp "README.md":match "```lua\n(.-)```"
    local record = recorded(function()
      assert(load(source, "=README.md", "t", {
        require = require, print = function() end,
      }))()
    end)[1]
    assert.equal(slurp "docs/trace.md":match "```\n(F sum 1 0.-)```", record:text())
  end)

  -- All that a frontend can do, and names, constants and data of all kinds.
  local lang = phial.dialect("lang", {
    split = { args = 1, results = 3, result = "i64" },
    make = { result = "obj", args = "*" },
    show = { args = 1, effect = true },
    fork = { args = 1, terminator = true, targets = "*" },
    stop = { terminator = true },
  }, { "obj" })
  local table_of_ours, other = {}, {}

  local function everything(fn)
    local b, x, odd = fn:entry(), fn:var "x", fn:var("x", "any")
    fn:loc(1)
    local one, two, three = b:emit("lang.split", fn:arg(1))
    b:proj(one, 2, "i64")
    fn:loc(2, 3, "a file")
    b:write(x, b:add(two, three):name "sum" or 0)
    local wide = b:sext(b:trunc(b:read(x), "i8"), "i32")
    b:emit("lang.show", wide, { data = "a \"text\"\n" })
    fn:loc()
    b:emit("lang.show", b:select(true, 1.5, -0.0), { data = 0.1 })
    for _, it in ipairs { true, -3, "", table_of_ours, other, table_of_ours } do
      b:emit("lang.show", fn:const(it == true or nil, "any"), { data = it })
    end
    b:write(odd, "text")
    b:call("print", false, b:read(odd), fn:const(0.0 / 0.0), fn:const(-1 // 0.0, "f32"))
    local called = b:call(fn, "i64", fn:undef "i64", fn:const(200, "i8"))
    called:data(other)
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
    loop:read(odd)
    loop:read(x)
    loop:branch(loop:eq(loop:phis()[1]:var() == x and loop:phis()[1] or loop:read(x), 0),
      loop, last)
    last:emit("lang.stop")
    assert(fn:finish())
    fn:reopen()
    local more = fn:block "more"
    more:write(odd, fn:const(nil, "any"))
    more:ret(more:read(x))
    fn:finish()
  end

  it("tells everything that a frontend can do", function()
    local fn = phial.fn("all of it", { "n", "o:lang.obj" }, "i64", { dialects = { lang } })
    local record = phial.record(fn)
    everything(fn)
    check(fn, record:text(), { dialects = { lang } })
    local again = assert(phial.replay(record:text(), { dialects = { lang } }))
    assert.equal(fn:text():gsub("{host %d}", "{host}"), again:text():gsub("{host %d}", "{host}"))
  end)

  it("tells the answers of the undef function", function()
    local nothing
    local fn = phial.fn("f", { "n:any" }, "any", { undef = function(var)
      return var:name() == "a" and 5 or var:name() == "b" and nothing or nil
    end })
    nothing = fn:arg(1)
    local record = phial.record(fn)
    local a, b, head = fn:var "a", fn:var("b", "any"), fn:block "head"
    fn:entry():branch(true, head, head)
    head:add(head:read(a), 1)
    head:ret(head:read(b))
    fn:finish()
    assert.truthy(record:text():find "\nU a 5\nU b %%1\n")
    check(fn, record:text())
  end)

  it("can be saved, and written as it comes", function()
    local path, stream = os.tmpname(), os.tmpname()
    local fn = phial.fn("f")
    local record = phial.record(fn, stream)
    fn:entry():ret()
    assert.equal("F f 1 0 -\nb entry\nx -\n", slurp(stream))
    assert.is_true(record:save(path))
    assert.equal(record:text(), slurp(path))
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

  it("is refused of what is no new function", function()
    local fn = phial.fn "f"
    fn:block()
    local function message(...) return select(2, pcall(phial.record, ...)) end
    assert.truthy(message(fn):find "function 'f' has blocks or instructions already")
    assert.truthy(message(1):find "bad argument #1 to 'phial.record' %(phial.Function expected")
    assert.truthy(message(phial.fn "f", 1):find "bad argument #2 to 'phial.record' %(string")
    assert.truthy(message(phial.fn "f", "no/such/folder"):find "no/such/folder")
  end)
end)

-- }== The same function again ==========================================

describe("replaying a record makes the same function", function()
  for _, seal in ipairs { "early", "finish", "random", "count" } do
    for _, copies in ipairs { false, true } do
      local label = ("of random programs, sealed %s%s"):format(seal, copies and ", copies" or "")
      it(label, function()
        prop.forall(programs.generate, function(p)
          local fn
          local construction = seal == "early" and "simple" or "marker"
          local record = recorded(function()
            fn = programs.build(p, { seal = seal, copies = copies, construction = construction })
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

  it("of structured programs", function()
    prop.forall(structured.generate, function(p)
      local fn
      local record = recorded(function() fn = structured.build(p) end)[1]
      check(fn, record:text())
    end)
  end)

  it("of Lua's bytecode", function()
    if _VERSION ~= "Lua 5.4" then return end
    local chunk = require "luac.chunk"
    local translate = require("luac.translate").translate
    local bytecode, names_of = require "luac.bytecode", require("luac.names").of
    assert(chunk)
    local source = slurp "examples/luac/instructions.lua"
    local protos, names = names_of(assert(bytecode.read(string.dump(assert(load(source))))))
    for _, proto in ipairs(protos) do
      local fn
      local record = recorded(function() fn = translate(proto, names) end)[1]
      check(fn, record:text())
    end
  end)
end)

-- }== Plain traces =====================================================

describe("a plain trace", function()
  it("is replayed as the benchmark does", function()
    local replay, trace = require "bench.lib.replay", require "bench.lib.trace"
    local path = corpus.unpacked(corpus.folder, corpus.programs(corpus.folder)[1])
    local expected = trace.load(path).funcs
    local i = 0
    for text in slurp(path):gmatch "F.-\nE\n" do
      i = i + 1
      local fn <close> = assert(phial.replay(text))
      local other <close> = replay.finished(expected[i], {})
      assert.equal(dense(other), dense(fn))
    end
    assert.equal(#expected, i)
  end)

  it("can hold several functions", function()
    local f, g = assert(phial.replay "F f 1 0\nb 0\nx\nE\nF g 2 1\nb 0\nr 0\nj 1\nb 1\nx\nE")
    assert.equal("f g", f:name() .. " " .. g:name())
  end)
end)

-- }== Steps ============================================================

describe("phial.steps", function()
  local text = "F f 1 0 i64 n:i64\nV x i64\nB head\n\n-- a comment\nb 0\nw x n\n"

  it("tells each line, and what construction did", function()
    local seen = {}
    local source = "F f 2 1 i64 n:i64 -- comment\nb 0\nm v0\nj 1\nS 1\n\nb 1\nr v0\nx %1\nE\n"
    for step in assert(phial.steps(source)) do
      local events = {}
      for i, e in ipairs(step.events) do events[i] = e.event end
      seen[#seen + 1] = step.line .. " " .. step.text .. ": " .. table.concat(events, " ")
      assert.equal("f", step.fn:name())
    end
    assert.same({
      "1 F f 2 1 i64 n:i64 -- comment: ", "2 b 0: ", "3 m v0: emit write", "4 j 1: filled",
      "5 S 1: sealed", "7 b 1: ", "8 r v0: lookup read", "9 x %1: filled", "10 E: finished",
    }, seen)
  end)

  it("ends with the line that is wrong", function()
    assert.same({ nil, "7: value expected, got 'n'" }, { phial.steps(text) })
    local last
    for step in assert(phial.steps("F f 1 0\nb 0\nx\nu\nE")) do last = step end
    assert.equal("4: block 'entry' already ends with 'ret nil': nothing can be added after it",
      last.problem)
    assert.equal("u", last.text)
  end)
end)

-- }== Mistakes =========================================================

local HEAD = "F f 1 0 i64 n:i64\nV x i64\nB head\nb entry\n"

-- What follows HEAD, and what is said of it.
local mistakes = {
  { "q", "5: unknown letter 'q'" },
  { 'r "x', "5: quotes or braces are not closed" },
  { "i call {1", "5: quotes or braces are not closed" },
  { "b", "5: block expected at the end of the line" },
  { "b %1", "5: block expected, got '%1'" },
  { "b 7", "5: there is no block 7" },
  { "b nowhere", "5: there is no block 'nowhere'" },
  { "b head/2", "5: there is no block 'head/2'" },
  { "r y", "5: there is no variable 'y'" },
  { "r x %1 %2", "5: end of the line expected, got '%2'" },
  { "w x %9", "5: there is no value %9" },
  { "w x 1.2.3", "5: value expected, got '1.2.3'" },
  { "w x 99999999999999999999", "5: value expected, got '99999999999999999999'" },
  { "w x 1.5", "5: bad argument #2 to 'write' (i64 expected by variable 'x', got f64 '1.5')" },
  { "w x 1:i99", "5: bad argument #2 to 'const' (unknown type 'i99')" },
  { "i %1 i64 add 1 2", "5: %1 is there already" },
  { "i %7 i32 add 1 2", "5: %7 is i64, the line says i32" },
  { "i add 1 2", "5: 'add' has 1 results, the line names 0" },
  { "i %7 i64 add 1", "5: wrong number of arguments to 'add' (2 expected, got 1)" },
  { "i %7 i64 frob 1", "5: bad argument #1 to 'emit' (unknown op 'frob')" },
  { "i %7 i64 a.b\ni %8 i32 a.b", "6: 'a.b' has other results elsewhere" },
  { "i %7 i64 call", "5: 'call' needs the callee, in braces" },
  { "i %7 i64 proj 1 2", "5: 'proj' has one operand" },
  { "i call {1} {2}", "5: an instruction carries one thing" },
  { "i call {x}", "5: data in braces expected, got '{x}'" },
  { "t jump > head", "5: 'jump' cannot be written with t" },
  { "p %7 head", "5: value expected at the end of the line" },
  { "k %7 head x", "5: block 'head' has no phi of 'x'" },
  { "s 0", "5: a switch has at least one target" },
  { "s 2 head head 1 1.5", "5: a key must be an integer" },
  { "s 3 head head head 1 2 2", "5: key 2 is there twice" },
  { "O rules int", "5: there is no option 'rules'" },
  { "O construction scc", "5: 'marker' or 'simple' expected, got 'scc'" },
  { "R", "5: function 'f' is not finished: there is nothing to reopen" },
  { "F g 0 0", "5: a function has at least one block" },
  { "F g 99999999 0", "5: 99999999 blocks are too many" },
  { "F g 1 99999999", "5: 99999999 variables are too many" },
  { "F g 1 0 i64 x", "5: a parameter and its type expected, got 'x'" },
  { "F g 1 0 i77", "5: bad argument #3 to 'phial.fn' (unknown type 'i77')" },
  { "V y", "5: type expected at the end of the line" },
  { "V y 12", "5: type expected, got '12'" },
  { "j head\nS head\nb head\nx 1\nS head", "9: block 'head' is already sealed" },
  { "w x 1\nr x 2\nx 1\nb head\nx 2\nE", "6: the read gives 1 here, not 2" },
  { "x 1\nE", "6: function 'f' cannot be finished: these blocks need a terminator "
    .. "(jump, branch, switch, ret or unreachable)\n  block 'head': it is empty" },
}

describe("a trace that is wrong", function()
  for _, case in ipairs(mistakes) do
    it("is answered: " .. case[1]:gsub("\n", "; "), function()
      local fn, why = phial.replay(HEAD .. case[1])
      assert.is_nil(fn)
      assert.equal(case[2], why)
    end)
  end

  it("is answered without a function, and with the file's name", function()
    assert.same({ nil, "1: there is no function" }, { phial.replay "" })
    assert.same({ nil, "1: a function starts with F" }, { phial.replay "b 0" })
    assert.same({ nil, "a.sst:2: unknown letter 'y'" },
      { phial.replay("F f 1 0\ny", { file = "a.sst" }) })
  end)

  it("raises what is misuse", function()
    local function message(...) return select(2, pcall(phial.replay, ...)) end
    assert.truthy(message(1):find "bad argument #1 to 'phial.replay' %(string expected, got 1%)")
    assert.truthy(message("", 1):find "bad argument #2 to 'phial.replay' %(table expected, got 1%)")
    assert.truthy(message("", { what = 1 }):find "unknown option 'what'")
    assert.truthy(message("", { file = 1 }):find "option 'file': string expected, got 1")
  end)

  it("does no harm, whatever its bytes are", function()
    local text
    local function mutated(pick)
      local bytes = { text:byte(1, -1) }
      for _ = 1, pick(3) do
        local at, kind = pick(#bytes), pick(4)
        if kind == 1 then
          table.remove(bytes, at)
        elseif kind == 2 then
          bytes[at] = pick(256) - 1
        elseif kind == 3 then
          table.insert(bytes, at, bytes[pick(#bytes)])
        else
          local from = pick(#bytes)
          for i = 0, math.min(pick(30), #bytes - at, #bytes - from) do
            bytes[at + i] = bytes[from + i]
          end
        end
      end
      return string.char(table.unpack(bytes))
    end
    local fn
    text = recorded(function()
      fn = phial.fn("f", { "n" }, "i64", { dialects = { programs.dialect } })
      local b, x, last = fn:entry(), fn:var "x", fn:block "last"
      fn:loc(3, 1, "file")
      b:call("print", "i64", 1.5)
      b:emit("rnd.fork", b:emit("rnd.mix", "a", 1, { data = {} }), { last, last })
      last:switch(last:add(last:read(x), fn:arg(1)), last, { [4] = last })
    end)[1]:text() .. "U x 4\nN %1 p\nE\n"
    prop.forall(mutated, function(bad)
      local ok, made, why = pcall(phial.replay, bad)
      assert(ok, made)
      assert(made or why:find "^%d+: ", why)
      assert(made or not why:find "attempt to", why)
    end)
  end)
end)

-- }=====================================================================
