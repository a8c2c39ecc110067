-- budgets: what the tree may weigh, and what it weighs. Fails if that is more.
--
-- usage: lua5.4 tools/budgets.lua           what can be counted at once: `make lint`
--        lua5.4 tools/budgets.lua measured  also what has to be built and run: `make budgets`
--
-- To raise a limit, write it and the reason into its line.

local LIMITS <const> = {
  src = { 64300, "lines", "phases and costs of rules, samples of a check, facts needed" },
  lua = { 29950, "lines", "rules that are found, phial flow, what Lua refuses" },
  spec = { 64700, "lines", "the same; installs, releases, tiers; chunks that Lua refuses" },
  docs = { 69900, "words, with the pages of bench", "" },
  require = { 125, "KiB of Lua's memory", "" }, -- start_spec compares
  ["core.so"] = { 965, "KB, stripped, by gcc", "phases, costs, guards; samples of a check" },
  -- Those of the machine that the limits are of (CALIBRATION), user and system, of all processes.
  make = { 80, "seconds of processor, from nothing", "48 alone, 68 beside others" },
  ["make test"] = { 240, "seconds of processor, when all is built", "some 120 alone" },
}

-- Seconds that a loop takes on that machine.
local CALIBRATION <const> = 0.36

local M = { limits = LIMITS }

local function output(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

local exceeded = false

local function compare(name, weight)
  local limit, unit = LIMITS[name][1], LIMITS[name][2]
  local is_more = weight > limit
  exceeded = exceeded or is_more
  print(("%-9s %8.0f of %6d %s%s"):format(name, weight, limit, unit,
    is_more and ": MORE, see tools/budgets.lua" or ""))
end

local function count()
  for _, folder in ipairs { "src", "lua", "spec" } do
    compare(folder, tonumber(output(("find %s -type f -exec cat {} + | wc -l"):format(folder))))
  end
  compare("docs", tonumber(output "find docs bench -name '*.md' -exec cat {} + | wc -w"))
end

-- How much slower this machine is.
local function slowness()
  local from, sum = os.clock(), 0
  for i = 1, 50000000 do sum = sum + (i & 7) end
  assert(sum > 0)
  return (os.clock() - from) / CALIBRATION
end

-- Seconds of processor of a goal of make and of what it starts.
local function seconds(goal)
  local said = output(("unset MAKEFLAGS MFLAGS MAKELEVEL LONG; "
    .. "make -s %s SAY=@ >&2; echo good $?; times"):format(goal))
  assert(said:find "^good 0\n", "make " .. goal .. " fails")
  local sum = 0
  for minutes, rest in said:match "\n([^\n]*)\n$":gmatch "(%d+)m([%d.]+)s" do
    sum = sum + 60 * minutes + rest
  end
  return sum
end

local function measure()
  local slow = slowness()
  os.execute "rm -rf build/budgets"
  compare("make", seconds "B=build/budgets" / slow)
  if output "cc -dumpspecs 2>/dev/null" ~= "" then
    compare("core.so", tonumber(output("cd build/budgets && strip -o stripped phial/core.so "
      .. "&& wc -c <stripped")) / 1000)
  end
  compare("make test", seconds "test" / slow)
end

if ... == "tools.budgets" then return M end

count()
if ... == "measured" then measure() end
if exceeded then os.exit(1) end
