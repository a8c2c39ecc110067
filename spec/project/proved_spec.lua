-- tools/data/proved.txt says of no rule that it is wrong, and of each why it is not proved.
local file = require "spec.support.file"
local phial = require "phial"

-- The rules below a heading.
local function listed(data, heading)
  return (data .. "\n=="):match("\n== " .. heading .. "\n(.-)\n==") or ""
end

describe("tools/data/proved.txt", function()
  local R = phial.rules "int":add((require "phial.rules.more"))
  local data = file.read "tools/data/proved.txt"
  local proved = "\n" .. listed(data, "Proved by z3") .. listed(data, "Proved with cvc5")

  it("says of no rule that it is wrong, and of each that is open why", function()
    assert.is_nil(data:find("wrong", 1, true))
    local rules, reasons = 0, 0
    for line in listed(data, "Open"):gmatch "[^\n]+" do
      if line:find "^    %-%- open" then reasons = reasons + 1 end
      if line:find "^[%w_]+:" then rules = rules + 1 end
    end
    assert.equal(rules, reasons)
  end)

  it("counts the rules that it lists as proved", function()
    local _, count = proved:gsub("\n[%w_]+: ", "")
    assert.equal(count, tonumber(data:match "rules, (%d+) are proved"))
  end)

  local missing = {}
  for _, name in ipairs(R:names()) do
    if not data:find("\n" .. R:text(name), 1, true) then missing[#missing + 1] = name end
  end
  if #missing > 0 then pending("lacks, until `make proved`: " .. table.concat(missing, " ")) end
end)
