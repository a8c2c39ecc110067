-- Hoisting: what a loop computes from values outside of it is computed once, before the loop.
-- That holds for what has no effect, and for reads if nothing in the loop writes. What might
-- trap moves only if the loop begins with it, since otherwise it might not be executed.

-- {== Before the loop ====================================================

-- The blocks that lead into the loop, each by one edge, by their places among the header's
-- predecessors.
local function entrances(header, inside)
  local list, count, last = {}, {}, nil
  for i, pred in ipairs(header:preds()) do
    if not inside[pred] then list[i], last = pred, i end
    count[pred] = (count[pred] or 0) + 1
  end
  local is_one = next(list) == last
  for i, pred in pairs(list) do
    if count[pred] > 1 or is_one and #pred:succs() > 1 then
      list[i] = pred:split_edge(header, 1)
    end
  end
  return list, is_one and list[last]
end

-- The block through which all control comes that enters the loop, and goes nowhere else; it is
-- made if need be. Nil or false if nothing enters.
local function preheader(fn, header, inside)
  local list, single = entrances(header, inside)
  if single or next(list) == nil then return single end
  local block, values, operands = fn:block(), {}, {}
  for _, phi in ipairs(header:phis()) do
    values[phi] = {}
    for i, operand in ipairs(phi:args()) do
      if list[i] then values[phi][list[i]] = operand end
    end
  end
  for _, pred in pairs(list) do pred:retarget(header, block) end
  for phi, of in pairs(values) do operands[phi] = block:front():phi(of) end
  block:back():jump(header, operands)
  return block
end

-- }== What can move ======================================================

local SIZE <const> = { i1 = 1, i8 = 1, i16 = 2, i32 = 4, f32 = 4, i64 = 8, f64 = 8, ptr = 8 }

-- True if a read is defined wherever its operands are: not of memory, or of an alloca.
local function is_defined(v)
  if not v:op():find "^load" then return true end
  local base = v:args()[1]
  local size, align = table.unpack(base:op() == "alloca" and base:args() or {})
  return size and size:const() >= SIZE[v:type()] and align:const() >= SIZE[v:type()]
end

-- True if an instruction can be moved to where its operands are. first: the loop begins with it.
local function can_move(v, writes, first)
  local effect = v:effect()
  if v:op() == "refine" or v:can_trap() and not first then return false end
  if effect == "read" then return not writes and (first or is_defined(v)) end
  return effect == "none"
end

local function has_write(blocks)
  for _, block in ipairs(blocks) do
    for _, v in ipairs(block:insts()) do
      if v:effect() == "write" then return true end
    end
  end
  return false
end

local function from_outside(v, inside, moving)
  for _, arg in ipairs(v:args()) do
    if inside[arg:block()] and not moving[arg] then return false end
  end
  return true
end

-- The values of a loop that can move, each after its operands.
local function invariants(header, blocks, inside)
  local list, moving, writes = {}, {}, has_write(blocks)
  for _, block in ipairs(blocks) do
    local first = block == header
    for _, v in ipairs(block:insts()) do
      if v:type() and can_move(v, writes, first) and from_outside(v, inside, moving) then
        list[#list + 1], moving[v] = v, true
      end
      first = first and not v:can_trap() and v:effect() ~= "write"
    end
  end
  return list
end

-- }=======================================================================

--- Hoists in all loops of a finished function, outermost first, except those that are entered
--- at several blocks. Takes time for the blocks of each loop: linear, times the depth of nests.
---@param fn phial.Function
---@return integer count values that were moved
return function(fn)
  local index, loops, count = {}, {}, 0
  for i, block in ipairs(fn:rpo()) do index[block] = i end
  for _, loop in ipairs(fn:loops()) do
    if loop.reducible and loop.header:is_reachable() then loops[#loops + 1] = loop end
  end
  for _, loop in ipairs(loops) do
    local blocks, inside = loop.blocks, {}
    for _, block in ipairs(blocks) do inside[block] = true end
    table.sort(blocks, function(a, b) return index[a] < index[b] end)
    local list = invariants(loop.header, blocks, inside)
    local before = #list > 0 and preheader(fn, loop.header, inside)
    for _, v in ipairs(before and list or {}) do
      v:move_before(before:terminator())
      count = count + 1
    end
  end
  fn:clean { phis = true }
  return count
end
