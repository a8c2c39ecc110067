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
