-- A piece of Lua run in a process of its own: for what may crash it, never end,
-- or change it for good (its locale).
local quoted = require("bench.lib.corpus").quoted
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter

-- What takes so long never ends, however busy the machine is.
local SECONDS <const> = 300

--- Its output, its error output, and its exit status: 139 after a segmentation
--- fault, 134 after an assertion that failed, 124 when it had to be stopped.
---@param source string
---@param settings string? shell commands and assignments that come before
---@param ... string the arguments of the piece
---@return string, string, integer
return function(source, settings, ...)
  local script, errors = os.tmpname(), os.tmpname()
  file.write(script, source)
  local words = { quoted(interpreter()), quoted(script) }
  for _, word in ipairs { ... } do words[#words + 1] = quoted(word) end
  local pipe = assert(io.popen(("{ %s LUA_PATH=%s LUA_CPATH=%s timeout %d %s; } 2>%s"):format(
    settings or "", quoted(package.path), quoted(package.cpath), SECONDS,
    table.concat(words, " "), quoted(errors))))
  local out = pipe:read "a"
  local _, how, status = pipe:close()
  local err = file.read(errors)
  os.remove(script)
  os.remove(errors)
  return out, err, how == "signal" and 128 + status or status
end
