-- A While program, from its text to a phial function.
local grammar = require "while.grammar"
local source = require "while.source"
local translate = require("while.translate").translate
local types = require "while.check"

local M = {}

--- The translation of a program; or nil and a list of problems.
---@param path string its file, for messages
---@param text string
---@param given? string[] the variables that have a value at the start
---@param opts? phial.Options
---@return while.Translation?
---@return string[]? problems
function M.compile(path, text, given, opts)
  local from = source.new(path, text)
  local tree, mistakes = grammar.parse(from)
  types.check(tree, mistakes)
  if #mistakes == 0 then
    local name = path:match "([^/\\]*)$":gsub("%.while$", "")
    return translate(from, tree, name, given or {}, opts)
  end
  local problems = {}
  for i, mistake in ipairs(mistakes) do
    local line, col = from:place(mistake.at)
    problems[i] = from:problem(line, col, mistake.message)
  end
  return nil, problems
end

return M
