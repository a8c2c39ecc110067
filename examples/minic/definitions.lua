-- What declarations define: types, objects in memory or in SSA form, functions.
local Parser = require "minic.parser"
local types = require "minic.types"

---@class minic.Body
---@field fn phial.Function
---@field type minic.Type of the function
---@field in_memory table<string, boolean> the names whose address is taken
---@field labels table<string, { block: phial.Block, defined: boolean?, at: minic.Token }>

-- {== Names that are known in the whole file ===========================

local function merged(self, old, symbol, at)
  if self.in_runtime and old.kind == symbol.kind then return old end
  if old.kind ~= symbol.kind or not types.same(old.type, symbol.type) then
    self:problem(at, "'%s' is declared already, as '%s'", symbol.name, types.shown(old.type))
  end
  if not old.type.size and symbol.type.size or symbol.type.params then old.type = symbol.type end
  return old
end

-- Declares a function, or an object with a name for the linker.
local function linked(self, symbol, at)
  local old, near = self.globals[symbol.name], rawget(self.scope, symbol.name)
  if near and near ~= old then self:problem(at, "'%s' is declared already", symbol.name) end
  symbol.global, symbol.token = symbol.name, at
  local it = old and merged(self, old, symbol, at) or symbol
  if not old then self.globals[#self.globals + 1] = it end
  self.globals[symbol.name], self.scope[symbol.name] = it, it
  return it
end

-- An object that exists for the whole run, with its initial value if one follows.
local function static_object(self, symbol, at)
  if self:accept "=" then
    if symbol.initial then self:problem(at, "'%s' has a value already", symbol.name) end
    symbol.type, symbol.initial = self:static_initializer(symbol.type)
    symbol.defined = true
  end
end

--- An unnamed object that exists for the whole run.
---@param stem string of its name in the module
---@param type minic.Type
---@param initial table
---@return minic.Symbol
function Parser:unnamed(stem, type, initial)
  local symbol = { name = stem, kind = "object", type = type, global = self:unique(stem),
    initial = initial, defined = true, internal = true }
  self.globals[#self.globals + 1] = symbol
  return symbol
end

-- }== Objects =========================================================

--- True of a local that has an address, or is to have one.
---@param symbol minic.Symbol
---@return boolean
function Parser:is_in_memory(symbol)
  return self.opts.memory or symbol.type.volatile or self.body.in_memory[symbol.name] or false
end

--- A local object; its initial value, if any, follows.
---@param symbol minic.Symbol
---@param align integer?
function Parser:local_object(symbol, align)
  local fn, type = self.fn, symbol.type
  symbol.fn = fn
  if types.is_scalar(type) and not self:is_in_memory(symbol) then
    symbol.var = fn:var(symbol.name, type.ir)
  elseif type.size then
    symbol.at = fn:alloca(math.max(type.size, 1), align or type.align)
  end
end

local function local_declaration(self, symbol, spec, at)
  self:declare(symbol, at)
  self:local_object(symbol, spec.align)
  if self:accept "=" then
    self:initialize(symbol)
  elseif not symbol.type.size then
    self:problem(at, "'%s' has an incomplete type, '%s'", symbol.name, types.shown(symbol.type))
  end
end

local function object(self, symbol, spec, at)
  if symbol.type.kind == "void" then self:problem(at, "'%s' cannot be void", symbol.name) end
  if spec.storage == "extern" or not self.body then
    symbol = linked(self, symbol, at)
    symbol.internal = symbol.internal or spec.storage == "static"
    symbol.align = spec.align
    symbol.defined = symbol.defined or spec.storage ~= "extern"
    static_object(self, symbol, at)
  elseif spec.storage == "static" then
    symbol.global, symbol.internal, symbol.defined = self:unique(symbol.name), true, true
    symbol.align = spec.align
    self.globals[#self.globals + 1] = self:declare(symbol, at)
    static_object(self, symbol, at)
  else
    local_declaration(self, symbol, spec, at)
  end
end

local function declared(self, spec, type, name)
  if not name then self:problem(nil, "expected a name, found '%s'", self.token.text) end
  local symbol = { name = name.text, type = type, kind = "object" }
  if spec.storage == "typedef" then
    symbol.kind = "typedef"
    local old = rawget(self.scope, name.text)
    if old and old.kind == "typedef" and types.same(old.type, type) then return end
    self:declare(symbol, name)
  elseif type.kind == "function" then
    symbol.kind = "function"
    symbol = linked(self, symbol, name)
    symbol.internal = symbol.internal or spec.storage == "static"
  else
    object(self, symbol, spec, name)
  end
end

--- A declaration, at the top of the file or in a function.
---@param top boolean? it may be a function's definition
function Parser:declaration(top)
  if self.token.kind == "_Static_assert" then return self:static_assert() end
  local implicit = top and self.token.kind == "name" and self:peek(1).kind == "("
    and not self:is_type(self.token)
  local spec = implicit and { type = types.int } or self:specifiers()
  if self:accept ";" then return end
  repeat
    local type, name = self:declarator(spec.type)
    self:attributes()
    if top and type.kind == "function" and name and spec.storage ~= "typedef"
      and (self.token.kind == "{" or type.old) then
      return self:define(type, name, spec.storage == "static")
    end
    declared(self, spec, type, name)
    self:attributes()
  until not self:accept ","
  self:expect ";"
end

function Parser:static_assert()
  local at = self:next()
  self:expect "("
  local holds = self:integer_constant() ~= 0
  local why = self:accept "," and self:expect "string".value or "it does not hold"
  self:expect ")"
  self:expect ";"
  if not holds then self:problem(at, "%s", why) end
end

-- }== Functions =======================================================

-- The parameters of a definition as C had them at first: names, then their declarations.
local function old_parameters(self, type)
  local by_name = {}
  while type.old and self.token.kind ~= "{" do
    local spec = self:specifiers()
    repeat
      local it, name = self:declarator(spec.type)
      if it.kind == "array" then it = types.pointer(it.to) end
      by_name[name.text] = it
    until not self:accept ","
    self:expect ";"
  end
  local params = {}
  for i, name in ipairs(type.old or {}) do
    params[i] = { name = name.text, type = by_name[name.text] or types.int, at = name }
  end
  return types.func(type.result, params)
end

--- The parameters and the result of a function of phial. A struct is passed as the address of
--- a copy; the caller says where a struct that is the result goes.
---@param type minic.Type of a function
---@return string[] params
---@return string? result
function Parser.signature(type)
  local list = {}
  if type.result.kind == "struct" then list[1] = "result:ptr" end
  for i, param in ipairs(type.params or {}) do
    list[#list + 1] = ("%s:%s"):format(param.name or "p" .. i, param.type.ir or "ptr")
  end
  return list, type.result.ir
end

-- The names whose address the code of a function may take: `&` and a name, perhaps after
-- brackets, where `&` does not follow an operand.
local function addressed(self)
  local set, tokens, i, depth = {}, self.tokens, self.at, 0
  repeat
    local kind, before, j = tokens[i].kind, tokens[i - 1].kind, i + 1
    depth = depth + (kind == "{" and 1 or kind == "}" and -1 or 0)
    if kind == "&" and before ~= "name" and before ~= "number" and before ~= "]" then
      while tokens[j].kind == "(" do j = j + 1 end
      local after = tokens[math.min(j + 1, #tokens)].kind
      if after ~= "[" and after ~= "->" then set[tokens[j].text] = true end
    end
    i = i + 1
  until depth == 0 or kind == "end"
  return set
end

local function parameters_of(self, fn, type)
  local first = type.result.kind == "struct" and 1 or 0
  for i, param in ipairs(type.params) do
    if not param.name then self:problem(nil, "parameter %d has no name", i) end
    local symbol = self:declare({ name = param.name, kind = "object", type = param.type, fn = fn },
      param.at)
    if param.type.kind == "struct" then
      symbol.at = fn:arg(first + i)
    elseif self:is_in_memory(symbol) then
      self:local_object(symbol)
      fn:store(symbol.at, fn:arg(first + i))
    else
      symbol.var = fn:param(first + i)
    end
  end
end

-- The end of the function: main returns 0, others nothing that a program may use.
local function close(self, body, name)
  if self.fn:current() then
    local result = body.type.result
    self.fn:ret(result.ir and (name.text == "main" and self:constant(0, result).value
      or self.fn:undef(result.ir)))
  end
  for text, label in pairs(body.labels) do
    if not label.defined then self:problem(label.at, "the label '%s' is not defined", text) end
    label.block:seal()
  end
end

--- The definition of a function, from its body on.
---@param type minic.Type
---@param name minic.Token
---@param internal boolean
function Parser:define(type, name, internal)
  if not type.params then type = old_parameters(self, type) end
  local symbol = linked(self, { name = name.text, kind = "function", type = type }, name)
  if self.in_runtime and (symbol.defined or not symbol.used) then return self:skip_brackets() end
  if symbol.defined then self:problem(name, "'%s' is defined already", name.text) end
  -- a program may have declared strlen as it likes
  type = types.func(symbol.type.result, type.params, type.variadic)
  symbol.defined, symbol.internal = true, symbol.internal or internal
  local outer, in_memory = self.fn, addressed(self)
  self:locate(name)
  local params, result = self.signature(type)
  local fn = self.module:fn(name.text, params, result, { variadic = type.variadic or false,
    linkage = symbol.internal and "internal" or "external" })
  fn:set_current(fn:entry())
  self.fn, self.body = fn, { fn = fn, type = type, in_memory = in_memory, labels = {} }
  self:scoped(function()
    parameters_of(self, fn, type)
    self:block()
  end)
  close(self, self.body, name)
  self.fn, self.body = outer, nil
end

-- }== The module ======================================================

--- A function that is called and has not been declared.
---@param name minic.Token
---@return minic.Symbol
function Parser:implicit(name)
  return linked(self, { name = name.text, kind = "function", type = types.func(types.int) }, name)
end

-- With its parameters or, if these are not known, with those of its first call.
local function declare_function(self, symbol)
  local type = symbol.type
  local params, result = self.signature(type)
  if not type.params then
    for i, value in ipairs(symbol.called or {}) do
      params[i] = ("p%d:%s"):format(i, value:type())
    end
  end
  self.module:declare(symbol.global, params, result, { variadic = type.variadic or false })
end

-- A global, or what another file has.
local function finish_object(self, symbol)
  local type = symbol.type
  if type.kind == "array" and not type.count then type = types.array(type.to, 1) end
  local size = math.max(type.size or 0, 1)
  if not symbol.defined then
    if symbol.used then self.module:declare_global(symbol.global, size) end
  elseif not type.size then
    self:problem(symbol.token, "'%s' has an incomplete type, '%s'", symbol.name, types.shown(type))
  else
    self.module:global(symbol.global, size, symbol.initial, { align = symbol.align or type.align,
      linkage = symbol.internal and "internal" or "external" })
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
      declare_function(self, symbol)
    end
  end
  self.module:finish()
  for _, fn in ipairs(self.module:functions()) do fn:clean { dead = true } end
end

-- }=====================================================================
