-- phial.exporter: languages of users. examples/qbe is one that is whole.
local assert = require "spec.support.assert"
local phial = require "phial"
local refused = require "spec.support.refused"

-- A description, with other fields.
local function spec(more)
  local all = {
    name = "X", value = "%$v = ", label = "$v:", incoming = "$[$a, $>1]", argument = "$T $a",
    types = { i1 = { T = "b" }, i32 = { T = "w" }, i64 = { T = "l" }, ptr = { T = "p" } },
    trap = "fail",
    constant = function(_, value) return tostring(value) end,
    rows = { phi = "phi $T", jump = "do goto $>1", branch = "do if $a $>1 else $>2",
      add = "add $a, $b", ret = "[a=none] ret\nret $a", eq = "eq $a, $b",
      call = "[t=none] call $f($*a)\n$T call $f($*a)", address = "of $f",
      udiv = "let 1 b eq $b, 0\ntrap $1: by zero\nudiv $a, $b" },
    frame = function(_, it)
      return ("%s%s(%s)\n%s"):format(it.is_exported and "global " or "", it.name, it.params,
        it.body)
    end,
  }
  for field, value in pairs(more or {}) do all[field] = value end
  return all
end

local function rows(more)
  local all = spec().rows
  for op, row in pairs(more) do all[op] = row end
  return spec { rows = all }
end

local function written(text, description, opts)
  return phial.exporter(description or spec()).func(assert(phial.parse(text)), opts)
end

describe("an exporter", function()
  it("writes what a function reaches, and knows what is outside", function()
    local m = phial.module "m"
    m:declare("puts", { "p:ptr" }, "i32")
    local inner = m:fn("in ner", { "n:i64" }, "i64", { linkage = "internal" })
    inner:entry():ret(inner:entry():udiv(7, inner:arg(1)))
    local outer = m:fn("outer", { "p:ptr" }, "i64")
    local b = outer:entry()
    b:call("puts", "i32", outer:arg(1))
    b:call("puts", "i32", b:address(inner))
    b:ret(b:call(inner, "i64", -5))
    local x = phial.exporter(spec())
    m:finish()
    local text = [[
global outer(p %p)
entry:
  %v2 = w call puts(p %p)
  %v3 = of in_ner
  %v4 = w call puts(p %v3)
  %v6 = l call in_ner(l -5)
  ret %v6

in_ner(l %n)
entry:
  %t = b eq %n, 0
  if %t trap else ok
ok:
  %v3 = udiv 7, %n
  ret %v3
trap:
  fail
]]
    assert.equal(text, x.func(outer))
    assert.equal(#text, #x.module(m))
    assert.is_nil(x.func(outer, { traps = "undefined" }):find "trap")
  end)

  it("writes traps of programs, also where others are left out, and by functions", function()
    local text = "fn f(%c: i1) {\nentry:\n  trap_if {\"no $b\"} %c\n  trap {\"end\"}\n}"
    for _, opts in ipairs { {}, { traps = "undefined" } } do
      assert.equal([[
global f(b %c)
entry:
  if %c trap else ok
ok:
  goto trap
trap:
  fail
]], written(text, rows { trap_if = "trap $a: $m", trap = "trap: $m" }, opts))
    end
    local function trap_if(_, operands, emit)
      local bad, good = emit:label "bad", emit:label()
      return { ("if %s %s else %s"):format(operands[1], bad, good), bad .. ":", emit:trap "no",
        good .. ":" }
    end
    local description = rows { trap_if = trap_if, trap = "do exit $m" }
    description.trap = "fail $$\nstop"
    assert.equal("global f(b %c)\nentry:\n  if %c bad else l\nbad:\n  fail $\n  stop\nl:\n"
      .. "  exit end\n", written(text, description))
    description.trap = nil
    assert.matches("exporter_spec.lua:%d+: f: a row traps, and the exporter has no 'trap'$",
      select(2, pcall(written, text, description)))
  end)

  it("is phial.emit.NAME where a module returns it", function()
    package.preload["phial.emit.x_of_spec"] = function() return phial.exporter(spec()) end
    assert.equal("global f()\nentry:\n  ret\n",
      phial.emit.x_of_spec(assert(phial.parse "fn f() {\nentry:\n  ret\n}")))
    package.preload["phial.emit.x_of_spec"], package.loaded["phial.emit.x_of_spec"] = nil, nil
  end)

  it("has rows that are functions, and rows of ops of dialects", function()
    local d = phial.dialect("d", {
      inc = { args = 1, result = "i64", pure = true },
      two = { args = 1, result = "i64", results = 2 },
      go = { args = 1, terminator = true, targets = "*" },
    })
    local x = phial.exporter(rows {
      ["d.inc"] = "inc $a", ["d.two"] = "result 2 high $a\nlow $a",
      ["d.go"] = function(v, operands, emit)
        emit:declare "use go"
        local name, label = emit:temp(), emit:label "more"
        return { name .. " = test " .. operands[1] .. " " .. v:op(), label .. ":",
          ("go %s %s %s"):format(name, emit:target(1), emit:target(2)) }
      end,
      eq = function(_, operands, emit)
        emit:declare "use go"
        return ("%s = same %s"):format(emit:result(), emit:type "i64", table.concat(operands, " "))
      end,
    })
    local fn = assert(phial.parse([[
fn f(%n: i64) -> i64 {
entry:
  %1: i64 = d.inc %n
  %2: i64 = d.two %1
  %3: i64 = proj {2} %2
  %4: i1 = eq %2, %3
  d.go %4, [a, b]
a: <- entry
  jump b
b: <- entry, a
  %5: i64 = phi [entry: %3, a: 1]
  ret %5
}]], { dialects = { d } }))
    assert.equal([[
use go

global f(l %n)
entry:
  %v1 = inc %n
  %v3 = high %v1
  %v2 = low %v1
  %v4 = same l
  %t = test %v4 d.go
more:
  go %t a b
a:
  goto b
b:
  %v5 = phi l [%v3, more], [1, a]
  ret %v5
]], x.func(fn))
  end)

  it("writes a switch as tests, each of which is where an edge comes from", function()
    local text <const> = [[
fn f(%n: i64) -> i64 {
entry:
  switch %n, done [1: done, 2: other, 3: done]
other: <- entry
  jump done
done: <- entry, entry, entry, other
  %1: i64 = phi [entry: %n, entry: 10, entry: %n, other: 7]
  ret %1
}]]
    assert.equal([[
global f(l %n)
entry:
  %t = b eq %n, 1
  if %t edge else case
case:
  %t.1 = b eq %n, 2
  if %t.1 other else case.1
case.1:
  %t.2 = b eq %n, 3
  if %t.2 done else case.2
case.2:
  goto done
other:
  goto done
done:
  %v1 = phi l [%n, case.2], [10, edge], [%n, case.1], [7, other]
  ret %v1
edge:
  goto done
]], written(text, rows { switch = "case b eq $a, $b" }))
  end)

  it("names each thing differently, and cuts long names", function()
    local fn = phial.fn("f", { "n", "m" }, "i64")
    local b, sum = fn:entry(), fn:arg(1)
    for _, name in ipairs { "v3", "a b", "a_b", ("long"):rep(9), ("long"):rep(8), "1", "\0" } do
      sum = b:add(sum, fn:arg(2)):set_name(name)
    end
    b:ret(sum)
    local names = {}
    for name in phial.exporter(spec { longest = 20 }).func(fn:finish()):gmatch "%%([%w_.]+) =" do
      names[#names + 1] = name
    end
    assert.same({ "v3", "a_b", "a_b.1", "longlonglonglonglong", "longlonglonglonglong.1", "_",
      "_.1" }, names)
  end)

  it("is refused with what is wrong", function()
    local function refuse(why, it) refused(nil, why, function() phial.exporter(it) end) end
    refuse("bad argument #1 to 'phial.exporter' (table expected, got nil)", nil)
    for why, more in pairs {
      ["option 'rows': 'ad' is not an instruction (did you mean 'add'?)"] = { rows = { ad = "x" } },
      ["option 'rows': 'const' is not an instruction"] = { rows = { const = "x" } },
      ["option 'rows': add: text or function expected, got 1"] = { rows = { add = 1 } },
      ["option 'rows': jump: 'do ... $>1' expected"] = { rows = { jump = "do goto" } },
      ["option 'rows': branch: 'do ... $a ... $>1 ... $>2' expected"] =
        { rows = { jump = "do goto $>1", branch = "do if $a" } },
      ["option 'value': '... $v ...' expected"] = { value = "%" },
      ["option 'types': 'i7' is not a type"] = { types = { i7 = {} } },
      ["option 'types': i8: texts by capital letters expected, got 't'"] =
        { types = { i8 = { t = "x" } } },
    } do refuse(("'phial.exporter': %s"):format(why), spec(more)) end
    local without = spec()
    without.frame = nil
    refuse("'phial.exporter': option 'frame' is missing", without)
    refuse("'phial.exporter': option 'name': string expected, got 1", spec { name = 1 })
    refuse("row 'add': line 2: placeholder expected at ''", rows { add = "let 1 $a\n$" })
    refuse("row 'add': line 1: test expected at '] x'", rows { add = "[trap] x" })
    refuse("incoming: line 1: operand expected at ''", spec { incoming = "$+t" })
  end)

  it("refuses what a language does not have, by name", function()
    local function refuse(why, text, description)
      local ok, message = pcall(written, text, description)
      assert.is_false(ok, why)
      assert.matches(why, message, 1, true)
    end
    local plain <const> = "fn f(%n: i64) -> i64 {\nentry:\n  %1: i64 = add %n, -1\n  ret %1\n}"
    refuse("f: 'mul %n, 3' in block 'entry': X has no row for it",
      "fn f(%n: i64) -> i64 {\nentry:\n  %1: i64 = mul %n, 3\n  ret %1\n}")
    refuse("function 'f': parameter 'n' is of type f32, which X does not have",
      "fn f(%n: f32) {\nentry:\n  ret\n}")
    refuse("f: 'param %n': type 'i64' has no", plain, spec { types = { i64 = { Q = "w" } } })
    refuse("function 'f': the result is of type f64, which X does not have",
      "fn f() -> f64 {\nentry:\n  ret 1.0\n}")
    refuse("function 'f' is variadic, which X does not have",
      "fn f(%n: i64, ...) {\nentry:\n  ret\n}")
    refuse("f: constant -1 of type i64 cannot be written in X", plain,
      spec { constant = function() end })
    refuse("f: the frame returned nil: text expected", plain, spec { frame = function() end })
    refuse("'g h' cannot be a name in X", 'fn f() {\nentry:\n  call @"g h"\n  ret\n}')
    refuse("f: a row traps, and the exporter has no 'trap'",
      "fn f(%n: i64) -> i64 {\nentry:\n  %1: i64 = udiv %n, %n\n  ret %1\n}", (function()
        local it = spec()
        it.trap = nil
        return it
      end)())
    local m = phial.module "m"
    m:global("g", "i64", 0)
    refused(nil, "global 'g' cannot be written in X",
      function() phial.exporter(spec()).module(m:finish()) end)
    refused(nil, "bad argument #1 to 'func' (phial.Function expected, got 1)",
      function() phial.exporter(spec()).func(1) end)
    refused(nil, "'X': option 'traps': \"checked\" or \"undefined\" expected, got \"no\"",
      function() written(plain, nil, { traps = "no" }) end)
  end)

  it("notices that a callback changes the function", function()
    local fn = assert(phial.parse
      "fn f(%n: i64) -> i64 {\nentry:\n  %1: i64 = add %n, -1\n  ret %1\n}")
    for _, field in ipairs { "constant", "frame" } do
      local x = phial.exporter(spec { [field] = function()
        fn:reopen()
        return ""
      end })
      local ok, message = pcall(x.func, fn)
      assert.is_false(ok)
      assert.matches("'?f'? was changed while it was read", message)
      fn:finish()
    end
  end)
end)
