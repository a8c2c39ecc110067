-- The viewer's model of a function at each moment, in node: it finds from the events what
-- Lua sees by asking the function.
local behind = require("phial.trace.log").behind
local node = require "spec.support.node"
local phial = require "phial"
local programs = require "spec.support.programs"
local structured = require "spec.support.structured"
local under = require "spec.support.under"

local RUNS <const> = tonumber(os.getenv "RUNS") or os.getenv "LONG" and 10 or 1

local function ids(things)
  local out = {}
  for i, it in ipairs(things) do out[i] = it:id() end
  return "[" .. table.concat(out, ",") .. "]"
end

local function rows(values)
  local out = {}
  for i, v in ipairs(values) do out[i] = ('{"id":%d,"args":%s}'):format(v:id(), ids(v:args())) end
  return "[" .. table.concat(out, ",") .. "]"
end

-- The function as it is now, as JSON.
local function state(fn, line)
  local blocks = {}
  for b in fn:blocks() do
    blocks[#blocks + 1] = ('{"id":%d,"sealed":%s,"filled":%s,"preds":%s,"succs":%s,"phis":%s,'
      .. '"insts":%s}'):format(b:id(), b:is_sealed(), b:is_filled(), ids(b:preds()), ids(b:succs()),
      rows(b:phis()), rows(b:insts()))
  end
  return ('{"line":%d,"blocks":[%s]}'):format(line, table.concat(blocks, ","))
end

-- The options of a replay.
local function replaying(opts)
  return opts and { construction = opts.construction, dialects = opts.dialects }
end

local function case(document, states, shown)
  shown = shown:gsub('[\0-\31\127-\255\\"]', function(c) return ("\\u%04x"):format(c:byte()) end)
  return ('{"document":%s,"states":[%s],"trace":"%s"}'):format(document,
    table.concat(states, ","), shown)
end

-- What is to be seen of a trace.
local function case_of_trace(trace, opts)
  local states = {}
  for step in assert(phial.steps(trace, replaying(opts))) do
    assert(not step.problem, step.problem)
    states[#states + 1] = state(step.fn, step.line)
  end
  return case(phial.emit.json(trace, opts), states, trace)
end

-- The function that a frontend makes; listen(fn) is called right after phial.fn.
local function made(build, listen)
  local fn
  local make = phial.fn
  phial.fn = function(...)
    fn = make(...)
    listen(fn)
    return fn
  end
  local ok, why = pcall(build)
  phial.fn = make
  assert(ok, why)
  return fn
end

local function recorded(build)
  local record
  made(build, function(fn) record = phial.record(fn) end)
  return record:text()
end

-- What is to be seen of a function at its end.
local function case_of_log(build)
  local log
  local fn = made(build, function(it) log = it:log(true) end)
  return case(phial.emit.json(fn, { log = log }), { state(fn, 0) }, fn:text())
end

local function check(cases)
  local out, good = node.run("spec/browser/model.js", "[" .. table.concat(cases, ",\n") .. "]")
  if not good then error(out, 0) end
  assert.equal(#cases .. " cases\n", out)
end

-- Random draws, the same in each run.
local function drawing(seed)
  math.randomseed(seed)
  return math.random
end

describe("the viewer's model", function()
  if not node.exists() then
    pending "node is not installed"
    return
  end

  for _, construction in ipairs(under.brief and { "marker", "cytron" }
    or { "marker", "simple", "scc", "operand", "cytron", "aycock" }) do
    it("follows random functions, " .. construction, function()
      local cases, opts = {}, { construction = construction, dialects = { programs.dialect } }
      for seed = 1, RUNS do
        local program = programs.generate(drawing(seed))
        local trace = recorded(function() programs.build(program):finish() end)
        cases[seed] = case_of_trace(trace, opts)
      end
      check(cases)
    end)
  end

  it("follows structured functions", function()
    local cases = {}
    for seed = 1, RUNS do
      local program = structured.generate(drawing(seed + 3)) -- the first one is large
      local trace = recorded(function() structured.build(program, { rules = false }) end)
      cases[seed] = case_of_trace(trace)
    end
    check(cases)
  end)

  it("follows them where only some events are steps", function()
    local cases = {}
    for seed = 1, RUNS do
      local program = programs.generate(drawing(seed))
      local trace = recorded(function() programs.build(program):finish() end)
      local opts = { dialects = { programs.dialect } }
      if seed % 2 == 0 then opts.range = { 5, 20 } else opts.variable = "v1" end
      cases[seed] = case_of_trace(trace, opts)
    end
    check(cases)
  end)

  it("takes events that it does not know", function()
    local log
    local fn = made(function()
      local fn = phial.fn("f", {}, "i64")
      fn:entry():ret(1)
      fn:finish()
    end, function(it) log = it:log(true) end)
    table.insert(behind(log).notes, 2,
      { event = "pondered", block = 1, from = 1, to = 1, count = 3 })
    check { case(phial.emit.json(fn, { log = log }), { state(fn, 0) }, "") }
  end)

  it("ends with the function that finish has simplified", function()
    local cases = {}
    for seed = 1, RUNS do
      local program = structured.generate(drawing(seed))
      cases[seed] = case_of_log(function() structured.build(program) end)
    end
    check(cases)
  end)

  it("ends with the unreachable blocks that finish has kept", function()
    local cases = {}
    for seed = 1, RUNS do
      local program = programs.generate(drawing(seed))
      cases[seed] = case_of_log(function()
        programs.build(program):finish { keep_unreachable = true }
      end)
    end
    check(cases)
  end)

  it("ends with the function that edits have left", function()
    check { case_of_log(function()
      local fn = phial.fn("f", { "x" }, "i64")
      local b, x = fn:entry(), fn:arg(1)
      local sum = b:add(x, 1)
      b:ret(sum)
      fn:finish()
      sum:replace(b:back():mul(x, 7))
      fn:clean { dead = true }
    end) }
  end)

  it("knows that a variable which has ended has no definition", function()
    check { case_of_trace [[
F f 1 0 i64 x:i64
b entry
w x 7
K x
r x %2
w x %2
K x
x 1
E
]] }
  end)

  it("follows a function that is reopened", function()
    check { case_of_trace [[
F f 1 0 i64 x:i64
b entry
i %2 i64 add %1 1
x %2
E
R
B more
b more
i %4 i64 mul %1 3
x %4
E
]] }
  end)
end)
