-- Checks names and types, and computes constants. Nodes get what the translation needs
-- of that: the symbol of a name, the type of an expression, its value if it is constant.
local constants = require "tinylang.constants"
local described = require("tinylang.scope").described

local INTEGER, BOOLEAN = constants.INTEGER, constants.BOOLEAN

---@class tinylang.Checker
---@field problems tinylang.Problems
---@field source while.Source
---@field scope tinylang.Scope
---@field owner tinylang.Symbol the procedure or module whose code this is
---@field is_constant boolean? true in the definition of a constant
local Checker = {}
Checker.__index = Checker

function Checker:wrong(at, message, ...)
  self.problems:add(self.source, at, message, ...)
end

local function name_of(node) return node[#node].text end

-- What an expression is, for messages.
local function what(node)
  if node.parenthesized then return "the expression in parentheses" end
  if node.tag == "number" then return "this number" end
  if node.tag == "qualified" then return described(node.symbol) end
  local op = node.tag == "call" and ("'%s'"):format(name_of(node.callee))
  return "the result of " .. (op or node.op:find "%a" and node.op or ("'%s'"):format(node.op))
end

--
-- {== Names ===========================================================
--

function Checker:resolve(node)
  node.symbol = self.scope:resolve(node, self.source, self.problems)
  return node.symbol
end

-- Variables of modules are accessible to all, others to their procedure only.
function Checker:check_access(symbol, at)
  local owner = symbol.owner
  if owner.kind == "procedure" and owner ~= self.owner then
    self:wrong(at, "%s belongs to '%s': procedures in it have no access, except as VAR parameter",
      described(symbol), owner.name)
  end
end

-- Computes a constant, in the scope of its definition.
local function compute(symbol, problems)
  if symbol.type or symbol.state then return end
  symbol.state = "computing"
  local checker = setmetatable({
    problems = problems, source = symbol.source, scope = symbol.scope, owner = symbol.owner,
    is_constant = true,
  }, Checker)
  local node = symbol.node.value
  checker:expression(node)
  symbol.type, symbol.value, symbol.state = node.type, node.value, "computed"
end

local named = {}

function named.variable(self, node, symbol)
  if self.is_constant then
    return self:wrong(node.at, "%s in the definition of a constant", described(symbol))
  end
  self:check_access(symbol, node.at)
  node.type = symbol.type
end

function named.constant(self, node, symbol)
  if symbol.state == "computing" then
    self:wrong(node.at, "constant '%s' depends on itself", symbol.name)
  end
  compute(symbol, self.problems)
  node.type, node.value = symbol.type, symbol.value
end

function named.procedure(self, node, symbol)
  self:wrong(node.at, "procedure '%s' is called with parentheses: %s()", symbol.name,
    self.source.text:sub(node.from, node.to - 1))
end

function named.module(self, node, symbol)
  self:wrong(node.at, "%s is not a value", described(symbol))
end

named.type = named.module

-- }== Expressions =====================================================

local expression = {}

--- Sets the node's type, and its value if that is known. A node without a type is wrong,
--- and that has been told.
function Checker:expression(node)
  expression[node.tag](self, node)
end

-- Checks an expression of which a type is expected.
function Checker:expect(node, type, by)
  self:expression(node)
  if node.type and type and node.type ~= type then
    self:wrong(node.at, "%s expected by %s, but %s is %s", type, by, what(node), node.type)
    return false
  end
  return node.type ~= nil
end

function expression.wrong() end

function expression.number(_, node) node.type = INTEGER end

function expression.qualified(self, node)
  local symbol = self:resolve(node)
  if symbol then named[symbol.kind](self, node, symbol) end
end

function expression.sign(self, node)
  self:expect(node.operand, INTEGER, ("'%s'"):format(node.op))
  node.type = INTEGER
  local value = node.operand.value
  if math.type(value) then node.value = node.op == "-" and -value or value end
end

expression["not"] = function(self, node)
  self:expect(node.operand, BOOLEAN, "NOT")
  node.type = BOOLEAN
  local value = node.operand.value
  if type(value) == "boolean" then node.value = not value end
end

-- A comparison next to AND or OR that has no parentheses.
local function hint(node, other)
  local op = other.tag == "qualified" or other.tag == "number"
  if (node.op == "AND" or node.op == "OR") and op and other.type == INTEGER then
    return (": comparisons next to %s need parentheses"):format(node.op)
  end
  return ""
end

local function operands_match(self, node)
  local left, right = node.left, node.right
  local wanted = constants.types(node.op)
  local by = node.op:find "%a" and node.op or ("'%s'"):format(node.op)
  self:expression(left)
  self:expression(right)
  if not (left.type and right.type) then return false end
  wanted = wanted or left.type
  for _, operand in ipairs { left, right } do
    if operand.type ~= wanted then
      self:wrong(operand.at, "%s expected by %s, but %s is %s%s", wanted, by, what(operand),
        operand.type, hint(node, operand))
      node.type = nil
      return false
    end
  end
  return true
end

-- A constant on the left can decide alone.
local function decided(node)
  local left = node.left.value
  if node.op == "AND" and left == false or node.op == "OR" and left == true then return left end
end

function expression.binary(self, node)
  if node.op == "/" then
    self:wrong(node.at, "'/' divides REALs, which the language does not have: use DIV")
  end
  node.type = select(2, constants.types(node.op))
  if not operands_match(self, node) then return end
  local left, right = node.left.value, node.right.value
  node.value = decided(node)
  if node.value ~= nil or left == nil or right == nil or node.op == "/" then return end
  local why
  node.value, why = constants.binary(node.op, left, right)
  if node.value == nil and self.is_constant then self:wrong(node.at, "%s", why) end
end

function expression.call(self, node)
  local symbol = self:call(node)
  if symbol and not symbol.node.result then
    self:wrong(node.at, "procedure '%s' returns nothing: it is not a value", symbol.name)
  elseif symbol and self.is_constant then
    self:wrong(node.at, "a call in the definition of a constant")
  end
  node.type = symbol and symbol.type
end

-- }== Calls ===========================================================

function Checker:var_argument(node, parameter, procedure)
  local by = ("VAR parameter '%s' of '%s'"):format(parameter.name, procedure.name)
  self:expression(node)
  if not node.type then return end
  local symbol = node.tag == "qualified" and not node.parenthesized and node.symbol
  if not symbol or symbol.kind ~= "variable" then
    self:wrong(node.at, "%s needs a variable, not %s", by, what(node))
  elseif parameter.type and node.type ~= parameter.type then
    self:wrong(node.at, "%s is %s, but %s is %s", by, parameter.type, what(node), node.type)
  else
    symbol.in_memory = symbol.owner.kind == "procedure" and not symbol.by_reference
  end
end

function Checker:argument(node, parameter, procedure)
  if parameter.by_reference then return self:var_argument(node, parameter, procedure) end
  self:expect(node, parameter.type,
    ("parameter '%s' of '%s'"):format(parameter.name, procedure.name))
end

-- The procedure of a call whose arguments are checked; nil if it calls something else.
function Checker:call(node)
  local symbol = self:resolve(node.callee)
  if symbol and symbol.kind ~= "procedure" then
    self:wrong(node.at, "%s is not a procedure", described(symbol))
    symbol = nil
  end
  local parameters, given = symbol and symbol.parameters or {}, node.arguments
  if symbol and #given ~= #parameters then
    self:wrong(node.at, "wrong number of arguments to '%s' (%d expected, got %d)", symbol.name,
      #parameters, #given)
  end
  for i, argument in ipairs(given) do
    if parameters[i] then
      self:argument(argument, parameters[i], symbol)
    else
      self:expression(argument)
    end
  end
  return symbol
end

-- }== Statements ======================================================

local statement = {}

function Checker:statements(list)
  for _, node in ipairs(list) do statement[node.tag](self, node) end
end

function statement.assign(self, node)
  local symbol = self:resolve(node.target)
  if symbol and symbol.kind ~= "variable" then
    self:wrong(node.target.at, "%s cannot be assigned to: it is not a variable", described(symbol))
    symbol = nil
  elseif symbol then
    self:check_access(symbol, node.target.at)
  end
  self:expect(node.value, symbol and symbol.type, symbol and described(symbol))
end

function statement.call(self, node)
  local symbol = self:call(node)
  if symbol and symbol.node.result then
    self:wrong(node.at, "'%s' returns a value, which nothing uses", symbol.name)
  end
end

statement["if"] = function(self, node)
  for _, part in ipairs(node) do
    self:expect(part.condition, BOOLEAN, "IF")
    self:statements(part.body)
  end
  if node.otherwise then self:statements(node.otherwise) end
end

statement["while"] = function(self, node)
  self:expect(node.condition, BOOLEAN, "WHILE")
  self:statements(node.body)
end

statement["return"] = function(self, node)
  local owner = self.owner
  local result = owner.kind == "procedure" and owner.node.result
  if node.value and not result then
    self:wrong(node.at, "%s returns nothing: RETURN without a value", described(owner))
    self:expression(node.value)
  elseif node.value then
    self:expect(node.value, owner.type, ("the RETURN of '%s'"):format(owner.name))
  elseif result then
    self:wrong(node.at, "RETURN needs a value: the result of '%s'", owner.name)
  end
end

-- }=====================================================================

local M = {}

--- Checks all code of a module or procedure.
---@param owner tinylang.Symbol
---@param problems tinylang.Problems
function M.check(owner, problems)
  for _, symbol in ipairs(owner.declared) do
    if symbol.kind == "constant" then compute(symbol, problems) end
    if symbol.kind == "procedure" then M.check(symbol, problems) end
  end
  local self = setmetatable({
    problems = problems, source = owner.source, scope = owner.scope, owner = owner,
  }, Checker)
  if owner.node.body then self:statements(owner.node.body) end
end

return M
