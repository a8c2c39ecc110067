-- Variables as operands, block:let, and block:write of several variables: they mean
-- what reads, instructions and writes mean one after the other.
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local dialect = phial.dialect("short", {
  pair = { args = { "i64", "i64" }, result = "i64", results = 2 },
  show = { args = "*" },
  tagged = { args = { "i64" }, result = "i64" },
  go = { args = { "i64" }, terminator = true, targets = 2 },
})

-- An event as a line.
local function line(e)
  local words = { e.event, e.block and e.block:id() or "-", e.var and e.var:name() or "" }
  for _, key in ipairs { "value_id", "index", "operand_id", "by_id" } do
    words[#words + 1] = ("%s=%s"):format(key, e[key])
  end
  return table.concat(words, " ")
end

-- A function with variables x, y of type i64, z of type i8 and w of type f64, which
-- are written in the entry and read in an unsealed block, where `say` goes on. Returns
-- its events, its text and what was recorded.
local function told(say, opts)
  local events = {}
  local fn = phial.fn("f", { "n", "m" }, "i64", {
    rules = opts.rules and phial.rules "int" or false, copies = opts.copies,
    undef = opts.undef, dialects = { dialect },
    log = function(e) events[#events + 1] = line(e) end,
  })
  local record = phial.record(fn)
  local x, y, z, w = fn:var "x", fn:var "y", fn:var("z", "i8"), fn:var("w", "f64")
  local u, entry, head = fn:var "u", fn:entry(), fn:block "head"
  entry:write(x, fn:arg(1), y, 7, z, -1, w, 0.5)
  entry:jump(head)
  fn:set_current(head)
  local out = fn:block("out")
  say(fn, head, { x = x, y = y, z = z, w = w, u = u }, out)
  if not head:is_filled() then head:jump(out) end
  if not out:is_filled() then out:ret(out:add(out:read(x), out:read(y))) end
  fn:finish()
  return { events = events, text = fn:text(), record = record:text() }
end

-- What is said: in the short form, in the long form.
local forms = {
  ["an op method"] = {
    function(_, b, v) b:write(v.x, b:add(v.x, v.y)) end,
    function(_, b, v) b:write(v.x, b:add(b:read(v.x, v.y))) end,
  },
  ["a literal besides"] = {
    function(_, b, v) b:write(v.z, b:add(v.z, 1)) end,
    function(_, b, v) b:write(v.z, b:add(b:read(v.z), 1)) end,
  },
  ["one variable twice"] = {
    function(_, b, v) b:write(v.x, b:mul(v.x, v.x)) end,
    function(_, b, v) b:write(v.x, b:mul(b:read(v.x, v.x))) end,
  },
  ["a value besides"] = {
    function(fn, b, v) b:write(v.x, b:add(fn:arg(2), v.y)) end,
    function(fn, b, v) b:write(v.x, b:add(fn:arg(2), b:read(v.y))) end,
  },
  ["emit"] = {
    function(_, b, v) b:emit(dialect.show, v.x, v.w, v.y, v.u) end,
    function(_, b, v) b:emit(dialect.show, b:read(v.x, v.w, v.y, v.u)) end,
  },
  ["emit with data"] = {
    function(_, b, v) b:emit("short.tagged", v.x, { data = "d" }) end,
    function(_, b, v) b:emit("short.tagged", b:read(v.x), { data = "d" }) end,
  },
  ["a conversion"] = {
    function(_, b, v) b:write(v.z, b:trunc(v.x, "i8")) end,
    function(_, b, v) b:write(v.z, b:trunc(b:read(v.x), "i8")) end,
  },
  ["a call"] = {
    function(_, b, v) b:write(v.x, b:call("g", "i64", v.y, v.z)) end,
    function(_, b, v) b:write(v.x, b:call("g", "i64", b:read(v.y, v.z))) end,
  },
  ["operators"] = {
    function(_, b, v) b:write(v.x, v.x + 1) b:write(v.y, 2 * v.y) b:write(v.w, -v.w) end,
    function(_, b, v)
      b:write(v.x, b:read(v.x) + 1) b:write(v.y, 2 * b:read(v.y)) b:write(v.w, -b:read(v.w))
    end,
  },
  ["an operator on two variables"] = {
    function(_, b, v) b:write(v.x, v.x - v.y) end,
    function(_, b, v)
      local x, y = b:read(v.x, v.y)
      b:write(v.x, x - y)
    end,
  },
  ["methods of variables"] = {
    function(_, b, v) b:write(v.x, v.x:shl(v.y)) end,
    function(_, b, v)
      local x, y = b:read(v.x, v.y)
      b:write(v.x, x:shl(y))
    end,
  },
  ["a branch"] = {
    function(fn, b, v, out)
      local c, t = fn:var("c", "i1"), fn:block "t"
      b:write(c, b:slt(v.x, v.y))
      b:branch(c, t, out)
      t:jump(out)
    end,
    function(fn, b, v, out)
      local c, t = fn:var("c", "i1"), fn:block "t"
      b:write(c, b:slt(b:read(v.x, v.y)))
      b:branch(b:read(c), t, out)
      t:jump(out)
    end,
  },
  ["a switch"] = {
    function(_, b, v, out) b:switch(v.z, out, { [1] = out, [255] = out }) end,
    function(_, b, v, out) b:switch(b:read(v.z), out, { [1] = out, [255] = out }) end,
  },
  ["a terminator of a dialect"] = {
    function(_, b, v, out) b:emit(dialect.go, v.u, out, out) end,
    function(_, b, v, out) b:emit(dialect.go, b:read(v.u), out, out) end,
  },
  ["ret"] = {
    function(_, b, v, out) b:jump(out) out:ret(v.x) end,
    function(_, b, v, out) b:jump(out) out:ret(out:read(v.x)) end,
  },
  ["a copy"] = {
    function(_, b, v) b:write(v.x, v.y) end,
    function(_, b, v) b:write(v.x, b:read(v.y)) end,
  },
  ["let"] = {
    function(_, b, v) b:let(v.x, "add", v.x, v.y) end,
    function(_, b, v) b:write(v.x, b:add(b:read(v.x, v.y))) end,
  },
  ["let with an op of a dialect"] = {
    function(_, b, v) b:let(v.x, dialect.tagged, v.u, { data = 3 }) end,
    function(_, b, v) b:write(v.x, b:emit(dialect.tagged, b:read(v.u), { data = 3 })) end,
  },
  ["let of several results"] = {
    function(_, b, v) b:let(v.x, v.y, dialect.pair, v.y, v.x) end,
    function(_, b, v)
      local first, second = b:emit(dialect.pair, b:read(v.y, v.x))
      b:write(v.x, first)
      b:write(v.y, second)
    end,
  },
  ["let of a conversion"] = {
    function(_, b, v)
      b:let(v.z, "trunc", v.x)
      b:let(v.x, "sext", v.z)
      b:let(v.w, "itof", v.x, "f64")
    end,
    function(_, b, v)
      b:write(v.z, b:trunc(b:read(v.x), "i8"))
      b:write(v.x, b:sext(b:read(v.z), "i64"))
      b:write(v.w, b:itof(b:read(v.x), "f64"))
    end,
  },
  ["let of a call"] = {
    function(_, b, v) b:let(v.z, "call", "g", v.x, 1) end,
    function(_, b, v) b:write(v.z, b:call("g", "i8", b:read(v.x), 1)) end,
  },
  ["let of what rules fold"] = {
    function(_, b, v) b:let(v.x, "mul", v.y, 0) end,
    function(_, b, v) b:write(v.x, b:mul(b:read(v.y), 0)) end,
  },
  ["several writes"] = {
    function(fn, b, v) b:write(v.x, fn:arg(2), v.y, 1, v.z, 2) end,
    function(fn, b, v) b:write(v.x, fn:arg(2)) b:write(v.y, 1) b:write(v.z, 2) end,
  },
  ["several writes of variables: all are read first"] = {
    function(_, b, v) b:write(v.x, v.y, v.y, v.x) end,
    function(_, b, v)
      local y, x = b:read(v.y, v.x)
      b:write(v.x, y)
      b:write(v.y, x)
    end,
  },
}

local settings = {
  ["without rules"] = {}, ["with rules"] = { rules = true }, ["with copies"] = { copies = true },
  ["with an undef function"] = { undef = function() return 3 end },
}

describe("the short form", function()
  for name, form in pairs(forms) do
    for setting, opts in pairs(settings) do
      it(("of %s means the long one, %s"):format(name, setting), function()
        assert.same(told(form[2], opts), told(form[1], opts))
      end)
    end
  end

  it("of random programs means the long one", function()
    for _, seal in ipairs { "early", "random" } do
      prop.forall(programs.generate, function(p)
        local function build(form)
          local events = {}
          math.randomseed(1)
          local fn = programs.build(p, {
            seal = seal, form = form, log = function(e) events[#events + 1] = line(e) end,
          })
          return { text = fn:finish():text(), events = events }
        end
        assert.same(build "long", build "short")
      end)
    end
  end)
end)

-- Variables, values and blocks of an unfinished function.
local function subject()
  local fn = phial.fn("f", { "n" }, "i64", { rules = false, dialects = { dialect } })
  local entry = fn:entry()
  local x, z = fn:var "x", fn:var("z", "i8")
  entry:write(x, fn:arg(1))
  return fn, entry, x, z
end

describe("variables as operands", function()
  it("are checked before the first is read", function()
    local fn, entry, x, z = subject()
    local head = fn:block "head"
    entry:jump(head)
    local bad = bad_argument(fn, head)
    bad("add", 2, "i64 expected like argument #1, got i8 variable 'z'", x, z)
    bad("fneg", 1, "float expected, got i64 variable 'x'", x)
    bad("select", 3, "value expected, got nil", x, x, nil)
    bad("branch", 1, "i1 expected, got i64 variable 'x'", x, head, head)
    local w = fn:var("w", "f64")
    bad("switch", 1, "integer expected, got f64 variable 'w'", w, head, {})
    bad("write", 4, "i8 expected by variable 'z', got i64 variable 'x'", x, x, z, x)
    fn:set_current(head)
    refused(fn, "no '/' on i64 'x': use v:sdiv(w) or v:udiv(w)", function() return x / 2 end)
    refused(fn, "bad argument #1 to 'slt' (i64 expected like 'x', got i8 variable 'z')",
      function() x:slt(z) end)
    refused(fn, "values have no order in Lua, it would make a boolean of the result: "
      .. "use v:slt(w) for '<', v:sgt(w) for '>'",
      function() return x < 1 end)
  end)

  it("must be of this function", function()
    local fn, entry, x = subject()
    local other = phial.fn("g"):var "y"
    for _, call in ipairs {
      function() entry:add(x, other) end, function() entry:write(x, other) end,
      function() entry:let(other, "add", x, x) end, function() entry:ret(other) end,
    } do
      raises.matching("function 'g'", call)
    end
    entry:ret(x)
    assert(fn:finish():verify())
  end)

  it("are for unfinished functions", function()
    local fn, entry, x = subject()
    entry:ret(x)
    fn:finish()
    local at = entry:back()
    refused(fn, "bad argument #1 to 'add' (value expected, got i64 variable 'x': "
      .. "read it first, by block:read(var))", function() at:add(x, 1) end)
    refused(fn, "bad argument #1 to 'ret' (value expected, got i64 variable 'x': "
      .. "read it first, by block:read(var))", function() at:ret(x) end)
  end)

  it("are refused with the instruction in a filled block", function()
    local fn, entry, x = subject()
    entry:ret(x)
    refused(fn, "block 'entry' already ends with 'ret %n' (at spec/binding/short_forms_spec.lua:"
      .. debug.getinfo(1, "l").currentline - 2 .. "): nothing can be added after it (if its "
      .. "operands have led to another block, emit by the methods of fn: see fn:set_current)",
      function() entry:add(x, 1) end)
  end)
end)

describe("let refuses", function()
  it("what does not fit the variable", function()
    local fn, entry, x, z = subject()
    local bad = bad_argument(fn, entry)
    bad("let", 1, "i8 expected by variable 'z', but 'add' gives i64", z, "add", x, 1)
    bad("let", 1, "i8 expected by variable 'z', but 'sext' gives i64", z, "sext", z, "i64")
    refused(fn, "bad argument #2 to 'trunc' (an integer type narrower than i64 expected, got i64)",
      function() entry:let(x, "trunc", x) end)
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got i8 variable 'z')",
      function() entry:let(x, "add", x, z) end)
    refused(fn,
      "bad argument #2 to 'let' (i8 expected by variable 'z', but 'short.pair' gives i64)",
      function() entry:let(x, z, dialect.pair, x, x) end)
  end)

  it("another number of variables than results", function()
    local fn, entry, x = subject()
    refused(fn, "'add' has 1 result: got 2 variables", function() entry:let(x, x, "add", x, 1) end)
    refused(fn, "'short.pair' has 2 results: got 1 variable",
      function() entry:let(x, dialect.pair, x, 1) end)
    refused(fn, "'short.show' has 0 results: got 1 variable",
      function() entry:let(x, dialect.show, x) end)
  end)

  it("what is not an instruction with results", function()
    local fn, entry, x = subject()
    local bad = bad_argument(fn, entry)
    bad("let", 2, "'jump' has a method of its own: block:jump", x, "jump", entry)
    bad("let", 2, "'short.go' ends a block: it has no result", x, dialect.go, x, entry, entry)
    bad("let", 2, "unknown op 'ad': did you mean 'add'?", x, "ad", x, 1)
    bad("let", 2, "op expected (a name or an op of a dialect), got nil", x, nil)
  end)

  it("too few arguments", function()
    local fn, entry, x = subject()
    refused(fn, "'let' needs an op after the variables", function() entry:let(x, x) end)
    refused(fn, "'call' needs a callee", function() entry:let(x, "call") end)
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 1)",
      function() entry:let(x, "add", x) end)
    refused(fn, "bad argument #1 to 'let' (phial.Variable expected, got a string)",
      function() entry:let("x", "add", x) end)
  end)
end)

describe("write refuses", function()
  it("a variable without a source", function()
    local fn, entry, x, z = subject()
    refused(fn, "wrong number of arguments to 'write' (a source for each variable expected, got 3 "
      .. "arguments)", function() entry:write(x, 1, z) end)
    local bad = bad_argument(fn, entry)
    bad("write", 3, "phial.Variable expected, got 1", x, 1, 1, x)
    bad("write", 4, "300 does not fit i8", x, 1, z, 300)
  end)
end)

describe("write", function()
  it("takes many variables", function()
    local fn, entry = subject()
    local list = {}
    for i = 1, 300 do
      list[2 * i - 1], list[2 * i] = fn:var("v" .. i), i
    end
    entry:write(table.unpack(list))
    assert.equal(300, entry:read(list[599]):const())
    for i = 1, 300 do list[2 * i] = list[2 * (300 - i) + 1] end
    entry:write(table.unpack(list))
    assert.equal(300, entry:read(list[1]):const())
  end)
end)
