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
--- is slow, and by `make test`, for the quickest: what is emitted is the same for all.
---@param missing fun(text: string) busted's `pending`
---@param f fun(name: string)
---@param optimizes? boolean the claim is about optimizers or warnings: the quickest is gcc
function M.each(missing, f, optimizes)
  local is_one = under.slow or under.brief
  for _, name in ipairs(is_one and not optimizes and { "tcc", "gcc", "clang" } or M.NAMES) do
    if M.has(name) then
      f(name)
      if is_one then return end
    elseif not is_one then
      missing(name .. " (not installed)")
    end
  end
end

return M
