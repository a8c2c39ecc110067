-- Every op at every type with edge values, as native code of each compiler, compared
-- with the oracle. Operands are parameters or constants. All functions of a compiler are
-- compiled at once, with warnings as errors.
local arithmetic = require "spec.support.arithmetic"
local compilers = require "spec.support.compilers"
local native = require "phial.native"
local ops = require "spec.support.ops"
local phial = require "phial"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local LONG = os.getenv "LONG" ~= nil

-- How many functions with constants each form of an op has.
local CONSTANTS = LONG and 12 or 2

local NAN = 0 / 0

local function integers(width)
  local least = -1 << width - 1
  return { 0, 1, -1, 2, least, ~least, least + 1, width - 1, width // 2, 0x55 & ~least }
end

local EDGES = {
  i1 = { false, true }, i8 = integers(8), i16 = integers(16), i32 = integers(32),
  i64 = integers(64),
  ptr = { 0, 1, 4096, -1, math.mininteger, math.maxinteger },
  f64 = { 0.0, -0.0, 1.0, -1.5, 0x1p63, -0x1p63, 0x1.fffffffffffffp63, 0x1p64, 127.9, -128.9,
    2147483647.5, -0.99, 1 / 0, -1 / 0, NAN, 0x1p-1074, 0x1.fffffffffffffp1023 },
  f32 = { 0.0, -0.0, 1.0, -1.5, 0x1p63, -0x1p63, 0x1.fffffep63, 0x1p64, 16777216.0, -128.5,
    1 / 0, -1 / 0, NAN, 0x1p-149, 0x1.fffffep127 },
}

-- A function that computes an op; consts: the values of operands that are constants.
local function op_function(name, form, consts)
  local params, args = {}, {}
  for i, type in ipairs(form.types) do params[i] = ("x%d:%s"):format(i, type) end
  local fn = phial.fn(name, params, form.result, { rules = false, where = false })
  for i, type in ipairs(form.types) do
    args[i] = fn:arg(i)
    if consts[i] ~= nil then args[i] = fn:const(consts[i], type) end
  end
  args[#args + 1] = form.said
  fn:entry():ret(fn:entry():emit(form.op, table.unpack(args)))
  return fn:finish()
end

-- Calls f with all combinations of edge values.
local function each_edge(types, f)
  local args = {}
  local function choose(i)
    if i > #types then return f(args) end
    for _, value in ipairs(EDGES[types[i]]) do
      args[i] = value
      choose(i + 1)
    end
  end
  choose(1)
end

local functions, checks = {}, {}

-- Adds a function; returns what adds a check of it with these arguments.
local function add(form, consts)
  local name = ("f%d"):format(#functions + 1)
  functions[#functions + 1] = op_function(name, form, consts)
  return function(values)
    local plain = { type = form.result, from = form.types[1] }
    checks[#checks + 1] = { name = name, op = form.op, args = values,
      expected = results.outcome(semantics.op, form.op, plain, table.unpack(values)) }
  end
end

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

for _, row in ipairs(ops.all) do
  ops.each_form(row, function(op, types, result, said)
    local form = { op = op, types = types, result = result, said = said }
    local check = add(form, {})
    each_edge(types, function(args) check(table.move(args, 1, #args, 1, {})) end)
    for k = 1, CONSTANTS do
      local consts, values = random_constants(form, k)
      add(form, consts)(values)
    end
  end)
end

describe("every op at every type, compiled by", function()
  compilers.each(pending, function(cc)
    it(cc .. " computes what it means, with edge values", function()
      assert(#checks >= 5000, #checks)
      local lib <close> = native.compile(functions, compilers.options(cc))
      for _, check in ipairs(checks) do
        local got = results.outcome(lib:get(check.name), table.unpack(check.args))
        if not results.same(check.expected, got) then
          local a, b, c = table.unpack(check.args)
          error(("%s of %s, %s, %s: expected %s, got %s"):format(check.op, a, b, c, check.expected,
            got), 0)
        end
      end
    end)
  end)
end)
