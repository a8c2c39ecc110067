--- Terms from nothing: those of some size for which a lighter one has the same values, made of
-- terms for which none has.
local bank = require "phial.rules.find.bank"
local harvest = require "phial.rules.find.harvest"
local terms = require "phial.rules.find.term"

local M = {}

-- What is compared first: most terms differ at these points.
local POINTS <const> = 96

local VARIABLES <const> = { t = "xyz", i1 = "abc" }
local LITERALS <const> = "0 1 -1 3 8 INT_MIN INT_MAX"

-- The leaves of terms, and points for their variables.
local function leaves_of(forms, vars, literals, samples)
  local read, seen = { names = {}, kinds = {}, literals = {}, samples = samples }, {}
  for _, form in ipairs(forms) do
    for _, kind in ipairs(form.args) do
      for i = 1, seen[kind] and 0 or vars do
        local name = (VARIABLES[kind] or "uvw"):sub(i, i) .. (kind == "i1" and ":i1" or "")
        seen[kind], read.names[#read.names + 1], read.kinds[name] = true, name, kind
      end
    end
  end
  for text in (seen.t and literals or ""):gmatch "%S+" do
    read.literals[#read.literals + 1] = math.tointeger(text)
  end
  local points, leaves = terms.points(read, {}, POINTS), {}
  for _, name in ipairs(read.names) do
    local leaf = terms.leaf(points, name, read.kinds[name])
    leaf.name, leaves[#leaves + 1] = name:match "%a+", leaf
  end
  for _, value in ipairs { false, true } do
    leaves[#leaves + 1] = terms.leaf(points, tostring(value), "i1", value)
    leaves[#leaves].value = value
  end
  for text in (seen.t and literals or ""):gmatch "%S+" do
    local edge = terms.ends[text]
    local leaf = terms.leaf(points, text, "t", edge and edge.at or math.tointeger(text))
    leaf.value, leaves[#leaves + 1] = edge and edge.value or leaf.value, leaf
  end
  return points, leaves
end

---@class phial.rules.Enumeration
---@field points phial.rules.Points
---@field lists table<string, phial.rules.Term[][]> by type, then by the number of ops: the lightest
---@field classes table<integer, { least: phial.rules.Term }> by a hash of values
---@field heavy phial.rules.Term[] those for which a lighter term is known

local function list_of(its, type, ops)
  its.lists[type] = its.lists[type] or {}
  its.lists[type][ops] = its.lists[type][ops] or {}
  return its.lists[type][ops]
end

local function put(its, term)
  local key = bank.hash(term.vector, term.type)
  local class = its.classes[key]
  if class and term.weight >= class.least.weight then
    term.class, term.vector = class, nil
    its.heavy[#its.heavy + 1] = term.weight > class.least.weight and term or nil
    return
  end
  if class then
    its.heavy[#its.heavy + 1] = class.least
  else
    class = {}
    its.classes[key] = class
  end
  class.least, term.class = term, class
  local list = list_of(its, term.type, term.ops)
  list[#list + 1] = term
end

-- Visits the operands of forms of three, which have so many ops, but no two literals, whose type
-- a text would not tell.
local function each_three(its, forms, ops, visit)
  for _, form in ipairs(forms) do
    for i = 0, form.args[3] and ops or -1 do
      for j = 0, ops - i do
        local args = form.args
        local second, third = list_of(its, args[2], j), list_of(its, args[3], ops - i - j)
        for _, a in ipairs(list_of(its, args[1], i)) do
          for _, b in ipairs(second) do
            for _, c in ipairs(third) do
              if not (b.constant and c.constant) then visit(form, a, b, c) end
            end
          end
        end
      end
    end
  end
end

-- Makes the terms of so many ops, of those of fewer.
local function grow(its, forms, ops)
  local function visit(form, ...) put(its, terms.apply(its.points, form, ...)) end
  local function list(type, n) return list_of(its, type, n) end
  bank.each(forms, list, ops - 1, nil, visit)
  for left = 0, ops - 1 do bank.each(forms, list, left, ops - 1 - left, visit) end
  each_three(its, forms, ops - 1, visit)
end

local TYPES <const> = { t = "i64" }

local function set_types(term)
  term.type = TYPES[term.type] or term.type
  for _, kid in ipairs(term) do set_types(kid) end
end

--- All such terms of up to so many ops and variables, the smallest first, then the lightest.
---@param forms phial.rules.Form[] of their ops
---@param size integer
---@param vars integer of each type
---@param literals? string
---@param samples table<string, any[]> of types of dialects
---@return phial.Shape[]
function M.shapes(forms, size, vars, literals, samples)
  local points, leaves = leaves_of(forms, vars, literals or LITERALS, samples)
  local its = { points = points, lists = {}, classes = {}, heavy = {} }
  for _, leaf in ipairs(leaves) do put(its, leaf) end
  for _, form in ipairs(forms) do
    if #form.args == 0 then put(its, terms.apply(points, form)) end
  end
  for ops = 1, size do grow(its, forms, ops) end
  for i, term in ipairs(its.heavy) do term.place = i end
  table.sort(its.heavy, function(a, b)
    if a.ops ~= b.ops then return a.ops < b.ops end
    if a.weight ~= b.weight then return a.weight < b.weight end
    return a.place < b.place
  end)
  local shapes = {}
  for i, term in ipairs(its.heavy) do
    set_types(term)
    shapes[i] = harvest.shape(term)
  end
  return shapes
end

return M
