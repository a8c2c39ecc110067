-- Tree to SSA form, a procedure at a time, in one walk: each statement is emitted into
-- the function's current block, makes the blocks that it needs, and leaves the last of them
-- as the current block.
--
-- A local variable is a variable of phial: read and written, never in memory (the
-- algorithm of Braun et al. makes the phis). What has an address is loaded and stored:
-- the variables of modules, what a VAR parameter refers to, and the locals that are
-- passed as VAR somewhere.
local places = require "tinylang.places"

---@class tinylang.Translation
---@field fn phial.Function
---@field owner tinylang.Symbol the procedure or module whose code this is
---@field functions table<tinylang.Symbol, phial.Function>
---@field source while.Source
---@field places tinylang.Places where variables are
---@field tests table<phial.Block, table> the condition that ends a block
---@field last phial.Block the block at the end of the text
local Translation = {}
Translation.__index = Translation

-- The function, where whatever is emitted next has this position.
function Translation:here(at)
  local line, col = self.source:place(at)
  return self.fn:set_loc(line, col, self.source.path)
end

-- A block whose name consists of its purpose and the line.
function Translation:new_block(what, node)
  return self.fn:block(what .. self.source:place(node.at))
end

-- Nothing more jumps to this block: continues in it.
function Translation:go_on(block)
  block:seal()
  self.fn:set_current(block)
end

--
-- {== Expressions =====================================================
--

local OPS = {
  ["+"] = "add", ["-"] = "sub", ["*"] = "mul", DIV = "sdiv", MOD = "srem",
  ["="] = "eq", ["#"] = "ne", ["<"] = "slt", ["<="] = "sle", [">"] = "sgt", [">="] = "sge",
}

local value = {}

function Translation:value(node)
  if node.value ~= nil then return self.fn:const(node.value) end
  return value[node.tag](self, node)
end

function value.qualified(self, node)
  self:here(node.at)
  return self.places:read(node.symbol)
end

function value.sign(self, node)
  local operand = self:value(node.operand)
  return node.op == "-" and self:here(node.at):neg(operand) or operand
end

value["not"] = function(self, node)
  local operand = self:value(node.operand)
  return self:here(node.at):bnot(operand)
end

-- The right operand of AND and OR has a block of its own: it is not evaluated if the
-- left one decides.
local function short_circuit(self, node)
  local result = self.fn:var(node.op:lower(), "i1")
  local left = self:value(node.left)
  local second, join = self:new_block(node.op:lower(), node), self:new_block("join", node)
  self:here(node.at):write(result, node.op == "OR")
  if node.op == "AND" then
    self.fn:branch(left, second, join)
  else
    self.fn:branch(left, join, second)
  end
  self:go_on(second)
  self.fn:write(result, self:value(node.right))
  self.fn:jump(join)
  self:go_on(join)
  return self.fn:read(result)
end

function value.binary(self, node)
  if node.op == "AND" or node.op == "OR" then return short_circuit(self, node) end
  local left, right = self:value(node.left), self:value(node.right)
  return self:here(node.at):emit(OPS[node.op], left, right)
end

function value.call(self, node)
  local procedure, arguments = node.callee.symbol, {}
  for i, argument in ipairs(node.arguments) do
    if procedure.parameters[i].by_reference then
      self:here(argument.at)
      arguments[i] = self.places:lend(argument.symbol)
    else
      arguments[i] = self:value(argument)
    end
  end
  return self:here(node.at):call(self.functions[procedure], nil, table.unpack(arguments))
end

-- }== Conditions ======================================================

-- Control goes to `yes` if the condition holds, else to `no`; other blocks may jump
-- there, too.
function Translation:condition(node, yes, no)
  if node.value ~= nil then
    self:here(node.at):jump(node.value and yes or no)
  elseif node.tag == "not" then
    self:condition(node.operand, no, yes)
  elseif node.op == "AND" or node.op == "OR" then
    local second = self:new_block(node.op:lower(), node)
    if node.op == "AND" then
      self:condition(node.left, second, no)
    else
      self:condition(node.left, yes, second)
    end
    self:go_on(second)
    self:condition(node.right, yes, no)
  else
    local holds = self:value(node)
    self.tests[self.fn:current()] = node
    self:here(node.at):branch(holds, yes, no)
  end
end

-- }== Statements ======================================================

local statement = {}

function Translation:statements(list)
  for _, node in ipairs(list) do statement[node.tag](self, node) end
end

function statement.assign(self, node)
  local assigned = self:value(node.value)
  self:here(node.at)
  self.places:write(node.target.symbol, assigned)
end

statement.call = value.call

statement["if"] = function(self, node)
  local join
  for i, part in ipairs(node) do
    local yes = self:new_block("then", part)
    join = join or self:new_block("join", node)
    local no = (node[i + 1] or node.otherwise) and self:new_block("else", part) or join
    self:condition(part.condition, yes, no)
    self:go_on(yes)
    self:statements(part.body)
    self.fn:jump(join)
    if no ~= join then self:go_on(no) end
  end
  if node.otherwise then
    self:statements(node.otherwise)
    self.fn:jump(join)
  end
  self:go_on(join)
end

statement["while"] = function(self, node)
  local head, body = self:new_block("while", node), self:new_block("do", node)
  local done = self:new_block("done", node)
  self:here(node.at):jump(head)
  self.fn:set_current(head)
  self:condition(node.condition, body, done)
  self:go_on(body)
  self:statements(node.body)
  self.fn:jump(head)
  head:seal()
  self:go_on(done)
end

-- What follows a RETURN goes into a block that nothing reaches.
statement["return"] = function(self, node)
  local result = node.value and self:value(node.value)
  self:here(node.at):ret(result)
  self.fn:set_current(self.fn:block(nil, 0))
end

-- }=====================================================================

local M = {}

--- Translates the code of a procedure, or of a module.
---@param fn phial.Function without code; finished afterwards
---@param owner tinylang.Symbol
---@param functions table<tinylang.Symbol, phial.Function> of all procedures
---@param globals table<tinylang.Symbol, phial.Global>
---@return tinylang.Translation
function M.translate(fn, owner, functions, globals)
  fn:set_current(fn:entry())
  local self = setmetatable({
    fn = fn, owner = owner, functions = functions, source = owner.source,
    places = places.new(fn, owner, globals), tests = {},
  }, Translation)
  if owner.node.body then self:statements(owner.node.body) end
  self:here(owner.node.ending)
  self.last = fn:current()
  if fn:result() then fn:unreachable() else fn:ret() end
  fn:finish()
  return self
end

return M
