-- What is made from tables and texts of src is what `make generate` would write.
local generated = require "tools.generated"

for _, path in ipairs(generated.FILES) do
  it(path .. " is as it is generated", function()
    local wanted, found = generated.renew(path)
    assert(found:find("`make generate`", 1, true), path .. " has no part that is generated")
    assert(wanted == found, path .. " is not as it is generated: run 'make generate'")
  end)
end
