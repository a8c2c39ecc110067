-- The README's examples print what is shown below them.
local document = require "spec.support.document"

it("the README prints what it shows", function() document.check "README.md" end)
