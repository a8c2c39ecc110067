--- phial.emit.json: a function, or the functions of a trace, as JSON, with the events of
-- their construction. docs/json.md describes the document.
local choose = require "phial.emit.json.choose"
local document = require "phial.emit.json.document"
local input = require "phial.emit.json.input"
local options = require "phial.options"
local write = require "phial.emit.json.write"

local M = {
  help = "JSON; of a trace, with the events of construction", lenient = true,
}

local STEPS <const> = {
  range = "list", variable = "string", block = "string", leave = true,
}

--- The options for functions, and for traces.
M.FUNC = options.union(STEPS, { log = true })
M.TRACE = options.union(STEPS, input.REPLAY)

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

local NAME <const> = "phial.emit.json"

--- A function as JSON, with the events of its log.
function M.func(fn, opts)
  opts = options.argument(NAME, 2, opts, M.FUNC)
  return write.document(M.documents(NAME, input.func(NAME, fn, opts), opts))
end

--- The functions of a trace as JSON, with the events of its replay.
function M.trace(text, opts)
  opts = options.argument(NAME, 2, opts, M.TRACE)
  return write.document(M.documents(NAME, input.trace(NAME, text, opts), opts))
end

return M
