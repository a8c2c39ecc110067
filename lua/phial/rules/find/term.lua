--- Terms that rules are found for: trees of pure ops, with their text, their weight, and what they
-- compute at many points at once.
--
-- A point is a width and a value of each variable. All integers of a term have one type, `t`;
-- conditions have the type `i1`, other values a type of a dialect.
local as_lua = require "phial.emit.lua"
local core = require "phial.core"
local errors = require "phial.errors"

local M = {}

---@class phial.rules.Term
---@field op? string nil: a leaf
---@field text string
---@field type string
---@field weight integer that of rules
---@field cost? integer that of its op
---@field ops integer
---@field vector any[] by point
---@field value? any of a literal
---@field constant? boolean a leaf that is a literal or a constant of the rule

---@class phial.rules.Form an op at types
---@field op string
---@field own? phial.Op
---@field dialects? phial.Dialect[] that of `own`
---@field f table<integer, function> by width
---@field args string[] the types of its operands
---@field result string
---@field c? boolean commutative
---@field weight integer

---@class phial.rules.Points
---@field n integer
---@field widths integer[]
---@field values table<string, any[]> by variable

-- {== Ops ==============================================================

local rows = {}
for _, row in ipairs(core.ops()) do rows[row.name] = row end

--- What an op weighs.
---@param op string
---@return integer
function M.weight(op) return rows[op].weight end

--- True if terms have an op: it computes integers of one width or conditions.
---@param op string
---@return boolean
function M.has(op)
  local row = rows[op]
  return row ~= nil and row.pure and row.signature:find "^[tbx]:[tbxe]+$" ~= nil
end

-- What the form computes at a width: a function of Lua, as phial writes it.
local function compile(form, width)
  local types = {}
  for i, type in ipairs { form.result, table.unpack(form.args) } do
    types[i] = type == "t" and "i" .. width or type
  end
  local params, args = {}, {}
  for i = 2, #types do params[i - 1] = ("p%d:%s"):format(i, types[i]) end
  local fn <close> = core.fn("f", params, types[1], { rules = false, dialects = form.dialects })
  for i in ipairs(params) do args[i] = fn:arg(i) end
  fn:set_current(fn:entry())
  fn:ret(fn:emit(form.own or form.op, table.unpack(args)))
  local source, host = as_lua.func(fn:finish())
  return load(source)(host)
end

local function new_form(form)
  form.f = setmetatable({}, { __index = function(list, width)
    list[width] = compile(form, width)
    return list[width]
  end })
  return form
end

local forms = {}

--- An op at types of its operands.
---@param op string
---@param args string[]
---@return phial.rules.Form
function M.form(op, args)
  local row, key = rows[op], op .. " " .. table.concat(args, " ")
  forms[key] = forms[key] or new_form {
    op = op, args = args, result = row.signature:find "^b" and "i1" or args[#args],
    c = row.commutative, weight = row.weight,
  }
  return forms[key]
end

--- An op of a dialect at types.
---@param dialect phial.Dialect
---@param op phial.Op
---@param args string[]
---@param result string
---@return phial.rules.Form
function M.own(dialect, op, args, result)
  if not op:eval() or op:takes_env() then
    errors.raise("op '%s' has no eval of its operands", op:name())
  end
  return new_form {
    op = op:name(), own = op, dialects = { dialect }, args = args, result = result,
    weight = op:cost(),
  }
end

--- All forms, in the order in which the search tries them, without those that swap operands only.
---@type phial.rules.Form[]
M.all = {}
for names, args in ([[
  neg bnot clz ctz popcnt: t
  add sub band bor bxor shl shr sar rotl rotr smin smax umin umax mul eq ne slt ult sle ule: t t
  umulh smulh: t t
  bnot neg clz ctz popcnt: i1
  band bor bxor eq ne add sub mul smin smax umin umax umulh smulh: i1 i1
]]):gmatch "([^\n]+): ([^\n]+)" do
  local types = {}
  for type in args:gmatch "%w+" do types[#types + 1] = type end
  for name in names:gmatch "%w+" do M.all[#M.all + 1] = M.form(name, types) end
end

--- The dialects of a set that a text names, by name, and as a list.
---@param R phial.Rules
---@param text string
---@return table<string, phial.Dialect>
function M.dialects(R, text)
  local dialects = {}
  if not text:find "%a%." then return dialects end
  local fn <close> = core.fn("rules", nil, nil, { rules = R, where = false })
  for name in text:gmatch "%f[%w_]([%a_][%w_]*)%." do
    local dialect = not dialects[name] and fn:dialect(name)
    if dialect then dialects[name], dialects[#dialects + 1] = dialect, dialect end
  end
  return dialects
end

--- The logarithm of a power of two.
---@param v integer
---@return integer
function M.log2(v)
  local n = 0
  while v ~= 1 do v, n = v >> 1, n + 1 end
  return n
end

-- }== Texts ============================================================

local INFIX <const> = {
  add = "+", sub = "-", mul = "*", band = "&", bor = "|", bxor = "~", shl = "<<", eq = "==",
  ne = "~=", slt = "<", sle = "<=", sgt = ">", sge = ">=",
}
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
  local infix = INFIX[op]
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

-- The value that the low bits are.
local function cut(v, w)
  local unused = 64 - w
  v = v << unused
  return v >> unused | (v < 0 and ~(-1 >> unused) or 0)
end

local function add_point(points, read, w, give)
  local n = points.n + 1
  points.n, points.widths[n] = n, w
  for i, name in ipairs(read.names) do
    local kind, value = read.kinds[name], give(i)
    local samples = read.samples[kind]
    if kind == "t" then value = cut(value, w) end
    if kind == "i1" then value = value & 1 == 1 end
    points.values[name][n] = samples and samples[value % #samples + 1]
    if not samples then points.values[name][n] = value end
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

---@class phial.rules.Read what a text has
---@field names string[] of values and constants
---@field kinds table<string, string> their types
---@field is_constant table<string, boolean>
---@field literals integer[] of integer type
---@field samples table<string, any[]> values of types of dialects
---@field width? integer the only one

-- The widths that terms can have, and that have all literals.
local function widths_of(read)
  local list = {}
  for _, w in ipairs { 64, 8, 32, 16 } do
    local fits = not read.width or w == read.width
    for _, literal in ipairs(read.literals) do
      fits = fits and (w == 64 or literal >= -(1 << w - 1) and literal < 1 << w)
    end
    list[#list + 1] = fits and w or nil
  end
  return list
end

--- Points for variables, the cases first.
---@param read phial.rules.Read
---@param cases table<string, any>[] more points, at all widths
---@param n integer of others
---@return phial.rules.Points
function M.points(read, cases, n)
  local points, random = { n = 0, widths = {}, values = {} }, random_of(88172645463325252)
  local widths = widths_of(read)
  for _, name in ipairs(read.names) do points.values[name] = {} end
  for _, case in ipairs(cases) do
    for _, w in ipairs(widths) do
      add_point(points, read, w, function(i)
        local value = case[read.names[i]] or 0
        return value == true and 1 or math.tointeger(value) or 0
      end)
    end
  end
  for i = 1, n do
    local w, last = widths[i % #widths + 1], nil
    add_point(points, read, w, function()
      if not last or random() % 4 > 0 then last = corner(random, w, read.literals) end
      return last
    end)
  end
  return points
end

-- }== Values ===========================================================

--- The ends of the range of integers of a width.
M.ends = {
  INT_MIN = function(w) return 1 << w - 1 end,
  INT_MAX = function(w) return (1 << w - 1) - 1 end,
}

--- A leaf: a variable, an end, or a literal of a value.
---@param points phial.rules.Points
---@param text string
---@param type string
---@param value? any
---@return phial.rules.Term
function M.leaf(points, text, type, value)
  local vector, edge = points.values[text], M.ends[text]
  if edge then value = edge(64) end
  if value ~= nil then
    vector = {}
    for i, w in ipairs(points.widths) do
      vector[i] = type == "t" and cut(edge and edge(w) or value, w) or value
    end
  end
  return {
    text = text, type = type, weight = value ~= nil and 0 or 1, ops = 0, vector = vector,
    value = value, constant = value ~= nil,
  }
end

local NONE <const> = {}

--- What an op computes at the points.
---@param points phial.rules.Points
---@param form phial.rules.Form
---@param a? any[]
---@param b? any[]
---@param c? any[]
---@return any[]
function M.vector(points, form, a, b, c)
  local vector, f = {}, form.f
  a, b, c = a or NONE, b or NONE, c or NONE
  for i, w in ipairs(points.widths) do vector[i] = f[w](a[i], b[i], c[i]) end
  return vector
end

--- A term of operands.
---@param points phial.rules.Points
---@param form phial.rules.Form
---@param a? phial.rules.Term
---@param b? phial.rules.Term
---@param c? phial.rules.Term
---@return phial.rules.Term
function M.apply(points, form, a, b, c)
  local term = { a, b, c, op = form.op, type = form.result, weight = form.weight, ops = 1 }
  term.text, term.cost = M.text(form.op, term), form.weight
  for _, arg in ipairs(term) do
    term.weight, term.ops = term.weight + arg.weight, term.ops + arg.ops
  end
  term.vector = M.vector(points, form, a and a.vector, b and b.vector, c and c.vector)
  return term
end

-- }====================================================================

return M
