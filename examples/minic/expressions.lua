-- Expressions, by precedence climbing. Each function reads one and returns what it denotes.
local Parser = require "minic.parser"
local types = require "minic.types"

-- {== Primary expressions ==============================================

local function name(self)
  local token = self:next()
  local symbol = self.scope[token.text]
  if not symbol and self.token.kind == "(" then symbol = self:implicit(token) end
  if not symbol then self:problem(token, "'%s' is not declared", token.text) end
  if symbol.kind == "typedef" then self:problem(token, "'%s' is a type", token.text) end
  if symbol.kind == "constant" then return self:constant(symbol.value, symbol.type) end
  symbol.used = true
  if symbol.kind == "function" then return { type = symbol.type, symbol = symbol } end
  if symbol.global then return { type = symbol.type, at = self.fn:address(symbol.global) } end
  if symbol.fn ~= self.fn then self:problem(token, "'%s' is not constant", token.text) end
  return { type = symbol.type, var = symbol.var, at = symbol.at }
end

-- Strings that follow each other are one.
local function string_literal(self)
  local bytes, wide = "", self.token.wide
  while self.token.kind == "string" do bytes = bytes .. self:next().value end
  local element = wide and types.int or types.char
  local type = types.array(element, #bytes // element.size + 1)
  local key = element.size .. bytes
  self.strings[key] = self.strings[key]
    or self:unnamed("string", type, { { 0, "bytes", bytes } })
  return { type = type, at = self.fn:address(self.strings[key].global), literal = bytes }
end

local function character(self)
  local token = self:next()
  local format = token.wide and "<i4" or "b"
  if #token.value < string.packsize(format) then self:problem(token, "a character is missing") end
  return self:constant((format:unpack(token.value, #token.value - string.packsize(format) + 1)),
    types.int)
end

local function number(self)
  local token = self:next()
  local type = types[token.type]
  if not type then self:problem(token, "'%s' has no type of phial", token.type) end
  return self:constant(token.value, type)
end

-- The selected expression is read last, since only then it is known.
local function generic(self)
  local start = self:next()
  self:expect "("
  local type = self:unevaluated(function() return self:rvalue(self:assignment()).type end)
  local selected, default
  while self:accept "," do
    local of = not self:accept "default" and self:type_name() or nil
    self:expect ":"
    if of and types.same(of, type) then selected = self.at end
    if not of then default = self.at end
    self:unevaluated(function() return self:assignment() end)
  end
  self:expect ")"
  local after = self.at
  if not (selected or default) then
    self:problem(start, "no case is for the type '%s'", types.shown(type))
  end
  self:go_to(selected or default)
  local result = self:assignment()
  self:go_to(after)
  return result
end

-- An unnamed object; the next token is the opening brace.
local function compound_literal(self, type)
  if self.fn == self.constants then
    local complete, initial = self:static_initializer(type)
    local symbol = self:unnamed("literal", complete, initial)
    return { type = complete, at = self.fn:address(symbol.global), initial = initial }
  end
  local symbol = { name = "", type = type, kind = "object" }
  if types.is_scalar(type) then symbol.at = self:memory(type) else self:local_object(symbol) end
  self:initialize(symbol)
  return { type = symbol.type, at = symbol.at }
end

local PRIMARY <const> = { name = name, string = string_literal, character = character,
  number = number, _Generic = generic }

-- What is built in for variadic functions: its first argument is a list, of which the address is
-- passed.
local function of_list(read)
  return function(self)
    local at = self:next()
    self:expect "("
    local list = self:converted(self:assignment(), types.pointer(types.void), at).value
    local result = read(self, list, self.fn)
    self:expect ")"
    return result or { type = types.void }
  end
end

PRIMARY.__builtin_va_start = of_list(function(self, list, fn)
  self:expect ","
  self:expect "name"
  fn:va_start(list)
end)
PRIMARY.__builtin_va_copy = of_list(function(self, list, fn)
  self:expect ","
  fn:va_copy(list, self:rvalue(self:assignment()).value)
end)
PRIMARY.__builtin_va_end = of_list(function(_, list, fn) fn:va_end(list) end)
PRIMARY.__builtin_va_arg = of_list(function(self, list, fn)
  self:expect ","
  local type = self:type_name()
  local value = fn:va_arg(list, type.ir or "ptr")
  return { type = type, [type.ir and "value" or "at"] = value, temporary = true }
end)

local function primary(self)
  if self:accept "(" then
    local e = self.token.kind == "{" and self:statement_expression() or self:expression()
    self:expect ")"
    return e
  end
  local read = PRIMARY[self.token.kind]
  if not read then self:problem(nil, "expected an expression, found '%s'", self.token.text) end
  return read(self)
end

-- }== Calls ===========================================================

-- What is passed: a value, or the address of a copy of a struct.
local function passed(self, e)
  if e.value then return e.value end
  if e.type.kind ~= "struct" then self:problem(nil, "an argument has no value") end
  local copy = { type = e.type, at = self:memory(e.type) }
  return self:store(copy, e).at
end

local function arguments(self, type, at)
  local params, values = type.params, {}
  while self.token.kind ~= ")" do
    local start, param = self.token, params and params[#values + 1]
    local e = self:assignment()
    e = param and self:converted(e, param.type, start) or self:promoted(e)
    values[#values + 1] = passed(self, e)
    if not self:accept "," then break end
  end
  self:expect ")"
  if params and (#values < #params or #values > #params and not type.variadic) then
    self:problem(at, "%d arguments, but %d parameters", #values, #params)
  end
  return values
end

local function call(self, e)
  local at = self:next()
  local symbol, pointer = e.symbol, not e.symbol and self:rvalue(e)
  local type = symbol and symbol.type or pointer.type.to
  if not type or type.kind ~= "function" then
    self:problem(at, "a value of type '%s' cannot be called", types.shown(e.type))
  end
  local values = arguments(self, type, at)
  local result = types.plain(type.result)
  local to = result.kind == "struct" and self:memory(result) or nil
  if to then table.insert(values, 1, to) end
  self:locate(at)
  if symbol then symbol.called = symbol.called or values end
  local value = self.fn:call(symbol and symbol.global or pointer.value, result.ir,
    table.unpack(values))
  return { type = result, value = value, at = to, temporary = true }
end

-- }== Postfix and prefix operators ====================================

-- The place at an address.
local function pointed_to(self, e, at)
  local it = self:rvalue(e)
  if it.type.kind ~= "pointer" then
    self:problem(at, "a value of type '%s' is not an address", types.shown(it.type))
  end
  return { type = it.type.to, at = it.value }
end

-- `x op= r`: the place is evaluated once.
local function update(self, op, e, r)
  return self:assign(e, self:arithmetic(op, self:rvalue(e), r), op)
end

local function index(self, e)
  local at, unaligned = self:next(), e.unaligned
  e = self:rvalue(e)
  local i = self:rvalue(self:expression())
  self:expect "]"
  local place = pointed_to(self, self:arithmetic({ kind = "+", text = "[]", line = at.line,
    col = at.col, file = at.file }, e, i), at)
  place.unaligned = unaligned
  return place
end

local POSTFIX <const> = { ["("] = call, ["["] = index }
POSTFIX["."] = function(self, e)
  self:next()
  return self:member(e, self:expect "name")
end
POSTFIX["->"] = function(self, e)
  local at = self:next()
  return self:member(pointed_to(self, e, at), self:expect "name")
end
POSTFIX["++"] = function(self, e)
  local old = self:rvalue(e)
  update(self, self:next(), e, self:constant(1, types.int))
  return old
end
POSTFIX["--"] = POSTFIX["++"]

local function postfix(self, e)
  while POSTFIX[self.token.kind] do e = POSTFIX[self.token.kind](self, e) end
  return e
end

local PREFIX <const> = {}

PREFIX["&"] = function(self, at, e)
  if e.symbol then return self:rvalue(e) end
  if not e.at or e.bits or e.temporary then
    self:problem(at, "this has no address")
  end
  return { type = types.pointer(e.type), value = e.at }
end
PREFIX["*"] = function(self, at, e)
  return e.type.kind == "function" and e or pointed_to(self, e, at)
end
PREFIX["!"] = function(self, at, e)
  return { type = types.int, value = self.fn:zext(self.fn:bnot(self:truth(e, at)), "i32") }
end

local function arithmetic_prefix(compute, needs_int)
  return function(self, at, e)
    local it = self:promoted(e)
    if not (it.type.kind == "int" or it.type.kind == "float" and not needs_int) then
      self:problem(at, "'%s' is not defined for '%s'", at.kind, types.shown(e.type))
    end
    return { type = it.type, value = compute(self.fn, it.value, it.type.kind == "float") }
  end
end
PREFIX["-"] = arithmetic_prefix(function(fn, v, float)
  return fn[float and "fneg" or "neg"](fn, v)
end)
PREFIX["+"] = arithmetic_prefix(function(_, v) return v end)
PREFIX["~"] = arithmetic_prefix(function(fn, v) return fn:bnot(v) end, true)
PREFIX["++"] = function(self, at, e) return update(self, at, e, self:constant(1, types.int)) end
PREFIX["--"] = PREFIX["++"]

local function sized(self, at, type)
  if not type.size then self:problem(at, "'%s' is incomplete", types.shown(type)) end
  return type
end

local function size_or_alignment(self)
  local at = self:next()
  local type
  if self.token.kind == "(" and self:is_type(self:peek(1)) then
    self:next()
    type = self:type_name()
    self:expect ")"
    if self.token.kind == "{" then
      local of = type
      type = self:unevaluated(function() return postfix(self, compound_literal(self, of)).type end)
    end
  else
    type = self:unevaluated(function() return self:unary().type end)
  end
  sized(self, at, type)
  return self:constant(at.kind == "sizeof" and type.size or type.align, types["unsigned long"])
end

--- An expression with prefix operators and casts.
---@return minic.Operand
function Parser:unary()
  local at = self.token
  local kind = at.kind
  if kind == "sizeof" or kind == "_Alignof" then return size_or_alignment(self) end
  if kind == "(" and self:is_type(self:peek(1)) then
    self:next()
    local type = self:type_name()
    self:expect ")"
    if self.token.kind == "{" then return postfix(self, compound_literal(self, type)) end
    return self:cast(self:unary(), type, at)
  end
  if PREFIX[kind] then
    self:next()
    local e = self:unary()
    if kind == "++" or kind == "--" then return PREFIX[kind](self, at, e) end
    return PREFIX[kind](self, at, e)
  end
  return postfix(self, primary(self))
end

-- }== Binary operators ================================================

local LEVELS <const> = {
  ["*"] = 10, ["/"] = 10, ["%"] = 10, ["+"] = 9, ["-"] = 9, ["<<"] = 8, [">>"] = 8, ["<"] = 7,
  [">"] = 7, ["<="] = 7, [">="] = 7, ["=="] = 6, ["!="] = 6, ["&"] = 5, ["^"] = 4, ["|"] = 3,
  ["&&"] = 2, ["||"] = 1
}

local binary

-- `&&` and `||`: the right side is only evaluated if the left one does not decide.
local function logical(self, op, l)
  local fn, left = self.fn, self:truth(l, op)
  local decides, known = op.kind == "||", left:const()
  local function right() return self:truth(binary(self, LEVELS[op.kind] + 1), op) end
  if known == decides then
    self:unevaluated(right)
    return self:constant(known and 1 or 0, types.int)
  elseif known ~= nil then
    return { type = types.int, value = fn:zext(right(), "i32") }
  end
  local result, more, done = fn:var(nil, "i1"), fn:block(nil, 1), fn:block()
  fn:write(result, left)
  fn:branch(left, decides and done or more, decides and more or done)
  fn:set_current(more)
  fn:write(result, right())
  self:enter(done)
  done:seal()
  return { type = types.int, value = fn:zext(fn:read(result), "i32") }
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
  if types.is_arithmetic(a.type) and types.is_arithmetic(b.type) then
    return types.common(a.type, b.type)
  end
  if a.type.kind == "void" or b.type.kind == "void" then return types.void end
  if a.type.kind == "struct" and types.same(a.type, b.type) then return a.type end
  local pointers = a.type.kind == "pointer" and b.type.kind == "pointer"
  if a.type.kind == "pointer" and (self.is_zero(b) or pointers and b.type.to.kind == "void") then
    return self.is_zero(b) and a.type or b.type
  end
  if b.type.kind == "pointer" and self.is_zero(a) then return b.type end
  if not pointers then
    self:problem(at, "one side is '%s', the other '%s'", types.shown(a.type), types.shown(b.type))
  end
  return a.type
end

-- Both sides, of which the one that is not selected is not run.
local function selected(self, at, first, yes, no)
  local a = first and yes() or self:unevaluated(yes)
  self:expect ":"
  local b = first and self:unevaluated(no) or no()
  return self:cast(first and a or b, unified(self, at, a, b), at)
end

-- Writes a side, once the type of both is known, to the result at its end.
local function close_arm(self, last, e, type, result, done)
  self.fn:set_current(last)
  local it = self:cast(e, type)
  if result then self.fn:write(result, it.value or it.at) end
  self.fn:jump(done)
end

--- `c ? a : b`, or an operand of it.
---@return minic.Operand
function Parser:conditional()
  local c = binary(self, 1)
  local at = self:accept "?"
  if not at then return c end
  local fn, condition = self.fn, self:truth(c, at)
  local function value(e) return e.type.kind == "void" and e or self:rvalue(e) end
  local function yes() return value(self:expression()) end
  local function no() return value(self:conditional()) end
  if condition:const() ~= nil then return selected(self, at, condition:const(), yes, no) end
  local first, second, done = fn:block(nil, 1), fn:block(nil, 1), fn:block()
  fn:branch(condition, first, second)
  fn:set_current(first)
  local a, first_end = yes(), fn:current()
  self:expect ":"
  fn:set_current(second)
  local b, second_end = no(), fn:current()
  local type = unified(self, at, a, b)
  local result = type.kind ~= "void" and fn:var(nil, type.ir or "ptr") or nil
  close_arm(self, first_end, a, type, result, done)
  close_arm(self, second_end, b, type, result, done)
  done:seal()
  fn:set_current(done)
  if not result then return { type = type } end
  local field = type.ir and "value" or "at"
  return { type = type, [field] = fn:read(result), temporary = true }
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
