-- Data of any size for every emitter and parser: bytes, gaps, strings, lists of constants and of
-- addresses (spec/support/growing.lua).
local phial = require "phial"

package.path = "examples/?.lua;" .. package.path
local Stats = require "llvm.stats"
local translate = require("llvm.module").translate

local cases = {}

local function case(name, n, make, call)
  cases[#cases + 1] = { name = name, n = n, make = make, call = call }
end

--
-- {== Data of modules =================================================
--

-- What fills a module with n of something; n is a small number of it.
local fill = {}

fill["bytes of a string"] = { 4000, function(m, n)
  m:global("g", n, ('a\0"\\\200?'):rep(n):sub(1, n))
end }

fill["zeros of a string"] = { 20000, function(m, n)
  m:global("g", n, "x" .. ("\0"):rep(n - 2) .. "x")
  m:global("h", n, "x" .. ("\0"):rep(n - 1))
end }

fill["gaps"] = { 250, function(m, n)
  local runs = {}
  for i = 1, n do runs[i] = { 100 * i, "i8", 7 } end
  m:global("g", 100 * n + 100, runs)
end }

fill["strings"] = { 400, function(m, n)
  for i = 1, n do m:global("g" .. i, 8, "s\0" .. i, { constant = true, linkage = "internal" }) end
end }

fill["constants in a list"] = { 1000, function(m, n)
  local runs = {}
  for i = 1, n do runs[i] = { 4 * i, "i32", i - 5 } end
  m:global("g", 4 * n + 4, runs)
end }

fill["addresses in a list"] = { 400, function(m, n)
  local runs = {}
  for i = 1, n do runs[i] = { 8 * (i - 1), "ptr", i % 2 == 0 and "f" or m:ref("g", i) } end
  m:global("g", 8 * n, runs)
end }

fill["globals with addresses of one another"] = { 250, function(m, n)
  for i = 1, n do
    m:global("g" .. i, 24, { { 0, "i32", i }, { 8, "ptr", "g" .. i % n + 1 }, { 16, "ptr", "f" } })
  end
end }

local function module(kind, n)
  local m = phial.module "m"
  fill[kind][2](m, n)
  local fn = m:fn("f", {}, "ptr", { rules = false, where = false })
  local b = fn:entry()
  b:ret(b:address(m:globals()[1]:name()))
  return m:finish { verify = false }
end

local WRITTEN <const> = {
  { "phial.emit.c", phial.emit.c },
  { "phial.emit.llvm", phial.emit.llvm },
  { "phial.emit.llvm, typed", function(m) return phial.emit.llvm(m, { pointers = "typed" }) end },
  { "m:text", function(m) return m:text() end },
  { "m:instance", function(m) return m:instance() end },
}

local READ <const> = {
  { "phial.parse", function(m) return m:text() end, function(text)
    assert(phial.parse(text))
  end },
  { "examples/llvm", function(m) return phial.emit.llvm(m) end, function(text)
    translate("a.ll", text, false, Stats.new())
  end },
}

local kinds = {}
for kind in pairs(fill) do kinds[#kinds + 1] = kind end
table.sort(kinds)
for _, kind in ipairs(kinds) do
  local n = fill[kind][1]
  for _, it in ipairs(WRITTEN) do
    case(("%s: %s"):format(it[1], kind), n, function(size) return module(kind, size) end, it[2])
  end
  for _, it in ipairs(READ) do
    case(("%s: %s"):format(it[1], kind), n, function(size) return it[2](module(kind, size)) end,
      it[3])
  end
end

-- }====================================================================

return cases
