-- What fn:solve costs besides the functions that it calls: compared with a bare loop over
-- the values that calls the same functions.
local growth = require "spec.support.growth"
local phial = require "phial"

local function one() return 1 end

local transfer = { add = one, default = one }

local function straight(n)
  local fn = phial.fn("f", { "x" }, "i64", { rules = false, where = false })
  local b, v = fn:entry(), fn:arg(1)
  for i = 1, n do v = b:add(v, i % 100) end
  b:ret(v)
  return fn:finish { verify = false }
end

local function solve(fn) return fn:solve { bottom = 0, join = math.max, transfer = transfer } end

local function bare(fn)
  local facts = {}
  for v in fn:values() do facts[v] = (transfer[v:op()] or transfer.default)(v) end
  return facts
end

-- The values are in a list, and all functions are called in the same way.
local function barest(_, list)
  for i = 1, #list do (transfer[list[i]:op()] or transfer.default)(list[i]) end
end

--- Measures n values, each in turn, and takes the best of some times.
---@param n integer
---@param repeats integer
---@return table<string, number> seconds solve, bare (which keeps facts), barest
return function(n, repeats)
  local fn, list = straight(n), {}
  for v in fn:values() do list[#list + 1] = v end
  local function made() return fn, list end
  local best = {}
  for _ = 1, repeats do
    for name, call in pairs { solve = solve, bare = bare, barest = barest } do
      best[name] = math.min(best[name] or math.huge, growth.seconds(n, made, call))
    end
  end
  return best
end
