-- Which writes reach which reads, for random programs: what accesses say, compared with
-- plain data flow over the program.
local accesses = require "spec.oracle.accesses"
local lazy = require "spec.support.lazy"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local variants = require "spec.support.variants"

local SEALS = { "early", "finish", "random", "count" }

-- The accesses of the function by number.
local function by_number(fn)
  local list = {}
  for _, all in ipairs { fn:read_accesses(), fn:write_accesses() } do
    local last = 0
    for _, it in ipairs(all) do
      assert.is_true(it:id() > last, "in the order of the program")
      last = it:id()
      list[last] = it
    end
  end
  return list
end

local function numbers(list)
  local set = {}
  for i, it in ipairs(list) do
    assert.is_nil(set[it:id()], "each once")
    assert.is_true(i == 1 or list[i - 1]:id() < it:id(), "in the order of the program")
    set[it:id()] = true
  end
  return set
end

-- What writes() and its second result say, as in the oracle.
local function said(writes, undefined)
  local set = numbers(writes)
  set[0] = undefined or nil
  return set
end

-- By the number of a write: the set of the reads that it reaches.
local function turned(expected)
  local reads = {}
  for _, it in ipairs(expected) do
    if it.write then reads[it.number] = {} end
  end
  for _, it in ipairs(expected) do
    for number in pairs(it.from) do
      if number ~= 0 then reads[number][it.number] = true end
    end
  end
  return reads
end

local function compare(fn, vars, blocks, expected)
  local found, reads = by_number(fn), turned(expected)
  assert.equal(#expected, #found)
  for number, it in ipairs(expected) do
    local access = found[number]
    assert.equal(it.write or false, access:is_write())
    assert.equal(it.may ~= nil, access:is_may_write())
    assert.equal(it.var and vars[it.var], access:var())
    assert.equal(blocks[it.block], access:block())
    assert.equal(it.is_reached, access:value() ~= nil)
    if it.write then
      assert.same(reads[number], numbers(access:reads()))
    else
      assert.same(it.from, said(access:writes()))
    end
  end
  return found
end

local function union(expected, list, of)
  local set = {}
  for _, it in ipairs(list) do
    for number in pairs(of(expected[it:id()])) do set[number] = true end
  end
  return set
end

-- Some of the accesses, in any order.
local function some(list)
  local few = {}
  for _, it in ipairs(list) do
    if math.random(3) == 1 then table.insert(few, math.random(#few + 1), it) end
  end
  return few
end

local function compare_lists(fn, expected)
  local reads = turned(expected)
  for _ = 1, 4 do
    local list = some(fn:read_accesses())
    assert.same(union(expected, list, function(it) return it.from end),
      said(fn:defs_and_uses(list)))
    list = some(fn:write_accesses())
    assert.same(union(expected, list, function(it) return reads[it.number] end),
      numbers(fn:defs_and_uses(list)))
  end
end

local function set_of(list)
  local set = {}
  for _, it in ipairs(list) do
    assert.is_nil(set[it], "each once")
    set[it] = true
  end
  return set
end

-- With a limit, as many of those that are found without one.
local function compare_limits(list, method)
  for _, access in ipairs(list) do
    local all, limit = access[method](access), math.random(3)
    local found, among = access[method](access, limit), set_of(all)
    assert.equal(math.min(limit, #all), #found)
    for _, it in ipairs(found) do assert.is_true(among[it]) end
  end
end

-- A program, and a way to build it.
local function drawn(pick)
  local case = { program = programs.generate(pick), accesses = true }
  case.construction, case.seal = variants[pick(#variants)], SEALS[pick(#SEALS)]
  case.form = pick(2) == 1 and "short" or "long"
  return setmetatable(case, { __tostring = function()
    return ("%s, %s, %s\n%s"):format(case.construction, case.seal, case.form, case.program)
  end })
end

-- The same with may-writes.
local function drawn_lazy(pick)
  local case = { program = lazy.generate(pick, 10, true), accesses = true }
  case.construction, case.seal = variants[pick(#variants)], lazy.seals[pick(#lazy.seals)]
  case.rules, case.split = pick(2) == 1, pick(2) == 1
  return setmetatable(case, { __tostring = function()
    return ("%s, %s, rules %s, split %s\n%s"):format(case.construction, case.seal, case.rules,
      case.split, case.program)
  end })
end

describe("accesses", function()
  it("reach each other as data flow says, however phis are placed", function()
    prop.forall(drawn, function(case)
      local expected = accesses.of(case.program)
      local fn, vars, blocks = programs.build(case.program, case)
      compare(fn:finish(), vars, blocks, expected)
      compare_lists(fn, expected)
    end)
  end)

  it("do so with rules", function()
    prop.forall(drawn, function(case)
      case.rules, case.runs = phial.rules "int", true
      local fn, vars, blocks = programs.build(case.program, case)
      compare(fn:finish(), vars, blocks, accesses.of(case.program))
    end, 50)
  end)

  it("do so before the function is finished, when all blocks are sealed", function()
    prop.forall(drawn, function(case)
      local p = programs.pruned(case.program)
      case.seal = "count"
      local fn, vars, blocks = programs.build(p, case)
      compare(fn, vars, blocks, accesses.of(p))
    end, 50)
  end)

  it("do so with may-writes, refinements and ends of variables", function()
    prop.forall(drawn_lazy, function(case)
      local expected = accesses.of_lazy(case.program)
      local fn, built = lazy.build(case.program, case)
      compare(fn:finish(), built.vars, built.blocks, expected)
      compare_lists(fn, expected)
      compare_limits(fn:read_accesses(), "writes")
      compare_limits(fn:write_accesses(), "reads")
    end, 150)
  end)

  it("leave the function as the option copies does", function()
    prop.forall(programs.generate, function(p)
      local with = programs.build(p, { accesses = true }):finish()
      local without = programs.build(p, { copies = true }):finish()
      assert.equal(without:text(), with:text())
    end, 50)
  end)
end)

-- The closure of v under `next`, as a set.
local function closure(v, next)
  local seen, list = { [v] = true }, { v }
  for _, it in ipairs(list) do -- which grows
    for _, other in ipairs(next(it)) do
      if not seen[other] then seen[other], list[#list + 1] = true, other end
    end
  end
  return list
end

local function is_phi(v) return v:op() == "phi" end

describe("values", function()
  it("come from where a search through phis finds them", function()
    prop.forall(programs.generate, function(p)
      local fn = programs.build(p):finish()
      for v in fn:values() do
        local expected, n = {}, 0
        for _, it in ipairs(closure(v, function(it) return is_phi(it) and it:args() or {} end)) do
          if not is_phi(it) then expected[it], n = true, n + 1 end
        end
        assert.same(expected, set_of(v:definitions()))
        for limit = 1, n + 1 do
          local found = set_of(v:definitions(limit))
          local count = 0
          for it in pairs(found) do
            assert.is_true(expected[it])
            count = count + 1
          end
          assert.equal(math.min(limit, n), count)
        end
      end
    end)
  end)
end)
