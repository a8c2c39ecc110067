--- phial.emit.json: a function, or the functions of a trace, as JSON, with the events of
-- their construction. docs/json.md describes the document.
local algorithms = require "phial.trace.algorithms"
local choose = require "phial.emit.json.choose"
local document = require "phial.emit.json.document"
local errors = require "phial.errors"
local input = require "phial.emit.json.input"
local log = require "phial.trace.log"
local options = require "phial.options"
local write = require "phial.emit.json.write"

local M = {}

--- The options of a replay.
M.REPLAYS = {
  construction = algorithms.names, dialects = "table", host = true, file = "string",
  verify = "boolean", detail = "boolean",
}

local STEPS <const> = { range = "table", variable = "string", block = "string" }

--- The options for functions, and for traces.
M.FUNC = options.union(STEPS, { log = true })
M.TRACE = options.union(STEPS, M.REPLAYS)

--- The documents about inputs.
---@param emitter string
---@param inputs phial.emit.Input[]
---@param opts table
---@return table[]
function M.documents(emitter, inputs, opts)
  local out, logs = {}, {}
  for i, it in ipairs(inputs) do
    out[i] = document.of(emitter, it, opts)
    if it.log.notes then logs[#logs + 1] = it.log end
  end
  if #logs > 0 then choose.check_names(emitter, logs, opts) end
  return out
end

--- Raises unless the option `log` is what phial.log returns, or false.
---@param emitter string
---@param opts table
function M.check_log(emitter, opts)
  if not opts.log or log.behind(opts.log) then return end
  errors.raise("'%s': option 'log': phial.Log or false expected, got %s", emitter,
    errors.got(opts.log))
end

--- A part of the options.
---@param opts table
---@param names table<string, any> a set
---@return table
function M.some(opts, names)
  local out = {}
  for name in pairs(names) do out[name] = opts[name] end
  return out
end

local NAME <const> = "phial.emit.json"

--- A function as JSON, with the events of its log.
---@param fn phial.Function
---@param opts? phial.JsonOptions
---@return string
function M.func(fn, opts)
  opts = options.argument(NAME, 2, opts, M.FUNC)
  M.check_log(NAME, opts)
  return write.document(M.documents(NAME, input.func(NAME, fn, opts.log), opts))
end

--- The functions of a trace as JSON, with the events of its replay.
---@param text string
---@param opts? phial.JsonOptions
---@return string
function M.trace(text, opts)
  opts = options.argument(NAME, 2, opts, M.TRACE)
  return write.document(M.documents(NAME, input.trace(NAME, text, M.some(opts, M.REPLAYS)), opts))
end

return M
