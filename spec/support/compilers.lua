-- The C compilers of this machine that specs use.
local file = require "spec.support.file"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

local M = {}

M.NAMES = { "gcc", "clang", "tcc" }

-- Undefined behaviour ends the process. This compiles much more slowly; once is enough.
local SANITIZED = os.getenv "LONG" and not under.slow
  and " -fsanitize=undefined -fsanitize-undefined-trap-on-error" or ""

--- Flags that make warnings errors. (tcc has few.)
M.STRICT = {
  gcc = "-O1 -Wall -Wextra -Werror" .. SANITIZED,
  clang = "-O1 -Wall -Wextra -Werror" .. SANITIZED,
  tcc = "-Wall -Werror",
}

--- True if a compiler is installed.
---@param name string
---@return boolean
function M.has(name)
  return os.execute(("%s -E - </dev/null >/dev/null 2>&1"):format(name)) == true
end

--- A compiler for the option `cc`. Under a sanitizer it is not to be checked itself.
---@param name string
---@return string[]
function M.command(name) return { "env", "-u", "LD_PRELOAD", name } end

--- Options of `compile`: this compiler, warnings as errors.
---@param name string
---@param more? string further flags
---@return table
function M.options(name, more)
  return { cc = M.command(name), flags = M.STRICT[name] .. " " .. (more or "") }
end

--- What a compiler says of a source: nothing, if there is nothing to warn of.
---@param name string
---@param source string
---@param more? string further flags
---@return string
function M.said(name, source, more)
  local path = os.tmpname()
  file.write(path .. ".c", source)
  local text = shell.run(("env -u LD_PRELOAD %s -std=c11 %s %s -c -o %s %s.c"):format(name,
    M.STRICT[name], more or "", path, path))
  os.remove(path)
  os.remove(path .. ".c")
  return text
end

--- Calls f(name) for each compiler that is installed, and missing(text) for others. Where Lua
--- is slow, and by `make test`, for one: what it emits is the same for all.
---@param missing fun(text: string) busted's `pending`
---@param f fun(name: string)
function M.each(missing, f)
  for _, name in ipairs(M.NAMES) do
    if not M.has(name) then
      missing(name .. " (not installed)")
    else
      f(name)
      if under.slow or under.brief then return end
    end
  end
end

return M
