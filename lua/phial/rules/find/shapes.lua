--- Shapes: patterns of rules that are searched for: of terms that code has often, or from nothing.
--
-- A shape of code is an instruction with some of those that compute its operands, each of which has
-- no other user: a rule that replaces the shape removes them all. Literals are those of the code.
local bank = require "phial.rules.find.bank"
local core = require "phial.core"
local terms = require "phial.rules.find.term"

local M = {}

-- By shape: its node, that of its first place.
local nodes = setmetatable({}, { __mode = "k" })

-- {== What code has ====================================================

---@class phial.rules.Part an instruction of a shape
---@field v phial.Value
---@field ops integer
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
  for _, it in ipairs { v, table.unpack(v:args()) } do
    if not of.samples[kind(it)] then return false end
  end
  local own = own_op(of.fn, v:op())
  if not own then return terms.has(v:op()) end
  return own:eval() and own:results() == 1 and v:effect() == "none" and v:data() == nil
    and not (own:says_type() or own:takes_env() or v:can_trap())
end

-- All that an instruction and at most `size` - 1 of those before it make.
local function parts_of(of, v, size)
  local parts = { { v = v, ops = 1 } }
  for i, arg in ipairs(v:args()) do
    local is_inner = size > 1 and arg:use_count() == 1 and is_part(of, arg)
    local below = is_inner and parts_of(of, arg, size - 1) or {}
    for k = 1, #parts do
      local part = parts[k]
      for _, inner in ipairs(below) do
        local ops = part.ops + inner.ops
        if ops <= size then
          parts[#parts + 1] = table.move(part, 1, i - 1, 1, { v = v, ops = ops, [i] = inner })
        end
      end
      part[i] = false
    end
  end
  return parts
end

local NAMES <const>, PLACES <const> = "xyzuvwpqrst", 3

-- A part without the function that has it.
local function node_of(part, names)
  local texts, node = {}, { op = part.v:op(), type = part.v:type() }
  for i, arg in ipairs(part.v:args()) do
    local value, type = arg:const(), arg:type()
    local is_new = not (part[i] or value ~= nil or names[arg])
    if is_new then
      names.n = names.n + 1
      names[arg] = NAMES:sub(names.n, names.n)
    end
    node[i] = part[i] and node_of(part[i], names)
      or value ~= nil and { text = tostring(value), value = value, type = type }
      or { text = names[arg] .. (is_new and type == "i1" and ":i1" or ""), name = names[arg],
        type = type }
    texts[i] = node[i].text
  end
  node.text = terms.text(node.op, texts)
  return node
end

--- The shapes of finished functions, first those with most to save: if one op were left of each.
---@param fns phial.Function[]
---@param size integer the most ops
---@param least integer the least count
---@param samples table<string, any[]> of types of dialects
---@return phial.Shape[]
function M.harvest(fns, size, least, samples)
  local list, place, often = {}, {}, {}
  local function add(fn, part)
    local names = { n = 0 }
    local node = node_of(part, names)
    if names.n > #NAMES then return end
    if not place[node.text] then
      local new = { text = node.text, count = 0, ops = part.ops, at = {} }
      list[#list + 1], place[node.text], nodes[new] = new, #list + 1, node
    end
    local shape = list[place[node.text]]
    shape.count = shape.count + 1
    if #shape.at < PLACES then shape.at[#shape.at + 1] = { fn = fn, value = part.v } end
  end
  local of = { samples = setmetatable({ t = true, i1 = true }, { __index = samples }) }
  for _, fn in ipairs(fns) do
    of.fn = fn
    for v in fn:values() do
      for _, part in ipairs(is_part(of, v) and parts_of(of, v, size) or {}) do
        if part.ops > 1 then add(fn, part) end
      end
    end
  end
  for _, shape in ipairs(list) do
    if shape.count >= least then often[#often + 1] = shape end
  end
  table.sort(often, function(a, b)
    local one, other = a.count * (a.ops - 1), b.count * (b.ops - 1)
    if one ~= other then return one > other end
    return place[a.text] < place[b.text]
  end)
  return often
end

-- }== Terms from nothing ===============================================

-- What is compared first: most terms differ at these points.
local POINTS <const> = 96
local VARIABLES <const> = { t = "xyz", i1 = "abc" }
local LITERALS <const> = "0 1 -1 3 8 INT_MIN INT_MAX"

-- The leaves of terms, and points for their variables.
local function leaves_of(forms, vars, literals, samples, width)
  local seen, read = {}, { names = {}, kinds = {}, literals = {}, samples = samples, width = width }
  for _, form in ipairs(forms) do
    for _, type in ipairs(form.args) do
      for i = 1, seen[type] and 0 or vars do
        local name = (VARIABLES[type] or "uvw"):sub(i, i) .. (type == "i1" and ":i1" or "")
        seen[type], read.names[#read.names + 1], read.kinds[name] = true, name, type
      end
    end
  end
  for text in (seen.t and literals or ""):gmatch "%S+" do
    read.literals[#read.literals + 1] = math.tointeger(text)
  end
  local points, leaves = terms.points(read, POINTS), {}
  for _, name in ipairs(read.names) do
    leaves[#leaves + 1] = terms.leaf(points, name, read.kinds[name])
  end
  for _, value in ipairs { false, true } do
    leaves[#leaves + 1] = terms.leaf(points, tostring(value), "i1", value)
  end
  for text in (seen.t and literals or ""):gmatch "%S+" do
    leaves[#leaves + 1] = terms.leaf(points, text, "t", math.tointeger(text))
  end
  return points, leaves
end

--- All terms of up to so many ops and variables for which a lighter one has the same values, made
--- of terms for which none has: the smallest first, then the lightest.
---@param forms phial.rules.Form[] of their ops
---@param size integer
---@param vars integer of each type
---@param literals? string
---@param samples table<string, any[]> of types of dialects
---@param width? integer the only one that integers can have
---@return phial.Shape[]
function M.enumerate(forms, size, vars, literals, samples, width)
  local points, leaves = leaves_of(forms, vars, literals or LITERALS, samples, width)
  local its, shapes = bank.new(points, leaves, forms, {}), {}
  for ops = 2, size do bank.grow(its, ops) end
  for i, term in ipairs(its.heavy) do term.place = i end
  table.sort(its.heavy, function(a, b)
    if a.ops ~= b.ops then return a.ops < b.ops end
    if a.weight ~= b.weight then return a.weight < b.weight end
    return a.place < b.place
  end)
  for i, term in ipairs(its.heavy) do
    shapes[i] = { text = term.text, count = 0, ops = term.ops, at = {} }
    shapes[i].form, nodes[shapes[i]] = term.class.least.text, term
    term.width, term.class.least.width = width, width
  end
  return shapes
end

-- }== What rules do to them ============================================

-- The type of a node: of the integers of a term, one of them.
local function type_of(node, integer) return node.type == "t" and integer or node.type end

local function emit(fn, node, places, integer)
  if node.name then return fn:arg(places[node.name]) end
  if not node.op then return fn:const(node.value, type_of(node, integer)) end
  local args = {}
  for i, kid in ipairs(node) do args[i] = emit(fn, kid, places, integer) end
  return fn:emit(node.op, table.unpack(args))
end

--- What the instructions weigh that rules leave of a node.
---@param R phial.Rules
---@param node phial.rules.Node
---@param is_plain? boolean without rules: each term once
---@return integer
function M.left(R, node, is_plain)
  local places, params, sum, integer = {}, {}, 0, "i" .. (node.width or 64)
  for i, variable in ipairs(terms.parts(node, function(it) return it.name end)) do
    places[variable.name], params[i] = i, ("p%d:%s"):format(i, type_of(variable, integer))
  end
  local dialects = terms.dialects(R, node.text .. " " .. table.concat(params, " "))
  local fn <close> = core.fn("shape", params, type_of(node, integer),
    { rules = not is_plain and R, where = false, dialects = { table.unpack(dialects) } })
  fn:set_current(fn:entry())
  fn:ret(emit(fn, node, places, integer))
  fn:finish():clean()
  for v in fn:values() do
    local own = own_op(fn, v:op())
    if v:op() ~= "ret" then sum = sum + (own and own:cost() or terms.weight(v:op())) end
  end
  return sum
end

--- True if rules make a shape lighter; of one that was enumerated, as light as any that is known.
---@param R phial.Rules
---@param shape phial.Shape
---@return boolean
function M.is_done(R, shape)
  local node = nodes[shape]
  if node.class then return M.left(R, node) <= M.left(R, node.class.least, true) end
  return M.left(R, node) < M.left(R, node, true)
end

-- }====================================================================

return M
