--- Which events are the steps that a reader goes through: all of them, or those of a
-- range, a variable or a block.
--
-- Other events remain if they change the function, marked as quiet: they happen between
-- two steps, and without them the function could not be shown as it was.
local errors = require "phial.errors"
local options = require "phial.options"
local DETAILS <const> = require("phial.trace.log").DETAILS

local M = {}

-- The most steps.
local LIMIT <const> = 200000

-- Events that change nothing, besides details.
local SILENT <const> = {
  lookup = true, read = true, rule = true, folded = true, swapped = true, merged = true,
  defined = true,
}

-- Events about a variable, besides those with a field `var`.
local OF_PHI <const> = { operand = true, trivial = true, redundant = true, reexamined = true }

-- The events that belong to no variable or block.
local ALWAYS <const> = { finished = true, reopened = true, edited = true }

local function is_of_var(log, note, name)
  local var = note.var
  local value = OF_PHI[note.event] and log.values[note.value]
  var = var or value and value.var
  return var ~= nil and log.vars[var].name == name
end

local function is_at(log, block, name) return block ~= nil and log.blocks[block] == name end

local function is_chosen(log, i, opts)
  local note, range = log.notes[i], opts.range
  if range and (i < range[1] or i > range[2]) then return false end
  if ALWAYS[note.event] then return true end
  if opts.variable and not is_of_var(log, note, opts.variable) then return false end
  return not opts.block or is_at(log, note.block, opts.block)
    or note.event == "climb"
      and (is_at(log, note.from, opts.block) or is_at(log, note.to, opts.block))
end

-- Leaves out what is not shown: of writes, all but those of
-- the chosen variable.
local function is_needed(log, note, opts)
  if SILENT[note.event] or DETAILS[note.event] then return false end
  return note.event ~= "write" or not opts.variable or is_of_var(log, note, opts.variable)
end

local function has_name(names, name)
  for _, it in pairs(names) do
    if (type(it) == "table" and it.name or it) == name then return true end
  end
  return false
end

--- Raises if an option names a variable or block that no function has.
---@param emitter string
---@param logs phial.trace.Log[]
---@param opts {variable: string?, block: string?}
function M.check_names(emitter, logs, opts)
  for option, field in pairs { variable = "vars", block = "blocks" } do
    local found = not opts[option]
    for _, log in ipairs(logs) do found = found or has_name(log[field], opts[option]) end
    if not found then
      errors.raise("'%s': option '%s': there is no %s '%s' in %s", emitter, option, option,
        opts[option], #logs == 1 and ("function '%s'"):format(logs[1].fn:name()) or "any function")
    end
  end
end

--- Chooses events of a log: a list of them, in which quiet ones are marked.
---@param emitter string
---@param log phial.trace.Log
---@param opts {range: integer[]?, variable: string?, block: string?}
---@return phial.Note[]
function M.choose(emitter, log, opts)
  local chosen, count, range = {}, 0, opts.range
  if range and not (#range == 2 and math.type(range[1]) == "integer"
    and math.type(range[2]) == "integer") then
    errors.raise("'%s': option 'range': two integers expected: {from, to}", emitter)
  end
  for i, note in ipairs(log.notes) do
    if is_chosen(log, i, opts) then
      count = count + 1
      chosen[#chosen + 1] = note
    elseif is_needed(log, note, opts) then
      -- a copy: the notes of a log are not changed, it can be written again
      chosen[#chosen + 1] = options.union({ quiet = true }, note)
    end
  end
  if count > LIMIT then
    errors.raise("'%s': function '%s' has %d events, which is more than %d: the option 'range' "
      .. "({from, to}), 'variable' or 'block' (a name) chooses some", emitter, log.fn:name(), count,
      LIMIT)
  end
  return chosen
end

return M
