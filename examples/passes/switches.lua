-- Switches: a chain of branches that compare one integer with constants becomes a switch, which a
-- C compiler or LLVM can make a table of.

-- The value and the constant that the block's branch compares for equality, and the comparison;
-- nil if it does something else.
local function compared(block)
  local last = block:terminator()
  local test = last:op() == "branch" and last:arg(1)
  if not test or test:op() ~= "eq" then return nil end
  local value, key = test:arg(1), test:arg(2):const()
  local width = value:type():match "^i(%d+)$"
  if key and width and width ~= "1" then return value, key, test end
end

-- True if the block does nothing but compare, and only one edge leads to it.
local function is_link(block, test)
  return #block:preds() == 1 and #block:phis() == 0 and #block:insts() == 2
    and test:block() == block
end

-- The operands of phis of a block, by the predecessor that they come from.
local function operands_by_pred(block)
  local by_pred, preds = {}, block:preds()
  for _, pred in ipairs(preds) do by_pred[pred] = {} end
  for _, phi in ipairs(block:phis()) do
    for i, operand in ipairs(phi:args()) do by_pred[preds[i]][phi] = operand end
  end
  return by_pred
end

-- The link of a chain that follows: a block that compares the same value, where `value` is
-- different from the constants so far.
local function link_after(value, block)
  local same, key, test = compared(block)
  local equal, other = table.unpack(block:succs())
  if same == value and equal ~= other and is_link(block, test) then
    return { key = key, test = test, equal = equal, other = other }
  end
end

-- Makes a switch of the chain that begins at the block; returns how many of its links are gone.
-- operands: by block, what `operands_by_pred` returned before the pass changed anything there.
local function switch(block, operands)
  local value, key = compared(block)
  local equal, other = table.unpack(block:succs())
  if not value or equal == other then return 0 end
  local link, known, count = link_after(value, other), { [key] = true }, 0
  if link then block:back():switch(value, other, { [key] = equal }) end
  while link do
    link.test:move_before(block:terminator())
    if not known[link.key] then
      block:add_edge(link.equal, link.key, operands[link.equal][other])
      known[link.key] = true
    end
    block:retarget(other, link.other, operands[link.other][other])
    other:back():unreachable()
    other, count = link.other, count + 1
    link = link_after(value, other)
  end
  return count
end

--- Makes switches of all chains of a finished function. Takes linear time.
---@param fn phial.Function
---@return integer count branches that have become a case
return function(fn)
  local count, operands = 0, setmetatable({}, { __index = function(known, block)
    known[block] = operands_by_pred(block)
    return known[block]
  end })
  for _, block in ipairs(fn:rpo()) do
    if block:terminator() and block:is_reachable() then count = count + switch(block, operands) end
  end
  fn:clean { unreached = true, phis = true, dead = true }
  return count
end
