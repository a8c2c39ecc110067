-- Tail calls: what is refused, and that no route takes stack for them.
local compilers = require "spec.support.compilers"
local llvm = require "spec.support.llvm"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local semantics = require "spec.oracle.semantics"
local under = require "spec.support.under"

local MANY <const> = under.valgrind and 10000 or under.brief and 300000 or 1000000

-- Two functions that call each other n times; `through` is what is called in place of each: a
-- name, or an address.
local function parity(through)
  local m = phial.module("parity", { where = false })
  for _, row in ipairs { { "even", "odd" }, { "odd", "even" } } do
    local fn = m:fn(row[1], { "n:i64", "p:ptr" }, "i32")
    local b, zero, more = fn:entry(), fn:block "zero", fn:block "more"
    local cell = b:alloca(4096)
    b:store(cell, fn:arg(1))
    b:branch(b:eq(fn:arg(1), 0), zero, more)
    zero:seal()
    more:seal()
    zero:ret(row[1] == "even" and 1 or 0)
    local left = more:sub(more:load(cell, "i64"), 1)
    more:tail_call(through == "name" and row[2] or more:address(row[2]), left, cell)
  end
  return m:finish()
end

-- The source in which `count` calls itself, with its arguments exchanged.
local COUNT = [[
module count

fn count(%n: i64, %a: i8, %b: i8, %unused: i8) -> i8 {
entry:
  %c: i1 = eq %n, 0
  branch %c, done, more
done: <- entry
  ret %a
more: <- entry
  %m: i64 = sub %n, 1
  tail_call @count %m, %b, %a, %unused
}
]]

local function count() return assert(phial.parse(COUNT)) end

--
-- {== Routes ==========================================================
--

describe("a tail call takes no stack", function()
  for _, through in ipairs { "name", "address" } do
    it("when it runs, through " .. through, function()
      local m = parity(through)
      assert.equal(1, m:get "even"(MANY, 0))
      assert.equal(0, m:get "odd"(MANY, 0, { fuel = 4 * MANY }))
      assert.equal(1, m:instance():call("odd", MANY + 1, 0))
    end)

    it("in native code, through " .. through, function()
      if not compilers.has "clang" then return pending "clang (not installed)" end
      local m = parity(through)
      for _, flags in ipairs(under.brief and { through == "name" and "-O0" or "-O2" }
        or { "-O0", "-O2" }) do
        local lib <close> = m:compile { cc = compilers.command "clang",
          flags = flags .. " -Wall -Wextra -Werror" }
        assert.equal(1, lib:call("even", MANY, 0))
      end
    end)

    it("in LLVM, through " .. through, function()
      for kind, tools in pairs(llvm.tools) do
        local text = phial.emit.llvm(parity(through), { pointers = kind }) .. ([[

define i32 @main() {
  %%r = call i32 @odd(i64 %d, PTR null)
  ret i32 %%r
}
]]):format(MANY + 1):gsub("PTR", kind == "typed" and "i8*" or "ptr")
        assert.equal(1, llvm.status(tools, text))
      end
    end)

    it("for the oracle, through " .. through, function()
      local m = parity(through)
      assert.equal(1, semantics.run(m:get "even", {}, 2000, 0))
    end)
  end

  it("of a function itself, in Lua of all forms", function()
    local fn = count():get "count"
    for _, opts in ipairs { { form = "goto" }, { form = "blocks" } } do
      local source, host = phial.emit.lua(fn, opts)
      assert.equal(2, assert(load(source))(host)(MANY + 1, 1, 2, 3))
    end
    for _, opts in ipairs { { form = "lua" }, { form = "lua", nesting = 0 } } do
      local source, host = phial.emit.cps(fn, opts)
      assert.equal(2, assert(load(source))(host)(MANY + 1, 1, 2, 3, function(x) return x end))
    end
  end)

  it("of a function itself, in C of all compilers", function()
    compilers.each(pending, function(name)
      local lib <close> = count():compile(compilers.options(name))
      assert.equal(2, lib:call("count", MANY + 1, 1, 2, 3))
    end)
  end)
end)

it("what a tail call passes is computed before memory is freed", function()
  local m = phial.module "freed"
  local top = m:declare("top", { "p:ptr" }, "i64")
  local last = m:fn("last", { "x:i64" }, "i64")
  local b = last:entry()
  b:ret(b:add(b:call(top, nil, b:alloca(8)), last:arg(1)))
  local first = m:fn("first", {}, "i64")
  b = first:entry()
  local p = b:alloca(8)
  b:store(p, 40)
  b:call(top, nil, p)
  b:tail_call(last, b:load(p, "i64"))
  m:finish()
  local seen = {}
  local function note(at)
    seen[#seen + 1] = at
    return 2
  end
  assert.equal(42, m:get "first" { env = { top = note } })
  assert.equal(seen[1], seen[2])
end)

-- }== What it calls ====================================================

it("what a name means gives one result, of the type of the function", function()
  local fn = phial.fn("f", { "x:i64" }, "f64")
  fn:entry():tail_call("g", fn:arg(1))
  fn:finish()
  assert.equal(4.0, fn(4, { env = { g = function(x) return x, 2 end } }))
  local narrow = phial.fn("narrow", { "x:i64" }, "f32")
  narrow:entry():ret(narrow:entry():itof(narrow:arg(1), "f32"))
  narrow:finish()
  raises.equal("f: 'tail_call @g %x' in block 'entry': function 'narrow' returns f32, not f64",
    fn, 4, { env = { g = narrow } })
  local none = phial.fn("none", { "p:ptr" })
  none:entry():tail_call(none:arg(1))
  none:finish()
  local m = phial.module "m"
  local start = m:fn("start", {})
  start:entry():tail_call(none, start:entry():address "print")
  assert.equal(0, select("#", start:finish()({ env = { print = function() return 1 end } })))
end)

it("a tail call is an edge of the graph of calls", function()
  local m = parity "name"
  local graph = m:callgraph()
  assert.same({ m:get "odd" }, graph:callees(m:get "even"))
  assert.is_false(graph:calls_unknown(m:get "even"))
  assert.equal(1, #graph:sccs())
  m = parity "address"
  assert.is_true(m:callgraph():calls_unknown(m:get "even"))
end)

it("a tail call at a cursor ends a block anew", function()
  local m = count()
  local fn = m:get "count"
  fn:entry():back():tail_call(fn, 1, 2, 3, 4)
  assert(fn:verify())
  fn:clean()
  assert.equal([[
fn count(%n: i64, %a: i8, %b: i8, %unused: i8) -> i8 {
entry:
  tail_call @count 1, 2:i8, 3:i8, 4:i8
}
]], fn:text())
end)

-- }== Refusals =========================================================

describe("refused:", function()
  local fn = phial.fn("f", { "x:i64" }, "i64")
  local b, x = fn:entry(), fn:arg(1)
  local other = phial.fn("other", { "c:i1" })

  it("a result of another type", function()
    refused(fn, "function 'other' returns nothing, not i64 as 'f' does",
      function() b:tail_call(other, true) end)
    refused(other, "function 'f' returns i64, not nothing as 'other' does",
      function() other:entry():tail_call(fn, 1) end)
  end)

  it("arguments that do not fit", function()
    refused(fn, "wrong number of arguments to 'f' (1 expected, got 0)",
      function() b:tail_call(fn) end)
    refused(fn, "bad argument #2 to 'tail_call' (i64 expected by parameter 'x' of 'f', got true)",
      function() b:tail_call(fn, true) end)
    refused(fn, "bad argument #1 to 'tail_call' (ptr expected, got i64 '%x')",
      function() b:tail_call(x, 1) end)
    refused(fn, "wrong number of arguments to 'tail_call' (at least 1 expected, got 0)",
      function() b:tail_call() end)
  end)

  it("a function of Lua, and the op by its name", function()
    refused(fn, "bad argument #1 to 'tail_call' (callee of a tail call expected: a phial.Function "
      .. "or a name, got a Lua function)", function() b:tail_call(print) end)
    refused(fn, "bad argument #1 to 'emit' ('tail_call_indirect' has a method of its own: "
      .. "block:tail_call)", function() b:emit("tail_call_indirect", 1) end)
  end)

  it("what comes after it", function()
    local ended = phial.fn("ended", {})
    ended:entry():tail_call(ended)
    local ok, why = pcall(function() ended:entry():ret() end)
    assert.is_false(ok)
    assert.matches("block 'entry' already ends with 'tail_call @ended'", why)
  end)

  it("a name whose function returns another type", function()
    local m = phial.module("m", { where = false })
    m:fn("f", {}, "i64"):entry():tail_call "g"
    m:fn("g", {}, "i32"):entry():ret(1)
    raises.with("'f' calls 'g': it returns i32, not i64", m.finish, m)
  end)

  it("other functions in Lua with continuations, which return", function()
    local odd = parity "name":get "odd"
    raises.with("odd: 'tail_call @even %", phial.emit.cps, odd, { form = "lua" })
  end)

  it("functions of two types in C and LLVM", function()
    local m = assert(phial.parse [[
module m

fn f(%x: i64) -> i64 {
entry:
  tail_call @g %x, 1
}

fn g(%x: i64, %y: i64) -> i64 {
entry:
  ret %x
}
]])
    assert.equal(3, m:get "f"(3))
    raises.with("f: 'tail_call @g %x, 1' in block 'entry': C guarantees tail calls between "
      .. "functions of one type: the callee is uint64_t (uint64_t, uint64_t), "
      .. "not uint64_t (uint64_t)", phial.emit.c, m)
    raises.with("f: 'tail_call @g %x, 1' in block 'entry': LLVM guarantees tail calls between "
      .. "functions of one type: the callee is i64 (i64, i64), not i64 (i64)", phial.emit.llvm, m)
  end)

  it("a C compiler that cannot guarantee it, by name", function()
    if not compilers.has "tcc" then return pending "tcc (not installed)" end
    local m = parity "name"
    local opts = { cc = compilers.command "tcc", flags = "" }
    raises.with("even: 'tail_call @odd %", m.compile, m, opts)
  end)
end)
