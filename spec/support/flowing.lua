-- Functions for analyses: the random programs of spec/support/programs.lua with values that
-- mean something: numbers, or values as Lua has them. A branch tests a variable, and on each of
-- its edges the variable is refined.
local phial = require "phial"

local M = {}

local D = phial.dialect("t", {
  use = { args = 1, eval = function() end },
  source = { args = {}, result = "i64", eval = function() return 1 end },
  clean = { args = { "i64" }, result = "i64", eval = function(x) return x end },
})

-- Ops of examples/luac, and those that the analyses know besides, which are not used.
local ops = {
  truthy = { args = 1, result = "i1", pure = true, eval = function(x) return not not x end },
  rawequal = { args = 2, result = "i1", pure = true, eval = rawequal },
  ["not"] = { args = 1, result = "any", pure = true, eval = function(x) return not x end },
  newtable = { args = {}, result = "any", effect = "new", eval = function() return {} end },
  index = { args = 2, result = "any", eval = function() return type end },
  call = { args = 2, result = "any", eval = function(f, x) return f(x) end },
  add = { args = 2, result = "any", eval = function(a, b)
    return math.type(a) and math.type(b) and a + b or nil
  end },
}
for name in ("closure sub mul mod pow div idiv lt le eq"):gmatch "%a+" do
  ops[name] = { args = 2, result = "any" }
end
local L = phial.dialect("lua", ops)

--- A language: constants, operations and tests of variables, each chosen by a number.
---@class spec.Language
---@field type phial.Type
---@field args any[][] arguments to run functions with
---@field constant fun(fn: phial.Function, n: integer): phial.Value
---@field compute fun(b: phial.Block, x: phial.Value, y: phial.Value, n: integer): phial.Value
---@field test fun(b: phial.Block, x: phial.Value, n: integer, fn: phial.Function): phial.Value
---@field switches? boolean

local NUMBERS = { "add", "add", "sub", "mul", "band", "sdiv", "shl", "bxor" }
local TESTS = { "slt", "sle", "sgt", "sge", "eq", "ne" }

---@type spec.Language
M.numbers = {
  type = "i64", switches = true,
  args = { { 0, 0 }, { 1, -1 }, { 7, 3 }, { math.mininteger, math.maxinteger }, { -5, 100 } },
  constant = function(fn, n) return fn:const(n % 7 - 2) end,
  compute = function(b, x, y, n)
    if n % 9 == 8 then return b:emit("t.clean", x) end
    if n % 11 == 10 then return b:emit "t.source" end
    if n % 3 == 0 then y = n % 5 - 1 end
    return b:emit(NUMBERS[n % #NUMBERS + 1], x, y)
  end,
  test = function(b, x, n) return b:emit(TESTS[n % #TESTS + 1], x, n % 5) end,
}

local VALUES = { 1, false, true, "s", 2 }
local TYPES = { "nil", "boolean", "number", "string", "table" }

---@type spec.Language
M.lua = {
  type = "any", args = { {}, { false, 1 }, { true, "s" }, { {}, {} }, { 2, false } },
  constant = function(fn, n) return fn:const(VALUES[n % 6], "any") end,
  compute = function(b, x, y, n)
    if n % 4 == 0 then return b:emit("lua.not", x) end
    if n % 4 == 1 then return b:emit "lua.newtable" end
    if n % 4 == 2 then return b:emit("lua.add", x, y) end
    return b:emit("lua.call", b:emit("lua.index", y, "type"), x)
  end,
  test = function(b, x, n, fn)
    if n % 4 == 0 then return b:emit("lua.truthy", x) end
    if n % 4 == 1 then return b:emit("lua.truthy", b:emit("lua.not", x)) end
    if n % 4 == 2 then return b:emit("lua.rawequal", x, fn:const(VALUES[n // 4 % 3], "any")) end
    local name = b:emit("lua.call", b:emit("lua.index", x, "type"), x)
    return b:emit("lua.rawequal", name, TYPES[n // 4 % #TYPES + 1])
  end,
}

-- A block on an edge, in which the variable is refined.
local function between(fn, var, test, side, to)
  local b = fn:block()
  return b, function()
    b:write(var, b:emit("refine", b:read(var), test, side))
    b:jump(to)
  end
end

-- Ends a block, by what the variable is.
local function finish_block(lang, fn, b, var, targets, n, plain)
  local x = b:read(var)
  if #targets == 0 then
    b:ret(x)
  elseif #targets == 1 then
    b:jump(targets[1])
  elseif #targets > 2 and lang.switches then
    b:switch(x, targets[1], { table.unpack(targets, 2) })
  else
    local test = lang.test(b, x, n, fn)
    if plain then
      b:branch(test, targets[1], targets[2])
      return
    end
    local yes, fill_yes = between(fn, var, test, true, targets[1])
    local no, fill_no = between(fn, var, test, false, targets[2])
    b:branch(test, yes, no)
    fill_yes()
    fill_no()
  end
end

--- Builds and finishes the function of a program (programs.generate).
---@param program rnd.Program
---@param lang spec.Language
---@param plain? boolean without refinements
---@return phial.Function
function M.build(program, lang, plain)
  local fn = phial.fn("random", { "p:" .. lang.type, "q:" .. lang.type }, lang.type,
    { rules = false, type = lang.type, dialects = { D, L } })
  local blocks, vars = { fn:entry() }, {}
  for v = 1, program.vars do
    vars[v] = fn:var("v" .. v)
    fn:entry():write(vars[v], v < 3 and fn:arg(v) or lang.constant(fn, v))
  end
  for i = 2, #program.blocks do blocks[i] = fn:block() end
  for i, source in ipairs(program.blocks) do
    local b, targets = blocks[i], {}
    for k, op in ipairs(source) do
      local n = i * 100 + k
      if op.op == "init" then
        b:write(vars[op.var], lang.constant(fn, n))
      elseif op.op == "use" then
        b:emit("t.use", b:read(vars[op.a]))
      elseif op.op == "copy" then
        b:write(vars[op.var], b:read(vars[op.a]))
      else
        b:write(vars[op.var], lang.compute(b, b:read(vars[op.a]), b:read(vars[op.b]), n))
      end
    end
    for k, target in ipairs(source.targets) do targets[k] = blocks[target] end
    finish_block(lang, fn, b, vars[source.cond], targets, i * 3 + source.cond, plain)
  end
  return fn:finish()
end

return M
