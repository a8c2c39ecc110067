-- The code in docs/ runs in order and prints what is shown below it.
local document = require "spec.support.document"
local file = require "spec.support.file"
local output = require("tools.rooms").output

-- Its code is fragments; what it shows is compared by spec/trace.
local FRAGMENTS <const> = { ["docs/trace.md"] = true }

describe("the code of", function()
  for _, path in ipairs(output "find docs -name '*.md' | LC_ALL=C sort") do
    if file.read(path):find "\n```lua\n" and not FRAGMENTS[path] then
      it(path, function() document.check(path) end)
    end
  end
end)
