-- The rockspec lists by hand what the folders hold; here the two are compared.
local lfs = require "lfs"
local file = require "spec.support.file"

local function mode(path) return lfs.attributes(path, "mode") end

local function rockspec()
  local spec = {}
  assert(loadfile("phial-scm-1.rockspec", "t", spec))()
  return spec
end

-- Appends the files under dir whose names match to `found`, folders in order.
local function files(dir, pattern, found)
  local names = {}
  for name in lfs.dir(dir) do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local path = dir .. "/" .. name
    if mode(path) == "directory" then
      files(path, pattern, found)
    elseif name:find(pattern) then
      found[#found + 1] = path
    end
  end
  return found
end

-- The topics of the core, from the Makefile.
local function topics()
  local list = file.read("Makefile"):gsub("\\\n", " "):match "\nCORE = ([^\n]*)"
  local names = {}
  for name in list:gmatch "%S+" do names[#names + 1] = name end
  return names
end

-- The C files in the order of the Makefile, then those of the binding.
local function sources()
  local paths = {}
  for _, topic in ipairs(topics()) do
    local path = "src/core/" .. topic .. ".c"
    if mode(path) then paths[#paths + 1] = path end
  end
  return files("src/binding", "%.c$", paths)
end

-- The Lua files by the names that `require` finds them with.
local function modules()
  local found = {}
  for _, path in ipairs(files("lua", "%.lua$", {})) do
    local name = path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", "")
    found[name:gsub("/", ".")] = path
  end
  return found
end

describe("the rockspec", function()
  it("compiles every C file, in the order of the Makefile", function()
    local core = rockspec().build.modules["phial.core"]
    assert.same(sources(), core.sources)
    assert.same({ "src" }, core.incdirs)
  end)

  it("finds every C file of the core among the Makefile's topics", function()
    local listed = {}
    for _, topic in ipairs(topics()) do listed[topic .. ".c"] = true end
    for _, path in ipairs(files("src/core", "%.c$", {})) do
      assert(listed[path:match "[^/]*$"], path .. " is of no topic in CORE")
    end
  end)

  it("installs every Lua module under its name", function()
    local listed = rockspec().build.modules
    listed["phial.core"] = nil
    assert.same(modules(), listed)
  end)

  it("copies folders that exist", function()
    for _, dir in ipairs(rockspec().build.copy_directories) do
      assert.equal("directory", mode(dir), dir)
    end
  end)
end)
