-- The SSA form of one function of Lua bytecode: makes its blocks, each with the
-- number of edges that lead to it, and fills them in reverse postorder.
local phial = require "phial"
local opcodes = require "luac.opcodes"
local flow = require "luac.flow"
local capture = require "luac.capture"
local translate = require "luac.instructions"
local State = require "luac.state"
local Shared = require "luac.shared"
local ops = require "luac.dialect"

local M = {}

local length, targets = opcodes.length, opcodes.targets
local TESTSET = opcodes.number.TESTSET

-- Positions are those of the bytecode (fn:loc), not of this file.
local function options(accesses)
  return {
    rules = false, type = "any", dialects = { ops.dialect }, where = false, accesses = accesses,
  }
end

local OPTIONS <const>, ACCESSES <const> = options(false), options(true)

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

-- The names of blocks by their first instructions.
local NAMES = setmetatable({}, { __index = function(names, pc)
  names[pc] = "pc" .. pc
  return names[pc]
end })

-- The phial block of each block. The first one is the entry, unless something jumps
-- back to it: the entry must not have predecessors.  A TESTSET has a block of its own
-- on an edge.
local function make_blocks(s, blocks)
  local fn, made = s.fn, {}
  for n = 1, #blocks do
    local block = blocks[n]
    local last, preds = block.last, block.preds
    if n == 1 and preds == 0 then
      made[block] = s.block
    else
      made[block] = fn:block(NAMES[block.first], n == 1 and preds + 1 or preds)
    end
    if s.code[last] & 0x7f == TESTSET then
      s.edges[last] = fn:block(NAMES[last] .. "set", 1)
    end
  end
  if made[blocks[1]] ~= s.block then s.block:jump(made[blocks[1]]) end
  return made
end

-- Fills a block. The position is on `line`; the new line is returned.
local function fill(s, block, line)
  local code, lines, fn = s.code, s.proto.lines, s.fn
  local pc, last = block.first, block.last
  s.open = nil
  repeat
    local i = code[pc]
    s.pc = pc
    if s.accesses then fn:set_node(pc) end
    if lines[pc] ~= line then
      line = lines[pc]
      if line > 0 then fn:set_loc(line) end
    end
    translate[i & 0x7f](s, i, i >> 7 & 0xff)
    pc = pc + length[i & 0x807f]
  until pc > last
  if not targets[code[last] & 0x7f] then s.block:jump(s.taken) end
  return line
end

--- Translates a prototype (from bytecode.read) to a finished phial function.
---@param proto table
---@param names table<table, string> its name, and those of the functions in it
---@param accesses? boolean true: reads and writes of registers are accesses, whose nodes are the
--- numbers of instructions; registers that closures share are variables everywhere
---@return any fn
function M.translate(proto, names, accesses)
  local blocks, order = flow.of(proto.code)
  local fn = phial.fn(names[proto], parameters(proto), nil, accesses and ACCESSES or OPTIONS)
  local memory = not accesses and capture.of(proto, blocks, order) or nil
  local s = setmetatable({
    proto = proto, code = proto.code, names = names, fn = fn, edges = {}, pc = 1,
    block = fn:entry(), memory = memory or {}, accesses = accesses,
    vars = nil, taken = nil, other = nil, open = nil,
  }, memory and Shared or State)
  s.vars = s:registers()
  if memory then s:start() end
  local made, line = make_blocks(s, blocks), nil
  for n = 1, #order do
    local block = order[n]
    s.block, s.taken, s.other = made[block], made[block[1]], made[block[2]]
    line = fill(s, block, line)
  end
  fn:finish()
  return fn
end

return M
