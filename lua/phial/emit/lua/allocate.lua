-- Where values live. A value with a single use in its own block is not kept at
-- all: its expression stands where it is used. In one function with gotos, all
-- others are locals: those that cross blocks of the function, the rest of
-- their block. In functions of blocks, what crosses blocks lies in a slot of
-- the frame; a block has it in a local as well from where it is made.
local M = {}

--- Locals in one function: Lua allows 200, and some are for the edges.
M.ROOM = 180

-- Expressions nest that deep: a register for each level.
local DEPTH = 10

--
-- {== Inlining ========================================================
--

local function is_movable(v)
  return v.row.expr and v.uses == 1 and not v.far and not v.user.row.atoms
end

-- Nothing in a block changes what a name stands for, only its edges do, and
-- moves on edges look after that: so an expression may stand further down.
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

-- Sets for each instruction at which one it is evaluated, and for each value
-- the last one of its block that needs it: the edges are the last of all.
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

-- Must an instruction have a place, used or not?
local function has_place(v)
  return v.type and not v.inline and (v.uses > 0 or v.row.stmt)
end

-- Calls f for the results of an instruction that have a place.
local function each_result(v, f)
  if has_place(v) then f(v) end
  for _, result in ipairs(v.results or {}) do
    if has_place(result) then f(result) end
  end
end

-- }== Names ===========================================================

local function sanitized(name)
  return (name:gsub("[^%w_]", "_"):gsub("^%d", "_%0"):sub(1, 40))
end

-- The id makes it unique: names of other things end otherwise.
local function name_of(v)
  if v.op == "result" then return ("%s_r%d"):format(name_of(v.main), v.index) end
  local var = v.op == "phi" and v.v:var()
  local name = v.var or var and var:name() or v.v:name()
  if not name or name == "" then return "v" .. v.v:id() end
  return ("%s_%d"):format(sanitized(name), v.v:id())
end

-- Gives every value of a list a name of its own.
local function name_each(values)
  for _, v in ipairs(values) do v.name = name_of(v) end
end

-- Gives the values that `wanted` holds names that are free again after their
-- last use, `room` of them at most; returns how many.
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
    -- a statement may need its operands when its result is there already
    if not v.row.stmt then release(i) end
    each_result(v, function(result) take(result, i) end)
    release(i)
  end
  return peak
end

-- The values of a block that `wants` a name, as list and as set.
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

-- Names for the values of a block that `wants` them: own ones if they are few.
local function name_locals(block, room, wants)
  local list, set = collect(block, wants)
  if #list > room then return name_some(block, set, room) end
  name_each(list)
  return #list
end

-- }== Forms ===========================================================

local function is_near(v) return not v.far end

-- What lives in more than one block: arguments, phis, far values.
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

--- Prepares a program: where its expressions stand.
---@param program phial.emit.lua.Program
function M.expressions(program)
  for _, block in ipairs(program.blocks) do
    inline(block)
    measure(block)
  end
  program.crossing = crossing(program)
end

--- Makes all values locals of one function; false when they are more than
--- `most`.
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

--- Gives what crosses blocks a slot in the frame, and what is more than `most`
--- in one block.
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
