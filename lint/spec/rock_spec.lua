-- The rock of the linter: installed in a tree of its own, its commands run by what is there.
local assert = require "spec.support.assert"
local file = require "spec.support.file"
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"
local under = require "spec.support.under"

-- What the rock needs is on this machine, but not as rocks.
local CONFIG <const> = [[
rocks_provided = {
  phial = "%s", luacheck = "1.1.0-1", dkjson = "2.5-1", luafilesystem = "1.8.0-1",
}
]]

local REQUEST <const> = '{"id":1,"method":"initialize","params":{}}'

describe("the rock phial-lint", function()
  local folder, tree = os.tmpname(), nil

  setup(function()
    os.remove(folder)
    tree = folder .. "/tree"
    shell.output("mkdir -p " .. tree)
  end)
  teardown(function() os.execute("rm -rf " .. quoted(folder)) end)

  it("is made by luarocks, and its commands run", function()
    if under.slow or under.brief then return pending "only make check makes rocks" end
    local has = pcall(require, "dkjson") and pcall(require, "lfs")
    if not has or not select(2, shell.run "command -v luarocks") then
      return pending "luarocks, dkjson or luafilesystem is not there"
    end
    local rockspec = shell.output "ls lint/*.rockspec":match "lint/(%S+)"
    file.write(folder .. "/config.lua", CONFIG:format(rockspec:match "phial%-lint%-(.*)%.rockspec"))
    shell.output(("cd lint && LUAROCKS_CONFIG=%s/config.lua luarocks --lua-version %s --tree %s "
      .. "make %s 2>&1"):format(folder, _VERSION:match "%S+$", tree, rockspec))
    local path = package.path:gsub("[^;]*/lint/[^;]*;?", "")
    local env = ("cd / && export LUA_PATH=%s LUA_CPATH=%s; "):format(quoted(path),
      quoted(package.cpath))
    local out = shell.run(env .. ("echo 'local x' | %s/bin/phial-lint --no-config -"):format(tree))
    assert.equal("-:1:7: (W211) unused variable 'x'\n", out)
    out = shell.run(env .. ("printf 'Content-Length: %d\\r\\n\\r\\n%s' | %s/bin/phial-lsp"):format(
      #REQUEST, REQUEST, tree))
    assert.truthy(out:find('"name":"phial-lsp"', 1, true), out)
  end)
end)
