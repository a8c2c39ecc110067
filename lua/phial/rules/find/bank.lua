--- The search for a cheaper term: a bank of terms of no op and of one, and all that one op makes of
-- those in the bank, which is compared with the wanted values point by point and never stored.
local terms = require "phial.rules.find.term"

local M = {}

---@class phial.rules.Bank
---@field points phial.rules.Points
---@field forms phial.rules.Form[]
---@field lists table<string, phial.rules.Term[][]> by type, then by the number of ops, from 0
---@field classes table<integer, { least: phial.rules.Term }> by a hash of values: the lightest
---@field heavy? phial.rules.Term[] those for which a lighter term is known

-- {== The bank =========================================================

-- Numbers for values that are not integers.
local numbers, last = setmetatable({ [true] = 1, [false] = 0 }, { __mode = "k" }), 1

local function number_of(v)
  if math.type(v) == "integer" then return v end
  if v ~= v then return 0 end
  if not numbers[v] then numbers[v], last = last + 1, last + 1 end
  return numbers[v]
end

-- A hash of values.
local function hash_of(vector, type)
  local h = #type
  for _, v in ipairs(vector) do h = (h ~ number_of(v)) * 0x9E3779B97F4A7C15 ~ h >> 29 end
  return h
end

local function list_of(bank, type, ops)
  bank.lists[type] = bank.lists[type] or {}
  bank.lists[type][ops] = bank.lists[type][ops] or {}
  return bank.lists[type][ops]
end

-- Adds a term, unless the bank has one with the same values that weighs as much or less.
local function put(bank, term)
  local key, heavy = hash_of(term.vector, term.type), bank.heavy or {}
  local class, list = bank.classes[key] or {}, list_of(bank, term.type, term.ops)
  local least = class.least
  bank.classes[key], term.class = class, class
  if least and least.weight <= term.weight then
    term.vector, heavy[#heavy + 1] = nil, term.weight > least.weight and term or nil
    return
  end
  heavy[#heavy + 1], class.least = least, term
  term.place = least and least.ops == term.ops and least.place or #list + 1
  list[term.place] = term
end

-- Calls visit(form, a, b) with all operands of those numbers of ops that an op can have; of a
-- commutative op in one order where the numbers are equal. Without `right`: ops of one operand.
local function each(bank, forms, left, right, visit)
  for _, form in ipairs(forms) do
    local one = form.args[1] and list_of(bank, form.args[1], left)
    if #form.args == 1 and not right then
      for _, a in ipairs(one) do
        if not a.constant then visit(form, a) end
      end
    elseif #form.args == 2 and right and not (form.c and left < right) then
      local other = list_of(bank, form.args[2], right)
      for i, a in ipairs(one) do
        for j = form.c and one == other and i or 1, #other do
          if not (a.constant and other[j].constant) then visit(form, a, other[j]) end
        end
      end
    end
  end
end

-- Visits an op with all operands of three lists, but two literals: no text tells their type.
local function combine(form, first, second, third, visit)
  for _, a in ipairs(first) do
    for _, b in ipairs(second) do
      for _, c in ipairs(third) do
        if not (b.constant and c.constant) then visit(form, a, b, c) end
      end
    end
  end
end

-- Visits the operands of ops of three that have so many ops together.
local function each_three(bank, ops, visit)
  for _, form in ipairs(bank.forms) do
    local function list(k, n) return list_of(bank, form.args[k], n) end
    for i = 0, form.args[3] and ops or -1 do
      for j = 0, ops - i do
        combine(form, list(1, i), list(2, j), list(3, ops - i - j), visit)
      end
    end
  end
end

--- Makes the terms of so many ops from those of fewer.
---@param bank phial.rules.Bank
---@param ops integer
function M.grow(bank, ops)
  local function visit(form, ...) put(bank, terms.apply(bank.points, form, ...)) end
  each(bank, bank.forms, ops - 1, nil, visit)
  for left = 0, ops - 1 do each(bank, bank.forms, left, ops - 1 - left, visit) end
  each_three(bank, ops - 1, visit)
end

--- A bank with these leaves, and the terms that one of these ops makes of them.
---@param points phial.rules.Points
---@param leaves phial.rules.Term[]
---@param forms phial.rules.Form[]
---@param heavy? phial.rules.Term[] gets those for which a lighter term is known
---@return phial.rules.Bank
function M.new(points, leaves, forms, heavy)
  local bank = { points = points, forms = forms, lists = {}, classes = {}, heavy = heavy }
  for _, leaf in ipairs(leaves) do put(bank, leaf) end
  for _, form in ipairs(forms) do
    if #form.args == 0 then put(bank, terms.apply(points, form)) end
  end
  M.grow(bank, 1)
  return bank
end

-- }== The last op ======================================================

-- A search has the bank, the wanted values, what is found, and the limit of what that may weigh.

local NONE <const> = {}

-- True if the op makes the wanted values of its operands.
local function makes(search, form, a, b)
  local wanted, f = search.wanted, form.f
  for i, w in ipairs(search.bank.points.widths) do
    if f[w](a[i], b[i]) ~= wanted[i] then return false end
  end
  return true
end

local function note(search, term)
  search.found[#search.found + 1], search.limit = term, math.min(search.limit, term.weight)
end

-- Tries ops over operands of those numbers of ops.
local function try(search, forms, left, right)
  each(search.bank, forms, left, right, function(form, a, b)
    if form.weight + a.weight + (b and b.weight or 0) <= search.limit
      and makes(search, form, a.vector, b and b.vector or NONE) then
      note(search, terms.apply(search.bank.points, form, a, b))
    end
  end)
end

-- Of a list the terms that have the wanted values where the condition is as said.
local function agreeing(search, list, condition, truth)
  local fit = {}
  for _, term in ipairs(list) do
    local vector, agrees = term.vector, true
    for i in ipairs(search.bank.points.widths) do
      if condition[i] == truth and vector[i] ~= search.wanted[i] then agrees = false break end
    end
    if agrees then fit[#fit + 1] = term end
  end
  return fit
end

-- Tries selects by conditions of so many ops; the other operands have none, or if the condition has
-- none, the first has up to one.
local function try_selects(search, type, ops)
  local bank = search.bank
  for _, c in ipairs(list_of(bank, "i1", ops)) do
    local form, otherwise = terms.form("select", { "i1", type, type }), nil
    for k = 0, c.constant and -1 or 1 - ops do
      for _, a in ipairs(agreeing(search, list_of(bank, type, k), c.vector, true)) do
        otherwise = otherwise or agreeing(search, list_of(bank, type, 0), c.vector, false)
        for _, b in ipairs(otherwise) do
          if form.weight + c.weight + a.weight + b.weight <= search.limit then
            note(search, terms.apply(bank.points, form, c, a, b))
          end
        end
      end
    end
  end
end

--- The terms that compute the wanted values, weigh at most `limit` and have up to `size` ops: the
--- lightest first, of those with the fewest ops.
---@param bank phial.rules.Bank
---@param type string
---@param wanted any[]
---@param limit integer
---@param size integer
---@return phial.rules.Term[]
function M.find(bank, type, wanted, limit, size)
  local search, forms = { bank = bank, wanted = wanted, limit = limit, found = {} }, {}
  for _, form in ipairs(bank.forms) do forms[#forms + 1] = form.result == type and form or nil end
  local class = bank.classes[hash_of(wanted, type)]
  if class and class.least.weight <= limit then note(search, class.least) end
  if size > 1 then
    try(search, forms, 1)
    try(search, forms, 1, 0)
    try(search, forms, 0, 1)
    for ops = 0, 1 do try_selects(search, type, ops) end
  end
  if size > 2 and #search.found == 0 then try(search, forms, 1, 1) end
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
