--- The viewer of phial.emit.html as a Lua module: its script, style and page as strings,
--- and the hashes by which a page permits the first two.
local file = require "tools.file"
local sha256 = require "tools.sha256"

local M = {}

local FOLDER <const> = "lua/phial/emit/html/viewer/"

-- The parts of the script; each uses only those before it.
local SCRIPTS <const> = {
  "layers", "columns", "routes", "layout", "replay", "model", "text", "fold", "dom", "shapes",
  "boxes", "graph", "source", "details", "timeline", "search", "main",
}

--- The file that is made.
M.PATH = "lua/phial/emit/html/viewer.lua"

local function read(name) return file.read(FOLDER .. name) end

--- The whole script.
---@return string
function M.script()
  local parts = {}
  for i, name in ipairs(SCRIPTS) do parts[i] = read(name .. ".js") end
  return '"use strict";\n(() => {\n' .. table.concat(parts, "\n") .. "})();\n"
end

--- The module.
---@return string
function M.module()
  local script, style = M.script(), read "viewer.css"
  local long = "[==[\n%s]==]"
  return ([[
--- The viewer of phial.emit.html: the files in viewer/ as strings, by `make generate`.
local M = {}

--- What a page's policy permits.
M.script_hash = %q
M.style_hash = %q

M.page = %s

M.style = %s

M.script = %s

return M
]]):format(sha256(script), sha256(style), long:format(read "page.html"), long:format(style),
    long:format(script))
end

return M
