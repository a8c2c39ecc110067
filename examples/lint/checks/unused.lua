-- Variables, arguments and loop variables that nothing reads, or nothing sets.
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

local function check(file, v)
  local digit, word = table.unpack(WORDS[v.kind])
  local name = v.kind == "vararg" and "" or (" '%s'"):format(v.name)
  local function report(code, ...) file.reports:add(v.node, code, ...) end
  if v.reads == 0 and v.writes == 0 then
    if v.value and v.value.tag == "Function" then word = "function" end
    report("21" .. digit, "unused %s%s", word, name)
  elseif v.reads == 0 then
    report("23" .. digit, "%s%s is never accessed", word, name)
  elseif is_recursive(v) then
    report("211", "unused recursive function%s", name)
  elseif v.writes == 0 and file.facts:is_empty(v) then
    report("221", "variable%s is never set", name)
  end
end

return function(file)
  for _, v in ipairs(file.program:variables()) do
    local is_meant_to_be_unused = v.name:find "^_" or not file.program:range(v.node)
    if not is_meant_to_be_unused then check(file, v) end
  end
end
