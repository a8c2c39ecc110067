-- Instructions of a finished function: replaced, erased, inserted, moved.
local assert = require "spec.support.assert"
local bad_argument = require "spec.support.bad_argument"
local list = require "spec.support.list"
local parsed = require "spec.support.parsed"
local phial = require "phial"
local interpret = require "spec.oracle.programs"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"

local SUM <const>, lines, read = parsed.SUM, parsed.lines, parsed.read

describe("v:replace", function()
  it("makes all uses of v uses of another value", function()
    local fn, v = read(SUM)
    v[5]:replace(fn:arg(1))
    assert.equal("  %7: i64 = add %n, %4\n  %8: i64 = add %4, 1\n  jump head", lines(fn, "body"))
    assert.equal("  ret %n", lines(fn, "done"))
    assert.equal(0, v[5]:use_count())
    assert.equal("phi", v[5]:op())
    assert.equal(3, fn:arg(1):use_count())
  end)

  it("takes a literal", function()
    local fn, v = read(SUM)
    v[8]:replace(7)
    assert.equal("  %4: i64 = phi i [entry: 0, body: 7]", (lines(fn, "head"):match "[^\n]*"))
    assert.is_true(fn:verify())
  end)

  it("leaves the operands of what replaces v", function()
    local fn, v, b = read(SUM)
    local tripled = b.body:back():mul(v[7], 3)
    assert.equal(6, fn(4, 0.0))
    v[7]:replace(tripled)
    assert.equal(54, fn(4, 0.0)) -- 3 (s + i) for i = 0 .. 3
    assert.same({ tripled }, v[7]:users())
    assert.same({ v[5] }, tripled:users())
    assert.is_true(fn:verify())
  end)

  it("replaces arguments and undef", function()
    local fn, v = read(SUM)
    fn:arg(1):replace(10)
    v[5]:set_arg(1, fn:undef "i64")
    fn:undef("i64"):replace(3)
    assert.equal("  %4: i64 = phi i [entry: 0, body: %8]\n  %5: i64 = phi s [entry: 3, body: %7]\n"
      .. "  %6: i1 = slt %4, 10\n  branch %6, body, done", lines(fn, "head"))
  end)

  it("leaves it to verify whether definitions dominate uses", function()
    local fn, v = read(SUM)
    v[5]:replace(v[8])
    local ok, problems = fn:verify()
    assert.is_nil(ok)
    assert.equal("'ret %8' in block 'done' uses '%8', but block 'body', which defines it, is not "
      .. "on every path there: 'entry' -> 'head' -> 'done' avoids it; write it to a variable in "
      .. "'body' and read that in 'done'", problems[#problems])
  end)

  it("goes with the further results, or is refused", function()
    local D = phial.dialect("d", { two = { args = 1, result = "any", results = 2 } })
    local fn = phial.fn("f", { "a:any" }, "any", { dialects = { D } })
    local entry = fn:entry()
    local v, second = entry:emit(D.two, fn:arg(1))
    entry:ret(second)
    fn:finish()
    refused(fn, "bad argument #1 to 'replace' ('%3 = proj %2' needs a further result of '%2')",
      function() v:replace(fn:arg(1)) end)
    local w, unused = v:before():emit(D.two, fn:arg(1))
    assert.equal("proj", unused:op())
    v:replace(w)
    assert.same({ w }, second:args())
    v:erase()
    assert.is_true(fn:verify())
  end)

  it("refuses what cannot be meant", function()
    local fn, v, b = read(SUM)
    local bad, other = bad_argument(fn, v[5]), read(SUM)
    bad("replace", 1, "i64 expected, got f64 '%x'", fn:arg(2))
    bad("replace", 1, "i64 expected, got 1.5", 1.5)
    bad("replace", 1, "'%5' cannot replace itself", v[5])
    bad("replace", 1, "phial.Value expected, got nil", nil)
    bad("replace", 1, "i64 expected, got 'jump head', which has no result", b.entry:terminator())
    bad("replace", 1, "i64 '%n' belongs to another function 'sum'", other:arg(1))
    bad_argument(fn, v[6])("replace", 1, "256 does not fit i1", 256)
    refused(fn, "'jump head' has no result that could be replaced: end block 'entry' anew, "
      .. "at block:back()",
      function() b.entry:terminator():replace(1) end)
    b.entry:back():call("print", nil, fn:arg(1))
    refused(fn, "'call @print %n' has no result that could be replaced: erase it, by v:erase()",
      function() b.entry:insts()[1]:replace(1) end)
    refused(fn, "'7' is a constant: it is the same everywhere",
      function() fn:const(7):replace(8) end)
  end)
end)

describe("v:set_arg", function()
  it("changes one operand", function()
    local fn, v = read(SUM)
    v[7]:set_arg(2, 5)
    v[4]:set_arg(2, fn:arg(1))
    assert.equal("  %7: i64 = add %5, 5\n  %8: i64 = add %4, 1\n  jump head", lines(fn, "body"))
    assert.same({ v[6], v[8] }, v[4]:users())
    assert.equal(0, v[8]:use_count())
    assert.is_true(fn:verify())
  end)

  it("takes any type that fits", function()
    local fn = phial.fn("f", { "a:i32", "b:i64" }, "f64")
    local entry = fn:entry()
    local v = entry:itof(fn:arg(1), "f64")
    local called = entry:call("print", nil, fn:arg(1))
    assert.is_nil(called)
    entry:ret(v)
    fn:finish()
    v:set_arg(1, fn:arg(2))
    entry:insts()[2]:set_arg(1, v)
    assert.is_true(fn:verify())
  end)

  it("refuses what does not fit", function()
    local fn, v, b = read(SUM)
    local bad = bad_argument(fn, v[7])
    bad("set_arg", 2, "i64 expected, got f64 '%x'", 1, fn:arg(2))
    bad("set_arg", 2, "i64 expected, got 'ret %5', which has no result", 1, b.done:terminator())
    bad("set_arg", 1, "3 is not in 1 .. 2", 3, 1)
    bad_argument(fn, v[4])("set_arg", 2, "i64 expected, got f64 '%x'", 1, fn:arg(2))
    bad_argument(fn, b.head:terminator())("set_arg", 2, "i1 expected, got i64 '%n'", 1, fn:arg(1))
    refused(fn, "'jump head' has no operands", function() b.body:terminator():set_arg(1, 1) end)
  end)
end)

describe("v:set_arg of a further result", function()
  local D = phial.dialect("d", {
    two = { args = 1, result = "i64", results = 2, eval = function(x) return x, x + 1 end },
    three = { args = 1, result = "i64", results = 3, eval = function(x)
      return x, x + 2, x + 3
    end },
    floats = { args = 1, result = "f64", results = 3, eval = function(x) return x, x, x end },
  })

  local function start()
    local fn = phial.fn("f", { "n:i64" }, "i64", { dialects = { D }, rules = false })
    local b, v = fn:entry(), {}
    v.three, v.of_three, v.third = b:emit(D.three, fn:arg(1))
    v.floats = b:emit(D.floats, fn:arg(1))
    v.two, v.second = b:emit(D.two, fn:arg(1))
    v.sum = b:add(v.two, v.three)
    b:ret(b:add(v.sum, b:add(v.second, v.third)))
    return fn:finish(), v
  end

  it("takes a value that has that result", function()
    local fn, v = start()
    assert.equal(1 + 1 + 2 + 4, fn(1))
    v.second:set_arg(1, v.three)
    assert.equal(1 + 1 + 3 + 4, fn(1))
    v.third:set_arg(1, v.three)
    assert.is_true(fn:verify())
  end)

  it("refuses a value without it", function()
    local fn, v = start()
    local second = "bad argument #2 to 'set_arg' ('%s' has no result 2 of type i64)"
    for _, w in ipairs { v.sum, fn:arg(1), fn:const(3), v.third, fn:undef "i64" } do
      refused(fn, second:format(w), function() v.second:set_arg(1, w) end)
    end
    refused(fn, second:format "7", function() v.second:set_arg(1, 7) end)
    refused(fn, ("bad argument #2 to 'set_arg' ('%s' has no result 3 of type i64)"):format(v.two),
      function() v.third:set_arg(1, v.two) end)
    refused(fn, ("bad argument #2 to 'set_arg' (i64 expected, got f64 '%s')"):format(v.floats),
      function() v.second:set_arg(1, v.floats) end)
    assert.equal(1 + 1 + 2 + 4, fn(1))
  end)
end)

describe("v:set_data of a call", function()
  it("refuses what cannot be called", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    local v = fn:entry():call("g", "i64", fn:arg(1))
    fn:entry():ret(v)
    fn:finish()
    local message = "bad argument #1 to 'set_data' (callee expected: a function or a name, got %s)"
    for _, data in ipairs { 3, 1.5, true } do
      refused(fn, message:format(data), function() v:set_data(data) end)
    end
    refused(fn, message:format "nil", function() v:set_data(nil) end)
    refused(fn, message:format ("i64 '%n'"), function() v:set_data(fn:arg(1)) end)
    assert.equal(v, v:set_data "h")
    assert.equal(4, fn(3, { env = { h = function(x) return x + 1 end } }))
    v:set_data(function(x) return x + 2 end)
    assert.equal(5, fn(3))
  end)
end)

describe("what a value has", function()
  local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
  local b = fn:entry()
  local v = b:call("g", "i64", fn:arg(1))

  it("is set by what returns the value, and got by the noun alone", function()
    assert.equal(v, v:set_name "v":set_loc(7, 3):set_data "h")
    assert.same({ "v", "h", 7, 3 }, { v:name(), v:data(), v:loc() })
    assert.equal(v, v:set_loc():set_data(print))
    assert.equal(print, v:data())
    assert.is_nil(v:loc())
    refused(fn, "bad argument #1 to 'set_name' (string expected, got nil)",
      function() v:set_name(nil) end)
    refused(fn, "'1' is a constant: it cannot be named", function() fn:const(1):set_name "x" end)
    b:ret(v)
    fn:finish()
    assert.equal(v, v:set_arg(1, 5):set_name "w")
    assert.equal("  %w: i64 = call @print 5", lines(fn, "entry"):match "[^\n]*")
  end)
end)

describe("v:erase", function()
  it("takes away what nothing uses", function()
    local fn, v = read(SUM)
    v[7]:replace(0)
    v[7]:erase()
    assert.equal("  %8: i64 = add %4, 1\n  jump head", lines(fn, "body"))
    assert.is_true(select(2, fn:is_minimal()) == v[5])
    v[5]:replace(0)
    v[5]:erase()
    assert.is_true(fn:verify())
    refused(fn, "value '%7' is gone: it was erased or dropped", function() v[7]:op() end)
    refused(fn, "bad argument #1 to 'replace' (value '%5' is gone: it was erased or dropped)",
      function() v[4]:replace(v[5]) end)
  end)

  it("takes away a phi that only it uses", function()
    local fn, v = read(SUM)
    v[7]:replace(v[5])
    v[5]:replace(3)
    v[5]:set_arg(2, v[5])
    v[5]:erase()
    assert.equal("  ret 3", lines(fn, "done"))
  end)

  it("refuses what is used, terminators, and what is not an instruction", function()
    local fn, v, b = read(SUM)
    refused(fn, "'%7' is used by '%5 = phi 0, %7' in block 'head': it cannot be erased",
      function() v[7]:erase() end)
    refused(fn, "'branch %6, body, done' ends block 'head': end it anew, at block:back()",
      function() b.head:terminator():erase() end)
    refused(fn, "'%n' is not an instruction: it cannot be erased", function() fn:arg(1):erase() end)
    refused(fn, "'1' is not an instruction: it cannot be erased",
      function() fn:const(1):erase() end)
  end)
end)

describe("cursors", function()
  it("put instructions before, after, at the front and at the back", function()
    local fn, v, b = read(SUM)
    local at = v[7]:after()
    local a = at:mul(v[7], 2)
    at:mul(a, 3)
    v[7]:before():sub(v[5], 4)
    b.body:front():sub(v[5], 5)
    b.body:back():call("print", nil, v[8])
    v[5]:after():add(v[4], v[5])
    assert.equal([[
  %21: i64 = sub %5, 5
  %19: i64 = sub %5, 4
  %7: i64 = add %5, %4
  %15: i64 = mul %7, 2
  %17: i64 = mul %15, 3
  %8: i64 = add %4, 1
  call @print %8
  jump head]], lines(fn, "body"))
    assert.equal("add", b.head:insts()[1]:op())
    assert.is_true(fn:verify())
  end)

  it("stand before an instruction, wherever that goes", function()
    local fn, v, b = read(SUM)
    local at = v[8]:before()
    assert.equal("before '%8 = add %4, 1' in block 'body'", tostring(at))
    v[8]:move_before(b.head:terminator())
    assert.equal(b.head, at:block())
    v[8]:replace(1)
    v[8]:erase()
    assert.equal("nowhere", tostring(at))
    refused(fn, "the cursor has lost its place: the 'add' that it preceded is gone",
      function() at:add(v[4], 1) end)
  end)

  it("note the place and the frontend's position", function()
    local fn, v = read(SUM)
    fn:set_loc(7, 3)
    local w = v[7]:before():add(v[4], 1)
    assert.same({ 7, 3 }, { w:loc() })
  end)

  it("make phis", function()
    local fn, _, b = read(SUM)
    local phi = b.head:front():phi { [b.entry] = 1, [b.body] = fn:arg(1) }
    b.done:back():ret(phi)
    assert.same({ phi }, { b.head:phis()[3] })
    assert.is_true(fn:verify())
    refused(fn, "phi in block 'head': no value for predecessor 'body'",
      function() b.head:back():phi { [b.entry] = 1 } end)
    refused(fn, "block 'entry' has no predecessors: no phi can be in it",
      function() b.entry:back():phi {} end)
  end)

  it("check operands as blocks do", function()
    local fn, v = read(SUM)
    local at = v[7]:before()
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got f64 '%x')",
      function() at:add(v[4], fn:arg(2)) end)
    refused(fn, "bad argument #1 to 'emit' ('jump' has a method of its own: block:jump)",
      function() at:emit("jump", 1) end)
  end)

  it("respect phis and terminators", function()
    local fn, v, b = read(SUM)
    refused(fn, "'%4' is a phi: only phis can precede it; v:after() "
      .. "is the place after all phis of block 'head'", function() v[4]:before() end)
    refused(fn, "'jump head' ends block 'body': nothing can follow it",
      function() b.body:terminator():after() end)
    refused(fn, "'%n' is not an instruction: it is in no block", function() fn:arg(1):after() end)
    refused(fn, "'%7 = add %5, %4' would be cut off: end block 'body' anew where it ends, "
      .. "at block:back()", function() v[7]:before():jump(b.head) end)
  end)
end)

describe("v:move_before and v:move_after", function()
  it("move an instruction", function()
    local fn, v, b = read(SUM)
    v[7]:move_after(v[8])
    assert.equal("  %8: i64 = add %4, 1\n  %7: i64 = add %5, %4\n  jump head", lines(fn, "body"))
    v[8]:move_after(v[4])
    assert.same({ v[8], v[6], b.head:terminator() }, b.head:insts())
    v[8]:move_before(b.head:terminator())
    assert.same({ v[6], v[8], b.head:terminator() }, b.head:insts())
    v[8]:move_after(v[6])
    assert.same({ v[6], v[8], b.head:terminator() }, b.head:insts())
    assert.equal(b.head, v[8]:block())
    assert.is_true(fn:verify())
  end)

  it("refuse what has its place", function()
    local fn, v, b = read(SUM)
    refused(fn, "'%4' is a phi of block 'head': it cannot be moved",
      function() v[4]:move_before(v[6]) end)
    refused(fn, "'jump head' ends block 'body': it cannot be moved",
      function() b.body:terminator():move_before(v[7]) end)
    refused(fn, "'%n' is not an instruction: it cannot be moved",
      function() fn:arg(1):move_before(v[7]) end)
    refused(fn, "'%4' is a phi: only phis can precede it; v:after() "
      .. "is the place after all phis of block 'head'", function() v[7]:move_before(v[4]) end)
    refused(fn, "'jump head' ends block 'body': nothing can follow it",
      function() v[7]:move_after(b.body:terminator()) end)
    refused(fn, "bad argument #1 to 'move_after' (it is '%7' itself)",
      function() v[7]:move_after(v[7]) end)
    refused(fn, "'1' is not an instruction: it is in no block",
      function() v[7]:move_after(fn:const(1)) end)
  end)
end)

describe("editing", function()
  it("is for finished functions", function()
    local fn = phial.fn("f", { "n:i64" }, "i64")
    local entry, out = fn:entry(), fn:block "out"
    local v = entry:add(fn:arg(1), 1)
    entry:jump(out)
    out:ret(v)
    local message = "function 'f' is not finished: edit it after fn:finish()"
    local calls = {
      function() v:replace(1) end, function() v:set_arg(1, 1) end, function() v:erase() end,
      function() v:before() end, function() v:after() end, function() v:move_before(v) end,
      function() v:move_after(v) end, function() entry:front() end, function() entry:back() end,
      function() entry:retarget(out, out) end, function() entry:add_edge(out) end,
      function() entry:remove_edge(out) end, function() entry:split_edge(out) end,
      function() fn:clean { unreached = true } end,
    }
    for _, call in ipairs(calls) do refused(fn, message, call) end
    local at = fn:finish() and v:before()
    fn:reopen()
    for _, call in ipairs(calls) do refused(fn, message, call) end
    refused(fn, message, function() at:add(v, 1) end)
    local unfinished = assert(phial.parse "fn f() {\nentry:\n}")
    local frozen = "function 'f' was parsed from the text of an unfinished function: it can be "
      .. "read, not changed"
    refused(unfinished, frozen, function() unfinished:block() end)
    refused(unfinished, frozen, function() unfinished:clean { rules = true } end)
    refused(unfinished, frozen, function() unfinished() end)
    refused(unfinished, frozen, function() phial.emit.c(unfinished) end)
    local declared = assert(phial.parse "declare f()")
    refused(declared, "function 'f' is a declaration: it has no body",
      function() declared:clean { rules = true } end)
  end)

  it("knows whose method a cursor has", function()
    local fn, v = read(SUM)
    local at = v[7]:before()
    fn:close()
    assert.equal("phial.Cursor", tostring(at))
    assert.has_error(function() at:add(1, 2) end)
    assert.has_error(function() at.add() end)
    assert.has_error(function() at.block(3) end)
  end)
end)

-- Checks what holds after each edit; true if the function is well-formed.
local function check(fn)
  local uses = {}
  for v in fn:values() do
    for _, arg in ipairs(v:args()) do uses[arg] = (uses[arg] or 0) + 1 end
  end
  for v, n in pairs(uses) do assert.equal(n, v:use_count(), tostring(v)) end
  for v in fn:values() do assert.equal(uses[v] or 0, v:use_count(), tostring(v)) end
  local text = fn:text()
  assert.equal(text, assert(phial.parse(text, { dialects = { programs.dialect } })):text())
  return fn:verify()
end

-- A value with one of these ops.
local function some_value(fn, pick, ...)
  local found = {}
  for v in fn:values() do
    for _, op in ipairs { ... } do
      if v:op() == op then found[#found + 1] = v end
    end
  end
  return #found > 0 and found[pick(#found)] or nil
end

-- Edits that preserve the meaning of a function. Each returns false if the function
-- has nothing to apply it to.
local edits = {}

function edits.split(fn, pick)
  local block = list(fn:blocks())[pick(#list(fn:blocks()))]
  local succs = block:succs()
  if #succs == 0 then return false end
  local i, nth = pick(#succs), 0
  for k = 1, i do if succs[k] == succs[i] then nth = nth + 1 end end
  local middle = block:split_edge(succs[i], nth)
  assert.same({ block }, middle:preds())
  assert.same({ succs[i] }, middle:succs())
  assert.equal(middle, block:succs()[i])
end

function edits.copy(fn, pick)
  local v = some_value(fn, pick, "rnd.mix", "phi", "copy")
  if not v then return false end
  local copy = v:after():copy(v)
  v:replace(copy)
  assert.same({ copy }, v:users())
end

function edits.twin(fn, pick)
  local v = some_value(fn, pick, "rnd.mix")
  if not v then return false end
  v:replace(v:before():emit("rnd.mix", table.unpack(v:args())))
  v:erase()
end

function edits.pass(fn, pick) -- what a copy is a copy of takes its place
  local v = some_value(fn, pick, "copy")
  if not v then return false end
  if v:args()[1] == v then return false end
  v:replace(v:args()[1])
  if v:use_count() == 0 then v:erase() end
end

function edits.move(fn, pick)
  local v = some_value(fn, pick, "rnd.mix", "copy")
  local w = some_value(fn, pick, "rnd.mix", "copy", "rnd.use", "rnd.fork", "ret", "jump")
  if not v or v == w then return false end
  local insts, next = v:block():insts(), nil
  for i, inst in ipairs(insts) do if inst == v then next = insts[i + 1] end end
  v:move_before(w)
  if not fn:verify() then v:move_before(next) end
end

function edits.divert(fn, pick) -- by a new block, its own jump before it is led to
  local block = list(fn:blocks())[pick(#list(fn:blocks()))]
  local succs = block:succs()
  if #succs == 0 then return false end
  local to, values = succs[pick(#succs)], {}
  for _, phi in ipairs(to:phis()) do
    for i, pred in ipairs(to:preds()) do
      local arg = phi:args()[i]
      if pred == block and values[phi] and values[phi] ~= arg then return false end
      if pred == block then values[phi] = arg end
    end
  end
  local middle = fn:block()
  middle:back():jump(to, values)
  assert(fn:verify())
  block:retarget(to, middle)
end

function edits.never(fn, pick) -- an edge that is not taken
  local jump = some_value(fn, pick, "jump")
  local to = list(fn:blocks())[pick(#list(fn:blocks()))]
  if not jump or to == fn:entry() then return false end
  local values = {}
  for _, phi in ipairs(to:phis()) do values[phi] = fn:undef "any" end
  local block = jump:block()
  block:add_edge(to, false, values)
  if not fn:verify() then block:remove_edge(to, to == block:succs()[2] and 1 or nil) end
end

function edits.minimize(fn) fn:clean { phis = true } end

function edits.sweep(fn) fn:clean { dead = true } end

local names = {}
for name in pairs(edits) do names[#names + 1] = name end
table.sort(names)

describe("edits that keep the meaning", function()
  it("keep the meaning, and the function well-formed", function()
    prop.forall(function(pick)
      local case = { program = programs.generate(pick) }
      local draws = {} -- the tape must be drawn while it is recorded
      for i = 1, 60 do draws[i] = pick(1000) end
      case.draws = draws
      return setmetatable(case, { __tostring = function() return tostring(case.program) end })
    end, function(case)
      local fn = programs.build(case.program):finish()
      local expected, k = interpret.variables(case.program, 40), 0
      local function draw(n)
        k = k + 1
        return ((case.draws[k] or 1) - 1) % n + 1
      end
      while k < #case.draws do
        local name, text, version = names[draw(#names)], fn:text(), fn:version()
        edits[name](fn, draw)
        assert.is_true(fn:version() > version or fn:text() == text, name)
        if not check(fn) then
          fn:clean { phis = true }
          assert(check(fn))
        end
        assert.same(expected, interpret.ssa(fn, 40), name)
        local again = phial.parse(fn:text(), { dialects = { programs.dialect } })
        assert.same(expected, interpret.ssa(again, 40), "as text, after " .. name)
      end
    end)
  end)
end)
