--- The part of Table 2 about Brandis and Moessenboeck's algorithm, which takes functions with
--- structured control flow only: it and others on these functions.
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local M = {}

local ALGORITHMS <const> = { "brandis", "cytron", "choi", "marker" }
local REPEATS <const> = "5 "

-- What a pass costs: instructions, or nanoseconds where they cannot be counted.
local function cost(program, options)
  local run = assert(system.run(system.known.c, program.trace, REPEATS .. options))
  if not system.has_valgrind() then return run.ns_per_event * run.events, run end
  return system.instructions(system.known.c, program.trace, options), run
end

--- The table, with the text before it.
---@param programs paper.Program[]
---@param all table<string, table<string, paper.Run>> as construction.lua makes them
---@return string
function M.table(programs, all)
  local rows = { { "program", "functions", "structured", "events", table.unpack(ALGORITHMS) } }
  for i, program in ipairs(programs) do
    local bare, run = cost(program, "--structured --bare")
    rows[i + 1] = { program.name, ("%d"):format(all[program.name].marker.functions),
      ("%d"):format(run.functions), ("%d"):format(run.events) }
    for _, key in ipairs(ALGORITHMS) do
      local whole = cost(program, "--structured --construction " .. key)
      table.insert(rows[i + 1], grid.number((whole - bare) / run.events))
    end
  end
  return ("Brandis and Mössenböck's algorithm takes functions with structured control flow only. "
    .. "On these,\n%s per event of construction alone:\n\n%s"):format(
    system.has_valgrind() and "instructions" or "nanoseconds", grid.text(rows))
end

return M
