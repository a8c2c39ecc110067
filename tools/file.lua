--- Files as texts.
local M = {}

---@param path string
---@return string
function M.read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

---@param path string
---@param text string
function M.write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

return M
