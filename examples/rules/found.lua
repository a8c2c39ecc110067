-- Rules that are found for a domain of one's own: lengths of paths, of which the shorter is taken
-- or that follow each other; where no path leads, the length is endless.
-- usage: lua5.4 found.lua
local phial = require "phial"

local function length(eval, cost)
  return { args = { "len", "len" }, result = "len", pure = true, commutative = true, cost = cost,
    eval = eval }
end

local function constant(value)
  return { args = {}, result = "len", pure = true, cost = 1, eval = function() return value end }
end

local way = phial.dialect("way", {
  either = length(math.min, 4), both = length(function(a, b) return a + b end, 6),
  none = constant(math.huge), here = constant(0),
  is_less = { args = { "len", "len" }, result = "i1", pure = true, cost = 4,
    eval = function(a, b) return a < b end },
}, { "len" })

-- Lengths at which laws might end, and terms of the ops of which results may be made.
local R = phial.rules():attach(way)
local opts = {
  samples = { ["way.len"] = { 0, 1, 2, 3, 5, 8, 13, math.huge } },
  ops = "way.either(x, y)\n way.both(x, y)\n way.none()\n way.here()\n way.is_less(x, y)",
}
local function show(it)
  print(it.rule, "saves " .. it.saves, (it.verdict:gsub("in %d+", "in n")))
end

-- One term, which is heavier than what it is worth.
show(R:best("way.either(way.both(x, y), way.both(x, z))", opts))

-- All terms of up to two ops and two variables.
opts.enumerate = { size = 2, vars = 2 }
local laws = phial.rules():attach(way)
for _, it in ipairs(R:find(opts)) do
  show(it)
  laws:add(it.rule)
end

-- What a function has, beyond what these do: of the function as its frontend wrote it.
local function shortest(rules)
  return phial.build("shortest", { "a:way.len", "b:way.len", "c:way.len" }, "way.len",
    { rules = rules, dialects = { way } }, function(b, v)
      local function op(name, ...) return b:emit(way[name], ...) end
      local left = op("both", v.a, op("both", op("here"), v.b))
      b:ret(op("either", op("either", left, op("none")), op("both", v.a, v.c)))
    end)
end
opts.enumerate, opts.functions, opts.least = nil, { shortest(laws) }, 1
for _, it in ipairs(laws:find(opts)) do
  show(it)
  laws:add(it.rule)
end
print(shortest(false))
local fn = shortest(laws)
fn:clean { dead = true }
print(fn)
