-- A program, from the texts of its files to a module of phial.
local check = require "tinylang.check"
local declare = require "tinylang.declare"
local flow = require "tinylang.flow"
local mangle = require "tinylang.mangle"
local parser = require "tinylang.parser"
local phial = require "phial"
local places = require "tinylang.places"
local problems_of = require "tinylang.problems"
local source = require "while.source"
local translate = require("tinylang.translate").translate

---@class tinylang.Program
---@field module phial.Module the functions and globals of all files, by their mangled names
---@field initialisers string[] the functions to call first, in this order
---@field procedures table<string, tinylang.Symbol> by their mangled names; modules, too
---@field sources table<string, while.Source> by their paths

local M = {}

-- The trees of all files.
local function parse(files, problems)
  local trees = {}
  for i, file in ipairs(files) do
    local from = source.new(file.path, file.text)
    from.number = i
    local modules, mistakes = parser.parse(from)
    for _, mistake in ipairs(mistakes) do
      problems:add(from, mistake.at, "%s", mistake.message)
    end
    trees[i] = { source = from, modules = modules }
  end
  return trees
end

-- Calls `each` with a module and its procedures, those in procedures too.
local function each_code(symbol, each)
  each(symbol)
  for _, inner in ipairs(symbol.declared) do
    if inner.kind == "procedure" then each_code(inner, each) end
  end
end

-- The parameters of a function of phial.
local function signature(procedure)
  local list = {}
  for i, parameter in ipairs(procedure.parameters) do
    local type = parameter.by_reference and "ptr" or places.type(parameter.type)
    list[i] = ("%s:%s"):format(parameter.name, type)
  end
  return list
end

-- The functions and globals of all modules, still without code.
local function headers(modules, module)
  local functions, globals = {}, {}
  for _, symbol in ipairs(modules) do
    for _, inner in ipairs(symbol.declared) do
      if inner.kind == "variable" then
        globals[inner] = module:global(mangle.name(inner), places.type(inner.type))
      end
    end
    each_code(symbol, function(owner)
      local name = mangle.name(owner)
      if owner.kind == "procedure" then
        functions[owner] = module:fn(name, signature(owner), places.type(owner.type))
      elseif owner.node.body then
        functions[owner] = module:fn(name)
      end
    end)
  end
  return functions, globals
end

-- The module of phial; `each` is called with the translation of each function.
local function generate(name, modules, opts, each)
  local module = phial.module(name, opts)
  local functions, globals = headers(modules, module)
  for _, symbol in ipairs(modules) do
    each_code(symbol, function(owner)
      if not functions[owner] then return end
      local translation = translate(functions[owner], owner, functions, globals)
      if each then each(translation) end
    end)
  end
  return module:finish()
end

local function program(trees, order, module)
  local initialisers, procedures, sources = {}, {}, {}
  for _, tree in ipairs(trees) do sources[tree.source.path] = tree.source end
  for _, symbol in ipairs(order) do
    if symbol.node.body then initialisers[#initialisers + 1] = mangle.name(symbol) end
    each_code(symbol, function(owner) procedures[mangle.name(owner)] = owner end)
  end
  return { module = module, initialisers = initialisers, procedures = procedures,
    sources = sources }
end

--- Compiles a program; or returns nil and a list of problems. What is a mistake does not
--- depend on rules: control flow is checked on a translation without them.
---@param files { path: string, text: string }[]
---@param opts? phial.Options
---@return tinylang.Program?
---@return string[]? problems
function M.compile(files, opts)
  local problems = problems_of.new()
  local trees = parse(files, problems)
  if not problems:is_empty() then return nil, problems:texts() end
  local modules = declare.modules(trees, problems)
  for _, module in ipairs(modules) do check.check(module, problems) end
  if not problems:is_empty() then return nil, problems:texts() end
  local order = declare.order(modules)
  local name = order[#order].name
  generate(name, modules, { rules = false }, function(translation)
    flow.check(translation, problems)
  end)
  if not problems:is_empty() then return nil, problems:texts() end
  return program(trees, order, generate(name, modules, opts))
end

return M
