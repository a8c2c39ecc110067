-- Statements: each is read and emitted at once.
local Parser = require "minic.parser"
local types = require "minic.types"

-- How to read a statement, by the kind of its first token, which is passed.
local STATEMENTS <const> = {}

local function at_label(self) return self.token.kind == "name" and self:peek(1).kind == ":" end

--- A statement, or a declaration in a block.
function Parser:statement()
  local at = self.token
  self:locate(at)
  if at_label(self) then return self:label() end
  local read = STATEMENTS[at.kind]
  if read then return read(self, self:next()) end
  local e = self:expression()
  self.last = e.type.kind ~= "void" and (self.body.wants or e.type.volatile) and self:rvalue(e) or e
  self:expect ";"
end

-- {== Blocks and labels ===============================================

--- A block, after its opening brace.
function Parser:block()
  while not self:accept "}" do
    if not at_label(self)
      and (self:is_type(self.token) or self.token.kind == "_Static_assert") then
      self:locate(self.token)
      self:declaration()
    else
      self:statement()
    end
  end
end

-- Reads what is part of a statement, for which more is known of the body.
local function inner(self, known, read)
  local outer = self.body
  self.body = setmetatable(known, { __index = outer })
  read(self)
  self.body = outer
end

--- A block in an expression, as GNU C has it, after its opening brace; its value is that of its
--- last statement.
---@return minic.Operand
function Parser:statement_expression()
  self:check(self.body, nil, "no function is here to have statements")
  self.last = { type = types.void }
  inner(self, { wants = true }, function() self:scoped(self.block) end)
  return self.last
end

STATEMENTS["{"] = function(self) self:scoped(self.block) end

STATEMENTS[";"] = function() end

local function label_of(self, name)
  local labels, text = self.body.labels, name.text
  if not labels[text] then
    labels[text] = { block = self.fn:block(text), at = name }
    table.insert(labels, labels[text])
  end
  return labels[text]
end

-- Continues in the block of a label, with a statement, except at the end of a block of C.
local function labelled(self, block)
  self:enter(block)
  if self.token.kind == "}" then return end
  if self:is_type(self.token) then self:declaration() else self:statement() end
end

function Parser:label()
  local name = self:next()
  local label = label_of(self, name)
  self:check(not label.defined, name, "the label '%s' is defined already", name.text)
  label.defined = true
  self:expect ":"
  self:attributes()
  labelled(self, label.block)
end

-- Leaves to a block; what follows is not reached.
local function leave(self, block)
  self:expect ";"
  self.fn:jump(block)
  self:dead()
end

STATEMENTS["goto"] = function(self) leave(self, label_of(self, self:expect "name").block) end

-- }== Conditions and loops ============================================

local function condition(self)
  local at = self.token
  return self:truth(self:parenthesized(self.expression), at)
end

STATEMENTS["if"] = function(self)
  local yes, no, done = self:fork(condition(self))
  self.fn:set_current(yes)
  self:statement()
  self.fn:jump(done)
  self.fn:set_current(no)
  if self:accept "else" then self:statement() end
  self:enter(done)
  done:seal()
end

-- Seals the blocks of a loop, and continues in the last one.
local function close(self, ...)
  for _, block in ipairs { ... } do block:seal() end
  self.fn:set_current((select(-1, ...)))
end

-- A loop that begins with a test. Its step, if it has one, precedes the body in the text, and
-- follows it in the program: it is not sealed yet.
local function loop(self, name, test, step)
  local fn = self.fn
  local head, body, done = fn:block(name), fn:block(nil, 1), fn:block "done"
  local again = step and fn:block "step" or head
  self:enter(head)
  fn:branch(test(self), body, done)
  if step then
    fn:set_current(again)
    step(self)
    fn:jump(head)
    head:seal()
  end
  fn:set_current(body)
  inner(self, { breaks = done, continues = again }, self.statement)
  fn:jump(again)
  close(self, again, done)
end

STATEMENTS["while"] = function(self) loop(self, "while", condition) end

STATEMENTS["do"] = function(self)
  local fn = self.fn
  local body, test, done = fn:block "do", fn:block "while", fn:block "done"
  self:enter(body)
  inner(self, { breaks = done, continues = test }, self.statement)
  self:enter(test)
  test:seal()
  self:expect "while"
  fn:branch(condition(self), body, done)
  close(self, body, done)
  self:expect ";"
end

-- An expression that may be missing, and what ends it.
local function optional(self, ending)
  local e = self.token.kind ~= ending and self:expression() or nil
  self:expect(ending)
  return e
end

STATEMENTS["for"] = function(self)
  self:scoped(function()
    self:expect "("
    if self:is_type(self.token) then self:declaration() else optional(self, ";") end
    loop(self, "for", function()
      local e = optional(self, ";")
      return e and self:truth(e) or self.fn:const(true)
    end, function() optional(self, ")") end)
  end)
end

STATEMENTS["break"] = function(self, at)
  self:check(self.body.breaks, at, "nothing is here to break from")
  leave(self, self.body.breaks)
end

STATEMENTS["continue"] = function(self, at)
  self:check(self.body.continues, at, "no loop is here to continue")
  leave(self, self.body.continues)
end

STATEMENTS["return"] = function(self, at)
  local fn, type, e = self.fn, self.body.type.to, optional(self, ";")
  e = e and self:converted(e, type, at)
  if e and type.kind == "struct" then self:store({ type = type, at = fn:arg(1) }, e) end
  fn:ret(type.ir and (e and e.value or fn:undef(type.ir)) or nil)
  self:dead()
end

-- }== Switch ==========================================================

-- The cases are known after the body: only then the head gets its terminator.
STATEMENTS["switch"] = function(self, at)
  local fn, e = self.fn, self:promoted(self:parenthesized(self.expression))
  self:check(e.type.kind == "int", at, "'%s' is not an integer", e.type)
  local head, done = fn:current(), fn:block "done"
  local cases = { type = e.type, keys = {}, blocks = {} }
  self:dead()
  inner(self, { breaks = done, cases = cases }, self.statement)
  self:enter(done)
  fn:set_current(head)
  fn:switch(e.value, cases.default or done, cases.keys)
  table.insert(cases.blocks, done)
  close(self, table.unpack(cases.blocks))
end

-- `case` and `default`.
local function case(self, at)
  local cases = self.body.cases
  self:check(cases, at, "'%s' is not in a switch", at.text)
  local key = at.kind == "case" and self:integer_constant(cases.type) or nil
  self:expect ":"
  self:check(not (key and cases.keys[key] or not key and cases.default), at,
    "this case occurs twice")
  local block = self.fn:block(at.text)
  if key then cases.keys[key] = block else cases.default = block end
  table.insert(cases.blocks, block)
  labelled(self, block)
end

STATEMENTS.case, STATEMENTS.default = case, case

-- }=====================================================================
