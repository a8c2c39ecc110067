-- make: what its targets and variables do, and what it says of a machine that lacks something. By
-- `make check` alone.
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"

if require("spec.support.under").brief then return end

local function exists(program) return shell.run("command -v " .. program) ~= "" end

-- What a command prints, run without the flags of this make and without its sanitizers.
local function alone(command)
  return (shell.run("unset MAKEFLAGS MFLAGS MAKELEVEL LD_PRELOAD; " .. command))
end

-- What make prints, apart from the line of its own about a failure.
local function make(words)
  return (alone("make --no-print-directory " .. words):gsub("make: %*%*%*[^\n]*\n", ""))
end

describe("make says once, and builds nothing,", function()
  for what, case in pairs {
    ["where there is no C compiler"] = { "CC=no-such-cc",
      "no C compiler 'no-such-cc': 'make deps' installs one, CC=... names another\n" },
    ["where Lua's headers are missing"] = { "LUA_CFLAGS=-nostdinc", ("no headers of %s: "
      .. "'make deps' installs them, LUA_CFLAGS=-I... says where they are\n"):format(_VERSION) },
  } do
    it(what, function()
      assert.equal(case[2], make(("B=build/none LUA=%s %s"):format(interpreter(), case[1])))
    end)
  end
end)

describe("a Lua that is too old is refused:", function()
  for _, lua in ipairs { "lua5.1", "lua5.3", "luajit" } do
    it(lua, function()
      if not exists(lua) then return pending(lua .. " is not installed") end
      local version = alone(lua .. " -e 'io.write(_VERSION)'")
      assert.equal(("phial needs Lua 5.4 or later, and %s is %s\n"):format(lua, version),
        make("B=build/none LUA=" .. lua))
      local needs = "phial needs Lua 5.4 or later, and this is " .. version
      local paths = ("LUA_PATH=%s LUA_CPATH=%s "):format(quoted(package.path),
        quoted(package.cpath))
      assert.equal(needs,
        alone(paths .. lua .. " -e 'io.write(select(2, pcall(require, \"phial\")))'"))
      assert.truthy(alone(paths .. lua .. " bin/phial --version"):find(needs, 1, true))
    end)
  end
end)

it("make's variables reach the commands", function()
  local text = make "-n B=build/none CPPFLAGS=-DGIVEN OBJCOPY=other-objcopy AR=other-ar all lib"
  for _, path in ipairs { "src/core/ir/func.c", "src/binding/methods/module.c" } do
    assert.truthy(text:find("-DGIVEN [^\n]*" .. path), path)
  end
  for _, program in ipairs { "other-objcopy --localize-hidden", "other-ar rcs" } do
    assert.truthy(text:find(program, 1, true), program)
  end
end)

it("plain make builds the module alone, make lib the library alone", function()
  local function built(goal)
    local objects, text = {}, make(("-n B=build/none LTO= LUA=%s %s"):format(interpreter(), goal))
    for path in text:gmatch "echo build/none/(%S+);" do objects[path] = true end
    return objects
  end
  local module, library = built "", built "lib"
  assert.is_true(module["phial/core.so"])
  assert.is_true(library["libphial.a"])
  for path in pairs(module) do assert.is_nil(library[path]) end
end)

describe("specs that are run by hand", function()
  it("say what to call instead", function()
    assert.equal("busted: error: specs are run by make: 'make test SPECS=spec/edit', or "
      .. "'make quick SPECS=spec/edit' while a change is tried\n",
      alone(interpreter() .. ' "$(command -v busted)" spec/edit'))
  end)

  it("run with what make quick builds", function()
    local text = make "-n -o everything quick SPECS=spec/edit"
    assert.truthy(text:find("--cpath 'build/quick/?.so'", 1, true))
    assert.truthy(text:find("spec/edit\n", 1, true))
  end)
end)

it("make distclean removes all that git ignores", function()
  local folder <const> = os.tmpname()
  os.remove(folder)
  alone(("mkdir -p %s/src && cp Makefile .gitignore %s"):format(folder, folder))
  for pattern in file.read(".gitignore"):gsub("#[^\n]*", ""):gmatch "[^\n]+" do
    local path = pattern:gsub("/$", "/x"):gsub("^%*%.o$", "src/x.o"):gsub("%*", "x")
    alone(("cd %s && mkdir -p ./$(dirname ./%s) && touch ./%s"):format(folder, path, path))
  end
  assert.equal("./.gitignore\n./Makefile\n", alone(("cd %s && make distclean >make.log 2>&1 && "
    .. "rm make.log && find . -type f | sort; rm -r %s"):format(folder, folder)))
end)

-- On a machine of Debian that has nothing but a shell, Lua, and what finds and installs packages.
it("root and others are told the same packages", function()
  local folder <const> = os.tmpname()
  os.remove(folder)
  local function told(user)
    return alone(([[mkdir -p %s && cd %s && for it in sh dirname tr cut grep sed df awk; do
      ln -sf "$(command -v $it)" $it; done
      for it in apt-get apt-cache; do printf '#!/bin/sh\n' >$it; done
      printf '#!/bin/sh\nexit 1\n' >dpkg; printf '#!/bin/sh\necho %d\n' >id; chmod +x dpkg id apt-*
      cd - >/dev/null; LUA=%s PATH=%s sh tools/deps check]]):format(folder, folder, user,
      interpreter(), folder)):match "[^\n]*[dl]:( [^\n]*)"
  end
  local list = told(0)
  assert.truthy(list:find "gcc libc6%-dev .*mkdocs%-material", list)
  assert.equal(list, told(1000))
  shell.output("rm -r " .. folder)
end)
