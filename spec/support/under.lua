-- What the specs run under, where all is slow: it decides how large and how many their
-- cases are.
local quoted = require("bench.lib.corpus").quoted

local M = {}

local core = package.searchpath("phial.core", package.cpath)

--- A sanitizer or valgrind: PRELOAD is what Lua runs under, in words of the shell.
M.preload = os.getenv "PRELOAD" or ""
M.slow = M.preload ~= ""

--- A plain `make test`, in which there are few cases of what takes long: `make check` tries
--- all of them, by LONG, and what it runs under something as many as are tried there.
M.brief = not M.slow and not os.getenv "LONG"

--- The hard build, in which every array moves at each push: what is large takes
--- quadratic time.
M.hard = core ~= nil and core:find("/hard/", 1, true) ~= nil

--- Valgrind, for which everything takes some 30 times as long. Reads of memory that
--- nothing has written show in small and few cases, too.
M.valgrind = M.preload:find("valgrind", 1, true) ~= nil

--- True if Lua keeps a signalling nan: where C returns doubles in x87 registers, it
--- becomes a quiet one.
M.signalling = string.pack("<d", string.unpack("<d", "\1\0\0\0\0\0\xf0\x7f")) ==
  "\1\0\0\0\0\0\xf0\x7f"

--- The command that runs a program of this build, under what Lua runs under, in which it is
--- slow and needs more stack.
---@param path string in the build folder
---@return string
function M.built(path)
  local tree = require "bench.lib.tree"
  path = tree.build .. "/" .. path
  assert(tree.exists(path), path .. " is not built: make")
  return M.preload .. " " .. quoted(path) .. " "
end

return M
