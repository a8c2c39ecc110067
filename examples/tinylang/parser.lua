-- Tokens to tree, by recursive descent: a function for each rule of the grammar in
-- README.md.
--
-- Where a token is missing, this is noted, and parsing continues as if it were
-- present; what fits nowhere is skipped up to where a statement or declaration may
-- begin. So the mistakes of a file are found in one pass; of several at one token,
-- only the first is noted.
--
-- A node is { tag =, at =, ... }: `at` is the position for messages (of an
-- operation, that of its operator). An expression extends from `from` to before `to`.
local lexer = require "tinylang.lexer"

local DEEPEST = 500 -- so that no pass runs out of stack

---@class tinylang.Parser
---@field source while.Source
---@field tokens tinylang.Token[]
---@field token tinylang.Token the next one
---@field index integer of that
---@field depth integer
---@field too_deep boolean? nothing more is noted
---@field mistakes { at: integer, message: string }[]
local Parser = {}
Parser.__index = Parser

local function set(words)
  local all = {}
  for word in words:gmatch "%S+" do all[word] = true end
  return all
end

--
-- {== Tokens ==========================================================
--

function Parser:advance()
  local token = self.token
  self.index = self.index + 1
  self.token = self.tokens[self.index] or token
  return token
end

function Parser:text(token)
  return self.source.text:sub(token.at, token.to - 1)
end

function Parser:place(at)
  return ("%d:%d"):format(self.source:place(at))
end

function Parser:note(at, message, ...)
  local last = self.mistakes[#self.mistakes]
  if last and last.at >= at or self.too_deep then return end
  self.mistakes[#self.mistakes + 1] = { at = at, message = message:format(...) }
end

function Parser:missing(what)
  local token = self.token
  local found = token.kind == "end" and "the end of the file" or ("'%s'"):format(self:text(token))
  self:note(token.at, "expected %s, found %s", what, found)
end

function Parser:accept(kind)
  if self.token.kind == kind then return self:advance() end
end

function Parser:expect(kind)
  return self:accept(kind) or self:missing("'" .. kind .. "'")
end

-- Skips to a token of a set, or to the end.
function Parser:skip(kinds)
  while not kinds[self.token.kind] and self.token.kind ~= "end" do self:advance() end
end

-- A name as a node, also if it is missing.
function Parser:name(what)
  local token = self:accept "name"
  if token then return { tag = "name", at = token.at, text = self:text(token) } end
  self:missing(what or "a name")
  return { tag = "name", at = self.token.at, missing = true }
end

-- Calls a rule that can contain itself.
function Parser:nested(rule, ...)
  if self.depth == DEEPEST then
    self:note(self.token.at, "this is nested too deeply")
    self.too_deep = true
    self.index = #self.tokens
    self.token = self.tokens[self.index]
    return { tag = "wrong", at = self.token.at, from = self.token.at, to = self.token.at }
  end
  self.depth = self.depth + 1
  local node = rule(self, ...)
  self.depth = self.depth - 1
  return node
end

-- }== Expressions =====================================================

local RELATIONS = set "= # < <= > >="
local SUMS = set "+ - OR"
local PRODUCTS = set "* / DIV MOD AND"

-- Adds the end of an expression, which the token before the next one is.
function Parser:ended(node, from)
  node.from, node.to = from, self.tokens[math.max(self.index - 1, 1)].to
  return node
end

function Parser:operation(left, right_rule)
  local op = self:advance()
  local node = { tag = "binary", at = op.at, op = op.kind, left = left }
  node.right = right_rule(self)
  return self:ended(node, left.from)
end

function Parser:qualified_name()
  local first = self:name()
  local node = { tag = "qualified", at = first.at, first }
  while self:accept "." do node[#node + 1] = self:name() end
  return self:ended(node, first.at)
end

function Parser:arguments()
  local list = { at = self:advance().at }
  if self.token.kind ~= ")" then
    repeat list[#list + 1] = self:nested(self.expression) until not self:accept ","
  end
  self:expect ")"
  return list
end

function Parser:name_or_call()
  local name = self:qualified_name()
  if self.token.kind ~= "(" then return name end
  local node = { tag = "call", at = name.at, callee = name, arguments = self:arguments() }
  return self:ended(node, name.from)
end

function Parser:parenthesized()
  local from = self:advance().at
  local inner = self:nested(self.expression)
  inner.parenthesized = true
  self:expect ")"
  return self:ended(inner, from)
end

function Parser:unary(tag, operand_rule)
  local op = self:advance()
  return self:ended({ tag = tag, at = op.at, op = op.kind, operand = self:nested(operand_rule) },
    op.at)
end

function Parser:factor()
  local token = self.token
  if token.kind == "number" then
    self:advance()
    return self:ended({ tag = "number", at = token.at, value = token.value }, token.at)
  end
  if token.kind == "name" then return self:name_or_call() end
  if token.kind == "(" then return self:parenthesized() end
  if token.kind == "NOT" then return self:unary("not", self.factor) end
  self:missing "an expression"
  return self:ended({ tag = "wrong", at = token.at }, token.at)
end

function Parser:term()
  local left = self:factor()
  while PRODUCTS[self.token.kind] do left = self:operation(left, self.factor) end
  return left
end

function Parser:sum()
  local sign = self.token.kind
  local left = (sign == "+" or sign == "-") and self:unary("sign", self.term) or self:term()
  while SUMS[self.token.kind] do left = self:operation(left, self.term) end
  return left
end

function Parser:expression()
  local left = self:sum()
  if RELATIONS[self.token.kind] then left = self:operation(left, self.sum) end
  while RELATIONS[self.token.kind] do
    self:note(self.token.at, "a second comparison: next to AND and OR they need parentheses")
    left = self:operation(left, self.sum)
  end
  return left
end

-- }== Statements ======================================================

local STARTERS = set "name IF WHILE RETURN ;"
local FOLLOWERS = set "END ELSE ELSIF BEGIN CONST VAR PROCEDURE MODULE end"
local AFTER_NAME = set ":= ( ."
local RESUME = set "; IF WHILE RETURN END ELSE ELSIF BEGIN CONST VAR PROCEDURE MODULE"

local statement = {}

-- The END of a statement. One with a name ends the procedure or module: then the
-- statement's own is missing.
function Parser:end_of(what, at)
  local after = self.tokens[self.index + 1]
  if self.token.kind == "END" and not (after and after.kind == "name") then
    return self:advance()
  end
  if self.token.kind == "END" then
    return self:note(self.token.at, "expected 'END' of the %s at %s first", what, self:place(at))
  end
  self:missing(("'END' of the %s at %s"):format(what, self:place(at)))
end

function statement.name(self)
  local name = self:qualified_name()
  local token = self.token
  if token.kind == "=" then
    self:note(token.at, "'=' compares: use ':=' to assign")
    self:advance()
  elseif token.kind ~= ":=" then
    local arguments = token.kind == "(" and self:arguments() or { at = name.at }
    return { tag = "call", at = name.at, callee = name, arguments = arguments }
  else
    self:advance()
  end
  return { tag = "assign", at = token.at, target = name, value = self:expression() }
end

function statement.IF(self)
  local at = self.token.at
  local node = { tag = "if", at = at }
  repeat
    local part = { at = self:advance().at, condition = self:expression() }
    self:expect "THEN"
    part.body = self:statements()
    node[#node + 1] = part
  until self.token.kind ~= "ELSIF"
  if self:accept "ELSE" then node.otherwise = self:statements() end
  self:end_of("IF", at)
  return node
end

function statement.WHILE(self)
  local at = self:advance().at
  local node = { tag = "while", at = at, condition = self:expression() }
  self:expect "DO"
  node.body = self:statements()
  self:end_of("WHILE", at)
  return node
end

function statement.RETURN(self)
  local node = { tag = "return", at = self:advance().at }
  if self.token.kind ~= ";" and not FOLLOWERS[self.token.kind] then
    node.value = self:expression()
  end
  return node
end

-- True if the next tokens begin a statement, whatever precedes them.
function Parser:starts_statement()
  local after = self.tokens[self.index + 1]
  return statement[self.token.kind] and (self.token.kind ~= "name" or AFTER_NAME[after.kind])
end

-- Statements, of which each can be empty.
function Parser:statement_list()
  local list = { tag = "statements", at = self.token.at }
  while true do
    local rule = statement[self.token.kind]
    if rule then
      list[#list + 1] = rule(self)
    elseif not STARTERS[self.token.kind] and not FOLLOWERS[self.token.kind] then
      self:missing "a statement"
    end
    if not self:accept ";" then
      if FOLLOWERS[self.token.kind] then return list end
      self:missing "';'"
      if not self:starts_statement() then self:skip(RESUME) end
      self:accept ";"
    end
  end
end

function Parser:statements() return self:nested(self.statement_list) end

-- }== Declarations ====================================================

local DECLARATIONS = set "CONST VAR PROCEDURE"
local SECTIONS = set "CONST VAR PROCEDURE BEGIN END MODULE end"
local AFTER_DECLARATION = set "; CONST VAR PROCEDURE BEGIN END MODULE"

local declaration = {}

function Parser:names()
  local list = {}
  repeat list[#list + 1] = self:name() until not self:accept ","
  return list
end

-- The semicolon after a declaration.
function Parser:close()
  if self:accept ";" then return end
  self:missing "';'"
  self:skip(AFTER_DECLARATION)
  self:accept ";"
end

function declaration.CONST(self, list)
  self:advance()
  while not SECTIONS[self.token.kind] do
    local name = self:name()
    self:expect "="
    list[#list + 1] = { tag = "constant", at = name.at, name = name, value = self:expression() }
    self:close()
  end
end

-- Names and their type.
function Parser:typed_names(tag)
  local node = { tag = tag, at = self.token.at, names = self:names() }
  self:expect ":"
  node.type = self:qualified_name()
  return node
end

function declaration.VAR(self, list)
  self:advance()
  while not SECTIONS[self.token.kind] do
    list[#list + 1] = self:typed_names "variables"
    self:close()
  end
end

function Parser:parameters()
  local list = {}
  self:advance()
  if self.token.kind ~= ")" then
    repeat
      local by_reference = self:accept "VAR" ~= nil
      local group = self:typed_names "parameters"
      group.by_reference = by_reference
      list[#list + 1] = group
    until not self:accept ";"
  end
  self:expect ")"
  return list
end

function declaration.PROCEDURE(self, list)
  self:advance()
  local name = self:name "the procedure's name"
  local node = { tag = "procedure", at = name.at, name = name, parameters = {} }
  if self.token.kind == "(" then node.parameters = self:parameters() end
  if self:accept ":" then node.result = self:qualified_name() end
  self:close()
  self:nested(self.block, node)
  self:close()
  list[#list + 1] = node
end

-- Declarations, statements, and END with the name.
function Parser:block(node)
  node.declarations = {}
  while self.token.kind ~= "BEGIN" and self.token.kind ~= "END" do
    if not DECLARATIONS[self.token.kind] then
      self:missing "a declaration, 'BEGIN' or 'END'"
      self:skip(SECTIONS)
    end
    local rule = declaration[self.token.kind]
    if not rule then break end
    rule(self, node.declarations)
  end
  node.statements_at = self.token.at
  if self:accept "BEGIN" then node.body = self:statements() end
  self:expect "END"
  self:ending(node)
  return node
end

function Parser:ending(node)
  local name = node.name
  local ending = self:name(name.missing and "a name" or ("'%s'"):format(name.text))
  node.ending = ending.at
  if not ending.missing and not name.missing and ending.text ~= name.text then
    self:note(ending.at, "'%s' began at %s, but '%s' ends here", name.text, self:place(name.at),
      ending.text)
  end
end

-- }== Modules =========================================================

function Parser:import()
  local node = { at = self.token.at }
  if self:accept "FROM" then node.from = self:name "a module's name" end
  self:expect "IMPORT"
  node.names = self:names()
  self:close()
  return node
end

function Parser:module()
  self:expect "MODULE"
  local name = self:name "the module's name"
  local node = { tag = "module", at = name.at, name = name, imports = {} }
  self:close()
  while self.token.kind == "FROM" or self.token.kind == "IMPORT" do
    node.imports[#node.imports + 1] = self:import()
  end
  self:block(node)
  self:expect "."
  return node
end

local MODULE = set "MODULE"

function Parser:file()
  local modules = {}
  repeat
    modules[#modules + 1] = self:module()
    if self.token.kind ~= "end" and self.token.kind ~= "MODULE" then
      self:missing "'MODULE' or the end of the file"
      self:skip(MODULE)
    end
  until self.token.kind == "end"
  return modules
end

-- }=====================================================================

local M = {}

--- The modules of a file, and its mistakes: without any, the trees are complete.
---@param source while.Source
---@return table[] modules
---@return tinylang.Mistakes mistakes
function M.parse(source)
  local tokens, mistakes = lexer.tokens(source.text)
  local self = setmetatable({
    source = source, tokens = tokens, token = tokens[1], index = 1, depth = 0, mistakes = {},
  }, Parser)
  local modules = self:file()
  if mistakes.cut then return modules, mistakes end
  table.move(self.mistakes, 1, #self.mistakes, #mistakes + 1, mistakes)
  return modules, mistakes
end

return M
