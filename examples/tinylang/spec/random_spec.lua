-- Random modules of tinylang: the same results in each way to run them.
local prop = require "spec.support.prop"
local random = require "examples.tinylang.spec.random"
local under = require "spec.support.under"
local ways = require "examples.tinylang.spec.ways"

local compile = require("tinylang.compile").compile

local ARGUMENTS = { { 3, -5 }, { 0, 1000000007 } }

-- The outcomes of a program whose modules have a procedure Call each.
local function outcomes(way, program, names)
  local calls = {}
  for _, name in ipairs(names) do
    for _, arguments in ipairs(ARGUMENTS) do
      calls[#calls + 1] = { name .. ".Call", arguments }
    end
  end
  return way(program, calls)
end

-- A module, and the options for it.
local function case(pick)
  local it = { opts = pick(2) == 1 and {} or { rules = false }, text = random.module(pick) }
  return setmetatable(it, { __tostring = function() return it.text end })
end

describe("a random module", function()
  it("computes what it means, with rules and without", function()
    prop.forall(case, function(it)
      local program = assert(compile({ { path = "random.mod", text = it.text } }, it.opts))
      assert(program.module:verify())
      local expected = outcomes(ways.oracle, program, { "Random" })
      assert.same(expected, outcomes(ways.instance, program, { "Random" }))
    end)
  end)
end)

-- Compilers take many modules at once; under a sanitizer all is slow.
local MANY = tonumber(os.getenv "RUNS") or under.slow and 10
  or os.getenv "LONG" and 300 or 40

local function many()
  local texts, names = {}, {}
  for i = 1, MANY do
    math.randomseed(1000 + i)
    names[i] = "R" .. i
    texts[i] = random.module(math.random, names[i])
  end
  return assert(compile { { path = "random.mod", text = table.concat(texts) } }), names
end

describe("random modules", function()
  local program, names, expected
  setup(function()
    program, names = many()
    expected = outcomes(ways.oracle, program, names)
  end)

  for _, kind in ipairs { "instance", "native", "lli" } do
    it("agree: " .. kind, function()
      if not ways[kind] then return pending "not installed" end
      assert.same(expected, outcomes(ways[kind], program, names))
    end)
  end
end)
