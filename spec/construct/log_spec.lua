-- The option `log`: the events of construction.
local arithmetic = require "spec.support.arithmetic"
local assert = require "spec.support.assert"
local lazy = require "spec.support.lazy"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local variants = require "spec.support.variants"

local function named(block) return block and (block:name() or "b" .. block:id()) end

local function line(e)
  local words = { e.event, named(e.block) or "-" }
  if e.var then words[#words + 1] = e.var:name() end
  if e.value_id then words[#words + 1] = "%" .. e.value_id end
  if e.index then words[#words + 1] = ("[%d] from %s"):format(e.index, named(e.from)) end
  if e.operand_id then words[#words + 1] = "%" .. e.operand_id end
  if e.by_id then words[#words + 1] = "by %" .. e.by_id end
  return table.concat(words, " ")
end

describe("the log", function()
  it("tells a loop's construction", function()
    local told = {}
    local fn = phial.fn("f", { "n" }, "i64", {
      rules = false, log = function(e) told[#told + 1] = line(e) end,
    })
    local x, n = fn:var "x", fn:param(1)
    local head, body, done = fn:block "head", fn:block "body", fn:block "done"
    fn:entry():write(x, 0)
    fn:entry():jump(head)
    head:branch(head:slt(head:read(x), head:read(n)), body, done)
    body:seal()
    body:write(x, body:add(body:read(x), 1))
    body:jump(head)
    head:seal()
    done:ret(done:read(x))
    fn:finish()
    assert.same({
      "var - x", "block head", "block body", "block done",
      "write entry x %2", "filled entry %3",
      "lookup head x", "phi head x %4", "read head x %4",
      "lookup head n", "phi head n %5", "read head n %5",
      "emit head %6", "filled head %7",
      "sealed body",
      "lookup body x", "read body x %4", "emit body %9", "write body x %9", "filled body %10",
      "sealed head",
      "operand head %4 [1] from entry %2", "operand head %4 [2] from body %9",
      "operand head %5 [1] from entry %1", "operand head %5 [2] from body %5",
      "trivial head %5 by %1",
      "lookup done x", "phi done x %11", "read done x %11", "filled done %12",
      "sealed done", "operand done %11 [1] from head %4", "trivial done %11 by %4",
      "finished -",
    }, told)
  end)

  it("is enough to construct the function again", function()
    prop.forall(programs.generate, function(p)
      local again = phial.fn("random", {}, nil, {
        rules = false, type = "any", dialects = { programs.dialect },
      })
      local blocks, vars, values = { again:entry() }, {}, {}
      local function value(v)
        if v:op() == "const" then return again:const(v:const(), v:type()) end
        if v:op() == "undef" then return again:undef(v:type()) end
        return values[v:id()]
      end
      local function operands(v)
        local args = v:args()
        for i, arg in ipairs(args) do args[i] = value(arg) end
        return args
      end
      for v = 1, p.vars do vars["v" .. v] = again:var("v" .. v) end
      local function var(of) return vars[of:name()] end
      local step = {}
      function step.block(e) blocks[e.block:id()] = again:block(e.block:name()) end
      function step.sealed(e) blocks[e.block:id()]:seal() end
      function step.write(e) blocks[e.block:id()]:write(var(e.var), value(e.value)) end
      function step.read(e) values[e.value_id] = blocks[e.block:id()]:read(var(e.var)) end
      function step.emit(e)
        local block, args = blocks[e.block:id()], operands(e.value)
        values[e.value_id] = block:emit(e.value:op(), table.unpack(args))
      end
      function step.filled(e)
        local block, args = blocks[e.block:id()], operands(e.value)
        if e.value:op() == "ret" then return block:ret() end
        local targets = e.block:succs()
        for i, target in ipairs(targets) do targets[i] = blocks[target:id()] end
        targets.data = e.value:data()
        block:emit(e.value:op(), args[1], targets)
      end
      local fn = programs.build(p, {
        log = function(e) if step[e.event] then step[e.event](e) end end,
      })
      fn:finish()
      assert.equal(fn:text { ids = "dense" }, again:finish():text { ids = "dense" })
    end)
  end)

  it("of a function that fails leaves the construction whole", function()
    local fail = false
    local fn = phial.fn("f", { "n" }, "i64", {
      rules = false, log = function(e)
        if fail and e.event == "filled" then error("no", 0) end
      end,
    })
    local done = fn:block("done", 1)
    fail = true
    assert.has_error(function() fn:entry():jump(done) end, "no")
    fail = false
    assert.is_true(fn:entry():is_filled() and done:is_sealed())
    done:ret(done:read(fn:param(1)))
    assert(fn:finish():verify())
  end)

  it("tells where, and operands as they were", function()
    local filled, read
    local fn = phial.fn("f", {}, nil, {
      type = "any", dialects = { programs.dialect }, where = false,
      log = function(e)
        if e.event == "filled" then filled = e end
        if e.event == "read" then read = e end
      end,
    })
    local x, e, head, mid = fn:var "x", fn:entry(), fn:block("head", 2), fn:block("mid", 1)
    fn:set_loc(3, 4, "prog")
    e:jump(head)
    local phi = head:read(x):id()
    fn:set_loc(5)
    head:jump(mid)
    mid:emit("rnd.fork", mid:read(x), { head })
    local here = debug.getinfo(1, "l").currentline - 1
    assert.same({ line = 5 }, filled.loc)
    assert.equal("spec/construct/log_spec.lua:" .. here, filled.place)
    assert.same({ phi }, filled.args_id)
    assert.equal("undef", filled.value:args()[1]:op())
    assert.equal(phi, read.value_id)
    assert.is_nil(read.args_id)
  end)

  it("gives events that outlive the function", function()
    local told, here = {}
    do
      local fn <close> = phial.fn("f", { "n" }, "i64", { rules = false, log = function(e)
        told[e.event] = e
      end })
      local done = fn:block "done"
      fn:set_loc(3, 4, "prog")
      fn:entry():jump(done)
      done:read(fn:param(1))
      done:seal() here = debug.getinfo(1, "l").currentline
      done:ret(fn:arg(1))
    end
    local e = told.operand
    assert.equal("operand", e.event)
    assert.equal("spec/construct/log_spec.lua:" .. here, e.place)
    assert.same({ line = 3, col = 4, file = "prog" }, e.loc)
    assert.same({ 3, 1, 1 }, { e.value_id, e.operand_id, e.index })
    assert.is_nil(e.by_id)
    assert.same({ 1 }, told.filled.args_id)
    assert.is_nil(told.trivial.index)
    assert.equal("phial.Value (closed)", tostring(told.trivial.by))
    assert.equal("phial.Block (closed)", tostring(e.from))
    assert.has_error(function() e.block:name() end)
  end)

  it("gives events with the fields that they have, for pairs", function()
    local told = {}
    local fn = phial.fn("f", {}, nil, { log = function(e)
      local list = {}
      for name, value in pairs(e) do
        assert.equal(type(value) == "table" and type(value) or tostring(value),
          type(value) == "table" and type(e[name]) or tostring(e[name]))
        list[#list + 1] = name
      end
      told[e.event] = table.concat(list, " ")
    end })
    local x, done = fn:var "x", fn:block("done", 1)
    fn:entry():write(x, 1)
    fn:entry():jump(done)
    done:read(x)
    assert.same({
      block = "event block place", var = "event var place",
      write = "event block var value value_id place",
      filled = "event block value value_id args args_id place",
      sealed = "event block place", lookup = "event block var place",
      read = "event block var value value_id place",
    }, told)
  end)

  it("gives events that have no other fields, and take none", function()
    local fn = phial.fn("f", {}, nil, { log = function(e)
      assert.is_nil(e.nothing)
      assert.is_nil(e[1])
      assert.is_nil(e.by)
      assert.has_error(function() e.mine = 1 end)
      assert.has_error(function() debug.getmetatable(e).__index({}, "event") end)
    end })
    fn:var "x"
  end)

  it("tells the other listeners, and the rest, when one fails among several events", function()
    local told = { {}, {} }
    local fn = phial.fn("f", {}, nil, { rules = false, log = function(e)
      table.insert(told[1], e.event)
      if e.event == "filled" or e.event == "sealed" then error("no " .. e.event, 0) end
    end })
    fn:log(function(e) table.insert(told[2], e.event) end)
    local done = fn:block("done", 1)
    assert.has_error(function() fn:entry():jump(done) end, "no filled")
    assert.same({ "block", "filled", "sealed" }, told[1])
    assert.same(told[1], told[2])
  end)

  it("tells what the undef function said, and that finish and reopen were called", function()
    local told = {}
    local fn = phial.fn("f", {}, nil, {
      undef = function() return 7 end, log = function(e) told[#told + 1] = e.event end,
    })
    fn:entry():read(fn:var "x")
    fn:entry():ret()
    fn:finish():reopen()
    assert.same({ "var", "lookup", "read", "defined", "filled", "finished", "reopened" }, told)
  end)

  it("tells that a finished function is edited, before what follows from it", function()
    local told = {}
    local fn = phial.fn("f", { "n" }, "i64", { log = function(e)
      local at = e.block or e.value
      told[#told + 1] = e.event .. (at and " " .. tostring(at) or "")
    end })
    local entry, out = fn:entry(), fn:block("out", 1)
    entry:jump(out)
    local v = out:add(fn:arg(1), 1)
    out:ret(v)
    fn:finish()
    told = {}
    local called = tostring(v)
    v:replace(3)
    v:erase()
    entry:split_edge(out, nil, "middle")
    fn:clean { dead = true }
    out:back():ret(4)
    assert.same({ "edited " .. called, "edited " .. called, "edited entry", "block middle",
      "edited", "edited out" }, told)
  end)

  it("goes to all who listen, also when one fails", function()
    local told = { {}, {}, {} }
    local function listener(i, fails)
      return function(e)
        table.insert(told[i], e.event)
        if fails and e.event == "var" then error("no " .. i, 0) end
      end
    end
    local fn = phial.fn("f", {}, nil, { log = listener(1) })
    fn:log(listener(2, true))
    fn:log(listener(3, true))
    fn:block()
    assert.has_error(function() fn:var "x" end, "no 2")
    assert.same({ { "block", "var" }, { "block", "var" }, { "block", "var" } }, told)
    local other = phial.fn "g"
    other:var "x"
    other:log(listener(1))
    other:block()
    assert.same({ "block", "var", "block" }, told[1])
  end)

  it("is returned by fn:log if the function keeps it", function()
    local fn = phial.fn "f"
    assert.is_nil(fn:log(print))
    assert.is_nil(fn:log { print, detail = true })
    assert.is_nil(fn:log(false))
    for _, it in ipairs { true, {}, { detail = true } } do
      assert.equal("phial.Log of 'f': 0 events", tostring(phial.fn("f"):log(it)))
    end
  end)

  it("does not yield", function()
    local fn = phial.fn("f", {}, nil, { rules = false, log = function() coroutine.yield() end })
    local _, err = coroutine.resume(coroutine.create(function() fn:block() end))
    assert.matches("^spec/construct/log_spec.lua:%d+: a log function may not yield$", err)
  end)

  it("cannot change the function, and must be a function", function()
    local fn
    fn = phial.fn("f", {}, nil, { rules = false, log = function() fn:block() end })
    raises.with("is waiting for a callback of yours", fn.block, fn)
    assert.has_error(function() phial.fn("f", {}, nil, { log = 1 }) end)
  end)

  it("does not tell of a function that is garbage already", function()
    local told, used = 0, false
    do
      local fn = phial.fn("f", {}, nil, { rules = false, log = function() told = told + 1 end })
      setmetatable({}, { __gc = function()
        fn:block("late"):ret()
        used = true
      end })
    end
    collectgarbage()
    assert.is_true(used)
    assert.equal(0, told)
  end)

  it("may be ended by a finalizer that it runs", function()
    local fn
    fn = phial.fn("f", {}, nil, { rules = false, log = function(e)
      if e.event == "filled" then debug.getmetatable(fn).__gc(fn) end
    end })
    local done = fn:block("done", 1)
    pcall(fn:entry().jump, fn:entry(), done)
    assert.has_error(function() fn:text() end)
  end)
end)

-- By event: the fields that it has, and, with ?, those that it may have.
local FIELDS <const> = {
  block = "block", var = "var", emit = "block value value_id args args_id rule?",
  write = "block var value value_id", kill = "block var", lookup = "block var",
  read = "block var value value_id",
  phi = "block value value_id var?",
  operand = "block value value_id operand operand_id from index",
  trivial = "block value value_id by by_id", redundant = "block value value_id by by_id",
  rule = "rule rule_text block op args args_id value? value_id? new_op? new_args? new_args_id?",
  folded = "block op args args_id value? value_id? new_op? new_args? new_args_id?",
  merged = "block op args args_id value value_id",
  swapped = "block op args args_id new_op new_args new_args_id",
  simplified = "block value value_id by by_id",
  filled = "block value value_id args args_id", sealed = "block", defined = "var value value_id",
  dropped = "block", finished = "", reopened = "", edited = "block? value? value_id?",
  climb = "var from to passed value? value_id?", marked = "block var", mark_found = "block var",
  unmarked = "block var value value_id", reexamined = "block value value_id",
  frontier = "block from", queued = "block var", taken = "block var",
  placed = "block var from", entered = "block", left = "block",
}

-- Notes what is wrong with the fields of events, and counts these.
local function checker()
  local wrong, told = {}, setmetatable({}, { __index = function() return 0 end })
  return function(e)
    local left = {}
    for name in pairs(e) do left[name] = true end
    left.event, left.place, left.loc, told[e.event] = nil, nil, nil, told[e.event] + 1
    for name, may in FIELDS[e.event]:gmatch "([%w_]+)(%??)" do
      if not left[name] and may == "" then wrong[#wrong + 1] = e.event .. " lacks " .. name end
      left[name] = nil
    end
    for name in pairs(left) do wrong[#wrong + 1] = e.event .. " has " .. name end
  end, wrong, told
end

describe("an event", function()
  it("has its fields, and no others", function()
    local check, wrong = checker()
    local log = { check, detail = true }
    prop.forall(function(pick) return pick end, function(pick)
      local p, lazily = programs.generate_large(pick), lazy.generate(pick, 6, true, true)
      local opts = { construction = variants[pick(#variants)], log = log,
        undef = pick(2) == 1 and function() return 0 end or nil }
      local fn = programs.build(p, opts):finish()
      lazy.build(lazily, { log = log, seal = "finish" }):finish()
      local entry = fn:entry()
      if #entry:succs() > 0 then entry:split_edge(entry:succs()[1], 1) end
      fn:copy_into(entry:front(), {})
      fn:clean()
      fn:reopen()
      assert.same({}, wrong)
    end, 100)
  end)

  it("of a rule, or of what it makes, is counted, too", function()
    local int = phial.rules "int"
    prop.forall(function(pick)
      local p = arithmetic.generate(pick)
      p.keep = pick(2) == 1
      return p
    end, function(p)
      local check, wrong, told = checker()
      local stats = arithmetic.build(p, print, { rules = int, keep_unreachable = p.keep,
        started = function(fn) fn:log(check) end }):stats()
      assert.equal(1 + told.block - told.dropped, stats.blocks)
      assert.same({}, wrong)
      assert.equal(told.rule, stats.applied + stats.late_applied)
      assert.equal(told.folded, stats.folded)
      assert.equal(told.merged, stats.merged)
      assert(told.simplified <= stats.late_applied + stats.late_folded + stats.late_merged)
      assert.equal(told.trivial, stats.trivial_phis)
      assert.equal(told.redundant, stats.redundant_phis)
      for _, n in pairs(stats.rules) do told.rule = told.rule - n end
      assert.equal(0, told.rule)
    end, 40)
  end)

  it("of an instruction names the rule that made it, not one that made a value before", function()
    local made = {}
    local fn = phial.fn("f", { "a", "b" }, "i64", { log = function(e)
      if e.event == "emit" then made[#made + 1] = ("%s by %s"):format(e.value:op(), e.rule) end
    end })
    local b, a = fn:entry(), fn:arg(1)
    b:add(b:mul(a, 1), fn:arg(2))
    b:mul(b:add(a, 0), 8)
    b:sub(5, b:bxor(a, 0))
    b:add(b:mul(a, 8), a)
    assert.same({ "add by nil", "shl by mul_pow2", "sub by nil", "add by nil" }, made)
  end)

  it("of a rewriting has the instruction before and after", function()
    local told = {}
    local function inst(op, args) -- handles, or ids
      for i, arg in ipairs(args) do args[i] = tostring(arg) end
      return op .. " " .. table.concat(args, ", ")
    end
    local fn = phial.fn("f", { "a", "b" }, "i64", { log = function(e)
      if not e.op then return end
      local after = e.new_op and inst(e.new_op, e.new_args) or tostring(e.value)
      told[#told + 1] = ("%s: %s => %s"):format(e.rule or e.event, inst(e.op, e.args), after)
    end })
    local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
    b:sgt(x, y)
    b:mul(8, x)
    b:add(b:mul(x, 1), b:add(3, 4))
    b:shl(x, 3)
    b:branch(b:eq(x, x), fn:block "yes", fn:block "no")
    assert.same({
      "swapped: sgt %a, %b => slt %b, %a", "swapped: mul 8, %a => mul %a, 8",
      "mul_pow2: mul %a, 8 => shl %a, 3", "mul1: mul %a, 1 => %a", "folded: add 3, 4 => 7",
      "merged: shl %a, 3 => %6", "refl_t: eq %a, %a => true",
      "folded: branch true => jump ",
    }, told)
  end)

  it("of a rewriting tells nothing of an attempt that leads nowhere", function()
    local told = {}
    local rules = phial.rules "find: (x + y) * z => !(y ~ x)"
    local fn = phial.fn("f", { "a", "b", "c" }, "i64", { rules = rules, log = function(e)
      told[#told + 1] = e.event
    end })
    local b, x, y, z = fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3)
    b:mul(b:add(y, x), z)
    assert.same({ "emit", "emit" }, told)
  end)

  it("of an instruction that fails tells nothing of it", function()
    local told = {}
    local function no() error("no", 0) end
    local rules = phial.rules("x + C => x if $no(C)", { no = no })
    local fn = phial.fn("f", { "a" }, "i64", { rules = rules, log = function(e)
      told[#told + 1] = e.event
    end })
    local b = fn:entry()
    assert.error_matches(function() b:add(1, fn:arg(1)) end, "no$")
    assert.same({}, told)
    b:sub(7, 2)
    assert.same({ "folded" }, told)
  end)
end)
