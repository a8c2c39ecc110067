-- Assigns places to values. A value with a single use, in its own block, is not
-- kept: its expression is written where it is used. In a function with gotos all
-- others are locals, of the function if they cross blocks, else of their block. In
-- functions per block, values that cross blocks have a slot of the frame; in the
-- block that computes them they have a local as well.
local portable = require "phial.portable"

local M = {}

--- The most locals in one function: Lua allows 200, and edges need some.
M.ROOM = 180

-- The deepest nesting of expressions: each level takes a register.
local DEPTH = 10

--
-- {== Inlining ========================================================
--

local function is_movable(v)
  return v.row.expr and v.uses == 1 and not v.far and not v.user.row.atoms
end

-- Decides which values are written as expressions. An expression may move down
-- within its block: names change their values on edges only, and the moves there
-- take care of that.
local function inline(block)
  for _, v in ipairs(block.insts) do
    if is_movable(v) then
      local depth = 1
      for _, arg in ipairs(v.args) do
        if arg.inline and arg.inline >= depth then depth = arg.inline + 1 end
      end
      v.inline = depth <= DEPTH and depth
    end
  end
end

-- }== Life in a block =================================================

-- Sets `at` of each instruction, the number of the instruction that evaluates it,
-- and `last` of each value, the last one of its block that needs it. The edges
-- count as one more instruction.
local function measure(block)
  local insts, edges = block.insts, #block.insts + 1
  for i = #insts, 1, -1 do
    local v = insts[i]
    v.at = not v.inline and i or v.user.op == "phi" and edges or v.user.at
  end
  local function need(arg, at)
    if arg.block == block and at > arg.last then arg.last = at end
  end
  for _, v in ipairs(insts) do
    for _, arg in ipairs(v.args) do need(arg, v.at) end
  end
  for _, edge in ipairs(block.edges) do
    for _, phi in ipairs(edge.to.phis) do need(phi.args[edge.index], edges) end
  end
end

-- True if the result of an instruction is kept.
local function has_place(v)
  return v.type and not v.inline and (v.uses > 0 or v.row.stmt)
end

-- Calls f for the results of an instruction that are kept.
local function each_result(v, f)
  if has_place(v) then f(v) end
  for _, result in ipairs(v.results or {}) do
    if has_place(result) then f(result) end
  end
end

-- }== Names ===========================================================

-- A unique name: it ends in the id, other names do not.
local function name_of(v)
  if v.op == "result" then return ("%s_r%d"):format(name_of(v.main), v.index) end
  if not v.called or v.called == "" then return "v" .. v.id end
  return ("%s_%d"):format(portable.identifier(v.called, 40), v.id)
end

-- Gives each value of a list a name of its own.
local function name_each(values)
  for _, v in ipairs(values) do v.name = name_of(v) end
end

-- Gives the values in the set `wanted` names that are reused after their last use,
-- at most `room` names; returns how many.
local function name_some(block, wanted, room)
  local free, peak, ending = {}, 0, {}
  local function take(v, i)
    if not wanted[v] then return end
    v.name = false
    if #free == 0 and peak == room then return end
    if #free == 0 then
      peak = peak + 1
      free[1] = "t" .. peak
    end
    v.name = table.remove(free)
    local last = math.max(v.last, i)
    ending[last] = ending[last] or {}
    table.insert(ending[last], v.name)
  end
  local function release(i)
    for _, name in ipairs(ending[i] or {}) do free[#free + 1] = name end
    ending[i] = nil
  end
  for i, v in ipairs(block.insts) do
    -- a statement may read its operands after it has set its result
    if not v.row.stmt then release(i) end
    each_result(v, function(result) take(result, i) end)
    release(i)
  end
  return peak
end

-- The values of a block for which wants(v) is true, as a list and as a set.
local function collect(block, wants)
  local list, set = {}, {}
  for _, v in ipairs(block.insts) do
    each_result(v, function(result)
      if wants(result) then
        list[#list + 1], set[result] = result, true
      end
    end)
  end
  return list, set
end

-- Names the values of a block for which wants(v) is true; if they are few, each has
-- a name of its own. Returns the number of names.
local function name_locals(block, room, wants)
  local list, set = collect(block, wants)
  if #list > room then return name_some(block, set, room) end
  name_each(list)
  return #list
end

-- }== Forms ===========================================================

local function is_near(v) return not v.far end

-- The values that live in more than one block: arguments, phis, far values.
local function crossing(program)
  local list = table.move(program.params, 1, #program.params, 1, {})
  for _, block in ipairs(program.blocks) do
    table.move(block.phis, 1, #block.phis, #list + 1, list)
    for _, v in ipairs(block.insts) do
      each_result(v, function(result) if result.far then list[#list + 1] = result end end)
    end
  end
  return list
end

--- Decides which values are expressions, and finds those that cross blocks.
---@param program phial.emit.lua.Program
function M.expressions(program)
  for _, block in ipairs(program.blocks) do
    inline(block)
    measure(block)
  end
  program.crossing = crossing(program)
end

--- Makes all values locals of one function; false if that takes more than `most`.
---@param program phial.emit.lua.Program
---@param most integer
---@return boolean
function M.locals(program, most)
  local room = most - #program.crossing
  if room < 0 then return false end
  for _, block in ipairs(program.blocks) do
    local list, set = collect(block, is_near)
    if #list > room and name_some(block, set, math.huge) > room then return false end
  end
  name_each(program.crossing)
  for _, block in ipairs(program.blocks) do name_locals(block, room, is_near) end
  return true
end

--- Gives a slot of the frame to values that cross blocks, and to those of a block
--- beyond `most`.
---@param program phial.emit.lua.Program
---@param most integer
function M.frame(program, most)
  local slots = 0
  local function give(v)
    slots = slots + 1
    v.name, v.slot = false, slots
  end
  for _, v in ipairs(program.crossing) do give(v) end
  for _, block in ipairs(program.blocks) do
    name_locals(block, most, function(v) return not v.far or v.last > 0 end)
    for _, v in ipairs(block.insts) do
      each_result(v, function(result)
        if not result.name and not result.slot then give(result) end
      end)
    end
  end
end

-- }====================================================================

return M
