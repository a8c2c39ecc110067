-- The README's example runs as printed and prints what the README says.
local function slurp(path)
  local f <close> = assert(io.open(path))
  return f:read "a"
end

describe("the README's example", function()
  it("prints what stands below it", function()
    local source, expected = slurp("README.md"):match "```lua\n(.-)```.-```\n(.-)```"
    local printed = {}
    local env = setmetatable({
      print = function(...) printed[#printed + 1] = tostring((...)) end,
    }, { __index = _G })
    assert(load(source, "=README.md", "t", env))()
    assert.equal(expected, table.concat(printed, "\n"))
  end)
end)
