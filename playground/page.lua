-- The playground's page: one file, which needs no other.
local examples = require "playground.examples"
local file = require "tools.file"
local sha256 = require "tools.sha256"

local M = {}

local FOLDER <const> = "playground/page/"
local VIEWER <const> = "lua/phial/emit/html/viewer/viewer.css"

-- The parts of the script; each uses only those before it.
local SCRIPTS <const> = { "dom", "colours", "editor", "panes", "machine", "address", "main" }

-- The explorer's pages are in a frame that inherits this policy: it permits their script and
-- style, too. The worker's script is made of text of the page.
local PAGE <const> = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="]] .. [[
default-src 'none'; script-src 'wasm-unsafe-eval' 'sha256-%s' 'sha256-%s'; ]] .. [[
style-src 'sha256-%s' 'sha256-%s'; worker-src blob:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>phial playground</title>
<style>%s</style>
</head>
<body>
%s<script type="application/json" id="examples">%s</script>
<script type="text/plain" id="program-js">%s</script>
<script type="text/plain" id="program-wasm">%s</script>
<script>%s</script>
</body>
</html>
]]

local function script()
  local parts = {}
  for i, name in ipairs(SCRIPTS) do parts[i] = file.read(FOLDER .. name .. ".js") end
  return '"use strict";\n(() => {\n' .. table.concat(parts, "\n") .. "})();\n"
end

-- The explorer's colours, light and dark, precede the rest.
local function style()
  return assert(file.read(VIEWER):match "(:root.-\n)%* {") .. file.read(FOLDER .. "page.css")
end

-- {== Data =============================================================

local ESCAPES <const> = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t" }

local function json(text)
  return '"' .. text:gsub('[%c"\\<]', function(c)
    return ESCAPES[c] or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

local FIELDS <const> = { "id", "group", "title", "language", "name", "text", "words" }

local function example_list()
  local list = {}
  for i, it in ipairs(examples.all()) do
    local fields = {}
    for f, name in ipairs(FIELDS) do fields[f] = json(name) .. ":" .. json(it[name]) end
    list[i] = "{" .. table.concat(fields, ",") .. "}"
  end
  return "[" .. table.concat(list, ",\n") .. "]"
end

local DIGITS <const> = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local digit = {}
for i = 0, 63 do digit[i] = DIGITS:sub(i + 1, i + 1) end

local function base64(bytes)
  local out = {}
  for i = 1, #bytes, 3 do
    local a, b, c = bytes:byte(i, i + 2)
    local n = a << 16 | (b or 0) << 8 | (c or 0)
    out[#out + 1] = digit[n >> 18] .. digit[n >> 12 & 63] .. (b and digit[n >> 6 & 63] or "=")
      .. (c and digit[n & 63] or "=")
  end
  return table.concat(out)
end

-- }=====================================================================

--- The page.
---@param program string what emscripten has made: its JavaScript
---@param packed string and its WebAssembly, packed by gzip
---@return string
function M.make(program, packed)
  local viewer = require "phial.emit.html.viewer"
  local worker = program .. "\n" .. file.read(FOLDER .. "worker.js")
  assert(not worker:lower():find("</script", 1, true) and not worker:find("<!--", 1, true))
  local code, looks = script(), style()
  return PAGE:format(sha256(code), viewer.script_hash, sha256(looks), viewer.style_hash, looks,
    file.read(FOLDER .. "page.html"), example_list(), worker, base64(packed), code)
end

return M
