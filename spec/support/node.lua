-- Runs scripts by node, where it is installed.
local file = require "spec.support.file"
local shell = require "spec.support.shell"

local M = {}

-- Without what sanitizers preload.
local function output(command) return shell.run("LD_PRELOAD= " .. command) end

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
  return text, good
end

return M
