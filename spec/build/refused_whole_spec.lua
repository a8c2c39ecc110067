-- A structure that is refused changes nothing.
local phial = require "phial"

local function nothing() end

local other = phial.fn("g", { "a:i1", "n" })

-- Calls of a body, each refused before it has made anything.
local TRIES <const> = {
  ["if_ of a foreign value"] = function(b) b:if_(other:arg(1), nothing) end,
  ["switch_ of a foreign value"] = function(b) b:switch_(other:arg(2), { nothing }) end,
  ["and_ of a foreign value"] = function(b) b:and_(other:arg(1), nothing) end,
  ["or_ of a foreign value"] = function(b) b:or_(other:arg(1), nothing) end,
  ["switch_ with an arm that is none"] = function(b) b:switch_(b:arg(1), { true }) end,
  ["for_ from a foreign value"] = function(b) b:for_("i", other:arg(2), b:arg(1), nothing) end,
  ["for_ to a foreign value"] = function(b) b:for_("i", b:arg(1), other:arg(2), nothing) end,
}
local WITHOUT_BLOCK <const> = {
  if_ = function(b, c) b:if_(c, nothing) end,
  switch_ = function(b, _, n) b:switch_(n, { nothing }) end,
  and_ = function(b, c) b:and_(c, nothing) end,
  for_ = function(b, _, n) b:for_("i", n, n, nothing) end,
  while_ = function(b) b:while_(nothing, nothing) end,
  loop = function(b) b:loop(nothing) end,
  repeat_ = function(b) b:repeat_(nothing, nothing) end,
  label = function(b) b:label "l" end,
  goto_ = function(b) b:goto_ "l" end,
}

local function leaves_nothing(try, without_block)
  phial.build("f", { "n", "c:i1" }, nil, function(b)
    local entry = b:current()
    if without_block then b:set_current(nil) end
    local c, n = b:arg(2), b:arg(1)
    local before = b.fn:text()
    assert.is_false((pcall(try, b, c, n)))
    assert.equal(before, b.fn:text())
    b:set_current(entry)
    b:ret()
  end)
end

describe("a structure changes nothing", function()
  for what, try in pairs(TRIES) do
    it("refused: " .. what, function() leaves_nothing(try) end)
  end
  for what, try in pairs(WITHOUT_BLOCK) do
    it("refused without a current block: " .. what, function() leaves_nothing(try, true) end)
  end
end)
