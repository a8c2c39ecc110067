--- Files of the tree as pages: their texts with line numbers, folders as lists.
local file = require "tools.file"
local lfs = require "lfs"
local tree = require "tools.site.tree"

local M = {}

-- Longer files are data.
local LONGEST <const> = 200000

local PAGE <const> = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>%s · phial</title>
<link rel="stylesheet" href="%s">
</head>
<body>
<header><a href="%s">phial</a> <h1>%s</h1></header>
<main>
%s
</main>
</body>
</html>
]]

local ESCAPES <const> = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

---@param text string
---@return string
local function escaped(text) return (text:gsub('[&<>"]', ESCAPES)) end

-- How comments begin, up to the end of the line, in files of each kind; in those of C they can
-- also be between /* and */.
local COMMENT <const> = {
  lua = "%-%-", phial = "%-%-", c = "//", h = "//", js = "//", mjs = "//", def = "//", css = "//",
  sh = "#", rules = "#",
}

local function marked(text, from)
  return ("%s<i>%s</i>"):format(escaped(text:sub(1, from - 1)), escaped(text:sub(from)))
end

-- A line as HTML, its comment marked, and whether it ends in one. This is a guess: a quote
-- before what looks like a comment means that it may be in a string.
local function line_of(text, comment, inside)
  local from = inside and 1 or comment == "//" and text:find "%f[^%s\0]/%*"
  if from then return marked(text, from), not text:find("*/", inside and 1 or from + 2, true) end
  from = comment and text:find("%f[^%s\0]" .. comment)
  if not from or text:sub(1, from):find "[\"']" then return escaped(text), false end
  return marked(text, from), false
end

-- The name of a file or folder, a link if it is on the site.
local function named(name, path, from, has)
  local document = tree.document(path)
  if not has[document or path] then return escaped(name) end
  local place = document and tree.page(document):gsub("%.md$", ".html") or tree.source(path)
  return ('<a href="%s">%s</a>'):format(tree.relative(from, place), escaped(name))
end

-- The folders around a file, and its name.
local function crumbs(path, from, has)
  local parts, at = {}, ""
  for part in path:gmatch "[^/]+" do
    at = at .. (at == "" and "" or "/") .. part
    parts[#parts + 1] = at == path and escaped(part) or named(part, at, from, has)
  end
  return table.concat(parts, " / ")
end

local function page(path, body, has)
  local place = tree.source(path)
  local top = crumbs(path, place, has)
  return PAGE:format(escaped(path), tree.relative(place, "assets/source.css"),
    tree.relative(place, "index.html"), top, body)
end

local function text_of(path)
  local comment, lines, inside = COMMENT[path:match "%.(%w+)$"], {}, false
  for line in (file.read(path):gsub("[^\n]$", "%0\n")):gmatch "([^\n]*)\n" do
    local shown
    shown, inside = line_of(line, comment, inside)
    lines[#lines + 1] = ('<span id="L%d">%s\n</span>'):format(#lines + 1, shown)
  end
  return "<pre><code>" .. table.concat(lines) .. "</code></pre>"
end

local function names(folder)
  local list = {}
  for name in lfs.dir(folder) do
    if not name:find "^%." then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

local function is_text(path)
  local size = lfs.attributes(path, "size")
  return size <= LONGEST and not file.read(path):find "\0"
end

local function listing(path, has)
  local lines, place = {}, tree.source(path)
  for i, name in ipairs(names(path)) do
    local at = path .. "/" .. name
    local is_folder = lfs.attributes(at, "mode") == "directory"
    lines[i] = "<li>" .. named(name .. (is_folder and "/" or ""), at, place, has)
  end
  return "<ul>\n" .. table.concat(lines, "\n") .. "\n</ul>"
end

-- Adds a file, or a folder and all that is in it, to what is written.
local function add(path, all)
  if all[path] or path:find "%.md$" then return end
  local mode = assert(lfs.attributes(path, "mode"), path .. " is linked to, and does not exist")
  if mode == "directory" then
    all[path] = "folder"
    for _, name in ipairs(names(path)) do add(path .. "/" .. name, all) end
  elseif is_text(path) then
    all[path] = "file"
  end
end

--- Writes pages of files and folders, and of what is in folders.
---@param paths table<string, boolean> their paths are the keys
---@param documents table<string, boolean> those that are pages
---@param into string the folder of the site's pages
function M.write(paths, documents, into)
  local all = {}
  for path in pairs(paths) do add(path, all) end
  local has = setmetatable({}, {
    __index = function(_, path) return all[path] or documents[path] end,
  })
  for path, kind in pairs(all) do
    local body = kind == "folder" and listing(path, has) or text_of(path)
    tree.write(into .. "/" .. tree.source(path), page(path, body, has))
  end
end

return M
