-- pace.lua: counts the instructions of the C core per event, on two programs without rules and on
-- one with types with rules, of finish and at once, and compares them with bench/data/pace.txt;
-- fails if one needs 3 % more.
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
local typed <const> = "bench/data/typed"

---@class pace.Case
---@field name string
---@field program string
---@field options? string with types and rules

---@type pace.Case[]
local cases <const> = {
  { name = "zlib", program = "zlib" },
  { name = "lua", program = "lua" },
  { name = "zlib-rules", program = "zlib", options = "--rules" },
  { name = "zlib-at-once", program = "zlib", options = "--rules --at-once" },
}

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

local function cost(case)
  local path = corpus.unpacked(case.options and typed or corpus.folder, case.program)
  local replayer = case.options and system.known.typed or system.known.c
  local run = system.run(replayer, path, "1")
  local count = run and system.instructions(replayer, path, case.options)
  os.remove(path)
  if not count then fail("pace: cannot replay ", case.name) end
  return count / run.events
end

--- The compiler, then a line for each case: what an event costs.
local function read_baseline()
  local file <close> = assert(io.open(baseline))
  local expected, made_by = {}, file:read "l"
  for line in file:lines() do
    local name, number = line:match "^(%S+) (%S+)$"
    expected[name] = tonumber(number)
  end
  return expected, made_by
end

local function bless(costs)
  local file <close> = assert(io.open(baseline, "w"))
  file:write(compiler(), "\n")
  for _, case in ipairs(cases) do
    file:write(("%s %.1f\n"):format(case.name, costs[case.name]))
  end
end

local function compare(costs)
  local expected, made_by = read_baseline()
  local comparable, ok = made_by == compiler(), true
  for _, case in ipairs(cases) do
    local now, before = costs[case.name], expected[case.name]
    print(("%s: %.1f instructions per event, %+.1f %% of the baseline's %.1f")
      :format(case.name, now, (now / before - 1) * 100, before))
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
for _, case in ipairs(cases) do costs[case.name] = cost(case) end
if arg[1] == "--bless" then bless(costs) else compare(costs) end
