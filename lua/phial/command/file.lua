--- Files as texts.
local M = {}

--- The text of a file; "-" is the standard input.
---@param path string
---@return string? text
---@return string? why nil: it cannot be read
function M.read(path)
  if path == "-" then
    local text, problem = io.read "a"
    return text, not text and "stdin: " .. problem or nil
  end
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, problem = file:read "a"
  file:close()
  if text then return text end
  return nil, path .. ": " .. problem
end

--- Why a file cannot be written, or nil. A file that does not exist is not left behind.
---@param path string
---@return string?
function M.refusal(path)
  local there = io.open(path, "rb")
  if there then there:close() end
  local file, why = io.open(path, "ab")
  if not file then return why end
  file:close()
  if not there then os.remove(path) end
end

--- Writes a file. If it cannot be completed, it is removed, unless it is a device.
---@param path string
---@param text string
---@return true? done
---@return string? why
function M.write(path, text)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local written, problem = file:write(text)
  local closed, other = file:close()
  if written and closed then return true end
  if not path:find "^/dev/" then os.remove(path) end
  return nil, path .. ": " .. (problem or other)
end

return M
