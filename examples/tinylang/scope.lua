-- Symbols, scopes, and what a name in the text stands for.

---@class tinylang.Symbol
---@field kind "module"|"type"|"constant"|"variable"|"procedure"
---@field name string
---@field owner tinylang.Symbol? the module or procedure that declares it
---@field source while.Source? where it is declared; nil: the language
---@field at integer?
---@field node table?
--- Of a constant after its definition has been checked, a variable, or the result of a
--- procedure; nil if a problem has been told, or the procedure has none.
---@field type string?
---@field value integer|boolean|nil of a constant
---@field state "computing"|"computed"|nil of a constant
---@field parameter boolean? of a variable
---@field by_reference boolean? of a parameter: VAR
---@field in_memory boolean? of a local variable: it is passed as VAR somewhere
---@field parameters tinylang.Symbol[] of a procedure
---@field declared tinylang.Symbol[] of a module or procedure
---@field imports tinylang.Symbol[] of a module: the modules that it names
---@field exports table<string, tinylang.Symbol> of a module: all that it declares
---@field scope tinylang.Scope of a module or procedure: its own; of others: the one around

---@class tinylang.Scope
---@field outer tinylang.Scope?
---@field symbols table<string, tinylang.Symbol>
---@field modules table<string, tinylang.Symbol> all, for messages
local Scope = {}
Scope.__index = Scope

local M = {}

---@param outer tinylang.Scope?
---@param modules table<string, tinylang.Symbol>?
---@return tinylang.Scope
function M.new(outer, modules)
  return setmetatable({ outer = outer, symbols = {}, modules = modules or outer.modules }, Scope)
end

--- The scope around all modules.
---@param modules table<string, tinylang.Symbol>
---@return tinylang.Scope
function M.predeclared(modules)
  local scope = M.new(nil, modules)
  for _, name in ipairs { "INTEGER", "BOOLEAN" } do
    scope.symbols[name] = { kind = "type", name = name }
  end
  for name, value in pairs { TRUE = true, FALSE = false } do
    scope.symbols[name] = { kind = "constant", name = name, type = "BOOLEAN", value = value }
  end
  return scope
end

--- "variable 'x'".
---@param symbol tinylang.Symbol
---@return string
function M.described(symbol)
  return ("%s '%s'"):format(symbol.parameter and "parameter" or symbol.kind, symbol.name)
end

--- Where a symbol is declared, for a message about a file.
---@param symbol tinylang.Symbol
---@param source while.Source
---@return string
function M.place(symbol, source)
  local place = ("%d:%d"):format(symbol.source:place(symbol.at))
  return symbol.source == source and place or symbol.source.path .. ":" .. place
end

--- Adds a symbol under its name; a second one of that name is a problem.
---@param symbol tinylang.Symbol
---@param at integer where it is named
---@param source while.Source
---@param problems tinylang.Problems
function Scope:add(symbol, at, source, problems)
  local before = self.symbols[symbol.name]
  if before then
    problems:add(source, at, "'%s' is declared already, at %s", symbol.name,
      M.place(before, source))
  else
    self.symbols[symbol.name] = symbol
  end
end

local function find(scope, name)
  while scope do
    if scope.symbols[name] then return scope.symbols[name] end
    scope = scope.outer
  end
end

-- A name in scope that differs in upper and lower case only.
local function similar(scope, name)
  while scope do
    for other in pairs(scope.symbols) do
      if other:lower() == name:lower() then return (" (did you mean '%s'?)"):format(other) end
    end
    scope = scope.outer
  end
  return ""
end

local function undeclared(scope, name)
  if scope.modules[name] then return ("module '%s' is not imported"):format(name) end
  return ("'%s' is not declared%s"):format(name, similar(scope, name))
end

--- The symbol that a qualified name stands for; nil if that is a problem.
---@param node table
---@param source while.Source
---@param problems tinylang.Problems
---@return tinylang.Symbol?
function Scope:resolve(node, source, problems)
  local symbol = find(self, node[1].text)
  if not symbol then
    problems:add(source, node[1].at, "%s", undeclared(self, node[1].text))
  end
  for i = 2, #node do
    if not symbol then return nil end
    if symbol.kind ~= "module" then
      problems:add(source, node[i].at, "only the name of a module can precede a point, not %s",
        M.described(symbol))
      return nil
    end
    symbol = M.exported(symbol, node[i], source, problems)
  end
  return symbol
end

--- What a module declares under a name; nil if that is a problem.
---@param module tinylang.Symbol
---@param name table the node
---@param source while.Source
---@param problems tinylang.Problems
---@return tinylang.Symbol?
function M.exported(module, name, source, problems)
  local symbol = module.exports[name.text]
  if not symbol then
    problems:add(source, name.at, "module '%s' does not declare '%s'", module.name, name.text)
  end
  return symbol
end

--- The name of the type that a node stands for; nil if that is a problem.
---@param node table
---@param source while.Source
---@param problems tinylang.Problems
---@return string?
function Scope:type_of(node, source, problems)
  local symbol = self:resolve(node, source, problems)
  if symbol and symbol.kind ~= "type" then
    problems:add(source, node.at, "a type expected, but this is %s", M.described(symbol))
    return nil
  end
  return symbol and symbol.name
end

return M
