-- A locale with a decimal comma: German, which need not be installed. In UTF-8 it
-- has a comma and an order of its own; in ISO-8859-1 bytes above 127 are letters
-- and control characters, too.
local quoted = require("bench.lib.corpus").quoted
local interpreter = require("bench.lib.system").interpreter

local ORDER = string.pack("=I2", 1) == "\1\0" and "little" or "big"
local FOLDER = "build/locales/" .. ORDER

local function exists(name, setting)
  local test = ("os.exit(os.setlocale %q ~= nil)"):format(name)
  return os.execute(("%s %s -e %s"):format(setting, quoted(interpreter()), quoted(test)))
end

--- Makes the locale, if the system does not have it.
---@param charset "UTF-8"|"ISO-8859-1"
---@return string name
---@return string setting of the environment of programs that use it
return function(charset)
  local name = "de_DE." .. charset
  if exists(name, "") then return name, "" end
  local setting = "LOCPATH=" .. FOLDER
  if not exists(name, setting) then
    os.execute(("mkdir -p %s && localedef --%s-endian -i de_DE -f %s %s/%s"):format(FOLDER, ORDER,
      charset, FOLDER, name))
  end
  if exists(name, setting) then return name, setting end
  error(("locale %s can be neither used nor made: install localedef and its data "
    .. "(Debian: locales), as 'make test' does"):format(name))
end
