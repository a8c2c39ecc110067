-- Mistakes that only control flow shows, found in the SSA form without rules: the end
-- of a procedure that should return a value, and reads of variables that have no value.
local M = {}

-- A procedure with a result ends in `unreachable`; if that is in a block that is still
-- there when construction is finished, the end can be reached.
local function missing_return(translation, problems)
  local owner = translation.owner
  if not translation.fn:result() then return end
  for block in translation.fn:blocks() do
    if block == translation.last then
      problems:add(translation.source, owner.node.ending,
        "the end of '%s' can be reached without RETURN", owner.name)
    end
  end
end

-- The text of a condition, without comments, in one line.
local function condition(source, node)
  local text = source.text:sub(node.from, node.to - 1)
  return (text:gsub("%(%*.-%*%)", ""):gsub("%s+", " "))
end

-- The conditions that were decided on a path; nil if there are none.
local function decisions(translation, path)
  local source, lines = translation.source, {}
  for i, block in ipairs(path) do
    local node, next = translation.tests[block], path[i + 1]
    if node and next then
      local line, col = source:place(node.from)
      local holds = block:succs()[1] == next
      lines[#lines + 1] = ("\n    %d:%d: '%s' is %s"):format(line, col, condition(source, node),
        holds and "TRUE" or "FALSE")
    end
  end
  if #lines == 0 then return nil end
  return "\n  for example if" .. table.concat(lines)
end

-- True if all paths to this read lead through another one that has been told.
local function follows(read, told)
  for _, before in ipairs(told) do
    if before.var == read.var and before.block:dominates(read.block) then return true end
  end
end

local function undefined_reads(translation, problems)
  local reads, source, told = translation.fn:undefined_reads(), translation.source, {}
  for _, read in ipairs(reads) do read.at = source:offset(read.loc.line, read.loc.col) end
  table.sort(reads, function(a, b) return a.at < b.at end)
  for _, read in ipairs(reads) do
    if not follows(read, told) then
      told[#told + 1] = read
      local more = decisions(translation, read.path)
      local problem = problems:add(source, read.at, "'%s' %s read before it is assigned",
        read.var:name(), more and "may be" or "is")
      if problem then problem.more = more end
    end
  end
end

--- Adds the mistakes of a procedure, or of the code of a module.
---@param translation tinylang.Translation made with `rules = false`
---@param problems tinylang.Problems
function M.check(translation, problems)
  missing_return(translation, problems)
  undefined_reads(translation, problems)
end

return M
