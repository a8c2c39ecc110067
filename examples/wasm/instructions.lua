-- What each instruction of WebAssembly becomes. (Core Specification 2.0, chapter 5.4.)
local reader = require "wasm.reader"

-- By opcode; those after the prefix 0xfc from 0xfc00 on.
---@type table<integer, fun(s: wasm.State, block: phial.Block, r: wasm.Reader)>
local emit = {}

--- By opcode, the immediates of instructions that have some: u32, Byte, Signed, Float, Double,
--- Type, lisT of labels. They are passed over where nothing comes.
local immediates = {}

local byte = string.byte

-- {== Numbers =============================================================

-- Instructions that want a condition.
local CONDITIONS <const> = { [0x04] = true, [0x0d] = true, [0x1b] = true, [0x45] = true }

local function result_of_test(s, block, v)
  local r = s.reader
  if CONDITIONS[byte(r.text, r.at)] then s.bit = true else v = block:zext(v, "i32") end
  s:push(v)
end

-- Opcodes from `first` on, each with the method of its name: of two operands,
local function binary(first, names, test)
  local opcode = first
  for name in names:gmatch "%S+" do
    emit[opcode] = function(s, block)
      local b = s:pop()
      local v = block[name](block, s:pop(), b)
      if test then result_of_test(s, block, v) else s:push(v) end
    end
    opcode = opcode + 1
  end
end

-- or of one, and perhaps the type of the result, after a colon.
local function unary(first, names)
  local opcode = first
  for name, type in names:gmatch "(%w[%w_]*):?(%w*)" do
    if type == "" then type = nil end
    emit[opcode] = function(s, block) s:push(block[name](block, s:pop(), type)) end
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
  emit[0xbf + i] = function(s, block)
    s:push(block:sext(block:trunc(s:pop(), narrow), type))
  end
end

emit[0x45] = function(s, block)
  local v
  if s.bit then v = block:bnot(s:condition()) else v = block:eq(s:pop(), 0) end
  result_of_test(s, block, v)
end
emit[0x50] = function(s, block) result_of_test(s, block, block:eq(s:pop(), 0)) end

local function constant(opcode, type, immediate, read, format)
  immediates[opcode] = immediate
  emit[opcode] = function(s, _, r) s:push(s.fn:const(read(r, format), type)) end
end

constant(0x41, "i32", "S", reader.Reader.signed)
constant(0x42, "i64", "S", reader.Reader.signed)
constant(0x43, "f32", "F", reader.Reader.float, "<f")
constant(0x44, "f64", "D", reader.Reader.float, "<d")

-- }== Variables ===========================================================

for opcode = 0x20, 0x24 do immediates[opcode] = "U" end
emit[0x20] = function(s, block, r) s:push(block:read(s.locals[r:u32() + 1])) end
emit[0x21] = function(s, block, r) block:write(s.locals[r:u32() + 1], s:pop()) end
emit[0x22] = function(s, block, r) block:write(s.locals[r:u32() + 1], s.stack[s.n]) end

local IN_GLOBALS <const> = { reads = { "globals" } }
local TO_GLOBALS <const> = { writes = { "globals" } }

emit[0x23] = function(s, block, r)
  local global = s:item("globals", r:u32())
  s:push(block:load(block:address(global.place), global.type, IN_GLOBALS))
end

emit[0x24] = function(s, block, r)
  block:store(block:address(s:item("globals", r:u32()).place), s:pop(), TO_GLOBALS)
end

-- }== Memory ==============================================================

local FROM_MEMORY <const> = { align = 1, reads = { "memory" } }
local TO_MEMORY <const> = { align = 1, writes = { "memory" } }

-- The address that an instruction accesses, `width` bytes from there on; traps outside memory.
local function access(s, block, r, width)
  r:u32()
  local memory, offset = s.context.memory, r:u32()
  local at = block:zext(s:pop(), "i64")
  memory.check(block, block:add(at, offset + width))
  return block:ptradd(block:ptradd(block:address(memory.place), at), offset)
end

local function load_of(opcode, width, narrow, extend, type)
  immediates[opcode] = "UU"
  emit[opcode] = function(s, block, r)
    local v = block:load(access(s, block, r, width), narrow, FROM_MEMORY)
    s:push(extend and block[extend](block, v, type) or v)
  end
end

local function store_of(opcode, width, narrow)
  immediates[opcode] = "UU"
  emit[opcode] = function(s, block, r)
    local v = s:pop()
    local to = access(s, block, r, width)
    block:store(to, narrow and block:trunc(v, narrow) or v, TO_MEMORY)
  end
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

immediates[0x3f], immediates[0x40] = "B", "B"
emit[0x3f] = function(s, block, r)
  r:byte()
  s:push(block:trunc(block:shr(s.context.memory.bytes(block), 16), "i32"))
end
emit[0x40] = function(s, block, r)
  r:byte()
  s:push(block:call(s.context.memory.grow, nil, s:pop()))
end

-- The operands of an instruction on many bytes or elements: where to, and two more.
local function bulk(s, block)
  local to, from, n = s:take(3)
  return block:zext(to, "i64"), from, block:zext(n, "i64")
end

-- The address of the element or byte number `at` of an area of that many bytes an element.
local function place(block, area, at)
  if area.width then at = block:mul(at, area.width) end
  return block:ptradd(block:address(area.place), at)
end

-- Copies n of one area to another of its kind.
local function copy(block, to_area, to, from_area, from, n)
  from = block:zext(from, "i64")
  from_area.check(block, block:add(from, n))
  to_area.check(block, block:add(to, n))
  block:memmove(place(block, to_area, to), place(block, from_area, from),
    to_area.width and block:mul(n, to_area.width) or n)
end

local function copy_within(opcode, area)
  immediates[opcode] = "UU"
  emit[opcode] = function(s, block, r)
    local to, from, n = bulk(s, block)
    local it = s.context[area]
    r:u32() r:u32()
    copy(block, it, to, it, from, n)
  end
end

local function copy_segment(opcode, area, segments)
  immediates[opcode] = "UU"
  emit[opcode] = function(s, block, r)
    local to, from, n = bulk(s, block)
    local segment = s:item(segments, r:u32())
    r:u32()
    copy(block, s.context[area], to, segment, from, n)
  end
  immediates[opcode + 1] = "U"
  emit[opcode + 1] = function(s, block, r) s:item(segments, r:u32()).drop(block) end
end

copy_segment(0xfc08, "memory", "data")
copy_within(0xfc0a, "memory")
copy_segment(0xfc0c, "table", "elements")
copy_within(0xfc0e, "table")
immediates[0xfc0b] = "U"
emit[0xfc0b] = function(s, block, r)
  local memory, to, value, n = s.context.memory, bulk(s, block)
  r:u32()
  memory.check(block, block:add(to, n))
  block:memset(place(block, memory, to), block:trunc(value, "i8"), n)
end

-- }== Control =============================================================

for opcode = 0x02, 0x04 do immediates[opcode] = "T" end
immediates[0x0c], immediates[0x0d], immediates[0x0e] = "U", "U", "L"
immediates[0x10], immediates[0x11] = "U", "UU"

local NONE <const> = {}
local ONE <const> = {}
for code, type in pairs(reader.TYPES) do ONE[code - 128] = { type } end

-- The types of a structure's parameters and results.
local function structure(s, r)
  local at = r:signed()
  if at == -64 then return NONE, NONE end
  if at < 0 then return NONE, ONE[at] or r:fail "a type that is not supported" end
  local type = s:item("types", at)
  return type.params, type.results
end

emit[0x00] = function(s, block)
  block:trap "unreachable"
  s:stop()
end
emit[0x01] = function() end

emit[0x02] = function(s, _, r)
  local params, results = structure(s, r)
  s:open(results, params, results)
end

emit[0x03] = function(s, block, r)
  local params, results = structure(s, r)
  -- Another list than that of the results, also where both are empty: it tells a loop.
  local frame = s:open(table.move(params, 1, #params, 1, {}), params, results)
  frame.label = s.fn:block "loop"
  block:jump(s:target(frame))
  s:enter(frame)
end

emit[0x04] = function(s, block, r)
  local params, results = structure(s, r)
  local condition = s:condition()
  local frame = s:open(results, params, results)
  frame.params = table.move(s.stack, frame.height + 1, s.n, 1, {})
  local taken = s.fn:block "then"
  frame.otherwise = s.fn:block "else"
  block:branch(condition, taken, frame.otherwise)
  s:go_on(taken)
end

emit[0x05] = function(s) s:otherwise(s:frame(0)) end
emit[0x0b] = function(s) s:close() end
emit[0x0c] = function(s, _, r) s:leave(s:frame(r:u32())) end
emit[0x0f] = function(s) s:leave(s.frames[1]) end

emit[0x0d] = function(s, block, r)
  local frame, condition = s:frame(r:u32()), s:condition()
  local next = s.fn:block "next"
  block:branch(condition, s:target(frame), next)
  s:go_on(next)
end

emit[0x0e] = function(s, block, r)
  local labels = r:list(r.u32)
  local by_default, at, cases = r:u32(), s:pop(), {}
  for i, depth in ipairs(labels) do cases[i - 1] = s:target(s:frame(depth)) end
  block:switch(at, s:target(s:frame(by_default)), cases)
  s:stop()
end

-- A call of a function, or of an address as `extra` says, whose results are pushed.
local function call(s, block, callee, type, extra)
  local results, n = type.results, #type.params
  if not results[1] then return block:call(callee, false, s:take(n)) end
  local args = table.pack(s:take(n))
  args[n + 1] = extra
  s:push_all(block:call(callee, not results[2] and results[1] or nil, table.unpack(args)))
end

emit[0x10] = function(s, block, r)
  local f = s:item("funcs", r:u32())
  call(s, block, f.fn, f.type)
end

local IN_TABLE <const> = { reads = { "table" } }

emit[0x11] = function(s, block, r)
  local type, table = s:item("types", r:u32()), s.context.table
  local at = block:zext(s:pop(), "i64")
  r:u32()
  table.check(block, block:add(at, 1))
  local entry = place(block, table, at)
  block:trap_if(block:ne(block:load(entry, "i64", IN_TABLE), type.number),
    "null function or function signature mismatch")
  local f = block:load(block:ptradd(entry, 8), "ptr", IN_TABLE)
  call(s, block, f, type, type.as)
end

emit[0x1a] = function(s) s:pop() end

emit[0x1b] = function(s, block)
  local condition = s:condition()
  local a, b = s:take(2)
  s:push(block:select(condition, a, b))
end

immediates[0x1c] = "V"
emit[0x1c] = function(s, block, r)
  r:list(r.byte)
  emit[0x1b](s, block)
end

-- }== Reading =============================================================

local PASSED <const> = {
  U = function(r) r:u32() end,
  B = function(r) r:byte() end,
  S = function(r) r:signed() end,
  T = function(r) r:signed() end,
  F = function(r) r:bytes(4) end,
  D = function(r) r:bytes(8) end,
  V = function(r) r:list(r.byte) end,
  L = function(r) r:list(r.u32) r:u32() end,
}

-- Passes over an instruction where nothing comes. Structures in it are counted.
local function pass(s, opcode, r)
  if opcode == 0x0b or opcode == 0x05 and s.skipped == 0 then
    if s.skipped == 0 then return emit[opcode](s, nil, r) end
    s.skipped = s.skipped - 1
  elseif opcode >= 0x02 and opcode <= 0x04 then
    s.skipped = s.skipped + 1
  end
  for kind in (immediates[opcode] or ""):gmatch "." do PASSED[kind](r) end
end

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
    if s.block then translate(s, s.block, r) else pass(s, opcode, r) end
  end
end
