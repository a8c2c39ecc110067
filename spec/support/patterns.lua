-- The patterns of phial's rules as expressions to emit, so that random programs
-- reach each rule. Reads the rules' text with a small parser of its own; ignores
-- guards, and tries several constants instead.
local file = require "spec.support.file"
local ops = require "spec.support.ops"

local M = {}

--
-- {== The text ========================================================
--

--- The text of the default rules.
function M.standard() return file.read "src/core/rules/language/builtin.rules" end

local SYMBOLS = { "==", "~=", "<=", ">=", "<<", ">>" }

local function tokens(text)
  local out, at = {}, 1
  while true do
    at = text:match("^%s*()", at)
    if at > #text then return out end
    local token = text:match("^[%a_][%w_]*", at) or text:match("^%d[%w.]*", at)
    for _, symbol in ipairs(SYMBOLS) do
      if text:sub(at, at + 1) == symbol then token = symbol end
    end
    token = token or text:sub(at, at)
    out[#out + 1] = token
    at = at + #token
  end
end

-- }== Patterns ========================================================

local BINARY = {
  ["=="] = { 1, "eq" }, ["~="] = { 1, "ne" }, ["<"] = { 1, "slt" }, ["<="] = { 1, "sle" },
  [">"] = { 1, "sgt" }, [">="] = { 1, "sge" }, ["|"] = { 2, "bor" }, ["~"] = { 3, "bxor" },
  ["&"] = { 4, "band" }, ["<<"] = { 5, "shl" }, [">>"] = { 5, "shr" }, ["+"] = { 6, "add" },
  ["-"] = { 6, "sub" }, ["*"] = { 7, "mul" },
}

local pattern, primary

function primary(r)
  local token = r[r.at]
  r.at = r.at + 1
  local function typed(node)
    if r[r.at] == ":" then
      node.type = r[r.at + 1]
      r.at = r.at + 2
    end
    return node
  end
  if token == "-" or token == "~" then
    local kid = pattern(r, 8)
    if token == "-" and kid.number then return { number = "-" .. kid.number, type = kid.type } end
    return { ops = { token == "-" and "neg" or "bnot" }, kid }
  elseif token == "(" then
    local node = pattern(r, 0)
    r.at = r.at + 1
    return node
  end
  if r[r.at] == "@" then -- a name, which is no other pattern
    r.at = r.at + 1
    return primary(r)
  end
  local choices = { token }
  if token == "[" then
    choices = { either = true }
    repeat
      choices[#choices + 1] = primary(r)
      r.at = r.at + 1
    until r[r.at - 1] == "]"
    if r[r.at] ~= "(" then return typed(choices) end
    for i, choice in ipairs(choices) do choices[i] = choice.name end
  elseif r[r.at] ~= "(" then
    if token:find "^%d" then return typed { number = token } end
    return typed { name = token }
  end
  local node = { ops = choices }
  r.at = r.at + 1
  while r[r.at - 1] ~= ")" do
    node[#node + 1] = pattern(r, 0)
    r.at = r.at + 1
  end
  if token == "once" then return node[1] end
  return typed(node)
end

function pattern(r, least)
  local left = primary(r)
  while BINARY[r[r.at]] and BINARY[r[r.at]][1] > least do
    local found = BINARY[r[r.at]]
    r.at = r.at + 1
    left = { ops = { found[2] }, left, pattern(r, found[1]) }
  end
  return left
end

--- The patterns in a text, but for those of terminators, and of copysign, which shows the
--- sign of a nan, which rules may change: a list, with names.
function M.read(text)
  local out = {}
  for name, rule in text:gmatch "\n([%w_]+):%s+([^\n]-)%s*=>" do
    local tree = pattern(setmetatable({ at = 1 }, { __index = tokens(rule) }), 0)
    local is_left = ops.row[tree.ops[1]].terminator or rule:find "copysign"
    if not is_left then out[#out + 1] = { name = name, tree = tree } end
  end
  return out
end

-- }== Types ===========================================================

local WIDTH = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64, ptr = 64 }

local function find(class)
  while class.up do class = class.up end
  return class
end

local function join(a, b)
  a, b = find(a), find(b)
  if a == b then return end
  b.type, b.float, b.wide = b.type or a.type, b.float or a.float, b.wide or a.wide
  a.up = b
end

-- Gives each node a class of equal types.
local function infer(node, named)
  local class = {}
  node.class = class
  if node.type then
    local fixed = WIDTH[node.type] and { type = node.type }
    named[":" .. node.type] = named[":" .. node.type] or fixed or {}
    join(class, named[":" .. node.type])
  end
  if node.name then
    if node.name == "true" or node.name == "false" then join(class, { type = "i1" }) end
    if node.name:find "^[%a]" and not node.name:find "^INT_" and node.name ~= "true"
      and node.name ~= "false" then
      named[node.name] = named[node.name] or {}
      join(class, named[node.name])
    end
  elseif node.number and node.number:find "%." then
    find(class).float = true
  end
  for _, kid in ipairs(node) do
    infer(kid, named)
    if node.either then join(class, kid.class) end
  end
  if not node.ops then return end
  -- places with the same letter of the signature have the same type
  local by_letter = {
    b = { type = "i1" }, n = { type = "i64" }, p = { type = "ptr" },
    w = { wide = true }, f = { float = true }, g = { float = true }, G = { float = true },
  }
  local function has(letter, its)
    by_letter[letter] = by_letter[letter] or {}
    join(its, by_letter[letter])
  end
  local result, letters = ops.row[node.ops[1]].signature:match "(.):(.*)"
  for i, kid in ipairs(node) do has(letters:sub(i, i), kid.class) end
  has(result, class)
end

local function type_of(pick, class)
  class = find(class)
  if not class.type then
    local types = class.float and ops.FLOATS or class.wide and ops.WIDE or ops.INTEGERS
    class.type = types[pick(#types)]
  end
  return class.type
end

-- The pattern with types, and one op or part where it has several; nil if casts do not fit.
-- leaf(node, type) makes leaves, once per name.
local function instantiate(pick, node, leaf, known, which)
  local type = type_of(pick, node.class)
  if find(node.class).wide and WIDTH[type] < 16 then return nil end
  if node.either then return instantiate(pick, node[which % #node + 1], leaf, known, which) end
  if not node.ops then
    local key = node.name and node.name ~= "_" and node.name or node
    if known[key] == nil then known[key] = leaf(node, type) end
    return known[key]
  end
  which = #node.ops > 1 and which % #node.ops + 1 or 1
  local out = { op = node.ops[which], type = type, said = ops.is_cast(node.ops[1]) and type or nil }
  for i, kid in ipairs(node) do
    out[i] = instantiate(pick, kid, leaf, known, pick(12))
    if not out[i] then return nil end
  end
  if out.said and not ops.leads(out.op, out[1].type, type) then return nil end
  return out
end

local function clear(node)
  node.class = nil
  for _, kid in ipairs(node) do clear(kid) end
end

-- }== Instances =======================================================

local SPECIAL = { ["true"] = true, ["false"] = false }

-- Sign-extends an integer from the width of a type.
local function cut(n, type)
  local width = WIDTH[type]
  if width == 1 then return n & 1 == 1 end
  if width == 64 then return n end
  return ((n + (1 << width - 1)) & (1 << width) - 1) - (1 << width - 1)
end

-- A constant that guards often accept.
local function interesting(pick, type)
  if not WIDTH[type] then return ({ 0.0, -0.0, 1.0, -1.0, 2.5, 1 / 0 })[pick(6)] end
  local kind = pick(4)
  local n = kind == 1 and 1 << pick(WIDTH[type]) - 1 or kind == 2 and pick(8) - 3
    or kind == 3 and pick(WIDTH[type]) - 1 or -1 << pick(WIDTH[type]) - 1
  return cut(n, type)
end

local function constant(pick, node, type)
  local name = node.name
  local is_literal = node.number or name:find "^INT_"
  if is_literal and pick(6) == 1 then return interesting(pick, type) end -- nearly
  if node.number then
    if not WIDTH[type] then return tonumber(node.number) * 1.0 end
    return cut(math.tointeger(node.number), type)
  elseif name == "INT_MIN" then
    return cut(1 << WIDTH[type] - 1, type)
  elseif name == "INT_MAX" then
    return cut((1 << WIDTH[type] - 1) - 1, type)
  elseif SPECIAL[name] ~= nil then
    return SPECIAL[name]
  elseif name:find "^%u" then
    return interesting(pick, type)
  end
end

--- A tree of ops that the pattern matches, or nearly; operands are
--- { const =, type = } or made by var(type). nil if casts do not fit. type: that of integer
--- results of which the pattern says no more.
function M.instance(pick, rule, var, type)
  infer(rule.tree, {})
  local class = find(rule.tree.class)
  if not class.float then class.type = class.type or type end
  local tree = instantiate(pick, rule.tree, function(node, its)
    local const = constant(pick, node, its)
    if const ~= nil then return { const = const, type = its } end
    return var(its)
  end, {}, pick(12))
  clear(rule.tree)
  return tree
end

-- }====================================================================

return M
