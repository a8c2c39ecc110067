--- phial.emit.text: the text form, as `phial.parse` reads it.

--- The text of a function or module.
---@param it phial.Function|phial.Module
---@param opts? phial.TextOptions of each function
---@return string
local function text(it, opts) return it:text(opts) end

return { func = text, module = text }
