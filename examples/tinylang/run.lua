-- Runs a procedure of a program, by phial.
local mangle = require "tinylang.mangle"

local M = {}

-- The message of an error that stopped the run, with the line of the source.
local function problem_of(program, why)
  local path, line, col, what = why:match "%(([^()]+):(%d+):(%d+)%): ([^\n]*)$"
  local source = program.sources[path]
  return source and source:problem(tonumber(line), tonumber(col), what) or why
end

--- Initialises the modules, in new memory.
---@param program tinylang.Program
---@return phial.Instance
function M.initialised(program)
  local instance = program.module:instance()
  for _, name in ipairs(program.initialisers) do instance:call(name) end
  return instance
end

--- Initialises the modules, then calls a procedure. Returns true and the result, or false
--- and the message of the error that stopped the run.
---@param program tinylang.Program
---@param symbol tinylang.Symbol a module: it is only initialised
---@param arguments (integer|boolean)[]
---@return boolean
---@return any
function M.run(program, symbol, arguments)
  local ok, result = pcall(function()
    local instance = M.initialised(program)
    if symbol.kind == "module" then return nil end
    return instance:call(mangle.name(symbol), table.unpack(arguments))
  end)
  if ok then return true, result end
  return false, problem_of(program, result)
end

return M
