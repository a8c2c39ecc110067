-- What is made from tables is what `make generate` would write.
local file = require "spec.support.file"
local generated = require "tools.generated"

for _, path in ipairs(generated.FILES) do
  it(path .. " is as its tables have it", function()
    local text = file.read(path)
    assert(text:find("`make generate`", 1, true), path .. " has no part that is generated")
    local renewed = generated.renew(text)
    assert(text == renewed, path .. " is not as its tables have it: run 'make generate'")
  end)
end
