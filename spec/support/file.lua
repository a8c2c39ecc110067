-- Files as texts.
local M = {}

---@param path string
---@return string
function M.read(path)
  local f <close> = assert(io.open(path, "rb"))
  return f:read "a"
end

---@param path string
---@param text string
function M.write(path, text)
  local f <close> = assert(io.open(path, "wb"))
  assert(f:write(text))
end

return M
