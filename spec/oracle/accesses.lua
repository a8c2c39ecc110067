-- Which writes reach which reads in a random program (spec/support/programs.lua), by
-- data flow over its blocks until nothing changes: slow, and independent of SSA form.
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
    if it.write then
      now[it.var] = { [it.number] = true }
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
      for _, target in ipairs(program.blocks[i].targets) do
        for var, set in ipairs(ends) do
          changed = add_all(starts[target][var], set) or changed
        end
      end
    end
  end
  return starts
end

--- The accesses of a program in the order in which programs.build makes them. Each has
--- number, var, write, block, is_reached and `from`: of a read, the set of the numbers of
--- the writes that reach it, 0 for none.
---@param program rnd.Program
---@return table[]
function M.of(program)
  local lists, all = {}, {}
  local reached = programs.reached(program)
  for i, block in ipairs(program.blocks) do
    lists[i] = accesses_of(block)
    for _, it in ipairs(lists[i]) do
      all[#all + 1] = it
      it.number, it.block, it.is_reached, it.from = #all, i, reached[i] or false, {}
    end
  end
  local starts = solve(program, lists, reached)
  for i in pairs(reached) do
    transfer(lists[i], starts[i], function(read, set) read.from = set end)
  end
  return all
end

return M
