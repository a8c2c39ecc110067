-- The Lua modules that are part of the playground's program: phial, its own, and those of
-- the examples' frontends.
local file = require "tools.file"
local rooms = require "tools.rooms"
local viewer = require "phial.emit.html.viewer"

local M = {}

-- Folders, and what precedes the names of their modules.
local FOLDERS <const> = {
  { "lua/phial", "phial" }, { "playground/lua", "phial/playground" }, { "examples/luac", "luac" },
  { "examples/while", "while" }, { "examples/tinylang", "tinylang" },
}

-- Commands, and what only they use.
local LEFT_OUT <const> = { ["examples/tinylang/executable.lua"] = true }

local function is_module(path)
  return not LEFT_OUT[path] and not path:find "/main%.lua$" and not path:find "^lua/phial/command/"
    and not path:find "^examples/%w+/%w+/"
end

---@return {name: string, chunk: string, path: string}[] sorted by name
local function modules()
  local list = {}
  for _, folder in ipairs(FOLDERS) do
    local from, prefix = folder[1], folder[2]
    for _, path in ipairs(rooms.output(("find %s -name '*.lua'"):format(from))) do
      if is_module(path) then
        local chunk = prefix .. path:sub(#from + 1)
        local name = chunk:gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
        list[#list + 1] = { name = name, chunk = "@" .. chunk, path = path }
      end
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- The viewer of phial.emit.html is in files, which the playground does not have.
local VIEWER <const> = "phial.emit.html.viewer"

local function viewer_module()
  local fields = {}
  for name, text in pairs(viewer) do fields[#fields + 1] = ("%s = %q,\n"):format(name, text) end
  table.sort(fields)
  return "return {\n" .. table.concat(fields) .. "}\n"
end

-- A text as the elements of an array: strings of C may not be that long.
local function elements(text)
  return (text:gsub("[^\n]*\n?", function(line)
    return #line > 0 and line:gsub(".", function(c) return c:byte() .. "," end)
      :gsub("\n", "10,") .. "\n" or ""
  end))
end

--- The modules as C.
---@return string
function M.as_c()
  local arrays, rows = {}, {}
  for i, it in ipairs(modules()) do
    local text = it.name == VIEWER and viewer_module() or file.read(it.path)
    arrays[i] = ("static const unsigned char text%d[] = {\n%s};\n"):format(i, elements(text))
    rows[i] = ("  {%q, %q, text%d, sizeof text%d},\n"):format(it.name, it.chunk, i, i)
  end
  return ('/* files.c: Lua modules, by playground/bundle.lua. */\n#include "files.h"\n\n%s\n'
    .. "const struct file files[] = {\n%s};\n"
    .. "const size_t file_count = sizeof files / sizeof *files;\n"):format(table.concat(arrays),
    table.concat(rows))
end

return M
