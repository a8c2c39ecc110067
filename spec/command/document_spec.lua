-- The commands of docs/command.md write what is shown below them.
local console = require "spec.support.console"

it("docs/command.md shows what its commands write", function() console.check "docs/command.md" end)
