-- The rockspecs list what the folders hold: `make rockspec` writes the lists,
-- and here they are compared.
local lfs = require "lfs"
local interpreter = require("bench.lib.system").interpreter
local rooms = require "tools.rooms"
local shell = require "spec.support.shell"
local tree = require "bench.lib.tree"
local under = require "spec.support.under"

local function rockspec(path)
  local spec = {}
  assert(loadfile(path, "t", spec))()
  return spec
end

local function lua_files()
  local found = {}
  for _, path in ipairs(rooms.output "find lua -name '*.lua'") do found[path] = true end
  return found
end

local LACKS <const> = "the rockspec lacks %s: run 'make rockspec'"

local function check_none(missing)
  assert(next(missing) == nil, LACKS:format(next(missing)))
end

local rockspecs = rooms.output "ls *.rockspec"

it("src/layers lists every C file once", function()
  local listed = {}
  for _, path in ipairs(rooms.sources()) do
    assert.is_nil(listed[path], path)
    listed[path] = true
  end
  for _, path in ipairs(rooms.output "find src -name '*.c'") do
    assert.is_true(listed[path], path .. " is not in src/layers")
  end
end)

it("there are rockspecs", function() assert.is_true(#rockspecs > 0) end)

for _, path in ipairs(rockspecs) do
  describe(path, function()
    local build = rockspec(path).build

    it("compiles every C file, in the order of src/layers", function()
      assert.same(rooms.sources(), build.modules["phial.core"].sources,
        LACKS:format "C files, or their order")
      assert.same({ "src" }, build.modules["phial.core"].incdirs)
    end)

    it("installs every Lua module under the name that finds it", function()
      local missing = lua_files()
      for name, file in pairs(build.modules) do
        if name ~= "phial.core" then
          assert.equal(file, package.searchpath(name, "lua/?.lua;lua/?/init.lua"))
          missing[file] = nil
        end
      end
      check_none(missing)
    end)

    it("installs the files of the viewer next to its module", function()
      local missing = {}
      for _, file in ipairs(rooms.output "find lua -type f ! -name '*.lua'") do
        missing[file] = true
      end
      assert.is_true(missing["lua/phial/emit/html/viewer/page.html"])
      for name, file in pairs(build.install.lua) do
        assert.equal(file:gsub("^lua/", ""):gsub("%.%w+$", ""), (name:gsub("%.", "/")))
        missing[file] = nil
      end
      check_none(missing)
    end)

    it("installs the command", function()
      assert.same({ phial = "bin/phial" }, build.install.bin)
      assert.equal("file", lfs.attributes("bin/phial", "mode"))
    end)

    it("copies the manual, completions and types, and the licence", function()
      assert.same({ "docs", "share", "types" }, build.copy_directories)
      assert.same({ "LICENSE", "README.md", "CHANGELOG.md" }, build.install.conf)
    end)
  end)
end

-- What releases need and this machine lacks, if anything.
local function missing()
  for _, program in ipairs { "luarocks", "zip", "sha256sum" } do
    local _, good = shell.run("command -v " .. program)
    if not good then return program .. " is not installed" end
  end
  if not shell.run "tar --version":find "GNU" then return "GNU tar is not installed" end
  return (under.slow or under.brief) and "only make check makes rocks"
end

describe("luarocks", function()
  for what, case in pairs {
    ["installs what make dist makes, without network"] = { "make -s rock",
      "the rock installs without network, exports one symbol and loads, and its command runs" },
    ["tests what make has built"] = { "luarocks test phial-*.rockspec",
      require("phial")._VERSION .. " works" },
  } do
    it(what, function()
      local why = missing()
      if why then return pending(why) end
      local text = shell.output(("unset MFLAGS MAKELEVEL; MAKEFLAGS='B=%s LUA=%s' %s"):format(
        tree.build, interpreter(), case[1]))
      assert.equal(case[2], text:match "([^\n]*)\n$")
    end)
  end
end)
