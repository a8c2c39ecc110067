-- Functions of Lua that native code calls: the option env of `compile`.
local compilers = require "spec.support.compilers"
local native = require "phial.native"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local state = require "spec.support.state"
local under = require "spec.support.under"

-- f(x) calls host(x) and adds 1; g calls f.
local function calling()
  local m = phial.module "m"
  m:declare("host", { "x:i64" }, "i64")
  m:build("f", { "x:i64" }, "i64", function(b, v)
    local p = b:alloca(16)
    b:store(p, v.x)
    b:ret(b:call("host", nil, b:load(p, "i64")) + 1)
  end)
  m:build("div", { "x:i64" }, "i64", function(b, v) b:ret(b:sdiv(1, v.x)) end)
  return m:finish()
end

local IN_F <const> = "f: 'call @host %x' in block 'entry': "

describe("native code", function()
  local m, host, lib, instance = calling(), nil, nil, nil
  setup(function()
    lib = m:compile { env = { host = function(...) return host(...) end }, flags = "-O1" }
    instance = m:instance { env = { host = function(...) return host(...) end } }
    collectgarbage()
    collectgarbage()
  end)

  it("calls functions of Lua, which call it", function()
    host = function(x) return 2 * x end
    assert.equal(11, lib:call("f", 5))
    host = function(x) return x > 0 and lib:call("f", x - 1) or 0 end
    assert.equal(31, lib:call("f", 30))
    host = function(x) return lib:call("div", x) + instance:call("div", x) end
    assert.equal(3, lib:call("f", 1))
  end)

  it("refuses a result that does not fit, as an instance does", function()
    local function bad(value)
      host = function() return value end
      local why = raises.matching("^f: .*: result: i64 expected, got", lib.call, lib, "f", 1)
      raises.equal(why, instance.call, instance, "f", 1)
    end
    for _, it in ipairs { 1.5, "1", true, {}, print } do bad(it) end
    bad(nil)
    host = function() end
    raises.equal(IN_F .. "result: i64 expected, got nil", lib.call, lib, "f", 1)
    host = function() return 7, "more" end
    assert.equal(8, lib:call("f", 1))
  end)

  it("lets errors through, and is used afterwards", function()
    local object = setmetatable({}, {})
    for _, it in ipairs { object, 7, "text", false } do
      host = function() error(it, 0) end
      for _ = 1, 300 do assert.same({ false, it }, { pcall(lib.call, lib, "f", 1) }) end
    end
    host = function() error(nil) end
    assert.is_false(pcall(lib.call, lib, "f", 1))
    host = function(x) return lib:call("div", x) end
    raises.equal("div: 'sdiv 1, %x' in block 'entry': division by zero", lib.call, lib, "f", 0)
    host = function(x)
      return x == 0 and error "none" or pcall(lib:get "f", x - 1) and 1 or 2
    end
    assert.equal(3, lib:call("f", 1))
    host = function(x) return x end
    assert.equal(8, lib:call("f", 7))
  end)

  it("does not let functions yield, in coroutines and outside", function()
    host = function() return coroutine.yield() end
    local why = IN_F .. "'host' may not yield"
    raises.equal(why, lib.call, lib, "f", 1)
    local co = coroutine.create(function() return lib:call("f", 1) end)
    assert.same({ false, why }, { coroutine.resume(co) })
    assert.equal("dead", coroutine.status(co))
    host = function(x)
      local inner = coroutine.wrap(function()
        coroutine.yield(x)
        if x == 1 then coroutine.yield(lib:call("div", 1)) end
        host = coroutine.yield
        return lib:call("f", 1)
      end)
      return inner() + inner() + (x == 1 and 0 or inner())
    end
    assert.equal(3, lib:call("f", 1))
    raises.with(why, lib.call, lib, "f", 2)
    host = function(x) return pcall(coroutine.yield) and 1 or x end
    assert.equal(8, lib:call("f", 7))
  end)

  it("traps when calls are nested too deep", function()
    host = function(x) return lib:call("f", x) end
    raises.equal(IN_F .. "stack overflow", lib.call, lib, "f", 1)
    local depth, whys = 0, {}
    host = function(x)
      local ok, why = pcall(lib.call, lib, "f", x)
      if not ok then whys[#whys + 1] = why end
      return ok and why + 1 or 0
    end
    assert.truthy(lib:call("f", 1) > 30)
    assert.same({ IN_F .. "stack overflow" }, whys)
    host = function(x)
      depth = depth + 1
      return (("x"):gsub("x", function() lib:call("f", x) end))
    end
    raises.equal(IN_F .. "stack overflow", lib.call, lib, "f", 1)
    assert.truthy(depth > 20)
    host = function(x)
      return coroutine.wrap(function() return lib:call("f", x) end)()
    end
    raises.with("stack overflow", lib.call, lib, "f", 1)
    host = function(x) return x end
    assert.equal(2, lib:call("f", 1))
  end)

  it("lets the end of memory through", function()
    local script = [[
      local phial = require "phial"
      local m, lib = phial.module "m", nil
      m:declare("host", { "x:i64" }, "i64")
      m:build("f", { "x:i64" }, "i64", function(b, v) b:ret(b:call("host", nil, v.x) + 1) end)
      m:build("g", { "x:i64" }, "i64", function(b, v) b:ret(b:call("f", nil, v.x)) end)
      lib = m:finish():compile { flags = "-O0", env = { host = function(x)
        local t = {}
        for i = 1, 4 do t[i] = { i .. "" } end
        return x > 0 and lib:call("g", x - 1) or #t
      end } }
      lib:call("g", 2)
      collectgarbage()
      return function() assert(lib:call("g", 2) == 7) end, function(ok, why)
        if not ok then assert(why == "not enough memory", why) end
        assert(lib:call("g", 3) == 8)
        lib:close()
      end]]
    local why, count = state.run(script, nil, math.maxinteger, math.maxinteger)
    assert.is_nil(why)
    local from = math.max(1, count - 20)
    for k = from, count, (under.slow or under.brief) and 7 or 2 do
      assert.is_nil((state.run(script, nil, k, k + 1)), ("at allocation %d of %d"):format(k, count))
    end
  end)

  it("is not unloaded while it calls", function()
    host = function(x)
      collectgarbage()
      assert(not pcall(lib.close, lib))
      return x
    end
    assert.equal(2, lib:call("f", 1))
    do
      local f = m:compile { env = { host = function() collectgarbage() return 4 end } }:get "f"
      collectgarbage()
      collectgarbage()
      assert.equal(5, f(1))
    end
    collectgarbage()
    local other = m:compile { env = { host = function() error "left" end } }
    assert.is_false(pcall(other.call, other, "f", 1))
    other:close()
    assert.equal("phial.Library (closed)", tostring(other))
  end)
end)

-- Each type goes out and back.
local TYPES <const> = { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" }
local VALUES <const> = {
  i1 = { true, false }, i8 = { -128, 127, -1 }, i16 = { -32768, 5 }, i32 = { -1 << 31, 7 },
  i64 = { math.mininteger, -1 }, f32 = { 0.5, -0.0, 1 / 0 }, f64 = { 0.1, -1 / 0 },
  ptr = { 4096, -1 },
}

compilers.each(pending, function(cc)
  it("values of all types pass between functions of Lua and code of " .. cc, function()
    local m, params = phial.module "m", {}
    local env = { nothing = function(...) assert(select("#", ...) == 0) return 1 end }
    for i, type in ipairs(TYPES) do
      m:declare("h_" .. type, { "x:" .. type }, type)
      env["h_" .. type] = function(x) return x end
      m:build(type, { "x:" .. type }, type, function(b, v)
        b:ret(b:call("h_" .. type, nil, v.x))
      end)
      params[i] = "x" .. i .. ":" .. type
    end
    m:declare("all", params, "f64")
    m:declare("nothing", {})
    m:build("call_all", params, "f64", function(b, v)
      local list = {}
      for i = 1, #TYPES do list[i] = v["x" .. i] end
      b:call "nothing"
      b:ret(b:call("all", nil, table.unpack(list)))
    end)
    local seen
    function env.all(...)
      seen = { ... }
      return #seen
    end
    m:finish()
    local opts = compilers.options(cc)
    opts.env = env
    local lib <close> = m:compile(opts)
    for type, values in pairs(VALUES) do
      for _, x in ipairs(values) do
        local got = lib:call(type, x)
        assert.equal(x, got)
        assert.equal(math.type(x), math.type(got))
      end
    end
    local args = {}
    for i, type in ipairs(TYPES) do args[i] = VALUES[type][1] end
    assert.equal(8.0, lib:call("call_all", table.unpack(args)))
    assert.same(args, seen)
  end)
end)

describe("a function of Lua", function()
  it("has an address if it is declared, also for C", function()
    local m = phial.module "m"
    m:declare("less", { "a:ptr", "b:ptr" }, "i32")
    m:declare("qsort", { "p:ptr", "n:i64", "size:i64", "f:ptr" })
    m:declare("narrow", { "x:i8" }, "i8")
    m:global("numbers", 32)
    m:global("to", "ptr", "narrow")
    m:declare("odd", { "x:any" }, "i64")
    m:declare("variadic", { "x:i64" }, "i64", { variadic = true })
    m:build("sort", {}, nil, function(b)
      b:call("qsort", nil, b:address "numbers", 4, 8, b:address "less")
      b:ret()
    end)
    m:build("through", { "x:i8" }, "i8", function(b, v)
      b:ret(b:call(b:load(b:address "to", "ptr"), "i8", v.x))
    end)
    m:finish()
    local lib
    lib = m:compile { env = {
      less = function(a, b)
        a, b = lib:load(a, "i64"), lib:load(b, "i64")
        return a < b and -1 or a > b and 1 or 0
      end,
      narrow = function(x) return x == -3 and 200 or "none" end,
      odd = print, variadic = print,
    } }
    lib:store("to", "ptr", lib:address "narrow")
    lib:set_bytes("numbers", ("<i8i8i8i8"):pack(3, -1, 2, 7))
    lib:call "sort"
    assert.equal(("<i8i8i8i8"):pack(-1, 2, 3, 7), lib:bytes "numbers")
    assert.equal(-56, lib:call("through", -3))
    raises.equal("'narrow': result: i8 expected, got a string", lib.call, lib, "through", 1)
    lib:close()
  end)

  it("is called directly, and by calls whose number of arguments varies", function()
    local m = phial.module "m"
    m:declare("more", { "x:i64" }, "i64", { variadic = true })
    m:build("f", { "x:i64" }, "i64", function(b, v)
      b:ret(b:call(math.abs, "i64", v.x) + b:call("more", "i64", 1)
        + b:call("more", "i64", 1, b:const(2.5, "f64"), b:const(-1, "i8")))
    end)
    m:build("bad", {}, "i64", function(b) b:ret(b:call(tostring, "i64", 1)) end)
    m:build("waits", {}, nil, function(b)
      b:call(coroutine.yield)
      b:ret()
    end)
    m:finish()
    local seen = {}
    local lib <close> = m:compile { env = { more = function(...)
      seen[#seen + 1] = { ... }
      return 100
    end } }
    assert.equal(205, lib:call("f", -5))
    assert.same({ { 1 }, { 1, 2.5, -1 } }, seen)
    raises.equal("bad: 'call 1' in block 'entry': result: i64 expected, got a string",
      lib.call, lib, "bad")
    raises.equal("waits: 'call' in block 'entry': the function may not yield",
      lib.call, lib, "waits")
  end)

  it("is called by tail calls", function()
    if under.brief or not compilers.has "clang" then return pending "clang, and make check" end
    local m = phial.module "m"
    m:declare("host", { "x:i64" }, "i64")
    m:build("f", { "x:i64" }, "i64", function(b, v) b:tail_call("host", v.x) end)
    m:finish()
    local lib <close> = m:compile { cc = compilers.command "clang",
      env = { host = function(x) return x == 1 and 5 or nil end } }
    assert.equal(5, lib:call("f", 1))
    raises.equal("f: 'tail_call @host %x' in block 'entry': result: i64 expected, got nil",
      lib.call, lib, "f", 2)
  end)
end)

it("env gives functions and globals of phial, and addresses", function()
  local other = phial.module "other"
  local g = other:global("g", "i64", 40)
  local twice = other:build("twice", { "x:i64" }, "i64", function(b, v) b:ret(v.x * 2) end)
  other:finish()
  local m = phial.module "m"
  m:declare("double", { "x:i64" }, "i64")
  m:declare_global("data", "i64")
  m:declare_global("far", "i64")
  m:build("f", {}, "i64", function(b)
    b:ret(b:call("double", nil, b:load(b:address "data", "i64")) + b:load(b:address "far", "i64")
      + b:call(b:address "double", "i64", 1))
  end)
  m:finish()
  local owner <close> = other:compile()
  local lib <close> = m:compile { env = { double = twice, data = g, far = owner:address "g" } }
  assert.equal(122, lib:call "f")
  owner:store("g", "i64", 50)
  assert.equal(132, lib:call "f")
  assert.equal(owner:address "g", lib:address "far")
  lib:store("far", "i64", 60)
  lib:store("data", "i64", 1)
  assert.equal(64, lib:call "f")
end)

describe("compiling is refused", function()
  it("without what a module declares", function()
    local m = calling()
    refused(nil, IN_F .. "there is no 'host' in the option env, and no such symbol of C",
      function() m:compile { env = { hos = print } } end)
    local fn = phial.fn("f", {}, nil)
    fn:entry():call("h", false)
    fn:entry():ret()
    fn:finish()
    refused(fn, "f: 'call @h' in block 'entry': there is no 'h' in the option env, and no such "
      .. "symbol of C", function() fn:compile() end)
    local data = phial.module "data"
    data:declare_global("phial_spec_missing", "i64")
    data:global("link", "ptr", "phial_spec_missing")
    data:finish()
    refused(nil, "global 'link': there is no 'phial_spec_missing' in the option env, and no such "
      .. "symbol of C", function() data:compile() end)
  end)

  it("with an env that does not fit", function()
    local m = calling()
    refused(nil, "option 'env': table expected, got 1", function() m:compile { env = 1 } end)
    refused(nil, "option 'env': 'host' is declared as a function, and is 5",
      function() m:compile { env = { host = 5 } } end)
    local fn = phial.fn("h", {}, "ptr")
    fn:entry():ret(fn:entry():address "host")
    fn:finish()
    refused(fn, "h: 'address @host' in block 'entry': 'host' is a function of Lua: it must be "
      .. "declared, since it has an address", function() fn:compile { env = { host = print } } end)
    local other = phial.build("other", { "x:f64" }, "i64", function(b) b:ret(1) end)
    raises.with("argument 1 of function 'other' is of type f64, not i64",
      m.compile, m, { env = { host = other } })
    assert.equal(1, native.compile({ other }, { env = {} }):call("other", 1))
  end)
end)
