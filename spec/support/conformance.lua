-- Programs with their expected behavior. A case is a list of arguments and, as
-- `is`, the result, or as `trap`, the end of the message. Programs show values by
-- calling `log`; `shows` lists these.
local results = require "spec.support.results"
local under = require "spec.support.under"

local M = {}

local function program(name, text)
  local it = { name = name, text = text, cases = {} }
  M[#M + 1] = it
  local add
  function add(case)
    it.cases[#it.cases + 1] = case
    return add
  end
  return add
end

local NAN = 0 / 0

-- The bits of a signalling one, where there are any.
local NAN32 = under.signalling and 0x7f800001 or 0x7fc00001

--
-- {== Control flow ====================================================
--

program("a loop", [[
fn sum(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: 0, body: %i2]
  %s: i64 = phi s [entry: 0, body: %s2]
  %more: i1 = slt %i, %n
  branch %more, body, done
body: <- head
  %s2: i64 = add %s, %i
  %i2: i64 = add %i, 1
  jump head
done: <- head
  ret %s
}]] ) { 0, is = 0 } { 10, is = 45 } { -3, is = 0 } { 1000, is = 499500 }

program("the swap problem", [[
fn swap(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, head
  %a: i64 = phi a [entry: 1, head: %b]
  %b: i64 = phi b [entry: 2, head: %a]
  %n2: i64 = phi n [entry: %n, head: %n3]
  %n3: i64 = sub %n2, 1
  %more: i1 = sgt %n3, 0
  branch %more, head, done
done: <- head
  %tens: i64 = mul %a, 10
  %both: i64 = add %tens, %b
  ret %both
}]] ) { 1, is = 12 } { 2, is = 21 } { 3, is = 12 }

program("the lost copy problem", [[
fn lost(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, head
  %x: i64 = phi x [entry: 1, head: %x2]
  %x2: i64 = add %x, 1
  %more: i1 = slt %x2, %n
  branch %more, head, done
done: <- head
  ret %x
}]] ) { 0, is = 1 } { 5, is = 4 }

program("a rotation of three, and one that only looks on", [[
fn rotate(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %a: i64 = phi a [entry: 1, body: %b]
  %b: i64 = phi b [entry: 2, body: %c]
  %c: i64 = phi c [entry: 3, body: %a]
  %d: i64 = phi d [entry: 0, body: %a]
  %i: i64 = phi i [entry: 0, body: %i2]
  %more: i1 = slt %i, %n
  branch %more, body, done
body: <- head
  %i2: i64 = add %i, 1
  jump head
done: <- head
  %w: i64 = mul %a, 1000
  %x: i64 = mul %b, 100
  %y: i64 = mul %c, 10
  %wx: i64 = add %w, %x
  %yd: i64 = add %y, %d
  %all: i64 = add %wx, %yd
  ret %all
}]] ) { 0, is = 1230 } { 1, is = 2311 } { 2, is = 3122 } { 3, is = 1233 }

program("phis whose operands are computed from one another", [[
fn tangle(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %a: i64 = phi a [entry: 1, body: %a2]
  %b: i64 = phi b [entry: 2, body: %b2]
  %i: i64 = phi i [entry: 0, body: %i2]
  %more: i1 = slt %i, %n
  branch %more, body, done
body: <- head
  %a2: i64 = add %a, %b
  %b2: i64 = mul %a, %b
  %i2: i64 = add %i, 1
  jump head
done: <- head
  %r: i64 = bxor %a, %b
  ret %r
}]] ) { 0, is = 3 } { 1, is = 1 } { 2, is = 5 ~ 6 } { 3, is = 11 ~ 30 }

program("critical edges, two of them to the same block", [[
fn edges(%c: i1, %d: i1) -> i64 {
entry:
  branch %c, join, other
other: <- entry
  branch %d, join, join
join: <- entry, other, other
  %x: i64 = phi x [entry: 1, other: 2, other: 3]
  ret %x
}]] ) { true, true, is = 1 } { false, true, is = 2 } { false, false, is = 3 }

program("a loop with two entries", [[
fn irreducible(%c: i1, %n: i64) -> i64 {
entry:
  branch %c, left, right
left: <- entry, right
  %a: i64 = phi a [entry: %n, right: %b2]
  %a2: i64 = sub %a, 1
  %l: i1 = sgt %a2, 0
  branch %l, right, done
right: <- entry, left
  %b: i64 = phi b [entry: %n, left: %a2]
  %b2: i64 = sub %b, 2
  %r: i1 = sgt %b2, 0
  branch %r, left, done
done: <- left, right
  %z: i64 = phi z [left: %a2, right: %b2]
  ret %z
}]] ) { true, 1, is = 0 } { true, 10, is = 0 } { false, 9, is = 0 } { false, 10, is = -1 }

program("a switch", [[
fn switch(%x: i64) -> i64 {
entry:
  switch %x, other [-5: a, 0: b, 1: a, 2: b, 3: c, 7: a, 100: join]
a: <- entry, entry, entry
  %k: i64 = phi k [entry: 5, entry: 6, entry: 7]
  jump join
b: <- entry, entry
  jump join
c: <- entry
  jump join
other: <- entry
  %y: i64 = neg %x
  jump join
join: <- a, b, c, other, entry
  %r: i64 = phi r [a: %k, b: 20, c: 30, other: %y, entry: 99]
  ret %r
}]] ) { -5, is = 5 } { 0, is = 20 } { 1, is = 6 } { 2, is = 20 } { 3, is = 30 } { 7, is = 7 }
  { 100, is = 99 } { 4, is = -4 } { -9223372036854775807 - 1, is = math.mininteger }

program("switches on narrow types", [[
fn narrow(%x: i8, %c: i1) -> i64 {
entry:
  switch %x, other [-1:i8: last, 127:i8: last]
last: <- entry, entry
  switch %c, yes [false: no]
yes: <- last
  ret 1
no: <- last
  ret 0
other: <- entry
  ret -1
}]] ) { -1, true, is = 1 } { 255, false, is = 0 } { 127, true, is = 1 } { 5, true, is = -1 }

program("no result", [[
fn nothing(%c: i1) {
entry:
  branch %c, a, b
a: <- entry
  call @log 1
  ret
b: <- entry
  ret
}]] ) { true, shows = { 1 } } { false, shows = {} }

program("unreachable", [[
fn never(%c: i1) -> i64 {
entry:
  branch %c, a, b
a: <- entry
  unreachable @ "n.x":7:2
b: <- entry
  ret 3
}]] ) { false, is = 3 } { true, trap = "never: 'unreachable' in block 'a' (n.x:7:2): reached" }

program("traps of its own", [[
fn get(%at: i64, %size: i64, %how: i1) -> i64 {
entry:
  %out: i1 = ule %size, %at
  trap_if {"out of bounds"} %out @ "g.x":1:2
  branch %how, a, b
a: <- entry
  trap_if {"out of bounds"} %out
  ret %at
b: <- entry
  trap {"\"100%\" ??/ done"}
}]] ) { 1, 2, true, is = 1 }
  { 2, 2, false, trap = "get: 'trap_if {\"out of bounds\"} %out' in block 'entry' (g.x:1:2): "
    .. "out of bounds" }
  { 1, 2, false, trap = "get: 'trap {\"\\\"100%\\\" ??/ done\"}' in block 'b': \"100%\" ??/ done" }

-- }== Integers ========================================================

-- Functions of one op.
local function binary(op, type)
  return program(op .. " of " .. type, ([[
fn f(%a: T, %b: T) -> T {
entry:
  %q: T = OP %a, %b @ "f.x":3:9
  ret %q
}]]):gsub("%u+%f[%W]", { T = type, OP = op }))
end

local function conversion(op, from, to)
  return program(("%s from %s to %s"):format(op, from, to), ([[
fn f(%x: FROM) -> TO {
entry:
  %y: TO = OP %x
  ret %y
}]]):gsub("%u+%f[%W]", { FROM = from, TO = to, OP = op }))
end

-- They wrap around.
binary("add", "i8") { 127, 1, is = -128 }
binary("add", "i16") { 32767, 1, is = -32768 }
binary("add", "i32") { 2147483647, 1, is = -2147483648 }
binary("add", "i64") { math.maxinteger, 1, is = math.mininteger }
binary("add", "i1") { true, true, is = false }

program("what overflows in between", [[
fn between(%a: i8, %b: i8) -> i8 {
entry:
  %x: i8 = mul %a, %b
  %y: i8 = add %x, 100:i8
  %z: i8 = sub %y, -100:i8
  %n: i8 = neg %z
  %s: i8 = shl %n, 1:i8
  %t: i8 = sar %s, 1:i8
  ret %t
}]] ) { 0, 0, is = 56 } { 127, 127, is = 55 } { -128, -128, is = 56 } { 11, -13, is = -57 }

program("what looks at all of a sum that overflows", [[
fn after(%a: i8, %b: i8) -> i64 {
entry:
  %s1: i8 = add %a, %b
  %c1: i1 = slt %s1, %a
  %s2: i8 = add %a, %b
  %w2: i64 = sext %s2
  %s3: i8 = mul %a, %b
  %t3: i8 = sar %s3, 1:i8
  %w3: i64 = sext %t3
  %s4: i8 = sub %a, %b
  %x4: i8 = bxor %s4, 1:i8
  %w4: i64 = sext %x4
  %s5: i8 = neg %a
  %f5: f64 = itof %s5
  %w5: i64 = ftoi %f5
  %s6: i8 = add %a, %b
  %e6: i1 = eq %s6, -128:i8
  %w6: i64 = select %e6, 1000000, 0
  %w1: i64 = select %c1, 2000000, 0
  %v2: i64 = add %w2, %w1
  %v3: i64 = add %v2, %w3
  %v4: i64 = sub %v3, %w4
  %v5: i64 = mul %v4, %w5
  %v6: i64 = add %v5, %w6
  ret %v6
}]] ) { 1, 2, is = -(3 + 1 + 2) } { 127, 1, is = (2000000 - 128 + 63 - 127) * -127 + 1000000 }
  { -128, -1, is = (127 - 64 + 128) * -128 }

program("divisions of what is not needed any longer", [[
fn chain(%a: i64, %b: i64) -> i64 {
entry:
  %x: i64 = mul %a, %b
  %p: i64 = sub %b, 1
  %q: i64 = sdiv %x, %p
  %o: i64 = bxor %a, 5
  %r: i64 = srem %q, %o
  %m: i64 = add %o, %r
  %s: i64 = sdiv %m, %r
  %t: i64 = srem %s, 7
  %u: i64 = sdiv %t, -2
  %v: i64 = sub %u, %s
  ret %v
}]] ) { 100, 7, is = -9 } { -100, 7, is = -8 } { -17, -9, is = -3 }

program("comparing with and without sign", [[
fn compare(%a: i32, %b: i32) -> i64 {
entry:
  %s: i1 = slt %a, %b
  %u: i1 = ult %a, %b
  %k: i1 = uge %a, 3000000000:i32
  %x: i64 = select %s, 100, 0
  %y: i64 = select %u, 10, 0
  %z: i64 = select %k, 1, 0
  %xy: i64 = add %x, %y
  %r: i64 = add %xy, %z
  ret %r
}]] ) { 1, 2, is = 110 } { -1, 2, is = 101 } { 2, -1, is = 10 } { 5, 5, is = 0 }

program("shift amounts are taken modulo the width", [[
fn shift(%a: i32, %n: i32) -> i64 {
entry:
  %l: i32 = shl %a, %n
  %r: i32 = shr %a, %n
  %s: i32 = sar %a, %n
  %lr: i32 = bxor %l, %r
  %x: i32 = bxor %lr, %s
  %w: i64 = zext %x
  ret %w
}]] ) { -8, 1, is = 0xfffffff0 ~ 0x7ffffffc ~ 0xfffffffc } { -8, 33, is = 0x7ffffff0 }
  { 1, 31, is = 0x80000000 } { 7, 0, is = 7 } { 7, 32, is = 7 }

program("shifting 64 bits", [[
fn shift64(%a: i64, %n: i64) -> i64 {
entry:
  %s: i64 = sar %a, %n
  %t: i64 = sar %a, 63
  %u: i64 = shr %a, 60
  %st: i64 = bxor %s, %t
  %r: i64 = bxor %st, %u
  ret %r
}]] ) { -16, 2, is = -4 ~ -1 ~ 15 } { -1, 127, is = 15 } { math.mininteger, 63, is = 8 }
  { 256, 64, is = 256 }

local ZERO = "f: '%s %%a, %%b' in block 'entry' (f.x:3:9): division by zero"
local MUCH = "f: 'sdiv %%a, %%b' in block 'entry' (f.x:3:9): the quotient does not fit %s"

binary("sdiv", "i64") { 7, 2, is = 3 } { -7, 2, is = -3 } { 7, -2, is = -3 } { -7, -2, is = 3 }
  { 1, -2, is = 0 } { math.mininteger, 1, is = math.mininteger }
  { 5, 0, trap = ZERO:format "sdiv" } { math.mininteger, -1, trap = MUCH:format "i64" }
binary("sdiv", "i8") { -128, 1, is = -128 } { -128, 2, is = -64 }
  { -128, -1, trap = MUCH:format "i8" }
binary("sdiv", "i1") { false, true, is = false } { true, true, trap = MUCH:format "i1" }
  { true, false, trap = ZERO:format "sdiv" }
binary("srem", "i64") { 7, 3, is = 1 } { -7, 3, is = -1 } { 7, -3, is = 1 } { -7, -3, is = -1 }
  { math.mininteger, -1, is = 0 } { 6, 3, is = 0 } { 5, 0, trap = ZERO:format "srem" }
binary("udiv", "i64") { 7, 2, is = 3 } { -1, 2, is = math.maxinteger } { -1, -2, is = 1 }
  { -2, -1, is = 0 } { math.mininteger, 3, is = 3074457345618258602 } { -1, 1, is = -1 }
  { 1, 0, trap = ZERO:format "udiv" } { -3, math.maxinteger, is = 1 }
binary("urem", "i64") { -1, 10, is = 5 } { -3, math.maxinteger, is = math.maxinteger - 1 }
  { -1, -2, is = 1 } { 5, -1, is = 5 }
  { 1, 0, trap = ZERO:format "urem" }
binary("udiv", "i8") { 200, 3, is = 66 } { 255, 1, is = -1 }
binary("urem", "i16") { 65535, 10, is = 5 }

program("division by constants", [[
fn constants(%a: i64) -> i64 {
entry:
  %x: i64 = sdiv %a, 10
  %y: i64 = srem %a, 10
  %z: i64 = sdiv %a, -3
  %w: i64 = srem %a, -3
  %x1: i64 = mul %x, 1000
  %y1: i64 = mul %y, 100
  %z1: i64 = mul %z, 10
  %xy: i64 = add %x1, %y1
  %zw: i64 = add %z1, %w
  %r: i64 = add %xy, %zw
  ret %r
}]] ) { 57, is = 5000 + 700 - 190 } { -57, is = -5000 - 700 + 190 } { 58, is = 5800 - 190 + 1 }
  { -1, is = -100 - 1 }

program("a constant divisor that traps", [[
fn zero(%a: i64) -> i64 {
entry:
  %x: i64 = udiv %a, 0
  ret %x
}]] ) { 1, trap = "zero: 'udiv %a, 0' in block 'entry': division by zero" }

program("one bit: true is -1 with a sign, 1 without", [[
fn bits(%a: i1, %b: i1) -> i64 {
entry:
  %s: i1 = slt %a, %b
  %u: i1 = ult %a, %b
  %x: i64 = sext %a
  %y: i64 = zext %a
  %si: i64 = zext %s
  %ui: i64 = zext %u
  %xs: i64 = shl %x, 4
  %ys: i64 = shl %y, 2
  %ss: i64 = shl %si, 1
  %xy: i64 = add %xs, %ys
  %su: i64 = bor %ss, %ui
  %r: i64 = add %xy, %su
  ret %r
}]] ) { false, false, is = 0 } { true, false, is = -16 + 4 + 2 } { false, true, is = 1 }
  { true, true, is = -12 }

program("making integers narrow and wide", [[
fn convert(%a: i64) -> i64 {
entry:
  %b: i8 = trunc %a
  %z: i32 = zext %b
  %s: i64 = sext %b
  %z6: i64 = sext %z
  %x: i64 = shl %z6, 16
  %y: i64 = bxor %x, %s
  ret %y
}]] ) { 0x17f, is = 0x7f007f } { 0x80, is = 0x800000 ~ -128 } { -1, is = 0xff0000 ~ -1 }

-- }== Floats ==========================================================

program("f64", [[
fn floats(%a: f64, %b: f64) -> f64 {
entry:
  %s: f64 = fadd %a, %b
  %d: f64 = fsub %s, 0.5
  %m: f64 = fmul %d, %d
  %q: f64 = fdiv %m, %b
  %n: f64 = fneg %q
  ret %n
}]] ) { 1.5, 2.0, is = -4.5 } { 1, 2, is = -3.125 } { 0.0, 0.0, is = -math.huge }
  { math.huge, 1.0, is = -math.huge } { NAN, 1.0, is = NAN }

program("f32 is rounded after each op", [[
fn single(%a: f32, %b: f32) -> f32 {
entry:
  %s: f32 = fadd %a, %b
  %m: f32 = fmul %s, %s
  ret %m
}]] ) { 16777216.0, 1.0, is = 281474976710656.0 } { 0.1, 0.2, is = 0.090000003576278687 }
  { 3e38, 0.0, is = math.huge } { 1e-23, 0.0, is = 0.0 } { 0.0, 1e-22, is = 0x7p-149 }

program("comparing floats: nothing is true beside a nan but fne", [[
fn order(%a: f64, %b: f64) -> i64 {
entry:
  %eq: i1 = feq %a, %b
  %ne: i1 = fne %a, %b
  %lt: i1 = flt %a, %b
  %ge: i1 = fge %a, %b
  %e: i64 = select %eq, 1000, 0
  %n: i64 = select %ne, 100, 0
  %l: i64 = select %lt, 10, 0
  branch %ge, yes, no
yes: <- entry
  jump done
no: <- entry
  jump done
done: <- yes, no
  %g: i64 = phi g [yes: 1, no: 0]
  %en: i64 = add %e, %n
  %lg: i64 = add %l, %g
  %r: i64 = add %en, %lg
  ret %r
}]] ) { 1.0, 2.0, is = 110 } { 2.0, 2.0, is = 1001 } { NAN, 1.0, is = 100 }
  { 0.0, -0.0, is = 1001 }

local function no_fit(op, to)
  return ("f: '%s %%x' in block 'entry': it does not fit %s"):format(op, to)
end

conversion("ftoi", "f64", "i64") { 1.9, is = 1 } { -1.9, is = -1 } { -0.0, is = 0 }
  { -0x1p63, is = math.mininteger } { 0x1p63, trap = no_fit("ftoi", "i64") }
  { NAN, trap = "f: 'ftoi %x' in block 'entry': nan is no integer" }
  { -math.huge, trap = no_fit("ftoi", "i64") }
conversion("ftoi", "f64", "i8") { 127.9, is = 127 } { -128.9, is = -128 }
  { 128.0, trap = no_fit("ftoi", "i8") } { -129.0, trap = no_fit("ftoi", "i8") }
conversion("ftou", "f64", "i64") { 0x1p63, is = math.mininteger } { -0.9, is = 0 }
  { 0x1.fffffffffffffp63, is = -2048 } { -1.0, trap = no_fit("ftou", "i64") }
  { 0x1p64, trap = no_fit("ftou", "i64") }
conversion("ftou", "f32", "i32") { 4294967040.0, is = -256 } { 4294967296.0,
  trap = no_fit("ftou", "i32") }
conversion("ftoi", "f64", "i1") { -1.5, is = true } { 0.5, is = false }
  { 1.0, trap = no_fit("ftoi", "i1") }
conversion("ftou", "f64", "i1") { 1.5, is = true } { 2.0, trap = no_fit("ftou", "i1") }

conversion("itof", "i64", "f64") { -3, is = -3.0 } { math.maxinteger, is = 0x1p63 }
conversion("utof", "i64", "f64") { -1, is = 0x1p64 } { math.mininteger, is = 0x1p63 }
  { math.mininteger + 1025, is = 0x1.0000000000001p63 }
conversion("itof", "i64", "f32") { 16777217, is = 16777216.0 }
  { 0x4000004000000001, is = 0x1.000002p62 } -- rounding twice would give 2^62
conversion("utof", "i64", "f32") { -1, is = 0x1p64 }
conversion("utof", "i8", "f32") { -1, is = 255.0 }
conversion("itof", "i1", "f64") { true, is = -1.0 }
conversion("utof", "i1", "f64") { true, is = 1.0 }

program("bits of floats", [[
fn bits(%x: f64) -> i64 {
entry:
  %i: i64 = bitcast %x
  %j: i64 = bxor %i, -9223372036854775808
  %f: f64 = bitcast %j
  %s: f32 = bitcast 1069547520:i32
  %t: i32 = bitcast %s
  %u: i64 = sext %t
  %k: i64 = bitcast %f
  %r: i64 = bxor %k, %u
  ret %r
}]] ) { 1.0, is = 0x3ff0000000000000 ~ math.mininteger ~ 1069547520 }

program("bits of a signalling nan", [[
fn signalling(%i: i32) -> i32 {
entry:
  %f: f32 = bitcast %i
  %g: f32 = copy %f
  %j: i32 = bitcast %g
  ret %j
}]] ) { NAN32, is = NAN32 } { 0xffc12345, is = 0xffc12345 - (1 << 32) }
  { 0x7f800000, is = 0x7f800000 } { 1, is = 1 }

program("constants that are hard to write", [[
fn constants(%k: i64) -> f64 {
entry:
  switch %k, a [1: b, 2: c, 3: d, 4: e]
a: <- entry
  ret -0.0
b: <- entry
  ret inf
c: <- entry
  ret -inf
d: <- entry
  ret nan
e: <- entry
  ret 1e-320
}]] ) { 0, is = -0.0 } { 1, is = math.huge } { 2, is = -math.huge } { 3, is = NAN }
  { 4, is = 1e-320 }

-- }== Other values ====================================================

program("undef", [[
fn undefined(%k: i64) -> any {
entry:
  %b: i1 = copy undef:i1
  %i: i8 = copy undef:i8
  %f: f64 = copy undef:f64
  call @log %b, %i, %f
  ret undef:any
}]] ) { 0, is = nil, shows = { false, 0, 0.0 } }

program("values of type any", [[
fn values(%c: i1, %a: any) -> any {
entry:
  %x: any = select %c, %a, "it\x00s\n\"x\""
  %y: any = select %c, false:any, nil
  call @log %x, %y, 1.5:any, -3:any, true:any
  ret %x
}]] ) { true, nil, is = nil, shows = { nil, false, 1.5, -3, true } }
  { false, 7, is = "it\0s\n\"x\"", shows = { "it\0s\n\"x\"", nil, 1.5, -3, true } }
  { true, false, is = false, shows = { false, false, 1.5, -3, true } }

program("a choice between booleans", [[
fn choose(%c: i1, %a: i1, %b: i1) -> i1 {
entry:
  %n: i1 = bnot %c
  %x: i1 = select %n, %a, %b
  ret %x
}]] ) { true, true, false, is = false } { false, false, true, is = false }
  { false, true, false, is = true } { true, false, true, is = true }

program("effects keep their order", [[
fn order(%n: i64) -> i64 {
entry:
  %a: i64 = call @next
  %b: i64 = call @next
  %c: i64 = call @next
  %d: i64 = sub %c, %a
  call @log %b, %d
  ret %c
}]] ) { 0, is = 3, shows = { 2, 2 } }

program("names that mean something in Lua", [[
fn "end"(%"while": i64, %"a b": i64) -> i64 {
"goto":
  %"and": i64 = add %"while", %"a b"
  jump "end"
"end": <- "goto"
  %"1st": i64 = mul %"and", %"and"
  ret %"1st"
}]] ) { 2, 3, is = 25 }

program("recursion by name", [[
fn factorial(%n: i64) -> i64 {
entry:
  %c: i1 = sle %n, 1
  branch %c, one, more
one: <- entry
  ret 1
more: <- entry
  %m: i64 = sub %n, 1
  %f: i64 = call @factorial %m
  %r: i64 = mul %f, %n
  ret %r
}]] ) { 0, is = 1 } { 10, is = 3628800 } { 25, is = 7034535277573963776 }

-- }====================================================================

--- The text of a program.
---@param name string
---@return string
function M.text(name)
  for _, it in ipairs(M) do
    if it.name == name then return it.text end
  end
  error("there is no program of " .. name)
end

--- Calls f with the n arguments of a case, and checks what it returns or raises.
---@param case table
---@param f function
---@param n integer
function M.check(case, f, n)
  local ok, result = pcall(f, table.unpack(case, 1, n))
  if not case.trap then
    if not ok then error(type(result) == "table" and result.trap or result, 0) end
    return results.check(case.is, result)
  end
  local expected = case.trap
  if type(result) == "table" then -- an oracle reports no position, only the reason
    expected, result = expected:match ": ([^:]*)$", result.trap
  end
  if ok or result ~= expected then
    error(("expected the trap %q, got %q"):format(expected, tostring(result)), 0)
  end
end

return M
