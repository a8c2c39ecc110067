-- pace.lua: counts the instructions of the C core per event on two programs and
-- compares them with bench/data/pace.txt; fails if one needs 3 % more.
--
-- usage: lua5.4 bench/suites/pace.lua [--bless]
-- --bless writes bench/data/pace.txt anew.
--
-- Instructions depend on the compiler: those of another one are not compared.

package.path = "./?.lua;" .. package.path

local corpus = require "bench.lib.corpus"
local system = require "bench.lib.system"

local baseline <const> = "bench/data/pace.txt"
local tolerance <const> = 1.03
local programs <const> = { "zlib", "lua" }

local function fail(...)
  io.stderr:write(...)
  io.stderr:write "\n"
  os.exit(1)
end

--- What the compiler says that it is, without its builder's name.
local function compiler()
  local pipe <close> = assert(io.popen((os.getenv "CC" or "cc") .. " --version"))
  local line = pipe:read "l" or "unknown"
  return (line:gsub("%s*%b()", "")):match "^(%S+%s+%d+)" or line
end

local function cost(program)
  local path = corpus.unpacked(corpus.folder, program)
  local run = system.run(system.known.c, path, "1")
  local count = run and system.instructions(system.known.c, path)
  os.remove(path)
  if not count then fail("pace: cannot replay ", program) end
  return count / run.events
end

--- The compiler, then a line for each program: what an event costs.
local function read_baseline()
  local file <close> = assert(io.open(baseline))
  local expected, made_by = {}, file:read "l"
  for line in file:lines() do
    local program, number = line:match "^(%S+) (%S+)$"
    expected[program] = tonumber(number)
  end
  return expected, made_by
end

local function bless(costs)
  local file <close> = assert(io.open(baseline, "w"))
  file:write(compiler(), "\n")
  for _, program in ipairs(programs) do
    file:write(("%s %.1f\n"):format(program, costs[program]))
  end
end

local function compare(costs)
  local expected, made_by = read_baseline()
  local comparable, ok = made_by == compiler(), true
  for _, program in ipairs(programs) do
    local now, before = costs[program], expected[program]
    print(("%s: %.1f instructions per event, %+.1f %% of the baseline's %.1f")
      :format(program, now, (now / before - 1) * 100, before))
    ok = ok and now <= before * tolerance
  end
  if not comparable then
    print(("not compared: the baseline is of %s, this is %s")
      :format(made_by, compiler()))
  elseif not ok then
    fail "pace: slower than it was.  If that is meant: make pace BLESS=--bless"
  end
end

if not system.has_valgrind() then fail "pace: needs valgrind" end
local costs = {}
for _, program in ipairs(programs) do costs[program] = cost(program) end
if arg[1] == "--bless" then bless(costs) else compare(costs) end
