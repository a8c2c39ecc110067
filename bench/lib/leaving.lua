--- The moves that leaving SSA form leaves, without and with coalescing, and the
--- time that it takes.
local corpus = require "bench.lib.corpus"
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local M = {}

--- The best of some rounds without and with leaving, which take turns.
local function best_runs(path, rounds)
  local best = {}
  for _ = 1, rounds do
    for i, option in ipairs { "3", "3 --left" } do
      local run = assert(system.run(system.known.c, path, option))
      if not best[i] or run.ns_per_event < best[i].ns_per_event then best[i] = run end
    end
  end
  return best[1], best[2]
end

--- A table with a row for each program: its moves, and nanoseconds per function.
---@param folder string
---@param programs string[]
---@param rounds integer
---@return string
function M.table(folder, programs, rounds)
  local rows = { {
    "program", "functions", "phis", "moves, each its own", "moves, coalesced", "left",
    "ns constructing", "ns leaving", "share of both",
  } }
  local all, coalesced = 0, 0
  for _, program in ipairs(programs) do
    local plain, left = best_runs(corpus.unpacked(folder, program), rounds)
    local each = left.events / left.functions
    local more = left.ns_per_event - plain.ns_per_event
    rows[#rows + 1] = {
      program, grid.number(left.functions), grid.number(left.phis), grid.number(left.moves),
      grid.number(left.coalesced), grid.number(100 * left.coalesced / left.moves, 1) .. " %",
      grid.number(plain.ns_per_event * each), grid.number(more * each),
      grid.number(100 * more / left.ns_per_event) .. " %",
    }
    all, coalesced = all + left.moves, coalesced + left.coalesced
  end
  rows[#rows + 1] = {
    "all", "", "", grid.number(all), grid.number(coalesced),
    grid.number(100 * coalesced / all, 1) .. " %", "", "", "",
  }
  return grid.text(rows)
end

return M
