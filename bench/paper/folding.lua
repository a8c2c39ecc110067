--- Table 3: construction with and without on-the-fly optimisation, of typed traces, which contain
--- the arithmetic of the programs.
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local M = {}

local ROUNDS <const>, REPEATS <const> = 3, "5 "

-- Without rules; with them when an instruction is emitted; and again when a function is finished.
local WAYS <const> = { "", "--rules --at-once", "--rules" }
local HEADS <const> = { "without", "at once", "and by finish" }

---@class paper.Fold
---@field nodes integer
---@field phis integer
---@field ms number? of a pass
---@field instructions number? of a pass, in millions

-- Runs a program in every way: the best of some rounds, in turns.
---@return paper.Fold[]
local function measured(program)
  local folds = {}
  for _ = 1, ROUNDS do
    for i, options in ipairs(WAYS) do
      local run = assert(system.run(system.known.typed, program.typed, REPEATS .. options))
      local fold = folds[i] or { nodes = run.nodes, phis = run.node_phis, ms = math.huge }
      fold.ms, folds[i] = math.min(fold.ms, run.ns_per_event * run.events / 1e6), fold
    end
  end
  for i, options in ipairs(system.has_valgrind() and WAYS or {}) do
    folds[i].instructions = system.instructions(system.known.typed, program.typed, options) / 1e6
  end
  return folds
end

local function add(sums, folds)
  for i, fold in ipairs(folds) do
    sums[i] = sums[i] or {}
    for key, n in pairs(fold) do sums[i][key] = (sums[i][key] or 0) + n end
  end
end

-- A table of one figure: without rules, and in the other ways, each with its ratio to the first.
local function of(programs, key, head, ratio, digits)
  local rows = { { "program", HEADS[1], HEADS[2], head, HEADS[3], head } }
  for _, row in ipairs(programs) do
    local folds, cells = row.folds, { row.name }
    for i, fold in ipairs(folds) do
      cells[#cells + 1] = grid.number(fold[key], digits)
      if i > 1 then cells[#cells + 1] = ratio(fold[key] / folds[1][key]) end
    end
    rows[#rows + 1] = cells
  end
  return grid.text(rows)
end

local function share(ratio) return ("%.1f %%"):format(100 * ratio) end
local function more(ratio) return ("%+.0f %%"):format(100 * (ratio - 1)) end

--- The tables of programs with typed traces.
---@param programs paper.Program[]
---@return string
function M.tables(programs)
  local rows, sums = {}, {}
  for i, program in ipairs(programs) do
    rows[i] = { name = program.name, folds = measured(program) }
    add(sums, rows[i].folds)
  end
  rows[#rows + 1] = { name = "all", folds = sums }
  local parts = { "Nodes left:", of(rows, "nodes", "left", share),
    "Phis among them:", of(rows, "phis", "left", share) }
  local function cost(title, key, digits)
    parts[#parts + 1], parts[#parts + 2] = title, of(rows, key, "more", more, digits)
  end
  if system.has_valgrind() then
    cost("Millions of instructions of construction, counted by callgrind:", "instructions", 2)
  end
  cost("Milliseconds of construction, the best pass:", "ms", 2)
  return (table.concat(parts, "\n\n"):gsub("\n\n\n+", "\n\n"))
end

return M
