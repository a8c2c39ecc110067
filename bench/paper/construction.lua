--- Table 2: construction alone. Each algorithm replays the same traces; what a replay takes that
--- makes the same blocks and instructions without variables is not construction, and is subtracted.
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local M = {}

local C, LLVM = system.known.c, system.known.llvm

---@class paper.Algorithm
---@field key string
---@field head string
---@field system bench.System

--- The algorithms, LLVM first.
---@type paper.Algorithm[]
M.algorithms = {}
if system.present(LLVM) then
  M.algorithms[1] = { key = "llvm", head = "LLVM 14", system = LLVM }
end
for _, key in ipairs { "cytron", "djgraph", "briggs", "choi", "aycock", "marker", "simple", "scc",
  "operand" } do
  table.insert(M.algorithms, { key = key, head = key, system = C })
end

local function options_of(algorithm)
  return algorithm.system == C and "--construction " .. algorithm.key or ""
end

---@class paper.Run what a replay prints, and
---@field ns_per_event number of whole passes
---@field instructions number? of one pass
---@field bare paper.Run the same without variables

local ROUNDS <const>, REPEATS <const> = 3, "5 "

-- The best of some rounds, in each of which every algorithm has its turn.
local function timed(runs, program)
  for _ = 1, ROUNDS do
    for _, algorithm in ipairs(M.algorithms) do
      local run = assert(system.run(algorithm.system, program.trace,
        REPEATS .. options_of(algorithm)))
      local best = runs[algorithm.key]
      if not best or run.ns_per_event < best.ns_per_event then runs[algorithm.key] = run end
    end
    for _, key in ipairs { "bare", "bare_llvm" } do
      local which = key == "bare" and C or LLVM
      local run = system.present(which) and system.run(which, program.trace, REPEATS .. "--bare")
      if run and (not runs[key] or run.ns_per_event < runs[key].ns_per_event) then
        runs[key] = run
      end
    end
  end
end

local function counted(runs, program)
  for _, algorithm in ipairs(M.algorithms) do
    runs[algorithm.key].instructions = system.instructions(algorithm.system, program.trace,
      options_of(algorithm))
  end
  for key, which in pairs { bare = C, bare_llvm = LLVM } do
    if runs[key] then
      runs[key].instructions = system.instructions(which, program.trace, "--bare")
    end
  end
end

--- Replays each program in every way.
---@param programs paper.Program[]
---@return table<string, table<string, paper.Run>> by name of the program and algorithm
function M.runs(programs)
  local all = {}
  for _, program in ipairs(programs) do
    local runs = {}
    timed(runs, program)
    if system.has_valgrind() then counted(runs, program) end
    for _, algorithm in ipairs(M.algorithms) do
      runs[algorithm.key].bare = algorithm.system == C and runs.bare or runs.bare_llvm
    end
    all[program.name] = runs
  end
  return all
end

-- {== Tables ============================================================

--- Instructions of construction alone, per event; nil without valgrind.
local function instructions(run)
  return run.instructions and (run.instructions - run.bare.instructions) / run.events
end

local function nanoseconds(run) return run.ns_per_event - run.bare.ns_per_event end

-- A row for each program, a column for each algorithm; the last row is the mean if one is given.
local function by_algorithm(programs, all, cell, mean)
  local rows = { { "program" } }
  for _, algorithm in ipairs(M.algorithms) do table.insert(rows[1], algorithm.head) end
  local last = { mean }
  for i, algorithm in ipairs(M.algorithms) do
    local product = 1
    for k, program in ipairs(programs) do
      local runs = all[program.name]
      rows[k + 1] = rows[k + 1] or { program.name }
      local text, number = cell(runs[algorithm.key], runs)
      rows[k + 1][i + 1] = text
      product = product * (number or 1)
    end
    last[i + 1] = grid.number(product ^ (1 / #programs), 2)
  end
  if mean then rows[#rows + 1] = last end
  return grid.text(rows)
end

local function ratio_to(key)
  return function(run, runs)
    local a, b = instructions(run), runs[key] and instructions(runs[key])
    local ratio = a and b and a / b
    return grid.number(ratio, 2), ratio
  end
end

local function per_event(run) return grid.number(instructions(run)) end
local function time(run) return grid.number(nanoseconds(run), 1) end
local function whole_time(run) return grid.number(run.ns_per_event, 1) end
local function memory(run) return grid.number(run.peak_rss_kb - run.trace_rss_kb) end
local function phis(run) return grid.number(run.phis) end

--- Phis of the variants on the fly that were made and removed.
local function temporary(programs, all, components)
  local rows = { { "program", "events", "marker", "simple", "scc", "operand", "redundant sets",
    "of irreducible control flow" } }
  for i, program in ipairs(programs) do
    local runs, found = all[program.name], components(program)
    rows[i + 1] = { program.name, ("%d"):format(runs.marker.events) }
    for _, key in ipairs { "marker", "simple", "scc", "operand" } do
      table.insert(rows[i + 1], grid.number(runs[key].temporary_phis))
    end
    table.insert(rows[i + 1], grid.number(found.sets))
    table.insert(rows[i + 1], grid.number(found.irreducible))
  end
  return grid.text(rows)
end

-- Adds what callgrind has counted.
local function add_counts(parts, programs, all)
  local mean <const> = "geometric mean"
  local function add(title, ...)
    parts[#parts + 1], parts[#parts + 2] = title, by_algorithm(programs, all, ...)
  end
  add("Instructions per event of construction alone, counted by callgrind:", per_event)
  add("Ratio to Cytron:", ratio_to "cytron", mean)
  if M.algorithms[1].system == LLVM then add("Ratio to LLVM:", ratio_to "llvm", mean) end
end

--- The tables, each with the text before it.
---@param programs paper.Program[]
---@param all table<string, table<string, paper.Run>>
---@param components fun(program: paper.Program): paper.Components
---@return string
function M.tables(programs, all, components)
  local parts = {}
  local function add(title, text) parts[#parts + 1], parts[#parts + 2] = title, text end
  if M.algorithms[1].system ~= LLVM then
    parts[1] = "LLVM 14 (llvm-14-dev) is not installed, and is left out."
  end
  if system.has_valgrind() then
    add_counts(parts, programs, all)
  else
    parts[#parts + 1] = "Valgrind is not installed: instructions are not counted."
  end
  add("Nanoseconds per event of construction alone, the best pass:",
    by_algorithm(programs, all, time))
  add("Nanoseconds per event of whole passes, blocks and instructions included:",
    by_algorithm(programs, all, whole_time))
  add("Phis left:", by_algorithm(programs, all, phis))
  add("Temporary phis of each variant: operands were looked up, and the phi was removed. Redundant "
    .. "sets:\nnon-trivial components that Algorithm 5 finds after the marker variant.",
    temporary(programs, all, components))
  add("Memory at the peak, KiB above the loaded trace:", by_algorithm(programs, all, memory))
  return (table.concat(parts, "\n\n"):gsub("\n\n\n+", "\n\n"))
end

-- }======================================================================

return M
