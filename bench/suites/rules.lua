-- What rules cost a frontend written in Lua, and what they gain: time to construct
-- functions with and without them, additions with thousands of rules for additions, and the
-- number of instructions that remain.
-- Prints tables in Markdown.
-- usage: lua5.4 bench/suites/rules.lua [ROUNDS]
package.path = "./?.lua;examples/?.lua;" .. package.path
require "bench.lib.tree"

local phial = require "phial"
local arithmetic = require "spec.support.arithmetic"
local compile = require("while.compile").compile
local random = require "examples.while.spec.random"

local ROUNDS = tonumber(arg[1]) or 5
local int, none = phial.rules "int", phial.rules()

-- {== Time ==============================================================

-- The best of some rounds, in each of which every column has its turn.
local function compare(columns, run)
  local best = {}
  for _ = 1, ROUNDS do
    for i, column in ipairs(columns) do
      collectgarbage()
      local before = os.clock()
      run(column.rules)
      local time = os.clock() - before
      best[i] = math.min(best[i] or time, time)
    end
  end
  return best
end

local OPS = { "add", "sub", "mul", "band", "bor", "bxor", "shl", "shr" }
local INSTRUCTIONS = 20000

-- One block of random instructions; a third of them have a constant.
local function stream(rules)
  math.randomseed(1)
  local fn = phial.fn("f", { "a", "b", "c", "d" }, nil, { rules = rules })
  local b, latest = fn:entry(), {}
  for i = 0, 63 do latest[i] = fn:arg(i % 4 + 1) end
  for _ = 1, INSTRUCTIONS do
    local right = math.random(3) == 1 and math.random(64) - 8 or latest[math.random(0, 63)]
    latest[math.random(0, 63)] = b[OPS[math.random(8)]](b, latest[math.random(0, 63)], right)
  end
end

local texts = {}
local function slurp(path)
  local f <close> = assert(io.open(path))
  return f:read "a"
end
for _, name in ipairs { "collatz", "gcd", "primes", "pythagoras" } do
  texts[#texts + 1] = slurp("examples/while/programs/" .. name .. ".while")
end
math.randomseed(1)
for _ = 1, 200 do texts[#texts + 1] = random.program(function(n) return math.random(n) end) end

local function translate(rules)
  local fns = {}
  for i, text in ipairs(texts) do
    local t = compile("p" .. i, text, nil, { rules = rules })
    fns[#fns + 1] = t and t.fn
  end
  return fns
end

local function guard_cost()
  local rules = phial.rules("g: x + C => x if $g(C)", { g = function() return false end })
  return compare({ { rules = none }, { rules = rules } }, function(set)
    local fn = phial.fn("f", { "a" }, nil, { rules = set })
    local b, v = fn:entry(), fn:arg(1)
    for i = 1, INSTRUCTIONS do v = b:add(v, i) end
  end)
end

local function times()
  local columns = {
    { name = "none", rules = false }, { name = "folding and CSE", rules = none },
    { name = "\"int\"", rules = int },
  }
  local emitting, translating = compare(columns, stream), compare(columns, translate)
  print "| rules | random instructions, ns each | | While, us a program | |\n|---|---|---|---|---|"
  for i, column in ipairs(columns) do
    print(("| %s | %.0f | %.2f | %.0f | %.2f |"):format(column.name,
      emitting[i] / INSTRUCTIONS * 1e9, emitting[i] / emitting[1],
      translating[i] / #texts * 1e6, translating[i] / translating[1]))
  end
  local guard = guard_cost()
  print(("\na guard in Lua that says no: %.0f ns\n"):format(
    (guard[2] - guard[1]) / INSTRUCTIONS * 1e9))
end

-- {== Many rules with one head ===========================================

local BINARY <const> = { "add", "sub", "mul", "band", "bor", "bxor", "shl", "shr", "sar", "rotl",
  "rotr", "sdiv", "udiv", "srem", "urem", "smin", "smax", "umin", "umax", "umulh", "smulh" }
local MOST <const> = 9000 -- fewer than triples of these

-- A rule for additions, the i-th; none of them applies to those below.
local DIFFER_IN <const> = {
  { "a literal", function(i) return ("x + %d => x"):format(i + 100000) end },
  { "a constant in a guard", function(i) return ("x + C => x if C == %d"):format(i + 100000) end },
  { "ops of operands of operands, and of theirs", function(i)
    local n = #BINARY
    return ("%s(%s(x, y), z) * %s(v, w) + 7 => x"):format(BINARY[i % n + 1],
      BINARY[i // n // n + 1], BINARY[i // n % n + 1])
  end },
}

-- Products to which a constant is added; the rules have the ops of each, in other places.
local function additions(set)
  local fn = phial.fn("f", { "x", "y", "z" }, nil, { rules = set })
  local b, x, y, z = fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3)
  local products = {}
  for i = 1, 50 do
    products[i] = b:mul(b:umin(b:smax(b:bxor(x, i), y), z), b:bor(x, i + 100))
  end
  for i = 1, INSTRUCTIONS do b:add(products[i % 50 + 1], i + 10) end
end

local function many()
  print "| additions, ns more, by rules that differ in | 100 rules | 1,000 | 9,000 |"
  print "|---|---|---|---|"
  for _, it in ipairs(DIFFER_IN) do
    local columns = { { rules = none } }
    for _, count in ipairs { 100, 1000, MOST } do
      local lines = {}
      for i = 1, count do lines[i] = it[2](i) end
      columns[#columns + 1] = { rules = phial.rules(table.concat(lines, "\n")) }
    end
    local best, more = compare(columns, additions), {}
    for i = 2, #best do
      more[i - 1] = ("%.0f"):format((best[i] - best[1]) / INSTRUCTIONS * 1e9)
    end
    print(("| %s | %s |"):format(it[1], table.concat(more, " | ")))
  end
  print()
end

-- {== Instructions left =================================================

local function instructions(fns)
  local n = 0
  for _, fn in ipairs(fns) do
    local stats = fn:stats()
    n = n + stats.values - stats.phis
  end
  return n
end

local function arithmetic_programs(rules)
  local fns = {}
  for seed = 1, 1000 do
    math.randomseed(seed)
    local program = arithmetic.generate(function(n) return math.random(n) end)
    fns[seed] = arithmetic.build(program, print, { rules = rules })
  end
  return fns
end

local function add_hits(hits, fns)
  for _, fn in ipairs(fns) do
    for name, n in pairs(fn:stats().rules) do hits[name] = (hits[name] or 0) + n end
  end
end

local function share(name, make, hits)
  local all, merged, ruled = make(false), make(none), make(int)
  for _, fns in ipairs { all, merged, ruled } do
    for _, fn in ipairs(fns) do fn:clean { dead = true } end
  end
  local early, late = 0, 0
  for _, fn in ipairs(ruled) do
    local s = fn:stats()
    early = early + s.folded + s.applied + s.merged
    late = late + s.late_folded + s.late_applied + s.late_merged
  end
  add_hits(hits, ruled)
  local n = instructions(all)
  print(("| %s | %d | %.1f %% | %.1f %% | %d | %d |"):format(name, n,
    instructions(merged) / n * 100, instructions(ruled) / n * 100, early, late))
end

local function shares()
  local hits, names = {}, {}
  print "| programs | instructions | folding and CSE leave | \"int\" leaves | hits | of finish |"
  print "|---|---|---|---|---|---|"
  share("While", translate, hits)
  share("random", arithmetic_programs, hits)
  for name in pairs(hits) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    return hits[a] > hits[b] or hits[a] == hits[b] and a < b
  end)
  for i, name in ipairs(names) do names[i] = name .. " " .. hits[name] end
  print("\nrules applied: " .. table.concat(names, ", "))
end

-- }====================================================================

times()
many()
shares()
