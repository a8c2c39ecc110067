--- phial.bisect: which application of a rule makes a right program wrong.
local errors = require "phial.errors"

local M = {}

-- More applications than any function has.
local MOST <const> = 1 << 31

-- The function with at most n applications of rules.
local function made(make, n)
  local fn = make { applications = n }
  if errors.class(fn) ~= "phial.Function" then
    errors.raise("calling 'phial.bisect': 'make' returned %s, a phial.Function expected",
      errors.got(fn))
  end
  return fn
end

-- The name of the rule that the one with more applications has applied once more.
local function difference(less, more)
  local before = less:stats().rules or {}
  for name, count in pairs(more:stats().rules or {}) do
    if count ~= (before[name] or 0) then return name end
  end
end

--- phial.bisect(make, is_right): see types/phial.lua.
function M.bisect(make, is_right)
  if type(make) ~= "function" then errors.arg("phial.bisect", 1, "function", make) end
  if type(is_right) ~= "function" then errors.arg("phial.bisect", 2, "function", is_right) end
  local function holds(n) return is_right(made(make, n)) end
  if holds(MOST) then errors.raise "calling 'phial.bisect': it is right with all rules" end
  if not holds(0) then errors.raise "calling 'phial.bisect': it is wrong without rules, too" end
  local right, wrong = 0, 1
  while wrong < MOST and holds(wrong) do right, wrong = wrong, 2 * wrong end
  while wrong - right > 1 do
    local half = (right + wrong) // 2
    if holds(half) then right = half else wrong = half end
  end
  local before, after = made(make, right), made(make, wrong)
  local rule = difference(before, after)
  if not rule then errors.raise "calling 'phial.bisect': it is not always right or wrong" end
  return { rule = rule, count = wrong, before = before, after = after }
end

return M
