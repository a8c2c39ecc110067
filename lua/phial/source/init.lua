--- phial.source: Lua sources, each function in SSA form (docs/source.md).
local answers = require "phial.source.answers"
local errors = require "phial.errors"
local failure = require "phial.source.failure"
local flow = require "phial.source.flow"
local options = require "phial.options"
local plain = require "phial.source.plain"
local resolve = require "phial.source.resolve"
local statements = require "phial.source.statements"
local valued = require "phial.source.valued"

local M = {}

local KNOWN <const> = {
  calls = "function", closures = { "calls", "creation" }, fields = "boolean",
  metamethods = "boolean", name = "string", parser = "table", refine = "boolean",
  unreachable = { "apart", "joined" }, values = "boolean",
}

local function translate(program, unit, opts)
  flow.func(program, unit, opts, function(t)
    t.expressions = opts.values and valued or plain
    t.translate = function(node)
      local inner = program.units[node]
      translate(program, inner, opts)
      return inner
    end
    t.expressions.start(t)
    statements.block(t, unit == program.units[1] and unit.node or unit.node[2])
  end)
end

local function taken(method, opts)
  local o = options.argument(method, 2, opts, KNOWN)
  for _, name in ipairs { "calls", "fields", "refine" } do
    if o[name] and not o.values then
      errors.raise("'%s': option '%s' needs option 'values'", method, name)
    end
  end
  o.closures = o.closures or "calls"
  return o
end

-- A program; nil, a message and, mostly, a node if it is not Lua.
local function make(tree, opts)
  local program = answers.new(tree, opts)
  local ok, problem = pcall(function()
    local resolved = resolve.run(tree.statements, tree.attribute, opts.fields)
    program.units, program.names, program.users, program.joins, program.paths =
      resolved.functions, resolved.variables, resolved.users, resolved.joins, resolved.paths
    translate(program, program.units[1], opts)
  end)
  if ok then return program end
  if type(problem) ~= "table" or not problem.node then return nil, failure.too_deep(problem) end
  return nil, problem.message, problem.node
end

local function message_at(name, line, col, message)
  return ("%s:%d:%d: %s"):format(name or "source", line, col, message)
end

--- The functions of a tree that was parsed already.
---@param tree phial.source.Tree
---@param opts? phial.source.Options
---@return phial.source.Program? program nil if it is not Lua
---@return string? message
function M.tree(tree, opts)
  if type(tree) ~= "table" then errors.arg("phial.source.tree", 1, "table", tree) end
  local o = taken("phial.source.tree", opts)
  local program, message, node = make(tree, o)
  if program then return program end
  if not node then return nil, message end
  local line, col = tree.range(node)
  return nil, message_at(o.name, line, col, message)
end

--- Parses a source.
---@param text string
---@param opts? phial.source.Options
---@return phial.source.Program? program nil if it is not Lua
---@return string? message
function M.parse(text, opts)
  errors.check_string("phial.source.parse", 1, text)
  local o = taken("phial.source.parse", opts)
  local parser = o.parser or require "phial.source.luacheck"
  local tree, message, line, col = parser.parse(text)
  if tree then return M.tree(tree, opts) end
  return nil, line and message_at(o.name, line, col, message) or message
end

--- Reads a file.
---@param path string
---@param opts? phial.source.Options
---@return phial.source.Program? program nil if it cannot be read, or is not Lua
---@return string? message
function M.load(path, opts)
  errors.check_string("phial.source.load", 1, path)
  if opts ~= nil then errors.check_table("phial.source.load", 2, opts) end
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, problem = file:read "a"
  if not text then return nil, path .. ": " .. problem end
  return M.parse(text, options.union({ name = path }, opts))
end

return M
