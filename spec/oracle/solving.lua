-- What fn:solve has to find, without worklists: everything is evaluated again and again, from
-- scratch, until nothing changes.
local M = {}

-- Which edge of its predecessor each edge into a block is: by operand of a phi, {block, n}.
local function edges_into(block)
  local list, met = {}, {}
  for i, from in ipairs(block:preds()) do
    met[from] = (met[from] or 0) + 1
    local left = met[from]
    for n, to in ipairs(from:succs()) do
      left = left - (to == block and 1 or 0)
      if left == 0 then
        list[i] = { from, n }
        break
      end
    end
  end
  return list
end

local Run = {}
Run.__index = Run

local function new(fn, problem)
  local run = setmetatable({ fn = fn, problem = problem, facts = {}, taken = {}, into = {} }, Run)
  for b in fn:blocks() do
    run.taken[b], run.into[b] = {}, edges_into(b)
  end
  return run
end

local LEAVES = { const = true, param = true, undef = true }

function Run:equal(a, b)
  if self.problem.equal then return self.problem.equal(a, b) end
  return a == b
end

function Run:of(v)
  v = v:now()
  if self.problem.direction ~= "backward" and LEAVES[v:op()] then return self:transfer(v) end
  if self.facts[v] == nil then return self.problem.bottom end
  return self.facts[v]
end

function Run:asking(v)
  return function(which)
    return self:of(math.type(which) and v:args()[which] or which)
  end
end

function Run:transfer(v)
  local transfer = self.problem.transfer
  return (transfer[v:op()] or transfer.default)(v, self:asking(v))
end

function Run:joined(sum, fact)
  if self:equal(fact, self.problem.bottom) then return sum end
  if self:equal(sum, self.problem.bottom) then return fact end
  return self.problem.join(sum, fact)
end

function Run:set(v, fact)
  if self:equal(self:of(v), fact) then return end
  self.facts[v:now()] = fact
  self.changed = true
end

function Run:phi(v)
  local sum, into = self.problem.bottom, self.into[v:block()]
  for i, arg in ipairs(v:args()) do
    if self.taken[into[i][1]][into[i][2]] then sum = self:joined(sum, self:of(arg)) end
  end
  return sum
end

function Run:reached(block)
  if block == self.fn:entry() then return true end
  for _, edge in ipairs(self.into[block]) do
    if self.taken[edge[1]][edge[2]] then return true end
  end
  return false
end

function Run:edges(block)
  local ask, last = self.problem.edge, block:terminator()
  for n, to in ipairs(block:succs()) do
    local takes = not ask or ask(block, to, self:asking(last), n)
    if takes and not self.taken[block][n] then
      self.taken[block][n], self.changed = true, true
    end
  end
end

-- Adds what v says about its operands.
function Run:back(v)
  local results = v:op() == "phi" and { self:of(v) } or { self:transfer(v) }
  for i, arg in ipairs(v:args()) do
    local edge = v:op() == "phi" and self.into[v:block()][i]
    if not edge or self.taken[edge[1]][edge[2]] then
      self:set(arg, self:joined(self:of(arg), results[math.min(i, #results)]))
    end
  end
end

function Run:round()
  self.changed = false
  for b in self.fn:blocks() do
    if self:reached(b) then
      for _, v in ipairs(b:phis()) do
        if self.problem.direction == "backward" then self:back(v) else self:set(v, self:phi(v)) end
      end
      for _, v in ipairs(b:insts()) do
        if self.problem.direction == "backward" then
          self:back(v)
        elseif v:type() then
          self:set(v, self:transfer(v))
        end
      end
      self:edges(b)
    end
  end
end

--- Solves a problem. The result has of(v), reached(block) and taken[block][n].
---@param fn phial.Function
---@param problem phial.Problem
function M.solve(fn, problem)
  local run = new(fn, problem)
  repeat run:round() until not run.changed
  return run
end

--- Raises unless a solution says the same about all values, blocks and edges.
---@param fn phial.Function
---@param problem phial.Problem
---@param solution phial.Solution
function M.compare(fn, problem, solution)
  local run = M.solve(fn, problem)
  local function same(v)
    local a, b = run:of(v), solution:fact(v)
    if not run:equal(a, b) then
      error(("%s: %s, not %s, in\n%s"):format(tostring(v), tostring(a), tostring(b), fn))
    end
  end
  for v in fn:values() do
    same(v)
    for _, arg in ipairs(v:args()) do same(arg) end
  end
  for b in fn:blocks() do
    assert(run:reached(b) == solution:is_taken(b), b)
    local met = {}
    for n, to in ipairs(b:succs()) do
      met[to] = (met[to] or 0) + 1
      assert((run.taken[b][n] or false) == solution:is_taken(b, to, met[to]), to)
    end
  end
end

return M
