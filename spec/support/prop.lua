-- Properties over generated cases.  A generator draws every choice with pick(n), an
-- integer in 1..n; the draws form a tape, and a failing case is shrunk by shortening
-- and lowering its tape, whatever it is.  RUNS=n sets the number of cases, SEED=n
-- replays one; without LONG, which `make check` sets, a quarter of the cases is tried under
-- sanitizers, and a twelfth by `make test`.
local under = require "spec.support.under"

local M = {}

local SHARE <const> = os.getenv "LONG" and 1 or under.brief and 12 or 4

--- Draws from a tape.  A missing draw is 1, so that a replay never lengthens the tape
--- and shrinking ends.
---@param tape integer[]
---@return fun(n: integer): integer
function M.player(tape)
  local i = 0
  return function(n)
    i = i + 1
    return ((tape[i] or 1) - 1) % n + 1
  end
end

--- Draws by math.random, and records it.
---@param tape integer[]
---@return fun(n: integer): integer
function M.recorder(tape)
  return function(n)
    tape[#tape + 1] = math.random(n)
    return tape[#tape]
  end
end

local function fails(tape, generate, check)
  local case = generate(M.player(tape))
  local ok, err = pcall(check, case)
  return not ok, case, err
end

local function without(tape, from, count)
  local shorter = table.move(tape, 1, from - 1, 1, {})
  return table.move(tape, from + count, #tape, from, shorter)
end

local function shorter(tape, generate, check)
  local count = #tape // 2
  while count > 0 do
    for from = #tape - count + 1, 1, -count do
      local candidate = without(tape, from, count)
      if fails(candidate, generate, check) then return candidate end
    end
    count = count // 2
  end
end

local function lower(tape, generate, check)
  for i, draw in ipairs(tape) do
    if draw > 1 then
      local candidate = table.move(tape, 1, #tape, 1, {})
      candidate[i] = draw // 2
      if fails(candidate, generate, check) then return candidate end
    end
  end
end

--- The smallest tape of which what `generate` makes still fails.
---@generic T
---@param tape integer[]
---@param generate fun(pick: fun(n: integer): integer): T
---@param check fun(case: T)
---@return integer[]
function M.smallest(tape, generate, check)
  local next = tape
  while next do
    tape = next
    next = shorter(tape, generate, check) or lower(tape, generate, check)
  end
  return tape
end

--- Checks RUNS generated cases, by default their share of `runs` or 200; raises with
--- the seed, the smallest failing case as text and its error.  Returns how many cases
--- were tried, of which what they must have met is a share: n // 5 passes also if few
--- cases were asked for.
---@generic T
---@param generate fun(pick: fun(n: integer): integer): T
---@param check fun(case: T)
---@param runs integer?
---@return integer
function M.forall(generate, check, runs)
  local only = tonumber(os.getenv "SEED")
  runs = tonumber(os.getenv "RUNS") or math.ceil((runs or 200) / SHARE)
  for seed = only or 1, only or runs do
    math.randomseed(seed)
    local tape = {}
    if not pcall(check, generate(M.recorder(tape))) then
      tape = M.smallest(tape, generate, check)
      local _, case, err = fails(tape, generate, check)
      error(("SEED=%d\n%s\n%s"):format(seed, tostring(case), tostring(err)), 0)
    end
  end
  return only and 1 or runs
end

return M
