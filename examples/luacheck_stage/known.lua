-- What luacheck knows of a file before its stage resolve_locals: statements ("items") of
-- functions ("lines"), names of the tree that access variables, values of variables.

---@class luacheck.Known
---@field items table<table, table> the statement of a name that is read, or of a function
---@field lines table<table, table> the function of a statement
---@field mutates table<table, true> the names whose table is changed, as in `x.y = 1`
---@field values table<table, table> by name that is written
---@field order table<table, integer> of values
---@field targets table<table, table|false> by statement, see Known:circular
local Known = {}
Known.__index = Known

local function note_names(known, item, by_var, mutate)
  for _, nodes in pairs(by_var or {}) do
    for _, node in ipairs(nodes) do
      known.items[node] = item
      if mutate then known.mutates[node] = true end
    end
  end
end

local function note_values(known, item)
  for _, node in ipairs(item.lhs) do
    local value = node.var and item.set_variables[node.var]
    if value then
      known.values[node] = value
      known.count = known.count + 1
      known.order[value] = known.count
    end
  end
end

local function note(known, line, item)
  known.lines[item] = line
  note_names(known, item, item.accesses)
  note_names(known, item, item.mutations, true)
  if item.set_variables then note_values(known, item) end
  for _, created in ipairs(item.lines or {}) do
    if created.parent == line then known.items[created.node] = item end
  end
end

local function contains_call(node)
  if node.tag == "Call" or node.tag == "Invoke" then return true end
  if node.tag == "Function" then return false end
  for _, part in ipairs(node) do
    if type(part) == "table" and contains_call(part) then return true end
  end
  return false
end

-- The variable to a field of which a statement assigns, if it calls nothing.
local function target_of(item)
  if item.tag ~= "Set" and item.tag ~= "Local" and item.tag ~= "OpSet" then return false end
  local value = item.tag == "OpSet" and item.rhs or item.rhs[1]
  local target = item.tag == "OpSet" and item.lhs or item.lhs[1]
  if contains_call(value) or contains_call(target) then return false end
  return target[1].var or false
end

--- True if a statement like `t.x = t` reads the variable: luacheck does not count that as use.
---@param item table
---@param var table
---@return boolean
function Known:circular(item, var)
  local target = self.targets[item]
  if target == nil then
    target = target_of(item)
    self.targets[item] = target
  end
  return target == var
end

--- The functions around a name, up to the one that declares its variable.
---@param name table
---@return table[]
function Known:lines_of(name)
  local line, owner = self.lines[self.items[name]], name.var.line
  local list = { line }
  while line ~= owner and line.parent ~= owner do
    line = line.parent
    list[#list + 1] = line
  end
  return list
end

---@param lines table[] luacheck's functions
---@return luacheck.Known
return function(lines)
  local known = setmetatable({
    items = {}, lines = {}, mutates = {}, values = {}, order = {}, targets = {}, count = 0,
  }, Known)
  for _, line in ipairs(lines) do
    for _, item in ipairs(line.items) do note(known, line, item) end
  end
  return known
end
