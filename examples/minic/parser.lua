-- The state of a translation, which one pass over the tokens makes: no trees. What is read is
-- emitted at once into the current block of the function that is being defined; constant
-- expressions go to a function of their own, where phial folds them.
local lexer = require "minic.lexer"
local phial = require "phial"
local types = require "minic.types"

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

--- What may return twice.
Parser.TWICE = { _setjmp = 1, setjmp = 1, __sigsetjmp = 1, sigsetjmp = 1, getcontext = 1,
  vfork = 1 }

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

--- Raises what is wrong at a token, by default the next one, unless something holds. Types are
--- shown as in C.
---@param holds any
---@param at minic.Token?
---@param message string a format
---@param ... string|number|minic.Type
function Parser:check(holds, at, message, ...)
  if holds then return end
  local shown = { ... }
  for i, it in ipairs(shown) do shown[i] = type(it) == "table" and types.shown(it) or it end
  lexer.problem(at or self.token, message, table.unpack(shown))
end

function Parser:go_to(at) self.at, self.token = at, self.tokens[at] end

--- The next token, which is passed.
function Parser:next()
  local token = self.token
  if token.kind ~= "end" then self:go_to(self.at + 1) end
  return token
end

--- Passes the next token if it is of that kind.
function Parser:accept(kind) return self.token.kind == kind and self:next() or nil end

--- Passes the next token, which must be of that kind.
function Parser:expect(kind)
  self:check(self.token.kind == kind, nil, "expected %s, found '%s'",
    kind == "name" and "a name" or "'" .. kind .. "'", self.token.text)
  return self:next()
end

--- The token n after the next one.
function Parser:peek(n) return self.tokens[math.min(self.at + n, #self.tokens)] end

--- What a method reads between parentheses.
function Parser:parenthesized(read)
  self:expect "("
  local result = read(self)
  self:expect ")"
  return result
end

--- Calls a method for each part of a list, up to what closes it, which is passed.
function Parser:list(close, read)
  if self.token.kind ~= close then
    repeat read(self) until not self:accept ","
  end
  self:expect(close)
end

local DEPTHS <const> = { ["("] = 1, ["["] = 1, ["{"] = 1, [")"] = -1, ["]"] = -1, ["}"] = -1 }

--- Passes what is between brackets; the next token is the opening one.
function Parser:skip_brackets()
  local depth = 0
  repeat
    self:check(self.token.kind ~= "end", nil, "a bracket is not closed")
    depth = depth + (DEPTHS[self:next().kind] or 0)
  until depth == 0
end

-- }== Scopes ==========================================================

--- Calls a method with scopes of its own.
function Parser:scoped(inside)
  local scope, tags = self.scope, self.tags
  self.scope = setmetatable({}, { __index = scope })
  self.tags = setmetatable({}, { __index = tags })
  inside(self)
  self.scope, self.tags = scope, tags
end

--- Declares a name in the innermost scope.
---@param symbol minic.Symbol
---@param at minic.Token
---@return minic.Symbol
function Parser:declare(symbol, at)
  self:check(not rawget(self.scope, symbol.name), at, "'%s' is declared already", symbol.name)
  self.scope[symbol.name] = symbol
  return symbol
end

-- }== Where code goes =================================================

--- Continues in a block, to which the current one leads.
function Parser:enter(block)
  self.fn:jump_if_open(block)
  self.fn:set_current(block)
end

--- Code that is not reached, until the current block is set again.
function Parser:dead() self.fn:set_current(self.fn:block(nil, 0)) end

--- Ends the current block by a condition. Returns the blocks of both outcomes, of which one that is
--- known not to happen is dead, and a block where they can meet; the one of `empty` is that.
---@param condition phial.Value
---@param empty boolean?
---@return phial.Block yes
---@return phial.Block no
---@return phial.Block done
function Parser:fork(condition, empty)
  local fn, known, done = self.fn, condition:const(), self.fn:block()
  local function side(is)
    return is == empty and done or fn:block(nil, known == not is and 0 or 1)
  end
  local yes, no = side(true), side(false)
  if known == nil then fn:branch(condition, yes, no) else fn:jump(known and yes or no) end
  return yes, no, done
end

-- The result of a method that emits into another function.
local function within(self, fn, inside)
  local outer = self.fn
  self.fn = fn
  local result = inside(self)
  self.fn = outer
  return result
end

--- The result of a method whose code is not run.
function Parser:unevaluated(inside)
  return within(self, self.body and self.body.fn or self.fn, function()
    local fn, current = self.fn, self.fn:current()
    self:dead()
    local result = inside(self)
    fn:unreachable()
    fn:set_current(current)
    return result
  end)
end

--- The result of a method that reads what must be constant.
function Parser:constantly(inside) return within(self, self.constants, inside) end

-- }=====================================================================

return Parser
