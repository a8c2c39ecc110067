--- Dialects that are made up from how their ops and types are used.
local core = require "phial.core"
local portable = require "phial.portable"

local M = {}

-- No dialect has types of these names.
local BUILTIN <const> = {
  i1 = true, i8 = true, i16 = true, i32 = true, i64 = true, f32 = true, f64 = true, any = true,
  ptr = true,
}

---@class phial.dialects.Used
---@field ops table<string, phial.OpSpec> by name
---@field types table<string, true>

--- What is used of a dialect.
---@param found table<string, phial.dialects.Used> by the name of the dialect
---@param name string
---@return phial.dialects.Used
function M.used(found, name)
  found[name] = found[name] or { ops = {}, types = {} }
  return found[name]
end

--- Notes a type; true if it was not known yet.
---@param found table<string, phial.dialects.Used>
---@param name string of the dialect
---@param type string without the dialect
---@return boolean
function M.note_type(found, name, type)
  local types = not BUILTIN[type] and M.used(found, name).types
  if not types or types[type] then return false end
  types[type] = true
  return true
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list, portable.precedes)
  return list
end

--- The dialects that are given, and made-up ones for the rest of what was found.
---@param found table<string, phial.dialects.Used>
---@param given phial.Dialect[]
---@return phial.Dialect[]
function M.list(found, given)
  local list, is_given = {}, {}
  for i, dialect in ipairs(given) do list[i], is_given[tostring(dialect)] = dialect, true end
  for _, name in ipairs(sorted(found)) do
    if not is_given[name] then
      list[#list + 1] = core.dialect(name, found[name].ops, sorted(found[name].types))
    end
  end
  return list
end

return M
