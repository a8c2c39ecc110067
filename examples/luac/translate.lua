-- The SSA form of one function of Lua bytecode: makes its blocks, each with the
-- number of edges that lead to it, and fills them in reverse postorder.
local phial = require "phial"
local opcodes = require "luac.opcodes"
local flow = require "luac.flow"
local capture = require "luac.capture"
local translate = require "luac.instructions"
local State = require "luac.state"
local ops = require "luac.dialect"

local M = {}

local length, targets = opcodes.length, opcodes.targets
local TESTSET = opcodes.number.TESTSET

local function options(copies)
  return { -- positions are those of the bytecode (fn:loc), not of this file
    rules = false, type = "any", dialects = { ops.dialect }, copies = copies,
    where = false,
  }
end
local PLAIN, COPIES = options(), options(true)

-- Parameters are named as in the source, if their names are known.
local function parameters(proto)
  local list = {}
  for p = 1, proto.params do
    local here = proto.locals[p]
    local name = here and here.from == 0 and here.name or "r" .. p - 1
    list[p] = name:gsub("[^%w_]", "_")
  end
  return list
end

-- The first block is the entry, unless something jumps back to it: the entry must
-- not have predecessors.  A TESTSET has a block of its own on an edge.
local function make_blocks(s, blocks)
  local fn = s.fn
  for n = 1, #blocks do
    local block = blocks[n]
    local first, last, preds = block.first, block.last, block.preds
    if n == 1 and preds == 0 then
      s.blocks[1] = fn:entry()
    else
      s.blocks[first] = fn:block("pc" .. first, n == 1 and preds + 1 or preds)
    end
    if s.code[last] & 0x7f == TESTSET then
      s.edges[last] = fn:block("pc" .. last .. "set", 1)
    end
  end
end

local function enter(s)
  s.block = s.fn:entry()
  s:start()
  if s.blocks[1] ~= s.block then s:jump(1) end
end

local function fill(s, block)
  local code, lines, fn = s.code, s.proto.lines, s.fn
  local pc, last, line, exact = block.first, block.last, nil, s.exact
  s.block = s.blocks[pc]
  s.open = nil
  repeat
    local i = code[pc]
    s.pc = pc
    if lines[pc] ~= line or exact and line then
      line = lines[pc]
      if line > 0 then fn:loc(line, exact and pc or nil) end
    end
    translate[i & 0x7f](s, i, i >> 7 & 0xff)
    pc = pc + length[i & 0x807f]
  until pc > last
  if not targets[code[s.pc] & 0x7f] then s:jump(block[1].first) end
end

--- Translates a prototype (from bytecode.read) to a finished phial function.
---@param proto table
---@param names table<table, string> its name, and those of the functions in it
---@param copies? boolean each write of a register makes a copy of its own, and the
--- column of a position is the number of the instruction
---@return any fn
---@return luac.Copy[]? written those copies
function M.translate(proto, names, copies)
  local blocks, order = flow.of(proto.code)
  local fn = phial.fn(names[proto], parameters(proto), nil, copies and COPIES or PLAIN)
  local s = setmetatable({
    proto = proto, code = proto.code, names = names, fn = fn,
    memory = capture.of(proto, blocks, order),
    vars = {}, blocks = {}, edges = {}, copies = copies and {},
    pc = 1, exact = copies,
  }, State)
  for p = 1, proto.params do s.vars[p - 1] = fn:param(p) end
  make_blocks(s, blocks)
  enter(s)
  for _, block in ipairs(order) do fill(s, block) end
  fn:finish()
  return fn, s.copies
end

return M
