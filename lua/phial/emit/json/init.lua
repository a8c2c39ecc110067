--- phial.emit.json: a function, or the functions of a trace, as JSON, with the events of
-- their construction. docs/json.md describes the document.
local choose = require "phial.emit.json.choose"
local document = require "phial.emit.json.document"
local errors = require "phial.errors"
local input = require "phial.emit.json.input"
local log = require "phial.trace.log"
local write = require "phial.emit.json.write"

local M = {}

--- The options about steps.
M.CHOOSES = { range = "table", variable = "string", block = "string" }

--- Those of a replay.
M.REPLAYS = {
  construction = "string", dialects = "table", host = true, file = "string", verify = "boolean",
  detail = "boolean",
}

--- Options, checked.
---@param emitter string
---@param opts any
---@param ... table<string, string|true> those that are known
---@return table
function M.options(emitter, opts, ...)
  local known = {}
  for _, set in ipairs { ... } do
    for name, type in pairs(set) do known[name] = type end
  end
  if opts ~= nil and type(opts) ~= "table" then errors.arg(emitter, 2, "table", opts) end
  return errors.options(("'%s': "):format(emitter), opts or {}, known)
end

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
  opts = M.options(NAME, opts, M.CHOOSES, { log = true })
  M.check_log(NAME, opts)
  return write.document(M.documents(NAME, input.func(NAME, fn, opts.log), opts))
end

--- The functions of a trace as JSON, with the events of its replay.
---@param text string
---@param opts? phial.JsonOptions
---@return string
function M.trace(text, opts)
  opts = M.options(NAME, opts, M.CHOOSES, M.REPLAYS)
  return write.document(M.documents(NAME, input.trace(NAME, text, M.some(opts, M.REPLAYS)), opts))
end

return M
