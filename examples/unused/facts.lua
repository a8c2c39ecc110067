-- What is known on the edges of a Lua function: what values are, by the solution of
-- nilness.lua, and by the tests that led there.  In a block that is reached only through
-- one side of `if x then`, x is known there, and what it was copied from.
local nilness = require "unused.nilness"
local tests = require "unused.tests"

---@class unused.Known a branch that led there, and those before it
---@field value phial.Value? what it tests, without copies and refinements
---@field kinds integer? its kinds there
---@field branch phial.Value
---@field other phial.Block its other target
---@field before unused.Known?

---@class unused.Facts
---@field fn phial.Function
---@field solution phial.Solution
---@field blocks table<phial.Block, unused.Known|false> what is known at the start of blocks
local Facts = {}
Facts.__index = Facts

-- What is known after the branch of a block on the edge to another, given what was
-- known before.
local function after(from, to, before)
  local branch, yes, no = from:terminator(), table.unpack(from:succs())
  if branch:op() ~= "branch" or yes == no then return before end
  local known = { branch = branch, other = to == yes and no or yes, before = before }
  local test = tests.of(branch:args()[1])
  if test then
    known.value, known.kinds = tests.origin(test.value), to == yes and test.yes or test.no
  end
  return known
end

-- The only block from which control comes to this one, or nil.
function Facts:only_pred(block)
  local only
  for _, pred in ipairs(block:preds()) do
    if self.solution:is_taken(pred, block) then
      if only then return nil end
      only = pred
    end
  end
  return only
end

--- What is known in a block.
---@param block phial.Block
---@return unused.Known|false
function Facts:at(block)
  local path = {}
  while block and self.blocks[block] == nil do
    path[#path + 1] = block
    block = block:idom()
  end
  local known = block and self.blocks[block] or false
  for i = #path, 1, -1 do
    local pred = self:only_pred(path[i])
    if pred then known = after(pred, path[i], known) end
    self.blocks[path[i]] = known
  end
  return known
end

--- What is known on the edge from one block to another.
---@param from phial.Block
---@param to phial.Block
---@return unused.Known|false
function Facts:on_edge(from, to)
  return after(from, to, self:at(from))
end

--- The kinds of a value where something is known.
---@param value phial.Value
---@param known unused.Known|false
---@return integer
function Facts:kinds(value, known)
  local origin, kinds = tests.origin(value), self.solution:fact(value)
  while known do
    if known.value == origin then kinds = kinds & known.kinds end
    known = known.before
  end
  return kinds
end

--- The latest test that finds a value nil, or nil.
---@param value phial.Value without copies and refinements
---@param known unused.Known|false
---@return unused.Known?
function Facts.finding(value, known)
  while known and (known.value ~= value or known.kinds & tests.OTHER ~= 0) do
    known = known.before
  end
  return known or nil
end

--- The facts of a function.
---@param fn phial.Function
---@return unused.Facts
local function of(fn)
  return setmetatable({ fn = fn, solution = nilness.of(fn), blocks = {} }, Facts)
end

return { of = of }
