-- Expressions, by precedence climbing. Each function reads one and returns what it denotes.
local Parser = require "minic.parser"
local types = require "minic.types"

-- What begins with a token of a kind, by the kind; the functions get the token, which is passed.
local PRIMARY <const>, POSTFIX <const>, PREFIX <const> = {}, {}, {}

-- {== Primary expressions ==============================================

-- An array of characters that exists for the whole run, one for all equal ones.
local function text_of(self, bytes, element)
  local key = element.size .. bytes
  local symbol = self.strings[key]
    or self:unnamed { name = "string", type = types.array(element, #bytes // element.size + 1),
      initial = { { 0, "bytes", bytes } } }
  self.strings[key] = symbol
  return { type = symbol.type, at = self.fn:address(symbol.global), literal = bytes }
end

function PRIMARY.name(self, token)
  local symbol = self.scope[token.text]
  if self.body and token.text == "__func__" then
    return text_of(self, self.body.name, types.char)
  end
  if not symbol and self.token.kind == "(" then -- a function that has not been declared
    symbol = { name = token.text, kind = "function", type = types.func(types.int) }
    symbol = self:linked(symbol, token)
  end
  self:check(symbol, token, "'%s' is not declared", token.text)
  self:check(symbol.kind ~= "typedef", token, "'%s' is a type", token.text)
  if symbol.kind == "constant" then return self:constant(symbol.value, symbol.type) end
  symbol.used = true
  self:check(symbol.global or symbol.fn == self.fn, token, "'%s' is not constant", token.text)
  return { type = symbol.type, var = symbol.var,
    at = symbol.global and self.fn:address(symbol.global) or symbol.at,
    symbol = symbol.kind == "function" and symbol or nil }
end

-- Strings that follow each other are one.
function PRIMARY.string(self, token)
  local bytes = token.value
  while self.token.kind == "string" do bytes = bytes .. self:next().value end
  return text_of(self, bytes, types[token.type])
end

function PRIMARY.character(self, token)
  local format = token.type == "int" and "<i4" or "b"
  local first = #token.value - string.packsize(format) + 1
  self:check(first > 0, token, "a character is missing")
  return self:constant((format:unpack(token.value, first)), types.int)
end

function PRIMARY.number(self, token)
  return self:constant(token.value, types[token.type])
end

-- The selected expression is read last, since only then it is known.
function PRIMARY._Generic(self, start)
  local selected, default
  self:parenthesized(function()
    local type = self:unevaluated(function() return self:rvalue(self:assignment()).type end)
    while self:accept "," do
      local of = not self:accept "default" and self:type_name() or nil
      self:expect ":"
      if of and types.same(of, type) then selected = self.at end
      if not of then default = self.at end
      self:unevaluated(self.assignment)
    end
    self:check(selected or default, start, "no case is for the type '%s'", type)
  end)
  local after = self.at
  self:go_to(selected or default)
  local result = self:assignment()
  self:go_to(after)
  return result
end

PRIMARY["("] = function(self)
  local e = self:accept "{" and self:statement_expression() or self:expression()
  self:expect ")"
  return e
end

-- An unnamed object; the next token is the opening brace.
local function compound_literal(self, type)
  local symbol = { name = "", type = type }
  if self.fn == self.constants then
    symbol.name, symbol.type, symbol.initial = "literal", self:static_initializer(type)
    local at = self.fn:address(self:unnamed(symbol).global)
    return { type = symbol.type, at = at, initial = symbol.initial }
  end
  if type.ir then symbol.at = self:memory(type) else self:local_object(symbol) end
  self:initialize(symbol)
  return { type = symbol.type, at = symbol.at }
end

-- What is built in for variadic functions takes addresses of lists.
local function list_of(self, at)
  return self:converted(self:assignment(), types.pointer(types.void), at).value
end

for _, op in ipairs { "va_start", "va_copy", "va_end" } do
  PRIMARY["__builtin_" .. op] = function(self, at)
    local lists = {}
    self:expect "("
    self:list(")", function() table.insert(lists, list_of(self, at)) end)
    self.fn[op](self.fn, table.unpack(lists))
    return { type = types.void }
  end
end

function PRIMARY.__builtin_va_arg(self, at)
  self:expect "("
  local list = list_of(self, at)
  self:expect ","
  local type = self:type_name()
  self:expect ")"
  return self:passed(type, self.fn:va_arg(list, type.ir or "ptr"))
end

-- }== Calls ===========================================================

-- What is passed for an argument: a value, or the address of a copy of a struct.
local function argument(self, param)
  local start, e = self.token, self:assignment()
  e = param and self:converted(e, param.type, start) or self:promoted(e)
  if e.value then return e.value end
  self:check(e.type.kind == "struct", nil, "an argument has no value")
  return self:store({ type = e.type, at = self:memory(e.type) }, e).at
end

POSTFIX["("] = function(self, e, at)
  local symbol, callee = e.symbol, e.symbol and e.symbol.global or self:rvalue(e).value
  local type = symbol and symbol.type or e.type.kind == "pointer" and e.type.to or e.type
  self:check(type.kind == "function", at, "a value of type '%s' cannot be called", e.type)
  local params, values = type.params, {}
  self:list(")", function()
    values[#values + 1] = argument(self, params and params[#values + 1])
  end)
  self:check(not params or #values == #params or type.variadic and #values > #params, at,
    "%d arguments, but %d parameters", #values, params and #params)
  local result = types.plain(type.to)
  local to = result.kind == "struct" and self:memory(result) or nil
  if to then table.insert(values, 1, to) end
  self:locate(at)
  if symbol then
    symbol.called = symbol.called or values
  elseif type.variadic then
    table.insert(values, { variadic = #params + (to and 1 or 0) })
  end
  local value = self.fn:call(callee, result.ir, table.unpack(values))
  return { type = result, value = value, at = to, temporary = true }
end

-- }== Postfix and prefix operators ====================================

-- The place at an address.
local function pointed_to(self, e, at)
  local it = self:rvalue(e)
  self:check(it.type.kind == "pointer", at, "a value of type '%s' is not an address", it.type)
  return { type = it.type.to, at = it.value }
end

-- `x op= r`: the place is evaluated once.
local function update(self, op, e, r, name)
  return self:assign(e, self:arithmetic(op, e, r, name), op)
end

local function step(self, op, e)
  return update(self, op, e, self:constant(1, types.int), op.kind:sub(1, 1))
end

POSTFIX["["] = function(self, e, at)
  local base = self:rvalue(e)
  local i = self:rvalue(self:expression())
  self:expect "]"
  local place = pointed_to(self, self:arithmetic(at, base, i, "+"), at)
  place.unaligned = e.unaligned
  return place
end
POSTFIX["."] = function(self, e) return self:member(e, self:expect "name") end
POSTFIX["->"] = function(self, e, at)
  return self:member(pointed_to(self, e, at), self:expect "name")
end
POSTFIX["++"] = function(self, e, at)
  local old = self:rvalue(e)
  step(self, at, e)
  return old
end
POSTFIX["--"] = POSTFIX["++"]

local function postfix(self, e)
  while POSTFIX[self.token.kind] do e = POSTFIX[self.token.kind](self, e, self:next()) end
  return e
end

PREFIX["&"] = function(self, at, e)
  self:check(e.at and not e.bits and not e.temporary, at, "this has no address")
  return { type = types.pointer(e.type), value = e.at }
end
PREFIX["*"] = function(self, at, e)
  return e.type.kind == "function" and e or pointed_to(self, e, at)
end
PREFIX["!"] = function(self, at, e) return self:as_int(self.fn:bnot(self:truth(e, at))) end
PREFIX["++"], PREFIX["--"] = step, step

-- By kind of type, the op that computes the operator; true: it leaves the value as it is.
for kind, ops in pairs { ["-"] = { int = "neg", float = "fneg" }, ["~"] = { int = "bnot" },
  ["+"] = { int = true, float = true } } do
  PREFIX[kind] = function(self, at, e)
    local it = self:promoted(e)
    local op = ops[it.type.kind]
    self:check(op, at, "'%s' is not defined for '%s'", kind, e.type)
    return { type = it.type, value = op == true and it.value or self.fn[op](self.fn, it.value) }
  end
end

-- A type in parentheses, if it is next.
local function type_in_parentheses(self)
  if self.token.kind == "(" and self:is_type(self:peek(1)) then
    return self:parenthesized(self.type_name)
  end
end

-- `sizeof` and `_Alignof`.
local function size_or_alignment(self)
  local at = self:next()
  local type = type_in_parentheses(self)
  if not type or self.token.kind == "{" then
    type = self:unevaluated(function()
      return type and postfix(self, compound_literal(self, type)) or self:unary()
    end).type
  end
  self:check(type.size, at, "'%s' is incomplete", type)
  return self:constant(at.kind == "sizeof" and type.size or type.align, types["unsigned long"])
end

--- An expression with prefix operators and casts.
---@return minic.Operand
function Parser:unary()
  local at = self.token
  if at.kind == "sizeof" or at.kind == "_Alignof" then return size_or_alignment(self) end
  local type = type_in_parentheses(self)
  if type and self.token.kind == "{" then return postfix(self, compound_literal(self, type)) end
  if type then return self:cast(self:unary(), type, at) end
  local prefix, read = PREFIX[at.kind], PRIMARY[at.kind]
  self:check(prefix or read, nil, "expected an expression, found '%s'", at.text)
  self:next()
  if prefix then return prefix(self, at, self:unary()) end
  return postfix(self, read(self, at))
end

-- }== Binary operators ================================================

-- How tightly they bind.
local LEVELS <const> = {}
for level, ops in ipairs { "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -",
  "* / %" } do
  for op in ops:gmatch "%S+" do LEVELS[op] = level end
end

local binary

-- `&&` and `||`: the right side is only evaluated if the left one does not decide.
local function logical(self, op, l)
  local fn, left, decides = self.fn, self:truth(l, op), op.kind == "||"
  local result = self:junction(types._Bool)
  self:store(result, { value = left })
  local yes, no, done = self:fork(left, decides)
  fn:set_current(decides and no or yes)
  self:store(result, { value = self:truth(binary(self, LEVELS[op.kind] + 1), op) })
  self:enter(done)
  done:seal()
  return self:as_int(self:rvalue(result).value)
end

function binary(self, least)
  local l = self:unary()
  while (LEVELS[self.token.kind] or 0) >= least do
    local op = self:next()
    if op.kind == "&&" or op.kind == "||" then
      l = logical(self, op, l)
    else
      l = self:rvalue(l)
      l = self:arithmetic(op, l, binary(self, LEVELS[op.kind] + 1))
    end
  end
  return l
end

-- The type of `c ? a : b`.
local function unified(self, at, a, b)
  local t, u = a.type, b.type
  if types.is_arithmetic(t) and types.is_arithmetic(u) then return types.common(t, u) end
  if t.kind == "void" or u.kind == "void" then return types.void end
  if t.kind == "struct" and types.same(t, u) then return t end
  if t.kind == "pointer" and self.is_zero(b) then return t end
  if u.kind == "pointer" and self.is_zero(a) then return u end
  self:check(t.kind == "pointer" and u.kind == "pointer", at, "one side is '%s', the other '%s'", t,
    u)
  return u.to.kind == "void" and u or t
end

-- A side of `c ? a : b`, as a value, and where it ends.
local function arm(self, block, read)
  self.fn:set_current(block)
  local e = read(self)
  return e.type.kind == "void" and e or self:rvalue(e), self.fn:current()
end

--- `c ? a : b`, or an operand of it.
---@return minic.Operand
function Parser:conditional()
  local c = binary(self, 1)
  local at = self:accept "?"
  if not at then return c end
  local fn, yes, no, done = self.fn, self:fork(self:truth(c, at))
  local a, a_end = arm(self, yes, self.expression)
  self:expect ":"
  local b, b_end = arm(self, no, self.conditional)
  local type = unified(self, at, a, b) -- only now it is known
  local result = type.kind ~= "void" and self:junction(type) or nil
  for _, side in ipairs { { a, a_end }, { b, b_end } } do
    fn:set_current(side[2])
    local it = self:cast(side[1], type)
    if result then self:store(result, { value = it.value or it.at }) end
    fn:jump(done)
  end
  done:seal()
  fn:set_current(done)
  return result and self:passed(type, self:rvalue(result).value) or { type = type }
end

local ASSIGNS <const> = {}
for op in ("= += -= *= /= %= <<= >>= &= ^= |="):gmatch "%S+" do ASSIGNS[op] = true end

--- An assignment, or an operand of the comma.
---@return minic.Operand
function Parser:assignment()
  local e = self:conditional()
  local op = self.token
  if not ASSIGNS[op.kind] then return e end
  self:next()
  local from = self:rvalue(self:assignment())
  if op.kind == "=" then return self:assign(e, from, op) end
  return update(self, op, e, from)
end

---@return minic.Operand
function Parser:expression()
  local e = self:assignment()
  while self:accept "," do e = self:assignment() end
  return e
end

-- }=====================================================================
