-- budgets: what the tree may weigh, and what it weighs. Fails if that is more.
--
-- usage: lua5.4 tools/budgets.lua           what can be counted at once: `make lint`
--        lua5.4 tools/budgets.lua measured  also what has to be built and run: `make budgets`
--        lua5.4 tools/budgets.lua shared    the same where others work, too: `make check`
--
-- To raise a limit, write it and the reason into its line.

local LIMITS <const> = {
  src = { 66207, "lines", "promotion that comes to an end where copies are kept in part" },
  lua = { 31230, "lines", "the command refuses options that it ignored" },
  spec = { 67549, "lines", "gaps that mutants showed; random copies and terminators" },
  docs = { 70000, "words, with the pages of bench", "" },
  require = { 125, "KiB of Lua's memory", "" }, -- start_spec compares
  ["core.so"] = { 1004, "KB, stripped, by gcc", "what writes C and LLVM IR, for speed" },
  -- User and system, of all processes.
  make = { 60, "seconds of processor, from nothing", "41 alone" },
  ["make test"] = { 180, "seconds of processor, when all is built", "140 to 170 alone" },
}

-- What the work of others on the same processors may add to those times.
local SHARED <const> = 2.5

local M = { limits = LIMITS }

local function output(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

local exceeded = false

local function compare(name, weight, allowance)
  local limit, unit = LIMITS[name][1] * (allowance or 1), LIMITS[name][2]
  local is_more = weight > limit
  exceeded = exceeded or is_more
  print(("%-9s %8.0f of %6.0f %s%s"):format(name, weight, limit, unit,
    is_more and ": MORE, see tools/budgets.lua" or ""))
end

local function count()
  for _, folder in ipairs { "src", "lua", "spec" } do
    compare(folder, tonumber(output(("find %s -type f -exec cat {} + | wc -l"):format(folder))))
  end
  compare("docs", tonumber(output "find docs bench -name '*.md' -exec cat {} + | wc -w"))
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

local function measure(allowance)
  os.execute "rm -rf build/budgets"
  compare("make", seconds "B=build/budgets", allowance)
  if output "cc -dumpspecs 2>/dev/null" ~= "" then
    compare("core.so", tonumber(output("cd build/budgets && strip -o stripped phial/core.so "
      .. "&& wc -c <stripped")) / 1000)
  end
  compare("make test", seconds "test", allowance)
end

if ... == "tools.budgets" then return M end

count()
if ... == "measured" then measure(1) end
if ... == "shared" then measure(SHARED) end
if exceeded then os.exit(1) end
