-- docs/rules-proved.md says of no rule that it is wrong, and of each why it is not proved.
local file = require "spec.support.file"
local phial = require "phial"

-- The code below a heading.
local function listed(document, heading)
  return document:match("\n## " .. heading .. "\n\n```\n(.-)```") or ""
end

describe("docs/rules-proved.md", function()
  local R, document = phial.rules "int", file.read "docs/rules-proved.md"
  local proved = "\n" .. listed(document, "Proved by z3") .. listed(document, "Proved with cvc5")

  it("says of no rule that it is wrong, and of each that is open why", function()
    assert.is_nil(document:find("wrong", 1, true))
    local rules, reasons = 0, 0
    for line in listed(document, "Open"):gmatch "[^\n]+" do
      if line:find "^    %-%- open" then reasons = reasons + 1 end
      if line:find "^[%w_]+:" then rules = rules + 1 end
    end
    assert.equal(rules, reasons)
  end)

  it("counts the rules that it lists as proved", function()
    local _, count = proved:gsub("\n[%w_]+: ", "")
    assert.equal(count, tonumber(document:match "rules, (%d+) are proved"))
  end)

  local missing = {}
  for _, name in ipairs(R:names()) do
    if not document:find("\n" .. R:text(name), 1, true) then missing[#missing + 1] = name end
  end
  if #missing > 0 then pending("lacks, until `make proved`: " .. table.concat(missing, " ")) end
end)
