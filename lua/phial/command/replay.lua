--- phial replay: constructs the functions of traces.
local algorithms = require "phial.trace.algorithms"
local file = require "phial.command.file"
local input = require "phial.command.input"
local show = require "phial.command.show"

local M = {
  summary = "constructs the functions of a trace, by any algorithm, with rules",
  takes = "FILE",
  about = [[
Constructs the functions of FILE, a trace, and shows them in the text form.
]],
  options = {
    { "--construction NAME",
      ("by this algorithm: %s (the paper's variants), %s (the classical ones); default: the one "
        .. "that the trace names, or marker"):format(table.concat(algorithms.variants, ", "),
        table.concat(algorithms.classical, ", ")), choices = algorithms.names },
    { "--rules FILE", "simplifies what is emitted by the rules of FILE; int: the built-in ones" },
    { "--stats", "writes counts in place of the text" },
    { "--quiet", "writes nothing: only what is wrong" },
    { "--no-verify", "does not verify what is constructed", field = "unverified" },
    { "--function NAME", "only the function of that name", field = "only" },
    { "--host FILE", "dialects, functions of rules: a Lua script that returns them" },
    { "-o FILE", "writes to FILE", field = "output" },
  },
}

--- Runs the subcommand.
function M.run(o)
  local path, host = input.single(o), input.host(o.host)
  local rules = input.rules_of_replay(o, host)
  local it = input.part(input.open(path), o.only)
  if it.kind ~= "trace" then input.refuse(it, "trace") end
  local program = input.replayed(it, host, {
    construction = o.construction, rules = rules, verify = not o.unverified,
  })
  local functions, texts = input.chosen(program, o.only), {}
  if o.quiet then return 0 end
  for i, fn in ipairs(o.stats and {} or functions) do texts[i] = fn:text() end
  file.put(o.stats and show.counts(functions) or table.concat(texts, "\n"), o.output)
  return 0
end

return M
