-- Ops that are defined for every float, by the bits of their operands: nans of all kinds, zeros,
-- infinities, halves, subnormal numbers, and the limits of integers with their neighbours, on
-- every way of running; and what the machine's C library makes of them.
local compilers = require "spec.support.compilers"
local llvm = require "spec.support.llvm"
local native = require "phial.native"
local ops = require "spec.support.ops"
local phial = require "phial"
local semantics = require "spec.oracle.semantics"
local under = require "spec.support.under"

local BITS <const> = { f32 = "i32", f64 = "i64" }
local SIGN <const> = { f32 = -0x80000000, f64 = math.mininteger }
local FORMAT <const> = { f32 = { "<f", "<i4" }, f64 = { "<d", "<i8" } }

-- The C function of an op, that of f64. Zeros it may mistake.
local LIBRARY <const> = { ffloor = "floor", fceil = "ceil", ftrunc = "trunc", fnearest = "rint",
  fminnum = "fmin", fmaxnum = "fmax" }

-- {== Bits ================================================================

local function bits_of(x, type)
  return (string.unpack(FORMAT[type][2], string.pack(FORMAT[type][1], x)))
end

-- Nans: quiet and signalling, of both signs, with few and many bits.
local NANS <const> = {
  f32 = { 0x7fc00000, -0x400000, 0x7fc12345, -1, 0x7f800001, -0x7fffff },
  f64 = { 0x7ff8 << 48, 0xfff8 << 48, 0x7ff8123456789abc, -1, 0x7ff0 << 48 | 1,
    0xfff0 << 48 | 1 },
}

local NUMBERS <const> = { 0.0, 1 / 0, 0.5, 1.0, 1.5, 2.5, 3.5, 0.25, 5e-324, 0x1p-149, 0x1p-1022,
  0x1p-126, 0x1.fffffffffffffp1023, 0x1.fffffep127, 1e300, 0x1p52, 0x1.0000000000001p52,
  0x1.fffffffffffffp51, 0x1p51 + 0.5, 0x1p23, 0x1.fffffep22, 0x1p22 + 0.5, 8388609.0 }
for _, width in ipairs { 1, 7, 8, 15, 16, 31, 32, 63, 64 } do
  local limit = 2.0 ^ width
  for _, x in ipairs { limit, limit + 1, limit - 1, limit + 0.5, limit - 0.5 } do
    NUMBERS[#NUMBERS + 1] = x
  end
end

-- Each number with both signs, and its neighbours.
local EDGES <const> = {}
for type, nans in pairs(NANS) do
  local list, seen = table.move(nans, 1, #nans, 1, {}), {}
  local infinite = bits_of(1 / 0, type)
  for _, x in ipairs(NUMBERS) do
    for near = -1, 1 do
      local magnitude = math.max(0, math.min(bits_of(x, type) + near, infinite))
      for _, bits in ipairs { magnitude, magnitude | SIGN[type] } do
        if not seen[bits] then list[#list + 1] = bits end
        seen[bits] = true
      end
    end
  end
  EDGES[type] = list
end

-- }== Functions ===========================================================

local ROWS <const> = {}
for _, row in ipairs(ops.all) do
  local is_new = LIBRARY[row.name] or row.name:find "^fm%a+imum$" or row.name:find "_sat$"
  if is_new then ROWS[#ROWS + 1] = row end
end

-- A function of bits, also where it returns a float: all nans are one.
local function build(name, types, result, compute)
  local params = {}
  for i, type in ipairs(types) do params[i] = ("x%d:%s"):format(i, BITS[type]) end
  local fn = phial.fn(name, params, BITS[result] or result, { rules = false })
  local b, args = fn:entry(), {}
  for i, type in ipairs(types) do args[i] = b:bitcast(fn:arg(i), type) end
  local x = compute(b, args)
  if BITS[result] then
    x = b:select(b:feq(x, x), b:bitcast(x, BITS[result]), fn:const(-1, BITS[result]))
  end
  b:ret(x)
  return fn:finish()
end

local function of_op(form)
  return build(("%s_%s_%s"):format(form.op, form.types[1], form.result), form.types, form.result,
    function(b, args)
      args[#args + 1] = form.said
      return b:emit(form.op, table.unpack(args))
    end)
end

local function of_library(form)
  local name = LIBRARY[form.op] .. (form.result == "f32" and "f" or "")
  return build("c_" .. name, form.types, form.result,
    function(b, args) return b:call(name, form.result, table.unpack(args)) end)
end

local function float_of(bits, type)
  return semantics.op("bitcast", { type = type, from = BITS[type] }, bits)
end

-- What the oracle says, as the function returns it.
local function expected(form, args)
  local values = {}
  for i, type in ipairs(form.types) do values[i] = float_of(args[i], type) end
  local x = semantics.op(form.op, { type = form.result, from = form.types[1] },
    table.unpack(values))
  if x ~= x then return -1 end
  return BITS[form.result] and bits_of(x, form.result) or x
end

-- }== Cases ===============================================================

local forms, cases = {}, {}

for _, row in ipairs(ROWS) do
  ops.each_form(row, function(op, types, result, said)
    local form = { op = op, types = types, result = result, said = said }
    form.fn = of_op(form)
    forms[#forms + 1] = form
    local function add(...)
      local args = { ... }
      cases[#cases + 1] = { form = form, fn = form.fn, args = args, is = expected(form, args) }
    end
    local edges = EDGES[types[1]]
    for i, a in ipairs(edges) do
      if #types == 1 then add(a) end
      for k = 1, #types == 2 and i <= 16 and 16 or 0 do add(a, edges[k]) end
    end
  end)
end

local function check(case, got, way)
  if got == case.is then return end
  error(("%s, %s of %s of %#x, %#x: %s expected, got %s"):format(way, case.form.op,
    case.form.types[1], case.args[1], case.args[2] or 0, case.is, got), 0)
end

describe("edges of floats:", function()
  it("are folded", function()
    for _, case in ipairs(cases) do
      local fn, params = phial.fn "f", case.fn:params()
      local b, args = fn:entry(), {}
      for i, bits in ipairs(case.args) do
        args[i] = b:bitcast(fn:const(bits, params[i]:type()), case.form.types[i])
      end
      args[#args + 1] = case.form.said
      local x = b:emit(case.form.op, table.unpack(args)):const()
      local bits = x == x and BITS[case.form.result] and bits_of(x, case.form.result) or x
      check(case, x ~= x and -1 or bits, "folded")
    end
  end)

  it("run", function()
    for _, case in ipairs(cases) do check(case, case.fn(table.unpack(case.args)), "interpreted") end
  end)

  compilers.each(pending, function(cc)
    it("run in C, by " .. cc, function()
      local functions = {}
      for i, form in ipairs(forms) do functions[i] = form.fn end
      local lib <close> = native.compile(functions, compilers.options(cc))
      for _, case in ipairs(cases) do
        check(case, lib:get(case.fn:name())(table.unpack(case.args)), cc)
      end
    end)
  end)

  for kind in pairs(llvm.tools) do
    it("run in LLVM IR with pointers that are " .. kind, function()
      llvm.each_way(cases, kind, {}, nil, not under.slow, function(way, outcomes)
        for i, case in ipairs(cases) do
          local is = "is " .. llvm.shown(case.fn:result(), case.is)
          if outcomes[i] ~= is then check(case, outcomes[i], way) end
        end
      end)
    end)
  end
end)

-- C says nothing of signalling nans, and fmin and fmax may take either zero.
it("C's functions mean the same as the ops", function()
  local functions, of = {}, {}
  for _, form in ipairs(forms) do
    if LIBRARY[form.op] then
      functions[#functions + 1] = of_library(form)
      of[form] = functions[#functions]:name()
    end
  end
  local lib <close> = native.compile(functions, { flags = "-O0 -fno-builtin -lm" })
  local function tells(case)
    local zeros = 0
    for i, type in ipairs(case.form.types) do
      local x = float_of(case.args[i], type)
      local quiet = type == "f32" and 0x400000 or 1 << 51
      if x ~= x and case.args[i] & quiet == 0 then return false end
      if x == 0 then zeros = zeros + 1 end
    end
    return zeros < 2
  end
  for _, case in ipairs(cases) do
    if of[case.form] and tells(case) then
      check(case, lib:get(of[case.form])(table.unpack(case.args)), "C")
    end
  end
end)
