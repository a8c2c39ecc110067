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
---@field parts? table<any, phial.source.Path> longer paths, by their next keys; and from 1 on, in
--- the order of their mentions
---@field mentions integer
---@field matters boolean it is tested or assigned somewhere
---@field owner phial.source.Function that mentions it
---@field var? phial.Variable

local function add(path, key, part)
  local parts = path.parts or {}
  path.parts, parts[key], parts[#parts + 1] = parts, part, part
  return part
end

--- The path that begins a longer one: that of a variable, or "_ENV" for globals.
---@param f phial.source.Function
function M.root(f, root)
  f.paths = f.paths or {}
  return f.paths.parts and f.paths.parts[root] or add(f.paths, root, {})
end

--- The path of a field.
---@param f phial.source.Function
---@param path phial.source.Path of what has it
---@return phial.source.Path
function M.part(f, path, key)
  return path.parts and path.parts[key]
    or add(path, key, { owner = f, parent = path, key = key, mentions = 0, matters = false })
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

local NONE <const> = {}

local function start(t, path)
  for _, part in ipairs(path.parts or NONE) do
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
  for _, part in ipairs(path.parts or NONE) do
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
