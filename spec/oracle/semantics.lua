-- The semantics of each op, and an interpreter of functions: slow and plainly right,
-- independent of how phial runs them. A trap is an error { trap = why }.
local bits = require "spec.oracle.bits"
local functions = require "spec.oracle.functions"
local memory = require "spec.oracle.memory"

local M = {}

local WIDTH = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64, f32 = 32, f64 = 64, ptr = 64 }

local function trap(why) error({ trap = why }, 0) end

--
-- {== Floats by their bits ============================================
--

local function round32(x) return (string.unpack("<f", string.pack("<f", x))) end
local function pattern(x) return (string.unpack("<i8", string.pack("<d", x))) end
local function from_pattern(n) return (string.unpack("<d", string.pack("<i8", n))) end
local function rounded(type, x) return type == "f32" and round32(x) or x end

-- |x| = m * 2^e with integers, for finite x.
local function parts(x)
  local n = pattern(x)
  local e, m = n >> 52 & 0x7ff, n & 0xfffffffffffff
  if e == 0 then return m, -1074 end
  return m | 1 << 52, e - 1075
end

-- Rounds an unsigned number, as bits, to the nearest float with `digits` bits of
-- precision, ties to even.
local function nearest(number, digits)
  local top = #number
  while top > 0 and number[top] == 0 do top = top - 1 end
  local drop = math.max(0, top - digits)
  local m = 0
  for i = top, drop + 1, -1 do m = m * 2 + number[i] end
  local half, below = number[drop] or 0, false
  for i = 1, drop - 1 do below = below or number[i] == 1 end
  if half == 1 and (below or m % 2 == 1) then m = m + 1 end
  return (m + 0.0) * 2.0 ^ drop
end

-- The integer part of |x|, as 65 bits; nil if it needs more.
local function integer_part(x)
  local m, e = parts(x)
  if e > 11 then return nil end
  local number = bits.of(m, 65)
  for i = 54, 65 do number[i] = 0 end
  if e < 0 then return bits.shr(number, -e, 0) end
  return bits.shl(number, e)
end

local function to_integer(x, v, fits)
  if x ~= x then trap "nan is no integer" end
  local number = math.abs(x) < math.huge and integer_part(x)
  local result = number and fits(number)
  if not result then trap("it does not fit " .. v.type) end
  return bits.value(result)
end

-- }== Ops =============================================================

-- By op: a function of the operands' bits, the operands and the instruction (type;
-- from: the type of the first operand).
local integer, other = {}, {}

for _, name in ipairs { "add", "sub", "mul", "neg", "band", "bor", "bxor", "bnot" } do
  integer[name] = bits[name]
end

-- A shift amount is taken modulo the width.
local function amount(b)
  local n = 0
  for i = #b, 1, -1 do n = (n * 2 + b[i]) % #b end
  return n
end

function integer.shl(a, b) return bits.shl(a, amount(b)) end
function integer.shr(a, b) return bits.shr(a, amount(b), 0) end
function integer.sar(a, b) return bits.shr(a, amount(b), a[#a]) end

local function rotate(a, places)
  local out = {}
  for i = 1, #a do out[i] = a[(i - 1 - places) % #a + 1] end
  return out
end

function integer.rotl(a, b) return rotate(a, amount(b)) end
function integer.rotr(a, b) return rotate(a, -amount(b)) end

function integer.bswap(a)
  local out = {}
  for i = 0, #a - 1 do out[i + 1] = a[#a - 8 - i // 8 * 8 + i % 8 + 1] end
  return out
end

for _, name in ipairs { "clz", "ctz", "popcnt" } do
  integer[name] = function(a) return bits.of(functions.numbers[name](a), #a) end
end
for _, name in ipairs { "umulh", "smulh" } do integer[name] = functions.numbers[name] end

local function check_divisor(b)
  if bits.is_zero(b) then trap "division by zero" end
end

function integer.udiv(a, b)
  check_divisor(b)
  return (bits.divide(a, b))
end

function integer.urem(a, b)
  check_divisor(b)
  return select(2, bits.divide(a, b))
end

-- Rounds toward zero: divides the magnitudes, then sets the sign.
function integer.sdiv(a, b, v)
  check_divisor(b)
  local q = bits.divide(bits.magnitude(a), bits.magnitude(b))
  local is_negative = bits.negative(a) ~= bits.negative(b)
  if not is_negative and bits.negative(q) then trap("the quotient does not fit " .. v.type) end
  return is_negative and bits.neg(q) or q
end

function integer.srem(a, b)
  check_divisor(b)
  local _, rest = bits.divide(bits.magnitude(a), bits.magnitude(b))
  return bits.negative(a) and bits.neg(rest) or rest
end

function integer.trunc(a, _, v) return bits.resize(a, WIDTH[v.type], 0) end
function integer.zext(a, _, v) return bits.resize(a, WIDTH[v.type], 0) end
function integer.sext(a, _, v) return bits.resize(a, WIDTH[v.type], a[#a]) end

local function signed_less(a, b)
  if bits.negative(a) ~= bits.negative(b) then return bits.negative(a) end
  return bits.less(a, b)
end

local function compare(name, test)
  other[name] = function(a, b, v)
    local w = WIDTH[v.from]
    return test(bits.of(a, w), bits.of(b, w))
  end
end

local function same(a, b) return not bits.less(a, b) and not bits.less(b, a) end

compare("eq", same)
compare("ne", function(a, b) return not same(a, b) end)
for sign, less in pairs { s = signed_less, u = bits.less } do
  integer[sign .. "min"] = function(a, b) return less(a, b) and a or b end
  integer[sign .. "max"] = function(a, b) return less(a, b) and b or a end
  compare(sign .. "lt", less)
  compare(sign .. "gt", function(a, b) return less(b, a) end)
  compare(sign .. "le", function(a, b) return not less(b, a) end)
  compare(sign .. "ge", function(a, b) return not less(a, b) end)
end

function other.fadd(a, b, v) return rounded(v.type, a + b) end
function other.fsub(a, b, v) return rounded(v.type, a - b) end
function other.fmul(a, b, v) return rounded(v.type, a * b) end
function other.fdiv(a, b, v) return rounded(v.type, a / b) end
function other.fneg(a) return -a end
function other.fabs(a) return from_pattern(pattern(a) & math.maxinteger) end
function other.fsqrt(a, _, v) return rounded(v.type, math.sqrt(a)) end
function other.copysign(a, b)
  return from_pattern(pattern(a) & math.maxinteger | pattern(b) & math.mininteger)
end

-- By how |x| is rounded: up(is_negative, over, whole), where over is how much the fraction exceeds
-- a half.
for name, up in pairs {
  ffloor = function(is_negative) return is_negative end,
  fceil = function(is_negative) return not is_negative end,
  ftrunc = function() return false end,
  fnearest = function(_, over, whole) return over > 0 or over == 0 and whole % 2 == 1 end,
} do
  other[name] = function(x)
    local m, e = parts(x)
    if x ~= x or e >= 0 then return x end
    local drop = math.min(-e, 60) -- of the 53 bits of m
    local whole, half = m >> drop, 1 << drop - 1
    local fraction, is_negative = m - (whole << drop), pattern(x) < 0
    if fraction > 0 and up(is_negative, fraction - half, whole) then whole = whole + 1 end
    return from_pattern(pattern(whole + 0.0) | pattern(x) & math.mininteger)
  end
end

-- A number that is the greater, the greater x is; that of -0.0 precedes that of 0.0.
local function rank(x)
  local n = pattern(x)
  return n < 0 and n ~ math.maxinteger or n
end

for name, is_least in pairs { min = true, max = false } do
  local function pick(a, b) return rank(a) < rank(b) == is_least and a or b end
  other["f" .. name .. "imum"] = function(a, b)
    if a ~= a or b ~= b then return 0 / 0 end
    return pick(a, b)
  end
  other["f" .. name .. "num"] = function(a, b)
    if a ~= a then return b end
    if b ~= b then return a end
    return pick(a, b)
  end
end

function other.fpromote(a) return a end
function other.fdemote(a) return round32(a) end
function other.feq(a, b) return a == b end
function other.fne(a, b) return a ~= b end
function other.flt(a, b) return a < b end
function other.fle(a, b) return a <= b end
function other.fgt(a, b) return a > b end
function other.fge(a, b) return a >= b end

function other.utof(a, _, v)
  return nearest(bits.of(a, WIDTH[v.from]), v.type == "f32" and 24 or 53)
end

function other.itof(a, _, v)
  local number = bits.of(a, WIDTH[v.from])
  local x = nearest(bits.magnitude(number), v.type == "f32" and 24 or 53)
  return bits.negative(number) and -x or x
end

function other.ftoi(x, _, v)
  return to_integer(x, v, function(number)
    local w = WIDTH[v.type]
    local limit = bits.shl(bits.resize({ 1 }, 65, 0), w - 1) -- 2^(w-1)
    local fits = bits.less(number, limit) or x < 0 and same(number, limit)
    return fits and bits.resize(x < 0 and bits.neg(number) or number, w, 0)
  end)
end

function other.ftou(x, _, v)
  return to_integer(x, v, function(number)
    local w = WIDTH[v.type]
    local limit = bits.shl(bits.resize({ 1 }, 65, 0), w)
    local fits = bits.less(number, limit) and (x >= 0 or bits.is_zero(number))
    return fits and bits.resize(number, w, 0)
  end)
end

-- Where the others trap: 0, or all bits, but for the top one if there is a sign.
for name, tops in pairs { ftoi = { above = 0, below = 1 }, ftou = { above = 1, below = 0 } } do
  other[name .. "_sat"] = function(x, _, v)
    local fits, result = pcall(other[name], x, _, v)
    if fits then return result end
    local w, number = WIDTH[v.type], bits.of(0, WIDTH[v.type])
    for i = 1, x > 0 and w - 1 or 0 do number[i] = 1 end
    if x == x then number[w] = x > 0 and tops.above or tops.below end
    return bits.value(number)
  end
end

-- The value of the 32 bits of a float; a nan has these bits.
local function float32(n)
  local sign, e, m = n >> 31 & 1, n >> 23 & 0xff, n & 0x7fffff
  if e == 255 then return from_pattern(sign << 63 | 0x7ff << 52 | m << 29) end
  local x = e == 0 and m * 2.0 ^ -149 or (m + 0x800000) * 2.0 ^ (e - 150)
  return sign == 1 and -x or x
end

local function bits32(x)
  if x == x then return (string.unpack("<i4", string.pack("<f", x))) end
  local n = pattern(x)
  return bits.value(bits.of(n >> 63 << 31 | 0xff << 23 | n >> 29 & 0x7fffff, 32))
end

function other.bitcast(a, _, v)
  local cast = ({ i32f32 = float32, f32i32 = bits32, i64f64 = from_pattern, f64i64 = pattern,
    ptrf64 = from_pattern, f64ptr = pattern })[v.from .. v.type]
  if cast then return cast(a) end
  return a
end

function other.copy(a) return a end
function other.refine(a, b, _, c) return a, assert(b == c, "a refinement is not true") end

function other.ptradd(a, b) return a + b end

-- Lua's integers have 64 bits and wrap around, which saves time.
local long = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, band = function(a, b) return a & b end,
  bor = function(a, b) return a | b end, bxor = function(a, b) return a ~ b end,
  shr = function(a, b) return a >> (b & 63) end, shl = function(a, b) return a << (b & 63) end,
}

--- Executes an op: v has type, and from, the type of the first operand.
---@param op string
---@param v {type: string, from: string}
---@return any
function M.op(op, v, a, b, c)
  if op == "select" then
    if a then return b end
    return c
  elseif integer[op] then
    local w = WIDTH[v.from]
    if w == 64 and long[op] then return long[op](a, b) end
    return bits.value(integer[op](bits.of(a, w), b ~= nil and bits.of(b, w), v))
  end
  return assert(other[op], op)(a, b, v, c)
end

--- True if the op has semantics here.
function M.knows(op) return op == "select" or integer[op] ~= nil or other[op] ~= nil end

-- }== Functions =======================================================

local UNDEF = { i1 = false, i8 = 0, i16 = 0, i32 = 0, i64 = 0, f32 = 0.0, f64 = 0.0,
  ptr = 0 }

local function value_of(state, v)
  local op = v:op()
  if op == "const" then return (v:const()) end
  if op == "undef" then return UNDEF[v:type()] end
  return state.values[v:now()]
end

local function operands(state, v)
  local args = v:args()
  local n = #args
  for i = 1, n do args[i] = value_of(state, args[i]) end
  return table.unpack(args, 1, n)
end

local execute = {}

local function call(state, callee, ...)
  if type(callee) == "string" then callee = state.env[callee] end
  if type(callee) == "userdata" then return M.run(callee, state.opts, ...) end
  return callee(...)
end

function execute.call(state, v) return call(state, v:data(), operands(state, v)) end

function execute.call_indirect(state, v)
  local args = table.pack(operands(state, v))
  return call(state, memory.callee(state.memory, args[1]), table.unpack(args, 2, args.n))
end

function execute.alloca(state, v) return memory.alloca(state.memory, operands(state, v)) end

function execute.load(state, v) return memory.load(state.memory, operands(state, v), v:type()) end

function execute.store(state, v)
  local p, x = operands(state, v)
  memory.store(state.memory, p, x, v:args()[2]:type())
end

execute.load_volatile, execute.load_unaligned = execute.load, execute.load
execute.store_volatile, execute.store_unaligned = execute.store, execute.store

function execute.address(state, v) return memory.address(state.memory, v:data()) end
function execute.memcpy(state, v) memory.copy(state.memory, operands(state, v)) end
execute.memmove = execute.memcpy
function execute.memset(state, v) memory.fill(state.memory, operands(state, v)) end

-- A va_list of the oracle: the number under which a list of arguments is kept, and how many of them
-- were taken.
function execute.va_start(state, v)
  local p, lists = operands(state, v), state.opts.lists or {}
  state.opts.lists = lists
  lists[#lists + 1] = state.more
  memory.store(state.memory, p, #lists, "i64")
  memory.store(state.memory, p + 8, 0, "i64")
end

function execute.va_copy(state, v)
  local to, from = operands(state, v)
  for i = 0, 8, 8 do
    memory.store(state.memory, to + i, memory.load(state.memory, from + i, "i64"), "i64")
  end
end

function execute.va_arg(state, v)
  local p = operands(state, v)
  local list = (state.opts.lists or {})[memory.load(state.memory, p, "i64")]
  local i = memory.load(state.memory, p + 8, "i64") + 1
  if not list or i > list.n then trap "there is no further argument" end
  memory.store(state.memory, p + 8, i, "i64")
  return list[i]
end

function execute.va_end(state, v) memory.store(state.memory, operands(state, v), 0, "i64") end

function execute.unreachable() trap "reached" end
function execute.trap(_, v) trap(v:data()) end

function execute.trap_if(state, v)
  if operands(state, v) then trap(v:data()) end
end

-- The function, and its arguments, that take the place of one that ends with a call.
local function passes_on(state, v)
  local args = table.pack(operands(state, v))
  if v:op() == "tail_call" then return v:data(), args end
  local callee = memory.callee(state.memory, table.remove(args, 1))
  args.n = args.n - 1
  return callee, args
end

local function eval(state, v)
  local dialect, op = v:op():match "(.*)%.(.*)"
  local f = state.fn:dialect(dialect)[op]:eval()
  local args = table.pack(operands(state, v))
  if v:data() ~= nil then
    args.n = args.n + 1
    args[args.n] = v:data()
  end
  return f(table.unpack(args, 1, args.n))
end

-- All results of an instruction are set at once, wherever they are projected.
local function set_results(state, v, ...)
  state.values[v] = (...)
  for _, user in ipairs(v:users()) do
    if user:op() == "proj" then state.values[user] = (select(user:index(), ...)) end
  end
end

local function instruction(state, v)
  local op, args = v:op(), v:args()
  if op == "proj" then
    return
  elseif op:find(".", 1, true) then
    set_results(state, v, eval(state, v))
  elseif op == "call" or op == "call_indirect" then
    set_results(state, v, execute[op](state, v))
  elseif execute[op] then
    state.values[v] = execute[op](state, v)
  else
    local kind = { type = v:type(), from = args[1] and args[1]:type() }
    state.values[v] = M.op(op, kind, operands(state, v))
  end
  if state.opts.watch then state.opts.watch(v, state.values[v]) end
end

-- Assigns the phis of a block at once, or moves values to their locations.
local function go(state, block, k)
  local succs = block:succs()
  local to, nth, index = succs[k], 0, nil
  for i = 1, k do nth = nth + (succs[i] == to and 1 or 0) end
  if state.leaving then
    for _, move in ipairs(state.leaving:moves(block, to, nth)) do
      local x = move.from
      if math.type(x) then x = state.at[x] else x = value_of(state, x) end
      state.at[move.to] = x
    end
    return to
  end
  for i, pred in ipairs(to:preds()) do
    nth = nth - (pred == block and 1 or 0)
    if nth == 0 then
      index = i
      break
    end
  end
  local new = {}
  for _, phi in ipairs(to:phis()) do new[phi] = { value_of(state, phi:args()[index]) } end
  for phi, value in pairs(new) do
    state.values[phi] = value[1]
    if state.opts.watch then state.opts.watch(phi, value[1]) end
  end
  if state.opts.follow then state.opts.follow(block, k) end
  return to
end

local function burn(opts)
  if not opts.fuel then return end
  opts.fuel = opts.fuel - 1
  if opts.fuel < 0 then trap "out of fuel" end
end

local target = {}

function target.jump() return 1 end
function target.branch(state, v) return value_of(state, v:args()[1]) and 1 or 2 end

function target.switch(state, v)
  local args = v:args()
  local value = value_of(state, args[1])
  for k = 2, #args do
    if args[k]:const() == value then return k end
  end
  return 1
end

-- The values by their locations.
local function located(leaving, at)
  return setmetatable({}, {
    __index = function(_, v) return at[leaving:location(v)] end,
    __newindex = function(_, v, value)
      local location = leaving:location(v)
      if location then at[location] = value end
    end,
  })
end

-- What a parameter is: an argument, or the address of a copy that the function has of an array.
local function own(state, passing, arg)
  local size, count = (passing or ""):match "^byval {i(%d+)%[(%d+)%]}$"
  if not size then return arg end
  local bytes = size // 8 * count
  local copy = memory.alloca(state.memory, bytes, size // 8)
  memory.copy(state.memory, copy, arg, bytes)
  return copy
end

--- Runs a finished function. opts.env: callees by name; opts.fuel: how many blocks
--- it may enter; opts.watch(v, value) is called for each value that is computed,
--- opts.follow(block, k) for each edge, the k-th of that block; opts.leaving(fn): a phial.Leaving
--- by whose locations and moves it runs.
---@param fn phial.Function
---@param opts table
function M.run(fn, opts, ...)
  opts.memory = opts.memory or memory.new()
  local state = { fn = fn, env = opts.env or {}, values = {}, opts = opts, memory = opts.memory,
    at = {}, leaving = opts.leaving and opts.leaving(fn) }
  if state.leaving then state.values = located(state.leaving, state.at) end
  local top = opts.memory.top
  local n = #fn:params()
  for i = 1, n do state.values[fn:arg(i)] = own(state, fn:passing(i), (select(i, ...))) end
  state.more = table.pack(select(n + 1, ...))
  local block = fn:entry()
  while true do
    burn(opts)
    local insts = block:insts()
    local last = table.remove(insts)
    for _, inst in ipairs(insts) do instruction(state, inst) end
    local op = last:op()
    if op == "ret" then
      opts.memory.top = top
      return operands(state, last)
    end
    if op == "tail_call" or op == "tail_call_indirect" then
      local callee, args = passes_on(state, last)
      opts.memory.top = top
      return call(state, callee, table.unpack(args, 1, args.n))
    end
    if op == "unreachable" or op == "trap" then execute[op](state, last) end
    if not target[op] and #block:succs() == 0 then return eval(state, last) end
    block = go(state, block, (target[op] or eval)(state, last))
  end
end

-- }====================================================================

return M
