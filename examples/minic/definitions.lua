-- What declarations define: types, objects in memory or in SSA form, functions.
local Parser = require "minic.parser"
local types = require "minic.types"

---@class minic.Label
---@field block phial.Block
---@field defined boolean?
---@field at minic.Token

---@class minic.Body
---@field fn phial.Function
---@field name string
---@field type minic.Type of the function
---@field in_memory table<string, boolean> the names whose address is taken
---@field twice boolean a call may return twice: that of setjmp
---@field labels minic.Label[] as they are met; also by name

-- {== Names that are known in the whole file ===========================

--- Declares a function, or an object with a name for the linker. Returns what is known of it.
---@param symbol minic.Symbol
---@param at minic.Token
---@param storage string?
---@return minic.Symbol
function Parser:linked(symbol, at, storage)
  local name, near = symbol.name, rawget(self.scope, symbol.name)
  local old = self.globals[name]
  self:check(not near or near == old, at, "'%s' is declared already", name)
  if not old then
    symbol.global, symbol.token = name, at
    table.insert(self.globals, symbol)
  elseif not (self.in_runtime and old.kind == symbol.kind) then
    self:check(old.kind == symbol.kind and types.same(old.type, symbol.type), at,
      "'%s' is declared already, as '%s'", name, old.type)
    if not old.type.size and symbol.type.size or symbol.type.params then old.type = symbol.type end
  end
  symbol = old or symbol
  symbol.internal = symbol.internal or storage == "static"
  self.globals[name], self.scope[name] = symbol, symbol
  return symbol
end

--- An object without a name for the linker that exists for the whole run.
---@param symbol minic.Symbol
---@return minic.Symbol
function Parser:unnamed(symbol)
  self.count = self.count + 1
  symbol.kind, symbol.global = "object", ("%s.%d"):format(symbol.name, self.count)
  symbol.defined, symbol.internal = true, true
  table.insert(self.globals, symbol)
  return symbol
end

-- }== Objects =========================================================

-- True of a local that has an address, or is to have one.
local function is_in_memory(self, symbol)
  return self.opts.memory or symbol.type.volatile or self.body.in_memory[symbol.name]
end


--- Makes the variable or the memory of a local object. Where a call may return twice, each local is
--- volatile: what is in SSA form, or is known of memory, is computed as if calls return once, and
--- may be in a variable of C that gets another value before the call returns again.
---@param symbol minic.Symbol
---@param align integer?
function Parser:local_object(symbol, align)
  local fn, type = self.fn, types.qualified(symbol.type, false, self.body.twice)
  symbol.fn, symbol.type = fn, type
  if type.ir and not is_in_memory(self, symbol) then
    symbol.var = fn:var(symbol.name, type.ir)
  elseif type.size then
    symbol.at = self:memory(type, align):set_name(symbol.name)
  end
end

-- A declared object, with its initial value if one follows.
local function object(self, symbol, spec, at)
  local type, storage = symbol.type, spec.storage
  self:check(type.kind ~= "void", at, "'%s' cannot be void", symbol.name)
  if storage == "extern" or not self.body then
    symbol = self:linked(symbol, at, storage)
    symbol.defined = symbol.defined or storage ~= "extern"
  elseif storage == "static" then
    self:unnamed(self:declare(symbol, at))
  else
    self:declare(symbol, at)
    self:local_object(symbol, spec.align)
  end
  symbol.align = spec.align
  if not self:accept "=" then
    self:check(symbol.global or type.size, at, "'%s' has an incomplete type, '%s'", symbol.name,
      type)
  elseif symbol.global then
    self:check(not symbol.initial, at, "'%s' has a value already", symbol.name)
    symbol.type, symbol.initial = self:static_initializer(symbol.type)
    symbol.defined = true
  else
    self:initialize(symbol)
  end
end

local function declared(self, spec, type, name)
  self:check(name, nil, "expected a name, found '%s'", self.token.text)
  local symbol = { name = name.text, type = type, kind = "object" }
  if spec.storage == "typedef" then
    symbol.kind = "typedef"
    local old = rawget(self.scope, name.text)
    if old and old.kind == "typedef" and types.same(old.type, type) then return end
    self:declare(symbol, name)
  elseif type.kind == "function" then
    symbol.kind = "function"
    self:linked(symbol, name, spec.storage)
  else
    object(self, symbol, spec, name)
  end
end

local function static_assert(self)
  local at = self:next()
  self:expect "("
  local holds = self:integer_constant() ~= 0
  local why = self:accept "," and self:expect "string".value or "it does not hold"
  self:expect ")"
  self:expect ";"
  self:check(holds, at, "%s", why)
end

--- A declaration, at the top of the file or in a function.
---@param top boolean? it may be a function's definition
function Parser:declaration(top)
  if self.token.kind == "_Static_assert" then return static_assert(self) end
  local implicit = top and self.token.kind == "name" and self:peek(1).kind == "("
    and not self:is_type(self.token)
  local spec = implicit and { type = types.int } or self:specifiers()
  if self:accept ";" then return end
  repeat
    local type, name = self:declarator(spec.type)
    self:attributes()
    if top and type.kind == "function" and name and spec.storage ~= "typedef"
      and (self.token.kind == "{" or type.old) then
      return self:define(type, name, spec.storage)
    end
    declared(self, spec, type, name)
    self:attributes()
  until not self:accept ","
  self:expect ";"
end

-- }== Functions =======================================================

-- The parameters of a definition as C had them at first: names, then their declarations.
local function old_parameters(self, params)
  local by_name = {}
  for _, param in ipairs(params) do by_name[param.name] = param end
  while params[1] and self.token.kind ~= "{" do
    local spec = self:specifiers()
    self:list(";", function()
      local type, name = self:declarator(spec.type)
      self:check(name and by_name[name.text], name, "expected the name of a parameter")
      by_name[name.text].type = self.passed_as(type)
    end)
  end
  return params
end

-- The parameters and the result of a function of phial. A struct is passed as the address of
-- a copy; the caller says where a struct that is the result goes. What has no parameters is called
-- as it was called first.
local function signature(type, called)
  local list = type.to.kind == "struct" and { "result:ptr" } or {}
  for i, param in ipairs(type.params or {}) do
    table.insert(list, ("%s:%s"):format(param.name or "p" .. i, param.type.ir or "ptr"))
  end
  for i, value in ipairs(not type.params and called or {}) do
    list[i] = ("p%d:%s"):format(i, value:type())
  end
  return list, type.to.ir
end

local function linkage(symbol) return symbol.internal and "internal" or "external" end

-- The names whose address the code of a function may take: `&` and a name, perhaps after
-- brackets, where `&` does not follow an operand. And whether it calls what may return twice.
local OPERANDS <const> = { name = 1, number = 1, ["]"] = 1 }
local INSIDE <const> = { ["["] = 1, ["->"] = 1 }

local function addressed(self)
  local set, twice, tokens, i, depth = {}, false, self.tokens, self.at, 0
  repeat
    local kind, j = tokens[i].kind, i + 1
    depth = depth + (kind == "{" and 1 or kind == "}" and -1 or 0)
    if kind == "&" and not OPERANDS[tokens[i - 1].kind] then
      while tokens[j].kind == "(" do j = j + 1 end
      if not INSIDE[tokens[math.min(j + 1, #tokens)].kind] then set[tokens[j].text] = true end
    end
    twice = twice or self.TWICE[tokens[i].text] ~= nil
    i = i + 1
  until depth == 0 or kind == "end"
  return set, twice
end

local function declare_parameters(self, fn, type)
  local first, twice = type.to.kind == "struct" and 1 or 0, self.body.twice
  for i, param in ipairs(type.params) do
    self:check(param.name, nil, "parameter %d has no name", i)
    local symbol = self:declare({ name = param.name, kind = "object", type = param.type, fn = fn },
      param.at)
    local passed = fn:arg(first + i)
    if param.type.kind == "struct" and not twice then
      symbol.at = passed
    elseif twice or is_in_memory(self, symbol) then
      self:local_object(symbol)
      self:store({ type = param.type, at = symbol.at }, { at = passed, value = passed })
    else
      symbol.var = fn:param(first + i)
    end
  end
end

-- The end of the function: main returns 0, others nothing that a program may use.
local function close(self, fn, body)
  local ir = body.type.to.ir
  if fn:current() then fn:ret(ir and (body.name == "main" and fn:const(0, ir) or fn:undef(ir))) end
  for _, label in ipairs(body.labels) do
    self:check(label.defined, label.at, "the label '%s' is not defined", label.at.text)
    label.block:seal()
  end
end

--- The definition of a function, from its body on.
---@param type minic.Type
---@param name minic.Token
---@param storage string?
function Parser:define(type, name, storage)
  local params = type.params or old_parameters(self, type.old or {})
  type = types.func(type.to, params, type.variadic)
  local symbol = self:linked({ name = name.text, kind = "function", type = type }, name, storage)
  if self.in_runtime and (symbol.defined or not symbol.used) then return self:skip_brackets() end
  self:check(not symbol.defined, name, "'%s' is defined already", name.text)
  -- a program may have declared strlen as it likes
  type = types.func(symbol.type.to, params, type.variadic)
  symbol.defined = true
  self:locate(name)
  local list, result = signature(type)
  local outer, fn = self.fn, self.module:fn(name.text, list, result,
    { variadic = type.variadic or false, linkage = linkage(symbol) })
  fn:set_current(fn:entry())
  local in_memory, twice = addressed(self)
  self.fn, self.body = fn, { fn = fn, name = name.text, type = type, in_memory = in_memory,
    twice = twice, labels = {} }
  self:expect "{"
  self:scoped(function()
    declare_parameters(self, fn, type)
    self:block()
  end)
  close(self, fn, self.body)
  self.fn, self.body = outer, nil
end

-- }== The module ======================================================

-- A global, or what another file has.
local function finish_object(self, symbol)
  local type = symbol.type
  if type.kind == "array" and not type.count then type = types.array(type.to, 1) end
  local size = math.max(type.size or 0, 1)
  if symbol.defined then
    self:check(type.size, symbol.token, "'%s' has an incomplete type, '%s'", symbol.name, type)
    self.module:global(symbol.global, size, symbol.initial, { align = symbol.align or type.align,
      linkage = linkage(symbol) })
  elseif symbol.used then
    self.module:declare_global(symbol.global, size)
  end
end

--- All of a file.
function Parser:translation_unit()
  while self.token.kind ~= "end" do
    if not self:accept ";" then self:declaration(true) end
  end
end

--- The functions of a library that the program uses and has not defined, and its objects.
---@param tokens minic.Token[]
function Parser:add_library(tokens)
  self.in_runtime, self.tokens, self.scope, self.tags = true, tokens, {}, {}
  self:go_to(1)
  self:translation_unit()
end

--- Declares what is used and not defined; completes the module.
function Parser:finish()
  for _, symbol in ipairs(self.globals) do
    if symbol.kind == "object" then
      finish_object(self, symbol)
    elseif symbol.used and not symbol.defined then
      local list, result = signature(symbol.type, symbol.called)
      self.module:declare(symbol.global, list, result,
        { variadic = symbol.type.variadic or false })
    end
  end
  self.module:finish()
end

-- }=====================================================================
