-- Browsers, which scripts drive by playwright-core.
local node = require "spec.support.node"

local M = {}

local function output(command)
  local pipe <close> = assert(io.popen(command .. " 2>/dev/null"))
  return pipe:read "a":match "^[^\n]+"
end

--- The path of a browser; or nil and what is missing.
---@return string?
---@return string? missing
function M.find()
  if not node.exists() then return nil, "node" end
  if not io.open "build/node_modules/playwright-core/package.json" then
    return nil, "playwright-core (npm install --prefix build playwright-core)"
  end
  for _, name in ipairs { "chromium", "chromium-browser", "google-chrome" } do
    local path = output("command -v " .. name)
    if path then return path end
  end
  return nil, "chromium"
end

return M
