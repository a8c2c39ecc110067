-- fn:clean: its four chores, alone and together.
local arithmetic = require "spec.support.arithmetic"
local phial = require "phial"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local CHORES <const> = { "unreached", "phis", "rules", "dead" }

-- Something for each chore: `lost` is unreached, %5 redundant, %6 and %7 to be simplified,
-- %8 dead. All that the others leave of it is there.
local UNTIDY <const> = [[
fn f(%n: i64, %c: i1) -> i64 {
entry:
  branch %c, yes, no
yes: <- entry
  jump join
no: <- entry
  jump join
join: <- yes, no, lost
  %5: i64 = phi x [yes: %n, no: %n, lost: %n]
  %6: i64 = add 2, 3
  %7: i64 = add %5, 0
  %8: i64 = mul %n, 5
  %9: i64 = add %7, %6
  ret %9
lost:
  jump join
}
]]

local function untidy() return assert(phial.parse(UNTIDY)) end

describe("fn:clean", function()
  it("drops the blocks that are not reached, or removes redundant phis", function()
    for chore, phis in pairs { unreached = 1, phis = 0 } do
      local fn = untidy()
      assert.same({ [chore] = 1 }, fn:clean { [chore] = true })
      assert.equal(chore == "phis", fn:find "lost" ~= nil)
      assert.same({ phis, 5 }, { #fn:find("join"):phis(), #fn:find("join"):insts() })
      assert.same({ [chore] = 0 }, fn:clean { [chore] = true, dead = false })
    end
  end)

  it("removes what nothing uses, also divisions that cannot trap, which no code has", function()
    local fn = phial.fn("f", { "x:i8", "c:i1" }, nil, { rules = false })
    local b, left, x, c = fn:entry(), {}, fn:arg(1), fn:arg(2)
    for _, op in ipairs { "sdiv", "udiv", "srem", "urem" } do
      for _, divisor in ipairs { -128, -1, 0, 1, 10 } do b:emit(op, x, fn:const(divisor, "i8")) end
      b:emit(op, c, true) -- which is -1
      b:emit(op, x, x)
    end
    b:ret()
    assert.equal(10, select(2, phial.emit.lua(fn:finish()):gsub("local v%d+ =", "")))
    assert.same({ dead = 18 }, fn:clean { dead = true })
    for i, v in ipairs(b:insts()) do left[i] = v:op() .. tostring(v:args()[2]) end
    assert.equal("sdiv-1:i8 sdiv0:i8 sdivtrue sdiv%x udiv0:i8 udiv%x srem0:i8 srem%x urem0:i8 "
      .. "urem%x retnil", table.concat(left, " "))
  end)

  it("applies rules", function()
    local fn = phial.fn("f", { "a", "b" }, nil, { rules = phial.rules "int" })
    local entry = fn:entry()
    local v = entry:sub(fn:arg(1), fn:arg(2))
    local w = entry:add(v, 1)
    entry:call("show", false, w)
    entry:ret()
    fn:finish()
    assert.same({ rules = 0 }, fn:clean { rules = true })
    v:set_arg(2, fn:arg(1))
    assert.same({ rules = 2 }, fn:clean { rules = true })
    assert.equal(1, (w:const()))
  end)

  it("removes phis of phis that rules have left alone", function()
    local fn = assert(phial.parse [[
fn f(%x: i64, %c: i1) -> i64 {
entry:
  %1: ptr = alloca 8, 8
  store %1, %x
  jump head
head: <- entry, latch
  %2: i64 = load %1
  %3: i64 = mul %2, 0
  call @use %3
  branch %c, side, latch
side: <- head
  store %1, 1
  jump latch
latch: <- head, side
  branch %c, head, exit
exit: <- latch
  ret 0
}]])
    assert.equal(2, fn:forward().phis)
    fn:clean { rules = phial.rules "int" }
    assert.same({}, fn:find("head"):phis())
  end)

  it("does everything without a table, in an order in which one thing makes another", function()
    local fn = untidy()
    local counts = fn:clean()
    assert.same({ unreached = 1, phis = 1, dead = 1, rules = counts.rules }, counts)
    assert.is_true(counts.rules >= 0)
    fn = untidy()
    fn:find("entry"):remove_edge(fn:find "no")
    assert.same({ 2, 1 }, { fn:clean().unreached, untidy():clean().unreached })
    assert.same({}, fn:find("join"):phis())
  end)

  it("does nothing that is not true in the table", function()
    local fn = untidy()
    local text = fn:text()
    assert.same({}, fn:clean {})
    assert.same({}, fn:clean { unreached = false, phis = false, rules = false, dead = false })
    assert.equal(text, fn:text())
  end)

  it("follows 40 branches, each decided once the one before is", function()
    local fn = phial.fn("f", { "c:i1" }, "i1", { rules = phial.rules "int" })
    local var, at, condition = fn:var("v", "i1"), fn:entry(), fn:arg(1)
    for _ = 1, 40 do
      local yes, no, join = fn:block(), fn:block(), fn:block()
      at:branch(condition, yes, no)
      for i, block in ipairs { yes, no } do
        block:seal()
        block:write(var, i == 1 or fn:arg(1))
        block:jump(join)
      end
      join:seal()
      at, condition = join, join:read(var)
    end
    at:ret(condition)
    fn:finish()
    fn:entry():terminator():set_arg(1, true)
    fn:clean()
    assert.is_nil(fn:text():find "branch")
  end)

  it("does together what the chores do one by one, and once is enough", function()
    prop.forall(function(pick)
      local case = { program = arithmetic.generate(pick), draws = {} }
      for i = 1, 6 do case.draws[i] = pick(1000) end
      return setmetatable(case, { __tostring = function() return tostring(case.program) end })
    end, function(case)
      -- Values are replaced by constants, edges removed.
      local function edited()
        local fn = arithmetic.build(case.program, "show", { rules = phial.rules "int" })
        for i, draw in ipairs(case.draws) do
          local values, blocks = {}, {}
          for v in fn:values() do
            if (v:type() or ""):find "^i" then values[#values + 1] = v end
          end
          for b in fn:blocks() do if #b:succs() == 2 then blocks[#blocks + 1] = b end end
          local v, b = values[draw % (#values + 1)], blocks[draw % (#blocks + 1)]
          if i % 2 == 0 and v then
            v:replace(fn:const(draw % 2, v:type()))
          elseif b then
            b:remove_edge(b:succs()[1], b:succs()[1] == b:succs()[2] and 1 or nil)
          end
        end
        return fn
      end
      local fn, again = edited(), edited()
      local blocks, counts = fn:stats().blocks, fn:clean()
      assert(blocks - fn:stats().blocks >= counts.unreached) -- rules can fold branches
      for _, chore in ipairs(CHORES) do
        assert.same({ [chore] = counts[chore] }, again:clean { [chore] = true })
      end
      assert.equal(again:text(), fn:text())
      assert(fn:verify())
      assert(fn:is_minimal())
      assert(fn:is_pruned())
      assert.same({ unreached = 0, phis = 0, rules = 0, dead = 0 }, fn:clean())
    end)
  end)
end)

-- Terminators two or three of whose edges lead to one block, where a phi has other operands for
-- each; what becomes of them, by default rules and without any.
local FORKS <const> = {
  { "branch %c, h, h", "10, 20" },
  { "branch %c, h, h", "10, 10", becomes = "jump h" },
  { "branch true, h, h", "10, 20", folds = 10 },
  { "branch false, h, h", "10, 20", folds = 20 },
  { "%4: i1 = bxor %c, true\n  branch %4, h, h", "10, 20", becomes = "branch %c, " },
  { "switch 2, h [1: h, 2: h]", "10, 20, 30", folds = 30 },
  { "switch 1, h [1: h, 2: h]", "10, 20, 30", folds = 20 },
  { "switch 5, h [1: h, 2: h]", "10, 20, 30", folds = 10 },
  { "switch %n, h [1: h, 2: h]", "10, 20, 20" },
}

-- A copy of a function of c:i1 and n:i64, which simplifies by these rules.
local function copied(text, rules)
  local callee = assert(phial.parse(text))
  local fn = phial.fn("f", { "c:i1", "n:i64" }, "i64", { rules = rules })
  local call = fn:entry():call("g", "i64", fn:arg(1), fn:arg(2))
  fn:entry():ret(call)
  fn:finish()
  local _, _, result = callee:copy_into(call:before(), call:args())
  call:replace(result)
  call:erase()
  return fn
end

-- A function with such a terminator.
local function forked(fork, rules)
  local edges = fork[2]:gsub("%d+", "entry: %0")
  return copied(("fn g(%%c: i1, %%n: i64) -> i64 {\nentry:\n  %s\nh: <- %s\n" ..
    "  %%9: i64 = phi x [%s]\n  ret %%9\n}"):format(fork[1], edges:gsub(": %d+", ""), edges), rules)
end

local function all_results(fn)
  local got = {}
  for n = 0, 5 do got[n] = fn(n % 2 == 1, n // 2) end
  return got
end

describe("fn:clean, of edges to one block with unlike operands,", function()
  for _, fork in ipairs(FORKS) do
    for _, rules in ipairs { "int", "" } do
      local name = ("keeps what is taken: %s, %s, rules '%s'"):format(fork[1], fork[2], rules)
      it((name:gsub("\n", ";")), function()
        local fn = forked(fork, phial.rules(rules))
        local before = all_results(fn)
        fn:clean { rules = true }
        assert.is_true(fn:verify())
        assert.same(before, all_results(fn))
        fn:clean()
        assert.same(before, all_results(fn))
        local text = fn:text()
        if fork.folds then
          assert.truthy(text:find("ret " .. fork.folds, 1, true), text)
        elseif not fork.becomes then
          assert.truthy(text:find("phi x", 1, true), text)
        elseif rules == "int" then
          assert.truthy(text:find(fork.becomes, 1, true), text)
        end
      end)
    end
  end

  it("looks at them again once they are alike", function()
    local fn = copied([[
fn g(%c: i1, %n: i64) -> i64 {
entry:
  jump head
head: <- entry, latch
  %p: i64 = phi [entry: %n, latch: %z]
  branch %c, body, body
body: <- head, head
  %q: i64 = phi [head: %p, head: %n]
  %d: i1 = slt %q, 7
  branch %d, latch, done
latch: <- body
  %z: i64 = add %p, 0
  jump head
done: <- body
  ret %q
}]], phial.rules "int")
    fn:clean { rules = true }
    assert.equal("jump", fn:find("head"):terminator():op())
    assert.same({ rules = 0 }, fn:clean { rules = true })
  end)
end)

describe("fn:clean refuses", function()
  it("what is not a table of chores", function()
    local fn = untidy()
    refused(fn, "bad argument #1 to 'clean' (option 'dead': boolean expected, got number)",
      function() fn:clean { dead = 1 } end)
    refused(fn, "bad argument #1 to 'clean' (table expected, got string)",
      function() fn:clean "dead" end)
  end)

  it("functions that are not finished, or have no body", function()
    local fn = phial.fn "f"
    refused(fn, "function 'f' is not finished: edit it after fn:finish()",
      function() fn:clean() end)
    local frozen = assert(phial.parse(fn:text()))
    refused(frozen, "function 'f' was parsed from the text of an unfinished function: it can be "
      .. "read, not changed", function() frozen:clean() end)
    local declared = phial.module("m"):declare "g"
    refused(nil, "function 'g' is a declaration: it has no body", function() declared:clean() end)
  end)
end)

describe("a function of a rule that fn:clean calls", function()
  local act, fn, v
  local R = phial.rules("a: x + C => x if $f(C)", { f = function() return act and act() end }, "r")

  before_each(function()
    act, fn = nil, phial.fn("f", { "n" }, "i64", { rules = R })
    v = fn:entry():add(fn:arg(1), 5)
    fn:entry():ret(v)
    fn:entry():insts()[1]:set_name "sum"
    fn:finish()
  end)

  it("may raise: the function stays well-formed, and can be cleaned later", function()
    function act() error("no", 0) end
    for _, what in ipairs { false, { rules = true } } do
      assert.equal("rule 'a' (r:1): no", raises.message(fn.clean, fn, what or nil))
      assert(fn:verify())
      assert.is_true(fn:is_finished())
      assert.equal(v, fn:entry():insts()[1])
    end
    function act() return true end
    assert.same({ unreached = 0, phis = 0, rules = 1, dead = 0 }, fn:clean())
    assert.equal(fn:arg(1), v)
  end)

  it("cannot close, clean or change the function", function()
    local whys = {}
    function act()
      for _, name in ipairs { "close", "clean", "reopen" } do
        whys[#whys + 1] = raises.message(fn[name], fn)
      end
      debug.getmetatable(fn).__gc(fn) -- is ignored
      return true
    end
    assert.equal(1, fn:clean().rules)
    local waiting = "calling '%s': function 'f' is waiting for a callback of yours (undef, log or "
      .. "of a rule): it %s"
    assert.same({ waiting:format("close", "cannot be closed"),
      waiting:format("clean", "can be read, not changed"),
      waiting:format("reopen", "can be read, not changed") }, whys)
    assert(fn:verify())
  end)
end)

describe("fn:clean with a set of rules", function()
  local function of(rules)
    local fn = phial.fn("f", { "x:i64" }, "i64", { rules = rules })
    local b = fn:entry()
    b:ret(b:add(b:mul(fn:arg(1), 8), 0))
    return fn:finish()
  end
  local function op(fn) return fn:entry():insts()[1]:op() end

  it("applies those in place of its own", function()
    local own = phial.rules "x + 0 => x"
    local phase = phial.rules "low: x * C => x << log2(C) if pow2(C)"
    local fn, told = of(own), {}
    assert.equal(own, fn:rules())
    fn:log(function(e) told[#told + 1] = e.rule end)
    assert.same({ rules = 1 }, fn:clean { rules = phase })
    assert.equal("shl", op(fn))
    assert.same({ "low", "low" }, told)
    assert.equal(own, fn:rules())
    assert.same({ rules = 0 }, fn:clean { rules = true })
    assert.is_nil(fn:stats().rules.low)
    assert.equal(24, fn(3))
  end)

  it("is a phase of a function without rules, and keeps those alive that it has", function()
    local fn = of(false)
    assert.is_nil(fn:rules())
    assert.equal(1, fn:clean { rules = phial.rules "x + 0 => x" }.rules)
    collectgarbage()
    assert.equal(1, fn:clean { rules = phial.rules "x * 8 => x << 3" }.rules)
    assert.same({ rules = 0 }, fn:clean { rules = true })
    assert.equal(24, fn(3))
  end)

  it("attaches the set's dialects, and calls its functions", function()
    local mul8 = { args = { "i64" }, result = "i64", pure = true }
    local fn, phase = of(nil), phial.rules():attach(phial.dialect("m", { mul8 = mul8 }))
    phase:add("shl(x, C) => m.mul8(x) if $is3(C) @ unoriented",
      { is3 = function(C) return C == 3 end })
    fn:clean { rules = phase }
    assert.equal("m.mul8", op(fn))
  end)

  it("leaves the function as it was if a function of the rules fails", function()
    local own = phial.rules()
    local fn = of(own)
    local before = fn:text()
    local fails = { f = function() error("no", 0) end }
    local bad = phial.rules("bad: x * 8 => x << 3 if $f()", fails, "mine")
    assert.equal("rule 'bad' (mine:1): no", raises.message(fn.clean, fn, { rules = bad }))
    assert.equal(before, fn:text())
    assert.equal(own, fn:rules())
    assert.equal(1, fn:clean { rules = phial.rules "x * 8 => x << 3" }.rules)
  end)

  it("refuses what is not a set", function()
    local f = of(nil)
    raises.with("option 'rules': phial.Rules or boolean expected, got 1", f.clean, f, { rules = 1 })
  end)

  it("has the standard set as any other has, which does not change", function()
    local fn = of(nil)
    assert.truthy(fn:rules():text():find "mul_pow2")
    for method, arg in pairs { add = "x * 1 => x", remove = "mul_pow2", include = phial.rules() } do
      raises.with(("calling '%s': the standard rules do not change: phial.rules \"int\" makes "
        .. "a set that has them"):format(method), fn:rules()[method], fn:rules(), arg)
    end
  end)
end)
