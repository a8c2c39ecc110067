--- The document about a function that phial.emit.json writes: tables as docs/json.md
-- describes them.
local choose = require "phial.emit.json.choose"
local leave = require "phial.emit.json.leave"
local signature = require "phial.signature"

local M = {}

-- The rows that `row` makes of the things in a table by id, sorted by id.
local function rows_by_id(by_id, row)
  local rows, ids = {}, {}
  for id in pairs(by_id) do ids[#ids + 1] = id end
  table.sort(ids)
  for _, id in ipairs(ids) do rows[#rows + 1] = row(id, by_id[id]) end
  return rows
end

-- {== Values ===========================================================

-- The lists of operands of the final function, by value.
local function final_args(state)
  local args = {}
  for _, block in ipairs(state) do
    for i, id in ipairs(block.phis) do args[id] = block.args[i] end
    for i, id in ipairs(block.insts) do args[id] = block.args[#block.phis + i] end
  end
  return args
end

-- All values that the log knows.
local function values_of(log, state)
  local args = final_args(state)
  return rows_by_id(log.values, function(id, known)
    return {
      id = id, text = known.text, type = known.type, op = known.op, data = known.data,
      effects = known.effects, var = known.var, args = args[id],
    }
  end)
end

-- Adds the positions that instructions have.
local function add_places(log, rows)
  local by_id = {}
  for _, row in ipairs(rows) do by_id[row.id] = row end
  for value in log.fn:values() do
    local row, line, col, file = by_id[value:id()], value:loc()
    if line then row.loc = log:place(file, line, col) end
  end
end

-- }== Blocks ===========================================================

-- The rows of loops, and their numbers, from 0, by header.
local function loop_rows(loops)
  local rows, number = {}, {}
  for i, loop in ipairs(loops) do
    number[loop.header] = i - 1
    rows[i] = {
      header = loop.header:id(), parent = loop.parent and number[loop.parent.header],
      depth = loop.depth, reducible = loop.reducible,
    }
  end
  return rows, number
end

local function block_rows(log, state, loop_of)
  local rows, at = {}, 0
  for block in log.fn:blocks() do
    at = at + 1
    local it, idom, header = state[at], block:idom(), block:loop_header()
    rows[at] = {
      id = it.id, name = log.blocks[it.id], preds = it.preds, succs = it.succs, phis = it.phis,
      insts = it.insts, idom = idom and idom:id(), loop = header and loop_of[header],
      sealed = block:is_sealed(), filled = block:is_filled(),
    }
  end
  return rows
end

-- Blocks that construction has dropped: they have a name only.
local function dropped_rows(log, rows)
  local there = {}
  for _, row in ipairs(rows) do there[row.id] = true end
  return rows_by_id(log.blocks, function(id, name)
    return not there[id] and { id = id, name = name } or nil
  end)
end

-- }== Functions ========================================================

local function var_rows(log)
  return rows_by_id(log.vars, function(id, var)
    return { id = id, name = var.name, type = var.type }
  end)
end

local function param_rows(log, passings)
  local rows = {}
  for i, var in ipairs(log.fn:params()) do
    log:see_var(var)
    log:see_value(log.fn:arg(i), log.fn:arg(i):id())
    rows[i] = { var = var:id(), value = log.fn:arg(i):id(), passing = passings[i] }
  end
  return rows
end

-- The events that are steps, and those of leaving SSA form behind them.
local function events_of(emitter, log, opts, leaving)
  local events = log.notes and choose.choose(emitter, log, opts)
  return leaving and table.move(leaving, 1, #leaving, #events + 1, events) or events
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
  local state, loops, loop_of = log:state(), loop_rows(fn:loops())
  local values = values_of(log, state)
  add_places(log, values)
  local blocks = block_rows(log, state, loop_of)
  return {
    name = fn:name(), linkage = fn:linkage() == "internal" and "internal" or nil,
    variadic = fn:is_variadic() or nil, params = params, result = fn:result(),
    passing = passings[0], finished = fn:is_finished(),
    construction = opts.construction or fn:construction(), problem = input.problem,
    vars = var_rows(log), blocks = blocks, dropped = dropped_rows(log, blocks), values = values,
    loops = loops, places = log.places, trace = input.trace,
    events = events_of(emitter, log, opts, leaving),
  }
end

return M

-- }=====================================================================
