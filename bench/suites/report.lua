-- report.lua: measures everything in one run: phial and its peers on the
-- programs of a corpus, instructions, memory, growth.  Prints the tables and
-- writes them to build/bench/report.md; --bless puts the one that sums up the
-- programs in docs/performance.md.
--
-- usage: lua5.4 bench/suites/report.lua [--quick] [--bless] [FOLDER]
-- Peers that are not built have no column.  Default: bench/data/corpus.

package.path = "./?.lua;" .. package.path

local corpus = require "bench.lib.corpus"
local file = require "tools.file"
local grid = require "bench.lib.grid"
local growth = require "bench.lib.growth_table"
local system = require "bench.lib.system"

local quick, bless, folder = false, false, corpus.folder
for _, word in ipairs(arg) do
  if word == "--quick" then
    quick = true
  elseif word == "--bless" then
    bless = true
  elseif word:sub(1, 1) == "-" then
    io.stderr:write "usage: report.lua [--quick] [--bless] [FOLDER]\n"
    os.exit(2)
  else
    folder = word
  end
end

os.execute "make -s -f bench/peers/Makefile"

local systems = {}
local columns = {
  "walk", "c", "llvm", "short", "lua", "current", "where", "idle", "luajit", "purelua"
}
for _, key in ipairs(columns) do
  local which = system.known[key]
  if system.present(which) then systems[#systems + 1] = which end
end

-- ---------------------------------------------------------------- running

--- The better of two runs; memory and phis do not differ.
local function better(a, b)
  if a and b then return a.ns_per_event <= b.ns_per_event and a or b end
  return a or b
end

--- What each system prints for each program: the best of some rounds, in each
--- of which every system has its turn.
local function replays(programs, rounds)
  local runs = {}
  for _, program in ipairs(programs) do
    local path = corpus.unpacked(folder, program)
    runs[program] = { path = path }
    for _ = 1, rounds do
      for _, which in ipairs(systems) do
        local run = system.run(which, path, "3")
        runs[program][which] = better(runs[program][which], run)
        runs[program].events = run and run.events or runs[program].events
      end
    end
  end
  return runs
end

-- ---------------------------------------------------------------- tables

--- A table with a row for each program and a column for each system.
local function by_system(programs, runs, cell, chosen)
  local head = { "program (events)" }
  chosen = chosen or systems
  for _, which in ipairs(chosen) do head[#head + 1] = which.name end
  local rows = { head }
  for _, program in ipairs(programs) do
    local row = { ("%s (%d)"):format(program, runs[program].events) }
    for _, which in ipairs(chosen) do
      row[#row + 1] = cell(which, runs[program][which], runs[program])
    end
    rows[#rows + 1] = row
  end
  return grid.text(rows)
end

local function time(_, run)
  return grid.number(run and run.ns_per_event, 1)
end

--- What is compared: how many times as long the second takes.
local pairs_of = {
  { "c", "llvm" }, { "short", "purelua" }, { "short", "luajit" },
  { "lua", "purelua" }, { "where", "purelua" }, { "lua", "current" }, { "lua", "idle" },
  { "lua", "c" }
}

local function factor(a, b)
  return a and b and b.ns_per_event / a.ns_per_event
end

--- How many times as long the peers take, for each program and over all.
local function ratios(programs, runs)
  local head, rows, chosen = { "program" }, {}, {}
  for _, pair in ipairs(pairs_of) do
    local a, b = system.known[pair[1]], system.known[pair[2]]
    if system.present(a) and system.present(b) then
      head[#head + 1] = b.name .. " / " .. a.name
      chosen[#chosen + 1] = { a, b, product = 1 }
    end
  end
  rows[1] = head
  for _, program in ipairs(programs) do
    local row = { program }
    for _, pair in ipairs(chosen) do
      local times = factor(runs[program][pair[1]], runs[program][pair[2]])
      pair.product = pair.product * (times or 1)
      row[#row + 1] = grid.number(times, 2)
    end
    rows[#rows + 1] = row
  end
  local mean = { "geometric mean" }
  for _, pair in ipairs(chosen) do
    mean[#mean + 1] = grid.number(pair.product ^ (1 / #programs), 2)
  end
  rows[#rows + 1] = mean
  return grid.text(rows)
end

local function memory(_, run)
  local peak = run and run.peak_rss_kb
  return grid.number(peak and peak - run.trace_rss_kb)
end

--- Counting takes fifty times as long as running: of large traces only what
--- is fast is counted.
local function instructions(which, run, runs)
  local counted = run and (runs.events < 50000 or not which.script)
  if counted then
    run.instructions = run.instructions or system.instructions(which, runs.path)
  end
  return grid.number(counted and run.instructions and run.instructions / run.events)
end

-- What docs/performance.md has of each program.
local SUMS <const> = {
  { "events", { "c" }, function(_, run) return grid.number(run and run.events) end },
  { "functions", { "c" }, function(_, run) return grid.number(run and run.functions) end },
  { "phis", { "c" }, function(_, run) return grid.number(run and run.phis) end },
  { "ns per event", { "c", "llvm", "short", "lua", "where", "luajit", "purelua" }, time },
  { "instructions per event", { "c", "llvm", "short", "lua", "purelua" }, instructions },
  { "peak KiB", { "c", "llvm", "short", "purelua" }, memory },
}

--- A row for each measure, a column for each program.
local function summary(programs, runs)
  local rows = { { "", table.unpack(programs) } }
  for _, sum in ipairs(SUMS) do
    local title, keys, cell = table.unpack(sum)
    for _, key in ipairs(keys) do
      local which = system.known[key]
      local row = { keys[2] and title .. ": " .. which.name or title }
      for i, program in ipairs(programs) do
        row[i + 1] = cell(which, runs[program][which], runs[program])
      end
      if system.present(which) then rows[#rows + 1] = row end
    end
  end
  return grid.text(rows)
end

--- What came out, as phial's C core tells.
local function outcome(programs, runs)
  local rows = { {
    "program", "functions", "values", "phis", "minimal", "temporary phis",
    "per phi"
  } }
  for _, program in ipairs(programs) do
    local run = runs[program][system.known.c]
    local minimal = 0
    for _, want in ipairs(corpus.expected(folder, program)) do
      minimal = minimal + want.minimal
    end
    if run then
      rows[#rows + 1] = {
        program, grid.number(run.functions), grid.number(run.values),
        grid.number(run.phis), grid.number(minimal),
        grid.number(run.temporary_phis),
        grid.number(run.temporary_phis / run.phis, 2)
      }
    end
  end
  return grid.text(rows)
end

--- How many reads the short form has: a value that is used twice is read twice.
local function reads(programs, runs)
  local rows = { { "program", "in the trace", "short form", "more" } }
  for _, program in ipairs(programs) do
    local long = runs[program][system.known.lua]
    local short = runs[program][system.known.short]
    if long and short then
      rows[#rows + 1] = {
        program, grid.number(long.reads), grid.number(short.reads),
        grid.number((short.reads / long.reads - 1) * 100) .. " %"
      }
    end
  end
  return grid.text(rows)
end

-- ---------------------------------------------------------------- report

local sections = {}

local function section(title, text, note)
  if note then text = note .. "\n\n" .. text end
  local made = ("## %s\n\n%s"):format(title, text)
  sections[#sections + 1] = made
  io.write(made, "\n")
  io.flush()
end

local function first_line(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "l" or "?"
end

local function machine()
  local cpu = first_line
    "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null || uname -m"
  return ("%s, %s, %s"):format(cpu, first_line "uname -s", _VERSION)
end

--- Puts the summary in the place of the one before.
local function write_summary(text)
  local path = "docs/performance.md"
  local page, count = file.read(path):gsub("(\n<!%-%- measured by `make bench[^\n]*\n\n).-"
    .. "(<!%-%- end of what is measured)", function(first, last)
    return first .. text .. "\n" .. last
  end)
  assert(count == 1, path .. " has no place for the summary")
  file.write(path, page)
end

local programs = corpus.programs(folder)
if quick then programs[#programs] = nil end
assert(systems[1], "nothing is built: make")
local runs = replays(programs, quick and 1 or 3)

section("Time", by_system(programs, runs, time),
  "Nanoseconds of processor time per event, the best pass. " .. machine()
  .. ".\n\nphial Lua, long: does not record the frontend's lines for errors; no "
  .. "peer does. phial Lua, where: records them, as phial.fn does by default. phial "
  .. "Lua, current: by the methods of the function, which has a current block, not by "
  .. "those of blocks. phial Lua, short: operands are variables, and results are written "
  .. "by the call that makes them. LuaJIT runs the same program as pure Lua.")
section("Ratios", ratios(programs, runs),
  "How many times as long the first system takes as the second.")
if system.present(system.known.short) then
  section("Reads", reads(programs, runs))
end
if system.has_valgrind() then
  local counted = {}
  for _, program in ipairs(programs) do
    if program == "zlib" or not quick then counted[#counted + 1] = program end
  end
  section("Instructions per event", by_system(counted, runs, instructions),
    "One pass, counted by callgrind.")
end
section("Peak memory, KiB above the loaded trace",
  by_system(programs, runs, memory))
if system.has_valgrind() and not quick then
  local text = ("%s, %s.\n\n%s"):format(machine(), os.date "%Y-%m-%d", summary(programs, runs))
  section("Summary", text)
  if bless then write_summary(text) end
end
section("What comes out", outcome(programs, runs),
  "Minimal counts each move as a definition of its own; phial propagates copies, "
  .. "so it can have fewer phis.")
if system.present(system.known.c) then
  local text = growth.table(system.known.c, {
    n = quick and 16000 or 100000, repeats = quick and 2 or 3,
    constructions = quick and { "marker" } or nil
  })
  section("Growth", text, "One function of each shape, on a stack of 256 KiB.")
  if system.has_valgrind() and not quick then
    section("Growth in instructions", growth.table(system.known.c,
      { n = 16000, callgrind = true, repeats = 1, constructions = { "marker" } }),
      "The same, counted by callgrind.")
  end
  section("Bytes", growth.sizes(system.known.c, quick and 20000 or 200000))
end
if system.present(system.known.lua) then
  section("Growth of calls", growth.calls(quick and 1 or 3),
    "Calls of the Lua interface about something large.")
  if not quick then
    section("Growth of data", growth.data(3),
      "Emitters and parsers, for bytes, gaps, strings and lists of constants.")
  end
  local text, functions = require("bench.lib.luac").table(quick and 2 or 5)
  if text then
    section("examples/luac", text, ("All %d functions of busted and Penlight. "
      .. "The time to compile the source is not counted."):format(functions))
  end
end

if system.present(system.known.c) then
  section("Leaving SSA form", require("bench.lib.leaving").table(folder, programs,
    quick and 1 or 3), "Moves on edges that fn:leave leaves, a location for each value or\n"
    .. "shared ones; nanoseconds per function, beside those of its construction.")
end
if os.execute "command -v gcc >/dev/null" then
  section("Native code", require("bench.lib.native").table("gcc", quick and 3 or 7),
    "Milliseconds of the same kernels, written by hand in C and as native code of phial.")
  section("Native code without an optimizer",
    require("bench.lib.native").ratios(quick and 3 or 7),
    "How many times as long these kernels take as native code as the same C by hand, compiled\n"
    .. "in the same way; `traps = \"undefined\"`, and with traps and checks of the stack.")
end
if os.execute "command -v tcc >/dev/null" then
  section("Writing C", require("bench.lib.emission").table(quick and 3 or 11),
    "Milliseconds, the least and the median: construction, of C programs with their frontend\n"
    .. "(examples/minic); their C source; until what tcc makes of it is loaded.")
end
section("First calls", require("bench.lib.first_call").table(25000, quick and 1 or 3),
  "Seconds until the first call of a function of 25,000 blocks has returned, and of its\n"
  .. "phases: the function as one list, Lua source of it, loading that, running it.")
section("Verifying", require("bench.lib.verify_share").table(folder, programs, quick and 1 or 3),
  "Nanoseconds per event when each function is verified as it is finished, and\n"
  .. "the share of that.")
if system.present(system.known.lua) then
  section("phial.build", require("bench.lib.build_cost").table(quick and 5 or 15),
    "Nanoseconds per statement: the same function by methods of blocks and by the\n"
    .. "builder.")
  section("log", require("bench.lib.log_cost").table(folder, programs, quick and 2 or 5),
    "Nanoseconds per event through Lua, long form, without and with a log function\n"
    .. "that does nothing.")
end

local path = corpus.scratch .. "/report.md"
file.write(path, "# phial, measured\n\n" .. table.concat(sections, "\n"))
io.write(path, "\n")
