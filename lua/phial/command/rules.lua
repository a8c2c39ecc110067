--- phial rules: rules that are found.
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local options = require "phial.command.options"
local phial = require "phial"

local M = {
  summary = "finds the cheapest form of a term, and its rule",
  takes = "",
  about = [[
Writes the cheapest form of a term of integers, the most general rule that leads there, and how
surely it holds: proved by a solver, or only checked if that is not installed. The exit status is
1 if no cheaper form is found.
]],
  options = {
    { "--best TERM", "finds that of TERM, which is written as the pattern of a rule" },
    { "--solver NAME", "proves by this solver, z3 or cvc5; default: z3" },
    { "--seconds N", "what a question may take; default: 5" },
    { "-o FILE", "writes to FILE", field = "output" },
  },
}

--- Runs the subcommand.
function M.run(o)
  if not o.best then failure.refuse "--best TERM expected" end
  if o.files[1] then failure.refuse(o.files[1] .. ": no file expected") end
  local done, found, refused = failure.pcall(phial.rules().best, phial.rules(), o.best,
    { solver = o.solver, seconds = options.integer(o, "seconds") })
  if not done then
    if not refused then error(found, 0) end
    failure.raise(2, found)
  end
  if not found then failure.raise(1, o.best .. ": no cheaper form is found") end
  file.put(("-- %s, saves %d\n%s\n-- %s\n"):format(found.form, found.saves, found.rule,
    found.verdict), o.output)
  return 0
end

return M
