-- The language server, with a real client: Neovim without a screen.
local assert = require "spec.support.assert"
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted

local function has_client()
  local ok = pcall(require, "dkjson") and os.execute "nvim --version >/dev/null 2>&1"
  return ok or pending "Neovim or dkjson is not there"
end

describe("the language server", function()
  it("gives Neovim diagnostics that follow the text, and the writes that reach a read", function()
    if not has_client() then return end
    local path = os.tmpname()
    file.write(path, "local x\nif arg then x = 2 end\nprint(x)\nlocal unused = 1\n")
    local pipe <close> = assert(io.popen(("LUA_PATH=%s LUA_CPATH=%s timeout 20 nvim --headless "
      .. "--noplugin -u NONE -n --cmd %s -c 'luafile lint/spec/server.lua' 2>&1"):format(
      quoted(package.path), quoted(package.cpath), quoted(("let g:lua = '%s' | let g:server = "
      .. "'lint/bin/phial-lsp' | let g:path = '%s'"):format(interpreter(), path)))))
    local out = pipe:read "a":gsub("\r", "")
    os.remove(path)
    assert.equal([[
4:7-12 unused variable 'unused'
2:1-1 expected expression near 'if'
1:10-10 unused variable 'y'; 4:7-12 unused variable 'unused'
`x` has its value from lines 1, 2]], out)
  end)
end)
