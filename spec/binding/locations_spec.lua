-- The frontend's positions: where they are given back, with the end of what is there.
local phial = require "phial"
local refused = require "spec.support.refused"

local function func(opts)
  local fn = phial.fn("f", { "n:i64" }, "i64", opts or { rules = false })
  return fn, fn:entry()
end

describe("a position", function()
  it("may have an end", function()
    local fn, entry = func()
    fn:set_loc(12, 3, "a.src", 12, 9)
    local v = entry:add(fn:arg(1), 1)
    fn:set_loc(12, 3, nil, nil, 9)
    local w = entry:add(v, 1)
    fn:set_loc(12, nil, nil, 14)
    local u = entry:add(w, 1)
    assert.same({ 12, 3, "a.src", 12, 9 }, { v:loc() })
    assert.same({ 12, 3, nil, 12, 9 }, { w:loc() })
    assert.same({ 12, nil, nil, 14, nil }, { u:loc() })
    fn:set_loc(u:loc())
    assert.same({ 12, nil, nil, 14 }, { entry:add(u, 1):loc() })
  end)

  it("is given to values later", function()
    local fn, entry = func()
    local v = entry:add(fn:arg(1), 1)
    v:set_loc(3, 4, "x")
    assert.same({ 3, 4, "x" }, { v:loc() })
    v:set_loc(5, 1, nil, 6, 2)
    assert.same({ 5, 1, nil, 6, 2 }, { v:loc() })
    entry:ret(v)
    fn:finish()
    local version = fn:version()
    v:set_loc()
    assert.is_nil(v:loc())
    assert.is_true(fn:version() > version)
  end)

  it("appears in the text with its end, and is read from there", function()
    local fn, entry = func()
    local v = fn:arg(1)
    for _, at in ipairs { { 12, 3, nil, 12, 9 }, { 12, 3, "f \"x\"", 14, 1 }, { 12, nil, nil, 12 },
      { 12, 4, nil, 13 }, { 12, nil, nil, 12, 5 } } do
      fn:set_loc(table.unpack(at, 1, 5))
      v = entry:add(v, 1)
    end
    fn:set_loc()
    entry:ret(v)
    local text = tostring(fn:finish())
    local found = {}
    for at in text:gmatch "@ ([^\n]*)" do found[#found + 1] = at end
    assert.same({ "12:3-12:9", '"f \\"x\\"":12:3-14:1', "12-12", "12:4-13", "12-12:5" }, found)
    assert.equal(text, tostring(phial.parse(text)))
  end)

  it("must not end before it begins", function()
    local fn, entry = func()
    local v = entry:add(fn:arg(1), 1)
    for _, it in ipairs { fn, v } do
      refused(fn, "bad argument #4 to 'set_loc' (the end precedes the beginning)",
        function() it:set_loc(12, 3, nil, 11, 9) end)
      refused(fn, "bad argument #5 to 'set_loc' (the end precedes the beginning)",
        function() it:set_loc(12, 3, nil, 12, 2) end)
      refused(fn, "bad argument #1 to 'set_loc' (the line of the beginning expected, got nil)",
        function() it:set_loc(nil, nil, nil, 12) end)
    end
    fn:set_loc(12, 3)
    entry:ret(v)
    local text = tostring(fn:finish())
    for _, at in ipairs { "12:3-11:9", "12:3-12:2", "12:3-0", "12-11" } do
      local none, message = phial.parse((text:gsub("12:3", at)))
      assert.is_nil(none)
      assert.truthy(message:find("the end precedes the beginning", 1, true), message)
    end
  end)

  it("is refused for a constant", function()
    local fn = func()
    refused(fn, "'7' is a constant: it cannot have a position",
      function() fn:const(7):set_loc(1) end)
  end)

  it("has its end in events, reads without a definition, and traces", function()
    local events = {}
    local fn, entry = func { rules = false, log = function(e) events[e.event] = e.loc end }
    local trace = phial.record(fn)
    local x = fn:var "x"
    fn:set_loc(12, 3, nil, 12, 9)
    local v = entry:read(x)
    fn:set_loc(13, 1, "g", 14)
    entry:ret(v)
    fn:finish()
    assert.same({ line = 12, col = 3, end_line = 12, end_col = 9 }, events.read)
    assert.same({ line = 13, col = 1, end_line = 14, file = "g" }, events.filled)
    assert.same({ line = 12, col = 3, end_line = 12, end_col = 9 }, fn:undefined_reads()[1].loc)
    local text = trace:text()
    assert.truthy(text:find('\n@ 12 3 "" 12 9\n', 1, true), text)
    assert.truthy(text:find('\n@ 13 1 "g" 14\n', 1, true), text)
    local again = phial.replay(text)
    assert.equal(tostring(fn), tostring(again))
  end)
end)
