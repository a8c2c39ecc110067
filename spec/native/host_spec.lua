-- Native code and C functions that use Lua.
local phial = require "phial"

-- So that native code finds the module's functions.
assert(package.loadlib(assert(package.searchpath("spec.support.native", package.cpath)), "*"))
require "spec.support.native"
local raises = require "spec.support.raises"

-- A function that calls back: f(x) = 1 + callback(x), after an alloca.
local function calling()
  local m = phial.module "m"
  m:declare("phial_spec_callback", { "x" }, "i64")
  local fn = m:fn("f", { "x" }, "i64")
  local b = fn:entry()
  local p = b:alloca(16)
  b:store(p, fn:arg(1))
  b:ret(b:add(b:call("phial_spec_callback", nil, b:load(p, "i64")), 1))
  local div = m:fn("div", { "x" }, "i64")
  div:entry():ret(div:entry():sdiv(1, div:arg(1)))
  return m:finish()
end

describe("native code that calls C that calls Lua", function()
  local lib
  setup(function() lib = calling():compile { flags = "-O1" } end)
  teardown(function() _G.callback = nil end)

  it("is called by it again", function()
    _G.callback = function(x) return x > 0 and lib:call("f", x - 1) or 0 end
    assert.equal(6, lib:call("f", 5))
  end)

  it("can be left by an error, and is used afterwards", function()
    _G.callback = function(x) error({ x = x }) end
    for i = 1, 300 do
      raises.same({ x = i }, lib:get "f", i)
    end
    _G.callback = function(x) return lib:call("div", x) end
    raises.equal("div: 'sdiv 1, %x' in block 'entry': division by zero", lib:get "f", 0)
    _G.callback = function(x)
      if x == 0 then error "none" end
      return pcall(lib:get "f", x - 1) and 1 or 2
    end
    assert.equal(3, lib:call("f", 1))
    _G.callback = function(x) return x end
    assert.equal(8, lib:call("f", 7))
  end)

  it("cannot be closed until then", function()
    _G.callback = function() return pcall(lib.close, lib) and 1 or 2 end
    assert.equal(3, lib:call("f", 1))
    _G.callback = error
    assert.is_false(pcall(lib:get "f", 1))
    lib:close()
    assert.equal("phial.Library (closed)", tostring(lib))
  end)
end)
