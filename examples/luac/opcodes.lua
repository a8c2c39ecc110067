-- The opcodes of Lua 5.4: their fields, and where control goes after them.
-- Instructions are numbered from 1 here, as luac lists them.
local M = {}

local NAMES = [[
MOVE LOADI LOADF LOADK LOADKX LOADFALSE LFALSESKIP LOADTRUE LOADNIL
GETUPVAL SETUPVAL GETTABUP GETTABLE GETI GETFIELD
SETTABUP SETTABLE SETI SETFIELD NEWTABLE SELF
ADDI ADDK SUBK MULK MODK POWK DIVK IDIVK BANDK BORK BXORK SHRI SHLI
ADD SUB MUL MOD POW DIV IDIV BAND BOR BXOR SHL SHR
MMBIN MMBINI MMBINK UNM BNOT NOT LEN CONCAT CLOSE TBC JMP
EQ LT LE EQK EQI LTI LEI GTI GEI TEST TESTSET
CALL TAILCALL RETURN RETURN0 RETURN1
FORLOOP FORPREP TFORPREP TFORCALL TFORLOOP
SETLIST CLOSURE VARARG VARARGPREP EXTRAARG]]

local names, number = {}, {}
for name in NAMES:gmatch "%S+" do
  local op = #names + (names[0] and 1 or 0)
  names[op], number[name] = name, op
end
M.number = number

-- The set of the opcodes from one to another.
local function span(first, last)
  local set = {}
  for op = number[first], number[last] do set[op] = true end
  return set
end

local function set(list)
  local ops = {}
  for name in list:gmatch "%S+" do ops[number[name]] = true end
  return ops
end

--- Raises an error: instruction `i`, at `pc`, is invalid.
function M.bad(pc, i, why, ...)
  error(("bad bytecode: instruction %d (%s): %s"):format(pc,
    i and (names[i & 0x7f] or i & 0x7f) or "missing", why:format(...)), 0)
end
local bad = M.bad

-- Fields, from the low end: op 7 bits, A 8, k 1, B 8, C 8; or, above A, Bx 17
-- bits; or, above op, Ax 25.  Signed ones are offset by half their range.

function M.sbx(i) return (i >> 15) - 0xffff end
function M.sb(i) return (i >> 16 & 0xff) - 127 end
function M.ax(i) return i >> 7 end
function M.k(i) return i & 0x8000 ~= 0 end

-- {== Control ==========================================================

local tests = span("EQ", "TESTSET")
M.arithmetic = span("ADDI", "SHR")

-- Instructions that include the next one: a test includes its jump, an arithmetic
-- operation the call of the metamethod, others an extra argument.
local pairs_up = set "LOADKX NEWTABLE"
for op in pairs(tests) do pairs_up[op] = true end
for op in pairs(M.arithmetic) do pairs_up[op] = true end
local SETLIST = number.SETLIST

--- The number of instructions that this makes, by opcode and k (i & 0x807f): a
--- SETLIST has an extra argument if k is set.
M.length = setmetatable({}, { __index = function(lengths, key)
  local op = key & 0x7f
  local extra = pairs_up[op] or op == SETLIST and key & 0x8000 ~= 0
  lengths[key] = extra and 2 or 1
  return lengths[key]
end })
local function jump(code, pc)
  local i = code[pc]
  if not i or i & 0x7f ~= number.JMP then bad(pc, i, "expected a jump") end
  return pc + 1 + (i >> 7) - 0xffffff
end

local function test(code, pc) return jump(code, pc + 1), pc + 2 end
local function stop() end

-- The targets of an opcode that ends a block, given code and pc.  The first of two
-- targets is the one for which the condition holds (a loop continues, a test takes
-- its jump).
local targets = {
  JMP = jump,
  LFALSESKIP = function(_, pc) return pc + 2 end,
  FORPREP = function(code, pc) return pc + 1, pc + 2 + (code[pc] >> 15) end,
  FORLOOP = function(code, pc) return pc + 1 - (code[pc] >> 15), pc + 1 end,
  TFORPREP = function(code, pc) return pc + 1 + (code[pc] >> 15) end,
  TFORLOOP = function(code, pc) return pc + 1 - (code[pc] >> 15), pc + 1 end,
  RETURN = stop, RETURN0 = stop, RETURN1 = stop, TAILCALL = stop,
}
M.targets = {}
for name, where in pairs(targets) do M.targets[number[name]] = where end
for op in pairs(tests) do M.targets[op] = test end

-- }=====================================================================

return M
