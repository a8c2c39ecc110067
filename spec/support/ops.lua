-- The ops that compute, as phial.ops() tells them: by class and signature, and
-- with all types that they take.
local phial = require "phial"

local M = {}

M.INTEGERS = { "i1", "i8", "i16", "i32", "i64" }
M.WIDE = { "i16", "i32", "i64" }
M.FLOATS = { "f32", "f64" }
M.WIDTH = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64, f32 = 32, f64 = 64, ptr = 64 }

--- Those that compute, in the order of op.def.
---@type phial.OpRow[]
M.all = {}

--- The row of each op by its name.
---@type table<string, phial.OpRow>
M.row = {}

for _, row in ipairs(phial.ops()) do
  M.row[row.name] = row
  if row.class ~= "other" or row.name == "copy" then M.all[#M.all + 1] = row end
end

--- The names of the ops with one of these signatures.
---@param ... string "t:tt"
---@return string[]
function M.with(...)
  local names = {}
  for _, row in ipairs(M.all) do
    for _, signature in ipairs { ... } do
      if row.signature == signature then names[#names + 1] = row.name end
    end
  end
  return names
end

--- The names of the ops of a class that take so many operands.
---@param class string
---@param operands integer
---@return string[]
function M.of(class, operands)
  local names = {}
  for _, row in ipairs(M.all) do
    if row.class == class and #row.signature - 2 == operands then names[#names + 1] = row.name end
  end
  return names
end

--- Does the op say the type of its result?
function M.is_cast(name) return M.row[name].signature:find "^%u" ~= nil end

local function is_integer(type) return type:find "^i" ~= nil end
local function is_float(type) return type:find "^f" ~= nil end

-- What each class of casts makes of one type.
local leads = {
  narrow = function(from, to) return is_integer(to) and M.WIDTH[to] < M.WIDTH[from] end,
  widen = function(from, to) return is_integer(to) and M.WIDTH[to] > M.WIDTH[from] end,
  tofloat = function(_, to) return is_float(to) end,
  toint = function(_, to) return is_integer(to) end,
  fwiden = function(from, to) return is_float(to) and M.WIDTH[to] > M.WIDTH[from] end,
  fnarrow = function(from, to) return is_float(to) and M.WIDTH[to] < M.WIDTH[from] end,
  bitcast = function(from, to) return M.WIDTH[to] == M.WIDTH[from] end,
}

--- Can a cast make the one type of the other?
function M.leads(name, from, to) return leads[M.row[name].class](from, to) end

local NUMBERS = { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" }
local EQUATED = { "i1", "i8", "i16", "i32", "i64", "ptr" }

-- The type that a letter of a signature always stands for.
local FIXED = { b = "i1", y = "i8", n = "i64", p = "ptr" }

local SETS = { t = M.INTEGERS, i = M.INTEGERS, f = M.FLOATS, g = M.FLOATS, e = EQUATED,
  w = M.WIDE }

-- The types that a letter of a signature stands for.
local function types_of(letter)
  return FIXED[letter] and { FIXED[letter] } or SETS[letter] or NUMBERS
end

local function operands(row, type)
  local types = {}
  for letter in row.signature:sub(3):gmatch "." do types[#types + 1] = FIXED[letter] or type end
  return types
end

--- Calls f(name, types of the operands, of the result, the type that is said)
--- with all types that the op can have.
---@param row phial.OpRow
---@param f fun(name: string, types: string[], result: string, said: string?)
function M.each_form(row, f)
  for _, type in ipairs(types_of(row.signature:sub(-1))) do
    local types = operands(row, type)
    if M.is_cast(row.name) then
      for _, to in ipairs(NUMBERS) do
        if M.leads(row.name, type, to) then f(row.name, types, to, to) end
      end
    else
      f(row.name, types, FIXED[row.signature:sub(1, 1)] or type)
    end
  end
end

return M
