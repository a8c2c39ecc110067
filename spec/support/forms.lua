-- Every op at every type, for what runs functions: functions of one op, edge values, and what
-- the oracle says that they compute.
local arithmetic = require "spec.support.arithmetic"
local ops = require "spec.support.ops"
local phial = require "phial"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local M = {}

---@class spec.Form
---@field op string
---@field types string[] of the operands
---@field result string
---@field said string? the type that the op is told

--- Calls f with all forms of an op.
---@param row phial.OpRow
---@param f fun(form: spec.Form)
function M.each(row, f)
  ops.each_form(row, function(op, types, result, said)
    f { op = op, types = types, result = result, said = said }
  end)
end

-- {== Edge values ======================================================

local function round32(x) return (string.unpack("<f", string.pack("<f", x))) end

-- The nan whose bits all machines agree on.
local NAN = string.unpack("<d", string.pack("<i8", 0x7ff8000000000000))

local EDGES = { i1 = { false, true }, ptr = { 0, 1, 4096, -1, math.mininteger, math.maxinteger } }

for type, width in pairs { i8 = 8, i16 = 16, i32 = 32, i64 = 64 } do
  local least = -1 << width - 1
  EDGES[type] = { 0, -1, least, width + 3, ~least, 7, 1, 2, -2, width, width - 1, least + 1,
    width // 2, 0x55 & ~least }
end

EDGES.f64 = { 0.0, -0.0, 1.5, -1.0, -0.75, 3.0e38, 1e308, 5e-324, 1 / 0, -1 / 0, NAN, 1.0, -1.5,
  0x1p63, -0x1p63, 0x1.fffffffffffffp63, 0x1p64, 127.9, -128.9, 2147483647.5, -0.99,
  0x1.fffffffffffffp1023, 0.5, -2.5, 0x1.fffffffffffffp-2, 0x1.0000000000001p52,
  -0x1.fffffffffffffp51 }
EDGES.f32 = {}
for i, x in ipairs(EDGES.f64) do EDGES.f32[i] = round32(x) end
for _, x in ipairs { 0x1p-149, 0x1.fffffep63, 0x1.fffffep127, 16777216.0, -128.5 } do
  table.insert(EDGES.f32, x)
end

-- Floats around the limits of the integer types.
local LIMITS = { f64 = {}, f32 = {} }
for _, width in ipairs { 1, 8, 16, 32, 64 } do
  for _, limit in ipairs { 2.0 ^ width, 2.0 ^ (width - 1), -2.0 ^ (width - 1) } do
    for _, x in ipairs { limit, limit - 1, limit + 1, limit - 0.5, limit + 0.5,
      limit * (1 - 0x1p-53), limit * (1 - 0x1p-24), limit * (1 + 0x1p-23) } do
      table.insert(LIMITS.f64, x)
      table.insert(LIMITS.f32, round32(x))
    end
  end
end

--- The edge values of a type.
---@param type string
---@param few integer? of an integer type only so many, of others up to four times as many
---@return any[]
function M.edges(type, few)
  local most = few and (type:find "^i" and few or type:find "^f" and math.min(4 * few, 11) or 4)
    or math.huge
  return table.move(EDGES[type], 1, math.min(most, #EDGES[type]), 1, {})
end

--- Calls f with a list for each combination of edge values of the operands.
---@param form spec.Form
---@param f fun(args: any[])
---@param few integer? as of `edges`
function M.each_edge(form, f, few)
  local args, values = {}, {}
  for i, type in ipairs(form.types) do
    values[i] = M.edges(type, few)
    if ops.row[form.op].class == "toint" then
      table.move(LIMITS[type], 1, #LIMITS[type], #values[i] + 1, values[i])
    end
  end
  local function choose(i)
    if i > #values then return f(table.move(args, 1, #args, 1, {})) end
    for _, value in ipairs(values[i]) do
      args[i] = value
      choose(i + 1)
    end
  end
  choose(1)
end

-- }== Functions =======================================================

--- A function that computes an op of its parameters.
---@param name string
---@param form spec.Form
---@param consts table<integer, any> the values of operands that are constants instead
---@param opts phial.Options?
---@return phial.Function
function M.build(name, form, consts, opts)
  local params, args = {}, {}
  for i, type in ipairs(form.types) do params[i] = ("x%d:%s"):format(i, type) end
  local fn = phial.fn(name, params, form.result, opts)
  for i, type in ipairs(form.types) do
    args[i] = fn:arg(i)
    if consts[i] ~= nil then args[i] = fn:const(consts[i], type) end
  end
  args[#args + 1] = form.said
  fn:set_loc(1)
  fn:entry():ret(fn:entry():emit(form.op, table.unpack(args)))
  return fn:finish()
end

-- In turn, all operands are constants, the last one, the first one.
local function random_constants(form, k)
  local consts, values = {}, {}
  for i, type in ipairs(form.types) do
    local edges = EDGES[type]
    values[i] = edges[math.random(#edges)]
    if type ~= "ptr" and math.random(3) == 1 then
      values[i] = arithmetic.constant(math.random, type)
    end
    if k % 3 == 0 or i == (k % 3 == 1 and #form.types or 1) then consts[i] = values[i] end
  end
  return consts, values
end

---@class spec.OpCase
---@field fn phial.Function
---@field op string
---@field args any[]
---@field expected any

--- Functions of an op in all its forms, each called with edge values; and for each form some
--- with constants.
---@param row phial.OpRow
---@param constants integer how many of the latter
---@param opts phial.Options?
---@param few integer? as of `edges`
---@return spec.OpCase[]
function M.cases(row, constants, opts, few)
  local cases, functions = {}, 0
  M.each(row, function(form)
    local plain = { type = form.result, from = form.types[1] }
    local function built(consts)
      functions = functions + 1
      return M.build(("%s_%d"):format(row.name, functions), form, consts, opts)
    end
    local function add(fn, args)
      cases[#cases + 1] = { fn = fn, op = form.op, args = args,
        expected = results.outcome(semantics.op, form.op, plain, table.unpack(args)) }
    end
    local fn = built {}
    M.each_edge(form, function(args) add(fn, args) end, few)
    for k = 1, constants do
      local consts, args = random_constants(form, k)
      add(fn, args)
      add(built(consts), args)
    end
  end)
  return cases
end

--- Raises an error unless a case is what f computes.
---@param case spec.OpCase
---@param f function
function M.check(case, f)
  local got = results.outcome(f, table.unpack(case.args))
  if results.same(case.expected, got) then return end
  local a, b, c = table.unpack(case.args)
  error(("%s of %s, %s, %s: expected %s, got %s\n%s"):format(case.op, a, b, c, case.expected, got,
    case.fn), 0)
end

-- }====================================================================

return M
