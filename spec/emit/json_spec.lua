-- phial.emit.json: the document fits its schema, and says what the function says.
local behind = require("phial.trace.log").behind
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local json = require "spec.support.json"
local logged = require "spec.support.logged"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local under = require "spec.support.under"

local schema = json.read(file.read "docs/json.schema.json")
schema["$defs"].event.additionalProperties = false -- later versions may add some

local function read(text)
  local document = json.read(text)
  local why = json.check(schema, document)
  if why then error(why .. " in\n" .. text, 0) end
  return document
end

local function ids(things)
  local out = setmetatable({}, json.list)
  for i, it in ipairs(things) do out[i] = it:id() end
  return out
end

-- Compares a document with what the methods of the function say.
local function check_function(fn, it)
  assert.equal(fn:name(), it.name)
  assert.equal(fn:result(), it.result)
  assert.equal(fn:is_finished(), it.finished)
  local values, i = {}, 0
  for _, value in ipairs(it.values) do values[value.id] = value end
  for block in fn:blocks() do
    i = i + 1
    local row = it.blocks[i]
    assert.equal(block:id(), row.id)
    assert.equal(tostring(block), row.name)
    assert.same(ids(block:preds()), row.preds)
    assert.same(ids(block:succs()), row.succs)
    assert.same(ids(block:phis()), row.phis)
    assert.same(ids(block:insts()), row.insts)
    assert.equal(block:idom() and block:idom():id(), row.idom)
    assert.equal(block:loop_depth(), row.loop and it.loops[row.loop + 1].depth or 0)
  end
  assert.equal(i, #it.blocks)
  for value in fn:values() do
    local row = values[value:id()]
    assert.equal(value:op(), row.op)
    assert.equal(value:type(), row.type)
    assert.equal(tostring(value), row.text or "%" .. row.id)
    assert.same(ids(value:args()), row.args)
    assert.equal(value:var() and value:var():id(), row.var)
  end
end

-- The last events tell the locations and moves of fn:leave().
local function check_leaving(fn, events)
  local told, expected, d = {}, {}, fn:leave()
  for _, e in ipairs(events) do
    if e.event == "location" then told[#told + 1] = { e.index, e.args } end
    if e.event == "move" then told[#told + 1] = { e.from, e.to, e.index, e.source or -e.value } end
  end
  for i = 1, d:count() do expected[i] = { i, ids(d:values(i)) } end
  for block in fn:blocks() do
    local nth = {}
    for _, to in ipairs(block:succs()) do
      nth[to] = (nth[to] or 0) + 1
      for _, move in ipairs(d:moves(block, to, nth[to])) do
        local from = math.type(move.from) and move.from or -move.from:id()
        expected[#expected + 1] = { block:id(), to:id(), move.to, from }
      end
    end
  end
  assert.same(expected, told)
end

-- The events of a log as a listener gets them, ids for handles.
local function listened(fn)
  local out = {}
  fn:log(function(e)
    out[#out + 1] = {
      event = e.event, block = e.block and e.block:id(), var = e.var and e.var:id(),
      value = e.value_id, operand = e.operand_id, by = e.by_id, index = e.index,
      from = e.from and e.from:id(),
    }
  end)
  return out
end

local function bare(event)
  return {
    event = event.event, block = event.block, var = event.var, value = event.value,
    operand = event.operand, by = event.by, index = event.index, from = event.from,
  }
end

describe("phial.emit.json", function()
  for name in golden.programs "spec/golden/construct/figures" do
    it("describes " .. name:gsub("_", " "), function()
      local fn, log = logged(name)
      local document = read(phial.emit.json(fn, { log = log }))
      assert.equal(1, #document.functions)
      check_function(fn, document.functions[1])
      assert.equal("finished", document.functions[1].events[#document.functions[1].events].event)
      assert.same(document, read(phial.emit.json(fn)))
      local result = read(phial.emit.json(fn, { log = false })).functions[1]
      check_function(fn, result)
      assert.is_nil(result.events)
    end)
  end

  it("describes random functions and all their events", function()
    prop.forall(programs.generate, function(p)
      local log, events
      local make = phial.fn
      phial.fn = function(...)
        local fn = make(...)
        log, events = fn:log(true), listened(fn)
        return fn
      end
      local ok, fn = pcall(function() return programs.build(p):finish() end)
      phial.fn = make
      assert(ok, fn)
      local it = read(phial.emit.json(fn, { log = log })).functions[1]
      check_function(fn, it)
      assert.equal(#events, #it.events)
      for i, event in ipairs(events) do assert.same(event, bare(it.events[i])) end
      check_leaving(fn, read(phial.emit.json(fn, { log = log, leave = true })).functions[1].events)
    end, 20)
  end)

  it("has the events of a trace, with its lines", function()
    local text = file.read "docs/trace.md":match "```\n(F sum 1 0.-)```"
    local it = read(phial.emit.json(text, { file = "sum.sst" })).functions[1]
    check_function(phial.replay(text), it)
    local lines = {}
    for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
    for i, row in ipairs(it.trace) do assert.same({ line = i, text = lines[i] }, row) end
    local of = {}
    for _, event in ipairs(it.events) do of[event.event] = lines[event.line] end
    assert.equal("S head", of.trivial)
    assert.equal("E", of.finished)
    assert.equal("x %8", of.filled)
    local record = phial.record(phial.fn "f")
    assert.equal("f", read(phial.emit.json(record)).functions[1].name)
  end)

  it("names what is called and what has an address", function()
    local m = phial.module "m"
    m:global("x", "i64")
    m:build("f", {}, "i64", function(b) b:ret(b:load(b:address "x", "i64")) end)
    m:build("g", {}, "i64", function(b) b:ret(b:call(m:get "f", "i64")) end)
    m:build("h", {}, "any", function(b) b:ret(b:call(math.sin, "any")) end)
    m:finish()
    local function data_of(name)
      for _, v in ipairs(read(phial.emit.json(m:get(name))).functions[1].values) do
        if v.data then return v.data end
      end
    end
    assert.equal("@x", data_of "f")
    assert.equal("@f", data_of "g")
    assert.equal('@"math.sin"', data_of "h")
    assert.truthy(phial.emit.dot(m:get "h"):find("call {@&quot;math.sin&quot;}", 1, true))
  end)

  it("shows a function that uses what was dropped", function()
    local fn = phial.fn("g", {}, "i64", { rules = phial.rules "int" })
    local way, dead, join = fn:block(), fn:block(), fn:block()
    fn:entry():branch(fn:const(true), way, dead)
    local lost = dead:call("h", "i64")
    dead:jump(join)
    way:jump(join)
    join:seal()
    join:ret(join:add(lost, 1))
    local id = lost:id()
    fn:finish { verify = false }
    for _, row in ipairs(read(phial.emit.json(fn, { log = false })).functions[1].values) do
      if row.id == id then return assert.same({ id = id, op = "call", type = "i64" }, row) end
    end
    error "it is missing"
  end)

  it("tells of no moves from a block that was kept though nothing reaches it", function()
    local fn = phial.fn("f", { "x" }, "i64", { rules = false, keep_unreachable = true, log = true })
    local x, dead, join = fn:param(1), fn:block(), fn:block()
    fn:entry():jump(join)
    dead:seal()
    dead:write(x, 7)
    dead:branch(dead:eq(dead:read(x), 1), join, join)
    join:seal()
    join:ret(join:read(x))
    fn:finish()
    assert.equal(join, dead:succs()[1])
    for _, event in ipairs(read(phial.emit.json(fn, { leave = true })).functions[1].events) do
      assert.not_equal("move", event.event)
    end
  end)

  it("has the frontend's positions that a trace tells", function()
    local text = 'F f 1 0\nb 0\n@ 7 3 "x.c"\nx\nE\n'
    local it = read(phial.emit.json(text)).functions[1]
    assert.same({ { file = "x.c", line = 7, col = 3 } }, { table.unpack(it.places) })
    for _, event in ipairs(it.events) do
      assert.is_nil(event.place)
      if event.event == "filled" then assert.equal(0, event.loc) end
    end
  end)

  it("has the events of classical algorithms", function()
    local text = file.read "docs/trace.md":match "```\n(F sum 1 0.-)```"
    local count = {}
    for _, algorithm in ipairs { "marker", "cytron", "aycock" } do
      count[algorithm] = 0
      local it = read(phial.emit.json(text, { construction = algorithm })).functions[1]
      for _, event in ipairs(it.events) do
        if event.event == "phi" then count[algorithm] = count[algorithm] + 1 end
      end
    end
    assert.same({ marker = 3, cytron = 2, aycock = 3 }, count)
    refused(nil, "'phial.emit.json': option 'construction': marker, simple, scc, operand, cytron, "
      .. "briggs, choi, djgraph, aycock or brandis expected, got \"cytro\"",
      function() phial.emit.json(text, { construction = "cytro" }) end)
  end)

  it("chooses events of all functions that have the name", function()
    local text = "F f 1 0\nV x i64\nb entry\nw x 0\nx\nE\nF g 1 0\nV y i64\nb entry\nw y 0\nx\nE\n"
    local functions = read(phial.emit.json(text, { variable = "y" })).functions
    local writes = {}
    for i, fn in ipairs(functions) do
      for _, event in ipairs(fn.events) do
        if event.event == "write" then writes[#writes + 1] = i end
      end
    end
    assert.same({ 2 }, writes)
    refused(nil, "'phial.emit.json': option 'variable': there is no variable 'z' in any function",
      function() phial.emit.json(text, { variable = "z" }) end)
  end)

  it("describes what a wrong trace has made, and why it ends", function()
    local it = read(phial.emit.json("F f 2 0\nb 1\nx %7\nE\n", { file = "x.sst" })).functions[1]
    assert.equal("x.sst:3: there is no value %7", it.problem)
    assert.equal(2, #it.blocks)
    assert.is_false(it.finished)
    refused(nil, "'phial.emit.json': the trace is wrong: 1: there is no function",
      function() phial.emit.json "" end)
  end)

  it("names the rules, and the one that made an instruction", function()
    local fn = phial.fn("f", { "x" }, "i64")
    local log, b, x = fn:log(true), fn:entry(), fn:arg(1)
    b:ret(b:mul(b:add(x, 0), 8))
    fn:finish()
    local it, rules = read(phial.emit.json(fn, { log = log })).functions[1], {}
    for _, event in ipairs(it.events) do
      if event.rule then rules[#rules + 1] = event.event .. " " .. event.rule end
    end
    assert.same({ "rule add0", "rule mul_pow2", "emit mul_pow2" }, rules)
  end)

  it("keeps the state of a function that is reopened", function()
    local fn = phial.fn("f", { "x" }, "i64")
    local log, b, x = fn:log(true), fn:entry(), fn:arg(1)
    b:ret(b:add(x, 1))
    local before = ids(fn:finish():entry():insts())
    fn:reopen()
    fn:finish()
    for _, event in ipairs(read(phial.emit.json(fn, { log = log })).functions[1].events) do
      if event.event == "reopened" then assert.same(before, event.state[1].insts) end
    end
  end)

  describe("chooses", function()
    local function events(opts)
      local fn, log = logged "figure2"
      opts.log = log
      return read(phial.emit.json(fn, opts)).functions[1].events
    end

    local function steps(opts)
      local out = {}
      for _, event in ipairs(events(opts)) do
        if not event.quiet then out[#out + 1] = event end
      end
      return out
    end

    it("a range", function()
      local all, chosen = events {}, steps { range = { 9, 12 } }
      assert.equal(4, #chosen)
      for i, event in ipairs(chosen) do assert.same(bare(all[i + 8]), bare(event)) end
    end)

    it("a variable", function()
      local of = {}
      for _, event in ipairs(steps { variable = "x" }) do of[#of + 1] = event.event end
      assert.equal("var write write lookup phi phi operand operand operand operand read finished",
        table.concat(of, " "))
    end)

    it("a block", function()
      for _, event in ipairs(steps { block = "latch" }) do
        assert(event.block == 5 or event.event == "finished", event.event)
      end
    end)

    it("and keeps what changes the function", function()
      local quiet = {}
      for _, event in ipairs(events { variable = "x" }) do
        if event.quiet then quiet[event.event] = true end
      end
      assert.same({ block = true, filled = true, sealed = true, emit = true, phi = true,
        operand = true, trivial = true }, quiet)
    end)
  end)

  it("refuses more events than a reader can take", function()
    local fn = phial.fn "f"
    local log = fn:log(true)
    local x = fn:var "x"
    local notes = behind(log).notes
    for i = 1, 200001 do notes[i] = { event = "var", var = x:id() } end
    refused(fn, "'phial.emit.json': function 'f' has 200001 events, which is more than 200000: "
      .. "the option 'range' ({from, to}), 'variable' or 'block' (a name) chooses some",
      function() phial.emit.json(fn, { log = log }) end)
    if under.brief then return end
    assert(phial.emit.json(fn, { log = log, range = { 1, 10 } }))
  end)

  it("writes any name", function()
    local bad = "</script>\u{2028}\0\xff\"\\"
    local fn = phial.fn(bad)
    local log, v = fn:log(true), fn:var(bad)
    fn:entry():write(v, 1)
    local text = phial.emit.json(fn, { log = log })
    assert.is_nil(text:find("<", 1, true))
    assert.is_nil(text:find("\u{2028}", 1, true))
    local shown = [[</script>\xe2\x80\xa8]] .. "\0" .. [[\xff"\]]
    assert.equal(shown, read(text).functions[1].name)
    assert.equal(shown, read(text).functions[1].vars[1].name)
  end)

  it("says what is wrong with its options", function()
    local fn, log = phial.fn "f", phial.fn("g"):log(true)
    refused(fn, "'phial.emit.json': option 'log': it is of function 'g', not of 'f'",
      function() phial.emit.json(fn, { log = log }) end)
    local namesake = phial.fn("f"):log(true)
    refused(fn, "'phial.emit.json': option 'log': it is of another function 'f'",
      function() phial.emit.json(fn, { log = namesake }) end)
    refused(fn, "'phial.emit.json': option 'log': phial.Log or false expected, got a table",
      function() phial.emit.json(fn, { log = {} }) end)
    refused(fn, "bad argument #2 to 'phial.emit.json' (table expected, got 1)",
      function() phial.emit.json(fn, 1) end)
    local mine = fn:log(true)
    refused(fn, "'phial.emit.json': option 'range': two integers expected: {from, to}",
      function() phial.emit.json(fn, { log = mine, range = { 1 } }) end)
    refused(fn, "'phial.emit.json': option 'variable': there is no variable 'y' in function 'f'",
      function() phial.emit.json(fn, { log = mine, variable = "y" }) end)
    local outside = phial.module "m":declare("d", {})
    refused(fn, "'phial.emit.json': option 'leave': a table of options expected, got 1",
      function() phial.emit.json(fn, { leave = 1 }) end)
    refused(outside, "'phial.emit.json': function 'd' is a declaration: it has no body",
      function() phial.emit.json(outside) end)
    fn:close()
    refused(nil, "function 'f' is closed", function() phial.emit.json(fn) end)
  end)
end)

describe("a log that a function keeps", function()
  it("wants a function that has just been made", function()
    local fn = phial.fn "f"
    assert.is_nil(fn:log(false))
    fn:block()
    refused(fn, "function 'f' has blocks or instructions already: log it right after phial.fn",
      function() fn:log(true) end)
    refused(nil, "there is no phial.log any more: use fn:log(true), or the option log",
      function() phial.log(fn) end)
  end)

  it("comes of an option `log` that names no listener", function()
    for _, option in ipairs { true, { detail = false }, { detail = true } } do
      local fn = phial.fn("f", { "x" }, "i64", { log = option })
      local b, d = fn:entry(), fn:block("d", 1)
      b:jump(d)
      d:ret(d:read(fn:param(1)))
      fn:finish()
      local events, climbs = read(phial.emit.json(fn)).functions[1].events, 0
      for _, e in ipairs(events) do climbs = climbs + (e.event == "climb" and 1 or 0) end
      assert.equal("block", events[1].event)
      assert.equal(type(option) == "table" and option.detail and 1 or 0, climbs)
    end
  end)

  it("is not kept with the option `log = false`", function()
    local fn = phial.fn("f", { "x" }, "i64", { log = false })
    fn:entry():ret(0)
    assert.is_nil(read(phial.emit.json(fn:finish())).functions[1].events)
  end)

  it("comes of that option of a module", function()
    local m = phial.module("m", { log = { detail = true } })
    m:declare("d", {})
    local fn = m:fn("f", {}, nil)
    fn:entry():ret()
    m:finish()
    assert.equal("filled", read(phial.emit.json(fn)).functions[1].events[1].event)
  end)

  it("notes details of a trace", function()
    local fn = phial.fn("f", { "x" }, "i64", { rules = false })
    local record = phial.record(fn)
    local d = fn:block("d", 1)
    fn:entry():jump(d)
    d:ret(d:read(fn:param(1)))
    fn:finish()
    for _, detail in ipairs { true, false } do
      local text = phial.emit.json(record, { detail = detail })
      assert.equal(detail, text:find('"climb"', 1, true) ~= nil)
    end
  end)

  it("says what it is", function()
    local fn = phial.fn "f"
    local log = fn:log(true)
    fn:block()
    assert.equal("phial.Log of 'f': 1 events", tostring(log))
    assert.is_nil(next(log))
    refused(nil, "a phial.Log has no method 'note'", function() log:note() end)
    fn:close()
    assert.equal("phial.Log of 'f': 1 events", tostring(log))
  end)
end)
