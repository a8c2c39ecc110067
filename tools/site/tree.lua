--- Where the files of this tree are on the site.
local file = require "tools.file"
local lfs = require "lfs"
local markdown = require "tools.site.markdown"

local M = {}

--- The file of the reference's first page.
M.REFERENCE = "reference/index.md"

-- Files that have a page which says more than they do.
local INSTEAD <const> = { ["types/phial.lua"] = M.REFERENCE, types = M.REFERENCE }

local TOP <const> = { ["README.md"] = "overview.md", [""] = "index.md" }

--- Writes a file, whose folder is made if necessary.
---@param path string
---@param text string
function M.write(path, text)
  for at in path:gmatch "()/" do
    if at > 1 then lfs.mkdir(path:sub(1, at - 1)) end
  end
  file.write(path, text)
end

--- A path without "." and "..".
---@param path string
---@return string
function M.plain(path)
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." and #parts > 0 then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

--- The path that leads from a file to another one.
---@param from string
---@param to string
---@return string
function M.relative(from, to)
  local a, b = from:gsub("[^/]*$", ""), to
  while a ~= "" and a:match "^[^/]+/" == b:match "^[^/]+/" do
    a, b = a:gsub("^[^/]+/", "", 1), b:gsub("^[^/]+/", "", 1)
  end
  return a:gsub("[^/]+/", "../") .. b
end

local function is_folder(path) return lfs.attributes(path, "mode") == "directory" end

--- The page of a document.
---@param path string in the tree
---@return string page on the site
function M.page(path)
  local page = path:gsub("^docs/", "")
  return TOP[path] or page:gsub("/README%.md$", ".md"):lower()
end

--- The page with the text of a file, or the list of a folder.
---@param path string
---@return string
function M.source(path)
  return "source/" .. path .. (is_folder(path) and "/index.html" or ".html")
end

--- The document that a file or folder is read as, or nil.
---@param path string
---@return string?
function M.document(path)
  if path:find "%.md$" then return path end
  local readme = path .. "/README.md"
  return lfs.attributes(readme) and readme or nil
end

--- Where a file or folder of the tree is on the site.
---@param path string
---@return string
function M.place(path)
  local document = M.document(path)
  if document then return M.page(document) end
  if path:find "^docs/" and not is_folder(path) then return (path:gsub("^docs/", "")) end
  return INSTEAD[path] or M.source(path)
end

--- The text of a document for the site: its links lead to pages, or to texts of files.
---@param path string
---@param text string
---@param seen fun(path: string) is called with each file or folder that is linked to
---@return string
function M.relinked(path, text, seen)
  local page, folder = M.page(path), path:match "^(.*/)" or ""
  return markdown.relink(text, function(link)
    local target, anchor = link:match "^([^#]*)(.*)$"
    if target == "" or target:find "^%a+:" then return link end
    local wanted = M.plain(folder .. target)
    seen(wanted)
    return M.relative(page, M.place(wanted)) .. anchor
  end)
end

return M
