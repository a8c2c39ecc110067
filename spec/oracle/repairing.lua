-- What fn:repair has to do, by its definition: a phi at the start of every block, of
-- which those are removed that nothing needs, and then all redundant sets (section 3.2
-- of the paper), each the largest one. Slow, and independent of the repair in C.
local M = {}

-- The definitions by place: `start` by block, `behind` by instruction.
local function by_place(fn, values, definitions)
  local start, behind = {}, {}
  local function add(map, place, value)
    map[place] = map[place] or {}
    table.insert(map[place], value)
  end
  local function define(place, value)
    if getmetatable(place).__name == "phial.Block" then return add(start, place, value) end
    local block = place:block()
    if not block then
      add(start, fn:entry(), value)
    elseif place:op() == "phi" then
      add(start, block, value)
    else
      add(behind, place, value)
    end
  end
  for _, v in ipairs(values) do define(v, v) end
  for _, d in ipairs(definitions) do define(d[1], d[2]) end
  return start, behind
end

-- What a look-up can end at: a value, or the phi at the start of a block, which stands
-- for itself as a table { block }.
local function look_ups(fn, values, definitions)
  local start, behind = by_place(fn, values, definitions)
  local ours, at_start, at_end, uses, met = {}, {}, {}, {}, {}
  for _, v in ipairs(values) do ours[v:now()] = true end
  for block in fn:blocks() do at_start[block] = { block = block } end
  for block in fn:blocks() do
    local now = at_start[block]
    for _, value in ipairs(start[block] or {}) do now, met[block] = value, true end
    for _, inst in ipairs(block:insts()) do
      for i, arg in ipairs(inst:args()) do
        if ours[arg:now()] then
          uses[#uses + 1] = { user = inst, index = i, is = now }
          met[block] = true
        end
      end
      for _, value in ipairs(behind[inst] or {}) do now, met[block] = value, true end
    end
    at_end[block] = now
  end
  return ours, at_end, uses, met
end

-- The operands of what can be a phi; nil for other values.
local function operands_of(fn, ours, at_end, type, met)
  return function(it)
    local block = it.block
    if ours[it] then
      if it:op() ~= "phi" then return nil end
      local out = {}
      for i, pred in ipairs(it:block():preds()) do
        local arg = it:args()[i]:now()
        if ours[arg] then met[pred] = true end
        out[i] = ours[arg] and at_end[pred] or arg
      end
      return #out > 0 and out or { fn:undef(type) }
    elseif getmetatable(it) == nil then
      local out = {}
      met[block] = true
      for i, pred in ipairs(block:preds()) do out[i], met[pred] = at_end[pred], true end
      return #out > 0 and out or { fn:undef(type) }
    end
  end
end

-- The phis that the uses need, each with its operands.
local function needed(uses, operands)
  local list, args = {}, {}
  local function need(it)
    local found = not args[it] and operands(it)
    if not found then return end
    args[it], list[#list + 1] = found, it
  end
  for _, use in ipairs(uses) do need(use.is) end
  for _, phi in ipairs(list) do -- which grows
    for _, arg in ipairs(args[phi]) do need(arg) end
  end
  return list, args
end

-- Replaces the largest set of phis that have no operands except each other and `by`.
local function replace_set(list, args, by, now, replaced)
  local set, changed = {}, true
  for _, phi in ipairs(list) do set[phi] = not replaced[phi] and phi ~= by or nil end
  while changed do
    changed = false
    for phi in pairs(set) do
      for _, arg in ipairs(args[phi]) do
        if now(arg) ~= by and not set[now(arg)] then
          set[phi], changed = nil, true
          break
        end
      end
    end
  end
  for phi in pairs(set) do replaced[phi] = by end
  return next(set) ~= nil
end

--- What a repair has to make of a function: `is(it)` says what the variable is, a value
--- or { block }, a phi at the start of that block; `uses` of the variable by others than
--- its own phis; `phis` to be made; what `gone` of the values that are phis; the number
--- of blocks `visited`.
---@param fn phial.Function
---@param values phial.Value[]
---@param definitions { [1]: phial.Block|phial.Value, [2]: phial.Value }[]
function M.plan(fn, values, definitions)
  local type = values[1]:type()
  local ours, at_end, uses, met = look_ups(fn, values, definitions)
  for v in fn:values() do
    if v:op() == "phi" and not ours[v] then
      for i, pred in ipairs(v:block():preds()) do
        if ours[v:args()[i]:now()] then
          uses[#uses + 1] = { user = v, index = i, is = at_end[pred] }
          met[pred] = true
        end
      end
    end
  end
  local list, args = needed(uses, operands_of(fn, ours, at_end, type, met))
  local replaced = {}
  local function now(it)
    while replaced[it] do it = replaced[it] end
    return it
  end
  local candidates = { fn:undef(type) }
  for _, phi in ipairs(list) do
    candidates[#candidates + 1] = phi
    for _, arg in ipairs(args[phi]) do candidates[#candidates + 1] = arg end
  end
  repeat
    local changed = false
    for _, by in ipairs(candidates) do
      if not replaced[by] then
        changed = replace_set(list, args, by, now, replaced) or changed
      end
    end
  until not changed
  local plan = { uses = uses, phis = {}, gone = {}, is = now, args = args, visited = 0 }
  for _, phi in ipairs(list) do
    if getmetatable(phi) == nil and not replaced[phi] then table.insert(plan.phis, phi) end
  end
  for v in pairs(ours) do
    if v:op() == "phi" and (not args[v] or replaced[v]) then
      plan.gone[v] = replaced[v] and now(v) or false
    end
  end
  for _ in pairs(met) do plan.visited = plan.visited + 1 end
  return plan
end

-- True if v is what the plan says; `made` are the new phis by block.
local function agrees(v, it, made)
  if getmetatable(it) == nil then return v:now() == made[it.block] end
  return v:now() == it:now()
end

--- Checks that a repaired function is as planned; `before`: the phis that it had.
function M.check(plan, fn, counts, before)
  local made, n, removed = {}, 0, 0
  for v in fn:values() do
    if v:op() == "phi" and not before[v] then
      assert(not made[v:block()], "two phis in a block")
      made[v:block()], n = v, n + 1
    end
  end
  assert(n == #plan.phis and n == counts.phis,
    ("%d phis, counted %d, planned %d"):format(n, counts.phis, #plan.phis))
  for _, phi in ipairs(plan.phis) do
    local v = assert(made[phi.block], "no phi in a block")
    for i, arg in ipairs(v:args()) do
      assert(agrees(arg, plan.is(plan.args[phi][i]), made), "an operand of a phi")
    end
  end
  for _, use in ipairs(plan.uses) do
    assert(agrees(use.user:args()[use.index], plan.is(use.is), made), "a use")
  end
  for v, by in pairs(plan.gone) do
    removed = removed + 1
    if by then
      assert(agrees(v:now(), by, made), "a phi is replaced by another value")
    else
      assert(not pcall(v.op, v), "a dead phi is still there")
    end
  end
  assert(removed == counts.removed, "removed")
  assert(plan.visited == counts.visited,
    ("visited %d blocks instead of %d"):format(counts.visited, plan.visited))
end

return M
