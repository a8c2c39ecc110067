-- residue.lua: what the default rules leave: the instructions and phis that remain
-- after a sweep, with folding and merging alone and with the default rules,
-- compared with neither; and how much of the difference is found in `finish`.
--
-- usage: lua5.4 bench/suites/residue.lua [RUNS]       (default: 500 random programs)

package.path = "./?.lua;examples/?.lua;" .. package.path
require "bench.lib.tree"

local phial = require "phial"
local arithmetic = require "spec.support.arithmetic"
local patterns = require "spec.support.patterns"
local random = require "examples.while.spec.random"
local compile = require("while.compile").compile

local RUNS = tonumber(arg[1] or 500)
local SETS = { { "none", false }, { "folding, merging", phial.rules() },
  { "default rules", phial.rules "int" } }

local function pick(n) return math.random(n) end

-- phial.fn with other options, and what it has made.
local make = phial.fn
local function with(rules, work)
  local made = {}
  phial.fn = function(name, params, result, opts)
    opts = opts or {}
    opts.rules = rules
    made[#made + 1] = make(name, params, result, opts)
    return made[#made]
  end
  work()
  phial.fn = make
  return made
end

-- Each corpus: a list of functions that build.
local corpora = {}

local function corpus(name, each)
  local list = {}
  for i = 1, RUNS do
    math.randomseed(i)
    list[i] = each()
  end
  corpora[#corpora + 1] = { name = name, list = list }
end

local function whiles(dir)
  local list = {}
  for _, name in ipairs { "collatz", "gcd", "primes", "pythagoras" } do
    local file <close> = assert(io.open(("%s/%s.while"):format(dir, name)))
    local text = file:read "a"
    list[#list + 1] = function() compile(name, text) end
  end
  corpora[#corpora + 1] = { name = "While programs of the examples", list = list }
end

local RULES = patterns.read(patterns.standard())

whiles "examples/while/programs"
corpus("random While programs", function()
  local text = random.program(pick, true)
  return function() compile("random", text) end
end)
for _, seal in ipairs { "early", "late" } do
  corpus("random arithmetic, sealed " .. seal, function()
    local program = arithmetic.generate(pick, 12)
    return function() arithmetic.build(program, "show", { seal = seal }) end
  end)
  corpus("random patterns of rules, sealed " .. seal, function()
    local program = arithmetic.generate(pick, 12, RULES)
    return function() arithmetic.build(program, "show", { seal = seal }) end
  end)
end

local COUNTS = { "values", "folded", "applied", "merged", "late_folded", "late_applied",
  "late_merged" }

local function measure(list, rules, hits)
  local sum = { swept = 0 }
  for _, build in ipairs(list) do
    for _, fn in ipairs(with(rules, build)) do
      local stats = fn:stats()
      for _, name in ipairs(COUNTS) do sum[name] = (sum[name] or 0) + stats[name] end
      for name, n in pairs(stats.rules or {}) do hits[name] = (hits[name] or 0) + n end
      fn:clean { dead = true }
      sum.swept = sum.swept + fn:stats().values
    end
  end
  return sum
end

local hits = {}
print("| | rules | instructions and phis | swept | left | emitting: folded, applied, merged |"
  .. " finish |")
print "|---|---|---|---|---|---|---|"
for _, c in ipairs(corpora) do
  local plain
  for _, set in ipairs(SETS) do
    local s = measure(c.list, set[2], set[2] == SETS[3][2] and hits or {})
    plain = plain or s.swept
    print(("| %s | %s | %d | %d | %.1f %% | %d, %d, %d | %d, %d, %d |"):format(c.name, set[1],
      s.values, s.swept, 100 * s.swept / plain, s.folded, s.applied, s.merged, s.late_folded,
      s.late_applied, s.late_merged))
  end
end

local names = {}
for name in pairs(hits) do names[#names + 1] = name end
table.sort(names, function(a, b)
  if hits[a] ~= hits[b] then return hits[a] > hits[b] end
  return a < b
end)
print(("\n%d rules applied; the most frequent:"):format(#names))
for i = 1, math.min(20, #names) do print(("%6d  %s"):format(hits[names[i]], names[i])) end
