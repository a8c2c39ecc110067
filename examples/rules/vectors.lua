-- Vectors: a swizzle says by its data which lanes it takes. Rules compare data ("xyzw"), give them
-- a name, and hand a composed one on, so that chains of swizzles become one, or none.
-- usage: lua5.4 vectors.lua
local phial = require "phial"

local LANES <const> = "xyzw"
local function nth(swizzle, i) return LANES:find(swizzle:sub(i, i), 1, true) end

-- What b takes of what a takes.
local function compose(a, b)
  return (b:gsub(".", function(lane) return a:sub(LANES:find(lane), LANES:find(lane)) end))
end

local function lanes(f)
  return function(...)
    local result = {}
    for i = 1, 4 do result[i] = f(i, ...) end
    return result
  end
end

local v = phial.dialect("v", {
  splat = { args = { "i64" }, result = "v4", pure = true, cost = 2,
    eval = lanes(function(_, k) return k end) },
  swz = { args = { "v4" }, result = "v4", pure = true, cost = 4,
    eval = lanes(function(i, a, swizzle) return a[nth(swizzle, i)] end) },
  add = { args = { "v4", "v4" }, result = "v4", pure = true, commutative = true, cost = 4,
    eval = lanes(function(i, a, b) return a[i] + b[i] end) },
  sub = { args = { "v4", "v4" }, result = "v4", pure = true, cost = 4,
    eval = lanes(function(i, a, b) return a[i] - b[i] end) },
  lane = { args = { "v4" }, result = "i64", pure = true, cost = 3,
    eval = function(a, i) return a[i] end },
}, { "v4" })

local LAWS <const> = [[
  same:       v.swz{"xyzw"}(a)                        => a
  compose:    v.swz{B}(v.swz{A}(a))                   => v.swz{$compose(A, B)}(a)
  splat:      v.swz{_}(v.splat(k))                    => v.splat(k)
  joint:      [v.add|v.sub](v.swz{A}(a), v.swz{A}(b)) => v.swz{A}([v.add|v.sub](a, b))
  lane_swz:   v.lane{I}(v.swz{A}(a))                  => v.lane{$nth(A, I)}(a)
  lane_splat: v.lane{_}(v.splat(k))                   => k
  lane_sum:   v.lane{I}(once([v.add|v.sub](a, b)))    => [add|sub](v.lane{I}(a), v.lane{I}(b))
    @ unoriented
]]
local R = phial.rules():attach(v):add(LAWS, { compose = compose, nth = nth })

-- Composed the wrong way round; and of any data, which must be the same on both sides.
local hasty = phial.rules():attach(v):add([[
  compose: v.swz{B}(v.swz{A}(a))                  => v.swz{$compose(B, A)}(a)
  joint:   v.add(v.swz{A}(a), v.swz{B}(b))        => v.swz{A}(v.add(a, b))
]], { compose = compose })

local samples = {
  ["v.v4"] = { { 1, 2, 3, 4 }, { 5, 7, 11, 13 }, { 0, 0, 0, 0 } },
  ["v.swz"] = { "xyzw", "wzyx", "yxwz", "xxyy", "zzzz" }, ["v.lane"] = { 1, 2, 3, 4 },
}
for _, set in ipairs { R, hasty } do
  for _, verdict in ipairs(select(2, set:check { samples = samples })) do
    print((verdict:gsub("applied in %d+", "applied in n")))
  end
end

-- The first lane of reverse(reverse(a) + reverse(b)) - 3.
local function first(set)
  local fn = phial.fn("first", { "a:v.v4", "b:v.v4" }, "i64", { rules = set, dialects = { v } })
  local e, a, b = fn:entry(), fn:arg(1), fn:arg(2)
  local function reverse(x) return e:emit(v.swz, x, { data = "wzyx" }) end
  local sum = reverse(e:emit(v.add, reverse(a), reverse(b)))
  e:ret(e:emit(v.lane, e:emit(v.sub, sum, e:emit(v.splat, 3)), { data = 1 }))
  fn:finish()
  fn:clean { dead = true }
  return fn
end

for _, set in ipairs { false, R } do
  local fn = first(set)
  print(fn)
  print(fn({ 1, 2, 3, 4 }, { 5, 7, 11, 13 }))
end
