-- Checks the pages of a site: each link leads to a file and, where it names a place, to an
-- element with that id; nothing is loaded from elsewhere.
--
-- usage: lua5.4 tools/site/check.lua FOLDER
package.path = "./?.lua;" .. package.path
local file = require "tools.file"
local lfs = require "lfs"
local tree = require "tools.site.tree"

local folder <const> = arg[1]

-- {== Pages ============================================================

-- Pages of the explorer say by their Content-Security-Policy that they load nothing, and make
-- their elements when they are opened.
local EXPLORER <const> = "gallery/"

local function pages()
  local list, pipe = {}, assert(io.popen(("cd '%s' && find . -name '*.html'"):format(folder)))
  for line in pipe:lines() do
    local path = line:gsub("^%./", "")
    if path:sub(1, #EXPLORER) ~= EXPLORER then list[#list + 1] = path end
  end
  assert(pipe:close())
  table.sort(list)
  return list
end

local function decoded(text)
  text = text:gsub("&amp;", "&"):gsub("&#(%d+);", function(n) return utf8.char(tonumber(n)) end)
  return (text:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

local ids = {} -- by page: a set

local function has_id(page, id)
  if page:sub(1, #EXPLORER) == EXPLORER then return true end
  local set = ids[page]
  if not set then
    set = {}
    for _, found in file.read(folder .. "/" .. page):gmatch "%sid=([\"'])(.-)%1" do
      set[decoded(found)] = true
    end
    ids[page] = set
  end
  return set[id]
end

-- }== Links ============================================================

local problems, seen, count = {}, {}, 0

local function complain(page, address, what)
  problems[#problems + 1] = ("%s: %s %s"):format(page, address, what)
end

local function check(page, tag, address)
  if address:find "^%a[%w+.-]*:" or address:find "^//" then
    local is_link = tag == "a" or address:find "^data:" or address:find "^mailto:"
    if not is_link then complain(page, address, "is elsewhere") end
    return
  end
  local path, id = decoded(address):match "^([^#?]*)[^#]*#?(.*)$"
  local target = path == "" and page or tree.plain(page:gsub("[^/]*$", "") .. path)
  if target == "" then target = "index.html" end
  count = count + 1
  local place = target .. "#" .. id
  if seen[place] == nil then
    seen[place] = lfs.attributes(folder .. "/" .. target, "mode") == "file"
      and (id == "" or has_id(target, id)) or false
  end
  if not seen[place] then complain(page, address, "leads nowhere") end
end

-- }=====================================================================

for _, page in ipairs(pages()) do
  local text = file.read(folder .. "/" .. page)
  for tag, rest in text:gmatch "<(%a+)%s([^<>]*)>" do
    for name, _, address in rest:gmatch "%f[%w](%a+)=([\"'])(.-)%2" do
      if name == "href" or name == "src" then check(page, tag:lower(), address) end
    end
  end
  for address in text:gmatch "url%([\"']?(https?:[^)\"']*)" do
    complain(page, address, "is elsewhere")
  end
end
for _, problem in ipairs(problems) do io.stderr:write(problem, "\n") end
print(("%d links, %d of them wrong"):format(count, #problems))
os.exit(#problems == 0)
