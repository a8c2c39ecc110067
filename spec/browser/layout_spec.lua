-- The viewer's layout, in node: layout.js says what is checked.
local node = require "spec.support.node"

describe("the viewer's layout", function()
  it("places boxes and lines apart, fast", function()
    if not node.exists() then return pending "node is not installed" end
    local cases = os.getenv "RUNS" or os.getenv "LONG" and 200 or 15
    local out, good = node.run("spec/browser/layout.js " .. cases, "")
    assert(good, out)
    assert.equal("good\n", out)
  end)
end)
