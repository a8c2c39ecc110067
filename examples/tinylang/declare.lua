-- Makes the symbols of all modules, and their scopes. Everything in a scope can be
-- used in all of it, also before its declaration, and modules can import each other.
local scopes = require "tinylang.scope"

local M = {}

--
-- {== Symbols of a block ===============================================
--

local function symbol_of(kind, name, owner, node)
  return {
    kind = kind, name = name.text, at = name.at, owner = owner, source = owner.source, node = node,
  }
end

-- The symbols of all declarations of a module or procedure, in order.
local function declared(owner)
  local list = {}
  for _, node in ipairs(owner.node.declarations) do
    for _, name in ipairs(node.names or { node.name }) do
      local kind = node.tag == "variables" and "variable" or node.tag
      list[#list + 1] = symbol_of(kind, name, owner, node)
    end
  end
  return list
end

local function parameters(procedure)
  local list = {}
  for _, group in ipairs(procedure.node.parameters) do
    for _, name in ipairs(group.names) do
      local symbol = symbol_of("variable", name, procedure, group)
      symbol.parameter, symbol.by_reference = true, group.by_reference
      list[#list + 1] = symbol
    end
  end
  return list
end

-- }== Scopes ==========================================================

local enter

-- Gives each symbol its type and scope, once all names of the scope are known.
local function complete(symbol, scope, problems)
  symbol.scope = scope
  if symbol.kind == "variable" then
    symbol.type = scope:type_of(symbol.node.type, symbol.source, problems)
  elseif symbol.kind == "procedure" then
    local result = symbol.node.result
    symbol.type = result and scope:type_of(result, symbol.source, problems)
    symbol.parameters, symbol.declared = parameters(symbol), declared(symbol)
    symbol.scope = scopes.new(scope)
    enter(symbol, problems)
  end
end

-- Fills the scope of a module or procedure.
function enter(owner, problems)
  local inner = { owner.parameters or {}, owner.declared }
  for _, list in ipairs(inner) do
    for _, symbol in ipairs(list) do
      owner.scope:add(symbol, symbol.at, owner.source, problems)
    end
  end
  for _, list in ipairs(inner) do
    for _, symbol in ipairs(list) do complete(symbol, owner.scope, problems) end
  end
end

-- }== Modules =========================================================

local function module_of(node, source, modules, problems)
  local name = node.name.text
  local symbol = { kind = "module", name = name, at = node.at, source = source, node = node }
  symbol.declared, symbol.exports, symbol.imports = declared(symbol), {}, {}
  for _, inner in ipairs(symbol.declared) do
    symbol.exports[inner.name] = symbol.exports[inner.name] or inner
  end
  local before = modules[name]
  if before then
    problems:add(source, node.at, "module '%s' is declared already, at %s", name,
      scopes.place(before, source))
  else
    modules[name] = symbol
  end
  return symbol
end

-- The module that an import names; nil if that is a problem.
local function imported(module, name, modules, problems)
  local from = modules[name.text]
  if from == module then
    problems:add(module.source, name.at, "module '%s' cannot import itself", module.name)
    return nil
  elseif not from then
    problems:add(module.source, name.at, "module '%s' is in none of the files", name.text)
  else
    module.imports[#module.imports + 1] = from
  end
  return from
end

local function import(module, node, modules, problems)
  local from = node.from and imported(module, node.from, modules, problems)
  for _, name in ipairs(node.names) do
    local symbol
    if from then
      symbol = scopes.exported(from, name, module.source, problems)
    elseif not node.from then
      symbol = imported(module, name, modules, problems)
    end
    if symbol then module.scope:add(symbol, name.at, module.source, problems) end
  end
end

--- The symbols of all modules, in the order of the files.
---@param trees { source: while.Source, modules: table[] }[]
---@param problems tinylang.Problems
---@return tinylang.Symbol[]
function M.modules(trees, problems)
  local list, by_name = {}, {}
  for _, tree in ipairs(trees) do
    for _, node in ipairs(tree.modules) do
      list[#list + 1] = module_of(node, tree.source, by_name, problems)
    end
  end
  local outermost = scopes.predeclared(by_name)
  for _, module in ipairs(list) do
    module.scope = scopes.new(outermost)
    for _, node in ipairs(module.node.imports) do import(module, node, by_name, problems) end
  end
  for _, module in ipairs(list) do enter(module, problems) end
  return list
end

-- }== Order ===========================================================

--- The modules in the order in which they are initialised: what a module imports comes
--- before it, unless they import each other, else the order of the files holds.
---@param modules tinylang.Symbol[]
---@return tinylang.Symbol[]
function M.order(modules)
  local list, met = {}, {}
  local function visit(module)
    if met[module] then return end
    met[module] = true
    for _, other in ipairs(module.imports) do visit(other) end
    list[#list + 1] = module
  end
  for _, module in ipairs(modules) do visit(module) end
  return list
end

-- }=====================================================================

return M
