--- Where phial is: the module that this tree builds, unless LUA_CPATH leads to
--- another build of it.
local M = {}

package.path = "./?.lua;lua/?.lua;lua/?/init.lua;" .. package.path
if os.getenv "LUA_CPATH" then
  package.cpath = package.cpath .. ";build/?.so"
else
  package.cpath = "build/?.so;" .. package.cpath
end

---@param path string
---@return boolean
function M.exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

local core = package.searchpath("phial.core", package.cpath)

--- Is there a module at all?
M.has_module = core ~= nil

--- The folder of that build.
M.build = core and core:match "^(.*)/phial/core%.so$" or "build"
if not M.exists(M.build .. "/libphial.a") then M.build = "build" end

return M
