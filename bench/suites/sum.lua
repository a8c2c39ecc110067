-- The README's function, sum: what it takes to load phial, to build the function in three ways,
-- and to call it, as Lua and as native code. The best of some rounds, in one process.
-- usage: lua5.4 bench/suites/sum.lua [CC ...]
package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local start = os.clock()
local phial = require "phial"
local loading = os.clock() - start

local grid = require "bench.lib.grid"
local now = require("bench.lib.system").now

local function by_builder()
  return phial.build("sum", { "n:i64" }, "i64", function(b, v)
    v.i, v.s = 0, 0
    b:while_(function() return v.i:slt(v.n) end, function()
      v.s = v.s + v.i
      v.i = v.i + 1
    end)
    b:ret(v.s)
  end)
end

local function by_blocks()
  local fn = phial.fn("sum", { "n:i64" }, "i64")
  local n, i, s = fn:param(1), fn:var "i", fn:var "s"
  local entry, head, body, done = fn:entry(), fn:block "head", fn:block "body", fn:block "done"
  entry:write(i, 0, s, 0)
  entry:jump(head)
  head:branch(head:slt(i, n), body, done)
  body:seal()
  done:seal()
  body:let(s, "add", s, i)
  body:let(i, "add", i, 1)
  body:jump(head)
  head:seal()
  done:ret(s)
  return fn:finish()
end

local text = by_builder():text()
local function by_parser() return assert(phial.parse(text)) end

local function called() assert(by_blocks()(10) == 45) end

-- Microseconds of one call of f, the best of some rounds.
local function best(clock, rounds, calls, f)
  local least = math.huge
  for _ = 1, rounds do
    local from = clock()
    for _ = 1, calls do f() end
    least = math.min(least, clock() - from)
  end
  return ("%.0f"):format(least / calls * 1e6)
end

local rows = {
  { "sum", "µs" },
  { 'require "phial"', ("%.0f"):format(loading * 1e6) },
  { "built by blocks", best(os.clock, 20, 300, by_blocks) },
  { "built by phial.build", best(os.clock, 20, 300, by_builder) },
  { "parsed", best(os.clock, 20, 300, by_parser) },
  { "built by blocks, and called, as Lua", best(os.clock, 20, 100, called) },
}
for _, cc in ipairs(#arg > 0 and arg or { "tcc", "gcc", "clang" }) do
  if os.execute(("command -v %s >/dev/null"):format(cc)) then
    rows[#rows + 1] = { "built, compiled and called, by " .. cc, best(now, 20, 1, function()
      local library <close> = by_blocks():compile { cc = cc }
      assert(library:call("sum", 10) == 45)
    end) }
  end
end
print(grid.text(rows))
