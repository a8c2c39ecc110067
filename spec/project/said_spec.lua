-- What users asked about is documented where they look for it: in the types, which an
-- editor shows, and in the README.
local file = require "spec.support.file"

local types = file.read "types/phial.lua"
local readme = file.read "README.md"

-- The comment above a line that starts like this.
local function above(start)
  local at = assert(types:find("\n" .. start, 1, true), start .. " is not in the types")
  local lines = {}
  for line in types:sub(1, at):gmatch "([^\n]*)\n" do
    if line:find "^%-%-%-" then lines[#lines + 1] = line else lines = {} end
  end
  return table.concat(lines, "\n")
end

local function says(text, ...)
  for _, word in ipairs { ... } do
    assert.truthy(text:lower():find(word:lower(), 1, true), ("%q is not in\n%s"):format(word, text))
  end
end

describe("it is said", function()
  it("what the undef function may return, and where it is not asked", function()
    says(above "---@field undef?", "constant", "argument", "dead")
  end)

  it("what each construction is", function()
    says(above "---@field construction? ", '"marker"', '"simple"', '"scc"', '"operand"', "phi")
  end)

  it("which handle is a key of a table", function()
    says(above "function Value:now()", "key", "table")
  end)

  it("that handles are unique", function()
    says(types:match "^.-\nlocal M = {}", "same handle")
    says(above "---@class phial.Value", "same handle")
  end)

  it("that predecessors count edges", function()
    says(above "function Block:preds()", "edge", "twice")
    says(above "function Function:block(", "edge", "twice")
  end)

  it("that blocks that nothing reaches have no dominator", function()
    says(above "function Block:idom()", "nil", "reach")
    says(above "function Function:dominates(", "reach")
  end)

  it("what to do with code behind a return", function()
    says(above "function Function:block(", "fn:block(nil, 0)", "dead")
    says(readme, "fn:block(nil, 0)")
  end)

  it("that undef is among the definitions", function()
    says(above "function Function:definitions(", "undef")
  end)

  it("what undefined tells with an undef function", function()
    says(above "function Function:undefined()", "undef function")
  end)

  it("what the limits are", function()
    local limits = assert(readme:match "\n## Limits\n\n(.-)\n## ", "no section 'Limits'")
    says(limits, "parameters", "values", "operands", "recursion")
  end)
end)
