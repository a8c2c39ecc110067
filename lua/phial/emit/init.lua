--- phial.emit: functions as text of other kinds, an emitter a file.
-- phial.emit.dot is the function of phial/emit/dot.lua, which is loaded when it
-- is first asked for.
local M = {}

local function is_function(it)
  local mt = type(it) == "userdata" and getmetatable(it)
  return type(mt) == "table" and mt.__name == "phial.Function"
end

-- The emitter of that name, which checks what it is given.
local function load_emitter(t, name)
  local emit = require("phial.emit." .. name).func
  local function emitter(fn, opts)
    if not is_function(fn) then
      error(("bad argument #1 to 'phial.emit.%s' (phial.Function expected, got %s)")
        :format(name, type(fn)), 2)
    end
    return emit(fn, opts)
  end
  rawset(t, name, emitter)
  return emitter
end

return setmetatable(M, { __index = load_emitter })
