--- What the emitters json and html are called with: a function, with or without a log,
-- or a trace, whose functions are made by replaying it.
local algorithms = require "phial.trace.algorithms"
local errors = require "phial.errors"
local log = require "phial.trace.log"
local steps = require("phial.trace.replay").steps

local M = {}

--- The options of a replay.
M.REPLAY = {
  construction = algorithms.names, dialects = "list", host = true, file = "string",
  verify = "boolean", detail = "boolean", rules = true,
}

---@class phial.emit.Input
---@field log phial.trace.Log
---@field is_watched? boolean it is one that this program has kept
---@field trace? {line: integer, text: string}[] the lines that were replayed
---@field problem? string why the trace ends here

--- The input for a function.
---@param emitter string
---@param fn phial.Function
---@param opts {log: phial.Log|false|nil} its own log if nil; none if false
---@return phial.emit.Input[]
function M.func(emitter, fn, opts)
  local watched = opts.log and log.behind(opts.log)
  if opts.log and not watched then
    errors.raise("'%s': option 'log': phial.Log or false expected, got %s", emitter,
      errors.got(opts.log))
  end
  if fn:is_declaration() then
    errors.raise("'%s': function '%s' is a declaration: it has no body", emitter, fn:name())
  end
  if watched and watched.fn ~= fn then
    local other = watched.fn:name()
    errors.raise("'%s': option 'log': it is of %s", emitter, other == fn:name()
      and ("another function '%s'"):format(other)
      or ("function '%s', not of '%s'"):format(other, fn:name()))
  end
  if opts.log == nil then watched = log.of(fn) end
  local it = watched or log.new(fn)
  if not watched then it.notes = nil end
  return { { log = it, is_watched = watched and true } }
end

-- Adds a step of a replay to the inputs.
local function add(inputs, step)
  local input = inputs[#inputs]
  if step.fn and not (input and input.log.fn == step.fn) then
    input = { log = log.new(step.fn), trace = {} }
    inputs[#inputs + 1] = input
  end
  if not input then return end
  input.problem = step.problem
  table.insert(input.trace, { line = step.line, text = step.text })
  local stand_in = step.stands_in
  if stand_in then input.log:see_stand_in(stand_in.value, stand_in.var) end
  for _, event in ipairs(step.events) do input.log:note(event, step.line) end
end

--- The inputs for a trace, one for each function that could be made.
---@param emitter string
---@param text string
---@param opts phial.StepOptions among others
---@return phial.emit.Input[]
function M.trace(emitter, text, opts)
  local inputs, replay, problem = {}, {}, nil
  for name in pairs(M.REPLAY) do replay[name] = opts[name] end
  local next_step, why = steps(text, replay)
  if not next_step then errors.raise("'%s': the trace is wrong: %s", emitter, why) end
  for step in next_step do
    add(inputs, step)
    problem = step.problem
  end
  if #inputs == 0 then
    errors.raise("'%s': %s", emitter, problem and "the trace is wrong: " .. problem
      or "the trace has no function")
  end
  return inputs
end

return M
