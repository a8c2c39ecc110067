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
  local word, pc = self.words_of[register], self.pc
  local set = word[where]
  set[pc] = (set[pc] or 0) | 1 << (register & 63)
  touch(self, word)
end

function Recorder:read(register)
  if self.words_of[register] then mark(self, "read", register) end
  return true
end

function Recorder:range(first, last)
  local words_of = self.words_of
  for register = first, last do
    if words_of[register] then mark(self, "read", register) end
  end
end

function Recorder:write(register)
  if self.words_of[register] then
    mark(self, self.on_edge and "edge" or "written", register)
  end
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

-- Calls visit(register) with each register of this function that a child captures.
local function each_captured(child, visit)
  local upvalues = child.upvalues
  for u = 0, upvalues.n - 1 do
    if upvalues[u].instack then visit(upvalues[u].index) end
  end
end

-- The word of each register that some child captures, and all these words by their
-- numbers.
local function new_words(proto)
  local words_of, words = {}, {}
  local function add(register)
    local w = register >> 6
    words[w] = words[w] or {
      touched = {}, read = {}, written = {}, edge = {}, captured = {}, closed = {},
    }
    words_of[register] = words[w]
  end
  for c = 0, proto.children.n - 1 do each_captured(proto.children[c], add) end
  return words_of, words
end

-- Notes what the closure of this instruction captures.
local function capture(recorder, i)
  each_captured(recorder.proto.children[i >> 15], function(register)
    mark(recorder, "captured", register)
  end)
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
      capture(recorder, i)
    elseif op == CLOSE then
      close(recorder, pc, i >> 7 & 0xff)
    end
    pc = pc + length[i & 0x807f]
  until pc > last
end

--- The registers that some closure captures, each with its word, which contains the
--- effects of instructions on them, by pc: what an instruction reads, certainly writes,
--- writes on the edge of its jump (TESTSET), captures and closes; `touched` lists such
--- instructions by block. Also these words by number, none if nothing is captured.
---@return table<integer, table> words_of
---@return table<integer, table> words
function M.of(proto, blocks)
  local words_of, words = new_words(proto)
  if next(words) then
    local recorder = setmetatable({
      proto = proto, code = proto.code, names = {}, words_of = words_of, words = words,
    }, Recorder)
    for _, block in ipairs(blocks) do record_block(recorder, block) end
  end
  return words_of, words
end

return M
