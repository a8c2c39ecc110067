-- Values that are assigned and not used, or overwritten before.
local Facts = require "phial_lint.facts"
local tree = require "phial_lint.tree"

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
  it.name, it.is_secondary = v.name, tree.is_secondary(program, name)
  for _, other in ipairs(others) do reports:step(it, other, "overwritten here") end
end

local function matters(v) return WORDS[v.kind] and v.reads > 0 and not tree.is_meant(v.name) end

-- True if a write of a name is one, and nothing reads what it writes.
local function is_unused(program, write, name)
  if write:is_may_write() or write:reads(1)[1] or is_nil(write) then return false end
  return write:block():is_reachable() and not program:reads(name, 1)[1]
end

return function(file)
  local program = file.program
  for _, f in ipairs(program:functions()) do
    local variables = Facts.variables(f, matters)
    for _, write in ipairs(f.fn:write_accesses()) do
      local v = variables[write:var()]
      local name = v and (write:node() or v.owner == f and v.node) -- of a parameter
      local is_own = name and program:variable(name) == v
      if is_own and is_unused(program, write, name) then report(file, name, v) end
    end
  end
end
