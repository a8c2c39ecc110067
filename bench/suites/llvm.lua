-- llvm.lua: witnesses examples/llvm on real programs: lua5.4, bzip2, zlib and sqlite, unpacked from
-- Debian's source packages in FOLDER (docs/performance.md says how to get them).
--
--   phis       each function compared with `opt -passes=mem2reg` of clang 14 and 16
--   programs   the programs, built from our LLVM IR, pass their tests; with clang 16 unless
--              --clang says 14
--   csmith     random C programs print the same checksum with and without rules, and their
--              functions are compared with mem2reg as well
--   table      instructions and phis left, and time, with and without rules
--
-- usage: lua5.4 bench/suites/llvm.lua FOLDER [phis|programs|csmith|table ...] [--rules]
--          [--clang VERSION] [--program NAME] [--seeds N] [--ours COMMAND]
--
-- --rules builds programs with rules, --seeds sets the number of random programs, --ours replaces
-- the command that promotes, with VERSION for that of clang: with "opt-VERSION -S -passes=mem2reg",
-- LLVM is compared with itself. The last line of `phis` is the last one printed; the exit status is
-- 1 if anything differs or fails.

package.path = "./?.lua;" .. package.path

local grid = require "bench.lib.grid"
local phis = require "bench.lib.llvm.phis"
local programs = require "bench.lib.llvm.programs"
local csmith = require "bench.lib.llvm.csmith"
local sources = require "bench.lib.llvm.sources"
local stats = require "bench.lib.llvm.stats"
local tools = require "bench.lib.llvm.tools"

local folder
local chosen, options = {}, { seeds = 200 }
local CHECKS = { "table", "csmith", "programs", "phis" }

--
-- {== Arguments =======================================================
--

local function usage(problem)
  io.stderr:write("llvm.lua: ", problem, "\nusage: lua5.4 bench/suites/llvm.lua FOLDER "
    .. "[phis|programs|csmith|table ...] [--rules]\n         [--clang VERSION] [--program NAME] "
    .. "[--seeds N] [--ours COMMAND]\n")
  os.exit(2)
end

local known = {}
for _, name in ipairs(CHECKS) do known[name] = true end

do
  local i = 1
  local function value()
    i = i + 1
    return arg[i] or usage(arg[i - 1] .. " needs a value")
  end
  while arg[i] do
    local word = arg[i]
    if word == "--rules" then options.rules = true
    elseif word == "--clang" then options.clang = math.tointeger(value()) or usage "no version"
    elseif word == "--program" then options.program = value()
    elseif word == "--seeds" then options.seeds = math.tointeger(value()) or usage "no number"
    elseif word == "--ours" then tools.ours = value()
    elseif known[word] then chosen[word] = true
    elseif not folder and not word:find "^%-" then folder = word
    else usage("unknown: " .. word)
    end
    i = i + 1
  end
  if not folder then usage "no folder" end
  if not next(chosen) then chosen = known end
end

-- The versions of LLVM that are installed.
local function each_version()
  local list = {}
  for _, version in ipairs { 14, 16 } do
    if not options.clang or options.clang == version then list[#list + 1] = tools.of(version) end
  end
  if #list == 0 then error("clang, opt and lli 14 or 16 are not installed", 0) end
  return list
end

local function each_program()
  local list = {}
  for _, name in ipairs(sources.names) do
    if not options.program or options.program == name then
      list[#list + 1] = sources.program(folder, name)
    end
  end
  if #list == 0 then usage("no program " .. options.program) end
  return list
end

-- }== Checks ==========================================================

local COLUMNS = { "functions", "equal", "marked", "ours", "theirs", "redundant", "unused" }
local HEAD = { "program", "functions", "equal", "with marks", "our phis", "LLVM's", "redundant",
  "unused" }

local function row(label, out)
  local cells = { label }
  for i, key in ipairs(COLUMNS) do cells[i + 1] = ("%d"):format(out[key]) end
  return cells
end

local check = {}

function check.phis()
  local sum, rows = phis.none(), { HEAD }
  for _, with in ipairs(each_version()) do
    for _, program in ipairs(each_program()) do
      local of_program = phis.none()
      for _, path in ipairs(program.files) do
        local out = phis.file(with, sources.compiled(with, program, path))
        for _, problem in ipairs(out.problems) do
          print(("%s, clang %d: %s"):format(path, with.version, problem))
        end
        phis.add(of_program, out)
      end
      rows[#rows + 1] = row(("%s, clang %d"):format(program.name, with.version), of_program)
      phis.add(sum, of_program)
    end
  end
  io.write(grid.text(rows))
  print(("%d functions, %d equal, %d differ"):format(sum.functions, sum.equal,
    sum.functions - sum.equal))
  return #sum.problems == 0
end

local function newest()
  local versions = each_version()
  return versions[#versions]
end

function check.programs()
  local sound, with = true, newest()
  for _, program in ipairs(each_program()) do
    local count, problems = programs.check(with, program, options.rules)
    for _, problem in ipairs(problems) do print(("%s: %s"):format(program.name, problem)) end
    print(("%s, clang %d, %s rules: %d C files, %s"):format(program.name, with.version,
      options.rules and "with" or "without", count, #problems == 0 and "passes" or "FAILS"))
    sound = sound and #problems == 0
  end
  return sound
end

function check.csmith()
  local with = newest()
  local out = csmith.check(with, options.seeds)
  for _, problem in ipairs(out.problems) do print("csmith, " .. problem) end
  print(("csmith, clang %d: %d programs (%d others run for too long), %d problems; %d functions, "
    .. "%d equal to mem2reg's, %d phis, LLVM's %d (%d redundant, %d unused)"):format(with.version,
    out.seeds - out.skipped, out.skipped, #out.problems, out.phis.functions, out.phis.equal,
    out.phis.ours, out.phis.theirs, out.phis.redundant, out.phis.unused))
  return #out.problems == 0
end

-- Sums over the files of a program; nil if one fails.
local function stats_of(with, program, rules)
  local sum = {}
  for _, path in ipairs(program.files) do
    local of_file, complaint = stats.of(with, sources.compiled(with, program, path) .. ".ll", rules)
    if not of_file then
      print(("%s: %s"):format(path, complaint))
      return nil
    end
    stats.add(sum, of_file)
  end
  return sum
end

local function stats_row(label, plain, ruled)
  local function share(key) return ("%.1f %%"):format(100 * ruled[key] / plain[key]) end
  local function number(set, key, digits) return grid.number(set[key], digits) end
  return { label, number(plain, "nodes"), number(ruled, "nodes"), share "nodes",
    number(plain, "phis"), number(ruled, "phis"),
    number(plain, "seconds_construct", 2), number(ruled, "seconds_construct", 2),
    number(plain, "seconds", 1), number(ruled, "seconds", 1),
    number({ mib = math.max(plain.peak_kib, ruled.peak_kib) / 1024 }, "mib") }
end

function check.table()
  local sound = true
  local rows = { { "program", "nodes", "with rules", "", "phis", "with rules",
    "phial, s", "with rules", "whole, s", "with rules", "MiB" } }
  for _, with in ipairs(each_version()) do
    for _, program in ipairs(each_program()) do
      local plain, ruled = stats_of(with, program, false), stats_of(with, program, true)
      if plain and ruled then
        local label = ("%s, clang %d"):format(program.name, with.version)
        rows[#rows + 1] = stats_row(label, plain, ruled)
      else
        sound = false
      end
    end
  end
  io.write(grid.text(rows))
  return sound
end

-- }== Main ============================================================

local function run()
  local ok = true
  tools.must("mkdir -p %s", tools.scratch)
  for _, name in ipairs(CHECKS) do
    if chosen[name] then ok = check[name]() and ok end
  end
  return ok
end

-- What fails besides the promotion, such as a missing tool, says why.
local ran, result = xpcall(run, function(why)
  return type(why) == "string" and why:find "^%./" and debug.traceback(why) or why
end)
if not ran then io.stderr:write("llvm.lua: ", tostring(result), "\n") end
os.exit(ran and result)
