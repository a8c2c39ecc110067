--- phial.emit.text: the text form.
local M = {}

--- The text of a function, as `phial.parse` reads it.
---@param fn phial.Function
---@param opts? phial.TextOptions
---@return string
function M.func(fn, opts)
  return fn:text(opts)
end

--- The text of a module, as `phial.parse` reads it.
---@param m phial.Module
---@param opts? phial.TextOptions of each function
---@return string
function M.module(m, opts)
  return m:text(opts)
end

return M
