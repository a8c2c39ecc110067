-- Limits of Lua do not limit functions; where one must, it is named.
local core = require "phial.core"
local phial = require "phial"
local refused = require "spec.support.refused"

-- More gotos than can be under way in a Lua function (32,767).
local MANY, MORE = 40000, 32800

local function targets(odd, even, n)
  local list = {}
  for i = 1, n do list[i] = i % 2 == 1 and odd or even end
  return list
end

describe("a function", function()
  it("with a switch of 40,000 cases runs, and is source that can be loaded", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false, where = false })
    local odd, even = fn:block "odd", fn:block "even"
    fn:entry():switch(fn:arg(1), even, targets(odd, even, MANY))
    odd:seal()
    even:seal()
    odd:ret(1)
    even:ret(2)
    fn:finish()
    assert.same({ 1, 2, 1, 2, 2 }, { fn(1), fn(2), fn(MANY - 1), fn(MANY), fn(-1) })
    refused(fn, "function 'f' is too large for one Lua function: it has 40001 gotos, and Lua "
      .. 'allows 32767; leave out form = "goto"',
      function() phial.emit.lua(fn, { form = "goto" }) end)
  end)

  it("with as many gotos as Lua allows is one Lua function", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false, where = false })
    local last, near, far = 32766, fn:block "near", fn:block "far"
    local list = targets(far, far, last)
    fn:entry():switch(fn:arg(1), near, list)
    near:seal()
    far:seal()
    near:ret(1)
    far:ret(2)
    fn:finish()
    local source, host = phial.emit.lua(fn, { form = "goto" })
    local loaded = assert(load(source))(host)
    assert.same({ 1, 2, 2, 1 }, { loaded(0), loaded(1), loaded(last), loaded(last + 1) })
  end)

  it("runs with many gotos of several kinds: cases, phis, a dialect's targets", function()
    local D = phial.dialect("d", {
      go = { args = 1, terminator = true, targets = "*", eval = function(i) return i end },
    })
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false, where = false })
    local b, join, other, x = fn:entry(), fn:block "join", fn:block "other", fn:var "x"
    local first, second = fn:block "first", fn:block "second"
    b:write(x, 70)
    b:switch(fn:arg(1), other, targets(join, join, MORE))
    other:seal()
    other:write(x, 80)
    other:jump(join)
    join:seal()
    join:emit(D.go, fn:arg(1), targets(first, second, MORE + 2))
    first:seal()
    second:seal()
    first:ret(first:add(first:read(x), 1))
    second:ret(second:add(second:read(x), 2))
    fn:finish()
    assert.same({ 71, 72, 72, 81 }, { fn(1), fn(2), fn(MORE), fn(MORE + 1) })
  end)
end)

it("a function that exceeds a limit of Lua all the same is named", function()
  local fn = phial.fn "f"
  fn:entry():ret()
  fn:finish()
  local loads = core.load
  core.load = function() return nil, "f:1: control structure too long near 'end'" end
  local ok, why = pcall(fn)
  core.load = loads
  assert.is_false(ok)
  assert.matches(": function 'f' exceeds a limit of Lua: f:1: control structure too long", why)
end)
