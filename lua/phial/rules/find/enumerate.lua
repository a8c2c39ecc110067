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
  end
  for text in (seen.t and literals or ""):gmatch "%S+" do
    leaves[#leaves + 1] = terms.leaf(points, text, "t", math.tointeger(text))
  end
  return points, leaves
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
  local its = bank.new(points, leaves, forms, {})
  for ops = 2, size do bank.grow(its, ops) end
  for i, term in ipairs(its.heavy) do term.place = i end
  table.sort(its.heavy, function(a, b)
    if a.ops ~= b.ops then return a.ops < b.ops end
    if a.weight ~= b.weight then return a.weight < b.weight end
    return a.place < b.place
  end)
  local shapes = {}
  for i, term in ipairs(its.heavy) do shapes[i] = harvest.shape(term) end
  return shapes
end

return M
