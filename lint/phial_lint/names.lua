-- What messages call the values of a function.
local Facts = require "phial_lint.facts"

local M = {}

--- The node that a value was made for; of a copy of a constant, the name that it was assigned to.
---@param value phial.Value
---@return table?
function M.node(value) return value:nodes()[1] end

--- The text of an expression, for messages.
---@param node table
---@return string
function M.text(node)
  local tag = node.tag
  if tag == "Id" then return ("'%s'"):format(node[1]) end
  if tag == "Index" and node[2].tag == "String" then
    return ("field '%s'"):format(node[2][1])
  end
  if tag == "Call" and node[1].tag == "Id" then return ("the result of '%s'"):format(node[1][1]) end
  if tag == "Invoke" then return ("the result of method '%s'"):format(node[2][1]) end
  if tag == "Paren" then return M.text(node[1]) end
  return "this"
end

local SWAPPED <const> = { gt = true, ge = true }

--- The node of the nth operand of an instruction.
---@param use phial.Value
---@param n integer
---@return table
function M.operand(use, n)
  local node = Facts.node(use)
  if node.tag == "Id" then return setmetatable({ "_ENV" }, { __index = node }) end -- a global
  if node.tag == "Op" or node.tag == "OpSet" then
    if SWAPPED[node[1]] then n = 3 - n end
    return node[n + 1]
  end
  if node.tag == "Fornum" then return node[n + 1] end
  if node.tag == "Forin" then return node[2][1] end
  return node[1]
end

--- How a value came to be nil.
---@param reason phial.Value
---@return string
function M.reason(reason)
  local op = reason:op()
  if op == "copy" or op == "phi" then return "nil from here" end
  if op == "lua.call" or op == "lua.item" then return "this call may return nil" end
  return "this test finds that it may be nil"
end

--- Adds what a test finds to a report.
function M.step(reports, report, test, holds)
  local node = M.node(test)
  if not node then return end
  local tag = node.tag
  if tag == "Forin" or tag == "Fornum" then
    local ends = (tag == "Forin") == holds
    reports:step(report, node, ends and "the loop ends" or "the loop goes on")
  elseif tag == "Op" then
    local is_true = holds ~= (node[1] == "ne")
    reports:step(report, node, "this is %s", is_true and "true" or "false")
  else
    reports:step(report, node, "%s is %s", M.text(node), holds and "true" or "nil or false")
  end
end

return M
