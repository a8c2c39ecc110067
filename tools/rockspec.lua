-- rockspec: writes the lists of files in the rockspecs anew: the C files in the
-- order of src/layers, the Lua modules and the files of the viewer as lua/ has them, or
-- those of lint; and the version and the public place.
--
-- usage: lua5.4 tools/rockspec.lua [--check] ROCKSPEC ...
--
-- --check only compares.
package.path = "./?.lua;" .. package.path
local file = require "tools.file"
local place = require "tools.place"
local rooms = require "tools.rooms"

-- What is around the lists.
local MODULES <const> = { "  modules = {\n", "\n  },\n" }
local VIEWER <const> = { "    lua = {\n", "\n    },\n  },\n  copy_directories" }

local SOURCE <const> = { "source = {\n", "\n}" }
local LICENCE <const> = { "]],\n", "\n  labels" }

-- The Lua modules in a folder; their paths, from another one.
local function module_lines(folder, from)
  local lines = {}
  for _, path in ipairs(rooms.output("find " .. folder .. " -name '*.lua' | LC_ALL=C sort")) do
    path = path:sub(#from + 1)
    local name = path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
    lines[#lines + 1] = ("    [%q] = %q,"):format(name, path)
  end
  table.sort(lines)
  return lines
end

local function listing()
  local lines = module_lines("lua", "")
  lines[#lines + 1] = '    ["phial.core"] = {\n      sources = {'
  for _, path in ipairs(rooms.sources()) do lines[#lines + 1] = ("        %q,"):format(path) end
  lines[#lines + 1] = '      },\n      defines = { "PH_TRUSTED" },'
  lines[#lines + 1] = '      incdirs = { "src" },\n    },'
  return table.concat(lines, "\n")
end

local function viewer_files()
  local lines = {}
  for _, path in ipairs(rooms.output "find lua -type f ! -name '*.lua' | LC_ALL=C sort") do
    local name = path:gsub("^lua/", ""):gsub("%.%w+$", ""):gsub("/", ".")
    lines[#lines + 1] = ("      [%q] = %q,"):format(name, path)
  end
  return table.concat(lines, "\n")
end

-- LuaRocks separates the number of the rockspec by the only hyphen.
local function version() return (place.version():gsub("-", "")) end

local function source()
  local url = place.read().url
  return ("  url = %q,"):format(url and place.tarball(url, place.version())
    or ("file://phial-%s.tar.gz"):format(place.version()))
end

-- The linter is a folder of phial's tarball, and needs this version of phial.
local function lint_source()
  return source() .. ("\n  dir = \"phial-%s/lint\","):format(place.version())
end

-- After the licence, which has nothing to do with the place.
local function maintainer()
  local it = place.read()
  local lines = { '  license = "MIT",' }
  if it.url then lines[#lines + 1] = ("  homepage = %q,"):format(it.url) end
  if it.mail then
    lines[#lines + 1] = ("  maintainer = %q,"):format(("%s <%s>"):format(it.owner, it.mail))
  end
  return table.concat(lines, "\n")
end

local function with(text, around, list)
  local _, from = text:find(around[1], 1, true)
  local to = text:find(around[2], from, true)
  return text:sub(1, from) .. list .. text:sub(to)
end

local checks, good = false, true
for _, path in ipairs(arg) do
  if path == "--check" then
    checks = true
  else
    local old = file.read(path)
    local new
    if path:find "phial%-lint%-[^/]*$" then
      local modules = table.concat(module_lines("lint/phial_lint", "lint/"), "\n")
      new = with(with(old, MODULES, modules), SOURCE, lint_source())
      new = with(new, { '"phial == ', '-1"' }, version())
    else
      new = with(with(old, MODULES, listing()), VIEWER, viewer_files())
      new = with(new, SOURCE, source())
    end
    new = with(with(new, LICENCE, maintainer()), { 'version = "', '-1"' }, version())
    if checks and new ~= old then
      print(path .. ": does not list the files that exist: run 'make rockspec'")
      good = false
    elseif new ~= old then
      file.write(path, new)
    end
  end
end
os.exit(good)
