-- Values that matter: those that a terminator, or an instruction that acts, needs, directly or
-- through others. A fact is a boolean, and flows from users to operands.
-- (`block:live_in` tells where a value is live; values that matter to nobody are live there, too,
-- as long as something uses them.)
local phial = require "phial"

local pure = {}
for _, row in ipairs(phial.ops()) do pure[row.name] = row.pure end

local divides = { sdiv = true, udiv = true, srem = true, urem = true }

-- A division by most constants does not trap.
local function acts(v)
  if pure[v:op()] then return false end
  local by = divides[v:op()] and v:arg(2):const()
  return not by or by == 0 or v:op() == "sdiv" and (by == -1 or by == true)
end

--- The problem, for fn:solve.
---@type phial.Problem
return {
  direction = "backward",
  bottom = false,
  join = function(a, b) return a or b end,
  transfer = {
    default = function(v, fact) return acts(v) or fact(v) end,
  },
}
