-- check.lua: replays each program of a corpus in every way and compares the
-- number of phis of every function with the expected one.
--
-- With fresh moves it must be that of minimal, pruned SSA form.  Without, a move
-- is not a definition, and there may be fewer phis, but never more than LLVM
-- leaves, unless LLVM folds phi(undef, x) to an x that dominates the phi: such
-- functions are listed by name.
--
-- usage: lua5.4 bench/suites/check.lua [FOLDER] [--system c|lua|short] [--program NAME]

package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local corpus = require "bench.lib.corpus"
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local constructions = require("phial.trace.algorithms").variants
local orders = { "traced", "end", "random" }

local wrong, explained = {}, {} -- texts
local phis_file = corpus.scratch .. "/check.phis"

-- ---------------------------------------------------------------- replaying

local function read_phis()
  local phis = {}
  for line in io.lines(phis_file) do
    phis[#phis + 1] = tonumber(line:match " (%d+)$")
  end
  os.remove(phis_file)
  return phis
end

--- The phis of each function; nil after a failure, which is noted.
local function replayed(which, path, arguments)
  local options = ("1 --verify --phis %s %s"):format(phis_file, arguments)
  local command = system.command(which, path, options)
  if system.result(which, command) then return read_phis() end
  wrong[#wrong + 1] = "failed: " .. command
end

-- ---------------------------------------------------------------- comparing

--- What is left of the function's phis when undef is folded as LLVM does;
--- nil when this cannot be told without phial's Lua module.
local function folded(path, index, cache)
  if not system.present(system.known.lua) then return nil end
  if not cache[index] then
    cache.trace = cache.trace or require "bench.lib.trace".load(path)
    local replay = require "bench.lib.replayer"
    local fn <close> = replay.finished(cache.trace.funcs[index], {})
    cache[index] = require "bench.lib.undef".phis(fn)
  end
  return cache[index]
end

--- Phis in all; how many functions have not the expected number.
local function compare_fresh(phis, expected, label)
  local sum, bad = 0, 0
  for i, want in ipairs(expected) do
    sum = sum + phis[i]
    if phis[i] ~= want.minimal then
      bad = bad + 1
      wrong[#wrong + 1] = ("%s, fresh moves: %s has %d phis, minimal are %d")
        :format(label, want.name, phis[i], want.minimal)
    end
  end
  return sum, bad
end

--- Phis in all; how many functions have more than LLVM; for how many of them
--- there is no reason.
local function compare_moves(phis, expected, label, path, cache)
  local sum, more, bad = 0, 0, 0
  for i, want in ipairs(expected) do
    sum = sum + phis[i]
    if phis[i] > want.llvm then
      more = more + 1
      local text = ("%s has %d phis, LLVM %d")
        :format(want.name, phis[i], want.llvm)
      local left = folded(path, i, cache)
      if left and left <= want.llvm then
        explained[text] = true
      else
        bad = bad + 1
        wrong[#wrong + 1] = label .. ": " .. text
      end
    end
  end
  return sum, more, bad
end

local function total(expected, field)
  local sum = 0
  for _, want in ipairs(expected) do sum = sum + want[field] end
  return sum
end

--- One row of the table: both kinds of moves of one way of replaying.
local function row(which, program, path, expected, way, cache)
  local label = ("%s, %s, %s"):format(program, which.name, way.label)
  local fresh = replayed(which, path, way.arguments .. " --fresh-moves")
  local moves = replayed(which, path, way.arguments)
  if not fresh or not moves then
    return { label, "failed", "", "", "", "", "" }
  end
  local sum, bad = compare_fresh(fresh, expected, label)
  local least, more, unexplained =
    compare_moves(moves, expected, label, path, cache)
  local cells = {
    total(expected, "minimal"), sum, bad, total(expected, "llvm"), least,
    ("%d (%d)"):format(more, unexplained)
  }
  for i, cell in ipairs(cells) do cells[i] = tostring(cell) end
  return { label, table.unpack(cells) }
end

local function ways()
  local list = {}
  for _, construction in ipairs(constructions) do
    for _, order in ipairs(orders) do
      list[#list + 1] = {
        label = construction .. ", " .. order,
        arguments = ("--construction %s --seal %s"):format(construction, order)
      }
    end
  end
  return list
end

-- ---------------------------------------------------------------- main

local folder, chosen, only = corpus.folder, nil, nil
local i = 1
while arg[i] do
  if arg[i] == "--system" then
    i = i + 1
    chosen = arg[i]
  elseif arg[i] == "--program" then
    i = i + 1
    only = arg[i]
  else
    folder = arg[i]
  end
  i = i + 1
end

local rows = { {
  "program, system, construction, seals", "minimal", "fresh moves", "wrong",
  "LLVM", "moves", "more (unexplained)"
} }
for _, program in ipairs(corpus.programs(folder)) do
  if not only or only == program then
    local path = corpus.unpacked(folder, program)
    local expected, cache = corpus.expected(folder, program), {}
    for _, key in ipairs { "c", "lua", "current", "short" } do
      local which = system.known[key]
      if system.present(which) and (not chosen or chosen == key) then
        for _, way in ipairs(ways()) do
          rows[#rows + 1] = row(which, program, path, expected, way, cache)
        end
      end
    end
  end
end

io.write(grid.text(rows))
if #rows == 1 then wrong[1] = "nothing to check: neither replay is built" end
local names = {}
for text in pairs(explained) do names[#names + 1] = text end
table.sort(names)
if names[1] then
  io.write "\nLLVM folds phi(undef, x) to x, and that is all:\n"
end
for _, text in ipairs(names) do io.write("  ", text, "\n") end
if wrong[1] then io.write "\nWrong:\n" end
for _, text in ipairs(wrong) do io.write("  ", text, "\n") end
os.exit(#wrong == 0)
