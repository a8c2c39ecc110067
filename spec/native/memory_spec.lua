-- Memory from outside: what instances and libraries have in common, by one script; and what only
-- the memory of a process has.
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local function module_of_globals()
  local m = phial.module "m"
  for _, type in ipairs { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" } do
    m:global("a_" .. type, type)
  end
  m:global("count", "i64", 10)
  m:global("text", 4, "abc", { constant = true })
  m:global("hidden", 16, "xyz", { linkage = "internal" })
  m:global("link", "ptr", m:ref("hidden", 1))
  m:build("next", { "step:i64" }, "i64", function(b, v)
    local p = b:address "count"
    b:store(p, b:add(b:load(p, "i64"), v.step))
    b:ret(b:load(p, "i64"))
  end)
  m:build("through", { "f:ptr", "x:i64" }, "i64", function(b, v)
    b:ret(b:call(v.f, "i64", v.x))
  end)
  m:declare("host", { "x:i64" }, "i64")
  return m:finish()
end

local VALUES <const> = {
  { "i1", true }, { "i8", -128 }, { "i8", 255 }, { "i16", -2 }, { "i32", 0xffffffff },
  { "i64", math.mininteger }, { "f32", 0.1 }, { "f32", 3 }, { "f64", -0.0 }, { "ptr", 1 << 63 },
}

-- What a host does to the memory, and what it sees.
local function script(host)
  local seen = {}
  local function see(...) seen[#seen + 1] = table.pack(...) end
  -- an error, without its position, and without an address of the host
  local function try(address, method, ...)
    local _, why = pcall(host[method], host, ...)
    why = tostring(why):gsub("^[^ ]*: ", "")
    if address then why = why:gsub(("0x%x"):format(address), "there") end
    see(why)
  end
  see(host:call("next", 1), host:load("count", "i64"), host:bytes "text", host:bytes("text", 2))
  host:store("count", "i64", 40)
  see(host:call("next", 2), host:set_bytes("count", "\1\2") == host, host:load("count", "i64"))
  see(host:load(host:address "count" + 1, "i8"), host:bytes(host:address "text" + 1, 2))
  see(host:bytes(host:load("link", "ptr"), 3), host:bytes "hidden", host:bytes(0, 0))
  see(host:load("link", "ptr") - host:address "hidden")
  see(host:call("through", host:address "next", 5))
  for _, it in ipairs(VALUES) do
    local name = "a_" .. it[1]
    host:store(name, it[1], it[2])
    see(host:load(name, it[1]), math.type(host:load(name, it[1])))
  end
  try(nil, "load", 0, "i64")
  try(nil, "store", 8, "i64", 1)
  try(nil, "load", -1, "i8")
  try(nil, "bytes", 4, 1)
  try(nil, "bytes", 4, -1)
  try(nil, "set_bytes", 4, "x")
  try(nil, "set_bytes", -1, "xy")
  try(nil, "bytes", 1 << 60, 1)
  local count, constant = host:address "count", host:address "text"
  try(count + 1, "load", count + 1, "i32")
  try(count, "bytes", "count", 9000000)
  try(count, "set_bytes", "count", ("x"):rep(9000000))
  try(constant, "store", "text", "i8", 1)
  try(constant, "set_bytes", constant, "ab")
  for _, name in ipairs { "next", "host" } do
    try(nil, "bytes", name)
    try(nil, "load", name, "i8")
    try(nil, "store", name, "i8", 1)
    try(nil, "set_bytes", name, "x")
  end
  for _, args in ipairs {
    { "load", "count", "any" }, { "load", "coun", "i8" }, { "load", {}, "i8" },
    { "store", "count", "i8", 300 }, { "store", "count", "i64", "1" }, { "store", "count", 3, 3 },
    { "bytes", "count", "x" }, { "bytes", 1 << 20 }, { "set_bytes", "count", 1 },
    { "address", "cont" }, { "address", 1 },
  } do
    try(nil, table.unpack(args))
  end
  return seen
end

describe("an instance and a library", function()
  it("show and change their memory alike", function()
    local m = module_of_globals()
    local lib <close> = m:compile()
    local expected = script(m:instance())
    assert.same({ 11, 11, "abc\0", "ab", n = 4 }, expected[1])
    assert.same({ "load of i64 at 0x0: outside memory", n = 1 }, expected[7 + #VALUES])
    local found = script(lib)
    for i, it in ipairs(expected) do assert.same(it, found[i]) end
  end)
end)

describe("a library", function()
  it("has memory of its own, and shows that of the process", function()
    local m = module_of_globals()
    m:declare_global("environ", "ptr")
    m:declare("strlen", { "s:ptr" }, "i64")
    m:declare_global("phial_spec_missing", "ptr")
    local one <close> = m:compile()
    local two <close> = m:compile()
    one:store("count", "i64", 5)
    assert.equal(10, two:load("count", "i64"))
    assert.equal(5, two:load(one:address "count", "i64"))
    two:set_bytes(one:address "a_i64", "12345678")
    assert.equal("12345678", one:bytes "a_i64")
    assert.equal(3, one:call("through", one:address "strlen", one:address "text"))
    assert.truthy(one:load("environ", "ptr"))
    refused(nil, "'phial_spec_missing' has no address in the library",
      function() one:address "phial_spec_missing" end)
    refused(nil, "calling 'load' on bad self (phial.Library expected, got a table)",
      function() one.load({}, "count", "i64") end)
  end)

  it("knows where its globals end", function()
    local m = module_of_globals()
    local lib <close> = m:compile()
    local at = ("0x%x"):format(lib:address "hidden")
    refused(nil, "17 bytes at " .. at .. ": outside memory", function() lib:bytes("hidden", 17) end)
    refused(nil, "write of 17 bytes at " .. at .. ": outside memory",
      function() lib:set_bytes("hidden", ("x"):rep(17)) end)
    assert.equal("xyz" .. ("\0"):rep(13), lib:bytes "hidden")
  end)

  it("has the globals that a function reaches, which is compiled alone", function()
    local lib <close> = module_of_globals():get "next" :compile()
    assert.equal(12, lib:call("next", 2))
    assert.equal(12, lib:load("count", "i64"))
    refused(nil, "the library has no 'text' (did you mean 'next'?)",
      function() lib:bytes "text" end)
  end)

  it("has no memory when it is closed", function()
    local lib = module_of_globals():compile()
    local at = lib:address "count"
    lib:close()
    for method, args in pairs {
      load = { "count", "i64" }, store = { "count", "i64", 1 }, bytes = { "count" },
      set_bytes = { "count", "x" }, address = { "count" },
    } do
      raises.with(("calling '%s': the library is closed"):format(method), lib[method], lib,
        table.unpack(args))
    end
    raises.with("the library is closed", lib.load, lib, at, "i64")
  end)
end)

-- A memory that a program makes grow.
local function growing()
  local m = phial.module "m"
  m:global("memory", 65536, { { 8, "bytes", "hello" }, { 60000, "ptr", "memory" } },
    { reserve = 1 << 32 })
  m:global("empty", 0, nil, { reserve = 1 << 20, linkage = "internal" })
  m:global("link", "ptr", m:ref("memory", 8))
  m:declare("grow", { "n:i64" }, "i64")
  m:build("more", { "n:i64" }, "i64", function(b, v) b:ret(b:call("grow", nil, v.n)) end)
  m:build("at", { "i:i64" }, "i8", function(b, v)
    b:ret(b:load(b:ptradd(b:address "memory", v.i), "i8"))
  end)
  m:build("set", { "i:i64", "x:i8" }, "i64", function(b, v)
    b:store(b:ptradd(b:address "memory", v.i), v.x)
    local size = b:call("grow", nil, 65536)
    b:ret(size + b:load(b:ptradd(b:address "memory", v.i), "i8"):sext "i64")
  end)
  return m:finish()
end

-- The bytes of memory that this process has; 0 if that is not known.
local function resident()
  local f = io.open "/proc/self/status"
  if not f then return 0 end
  local text = f:read "a"
  f:close()
  return 1024 * (text:match "VmRSS:%s*(%d+)" or 0)
end

local GIB <const> = 1 << 30

describe("a global that can grow", function()
  local m, host = growing(), nil
  local env = { grow = function(n) return host:grow("memory", n) or -1 end }

  local function grow_it()
    local at, before = host:address "memory", resident()
    assert.equal(104, host:call("at", 8))
    assert.equal("hello", host:bytes(host:load("link", "ptr"), 5))
    assert.equal(at, host:load(at + 60000, "ptr"))
    assert.equal(65536, #host:bytes "memory")
    local beyond = ("0x%x: outside memory"):format(at + 65536)
    refused(nil, "load of i8 at " .. beyond, function() host:load(at + 65536, "i8") end)
    refused(nil, "store of i8 at " .. beyond, function() host:store(at + 65536, "i8", 1) end)
    refused(nil, "1 byte at " .. beyond, function() host:bytes(at + 65536, 1) end)
    refused(nil, ("2 bytes at 0x%x: outside memory"):format(at + 65535),
      function() host:bytes(at + 65535, 2) end)
    assert.equal(65536, host:call("more", 3 * GIB))
    assert.equal(3 * GIB + 65536, host:call("more", 0))
    assert.equal(-1, host:call("more", GIB))
    assert.equal(3 * GIB + 65536 + 5, host:call("set", 3 * GIB, 5))
    assert.equal(5, host:load(at + 3 * GIB, "i8"))
    assert.equal(0, host:load(at + 3 * GIB - 8, "i64"))
    assert.equal(3 * GIB + 2 * 65536, host:call("more", GIB - 2 * 65536))
    assert.equal(4 * GIB, host:grow("memory", 0))
    assert.is_nil(host:grow("memory", 1))
    host:set_bytes(at + 4 * GIB - 4, "last")
    assert.equal("last", host:bytes(at + 4 * GIB - 4, 4))
    refused(nil, ("write of 5 bytes at 0x%x: outside memory"):format(at + 4 * GIB - 4),
      function() host:set_bytes(at + 4 * GIB - 4, "lasts") end)
    assert.equal(at, host:address "memory")
    assert.equal("", host:bytes "empty")
    assert.equal(0, host:grow("empty", 3))
    assert.equal("\0\0\0", host:bytes "empty")
    assert.truthy(resident() - before < 64 << 20)
    refused(nil, "'link' cannot grow: it is a global without the option 'reserve'",
      function() host:grow("link", 1) end)
    refused(nil, "'at' cannot grow: it is a function without the option 'reserve'",
      function() host:grow("at", 1) end)
    refused(nil, "bad argument #2 to 'grow' (a number of bytes expected, got -1)",
      function() host:grow("memory", -1) end)
    refused(nil, "bad argument #2 to 'grow' (a number of bytes expected, got nil)",
      function() host:grow "memory" end)
  end

  it("does so in instances and libraries alike", function()
    host = m:instance { env = env }
    grow_it()
    local lib <close> = m:compile { env = env }
    host = lib
    grow_it()
    local other <close> = m:compile { env = env }
    assert.equal(65536, other:grow("memory", 1))
  end)

  it("is fresh in each run, and in each instance", function()
    local set, at = m:get "set", m:get "at"
    local none = { env = { grow = function() return 0 end } }
    for _ = 1, 2 do
      assert.equal(104, at(8))
      assert.equal(3, set(8, 3, none))
    end
    assert.equal(104, m:instance():call("at", 8))
    raises.with("load of i8 at 0x300010000: outside memory", at, 65536)
    for _ = 1, 300 do m:instance() end -- more than addresses exist, if none were given back
  end)

  it("has a text, which is read again", function()
    local text = m:text()
    assert.truthy(text:find("\nglobal memory: bytes 65536 reserve 4294967296 = { 8: ", 1, true))
    assert.truthy(text:find("\ninternal global empty: bytes 0 reserve 1048576\n", 1, true))
    local again = assert(phial.parse(text))
    assert.equal(text, again:text())
    assert.equal(1 << 32, again:get "memory":reserve())
    assert.is_nil(again:get "link":reserve())
    assert.equal(65536, #again:get "memory":bytes())
  end)

  it("is all that is reserved in C and LLVM IR, if it is zero at first", function()
    local zero = phial.module "zero"
    zero:global("memory", 0, nil, { reserve = 1 << 32 })
    assert.truthy(phial.emit.c(zero):find("uint8_t memory[4294967296];", 1, true))
    assert.truthy(phial.emit.llvm(zero):find("@memory = global [4294967296 x i8] zero", 1, true))
    for _, name in ipairs { "c", "llvm" } do
      refused(nil, "global 'memory' can grow and has an initial value, which only instances and "
        .. "native code have", function() phial.emit[name](m) end)
    end
  end)

  it("has a size, and is not constant", function()
    local n = phial.module "n"
    for message, args in pairs {
      ["global 'g': what can grow has a size, not a type"] = { "i64", 0, { reserve = 8 } },
      ["global 'g': what can grow is not constant"] = { 8, "", { reserve = 8, constant = true } },
      ["global 'g': a size from 0 to 8 expected, got 9"] = { 9, nil, { reserve = 8 } },
      ["global 'g': a size from 1 to 2147483647 expected, got 0"] = { 0 },
      ["global 'g': a size from 1 to 2147483647 expected, got 2147483648"] = { 1 << 31 },
      ["global 'g': option 'reserve': 1 to 4294967296 expected, got 4294967297"] =
        { 8, nil, { reserve = (1 << 32) + 1 } },
      ["global 'g': option 'reserve': 1 to 4294967296 expected, got 0"] =
        { 8, nil, { reserve = 0 } },
    } do
      refused(nil, message, function() n:global("g", table.unpack(args, 1, 3)) end)
    end
    for i = 1, 14 do n:global("g" .. i, 8, nil, { reserve = 1 << 20 }) end
    refused(nil, "global 'g14' does not fit into memory", function() n:instance() end)
  end)
end)
