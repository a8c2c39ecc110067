--- The text form, as an emitter among the others.
local M = {}

--- The text of a function, which `phial.parse` reads.
---@param fn phial.Function
---@param opts? {ids: "own"|"dense"} as `fn:text`
---@return string
function M.func(fn, opts)
  return fn:text(opts)
end

return M
