-- Hoisting: what a loop computes from values outside of it is computed once, before the loop.
-- That holds for what has no effect, and for reads of classes of memory that nothing in the loop
-- writes. What might trap moves only if the loop begins with it, since otherwise it might not be
-- executed.

-- {== Before the loop ====================================================

-- The block through which all control comes that enters the loop, and goes nowhere else; it is
-- made if need be. Nil if nothing enters.
local function preheader(fn, header, inside)
  local outside, values, operands, seen = {}, {}, {}, {}
  for i, pred in ipairs(header:preds()) do
    if not inside[pred] then
      outside[i] = seen[pred] and pred:split_edge(header, 2) or pred
      seen[pred] = true
    end
  end
  local first, only = next(outside)
  if not next(outside, first) then
    return only and #only:succs() > 1 and only:split_edge(header) or only
  end
  for _, phi in ipairs(header:phis()) do
    values[phi] = {}
    for i, pred in pairs(outside) do values[phi][pred] = phi:arg(i) end
  end
  local block = fn:block()
  for _, pred in pairs(outside) do pred:retarget(header, block) end
  for _, phi in ipairs(header:phis()) do operands[phi] = block:front():phi(values[phi]) end
  block:back():jump(header, operands)
  return block
end

-- }== What can move ======================================================

-- The set of the classes that instructions in the blocks write; true: that may be any.
local function written_classes(blocks)
  local set = {}
  for _, block in ipairs(blocks) do
    for _, v in ipairs(block:insts()) do
      local _, writes = v:classes()
      for _, class in ipairs(writes == "all" and { true } or writes) do set[class] = true end
    end
  end
  return set
end

local function is_written(reads, written)
  if reads == "all" then return next(written) ~= nil end
  for _, class in ipairs(reads) do
    if written[class] or written[true] then return true end
  end
  return false
end

-- True if a read is defined wherever its operands are: not of memory, or within an alloca.
local function is_defined(v)
  if not v:op():find "^load" then return v:effect() == "read" end
  local base, at, bits = v:arg(1), 0, tonumber(v:type():match "%d+") or 64
  if base:op() == "ptradd" then base, at = base:arg(1), base:arg(2):const() end
  if base:op() ~= "alloca" or not at then return false end
  local bytes, size, align = (bits + 7) // 8, base:arg(1):const(), base:arg(2):const()
  return at >= 0 and at <= size - bytes and at % bytes == 0 and bytes <= align
end

-- True if an instruction can be moved to where its operands are. first: the loop begins with it.
local function can_move(v, written, first)
  local effect, reads, writes = v:effect(), v:classes()
  if v:op() == "refine" or v:can_trap() and not first then return false end
  if effect == "none" or effect == "new" then return effect == "none" end
  return #writes == 0 and not is_written(reads, written) and (first or is_defined(v))
end

local function from_outside(v, inside, moving)
  for _, arg in ipairs(v:args()) do
    if inside[arg:block()] and not moving[arg] then return false end
  end
  return true
end

-- The values of a loop that can move, each after its operands.
local function invariants(header, blocks, inside)
  local list, moving, written = {}, {}, written_classes(blocks)
  for _, block in ipairs(blocks) do
    local first = block == header
    for _, v in ipairs(block:insts()) do
      if v:type() and can_move(v, written, first) and from_outside(v, inside, moving) then
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
  local index, count = {}, 0
  for i, block in ipairs(fn:rpo()) do index[block] = block:is_reachable() and i end
  for _, loop in ipairs(fn:loops()) do
    local blocks, inside = loop.reducible and index[loop.header] and loop.blocks or {}, {}
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
