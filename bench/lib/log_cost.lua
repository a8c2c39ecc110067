--- What a log function that does nothing adds to construction.
local corpus = require "bench.lib.corpus"
local grid = require "bench.lib.grid"
local replay = require "bench.lib.replayer"
local trace = require "bench.lib.trace"

local M = {}

--- The least nanoseconds per event of some rounds, without and with a log
--- function, which take turns.
local function times(t, where, rounds)
  local ways, best = {
    { where = where }, { where = where, log = function() end }
  }, { math.huge, math.huge }
  for _ = 1, rounds do
    for i, how in ipairs(ways) do best[i] = math.min(best[i], replay.timed(t, how)) end
  end
  return best[1], best[2]
end

--- The number of events that a log function is told of.
local function count(t)
  local n = 0
  replay.pass(t, { log = function() n = n + 1 end })
  return n
end

--- A table with a row for each program.
---@param folder string
---@param programs string[]
---@param rounds integer
---@return string
function M.table(folder, programs, rounds)
  local rows = { {
    "program", "without", "with log", "times", "without, where",
    "with log, where", "times", "told per event"
  } }
  for _, program in ipairs(programs) do
    local t = trace.pair(trace.load(corpus.unpacked(folder, program)))
    local row = { program }
    for _, where in ipairs { false, true } do
      local without, with = times(t, where, rounds)
      row[#row + 1] = grid.number(without)
      row[#row + 1] = grid.number(with)
      row[#row + 1] = grid.number(with / without, 2)
    end
    row[#row + 1] = grid.number(count(t) / t.events, 2)
    rows[#rows + 1] = row
  end
  return grid.text(rows)
end

return M
