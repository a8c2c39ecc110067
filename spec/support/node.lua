-- Runs scripts by node, where it is installed.
local file = require "spec.support.file"

local M = {}

-- Without what sanitizers preload.
local function output(command)
  local pipe = assert(io.popen("LD_PRELOAD= " .. command .. " 2>&1"))
  local text = pipe:read "a"
  return text, pipe:close()
end

local found

--- True if there is a node that runs the viewer's script.
---@return boolean
function M.exists()
  if found == nil then
    local version = output "node --version"
    found = (tonumber(version:match "^v(%d+)") or 0) >= 16
  end
  return found
end

--- Runs a script with an input, which it reads from the file whose name is its argument.
---@param script string
---@param input string
---@return string output
---@return boolean good
function M.run(script, input)
  local path = os.tmpname()
  file.write(path, input)
  local text, good = output(("node %s %s"):format(script, path))
  os.remove(path)
  return text, good == true
end

return M
