-- What a statement says of itself: assignments of too many values, or too few; blocks without
-- statements; negations that could be written, or are read, in another way.
local calls = require "phial_lint.calls"
local tree = require "phial_lint.tree"

-- {== Assignments =====================================================

-- The most values that a call gives; nil if it is not known.
local function most_results(facts, node)
  local f = calls.callee(facts.program, node)
  local most, alternatives = 0, f and facts.results[f] or {}
  for _, results in ipairs(alternatives) do
    if results.rest then return nil end
    most = math.max(most, #results)
  end
  return #alternatives > 0 and most or nil
end

local function check_assignment(file, node)
  local targets, values = #node[1], node[2] or {}
  local last = values[#values]
  if #values > targets then
    file.reports:add(node, "531", "right side of assignment has more values than left side expects")
  elseif last and tree.unpacks(last) then
    local most = #values < targets and most_results(file.facts, last)
    if not most or #values - 1 + most >= targets then return end
    file.reports:add(node, "532", "right side of assignment has less values than left side expects")
  elseif #values < targets and node.tag == "Set" then
    file.reports:add(node, "532", "right side of assignment has less values than left side expects")
  end
end

-- }== Negations =======================================================

local OPPOSITES <const> = {
  ne = { "~=", "==" }, eq = { "==", "~=" }, gt = { ">", "<=" }, ge = { ">=", "<" },
  lt = { "<", ">=" }, le = { "<=", ">" },
}

local function inner(node)
  while node.tag == "Paren" do node = node[1] end
  return node
end

local function is_not(node) return node.tag == "Op" and node[1] == "not" end

local function check_negation(file, node)
  local negated = is_not(node) and inner(node[2])
  local words = negated and negated.tag == "Op" and OPPOSITES[negated[1]]
  if words then
    file.reports:add(node, "581", "'not (x %s y)' can be replaced by 'x %s y' (if neither side is "
      .. "a table or NaN)", words[1], words[2])
  elseif OPPOSITES[node[1]] and is_not(node[2]) and not is_not(node[3]) then
    file.reports:add(node, "582",
      "Error prone negation: negation is executed before relational operator.")
  end
end

-- }== Blocks ==========================================================

local function check_if(file, node)
  for i = 2, #node + 1, 2 do
    local list = node[math.min(i, #node)]
    if i <= #node + #node % 2 and #list == 0 then
      file.reports:add(list, "542", "empty if branch")
    end
  end
end

-- }=====================================================================

local CHECKS <const> = {
  Local = check_assignment, Set = check_assignment, Op = check_negation, If = check_if,
  Do = function(file, node)
    if #node == 0 then file.reports:add(node, "541", "empty do..end block") end
  end,
}

return function(file)
  for _, f in ipairs(file.program:functions()) do
    for _, node in ipairs(tree.nodes(f)) do
      local check = CHECKS[node.tag]
      if check then check(file, node) end
    end
  end
end
