-- The meaning of each opcode of Lua 5.4 in terms of luac.State: a function of the
-- state, the instruction and its field A.  Jumps and returns end their blocks here;
-- blocks that fall through are ended by translate.lua.
--
-- The other fields are extracted where they are used: B is `i >> 16 & 0xff`, C is
-- `i >> 24`, Bx is `i >> 15`.
local opcodes = require "luac.opcodes"
local ops = require "luac.dialect"

local sb, k = opcodes.sb, opcodes.k
local carrying = require("luac.state").carrying

local M = {} -- by name

-- {== Loads and moves ==================================================

function M.MOVE(s, i, a) s:write(a, s:read(i >> 16 & 0xff)) end
function M.LOADI(s, i, a) s:write(a, opcodes.sbx(i)) end
function M.LOADF(s, i, a) s:write(a, opcodes.sbx(i) + 0.0) end
function M.LOADK(s, i, a) s:write(a, s:constant(i >> 15)) end
function M.LOADFALSE(s, _, a) s:write(a, false) end
function M.LOADTRUE(s, _, a) s:write(a, true) end

function M.LOADKX(s, _, a) s:write(a, s:constant(s:extra())) end

function M.LFALSESKIP(s, i, a)
  M.LOADFALSE(s, i, a)
  s.block:jump(s.taken)
end

function M.LOADNIL(s, i, a)
  local value = s:null()
  for register = a, a + (i >> 16 & 0xff) do s:write(register, value) end
end

function M.GETUPVAL(s, i, a)
  s:let(a, ops.getupval, s:upvalue(i >> 16 & 0xff))
end

function M.SETUPVAL(s, i, a)
  s.block:emit(ops.setupval, s:read(a), s:upvalue(i >> 16 & 0xff))
end

-- }== Tables ===========================================================

function M.GETTABUP(s, i, a)
  local object = s.block:emit(ops.getupval, s:upvalue(i >> 16 & 0xff))
  s:let(a, ops.index, object, s:constant(i >> 24))
end

function M.GETTABLE(s, i, a)
  s:let(a, ops.index, s:read(i >> 16 & 0xff), s:read(i >> 24))
end

function M.GETI(s, i, a)
  s:let(a, ops.index, s:read(i >> 16 & 0xff), i >> 24)
end

function M.GETFIELD(s, i, a)
  s:let(a, ops.index, s:read(i >> 16 & 0xff), s:constant(i >> 24))
end

-- A + 1 is written first, because A may be the object's register.  The compiler
-- never has the key in A + 1.
function M.SELF(s, i, a)
  if not k(i) and i >> 24 == a + 1 then s:bad "its key is overwritten" end
  local object, key = s:read(i >> 16 & 0xff), s:rk(i)
  s:write(a + 1, object)
  s:let(a, ops.index, object, key)
end

function M.SETTABUP(s, i, a)
  local object = s.block:emit(ops.getupval, s:upvalue(a))
  s.block:emit(ops.setindex, object, s:constant(i >> 16 & 0xff), s:rk(i))
end

function M.SETTABLE(s, i, a)
  s.block:emit(ops.setindex, s:read(a), s:read(i >> 16 & 0xff), s:rk(i))
end

function M.SETI(s, i, a)
  s.block:emit(ops.setindex, s:read(a), i >> 16 & 0xff, s:rk(i))
end

function M.SETFIELD(s, i, a)
  s.block:emit(ops.setindex, s:read(a), s:constant(i >> 16 & 0xff), s:rk(i))
end

function M.NEWTABLE(s, _, a) s:let(a, ops.newtable) end

function M.SETLIST(s, i, a)
  local n, first = i >> 16 & 0xff, i >> 24
  if k(i) then first = first + (s:extra() << 8) end
  local object, list = s:read(a), { s:values(a + 1, a + n, n == 0) }
  list[#list + 1] = carrying[first + 1]
  s.block:emit(ops.setlist, object, table.unpack(list))
end

-- }== Operators ========================================================

-- The call of the metamethod after an arithmetic instruction contains the operation
-- as in the source: `x - 5` is ADDI with -5 and `2 * x` is MULK, but MMBINI and
-- MMBINK have the original operands and their order.
local operand = {
  [opcodes.number.MMBIN] = function(s, m) return s:read(m >> 16 & 0xff) end,
  [opcodes.number.MMBINI] = function(_, m) return sb(m) end,
  [opcodes.number.MMBINK] = function(s, m)
    return s:constant(m >> 16 & 0xff)
  end,
}

local function arithmetic(s, _, a)
  local m = s.code[s.pc + 1] or 0
  local second, op = operand[m & 0x7f], ops.binary[m >> 24]
  if not (second and op) then s:bad "no metamethod call after it" end
  local left, right = s:read(m >> 7 & 0xff), second(s, m)
  if m & 0x7f ~= opcodes.number.MMBIN and k(m) then left, right = right, left end
  s:let(a, op, left, right)
end

local function unary(op)
  return function(s, i, a) s:let(a, op, s:read(i >> 16 & 0xff)) end
end

M.UNM, M.BNOT = unary(ops.unm), unary(ops.bnot)
M.NOT, M.LEN = unary(ops["not"]), unary(ops.len)

function M.CONCAT(s, i, a)
  local last = a + (i >> 16 & 0xff) - 1
  s:let(a, ops.concat, s:range(a, last))
end

-- }== Control ==========================================================

function M.JMP(s) s.block:jump(s.taken) end

-- The field k of a test says whether its jump is taken if the condition is true or
-- if it is false.
local function branch(s, i, condition, taken)
  if k(i) then
    s:branch(condition, taken, s.other)
  else
    s:branch(condition, s.other, taken)
  end
end

local function compare(op)
  return function(s, i, a)
    local condition = s.block:emit(op, s:read(a), s:read(i >> 16 & 0xff))
    branch(s, i, condition, s.taken)
  end
end

-- The immediate operand was a float in the source if C is set.
local function immediate(i)
  return i >> 24 ~= 0 and sb(i) + 0.0 or sb(i)
end

local function compare_with(op)
  return function(s, i, a)
    branch(s, i, s.block:emit(op, s:read(a), immediate(i)), s.taken)
  end
end

-- a > 5 is 5 < a.
local function compare_flipped(op)
  return function(s, i, a)
    branch(s, i, s.block:emit(op, immediate(i), s:read(a)), s.taken)
  end
end

M.EQ, M.LT, M.LE = compare(ops.eq), compare(ops.lt), compare(ops.le)
M.EQI = compare_with(ops.rawequal)
M.LTI, M.LEI = compare_with(ops.lt), compare_with(ops.le)
M.GTI, M.GEI = compare_flipped(ops.lt), compare_flipped(ops.le)

function M.EQK(s, i, a)
  local constant = s:constant(i >> 16 & 0xff)
  branch(s, i, s.block:emit(ops.rawequal, s:read(a), constant), s.taken)
end

function M.TEST(s, i, a)
  branch(s, i, s.block:emit(ops.truthy, s:read(a)), s.taken)
end

-- The register is set only if the jump is taken: in a block on that edge.
function M.TESTSET(s, i, a)
  local value = s:read(i >> 16 & 0xff)
  local condition, edge = s.block:emit(ops.truthy, value), s:edge()
  branch(s, i, condition, edge)
  s.block = edge
  s:write(a, value)
  s.block:jump(s.taken)
end

-- }== Calls ============================================================

-- Writes the results of a call, or leaves them open: C - 1 is their number.
local function call(s, a, wanted, ...)
  if wanted == 1 then
    s:call(ops.callnone, ...)
  elseif wanted == 2 then
    s:let(a, ops.call, ...)
  else
    local pack = s:call(ops.callall, ...)
    if wanted == 0 then s:leave(pack, a) else s:spread(pack, a, wanted - 1) end
  end
end

function M.CALL(s, i, a)
  local b = i >> 16 & 0xff
  call(s, a, i >> 24, s:values(a, a + b - 1, b == 0))
end

-- Captured registers are closed after the operands have been read.
local function leave(s, i, op, ...)
  if k(i) then s.block:emit(ops.close, carrying[0]) end
  s.block:emit(op, ...)
end

function M.TAILCALL(s, i, a)
  local b = i >> 16 & 0xff
  leave(s, i, ops.tailcall, s:values(a, a + b - 1, b == 0))
end

function M.RETURN(s, i, a)
  local b = i >> 16 & 0xff
  leave(s, i, ops["return"], s:values(a, a + b - 2, b == 0))
end

function M.RETURN0(s) s.block:emit(ops["return"]) end
function M.RETURN1(s, _, a) s.block:emit(ops["return"], s:read(a)) end

function M.VARARG(s, i, a)
  local pack, wanted = s.block:emit(ops.varargs), i >> 24
  if wanted == 0 then s:leave(pack, a) else s:spread(pack, a, wanted - 1) end
end

function M.VARARGPREP() end -- the parameters are in place already

function M.CLOSURE(s, i, a)
  local child = s.proto.children[i >> 15]
  if not child then s:bad("no function %d", i >> 15) end
  s:let(a, ops.closure, { data = s.names[child] })
end

function M.CLOSE(s, _, a) s.block:emit(ops.close, carrying[a]) end
function M.TBC(s, _, a) s.block:emit(ops.tbc, s:read(a), carrying[a]) end

-- }== Loops ============================================================

-- The index of a numeric loop, the number of turns left (the limit if the loop
-- counts in floats) and the step are kept in A, A+1, A+2; the body sees a copy
-- of the index in A+3.  None of them is read after the loop, so they are written
-- before it is known whether another turn follows.
local function turn(s, a, index_, count, more)
  s:write(a, index_)
  s:write(a + 1, count)
  s:write(a + 3, index_)
  s.block:branch(s.block:emit(ops.truthy, more), s.taken, s.other)
end

function M.FORPREP(s, _, a)
  local index_, count, step, more =
    s.block:emit(ops.forprep, s:range(a, a + 2))
  s:write(a + 2, step)
  turn(s, a, index_, count, more)
end

function M.FORLOOP(s, _, a)
  local index_, count, more =
    s.block:emit(ops.forloop, s:range(a, a + 2))
  turn(s, a, index_, count, more)
end

function M.TFORPREP(s, _, a)
  s.block:emit(ops.tbc, s:read(a + 3), carrying[a + 3])
  s.block:jump(s.taken)
end

function M.TFORCALL(s, i, a)
  call(s, a + 4, (i >> 24) + 1, s:range(a, a + 2))
end

function M.TFORLOOP(s, _, a)
  local value = s:read(a + 4)
  local done = s.block:emit(ops.rawequal, value, s:null())
  s:write(a + 2, value)
  s.block:branch(done, s.other, s.taken)
end

-- }=====================================================================

-- By opcode.
local translate = setmetatable({}, { __index = function()
  return function(s) s:bad "not allowed here" end
end })
for name, op in pairs(opcodes.number) do
  translate[op] = M[name] or opcodes.arithmetic[op] and arithmetic or nil
end

return translate
