--- Kernels, built with phial; bench/peers/kernels.c has the same by hand.
local phial = require "phial"

local M = {}

---@class bench.Kernel
---@field name string
---@field fn phial.Function
---@field size integer its argument as native code
---@field small integer its argument in Lua

local function kernel(name, params, result, size, small, body)
  M[#M + 1] = { name = name, fn = phial.build(name, params, result, { where = false }, body),
    size = size, small = small }
end

local m = phial.module("kernels", { where = false })

-- for v[name] = from, below do body() end
local function count(b, v, name, from, below, body)
  v[name] = from
  b:while_(function() return v[name]:slt(below) end, function()
    body()
    v[name] = v[name] + 1
  end)
end

kernel("collatz", { "limit:i64" }, "i64", 300000, 10000, function(b, v)
  v.total = 0
  count(b, v, "start", 1, v.limit, function()
    v.n = v.start
    b:while_(function() return v.n:ne(1) end, function()
      b:if_((v.n & 1):eq(0), function() v.n = v.n >> 1 end, function() v.n = v.n * 3 + 1 end)
      v.total = v.total + 1
    end)
  end)
  b:ret(v.total)
end)

kernel("mandelbrot", { "n:i64" }, "i64", 300, 60, function(b, v)
  v.total = 0
  v.scale = b:fdiv(3.0, b:itof(v.n, "f64"))
  count(b, v, "row", 0, v.n, function()
    v.ci = b:itof(v.row, "f64") * v.scale - 1.5
    count(b, v, "column", 0, v.n, function()
      v.cr = b:itof(v.column, "f64") * v.scale - 2.0
      v.re, v.im, v.k = 0.0, 0.0, 0
      b:while_(function()
        local inside = (v.re * v.re + v.im * v.im):flt(4.0)
        return b:band(inside, v.k:slt(100))
      end, function()
        v.next = v.re * v.re - v.im * v.im + v.cr
        v.im = v.re * v.im * 2.0 + v.ci
        v.re = v.next
        v.k = v.k + 1
      end)
      v.total = v.total + v.k
    end)
  end)
  b:ret(v.total)
end)

local SIEVE <const> = 2000001
local flags = m:global("flags", SIEVE)

kernel("sieve", { "n:i64" }, "i64", SIEVE - 1, 50000, function(b, v)
  v.p = b:address(flags)
  b:memset(v.p, 1, v.n + 1)
  v.primes = 0
  count(b, v, "i", 2, v.n + 1, function()
    b:if_(b:load(b:ptradd(v.p, v.i), "i8"):ne(0), function()
      v.primes = v.primes + 1
      v.j = v.i * v.i
      b:while_(function() return v.j:sle(v.n) end, function()
        b:store(b:ptradd(v.p, v.j), b:trunc(0, "i8"))
        v.j = v.j + v.i
      end)
    end)
  end)
  b:ret(v.primes)
end)

local SIDE <const> = 200
local function matrix(name) return m:global(name, 8 * SIDE * SIDE) end
local left, right, product = matrix "left", matrix "right", matrix "product"

-- The address of element [row][column] of a square matrix.
local function at(b, p, row, column, n) return b:ptradd(p, (row * n + column) * 8) end

kernel("matrix", { "n:i64" }, "f64", SIDE, 40, function(b, v)
  v.a, v.b, v.c = b:address(left), b:address(right), b:address(product)
  count(b, v, "i", 0, v.n * v.n, function()
    b:store(b:ptradd(v.a, v.i * 8), b:itof(v.i & 15, "f64"))
    b:store(b:ptradd(v.b, v.i * 8), b:itof(v.i & 7, "f64"))
  end)
  count(b, v, "i", 0, v.n, function()
    count(b, v, "j", 0, v.n, function()
      v.sum = 0.0
      count(b, v, "k", 0, v.n, function()
        v.sum = v.sum + b:load(at(b, v.a, v.i, v.k, v.n), "f64")
          * b:load(at(b, v.b, v.k, v.j, v.n), "f64")
      end)
      b:store(at(b, v.c, v.i, v.j, v.n), v.sum)
    end)
  end)
  v.trace = 0.0
  count(b, v, "i", 0, v.n, function()
    v.trace = v.trace + b:load(at(b, v.c, v.i, v.i, v.n), "f64")
  end)
  b:ret(v.trace)
end)

-- Five bodies of seven numbers: place, velocity, mass.
local BODIES <const>, FIELDS <const> = 5, 7
local bodies = m:global("bodies", 8 * BODIES * FIELDS)

kernel("nbody", { "steps:i64" }, "f64", 100000, 1000, function(b, v)
  v.p = b:address(bodies)
  local function body(i) return b:ptradd(v.p, i * (8 * FIELDS)) end
  local function field(of, i) return b:ptradd(of, 8 * i) end
  local function get(of, i) return b:load(field(of, i), "f64") end
  local function change(of, i, by) b:store(field(of, i), get(of, i) + by) end
  count(b, v, "i", 0, BODIES, function()
    v.me, v.x = body(v.i), b:itof(v.i, "f64")
    for i, value in ipairs { v.x, v.x * v.x * 0.25, v.x * 0.5 } do
      b:store(field(v.me, i - 1), value)
    end
    for i = 3, 5 do b:store(field(v.me, i), b:fsub(v.x, v.x)) end
    b:store(field(v.me, 6), v.x + 1.0)
  end)
  count(b, v, "step", 0, v.steps, function()
    count(b, v, "i", 0, BODIES, function()
      v.me = body(v.i)
      count(b, v, "j", v.i + 1, BODIES, function()
        v.other = body(v.j)
        local d, squares = {}, nil
        for i = 0, 2 do
          d[i] = get(v.me, i) - get(v.other, i)
          squares = squares and squares + d[i] * d[i] or d[i] * d[i]
        end
        local pull = b:fdiv(0.001, squares * b:call("sqrt", "f64", squares))
        local mine, its = get(v.me, 6) * pull, get(v.other, 6) * pull
        for i = 0, 2 do
          change(v.me, 3 + i, b:fneg(d[i] * its))
          change(v.other, 3 + i, d[i] * mine)
        end
      end)
    end)
    count(b, v, "i", 0, BODIES, function()
      v.me = body(v.i)
      for i = 0, 2 do change(v.me, i, get(v.me, 3 + i) * 0.001) end
    end)
  end)
  b:ret(get(v.p, 0))
end)

-- Counts flips of all permutations of n numbers.
kernel("fannkuch", { "n:i64" }, "i64", 9, 6, function(b, v)
  local perm, first, counts = b:alloca(128, 8), b:alloca(128, 8), b:alloca(128, 8)
  local function get(p, i) return b:load(b:ptradd(p, i * 8), "i64") end
  local function set(p, i, x) b:store(b:ptradd(p, i * 8), x) end
  local function copy(to, from, n)
    count(b, v, "i", 0, n, function() set(to, v.i, get(from, v.i)) end)
  end
  v.flips_most, v.sum, v.number, v.r = 0, 0, 0, v.n
  count(b, v, "i", 0, v.n, function() set(first, v.i, v.i) end)
  b:loop(function()
    b:while_(function() return v.r:ne(1) end, function()
      set(counts, v.r - 1, v.r)
      v.r = v.r - 1
    end)
    copy(perm, first, v.n)
    v.flips, v.k = 0, get(perm, b:const(0))
    b:while_(function() return v.k:ne(0) end, function()
      v.half = (v.k + 1) >> 1
      count(b, v, "i", 0, v.half, function()
        v.x = get(perm, v.i)
        set(perm, v.i, get(perm, v.k - v.i))
        set(perm, v.k - v.i, v.x)
      end)
      v.flips = v.flips + 1
      v.k = get(perm, b:const(0))
    end)
    b:if_(v.flips:sgt(v.flips_most), function() v.flips_most = v.flips end)
    b:if_((v.number & 1):eq(0), function() v.sum = v.sum + v.flips end,
      function() v.sum = v.sum - v.flips end)
    b:loop(function()
      b:if_(v.r:eq(v.n), function() b:ret(v.sum * 100 + v.flips_most) end)
      v.x = get(first, b:const(0))
      count(b, v, "i", 0, v.r, function() set(first, v.i, get(first, v.i + 1)) end)
      set(first, v.r, v.x)
      set(counts, v.r, get(counts, v.r) - 1)
      b:if_(get(counts, v.r):sgt(0), function() b:break_() end)
      v.r = v.r + 1
    end)
    v.number = v.number + 1
  end)
end)

-- The constants of SHA-256: bits of cube roots of primes; one for each round.
local ROUNDS <const> = 64

local function round_constants()
  local list, n = {}, 2
  while #list < ROUNDS do
    local is_prime = true
    for d = 2, n - 1 do is_prime = is_prime and n % d ~= 0 end
    if is_prime then list[#list + 1] = math.floor(n ^ (1 / 3) % 1 * 2 ^ 32) end
    n = n + 1
  end
  return list
end

local constants = m:global("constants", 4 * ROUNDS, string.pack(("=" .. ("I4"):rep(ROUNDS)),
  table.unpack(round_constants())), { constant = true, align = 4 })

-- Hashes blocks whose words are numbered.
kernel("sha256", { "n:i64" }, "i64", 4000, 20, function(b, v)
  local state, words = b:alloca(32, 4), b:alloca(4 * ROUNDS, 4)
  local table_of = b:address(constants)
  local function get(p, i) return b:load(b:ptradd(p, i * 4), "i32") end
  local function set(p, i, x) b:store(b:ptradd(p, i * 4), x) end
  local function mix(x, i, j, k) return b:rotr(x, i) ~ b:rotr(x, j) ~ k end
  for i = 0, 7 do set(state, b:const(i), b:const(i + 1, "i32")) end
  count(b, v, "block", 0, v.n, function()
    count(b, v, "t", 0, 16, function() set(words, v.t, b:trunc(v.block * 16 + v.t, "i32")) end)
    count(b, v, "t", 16, ROUNDS, function()
      v.x, v.y = get(words, v.t - 15), get(words, v.t - 2)
      set(words, v.t, mix(v.y, 17, 19, v.y >> 10) + get(words, v.t - 7)
        + mix(v.x, 7, 18, v.x >> 3) + get(words, v.t - 16))
    end)
    local names = { "a", "b", "c", "d", "e", "f", "g", "h" }
    for i, name in ipairs(names) do v[name] = get(state, b:const(i - 1)) end
    count(b, v, "t", 0, ROUNDS, function()
      v.t1 = v.h + mix(v.e, 6, 11, b:rotr(v.e, 25)) + ((v.e & v.f) ~ (~v.e & v.g))
        + get(table_of, v.t) + get(words, v.t)
      v.t2 = mix(v.a, 2, 13, b:rotr(v.a, 22)) + ((v.a & v.b) ~ (v.a & v.c) ~ (v.b & v.c))
      v.h, v.g, v.f, v.e = v.g, v.f, v.e, v.d + v.t1
      v.d, v.c, v.b, v.a = v.c, v.b, v.a, v.t1 + v.t2
    end)
    for i, name in ipairs(names) do
      local place = b:const(i - 1)
      set(state, place, get(state, place) + v[name])
    end
  end)
  v.digest = 0
  count(b, v, "t", 0, 8, function() v.digest = v.digest * 31 + b:zext(get(state, v.t), "i64") end)
  b:ret(v.digest)
end)

-- A machine with registers. Instructions are four bytes: an op, and three registers or, of a
-- jump, two and the instruction to go on with.
local ADD <const>, SUB <const>, MUL <const>, REM <const>, LESS <const>, HALT <const> =
  0, 1, 2, 3, 4, 5
local program = m:global("program", 28, string.char(
  MUL, 5, 1, 1,
  ADD, 2, 2, 5,
  REM, 6, 2, 4,
  SUB, 2, 2, 6,
  ADD, 1, 1, 3,
  LESS, 1, 0, 0,
  HALT, 2, 0, 0), { constant = true })

kernel("vm", { "n:i64" }, "i64", 400000, 1000, function(b, v)
  local registers = b:alloca(64, 8)
  local function register(i)
    return b:ptradd(registers, b:zext(b:load(b:ptradd(v.at, i), "i8"), "i64") * 8)
  end
  local function get(i) return b:load(register(i), "i64") end
  local function arm(compute)
    return function()
      b:store(register(1), compute(get(2), get(3)))
      v.at = b:ptradd(v.at, 4)
    end
  end
  for i, x in ipairs { v.n, 0, 0, 1, 7, 0, 0, 0 } do b:store(b:ptradd(registers, 8 * i - 8), x) end
  v.at = b:address(program)
  b:loop(function()
    b:switch_(b:load(v.at, "i8"), {
      [ADD] = arm(function(x, y) return x + y end),
      [SUB] = arm(function(x, y) return x - y end),
      [MUL] = arm(function(x, y) return x * y end),
      [REM] = arm(function(x, y) return x:srem(y) end),
      [LESS] = function()
        b:if_(get(1):slt(get(2)), function()
          local target = b:zext(b:load(b:ptradd(v.at, 3), "i8"), "i64")
          v.at = b:ptradd(b:address(program), target * 4)
        end, function() v.at = b:ptradd(v.at, 4) end)
      end,
      default = function() b:ret(get(1)) end,
    })
  end)
end)

-- Binary trees: nodes of two pointers, from a pool.
local DEPTH <const> = 14
local pool = m:global("pool", 16 << DEPTH + 1)
local used = m:global("used", "i64", 0)

local make = m:build("make", { "depth:i64" }, "ptr", { where = false }, function(b, v)
  v.node = b:ptradd(b:address(pool), b:load(b:address(used), "i64"))
  b:store(b:address(used), b:load(b:address(used), "i64") + 16)
  v.left, v.right = b:const(0, "ptr"), b:const(0, "ptr")
  b:if_(v.depth:sgt(0), function()
    v.left = b:call("make", "ptr", v.depth - 1)
    v.right = b:call("make", "ptr", v.depth - 1)
  end)
  b:store(v.node, v.left)
  b:store(b:ptradd(v.node, 8), v.right)
  b:ret(v.node)
end)

local size = m:build("size", { "node:ptr" }, "i64", { where = false }, function(b, v)
  b:if_(v.node:eq(b:const(0, "ptr")), function() b:ret(0) end)
  b:ret(b:call("size", "i64", b:load(v.node, "ptr"))
    + b:call("size", "i64", b:load(b:ptradd(v.node, 8), "ptr")) + 1)
end)

kernel("trees", { "n:i64" }, "i64", 30, 1, function(b, v)
  v.total = 0
  count(b, v, "round", 0, v.n, function()
    b:store(b:address(used), 0)
    v.total = v.total + b:call(size, "i64", b:call(make, "ptr", b:const(DEPTH)))
  end)
  b:ret(v.total)
end)

kernel("add", { "x:i64", "y:i64" }, "i64", 0, 0, function(b, v) b:ret(v.x + v.y) end)

return M
