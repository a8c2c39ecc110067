--- phial.replay and phial.steps: make the functions of a trace again, as a whole or line by line.
-- docs/trace.md describes traces.
local algorithms = require "phial.trace.algorithms"
local core = require "phial.core"
local errors = require "phial.errors"
local format = require "phial.trace.format"
local options = require "phial.options"
local new_player = require "phial.trace.player"

local M = {}

local KNOWN <const> = {
  dialects = "list", host = true, file = "string", verify = "boolean",
  construction = algorithms.names, rules = true, accesses = "boolean",
}

local KNOWN_OF_STEPS <const> = options.union(KNOWN, { detail = "boolean" })

--- The text of a trace, or of the record of a function; nil of anything else.
---@param it any
---@return string?
function M.text_of(it)
  if type(it) == "string" then return it end
  local mt = type(it) == "table" and getmetatable(it)
  return type(mt) == "table" and mt.__name == "phial.Record" and it:text() or nil
end

local function check_rules(method, opts)
  local rules, algorithm = opts.rules, opts.construction
  if rules == nil then return end
  if type(rules) ~= "boolean" and errors.class(rules) ~= "phial.Rules" then
    errors.raise("'%s': option 'rules': phial.Rules or boolean expected, got %s", method,
      errors.got(rules))
  elseif rules and algorithms.is_classical[algorithm] then
    errors.raise("'%s': option 'rules': the algorithm '%s' knows the values of reads only when "
      .. "the function is finished", method, algorithm)
  end
end

-- Accesses are those of the function as it is written.
local function check_accesses(method, opts)
  if opts.accesses and (opts.rules or algorithms.is_classical[opts.construction]) then
    errors.raise("'%s': option 'accesses': not with rules, nor with a classical algorithm",
      method)
  end
end

local function check_arguments(method, known, text, opts, ...)
  errors.count(method, 1, 2, 2, ...)
  text = M.text_of(text) or errors.arg(method, 1, "trace or phial.Record", text)
  opts = options.argument(method, 2, opts, known)
  core.dialect_room(opts.dialects or {}) -- refuses what is not a dialect
  check_rules(method, opts)
  check_accesses(method, opts)
  return text, opts
end

local function problem(opts, line, why)
  return ("%s%d: %s"):format(opts.file and opts.file .. ":" or "", line, why)
end

-- Replays a function and calls `each` for every line, F first, with the player, the
-- step, and line and message of an error; stops at an error, or if `each` returns
-- true.
local function play(func, opts, each)
  local player, line, why = new_player(func, opts)
  if each(player, func, line, why) or why then return end
  for _, step in ipairs(func.steps) do
    line, why = player:step(step)
    if each(player, step, line, why) or why then return end
  end
end

-- A classical algorithm constructs nothing before the line E.
local function unfinished(fns, opts)
  for _, fn in ipairs(algorithms.is_classical[opts.construction] and fns or {}) do
    if not fn:is_finished() then
      return ("%s'%s' is not finished: a line E is missing"):format(
        opts.file and opts.file .. ": " or "", fn:name())
    end
  end
end

--- Makes the functions of a trace.
function M.replay(text, opts, ...)
  text, opts = check_arguments("phial.replay", KNOWN, text, opts, ...)
  local funcs, line, why = format.read(text)
  local fns = {}
  for i, func in ipairs(funcs or {}) do
    play(func, opts, function(player, _, at, wrong)
      fns[i], line, why = player.fn, at, wrong
    end)
    if why then break end
  end
  why = why and problem(opts, line, why) or unfinished(fns, opts)
  if not why then return table.unpack(fns) end
  for _, fn in pairs(fns) do fn:close() end
  return nil, why
end

--- Replays a trace line by line: iterates over the lines, each with the function at
--- that point and the events of construction.
function M.steps(text, opts, ...)
  text, opts = check_arguments("phial.steps", KNOWN_OF_STEPS, text, opts, ...)
  local funcs, wrong_line, wrong = format.read(text)
  if not funcs then return nil, problem(opts, wrong_line, wrong) end
  return coroutine.wrap(function()
    local stopped = false
    for _, func in ipairs(funcs) do
      if stopped then return end
      local events
      play(func, opts, function(player, step, line, why)
        if player.fn and not events then
          events = {}
          player.fn:log { function(event) events[#events + 1] = event end,
            detail = opts.detail }
        end
        coroutine.yield {
          line = step.line, text = step.text, fn = player.fn, events = events or {},
          stands_in = player.stands_in, problem = why and problem(opts, line, why),
        }
        player.stands_in = nil
        events, stopped = events and {}, why ~= nil
      end)
    end
  end)
end

return M
