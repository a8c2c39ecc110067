--- Finds phial: the module built in this tree, unless LUA_CPATH leads to another
--- build of it.
local M = {}

local lua_path, c_path = "lua/?.lua;lua/?/init.lua", "build/?.so"
if os.getenv "LUA_CPATH" then
  package.path = package.path .. ";" .. lua_path
  package.cpath = package.cpath .. ";" .. c_path
else
  package.path = lua_path .. ";" .. package.path
  package.cpath = c_path .. ";" .. package.cpath
end

---@param path string
---@return boolean
function M.exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

local core = package.searchpath("phial.core", package.cpath)

--- True if a module exists.
M.has_module = core ~= nil

--- The folder of that build.
M.build = core and core:match "^(.*)/phial/core%.so$" or "build"
if not M.exists(M.build .. "/src") then M.build = "build" end

return M
