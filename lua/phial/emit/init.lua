--- phial.emit: functions as text of other kinds, an emitter a file.
--
-- phial.emit.NAME is made of the module phial.emit.NAME, which is loaded when the
-- field is first read: a table { func = f }, where f(fn, opts) returns the text,
-- and further results if it likes. fn is checked to be a phial.Function; its state
-- and opts are the emitter's to check.
local errors = require "phial.errors"
local portable = require "phial.portable"

-- Those that come with phial, as messages list them.
local BUNDLED = { "c", "dot", "llvm", "lua", "text" }

-- The emitter's function; nil if there is no such module, or it is not an emitter.
local function load_func(name)
  local module = "phial.emit." .. portable.tostring(name)
  local found, emitter = pcall(require, module)
  if found then return type(emitter) == "table" and rawget(emitter, "func") or nil end
  local missing = ("module '%s' not found"):format(module)
  if not tostring(emitter):find(missing, 1, true) then error(emitter, 0) end
end

local function raise_unknown(name)
  local names = {}
  name = portable.tostring(name)
  for _, bundled in ipairs(BUNDLED) do names[bundled] = true end
  errors.raise("unknown emitter '%s'%s; there are: %s", name, errors.near(name, names),
    table.concat(BUNDLED, ", "))
end

-- Makes the field `name`: the emitter's function with a check of its argument.
local function load_emitter(emitters, name)
  local emit = load_func(name) or raise_unknown(name)
  local function emitter(fn, opts)
    if errors.class(fn) ~= "phial.Function" then
      error(("bad argument #1 to 'phial.emit.%s' (phial.Function expected, got %s)")
        :format(name, type(fn)), 2)
    end
    return emit(fn, opts)
  end
  rawset(emitters, name, emitter)
  return emitter
end

return setmetatable({}, { __index = load_emitter })
