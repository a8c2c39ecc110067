-- Random programs of a small structured language, and what they mean: a walk over the tree. It
-- shares nothing with fuzz/route.lua and spec/oracle: a mistake about an op is not made twice.
local FUEL <const>, DEPTH <const> = 2000, 4
local WIDTH <const> = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64 }
local TYPES <const> = { "i8", "i16", "i32", "i64", "i64" }
local R <const> = math.random

local function one_of(list) return list[R(#list)] end
local function chance(n) return R(n) == 1 end
local function unsigned(x, w) return x & (1 << w) - 1 end
local function signed(x, w) return (unsigned(x, w) ~ 1 << w - 1) - (1 << w - 1) end
local function trap(text) error({ trap = text }, 0) end

-- Of integers without sign: twice the quotient of half of a, or one more.
local function quotient(a, b)
  if b < 0 then return math.ult(a, b) and 0 or 1 end
  local q = (a >> 1) // b << 1
  return math.ult(a - q * b, b) and q or q + 1
end
local function bits(a) return a == 0 and 0 or (a & 1) + bits(a >> 1) end

-- {== Ops, of operands with their sign, or without it, and the width; results are cut to it ======

local BINARY <const> = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, band = function(a, b) return a & b end,
  bor = function(a, b) return a | b end, bxor = function(a, b) return a ~ b end,
  shl = function(a, b, w) return a << b % w end,
  shr = function(a, b, w) return unsigned(a, w) >> b % w end,
  sar = function(a, b, w) return a // (1 << b % w - b % w // 63) // (1 + b % w // 63) end,
  rotl = function(a, b, w) return a << b % w | unsigned(a, w) >> w - b % w end,
  smin = function(a, b) return a < b and a or b end,
  umax = function(a, b) return math.ult(a, b) and b or a end,
  sdiv = function(a, b, w)
    if b == -1 and a == signed(1 << w - 1, w) then trap("the quotient does not fit i" .. w) end
    return (a - math.fmod(a, b)) // b
  end,
  srem = math.fmod, udiv = quotient,
  urem = function(a, b) return a - quotient(a, b) * b end,
}
local UNARY <const> = {
  neg = function(a) return -a end, bnot = function(a) return ~a end,
  popcnt = function(a, w) return bits(unsigned(a, w)) end,
}
local COMPARE <const> = {
  eq = function(a, b) return a == b end, ne = function(a, b) return a ~= b end,
  slt = function(a, b) return a < b end, sge = function(a, b) return a >= b end,
  ult = math.ult, ule = function(a, b) return not math.ult(b, a) end,
}
local function names(t)
  local list = {}
  for name in pairs(t) do list[#list + 1] = name end
  table.sort(list)
  return list
end
local BINARIES <const>, UNARIES <const>, COMPARISONS <const> = names(BINARY), names(UNARY),
  names(COMPARE)

-- }== Random trees: each node is its kind, parts and fields =======================================

local ARRAYS <const> = { "g", "l" } -- the module's, and the function's own
local SIZE <const> = { g = 64, l = 32 }
local expression, condition, statements

local function number(x, type) return { "const", type = type, value = signed(x, WIDTH[type]) } end
local function constant(type)
  local w = WIDTH[type]
  return number(one_of { R(-3, 9), 1 << R(0, w - 1), (1 << R(0, w - 1)) - 1, R(0), -1 }, type)
end

local function variable(f, type)
  local list = {}
  for _, var in ipairs(f.vars) do list[#list + 1] = var.type == type and var or nil end
  return #list > 0 and { "var", type = type, var = one_of(list) } or constant(type)
end

function expression(f, type, depth)
  local kind = depth > 0 and R(12) or R(3)
  if kind == 1 then return constant(type) elseif kind <= 3 then return variable(f, type) end
  local a = expression(f, type, depth - 1)
  if kind <= 7 then
    local b = chance(2) and expression(f, type, depth - 1) or constant(type)
    return { "binary", type = type, op = one_of(BINARIES), a, b }
  elseif kind == 8 then return { "unary", type = type, op = one_of(UNARIES), a }
  elseif kind == 9 then
    return { "select", type = type, condition(f, depth - 1), a, expression(f, type, depth - 1) }
  elseif kind == 10 then
    return { "load", type = type, array = one_of(ARRAYS), expression(f, "i32", depth - 1) }
  end
  if kind == 11 and type == "i64" then return { "host", type = type, a } end
  local from = one_of(TYPES)
  local op = WIDTH[from] > WIDTH[type] and "trunc" or one_of { "zext", "sext" }
  return from == type and a or { "unary", type = type, op = op, expression(f, from, depth - 1) }
end

function condition(f, depth)
  local kind = depth > 0 and R(6) or 6
  if kind == 1 then return { "unary", type = "i1", op = "bnot", condition(f, depth - 1) } end
  if kind <= 3 then
    return { one_of { "and", "or" }, type = "i1", condition(f, depth - 1), condition(f, depth - 1) }
  end
  local type = one_of(TYPES)
  return { "binary", type = "i1", op = one_of(COMPARISONS), expression(f, type, depth),
    chance(2) and constant(type) or expression(f, type, 0) }
end

local make = {}

function make.set(f)
  local var = one_of(f.vars)
  return { "set", var = var, expression(f, var.type, 2) }
end
function make.store(f)
  local index, x = expression(f, "i32", 1), expression(f, one_of(TYPES), 2)
  return { "store", array = one_of(ARRAYS), index, x }
end
function make.fill(f)
  local to = one_of(ARRAYS)
  if chance(2) then return { "fill", array = to, expression(f, "i8", 1), size = R(SIZE[to]) } end
  return { "move", array = to, from = to == "g" and "l" or "g", size = R(32) }
end
make["if"] = function(f, depth)
  return { "if", condition(f, 2), statements(f, depth), chance(2) and statements(f, depth) or {} }
end
make["while"] = function(f, depth)
  return { one_of { "while", "repeat" }, condition(f, 1), statements(f, depth) }
end
function make.switch(f, depth)
  local type, arms, arm_of = one_of { "i1", "i8", "i32", "i64" }, {}, {}
  for i = 1, R(0, 3) do arms[i] = statements(f, depth) end
  for key = 0, type == "i1" and 1 or 4 do arm_of[key] = R(0, #arms) end
  local x = type == "i1" and condition(f, 1) or expression(f, type, 1)
  return { "switch", x, arms = arms, arm_of = arm_of, statements(f, depth) }
end
function make.leave(f)
  local kind, message = R(12), "m" .. R(3)
  if kind <= 5 and #f.labels > 0 then return { "goto", label = one_of(f.labels) } end
  if kind == 7 then return { "trap", message = message } end
  if kind == 8 then return { "return", expression(f, "i64", 2) } end
  return { "trap_if", message = message, { "and", type = "i1", condition(f, 0), condition(f, 1) } }
end
-- A call is made only while the first parameter, which it counts down, is positive.
function make.call(f)
  local to = one_of(f.program)
  local it = { f.program.tails and one_of { "tail", "call" } or "call", callee = to }
  for i = 2, #to.params do it[i] = expression(f, to.params[i].type, 1) end
  for _, var in ipairs(f.vars) do it.var = var.type == "i64" and var or it.var end
  local deeper = { "binary", type = "i1", op = "slt", number(0, "i32"),
    { "var", type = "i32", var = f.params[1] } }
  return { "if", deeper, { it }, {} }
end

local FLAT <const>, KINDS <const> = 6, { "set", "set", "store", "leave", "leave", "call", "set",
  "set", "store", "fill", "if", "if", "while", "while", "switch", "leave", "call" }

function statements(f, depth)
  local n, list = R(4), { label = chance(5) and {} or nil }
  local at = list.label and R(n)
  table.insert(f.labels, list.label)
  for i = 1, n do
    if i == at then list[i] = { "label", label = list.label } end
    list[#list + 1] = make[KINDS[R(depth > 0 and #KINDS or FLAT)]](f, depth - 1)
  end
  if list.label then table.remove(f.labels) end
  return list
end

-- The function that is called: fills g, calls the last one, and gives what memory tells, too.
local function top(last)
  local call = { "call", callee = last, var = last.vars[#last.params] }
  local result = { "var", type = "i64", var = call.var }
  for i = 2, #last.params do call[i] = { "var", var = last.params[i] } end
  for i = 0, SIZE.g // 8 - 1 do
    local word = { "load", type = "i64", array = "g", number(i, "i32") }
    result = { "binary", type = "i64", op = "mul", result, number(31, "i64") }
    result = { "binary", type = "i64", op = "add", result, word }
  end
  return { name = "top", params = last.params, vars = table.move(last.vars, 1, #last.params, 1, {}),
    body = { { "fill", array = "g", number(7, "i8"), size = SIZE.g }, call }, result = result }
end

--- A program: functions, of which the last one is called, and inputs.
local function generate()
  local program = { tails = chance(4), inputs = {} }
  for i = 1, R(3) do
    local f = { name = "f" .. i, program = program, labels = {}, vars = {},
      params = { { name = "d", type = "i32" } } }
    local params = R(0, 3)
    for k = 1, params + R(2, 4) do
      f.vars[k] = { name = "v" .. k, type = k == params + 1 and "i64" or one_of(TYPES) }
      if k <= params then f.params[k + 1] = f.vars[k] end
    end
    program[i] = f
  end
  for _, f in ipairs(program) do f.body, f.result = statements(f, 3), expression(f, "i64", 1) end
  table.insert(program, top(program[#program]))
  local params = program[#program].params
  for i = 1, 3 do
    program.inputs[i] = { DEPTH }
    for k = 2, #params do program.inputs[i][k] = constant(params[k].type).value end
  end
  return program
end

-- }== The walk over the tree ======================================================================

local function place(array, index, size) return (index & SIZE[array] // size - 1) * size end
local function host(log, x)
  log[#log + 1] = x
  return x * 3 + 1
end

local walk = {}
local function value(run, e) return walk[e[1]](run, e) end

function walk.const(_, e) return e.value end
function walk.var(run, e) return run.values[e.var] end
function walk.binary(run, e)
  local a, b, w = value(run, e[2]), value(run, e[3]), WIDTH[e[2].type]
  if e.op:find "^u" then a, b = unsigned(a, w), unsigned(b, w) end
  if b == 0 and (e.op:find "div" or e.op:find "rem") then trap "division by zero" end
  if e.type == "i1" then return COMPARE[e.op](a, b) end
  return signed(BINARY[e.op](a, b, w), w)
end
function walk.unary(run, e)
  local a, w = value(run, e[2]), WIDTH[e.type]
  if e.type == "i1" then return not a end
  if e.op == "zext" then a = unsigned(a, WIDTH[e[2].type]) end
  return signed(UNARY[e.op] and UNARY[e.op](a, w) or a, w)
end
function walk.select(run, e)
  local c, a, b = value(run, e[2]), value(run, e[3]), value(run, e[4])
  return c and a or not c and b
end
function walk.load(run, e)
  local x, size = 0, WIDTH[e.type] // 8
  local at = place(e.array, value(run, e[2]), size)
  for i = size - 1, 0, -1 do x = x << 8 | run[e.array][at + i] end
  return signed(x, 8 * size)
end
function walk.host(run, e) return host(run.log, value(run, e[2])) end
walk["and"] = function(run, e) return value(run, e[2]) and value(run, e[3]) end
walk["or"] = function(run, e) return value(run, e[2]) or value(run, e[3]) end

-- Each returns nil, or what it goes to: a label, or { result = }.
local go = {}

local function sequence(run, list)
  local i = 1
  while true do
    run.fuel.left = run.fuel.left - 1
    if run.fuel.left < 0 then trap(nil) end
    local left = list[i] and go[list[i][1]](run, list[i])
    if not list[i] or left and left ~= list.label then return left end
    i = i + 1
    for k = 1, left and #list or 0 do i = list[k][1] == "label" and k or i end
  end
end

local function call(run, s)
  local to = s.callee
  local inner = { f = to, g = run.g, l = {}, log = run.log, fuel = run.fuel, values = {} }
  for i = 0, SIZE.l - 1 do inner.l[i] = 0 end
  for _, var in ipairs(to.vars) do inner.values[var] = 0 end
  inner.values[to.params[1]] = run.values[run.f.params[1]] - 1
  for i = 2, #to.params do inner.values[to.params[i]] = value(run, s[i]) end
  local left = sequence(inner, to.body)
  return left and left.result or value(inner, to.result)
end

function go.set(run, s) run.values[s.var] = value(run, s[2]) end
function go.store(run, s)
  local index, x, size = value(run, s[2]), value(run, s[3]), WIDTH[s[3].type] // 8
  for i = 0, size - 1 do run[s.array][place(s.array, index, size) + i] = x >> 8 * i & 255 end
end
function go.fill(run, s)
  local byte = value(run, s[2]) & 255
  for i = 0, s.size - 1 do run[s.array][i] = byte end
end
function go.move(run, s) for i = 0, s.size - 1 do run[s.array][i] = run[s.from][i] end end
go["if"] = function(run, s) return sequence(run, value(run, s[2]) and s[3] or s[4]) end
go["while"] = function(run, s)
  while s[1] == "repeat" or value(run, s[2]) do
      local left = sequence(run, s[3])
    if left or s[1] == "repeat" and value(run, s[2]) then return left end
  end
end
go["repeat"] = go["while"]
function go.switch(run, s)
  local x = value(run, s[2])
  if type(x) == "boolean" then x = x and 1 or 0 end
  return sequence(run, s.arms[s.arm_of[x]] or s[3])
end
function go.label() end
go["goto"] = function(_, s) return s.label end
go["return"] = function(run, s) return { result = value(run, s[2]) } end
function go.trap(_, s) trap(s.message) end
function go.trap_if(run, s) if value(run, s[2]) then trap(s.message) end end
function go.call(run, s) run.values[s.var] = call(run, s) end
function go.tail(run, s) return { result = call(run, s) } end

--- What a program does with an input: its result, which tells of memory, or its trap, and its
--- calls of the host; nil if it takes too long.
local function outcome(program, args)
  local s = { callee = program[#program] }
  local run = { f = s.callee, g = {}, log = {}, fuel = { left = FUEL }, values = {} }
  run.values[run.f.params[1]] = args[1] + 1
  for i = 2, #args do s[i] = { "const", value = args[i] } end
  local ok, result = pcall(call, run, s)
  if not ok and type(result) ~= "table" then error(result, 0) end
  return ok and result or result.trap, run.log
end

return { one_of = one_of, chance = chance, generate = generate, outcome = outcome, host = host,
  WIDTH = WIDTH, SIZE = SIZE, is_unary = UNARY }
