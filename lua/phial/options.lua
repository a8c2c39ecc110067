--- Options: a table of named arguments, checked against those that a function knows.
local core = require "phial.core"
local errors = require "phial.errors"
local portable = require "phial.portable"

local M = {}

--- What an option can be: a type, as `type` or `math.type` name it; "list": a table with the keys
--- 1 to n; true: anything; a list of strings: one of them, where `expected` replaces the list in
--- messages; {least} or {least, most}: an integer, or, if these are floats, a number.
---@alias phial.options.Kind string|true|string[]|integer[]

---@alias phial.options.Known table<string, phial.options.Kind> by the name of the option

local function type_of(kind)
  if type(kind) ~= "table" then return kind end
  return ({ integer = "integer", float = "number" })[math.type(kind[1])] or "string"
end

-- What is expected of a value that has the right type; nil if it is that.
local function refusal(kind, value)
  if type(kind) ~= "table" then return nil end
  local least, most = kind[1], kind[2]
  if type(least) == "number" then
    if value >= least and (not most or value <= most) then return nil end
    return most and ("%d to %d"):format(least, most) or ("at least %d"):format(least)
  end
  for _, choice in ipairs(kind) do
    if value == choice then return nil end
  end
  return kind.expected or ('"%s"'):format(table.concat(kind, '" or "'))
end

local function raise(where, name, expected, value)
  errors.raise("%soption '%s': %s expected, got %s", where, name, expected, errors.got(value))
end

--- Checks options: raises on unknown names and wrong values. Returns a raw copy, also of lists:
--- metatables are ignored.
---@param where string prefix of messages: "'x': "
---@param opts table
---@param known phial.options.Known
---@return table
function M.take(where, opts, known)
  local taken = {}
  if type(opts) ~= "table" or errors.object(opts) then
    errors.raise("%sa table of options expected, got %s", where, errors.got(opts))
  end
  for name, value in next, opts do
    local expected = type_of(known[name])
    taken[name] = value
    if not expected then
      errors.raise("%sunknown option '%s'; there are: %s", where, portable.tostring(name),
        table.concat(portable.sorted(known), ", "))
    elseif expected == "list" then
      taken[name] = core.list(value, ("%soption '%s'"):format(where, name))
    elseif expected ~= true and type(value) ~= expected and math.type(value) ~= expected then
      raise(where, name, expected, value)
    end
  end
  for name, value in next, taken do
    local expected = refusal(known[name], value)
    if expected then raise(where, name, expected, value) end
  end
  return taken
end

--- Checks options that are an argument of a function; nil: none.
---@param method string the function, "phial.record"
---@param i integer the number of the argument
---@param opts any
---@param known phial.options.Known
---@return table
function M.argument(method, i, opts, known)
  if opts == nil then return {} end
  errors.check_table(method, i, opts)
  return M.take(("'%s': "):format(method), opts, known)
end

--- A new table with the fields of several, raw; a later one replaces those of the same name.
---@param ... table
---@return table
function M.union(...)
  local all = {}
  for _, its in ipairs { ... } do
    for name, value in next, its do all[name] = value end
  end
  return all
end

return M
