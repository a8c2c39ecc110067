--- What the first call of a large function costs: the time until it runs, by phase.
local emit = require "phial.emit.lua"
local grid = require "bench.lib.grid"
local phial = require "phial"

local M = {}

-- A function of that many blocks, at most, which `write` writes.
local function build(write, n)
  local fn = phial.fn("large", { "n:i64" }, "i64", { rules = false })
  local b, vars = fn:entry(), {}
  for i = 1, 30 do
    vars[i] = fn:var("v" .. i)
    b:write(vars[i], i)
  end
  local sum = write(fn, b, vars, n)
  sum:ret(sum:add(vars[1], vars[2]))
  return fn:finish()
end

local shapes = {}

-- A chain of branches, whose ways change a variable or two.
shapes[1] = { name = "diamonds", write = function(fn, b, vars, n)
  for i = 1, n - 3, 3 do
    local yes, no, join = fn:block(nil, 1), fn:block(nil, 1), fn:block(nil, 2)
    local x, y = vars[i % 8 + 1], vars[i // 3 % 8 + 1]
    b:branch(b:slt(x, i), yes, no)
    yes:let(x, "mul", x, 3)
    yes:let(x, "add", x, y)
    yes:jump(join)
    no:let(y, "bxor", x, fn:arg(1))
    no:jump(join)
    b = join
  end
  return b
end }

-- Blocks of 30 instructions; every second one joins two ways, with a phi for each variable.
shapes[2] = { name = "30 values each", write = function(fn, b, vars, n)
  for i = 1, n - 2, 2 do
    local way, join = fn:block(nil, 1), fn:block(nil, 2)
    b:branch(b:slt(vars[i % 30 + 1], i), way, join)
    for k = 1, 30 do way:let(vars[k], "add", vars[k % 30 + 1], vars[(k + i) % 30 + 1]) end
    way:jump(join)
    b = join
  end
  return b
end }

-- One switch, whose cases change a variable each.
shapes[3] = { name = "switch", write = function(fn, b, vars, n)
  local default, join, cases = fn:block(nil, 1), fn:block(nil, n - 2), {}
  for i = 1, n - 3 do cases[i] = fn:block(nil, 1) end
  b:switch(fn:arg(1), default, cases)
  for i, case in ipairs(cases) do
    case:let(vars[i % 30 + 1], "add", fn:arg(1), i)
    case:jump(join)
  end
  default:jump(join)
  return join
end }

local function timed(f, ...)
  collectgarbage()
  local start = os.clock()
  local result = f(...)
  return os.clock() - start, result
end

-- The seconds of each phase, and of a first call.
local function measure(shape, n)
  local fn = build(shape.write, n)
  local writing, made = timed(emit.generate, fn)
  local loading, chunk = timed(load, made.source)
  local running, result = timed(function() return chunk(made.host)(5) end)
  local all, same = timed(fn, 5)
  assert(result == same)
  return { all, writing, loading, running, (timed(fn, 5)) }
end

--- A table with a row for each shape: seconds, the least of some rounds.
---@param n integer blocks
---@param rounds integer
---@return string
function M.table(n, rounds)
  local rows = { { "function", "values", "first call", "writing Lua", "loading it", "running it",
    "second call" } }
  for _, shape in ipairs(shapes) do
    local row, best = { shape.name, grid.number(build(shape.write, n):stats().values) }, {}
    for _ = 1, rounds do
      for i, seconds in ipairs(measure(shape, n)) do
        best[i] = math.min(best[i] or math.huge, seconds)
      end
    end
    for i, seconds in ipairs(best) do row[i + 2] = grid.number(seconds, 3) end
    rows[#rows + 1] = row
  end
  return grid.text(rows)
end

return M
