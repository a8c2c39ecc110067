-- Lua files: values that are assigned to local variables and never used, and
-- uses of variables that may not have a value yet.
local declarations = require "unused.declarations"
local file = require "phial.command.file"
local new_reports = require("unused.reports").new
local nils = require "unused.nils"
local source = require "phial.source"

local M = {}

-- Parameters may be unused, and what has the name `_`.
local function is_exempt(v)
  return v.kind == "parameter" or v.kind == "vararg" or v.name:find "^_" ~= nil
end

local function no_value(write)
  local value, type = write:value():args()[1]:const()
  return value == nil and type ~= nil
end

-- The writes of each variable that nothing reads, { declaration =, later = accesses }, and
-- `is_used` if anything reads it.
local function unused_writes(program)
  local by_variable = {}
  for _, v in ipairs(program:variables()) do by_variable[v] = { later = {} } end
  for _, f in ipairs(program:functions()) do
    for _, write in ipairs(f.fn:write_accesses()) do
      local name = write:node()
      local v = name and program:variable(name)
      local found = v and by_variable[v]
      if found and #program:reads(name, 1) > 0 then
        found.is_used = true
      elseif found and name == v.node then
        found.declaration = write
      elseif found then
        table.insert(found.later, write)
      end
    end
  end
  return by_variable
end

local function report(program, v, found, reports)
  local function add(name, message)
    local line, col = program:range(name)
    reports:add(line, col, message, v.name)
  end
  if not found.is_used then return add(v.node, "variable '%s' is never used") end
  if found.declaration then table.insert(found.later, 1, found.declaration) end
  for _, write in ipairs(found.later) do
    if not no_value(write) then add(write:node(), "value assigned to '%s' is never used") end
  end
end

--- Reports values and variables of a source that are never used.
---@param program phial.source.Program with the option `values`
---@param reports unused.Reports
function M.find(program, reports)
  local by_variable = unused_writes(program)
  for _, v in ipairs(program:variables()) do
    if not is_exempt(v) then report(program, v, by_variable[v], reports) end
  end
end

-- The source in a file; nil for bytecode, or with a message.
local function read(path)
  local text, why = file.read(path)
  if not text or text:find "^[^\n]*\n?\27" then return nil, why end
  return source.parse(text, { name = path, values = true })
end

--- The reports for a file, or nil and a message.  Of bytecode, only what may be nil is known.
---@param path string
---@param all? boolean also uses of nil that are not sure
---@return unused.Report[]?
---@return string? problem
function M.reports(path, all)
  local reports = new_reports()
  local program, why = read(path)
  if why then return nil, why end
  if program then M.find(program, reports) end
  local done, problem = nils.find(path, reports, all, function(protos)
    if program then declarations.place(protos, program) end
  end)
  if not done then return nil, problem end
  return reports:sorted()
end

return M
