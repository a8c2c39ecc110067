-- promote.lua: fn:promote() beside LLVM's sroa and mem2reg. The functions of the traces have all
-- variables in memory, four in a record, as they are before and after both; what is left and
-- what it took is printed.
--
-- usage: lua5.4 bench/suites/promote.lua [FOLDER] [OPT]   (default: the bundled traces, opt-16)
--
-- Each value that is read is passed to an unknown function, each that is written comes from one.
-- The time of opt is that of its two passes, by -time-passes. The exit status is 1 if phial leaves
-- more phis or instructions.

package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local corpus = require "bench.lib.corpus"
local counts = require("bench.lib.llvm.counts").of
local file = require "tools.file"
local grid = require "bench.lib.grid"
local phial = require "phial"
local trace = require "bench.lib.trace"

local FOLDER <const> = arg[1] or corpus.folder
local OPT <const> = arg[2] or "opt-16"
local FIELDS <const>, SIZE <const> = 4, 8

-- {== Variables in memory ================================================

local Builder = {}
Builder.__index = Builder

function Builder:address(var)
  local record, at = self.records[var // FIELDS + 1], var % FIELDS * SIZE
  return at == 0 and record or self.fn:ptradd(record, at)
end

function Builder:read(var)
  self.latest = self.fn:load(self:address(var), "i64")
  self.fn:call("use", false, self.latest)
end

function Builder:write(var, value)
  self.latest = value or self.fn:call("value", "i64")
  self.fn:store(self:address(var), self.latest)
end

local event = {
  [trace.BLOCK] = function(b, block) b.fn:set_current(b.blocks[block]) end,
  [trace.READ] = Builder.read,
  [trace.WRITE] = function(b, var) b:write(var) end,
  [trace.MOVE] = function(b, var) b:write(var, b.latest) end,
  [trace.JUMP] = function(b, to) b.fn:jump(b.blocks[to]) end,
  [trace.COND] = function(b, yes, no)
    b.fn:branch(b.fn:call("condition", "i1"), b.blocks[yes], b.blocks[no])
  end,
  [trace.SWITCH] = function(b, count, first, ...)
    local cases = {}
    for i, to in ipairs { ... } do cases[i] = b.blocks[to] end
    assert(#cases == count - 1)
    b.fn:switch(b.fn:call("value", "i64"), b.blocks[first], cases)
  end,
  [trace.RET] = function(b) b.fn:ret() end,
}

local function build(module, func, number)
  local fn = module:fn(("f%d"):format(number), {}, nil, { rules = false, where = false })
  local b = setmetatable({ fn = fn, blocks = { [0] = fn:entry() }, records = {},
    latest = fn:const(0) }, Builder)
  for i = 1, func.nblocks - 1 do b.blocks[i] = fn:block() end
  for i = 1, (func.nvars + FIELDS - 1) // FIELDS do
    b.records[i] = fn:entry():alloca(FIELDS * SIZE, SIZE)
  end
  for kind, operands in trace.events(func.code) do
    if event[kind] then event[kind](b, table.unpack(operands)) end
  end
  return fn
end

local function module_of(name)
  local m, list = phial.module(name), {}
  m:declare("use", { "x:i64" })
  m:declare("value", {}, "i64")
  m:declare("condition", {}, "i1")
  for i, func in ipairs(trace.load(corpus.unpacked(FOLDER, name)).funcs) do
    list[i] = build(m, func, i)
  end
  return m:finish(), list
end

-- }== Both ===============================================================

local function by_phial(m, list)
  collectgarbage()
  local start = os.clock()
  for _, fn in ipairs(list) do fn:promote() end
  local seconds = os.clock() - start
  local out = counts(phial.emit.llvm(m))
  out.seconds = seconds
  return out
end

local function by_opt(path)
  local out, times = path .. ".opt", path .. ".times"
  local command = ("%s -S -passes=sroa,mem2reg -time-passes %s -o %s 2>%s"):format(OPT,
    corpus.quoted(path), corpus.quoted(out), corpus.quoted(times))
  assert(os.execute(command), OPT .. " fails")
  local result, seconds = counts(file.read(out)), 0
  for line in file.read(times):gmatch "[^\n]+" do
    if line:find "SROAPass" or line:find "PromotePass" then
      seconds = seconds + line:match "^%s*([%d.]+)"
    end
  end
  result.seconds = seconds
  return result
end

-- }== The table ==========================================================

local rows, good = { { "program", "functions", "in memory", "instructions", "opt", "phis", "opt",
  "ms", "opt" } }, true
for _, name in ipairs(corpus.programs(FOLDER)) do
  local m, list = module_of(name)
  local path, text = ("%s/%s.promote.ll"):format(corpus.scratch, name), phial.emit.llvm(m)
  file.write(path, text)
  local theirs, ours = by_opt(path), by_phial(m, list)
  good = good and ours.all <= theirs.all and ours.phi <= theirs.phi
  local cells = { name, #list, counts(text).all, ours.all, theirs.all, ours.phi, theirs.phi }
  for i = 2, #cells do cells[i] = grid.number(cells[i]) end
  cells[8], cells[9] = grid.number(ours.seconds * 1000, 1), grid.number(theirs.seconds * 1000, 1)
  rows[#rows + 1] = cells
end
io.write(grid.text(rows))
os.exit(good)

-- }=======================================================================
