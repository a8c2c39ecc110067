-- main.lua: the evaluation of the paper (Braun et al., CC 2013), repeated: three tables, written to
-- build/bench/paper.md. See docs/performance.md.
--
-- usage: bench/paper/run [--packages FOLDER] [--only NAME] [--corpus]

package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local before_after = require "bench.paper.before_after"
local components = require "bench.paper.components"
local construction = require "bench.paper.construction"
local file = require "tools.file"
local folding = require "bench.paper.folding"
local packages = require "bench.paper.packages"
local structured = require "bench.paper.structured"
local system = require "bench.lib.system"
local tools = require "bench.lib.llvm.tools"

local REPORT <const> = "build/bench/paper.md"

local function usage(problem)
  io.stderr:write("bench/paper/run: ", problem,
    "\nusage: bench/paper/run [--packages FOLDER] [--only NAME] [--corpus]\n")
  os.exit(2)
end

local function arguments()
  local o = { packages = os.getenv "PHIAL_PACKAGES" or packages.scratch .. "/packages" }
  local i = 1
  while arg[i] do
    if arg[i] == "--corpus" then
      o.corpus = true
    elseif arg[i] == "--packages" or arg[i] == "--only" then
      i = i + 1
      o[arg[i - 1]:sub(3)] = arg[i] or usage(arg[i - 1] .. " needs a value")
    else
      usage("unknown: " .. arg[i])
    end
    i = i + 1
  end
  return o
end

local function first_line(command)
  local pipe <close> = assert(io.popen(command .. " 2>/dev/null"))
  return pipe:read "l"
end

-- What was measured with what, and when.
local function versions(with, programs)
  local list = { os.date "%Y-%m-%d",
    "phial " .. (first_line "sed -n 's/^.define PH_VERSION \"\\(.*\\)\"/\\1/p' src/phial/base.h"),
    first_line "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo" or first_line "uname -m",
    first_line((os.getenv "CC" or "cc") .. " --version"), _VERSION }
  if with then list[#list + 1] = first_line(with.clang .. " --version") end
  local llvm14 = system.present(system.known.llvm) and first_line "llvm-config-14 --version"
  if llvm14 then list[#list + 1] = "LLVM " .. llvm14 end
  list[#list + 1] = first_line "valgrind --version"
  for _, program in ipairs(programs) do
    list[#list + 1] = (program.name .. " " .. program.version):match "^(.-) ?$"
  end
  return table.concat(list, ", ") .. "."
end

local sections = {}

local function section(title, text)
  sections[#sections + 1] = ("## %s\n\n%s"):format(title, text)
  io.write(sections[#sections], "\n")
  io.flush()
end

local BEFORE_AFTER <const> = "Table 1: instructions before and after construction"
local CONSTRUCTION <const> = "Table 2: construction alone"
local FOLDING <const> = "Table 3: on-the-fly optimisation"

local ABOUT_BEFORE_AFTER <const> = [[
Instructions, memory instructions (alloca, load, store) and phis in what clang writes at -O0,
after LLVM's mem2reg, and after examples/llvm; of the same LLVM IR, in blocks that are reached.

]]

local ABOUT_CONSTRUCTION <const> = [[
The programs as traces: each alloca that mem2reg promotes is a variable. *cytron* to *aycock* are
the classical algorithms, *choi* being pruned Cytron; *marker* to *operand* are the variants on the
fly. LLVM makes allocas, loads and stores, a dominator tree, and promotes. Construction alone: a
pass over the trace, less one that makes the same blocks and instructions without variables.

]]

local ABOUT_FOLDING <const> = [[
The programs as traces with all instructions: what examples/llvm tells phial, replayed in C. Without
rules; with phial's default rules, constant folding and merging of equal computations when an
instruction is emitted, as in the paper; and when finish simplifies once more, with the dominator
tree, as it does by default. Nodes are instructions and phis, without dead ones in each case.
Construction is all of it, blocks and instructions included; the rules are compiled before.

]]

local o = arguments()
tools.must("mkdir -p %s", packages.scratch)
local with = not o.corpus and (tools.of(16) or tools.of(14)) or nil
local programs, why
if not o.corpus then programs, why = packages.programs(with, o.packages, o.only) end
local has_ir = programs ~= nil
if not programs then
  programs = packages.of_corpus()
  why = (why and why .. "\n" or "") .. "These are the traces of bench's own corpus.\n"
  io.stderr:write(why)
end

if has_ir then
  section(BEFORE_AFTER, ABOUT_BEFORE_AFTER .. before_after.table(with, programs))
end
local runs = construction.runs(programs)
if not has_ir then
  section(BEFORE_AFTER, why .. "\n" .. before_after.of_traces(programs, runs))
end
section(CONSTRUCTION, ABOUT_CONSTRUCTION .. construction.tables(programs, runs, components.of)
  .. "\n" .. structured.table(programs, runs))
if not has_ir then
  section(FOLDING, "Not measured: these traces have no arithmetic.\n")
else
  section(FOLDING, ABOUT_FOLDING .. folding.tables(programs))
end

file.write(REPORT, ("# The evaluation of the paper, repeated\n\n%s\n\n%s"):format(
  versions(with, programs), table.concat(sections, "\n")))
io.write(REPORT, "\n")
