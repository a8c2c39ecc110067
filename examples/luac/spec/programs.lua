-- Lua programs that together use every opcode in every way the compiler uses
-- it; each prints what it did.
local programs = {}

local function program(name)
  return function(source) programs[#programs + 1] = { name = name, source = source } end
end

program "arithmetic" [[
local function f(a, b)
  print(a + b, a - b, a * b, a % b, a ^ b, a / b, a // b)
  print(1 + a, 2 * a, 2 - a, a - 2, a / 0.5, 0.5 / a, a // 2, a % 3, -a)
end
f(7, 2) f(-7, 2.5) f("10", 3) f(math.mininteger, -1)
local function g(a, b)
  print(a & b, a | b, a ~ b, a << b, a >> b, ~a)
  print(a & 6, 6 | a, a ~ 6, a << 1, a >> 1, 1 << a, 100 >> a)
end
g(5, 3) g(-1, 60) g(3.0, 2)
]]

program "metamethods" [[
local log = {}
local M = {}
for _, e in ipairs { "add", "sub", "mul", "mod", "pow", "div", "idiv", "band",
  "bor", "bxor", "shl", "shr", "concat" } do
  M["__" .. e] = function(a, b)
    print(e, type(a) == "table" and a.n or a, type(b) == "table" and b.n or b)
    return e
  end
end
M.__unm = function(a) return "-" .. a.n end
M.__bnot = function(a) return "~" .. a.n end
M.__len = function(a) return a.n * 100 end
M.__eq = function(a, b) print "eq" return a.n == b.n end
M.__lt = function(a, b) print "lt" return (a.n or a) < (b.n or b) end
M.__le = function(a, b) print "le" return a.n <= b.n end
M.__index = function(t, k) print("index", k) return 0 end
M.__newindex = function(t, k, v) print("newindex", k, v) end
M.__call = function(self, ...) print("call", self.n, ...) return ... end
local function new(n) return setmetatable({ n = n }, M) end
local a, b = new(1), new(2)
local r = { a + b, a - 5, 5 - a, 2 * a, a % b, a ^ 2, a / b, a // 3, a & 1,
  1 | a, a ~ b, a << 1, 1 << a, a >> 1, 2 >> a, a .. "x", "x" .. a .. "y" }
print(table.unpack(r))
print(-a, ~b, #a, a == b, a ~= b, a < b, a <= b, a > b, a >= b)
print(a.foo, a[1], a["b c"])
a.foo = 1 a[1] = 2 a[b.n] = 3
print(a(1, 2, nil), (a(3, 4)))
]]

program "logic" [[
local function f(a, b, c)
  local x = a and b or c
  local y = not a or (b and not c)
  local z = (a or b) and c
  local w = a == b
  local v = a ~= nil and b ~= nil
  print(x, y, z, w, v, a and b, a or b, not (a and b))
  a = a or 1
  b = b and 2
  c = not c
  return a, b, c
end
for i = 0, 26 do
  local function pick(k) return ({ nil, false, 5 })[k % 3 + 1] end
  local function all(n) return pick(n), pick(n // 3), pick(n // 9) end
  print(i, f(all(i)))
end
]]

program "comparisons" [[
local function f(a, b)
  local s = ""
  if a == b then s = s .. 1 end
  if a < b then s = s .. 2 else s = s .. "-" end
  if a <= b then s = s .. 3 end
  if a > 3 then s = s .. 4 end
  if a >= 3 then s = s .. 5 end
  if a < 3.0 then s = s .. 6 end
  if a <= 3 then s = s .. 7 end
  if a == 3 then s = s .. 8 end
  if a ~= "x" then s = s .. 9 end
  if not (a < b) then s = s .. "a" end
  if 3 < a and a < 5 or b == 0.5 then s = s .. "b" end
  return s, a < b, a >= b, a ~= b, a == 3.0, a ~= nil
end
for _, a in ipairs { 1, 3, 3.0, 4, 5.5, 0/0, math.huge, math.mininteger } do
  for _, b in ipairs { 0.5, 3, 4 } do print(f(a, b)) end
end
]]

program "numeric for" [[
local function count(a, b, c)
  local n, last = 0, nil
  for i = a, b, c do
    n = n + 1
    last = i
    if n > 20 then break end
  end
  print(a, b, c, n, last)
end
count(1, 10, 1) count(10, 1, -3) count(1, 0, 1) count(0, 1, 0.25)
count(1, math.huge, 1) count(math.maxinteger - 2, math.maxinteger, 1)
count(math.mininteger, math.maxinteger, math.maxinteger)
count(math.mininteger, math.maxinteger, 1 << 61)
count(math.maxinteger, math.mininteger, math.mininteger)
count(3, 1.5, -1) count(1, 3.7, 1) count(1.0, 3, 1) count(1, -math.huge, -1)
print((pcall(count, 1, 10, 0)))
print((pcall(count, "a", 10, 1)))
print((pcall(count, 1, {}, 1)))
for i = 1, 3 do
  local j = i
  i = i * 10
  print(i, j)
end
]]

program "generic for" [[
local function range(n) return function(_, i) if i < n then return i + 1, i * i end end, nil, 0 end
for i, sq in range(4) do print(i, sq) end
for i in range(2) do print(i) end
for a, b, c in range(1) do print(a, b, c) end
local t = setmetatable({}, { __call = function(_, s, c) return not c and s end })
for x in t, "state" do if not x then break end print(x) end
local closed = setmetatable({}, { __close = function(_, e) print("closed", e) end })
for i in range(3), nil, 0, closed do if i == 2 then print "break" break end end
print(pcall(function() for i in range(3), nil, 0, closed do error("in loop", 0) end end))
for k, v in pairs { 10, 20, 30 } do
  if v == 20 then goto continue end
  print(k, v)
  ::continue::
end
]]

program "goto" [[
local function f(a, b)
  local n, steps = 0, 0
  if a then goto second end
  ::first::
  n = n + 1
  ::second::
  steps = steps + 1
  b = b - 1
  if b > n then goto first end
  if b > 0 then goto second end
  return n, steps
end
print(f(true, 20)) print(f(false, 20)) print(f(true, -1))
do local i = 1
  ::top::
  if i > 3 then goto out end
  local j = i * 2
  local g = function() j = j + 1 return j end
  print(i, g(), j, g())
  i = i + 1
  goto top
  ::out::
end
for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto next end
    print(i, j)
  end
  ::next::
end
]]

program "closures" [[
local function counter(n)
  local steps = 0
  return function(k) n = n + (k or 1) steps = steps + 1 return n, steps end,
    function() return n end
end
local inc, get = counter(10)
inc() inc(5)
print(get(), inc())
local fs = {}
for i = 1, 3 do
  local j = i
  fs[#fs + 1] = function() i = i + 1 j = j + i return i, j end
end
for _, f in ipairs(fs) do print(f()) print(f()) end
local k = 3
while k > 0 do
  local m = k
  fs[k] = function() m = m - 1 return m end
  if m == 2 then fs.two = function() return m end end
  k = k - 1
end
print(fs[2](), fs.two(), fs[2](), fs.two(), fs[1](), fs[3]())
local function maybe(a, b)
  local x = a
  local bump
  if b then bump = function() x = x + 1 end end
  x = x * 2
  if bump then bump() end
  x = x + 100
  return x
end
print(maybe(1, true), maybe(1, false))
local r = 0
repeat
  local old = r
  local up = function() r = old + 1 return old end
  up()
until up() >= 4
print(r)
local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end
print(fact(10))
local function nest(a)
  return function(b)
    a = a + b
    return function(c) a = a * c return a, b end
  end
end
print(nest(1)(2)(3))
]]

program "calls" [[
local function three() return 1, 2, 3 end
local function none() end
local function id(...) return ... end
local function count(...) return select("#", ...) end
print(three()) print((three())) print(three(), three()) print(({ three(), three() })[4])
print(count(none()), count((none())), count(none(), none()), count(three(), nil))
local a, b, c, d = three()
print(a, b, c, d)
local e, f = (three())
print(e, f)
print(id(id(id(1, three()))))
local t = { x = 5, get = function(self, ...) return self.x, ... end }
print(t:get()) print(t:get(three())) print(t.get { x = 7 })
local s = ("x"):rep(3) .. ("%d"):format(42)
print(s, #s)
local function loop(n, acc) if n == 0 then return acc end return loop(n - 1, acc + n) end
print(loop(1000, 0))
print(pcall(error, { 1 }) , pcall(error, "e", 0))
print(select(-1, three()))
]]

program "varargs" [[
local function f(...)
  local a, b = ...
  local t = { ... }
  local u = { n = 0, ..., "last" }
  local v = { "first", ... }
  local function inner(...) return select("#", ...), ... end
  return a, b, t[1], u[2], v[3], u.n, (...), inner(...)
end
print(f()) print(f(1)) print(f(1, nil, 3)) print(f(nil, false))
local function g(x, ...)
  local y <const> = x
  local p = ...
  p = p or y
  return p, ..., select("#", ...)
end
print(g(1)) print(g(1, 2, 3))
print((function(...) return ... end)(1, 2))
print(select("#", ...))
local function sum(...) local s = 0 for _, v in ipairs { ... } do s = s + v end return s end
print(sum(1, 2, 3), sum())
]]

program "tables" [[
local t = { 1, 2, 3, x = "x", ["y z"] = 2, [10] = 10, { nested = { 1 } } }
print(#t, t.x, t["y z"], t[10], t[4].nested[1])
local k, v = "key", "value"
t[k] = v t[1] = v t.x = nil t[k .. 2] = 1.5 t.b = true t[true] = false t[3] = nil
print(t.key, t[1], t.x, t.key2, t.b, t[true], t[3])
for i = 1, 120 do t[i] = i end
local big = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
  20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
  39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
  table.unpack(t, 1, 120) }
print(#big, big[50], big[51], big[57], big[#big])
global = 1
global = global + 1
print(global, _ENV.global)
do
  local _ENV = { print = print }
  x = 3
  print(x, _ENV.x)
end
print(t[250], #"abc", #t)
local a <const> = { 1 }
a[#a + 1] = 2
print(#a)
local x, y, z = {}, 1
x.i, x.j, z = y, x, x
print(x.i, x.j == x, z == x)
x, y = y, x
print(x, y == z)
]]

program "to be closed" [[
local function res(name)
  return setmetatable({}, { __close = function(_, e) print("close", name, e) end })
end
local function f(n)
  local a <close> = res "a"
  do
    local b <close> = res "b"
    if n == 0 then return "early" end
    local c <close> = n > 1 and res "c" or nil
    print "inner"
  end
  for i = 1, 2 do
    local d <close> = res("d" .. i)
    if n == 2 then break end
    if n == 3 then goto continue end
    print(i)
    ::continue::
  end
  local function g() return n, a end
  if n == 4 then error("failed", 0) end
  return n, (g())
end
for n = 0, 4 do print(pcall(f, n)) end
local captured
do local x <close> = res "x" captured = function() return x end end
print(type(captured()))
while true do local y <close> = res "y" break end
print((pcall(function() local z <close> = 42 end)))
]]

program "coroutines" [[
local function gen(n)
  return coroutine.wrap(function(first)
    local sum = first
    for i = 1, n do sum = sum + (coroutine.yield(i, sum) or 0) end
    return "end", sum
  end)
end
local g = gen(3)
print(g(10)) print(g(1)) print(g(2)) print(g(3))
local co = coroutine.create(function(...)
  local t <close> = setmetatable({}, { __close = function() print "co closed" end })
  print(...)
  error("oops " .. coroutine.yield(...), 0)
end)
print(coroutine.resume(co, 1, 2)) print(coroutine.resume(co, 3)) print(coroutine.status(co))
local function pairs_of_three()
  return coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i, -i) end end)
end
for a, b in pairs_of_three() do print(a, b) end
]]

program "strings" [[
local function f(a, b) return "<" .. a .. b .. 1 .. 2.5 .. a .. ">" end
print(f("x", "y")) print(f(1, 2.0))
print((pcall(f, nil, 1)))
local s = ""
for i = 1, 5 do s = s .. i .. "," end
print(s, s:upper(), #s, ("a"):byte(), "\u{20ac}\0\xff" == "\u{20ac}\0\xff")
local long = "0123456789012345678901234567890123456789012345678901234567890"
print(({ [long] = 1 })[long])
]]

program "recursion" [[
local function ack(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ack(m - 1, 1) end
  return ack(m - 1, ack(m, n - 1))
end
print(ack(2, 3))
local odd
local function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
print(even(10), odd(7), even(7))
local function queens(n)
  local count, cols, d1, d2 = 0, {}, {}, {}
  local function place(row)
    if row > n then count = count + 1 return end
    for c = 1, n do
      if not (cols[c] or d1[row + c] or d2[row - c + n]) then
        cols[c], d1[row + c], d2[row - c + n] = true, true, true
        place(row + 1)
        cols[c], d1[row + c], d2[row - c + n] = nil, nil, nil
      end
    end
  end
  place(1)
  return count
end
print(queens(6))
local function sort(t, less)
  less = less or function(a, b) return a < b end
  for i = 2, #t do
    local v, j = t[i], i - 1
    while j >= 1 and less(v, t[j]) do t[j + 1] = t[j] j = j - 1 end
    t[j + 1] = v
  end
  return t
end
print(table.concat(sort { 3, 1, 2, 5, 4 }, " "))
print(table.concat(sort({ 3, 1, 2 }, function(a, b) return a > b end), " "))
]]

return programs
