-- The effects of each instruction on the registers that closures share: found by
-- running instructions.lua on a state that records reads and writes and emits
-- nothing.  So instructions.lua is the only place that describes instructions.
--
-- A set of registers is an integer with a bit for each; the 256 registers are four
-- such words (nearly always only the first one matters).
local opcodes = require "luac.opcodes"
local translate = require "luac.instructions"
local State = require "luac.state"

local M = {}

local length = opcodes.length
local CLOSURE, CLOSE = opcodes.number.CLOSURE, opcodes.number.CLOSE

local Recorder = setmetatable({}, { __index = State })
Recorder.__index = Recorder

-- Adds the instruction to the list of those that touch the word.
local function touch(self, word)
  local list = word.here
  if list[#list] ~= self.pc then list[#list + 1] = self.pc end
end

local function mark(self, where, register)
  local word = self.words[register >> 6]
  if not word then return end
  local bit = 1 << (register & 63)
  if word.all & bit == 0 then return end
  local set, pc = word[where], self.pc
  set[pc] = (set[pc] or 0) | bit
  touch(self, word)
end

function Recorder:read(register) mark(self, "read", register) return true end

function Recorder:range(first, last)
  for register = first, last do mark(self, "read", register) end
end

function Recorder:write(register)
  mark(self, self.on_edge and "edge" or "written", register)
end
Recorder.let = Recorder.write

-- A block that ignores what is emitted.
local NOWHERE = {
  emit = function() return true, true, true, true end,
  jump = function() end, branch = function() end,
}

function Recorder:edge()
  self.on_edge = true
  return NOWHERE
end

function Recorder.null() return true end

-- The registers that a child captures, by word.
local function captured(child)
  local sets, upvalues = { [0] = 0, 0, 0, 0 }, child.upvalues
  for u = 0, upvalues.n - 1 do
    local upvalue = upvalues[u]
    if upvalue.instack then
      local word = upvalue.index >> 6
      sets[word] = sets[word] | 1 << (upvalue.index & 63)
    end
  end
  return sets
end

-- The words in which some child captures a register; nil if none does.
local function new_words(proto)
  local words
  for c = 0, proto.children.n - 1 do
    for w, set in pairs(captured(proto.children[c])) do
      if set ~= 0 then
        words = words or {}
        words[w] = words[w] or {
          all = 0, touched = {},
          read = {}, written = {}, edge = {}, captured = {}, closed = {},
        }
        words[w].all = words[w].all | set
      end
    end
  end
  return words
end

-- Notes what the closure that is made at pc captures.
local function capture(recorder, pc, i)
  local sets = captured(recorder.proto.children[i >> 15])
  for w, word in pairs(recorder.words) do
    if sets[w] ~= 0 then
      word.captured[pc] = sets[w]
      touch(recorder, word)
    end
  end
end

-- Notes that the registers from `first` on are closed.
local function close(recorder, pc, first)
  for w, word in pairs(recorder.words) do
    if first < w * 64 + 64 then
      word.closed[pc] = -1 << math.max(first - w * 64, 0)
      touch(recorder, word)
    end
  end
end

local function record_block(recorder, block)
  local pc, last, code = block.first, block.last, recorder.code
  for _, word in pairs(recorder.words) do
    word.here = {}
    word.touched[block] = word.here
  end
  recorder.open, recorder.block = nil, NOWHERE
  repeat
    local i = code[pc]
    local op = i & 0x7f
    recorder.pc, recorder.on_edge = pc, false
    translate[op](recorder, i, i >> 7 & 0xff)
    if op == CLOSURE then
      capture(recorder, pc, i)
    elseif op == CLOSE then
      close(recorder, pc, i >> 7 & 0xff)
    end
    pc = pc + length[i & 0x807f]
  until pc > last
end

--- Effects on the registers that some closure captures, by word and then by pc: what
--- an instruction reads, certainly writes, writes on the edge of its jump (TESTSET),
--- captures and closes; `touched` lists such instructions by block. nil if no closure
--- captures a register of this function.
function M.of(proto, blocks)
  local words = new_words(proto)
  if not words then return nil end
  local recorder = setmetatable({
    proto = proto, code = proto.code, words = words, names = {},
  }, Recorder)
  for _, block in ipairs(blocks) do record_block(recorder, block) end
  return words
end

return M
