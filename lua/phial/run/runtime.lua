-- The runtime of generated code: functions for what Lua has no short expression
-- for. Their sources are put at the head of the generated source, as far as needed.
local Helpers = require "phial.code.helpers"
local errors = require "phial.errors"
local numbers = require "phial.emit.lua.numbers"

local M = {}

-- Name, names of other functions that it needs, source. Each precedes its users.
local SOURCES = {
  { "pack", "", "local pack, unpack = string.pack, string.unpack" },
  { "math_type", "", "local math_type = math.type" },
  { "spread", "", "local spread = table.unpack" },
  { "packed", "", "local packed = table.pack" },

  -- A trap: the error that tells where and why.
  { "trap", "", [[
local function trap(where, why)
  error(where .. ": " .. why, 0)
end]] },

  -- The nearest f32, ties to even. f64 numbers near x * 2^29 have the spacing of
  -- f32 numbers near x: adding and subtracting that rounds (Dekker's splitting).
  -- Below 2^-126 the spacing is constant, and 1.5 * 2^-97 is used instead.
  { "f32", "", [[
local function f32(x)
  local big = x * 536870913.0
  local y = big - (big - x)
  if y >= 0x1p-126 and y <= 0x1.fffffep127 then return y end
  if y <= -0x1p-126 and y >= -0x1.fffffep127 then return y end
  if x == 0 or x ~= x then return x end
  if x > -0x1p-126 and x < 0x1p-126 then
    y = x + 0x1.8p-97 - 0x1.8p-97
    return y == 0 and x * 0.0 or y
  end
  if x >= 0x1.ffffffp127 then return 1e999 end
  return x <= -0x1.ffffffp127 and -1e999 or y
end]] },

  -- Unsigned 64-bit division. With a divisor of 2^63 or more the quotient is 0 or 1;
  -- else half the dividend is divided, and the quotient may be one too small.
  { "udiv", "", [[
local function udiv(a, b)
  if b < 0 then return a < 0 and a >= b and 1 or 0 end
  if a >= 0 then return a // b end
  local q = (a >> 1) // b << 1
  local rest = a - q * b
  return (rest < 0 or rest >= b) and q + 1 or q
end]] },
  { "urem", "udiv", [[
local function urem(a, b)
  return a - udiv(a, b) * b
end]] },

  -- Bits are counted side by side, in fields of 2, 4 and 8 bits.
  { "popcnt", "", [[
local function popcnt(x)
  x = x - (x >> 1 & 0x5555555555555555)
  x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
  return (x + (x >> 4) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56
end]] },
  { "ctz", "popcnt", [[
local function ctz(x)
  return popcnt(~x & x - 1)
end]] },
  { "clz", "popcnt", [[
local function clz(x)
  x = x | x >> 1
  x = x | x >> 2
  x = x | x >> 4
  x = x | x >> 8
  x = x | x >> 16
  return popcnt(~(x | x >> 32))
end]] },
  { "bswap", "", [[
local function bswap(x)
  x = x >> 8 & 0x00ff00ff00ff00ff | (x & 0x00ff00ff00ff00ff) << 8
  x = x >> 16 & 0x0000ffff0000ffff | (x & 0x0000ffff0000ffff) << 16
  return x >> 32 | x << 32
end]] },

  -- The high half of a product, of products of halves.
  { "umulh", "", [[
local function umulh(a, b)
  local al, ah, bl, bh = a & 0xffffffff, a >> 32, b & 0xffffffff, b >> 32
  local m = ah * bl + (al * bl >> 32)
  return ah * bh + (m >> 32) + (al * bh + (m & 0xffffffff) >> 32)
end]] },
  { "smulh", "umulh", [[
local function smulh(a, b)
  return umulh(a, b) - (a < 0 and b or 0) - (b < 0 and a or 0)
end]] },

  { "abs", "", "local abs = math.abs" },
  { "sqrt", "", "local sqrt = math.sqrt" },

  -- From 2^52 on, floats have no fraction: the sum is rounded to an integer, ties to even.
  { "nearest", "", [[
local function nearest(x)
  if not (x > -0x1p52 and x < 0x1p52) then return x end
  local big = x < 0 and -0x1p52 or 0x1p52
  local rounded = x + big - big
  return rounded == 0 and x * 0.0 or rounded
end]] },

  -- Lua compares integers and floats exactly.
  { "ftoi_sat", "", [[
local function ftoi_sat(x, least, most)
  if x >= most then return most end
  if x <= least then return least end
  return x ~= x and 0 or x < 0 and -(-x // 1) | 0 or x // 1 | 0
end]] },
  { "ftou_sat64", "ftoi_sat", [[
local function ftou_sat64(x)
  if x < 0x1p63 or x ~= x then return ftoi_sat(x, 0, 0x7fffffffffffffff) end
  return x < 0x1p64 and x - 0x1p63 | 0x8000000000000000 or -1
end]] },

  -- Integers as floats. Bits beyond the precision are dropped, and the lowest bit
  -- kept is set if one of them was (sticky bit): the result rounds the same.
  { "utof", "", [[
local function utof(a)
  if a >= 0 then return a + 0.0 end
  return ((a >> 1 | a & 1) + 0.0) * 2.0
end]] },
  { "utof32", "f32", [[
local function utof32(a)
  if a >= 0 and a < 0x20000000000000 then return f32(a + 0.0) end
  local rest = a & 0x7ff ~= 0 and 1 or 0
  return f32((a >> 11 | rest) + 0.0) * 2048.0
end]] },
  { "itof32", "utof32", [[
local function itof32(a)
  if a < 0 then return -utof32(-a) end
  return utof32(a)
end]] },

  -- Bits of floats. Those of a nan are moved as integers: conversions between f32 and
  -- f64 would quiet a signaling one.
  { "bits32", "pack", [[
local function bits32(x)
  if x == x then return (unpack("<i4", pack("<f", x))) end
  local bits = unpack("<i8", pack("<d", x))
  local payload = bits >> 29 & 0x7fffff
  if payload == 0 then payload = 0x400000 end
  local n = bits >> 63 << 31 | 0x7f800000 | payload
  return (n + 0x80000000 & 0xffffffff) - 0x80000000
end]] },
  { "float32", "pack", [[
local function float32(n)
  local payload = n & 0x7fffff
  if payload == 0 or n & 0x7f800000 ~= 0x7f800000 then
    return (unpack("<f", pack("<i4", n)))
  end
  local sign = n < 0 and 0x8000000000000000 or 0
  return (unpack("<d", pack("<i8", sign | 0x7ff0000000000000 | payload << 29)))
end]] },
  { "bits64", "pack", [[
local function bits64(x)
  return (unpack("<i8", pack("<d", x)))
end]] },
  { "float64", "pack", [[
local function float64(n)
  return (unpack("<d", pack("<i8", n)))
end]] },
  { "copysign", "abs bits64", [[
local function copysign(a, b)
  return bits64(b) < 0 and -abs(a) or abs(a)
end]] },

  -- An f32 that is a nan has no more bits than it can have.
  { "fdemote", "f32 pack", [[
local function fdemote(x)
  return x == x and f32(x) or unpack("<f", pack("<f", x))
end]] },

  -- A value in a message: a number with a point, whatever the locale.
  { "shown", "", [[
local function shown(x)
  local kind = type(x)
  if kind == "number" then return (tostring(x):gsub("[^%da-z+-]+", ".")) end
  return (kind == "boolean" or x == nil) and tostring(x) or "a " .. kind
end]] },

  -- Convert a value from outside to a type; if it does not fit: nil, or an error if
  -- `where` is given.
  { "misfit", "trap shown", [[
local function misfit(x, type_name, where)
  if where then trap(where, type_name .. " expected, got " .. shown(x)) end
end]] },
  { "as_i1", "misfit", [[
local function as_i1(x, where)
  if x == true or x == false then return x end
  return misfit(x, "i1", where)
end]] },
  { "as_i64", "math_type misfit", [[
local function as_i64(x, where)
  if math_type(x) == "integer" then return x end
  return misfit(x, "i64", where)
end]] },
  { "as_ptr", "math_type misfit", [[
local function as_ptr(x, where)
  if math_type(x) == "integer" then return x end
  return misfit(x, "ptr", where)
end]] },
  { "as_f64", "math_type misfit", [[
local function as_f64(x, where)
  if math_type(x) == "float" then return x end
  if math_type(x) == "integer" and x + 0.0 == x then return x + 0.0 end
  return misfit(x, "f64", where)
end]] },
  { "as_f32", "math_type f32 misfit", [[
local function as_f32(x, where)
  if math_type(x) == "float" then return f32(x) end
  if math_type(x) == "integer" and f32(x + 0.0) == x then return x + 0.0 end
  return misfit(x, "f32", where)
end]] },
}

-- The result of a function of the host, after a tail call.
SOURCES[#SOURCES + 1] = { "nothing", "", "local function nothing() end" }
SOURCES[#SOURCES + 1] = { "only_first", "", "local function only_first(x) return x end" }

SOURCES[#SOURCES + 1] = { "all_of", "spread", [[
local function all_of(takers)
  return function(where, ...)
    local all = { ... }
    for i, take in ipairs(takers) do
      if take then all[i] = take(all[i], where .. " " .. i) end
    end
    return spread(all, 1, #takers)
  end
end]] }

for _, type in ipairs { "i8", "i16", "i32" } do
  SOURCES[#SOURCES + 1] = { "as_" .. type, "math_type misfit", ([[
local function as_%s(x, where)
  if math_type(x) == "integer" and x >= %s and x <= %s then return %s end
  return misfit(x, "%s", where)
end]]):format(type, numbers.least(type), numbers.mask(type), numbers.wrap(type, "x"), type) }
end

-- Calls by name go through `callee`, which has a function for each site. At first that
-- is one that looks the name up at each call; where nothing can change the environment,
-- `host.link` puts the phial function in its place. `types` are those of the arguments;
-- `take` converts what is not known to be of the type `result`; is_tail: "all" of several.
SOURCES[#SOURCES + 1] = { "callee", "", "local callee = {}" }
SOURCES[#SOURCES + 1] = { "env", "", "local env = host.env or {}" }
SOURCES[#SOURCES + 1] = { "by_name", "env callee trap", [[
local function by_name(site, name, where, types, result, take, is_tail)
  local found, linked, exact
  local of_result = where .. ": result"
  local function look_up(now)
    if now == nil then trap(where, "there is no '" .. name .. "' in the option env") end
    linked, exact = now, false
    if host.link then
      linked, exact = host.link(now, where, types, result, is_tail, callee, site, name)
    end
    local mt = getmetatable(linked)
    if type(linked) ~= "function" and (type(mt) ~= "table" or not mt.__call) then
      trap(where, "its callee is a " .. type(linked) .. ": it cannot be called")
    end
    found = type(linked) == "function" and now or nil
  end
  callee[site] = function(...)
    local now = env[name]
    if now ~= found or now == nil then look_up(now) end
    if exact or not take then return linked(...) end
    if is_tail == "all" then return take(of_result, linked(...)) end
    return take(linked(...), of_result)
  end
end]] }

-- Checks the target that an eval returns.
SOURCES[#SOURCES + 1] = { "check_target", "math_type shown trap", [[
local function check_target(i, last, where)
  if math_type(i) == "integer" and i >= 1 and i <= last then return end
  trap(where, ("eval returned %s, and no target from 1 to %d"):format(shown(i), last))
end]] }
SOURCES[#SOURCES + 1] = { "fuel", "", "local fuel = host.fuel" }


-- Memory: functions of the space of the run.
local function of_space(name, field)
  SOURCES[#SOURCES + 1] = { name, "", ("local %s = host.space.memory.%s"):format(name,
    field or name) }
end

for _, type in ipairs { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" } do
  for _, name in ipairs { "load_", "store_", "load_unaligned_", "store_unaligned_" } do
    of_space(name .. type)
  end
end
of_space "alloca"
of_space "copy"
of_space "move"
of_space "fill"
of_space("stack_top", "top")
of_space "release"

-- Frees memory and passes on the arguments of a tail call.
SOURCES[#SOURCES + 1] = { "released", "release", [[
local function released(sp, ...)
  release(sp)
  return ...
end]] }

-- Tells what is wrong with an access.
SOURCES[#SOURCES + 1] = { "fault", "trap", [[
local what_of = host.space.memory.fault
local function fault(what, p, size, writes)
  error(what .. what_of(p, size, writes), 0)
end]] }
SOURCES[#SOURCES + 1] = { "done", "trap", [[
local function done(where, why)
  if why then trap(where, why) end
end]] }

-- The address of a copy that a function has of a struct.
SOURCES[#SOURCES + 1] = { "copied", "alloca move done", [[
local function copied(where, p, size, align)
  local own = alloca(size, align) or trap(where, "stack overflow: there is no memory for it")
  done(where, move(own, p, size))
  return own
end]] }

-- Further arguments of a function, in memory, after the address where they end.
SOURCES[#SOURCES + 1] = { "va_save", "alloca store_i64 store_f64 math_type trap", [[
local function va_save(where, ...)
  local list, n = { ... }, select("#", ...)
  local at = alloca(8 * n + 8, 8) or trap(where, "stack overflow: no memory for its arguments")
  store_i64(at, at + 8 * n + 8)
  for i = 1, n do
    local x, p = list[i], at + 8 * i
    if x == true or x == false then x = x and 1 or 0 end
    local kind = math_type(x) or trap(where, "further argument " .. i .. " is a " .. type(x))
    if kind == "float" then store_f64(p, x) else store_i64(p, x) end
  end
  return at
end]] }
SOURCES[#SOURCES + 1] = { "va_set", "store_i64 fault", [[
local function va_set(where, p, first, last)
  if not store_i64(p, first) then fault(where .. ": va_list at ", p, 8, true) end
  if not store_i64(p + 8, last) then fault(where .. ": va_list at ", p + 8, 8, true) end
end]] }
SOURCES[#SOURCES + 1] = { "va_start", "va_set load_i64", [[
local function va_start(where, p, at) va_set(where, p, at + 8, load_i64(at)) end]] }
SOURCES[#SOURCES + 1] = { "va_end", "va_set", [[
local function va_end(where, p) va_set(where, p, 0, 0) end]] }
SOURCES[#SOURCES + 1] = { "va_arg", "va_set load_i64", [[
local function va_arg(where, p, load)
  local at, last = load_i64(p), load_i64(p + 8)
  if not last then fault(where .. ": va_list at ", at and p + 8 or p, 8, false) end
  if at == last then trap(where, "there is no further argument") end
  local x = load(at)
  if x == nil then fault(where .. ": argument at ", at, 8, false) end
  va_set(where, p, at + 8, last)
  return x
end]] }

-- The address of a global or function.
SOURCES[#SOURCES + 1] = { "address", "", [[
local space, module, addresses = host.space, host.module, {}
local function address(x, where)
  local p = addresses[x]
  if not p then
    p = space:address(x, module, where)
    addresses[x] = p
  end
  return p
end]] }

-- Calls through addresses: host.indirect links what is called, once for each address.
SOURCES[#SOURCES + 1] = { "indirect", "callee", [[
local function indirect(site, where, types, result, is_tail)
  local known = {}
  callee[site] = function(p, ...)
    local f = known[p]
    if not f then
      f = host.indirect(p, where, types, result, is_tail)
      known[p] = f
    end
    return f(...)
  end
end]] }

local helpers = Helpers.new(SOURCES)
local index = helpers.index

--- The sources of functions and of those that they need, in order.
---@param names table<string, true>
---@return string[]
function M.sources(names) return helpers:sources(names) end

--- True if one of these functions has to do with memory.
---@param names table<string, true>
---@return boolean
function M.have_memory(names)
  for _, source in ipairs(M.sources(names)) do
    if source:find("host.space", 1, true) or source:find("host.indirect", 1, true) then
      return true
    end
  end
  return false
end

-- Further names that the sources declare.
local FURTHER = {
  unpack = true, sp = true, va = true, what_of = true, space = true, module = true,
  addresses = true,
}

--- True if generated code may use the name for something of the runtime.
---@param name string
---@return boolean
function M.knows(name)
  return index[name] ~= nil or FURTHER[name] == true
end

--- The name of the function that converts values from outside to a type; nil if any
--- value is of that type.
---@param type string
---@return string?
function M.taker(type)
  local name = "as_" .. type
  return index[name] and name or nil
end

local INTEGER = "math_type(%s) ~= \"integer\""

-- Expressions, without calls of Lua functions, that are true if x must be converted.
local tests = {
  i1 = "%s ~= true and %s ~= false", i64 = INTEGER, ptr = INTEGER,
  f64 = "math_type(%s) ~= \"float\"",
}

for _, type in ipairs { "i8", "i16", "i32" } do
  local least = numbers.least(type)
  tests[type] = ("%s or %%s < %s or %%s > ~%s"):format(INTEGER, least, least)
end

--- The statement that converts a local to a type; nil if nothing is to be done.
---@param type string
---@param x string the local
---@param where string for errors, in quotes
---@param need fun(name: string) called with the name of a function that it calls
---@return string?
function M.taking(type, x, where, need)
  local taker = M.taker(type)
  if not taker then return nil end
  need(taker)
  local text = ("%s = %s(%s, %s)"):format(x, taker, x, where)
  if not tests[type] then return text end
  return ("if %s then %s end"):format(tests[type]:gsub("%%s", x), text)
end

local loaded = {}

local function load(name)
  if not loaded[name] then
    local source = table.concat(M.sources { [name] = true }, "\n")
    loaded[name] = errors.compile(source .. "\nreturn " .. name, "=phial", "phial")()
  end
  return loaded[name]
end

--- The function that converts a value from outside to a type; it returns nil for a
--- value that does not fit. nil if any value is of that type.
---@param type string
---@return (fun(x: any): any)?
function M.take(type)
  local name = M.taker(type)
  return name and load(name)
end

--- The same of several results, from "i64, i32": a function that gets what errors begin with, and
--- what was returned.
---@param results string
---@return fun(where: string, ...): ...
function M.take_all(results)
  local takers = {}
  for type in results:gmatch "[^, ]+" do takers[#takers + 1] = M.take(type) or false end
  return load "all_of"(takers)
end

return M
