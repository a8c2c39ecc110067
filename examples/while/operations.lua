-- Precedence: the grammar yields an expression as a row of operators and operands,
-- which becomes a tree here.  All binary operators are left-associative.
local M = {}

local LEVELS = { "or", "and", "not", "= != < <= > >=", "+ -", "* / %", "negate" }
local TAGS = {
  "either", "both", "not", "comparison", "arithmetic", "arithmetic", "negate",
}

local level = {}
for l, ops in ipairs(LEVELS) do
  for op in ops:gmatch "%S+" do level[op] = l end
end

local climb

local function operand(row)
  local item = row[row.next]
  row.next = row.next + 1
  if not item.op or item.tag then return item end
  local l = level[item.op == "-" and "negate" or item.op]
  local inner = climb(row, l)
  return { tag = TAGS[l], at = item.at, from = item.at, to = inner.to, inner }
end

-- Parses operations of at least this level.
function climb(row, least)
  local left = operand(row)
  while true do
    local item = row[row.next]
    local l = item and level[item.op]
    if not l or l < least then return left end
    row.next = row.next + 1
    local right = climb(row, l + 1)
    left = {
      tag = TAGS[l], at = item.at, from = left.from, to = right.to, op = item.op, left, right,
    }
  end
end

--- The tree of a row. Operators are { at =, op = }; before an operand they are
--- prefixes.
---@return table node
function M.tree(...)
  return climb({ next = 1, ... }, 1)
end

return M
