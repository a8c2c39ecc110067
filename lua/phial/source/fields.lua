--- Access paths: `self.a`, `M.x.y` and globals as variables, with the option `fields`.
--
-- A path has a variable in a function that tests or assigns it, and mentions it again. Its value is
-- unknown at first, and after an assignment to what it begins with. An assignment to a field may
-- write all paths that the name of the field occurs in, as two expressions can be one table. A call
-- may write all paths.
local dialect = require "phial.source.dialect"

local M = {}

---@class phial.source.Path
---@field key? string nil for a variable
---@field parent? phial.source.Path
---@field parts table<any, phial.source.Path> longer paths, by their next keys
---@field order phial.source.Path[] the same, in order of their mentions
---@field mentions integer
---@field matters boolean it is tested or assigned somewhere
---@field owner phial.source.Function that mentions it
---@field var? phial.Variable

-- The part of a path with a key, which is its name if it is a field.
local function part_of(f, path, key, name)
  local part = path.parts[key]
  if not part then
    part = { owner = f, parent = path, key = name, parts = {}, order = {}, mentions = 0,
      matters = false }
    path.parts[key], path.order[#path.order + 1] = part, part
  end
  return part
end

--- The path of a mention in a function.
---@param f phial.source.Function
---@param root any the variable, or "_ENV" for globals
---@param keys string[]
---@param matters boolean
---@return phial.source.Path
function M.mention(f, root, keys, matters)
  f.paths = f.paths or { parts = {}, order = {} }
  local path = part_of(f, f.paths, root)
  for _, key in ipairs(keys) do path = part_of(f, path, key, key) end
  path.mentions = path.mentions + 1
  path.matters = path.matters or matters
  return path
end

local function unknown(t) return t.fn:emit(dialect.unknown) end

-- Adds a path to the groups of what its keys may write.
local function join_groups(t, path)
  t.anything:add(path.var)
  local at = path
  while at.key do
    t.by_key[at.key] = t.by_key[at.key] or t.fn:group {}
    t.by_key[at.key]:add(path.var)
    at = at.parent
  end
end

local function start(t, path)
  for _, part in ipairs(path.order) do
    if part.key and part.matters and part.mentions > 1 then
      part.var = t.fn:var(part.key)
      t.fn:write(part.var, unknown(t))
      t.anything = t.anything or t.fn:group {}
      join_groups(t, part)
    end
    start(t, part)
  end
end

--- Makes the variables of a function's paths.
function M.start(t)
  if t.unit.paths then start(t, t.unit.paths) end
end

--- The variable of a node in this function; nil if it has none.
function M.var(t, node)
  local path = t.anything and t.program.paths[node]
  return path and path.owner == t.unit and path.var or nil
end

-- What a path begins with has changed.
local function forget(t, path)
  for _, part in ipairs(path.order) do
    if part.var then t.fn:write(part.var, unknown(t)) end
    forget(t, part)
  end
end

--- A variable was assigned.
function M.forget(t, v)
  local root = t.unit.paths and t.unit.paths.parts[v]
  if root then forget(t, root) end
end

--- A field was assigned.
---@param key? string nil if it is not known
function M.assign(t, node, key, value)
  local path, group = t.program.paths[node], t.anything
  if key then group = t.by_key[key] end
  if group then t.fn:may_write(group, unknown(t)) end
  if not path then return end
  if path.var then t.fn:write(path.var, value) end
  forget(t, path)
end

return M
