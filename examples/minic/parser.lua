-- The state of a translation, which one pass over the tokens makes: no trees. What is read is
-- emitted at once into the current block of the function that is being defined; constant
-- expressions go to a function of their own, where phial folds them.
local phial = require "phial"
local problem = require "minic.problem"

---@class minic.Symbol
---@field name string
---@field kind "typedef"|"constant"|"object"|"function"
---@field type minic.Type
---@field value integer? of an enumerator
---@field global string? of what has an address for the whole run: its name in the module
---@field var phial.Variable? of a local in SSA form
---@field at phial.Value? of a local in memory: its address
---@field fn phial.Function? of a local: the one that it belongs to
---@field defined boolean?
---@field internal boolean? other files do not see it
---@field used boolean?
---@field called phial.Value[]? of a function: the arguments of its first call
---@field initial phial.Run[]?
---@field align integer?
---@field token minic.Token? where it was declared first

---@class minic.Parser
---@field tokens minic.Token[]
---@field token minic.Token the next one, tokens[at]
---@field module phial.Module
---@field fn phial.Function that gets what is emitted
---@field body minic.Body? of the function that is being defined
---@field scope table<string, minic.Symbol>
---@field tags table<string, minic.Type>
local Parser = {}
Parser.__index = Parser

---@param tokens minic.Token[]
---@param module phial.Module
---@param opts { memory: boolean? }
---@return minic.Parser
function Parser.new(tokens, module, opts)
  local constants = phial.fn "constants"
  constants:set_current(constants:entry())
  return setmetatable({ tokens = tokens, at = 1, token = tokens[1], module = module,
    fn = constants, constants = constants, scope = {}, tags = {}, globals = {}, strings = {},
    count = 0, opts = opts }, Parser)
end

-- {== Tokens ==========================================================

--- Raises what is wrong at a token, by default the next one.
---@param at minic.Token?
---@param message string a format
function Parser:problem(at, message, ...) problem(at or self.token, message, ...) end

function Parser:go_to(at) self.at, self.token = at, self.tokens[at] end

--- The next token, which is passed.
---@return minic.Token
function Parser:next()
  local token = self.token
  if token.kind ~= "end" then self:go_to(self.at + 1) end
  return token
end

--- Passes the next token if it is of that kind.
---@param kind string
---@return minic.Token?
function Parser:accept(kind) return self.token.kind == kind and self:next() or nil end

---@param kind string
---@return minic.Token
function Parser:expect(kind)
  if self.token.kind ~= kind then
    self:problem(nil, "expected %s, found '%s'", kind == "name" and "a name" or "'" .. kind .. "'",
      self.token.text)
  end
  return self:next()
end

function Parser:peek(n) return self.tokens[math.min(self.at + n, #self.tokens)] end

--- Passes what is between brackets; the next token is the opening one.
function Parser:skip_brackets()
  local depth = 0
  repeat
    local kind = self:next().kind
    if kind == "end" then self:problem(nil, "a bracket is not closed") end
    if kind == "(" or kind == "{" or kind == "[" then depth = depth + 1 end
    if kind == ")" or kind == "}" or kind == "]" then depth = depth - 1 end
  until depth == 0
end

-- }== Scopes ==========================================================

--- Calls a function with scopes of its own.
---@param inside fun()
function Parser:scoped(inside)
  local scope, tags = self.scope, self.tags
  self.scope = setmetatable({}, { __index = scope })
  self.tags = setmetatable({}, { __index = tags })
  inside()
  self.scope, self.tags = scope, tags
end

--- Declares a name in the innermost scope.
---@param symbol minic.Symbol
---@param at minic.Token
---@return minic.Symbol
function Parser:declare(symbol, at)
  if rawget(self.scope, symbol.name) then
    self:problem(at, "'%s' is declared already", symbol.name)
  end
  self.scope[symbol.name] = symbol
  return symbol
end

--- A name for the module that no C name can be.
---@param stem string
---@return string
function Parser:unique(stem)
  self.count = self.count + 1
  return ("%s.%d"):format(stem, self.count)
end

-- }== Where code goes =================================================

--- Continues in a block, to which the current one leads.
---@param block phial.Block
function Parser:enter(block)
  self.fn:jump_if_open(block)
  self.fn:set_current(block)
end

--- Code that is not reached, until the current block is set again.
function Parser:dead() self.fn:set_current(self.fn:block(nil, 0)) end

--- Calls a function whose code is not run.
---@generic T
---@param inside fun(): T
---@return T
function Parser:unevaluated(inside)
  local fn = self.fn
  self.fn = self.body and self.body.fn or fn
  local current = self.fn:current()
  self:dead()
  local result = inside()
  self.fn:unreachable()
  self.fn:set_current(current)
  self.fn = fn
  return result
end

--- Calls a function that reads what must be constant.
---@generic T
---@param inside fun(): T
---@return T
function Parser:constantly(inside)
  local fn = self.fn
  self.fn = self.constants
  local result = inside()
  self.fn = fn
  return result
end

-- }=====================================================================

return Parser
