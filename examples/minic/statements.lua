-- Statements: each is read and emitted at once.
local Parser = require "minic.parser"
local types = require "minic.types"

local STATEMENTS <const> = {}

--- A statement, or a declaration in a block.
function Parser:statement()
  local at = self.token
  self:locate(at)
  if at.kind == "name" and self:peek(1).kind == ":" then return self:label() end
  local read = STATEMENTS[at.kind]
  if read then return read(self, self:next()) end
  local e = self:expression()
  self.last = e.type.kind ~= "void" and (self.body.wants or e.type.volatile) and self:rvalue(e) or e
  self:expect ";"
end

-- {== Blocks and labels ===============================================

--- A block; the next token is its opening brace.
function Parser:block()
  self:expect "{"
  while not self:accept "}" do
    local is_label = self.token.kind == "name" and self:peek(1).kind == ":"
    if (self:is_type(self.token) or self.token.kind == "_Static_assert") and not is_label then
      self:locate(self.token)
      self:declaration()
    else
      self:statement()
    end
  end
end

--- A block in an expression, as GNU C has it; its value is that of its last statement.
---@return minic.Operand
function Parser:statement_expression()
  if not self.body then self:problem(nil, "no function is here to have statements") end
  local wanted = self.body.wants
  self.body.wants = true
  self.last = { type = types.void }
  self:scoped(function() self:block() end)
  self.body.wants = wanted
  return self.last
end

STATEMENTS["{"] = function(self)
  self:go_to(self.at - 1)
  self:scoped(function() self:block() end)
end

STATEMENTS[";"] = function() end

local function label_of(self, name)
  local labels = self.body.labels
  labels[name.text] = labels[name.text] or { block = self.fn:block(name.text), at = name }
  return labels[name.text]
end

-- What follows a label: a statement, except at the end of a block.
local function labelled(self)
  if self.token.kind ~= "}" then
    if self:is_type(self.token) then self:declaration() else self:statement() end
  end
end

function Parser:label()
  local name = self:next()
  local label = label_of(self, name)
  if label.defined then self:problem(name, "the label '%s' is defined already", name.text) end
  label.defined = true
  self:expect ":"
  self:attributes()
  self:enter(label.block)
  labelled(self)
end

STATEMENTS["goto"] = function(self)
  local label = label_of(self, self:expect "name")
  self:expect ";"
  self.fn:jump(label.block)
  self:dead()
end

-- }== Conditions and loops ============================================

local function condition(self)
  local at = self:expect "("
  local value = self:truth(self:expression(), at)
  self:expect ")"
  return value
end

STATEMENTS["if"] = function(self)
  local fn, test = self.fn, condition(self)
  local yes, no, done = fn:block(nil, 1), fn:block(nil, 1), fn:block()
  fn:branch(test, yes, no)
  fn:set_current(yes)
  self:statement()
  fn:jump(done)
  fn:set_current(no)
  if self:accept "else" then self:statement() end
  self:enter(done)
  done:seal()
end

-- The body of a loop or switch, with the blocks that break and continue lead to.
local function inner(self, breaks, continues)
  local body = self.body
  local outer_break, outer_continue = body.breaks, body.continues
  body.breaks, body.continues = breaks, continues or outer_continue
  self:statement()
  body.breaks, body.continues = outer_break, outer_continue
end

STATEMENTS["while"] = function(self)
  local fn = self.fn
  local head, body, done = fn:block "while", fn:block(nil, 1), fn:block "done"
  self:enter(head)
  fn:branch(condition(self), body, done)
  fn:set_current(body)
  inner(self, done, head)
  fn:jump(head)
  head:seal()
  done:seal()
  fn:set_current(done)
end

STATEMENTS["do"] = function(self)
  local fn = self.fn
  local body, test, done = fn:block "do", fn:block "while", fn:block "done"
  self:enter(body)
  inner(self, done, test)
  self:enter(test)
  test:seal()
  if not self:accept "while" then self:expect "while" end
  fn:branch(condition(self), body, done)
  body:seal()
  done:seal()
  fn:set_current(done)
  self:expect ";"
end

local function for_start(self)
  if self:is_type(self.token) then return self:declaration() end
  if self.token.kind ~= ";" then self:expression() end
  self:expect ";"
end

-- The step precedes the body in the text, and follows it in the program: it is not sealed yet.
local function for_loop(self)
  local fn = self.fn
  local head, step, body, done = fn:block "for", fn:block "step", fn:block(nil, 1), fn:block "done"
  self:expect "("
  for_start(self)
  self:enter(head)
  if self.token.kind == ";" then
    fn:jump(body)
  else
    fn:branch(self:truth(self:expression()), body, done)
  end
  self:expect ";"
  fn:set_current(step)
  if self.token.kind ~= ")" then self:expression() end
  self:expect ")"
  fn:jump(head)
  fn:set_current(body)
  inner(self, done, step)
  fn:jump(step)
  for _, block in ipairs { head, step, done } do block:seal() end
  fn:set_current(done)
end

STATEMENTS["for"] = function(self) self:scoped(function() for_loop(self) end) end

STATEMENTS["break"] = function(self, at)
  if not self.body.breaks then self:problem(at, "nothing is here to break from") end
  self.fn:jump(self.body.breaks)
  self:dead()
  self:expect ";"
end

STATEMENTS["continue"] = function(self, at)
  if not self.body.continues then self:problem(at, "no loop is here to continue") end
  self.fn:jump(self.body.continues)
  self:dead()
  self:expect ";"
end

STATEMENTS["return"] = function(self, at)
  local fn, type = self.fn, self.body.type.result
  if self:accept ";" then
    fn:ret(type.ir and fn:undef(type.ir))
  else
    local e = self:converted(self:expression(), type, at)
    if type.kind == "struct" then
      self:store({ type = type, at = fn:arg(1) }, e)
    end
    fn:ret(type.ir and e.value)
    self:expect ";"
  end
  self:dead()
end

-- }== Switch ==========================================================

-- The cases are known after the body: only then the head gets its terminator.
STATEMENTS["switch"] = function(self, at)
  local fn, body = self.fn, self.body
  self:expect "("
  local e = self:promoted(self:expression())
  self:expect ")"
  if e.type.kind ~= "int" then self:problem(at, "'%s' is not an integer", types.shown(e.type)) end
  local head, done, outer = fn:current(), fn:block "done", body.cases
  body.cases = { type = e.type, keys = {}, blocks = {} }
  self:dead()
  inner(self, done)
  self:enter(done)
  local cases = body.cases
  fn:set_current(head)
  fn:switch(e.value, cases.default or done, cases.keys)
  for _, block in ipairs(cases.blocks) do block:seal() end
  done:seal()
  fn:set_current(done)
  body.cases = outer
end

local function case(self, at, key)
  local cases = self.body.cases
  if not cases then self:problem(at, "'%s' is not in a switch", at.text) end
  self:expect ":"
  local block = self.fn:block(at.text)
  if (key and cases.keys[key]) or not key and cases.default then
    self:problem(at, "this case occurs twice")
  end
  if key then cases.keys[key] = block else cases.default = block end
  cases.blocks[#cases.blocks + 1] = block
  self:enter(block)
  labelled(self)
end

STATEMENTS["case"] = function(self, at)
  if not self.body.cases then self:problem(at, "'case' is not in a switch") end
  local type = self.body.cases.type
  local value = self:constantly(function() return self:cast(self:conditional(), type).value end)
  local key = value:const()
  if not key then self:problem(at, "the case is not constant") end
  case(self, at, key)
end

STATEMENTS["default"] = function(self, at) case(self, at) end

-- }=====================================================================
