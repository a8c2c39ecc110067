-- Variables, arguments and loop variables that nothing reads, or nothing sets.
local tree = require "phial_lint.tree"

local WORDS <const> = {
  ["local"] = { "1", "variable" }, ["function"] = { "1", "function" },
  parameter = { "2", "argument" }, loop = { "3", "loop variable" },
  vararg = { "2", "variable length argument" },
}

-- True if a variable is a function that only itself reads.
local function is_recursive(v)
  local f = v.writes == 0 and v.read_by and v.read_by[1]
  return f and f.node == v.value and #f.captured[v].reads == v.reads
end

-- What is wrong with a variable: the code, and a message with a place for the name.
local function problem_of(facts, v)
  local digit, word = table.unpack(WORDS[v.kind])
  if v.reads == 0 and v.writes == 0 then
    local is_function = v.value and v.value.tag == "Function"
    return "21" .. digit, ("unused %s%%s"):format(is_function and "function" or word)
  elseif v.reads == 0 then
    return "23" .. digit, word .. "%s is never accessed"
  elseif is_recursive(v) then
    return "211", "unused recursive function%s"
  elseif v.writes == 0 and facts:is_empty(v) then
    return "221", "variable%s is never set"
  end
end

return function(file)
  for _, v in ipairs(file.program:variables()) do
    local code, message = problem_of(file.facts, v)
    -- the extra arguments of the chunk are nowhere
    if code and v.node.line and not tree.is_meant(v.name) then
      local name = v.kind == "vararg" and "" or (" '%s'"):format(v.name)
      local report = file.reports:add(v.node, code, message, name)
      report.name, report.is_self = v.name, v.node.implicit
      report.is_secondary = tree.is_secondary(file.program, v.node)
    end
  end
end
