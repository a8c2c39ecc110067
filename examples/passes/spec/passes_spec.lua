-- The passes: random programs with memory compute what they computed, alone and one after the
-- other, and each pass finds something to do.
local arithmetic = require "spec.support.arithmetic"
local assert = require "spec.support.assert"
local classes = require "spec.support.class_programs"
local document = require "spec.support.document"
local phial = require "phial"
local prop = require "spec.support.prop"
local read = require("spec.support.parsed").read
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

package.path = "examples/?.lua;" .. package.path
local hoist = require "passes.hoist"
local inline = require "passes.inline"
local switches = require "passes.switches"
local tidy = require "passes.tidy"

local STEPS <const> = 400

-- {== Random programs ====================================================

-- By pass: how much was done, over all cases.
local done = { hoist = 0, inline = 0, merged = 0, skipped = 0 }

local passes = {}

function passes.tidy(fn)
  local counts = tidy(fn)
  done.skipped, done.merged = done.skipped + counts.skipped, done.merged + counts.merged
  assert.same({ skipped = 0, joined = 0, merged = 0 }, tidy(fn))
end

function passes.hoist(fn) done.hoist = done.hoist + hoist(fn) end

function passes.inline(fn, env) done.inline = done.inline + inline(fn, { functions = env }) end

local function generate(pick)
  local opts = { no_nans = true, memory = ({ false, true, "fixed" })[pick(3)], ticks = 9,
    foreign = pick(3) == 1 }
  local case = { programs = arithmetic.generate_all(pick, 3, 8, nil, opts), args = {},
    slots = pick(3) == 1, form = pick(2) }
  for i = 1, case.programs[3].params do
    case.args[i] = arithmetic.constant(pick, case.programs[3].vars[i])
  end
  return case
end

local function build(case)
  local env, fn = {}, nil
  local function callee(name) return case.form == 1 and env[name] or name end
  for i, program in ipairs(case.programs) do
    fn = arithmetic.build(program, nil, { name = "f" .. i, result = "i64",
      leave = arithmetic.digest, callee = callee, slots = case.slots })
    env["f" .. i] = fn
  end
  return fn, env
end

describe("random programs compute the same after", function()
  for _, list in ipairs { { "tidy" }, { "hoist" }, { "inline" },
    { "inline", "tidy", "hoist", "tidy", "inline", "hoist" } } do
    it(table.concat(list, ", "), function()
      prop.forall(generate, function(case)
        local fn, env = build(case)
        local function run(fuel)
          return results.outcome(semantics.run, fn, { env = env, fuel = fuel },
            table.unpack(case.args))
        end
        local expected = run(STEPS)
        for _, name in ipairs(list) do
          passes[name](fn, env)
          assert(fn:verify())
          assert.is_true((fn:is_minimal()))
        end
        if expected ~= "out of fuel" then results.check(expected, run(4 * STEPS)) end
      end)
    end)
  end

  it("passes that do something", function()
    for name, count in pairs(done) do assert(count > 0 or os.getenv "RUNS", name) end
  end)
end)

-- The reads in loops that write, by their blocks.
local function reads_beside_writes(fn)
  local list = {}
  for _, loop in ipairs(fn:loops()) do
    local reads, has_write = {}, false
    for _, block in ipairs(loop.blocks) do
      for _, v in ipairs(block:insts()) do
        local _, writes = v:classes()
        has_write = has_write or #writes > 0
        if v:effect() == "read" then reads[v] = block end
      end
    end
    for v, block in pairs(has_write and reads or {}) do list[v] = block end
  end
  return list
end

describe("random functions whose memory is divided in classes", function()
  it("compute the same after hoisting, also of reads from loops that write", function()
    local moved = 0
    prop.forall(classes.generate, function(program)
      local fn = classes.build(program, false).fn
      local function run()
        classes.reset()
        return results.outcome(semantics.run, fn, {}, program.x)
      end
      local expected, reads = run(), reads_beside_writes(fn)
      hoist(fn)
      assert(fn:verify())
      assert.equal(expected, run())
      for v, block in pairs(reads) do moved = moved + (v:block() ~= block and 1 or 0) end
    end)
    assert(moved > 0 or os.getenv "RUNS")
  end)
end)

-- }== What they do =======================================================

describe("tidy", function()
  it("skips chains of empty blocks, joins ways, merges lines", function()
    local fn = read [[
fn f(%c: i1, %n: i64) -> i64 {
entry:
  branch %c, a, b
a: <- entry
  jump a2
a2: <- a
  jump join
b: <- entry
  jump join
join: <- a2, b
  %5: i64 = add %n, 1
  branch %c, one, two
one: <- join
  jump last
two: <- join
  jump last
last: <- one, two
  %6: i64 = phi [one: %5, two: %n]
  ret %6
}]]
    assert.same({ skipped = 4, joined = 1, merged = 1 }, tidy(fn))
    assert.equal([[
fn f(%c: i1, %n: i64) -> i64 {
entry:
  %5: i64 = add %n, 1
  branch %c, one, last
one: <- entry
  jump last
last: <- one, entry
  %6: i64 = phi [one: %5, entry: %n]
  ret %6
}
]], fn:text())
  end)
end)

describe("hoist", function()
  it("moves values before the loop, through a block that it makes if there are many ways in",
    function()
      local fn = read [[
fn f(%c: i1, %n: i64, %p: ptr) -> i64 {
entry:
  branch %c, a, b
a: <- entry
  branch %c, head, exit
b: <- entry
  jump head
head: <- a, b, body
  %i: i64 = phi i [a: 0, b: 1, body: %next]
  %limit: i64 = load %p
  %more: i1 = slt %i, %limit
  branch %more, body, exit
body: <- head
  %q: ptr = ptradd %p, 8
  %step: i64 = load %q
  %twice: i64 = mul %n, 2
  %risk: i64 = sdiv %twice, %n
  %sum: i64 = add %risk, %step
  %next: i64 = add %i, %sum
  jump head
exit: <- a, head
  %r: i64 = phi [a: 0, head: %i]
  ret %r
}]]
      assert.equal(3, hoist(fn))
      assert.is_true(fn:verify())
      local block = fn:find("%limit"):block()
      assert.same({ fn:find "a", fn:find "b" }, block:preds())
      assert.same({ fn:find "head" }, block:succs())
      assert.equal(block, fn:find("%twice"):block())
      assert.equal(fn:find "body", fn:find("%step"):block()) -- it may not be executed
      assert.equal(fn:find "body", fn:find("%risk"):block()) -- it may trap
    end)

  it("moves reads of classes that the loop does not write", function()
    local D = phial.dialect("d", { get = { args = 1, result = "i64", reads = { "len" } },
      get_all = { args = 1, result = "i64", effect = "read" },
      push = { args = 1, writes = { "elements", "len" } },
      set = { args = 1, writes = { "elements" } }, put = { args = 1 } })
    local text = [[
fn f(%x: any, %n: i64, %cell: ptr) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: 0, body: %next]
  %more: i1 = slt %i, %n
  branch %more, body, exit
body: <- head
  %step: i64 = d.READ %x
  WRITE
  %next: i64 = add %i, %step
  jump head
exit: <- head
  ret %i
}]]
    local cell = "store %cell, %n writes(cells)"
    for _, case in ipairs { { 1, "get", "" }, { 1, "get", "d.set %x" }, { 1, "get", cell },
      { 1, "get_all", "" }, { 0, "get", "d.push %x" }, { 0, "get", "d.put %x" },
      { 0, "get", "store %cell, %n" }, { 0, "get_all", "d.set %x" }, { 0, "get_all", cell } } do
      local expected, read_op, write = table.unpack(case)
      local fn = phial.parse(text:gsub("READ", read_op):gsub("WRITE", (write:gsub("%%", "%%%%"))),
        { dialects = { D } })
      assert.equal(expected, hoist(fn), read_op .. ", " .. write)
    end
  end)

  it("moves what cannot fail from anywhere, calls and loads at other addresses from the start",
    function()
      local text = [[
fn f(%n: i64, %p: ptr) -> i64 {
entry:
  %cells: ptr = alloca 16, 8
  %cell: ptr = ptradd %cells, OFFSET
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: 0, body: %next]
  FIRST
  %more: i1 = slt %i, %n
  branch %more, body, exit
body: <- head
  OTHER
  %next: i64 = add %i, %step
  jump head
exit: <- head
  ret %i
}]]
      local call = "%step: i64 = call @g %n reads() writes()"
      for _, case in ipairs { { 1, 8, "", "%step: i64 = load %cell" },
        { 0, 12, "", "%step: i64 = load %cell" }, { 0, 16, "", "%step: i64 = load %cell" },
        { 0, -8, "", "%step: i64 = load %cell" }, { 1, 16, "%step: i64 = load %cell", "" },
        { 1, 0, call, "" }, { 0, 0, "", call } } do
        local expected, offset, first, other = table.unpack(case)
        local fn = read((text:gsub("%u%u%u+", { OFFSET = offset, FIRST = first, OTHER = other })))
        assert.equal(expected, hoist(fn), table.concat(case, ", "))
      end
    end)
end)

describe("inline", function()
  it("unfolds recursion once, and leaves large functions alone", function()
    local fn = read [[
fn f(%n: i64) -> i64 {
entry:
  %2: i1 = slt %n, 1
  branch %2, last, more
last: <- entry
  ret 1
more: <- entry
  %4: i64 = sub %n, 1
  %5: i64 = call @f %4
  %6: i64 = mul %n, %5
  ret %6
}]]
    local env = { f = fn }
    assert.equal(0, inline(fn, { functions = env, limit = 6 }))
    assert.equal(1, inline(fn, { functions = env }))
    assert(fn:verify())
    assert.equal(120, fn(5, { env = env }))
  end)
end)

describe("switches", function()
  it("makes a switch of a chain; the first of equal constants counts", function()
    local fn = read [[
fn f(%x: i64, %y: i64) -> i64 {
entry:
  %1: i1 = eq %x, 3
  branch %1, a, n1
n1: <- entry
  %2: i1 = eq %x, 5
  branch %2, join, n2
n2: <- n1
  %3: i1 = eq %x, 3
  branch %3, join, n3
n3: <- n2
  %4: i1 = eq %y, 7
  branch %4, join, d
d: <- n3
  %8: i64 = zext %2
  jump join
a: <- entry
  jump join
join: <- a, d, n1, n2, n3
  %7: i64 = phi [a: 1, d: %8, n1: %y, n2: 20, n3: 22]
  ret %7
}]]
    assert.equal(2, switches(fn))
    assert.equal([[
fn f(%x: i64, %y: i64) -> i64 {
entry:
  %2: i1 = eq %x, 5
  switch %x, n3 [3: a, 5: join]
n3: <- entry
  %4: i1 = eq %y, 7
  branch %4, join, d
d: <- n3
  %8: i64 = zext %2
  jump join
a: <- entry
  jump join
join: <- a, d, n3, entry
  %7: i64 = phi [a: 1, d: %8, n3: 22, entry: %y]
  ret %7
}
]], fn:text())
  end)

  -- A loop over a chain of comparisons: each arm gives a number, starts again or leaves.
  local function generate_chain(pick)
    local chain = {}
    for i = 1, 1 + pick(8) do chain[i] = { key = pick(6), arm = pick(4) } end
    return { chain = chain, last = pick(4) }
  end

  local function build_chain(case)
    return phial.build("f", { "x:i32" }, "i64", { rules = false }, function(b, v)
      v.r, v.n = 0, 0
      b:while_(function() return v.n:slt(3) end, function()
        v.n = v.n + 1
        local function arm(kind, number)
          if kind == 1 then b:ret(v.r + number) end
          if kind == 2 then b:continue_() end
          if kind == 3 then v.r = v.r * 10 + number end
          if kind == 4 then v.r = number end
        end
        local function chain(i)
          local link = case.chain[i]
          if not link then return arm(case.last, 9) end
          b:if_(v.x:eq(link.key), function() arm(link.arm, i) end, function() chain(i + 1) end)
        end
        chain(1)
      end)
      b:ret(v.r)
    end)
  end

  it("keep what random chains compute", function()
    local gone = 0
    prop.forall(generate_chain, function(case)
      local fn, expected = build_chain(case), {}
      tidy(fn)
      for x = 0, 7 do expected[x] = semantics.run(fn, {}, x) end
      gone = gone + switches(fn)
      assert(fn:verify())
      assert.equal(0, switches(fn))
      for x = 0, 7 do assert.equal(expected[x], semantics.run(fn, {}, x)) end
    end)
    assert(gone > 0 or os.getenv "RUNS")
  end)
end)

it("the README shows what they do", function() document.check "examples/passes/README.md" end)

-- }=======================================================================
