-- Runs a procedure of a program, by phial.
local mangle = require "tinylang.mangle"

local M = {}

-- The message of an error that stopped the run, with the line of the source.
local function problem_of(program, why)
  local path, line, col, what = why:match "%(([^()]-):?(%d+):(%d+)%): ([^\n]*)$"
  local source = line and (program.sources[path] or program.sources[1])
  if not source then return why end
  return source:problem(tonumber(line), tonumber(col), what)
end

--- Initialises the modules in memory of their own, then calls a procedure. Returns true
--- and the result, or false and the message of the error that stopped the run.
---@param program tinylang.Program
---@param symbol tinylang.Symbol a module: it is only initialised
---@param arguments (integer|boolean)[]
---@param opts { fuel: integer? }?
---@return boolean
---@return any
function M.run(program, symbol, arguments, opts)
  local instance = program.module:instance()
  local ok, result = pcall(function()
    for _, name in ipairs(program.initialisers) do instance:call(name, opts) end
    if symbol.kind == "module" then return nil end
    local all = table.move(arguments, 1, #arguments, 1, {})
    all[#all + 1] = opts
    return instance:call(mangle.name(symbol), table.unpack(all))
  end)
  if ok then return true, result end
  return false, problem_of(program, result)
end

return M
