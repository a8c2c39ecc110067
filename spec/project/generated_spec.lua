-- What is made from op.def is what `make generate` would write.
local file = require "spec.support.file"
local generated = require "tools.generated"

for _, path in ipairs(generated.FILES) do
  it(path .. " is as op.def has it", function()
    local text = file.read(path)
    assert(text:find("`make generate`", 1, true), path .. " has no part that is generated")
    assert(text == generated.renew(text), path .. " is not as op.def has it: run 'make generate'")
  end)
end
