--- The search for a cheaper term: a bank of terms of no op and of one, and all that one op makes of
-- those in the bank, which is compared with the wanted values point by point and never stored.
local terms = require "phial.rules.find.term"

local M = {}

---@class phial.rules.Bank
---@field points phial.rules.Points
---@field t phial.rules.Term[][] integers, by the number of ops
---@field i1 phial.rules.Term[][] conditions
---@field seen table<integer, phial.rules.Term> by a hash of values, the lightest

-- {== The bank =========================================================

local function hash(vector, type)
  local h = #type
  for i = 1, #vector do h = (h ~ vector[i]) * 0x9E3779B97F4A7C15 ~ h >> 29 end
  return h
end

local function put(bank, term)
  local key = hash(term.vector, term.type)
  local same, list = bank.seen[key], bank[term.type][term.ops > 0 and 2 or 1]
  if same and same.weight <= term.weight then return end
  term.place = same and same.place or #list + 1
  list[term.place], bank.seen[key] = term, term
end

-- All terms of one op over leaves.
local function grow(bank)
  local t, i1, points = bank.t[1], bank.i1[1], bank.points
  for i, a in ipairs(t) do
    for _, op in ipairs(terms.unary) do
      if not a.constant then put(bank, terms.apply(points, op, a)) end
    end
    for j, b in ipairs(t) do
      for _, op in ipairs(a.constant and b.constant and {} or terms.binary) do
        if not terms.ops[op].c or i <= j then put(bank, terms.apply(points, op, a, b)) end
      end
      for _, op in ipairs(a.constant and b.constant and {} or terms.compare) do
        if not terms.ops[op].c or i <= j then put(bank, terms.apply(points, op, a, b)) end
      end
    end
  end
  for i, a in ipairs(i1) do
    if not a.constant then put(bank, terms.apply(points, "bnot", a)) end
    for j = 1, i - 1 do
      for _, op in ipairs(a.constant and i1[j].constant and {} or terms.logic) do
        put(bank, terms.apply(points, op, a, i1[j]))
      end
    end
  end
end

--- A bank with these leaves.
---@param points phial.rules.Points
---@param leaves phial.rules.Term[]
---@return phial.rules.Bank
function M.new(points, leaves)
  local bank = { points = points, t = { {}, {} }, i1 = { {}, {} }, seen = {} }
  for _, leaf in ipairs(leaves) do put(bank, leaf) end
  grow(bank)
  return bank
end

-- }== The last op ======================================================

-- True if the op makes the wanted values of two operands.
local function makes(wanted, points, f, is_truth, a, b)
  local widths, masks = points.widths, points.masks
  for i = 1, points.n do
    if f(a[i], b[i], widths[i]) & (is_truth and 1 or masks[i]) ~= wanted[i] then return false end
  end
  return true
end

---@class phial.rules.Search
---@field bank phial.rules.Bank
---@field wanted integer[]
---@field limit integer what is found weighs at most as much
---@field found phial.rules.Term[]

local function note(search, term)
  search.found[#search.found + 1], search.limit = term, math.min(search.limit, term.weight)
end

-- Tries ops over all pairs of two lists.
local function try_pairs(search, ops, is_truth, left, right)
  local points, wanted = search.bank.points, search.wanted
  for _, op in ipairs(ops) do
    local f, weight, both = terms.ops[op][1], terms.weight(op), not terms.ops[op].c
    for _, a in ipairs(left) do
      for _, b in ipairs(weight + a.weight <= search.limit and right or {}) do
        if weight + a.weight + b.weight <= search.limit then
          if makes(wanted, points, f, is_truth, a.vector, b.vector) then
            note(search, terms.apply(points, op, a, b))
          end
          if both and makes(wanted, points, f, is_truth, b.vector, a.vector) then
            note(search, terms.apply(points, op, b, a))
          end
        end
      end
    end
  end
end

local function try_unary(search, ops, is_truth, list)
  for _, op in ipairs(ops) do
    for _, a in ipairs(list) do
      if terms.weight(op) + a.weight <= search.limit
        and makes(search.wanted, search.bank.points, terms.ops[op][1], is_truth, a.vector,
          a.vector) then
        note(search, terms.apply(search.bank.points, op, a))
      end
    end
  end
end

-- Of a list the terms that have the wanted values where the condition is as said.
local function agreeing(search, list, condition, truth)
  local fit = {}
  for _, term in ipairs(list) do
    local vector, agrees = term.vector, true
    for i = 1, search.bank.points.n do
      if condition[i] == truth and vector[i] ~= search.wanted[i] then agrees = false break end
    end
    if agrees then fit[#fit + 1] = term end
  end
  return fit
end

local function try_selects(search, conditions, lists)
  local weight = terms.weight "select"
  for _, c in ipairs(conditions) do
    if not c.constant and weight + c.weight <= search.limit then
      local otherwise
      for _, list in ipairs(lists) do
        for _, a in ipairs(agreeing(search, list, c.vector, 1)) do
          otherwise = otherwise or agreeing(search, lists[1], c.vector, 0)
          for _, b in ipairs(otherwise) do
            if weight + c.weight + a.weight + b.weight <= search.limit then
              note(search, terms.apply(search.bank.points, "select", c, a, b))
            end
          end
        end
      end
    end
  end
end

-- Terms of the bank itself.
local function try_bank(search, type)
  for _, list in ipairs(search.bank[type]) do
    for _, term in ipairs(list) do
      if term.weight <= search.limit
        and makes(search.wanted, search.bank.points, function(a) return a end, type == "i1",
          term.vector, term.vector) then
        note(search, term)
      end
    end
  end
end

--- The terms that compute the wanted values, weigh at most `limit` and have up to `size` ops: the
--- lightest first, of those with the fewest ops.
---@param bank phial.rules.Bank
---@param type "t"|"i1"
---@param wanted integer[]
---@param limit integer
---@param size integer
---@return phial.rules.Term[]
function M.find(bank, type, wanted, limit, size)
  local search = { bank = bank, wanted = wanted, limit = limit, found = {} }
  local t, i1 = bank.t, bank.i1
  local own, is_truth = bank[type], type == "i1"
  try_bank(search, type)
  if size > 1 then
    try_unary(search, is_truth and { "bnot" } or terms.unary, is_truth, own[2])
    try_pairs(search, is_truth and terms.logic or terms.binary, is_truth, own[2], own[1])
    if is_truth then try_pairs(search, terms.compare, true, t[2], t[1]) end
    try_selects(search, i1[1], own)
    try_selects(search, i1[2], { own[1] })
  end
  if size > 2 and #search.found == 0 then
    try_pairs(search, is_truth and terms.logic or terms.binary, is_truth, own[2], own[2])
    if is_truth then try_pairs(search, { "eq", "ne" }, true, t[2], t[2]) end
  end
  for i, term in ipairs(search.found) do term.place = i end
  table.sort(search.found, function(a, b)
    if a.weight ~= b.weight then return a.weight < b.weight end
    if a.ops ~= b.ops then return a.ops < b.ops end
    return a.place < b.place
  end)
  return search.found
end

-- }====================================================================

return M
