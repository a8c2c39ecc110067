--- phial show: functions as text, as a graph, as a page; what is wrong with them.
local export = require "phial.command.export"
local failure = require "phial.command.failure"
local input = require "phial.command.input"
local invalid = require "phial.command.invalid"
local output = require "phial.command.output"
local statistics = require "phial.command.statistics"

local M = {
  summary = "shows functions: text, counts, a graph, a page; verifies them",
  usage = [[
usage: phial show [options] FILE
Shows the functions of FILE, a text or a trace, in the text form.

  --stats          counts in place of the text
  --dot            a graph for Graphviz in place of the text
  --html           a page in place of the text; of a trace, with the steps of construction
  --detail         the page also has what look-ups do on their way
  --source         the page also has the text of the files that positions name
  --verify         checks all invariants of SSA form first: what is violated goes to standard
                   error, and the exit status is 1
  --quiet          writes no text: only what is wrong
  --function NAME  only the function of that name
  --host FILE      dialects: a Lua script that returns them
  -o FILE          writes to FILE
]],
  options = {
    ["--stats"] = "stats", ["--dot"] = "dot", ["--html"] = "html", ["--verify"] = "verify",
    ["--detail"] = "detail", ["--source"] = "source", ["--quiet"] = "quiet",
    ["--function"] = { "only" }, ["--host"] = { "host" }, ["-o"] = { "output" },
  },
}

-- The format that the options choose, at most one of them.
local function format_of(o)
  local chosen
  for _, name in ipairs { "stats", "dot", "html" } do
    if o[name] and chosen then
      failure.refuse(("--%s and --%s: one at a time"):format(chosen, name))
    end
    chosen = o[name] and name or chosen
  end
  return chosen or "text"
end

--- Runs the subcommand.
---@param o table its options
---@return integer status
function M.run(o)
  local format, path = format_of(o), input.single(o)
  local host, it = input.host(o.host), input.open(path)
  local program = input.program(it, host)
  local functions = input.chosen(program, o.only)
  if o.verify then invalid.refuse(it, functions) end
  if o.quiet then return 0 end
  local text = format == "stats" and statistics.text(functions)
    or export.text(format, it, host, o)
  output.write(text, o.output)
  return 0
end

return M
