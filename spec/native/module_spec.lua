-- Modules as C and native code: globals, declarations, addresses, names.
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local phial = require "phial"
local refused = require "spec.support.refused"
local results = require "spec.support.results"

-- A function of one block; body gets the function and the block, and returns the result.
local function add(m, name, params, result, body)
  local fn = m:fn(name, params, result)
  local v = body(fn, fn:entry())
  if v ~= nil then fn:entry():ret(v) else fn:entry():ret() end
  return fn
end

local SAMPLES = {
  { "i1", true }, { "i8", -128 }, { "i16", 40000 - 65536 }, { "i32", -2147483648 },
  { "i64", math.mininteger }, { "f32", 0.1 }, { "f64", 1 / 0 }, { "f64", 0 / 0 }, { "f64", -0.0 },
  { "i64", nil }, { "f32", -1.5 },
}

-- A module that reads globals of each type, counts, and calls through addresses.
local function sample()
  local m = phial.module("sample", { where = false })
  for i, row in ipairs(SAMPLES) do
    local g = m:global("g" .. i, row[1], row[2], { constant = i % 2 == 0 })
    add(m, "get" .. i, {}, row[1], function(_, b) return b:load(b:address(g), row[1]) end)
  end
  local bytes = m:global("bytes", 6, "a\0\"\xff", { linkage = "internal", align = 64 })
  add(m, "byte", { "i:i64" }, "i8", function(fn, b)
    return b:load(b:ptradd(b:address(bytes), fn:arg(1)), "i8")
  end)
  add(m, "aligned", {}, "i64", function(_, b)
    return b:band(b:bitcast(b:address(bytes), "i64"), 63)
  end)
  m:global("link", "ptr", "later")
  m:global("later", "i64", 41)
  m:global("double", "ptr", "twice", { constant = true })
  m:global("exact", 3, "xyz")
  local counter = m:global("counter", "i64", 0, { linkage = "internal" })
  add(m, "count", {}, "i64", function(_, b)
    local p = b:address(counter)
    b:store(p, b:add(b:load(p, "i64"), 1))
    return b:load(p, "i64")
  end)
  add(m, "twice", { "x:i64" }, "i64", function(fn, b) return b:add(fn:arg(1), fn:arg(1)) end)
  add(m, "through", {}, "i64", function(_, b)
    local later = b:load(b:load(b:address "link", "ptr"), "i64")
    return b:call(b:load(b:address "double", "ptr"), "i64", later)
  end)
  add(m, "third", {}, "i8", function(_, b) return b:load(b:ptradd(b:address "exact", 2), "i8") end)
  return m:finish()
end

local function single(x) return (string.unpack("<f", string.pack("<f", x))) end

local ZERO = { i64 = 0 }

describe("a module compiled by", function()
  compilers.each(pending, function(cc)
    it(cc .. " has globals and functions as it says", function()
      local lib <close> = sample():compile(compilers.options(cc))
      for i, row in ipairs(SAMPLES) do
        local expected = row[2]
        if expected == nil then expected = ZERO[row[1]] end
        if row[1] == "f32" then expected = single(expected) end
        assert(results.same(expected, lib:call("get" .. i)), ("%s %s"):format(row[1], expected))
      end
      local bytes = {}
      for i = 0, 5 do bytes[i + 1] = lib:call("byte", i) end
      assert.same({ 97, 0, 34, -1, 0, 0 }, bytes)
      assert.equal(0, lib:call "aligned")
      assert.same({ 1, 2, 3 }, { lib:call "count", lib:call "count", lib:call "count" })
      assert.equal(82, lib:call "through")
      assert.equal(("z"):byte(), lib:call "third")
    end)
  end)

  it("any compiler has data of its own", function()
    local m = sample()
    local one <close> = m:compile { flags = "-O0" }
    local two <close> = m:compile { flags = "-O0" }
    assert.same({ 1, 2, 1 }, { one:call "count", one:call "count", two:call "count" })
  end)
end)

-- The program prints what its variadic call gets.
local function program()
  local m = phial.module("program", { where = false })
  m:declare("printf", { "format:ptr" }, "i32", { variadic = true })
  m:declare("strlen", { "s:ptr" }, "i64")
  m:global("format", 40, "%d %d %.1f %lld %s\n", { constant = true })
  m:global("a b", 8, "int")
  add(m, "abs", { "x:i64" }, "i64", function(fn, b)
    return b:select(b:slt(fn:arg(1), 0), b:neg(fn:arg(1)), fn:arg(1))
  end)
  local main = m:fn("main", {}, "i32")
  local b = main:entry()
  b:call("printf", false, b:address "format", main:const(-1, "i8"), main:const(true, "i1"),
    main:const(1.5, "f32"), b:call("abs", "i64", -5), b:address "a b")
  b:ret(b:trunc(b:call("strlen", "i64", b:address "a b"), "i32"))
  return m:finish()
end

describe("a program written as C", function()
  compilers.each(pending, function(cc)
    it("runs, compiled by " .. cc .. " without warnings", function()
      local name = os.tmpname()
      file.write(name .. ".c", phial.emit.c(program()))
      local flags = compilers.STRICT[cc]
      assert(os.execute(("env -u LD_PRELOAD %s -std=c11 %s -o %s %s.c"):format(cc, flags, name,
        name)))
      local pipe = assert(io.popen(name))
      local out = pipe:read "a"
      local _, _, status = pipe:close()
      os.remove(name)
      os.remove(name .. ".c")
      assert.same({ "-1 1 1.5 5 int\n", 3 }, { out, status })
    end)
  end)
end)

it("what a module does not have, C declares as it is called", function()
  local fn = phial.fn("f", { "x:f64" }, "f64")
  fn:entry():ret(fn:entry():call("floor", "f64", fn:arg(1)))
  local lib <close> = fn:finish():compile()
  assert.equal(-2.0, lib:call("f", -1.5))
end)

it("a declaration cannot be compiled alone", function()
  local m = phial.module "m"
  local f = m:declare("f", {}, "i64")
  refused(nil, "function 'f' is a declaration: it has no body", function() f:compile() end)
end)
