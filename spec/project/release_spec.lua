-- Releases: `make release` on a copy of the tree, the public place in all that names it, and what
-- the workflows of GitHub and GitLab call. By `make check` alone.
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"
local tree = require "bench.lib.tree"

if require("spec.support.under").brief then return end

local WORKFLOWS <const> = { ".github/workflows/check.yml", ".gitlab-ci.yml" }
-- The tarball of a release has none of these.
local is_repository <const> = io.open ".ci/run" ~= nil and shell.run "git rev-parse" == ""

describe("make release", function()
  local folder, copy
  local version <const> = file.read "src/phial/base.h":match 'PH_VERSION "([^"]+)"'

  setup(function()
    if not is_repository then return end
    folder = os.tmpname()
    os.remove(folder)
    copy = folder .. "/copy"
    -- without specs, examples and traces
    shell.output(("mkdir -p %s/build && git ls-files -co --exclude-standard "
      .. "-- '*.md' '*.rockspec' Makefile LICENSE bin docs lua share src tools types "
      .. "| tar -cf - -T - "
      .. "| tar -xf - -C %s && cp -R %s/phial %s/build/"):format(copy, copy, quoted(tree.build),
      copy))
  end)

  teardown(function() os.execute("rm -rf " .. quoted(folder or "")) end)

  -- In the copy, with the module of this build in place of one that it would compile.
  local function run(command)
    return shell.run(("cd %s && export LUA=%s GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x "
      .. "GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x; unset MAKEFLAGS MFLAGS MAKELEVEL; %s"):format(
      quoted(copy), quoted(interpreter()), command))
  end

  local function release(wanted)
    return run(("CHECK=: make -s -o all release VERSION=%s"):format(wanted))
  end

  local function commit() assert(select(2, run "git add -A && git commit -qm place")) end

  it("refuses without a place, a new heading, a version or a commit", function()
    if not is_repository then return pending "this is no repository" end
    run "git init -q"
    commit()
    assert.truthy(release "9.8.7":find("release: tools/data/place.txt has no owner\n", 1, true))
    file.write(copy .. "/tools/data/place.txt",
      "owner = Somebody\nurl = https://forge.example/some/phial\nmail = some@example.org\n")
    assert.truthy(release "9.8.7":find("release: changes are not committed\n", 1, true))
    commit()
    assert.truthy(release "9.8":find("release: VERSION='9.8' is not a version", 1, true))
    assert.truthy(release "9.8.7":find("not with [Unreleased] or [9.8.7]\n", 1, true))
    assert.equal("", run "git tag")
  end)

  it("writes version, date and place everywhere, and makes and tags it", function()
    if not is_repository then return pending "this is no repository" end
    local log = file.read(copy .. "/CHANGELOG.md")
    file.write(copy .. "/CHANGELOG.md", (log:gsub("\n## ", "\n## [Unreleased]\n\n## ", 1)))
    commit()
    local text, good = release "9.8.7-rc1"
    assert(good, text)
    assert.equal("v9.8.7-rc1\n", run "git tag")
    assert.equal("", run "git status --porcelain --untracked-files=no")
    local date = os.date "!%F"
    for path, holds in pairs {
      ["src/phial/base.h"] = "#define PH_VERSION_MAJOR 9\n#define PH_VERSION_MINOR 8\n",
      ["types/phial.lua"] = '"phial 9.8.7-rc1"',
      ["CHANGELOG.md"] = ("\n## [9.8.7-rc1] - %s\n\n## [%s]"):format(date, version),
      ["share/man/man1/phial.1"] = "https://forge.example/some/phial",
      ["README.md"] = "git clone https://forge.example/some/phial",
      ["SECURITY.md"] = "<some@example.org>",
      ["phial-9.8.7rc1-1.rockspec"] = "https://forge.example/some/phial/releases/download/"
        .. "v9.8.7-rc1/phial-9.8.7-rc1.tar.gz",
    } do
      assert.truthy(file.read(copy .. "/" .. path):find(holds, 1, true), path .. ": " .. holds)
    end
    assert.truthy(run "ls build/dist":find("phial-9.8.7rc1-1.src.rock", 1, true))
    assert.truthy(run "tar -tzf build/dist/*.gz":find "/README.md\n")
    assert.is_nil(run "tar -tzf build/dist/*.gz":find "/%.git[hl]")
  end)
end)

-- A workflow as data, by Python's YAML, printed as a Lua table.
local TO_LUA <const> = [[
import sys, yaml
def lua(x):
    if isinstance(x, dict):
        return "{" + ",".join("[%s]=%s" % (lua(str(k)), lua(v)) for k, v in x.items()) + "}"
    if isinstance(x, list): return "{" + ",".join(map(lua, x)) + "}"
    return '"%s"' % str(x).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
print("return " + lua(yaml.safe_load(open(sys.argv[1]))))
]]

-- Calls f with each text of a table, also in tables within.
local function each_text(it, f)
  if type(it) == "string" then return f(it) end
  for _, inner in pairs(it) do each_text(inner, f) end
end

for _, path in ipairs(WORKFLOWS) do
  it(path .. " is YAML, and calls what .ci/run calls", function()
    if not is_repository then return pending "this is no repository" end
    if not select(2, shell.run "python3 -c 'import yaml'") then
      return pending "Python's yaml is not installed"
    end
    local text = shell.output(("python3 -c %s %s"):format(quoted(TO_LUA), path))
    local called, goals = {}, "\n" .. file.read "Makefile"
    each_text(assert(load(text))(), function(line)
      for goal in (line:match "^make(.*)" or ""):gmatch " (%l[%l-]*)%f[%s\0]" do
        called[goal] = true
      end
      local script = line:match "^sh (%S+)" or line:match "^%.ci/run$"
      if script then
        called[script] = true
        assert.truthy(io.open(script), script)
      end
    end)
    assert.is_true(called[".ci/run"] and called.test and called.asan)
    local longer = (goals:match "\nLONGER = ([^\n]*)" .. " lint layers"):gsub("%S+", "check-%0")
    for goal in pairs(called) do
      assert.truthy(goal:find "/" or longer:find(goal, 1, true)
        or goals:find("\n" .. goal .. "[: ]"), "no goal of make: " .. goal)
    end
  end)
end
