-- Reports on files as texts.
local M = {}

---@class lint.Checked
---@field path string
---@field reports lint.Reports

-- {== Plain ===========================================================

--- Lines as luacheck's; with explanations, how it comes to each report.
---@param files lint.Checked[]
---@param explains? boolean
---@return string
function M.plain(files, explains)
  local lines = {}
  local function add(...) lines[#lines + 1] = string.format(...) end
  for _, file in ipairs(files) do
    for _, report in ipairs(file.reports) do
      add("%s%s\n", file.path, report:text())
      for _, step in ipairs(explains and report.steps or {}) do
        add("    %s:%d:%d: %s\n", file.path, step.line, step.col, step.text)
      end
    end
    for _, name in ipairs(explains and file.reports.unsearched or {}) do
      add("%s: not all paths of '%s' were searched for uses of nil\n", file.path, name)
    end
  end
  return table.concat(lines)
end

-- }== JSON ============================================================

local function encoded(value) return require("dkjson").encode(value, { indent = true }) .. "\n" end

local function list(items) return setmetatable(items, { __jsontype = "array" }) end

--- A list of objects, whose fields are those of reports: `end_col` is the last column.
function M.json(files)
  local all = list {}
  for _, file in ipairs(files) do
    for _, report in ipairs(file.reports) do
      all[#all + 1] = {
        path = file.path, line = report.line, col = report.col, end_line = report.end_line,
        end_col = report.end_col, code = report.code, message = report.message,
        severity = report.is_error and "error" or "warning", steps = list(report.steps),
      }
    end
  end
  return encoded(all)
end

-- }== SARIF ===========================================================

local function location(path, line, col, end_line, end_col)
  return {
    artifactLocation = { uri = path:gsub("[^%w%-._~/]", function(c)
      return ("%%%02X"):format(c:byte())
    end) },
    region = { startLine = line, startColumn = col, endLine = end_line, endColumn = end_col },
  }
end

local function result(path, report)
  local steps
  for i, step in ipairs(report.steps) do
    steps = steps or {}
    steps[i] = { location = {
      message = { text = step.text }, physicalLocation = location(path, step.line, step.col),
    } }
  end
  return {
    ruleId = report.code, level = report.is_error and "error" or "warning",
    message = { text = report.message }, codeFlows = steps and { { threadFlows = {
      { locations = steps } } } },
    locations = { { physicalLocation = location(path, report.line, report.col, report.end_line,
      report.end_col + 1) } },
  }
end

--- SARIF 2.1.0: how it comes to a report is a code flow.
function M.sarif(files)
  local results, rules, seen = list {}, list {}, {}
  for _, file in ipairs(files) do
    for _, report in ipairs(file.reports) do
      results[#results + 1] = result(file.path, report)
      if not seen[report.code] then
        seen[report.code], rules[#rules + 1] = true, { id = report.code }
      end
    end
  end
  return encoded {
    ["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json", version = "2.1.0",
    runs = { {
      tool = { driver = {
        name = "phial-lint", version = require("phial")._VERSION:match "%S+$", rules = rules,
      } },
      columnKind = "unicodeCodePoints", results = results,
    } },
  }
end

-- }=====================================================================

return M
