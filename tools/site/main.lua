-- Writes the sources of the site: documents of the tree, the reference, the gallery, texts of
-- files that are linked to, and the configuration of mkdocs.
--
-- usage: lua5.4 tools/site/main.lua BUILD
--
-- They are in BUILD/site.src.
package.path = "./?.lua;" .. package.path
local file = require "tools.file"
local gallery = require "tools.site.gallery"
local markdown = require "tools.site.markdown"
local nav = require "tools.site.nav"
local reference = require "tools.site.reference"
local source = require "tools.site.source"
local tree = require "tools.site.tree"

local folder <const> = arg[1] .. "/site.src"
local pages <const> = folder .. "/pages"
local ASSETS <const> = { "site.css", "source.css", "flask.svg", "preview.png", "offline.js" }

local function lines_of(command)
  local list, pipe <close> = {}, assert(io.popen(command))
  for line in pipe:lines() do list[#list + 1] = line end
  return list
end

-- {== Navigation =======================================================

-- The heading of a document, to its colon.
local function title_of(path)
  local first = markdown.headings(file.read(path))[1]
  return (assert(first, path .. " has no heading").text:gsub("`", ""):gsub(": .*", ""))
end

local function quoted(text) return '"' .. text:gsub('[\\"]', "\\%0") .. '"' end

-- Adds lines of YAML. The index of a section has no title: it is the section's own page.
local function write_nav(list, indent, out, places)
  for _, it in ipairs(list) do
    local title = type(it) == "table" and it[1] or title_of(it)
    local what = type(it) == "table" and it[2] or it
    if type(what) == "table" then
      out[#out + 1] = ("%s- %s:"):format(indent, quoted(title))
      write_nav(what, indent .. "  ", out, places)
    else
      local place = places[what] or tree.page(what)
      local is_index = indent ~= "  " and place:find "/index%.md$"
      out[#out + 1] = indent .. "- " .. (is_index and "" or quoted(title) .. ": ") .. place
    end
  end
end

-- The documents of docs/ that the navigation does not name.
local function unnamed(list, documents)
  local named, found = {}, {}
  local function visit(it)
    if type(it) == "string" then named[it] = true end
    for _, part in ipairs(type(it) == "table" and it or {}) do visit(part) end
  end
  visit(list)
  for _, path in ipairs(documents) do
    if path:find "^docs/" and not named[path] then found[#found + 1] = path end
  end
  return found
end

-- The navigation with the pages of the reference and the documents that it does not name.
local function completed(documents, manual)
  local list, rest = {}, unnamed(nav, documents)
  for i, it in ipairs(nav) do
    list[i] = it
    if it[2] == "reference" then
      list[i] = { it[1], {} }
      for k, page in ipairs(manual) do list[i][2][k] = { page.nav or page.title, page.place } end
    elseif it[1] == "Guides" and #rest > 0 then
      list[i] = { it[1], { table.unpack(it[2]) } }
      table.insert(list[i][2], { "More", rest })
    end
  end
  return list
end

local function navigation(documents, manual)
  local out, places = {}, {}
  for _, page in ipairs(manual) do places[page.place] = page.place end
  write_nav(completed(documents, manual), "  ", out, places)
  return "nav:\n" .. table.concat(out, "\n") .. "\n"
end

-- }== Pages ============================================================

-- The map of ARCHITECTURE.md is drawn here: what draws it in a page would be loaded from afar.
local function draw_maps(path, text)
  local n = 0
  return (text:gsub("```mermaid\n(.-)```", function(graph)
    n = n + 1
    local names, lines = {}, { 'digraph { node [shape=box, fontname="sans-serif"]' }
    for id, name in graph:gmatch '([%w_]+)[%[{]+"([^"]+)"' do
      names[#names + 1] = ("%s [label=%q]"):format(id, name)
    end
    for line in graph:gmatch "[^\n]+" do
      local from, to = line:match "^%s*([%w_]+) %-%-> ([%w_ &]+)"
      for id in (to or ""):gmatch "[%w_]+" do lines[#lines + 1] = ("%s -> %s"):format(from, id) end
    end
    local svg = gallery.drawn(("%s\n%s\n}"):format(table.concat(lines, "\n"),
      table.concat(names, "\n")))
    if not svg then return "" end
    local place = ("docs/pictures/map%d.svg"):format(n)
    tree.write(pages .. "/" .. tree.place(place), svg)
    return ("![The map](%s){ .drawing }"):format(tree.relative(path, place))
  end))
end

-- The front page has no navigation next to it; a picture on a line of its own links to its file.
local function finished(page, text)
  text = ("\n" .. text):gsub("\n(!%[[^%]]*%](%([^()]*%.svg%)))", "\n[%1]%2"):sub(2)
  return page == "index.md" and "---\nhide: [navigation]\n---\n" .. text or text
end

-- Documents that others link to are pages, too. Adds the other files that are linked to.
local function write_documents(documents, linked)
  local shown, known = gallery.new(pages, arg[1]), {}
  for _, path in ipairs(documents) do known[path] = true end
  local function seen(path)
    local document = tree.document(path)
    if document and not known[document] then
      documents[#documents + 1] = document
      known[document] = true
    end
    if tree.place(path) == tree.source(path) then linked[path] = true end
  end
  local i = 1
  while documents[i] do
    local path = documents[i]
    local text = tree.relinked(path, draw_maps(path, file.read(path)), seen)
    local page = tree.page(path)
    text = shown:shown(page, markdown.adapted(text))
    tree.write(pages .. "/" .. page, finished(page, text))
    i = i + 1
  end
  return known
end

local function write_reference()
  local manual = reference.pages(file.read "types/phial.lua")
  for _, page in ipairs(manual) do
    page.place = "reference/" .. page.file .. ".md"
    tree.write(pages .. "/" .. page.place, page.text)
  end
  return manual
end

-- }=====================================================================

local documents = lines_of [[ls *.md; find docs examples lint -name '*.md']]
local linked = { ["types/phial.lua"] = true, ["src/phial"] = true }
local manual = write_reference()
source.write(linked, write_documents(documents, linked), pages)
for _, path in ipairs(lines_of "find docs -type f ! -name '*.md'") do
  tree.write(pages .. "/" .. path:gsub("^docs/", ""), file.read(path))
end
for _, name in ipairs(ASSETS) do
  tree.write(pages .. "/assets/" .. name, file.read("tools/site/assets/" .. name))
end
tree.write(folder .. "/theme/main.html", file.read "tools/site/theme/main.html")
-- links to the playground, if that has been built
local tries, built = "", io.open(arg[1] .. "/playground/index.html", "rb")
if built then
  built:close()
  tree.write(pages .. "/assets/address.js", file.read "playground/page/address.js")
  tree.write(pages .. "/assets/try.js", file.read "tools/site/assets/try.js")
  tries = "extra_javascript: [assets/address.js, assets/try.js]\n"
end
tree.write(folder .. "/mkdocs.yml",
  file.read "tools/site/mkdocs.yml" .. tries .. navigation(documents, manual))
