--- How time and memory grow with the size of a function: each synthetic
--- shape at n and at 8 n, or 100 n, on a C stack of 256 KiB.  When the cost of
--- an event does not depend on n, its ratio is 1.
local corpus = require "bench.lib.corpus"
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local M = {}

M.shapes = {
  "ladder", "chain", "alias", "backward", "nest", "bigswitch", "dispatch",
  "irreducible", "phicascade", "sparse", "wide", "lateread", "ifs"
}

--- A case of bigswitch has as many events as several blocks of the others.
local divisor = { bigswitch = 8 }

--- Those whose blocks can be a million.
M.long = {
  "chain", "ladder", "nest", "phicascade", "irreducible", "wide", "lateread"
}

local function written(shape, n)
  local path = ("%s/%s%d.sst"):format(corpus.scratch, shape, n)
  local command = "mkdir -p %s && %s bench/gen/synth.lua %s %d > %s"
  local lua = corpus.quoted(system.interpreter())
  assert(os.execute(command:format(corpus.scratch, lua, shape, n, path)))
  return path
end

-- For time: memory stays with the process between the passes. Else most of
-- the time of a large function is the kernel's, which clears new pages for
-- each pass.
local keep <const> = "GLIBC_TUNABLES=glibc.malloc.mmap_max=0"
  .. ":glibc.malloc.trim_threshold=4294967296 "

--- One replay of `path` on a small stack; nil when it failed.
local function replayed(which, path, options, settings)
  local command = system.command(which, path, options)
  return system.result(which, "ulimit -s 256; " .. (settings or "") .. command)
end

--- What an event costs: instructions, or the best time of some passes.
local function cost(which, path, options, how)
  local run = replayed(which, path, how.repeats .. options,
    not how.callgrind and not how.cold and keep)
  if not run then return nil end
  local kb = run.peak_rss_kb - run.trace_rss_kb
  if not how.callgrind then return run.ns_per_event, kb end
  return system.instructions(which, path, options) / run.events, kb
end

---@class growth.How
---@field n integer the large size
---@field factor? integer between the sizes, default 8
---@field shapes? string[] default all
---@field callgrind? boolean count instructions instead of time
---@field cold? boolean memory goes back to the system between passes
---@field repeats? integer
---@field constructions? string[]

--- The two costs of a shape, its memory and the ratio.
local function row(which, shape, construction, how)
  local n = math.floor(how.n / (divisor[shape] or 1))
  local options = " --construction " .. construction
  local small, large = written(shape, n // how.factor), written(shape, n)
  local before = cost(which, small, options, how)
  local after, kb = cost(which, large, options, how)
  os.remove(small)
  os.remove(large)
  local number = grid.number
  return {
    shape, which.name, construction, tostring(n), number(before), number(after),
    before and after and number(after / before, 2) or "failed",
    number(kb and kb / 1024, 1)
  }
end

--- The table for one system.
---@param which bench.System
---@param how growth.How
---@return string text
---@return boolean ok did every replay work?
function M.table(which, how)
  local unit = how.callgrind and "instructions" or "ns"
  how.factor = how.factor or 8
  how.repeats = how.repeats or 3
  local rows = { {
    "shape", "system", "construction", "n",
    ("%s per event at n/%d"):format(unit, how.factor), "at n", "ratio",
    "peak MiB"
  } }
  local ok = true
  local constructions = how.constructions or require("phial.trace.algorithms").variants
  for _, shape in ipairs(how.shapes or M.shapes) do
    for _, construction in ipairs(constructions) do
      local cells = row(which, shape, construction, how)
      ok = ok and cells[7] ~= "failed"
      rows[#rows + 1] = cells
    end
  end
  return grid.text(rows), ok
end

--- The times of single calls about something large: those of the specs, at 4
--- and at 32 times their sizes.
---@param repeats integer the best of so many
---@param cases? spec.Growing[] others
---@return string
function M.calls(repeats, cases)
  local seconds = require "spec.support.growth".seconds
  local rows = { { "call", "n", "us per item at n/8", "at n", "ratio" } }
  for _, case in ipairs(cases or require "spec.support.growing".cases) do
    local small, large = math.huge, math.huge
    for _ = 1, repeats do
      small = math.min(small, seconds(4 * case.n, case.make, case.call) / (4 * case.n))
      large = math.min(large, seconds(32 * case.n, case.make, case.call) / (32 * case.n))
    end
    rows[#rows + 1] = {
      case.name, tostring(32 * case.n), grid.number(small * 1e6, 2),
      grid.number(large * 1e6, 2), grid.number(large / small, 2)
    }
  end
  return grid.text(rows)
end

--- The same, of data for emitters and parsers.
---@param repeats integer
---@return string
function M.data(repeats) return M.calls(repeats, require "spec.support.growing_data") end

--- What fn:solve takes for 64,000 values with a constant fact each, compared with loops
--- that call the same functions.
---@param repeats integer the best of so many
---@return string
function M.solving(repeats)
  local n = 64000
  local times = require "spec.support.solving_cost"(n, repeats)
  local rows = { { "64,000 values", "ns per value", "fn:solve takes times as much" } }
  for _, it in ipairs { { "fn:solve", "solve" }, { "fn:values(), facts kept", "bare" },
    { "a list of values", "barest" } } do
    local time = times[it[2]]
    rows[#rows + 1] = { it[1], grid.number(time / n * 1e9, 0), grid.number(times.solve / time, 2) }
  end
  return grid.text(rows)
end

--- The bytes that one more block, or one more value, takes: those that a
--- function of n more of them takes.
---@param which bench.System
---@param n integer
---@return string
function M.sizes(which, n)
  local rows = { { "one more", "shape", "bytes" } }
  for _, what in ipairs { { "block, with its jump", "chain" },
    { "value of two operands", "straight" } } do
    local small, large = written(what[2], n), written(what[2], 3 * n)
    local function kib(path)
      local run = replayed(which, path, "1")
      return run and run.peak_rss_kb - run.trace_rss_kb
    end
    local before, after = kib(small), kib(large)
    os.remove(small)
    os.remove(large)
    local bytes = before and after and (after - before) * 1024 / (2 * n)
    rows[#rows + 1] = { what[1], what[2], grid.number(bytes) }
  end
  return grid.text(rows)
end

return M
