-- Reads of variables that no value has been assigned to.
local function is_declared_without(v)
  return v.kind == "local" and not v.value and v.writes > 0
end

return function(file)
  local program, facts = file.program, file.facts
  for _, f in ipairs(program:functions()) do
    for _, read in ipairs(f.fn:read_accesses()) do
      local name, var = read:node(), read:var()
      local v = name and var:data()
      if v and program:variable(name) == v and is_declared_without(v) then
        local is_nil = f ~= v.owner or facts.solutions[f]:fact(read:value()) == 1
        local writes = is_nil and program:writes(name, 2) or {}
        if #writes == 1 and writes[1] == v.node and facts:is_empty(v) then
          local it = file.reports:add(name, "321", "accessing uninitialized variable '%s'", v.name)
          file.reports:step(it, v.node, "declared here")
        end
      end
    end
  end
end
