--- What a statement costs that phial.build makes: the same function by the methods
--- of blocks, in the long and in the short form, and by the builder.
local grid = require "bench.lib.grid"
local phial = require "phial"

local M = {}

-- A function has so many times the same statements: two assignments, a choice
-- with an assignment in each arm, another one, and a loop with two.
local PARTS <const> = 20
local STATEMENTS <const> = 4 + 9 * PARTS + 1

local function start(opts)
  local fn = phial.fn("f", { "n:i64" }, "i64", opts)
  return fn, fn:param(1), fn:var "x", fn:var "y", fn:var "z", fn:var "s", fn:var "i"
end

local function long(opts)
  local fn, n, x, y, z, s, i = start(opts)
  local b = fn:entry()
  b:write(x, b:read(n))
  b:write(y, b:add(b:read(n), 5))
  b:write(z, 0)
  b:write(s, 1)
  for _ = 1, PARTS do
    b:write(x, b:add(b:read(x), b:read(y)))
    b:write(y, b:mul(b:read(x), 3))
    local yes, no, done = fn:block "if_then", fn:block "if_else", fn:block "if_done"
    b:branch(b:slt(b:read(x), b:read(y)), yes, no)
    yes:seal()
    yes:write(z, yes:add(yes:read(z), yes:read(x)))
    yes:jump(done)
    no:seal()
    no:write(z, no:sub(no:read(z), no:read(y)))
    no:jump(done)
    done:seal()
    done:write(i, 0)
    local head, body, after = fn:block "while_head", fn:block "while_body", fn:block "while_done"
    done:jump(head)
    head:branch(head:slt(head:read(i), head:read(n)), body, after)
    body:seal()
    body:write(s, body:add(body:read(s), body:read(i)))
    body:write(i, body:add(body:read(i), 1))
    body:jump(head)
    head:seal()
    after:seal()
    b = after
  end
  b:ret(b:add(b:read(s), b:read(z)))
  return fn:finish()
end

local function short(opts)
  local fn, n, x, y, z, s, i = start(opts)
  local b = fn:entry()
  b:write(x, n)
  b:let(y, "add", n, 5)
  b:write(z, 0)
  b:write(s, 1)
  for _ = 1, PARTS do
    b:let(x, "add", x, y)
    b:let(y, "mul", x, 3)
    local yes, no, done = fn:block "if_then", fn:block "if_else", fn:block "if_done"
    b:branch(b:slt(x, y), yes, no)
    yes:seal()
    yes:let(z, "add", z, x)
    yes:jump(done)
    no:seal()
    no:let(z, "sub", z, y)
    no:jump(done)
    done:seal()
    done:write(i, 0)
    local head, body, after = fn:block "while_head", fn:block "while_body", fn:block "while_done"
    done:jump(head)
    head:branch(head:slt(i, n), body, after)
    body:seal()
    body:let(s, "add", s, i)
    body:let(i, "add", i, 1)
    body:jump(head)
    head:seal()
    after:seal()
    b = after
  end
  b:ret(b:add(s, z))
  return fn:finish()
end

local function build(opts)
  return phial.build("f", { "n:i64" }, "i64", opts, function(b, v)
    v.x = v.n
    v.y = v.n + 5
    v.z = 0
    v.s = 1
    for _ = 1, PARTS do
      v.x = v.x + v.y
      v.y = v.x * 3
      b:if_(v.x:slt(v.y), function() v.z = v.z + v.x end, function() v.z = v.z - v.y end)
      v.i = 0
      b:while_(function() return v.i:slt(v.n) end, function()
        v.s = v.s + v.i
        v.i = v.i + 1
      end)
    end
    b:ret(v.s + v.z)
  end)
end

local forms = { long, short, build }

local function check_same(opts)
  local text = long(opts):text { ids = "dense" }
  for _, make in ipairs(forms) do assert(make(opts):text { ids = "dense" } == text) end
end

--- Nanoseconds per statement of some functions made that way.
local function timed(make, opts)
  local functions <const> = 50
  collectgarbage()
  collectgarbage()
  local start_time = os.clock()
  for _ = 1, functions do
    local _ <close> = make(opts)
  end
  return (os.clock() - start_time) * 1e9 / functions / STATEMENTS
end

local ways = {
  { "default options", {} },
  { "without rules and places", { rules = false, where = false } }
}

--- A table: the least nanoseconds per statement of some rounds, in which the forms
--- take turns.
---@param rounds integer
---@return string
function M.table(rounds)
  local rows = { {
    "", "long form", "short form", "phial.build", "times the long form",
    "times the short form"
  } }
  for _, way in ipairs(ways) do
    local name, opts = way[1], way[2]
    local best = { math.huge, math.huge, math.huge }
    check_same(opts)
    for _ = 1, rounds do
      for i, make in ipairs(forms) do best[i] = math.min(best[i], timed(make, opts)) end
    end
    rows[#rows + 1] = {
      name, grid.number(best[1]), grid.number(best[2]), grid.number(best[3]),
      grid.number(best[3] / best[1], 2), grid.number(best[3] / best[2], 2)
    }
  end
  return grid.text(rows)
end

return M
