--- phial.construct: the functions of a trace, by a given algorithm.
local algorithms = require "phial.trace.algorithms"
local errors = require "phial.errors"
local options = require "phial.options"
local replay = require "phial.trace.replay"

local M = {}

local KNOWN <const> = { dialects = "table", host = true, file = "string", verify = "boolean" }

-- The text of a trace, or of the record of a function.
local function text_of(it)
  local mt = type(it) == "table" and getmetatable(it)
  if type(mt) == "table" and mt.__name == "phial.Record" then return it:text() end
  if type(it) ~= "string" then errors.arg("phial.construct", 1, "trace or phial.Record", it) end
  return it
end

-- The name of the first function that is not finished, or nil.
local function unfinished(fns)
  for _, fn in ipairs(fns) do
    if not fn:is_finished() then return fn:name() end
  end
end

--- Makes the functions of a trace by an algorithm.
---@param trace string|phial.Record
---@param algorithm string
---@param opts? table those of phial.replay, except `construction`
---@return phial.Function? fn one for each; nil if the trace is wrong
---@return string? message "line: what is wrong"
function M.construct(trace, algorithm, opts, ...)
  errors.count("phial.construct", 2, 3, 3, ...)
  local text = text_of(trace)
  if not algorithms.is_known[algorithm] then
    errors.arg("phial.construct", 2, algorithms.expected, algorithm)
  end
  opts = options.argument("phial.construct", 3, opts, KNOWN)
  opts.construction = algorithm
  local fns = { replay.replay(text, opts) }
  if fns[2] and not fns[1] then return nil, fns[2] end
  local name = unfinished(fns)
  if not name then return table.unpack(fns) end
  for _, fn in ipairs(fns) do fn:close() end
  return nil, ("%s'%s' is not finished: a line E is missing"):format(
    opts.file and opts.file .. ": " or "", name)
end

return M
