--- The lines `i` of a trace: how a player emits their instructions.
local core = require "phial.core"
local format = require "phial.trace.format"

local mistake = format.mistake

local M = {}

local rows

--- What phial.ops() says of an op; nil: it is that of a dialect, or unknown.
---@param name string
---@return phial.OpRow?
function M.row(name)
  if not rows then
    rows = {}
    for _, row in ipairs(core.ops()) do rows[row.name] = row end
  end
  return rows[name]
end

-- The ops whose arguments are not their operands.
local special = {}

function special.call(player, step, args)
  if not step.data then mistake "'call' needs the callee, in braces" end
  return player:here():call(player:data(step.data), step.type, table.unpack(args))
end

function special.proj(player, step, args)
  if #args ~= 1 then mistake "'proj' has one operand" end
  return player:here():proj(args[1], step.data and player:data(step.data), step.type)
end

function special.address(player, step)
  if not step.data then mistake "'address' needs what has it, in braces" end
  return player:here():address(player:data(step.data, true))
end

-- The size and the alignment are constants.
function special.alloca(player, _, args)
  for i, arg in ipairs(args) do args[i] = arg:const() end
  return player:here():alloca(table.unpack(args))
end

function special.call_indirect(player, step, args)
  return player:here():call_indirect(args[1], step.type, table.unpack(args, 2))
end

-- Adds what an op of a dialect takes besides its operands: the type and number of results, if
-- the instruction says them, and data.
local function add_extras(player, step, args)
  local dialect, name = step.op:match "^([^.]*)%.(.*)$"
  local d = dialect and player.fn:dialect(dialect)
  local op = d and d[name]
  if op and op:says_type() then args[#args + 1] = step.type end
  local results = op and op:results() == "*" and #step.results or nil
  if step.data or results then
    args[#args + 1] = { data = step.data and player:data(step.data), results = results }
  end
end

local function emit(player, step)
  local row, args = M.row(step.op), player:values_of(step.args)
  if special[step.op] then return special[step.op](player, step, args) end
  if row and row.signature:find "^%u" then args[#args + 1] = step.type end
  add_extras(player, step, args)
  return player:here():emit(step.op, table.unpack(args))
end

-- Names the results of an instruction.
local function bind(player, step, ...)
  if select("#", ...) ~= #step.results then
    mistake("'%s' has %d results, the line names %d", step.op, select("#", ...), #step.results)
  end
  for i, id in ipairs(step.results) do
    local value = select(i, ...)
    if value:type() ~= step.type then
      mistake("%%%d is %s, the line says %s", id, value:type(), step.type)
    end
    player:bind(id, value)
    player:push(value)
  end
end

--- Emits the instruction of a line into the player's current block, and names its results.
---@param player phial.trace.Player
---@param step phial.trace.Step
function M.play(player, step) bind(player, step, emit(player, step)) end

return M
