-- The analyses of examples/analyses: what they find equals what evaluating everything until
-- nothing changes finds, holds in runs, and is what it is said to be.
local assert = require "spec.support.assert"
local file = require "spec.support.file"
local flowing = require "spec.support.flowing"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local semantics = require "spec.oracle.semantics"
local solving = require "spec.oracle.solving"

package.path = "examples/?.lua;" .. package.path
local constants = require "analyses.constants"
local fold = require "analyses.fold"
local tags = require "analyses.tags"
local taint = require "analyses.taint"

local PROBLEMS = {
  constants = constants.problem, ranges = function() return require "analyses.ranges" end,
  nilness = function() return require "analyses.nilness" end,
  liveness = function() return require "analyses.liveness" end,
  tags = function() return tags.problem end,
  taint = function()
    return taint.problem { sources = { "t.source" }, cleaners = { "t.clean" } }
  end,
}

local function problem(name) return (PROBLEMS[name]()) end

local function forall(lang, check, plain)
  prop.forall(function(pick) return programs.generate(pick, 12) end, function(program)
    local fn = flowing.build(program, flowing[lang], plain)
    check(fn)
    fn:close()
  end, 60)
end

describe("what an analysis finds", function()
  for name, lang in pairs {
    constants = "numbers", liveness = "numbers", taint = "numbers", nilness = "lua", tags = "lua",
  } do
    it("is the least solution: " .. name, function()
      forall(lang, function(fn)
        local it = problem(name)
        solving.compare(fn, it, fn:solve(it))
      end)
    end)
  end
end)

-- What runs of a function show, with all arguments of its language.
local function run(fn, lang, watch, follow)
  for _, args in ipairs(flowing[lang].args) do
    pcall(semantics.run, fn, { fuel = 40, watch = watch, follow = follow }, args[1], args[2])
  end
end

-- That `holds(fact, value)` for all values of runs, and that what is run is reached.
local function sound(name, lang, holds)
  it("holds in runs: " .. name, function()
    forall(lang, function(fn)
      local solution, wrong = fn:solve(problem(name)), nil
      run(fn, lang, function(v, value)
        if v:type() and not holds(solution:fact(v), value) then wrong = tostring(v) end
      end, function(b, k)
        if not solution:is_taken(b, b:succs()[k]) then wrong = tostring(b) end
      end)
      assert.is_nil(wrong, tostring(fn))
    end)
  end)
end

local BITS = { [true] = 4, [false] = 2 }

describe("what an analysis finds", function()
  sound("constants", "numbers", function(fact, value)
    return fact == constants.VARIES or fact == value
  end)
  sound("ranges", "numbers", function(fact, value)
    if type(value) == "boolean" then value = value and 1 or 0 end
    return fact[1] <= value and value <= fact[2]
  end)
  sound("nilness", "lua", function(fact, value)
    return fact & (value == nil and 1 or BITS[value] or 4) ~= 0
  end)
  sound("tags", "lua", function(fact, value)
    return fact & (BITS[value] or tags.TAGS[type(value)]) ~= 0
  end)
end)

describe("folding", function()
  local function results(fn)
    local list = {}
    for i, args in ipairs(flowing.numbers.args) do
      list[i] = { pcall(fn, args[1], args[2], { fuel = 200 }) }
      if not list[i][1] then list[i] = list[i][2]:match "out of fuel" or "trap" end
    end
    return list
  end

  it("changes nothing that a run shows", function()
    local folded = 0
    forall("numbers", function(fn)
      local before = results(fn)
      local values, edges = fold(fn)
      folded = folded + values + edges
      assert(fn:verify())
      for i, after in ipairs(results(fn)) do
        -- fewer blocks may be entered
        if before[i] ~= "out of fuel" then assert.same(before[i], after) end
      end
    end)
    assert.is_true(folded > 0)
  end)
end)

local pure = {}
for _, row in ipairs(phial.ops()) do pure[row.name] = row.pure end

describe("liveness", function()
  it("finds what a sweep leaves", function()
    forall("numbers", function(fn)
      local solution, live, left = fn:solve(problem "liveness"), {}, {}
      local roots = {} -- a sweep knows which of them act
      for v in fn:values() do
        live[v:id()], roots[v:id()] = solution:fact(v) or nil, not pure[v:op()]
      end
      fn:clean { dead = true }
      for v in fn:values() do left[v:id()] = true end
      for id in pairs(left) do live[id] = live[id] or roots[id] or nil end
      assert.same(left, live)
    end, true)
  end)
end)

describe("taint", function()
  -- The sinks by searching forward from the sources.
  local function search(fn)
    local met, todo, sinks = {}, {}, {}
    for v in fn:values() do
      if v:op() == "t.source" then todo[#todo + 1], met[v] = v, true end
    end
    for _, v in ipairs(todo) do
      for _, user in ipairs(v:users()) do
        if user:op() == "t.use" then sinks[user] = true end
        if user:op() ~= "t.clean" and not met[user] then todo[#todo + 1], met[user] = user, true end
      end
    end
    return sinks
  end

  it("finds the sinks that a path of uses leads to", function()
    forall("numbers", function(fn)
      local found = {}
      for _, v in ipairs(taint.find(fn, {
        sources = { "t.source" }, cleaners = { "t.clean" }, sinks = { "t.use" } })) do
        found[v] = true
      end
      assert.same(search(fn), found)
    end)
  end)
end)

it("each analysis has at most 40 lines of code", function()
  for name in pairs(PROBLEMS) do
    local lines = 0
    for line in file.read("examples/analyses/" .. name .. ".lua"):gmatch "[^\n]+" do
      if not line:find "^%s*%-%-" then lines = lines + 1 end
    end
    assert.is_true(lines <= 40, name)
  end
end)
