-- The demonstration behind `make demo`: the README's example, one Lua function
-- beside its SSA form, then the SSA form of whole packages, in numbers.
-- usage: lua5.4 examples/demo.lua [folder for drawings]
local phial = require "phial"

local folder = arg[1] or "build/demo"

local function slurp(path)
  local f <close> = assert(io.open(path))
  return f:read "a"
end

local function heading(text)
  print(("\n== %s %s\n"):format(text, ("="):rep(74 - #text)))
end

local function has(command)
  return os.execute(("command -v %s >/dev/null 2>&1"):format(command)) == true
end

-- Draws fn into the folder, where Graphviz is installed.
local drawings = {}
local function draw(fn, name)
  local path = ("%s/%s.dot"):format(folder, name)
  local f <close> = assert(io.open(path, "w"))
  assert(f:write(phial.emit.dot(fn)))
  f:close()
  if has "dot" and os.execute(("dot -Tsvg -o '%s' '%s'"):format(path:gsub("dot$", "svg"), path)) then
    drawings[#drawings + 1] = path:gsub("dot$", "svg")
  end
end

local function readme_example()
  heading "The README's example"
  local source = slurp("README.md"):match "```lua\n(.-)```"
  local env = setmetatable({ print = function(fn)
    print(fn)
    draw(fn, "sum")
  end }, { __index = _G })
  assert(load(source, "=README.md", "t", env))()
end
