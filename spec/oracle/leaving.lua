-- What fn:leave promises, slowly and plainly: an interpreter that knows locations and
-- moves only, and a check that no two values in a location interfere, by liveness
-- computed from scratch.
local semantics = require "spec.oracle.semantics"

local M = {}

--- Calls f(from, to, nth, index) for each edge; index: its position among the targets.
function M.each_edge(fn, f)
  for b in fn:blocks() do
    local count = {}
    for i, to in ipairs(b:succs()) do
      count[to] = (count[to] or 0) + 1
      f(b, to, count[to], i)
    end
  end
end

--- The number of moves and copies that are left.
function M.total(fn, d)
  local n = 0
  M.each_edge(fn, function(from, to, nth) n = n + #d:moves(from, to, nth) end)
  for b in fn:blocks() do
    for _, v in ipairs(b:insts()) do
      if v:op() == "copy" and d:location(v) ~= d:location(v:args()[1]) then n = n + 1 end
    end
  end
  return n
end

--- Runs a function by locations and moves; fuel: how many blocks it may enter.
---@param fn phial.Function
---@param d phial.Leaving
---@param fuel integer
function M.run(fn, d, fuel, ...)
  return semantics.run(fn, { fuel = fuel, leaving = function() return d end }, ...)
end

--
-- {== Interference ====================================================
--

local function is_constant(v) return v:op() == "const" or v:op() == "undef" end

-- The phis that are needed by what is not a phi, in any number of steps.
local function needed_phis(fn)
  local needed = {}
  local function need(v)
    for _, arg in ipairs(v:args()) do
      if arg:op() == "phi" and not needed[arg] then
        needed[arg] = true
        need(arg)
      end
    end
  end
  for b in fn:blocks() do
    for _, v in ipairs(b:insts()) do need(v) end
  end
  return needed
end

-- The results of an instruction: itself, and its projections.
local function results(v)
  local out = { v }
  for _, user in ipairs(v:users()) do
    if user:op() == "proj" then out[#out + 1] = user end
  end
  return out
end

-- Goes through a block from its end, with the set of live values; calls
-- point(defined, live) after each definition.
local function walk_up(b, live, needed, point)
  local insts = b:insts()
  for i = #insts, 1, -1 do
    local v = insts[i]
    if v:op() ~= "proj" then
      point(results(v), live)
      for _, result in ipairs(results(v)) do live[result] = nil end
      for _, arg in ipairs(v:args()) do
        if not is_constant(arg) then live[arg] = true end
      end
    end
  end
  local phis = {}
  for _, phi in ipairs(b:phis()) do
    if needed[phi] then phis[#phis + 1] = phi end
  end
  point(phis, live)
  for _, phi in ipairs(phis) do live[phi] = nil end
end

local function nothing() end

-- The sets of live values at the ends of blocks, iterated to a fixed point.
local function live_at_ends(fn, needed)
  local ends, changed = {}, true
  for b in fn:blocks() do ends[b] = {} end
  local function add(b, v)
    if not is_constant(v) and not ends[b][v] then ends[b][v], changed = true, true end
  end
  while changed do
    changed = false
    for b in fn:blocks() do
      local live = {}
      for v in pairs(ends[b]) do live[v] = true end
      walk_up(b, live, needed, nothing)
      for i, pred in ipairs(b:preds()) do
        for v in pairs(live) do add(pred, v) end
        for _, phi in ipairs(b:phis()) do
          if needed[phi] then add(pred, phi:args()[i]) end
        end
      end
    end
  end
  return ends
end

-- What a value is a copy of.
local function source(v)
  while v:op() == "copy" do v = v:args()[1] end
  return v
end

--- Checks that values that interfere have different locations.
function M.check(fn, d)
  local needed = needed_phis(fn)
  local ends = live_at_ends(fn, needed)
  local function differ(v, w)
    local place = d:location(v)
    if v == w or not place or place ~= d:location(w) or source(v) == source(w) then return end
    error(("%s and %s share location %d"):format(v, w, place), 0)
  end
  local function point(defined, live)
    for i, v in ipairs(defined) do
      for w in pairs(live) do differ(v, w) end
      for k = 1, i - 1 do differ(v, defined[k]) end
    end
  end
  for b in fn:blocks() do
    local live = {}
    for v in pairs(ends[b]) do live[v] = true end
    walk_up(b, live, needed, point)
    if b == fn:entry() then
      local params = {}
      for i = 1, #fn:params() do params[i] = fn:arg(i) end
      point(params, live)
    end
  end
end

--- Checks that locations have the types of their values, and list these, and which values have
--- one.
function M.check_types(fn, d)
  local needed, at = needed_phis(fn), {}
  for i = 1, d:count() do at[i] = {} end
  local function check(v, wanted)
    local location = d:location(v)
    assert((location ~= nil) == wanted, tostring(v))
    if not location then return end
    assert(d:type(location) == v:type(), tostring(v))
    table.insert(at[location], v)
  end
  for i = 1, #fn:params() do check(fn:arg(i), true) end
  for b in fn:blocks() do
    local is_left = b:is_reachable() -- edits can leave blocks that nothing reaches
    for _, phi in ipairs(is_left and b:phis() or {}) do check(phi, needed[phi] == true) end
    for _, v in ipairs(is_left and b:insts() or {}) do check(v, v:type() ~= nil) end
  end
  for i, values in ipairs(at) do
    local listed = d:values(i)
    for k = 1, math.max(#values, #listed) do assert(values[k] == listed[k], i) end
  end
  M.each_edge(fn, function(from, to, nth)
    for _, move in ipairs(d:moves(from, to, nth)) do
      local type = math.type(move.from) and d:type(move.from) or move.from:type()
      assert(d:type(move.to) == type)
    end
  end)
end

-- }====================================================================

return M
