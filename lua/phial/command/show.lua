--- phial show: functions as text, as a graph, as a page; what is wrong with them.
local emit = require "phial.command.emit"
local excerpt = require "phial.command.excerpt"
local file = require "phial.command.file"
local input = require "phial.command.input"
local options = require "phial.command.options"

local M = {
  summary = "shows functions: text, counts, a graph, a page; verifies them",
  takes = "FILE",
  about = [[
Shows the functions of FILE, a text or a trace, in the text form.
]],
  options = {
    { "--stats", "counts in place of the text" },
    { "--dot", "a graph for Graphviz in place of the text" },
    { "--html", "a page in place of the text; of a trace, with the steps of construction" },
    { "--detail", "the page also has what look-ups do on their way" },
    { "--source", "the page also has the text of the files that positions name" },
    { "--verify",
      "checks all invariants of SSA form first: what is violated goes to standard error, "
        .. "and the exit status is 1" },
    { "--quiet", "writes no text: only what is wrong" },
    { "--function NAME", "only the function of that name", field = "only" },
    { "--host FILE", "dialects: a Lua script that returns them" },
    { "-o FILE", "writes to FILE", field = "output" },
  },
}

-- The columns: a title, a field of fn:stats(), and that of what finish did of the same kind, which
-- is added.
local COLUMNS <const> = {
  { "blocks", "blocks" }, { "values", "values" }, { "phis", "phis" },
  { "temporary", "temporary_phis" }, { "trivial", "trivial_phis" },
  { "redundant", "redundant_phis" }, { "folded", "folded", "late_folded" },
  { "rules", "applied", "late_applied" }, { "merged", "merged", "late_merged" },
}

local function width(text) return utf8.len(text) or #text end

--- Counts about functions, as a table: a line for each, below the titles.
---@param functions phial.Function[]
---@return string
function M.counts(functions)
  local rows, widths = { { "function" } }, {}
  for i, column in ipairs(COLUMNS) do rows[1][i + 1] = column[1] end
  for k, fn in ipairs(functions) do
    local stats, cells = fn:stats(), { excerpt.safe(fn:name()) }
    for i, column in ipairs(COLUMNS) do
      cells[i + 1] = tostring(stats[column[2]] + (stats[column[3]] or 0))
    end
    rows[k + 1] = cells
  end
  for _, cells in ipairs(rows) do
    for i, text in ipairs(cells) do widths[i] = math.max(widths[i] or 0, width(text)) end
  end
  local lines = {}
  for k, cells in ipairs(rows) do
    local out = {}
    for i, text in ipairs(cells) do
      local blanks = (" "):rep(widths[i] - width(text))
      out[i] = i == 1 and text .. blanks or blanks .. text
    end
    lines[k] = table.concat(out, "  ")
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Runs the subcommand.
function M.run(o)
  local format, path = options.one(o, "stats", "dot", "html") or "text", input.single(o)
  local host, it = input.host(o.host), input.part(input.open(path), o.only)
  local program = input.program(it, host)
  local functions = input.chosen(program, o.only)
  if o.verify then input.refuse_invalid(it, functions) end
  if o.quiet then return 0 end
  file.put(format == "stats" and M.counts(functions) or emit.text(format, it, host, o), o.output)
  return 0
end

return M
