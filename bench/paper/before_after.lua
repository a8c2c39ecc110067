--- Table 1: instructions, memory instructions and phis, before and after the promotion of allocas,
--- LLVM's beside ours, on the same LLVM IR. Only blocks that are reached count: LLVM leaves others.
local corpus = require "bench.lib.corpus"
local file = require "tools.file"
local grid = require "bench.lib.grid"
local reader = require "bench.lib.llvm.reader"
local tools = require "bench.lib.llvm.tools"

local M = {}

local MEMORY = { alloca = true, load = true, store = true }
local STAGES = { "before", "llvm", "ours" }

local function nothing()
  local set = {}
  for _, stage in ipairs(STAGES) do set[stage] = { instructions = 0, memory = 0, phis = 0 } end
  return set
end

local function add(sum, set)
  for stage, counts in pairs(set) do
    for key, n in pairs(counts) do sum[stage][key] = sum[stage][key] + n end
  end
end

local function count(path, counts)
  for fn in reader.functions(file.read(path)) do
    for _, block in ipairs(fn.blocks) do
      counts.phis = counts.phis + #block.phis
      counts.instructions = counts.instructions + #block.phis + #block.insts
      for _, text in ipairs(block.insts) do
        if MEMORY[text:match "%a+"] then counts.memory = counts.memory + 1 end
      end
    end
  end
end

local function of_file(with, path, set)
  local base = path:match "(.*)%.ll$"
  tools.must(with.opt .. " -S -passes=mem2reg %s -o %s", path, base .. ".opt.ll")
  assert(tools.promote(with, path, base .. ".ours.ll", false))
  count(path, set.before)
  count(base .. ".opt.ll", set.llvm)
  count(base .. ".ours.ll", set.ours)
end

local function row(name, set)
  local before, llvm, ours = set.before, set.llvm, set.ours
  local function share(after)
    return ("%.1f %%"):format(100 * after.instructions / before.instructions)
  end
  local cells = { name, before.instructions, before.memory, before.phis, llvm.instructions,
    llvm.memory, llvm.phis, share(llvm), ours.instructions, ours.memory, ours.phis, share(ours) }
  for i, cell in ipairs(cells) do cells[i] = tostring(cell) end
  return cells
end

local HEAD = { "program", "before", "memory", "phis", "LLVM", "memory", "phis", "left", "phial",
  "memory", "phis", "left" }

--- The table of programs with LLVM IR.
---@param with llvm.Tools
---@param programs paper.Program[]
---@return string
function M.table(with, programs)
  local rows, sum = { HEAD }, nothing()
  for _, program in ipairs(programs) do
    local set = nothing()
    for _, path in ipairs(program.files) do of_file(with, path, set) end
    rows[#rows + 1] = row(program.name, set)
    add(sum, set)
  end
  rows[#rows + 1] = row("all", sum)
  return grid.text(rows)
end

--- The table of programs of the corpus: what their traces tell.
---@param programs paper.Program[]
---@param runs table<string, table<string, table>> by program and system: what a replay printed
---@return string
function M.of_traces(programs, runs)
  local rows = { { "program", "events", "LLVM's phis", "phis of phial" } }
  for _, program in ipairs(programs) do
    local llvm, run = 0, runs[program.name].marker
    for _, want in ipairs(corpus.expected(corpus.folder, program.name)) do
      llvm = llvm + want.llvm
    end
    rows[#rows + 1] = { program.name, ("%d"):format(run.events), ("%d"):format(llvm),
      ("%d"):format(run.phis) }
  end
  return grid.text(rows)
end

return M
