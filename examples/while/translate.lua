-- Tree to SSA form, in one walk and without an intermediate control-flow graph:
-- each statement is emitted into the function's current block, makes the blocks that
-- it needs, and leaves the last of them as the current block.
--
-- A block is sealed as soon as nothing more can jump to it.  Only the head of
-- a loop has to wait, because the jump back to it comes after the body.
--
-- Booleans are never values: a condition is translated into jumps to one of two
-- blocks, `and` and `or` into a second test.
local phial = require "phial"

---@class while.Translation
---@field fn phial.Function
---@field vars table<string, phial.Variable>
---@field source while.Source
---@field tree table
---@field reads table<table, phial.Value> the value that each name reads, by its node
---@field assigned table<string, boolean> the names that are assigned somewhere
---@field tests table<phial.Block, table> the condition that ends a block
local Translation = {}
Translation.__index = Translation

-- The function, where whatever is emitted next has the node's position.
function Translation:here(node)
  return self.fn:set_loc(self.source:place(node.at))
end

function Translation:var(name)
  local var = self.vars[name] or self.fn:var(name)
  self.vars[name] = var
  return var
end

-- A block whose name consists of its purpose and the line.
function Translation:new_block(what, node)
  return self.fn:block(what .. self.source:place(node.from))
end

-- Nothing more jumps to this block: continues in it.
function Translation:go_on(block)
  block:seal()
  self.fn:set_current(block)
end

-- {== Expressions =======================================================

local value = {}
local OPS = { ["+"] = "add", ["-"] = "sub", ["*"] = "mul", ["/"] = "sdiv", ["%"] = "srem" }

function Translation:value(node)
  return value[node.tag](self, node)
end

function value.number(_, node)
  return node[1] -- Lua integers are operands
end

function value.name(self, node)
  local read = self:here(node):read(self:var(node[1]))
  self.reads[node] = read
  return read
end

function value.negate(self, node)
  local inner = self:value(node[1])
  return self:here(node):neg(inner)
end

function value.arithmetic(self, node)
  local left, right = self:value(node[1]), self:value(node[2])
  return self:here(node):emit(OPS[node.op], left, right)
end

-- }== Conditions ========================================================

local condition = {}
local TESTS = {
  ["="] = "eq", ["!="] = "ne", ["<"] = "slt", ["<="] = "sle", [">"] = "sgt", [">="] = "sge",
}

-- Control goes to `yes` if the condition holds, else to `no`; other blocks may jump
-- there, too.
function Translation:condition(node, yes, no)
  condition[node.tag](self, node, yes, no)
end

function condition.boolean(self, node, yes, no)
  self:here(node):jump(node[1] and yes or no)
end

function condition.comparison(self, node, yes, no)
  local left, right = self:value(node[1]), self:value(node[2])
  self.tests[self.fn:current()] = node
  self:here(node):branch(self.fn:emit(TESTS[node.op], left, right), yes, no)
end

condition["not"] = function(self, node, yes, no)
  self:condition(node[1], no, yes)
end

function condition.both(self, node, yes, no)
  local second = self:new_block("and", node)
  self:condition(node[1], second, no)
  self:go_on(second)
  self:condition(node[2], yes, no)
end

function condition.either(self, node, yes, no)
  local second = self:new_block("or", node)
  self:condition(node[1], yes, second)
  self:go_on(second)
  self:condition(node[2], yes, no)
end

-- }== Statements ========================================================

local statement = {}

function Translation:statement(node)
  statement[node.tag](self, node)
end

function statement.skip() end

function statement.block(self, node)
  for _, part in ipairs(node) do self:statement(part) end
end

function statement.assign(self, node)
  local assigned = self:value(node[2])
  self:here(node):write(self:var(node[1]), assigned)
  self.assigned[node[1]] = true
end

function statement.print(self, node)
  local printed = self:value(node[1])
  self:here(node):call("print", false, printed)
end

statement["if"] = function(self, node)
  local yes, join = self:new_block("then", node), self:new_block("join", node)
  local no = node[3] and self:new_block("else", node) or join
  self:condition(node[1], yes, no)
  self:go_on(yes)
  self:statement(node[2])
  self.fn:jump(join)
  if node[3] then
    self:go_on(no)
    self:statement(node[3])
    self.fn:jump(join)
  end
  self:go_on(join)
end

statement["while"] = function(self, node)
  local head, body = self:new_block("while", node), self:new_block("do", node)
  local done = self:new_block("done", node)
  self:here(node):jump(head)
  self.fn:set_current(head)
  self:condition(node[1], body, done)
  self:go_on(body)
  self:statement(node[2])
  self.fn:jump(head)
  head:seal()
  self:go_on(done)
end

-- }======================================================================

local M = {}

--- Translates a tree without mistakes. The function's parameters are the variables
--- that have a value at the start.
---@param source while.Source
---@param tree table
---@param name string
---@param given string[]
---@param opts? phial.Options
---@return while.Translation
function M.translate(source, tree, name, given, opts)
  local options = { rules = false } -- shows the program as it is written
  for option, given_one in pairs(opts or {}) do options[option] = given_one end
  local fn = phial.fn(name, given, nil, options)
  local self = setmetatable({
    fn = fn, vars = {}, source = source, tree = tree, reads = {}, tests = {}, assigned = {},
  }, Translation)
  for i, var in ipairs(fn:params()) do self.vars[given[i]] = var end
  fn:set_current(fn:entry())
  self:statement(tree)
  fn:ret()
  fn:finish()
  return self
end

return M
