--- Compares two versions of a function after promotion of its allocas, ours and LLVM's, as
--- reader.lua reads them: parameters, blocks and all instructions must be the same, and each phi of
--- ours must be one of LLVM's.
---
--- Which phi of ours is which of LLVM's is found as a partition: at first all phis of a block and
--- type are one class; a class is split as long as the operands of its members for some predecessor
--- belong to different classes. Members of a class that cannot be split have equal values at run
--- time. All uses in other instructions must then agree in their classes, and each class must have
--- as many phis of ours as of LLVM's; only phis that no instruction needs, directly or for another
--- phi, may be LLVM's alone.
---
--- If this fails, LLVM's redundant phis (redundant.lua) are replaced by what they mean, and it is
--- tried once more.
local reader = require "bench.lib.llvm.reader"
local redundant = require "bench.lib.llvm.redundant"

local M = {}

---@class llvm.Verdict
---@field equal boolean
---@field reason string? why they differ
---@field ours integer phis
---@field theirs integer
---@field redundant integer of LLVM's phis, those that ours does not have because they are redundant
---@field unused integer of LLVM's phis, those that ours does not have because they have no users

--
-- {== Shape ===========================================================
--

local function shape_differs(ours, theirs)
  if #ours.blocks ~= #theirs.blocks then
    return ("%d blocks, LLVM %d"):format(#ours.blocks, #theirs.blocks)
  end
  for i, block in ipairs(ours.blocks) do
    local other = theirs.blocks[i]
    if #block.insts ~= #other.insts then
      return ("block %d: %d instructions, LLVM %d"):format(i, #block.insts, #other.insts)
    end
  end
end

-- }== Classes =========================================================

local function phis_of(fn)
  local list = {}
  for _, block in ipairs(fn.blocks) do table.move(block.phis, 1, #block.phis, #list + 1, list) end
  return list
end

--- Gives each phi the number of its class; the number of classes.
local function classify(phis, class, key_of)
  local numbers, keys, count = {}, {}, 0
  for i, phi in ipairs(phis) do keys[i] = key_of(phi) end
  for i, phi in ipairs(phis) do
    local number = numbers[keys[i]]
    if not number then
      count = count + 1
      number = count
      numbers[keys[i]] = number
    end
    class[phi] = number
  end
  return count
end

--- The classes of phis of both versions. `now` says what a value means.
local function partition(phis, now)
  local class = {}
  local count = classify(phis, class, function(phi)
    return ("%d %s %s"):format(phi.block, phi.type, table.concat(phi.preds, ","))
  end)
  local function key(phi)
    local parts = { class[phi] }
    for i, op in ipairs(phi.ops) do
      op = now(op)
      parts[i + 1] = class[op] or op
    end
    return table.concat(parts, "\0")
  end
  repeat
    local before = count
    count = classify(phis, class, key)
  until count == before
  return class
end

-- }== Uses ============================================================

--- What local names are spelled as: values by name, phis by class.
local function spelling(fn, class, now)
  local spelled = {}
  for name, value in pairs(fn.values) do
    value = now(value)
    spelled[name] = class[value] and ("%%phi%d"):format(class[value]) or value
  end
  return spelled
end

local function header(fn, spelled)
  return (reader.instruction(fn, fn.header:gsub("@[-%w$._]+", "@", 1), spelled))
end

local function uses_differ(ours, theirs, class, now)
  local mine, its = spelling(ours, class, now), spelling(theirs, class, now)
  local a, b = header(ours, mine), header(theirs, its)
  if a ~= b then return ("header: %s, LLVM %s"):format(a, b) end
  for i, block in ipairs(ours.blocks) do
    local other = theirs.blocks[i]
    for k, inst in ipairs(block.insts) do
      a = reader.instruction(ours, inst, mine)
      b = reader.instruction(theirs, other.insts[k], its)
      if a ~= b then return ("block %d: %s, LLVM %s"):format(i, a, b) end
    end
  end
end

--- The phis that an instruction needs, directly or for other phis.
local function used_phis(fn, now)
  local used, work = {}, {}
  local function use(value)
    value = now(value)
    if type(value) == "table" and not used[value] then
      used[value] = true
      work[#work + 1] = value
    end
  end
  local uses = setmetatable({}, { __index = function(_, name)
    if fn.values[name] then use(fn.values[name]) end
    return name
  end })
  for _, block in ipairs(fn.blocks) do
    for _, inst in ipairs(block.insts) do reader.instruction(fn, inst, uses) end
  end
  while #work > 0 do
    for _, op in ipairs(table.remove(work).ops) do use(op) end
  end
  return used
end

-- }== Verdict =========================================================

local function described(phi)
  local ops = {}
  for i, op in ipairs(phi.ops) do
    ops[i] = ("[ %s, B%d ]"):format(type(op) == "table" and "phi of block " .. op.block or op,
      phi.preds[i])
  end
  return ("block %d: phi %s %s"):format(phi.block, phi.type, table.concat(ops, ", "))
end

--- Compares how many phis each class has; returns why they differ or how many of LLVM's are
--- unused.
local function counts_differ(ours, theirs, class, replaced, now)
  local extra, used = {}, nil -- by class: LLVM's without ours
  local unused = 0
  for _, phi in ipairs(phis_of(theirs)) do
    if not replaced[phi] then extra[class[phi]] = (extra[class[phi]] or 0) + 1 end
  end
  for _, phi in ipairs(phis_of(ours)) do
    local left = (extra[class[phi]] or 0) - 1
    extra[class[phi]] = left
    if left < 0 then return "not one of LLVM's: " .. described(phi) end
  end
  for _, phi in ipairs(phis_of(theirs)) do
    local left = not replaced[phi] and extra[class[phi]] or 0
    if left > 0 then
      used = used or used_phis(theirs, now)
      if not used[phi] then
        extra[class[phi]] = left - 1
        unused = unused + 1
      end
    end
  end
  for _, phi in ipairs(phis_of(theirs)) do
    if not replaced[phi] and extra[class[phi]] > 0 then
      return "missing: " .. described(phi)
    end
  end
  return nil, unused
end

local function attempt(ours, theirs, replaced)
  local function now(value) return replaced[value] or value end
  local phis = phis_of(ours)
  for _, phi in ipairs(phis_of(theirs)) do
    if not replaced[phi] then phis[#phis + 1] = phi end
  end
  local class = partition(phis, now)
  local reason = uses_differ(ours, theirs, class, now)
  if reason then return reason end
  return counts_differ(ours, theirs, class, replaced, now)
end

--- Compares our version of a function with LLVM's.
---@param ours llvm.Function
---@param theirs llvm.Function
---@return llvm.Verdict
function M.functions(ours, theirs)
  local verdict = { equal = false, ours = #phis_of(ours), theirs = #phis_of(theirs),
    redundant = 0, unused = 0 }
  local reason, unused = shape_differs(ours, theirs), nil
  if not reason then
    reason, unused = attempt(ours, theirs, {})
    if reason then
      local replaced, count = redundant(theirs)
      if count > 0 then reason, unused = attempt(ours, theirs, replaced) end
      verdict.redundant = reason and 0 or count
    end
  end
  verdict.equal, verdict.reason, verdict.unused = not reason, reason, unused or 0
  return verdict
end

-- }====================================================================

return M
