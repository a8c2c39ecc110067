--- The viewer of phial.emit.html: the files of the folder viewer, as texts.
local hashes = require "phial.emit.html.hashes"

local _, path = ...

-- The parts of the script; each uses only those before it.
local SCRIPTS <const> = {
  "layers", "columns", "routes", "layout", "replay", "model", "paper", "text", "fold", "dom",
  "shapes", "boxes", "minimap", "graph", "beside", "lights", "source", "ask", "timeline",
  "algorithm", "classical", "details", "search", "main",
}

-- Line ends count for the hashes.
local function read(name)
  local file <close> = assert(io.open(path:gsub("%.lua$", "") .. "/" .. name, "rb"))
  return (file:read "a":gsub("\r\n", "\n"))
end

-- Lines of comments, a tenth of the script, stay out of pages.
local function script()
  local parts = {}
  for i, name in ipairs(SCRIPTS) do
    parts[i] = ("\n" .. read(name .. ".js")):gsub("\n *//[^\n]*", "")
  end
  return '"use strict";\n(() => {' .. table.concat(parts, "\n") .. "})();\n"
end

return {
  script = script(), style = read "viewer.css", page = read "page.html",
  script_hash = hashes.script, style_hash = hashes.style,
}
