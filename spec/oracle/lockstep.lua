-- Executes a random program over its variables and in SSA form at once, along any path, and
-- compares after each step: the value of a variable in the source is that of its SSA name.
-- This is the theorem `equiv` of Ullrich (Verified Construction of Static Single Assignment
-- Form), and values are symbolic as there: a value is the number of the step that computed
-- it, so that two executions of one definition differ.
local interpret = require "spec.oracle.programs"
local programs = require "spec.support.programs"

local value_of = interpret.value_of

local M = {}

---@class lockstep.Run
---@field program rnd.Program
---@field vars integer[] the source: what each variable contains
---@field env table<phial.Value, integer> the SSA form: what each name contains
---@field block table the block in SSA form
---@field at integer the instructions of it that have been executed
---@field clock integer the step
---@field place string
---@field compared integer the number of comparisons
local Run = {}
Run.__index = Run

function Run:fail(format, ...)
  error(("step %d, %s: "):format(self.clock, self.place) .. format:format(...), 0)
end

-- The next instruction, which has this op.
function Run:take(op)
  self.at = self.at + 1
  local it = self.block.insts[self.at]
  if not it or it.op ~= op then self:fail("%s expected, got %s", op, it and it.op) end
  return it
end

-- Compares a variable with the operand that is its name.
function Run:same(var, name)
  local got = value_of(self.env, name)
  self.compared = self.compared + 1
  if got ~= self.vars[var] then
    self:fail("v%d is %d, its name %s is %d", var, self.vars[var], name.of or "undef", got)
  end
end

-- The copy of a write, if the function has them.
function Run:copied(var)
  local following = self.block.insts[self.at + 1]
  if not following or following.op ~= "copy" then return end
  local copy = self:take "copy"
  self:same(var, copy.args[1])
  self.env[copy.inst] = self.vars[var]
end

function Run:states()
  local following = self.block.insts[self.at + 1]
  if not following or following.op ~= "rnd.state" then return end
  for var, name in ipairs(self:take "rnd.state".args) do self:same(var, name) end
end

local step = {}

function step.init(self, op)
  self.env[self:take "rnd.mix".inst] = self.clock
  self.vars[op.var] = self.clock
  self:copied(op.var)
end

function step.write(self, op)
  local operands = self:take "rnd.mix"
  self:same(op.a, operands.args[1])
  self:same(op.b, operands.args[2])
  self.env[operands.inst] = -self.clock -- not yet the variable's
  step.init(self, op)
end

function step.copy(self, op)
  self.vars[op.var] = self.vars[op.a]
  self:copied(op.var)
end

function step.use(self, op)
  self:same(op.a, self:take "rnd.use".args[1])
end

-- Executes a block up to its terminator.
function Run:execute(source)
  self:states()
  for _, op in ipairs(source) do
    self.clock = self.clock + 1
    step[op.op](self, op)
    self:states()
  end
  self.clock = self.clock + 1
  if #source.targets == 0 then
    step.use(self, { a = source.cond })
  else
    self:same(source.cond, self.block.last.args[1])
  end
end

--- Follows one path; raises where the two differ.
---@param program rnd.Program
---@param fn phial.Function its SSA form, blocks in the program's order
---@param choose fun(n: integer): integer the edge to follow
---@param blocks integer the length of the path
---@return integer compared
function M.follow(program, fn, choose, blocks)
  local self = setmetatable({ program = program, vars = {}, env = {}, clock = 0, compared = 0 },
    Run)
  for var = 1, program.vars do self.vars[var] = programs.UNDEFINED end
  local here, at = fn:entry(), 1
  self.block = interpret.read_block(here)
  for _ = 1, blocks do
    local source = program.blocks[at]
    self.at, self.place = 0, "b" .. at
    self:execute(source)
    if #source.targets == 0 then break end
    local way = choose(#source.targets)
    local edge = self.block.edges[way]
    at = source.targets[way]
    if edge.to:id() ~= at then self:fail("goes to %s, not to b%d", edge.to, at) end
    self.block = interpret.read_block(edge.to)
    interpret.enter(self.env, self.block, edge.index)
  end
  return self.compared
end

return M
