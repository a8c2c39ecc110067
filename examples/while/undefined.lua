-- Reads of variables that have no value on some path: phial finds them, with the
-- blocks of such a path; here the path is turned into conditions of the source.
local M = {}

local function condition(source, node)
  return (source.text:sub(node.from, node.to - 1):gsub("%-%-[^\n]*", ""):gsub("%s+", " "))
end

-- The conditions that were decided on a path.
local function decisions(translation, path)
  local source, list = translation.source, {}
  for i, block in ipairs(path) do
    local node, next = translation.tests[block], path[i + 1]
    if node and next then
      local line, col = source:place(node.from)
      local holds = block:succs()[1] == next
      list[#list + 1] = ("    %d:%d: '%s' is %s"):format(line, col, condition(source, node), holds)
    end
  end
  return list
end

-- If the variable has no value on any path, none is shown.
local function message(translation, read)
  local name, loc = read.var:name(), read.loc
  local assigned = translation.assigned[name]
  local path = assigned and decisions(translation, read.path) or {}
  local what = not assigned and "is never assigned"
    or #path > 0 and "may be read before it is assigned" or "is read before it is assigned"
  local text = ("'%s' %s"):format(name, what)
  local shown = translation.source:problem(loc.line, loc.col, text)
  if #path == 0 then return shown end
  return shown .. "\n  for example if\n" .. table.concat(path, "\n")
end

-- True if all paths to this read lead through another one that has been reported.
local function follows(read, reported)
  for _, before in ipairs(reported) do
    if before.var == read.var and before.block:dominates(read.block) then return true end
  end
end

--- A message for each read that may see no value, in the order of the source.
---@param translation while.Translation
---@return string[]
function M.reads(translation)
  local reads, reported, list = translation.fn:undefined_reads(), {}, {}
  table.sort(reads, function(a, b)
    if a.loc.line ~= b.loc.line then return a.loc.line < b.loc.line end
    return a.loc.col < b.loc.col
  end)
  for _, read in ipairs(reads) do
    if not follows(read, reported) then
      reported[#reported + 1] = read
      list[#list + 1] = message(translation, read)
    end
  end
  return list
end

return M
