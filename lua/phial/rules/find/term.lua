--- Terms that rules are found for: trees of pure integer ops, with their text, their weight, and
-- what they compute at many points at once.
--
-- A point is a width and a value of each variable; integers are unsigned there. All integers of a
-- term have one type, `t`; conditions have the type `i1`.
local core = require "phial.core"

local M = {}

---@class phial.rules.Term
---@field op? string nil: a leaf
---@field text string
---@field type "t"|"i1"
---@field weight integer that of rules
---@field ops integer
---@field vector integer[] by point
---@field value? integer of a literal
---@field constant? boolean a leaf that is a literal or a constant of the rule

---@class phial.rules.Points
---@field n integer
---@field widths integer[]
---@field masks integer[]
---@field values table<string, integer[]> by variable

-- {== Ops ==============================================================

local weights = {}
for _, row in ipairs(core.ops()) do weights[row.name] = row.weight end

local ult = math.ult

-- A value as signed: `a` has `w` bits.
local function signed(a, w) return a << 64 - w >> 63 == 0 and a or a | -1 << w - 1 end

local function truth(is_true) return is_true and 1 or 0 end

local function count(a)
  local n = 0
  while a ~= 0 do a, n = a & a - 1, n + 1 end
  return n
end

local function leading(a, w)
  local n = w
  while a ~= 0 do a, n = a >> 1, n - 1 end
  return n
end

local function trailing(a, w) return a == 0 and w or count((a & -a) - 1) end

--- The logarithm of a power of two.
---@param v integer
---@return integer
function M.log2(v) return trailing(v, 64) end

-- An amount of shifts, modulo the width.
local function amount(b, w) return w == 3 and b % 3 or b & w - 1 end

-- What ops compute from operands and their width; results are cut to it. The op by its name, its
-- types, whether it is commutative, its operator.
---@type table<string, { [1]: function, [2]: string, c: boolean?, infix: string? }>
local ops = {
  add = { function(a, b) return a + b end, "ttt", c = true, infix = "+" },
  sub = { function(a, b) return a - b end, "ttt", infix = "-" },
  mul = { function(a, b) return a * b end, "ttt", c = true, infix = "*" },
  band = { function(a, b) return a & b end, "ttt", c = true, infix = "&" },
  bor = { function(a, b) return a | b end, "ttt", c = true, infix = "|" },
  bxor = { function(a, b) return a ~ b end, "ttt", c = true, infix = "~" },
  shl = { function(a, b, w) return a << amount(b, w) end, "ttt", infix = "<<" },
  shr = { function(a, b, w) return a >> amount(b, w) end, "ttt" },
  sar = {
    function(a, b, w)
      a, b = signed(a, w), amount(b, w)
      return a < 0 and ~(~a >> b) or a >> b
    end, "ttt",
  },
  smin = { function(a, b, w) return signed(a, w) < signed(b, w) and a or b end, "ttt", c = true },
  smax = { function(a, b, w) return signed(a, w) > signed(b, w) and a or b end, "ttt", c = true },
  umin = { function(a, b) return ult(a, b) and a or b end, "ttt", c = true },
  umax = { function(a, b) return ult(a, b) and b or a end, "ttt", c = true },
  neg = { function(a) return -a end, "tt" },
  bnot = { function(a) return ~a end, "tt" },
  clz = { function(a, _, w) return leading(a, w) end, "tt" },
  ctz = { function(a, _, w) return trailing(a, w) end, "tt" },
  popcnt = { function(a) return count(a) end, "tt" },
  eq = { function(a, b) return truth(a == b) end, "tti", c = true, infix = "==" },
  ne = { function(a, b) return truth(a ~= b) end, "tti", c = true, infix = "~=" },
  slt = { function(a, b, w) return truth(signed(a, w) < signed(b, w)) end, "tti", infix = "<" },
  sle = { function(a, b, w) return truth(signed(a, w) <= signed(b, w)) end, "tti", infix = "<=" },
  sgt = { function(a, b, w) return truth(signed(a, w) > signed(b, w)) end, "tti", infix = ">" },
  sge = { function(a, b, w) return truth(signed(a, w) >= signed(b, w)) end, "tti", infix = ">=" },
  ult = { function(a, b) return truth(ult(a, b)) end, "tti" },
  ule = { function(a, b) return truth(not ult(b, a)) end, "tti" },
  ugt = { function(a, b) return truth(ult(b, a)) end, "tti" },
  uge = { function(a, b) return truth(not ult(a, b)) end, "tti" },
}
M.ops = ops

--- In the order in which the search tries them, without those that swap operands only.
M.binary = {
  "add", "sub", "band", "bor", "bxor", "shl", "shr", "sar", "smin", "smax", "umin", "umax", "mul",
}
M.unary = { "neg", "bnot", "clz", "ctz", "popcnt" }
M.compare = { "eq", "ne", "slt", "ult", "sle", "ule" }
M.logic = { "band", "bor", "bxor", "eq", "ne" }

--- The weight of an op.
---@param op string
---@return integer
function M.weight(op) return weights[op] end

-- }== Texts ============================================================

local PREFIX <const> = { neg = "-", bnot = "~" }

-- A text as an operand of an operator.
local function enclosed(text, is_leaf)
  return (is_leaf and not text:find "^%-") and text or "(" .. text .. ")"
end

--- The text of an op with operands.
---@param op string
---@param args { text: string, op: string? }[]
---@return string
function M.text(op, args)
  local infix = ops[op] and ops[op].infix
  if infix then
    return enclosed(args[1].text, not args[1].op) .. " " .. infix .. " "
      .. enclosed(args[2].text, not args[2].op)
  elseif PREFIX[op] then
    return PREFIX[op] .. enclosed(args[1].text, not args[1].op)
  end
  local texts = {}
  for i, arg in ipairs(args) do texts[i] = arg.text end
  return ("%s(%s)"):format(op, table.concat(texts, ", "))
end

-- }== Points ===========================================================

local function random_of(seed)
  return function()
    seed = seed ~ seed >> 12
    seed = seed ~ seed << 25
    seed = seed ~ seed >> 27
    return seed * 2685821657736338717 >> 16
  end
end

local function add_point(points, names, w, give)
  local n, mask = points.n + 1, -1 >> 64 - w
  points.n, points.widths[n], points.masks[n] = n, w, mask
  for i, name in ipairs(names) do
    local value = give(i)
    points.values[name][n] = points.is_truth[name] and value & 1 or value & mask
  end
end

-- A value that exposes errors: an end of the range, near a literal, one under a mask ...
local function corner(random, w, literals)
  local kind, near = random() % 8, random() % 3 - 1
  local literal = literals[random() % (#literals + 1) + 1] or 1 << random() % w
  if kind == 0 then return near end
  if kind == 1 then return (1 << w - 1) + random() % 4 - 2 end
  if kind == 2 then return literal + near end
  if kind == 3 then return (1 << w - 1) - literal + near end
  if kind == 4 then
    local mask = random() % 2 == 0 and literal or (1 << random() % w) - 1
    return literals[1] and literals[random() % #literals + 1] & mask | random() & ~mask or random()
  end
  return kind == 5 and -(1 << random() % w) or random() ~ random() << 32
end

-- True if a type of so many bits has all literals.
local function fits(literals, w)
  for _, literal in ipairs(literals) do
    if w < 64 and (literal < -(1 << w - 1) or literal >= 1 << w) then return false end
  end
  return true
end

--- Points for variables: corners of wide types, and all values at 3 and 4 bits, if they are few.
---@param names string[]
---@param is_truth table<string, boolean> conditions
---@param literals integer[]
---@param samples table<string, boolean|number>[] more points, at all widths
---@return phial.rules.Points
function M.points(names, is_truth, literals, samples)
  local points = { n = 0, widths = {}, masks = {}, values = {}, is_truth = is_truth }
  local random = random_of(88172645463325252)
  for _, name in ipairs(names) do points.values[name] = {} end
  for _, sample in ipairs(samples) do
    for _, w in ipairs { 8, 16, 32, 64 } do
      if fits(literals, w) then
        add_point(points, names, w, function(i)
          local value = sample[names[i]] or 0
          return value == true and 1 or math.tointeger(value) or 0
        end)
      end
    end
  end
  for i = 1, 160 do
    local w = ({ 64, 8, 32, 16 })[i % 4 + 1]
    if fits(literals, w) then
      local last
      add_point(points, names, w, function()
        if not last or random() % 4 > 0 then last = corner(random, w, literals) end
        return last
      end)
    end
  end
  for w = 3, 4 do
    local all = 1
    for _, name in ipairs(names) do all = all << (is_truth[name] and 1 or w) end
    for at = 0, fits(literals, w) and math.min(all, 520) - 1 or -1 do
      local rest = all <= 520 and at or random()
      add_point(points, names, w, function(i)
        local bits = is_truth[names[i]] and 1 or w
        local value = rest & (1 << bits) - 1
        rest = rest >> bits
        return value
      end)
    end
  end
  return points
end

-- }== Values ===========================================================

--- A leaf: a variable, or a literal of a value.
---@param points phial.rules.Points
---@param text string
---@param type "t"|"i1"
---@param value? integer|fun(width: integer): integer
---@return phial.rules.Term
function M.leaf(points, text, type, value)
  local vector = points.values[text]
  if value then
    vector = {}
    for i = 1, points.n do
      local given = math.type(value) and value or value(points.widths[i])
      vector[i] = type == "i1" and given or given & points.masks[i]
    end
  end
  return {
    text = text, type = type, weight = value and 0 or 1, ops = 0, vector = vector,
    value = math.type(value) and value or nil, constant = value ~= nil,
  }
end

--- What an op computes at a point.
---@param points phial.rules.Points
---@param f function
---@param is_truth boolean of the result
---@param a integer[]
---@param b integer[]
---@return integer[]
function M.vector(points, f, is_truth, a, b)
  local vector, widths, masks = {}, points.widths, points.masks
  for i = 1, points.n do
    local v = f(a[i], b[i], widths[i])
    vector[i] = is_truth and v & 1 or v & masks[i]
  end
  return vector
end

--- A term of operands.
---@param points phial.rules.Points
---@param op string
---@param a phial.rules.Term
---@param b? phial.rules.Term
---@param c? phial.rules.Term
---@return phial.rules.Term
function M.apply(points, op, a, b, c)
  local term = { op = op, a, b, c, text = M.text(op, { a, b, c }), weight = weights[op], ops = 1 }
  for _, arg in ipairs(term) do
    term.weight, term.ops = term.weight + arg.weight, term.ops + arg.ops
  end
  if op == "select" then
    term.type, term.vector = b.type, {}
    for i = 1, points.n do
      term.vector[i] = a.vector[i] ~= 0 and b.vector[i] or c.vector[i]
    end
    return term
  end
  local is_compare = ops[op][2]:sub(-1) == "i"
  term.type = is_compare and "i1" or a.type
  term.vector = M.vector(points, ops[op][1], term.type == "i1", a.vector, (b or a).vector)
  return term
end

-- }====================================================================

return M
