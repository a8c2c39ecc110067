-- The nodes of a function's syntax tree.
local M = {}

--- Iterates over the nodes of a function, and not of those in it, in the order of the source.
---@param f phial.source.Function
---@return fun(): table?
function M.each(f)
  local todo = { f.node.tag == "Function" and f.node[2] or f.node }
  return function()
    local node = table.remove(todo)
    if not node then return nil end
    for i = node.tag == "Function" and 0 or #node, 1, -1 do
      if type(node[i]) == "table" then todo[#todo + 1] = node[i] end
    end
    return node
  end
end

local UNPACKS <const> = { Call = true, Dots = true, Invoke = true }

--- True if an expression, the last of a list, can give several values.
function M.unpacks(node) return UNPACKS[node.tag] ~= nil end

-- The names that are set together with one by the last expression of an assignment; a name for
-- which something else is set is not among them.
local together = setmetatable({}, { __mode = "k" }) -- by program, by name

local function note(set, node)
  local targets, values = node[1], node[2]
  local last = values and values[#values]
  if not last or #targets <= #values or not M.unpacks(last) then return end
  local group = table.move(targets, #values, #targets, 1, {})
  for _, name in ipairs(group) do set[name] = group end
end

local function groups_of(program)
  local set = together[program]
  if set then return set end
  set = {}
  for _, f in ipairs(program:functions()) do
    for node in M.each(f) do
      if node.tag == "Local" or node.tag == "Set" then note(set, node) end
    end
  end
  together[program] = set
  return set
end

-- True if something reads what a name, or the field of a table, is set to.
local function is_used(program, node)
  local v = program:variable(node)
  return not v or v.reads > 0 and program:reads(node, 1)[1] ~= nil
end

--- True if a name is set together with others, of which one is used.
---@param program phial.source.Program
---@param name table
---@return boolean
function M.is_secondary(program, name)
  for _, other in ipairs(groups_of(program)[name] or {}) do
    if other ~= name and is_used(program, other) then return true end
  end
  return false
end

--- True if the name of a variable says that it may be unused.
function M.is_meant(name) return name:find "^_" ~= nil and name ~= "_ENV" end

return M
