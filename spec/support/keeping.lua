-- Edits of finished functions that keep what these compute, each with the repairs that it needs.
-- draw(n) chooses from 1 to n.
local ops = require "spec.support.ops"

local M = {}

-- Of the ops of dialects these are pure.
local PURE = { ["rnd.mix"] = true, ["x.twist"] = true }

local function is_pure(v)
  local row = ops.row[v:op()]
  local is_copy = v:op() == "phi" or v:op() == "refine"
  return PURE[v:op()] or row and row.pure and not row.leaf and not is_copy and v:op() ~= "proj"
end

-- {== Instructions ======================================================

--- Makes an instruction again.
---@param at phial.Cursor
---@param v phial.Value
---@param args phial.Value[] in place of its operands
---@return phial.Value?
local function again(at, v, args)
  local op, type, data = v:op(), v:type(), v:data()
  if op == "call" then -- a function itself says what it gives, which may be more
    return at:call(data, tostring(data) == data and type or nil, table.unpack(args))
  end
  if op == "call_indirect" then
    args[#args + 1] = { [math.type(v:data()) and "variadic" or "as"] = v:data() }
    return at:call(args[1], type or false, table.unpack(args, 2))
  end
  if op == "address" then return at:address(v:data()) end
  if op == "trap_if" then return at:trap_if(args[1], v:data()) end
  if op:find "^load" or ops.row[op] and ops.is_cast(op) then args[#args + 1] = type end
  return at:emit(op, table.unpack(args))
end

-- A value, and a cursor that it dominates; nil if there is none for which accepts(v) is true.
local function value_and_point(fn, draw, accepts)
  local found = {}
  for v in fn:values() do
    if v:type() and (not accepts or accepts(v)) then found[#found + 1] = v end
  end
  if #found == 0 then return nil end
  local v = found[draw(#found)]
  local block, insts = v:block(), {}
  for other in fn:blocks() do
    local seen = other ~= block or v:op() == "phi"
    for _, inst in ipairs(block:dominates(other) and other:insts() or {}) do
      if seen then insts[#insts + 1] = inst end
      seen = seen or inst == v
    end
  end
  return v, insts[draw(#insts)]:before()
end

function M.split_range(fn, draw)
  local v, at = value_and_point(fn, draw)
  if not v then return end
  local copy = at:copy(v)
  fn:repair(v):define(copy, copy):rewrite()
end

function M.rematerialize(fn, draw)
  local v, at = value_and_point(fn, draw, is_pure)
  if not v then return end
  local new = again(at, v, v:args())
  fn:repair(v):define(new, new):rewrite()
end

function M.delay(fn, draw)
  local found = {}
  for block in fn:blocks() do
    local insts = block:insts()
    for i = 1, #insts - 2 do
      local uses = false
      for _, arg in ipairs(insts[i + 1]:args()) do uses = uses or arg == insts[i] end
      if is_pure(insts[i]) and not uses then found[#found + 1] = { insts[i], insts[i + 1] } end
    end
  end
  if #found == 0 then return end
  local pair = found[draw(#found)]
  pair[1]:move_after(pair[2])
end

-- }== Blocks ============================================================

-- An edge of reached blocks.
local function some_edge(fn, draw)
  local blocks = fn:rpo()
  local from = blocks[draw(#blocks)]
  local succs = from:is_reachable() and from:succs() or {}
  if #succs > 0 then return from, succs[draw(#succs)] end
end

-- What the phis of a block get along an edge from a copy of `from`; nil if several edges
-- have different operands.
local function operands_along(from, to, now, values)
  for _, phi in ipairs(to:phis()) do
    for i, pred in ipairs(to:preds()) do
      local arg = phi:args()[i]
      arg = now[arg] or arg
      if pred == from and values[phi] and values[phi] ~= arg then return nil end
      if pred == from then values[phi] = arg end
    end
  end
  return values
end

function M.split_edge(fn, draw)
  local from, to = some_edge(fn, draw)
  if from then from:split_edge(to, 1) end
end

function M.invert(fn, draw)
  local from = some_edge(fn, draw)
  local last = from and from:terminator()
  if not from or last:op() ~= "branch" then return end
  local yes, no = table.unpack(from:succs())
  if yes == no then return end
  local at = from:back()
  at:branch(at:bnot(last:args()[1]), no, yes)
end

-- Makes of a jump two edges to one block. Along each of them phis have what is wrong along the
-- other one.
function M.fork(fn, draw)
  local jumps = {}
  for _, b in ipairs(fn:rpo()) do
    if b:is_reachable() and b:terminator():op() == "jump" then jumps[#jumps + 1] = b end
  end
  if #jumps == 0 then return end
  local from, condition = jumps[draw(#jumps)], fn:const(draw(2) == 1)
  local at, to = from:back(), from:succs()[1]
  local values = operands_along(from, to, {}, {})
  local v = #fn:params() > 0 and draw(2) == 1 and fn:arg(draw(#fn:params()))
  if v and v:type():find "^i" then
    local other = draw(2) == 1 and v or fn:const(0, v:type())
    condition = draw(2) == 1 and at:slt(v, other) or at:sge(v, other)
  end
  local nth = 1
  while to:preds()[nth] ~= from do nth = nth + 1 end
  for _, phi in ipairs(to:phis()) do
    if phi:type():find "^i" then
      local other, right = fn:const(draw(2) - 1, phi:type()), values[phi]
      values[phi] = at:select(condition, right, other)
      phi:set_arg(nth, at:select(condition, other, right))
    end
  end
  from:add_edge(to, condition, values)
end

-- Leads control past a block that only jumps: then its source can have several edges to one block.
function M.bypass(fn, draw)
  local found = {}
  for _, middle in ipairs(fn:rpo()) do
    local jumps = middle:is_reachable() and #middle:phis() + #middle:insts() == 1
      and middle:terminator():op() == "jump" and middle:succs()[1] ~= middle
    for _, from in ipairs(jumps and middle:preds() or {}) do
      if from:is_reachable() then found[#found + 1] = { from, middle, middle:succs()[1] } end
    end
  end
  if #found == 0 then return end
  local from, middle, to = table.unpack(found[draw(#found)])
  from:retarget(middle, to, operands_along(middle, to, {}, {}))
  if #middle:preds() == 0 then middle:back():unreachable() end
end

function M.merge(fn, draw)
  local found = {}
  for b in fn:blocks() do
    if b:can_merge() then found[#found + 1] = b end
  end
  if #found > 0 then found[draw(#found)]:merge() end
end

-- Ends a block as `last` ends its own one.
local function end_block(at, last, args, targets, phis)
  local op = last:op()
  if op == "ret" then
    at:ret(table.unpack(args))
  elseif op == "tail_call" then
    at:tail_call(last:data(), table.unpack(args))
  elseif op == "tail_call_indirect" then
    at:tail_call(table.unpack(args))
  elseif op == "unreachable" then
    at:unreachable()
  elseif op == "trap" then
    at:trap(last:data())
  elseif op == "jump" then
    at:jump(targets[1], phis)
  elseif op == "branch" then
    at:branch(args[1], targets[1], targets[2], phis)
  elseif op == "switch" then
    local cases = {}
    for k = 2, #args do cases[args[k]:const()] = targets[k] end
    at:switch(args[1], targets[1], cases, phis)
  else
    targets.phis, targets.data = phis, last:data()
    at:emit(op, table.unpack(args, 1, #args), targets)
  end
end

local UNIQUE = { proj = true, refine = true, alloca = true }

local function can_be_copied(block)
  for _, inst in ipairs(block:insts()) do
    if UNIQUE[inst:op()] then return false end
  end
  for _, succ in ipairs(block:succs()) do
    if not operands_along(block, succ, {}, {}) then return false end
  end
  return true
end

function M.duplicate(fn, draw)
  local from, to = some_edge(fn, draw)
  local args = from and can_be_copied(to) and operands_along(from, to, {}, {})
  if not args then return end
  local twin, now, made = fn:block(), {}, {}
  from:retarget(to, twin)
  local function add(v, new)
    now[v] = new
    if new then made[#made + 1] = v end
  end
  for _, phi in ipairs(to:phis()) do add(phi, twin:front():phi { [from] = args[phi] }) end
  for _, inst in ipairs(to:insts()) do
    local operands = inst:args()
    for i, arg in ipairs(operands) do operands[i] = now[arg] or arg end
    if inst == to:terminator() then
      local phis = {}
      for _, succ in ipairs(to:succs()) do operands_along(to, succ, now, phis) end
      end_block(twin:back(), inst, operands, to:succs(), phis)
    else
      add(inst, again(twin:back(), inst, operands))
    end
  end
  for _, v in ipairs(made) do
    if now[v]:type() then fn:repair(v, now[v]):rewrite() end
  end
end

-- }======================================================================

--- The names of the edits.
M.names = {}
for name in pairs(M) do
  if name ~= "names" then M.names[#M.names + 1] = name end
end
table.sort(M.names)

return M
