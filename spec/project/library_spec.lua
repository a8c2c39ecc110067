-- The C library: what it exports, whether a C program compiles and runs against
-- an installed one, and that all places tell the same version.
local lfs = require "lfs"
local compilers = require "spec.support.compilers"
local corpus = require "bench.lib.corpus"
local differences = require "spec.support.differences"
local file = require "spec.support.file"
local rooms = require "tools.rooms"
local shell = require "spec.support.shell"
local tree = require "bench.lib.tree"
local under = require "spec.support.under"

local output <const> = shell.output
local quoted <const> = corpus.quoted
local headers <const> = "src/phial/"
-- Sanitizers add symbols to what they compile, and want to be preloaded; the module of
-- `make quick` shares the library's objects.
local for_tests <const> = under.slow or tree.build:find "/quick$" ~= nil
local darwin <const> = rooms.output "uname"[1] == "Darwin"

---@param is boolean? by default for all builds for tests
local function skipped(is)
  if is == nil then is = for_tests end
  if is then pending "the library of a build for tests is not installed" end
  return is
end

-- ----------------------------------------------------------------- symbols

--- Functions and data that the public headers declare, sorted.
local function declared()
  local names = {}
  for name in lfs.dir(headers) do
    if name:find "%.h$" then
      local text = file.read(headers .. name):gsub("/%*.-%*/", ""):gsub("#[^\n]*", "")
      text = text:gsub("typedef[^{};]*;", "") -- of functions
      for found in text:gmatch "(ph_[%w_]+)%s*%([^*]" do names[#names + 1] = found end
      for found in text:gmatch "extern%s[^;(]*(ph_[%w_]+);" do names[#names + 1] = found end
    end
  end
  table.sort(names)
  return names
end

--- What a library defines for others, sorted.
local function exported(options, path)
  local names = {}
  for line in output(("nm %s %s"):format(options, quoted(path))):gmatch "[^\n]+" do
    names[#names + 1] = line:match "^%x+ %u _?([%a_][%w_]*)$"
  end
  table.sort(names)
  return names
end

local function compare(names)
  local said = differences(names, "the library", declared(), headers)
  assert(said == "", said)
end

describe("exactly what the headers declare is exported by", function()
  it("libphial.a", function()
    if skipped(under.slow) or os.execute "command -v objcopy >/dev/null" ~= true then return end
    compare(exported("-g --defined-only", tree.build .. "/libphial.a"))
  end)

  it("libphial.so", function()
    if skipped(under.slow) or darwin then return end
    compare(exported("-D --defined-only", tree.build .. "/libphial.so"))
  end)
end)

it("the Lua module exports what Lua calls", function()
  if skipped() or darwin then return end
  assert.same({ "luaopen_phial_core" },
    exported("-D --defined-only", tree.build .. "/phial/core.so"))
end)

compilers.each(pending, function(cc)
  it("each header can be included alone: " .. cc, function()
    for name in lfs.dir(headers) do
      local include = name:match "%.h$" and ('#include "phial/%s"\n'):format(name)
      assert.equal("", include and compilers.said(cc, include, "-Isrc") or "")
    end
  end)
end)

-- ----------------------------------------------------------------- versions

local version <const> = file.read(headers .. "base.h"):match '#define PH_VERSION "([^"]+)"'
local major <const>, minor <const>, patch <const> = version:match "^(%d+)%.(%d+)%.(%d+)"
-- What the name of the shared library has.
local abi <const> = major == "0" and major .. "." .. minor or major

describe("version " .. version, function()
  it("is made of the numbers in base.h", function()
    local text = file.read(headers .. "base.h")
    for part, number in pairs { MAJOR = major, MINOR = minor, PATCH = patch } do
      assert.equal(number, text:match("#define PH_VERSION_" .. part .. " (%d+)\n"))
    end
  end)

  it("is that of the Lua module", function()
    assert.equal("phial " .. version, require("phial")._VERSION)
    assert.truthy(file.read "types/phial.lua":find(('"phial %s"'):format(version), 1, true))
  end)

  it("has a rockspec", function()
    local rockspec = {}
    local path = ("phial-%s-1.rockspec"):format((version:gsub("-", "")))
    assert(loadfile(path, "t", rockspec))()
    assert.equal(path, "phial-" .. rockspec.version .. ".rockspec")
    assert.equal(("phial-%s.tar.gz"):format(version), rockspec.source.url:match "[^/]*$")
  end)

  it("is the newest of the changelog", function()
    assert.equal(version, file.read "CHANGELOG.md":match "\n## %[(.-)%]")
  end)
end)

-- ----------------------------------------------------------------- installed

-- Only `make check` installs it.
if under.brief then return end

describe("an installed library", function()
  local prefix, folder
  local pkg_config, said

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    prefix = folder .. "/usr"
    if for_tests then return end
    said = output(("env -u MAKEFLAGS -u MFLAGS make -s install B=%s PREFIX=%s")
      :format(quoted(tree.build), quoted(prefix)))
    pkg_config = "PKG_CONFIG_PATH=" .. quoted(prefix .. "/lib/pkgconfig") .. " pkg-config "
  end)

  teardown(function() os.execute("rm -rf " .. quoted(folder)) end)

  it("has pkg-config tell its version", function()
    if skipped() then return end
    assert.equal(version, output(pkg_config .. "--modversion phial"):match "%S+")
  end)

  it("is a shared one with a soname, and links to it", function()
    if skipped() or darwin then return end
    local lib = prefix .. "/lib/"
    local name = "libphial.so." .. abi
    local header = output("readelf -d " .. quoted(lib .. "libphial.so"))
    assert.equal(name, header:match "SONAME.-%[(.-)%]")
    assert.equal(name, lfs.symlinkattributes(lib .. "libphial.so", "target"))
    assert.equal("libphial.so." .. version, lfs.symlinkattributes(lib .. name, "target"))
    assert.equal("file", lfs.symlinkattributes(lib .. "libphial.so." .. version, "mode"))
  end)

  it("has the headers that phial.h includes, and op.def", function()
    if skipped() then return end
    for name in lfs.dir(headers) do
      if name:find "%.h$" or name == "op.def" then
        assert.equal(file.read(headers .. name), file.read(prefix .. "/include/phial/" .. name))
      end
    end
    assert.equal(file.read "src/phial.h", file.read(prefix .. "/include/phial.h"))
  end)

  --- Compiles the example with these linker flags around those of pkg-config, runs
  --- it, and returns what it needs.
  local function compiled(before, after)
    local program = prefix .. "/figure2"
    local flags = output(pkg_config .. "--cflags --libs phial"):match "^%s*(.-)%s*$"
    output(("%s -std=c11 -o %s examples/c/figure2.c %s %s %s"):format(
      os.getenv "CC" or "cc", quoted(program), before, flags, after))
    assert.equal(output(quoted(tree.build .. "/examples/figure2")), output(quoted(program)))
    return darwin and "" or output("readelf -d " .. quoted(program))
  end

  it("is linked by a C program as a shared one", function()
    if skipped() then return end
    local needs = compiled("", "-Wl,-rpath," .. quoted(prefix .. "/lib"))
    assert.truthy(darwin or needs:find("libphial.so." .. abi, 1, true))
  end)

  it("is linked by a C program as a static one", function()
    if skipped() or darwin then return end
    assert.is_nil(compiled("-Wl,-Bstatic", "-Wl,-Bdynamic"):find("libphial", 1, true))
  end)

  local function install(variables, words)
    return shell.run(("LUA=%s %s sh tools/install %s"):format(
      quoted(require("bench.lib.system").interpreter()), variables, words))
  end

  -- Calls tools/install for /usr, staged below the folder.
  local function staged(build, rest)
    return install("STRIP= LIBDIR=/usr/lib64",
      ("%s /usr %s/stage %s"):format(quoted(build), quoted(folder), rest or ""))
  end

  it("names what makes the loader find it", function()
    if skipped() or shell.run "PATH=$PATH:/sbin command -v ldconfig" == "" then return end
    assert.truthy(said:find(("LD_LIBRARY_PATH=%s/lib,"):format(prefix), 1, true), said)
  end)

  it("comes with the manual", function()
    if skipped() then return end
    for _, path in ipairs { "LICENSE", "README.md", "CHANGELOG.md", "docs/index.md" } do
      assert.equal(file.read(path), file.read(prefix .. "/share/doc/phial/" .. path))
    end
  end)

  it("has no debug information, unless it is wanted, and is where a relative prefix says",
    function()
      if skipped() or darwin then return end
      local function has_lines(root)
        return output("readelf -SW " .. quoted(root .. "/lib/libphial.so")):find ".debug_line"
          and output("readelf -SW " .. quoted(root .. "/lib/libphial.a")):find ".debug_line"
      end
      assert.is_nil(has_lines(prefix))
      local here = tree.build .. "/relative"
      install("STRIP=", ("%s %s ''"):format(quoted(tree.build), quoted(here)))
      assert.truthy(has_lines(here))
      local place = lfs.currentdir() .. "/" .. here
      assert.truthy(file.read(here .. "/lib/pkgconfig/phial.pc"):find("prefix=" .. place, 1, true))
      assert.truthy(file.read(here .. "/bin/phial"):find(('"%s/lib/lua'):format(place), 1, true))
      install("", ("%s %s '' --remove"):format(quoted(tree.build), quoted(here)))
      assert.is_nil(lfs.attributes(here))
    end)

  it("does not know where it was staged, and is where LIBDIR says", function()
    if skipped() then return end
    staged(tree.build)
    local usr = folder .. "/stage/usr"
    local pc = file.read(usr .. "/lib64/pkgconfig/phial.pc")
    assert.truthy(pc:find("prefix=/usr\n.*\nlibdir=${prefix}/lib64\n"), pc)
    assert.equal("file", lfs.attributes(usr .. "/lib64/libphial.a", "mode"))
    assert.is_nil(lfs.attributes(usr .. "/lib"))
    for _, path in ipairs(rooms.output "find share types -type f") do
      local place = path:gsub("^types", "share/phial/types")
      assert.equal(file.read(path), file.read(usr .. "/" .. place))
    end
    local command = file.read(usr .. "/bin/phial")
    assert.is_nil(command:find(folder, 1, true))
    local path = command:match 'package.cpath = "([^?"]*)%?'
    assert.equal("file", lfs.attributes(folder .. "/stage" .. path .. "phial/core.so", "mode"))
  end)

  it("can be removed, with its folders, and what others have installed stays", function()
    if skipped() then return end
    output(("cd %s && rm -rf stage && mkdir -p stage/usr/share/man"):format(quoted(folder)))
    staged(tree.build)
    file.write(folder .. "/stage/usr/bin/other", "")
    staged(tree.build)
    assert.truthy(staged(tree.build, "--remove"):find "^removed phial")
    assert.equal("./usr/bin/other\n./usr/share/man\n",
      output(("cd %s/stage && find . -type f -o -empty | sort"):format(quoted(folder))))
  end)

  it("is not said to be installed if a part of it cannot be copied", function()
    if skipped() then return end
    local part = folder .. "/part"
    output(("mkdir -p %s/phial && touch %s/phial/core.so %s/libphial.a"):format(part, part, part))
    local text, good = staged(part)
    assert.is_false(good)
    assert.truthy(text:find("libphial.", 1, true), text)
    assert.is_nil(text:find "installed")
  end)

  it("comes with a command, which finds it", function()
    if skipped() then return end
    local out = output(("cd / && env -u LUA_PATH -u LUA_CPATH %s --version"):format(
      quoted(prefix .. "/bin/phial")))
    assert.equal(("phial %s (%s)\n"):format(version, _VERSION), out)
    out = output(("cd / && echo 'x + 0 => x' | env -u LUA_PATH -u LUA_CPATH %s check -"):format(
      quoted(prefix .. "/bin/phial")))
    assert.truthy(out:find "^stdin:1: checked", out)
  end)
end)
