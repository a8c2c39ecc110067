-- What dialects and their ops refuse.
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

local SMT <const> = "smt, but not pure, or not of one result"
local RESULTS <const> = "results: a list of types expected; or a number from 1 to 32767 or \"*\", "
  .. "next to result"

describe("dialects", function()
  local D = phial.dialect("d", {
    op2 = { args = 2, result = "any", pure = true },
    typed = { args = { "t", "i64" }, result = "t" },
    br = { args = 1, terminator = true, targets = 2 },
    sw = { args = "*", terminator = true, targets = "*" },
    pair = { args = 1, result = "i64", results = 3 },
    use = { args = 1 },
  }, { "t" })

  it("check counts, types and targets", function()
    local fn, entry, n = subject()
    local t = fn:block "t"
    refused(fn, "wrong number of arguments to 'd.op2' (2 expected, got 1)",
      function() entry:emit(D.op2, n) end)
    refused(fn, "bad argument #1 to 'd.typed' (d.t expected, got i64 '%n')",
      function() entry:emit(D.typed, n, 1) end)
    refused(fn, "bad argument #1 to 'd.typed' (d.t expected, got 1)",
      function() entry:emit("d.typed", 1, 1) end)
    refused(fn, "'d.br' has 2 targets, got 1", function() entry:emit(D.br, n, { t }) end)
    refused(fn, "'d.br' has 2 targets, got 0", function() entry:emit(D.br, n) end)
    local bad = bad_argument(fn, entry)
    bad("emit", 3, "target 2: phial.Block expected, got i64 '%n'", D.sw, n, { t, n })
    refused(fn, "'d.br' has 2 targets, got 1", function() entry:emit(D.br, n, t) end)
    refused(fn, "wrong number of arguments to 'd.br' (1 expected, got 2)",
      function() entry:emit(D.br, n, n, t, t) end)
    bad("emit", 4, "target 2: phial.Block expected, got i64 '%n'", D.br, n, t, n)
    bad("emit", 3, "target 1: phial.Block expected, got nil", D.br, n, nil, t)
    bad("emit", 4, "targets are given before the table, too", D.sw, n, t, { t })
    bad("emit", 3, "targets: a list expected, but 'name' is a key of it", D.sw, n, { t, name = t })
    refused(fn, "op 'copy' cannot be given data", function() entry:copy(n, { data = 1 }) end)
    refused(fn, "block 'entry' is the entry: 'entry' cannot become a predecessor of it",
      function() entry:emit(D.sw, { t, entry }) end)
    local a, b, c = entry:emit(D.pair, n)
    assert.equal("d.pair proj proj", table.concat({ a:op(), b:op(), c:op() }, " "))
    assert.same({ 2, 3 }, { b:index(), c:index() })
    for _, v in ipairs { a, fn:arg(1), fn:const(2) } do assert.is_nil(v:index()) end
    for _, v in ipairs { b, c } do
      assert.is_nil(v:data())
      refused(fn, ("'%s = proj %s' cannot be given data"):format(v, a), function() v:set_data(1) end)
    end
    refused(fn, ("bad argument #2 to 'proj' ('%s' has no result 4)"):format(a),
      function() entry:proj(a, 4, "i64") end)
    refused(fn, ("bad argument #3 to 'proj' (i64 expected, as '%s' has it, got f64)"):format(a),
      function() entry:proj(a, 2, "f64") end)
    assert.equal(0, select("#", entry:emit(D.use, n)))
  end)

  it("describe their ops well", function()
    for spec, why in pairs {
      [{ arg = 1 }] = "unknown field 'arg'; there are: args, result, pure, commutative, effect, "
        .. "traps, terminator, targets, reads, writes, results, cost, eval, llvm, c, lua, describe, "
        .. "smt, env",
      [{ args = -1 }] = 'args: a number up to 32767, a list of types or "*" expected',
      [{ args = 32768 }] = 'args: a number up to 32767, a list of types or "*" expected',
      [{ terminator = true, targets = 32768 }] = 'targets: a number up to 32767 or "*" expected',
      [{ cost = 0 }] = "cost: a number from 1 to 65535 expected",
      [{ cost = 65536 }] = "cost: a number from 1 to 65535 expected",
      [{ result = "i64", results = 0 }] = RESULTS,
      [{ result = "i64", results = 32768 }] = RESULTS,
      [{ args = { "int" } }] = "args: unknown type 'int'"
        .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any",
      [{ result = 1 }] = "result: unknown type '1'"
        .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any",
      [{ pure = 1 }] = "pure: boolean expected, got number",
      [{ commutative = true }] = "commutative, but not of two args",
      [{ targets = 2 }] = "targets, but no terminator",
      [{ pure = true, result = "i8", smt = print }] = "smt: text expected",
      [{ result = "i8", smt = "$a" }] = SMT,
      [{ pure = true, results = { "i8", "i8" }, smt = "$a" }] = SMT,
      [{ pure = true, smt = "$a" }] = SMT,
      [{ terminator = true, result = "i64" }] = "a terminator is not pure and has no result",
      [{ results = 2 }] = RESULTS,
      [{ results = {} }] = "results: from 1 to 32767 types expected, without result",
      [{ result = "i64", results = { "i64" } }] =
        "results: from 1 to 32767 types expected, without result",
      [{ results = { "i64", "*" } }] = "results: unknown type '*'"
        .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any",
      [{ eval = 1 }] = "eval: function expected",
      [{ llvm = 1 }] = "llvm: function or text expected",
      [{ c = true }] = "c: function or text expected",
      [{ describe = "it" }] = "describe: function expected",
      [{ args = 1, c = "f(\n  $a, $b)" }] = "c: line 2: the op has no operand 'b' at ')'",
    } do
      refused(nil, ("bad argument #2 to 'phial.dialect' (op 'x': %s)"):format(why),
        function() phial.dialect("e", { x = spec }) end)
    end
    refused(nil, "bad argument #1 to 'phial.dialect' ('a b' is not a name)",
      function() phial.dialect("a b", {}) end)
    refused(nil, "bad argument #2 to 'phial.dialect' (names of ops with their descriptions expected)",
      function() phial.dialect("e", { ["a b"] = {} }) end)
    refused(nil, "bad argument #3 to 'phial.dialect' (type 'i64' exists already)",
      function() phial.dialect("e", {}, { "i64" }) end)
  end)

  it("have a limited number of ops and types", function()
    local function types(letter, n)
      local list = {}
      for i = 1, n or 200 do list[i] = letter .. i end
      return list
    end
    local one, two = phial.dialect("one", {}, types "a"), phial.dialect("two", {}, types "b")
    local message =
      "dialect 'two' cannot be attached: all dialects together can have 65216 ops and 239 types"
    refused(nil, message, function() phial.fn("f", {}, nil, { dialects = { one, two } }) end)
    refused(nil, message, function() phial.rules():attach(one):attach(two) end)
    refused(nil, "bad argument #3 to 'phial.dialect' (more than 239 types)",
      function() phial.dialect("e", {}, types("c", 240)) end)
    local ops = {} -- rules can be about all
    for i = 1, 65216 do ops["o" .. i] = { args = 1, result = "any", pure = true } end
    phial.rules():attach(phial.dialect("many", ops)):add "many.o9999(many.o9999(x)) => x"
  end)

  it("have different names in one function", function()
    local fn = phial.fn("f", {}, nil, { dialects = { D } })
    local other = phial.dialect("d", { nop = {} })
    refused(fn, "another dialect named 'd' is attached already", function() fn:entry():emit(other.nop) end)
  end)
end)
