-- llvm.lua: witnesses examples/llvm on real programs: lua5.4, bzip2, zlib and sqlite, unpacked from
-- Debian's source packages in FOLDER (bench/README.md says how to get them).
--
--   phis       each function compared with `opt -passes=mem2reg` of clang 14 and 16
--   programs   the programs, built from our LLVM IR, pass their tests
--   csmith     random C programs print the same checksum
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
local sources = require "bench.lib.llvm.sources"
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

-- }== Main ============================================================

local ok = true
tools.must("mkdir -p %s", tools.scratch)
for _, name in ipairs(CHECKS) do
  if chosen[name] then ok = check[name]() and ok end
end
os.exit(ok)
