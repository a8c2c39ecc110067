--- How a finished function leaves SSA form, as events that follow those of its construction:
-- its locations with their values, and the moves of each edge in order (docs/exporters.md).
local options = require "phial.options"

local M = {}

local OPTIONS <const> = { coalesce = "boolean" }

local function ids_of(log, values)
  local ids = {}
  for i, value in ipairs(values) do
    ids[i] = value:id()
    log:see_value(value, ids[i])
  end
  return ids
end

-- The blocks whose edges have arrived at a block: those of blocks that were kept though nothing
-- reaches them have not.
local function preds_of(block)
  local preds = {}
  for _, pred in ipairs(block:preds()) do preds[pred] = true end
  return preds
end

-- The moves of the nth edge between two blocks.
local function add_moves(log, leaving, from, to, nth, events)
  for _, move in ipairs(leaving:moves(from, to, nth)) do
    local event = { event = "move", from = from:id(), to = to:id(), index = move.to }
    if math.type(move.from) then
      event.source = move.from
    else
      event.value = ids_of(log, { move.from })[1]
    end
    events[#events + 1] = event
  end
end

--- The events; nil of a function that is not finished, or has no log.
---@param emitter string
---@param log phial.trace.Log
---@param opts true|{coalesce: boolean?} as `fn:leave` has it
---@return table[]?
function M.events(emitter, log, opts)
  if opts == true then opts = {} end
  opts = options.take(("'%s': option 'leave': "):format(emitter), opts, OPTIONS)
  if not log.notes or not log.fn:is_finished() then return nil end
  local events, leaving, preds = {}, log.fn:leave(opts), {}
  for i = 1, leaving:count() do
    events[i] = { event = "location", index = i, args = ids_of(log, leaving:values(i)) }
  end
  for from in log.fn:blocks() do
    local seen = {}
    for _, to in ipairs(from:succs()) do
      seen[to] = (seen[to] or 0) + 1
      preds[to] = preds[to] or preds_of(to)
      if preds[to][from] then add_moves(log, leaving, from, to, seen[to], events) end
    end
  end
  return events
end

return M
