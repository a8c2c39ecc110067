-- What is live where: at the ends of blocks and after instructions, compared with the least
-- solution of the textbook's equations, point by point.
local arithmetic = require "spec.support.arithmetic"
local assert = require "spec.support.assert"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"

--
-- {== The equations ===================================================
--

local function add(set, v)
  local fresh = v:op() ~= "const" and v:op() ~= "undef" and not set[v]
  if fresh then set[v] = true end
  return fresh
end

local function is_result(v) return v:op() == "proj" and v:args()[1]:op() ~= "phi" end

local function drop_defined(set, v)
  for _, result in ipairs(v:type() and v:results() or {}) do set[result] = nil end
end

-- What an instruction makes of the set after it, which is kept in `behind`.
local function step(set, v, behind)
  behind[v] = behind[v] or {}
  for w in pairs(set) do behind[v][w] = true end
  if is_result(v) then return end
  drop_defined(set, v)
  for _, arg in ipairs(v:args()) do add(set, arg:now()) end
end

local function drop_phis(set, b)
  for _, phi in ipairs(b:phis()) do set[phi] = nil end
end

-- The sets at the starts and ends of blocks, and after instructions.
local function solve(fn)
  local starts, ends, behind, changed = {}, {}, {}, nil
  for b in fn:blocks() do starts[b], ends[b] = {}, {} end
  local function pass(b)
    local set, insts = {}, b:insts()
    for v in pairs(ends[b]) do set[v] = true end
    for i = #insts, 1, -1 do step(set, insts[i], behind) end
    for _, phi in ipairs(b:phis()) do behind[phi] = set end
    starts[b] = {}
    for v in pairs(set) do starts[b][v] = true end
    drop_phis(starts[b], b)
    for i, pred in ipairs(b:preds()) do
      for v in pairs(starts[b]) do changed = add(ends[pred], v) or changed end
      for _, phi in ipairs(b:phis()) do
        changed = add(ends[pred], phi:args()[i]:now()) or changed
      end
    end
  end
  repeat
    changed = false
    for b in fn:blocks() do pass(b) end
  until not changed
  return starts, ends, behind
end

-- }== Comparing =======================================================

local function check(expected, list)
  local got, last = {}, 0
  for _, v in ipairs(list) do
    assert.is_true(v:id() > last)
    got[v], last = true, v:id()
  end
  assert.same(expected, got)
end

local function check_instruction(v, behind)
  local across = {}
  check(behind[v], v:live_out())
  for w in pairs(behind[v]) do across[w] = true end
  if v:op() == "phi" then
    drop_phis(across, v:block())
  else
    drop_defined(across, is_result(v) and v:args()[1] or v)
  end
  check(across, v:live_across())
end

local function check_all(fn)
  local starts, ends, behind = solve(fn)
  for b in fn:blocks() do
    local all = table.move(b:insts(), 1, #b:insts(), #b:phis() + 1, b:phis())
    for i = #all, 2, -1 do -- in any order
      local other = all[i]:id() % i + 1
      all[i], all[other] = all[other], all[i]
    end
    for _, v in ipairs(all) do
      if not is_result(v) then check_instruction(v, behind) end
    end
    check(starts[b], b:live_in())
    check(ends[b], b:live_out())
  end
end

-- }== Cases ===========================================================

describe("what is live at a point", function()
  it("is what the equations say, in programs of few ops", function()
    prop.forall(programs.generate, function(p)
      check_all(programs.build(p, { runs = true }):finish())
    end)
  end)

  it("is what the equations say, in programs of all ops", function()
    prop.forall(arithmetic.generate, function(p) check_all(arithmetic.build(p, print)) end)
  end)

  it("counts all results of an instruction from there on, whichever are taken where", function()
    local D = phial.dialect("d", { two = { args = 1, results = { "i64", "i64" } } })
    local fn = phial.fn("f", { "c:i1", "n:i64" }, "i64", { rules = false, dialects = { D } })
    local entry, left, right = fn:entry(), fn:block("left", 1), fn:block("right", 1)
    local first, second = entry:emit(D.two, fn:arg(2))
    local more = entry:add(first, 1)
    entry:branch(fn:arg(1), left, right)
    left:ret(second)
    right:ret(more)
    fn:finish()
    second:move_before(left:terminator())
    assert.same({ fn:arg(1), first, second }, first:live_out())
    assert.same({ fn:arg(1) }, first:live_across())
    assert.same({ fn:arg(1), second }, more:live_across())
    assert.same({ second }, left:live_in())
    assert.same({ second, more }, entry:live_out())
    assert.same(entry:live_out(), entry:terminator():live_out())
  end)

  it("is known while a function is built, and asked again after edits", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    local entry = fn:entry()
    local x = entry:add(fn:arg(1), 1)
    assert.same({}, x:live_out())
    local y = entry:mul(x, fn:arg(1))
    assert.same({ fn:arg(1), x }, x:live_out())
    assert.same({ fn:arg(1) }, x:live_across())
    entry:ret(y)
    fn:finish()
    y:set_arg(2, x)
    assert.same({ x }, x:live_out())
  end)

  it("is not asked of what is in no block", function()
    local fn = phial.fn("f", { "n:i64" }, "i64")
    refused(fn, "'%n' is not an instruction: it is in no block",
      function() fn:arg(1):live_out() end)
    local seven = fn:const(7)
    refused(fn, "'7' is not an instruction: it is in no block", function() seven:live_across() end)
  end)
end)
