-- Recursions of native code: those without end trap with every compiler, also where it could make a
-- loop or a jump of a call that comes last; tail calls take no stack.
local child = require "spec.support.child"
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local native = require "phial.native"
local phial = require "phial"
local raises = require "spec.support.raises"
local under = require "spec.support.under"

-- Calls f(options, what) for each compiler and each level of its optimizer; of `make test` one.
local function each_way(f)
  compilers.each(pending, function(cc)
    for level = under.brief and 2 or 0, under.brief and 2 or 3 do
      f({ cc = compilers.command(cc), flags = "-O" .. level }, cc .. " -O" .. level)
    end
  end, true)
end

-- Each without end.
local ENDLESS <const> = [[
module endless

global here: i64

fn plus(%x: i64) -> i64 {
entry:
  %2: i64 = call @plus %x
  %3: i64 = add %2, 1
  ret %3
}

fn last(%x: i64) -> i64 {
entry:
  %2: i64 = add %x, 1
  %3: i64 = call @last %2
  ret %3
}

fn nothing(%x: i64) {
entry:
  call @nothing %x
  ret
}

fn alone() -> i64 {
entry:
  %1: i64 = call @alone
  ret %1
}

fn dropped(%x: i64) -> i64 {
entry:
  %2: i64 = call @dropped %x
  ret %x
}

fn narrow(%x: i8) -> i8 {
entry:
  %2: i8 = call @narrow %x
  %3: i8 = add %2, 1:i8
  ret %3
}

fn float(%x: f64) -> f64 {
entry:
  %2: f64 = call @float %x
  ret %2
}

fn twice(%x: i64) -> i64 {
entry:
  %2: i64 = call @twice %x
  %3: i64 = call @twice %2
  ret %3
}

fn branches(%x: i64) -> i64 {
entry:
  %2: i1 = eq %x, -1
  branch %2, stop, more
stop: <- entry
  jump done
more: <- entry
  %5: i64 = call @branches %x
  %6: i64 = mul %5, 3
  jump done
done: <- stop, more
  %8: i64 = phi [stop: 0, more: %6]
  ret %8
}

fn stored(%x: i64) -> i64 {
entry:
  %2: ptr = alloca 8, 8
  store %2, %x
  %4: i64 = call @stored %x
  %5: ptr = address @here
  store %5, %4
  ret %4
}

fn even(%x: i64) -> i64 {
entry:
  %2: i64 = call @odd %x
  ret %2
}

fn odd(%x: i64) -> i64 {
entry:
  %2: i64 = call @even %x
  %3: i64 = add %2, 1
  ret %3
}

fn both(%x: i64) -> i64 {
entry:
  %2: i1 = eq %x, 0
  branch %2, own, other
own: <- entry
  %4: i64 = call @both 1
  ret %4
other: <- entry
  %6: i64 = call @back %x
  ret %6
}

fn back(%x: i64) -> i64 {
entry:
  %2: i64 = call @both 0
  ret %2
}

fn pointer(%x: i64) -> i64 {
entry:
  %2: ptr = address @pointer
  %3: i64 = call_indirect %2, %x
  ret %3
}

fn through(%p: ptr) -> i64 {
entry:
  %2: i64 = call_indirect %p, %p
  ret %2
}

fn begin(%x: i64) -> i64 {
entry:
  %2: ptr = address @through
  %3: i64 = call @through %2
  ret %3
}

fn more(%x: i64, ...) -> i64 {
entry:
  %2: i64 = call @more %x, 2
  ret %2
}

fn further(%x: i64) -> i64 {
entry:
  %2: i64 = call @more %x, 1
  ret %2
}
]]

local NAMES <const> = { "plus", "last", "nothing", "alone", "dropped", "narrow", "float", "twice",
  "branches", "stored", "even", "odd", "both", "pointer", "begin", "further" }

-- Calls each function, and prints what is not a trap.
local CALL_ALL <const> = [=[
local phial = require "phial"
local cc, flags = { table.unpack(arg, 4) }, arg[3]
local lib = assert(phial.parse(arg[1])):compile { cc = cc, flags = flags }
for name in arg[2]:gmatch "%S+" do
  io.write(name, " ")
  io.flush()
  local args = name == "alone" and {} or { name == "float" and 1.0 or 1 }
  local ok, why = pcall(lib:get(name), table.unpack(args))
  print(not ok and why:match "^%w+: 'call.*' in block '%w+': stack overflow$" and "traps" or why)
end]=]

describe("native code", function()
  it("has no warnings of a recursion without end", function()
    local m = assert(phial.parse(ENDLESS))
    compilers.each(pending, function(cc)
      native.compile(m, compilers.options(cc)):close()
      assert.equal("", compilers.said(cc, phial.emit.c(m)))
    end)
  end)

  it("traps in a recursion without end", function()
    local expected = table.concat(NAMES, " traps\n") .. " traps\n"
    each_way(function(opts, way)
      local out, err = child(CALL_ALL, nil, ENDLESS, table.concat(NAMES, " "), opts.flags,
        table.unpack(opts.cc))
      assert.equal(expected, out, way .. err)
      assert.equal("", err, way)
    end)
  end)

  it("traps in a recursion without end through a function of C", function()
    local path = os.tmpname()
    local host = path .. ".c"
    file.write(host, [[
#include <stdint.h>
uint64_t apply(char *f, uint64_t x) { return ((uint64_t (*)(uint64_t))f)(x); }
]])
    local m = assert(phial.parse [[
module m

declare apply(%f: ptr, %x: i64) -> i64

fn f(%x: i64) -> i64 {
entry:
  %2: ptr = address @f
  %3: i64 = call @apply %2, %x
  ret %3
}
]])
    each_way(function(opts, way)
      opts.flags = opts.flags .. " " .. host
      local lib <close> = m:compile(opts)
      assert.same({ false, "f: 'call @apply %2, %x' in block 'entry': stack overflow" },
        { pcall(lib:get "f", 1) }, way)
    end)
    os.remove(path)
    os.remove(host)
  end)

  it("traps after about as many levels as the stack has bytes", function()
    local fn = phial.build("count", { "n", "m" }, "i64", function(b, v)
      b:if_(v.n:eq(0), function() b:ret(v.m) end)
      b:ret(b:call("count", "i64", v.n - 1, v.m + 3))
    end)
    each_way(function(opts, way)
      opts.stack = 1 << 16
      local lib <close> = fn:compile(opts)
      assert.equal(1500, lib:call("count", 500, 0), way)
      raises.matching("^count: 'call @count .*' in block 'if_done': stack overflow$",
        lib:get "count", 1 << 17, 0)
    end)
  end)

  it("passes what a recursion computes", function()
    local m = phial.module "sums"
    m:build("sum", { "n", "more:f64", "narrow:i8" }, "i64", function(b, v)
      b:if_(v.n:eq(0), function() b:ret(v.more:ftoi "i64" + v.narrow:sext "i64") end)
      b:ret(b:call("sum", "i64", v.n - 1, v.more + 0.5, v.narrow + 1) + v.n)
    end)
    m:build("start", { "n" }, "i64", function(b, v)
      b:ret(b:call(b:address "sum", "i64", v.n, 1.5, b:const(-3, "i8")))
    end)
    m:finish()
    local start = m:get "start"
    each_way(function(opts, way)
      local lib <close> = m:compile(opts)
      for _, n in ipairs { 0, 1, 7, 2000 } do
        assert.equal(start(n), lib:call("start", n), way)
        assert.equal(m:get "sum"(n, 0.5, 100), lib:call("sum", n, 0.5, 100), way)
      end
    end)
  end)

  it("takes no stack for tail calls", function()
    local own = phial.build("own", { "n", "m" }, "i64", function(b, v)
      b:if_(v.n:eq(0), function() b:ret(v.m) end)
      b:tail_call("own", v.n - 1, v.m + 1)
    end)
    local ROUNDS <const> = under.slow and 1 << 12 or 1 << 22
    each_way(function(opts, way)
      opts.stack = 4096
      local lib <close> = own:compile(opts)
      assert.equal(ROUNDS, lib:call("own", ROUNDS, 0), way)
    end)
  end)

  it("takes no stack for tail calls of others, beside a recursion, with clang", function()
    if under.brief or not compilers.has "clang" then return pending "clang, and make check" end
    local m = phial.module "two"
    m:build("a", { "n" }, "i64", function(b, v)
      b:if_(v.n:sle(0), function() b:ret(7) end)
      b:tail_call("b", v.n - 1)
    end)
    m:build("b", { "n" }, "i64", function(b, v)
      b:if_(v.n:eq(0), function() b:ret(b:call("b", "i64", -1)) end)
      b:tail_call("a", v.n)
    end)
    m:finish()
    for level = 0, 3 do
      local lib <close> = native.compile({ m:get "a", m:get "b" },
        { cc = compilers.command "clang", flags = "-O" .. level, stack = 4096 })
      assert.equal(7, lib:call("a", 1 << 12))
    end
  end)
end)
