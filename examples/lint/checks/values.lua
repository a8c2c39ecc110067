-- Values that are assigned and not used, or overwritten before.
local WORDS <const> = {
  ["local"] = { "311", "value assigned to variable" },
  ["function"] = { "311", "value assigned to variable" },
  parameter = { "312", "value of argument" }, loop = { "313", "value of loop variable" },
}

local function is_nil(write)
  local value = write:value():arg(1)
  return value and value:op() == "const" and value:const() == nil
end

local function report(file, name, v)
  local program, reports = file.program, file.reports
  local code, what = table.unpack(WORDS[name == v.node and v.kind or "local"])
  local others = program:overwritten_by(name) or {}
  local line = #others == 1 and program:range(others[1])
  local it = line and reports:add(name, code, "%s '%s' is overwritten on line %d before use", what,
    v.name, line) or reports:add(name, code, "%s '%s' is unused", what, v.name)
  for _, other in ipairs(others) do reports:step(it, other, "overwritten here") end
end

-- The name that a write assigns, or of a parameter that the function declares; nil if none is to be
-- used.
local function name_of(program, f, write, v)
  local name = write:node() or v.owner == f and v.node
  local is_own = name and program:variable(name) == v and not write:is_may_write()
  return is_own and WORDS[v.kind] and v.reads > 0 and not v.name:find "^_" and name or nil
end

return function(file)
  local program = file.program
  for _, f in ipairs(program:functions()) do
    for _, write in ipairs(f.fn:write_accesses()) do
      local var = write:var()
      local v = var and var:data()
      local name = v and name_of(program, f, write, v)
      if name and write:block():is_reachable() and not is_nil(write) then
        local is_used = write:reads(1)[1] or program:reads(name, 1)[1]
        if not is_used then report(file, name, v) end
      end
    end
  end
end
