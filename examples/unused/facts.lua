-- What is known about values at a point of a Lua function, from the tests that
-- led there.
--
-- In a block that is reached only through one side of `if x`, x is known to be
-- true, or false, as long as it is the same value; SSA form says whether it is.
-- What is known is true (neither nil nor false), false (nil or false), or "set"
-- (not nil).  A call of `error` does not return; after a call of `assert`, its
-- argument is true.
---@class unused.Facts
---@field fn phial.Function
---@field failing table<phial.Block, boolean> true if the block calls `error`
local Facts = {}
Facts.__index = Facts

-- What is known of a test's first operand if the test holds, and if not.
local function truthy() return true, false end

local function rawequal_(test)
  local other, type = test:args()[2]:const()
  if other == nil then return false, type and "set" end
  return other ~= false
end

local outcomes = { ["lua.truthy"] = truthy, ["lua.rawequal"] = rawequal_ }

-- The name of the global function that an instruction calls, or nil.
local function called(call)
  if not call:op():find "^lua%.call" then return nil end
  local copy = call:args()[1]
  local callee = copy:op() == "copy" and copy:args()[1] or copy
  if callee:op() == "lua.index" then return (callee:args()[2]:const()) end
  return callee:op() == "lua.getupval" and callee:data()
end

-- What is known of a constant, or of a copy of one: the compiler tests those, too.
local function constant(value)
  local it = value:op() == "copy" and value:args()[1] or value
  local what, type = it:const()
  if not type then return nil end
  return what ~= nil and what ~= false
end

local function fails(block)
  for _, inst in ipairs(block:insts()) do
    if called(inst) == "error" then return true end
  end
  return false
end

--- True if control never goes from one block to another one, its target.
---@param from phial.Block
---@param to phial.Block
---@return boolean
function Facts:never(from, to)
  if self.failing[from] == nil then self.failing[from] = fails(from) end
  if self.failing[from] then return true end
  local insts, succs = from:insts(), from:succs()
  local last = insts[#insts]
  local test = last:op() == "branch" and last:args()[1]
  if not test or test:op() ~= "lua.truthy" then return false end
  local holds = constant(test:args()[1])
  return holds ~= nil and succs[1] ~= succs[2] and to == succs[holds and 2 or 1]
end

-- The only block from which control comes to this one, or nil.
function Facts:only_pred(block)
  local only
  for _, pred in ipairs(block:preds()) do
    if not self:never(pred, block) then
      if only then return nil end
      only = pred
    end
  end
  return only
end

-- Calls f(block, target, known) for each edge that a test of the value decides.
local function each_test(value, f)
  for _, test in ipairs(value:users()) do
    local outcome = outcomes[test:op()]
    for _, branch in ipairs(outcome and test:users() or {}) do
      local block = branch:block()
      local yes, no = table.unpack(block:succs())
      local holds, otherwise = outcome(test)
      if branch:op() == "branch" and yes ~= no then
        f(block, yes, holds)
        f(block, no, otherwise)
      end
    end
  end
end

local function asserted(fn, value, block)
  for _, argument in ipairs(value:users()) do
    for _, call in ipairs(argument:op() == "copy" and argument:users() or {}) do
      if called(call) == "assert" and call:args()[2] == argument
        and fn:dominates(call:block(), block) then
        return true
      end
    end
  end
end

--- What is known of a value in a block.
---@param value phial.Value
---@param block phial.Block
---@return boolean|"set"|nil
function Facts:known(value, block)
  local fn, result = self.fn, constant(value)
  if result == nil then result = asserted(fn, value, block) end
  each_test(value, function(from, target, known)
    if known ~= nil and fn:dominates(target, block) and self:only_pred(target) == from then
      result = known
    end
  end)
  return result
end

--- What is known of a value on the edge from one block to another.
---@param value phial.Value
---@param from phial.Block
---@param to phial.Block
---@return boolean|"set"|nil
function Facts:on_edge(value, from, to)
  local result = self:known(value, from)
  each_test(value, function(block, target, known)
    if known ~= nil and block == from and target == to then result = known end
  end)
  return result
end

--- All that is known from tests in a block.
---@param block phial.Block
---@return { value: phial.Value, known: boolean|"set" }[]
function Facts:all(block)
  local list = {}
  while block do
    local pred = self:only_pred(block)
    local insts = pred and pred:insts() or {}
    local test = #insts > 0 and insts[#insts]:op() == "branch" and insts[#insts]:args()[1]
    local outcome = test and outcomes[test:op()]
    if outcome then
      local holds, otherwise = outcome(test)
      local known = otherwise
      if pred:succs()[1] == block then known = holds end
      if known ~= nil then list[#list + 1] = { value = test:args()[1], known = known } end
    end
    block = block:idom()
  end
  return list
end

--- The facts of a function.
---@param fn phial.Function
---@return unused.Facts
local function of(fn)
  return setmetatable({ fn = fn, failing = {} }, Facts)
end

return { of = of }
