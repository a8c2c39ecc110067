-- While programs: values that are assigned and never used, and reads that may
-- see no value.
local compile = require("while.compile").compile
local messages = require "unused.reports"

local M = {}

-- With the option `copies`, each assignment is a copy of its own: it is used if
-- anything uses that copy.
local function unused(fn, reports)
  for value in fn:values() do
    if value:op() == "copy" and value:use_count() == 0 then
      local line, col = value:loc()
      reports:add(line, col, "value assigned to '%s' is never used", value:var():name())
    end
  end
end

-- The value that each name reads, by the name's position.
local function by_place(program)
  local values = {}
  for node, value in pairs(program.reads) do
    values[table.concat({ program.source:place(node.at) }, ":")] = value
  end
  return values
end

local function assigned(value)
  local copies = {}
  for _, definition in ipairs(value:definitions()) do
    if definition:op() == "copy" then copies[#copies + 1] = definition end
  end
  local lines = messages.lines(copies)
  return lines and "assigned only on " .. lines or "not assigned before"
end

local function undefined(program, reports)
  local values = by_place(program)
  for _, read in ipairs(program.fn:undefined_reads()) do
    local line, col = read.loc.line, read.loc.col
    reports:add(line, col, "'%s' may have no value (%s)", read.var:name(),
      assigned(values[line .. ":" .. col]))
  end
end

--- The reports for a file, or nil and a message.
---@param path string
---@return unused.Report[]?
---@return string? problems
function M.reports(path)
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, problem = file:read "a"
  if not text then return nil, path .. ": " .. problem end
  local program, problems = compile(path, text, nil, { copies = true })
  if not program then return nil, table.concat(problems, "\n") end
  local reports = messages.new()
  unused(program.fn, reports)
  undefined(program, reports)
  return reports:sorted()
end

return M
