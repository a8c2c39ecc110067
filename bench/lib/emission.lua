--- What it costs to write C, and to compile it by a fast compiler: of a generated module, and of
--- C programs, whose construction includes their frontend.
local grid = require "bench.lib.grid"
local phial = require "phial"
local system = require "bench.lib.system"

package.path = "examples/?.lua;" .. package.path
local minic = require "minic.compile"

local M = {}

local PROGRAMS <const> = { "games", "numbers", "structs" }
local FUNCTIONS <const> = 100

-- {== A module =========================================================

local INTEGERS <const> = { "add", "sub", "mul", "band", "bor", "bxor", "shl", "sar", "smax" }
local FLOATS <const> = { "fadd", "fsub", "fmul", "fdiv" }

-- Statements, of which each is some ten instructions; `i` says what differs.
local STATEMENTS <const> = {
  function(b, v, i)
    v.x = b:emit(INTEGERS[i % #INTEGERS + 1], v.x, v.y) + (v.n ~ i)
    v.y = b:emit(INTEGERS[i * 7 % #INTEGERS + 1], v.y + i, v.x)
  end,
  function(b, v, i)
    local index = b:zext(b:trunc(v.x, "i8"), "i64")
    v.y = v.y + b:load(b:ptradd(v.p, index << 3), "i64")
    b:store(b:ptradd(v.p, i % 100 * 8), v.y - v.x)
  end,
  function(b, v, i)
    v.f = b:emit(FLOATS[i % #FLOATS + 1], v.f, b:itof(v.x, "f64")) * (i + 0.5)
    v.x = v.x + b:ftoi(v.f, "i32"):sext "i64"
  end,
  function(b, v, i)
    b:if_((v.x ~ i):slt(v.y), function() v.x = v.x * 3 + 1 end, function()
      v.y = b:select((v.y & i):eq(0), v.x, v.y - 1)
    end)
  end,
  function(b, v, i)
    v.k = 0
    b:while_(function() return v.k:slt(v.n) end, function()
      v.x = v.x + v.k * i
      v.k = v.k + 1
    end)
  end,
  function(b, v, i)
    if i > 40 then v.y = v.y + b:call("f" .. i % 40, "i64", v.p, v.n, v.x) end
    v.x = b:srem(v.x, (v.y & 15) + 1)
  end,
}

-- A module of functions with arithmetic, memory, floats, branches, loops and calls.
local function generated()
  local m = phial.module("generated", { where = false })
  for k = 0, FUNCTIONS - 1 do
    m:build("f" .. k, { "p:ptr", "n:i64", "x:i64" }, "i64", function(b, v)
      v.y, v.f = v.n, 1.0
      for i = k, k + 29 do STATEMENTS[i % #STATEMENTS + 1](b, v, i) end
      b:ret(v.x + v.y)
    end)
  end
  return m:finish()
end

-- }== Measuring =======================================================

-- Appends the milliseconds that f takes to a list, by a clock; returns its result.
local function time(list, f, clock)
  collectgarbage()
  local start = clock()
  local result = f()
  list[#list + 1] = 1000 * (clock() - start)
  return result
end

-- As a text: the least and the median.
local function shown(list)
  table.sort(list)
  return ("%.0f, %.0f"):format(list[1], list[(#list + 1) // 2])
end

local function values(m)
  local n = 0
  for _, fn in ipairs(m:functions()) do
    for _ in fn:values() do n = n + 1 end
  end
  return n
end

local function row(name, rounds, construct)
  local constructing, writing, loading, m = {}, {}, {}, nil
  for _ = 1, rounds do
    m = time(constructing, construct, os.clock)
    time(writing, function() return phial.emit.c(m) end, os.clock)
    time(loading, function() m:compile({ cc = "tcc" }):close() end, system.now)
  end
  local construction, emission = shown(constructing), shown(writing)
  return { name, grid.number(values(m)), construction, emission,
    grid.number(writing[1] / constructing[1], 2), shown(loading) }
end

--- A table with a row for the module and for each program.
---@param rounds integer
---@return string
function M.table(rounds)
  local rows = { { "module", "values", "construction", "C source", "source / construction",
    "loaded, tcc" }, row("generated", rounds, generated) }
  for _, name in ipairs(PROGRAMS) do
    local path = ("examples/minic/programs/%s.c"):format(name)
    local text = minic.preprocess(path)
    rows[#rows + 1] = row(name .. ".c", rounds, function()
      return assert(minic.compile(text, path))
    end)
  end
  return grid.text(rows)
end

-- }====================================================================

return M
