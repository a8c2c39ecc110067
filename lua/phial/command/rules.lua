--- phial rules: rules that are found.
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local input = require "phial.command.input"
local options = require "phial.command.options"
local phial = require "phial"

local M = {
  summary = "finds the cheapest form of a term, or of what files have often, and its rule",
  takes = "[FILE ...]",
  about = [[
Writes the cheapest form of a term of integers, the most general rule that leads there, and how
surely it holds: proved by a solver, or only checked if that is not installed. The terms are
those of FILEs, traces or texts, that the rules in use leave as they are, of up to four ops, first
those with most to save. The exit status is 1 if no cheaper form is found.
]],
  options = {
    { "--best TERM", "finds that of TERM, which is written as the pattern of a rule" },
    { "--missing", "only lists the terms that FILEs have often, and some places of each" },
    { "--find", "finds rules for the terms that FILEs have often" },
    { "--least N", "those that occur so often; default: 2" },
    { "--limit N", "ends after N seconds of processor, and says how to go on" },
    { "--from N", "goes on with the term of that number" },
    { "--solver NAME", "proves by this solver, z3 or cvc5; default: z3" },
    { "--seconds N", "what a question may take; default: 5" },
    { "--host FILE", "dialects: a Lua script that returns them" },
    { "-o FILE", "writes to FILE", field = "output" },
  },
}

-- A rule that was found; comments say for which term, and how surely it holds.
local function shown(found, of)
  return ("-- %s%s, saves %d\n%s\n-- %s\n"):format(of, found.form, found.saves, found.rule,
    found.verdict)
end

-- Calls a method that may refuse what it is given.
local function ask(name, ...)
  local R = phial.rules()
  local done, found, rest = failure.pcall(R[name], R, ...)
  if done then return found, rest end
  if not rest then error(found, 0) end
  failure.raise(2, found)
end

local function places(shape)
  local list = {}
  for i, at in ipairs(shape.at) do
    local line, _, name = at.value:loc()
    list[i] = line and name and ("%s:%d"):format(name, line) or at.fn:name()
  end
  return excerpt.safe(table.concat(list, ", "))
end

-- Rules or shapes of the functions of files.
local function harvested(o, name, opts)
  local host, fns = input.host(o.host), {}
  if not o.files[1] then failure.refuse "FILE expected" end
  for _, path in ipairs(o.files) do
    for _, fn in ipairs(input.program(input.open(path), host).functions) do
      if not fn:is_declaration() then fns[#fns + 1] = fn end
    end
  end
  opts.functions, opts.least = fns, options.integer(o, "least")
  return ask(name, opts)
end

local function missing(o)
  local lines = {}
  for i, shape in ipairs(harvested(o, "shapes", {})) do
    lines[i] = ("%d: %d times, %d ops: %s  (%s)\n"):format(i, shape.count, shape.ops, shape.text,
      places(shape))
  end
  file.put(table.concat(lines), o.output)
  return 0
end

local function find(o)
  local found, rest = harvested(o, "find", {
    solver = o.solver, seconds = options.integer(o, "seconds"), from = options.integer(o, "from"),
    limit = options.integer(o, "limit"),
  })
  if not (found[1] or rest) then failure.raise(1, "no cheaper form is found") end
  local parts = {}
  for i, it in ipairs(found) do
    parts[i] = shown(it, ("%d times %s (%s): "):format(it.shape.count, it.shape.text,
      places(it.shape)))
  end
  if rest then parts[#parts + 1] = ("-- to go on: --from %d\n"):format(rest) end
  file.put(table.concat(parts, "\n"), o.output)
  return 0
end

--- Runs the subcommand.
function M.run(o)
  local what = options.one(o, "best", "missing", "find")
  if not what then failure.refuse "--best TERM, --missing or --find expected" end
  options.only(o, what == "find", "--find", "limit", "from")
  options.only(o, what ~= "missing", "--best and --find", "solver", "seconds")
  options.only(o, what ~= "best", "--missing and --find", "least", "host")
  if what ~= "best" then return (what == "find" and find or missing)(o) end
  if o.files[1] then failure.refuse(o.files[1] .. ": no file expected") end
  local found = ask("best", o.best, { solver = o.solver, seconds = options.integer(o, "seconds") })
  if not found then failure.raise(1, o.best .. ": no cheaper form is found") end
  file.put(shown(found, ""), o.output)
  return 0
end

return M
