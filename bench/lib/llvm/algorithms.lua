-- What programs in Lua do, printed: the same by every correct interpreter.

local function show(name, ...) print(name, ...) end

-- A generator of numbers of its own.
local state = 12345
local function random(n)
  state = (state * 1103515245 + 12345) % 0x80000000
  return state // 65536 % n + 1
end

-- {== Numbers =========================================================

local function gcd(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end
show("gcd", gcd(1071, 462), gcd(2^53 | 0, 6^20 | 0))

for _, a in ipairs { 7, -7, 7.5, -7.5, math.mininteger, math.maxinteger, 1e308, 0.0 } do
  for _, b in ipairs { 2, -2, 3.25, -0.5, 1, -1 } do
    show("divide", a, b, a // b, a % b, a / b, a * b, a - b, math.fmod(a, b))
    show("compare", a < b, a <= b, a == b)
  end
end
for shift = -66, 66, 11 do
  show("shift", shift, 0x12345678 << shift, -1 >> shift, ~shift & 0xff, shift ~ 5, shift | 9)
end
for _, text in ipairs { "0x1p4", "1e2", " 12 ", "0x", "1e", "9223372036854775808",
  "-0x8000000000000000", "nan", "inf", "1_0", "0x.8", "3.", ".5" } do
  show("number", text, tonumber(text), math.type(tonumber(text)), math.tointeger(text))
end
for base = 2, 36, 7 do show("base", base, tonumber("1101", base), tonumber("zz", base)) end
show("float", 0.1 + 0.2, 1 / 3, 1e15, 1e16, 2^63, -0.0, 1 / 0, -1 / 0, 123456.789e3, 5 // 0.0)
show("format", ("%5.2f|%-8d|%08x|%g|%e|%a|%q|%s|%10.4s|%c"):format(3.14159, 42, 48879, 1e20,
  12345.678, 0.5, "a\nb\0c", nil, "abcdefgh", 65))
for _, pair in ipairs { { 1, 1.0 }, { 2^53, 2^53 + 1 }, { math.maxinteger, math.maxinteger + 0.0 },
  { "10", 10 }, { 1, 2.5 } } do
  local a, b = pair[1], pair[2]
  show("compare", a, b, a == b, rawequal(a, b), pcall(function() return a < b end))
end

local sieve, primes = {}, {}
for i = 2, 2000 do
  if not sieve[i] then
    primes[#primes + 1] = i
    for k = i * i, 2000, i do sieve[k] = true end
  end
end
show("primes", #primes, primes[#primes], primes[100])

-- }== Tables ===========================================================

local list = {}
for i = 1, 2000 do list[i] = random(100000) end
table.sort(list)
for i = 2, #list do assert(list[i - 1] <= list[i]) end
show("sorted", list[1], list[500], list[1000], list[2000])
table.sort(list, function(a, b) return a % 1000 < b % 1000 or a % 1000 == b % 1000 and a > b end)
show("sorted", list[1], list[500], list[1000], list[2000])
show("bad order", pcall(table.sort, { 3, 1, 2, 5, 4, 9, 7, 8 }, function() return true end))
local holes = { 1, 2, nil, 4, n = 5 }
show("holes", select("#", table.unpack(holes, 1, 5)), holes[4], next({}), rawlen { 1, 2, 3 })
for i = 1, 300 do list[("key%d"):format(i)] = i end
for i = 1, 300, 3 do list[("key%d"):format(i)] = nil end
local count, total = 0, 0
for k, v in pairs(list) do
  if type(k) == "string" then count, total = count + 1, total + v end
end
show("keys", count, total, #table.move(list, 5, 100, 1, {}), table.concat({ 1, 2.5, "x" }, "; "))

local function permutations(n)
  local function go(items, k)
    if k == 0 then coroutine.yield(table.concat(items)) end
    for i = 1, k do
      items[i], items[k] = items[k], items[i]
      go(items, k - 1)
      items[i], items[k] = items[k], items[i]
    end
  end
  return coroutine.wrap(function()
    local items = {}
    for i = 1, n do items[i] = string.char(96 + i) end
    go(items, n)
  end)
end
local all = {}
for text in permutations(5) do all[#all + 1] = text end
show("permutations", #all, all[1], all[60], all[120])

local function queens(n)
  local found, columns, up, down = 0, {}, {}, {}
  local function place(row)
    if row > n then found = found + 1 return end
    for column = 1, n do
      if not (columns[column] or up[row + column] or down[row - column]) then
        columns[column], up[row + column], down[row - column] = true, true, true
        place(row + 1)
        columns[column], up[row + column], down[row - column] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end
show("queens", queens(6), queens(7), queens(8))

-- }== Strings ==========================================================

local text = ("The quick brown fox jumps over the lazy dog. "):rep(20)
local words = {}
for word in text:gmatch "%a+" do words[word] = (words[word] or 0) + 1 end
local names = {}
for word in pairs(words) do names[#names + 1] = word end
table.sort(names)
show("words", table.concat(names, ","), words.the, words.The)
show("gsub", text:gsub("%f[%w]%w", string.upper):sub(1, 60), select(2, text:gsub("o", "0", 7)))
show("gsub", ("hello world"):gsub("(%w+) (%w+)", "%2 %1 %0 %%"), ("abc"):gsub("", "-"))
show("find", ("a.b.c"):find(".", 2, true), ("key = value"):match "^(%w+)%s*=%s*(%w+)$",
  ("[[x]]"):match "%b[]", ("f(a(b)c)d"):find "%b()", ("\0a\0"):find "%z?a", ("aXb"):find "()X()")
show("errors", pcall(string.rep, "x", 1 << 60), pcall(string.find, "a", "[a"),
  pcall(string.gsub, "a", "(", ""), pcall(string.format, "%d", 1.5))
show("bytes", ("abc"):byte(1, -1), string.char(104, 105), ("x"):rep(3, ","), ("abc"):reverse(),
  ("abcdef"):sub(-3, -2), #("\u{10FFFF}\z
    tail"), "\x41\65\u{48}")
show("utf8", utf8.char(72, 228, 8364, 0x1F600), utf8.len "häß€", utf8.codepoint("€", 1),
  utf8.offset("häß", 3), utf8.len "\xff")
local packed = string.pack("<i4 >I2 z s1 d j !4 i4", -5, 258, "zero", "one", 1.5, -7, 1000)
show("pack", #packed, string.unpack("<i4 >I2 z s1 d j !4 i4", packed))
show("date", os.date("!%Y-%m-%d %H:%M:%S", 1e9 | 0), os.time { year = 2001, month = 9, day = 9 }
  - os.time { year = 2001, month = 9, day = 8 })

-- }== Functions ========================================================

local function variadic(...)
  local first, second = ...
  return select("#", ...), first, second, (select(-1, ...))
end
show("variadic", variadic(1, nil, 3), (variadic(5, 6)))
local closures = {}
for i = 1, 3 do
  local n = i
  closures[i] = function(d) n = n + d return n, i end
end
show("closures", closures[1](5), closures[1](5), closures[2](1), closures[3](0))

local function tail(n, acc)
  if n == 0 then return acc end
  return tail(n - 1, acc + n)
end
show("tail", tail(100000, 0))
show("deep", pcall(function() local function f() return 1 + f() end return f() end) == false)

do
  local i = 1
  ::top::
  if i <= 3 then
    if i == 2 then goto continue end
    show("goto", i)
    ::continue::
    i = i + 1
    goto top
  end
end

local log = {}
do
  local function closing(name)
    return setmetatable({}, { __close = function(_, e) log[#log + 1] = name .. tostring(e) end })
  end
  local ok, why = pcall(function()
    local _ <close> = closing "a"
    local _ <close> = closing "b"
    error({ code = 7 })
  end)
  show("close", ok, why.code, #log, log[1]:sub(1, 1), log[2]:sub(1, 1))
end
show("error", pcall(error, "text", 0), pcall(error), select(2, pcall(error, setmetatable({}, {
  __tostring = function() return "object" end }))) ~= nil)
show("xpcall", xpcall(function() local x = nil; return x.y end,
  function(message) return "caught " .. message end))
show("concat", pcall(function() return {} .. "x" end), pcall(function() return #5 end),
  pcall(function() return 1 < "2" end), pcall(function() return 2^53 | 0.5 end))

local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
function Vector.__add(a, b) return vector(a.x + b.x, a.y + b.y) end
function Vector.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vector.__lt(a, b) return a.x < b.x end
function Vector.__le(a, b) return a.x <= b.x end
function Vector.__call(self, k) return vector(self.x * k, self.y * k) end
function Vector.__tostring(v) return ("(%s, %s)"):format(v.x, v.y) end
function Vector.__len() return 2 end
function Vector.__concat(a, b) return tostring(a) .. tostring(b) end
function Vector.__unm(v) return vector(-v.x, -v.y) end
function Vector.__idiv(v, k) return vector(v.x // k, v.y // k) end
local v, w = vector(1, 2), vector(3, 4.5)
show("vector", tostring(v + w), v == vector(1, 2), v < w, v >= w, tostring(v(3)), #v, v .. w,
  "a" .. v, tostring(-w), tostring(w // 2))
local proxy = setmetatable({}, { __index = function(_, k) return k .. "!" end,
  __newindex = function(t, k, x) rawset(t, k, x * 2) end,
  __pairs = function() return next, { p = 1 } end })
proxy.a = 21
show("proxy", proxy.a, proxy.b, next(proxy), pairs(proxy)(({ p = 1 })))

local producer = coroutine.create(function(...)
  local sum = 0
  for _, x in ipairs { ... } do sum = sum + coroutine.yield(sum + x) end
  error "done"
end)
show("coroutine", coroutine.resume(producer, 1, 2, 3))
for i = 1, 4 do show("coroutine", i, coroutine.resume(producer, i * 10)) end
show("coroutine", coroutine.status(producer), coroutine.close(producer), coroutine.isyieldable())

local chunk = load("local a, b = ...; return a * b, select('#', ...)", "chunk", "t",
  { select = select })
show("load", chunk(6, 7), load "x =")
show("dump", load(string.dump(function(a) return a + 1 end, true))(41))
for _, source in ipairs { "goto x", "local x <const> = 1; x = 2", "for i = 1 do end", "break",
  "x = }", "'a", "local t = {1,2", "::a:: ::a::",
  "return 0x1p", "\"\\q\"", "--[[", "f(\n(", "a.b:c = 1" } do
  show("syntax", load(source, "=s"))
end

-- }== Memory ===========================================================

local weak = setmetatable({}, { __mode = "v" })
for i = 1, 100 do weak[i] = {} end
local finalized = 0
for _ = 1, 50 do setmetatable({}, { __gc = function() finalized = finalized + 1 end }) end
for _, mode in ipairs { "incremental", "generational", "incremental" } do
  collectgarbage(mode)
  local keep = {}
  for i = 1, 20000 do keep[i % 500 + 1] = { i, tostring(i), keep[(i * 7) % 500 + 1] and i } end
  collectgarbage()
  show("memory", mode, #keep, keep[77][1], keep[77][2])
end
show("memory", next(weak), finalized)

-- }====================================================================
