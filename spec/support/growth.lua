-- How the time of a call grows with the size of what it is about.
local under = require "spec.support.under"

local M = {}

-- Near-linear: eight times as much takes 8 to 12 times as long, what is
-- quadratic 64 times. What the machine does besides is tried away.
local FACTOR, MOST, TRIES = 8, 24, 4

-- `make test` does with sizes at which most of what is quadratic shows.
local SHARE <const> = under.brief and 8 or 1

--- The time of a call about something of size n.
---@param n integer
---@param make fun(n: integer): ... makes what the call is about
---@param call fun(...)
---@return number
function M.seconds(n, make, call)
  local things = table.pack(make(n))
  if not under.brief then collectgarbage() end -- it takes longer than most calls
  collectgarbage "stop"
  local from = os.clock()
  call(table.unpack(things, 1, things.n))
  local took = os.clock() - from
  collectgarbage "restart"
  return took
end

--- True if a call takes near-linear time; else false and the times.
---@param n integer the small size
---@param make fun(n: integer): ... makes what the call is about
---@param call fun(...)
---@return boolean
---@return string
function M.is_near_linear(n, make, call)
  local small, large
  n = math.ceil(n / SHARE)
  for _ = 1, TRIES do
    small = math.min(small or math.huge, M.seconds(n, make, call))
    large = math.min(large or math.huge, M.seconds(FACTOR * n, make, call))
    if large < MOST * small then return true, "" end
    -- It is far from that.
    if large > 2 * MOST * small and large > 0.1 then break end
  end
  return false, ("%.2f ms at %d, %.2f ms at %d: %.1f times"):format(small * 1e3, n, large * 1e3,
    FACTOR * n, large / small)
end

return M
