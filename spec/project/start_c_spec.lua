-- The program of docs/start/c.md compiles without warnings, against the library, and prints
-- what is shown below it.
local file = require "spec.support.file"
local shell = require "spec.support.shell"
local tree = require "bench.lib.tree"
local under = require "spec.support.under"

local PATH <const> = "docs/start/c.md"

it("the program of " .. PATH .. " prints what is shown", function()
  if under.slow then return pending "the library of a build for tests needs its sanitizer" end
  local document = file.read(PATH)
  local before, code, between, shown, after =
    document:match "^(.-\n```c\n)(.-)(```\n\n```\n)(.-)(```\n.*)$"
  local path = os.tmpname()
  file.write(path .. ".c", code)
  shell.output(("cc -std=c11 -Wall -Wextra -Werror -Isrc '%s.c' '%s/libphial.a' -o '%s'")
    :format(path, tree.build, path))
  local output = shell.output("'" .. path .. "'")
  os.remove(path)
  os.remove(path .. ".c")
  if os.getenv "BLESS" then
    return file.write(PATH, before .. code .. between .. output .. after)
  end
  assert.equal(shown, output)
end)
