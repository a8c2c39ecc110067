-- Which writes reach which reads in a random program (spec/support/programs.lua, or
-- spec/support/lazy.lua with may-writes), by data flow over its blocks until nothing
-- changes: slow, and independent of SSA form.
local programs = require "spec.support.programs"

local M = {}

-- The accesses of a block in their order: { write = true or nil, var = }.
local function accesses_of(block)
  local list = {}
  local function read(var) if var then list[#list + 1] = { var = var } end end
  for _, op in ipairs(block) do
    if op.op ~= "init" then
      read(op.a)
      if op.op == "write" then read(op.b) end
    end
    if op.op ~= "use" then list[#list + 1] = { var = op.var, write = true } end
  end
  read(block.cond)
  return list
end

-- The accesses of each op of a program with may-writes; { may = the variables } is a
-- may-write, whose var is nil unless it was given exactly one.
local of_op = {}

function of_op.use(add, op) add { var = op[1] } end

function of_op.copy(add, op)
  add { var = op[2] }
  add { var = op[1], write = true }
end

function of_op.write(add, op) add { var = op[1], write = true } end
function of_op.kill(add, op) add { var = op[1], kill = true } end

function of_op.may(add, op)
  add { var = #op[1] == 1 and op[1][1] or nil, write = true, may = op[1] }
end

function of_op.may_group(add, op, program) add { write = true, may = program.groups[op[1]] } end

function of_op.may_copy(add, op)
  add { var = op[2] }
  of_op.may(add, op)
end

local function lazy_accesses_of(block, program)
  local list = {}
  local function add(it) list[#list + 1] = it end
  for _, op in ipairs(block) do of_op[op.op](add, op, program) end
  local last = block.last
  if last.kind == "branch" or last.kind == "switch" then add { var = last.var } end
  return list
end

local function add_all(set, more)
  local grown = false
  for it in pairs(more) do
    grown = grown or not set[it]
    set[it] = true
  end
  return grown
end

-- The definitions of each variable at the end of a block, from those at its start;
-- `see` is called with each read and the definitions that reach it.
local function transfer(list, start, see)
  local now = {}
  for var, set in ipairs(start) do now[var] = set end
  for _, it in ipairs(list) do
    for _, var in ipairs(it.may or {}) do
      local set = { [it.number] = true }
      add_all(set, now[var])
      now[var] = set
    end
    if it.kill then
      now[it.var] = { [0] = true }
    elseif it.write then
      if not it.may then now[it.var] = { [it.number] = true } end
    elseif see then
      see(it, now[it.var])
    end
  end
  return now
end

-- The definitions of each variable at the start of each block.
local function solve(program, lists, reached)
  local starts = {}
  for i = 1, #lists do
    starts[i] = {}
    for var = 1, program.vars do starts[i][var] = { [0] = i == 1 or nil } end
  end
  local changed = true
  while changed do
    changed = false
    for i in pairs(reached) do
      local ends = transfer(lists[i], starts[i])
      local block = program.blocks[i]
      for _, target in ipairs(block.targets or block.last.targets) do
        for var, set in ipairs(ends) do
          changed = add_all(starts[target][var], set) or changed
        end
      end
    end
  end
  return starts
end

-- Numbers the accesses of the lists, in order, and finds what reaches the reads.
local function answer(program, lists, reached)
  local all = {}
  for i, list in ipairs(lists) do
    for _, it in ipairs(list) do
      if not it.kill then
        all[#all + 1] = it
        it.number, it.block, it.is_reached, it.from = #all, i, reached[i] or false, {}
      end
    end
  end
  local starts = solve(program, lists, reached)
  for i in pairs(reached) do
    transfer(lists[i], starts[i], function(read, set) read.from = set end)
  end
  return all
end

--- The accesses of a program in the order in which programs.build makes them. Each has
--- number, var, write, block, is_reached and `from`: of a read, the set of the numbers of
--- the writes that reach it, 0 for none.
---@param program rnd.Program
---@return table[]
function M.of(program)
  local lists = {}
  for i, block in ipairs(program.blocks) do lists[i] = accesses_of(block) end
  return answer(program, lists, programs.reached(program))
end

--- The same for a program of spec/support/lazy.lua. A may-write has `may`, too.
---@return table[]
function M.of_lazy(program)
  local lists, reached = {}, {}
  for i, block in ipairs(program.blocks) do
    lists[i], reached[i] = lazy_accesses_of(block, program), true
  end
  return answer(program, lists, reached)
end

return M
