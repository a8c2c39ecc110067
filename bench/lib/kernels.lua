--- Five kernels, built with phial; bench/peers/kernels.c has the same by hand.
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

kernel("add", { "x:i64", "y:i64" }, "i64", 0, 0, function(b, v) b:ret(v.x + v.y) end)

return M
