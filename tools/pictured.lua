--- The pictures of docs/explorer.md: which steps of which figures they show.
local logged = require "spec.support.logged"
local node = require "spec.support.node"

local M = {}

--- By picture: the golden program, and the steps.
M.ALL = {
  { name = "figure2", steps = { 10, 23, 32, 38, 42, 45 } },
  { name = "figure3", steps = { 8, 21, 24, 26, 27, 32 } },
  { name = "figure5", steps = { 10, 19, 23, 28, 33, 37 } },
  { name = "figure6", steps = { 14, 32, 44, 55, 60, 68 } },
}
for _, it in ipairs(M.ALL) do it.path = ("docs/pictures/%s.svg"):format(it.name) end

--- A picture as SVG.
---@param it {name: string, steps: integer[]}
---@return string
function M.draw(it)
  local fn, log = logged(it.name)
  local document = require("phial").emit.json(fn, { log = log })
  local text, good = node.run("tools/pictures.js",
    ('{"document":%s,"steps":[%s]}'):format(document, table.concat(it.steps, ",")))
  return good and text or error(text, 0)
end

return M
