-- Reads of variables that no value has been assigned to.
local Facts = require "phial_lint.facts"

local function is_set_later(v) return v.kind == "local" and not v.value and v.writes > 0 end

return function(file)
  local program, facts = file.program, file.facts
  for _, f in ipairs(program:functions()) do
    local variables = Facts.variables(f, is_set_later)
    for _, read in ipairs(next(variables) and f.fn:read_accesses() or {}) do
      local v, name = variables[read:var()], read:node()
      if v and name and program:variable(name) == v then
        local is_nil = f ~= v.owner or facts.solutions[f]:fact(read:value()) == 1
        local writes = is_nil and program:writes(name, 2) or {}
        if #writes == 1 and writes[1] == v.node and facts:is_empty(v) then
          local it = file.reports:add(name, "321", "accessing uninitialized variable '%s'", v.name)
          it.name = v.name
          file.reports:step(it, v.node, "declared here")
        end
      end
    end
  end
end
