--- Table 3: construction with and without on-the-fly optimisation, of programs whose arithmetic is
--- known: LLVM IR, constructed by examples/llvm. That is a program in Lua, whose time says little
--- about construction; so the instructions that phial's core executes are counted, too.
local corpus = require "bench.lib.corpus"
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local M = {}

local FOLD <const> = "bench/paper/fold.lua"

-- True if a file belongs to phial's core. Verifying a function is not construction.
local function is_counted(file)
  return file:find("src/core/", 1, true) and not file:find("src/core/verify/", 1, true)
end

-- The instructions of the files of phial's core, inlined ones included, in what callgrind writes:
-- "fl", "fi" and "fe" name the file of the lines that follow, "fn" goes back to that of "fl"; the
-- line after "calls" is the cost of what was called.
local function core_instructions(path)
  local names, own, inside, called, sum = {}, false, false, false, 0
  for line in io.lines(path) do
    local key, id, name = line:match "^(c?f[lie])=(%(%d+%)) ?(.*)$"
    if key then
      if name ~= "" then names[id] = name end
      if key:sub(1, 1) == "f" then inside = is_counted(names[id]) end
      if key == "fl" then own = inside end
    elseif line:find "^fn=" then
      inside = own
    elseif line:find "^calls=" then
      called = true
    elseif line:find "^[%d+*-]" then
      if inside and not called then sum = sum + tonumber(line:match " (%d+)$") end
      called = false
    end
  end
  return sum
end

---@class paper.Fold
---@field nodes integer
---@field phis integer
---@field seconds number
---@field instructions number of phial's core

local function command(files, options)
  local words = { system.interpreter(), FOLD, options }
  for _, file in ipairs(files) do words[#words + 1] = corpus.quoted(file) end
  return table.concat(words, " ")
end

-- What fold.lua prints.
local function results(pipe)
  local nodes, phis, seconds = pipe:read "a":match "nodes (%d+) phis (%d+) seconds ([%d.]+)"
  assert(pipe:close() and nodes, FOLD .. " fails")
  return { nodes = tonumber(nodes), phis = tonumber(phis), seconds = tonumber(seconds) }
end

-- Starts fold.lua under callgrind; the function that is returned waits for its results.
local function start(files, options, path)
  local pipe = assert(io.popen(("valgrind -q --tool=callgrind --callgrind-out-file=%s %s")
    :format(path, command(files, options))))
  return function()
    local out = results(pipe)
    out.instructions = core_instructions(path)
    os.remove(path)
    return out
  end
end

local ROUNDS <const> = 3

-- The least seconds of some rounds, of both in turns.
local function time(files, plain, ruled)
  plain.seconds, ruled.seconds = math.huge, math.huge
  for _ = 1, ROUNDS do
    for options, out in pairs { [""] = plain, ["--rules"] = ruled } do
      local run = results(assert(io.popen(command(files, options))))
      out.seconds = math.min(out.seconds, run.seconds)
    end
  end
end

-- Without rules and with them; instructions are counted at the same time.
local function both(files, scratch)
  local wait = start(files, "", scratch .. "/plain.callgrind")
  local ruled = start(files, "--rules", scratch .. "/ruled.callgrind")()
  local plain = wait()
  time(files, plain, ruled)
  return plain, ruled
end

local function row(name, plain, ruled)
  local function share(key) return ("%.1f %%"):format(100 * ruled[key] / plain[key]) end
  local function more(key) return ("%+.1f %%"):format(100 * (ruled[key] / plain[key] - 1)) end
  return { name, ("%d"):format(plain.nodes), ("%d"):format(ruled.nodes), share "nodes",
    ("%d"):format(plain.phis), ("%d"):format(ruled.phis),
    grid.number(plain.instructions / 1e6, 2), grid.number(ruled.instructions / 1e6, 2),
    more "instructions", grid.number(plain.seconds, 3), grid.number(ruled.seconds, 3),
    more "seconds" }
end

local HEAD = { "program", "nodes", "with rules", "left", "phis", "with rules", "M instructions",
  "with rules", "more", "s", "with rules", "more" }

local function add(sum, set)
  for key, n in pairs(set) do sum[key] = (sum[key] or 0) + n end
end

--- The table of programs with LLVM IR.
---@param programs paper.Program[]
---@param scratch string a folder
---@return string
function M.table(programs, scratch)
  local rows, all, all_ruled = { HEAD }, {}, {}
  local none, only_rules = both({}, scratch)
  for _, program in ipairs(programs) do
    local plain, ruled = both(program.files, scratch)
    plain.instructions = plain.instructions - none.instructions
    ruled.instructions = ruled.instructions - only_rules.instructions
    rows[#rows + 1] = row(program.name, plain, ruled)
    add(all, plain)
    add(all_ruled, ruled)
  end
  rows[#rows + 1] = row("all", all, all_ruled)
  return grid.text(rows)
end

return M
