-- Replaying traces: plain ones, steps, and errors: any text is replayed or refused
-- with a line and a reason.
local corpus = require "bench.lib.corpus"
local file = require "spec.support.file"
local phial = require "phial"
local prop = require "spec.support.prop"
local programs = require "spec.support.programs"
local refused = require "spec.support.refused"

local function dense(fn) return fn:text { ids = "dense" } end

-- {== Plain traces =====================================================

describe("a plain trace", function()
  it("is replayed as the benchmark does", function()
    local replay, trace = require "bench.lib.replayer", require "bench.lib.trace"
    local path = corpus.unpacked(corpus.folder, corpus.programs(corpus.folder)[1])
    local expected = trace.load(path).funcs
    local i = 0
    for text in file.read(path):gmatch "F.-\nE\n" do
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

describe("a trace with instructions of a frontend's own", function()
  it("says by the dialect `trace` what they do", function()
    local fn <close> = assert(phial.replay("F f 1 0 - a:any\nb 0\ni %2 any trace.pure {1} %1\n"
      .. "i %3 i32 trace.read {2} %2\ni %4 any trace.new {3}\ni %5 any trace.value {4}\n"
      .. "i trace.effect {5}\nt trace.control {6} %1\nE\n"))
    fn:clean { dead = true }
    local left = {}
    for i, inst in ipairs(fn:entry():insts()) do left[i] = inst:op() end
    assert.same({ "trace.value", "trace.effect", "trace.control" }, left)
  end)
end)

-- }== Steps ============================================================

it("a trace is also the record of a function", function()
  local fn = phial.fn("f", {}, "i64")
  local record = phial.record(fn)
  fn:entry():ret(5)
  fn:finish()
  assert.equal(fn:text(), phial.replay(record):text())
  assert.equal(fn:text(), phial.replay(record, { construction = "cytron" }):text())
  local texts = {}
  for step in assert(phial.steps(record)) do texts[#texts + 1] = step.text end
  assert.equal(record:text(), table.concat(texts, "\n") .. "\n")
  refused(nil, "bad argument #1 to 'phial.steps' (trace or phial.Record expected, got a table)",
    function() phial.steps({}) end)
end)

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
    assert.truthy(last.problem:find "^4: block 'entry' already ends with 'ret nil': nothing can ")
    assert.equal("u", last.text)
  end)
end)

-- }== Mistakes =========================================================

local HEAD = "F f 1 0 i64 n:i64\nV x i64\nB head\nb entry\n"

-- Lines after HEAD, and their errors.
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
  { "w x 1:i99", "5: bad argument #2 to 'const' (unknown type 'i99'"
    .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)" },
  { "V y d.i64", "5: bad argument #2 to 'var' (unknown type 'd.i64'"
    .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)" },
  { "i %1 i64 add 1 2", "5: %1 is already defined" },
  { "i %7 i32 add 1 2", "5: %7 is i64, the line says i32" },
  { "i add 1 2", "5: 'add' has 1 results, the line names 0" },
  { "i %7 i64 add 1", "5: wrong number of arguments to 'add' (2 expected, got 1)" },
  { "i %7 i64 frob 1", "5: bad argument #1 to 'emit' (unknown op 'frob')" },
  { "i %7 i64 a.b\ni a.b", "6: 'a.b' has other results elsewhere" },
  { "i %7 i64 call", "5: 'call' needs the callee, in braces" },
  { "i %7 i64 proj 1 2", "5: 'proj' has one operand" },
  { "i call {1} {2}", "5: an instruction has one data at most" },
  { "i %2 i64 load %1 reads(all)",
    "5: option 'reads': \"all\" cannot be in a list: it is everything" },
  { "i %2 i64 load %1 reads(a,)", "5: option 'reads': an identifier expected, got a string" },
  { "i call {x}", "5: data in braces expected, got '{x}'" },
  { "t jump > head", "5: 'jump' cannot be written with t" },
  { "p %7 head", "5: value expected at the end of the line" },
  { "k %7 head x", "5: block 'head' has no phi of 'x'" },
  { "s 0", "5: a switch has at least one target" },
  { "s 2 head head 1 1.5", "5: a key must be an integer" },
  { "s 3 head head head 1 2 2", "5: key 2 appears twice" },
  { "s 2 head head 1 true", "5: a key must be an integer" },
  { "s 3 head head head true true 1", "5: key 1 appears twice" },
  { "O rules int", "5: there is no option 'rules'" },
  { "O construction dj", "5: 'marker', 'simple', 'scc' or 'operand' expected, got 'dj'" },
  { "R", "5: function 'f' is not finished: there is nothing to reopen" },
  { "F g 0 0", "5: a function has at least one block" },
  { "F g 99999999 0", "5: 99999999 blocks are too many" },
  { "F g 1 99999999", "5: 99999999 variables are too many" },
  { "F g 1 0 i64 x", "5: a parameter and its type expected, got 'x'" },
  { "F g 1 0 i77", "5: bad argument #3 to 'phial.fn' (unknown type 'i77'"
    .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)" },
  { "V y", "5: type expected at the end of the line" },
  { "V y 12", "5: type expected, got '12'" },
  { "j head\nS head\nb head\nx 1\nS head", "9: block 'head' is already sealed: "
    .. "seal it once, when no more predecessors will come" },
  { "w x 1\nr x 2\nx 1\nb head\nx 2\nE", "6: the read gives 1 here, not 2" },
  { "j head\nE", "6: function 'f' cannot be finished: these blocks need a terminator "
    .. "(jump, branch, switch, ret or unreachable)\n  block 'head': it is empty" },
}

it("a trace is replayed with rules, on request", function()
  local TRACE <const> = "F f 1 0 i64 x:i64\nb 0\ni %2 i64 mul %1 8\ni %3 i64 add %2 0\n"
    .. "x %3\nE\n"
  local function ops(rules)
    local list = {}
    for value in phial.replay(TRACE, { rules = rules }):values() do list[#list + 1] = value:op() end
    return table.concat(list, " ")
  end
  assert.equal("mul add ret", ops(nil))
  assert.equal("mul add ret", ops(false))
  assert.equal("shl ret", ops(true))
  assert.equal("mul ret", ops(phial.rules "x + 0 => x"))
end)

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
    assert.truthy(message(1):find("bad argument #1 to 'phial.replay' (trace or phial.Record "
      .. "expected, got 1)", 1, true))
    assert.truthy(message("", 1):find "bad argument #2 to 'phial.replay' %(table expected, got 1%)")
    assert.truthy(message("", { file = 1 }):find "option 'file': string expected, got 1")
    assert.truthy(message("", { rules = 1 }):find(
      "option 'rules': phial.Rules or boolean expected, got 1", 1, true))
    assert.truthy(message("", { construction = "chi" }):find("option 'construction': marker, ", 1,
      true))
    assert.truthy(message("", { rules = true, construction = "choi" }):find("option 'rules': the "
      .. "algorithm 'choi' knows the values of reads only when the function is finished", 1, true))
  end)

  it("takes accesses: their nodes are lines, and reads give copies", function()
    local trace = "F f 1 0 i64 a:i64 b:i64\nb entry\nr a %1\nw b %1\nr b %1\nx %1\nE\n"
    local fn = assert(phial.replay(trace, { accesses = true }))
    local found = {}
    for i, read in ipairs(fn:read_accesses()) do
      local write = read:writes()[1]
      found[i] = { read:node(), write:node(), read:value():op() }
    end
    assert.same({ { 3, nil, "copy" }, { 5, 4, "copy" } }, found)
    for _, opts in ipairs { { rules = true }, { construction = "choi" } } do
      opts.accesses = true
      local _, why = pcall(phial.replay, "", opts)
      assert.truthy(why:find("option 'accesses': not with rules", 1, true))
    end
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
    local fn = phial.fn("f", { "n" }, "i64", { dialects = { programs.dialect } })
    local record = phial.record(fn)
    local b, x, last = fn:entry(), fn:var "x", fn:block "last"
    fn:set_loc(3, 1, "file")
    b:call("print", "i64", 1.5)
    b:emit("rnd.fork", b:emit("rnd.mix", "a", 1, { data = {} }), { last, last })
    last:switch(last:add(last:read(x), fn:arg(1)), last, { [4] = last })
    text = record:text() .. "U x 4\nN %1 p\nE\n"
    prop.forall(mutated, function(bad)
      local made, why = phial.replay(bad)
      assert(made or why:find "^%d+: " and not why:find "attempt to", why)
    end)
  end)
end)

-- }=====================================================================
