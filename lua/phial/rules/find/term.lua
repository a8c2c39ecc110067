--- Terms that rules are found for: trees of pure ops, with their text, their weight, and what they
-- compute at many points at once.
--
-- A point is a width and a value of each variable. All integers of a term have one type, `t`;
-- conditions have the type `i1`, other values a type of a dialect.
local as_lua = require "phial.emit.lua"
local core = require "phial.core"
local errors = require "phial.errors"

local M = {}

---@class phial.rules.Node
---@field op? string nil: a leaf
---@field text string
---@field name? string of a variable
---@field value? any of a literal
---@field type string
---@field width? integer of its integers, if they cannot have others

---@class phial.rules.Term: phial.rules.Node
---@field weight integer that of rules
---@field ops integer
---@field vector any[] by point
---@field constant? boolean a leaf that is a literal or a constant of the rule

---@class phial.rules.Form an op at types
---@field op string
---@field dialects? phial.Dialect[] that of the op
---@field f table<integer, function> by width
---@field args string[] the types of its operands
---@field result string
---@field c? boolean commutative
---@field weight integer

---@class phial.rules.Points
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
  local function at(type) return type == "t" and "i" .. width or type end
  local params, args = {}, {}
  for i, type in ipairs(form.args) do params[i] = ("p%d:%s"):format(i, at(type)) end
  local fn <close> = core.fn("f", params, at(form.result),
    { rules = false, dialects = form.dialects })
  for i in ipairs(params) do args[i] = fn:arg(i) end
  fn:set_current(fn:entry())
  fn:ret(fn:emit(form.op, table.unpack(args)))
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
  return new_form { op = op:name(), dialects = { dialect }, args = args, result = result,
    weight = op:cost() }
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

-- }== Texts ============================================================

local INFIX <const> = {
  add = "+", sub = "-", mul = "*", band = "&", bor = "|", bxor = "~", shl = "<<", eq = "==",
  ne = "~=", slt = "<", sle = "<=", sgt = ">", sge = ">=",
}
local PREFIX <const> = { neg = "-", bnot = "~" }

-- The text of an operand of an operator: names need no brackets, nor do complements of constants.
local function enclosed(text)
  return text:find "^~?%u$" and text or text:find "^[%w_:]+$" and text or "(" .. text .. ")"
end

--- The text of an op with operands.
---@param op string
---@param operands string[]
---@return string
function M.text(op, operands)
  if INFIX[op] then
    return ("%s %s %s"):format(enclosed(operands[1]), INFIX[op], enclosed(operands[2]))
  elseif PREFIX[op] then
    return PREFIX[op] .. enclosed(operands[1])
  end
  return ("%s(%s)"):format(op, table.concat(operands, ", "))
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
  local unit = 1 << 64 - w
  return v * unit // unit
end

local function add_point(points, read, w, give)
  local n = #points.widths + 1
  points.widths[n] = w
  for _, name in ipairs(read.names) do
    local kind, value = read.kinds[name], give(name)
    local samples = read.samples[kind]
    if samples then
      value = samples[value % #samples + 1]
    elseif kind == "t" then
      value = cut(value, w)
    elseif kind == "i1" then
      value = value & 1 == 1
    end
    points.values[name][n] = value
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
---@field samples table values by type of a dialect, and a list of counterexamples
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
  return list[1] and list or errors.raise("i%d does not have all literals", read.width)
end

--- Points for variables: the counterexamples at all widths, and n others.
---@param read phial.rules.Read
---@param n integer
---@return phial.rules.Points
function M.points(read, n)
  local points, random = { widths = {}, values = {} }, random_of(88172645463325252)
  local widths = widths_of(read)
  for _, name in ipairs(read.names) do points.values[name] = {} end
  for _, case in ipairs(read.samples) do
    for _, w in ipairs(widths) do
      add_point(points, read, w, function(name)
        return case[name] == true and 1 or math.tointeger(case[name] or 0) or 0
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

--- The ends of the range of integers, as wide as can be.
M.ends = { INT_MIN = math.mininteger, INT_MAX = math.maxinteger }

--- A leaf: a variable, an end, or a literal of a value.
---@param points phial.rules.Points
---@param text string
---@param type string
---@param value? any
---@return phial.rules.Term
function M.leaf(points, text, type, value)
  local edge, vector = M.ends[text], {}
  if edge then value = edge end
  if value == nil then
    return { text = text, name = text:match "^[^:]+", type = type, weight = 1, ops = 0,
      vector = points.values[text] }
  end
  for i, w in ipairs(points.widths) do
    vector[i] = type == "t" and cut(edge and edge >> 64 - w or value, w) or value
  end
  return { text = text, type = type, weight = 0, ops = 0, vector = vector, value = value,
    constant = true }
end

-- What an op without such an operand has.
local NONE <const> = { vector = {} }

--- Those of a node and what is below it that are wanted, each text once, as they are written.
---@param node phial.rules.Node
---@param is_wanted fun(node: phial.rules.Node): any
---@param list? phial.rules.Node[] gets them
---@return phial.rules.Node[]
function M.parts(node, is_wanted, list)
  local key = node.name or node.text
  list = list or {}
  if is_wanted(node) and not list[key] then list[#list + 1], list[key] = node, true end
  for _, kid in ipairs(node) do M.parts(kid, is_wanted, list) end
  return list
end

--- A term of operands, computed at the points.
---@param points phial.rules.Points
---@param form phial.rules.Form
---@param a? phial.rules.Term
---@param b? phial.rules.Term
---@param c? phial.rules.Term
---@return phial.rules.Term
function M.apply(points, form, a, b, c)
  local term = { a, b, c, op = form.op, type = form.result, weight = form.weight, ops = 1 }
  local texts = {}
  for i, arg in ipairs(term) do
    texts[i] = arg.text
    term.weight, term.ops = term.weight + arg.weight, term.ops + arg.ops
  end
  term.text = M.text(form.op, texts)
  local vector, f = {}, form.f
  local x, y, z = (a or NONE).vector, (b or NONE).vector, (c or NONE).vector
  for i, w in ipairs(points.widths) do vector[i] = f[w](x[i], y[i], z[i]) end
  term.vector = vector
  return term
end

-- }====================================================================

return M
