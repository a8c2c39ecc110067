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

--- Rules for what phial's own ones make something else of: selects as logic, which stay selects, as
--- what is not chosen may be poison, and choices between a value and what is made of it; and for
--- shifts by less than the width.
M.TEXT = [[
let both(x, y) = x & y | select(x, y, false) | select(y, x, false)
let either(x, y) = (x | y) | select(x, true, y) | select(y, true, x)
let unless(x, y) = (x | ~y) | select(x, true, ~y) | select(y, x, true)

and_of_or: both(either(x, y), unless(x, y)) => x
and_same: select(x, x, false) => x
or_same: select(x, true, x) => x
or_then: select(either(x, y), false, x) => false
or_else: select(either(x, y), x, y) => x
and_else: select(both(x, y), x, y) => y
or_of_and: select(both(x, y), true, y) => y
and_or: select(either(x, y), y, false) => y
nor_or: select(x, false, y) | ~either(x, y) => ~x
nor_or_not: select(y, ~x, false) | ~(x | y) => ~x

shl_0: [eq|ne](A << x, 0) => [false|true] if A & 1 == 1
shr_0: [eq|ne|eq|ne]([shr|shr|sar|sar](A, x), 0) => [false|true|false|true] if A < 0
sgt_sar: sgt(sar(A, _), B) => false if A < 0 and B >= -1
pow2_eq: [eq|ne](A << x, B) => [false|true] if pow2(A) and not pow2(B) and B ~= 0
pow2_ugt: ugt(A << x, INT_MIN) => false if pow2(A)
pow2_ult: ult(A << x, B) => true if pow2(A) and B < 0 and B ~= INT_MIN
sar_shl: sar(-1 << x, x) => -1
all_ones: [shr|shl](-1, x) | [shl|shr](-1, C - x) => -1 if C == width(x) or C == width(x) - 1
by_width: [shl|shr|sar](x, y & C) => x if C & (width(x) - 1) == 0
sar_bit: sar(z @ ((x & 1) + -1), _) => z
sum_not_0: [eq|ne](x + y, 0) => [false|true]
  if nonneg(x) and nonneg(y) and (nonzero(x) or nonzero(y))

ext_max: [umax|smin](z @ (sext(x:T):U), zext(x)) => z
ext_min: [umin|smax](sext(x:T):U, z @ (zext(x))) => z
sign_or: select(slt(trunc(x:U):T, 0), x, z @ (x | C)) => z if C == 1 << (width(T) - 1)
sign_or_n: select(sgt(trunc(x:U):T, -1), z @ (x | C), x) => z if C == 1 << (width(T) - 1)
sign_no: select(slt(trunc(x:U):T, 0), x | C, x) => x if C == 1 << (width(T) - 1)
sign_no_n: select(sgt(trunc(x:U):T, -1), x, x | C) => x if C == 1 << (width(T) - 1)
nabs_slt: slt(select(x < [0|1], x, -x), C) => true if C > 0
nabs_sgt: sgt(select(x < [0|1], x, -x), C) => false if C >= 0
nabs_eq: [eq|ne|eq|ne](select(x < [0|0|1|1], x, -x), C) => [false|true|false|true] if C > 0
]]

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

--- phial's rules that hold, and those of LLVM.
---@return phial.Rules
function M.new()
  local rules = phial.rules "int":add(M.TEXT)
  for _, rule in ipairs(rules:rules()) do
    if not M.holds(rule) then rules:enable(rule.name, false) end
  end
  return rules
end

return M
