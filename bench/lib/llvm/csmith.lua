--- Random C programs of csmith: they print the same checksum through lli before and after our
--- promotion, without rules and with them, and each function is compared with LLVM's.
local phis = require "bench.lib.llvm.phis"
local quoted = require("bench.lib.corpus").quoted
local tools = require "bench.lib.llvm.tools"

local M = {}

--- A program that runs longer is skipped, in seconds; after promotion it may take longer.
local LIMIT <const> = 10
local LIMIT_PROMOTED <const> = 60

local function include()
  return tools.must "ls -d /usr/include/csmith*":match "[^\n]+"
end

--- What a file prints, with its exit status; nil if it runs for too long.
local function printed(with, path, limit)
  local out = tools.run(("timeout %d %s %s; echo \"exit status $?\""):format(limit, with.lli,
    quoted(path)))
  return not out:find "exit status 124\n$" and out or nil
end

---@class llvm.Random
---@field seeds integer tried
---@field skipped integer that run for too long
---@field phis llvm.Outcome
---@field problems string[]

--- Tries one seed; returns whether it counts.
local function try(with, seed, result)
  local base = ("%s/csmith/%d"):format(tools.scratch, seed)
  local c, ll, ours = base .. ".c", base .. ".ll", base .. ".promoted.ll"
  tools.must("csmith --seed %d > %s", seed, c)
  tools.must(tools.clang_ir(with) .. " -I%s %s -o %s", include(), c, ll)
  local expected = printed(with, ll, LIMIT)
  if not expected then return false end
  local function problem(text)
    result.problems[#result.problems + 1] = ("seed %d: %s"):format(seed, text)
  end
  for _, rules in ipairs { false, true } do
    local ok, complaint = tools.promote(with, ll, ours, rules)
    ok, complaint = ok and tools.run(with.opt .. " -passes=verify -disable-output "
      .. quoted(ours)), complaint
    local got = ok and printed(with, ours, LIMIT_PROMOTED)
    if got ~= expected then
      problem(("%s: %s instead of %s"):format(rules and "with rules" or "without rules",
        got or not ok and (complaint or "not verified") or "too long", expected))
    end
  end
  phis.add(result.phis, phis.file(with, base))
  tools.run(("rm -f %s.*"):format(quoted(base)))
  return true
end

--- Tries seeds from 1 until `count` of them count.
---@param with llvm.Tools
---@param count integer
---@return llvm.Random
function M.check(with, count)
  local result = { seeds = 0, skipped = 0, phis = phis.none(), problems = {} }
  tools.must("mkdir -p %s", tools.scratch .. "/csmith")
  while result.seeds - result.skipped < count do
    result.seeds = result.seeds + 1
    if not try(with, result.seeds, result) then result.skipped = result.skipped + 1 end
  end
  table.move(result.phis.problems, 1, #result.phis.problems, #result.problems + 1, result.problems)
  return result
end

return M
