-- strength.lua: what examples/llvm leaves of LLVM IR with rules, beside what opt leaves, by
-- opcode, and what opt's instcombine still removes from either.
--
-- usage: lua5.4 bench/suites/strength.lua [--opt OPT] FILE.ll|FOLDER ...   (default: opt-16)
--
-- The files are what clang -O0 -Xclang -disable-O0-optnone -S -emit-llvm writes; of a folder,
-- all that end in .ll; opt makes typed pointers opaque first. opt's passes are mem2reg,
-- instsimplify and early-cse; those of the goal are below. The last table has the sums by folder;
-- the exit status is 1 if phial leaves more instructions than opt.

package.path = "./?.lua;" .. package.path

local counts = require "bench.lib.llvm.counts"
local grid = require "bench.lib.grid"
local tools = require "bench.lib.llvm.tools"

local SCRATCH <const> = "build/bench/strength"
local PASSES <const> = "mem2reg,instsimplify,early-cse"
local GOAL <const> = "mem2reg,instcombine,early-cse<memssa>,gvn,dse"
local opt = "opt-16"

-- {== Files ==============================================================

local function usage(problem)
  io.stderr:write("strength.lua: ", problem,
    "\nusage: lua5.4 bench/suites/strength.lua [--opt OPT] FILE.ll|FOLDER ...\n")
  os.exit(2)
end

local function inputs()
  local paths, i = {}, 1
  while arg[i] do
    if arg[i] == "--opt" then
      i = i + 1
      opt = arg[i] or usage "--opt needs a command"
    else
      paths[#paths + 1] = arg[i]
    end
    i = i + 1
  end
  if #paths == 0 then usage "no files" end
  -- sanitizers see what sort leaks
  return tools.must("find" .. (" %s"):rep(#paths) .. " -name '*.ll' | LD_PRELOAD= sort",
    table.unpack(paths))
end

-- }== Counts =============================================================

local function by_opt(path, passes)
  return tools.must(opt .. " -S -passes=%s %s -o -", passes, path)
end

-- The counts of a file: ours, opt's, both again after instcombine, and the goal's.
local function measure(given)
  local ours, path = SCRATCH .. "/ours.ll", SCRATCH .. "/input.ll"
  tools.must(opt .. " -S -passes=verify %s -o %s", given, path)
  local done, complaint = tools.promote({ version = 0 }, path, ours, true)
  if not done then error(complaint, 0) end
  return {
    counts.of(by_opt(ours, "verify")),
    counts.of(by_opt(path, PASSES)),
    counts.of(by_opt(ours, "instcombine")),
    counts.of(by_opt(path, PASSES .. ",instcombine")),
    counts.of(by_opt(path, GOAL)),
  }
end

-- }== The tables =========================================================

local HEAD <const> = { "phial", "opt", "phial, instcombine", "opt, instcombine", "goal" }

local function row(label, columns, key)
  local cells = { label }
  for i, column in ipairs(columns) do cells[i + 1] = grid.number(column[key] or 0) end
  return cells
end

local function opcodes(columns)
  local seen, list = {}, {}
  for _, column in ipairs(columns) do
    for opcode in pairs(column) do
      if opcode ~= "all" and not seen[opcode] then
        seen[opcode], list[#list + 1] = true, opcode
      end
    end
  end
  local function most(opcode) return columns[1][opcode] or 0 end
  table.sort(list, function(a, b)
    if most(a) ~= most(b) then return most(a) > most(b) end
    return a < b
  end)
  return list
end

tools.must("mkdir -p " .. SCRATCH)
local sums, folders, all = {}, {}, { {}, {}, {}, {}, {} }
for path in inputs():gmatch "[^\n]+" do
  local folder = path:match "^(.*)/" or "."
  if not sums[folder] then
    sums[folder], folders[#folders + 1] = { {}, {}, {}, {}, {} }, folder
  end
  for i, of_file in ipairs(measure(path)) do
    counts.add(sums[folder][i], of_file)
    counts.add(all[i], of_file)
  end
end

local by_opcode = { { "opcode", table.unpack(HEAD) } }
for _, opcode in ipairs(opcodes(all)) do by_opcode[#by_opcode + 1] = row(opcode, all, opcode) end
io.write(grid.text(by_opcode), "\n")

local by_folder = { { "folder", table.unpack(HEAD) } }
for _, folder in ipairs(folders) do
  by_folder[#by_folder + 1] = row(folder, sums[folder], "all")
end
by_folder[#by_folder + 1] = row("all", all, "all")
io.write(grid.text(by_folder))
os.exit(all[1].all <= all[2].all)

-- }=======================================================================
