-- Random functions over typed variables, with all ops that compute, loops of
-- any shape, traps, memory, and calls of each other; at the end they show all their variables,
-- or return a digest of them.
local builder = require "spec.support.arithmetic_builder"
local ops = require "spec.support.ops"
local patterns = require "spec.support.patterns"
local rooms = require "spec.support.rooms"

local M = {}

local TYPES = { "i64", "i1", "i8", "f32", "i32", "f64", "i16" } -- rules can add ptr
local WIDTH = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64, ptr = 64 }
local INTEGER = ops.with "t:tt"
local COMPARE, FLOAT_COMPARE = ops.with("b:tt", "b:ee"), ops.with "b:ff"
local UNARY, FLOAT_UNARY = ops.with("t:t", "x:x"), ops.with("f:f", "x:x")
local WIDE_UNARY = ops.with("t:t", "w:w", "x:x")

-- Types that may precede the further arguments in C.
local WIDE = { i32 = true, i64 = true, f64 = true, ptr = true }

-- The last one shows the sign of a nan, which rules may change.
local FLOAT = ops.with "f:ff"
table.sort(FLOAT, function(a, b) return a ~= b and b == "copysign" end)

-- By the letters of from and to, the casts that always fit.
local CASTS = {
  ii = function(from, to)
    if WIDTH[from] == WIDTH[to] then return { "bitcast" } end
    return ops.of(WIDTH[from] > WIDTH[to] and "narrow" or "widen", 1)
  end,
  ["if"] = function() return ops.of("tofloat", 1) end,
  fi = function() return ops.of("toint", 1) end,
  ff = function(from, to)
    return { from == to and "copy" or from == "f32" and "fpromote" or "fdemote" }
  end,
}

--
-- {== Constants =======================================================
--

local INTEGERS = { 0, 1, 2, 3, 5, 7, 31, 100, -1, -2, -7, -128, 127, 255, 40000, -32768, 1 << 31,
  -1 << 31, 0x7fffffffffffffff, -1 << 63 }
local FLOATS = { 0.0, -0.0, 1.0, -1.5, 0.1, 3.25, 1e10, -1e19, 2.0 ^ 63, 3.4e38, 1e-45, 1e308,
  1 / 0, -1 / 0, 127.5, -128.9, 2.5, -0.5 }

-- Sign-extends an integer from a width.
local function cut(n, width)
  if width == 64 then return n end
  return ((n + (1 << width - 1)) & (1 << width) - 1) - (1 << width - 1)
end

--- A random value of a type.
function M.constant(pick, type)
  if type == "i1" then return pick(2) == 1 end
  if WIDTH[type] then return cut(INTEGERS[pick(#INTEGERS)], WIDTH[type]) end
  local x = FLOATS[pick(#FLOATS)]
  return type == "f32" and string.unpack("<f", string.pack("<f", x)) or x
end

-- }== Generating ======================================================

-- The conversions from one type to another. Rules may change the bits of a nan, so
-- with rules these are not observed.
local function conversions(from, to, rules)
  local kinds = from:sub(1, 1) .. to:sub(1, 1)
  local found = CASTS[kinds](from, to)
  local same_width = from:sub(2) == to:sub(2)
  if same_width and (kinds == "if" or kinds == "fi" and not rules) then
    found[#found + 1] = "bitcast"
  end
  return found
end

local function of_type(pick, program, type)
  local found = {}
  for v, other in ipairs(program.vars) do
    if type == other then found[#found + 1] = v end
  end
  if #found == 0 or pick(5) == 1 then return { const = M.constant(pick, type), type = type } end
  return { var = found[pick(#found)], type = type }
end

-- A random assignment to an address.
local function new_address(pick, to, operand)
  local kind = pick(3)
  if kind == 1 then return { to = to, op = "bitcast", said = "ptr", operand "i64" } end
  if kind == 2 then return { to = to, op = "select", operand "i1", operand(), operand() } end
  return { to = to, op = "ptradd", operand(), operand "i64" }
end

-- A random assignment to a variable: op and operands.
local function assignment(pick, program)
  local to = pick(#program.vars)
  local type = program.vars[to]
  local function operand(of) return of_type(pick, program, of or type) end
  local kind = pick(8)
  if type == "ptr" and kind <= 6 then return new_address(pick, to, operand) end
  if kind > 6 then return { to = to, operand() } end -- what the variable has, no copy
  if kind == 1 then
    local from = TYPES[pick(#TYPES)]
    local casts = conversions(from, type, program.rules or program.no_nans)
    if casts[1] ~= "copy" then
      return { to = to, op = casts[pick(#casts)], said = type, operand(from) }
    end
  elseif kind == 2 then
    return { to = to, op = "select", operand "i1", operand(), operand() }
  elseif type == "i1" and kind <= 4 then
    local from = TYPES[pick(#TYPES)]
    local compares = WIDTH[from] and COMPARE or FLOAT_COMPARE
    return { to = to, op = compares[pick(#compares)], operand(from), operand(from) }
  elseif kind == 3 then
    local unary = not WIDTH[type] and FLOAT_UNARY or WIDTH[type] < 16 and UNARY or WIDE_UNARY
    return { to = to, op = unary[pick(#unary)], operand() }
  end
  local binary = WIDTH[type] and INTEGER or FLOAT
  local hidden = binary == FLOAT and (program.rules or program.no_nans) and 1 or 0
  return { to = to, op = binary[pick(#binary - hidden)], operand(), operand() }
end

-- A random access to memory.
local function access(pick, program)
  return rooms.step(pick, program, function(type) return of_type(pick, program, type) end)
end

-- A random call of a function of M.generate_all.
local function call(pick, program)
  local callee = program.callees[pick(#program.callees)]
  local args = {}
  for v, type in ipairs(callee.types) do args[v] = of_type(pick, program, type) end
  return { to = pick(#program.vars), call = callee.name, args = args,
    form = pick(3), as = callee.copies or pick(3) == 1, -- a call at an address says it of structs
    second = callee.second, room = pick(2), says = program.memory and pick(2) == 1,
    named = callee.more > 0 and #args - callee.more }
end

-- A random check, which rarely traps.
local function check(pick, program)
  local function operand() return of_type(pick, program, "i64") end
  return { trap_if = "check " .. pick(3), pick(4) == 1 and of_type(pick, program, "i1")
    or { op = "eq", operand(), operand() } }
end

-- A random call of an op of the dialect.
local function foreign(pick, program)
  local to, name = pick(#program.vars), ({ "twist", "both", "twist", "stop" })[pick(4)]
  return { to = to, foreign = "x." .. name, of_type(pick, program, "i64"),
    name ~= "stop" and of_type(pick, program, "i64") or nil }
end

-- An expression that a rule matches, or nil; depth: what it is applied to may be such
-- expressions, too, nested as deep as this, and occur several times.
local function expression(pick, program, rules, depth)
  local inner = {}
  for i = 1, depth > 0 and pick(3) - 1 or 0 do
    inner[i] = expression(pick, program, rules, depth - 1)
  end
  return patterns.instance(pick, rules[pick(#rules)], function(type)
    local it = #inner > 0 and pick(4) > 1 and inner[pick(#inner)]
    if not it or it.type ~= type then it = of_type(pick, program, type) end
    it.type = type
    return it
  end, program.dense and program.vars[1])
end

-- A random assignment of such an expression.
local function matched(pick, program, rules)
  local tree
  repeat
    tree = expression(pick, program, rules, program.dense and 2 or 0)
  until tree
  for v, type in ipairs(program.vars) do
    if type == tree.type then
      tree.to = v
      if pick(3) == 1 then return tree end
    end
  end
  if not tree.to then
    program.vars[#program.vars + 1] = tree.type
    program.values[#program.vars] = M.constant(pick, tree.type)
    tree.to = #program.vars
  end
  return tree
end

local function block(pick, program, count, rules)
  local out = { targets = {} }
  for i = 1, pick(6) - 1 do
    out[i] = program.memory and pick(3) == 1 and access(pick, program)
      or program.callees and pick(6) == 1 and call(pick, program)
      or program.foreign and pick(8) == 1 and foreign(pick, program)
      or pick(16) == 1 and check(pick, program)
      or rules and pick(2) == 1 and matched(pick, program, rules) or assignment(pick, program)
  end
  local kind = pick(8)
  if count == 1 or kind == 1 then
    out.trap = count > 1 and pick(12) == 1 and "the end" or nil
    local tail = program.tails and pick(3) == 1 and call(pick, program) or nil
    out.tail = tail and tail.second == program.second and tail or nil
    return out
  end
  for i = 1, kind <= 3 and 1 or kind <= 6 and 2 or 4 do out.targets[i] = pick(count - 1) + 1 end
  local type = #out.targets == 4 and pick(5) > 1 and "i" .. (4 << pick(4)) or "i1"
  out.cond = of_type(pick, program, type)
  out.form = pick(3)
  if out.cond.type == "i1" then out.targets[3], out.targets[4] = nil, nil end
  return out
end

local program_mt = {}

-- A program without blocks.
local function begin(pick, rules, opts)
  local program = setmetatable({ vars = {}, values = {}, blocks = {}, rules = rules,
    no_nans = opts.no_nans, memory = opts.memory, dense = opts.dense, ticks = opts.ticks,
    foreign = opts.foreign }, program_mt)
  local types = opts.dense and 1 or pick(#TYPES)
  for v = 1, pick(opts.dense and 2 or 8) do
    program.vars[v] = TYPES[pick(types)]
    program.values[v] = M.constant(pick, program.vars[v])
  end
  return program
end

local function add_blocks(pick, program, most)
  local count = pick(most or 8)
  for i = 1, count do program.blocks[i] = block(pick, program, count, program.rules) end
  return program
end

--- A random function of at most `most` blocks; if rules are given, half of its
--- instructions match their patterns. opts.no_nans: the bits of a nan are not observed;
--- opts.memory: it loads and stores; opts.dense: few variables, of one type, so that most
--- patterns meet in one expression; opts.ticks: it goes back at most so many times; opts.foreign:
--- it uses M.dialect.
function M.generate(pick, most, rules, opts)
  return add_blocks(pick, begin(pick, rules, opts or {}), most)
end

--- `count` random functions, all of which may call all but the last one, by the names f1,
--- f2, ... A call is passed how deep further ones may go, and a room of the caller. Not all
--- variables are parameters. opts.tails: some callees end by calls; opts.variadic: some
--- have further arguments, for variables after their parameters; opts.structs: some get a copy of
--- the room; opts.several: some have a second result.
function M.generate_all(pick, count, most, rules, opts)
  local programs, callees = {}, {}
  for i = 1, count do
    local it = begin(pick, rules, opts)
    it.params = pick(#it.vars + 1) - 1
    it.is_callee, it.callees = i < count, count > 1 and callees or nil
    it.copies = opts.structs and opts.memory and it.is_callee and pick(3) == 1
    it.tails = opts.tails and it.is_callee and not it.copies
    it.more = opts.variadic and it.is_callee and WIDE[it.vars[it.params] or "i64"]
      and pick(#it.vars - it.params + 1) - 1 or 0
    it.second = opts.several and it.is_callee and pick(2) == 1 and TYPES[pick(#TYPES)] or nil
    programs[i] = it
    callees[i] = i < count and { name = "f" .. i, more = it.more, copies = it.copies,
      second = it.second,
      types = { table.unpack(it.vars, 1, it.params + it.more) } } or nil
  end
  for _, it in ipairs(programs) do add_blocks(pick, it, most) end
  return programs
end

--- The types of the values that a program shows: its variables, and what is in memory.
function M.shown(program)
  local types = table.move(program.vars, 1, #program.vars, 1, {})
  for _ = 1, program.memory and 4 or 0 do types[#types + 1] = "i64" end
  return types
end

M.build, M.digest, M.dialect = builder.build, builder.digest, builder.dialect
M.leaving_to = builder.leaving_to

function program_mt:__tostring()
  return M.build(self, print):text()
end

-- }====================================================================

return M
