--- The document about a function that phial.emit.json writes, as docs/json.md describes it:
-- tables, and the texts of what the core prints.
local choose = require "phial.emit.json.choose"
local core = require "phial.core"
local leave = require "phial.emit.json.leave"
local signature = require "phial.signature"
local write = require "phial.emit.json.write"

local M = {}

-- The texts of rows, by id, for values that events mention and the function does not have any
-- more.
local function former_values(log)
  local rows, there = {}, {}
  if not log.notes then return rows end
  for value in log.fn:values() do there[value:id()] = true end
  for id, it in pairs(log.values) do
    rows[id] = not there[id] and write.row {
      id = id, text = it.text, type = it.type, op = it.op, data = it.data, effects = it.effects,
      var = it.var,
    } or nil
  end
  return rows
end

-- Blocks that construction has dropped, by id: they have a name only.
local function dropped_rows(log)
  if not log.notes then return {} end
  local there, rows = {}, {}
  for block in log.fn:blocks() do
    log.blocks[block:id()], there[block:id()] = tostring(block), true
  end
  for id, name in pairs(log.blocks) do
    if not there[id] then rows[#rows + 1] = { id = id, name = name } end
  end
  table.sort(rows, function(a, b) return a.id < b.id end)
  return rows
end

local function param_rows(log, passings)
  local rows = {}
  for i, var in ipairs(log.fn:params()) do
    rows[i] = { var = log:see_var(var), value = log.fn:arg(i):id(), passing = passings[i] }
  end
  return rows
end

--- The document about a function.
---@param emitter string
---@param input phial.emit.Input
---@param opts table the options of phial.emit.json
---@return table
function M.of(emitter, input, opts)
  local log, fn = input.log, input.log.fn
  local passings = signature.passings(fn)
  local params = param_rows(log, passings)
  local leaving = opts.leave and leave.events(emitter, log, opts.leave)
  local vars, blocks, values, loops, places =
    core.json(fn, log.places, log.vars, former_values(log))
  local events = log.notes and choose.choose(emitter, log, opts)
  if leaving then table.move(leaving, 1, #leaving, #events + 1, events) end
  return {
    name = fn:name(), linkage = fn:linkage() == "internal" and "internal" or nil,
    variadic = fn:is_variadic() or nil, params = params, result = fn:result(),
    results = fn:results()[2] and fn:results() or nil,
    passing = passings[0], finished = fn:is_finished(),
    construction = opts.construction or fn:construction(), problem = input.problem,
    vars = vars, blocks = blocks, dropped = dropped_rows(log), values = values,
    loops = loops, places = places, trace = input.trace, events = events,
  }
end

return M
