-- Scripts as commands, run by the interpreter of the specs.
local quoted = require("bench.lib.corpus").quoted
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter

--- Returns a function that runs a script with arguments as in a shell, and returns
--- its output, its error output and its exit status.
---@param script string
---@param folder string? to run it in
---@param env string? settings of the environment, as the shell has them
---@return fun(arguments: string): string, string, integer
return function(script, folder, env)
  local paths = ("LUA_PATH=%s LUA_CPATH=%s %s"):format(quoted(package.path), quoted(package.cpath),
    env or "")
  local command = ("cd %s && %s %s %s"):format(
    quoted(folder or "."), paths, quoted(interpreter()), quoted(script))
  return function(arguments)
    local errors = os.tmpname()
    local pipe = assert(io.popen(("%s %s 2>%s"):format(command, arguments, errors)))
    local out = pipe:read "a"
    local _, _, status = pipe:close()
    local err = file.read(errors)
    os.remove(errors)
    return out, err, status
  end
end
