--- The option --construction: the algorithm that constructs the functions of a trace.
local algorithms = require "phial.trace.algorithms"
local failure = require "phial.command.failure"

local M = {}

--- Ends the subcommand unless the name is that of an algorithm.
---@param name? string
function M.check(name)
  if not name or algorithms.is_known[name] then return end
  failure.refuse(("--construction: %s expected, got '%s'"):format(algorithms.expected, name))
end

--- Ends the subcommand if the algorithm cannot apply rules.
---@param name? string
function M.check_rules(name)
  if not algorithms.is_classical[name] then return end
  failure.refuse("--rules: only with " .. table.concat(algorithms.variants, ", "))
end

return M
