-- The code in docs/ runs in order and prints what is shown below it.
local document = require "spec.support.document"

describe("the code of", function()
  for _, path in ipairs { "docs/analysis.md", "docs/builder.md", "docs/classical.md", "docs/cps.md",
    "docs/dialects.md", "docs/editing.md", "docs/exporters.md", "docs/explorer.md",
    "docs/exporting.md", "docs/json.md", "docs/memory.md", "docs/native.md", "docs/porting.md",
    "docs/rules.md", "docs/text.md", "docs/tutorial.md", "docs/variants.md" } do
    it(path, function() document.check(path) end)
  end
end)
