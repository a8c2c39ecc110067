-- Lua files: values that are assigned to local variables and never used, and
-- uses of variables that may not have a value yet.
local chunk = require "luac.chunk"
local declarations = require "unused.declarations"
local locals = require "unused.locals"
local new_reports = require("unused.reports").new
local nils = require "unused.nils"

local M = {}

-- The values assigned to each local, { variable =, first = copies, later = copies },
-- in the order of the code.
local function assignments(proto, written)
  local owner, by_local, list = locals.of(proto), {}, {}
  table.sort(written, function(a, b)
    return a.pc < b.pc or a.pc == b.pc and a.register < b.register
  end)
  for _, copy in ipairs(written) do
    local variable, is_first = owner(copy.pc, copy.register)
    if variable then
      local given = by_local[variable]
      if not given then
        given = { variable = variable, first = {}, later = {} }
        by_local[variable], list[#list + 1] = given, given
      end
      table.insert(is_first and given.first or given.later, copy.value)
    end
  end
  return list
end

local function no_value(copy)
  local value, type = copy:args()[1]:const()
  return value == nil and type ~= nil
end

-- True if an instruction in the local's range uses the value, directly or through
-- phis.  Instructions before the range compute the first value, and those after it
-- are the loop itself.  A store to memory counts as a use, since closures share it.
local function used(copy, variable)
  local todo, seen = { copy }, {}
  while #todo > 0 do
    for _, user in ipairs(table.remove(todo):users()) do
      local _, pc = user:loc()
      if user:op() == "phi" then
        if not seen[user] then todo[#todo + 1] = user end
        seen[user] = true
      elseif user:op() == "lua.store" or pc > variable.from and pc <= variable.to then
        return true
      end
    end
  end
  return false
end

local function first_used(given)
  for _, copy in ipairs(given.first) do
    if used(copy, given.variable) then return true end
  end
  return false
end

-- The line of a function is the one where it begins, which is part of its name.
local function line_of(copy)
  local value = copy:args()[1]
  local line = value:op() == "lua.closure" and value:data():match ":(%d+)"
  return tonumber(line) or (copy:loc())
end

-- A first value may be computed on several paths, as in `local x = a or b`: it
-- is unused if it is used on none of them.
local function unused(given, reports)
  local variable, first, later = given.variable, given.first, {}
  local function add(copy, message)
    local line = copy == first[#first] and variable.line or line_of(copy)
    reports:add(line, nil, message, variable.name)
  end
  for _, copy in ipairs(given.later) do
    if copy:use_count() == 0 then later[#later + 1] = copy end
  end
  local last = first[#first]
  if last and not first_used(given) then
    if #later == #given.later then return add(last, "variable '%s' is never used") end
    if not no_value(last) then add(last, "value assigned to '%s' is never used") end
  end
  for _, copy in ipairs(later) do
    if not no_value(copy) then add(copy, "value assigned to '%s' is never used") end
  end
end

local function place(protos, source)
  if source then declarations.place(protos, source) end
end

--- Reports values and variables of a file that are never used; or returns nil and a message.
---@param path string
---@param reports unused.Reports
---@return true? done
---@return string? problem
function M.find(path, reports)
  return chunk.each(path, function(_, _, proto, written)
    for _, given in ipairs(assignments(proto, written)) do
      -- `_` marks a variable as unused, and "(for state)" is the compiler's
      if not given.variable.name:find "^[_(]" then unused(given, reports) end
    end
  end, { copies = true, start = place })
end

--- The reports for a file, or nil and a message.
---@param path string
---@param all? boolean also uses of nil that are not sure
---@return unused.Report[]?
---@return string? problem
function M.reports(path, all)
  local reports = new_reports()
  local done, why = M.find(path, reports)
  if done then done, why = nils.find(path, reports, all, place) end
  if not done then return nil, why end
  return reports:sorted()
end

return M
