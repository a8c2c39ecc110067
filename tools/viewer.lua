--- The hashes by which the pages of phial.emit.html permit their script and style, as a Lua
--- module: a page is made without computing them.
local sha256 = require "tools.sha256"

local M = {}

--- The file that is made.
M.PATH = "lua/phial/emit/html/hashes.lua"

--- The module.
---@return string
function M.module()
  local viewer = require "phial.emit.html.viewer"
  return ([[
--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = %q,
  style = %q,
}
]]):format(sha256(viewer.script), sha256(viewer.style))
end

return M
