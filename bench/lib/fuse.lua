--- The short form of a trace: what a frontend with three-address code would say.
--- Operands are variables wherever a variable still holds the value; so a value
--- that is used twice is read twice.  A result is written by the call that makes
--- it.
local trace = require "bench.lib.trace"

local M = {}

-- The kinds of short events.  Operands are numbers of slots: those of variables
-- are their numbers plus 1; the others hold values.
M.BLOCK = 1 -- block
M.SEAL = 2 -- block
M.USE = 3 -- operand
M.READ = 4 -- slot, variable
M.LET = 5 -- variable, operand, operand
M.JUMP = 6 -- block
M.MOVE = 7 -- variable, operand
M.COND = 8 -- operand, block, block
M.EMIT = 9 -- slot, operand, operand; a move writes it
M.RET = 10 -- operand
M.SWITCH = 11 -- operand, number, blocks
M.END = 12

---@class fuse.Value
---@field var integer the variable that it was read from, or written to
---@field at integer index of the event that makes it
---@field used? boolean
---@field held? boolean it is used after the variable has been written again
---@field slot? integer

---@class fuse.Event
---@field kind integer as bench.lib.trace numbers them
---@field args integer[]
---@field makes? fuse.Value
---@field first? fuse.Value operands
---@field second? fuse.Value

--- The events with the values that they make and use.
---@param code integer[]
---@return fuse.Event[]
local function analysed(code)
  local events, before, latest = {}, nil, nil
  local written = {} -- by variable: index of the last write in this block
  local function use(value)
    if value then
      value.used = true
      value.held = value.held or (written[value.var] or 0) > value.at
    end
    return value
  end
  for kind, args in trace.events(code) do
    local event = { kind = kind, args = args }
    local at = #events + 1
    if kind == trace.READ then
      event.makes = { var = args[1], at = at }
    elseif kind == trace.WRITE or kind == trace.MOVE and not latest then
      event.kind = trace.WRITE
      event.first, event.second = use(before), use(latest)
      event.makes = { var = args[1], at = at }
    elseif kind == trace.BLOCK then
      before, latest, written = nil, nil, {}
    elseif kind ~= trace.SEAL and kind ~= trace.JUMP then
      event.second = use(latest)
    end
    if kind == trace.WRITE or kind == trace.MOVE then written[args[1]] = at end
    if event.makes then before, latest = latest, event.makes end
    events[at] = event
  end
  return events
end

---@param func trace.Function
---@return integer[] code
---@return integer reads operands that are variables, and reads of their own
local function fused(func)
  local events, reads = analysed(func.code), 0
  local out, opaque, top = {}, func.nvars + 1, func.nvars + 1
  local function put(...)
    for _, word in ipairs { ... } do out[#out + 1] = word end
  end
  local function slot(value)
    if not value then return opaque end
    if value.held then return value.slot end
    reads = reads + 1
    return value.var + 1
  end
  local function new_slot(value)
    top = top + 1
    value.slot = top
    return top
  end
  local emitters = {
    [trace.BLOCK] = function(_, block)
      top = opaque
      put(M.BLOCK, block)
    end,
    [trace.READ] = function(event, var)
      local made = event.makes
      if made.used and not made.held then return end
      reads = reads + 1
      put(M.READ, new_slot(made), var)
    end,
    [trace.WRITE] = function(event, var)
      local a, b = slot(event.first), slot(event.second)
      if not event.makes.held then return put(M.LET, var, a, b) end
      local made = new_slot(event.makes)
      put(M.EMIT, made, a, b, M.MOVE, var, made)
    end,
    [trace.MOVE] = function(event, var) put(M.MOVE, var, slot(event.second)) end,
    [trace.USE] = function(event) put(M.USE, slot(event.second)) end,
    [trace.JUMP] = function(_, block) put(M.JUMP, block) end,
    [trace.COND] = function(event, ...) put(M.COND, slot(event.second), ...) end,
    [trace.SWITCH] = function(event, ...) put(M.SWITCH, slot(event.second), ...) end,
    [trace.RET] = function(event) put(M.RET, slot(event.second)) end,
    [trace.SEAL] = function(_, block) put(M.SEAL, block) end
  }
  for _, event in ipairs(events) do
    emitters[event.kind](event, table.unpack(event.args))
  end
  put(M.END)
  return out, reads
end

--- A trace with the same functions in the short form.
---@param t trace.Trace
---@return trace.Trace
---@return integer reads of variables in all of them
function M.trace(t)
  local new, all = { funcs = {}, events = t.events }, 0
  for i, func in ipairs(t.funcs) do
    local code, reads = fused(func)
    all = all + reads
    new.funcs[i] = {
      name = func.name, nblocks = func.nblocks, nvars = func.nvars, code = code
    }
  end
  return new, all
end

--- The reads in a trace of the long form.
---@param t trace.Trace
---@return integer
function M.reads(t)
  local reads = 0
  for _, func in ipairs(t.funcs) do
    for kind in trace.events(func.code) do
      if kind == trace.READ then reads = reads + 1 end
    end
  end
  return reads
end

return M
