-- The option `undef` as a function: when it is called, what it may return and do.
local phial = require "phial"

describe("the undef function", function()
  local function with(undef)
    local fn = phial.fn("f", { "n:i64" }, "i64", { undef = undef })
    return fn, fn:entry(), fn:var "x"
  end

  it("is asked once for a variable", function()
    local asked = {}
    local fn, entry, x = with(function(var)
      asked[#asked + 1] = var
      return 7
    end)
    local y = fn:var "y"
    assert.equal(7, (entry:read(x):const()))
    assert.equal(7, (entry:read(x):const()))
    assert.equal(7, (entry:read(y):const()))
    assert.same({ x, y }, asked)
  end)

  it("may answer with an argument or a constant", function()
    local fn, entry, x
    fn, entry, x = with(function() return fn:arg(1) end)
    assert.equal(fn:arg(1), entry:read(x))
  end)

  it("is asked when sealing tells", function()
    local asked = 0
    local fn, entry, x = with(function() asked = asked + 1 return 3 end)
    local b = fn:block "b"
    local v = b:read(x)
    assert.equal("phi", v:op())
    entry:jump(b)
    assert.equal(0, asked)
    b:seal()
    assert.equal(3, (v:const()))
    b:ret(v)
    fn:finish()
    assert.equal(1, asked)
  end)

  it("must answer with something of the variable's type", function()
    for _, case in ipairs {
      { function() end, "nil" }, { function() return "1" end, "a string" },
      { function() return 1.5 end, "1.5" }, { function() return {} end, "a table" },
    } do
      local _, entry, x = with(case[1])
      local ok, err = pcall(function() return entry:read(x) end)
      assert.is_false(ok)
      assert.equal("the undef function must return a constant or an argument of type i64 for "
        .. "variable 'x', got " .. case[2], (err:gsub("^[^:]+:%d+: ", "")))
    end
  end)

  it("must not answer with an undef value", function()
    local undef
    local fn, entry, x = with(function() return undef end)
    undef = fn:undef "i64"
    assert.error_matches(function() entry:read(x) end, "got i64 'undef:i64'$")
  end)

  it("raises through the call, and is asked again", function()
    local fail = true
    local fn, entry, x = with(function(var)
      if fail then error { var = var } end
      return 7
    end)
    local done = fn:block("done", 1)
    local function failing(...)
      local ok, err = pcall(...)
      assert.is_false(ok)
      assert.equal(x, err.var)
    end
    failing(entry.read, entry, x)
    failing(entry.read, entry, x)
    failing(entry.jump, entry, done)
    assert.is_true(done:is_sealed())
    failing(done.ret, done, 0)
    failing(fn.finish, fn)
    fail = false
    fn:finish()
    assert(fn:verify())
  end)

  it("reads the function and does not change it", function()
    local fn, entry, x
    local message = "calling '%s': function 'f' is waiting for a callback of yours (undef, log or "
      .. "of a rule): it %s"
    local methods = { "add", "read", "block", "finish", "var", "const", "close", "__close" }
    local errors, text = {}, nil
    fn, entry, x = with(function()
      local function note(f, ...) errors[#errors + 1] = select(2, pcall(f, ...)) end
      note(function() entry:add(1, 2) end)
      note(function() entry:read(x) end)
      note(function() fn:block "b" end)
      note(function() fn:finish() end)
      note(function() fn:var "v" end)
      note(function() fn:const(1) end)
      note(function() fn:close() end)
      note(function() getmetatable(fn).__close(fn) end)
      text = fn:text()
      return 0
    end)
    assert.equal(0, (entry:read(x):const()))
    assert.equal("fn f", text:sub(1, 4))
    assert.equal(8, #errors)
    for i, err in ipairs(errors) do
      err = err:gsub("^[^:]+:%d+: ", "")
      assert.equal(message:format(methods[i], i < 7 and "can be read, not changed"
        or "cannot be closed"), err)
    end
  end)

  it("does not yield", function()
    local _, entry, x = with(function() coroutine.yield() end)
    local _, err = coroutine.resume(coroutine.create(function() entry:read(x) end))
    assert.matches("^spec/binding/undef_spec.lua:%d+: the undef function may not yield$", err)
  end)
end)
