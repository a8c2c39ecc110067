-- What each instruction of WebAssembly becomes. (Core Specification 2.0, chapter 5.4.)
local reader = require "wasm.reader"
local State = require "wasm.state"

-- By opcode; those after the prefix 0xfc from 0xfc00 on.
---@type table<integer, fun(s: wasm.State, block: phial.Block, ...)> with the immediates
local emit = {}

-- What reads the immediates of instructions that have some.
---@type table<integer, fun(r: wasm.Reader): ...>
local immediates = {}

local function define(opcode, read, translate)
  immediates[opcode], emit[opcode] = read, translate
end

local Reader = reader.Reader
local one = Reader.u32
local function two(r) return r:u32(), r:u32() end

-- {== Numbers =============================================================

-- Instructions that want a condition.
local CONDITIONS <const> = { [0x04] = true, [0x0d] = true, [0x1b] = true, [0x45] = true }

local function push_test(s, v)
  local r = s.reader
  s.bit = CONDITIONS[r.text:byte(r.at)] or false
  s:push(s.bit and v or s.block:zext(v, "i32"))
end

-- Opcodes from `first` on, each with the method of its name: of two operands,
local function binary(first, names, test)
  local opcode, push = first, test and push_test or State.push
  for name in names:gmatch "%S+" do
    emit[opcode] = function(s, block)
      local b = s:pop()
      push(s, block[name](block, s:pop(), b))
    end
    opcode = opcode + 1
  end
end

-- or of one, and perhaps the type of the result, after a colon.
local function unary(first, names)
  local opcode = first
  for name, type in names:gmatch "(%w[%w_]*):?(%w*)" do
    local to = type ~= "" and type or nil
    emit[opcode] = function(s, block) s:push(block[name](block, s:pop(), to)) end
    opcode = opcode + 1
  end
end

binary(0x46, "eq ne slt ult sgt ugt sle ule sge uge", true)
binary(0x51, "eq ne slt ult sgt ugt sle ule sge uge", true)
binary(0x5b, "feq fne flt fgt fle fge", true)
binary(0x61, "feq fne flt fgt fle fge", true)
for first = 0x67, 0x79, 0x79 - 0x67 do
  unary(first, "clz ctz popcnt")
  binary(first + 3, "add sub mul sdiv udiv srem urem band bor bxor shl sar shr rotl rotr")
end
for first = 0x8b, 0x99, 0x99 - 0x8b do
  unary(first, "fabs fneg fceil ffloor ftrunc fnearest fsqrt")
  binary(first + 7, "fadd fsub fmul fdiv fminimum fmaximum copysign")
end
unary(0xa7, "trunc:i32 ftoi:i32 ftou:i32 ftoi:i32 ftou:i32 sext:i64 zext:i64 "
  .. "ftoi:i64 ftou:i64 ftoi:i64 ftou:i64 itof:f32 utof:f32 itof:f32 utof:f32 fdemote:f32 "
  .. "itof:f64 utof:f64 itof:f64 utof:f64 fpromote:f64 "
  .. "bitcast:i32 bitcast:i64 bitcast:f32 bitcast:f64")
unary(0xfc00, "ftoi_sat:i32 ftou_sat:i32 ftoi_sat:i32 ftou_sat:i32 "
  .. "ftoi_sat:i64 ftou_sat:i64 ftoi_sat:i64 ftou_sat:i64")
for i, narrow in ipairs { "i8", "i16", "i8", "i16", "i32" } do
  local type = i < 3 and "i32" or "i64"
  emit[0xbf + i] = function(s, block) s:push(block:sext(block:trunc(s:pop(), narrow), type)) end
end

emit[0x45] = function(s, block)
  push_test(s, s.bit and block:bnot(s:condition()) or block:eq(s:pop(), 0))
end
emit[0x50] = function(s, block) push_test(s, block:eq(s:pop(), 0)) end

for i, type in ipairs { "i32", "i64", "f32", "f64" } do
  define(0x40 + i, reader.CONSTANTS[0x40 + i],
    function(s, _, value) s:push(s.fn:const(value, type)) end)
end

-- }== Variables ===========================================================

define(0x20, one, function(s, block, i) s:push(block:read(s.locals[i + 1])) end)
define(0x21, one, function(s, block, i) block:write(s.locals[i + 1], s:pop()) end)
define(0x22, one, function(s, block, i) block:write(s.locals[i + 1], s.stack[s.n]) end)

local IN_GLOBALS <const> = { reads = { "globals" } }
local TO_GLOBALS <const> = { writes = { "globals" } }

define(0x23, one, function(s, block, i)
  local global = s:item("globals", i)
  s:push(block:load(block:address(global.place), global.type, IN_GLOBALS))
end)

define(0x24, one, function(s, block, i)
  block:store(block:address(s:item("globals", i).place), s:pop(), TO_GLOBALS)
end)

-- }== Memory ==============================================================

local FROM_MEMORY <const> = { align = 1, reads = { "memory" } }
local TO_MEMORY <const> = { align = 1, writes = { "memory" } }

-- The address that an instruction accesses, `width` bytes from there on; traps outside memory.
local function access(s, block, offset, width)
  local memory = s.context.memory
  local at = block:zext(s:pop(), "i64")
  memory.check(block, block:add(at, offset + width))
  return block:ptradd(block:ptradd(block:address(memory.place), at), offset)
end

local function load_of(opcode, width, narrow, extend, type)
  define(opcode, two, function(s, block, _, offset)
    local v = block:load(access(s, block, offset, width), narrow, FROM_MEMORY)
    s:push(extend and block[extend](block, v, type) or v)
  end)
end

local function store_of(opcode, width, narrow)
  define(opcode, two, function(s, block, _, offset)
    local v = s:pop()
    local to = access(s, block, offset, width)
    block:store(to, narrow and block:trunc(v, narrow) or v, TO_MEMORY)
  end)
end

for i, type in ipairs { "i32", "i64", "f32", "f64" } do
  local width = i % 2 == 1 and 4 or 8
  load_of(0x27 + i, width, type)
  store_of(0x35 + i, width)
end
for i, type in ipairs { "i32", "i64" } do
  for j = 1, i + 1 do
    local width, opcode = 1 << j - 1, 0x28 + 4 * i + 2 * j - 2
    load_of(opcode, width, "i" .. 8 * width, "sext", type)
    load_of(opcode + 1, width, "i" .. 8 * width, "zext", type)
    store_of(0x37 + 2 * i + j, width, "i" .. 8 * width)
  end
end

define(0x3f, one, function(s, block)
  s:push(block:trunc(block:shr(s.context.memory.bytes(block), 16), "i32"))
end)
define(0x40, one, function(s, block)
  s:push(block:call(s.context.memory.grow, nil, s:pop()))
end)

-- The operands of an instruction on many bytes or elements: where to, and two more.
local function bulk(s, block)
  local to, from, n = s:take(3)
  return block:zext(to, "i64"), from, block:zext(n, "i64")
end

-- The address of the element or byte number `at` of an area of that many bytes an element.
local function place(block, area, at)
  return block:ptradd(block:address(area.place), block:mul(at, area.width))
end

-- Copies n of one area to another of its kind.
local function copy(block, to_area, to, from_area, from, n)
  from = block:zext(from, "i64")
  from_area.check(block, block:add(from, n))
  to_area.check(block, block:add(to, n))
  block:memmove(place(block, to_area, to), place(block, from_area, from),
    block:mul(n, to_area.width))
end

for opcode, area in pairs { [0xfc0a] = "memory", [0xfc0e] = "table" } do
  define(opcode, two, function(s, block)
    local to, from, n = bulk(s, block)
    copy(block, s.context[area], to, s.context[area], from, n)
  end)
end

local function copy_segment(opcode, area, segments)
  define(opcode, two, function(s, block, i)
    local to, from, n = bulk(s, block)
    copy(block, s.context[area], to, s:item(segments, i), from, n)
  end)
  define(opcode + 1, one, function(s, block, i) s:item(segments, i).drop(block) end)
end

copy_segment(0xfc08, "memory", "data")
copy_segment(0xfc0c, "table", "elements")
define(0xfc0b, one, function(s, block)
  local memory, to, value, n = s.context.memory, bulk(s, block)
  memory.check(block, block:add(to, n))
  block:memset(place(block, memory, to), block:trunc(value, "i8"), n)
end)

-- }== Control =============================================================

local NONE <const> = {}
local ONE <const> = {}
for code, type in pairs(reader.TYPES) do ONE[code - 128] = { type } end

-- The types of a structure's parameters and results.
local function structure(s, at)
  if at == -64 then return NONE, NONE end
  if at < 0 then return NONE, ONE[at] or error("a type that is not supported", 0) end
  local type = s:item("types", at)
  return type.params, type.results
end

emit[0x00] = function(s, block)
  block:trap "unreachable"
  s:stop()
end
emit[0x01] = function() end

define(0x02, Reader.signed, function(s, _, type)
  local params, results = structure(s, type)
  s:open(results, params, results)
end)

define(0x03, Reader.signed, function(s, block, type)
  local params, results = structure(s, type)
  -- Another list than that of the results, also where both are empty: it tells a loop.
  local frame = s:open(table.move(params, 1, #params, 1, {}), params, results)
  frame.label = s.fn:block "loop"
  block:jump(s:target(frame))
  s:enter(frame)
end)

define(0x04, Reader.signed, function(s, block, type)
  local params, results = structure(s, type)
  local condition = s:condition()
  local frame = s:open(results, params, results)
  frame.params = table.move(s.stack, frame.height + 1, s.n, 1, {})
  local taken = s.fn:block "then"
  frame.otherwise = s.fn:block "else"
  block:branch(condition, taken, frame.otherwise)
  s:go_on(taken)
end)

emit[0x05] = function(s) s:otherwise(s:frame(0)) end
emit[0x0b] = function(s) s:close() end
emit[0x0f] = function(s) s:leave(s.frames[1]) end
define(0x0c, one, function(s, _, depth) s:leave(s:frame(depth)) end)

define(0x0d, one, function(s, block, depth)
  local condition, next = s:condition(), s.fn:block "next"
  block:branch(condition, s:target(s:frame(depth)), next)
  s:go_on(next)
end)

define(0x0e, function(r) return r:list(one), r:u32() end, function(s, block, labels, by_default)
  local at, cases = s:pop(), {}
  for i, depth in ipairs(labels) do cases[i - 1] = s:target(s:frame(depth)) end
  block:switch(at, s:target(s:frame(by_default)), cases)
  s:stop()
end)

-- A call of a function, or of an address as `extra` says, whose results are pushed.
local function call(s, block, callee, type, extra)
  local results, n = type.results, #type.params
  if not results[1] then return block:call(callee, false, s:take(n)) end
  local args = table.pack(s:take(n))
  args[n + 1] = extra
  s:push_all(block:call(callee, not results[2] and results[1] or nil, table.unpack(args)))
end

define(0x10, one, function(s, block, i)
  local f = s:item("funcs", i)
  call(s, block, f.fn, f.type)
end)

local IN_TABLE <const> = { reads = { "table" } }

define(0x11, two, function(s, block, i)
  local type, table = s:item("types", i), s.context.table
  local at = block:zext(s:pop(), "i64")
  table.check(block, block:add(at, 1))
  local entry = place(block, table, at)
  block:trap_if(block:ne(block:load(entry, "i64", IN_TABLE), type.number),
    "null function or function signature mismatch")
  local f = block:load(block:ptradd(entry, 8), "ptr", IN_TABLE)
  call(s, block, f, type, type.as)
end)

emit[0x1a] = function(s) s:pop() end

emit[0x1b] = function(s, block)
  local condition = s:condition()
  s:push(block:select(condition, s:take(2)))
end

define(0x1c, function(r) r:list(r.byte) end, emit[0x1b])

-- }== Reading =============================================================

-- Passes over an instruction where nothing comes. Structures in it are counted.
local function pass(s, opcode)
  if opcode == 0x0b or opcode == 0x05 and s.skipped == 0 then
    if s.skipped == 0 then return emit[opcode](s) end
    s.skipped = s.skipped - 1
  elseif opcode >= 0x02 and opcode <= 0x04 then
    s.skipped = s.skipped + 1
  end
end

local function nothing() end

--- Translates the code of a function up to its end.
---@param s wasm.State
---@param stop integer
return function(s, stop)
  local r, fn = s.reader, s.fn
  while r.at < stop do
    fn:set_loc(r.at - 1, nil, r.path)
    local opcode = r:byte()
    if opcode == 0xfc then opcode = 0xfc00 | r:u32() end
    local translate = emit[opcode] or r:fail("opcode 0x%02x is not supported", opcode)
    local read = immediates[opcode] or nothing
    if s.block then translate(s, s.block, read(r)) else pass(s, opcode, read(r)) end
  end
end
