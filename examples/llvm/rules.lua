-- The rules that hold in LLVM, where a value can be undefined.
--
-- undef is another value at each use: a rule whose result uses a value once has at most the results
-- that its pattern has, whatever number of uses that has; one whose result uses it twice may have
-- more. poison makes poison of what uses it, except of a select or phi that does not choose it: a
-- result may use only what makes the pattern poison, too. (N. Lopes et al., Alive2: Bounded
-- Translation Validation for LLVM, PLDI 2021.) A shift by the width or more, and the remainder of
-- the least integer by -1, have no meaning in LLVM: a result may shift by the amounts by which its
-- pattern shifts, and have a remainder by a constant. Other rules are left out, so that all shifts
-- and remainders are written as they are.
local phial = require "phial"

local M = {}

local SHIFTS <const> = { shl = true, shr = true, sar = true }

-- The values that make a pattern poison if they are, and if they are the width or more.
local function add_strict(node, set, amounts)
  if node.name then set[node.name] = true end
  if SHIFTS[node.op] and node[2].name then amounts[node[2].name] = true end
  for i = 1, node.op == "select" and 1 or #node do add_strict(node[i], set, amounts) end
end

-- True if an operation has a meaning in LLVM wherever the pattern has one.
local function is_defined(node, amounts)
  if node.kind ~= "op" or not SHIFTS[node.op] and node.op ~= "srem" then return true end
  local second = node[2]
  if second.kind == "value" then return node.op ~= "srem" and amounts[second.name] or false end
  return second.kind ~= "op"
end

-- True if a result uses no value twice, and computes only with those of the set. What it gives back
-- as it is, or chooses by a select, the pattern gives back in the same cases.
local function is_safe(node, set, amounts, used, is_bare)
  local name = node.name
  if node.kind == "value" then
    local is_first = not used[name]
    used[name] = true
    return is_first and (is_bare or set[name])
  end
  for i, kid in ipairs(node) do
    local stays_bare = is_bare and node.op == "select" and i > 1
    if not is_safe(kid, set, amounts, used, stays_bare) then return false end
  end
  return is_defined(node, amounts)
end

--- True if a rule holds for undefined values, too.
---@param rule phial.RuleTree
---@return boolean
function M.holds(rule)
  local set, amounts = {}, {}
  add_strict(rule.pattern, set, amounts)
  return is_safe(rule.result, set, amounts, {}, true)
end

--- phial's rules that hold.
---@return phial.Rules
function M.new()
  local rules = phial.rules "int"
  for _, rule in ipairs(rules:rules()) do
    if not M.holds(rule) then rules:enable(rule.name, false) end
  end
  return rules
end

return M
