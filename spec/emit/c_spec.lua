-- phial.emit.c: names, positions, dialects, options; what it computes is checked in
-- spec/native.
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local native = require "phial.native"
local ops = require "spec.support.ops"
local phial = require "phial"
local refused = require "spec.support.refused"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

local function parsed(text) return assert(phial.parse(text)) end

-- The text after the headers.
local function body(source) return (source:gsub("^.-\n\n", "", 1)) end

local NAMES = [[
fn "int"(%"while": i64, %"a b": i64, %uint64_t: i64, %"int": i64, %_x: i64, %INT64_C: i64) -> i64 {
"goto":
  %"1st": i64 = add %"while", %"a b"
  %a_b: i64 = mul %"1st", %uint64_t
  jump "do"
"do": <- "goto"
  %errno: i64 = sub %a_b, %"int"
  %memcpy: i64 = bxor %errno, %_x
  %"": i64 = call @"int" %memcpy, %memcpy, %memcpy, %memcpy, %memcpy, %INT64_C
  ret %memcpy
}]]

describe("names in C", function()
  it("stay where they can", function()
    assert.equal([[
uint64_t int_(uint64_t while_, uint64_t a_b, uint64_t uint64_t_, uint64_t int_2, uint64_t _x,
]], (body(phial.emit.c(parsed(NAMES:gsub('\n  %%"": [^\n]*', "")))):gsub("uint64_t _x, .*",
      "uint64_t _x,\n"):gsub("^.-;\n\n", "")))
  end)

  compilers.each(pending, function(cc)
    it("are no words of C, or taken (all words: names_spec.lua): " .. cc, function()
      local source = phial.emit.c(parsed((NAMES:gsub('\n  %%"": [^\n]*', ""))))
      assert.equal("", compilers.said(cc, source))
    end)
  end)
end)

it("positions of the frontend are #line directives, others those of the C file", function()
  local fn = phial.fn("f", { "x:i64" }, "i64", { rules = false })
  local b = fn:entry()
  local v = b:mul(fn:arg(1), 3)
  fn:set_loc(7, 1, "a \"b\".x")
  v = b:udiv(v, 5)
  v = b:udiv(v, fn:arg(1))
  fn:set_loc(8)
  b:ret(v)
  fn:finish()
  assert.equal([[
uint64_t f(uint64_t x) {
#line 7 "a \"b\".x"
  uint64_t v5 = (x * 3) / 5;
#line 7
  if (x == 0)
#line 7
    PHIAL_TRAP("f: 'udiv %5, %x' in block 'entry' (a \"b\".x:7:1): division by zero");
#line 7
  uint64_t v6 = v5 / x;
  return v6;
#line 21 "f.c"
}
]], body(phial.emit.c(fn)))
  assert.is_nil(phial.emit.c(fn, { lines = false }):find "#line")
  assert.truthy(phial.emit.c(fn, { file = "g.c" }):find('#line 21 "g.c"\n}', 1, true))
end)

it("the position of a copy that is not written is not that of what follows", function()
  local fn = assert(phial.parse [[
fn f(%n: i64) -> i64 {
entry:
  %c: i64 = copy %n @ 3
  %d: i64 = udiv 8, %c @ 4
  ret %d @ 4
}]])
  assert.matches("{\n#line 4\n  if (n == 0)", phial.emit.c(fn), 1, true)
end)

it("a #line directive names a file where it changes", function()
  local fn = phial.fn("f", { "x:i64" }, "i64", { rules = false })
  local b, next_block = fn:entry(), fn:block("next", 1)
  fn:set_loc(7, 1, "a.x")
  local v = b:mul(fn:arg(1), 3)
  b:branch(b:eq(v, 3), next_block, fn:block("other", 1))
  fn:set_loc(9, 1, "a.x")
  v = next_block:mul(v, 5)
  fn:set_loc(10, 1, "b.x")
  v = next_block:mul(v, 7)
  fn:set_loc(11, 1, "b.x")
  next_block:ret(v)
  fn:find "other":ret(0)
  assert.equal([[
uint64_t f(uint64_t x) {
  uint64_t v3;

#line 7 "a.x"
  v3 = x * 3;
#line 7
  if (!(v3 == 3))
#line 7
    goto other;
#line 9
  uint64_t v7 = v3 * 5;
#line 10 "b.x"
  uint64_t v9 = v7 * 7;
  return v9;
other:
#line 11
  return 0;
#line 23 "f.c"
}
]], body(phial.emit.c(fn:finish())))
end)

describe("ops of dialects", function()
  local D = phial.dialect("d", {
    twice = { args = { "i32" }, result = "i32", effect = "none", c = function(_, operands, emit)
      emit:declare "#include <limits.h>"
      emit:declare "static const int factor = 2;"
      return ("%s = %s * factor;"):format(emit:result(), operands[1])
    end },
    divide = { args = { "i64", "i64" }, result = "i64", results = 2, effect = "none",
      c = function(_, operands, emit)
        local t = emit:temp "i64"
        return { ("%s = %s;"):format(t, operands[1]),
          ("%s = %s / %s;"):format(emit:result(), t, operands[2]),
          ("%s = %s %% %s;"):format(emit:result(2), t, operands[2]) }
      end },
    nonzero = { args = { "i64" }, terminator = true, targets = 2, c = function(_, operands, emit)
      assert(emit:type "f64" == "double")
      return ("if (%s != 0)\n  %s\n%s"):format(operands[1], emit:target(1), emit:target(2))
    end },
    bad = { args = {}, c = function() return 1 end },
    lost = { args = {}, terminator = true, targets = 1, c = function(_, _, emit)
      return emit:target(2)
    end },
  })

  compilers.each(pending, function(cc)
    it("write themselves: " .. cc, function()
      local fn = phial.fn("f", { "a:i64", "b:i64", "c:i32" }, "i64")
      local b, some, none, x = fn:entry(), fn:block "some", fn:block "none", fn:var "x"
      local q, r = b:emit(D.divide, fn:arg(1), fn:arg(2))
      b:write(x, q)
      b:emit(D.nonzero, r, { some, none })
      some:seal()
      some:write(x, some:add(some:zext(some:emit(D.twice, fn:arg(3)), "i64"), r))
      some:jump(none)
      none:seal()
      none:ret(none:read(x))
      fn:finish()
      local lib <close> = fn:compile(compilers.options(cc))
      assert.same({ 3, 23 }, { lib:call("f", 12, 4, 0), lib:call("f", 13, 10, 10) })
    end)
  end)

  it("are refused if they cannot", function()
    local fn = phial.fn "f"
    fn:entry():emit(D.bad)
    fn:entry():ret()
    refused(fn:finish(), "f: 'd.bad' in block 'entry': the c of op 'd.bad' returned 1: lines "
      .. "expected", function() phial.emit.c(fn) end)
    local g = phial.fn "g"
    local done = g:block "done"
    g:entry():emit(D.lost, { done })
    done:ret()
    refused(g:finish(), "g: 'd.lost' in block 'entry': the op has no target 2",
      function() phial.emit.c(g) end)
  end)
end)

describe("variables", function()
  -- Its text writes the results before it reads the operands.
  local D = phial.dialect("d", {
    early = { args = { "i64", "i64" }, result = "i64", results = 2, effect = "none",
      c = function(_, operands, emit)
        local x, y = emit:result(), emit:result(2)
        return ("%s = 5;\n%s = 3;\n%s *= %s;\n%s += %s;"):format(x, y, x, operands[2], y,
          operands[1])
      end },
  })

  -- As often as %n says, what is in two variables is swapped.
  local swap = parsed [[
fn swap(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: %n, body: %less]
  %a: i64 = phi a [entry: 1, body: %b]
  %b: i64 = phi b [entry: undef:i64, body: %a]
  %unused: i64 = phi unused [entry: 0, body: %next]
  %more: i1 = ne %i, 0
  branch %more, body, done
body: <- head
  %next: i64 = add %unused, %a
  %less: i64 = sub %i, 1
  jump head
done: <- head
  %same: i64 = copy %a
  ret %same
}]]

  it("are shared, and the function stays as it is", function()
    local before = swap:text()
    assert.equal([[
uint64_t swap(uint64_t n) {
  uint64_t a, b, swap_2;

  b = 0;
  a = 1;
head:
  if (!(n != 0))
    goto done;
  n = n - 1;
  swap_2 = b;
  b = a;
  a = swap_2;
  goto head;
done:
  return a;
}
]], body(phial.emit.c(swap)))
    assert.equal(before, swap:text())
  end)

  -- x, y = 5 * y, 3 + x, as often as %n says. The second result has two projections.
  local function early(name, twin)
    local text = [[
fn NAME(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: %n, body: %less]
  %x: i64 = phi x [entry: 1, body: %x2]
  %y: i64 = phi y [entry: 2, body: %twin]
  %more: i1 = ne %i, 0
  branch %more, body, done
body: <- head
  %x2: i64 = d.early %x, %y
  %y2: i64 = proj {2} %x2
  TWIN
  %same: i1 = eq %y2, %twin
  %one: i64 = zext %same
  %less: i64 = sub %i, %one
  jump head
done: <- head
  %scaled: i64 = mul %x, 1000
  %sum: i64 = add %scaled, %y
  ret %sum
}]]
    text = text:gsub("%u%u+", { NAME = name, TWIN = twin })
    return assert(phial.parse(text, { dialects = { D } }))
  end

  compilers.each(pending, function(cc)
    it("are read before they are written: " .. cc, function()
      local lib <close> = native.compile({ swap, early("one", "%twin: i64 = copy %y2"),
        early("two", "%twin: i64 = proj {2} %x2") }, compilers.options(cc))
      assert.same({ 1, 0 }, { lib:call("swap", 6), lib:call("swap", 5) })
      local x, y = 1, 2
      for n = 0, 5 do
        assert.equal(1000 * x + y, lib:call("one", n))
        assert.equal(1000 * x + y, lib:call("two", n))
        x, y = 5 * y, 3 + x
      end
    end)
  end)
end)

describe("options", function()
  local fn = parsed [[
fn f(%a: i64, %b: i64, %x: f64) -> i64 {
entry:
  %q: i64 = sdiv %a, %b
  %r: i64 = srem %q, %b
  %i: i64 = ftoi %x
  %c: i1 = eq %i, %r
  branch %c, no, yes
no: <- entry
  unreachable
yes: <- entry
  ret %r
}]]

  it("leave out traps", function()
    local source = phial.emit.c(fn, { traps = "undefined" })
    assert.is_nil(source:find("PHIAL_TRAP", 1, true))
    assert.truthy(source:find("PHIAL_UNREACHABLE();", 1, true))
    local lib <close> = fn:compile { traps = "undefined" }
    assert.equal(-1, lib:call("f", -21, 4, 1.0))
  end)

  it("let traps be something else", function()
    local source = '#define PHIAL_TRAP(why) (puts(why), exit(1))\n#include <stdio.h>\n'
      .. "#include <stdlib.h>\n" .. phial.emit.c(fn)
    for _, cc in ipairs(compilers.NAMES) do
      if compilers.has(cc) then assert.equal("", compilers.said(cc, source)) end
    end
  end)

  it("are checked", function()
    refused(fn, "bad argument #2 to 'phial.emit.c' (table expected, got 1)",
      function() phial.emit.c(fn, 1) end)
    refused(fn, "'phial.emit.c': unknown option 'trap'; there are: file, lines, traps",
      function() phial.emit.c(fn, { trap = "" }) end)
    refused(fn, "'phial.emit.c': option 'traps': \"checked\" or \"undefined\" expected, got \"no\"",
      function() phial.emit.c(fn, { traps = "no" }) end)
  end)
end)

describe("expressions", function()
  it("keep loads before writes, and calls before loads, calls and traps", function()
    local fn = parsed [[
fn f(%p: ptr, %q: i64) -> i64 {
entry:
  %old: i64 = load %p
  store %p, 1
  %one: i64 = call @g %q
  %two: i64 = call @g %old
  %three: i64 = load %p
  %four: i64 = add %two, %three
  %five: i64 = call @g %one
  %six: i64 = udiv %four, %q
  %seven: i64 = add %five, %six
  ret %seven
}]]
    local source = phial.emit.c(fn, { traps = "checked" })
    assert.equal([[
  uint64_t old = phial_load_i64(p);
  phial_store_i64(p, 1);
  uint64_t one = g(q);
  uint64_t two = g(old);
  uint64_t four = two + phial_load_i64(p);
  uint64_t five = g(one);
  if (q == 0)
    PHIAL_TRAP("f: 'udiv %four, %q' in block 'entry': division by zero");
  return five + (four / q);
}
]], source:match "(  uint64_t old.*)")
  end)

  it("keep calls before checks of the program", function()
    local fn = parsed [[
fn f(%q: i64, %c: i1) -> i64 {
entry:
  %one: i64 = call @g %q
  trap_if {"no"} %c
  ret %one
}]]
    assert.equal([[
  uint64_t one = g(q);
  if (c)
    PHIAL_TRAP("f: 'trap_if {\"no\"} %c' in block 'entry': no");
  return one;
}
]], phial.emit.c(fn):match "(  uint64_t one.*)")
  end)

  it("have no parentheses around what binds more tightly", function()
    local fn = phial.fn("f", { "x:i64", "y:i8" }, "i64", { rules = false, where = false })
    local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
    b:ret(b:add(b:zext(b:add(y, y), "i64"), b:bitcast(b:bitcast(x, "i64"), "i64")))
    assert.is_truthy(phial.emit.c(fn:finish()):find("return (uint64_t)(uint8_t)(y + y) + x;", 1,
      true))
  end)

  compilers.each(pending, function(cc)
    it("may always be true: " .. cc, function()
      local fn = phial.fn("f", { "x:i64" }, "i1", { rules = false, where = false })
      local b, x = fn:entry(), fn:arg(1)
      local self = b:bor(b:eq(x, x), b:slt(x, x))
      b:ret(b:bor(self, b:bor(b:ne(x, 40000), b:ult(x, 40001))))
      local lib <close> = fn:finish():compile(compilers.options(cc))
      assert.is_true(lib:call("f", 1))
    end)

    it("are not too deep: " .. cc, function()
      local fn = phial.fn("f", { "x:i64" }, "i64", { rules = false, where = false })
      local b, v = fn:entry(), fn:arg(1)
      for i = 1, 10000 do v = b:add(v, b:mul(fn:arg(1), i)) end
      b:ret(v)
      local lib <close> = fn:finish():compile { cc = compilers.command(cc), flags = "-O0" }
      assert.equal(1 + 10000 * 10001 // 2, lib:call("f", 1))
    end)
  end)
end)

it("bytes of messages are those of the file, without trigraphs", function()
  local fn = parsed 'fn "??/é\\x01\\""() {\nentry:\n  unreachable\n}'
  assert.truthy(phial.emit.c(fn):find([[PHIAL_TRAP("\?\?/\303\251\001\": 'unreachable']], 1, true))
end)

-- What one op needs is there, and nothing else is, of which a compiler would warn.
describe("each op by itself is written without a warning", function()
  if under.slow then return end -- a text, which is the same in all builds
  local dir, sources = os.tmpname(), {}
  setup(function()
    os.remove(dir)
    assert(os.execute("mkdir " .. dir))
    for _, row in ipairs(ops.all) do
      local types, result, said
      ops.each_form(row, function(_, ...) types, result, said = ... end)
      local params, args = {}, {}
      for i, type in ipairs(types) do params[i] = ("p%d:%s"):format(i, type) end
      local fn = phial.fn("f", params, result, { rules = false })
      for i = 1, #types do args[i] = fn:arg(i) end
      if said then args[#args + 1] = said end
      fn:entry():ret(fn:entry():emit(row.name, table.unpack(args)))
      sources[#sources + 1] = row.name .. ".c"
      file.write(dir .. "/" .. sources[#sources], phial.emit.c(fn:finish()))
    end
  end)
  teardown(function() os.execute("rm -r " .. dir) end)

  compilers.each(pending, function(cc)
    it("by " .. cc, function()
      assert.equal("", shell.run(("cd %s && %s -std=c11 %s -c %s"):format(dir, cc,
        compilers.STRICT[cc], table.concat(sources, " "))))
    end)
  end)
end)
