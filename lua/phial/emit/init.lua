--- phial.emit: functions as text of other kinds, an emitter a file.
-- phial.emit.dot is the function of phial/emit/dot.lua; it is loaded when it
-- is first asked for.
local M = {}

return setmetatable(M, {
  __index = function(t, name)
    local emitter = require("phial.emit." .. name).func
    rawset(t, name, emitter)
    return emitter
  end,
})
