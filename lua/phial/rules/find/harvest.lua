--- Shapes: terms that code has often, as patterns of rules.
--
-- A shape is an instruction with some of those that compute its operands, each of which has no
-- other user: a rule that replaces the shape removes them all. Literals are those of the code.
local core = require "phial.core"
local terms = require "phial.rules.find.term"

local M = {}

-- {== Shapes ===========================================================

---@class phial.rules.Part an instruction of a shape
---@field v phial.Value
---@field [integer] phial.rules.Part|false by operand; false: a leaf

-- "t" for the integers of a term, else the type.
local function kind(v)
  local type = v:type()
  return type and type ~= "i1" and type:find "^i%d" and "t" or type
end

-- The op of a dialect.
local function own_op(fn, op)
  local dialect, name = op:match "^(.-)%.(.+)$"
  return dialect and fn:dialect(dialect)[name]
end

-- True if terms have such an instruction; of a value of a dialect there are samples.
local function is_part(of, v)
  local own, args, result = own_op(of.fn, v:op()), v:args(), kind(v)
  if not of.samples[result] then return false end
  for i, arg in ipairs(args) do
    args[i] = kind(arg)
    if not of.samples[args[i]] then return false end
  end
  if not own then return terms.has(v:op()) end
  return own:eval() and own:results() == 1 and v:effect() == "none" and v:data() == nil
    and not (own:says_type() or own:takes_env() or v:can_trap())
end

-- All that an instruction and at most `size` - 1 of those before it make, with their sizes.
local function parts_of(of, v, size)
  local lists = { { { v = v }, 1 } }
  for i, arg in ipairs(v:args()) do
    local is_inner = size > 1 and arg:use_count() == 1 and is_part(of, arg)
    local below = is_inner and parts_of(of, arg, size - 1) or {}
    for k = 1, #lists do
      local part, count = lists[k][1], lists[k][2]
      for _, more in ipairs(below) do
        if count + more[2] <= size then
          local wider = table.move(part, 1, i - 1, 1, { v = v })
          wider[i] = more[1]
          lists[#lists + 1] = { wider, count + more[2] }
        end
      end
      part[i] = false
    end
  end
  return lists
end

local NAMES <const> = "xyzuvwpqrst"

---@class phial.rules.Node of a shape
---@field op? string nil: a leaf
---@field cost? integer of an op of a dialect
---@field text string
---@field name? string of a variable
---@field value? any of a literal
---@field type string

-- A part without the function that has it.
local function node_of(fn, part, names)
  local own = own_op(fn, part.v:op())
  local node = { op = part.v:op(), type = part.v:type(), cost = own and own:cost() }
  for i, arg in ipairs(part.v:args()) do
    local value, type = arg:const(), arg:type()
    local is_new = not (part[i] or value ~= nil or names[arg])
    if is_new then
      names.n = names.n + 1
      names[arg] = NAMES:sub(names.n, names.n)
    end
    node[i] = part[i] and node_of(fn, part[i], names)
      or value ~= nil and { text = tostring(value), value = value, type = type }
      or { text = names[arg] .. (is_new and type == "i1" and ":i1" or ""), name = names[arg],
        type = type }
  end
  node.text = terms.text(node.op, node)
  return node
end

local PLACES <const> = 3

-- By shape: its node, that of its first place.
local nodes = setmetatable({}, { __mode = "k" })

--- The shapes of finished functions, first those with most to save: if one op were left of each.
---@param fns phial.Function[]
---@param size integer the most ops
---@param least integer the least count
---@param samples table<string, any[]> of types of dialects
---@return phial.Shape[]
function M.shapes(fns, size, least, samples)
  local list, by_text, number = {}, {}, {}
  local function add(fn, part, ops)
    local names = { n = 0 }
    local node = node_of(fn, part, names)
    if names.n > #NAMES then return end
    local shape = by_text[node.text]
    if not shape then
      shape = { text = node.text, count = 0, ops = ops, at = {} }
      list[#list + 1], by_text[node.text] = shape, shape
      nodes[shape], number[shape] = node, #list
    end
    shape.count = shape.count + 1
    if #shape.at < PLACES then shape.at[#shape.at + 1] = { fn = fn, value = part.v } end
  end
  local of = { samples = setmetatable({ t = true, i1 = true }, { __index = samples }) }
  for _, fn in ipairs(fns) do
    of.fn = fn
    for v in fn:values() do
      for _, it in ipairs(is_part(of, v) and parts_of(of, v, size) or {}) do
        if it[2] > 1 then add(fn, it[1], it[2]) end
      end
    end
  end
  local often = {}
  for _, shape in ipairs(list) do
    if shape.count >= least then often[#often + 1] = shape end
  end
  table.sort(often, function(a, b)
    local one, other = a.count * (a.ops - 1), b.count * (b.ops - 1)
    if one ~= other then return one > other end
    return number[a] < number[b]
  end)
  return often
end

-- }== What rules do to them ============================================

-- The type of a node: of the integers of a term, one of them.
local function type_of(node) return node.type == "t" and "i64" or node.type end

-- Adds the variables of a node to a list, and their types to that of parameters.
local function note(node, places, params)
  if node.name and not places[node.name] then
    params[#params + 1] = ("p%d:%s"):format(#params + 1, type_of(node))
    places[node.name] = #params
  end
  for _, kid in ipairs(node) do note(kid, places, params) end
end

local function emit(fn, node, places)
  if node.name then return fn:arg(places[node.name]) end
  if not node.op then return fn:const(node.value, type_of(node)) end
  local args = {}
  for i, kid in ipairs(node) do args[i] = emit(fn, kid, places) end
  return fn:emit(own_op(fn, node.op) or node.op, table.unpack(args))
end

--- What the instructions weigh that rules leave of a node.
---@param R phial.Rules
---@param node phial.rules.Node
---@return integer
function M.left(R, node)
  local places, params, sum = {}, {}, 0
  note(node, places, params)
  local fn <close> = core.fn("shape", params, type_of(node),
    { rules = R, where = false, dialects = { table.unpack(terms.dialects(R, node.text)) } })
  fn:set_current(fn:entry())
  fn:ret(emit(fn, node, places))
  fn:finish():clean()
  for v in fn:values() do
    local op = v:op()
    local own = own_op(fn, op)
    if op ~= "ret" then sum = sum + (own and own:cost() or terms.weight(op)) end
  end
  return sum
end

-- What its ops weigh, each term once.
local function weight(node, seen)
  if not node.op or seen[node.text] then return 0 end
  seen[node.text] = true
  local sum = node.cost or terms.weight(node.op)
  for _, kid in ipairs(node) do sum = sum + weight(kid, seen) end
  return sum
end

--- A shape of a term that was enumerated.
---@param node phial.rules.Term
---@return phial.Shape
function M.shape(node)
  local shape = { text = node.text, count = 0, ops = node.ops, at = {} }
  shape.form = node.class.least.text
  nodes[shape] = node
  return shape
end

--- True if rules make a shape lighter; of one that was enumerated, as light as any that is known.
---@param R phial.Rules
---@param shape phial.Shape
---@return boolean
function M.is_done(R, shape)
  local node = nodes[shape]
  local left = M.left(R, node)
  if node.class then return left <= weight(node.class.least, {}) end
  return left < weight(node, {})
end

-- }====================================================================

return M
