-- Values that matter: those that a terminator, or an instruction that is not pure, needs,
-- directly or through others. A fact is a boolean, and flows from users to operands.
-- (`block:live_in` tells where a value is live; values that matter to nobody are live there, too,
-- as long as something uses them.)
local phial = require "phial"

local pure = {}
for _, row in ipairs(phial.ops()) do pure[row.name] = row.pure end

--- The problem, for fn:solve.
---@type phial.Problem
return {
  direction = "backward",
  bottom = false,
  join = function(a, b) return a or b end,
  transfer = {
    default = function(v, fact) return not pure[v:op()] or fact(v) end,
  },
}
