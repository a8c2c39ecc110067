-- Reports, in luacheck's format.
---@class lint.Report
---@field line integer
---@field col integer
---@field end_line integer
---@field end_col integer
---@field code string luacheck's, where it has one
---@field message string
---@field name? string of the variable that it is about
---@field is_error boolean the source is not Lua, or a comment to luacheck is wrong
---@field is_self? boolean of a method's `self`, as luacheck's option asks
---@field is_secondary? boolean set together with another one that is used, also for luacheck
---@field steps { line: integer, col: integer, text: string }[] how it comes to that
local Report = {}
Report.__index = Report

--- "3:5: (W711) ...", without the name of the file.
function Report:text()
  return (":%d:%d: (%s%s) %s"):format(self.line, self.col, self.is_error and "E" or "W", self.code,
    self.message)
end

---@class lint.Reports
---@field program? phial.source.Program nil if the source is not Lua
---@field unsearched string[] functions that are too large for all paths to be searched
local Reports = {}
Reports.__index = Reports

--- Adds a report on a place.
---@param code string
---@param message string
---@return lint.Report
function Reports:add_at(line, col, end_line, end_col, code, message)
  local report = setmetatable({
    line = line, col = col, end_line = end_line, end_col = end_col, code = code, message = message,
    is_error = code:find "^0" ~= nil, steps = {},
  }, Report)
  self[#self + 1] = report
  return report
end

--- Adds a report on a node.
---@param node table
---@param code string
---@param message string a format, for what follows
---@return lint.Report
function Reports:add(node, code, message, ...)
  local line, col, end_line, end_col = self.program:range(node)
  return self:add_at(line, col, end_line, end_col, code, message:format(...))
end

--- Adds that the source is not Lua.
---@param message string of phial.source, for a source of that name
---@return lint.Reports self
function Reports:refuse(message)
  local line, col, text = message:match "^source:(%d+):(%d+): (.*)$"
  line, col = tonumber(line) or 1, tonumber(col) or 1
  self:add_at(line, col, line, col, "011", text or message)
  return self
end

--- Adds a step to a report.
function Reports:step(report, node, text, ...)
  local line, col = self.program:range(node)
  if line then table.insert(report.steps, { line = line, col = col, text = text:format(...) }) end
end

--- Puts reports in the order of their positions.
function Reports:sort()
  table.sort(self, function(a, b)
    if a.line ~= b.line then return a.line < b.line end
    if a.col ~= b.col then return a.col < b.col end
    return a.code < b.code
  end)
end

---@param program? phial.source.Program
---@return lint.Reports
return function(program)
  return setmetatable({ program = program, unsearched = {} }, Reports)
end
