--- What verifying each finished function, as fn:finish does by default, takes of
--- the whole time.
local corpus = require "bench.lib.corpus"
local grid = require "bench.lib.grid"
local system = require "bench.lib.system"

local M = {}

local columns = {
  { name = "C", key = "c", options = "" },
  { name = "Lua, long form", key = "lua", options = "" },
  { name = "Lua, short form", key = "lua", options = " --form short" }
}

--- The least nanoseconds per event of some rounds, without and with verification,
--- which take turns.
local function times(column, path, rounds)
  local which, best = system.known[column.key], { math.huge, math.huge }
  for _ = 1, rounds do
    for i, option in ipairs { "", " --verified" } do
      local run = system.run(which, path, "3" .. column.options .. option)
      best[i] = math.min(best[i], run and run.ns_per_event or math.huge)
    end
  end
  return best[1], best[2]
end

--- A table with a row for each program: the time for an event, verification
--- included, and its share of that.
---@param folder string
---@param programs string[]
---@param rounds integer
---@return string
function M.table(folder, programs, rounds)
  local head, rows = { "program" }, {}
  for _, column in ipairs(columns) do
    if system.present(system.known[column.key]) then
      table.move({ column.name, "verifying" }, 1, 2, #head + 1, head)
    end
  end
  rows[1] = head
  for _, program in ipairs(programs) do
    local row, path = { program }, corpus.unpacked(folder, program)
    for _, column in ipairs(columns) do
      if system.present(system.known[column.key]) then
        local without, with = times(column, path, rounds)
        row[#row + 1] = grid.number(with, 1)
        row[#row + 1] = grid.number(100 * (with - without) / with) .. " %"
      end
    end
    rows[#rows + 1] = row
  end
  return grid.text(rows)
end

return M
