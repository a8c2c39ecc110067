-- Types.  Variables and arithmetic are integers, the conditions of `if` and `while`
-- are booleans.  Variables cannot be boolean.
local M = {}

local INTEGER, BOOLEAN = "an integer", "a boolean"

local gives = {
  number = INTEGER, name = INTEGER, arithmetic = INTEGER, negate = INTEGER,
  boolean = BOOLEAN, comparison = BOOLEAN, both = BOOLEAN, either = BOOLEAN, ["not"] = BOOLEAN,
}

-- The type that a node requires of each expression in it.
local wants = {
  assign = INTEGER, print = INTEGER, ["if"] = BOOLEAN, ["while"] = BOOLEAN,
  arithmetic = INTEGER, negate = INTEGER, comparison = INTEGER,
  both = BOOLEAN, either = BOOLEAN, ["not"] = BOOLEAN,
}

local function described(node)
  if node.tag == "number" then return "this number is" end
  if node.tag == "name" then return ("the variable '%s' is"):format(node[1]) end
  if node.tag == "boolean" then return ("'%s' is"):format(node[1]) end
  return ("the result of '%s' is"):format(node.op or node.tag == "not" and "not" or "-")
end

local function check(node, wrong)
  if node.tag == "number" and not node[1] then
    wrong(node.at, "the number does not fit in 64 bits")
  end
  for _, part in ipairs(node) do
    if type(part) == "table" then
      local given, wanted = gives[part.tag], wants[node.tag]
      if given and given ~= wanted then
        wrong(part.at, "%s expected, but %s %s", wanted, described(part), given)
      end
      check(part, wrong)
    end
  end
end

--- Adds type errors to the mistakes of a tree, except where one has been reported.
---@param tree table
---@param mistakes { at: integer, message: string }[]
function M.check(tree, mistakes)
  local reported = {}
  for _, mistake in ipairs(mistakes) do reported[mistake.at] = true end
  check(tree, function(at, message, ...)
    if not reported[at] then
      mistakes[#mistakes + 1] = { at = at, message = message:format(...) }
    end
  end)
  table.sort(mistakes, function(a, b) return a.at < b.at end)
end

return M
