-- Assigns places to values. A value with a single use, in its own block, is not
-- kept: its expression is written where it is used. In a function with gotos all
-- others are locals, of the function if they cross blocks, else of their block; values that
-- phis connect share one where they can (share.lua). In functions per block, values that
-- cross blocks have a slot of the frame; in the block that computes them they have a local as
-- well.
local ops = require "phial.emit.lua.ops"
local portable = require "phial.portable"
local programs = require "phial.code.program"
local share = require "phial.emit.lua.share"

local M = {}

--- The most locals in one function: Lua allows 200, and edges need some.
M.ROOM = 180

-- The deepest nesting of expressions: each level takes a register.
local DEPTH = 10

--
-- {== Inlining ========================================================
--

-- Chooses how the instructions of a block are written.
local function choose_rows(block)
  local insts = block.insts
  for i = 1, #insts do
    local v = insts[i]
    v.row = ops.row(v)
    if v.results then
      for _, result in ipairs(v.results) do result.row = ops.row(result) end
    end
  end
end

-- Notes a user of each operand.
local function note_users(block)
  local insts = block.insts
  for i = 1, #insts do
    local v = insts[i]
    local args = v.args
    for k = 1, #args do args[k].user = v end
  end
  for _, edge in ipairs(block.edges) do
    for i, source in ipairs(edge.sources) do source.user = edge.to.phis[i] end
  end
end

local function is_movable(v)
  if not v.row.expr or v.uses ~= 1 or v.far then return false end
  return v.user.op == "phi" or not v.user.row.atoms
end

-- Decides which values are written as expressions. An expression may move down
-- within its block: names change their values on edges only, and the moves there
-- take care of that.
local function inline(block, most)
  local insts = block.insts
  for i = 1, #insts do
    local v = insts[i]
    if is_movable(v) then
      local depth, args = 1, v.args
      for k = 1, #args do
        local arg = args[k]
        if arg.inline and arg.inline >= depth then depth = arg.inline + 1 end
      end
      v.inline = depth <= most and depth
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
    if arg.block == block and at > (arg.last or 0) then arg.last = at end
  end
  for _, v in ipairs(insts) do
    for _, arg in ipairs(v.args) do need(arg, v.at) end
  end
  for _, edge in ipairs(block.edges) do
    for _, source in ipairs(edge.sources) do need(source, edges) end
  end
end

-- True if the result of an instruction is kept.
local function has_place(v)
  return v.type and not v.inline and (v.uses > 0 or v.row.stmt)
end

-- Calls f(v, it) for the results of the instructions of a block that are kept, in order.
local function each_kept(block, f, it)
  local insts = block.insts
  for i = 1, #insts do
    local v = insts[i]
    if has_place(v) then f(v, it) end
    if v.results then
      for _, result in ipairs(v.results) do
        if has_place(result) then f(result, it) end
      end
    end
  end
end

-- }== Names ===========================================================

-- A unique name: it ends in the id, other names do not.
local function name_of(v)
  if v.main then return ("%s_r%d"):format(name_of(v.main), v.index) end
  local name = programs.name_of(v)
  return name and ("%s_%d"):format(portable.identifier(name, 40), v.id) or "v" .. v.id
end

--- Gives a value a name of its own.
---@param v phial.code.Value
function M.name(v) v.name = name_of(v) end

local function name_all(list)
  for _, v in ipairs(list) do M.name(v) end
end

-- Gives the values of a list names that are reused after their last use, at most `room`
-- names; returns how many.
local function name_some(block, list, room)
  local free, peak, ending, wanted = {}, 0, {}, {}
  local function take(v, i)
    if not wanted[v] then return end
    v.name = false
    if #free == 0 and peak == room then return end
    if #free == 0 then
      peak = peak + 1
      free[1] = "t" .. peak
    end
    v.name = table.remove(free)
    local last = math.max(v.last or 0, i)
    ending[last] = ending[last] or {}
    table.insert(ending[last], v.name)
  end
  local function release(i)
    for _, name in ipairs(ending[i] or {}) do free[#free + 1] = name end
    ending[i] = nil
  end
  for _, v in ipairs(list) do wanted[v] = true end
  for i, v in ipairs(block.insts) do
    -- a statement may read its operands after it has set its result
    if not v.row.stmt then release(i) end
    take(v, i)
    for _, result in ipairs(v.results or {}) do take(result, i) end
    release(i)
  end
  return peak
end

-- }== Forms ===========================================================

-- Sorts the values of a function that have a local of their own: those that live in more
-- than one block (arguments, phis, far values and what others share with), and by block the
-- others.
local function sort(program, shared)
  local crosses, crossing, lists = {}, {}, {}
  local function cross(v)
    local to = shared[v] or v
    if crosses[to] then return end
    crosses[to] = true
    crossing[#crossing + 1] = to
  end
  for _, param in ipairs(program.params) do cross(param) end
  for _, block in ipairs(program.blocks) do
    for _, phi in ipairs(block.phis) do cross(phi) end
    each_kept(block, function(v)
      if v.far or shared[v] and shared[v] ~= v then cross(v) end
    end)
  end
  for i, block in ipairs(program.blocks) do
    local list = {}
    each_kept(block, function(v)
      if not v.far and not crosses[shared[v] or v] then list[#list + 1] = v end
    end)
    lists[i] = list
  end
  return crossing, lists
end

--- Chooses how a block is written, and which of its values are expressions.
---@param block phial.code.Block
---@param most integer? how deep these are nested
function M.expressions(block, most)
  choose_rows(block)
  note_users(block)
  inline(block, math.min(most or DEPTH, DEPTH))
end

--- Makes all values locals of one function; false if that takes more than `most`.
---@param program phial.code.Program
---@param most integer
---@return boolean
function M.locals(program, most)
  for _, block in ipairs(program.blocks) do measure(block) end
  local shared = share.find(program)
  local crossing, lists = sort(program, shared)
  program.crossing = crossing
  local room = most - #crossing
  if room < 0 then return false end
  for i, block in ipairs(program.blocks) do
    if #lists[i] <= room then
      name_all(lists[i])
    elseif name_some(block, lists[i], math.huge) > room then
      return false
    end
  end
  name_all(crossing)
  for v, to in pairs(shared) do v.name = to.name end
  return true
end

--- Gives a slot of the frame to a value, unless it has one.
---@param program phial.code.Program
---@param v phial.code.Value
function M.slot(program, v)
  if v.slot then return end
  program.slots = program.slots + 1
  v.slot = "F[" .. program.slots .. "]"
end

--- Gives slots of the frame to the parameters.
---@param program phial.code.Program
function M.frame(program)
  program.slots = 0
  for _, param in ipairs(program.params) do M.slot(program, param) end
end

-- True if a value has a local in the function of its block.
local function is_local(v) return v.near or not v.far end

local function place_one(v, program)
  if v.far then M.slot(program, v) end
  if is_local(v) then M.name(v) end
end

local function give_unnamed(v, program)
  if not v.name then M.slot(program, v) end
end

-- The same for a block whose values may be too many for locals.
local function place_many(program, block, most)
  local locals = {}
  each_kept(block, function(v)
    if is_local(v) then locals[#locals + 1] = v end
    if v.far then M.slot(program, v) end
  end)
  if #locals > most then
    measure(block)
    name_some(block, locals, most)
  else
    name_all(locals)
  end
  each_kept(block, give_unnamed, program)
end

--- The number of values that a block keeps, other than phis.
---@param block phial.code.Block
---@return integer
function M.count_kept(block)
  local count = 0
  each_kept(block, function() count = count + 1 end)
  return count
end

--- Gives each value that a block keeps, and its phis, a name of its own.
---@param block phial.code.Block
function M.names(block)
  name_all(block.phis)
  each_kept(block, M.name)
end

--- Places the values of a block in a function of its own: those that cross blocks, and
--- those beyond `most`, get slots of the frame, and what the block uses a local.
---@param program phial.code.Program
---@param block phial.code.Block
---@param most integer
function M.place(program, block, most)
  local edges = block.edges
  for i = 1, #edges do
    local phis = edges[i].to.phis
    for k = 1, #phis do M.slot(program, phis[k]) end
  end
  M.place_own(program, block, most)
end

--- The same without the phis of the blocks that follow.
---@param program phial.code.Program
---@param block phial.code.Block
---@param most integer
function M.place_own(program, block, most)
  if block.size > most then return place_many(program, block, most) end
  each_kept(block, place_one, program)
end

-- }====================================================================

return M
