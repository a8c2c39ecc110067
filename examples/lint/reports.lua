-- Reports, in luacheck's format.
---@class lint.Report
---@field line integer
---@field col integer
---@field end_line integer
---@field end_col integer
---@field code string luacheck's, where it has one
---@field message string
---@field steps { line: integer, col: integer, text: string }[]? how it comes to that
local Report = {}
Report.__index = Report

--- "3:5: (W711) ...", without the name of the file.
function Report:text()
  return (":%d:%d: (W%s) %s"):format(self.line, self.col, self.code, self.message)
end

---@class lint.Reports
---@field program phial.source.Program
---@field unsearched string[] functions that are too large for all paths to be searched
local Reports = {}
Reports.__index = Reports

--- Adds a report.
---@param node table
---@param code string
---@param message string a format, for what follows
function Reports:add(node, code, message, ...)
  local line, col, end_line, end_col = self.program:range(node)
  local report = setmetatable({
    line = line, col = col, end_line = end_line, end_col = end_col, code = code,
    message = message:format(...), steps = {},
  }, Report)
  self[#self + 1] = report
  return report
end

--- Adds a step to a report.
function Reports:step(report, node, text, ...)
  local line, col = self.program:range(node)
  if line then table.insert(report.steps, { line = line, col = col, text = text:format(...) }) end
end

--- By position.
function Reports:sorted()
  table.sort(self, function(a, b)
    if a.line ~= b.line then return a.line < b.line end
    if a.col ~= b.col then return a.col < b.col end
    return a.code < b.code
  end)
  return self
end

---@param program phial.source.Program
---@return lint.Reports
return function(program)
  return setmetatable({ program = program, unsearched = {} }, Reports)
end
