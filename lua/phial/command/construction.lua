--- The option --construction: the algorithm that constructs the functions of a trace.
local algorithms = require "phial.trace.algorithms"
local failure = require "phial.command.failure"

local M = {}

--- Ends the subcommand if there is no such algorithm.
---@param name? string
function M.check(name)
  local names = {}
  for _, list in ipairs { algorithms.variants, algorithms.classical } do
    for _, known in ipairs(list) do
      if not name or name == known then return end
      names[#names + 1] = known
    end
  end
  failure.refuse(("--construction: %s expected, got '%s'"):format(table.concat(names, ", "), name))
end

--- Ends the subcommand if the algorithm cannot apply rules.
---@param name? string
function M.check_rules(name)
  if not algorithms.is_classical[name] then return end
  failure.refuse("--rules: only with " .. table.concat(algorithms.variants, ", "))
end

return M
