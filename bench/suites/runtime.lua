-- How fast functions run: loops as phial runs them, compared with the same loops
-- written by hand in Lua. Prints the seconds of both and their ratio (best of 5), then
-- what the first call of a large function costs.
-- usage: lua5.4 bench/suites/runtime.lua [NAME ...]
-- The last table has the name "first call".
package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local conformance = require "spec.support.conformance"
local phial = require "phial"

local LOOPS = {}

local function loop(name, text, by_hand, ...)
  LOOPS[#LOOPS + 1] = { name = name, text = text, by_hand = by_hand, args = table.pack(...) }
end

loop("sum", conformance.text "a loop", function(n)
  local i, s = 0, 0
  while i < n do
    s = s + i
    i = i + 1
  end
  return s
end, 10000000)

loop("fibonacci", [[
fn fibonacci(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %n2: i64 = phi n [entry: %n, body: %n3]
  %a: i64 = phi a [entry: 0, body: %b]
  %b: i64 = phi b [entry: 1, body: %sum]
  %c: i1 = sgt %n2, 0
  branch %c, body, done
body: <- head
  %sum: i64 = add %a, %b
  %n3: i64 = sub %n2, 1
  jump head
done: <- head
  ret %a
}]], function(n)
  local a, b = 0, 1
  while n > 0 do
    a, b = b, a + b
    n = n - 1
  end
  return a
end, 10000000)

loop("collatz", [[
fn collatz(%limit: i64) -> i64 {
entry:
  jump outer
outer: <- entry, next
  %start: i64 = phi start [entry: 1, next: %start2]
  %total: i64 = phi total [entry: 0, next: %steps]
  %more: i1 = slt %start, %limit
  branch %more, inner, done
inner: <- outer, join
  %n: i64 = phi n [outer: %start, join: %n2]
  %steps: i64 = phi steps [outer: %total, join: %steps2]
  %is_one: i1 = eq %n, 1
  branch %is_one, next, step
step: <- inner
  %bit: i64 = band %n, 1
  %even: i1 = eq %bit, 0
  branch %even, half, triple
half: <- step
  %h: i64 = sar %n, 1
  jump join
triple: <- step
  %t: i64 = mul %n, 3
  %t1: i64 = add %t, 1
  jump join
join: <- half, triple
  %n2: i64 = phi n [half: %h, triple: %t1]
  %steps2: i64 = add %steps, 1
  jump inner
next: <- inner
  %start2: i64 = add %start, 1
  jump outer
done: <- outer
  ret %total
}]], function(limit)
  local total, start = 0, 1
  while start < limit do
    local n = start
    while n ~= 1 do
      if n & 1 == 0 then n = n // 2 else n = n * 3 + 1 end
      total = total + 1
    end
    start = start + 1
  end
  return total
end, 40000)

loop("gcd (srem)", [[
fn gcd(%n: i64) -> i64 {
entry:
  jump outer
outer: <- entry, next
  %i: i64 = phi i [entry: 1, next: %i2]
  %s: i64 = phi s [entry: 0, next: %s2]
  %more: i1 = sle %i, %n
  branch %more, inner, done
inner: <- outer, step
  %a: i64 = phi a [outer: 832040, step: %b]
  %b: i64 = phi b [outer: %i, step: %r]
  %zero: i1 = eq %b, 0
  branch %zero, next, step
step: <- inner
  %r: i64 = srem %a, %b
  jump inner
next: <- inner
  %s2: i64 = add %s, %a
  %i2: i64 = add %i, 1
  jump outer
done: <- outer
  ret %s
}]], function(n)
  local s = 0
  for i = 1, n do
    local a, b = 832040, i
    while b ~= 0 do a, b = b, math.fmod(a, b) end
    s = s + a
  end
  return s
end, 300000)

loop("digits (sdiv)", [[
fn digits(%n: i64) -> i64 {
entry:
  jump outer
outer: <- entry, next
  %i: i64 = phi i [entry: 0, next: %i2]
  %s: i64 = phi s [entry: 0, next: %s3]
  %more: i1 = slt %i, %n
  branch %more, inner, done
inner: <- outer, inner
  %x: i64 = phi x [outer: %i, inner: %x2]
  %s2: i64 = phi s [outer: %s, inner: %s3]
  %d: i64 = srem %x, 10
  %s3: i64 = add %s2, %d
  %x2: i64 = sdiv %x, 10
  %go: i1 = ne %x2, 0
  branch %go, inner, next
next: <- inner
  %i2: i64 = add %i, 1
  jump outer
done: <- outer
  ret %s
}]], function(n)
  local s, i = 0, 0
  while i < n do
    local x = i
    repeat
      s = s + x % 10
      x = x // 10
    until x == 0
    i = i + 1
  end
  return s
end, 700000)

loop("random (i32)", [[
fn random(%n: i32) -> i32 {
entry:
  jump head
head: <- entry, body
  %i: i32 = phi i [entry: 0:i32, body: %i2]
  %x: i32 = phi x [entry: 1:i32, body: %x2]
  %c: i1 = slt %i, %n
  branch %c, body, done
body: <- head
  %m: i32 = mul %x, 1664525:i32
  %x2: i32 = add %m, 1013904223:i32
  %i2: i32 = add %i, 1:i32
  jump head
done: <- head
  ret %x
}]], function(n)
  local x, i = 1, 0
  while i < n do
    x = (x * 1664525 + 1013904223) & 0xffffffff
    i = i + 1
  end
  return (x + 0x80000000 & 0xffffffff) - 0x80000000
end, 5000000)

loop("hash (u64)", [[
fn hash(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: 0, body: %i2]
  %h: i64 = phi h [entry: -3750763034362895579, body: %h4]
  %c: i1 = ult %i, %n
  branch %c, body, done
body: <- head
  %h2: i64 = bxor %h, %i
  %h3: i64 = mul %h2, 1099511628211
  %s: i64 = shr %h3, 29
  %h4: i64 = bxor %h3, %s
  %i2: i64 = add %i, 1
  jump head
done: <- head
  ret %h
}]], function(n)
  local h, i = 0xcbf29ce484222325, 0
  while i < n do
    h = (h ~ i) * 1099511628211
    h = h ~ h >> 29
    i = i + 1
  end
  return h
end, 5000000)

loop("mandelbrot (f64)", [[
fn mandelbrot(%n: i64) -> i64 {
entry:
  jump outer
outer: <- entry, next
  %k: i64 = phi k [entry: 0, next: %k2]
  %t: i64 = phi t [entry: 0, next: %t2]
  %more: i1 = slt %k, %n
  branch %more, start, done
start: <- outer
  %kf: f64 = itof %k
  %nf: f64 = itof %n
  %q: f64 = fdiv %kf, %nf
  %cr: f64 = fsub %q, 1.5
  jump inner
inner: <- start, step
  %i: i64 = phi i [start: 0, step: %i2]
  %zr: f64 = phi zr [start: 0.0, step: %zr2]
  %zi: f64 = phi zi [start: 0.0, step: %zi2]
  %r2: f64 = fmul %zr, %zr
  %j2: f64 = fmul %zi, %zi
  %mag: f64 = fadd %r2, %j2
  %in: i1 = fle %mag, 4.0
  branch %in, check, next
check: <- inner
  %few: i1 = slt %i, 100
  branch %few, step, next
step: <- check
  %p: f64 = fmul %zr, %zi
  %p2: f64 = fmul %p, 2.0
  %zi2: f64 = fadd %p2, 0.1
  %d: f64 = fsub %r2, %j2
  %zr2: f64 = fadd %d, %cr
  %i2: i64 = add %i, 1
  jump inner
next: <- inner, check
  %t2: i64 = add %t, %i
  %k2: i64 = add %k, 1
  jump outer
done: <- outer
  ret %t
}]], function(n)
  local t, k = 0, 0
  while k < n do
    local cr = k / n - 1.5
    local i, zr, zi = 0, 0.0, 0.0
    while zr * zr + zi * zi <= 4.0 and i < 100 do
      zr, zi = zr * zr - zi * zi + cr, zr * zi * 2.0 + 0.1
      i = i + 1
    end
    t = t + i
    k = k + 1
  end
  return t
end, 100000)

local function f32(x) return (string.unpack("f", string.pack("f", x))) end

loop("harmonic (f32)", [[
fn harmonic(%n: i32) -> f32 {
entry:
  jump head
head: <- entry, body
  %i: i32 = phi i [entry: 1:i32, body: %i2]
  %s: f32 = phi s [entry: 0.0:f32, body: %s2]
  %c: i1 = sle %i, %n
  branch %c, body, done
body: <- head
  %f: f32 = itof %i
  %q: f32 = fdiv 1.0:f32, %f
  %s2: f32 = fadd %s, %q
  %i2: i32 = add %i, 1:i32
  jump head
done: <- head
  ret %s
}]], function(n)
  local s = 0.0
  for i = 1, n do s = f32(s + f32(1.0 / f32(i))) end
  return s
end, 1000000)

loop("switch", [[
fn switch(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, join
  %i: i64 = phi i [entry: 0, join: %i2]
  %s: i64 = phi s [entry: 0, join: %s2]
  %c: i1 = slt %i, %n
  branch %c, body, done
body: <- head
  %k: i64 = band %i, 7
  switch %k, other [0: zero, 1: one, 2: two, 3: three, 4: four, 5: five]
zero: <- body
  %a: i64 = add %s, 1
  jump join
one: <- body
  %b: i64 = sub %s, 2
  jump join
two: <- body
  %e: i64 = bxor %s, 3
  jump join
three: <- body
  %f: i64 = add %s, %i
  jump join
four: <- body
  %g: i64 = mul %s, 5
  jump join
five: <- body
  %h: i64 = sub %s, %i
  jump join
other: <- body
  jump join
join: <- zero, one, two, three, four, five, other
  %s2: i64 = phi s [zero: %a, one: %b, two: %e, three: %f, four: %g, five: %h, other: %s]
  %i2: i64 = add %i, 1
  jump head
done: <- head
  ret %s
}]], function(n)
  local s = 0
  for i = 0, n - 1 do
    local k = i & 7
    if k == 0 then s = s + 1
    elseif k == 1 then s = s - 2
    elseif k == 2 then s = s ~ 3
    elseif k == 3 then s = s + i
    elseif k == 4 then s = s * 5
    elseif k == 5 then s = s - i
    end
  end
  return s
end, 5000000)

local function twice(x) return x + x end

local CALLS = [[
fn calls(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: 0, body: %i2]
  %s: i64 = phi s [entry: 0, body: %s2]
  %c: i1 = slt %i, %n
  branch %c, body, done
body: <- head
  %t: i64 = call @twice %i
  %s2: i64 = add %s, %t
  %i2: i64 = add %i, 1
  jump head
done: <- head
  ret %s
}]]

local function calls(n)
  local i, s = 0, 0
  while i < n do
    s = s + twice(i)
    i = i + 1
  end
  return s
end

loop("calls by name", CALLS, function(n, opts)
  local i, s, env = 0, 0, opts.env
  while i < n do
    s = s + env.twice(i)
    i = i + 1
  end
  return s
end, 3000000, { env = { twice = twice } })
loop("calls of Lua", CALLS, calls, 3000000)
LOOPS[#LOOPS].callee = twice
loop("calls of phial", CALLS, calls, 3000000)
LOOPS[#LOOPS].callee = assert(phial.parse [[
fn twice(%x: i64) -> i64 {
entry:
  %y: i64 = add %x, %x
  ret %y
}]])

loop("recursion", [[
fn fib(%n: i64) -> i64 {
entry:
  %c: i1 = slt %n, 2
  branch %c, small, large
small: <- entry
  ret %n
large: <- entry
  %n1: i64 = sub %n, 1
  %a: i64 = call @fib %n1
  %n2: i64 = sub %n, 2
  %b: i64 = call @fib %n2
  %s: i64 = add %a, %b
  ret %s
}]], function(n)
  local function fib(k)
    if k < 2 then return k end
    return fib(k - 1) + fib(k - 2)
  end
  return fib(n)
end, 30)
LOOPS[#LOOPS].callee = "itself"

-- Texts cannot name a function: it is put in the place of the name.
local function build(it)
  local fn = assert(phial.parse(it.text))
  if it.callee then
    for v in fn:values() do
      if v:op() == "call" then v:set_data(it.callee == "itself" and fn or it.callee) end
    end
  end
  return fn
end

local function best(f, args)
  local least = math.huge
  for _ = 1, 5 do
    local start = os.clock()
    f(table.unpack(args, 1, args.n))
    least = math.min(least, os.clock() - start)
  end
  return least
end

local function is_wanted(name)
  for _, wanted in ipairs(arg) do
    if name:find(wanted, 1, true) then return true end
  end
  return #arg == 0
end

print(("%-18s %8s %8s %6s"):format("loop", "phial", "by hand", "ratio"))
for _, it in ipairs(LOOPS) do
  if is_wanted(it.name) then
    local fn = build(it)
    local got, expected = fn(table.unpack(it.args)), it.by_hand(table.unpack(it.args))
    assert(got == expected, ("%s: %s, not %s"):format(it.name, got, expected))
    local ours, theirs = best(fn, it.args), best(it.by_hand, it.args)
    print(("%-18s %7.3fs %7.3fs %6.2f"):format(it.name, ours, theirs, ours / theirs))
  end
end

if is_wanted "first call" then print("\n" .. require("bench.lib.first_call").table(25000, 3)) end
