-- The README's examples run as printed and print what the README says.
local document = require "spec.support.document"

describe("the README's code", function()
  it("prints what stands below it", function() document.check "README.md" end)
end)
