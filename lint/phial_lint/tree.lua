-- The nodes of a function's syntax tree.
local M = {}

-- What is not looked into: the functions in a function, and what has no parts but texts.
local LEAVES <const> = {
  Break = true, Dots = true, False = true, Function = true, Goto = true, Id = true, Label = true,
  Nil = true, Number = true, String = true, True = true,
}
local ASKED_FOR <const> = {
  Do = true, Forin = true, Fornum = true, If = true, Local = true, Op = true, Repeat = true,
  Set = true, While = true,
}

local nodes = setmetatable({}, { __mode = "k" }) -- by function

--- The operators, loops, conditions, blocks and assignments of a function, and not of those in it,
--- in the order of the source.
---@param f phial.source.Function
---@return table[]
function M.nodes(f)
  local list, n, todo = nodes[f], 1, { f.node.tag == "Function" and f.node[2] or f.node }
  if list then return list end
  list = {}
  while n > 0 do
    local node = todo[n]
    local tag = node.tag
    n = n - 1
    if ASKED_FOR[tag] then list[#list + 1] = node end
    for i = #node, tag == "Op" and 2 or 1, -1 do -- the first of an operator is its name
      local part = node[i]
      if not LEAVES[part.tag] then
        n = n + 1
        todo[n] = part
      end
    end
  end
  nodes[f] = list
  return list
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
    for _, node in ipairs(M.nodes(f)) do
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
