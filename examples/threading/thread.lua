-- Jump threading (Figure 7 of the paper), of all joins, to a fixed point. If control that
-- comes to a block from one predecessor always leaves it by the same edge of its branch,
-- it can go there directly: the predecessor gets a copy of the block that ends with a jump.
-- What the block defines has a further definition then, in the copy: fn:repair gives each
-- use the one that reaches it. A block that only jumps to one with a branch is copied, too,
-- if that decides the branch.
local constants = require "threading.constants"

local M = {}

local MOST = 4 -- instructions copied for an edge
local NOTHING = {}
local UNUSED = { phis = true, dead = true }

-- What can be copied by `emit`: one result, and no more than operands and data.
local COPIED = {}
for op in ([[add sub mul sdiv srem neg eq ne slt sle sgt sge lua.truthy lua.not lua.rawequal
  lua.eq lua.lt lua.le lua.index lua.getupval lua.load lua.len lua.unm lua.bnot lua.add
  lua.sub lua.mul lua.div lua.mod lua.pow lua.idiv lua.band lua.bor lua.bxor lua.shl
  lua.shr]]):gmatch "%S+" do
  COPIED[op] = true
end

---@class threading.State
---@field fn phial.Function
---@field through table<phial.Block, table<phial.Block, boolean>> what led to a copy
---@field made phial.Block[]
---@field count integer edges that were threaded

-- {== One edge ==========================================================

-- The two targets of a branch, if they differ.
local function targets(block)
  local last, to = block:terminator(), block:succs()
  if last:op() == "branch" and to[1] ~= to[2] then return to, last:args()[1] end
end

-- The instructions of a block without its terminator.
local function body(block)
  local insts = block:insts()
  insts[#insts] = nil
  return insts
end

local function mapped(list, now)
  local out = {}
  for i, v in ipairs(list) do out[i] = now[v] or v end
  return out
end

---@class threading.Plan
---@field target phial.Block
---@field operands table<phial.Value, phial.Value> of the join's phis
---@field known table<phial.Value, phial.Value> the constants that its instructions give

-- Notes what a block's values are along the edge from its i-th predecessor: `now` has what
-- is known of that one's, `known` gets the constants that instructions give. Returns the
-- number of instructions to be copied; nil if it is too large, or one cannot be copied.
local function evaluate(state, block, i, now, known)
  local operands, copies = {}, 0
  for _, phi in ipairs(block:phis()) do operands[phi] = phi:args()[i] end
  for phi, operand in pairs(operands) do operands[phi] = now[operand] or operand end
  for phi, operand in pairs(operands) do now[phi] = operand end
  for _, inst in ipairs(body(block)) do
    local result = constants.result(inst:op(), mapped(inst:args(), now))
    if result ~= nil then
      now[inst] = state.fn:const(result, inst:type())
      known[inst] = now[inst]
    elseif COPIED[inst:op()] and copies < MOST then
      copies = copies + 1
    else
      return nil
    end
  end
  return copies, operands
end

-- The target of a block's branch, given what is known; nil unless that decides it.
local function decided(block, now)
  local to, condition = targets(block)
  local holds = to and constants.condition(now[condition] or condition)
  if holds ~= nil and to then return to[holds and 1 or 2] end
end

local function index_of(pred, block)
  for i, it in ipairs(block:preds()) do
    if it == pred then return i end
  end
end

-- What is known of a join along the edge from its i-th predecessor; nil unless that decides
-- its branch, or that of the block to which it jumps. `through`: what must not be decided
-- again.
local function plan(state, join, i, through)
  local now, it = {}, { known = {} }
  local copies
  copies, it.operands = evaluate(state, join, i, now, it.known)
  if not copies then return nil end
  if join:terminator():op() == "branch" then
    it.target = decided(join, now)
  else
    local next = join:succs()[1]
    if next == join or through[next] or state.through[next] then return nil end
    local is_small = evaluate(state, next, index_of(join, next), now, {})
    it.target = is_small and decided(next, now) and next
  end
  return it.target and it
end

-- The predecessor at the end of whose block control only goes to the join: an edge of a
-- branch gets a block of its own.
local function sole_predecessor(state, join, i)
  local preds, nth = join:preds(), 0
  for k = 1, i do nth = nth + (preds[k] == preds[i] and 1 or 0) end
  if #preds[i]:succs() == 1 then return preds[i] end
  local edge = preds[i]:split_edge(join, nth)
  state.made[#state.made + 1] = edge
  return edge
end

-- What the phis of a block have as operands along an edge, seen from the copy of `from`.
local function incoming(from, to, now)
  local phis = {}
  for i, pred in ipairs(to:preds()) do
    for _, phi in ipairs(pred == from and to:phis() or {}) do
      local operand = phi:args()[i]
      phis[phi] = now[operand] or operand
    end
  end
  return phis
end

-- Makes the copy: returns it, and by each value of the join what it is there.
local function copied(state, from, join, it)
  local fn, now = state.fn, {}
  local twin = fn:block()
  local at = twin:back()
  from:retarget(join, twin)
  for _, phi in ipairs(join:phis()) do now[phi] = at:phi { [from] = it.operands[phi] } end
  for _, inst in ipairs(body(join)) do
    if it.known[inst] then
      now[inst] = it.known[inst]
    else
      local args = mapped(inst:args(), now)
      local data = inst:data()
      args[#args + 1] = data ~= nil and { data = data } or nil
      fn:set_loc(inst:loc())
      now[inst] = at:emit(inst:op(), table.unpack(args))
    end
  end
  fn:set_loc(join:terminator():loc())
  at:jump(it.target, incoming(join, it.target, now))
  return twin, now
end

local function thread(state, join, i, it)
  local values = join:phis()
  table.move(body(join), 1, #body(join), #values + 1, values)
  state.fn:set_loc(join:terminator():loc())
  local from = sole_predecessor(state, join, i)
  local twin, now = copied(state, from, join, it)
  for _, v in ipairs(values) do
    if it.known[v] then
      state.fn:repair(v):define(twin, now[v]):rewrite()
    else
      state.fn:repair(v, now[v]):rewrite()
    end
  end
  state.through[twin] = setmetatable({ [join] = true }, { __index = state.through[from] })
  state.made[#state.made + 1] = twin
  state.count = state.count + 1
end

-- }== All edges =========================================================

-- Threads those edges into a block that can be threaded; true if there were any. An edge is
-- led through a block at most once, or a loop that never ends would be followed forever.
local function thread_all(state, join)
  local before, i = state.count, 1
  while #join:preds() > 1 and i <= #join:preds() do
    local through = state.through[join:preds()[i]] or NOTHING
    local it = not through[join] and plan(state, join, i, through)
    if it then thread(state, join, i, it) else i = i + 1 end
  end
  return state.count > before
end

-- True if control can be led past a block: it ends with a branch, or jumps to one that does.
local function is_join(state, block)
  if state.through[block] or #block:preds() < 2 then return false end
  if targets(block) then return true end
  return block:terminator():op() == "jump" and targets(block:succs()[1]) ~= nil
end

-- Replaces branches whose condition is constant by jumps; true if there were any.
local function decide(fn)
  local changed = false
  for block in fn:blocks() do
    local to, condition = targets(block)
    local holds
    if to then
      holds = constants.condition(condition)
      if holds == nil then holds = constants.result(condition:op(), condition:args()) end
    end
    if holds ~= nil then
      block:remove_edge(to[holds and 2 or 1])
      changed = true
    end
  end
  fn:clean { unreached = true }
  return changed
end

-- True if an edge to `to` can be added without phis telling two such edges apart.
local function can_lead(pred, to)
  if #to:phis() == 0 then return true end
  for _, succ in ipairs(pred:succs()) do
    if succ == to then return false end
  end
  return true
end

-- Leads edges past blocks of ours that have remained empty.
local function skip_empty(state)
  for _, block in ipairs(state.made) do
    local to = block:is_reachable() and block:succs()[1]
    if to and to ~= block and #block:insts() == 1 and #block:phis() == 0 then
      local phis = incoming(block, to, NOTHING)
      for _, pred in ipairs(block:preds()) do
        if can_lead(pred, to) then pred:retarget(block, to, phis) end
      end
    end
  end
  state.fn:clean { unreached = true }
end

--- Threads all joins of a finished function whose conditions are constant along an edge.
---@param fn phial.Function
---@return integer count the number of edges
function M.all(fn)
  local state = { fn = fn, through = {}, made = {}, count = 0 }
  repeat
    fn:clean(UNUSED)
    local changed = decide(fn)
    local joins = {}
    for block in fn:blocks() do
      if is_join(state, block) then joins[#joins + 1] = block end
    end
    for _, join in ipairs(joins) do changed = thread_all(state, join) or changed end
  until not changed
  skip_empty(state)
  fn:set_loc():clean(UNUSED)
  return state.count
end

-- }======================================================================

return M
