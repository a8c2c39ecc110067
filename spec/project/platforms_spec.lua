-- docs/platforms.md has a row for each platform that tools/platform knows, and no other.
local file = require "spec.support.file"
local shell = require "spec.support.shell"

it("docs/platforms.md has the platforms of tools/platform", function()
  local rows = {}
  for name in file.read "docs/platforms.md":gmatch "\n| ([^ |]+)[^|\n]* | [^\n]*" do
    if name ~= "platform" then rows[#rows + 1] = name end
  end
  assert.equal(shell.output "sh tools/platform", table.concat(rows, " ") .. "\n")
end)
