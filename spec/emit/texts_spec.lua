-- Ops of dialects whose `c` and `llvm` are texts.
local assert = require "spec.support.assert"
local compilers = require "spec.support.compilers"
local phial = require "phial"
local refused = require "spec.support.refused"

local D = phial.dialect("d", {
  rot = { args = { "i32", "i32" }, result = "i32", pure = true,
    eval = function(a, n) return (a << (n & 31) | (a & 0xffffffff) >> (-n & 31)) & 0xffffffff end,
    c = "[b=const] ($a << $(b & w-1)) | ($a >> $(-b & w-1))\nrot($*a)",
    llvm = "declare declare i32 @rot(i32, i32)\ncall i32 @rot($*a)" },
  hit = { args = "*", c = "declare #include <stdio.h>\ndo hit($*a);",
    llvm = "call void @hit($*a)" },
  next = { result = "i64", c = "next()", llvm = "call i64 @next()" },
  sum = { args = { "i64", "i64" }, results = { "i64", "i1", "i64" }, pure = true,
    eval = function(a, b) return a + b, (a + b < a) ~= (b < 0), a - b end,
    c = [[
      result 2 ((int64_t)($a + $b) < (int64_t)$a) != ((int64_t)$b < 0)
      result 3 $a - $b
      $a + $b]],
    llvm = [[
      declare declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
      let 1 call {i64, i1} @llvm.sadd.with.overflow.i64(i64 $a, i64 $b)
      result 2 extractvalue {i64, i1} $1, 1
      result 3 sub i64 $a, $b
      extractvalue {i64, i1} $1, 0]] },
  by_sign = { args = { "i64" }, terminator = true, targets = 2,
    eval = function(a) return a < 0 and 1 or 2 end,
    c = "do if ((int64_t)$a < 0) $>1\ndo else $>2",
    llvm = "let 1 icmp slt i64 $a, 0\ndo br i1 $1, label %$>1, label %$>2" },
  checked = { args = { "i64" }, result = "i64", traps = true, c = "trap $a == 0: it is 0\n$a - 1",
    llvm = "let 1 icmp eq i64 $a, 0\ntrap $1: it is 0\nsub i64 $a, 1" },
})

-- The lines of a function's body.
local function lines_of(text, emitter)
  local fn = assert(phial.parse(text, { dialects = { D } }))
  local lines, body = {}, phial.emit[emitter](fn):match "%b{}%s*$"
  for line in body:sub(2, -3):gmatch "[^\n]+" do lines[#lines + 1] = line:match "^%s*(.*)$" end
  return table.concat(lines, "\n"):match "^(.-)\n?}?$", phial.emit[emitter](fn)
end

describe("a text of an op of a dialect", function()
  local CALLS <const> = [[
fn f(%a: i32, %p: ptr) -> i32 {
entry:
  %1: i32 = add %a, 1:i32
  %2: i32 = load %p
  %3: i32 = d.rot %1, %2
  %4: i32 = d.rot %3, 33:i32
  d.hit
  d.hit %3, %p, %a, %4, 7
  ret %4
}]]

  it("is part of expressions in C, and can have any number of operands", function()
    local body, all = lines_of(CALLS, "c")
    assert.equal([[
uint32_t v3 = rot(a + 1, phial_load_i32(p));
uint32_t v4 = (v3 << 1) | (v3 >> 31);
hit();
hit(v3, p, a, v4, 7);
return v4;]], body)
    assert.matches("\n#include <stdio.h>\n", all, 1, true)
  end)

  it("is an instruction of LLVM IR", function()
    local body, all = lines_of(CALLS, "llvm")
    assert.equal([[
entry:
%v1 = add i32 %a, 1
%v2 = load i32, ptr %p, align 4
%v3 = call i32 @rot(i32 %v1, i32 %v2)
%v4 = call i32 @rot(i32 %v3, i32 33)
call void @hit()
call void @hit(i32 %v3, ptr %p, i32 %a, i32 %v4, i64 7)
ret i32 %v4]], body)
    assert.matches("\ndeclare i32 @rot(i32, i32)\n", all, 1, true)
  end)

  it("has its effect at its place", function()
    assert.equal([[
uint64_t v1 = next();
uint64_t v2 = phial_load_i64(p);
uint64_t v3 = next();
(void)(next());
return (v3 + v2) + v1;]], (lines_of([[
fn f(%p: ptr) -> i64 {
entry:
  %1: i64 = d.next
  %2: i64 = load %p
  %3: i64 = d.next
  %4: i64 = d.next
  %5: i64 = add %3, %2
  %6: i64 = add %5, %1
  ret %6
}]], "c")))
  end)

  it("has several results, of which some are used, once or twice", function()
    local text <const> = [[
fn f(%x: i64, %y: i64) -> i64 {
entry:
  %1: i64 = d.sum %x, %y
  %2: i1 = proj {2} %1
  %3: i1 = proj {2} %1
  %4: i64 = d.sum %y, %x
  %5: i64 = proj {3} %4
  %6: i1 = bxor %2, %3
  %7: i64 = select %6, %1, %5
  ret %7
}]]
    assert.equal([[
bool v3 = ((int64_t)(x + y) < (int64_t)x) != ((int64_t)y < 0);
uint64_t v1 = x + y;
bool v2 = v3;
uint64_t v5 = y - x;
(void)(y + x);
return (v2 != v3) ? v1 : v5;]], (lines_of(text, "c")))
    assert.equal([[
entry:
%t = call {i64, i1} @llvm.sadd.with.overflow.i64(i64 %x, i64 %y)
%v3 = extractvalue {i64, i1} %t, 1
%v1 = extractvalue {i64, i1} %t, 0
%t.1 = call {i64, i1} @llvm.sadd.with.overflow.i64(i64 %y, i64 %x)
%v5 = sub i64 %y, %x
%v4 = extractvalue {i64, i1} %t.1, 0
%v6 = xor i1 %v3, %v3
%v7 = select i1 %v6, i64 %v1, i64 %v5
ret i64 %v7]], (lines_of(text, "llvm")))
  end)

  it("reads an operand in the variable of a result before that is assigned", function()
    assert.equal([[
v1 = n;
head:;
uint64_t t = v1 - n;
v2 = v1 + n;
v1 = t;
if (!(v2 == 0))
goto head;
return v2;]], (lines_of([[
fn f(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, head
  %1: i64 = phi [entry: %n, head: %3]
  %2: i64 = d.sum %1, %n
  %3: i64 = proj {3} %2
  %4: i1 = eq %2, 0
  branch %4, done, head
done: <- head
  ret %2
}]], "c"):gsub("uint64_t v1, v2;\n", ""):gsub("uint64_t v2, v1;\n", "")))
  end)

  it("ends a block", function()
    local text <const> = [[
fn f(%x: i64) -> i64 {
entry:
  d.by_sign %x, [a, b]
a: <- entry
  jump b
b: <- entry, a
  %1: i64 = phi [entry: 9, a: 7]
  ret %1
}]]
    assert.matches("if ((int64_t)x < 0) goto a;\nelse { v1 = 9; goto b; }\n",
      (lines_of(text, "c")), 1, true)
    assert.matches("%t = icmp slt i64 %x, 0\nbr i1 %t, label %a, label %b",
      (lines_of(text, "llvm")), 1, true)
  end)

  it("traps", function()
    local text <const> = "fn f(%x: i64) -> i64 {\nentry:\n  %1: i64 = d.checked %x\n  ret %1\n}"
    assert.equal([[
if (x == 0)
PHIAL_TRAP("f: 'd.checked %x' in block 'entry': it is 0");
return x - 1;]], (lines_of(text, "c")))
    assert.matches("br i1 %t, label %trap, label %ok\n", (lines_of(text, "llvm")), 1, true)
  end)

  it("is refused where it asks for what the op does not have", function()
    local function refuse(why, key, spec)
      refused(nil, ("bad argument #2 to 'phial.dialect' (op 'x': %s: %s)"):format(key, why),
        function() phial.dialect("e", { x = spec }) end)
    end
    for _, key in ipairs { "c", "llvm" } do
      for text, why in pairs {
        ["$c"] = "line 1: the op has no operand 'c' at ''",
        ["do f($a);\n[c=0] f()"] = "line 2: the op has no operand 'c' at '=0] f()'",
        ["[t=i64] $a"] = "line 1: the op has no result at '=i64] $a'",
        ["do $T $a"] = "line 1: the op has no result at ' $a'",
        ["$(w)"] = "line 1: the op has no result at ''",
        ["$(1<<c)"] = "line 1: the op has no operand 'c' at ''",
        ["result 2 $a"] = "line 1: the op has no such result at '2 $a'",
        ["do $>1"] = "line 1: the op has no such target at '1'",
        ["[fast] $a"] = "line 1: test expected at '] $a'",
        ["need x"] = "line 1: the language has no such line at 'need x'",
        ["$f"] = "line 1: placeholder expected at ''",
      } do refuse(why, key, { args = 2, [key] = text }) end
    end
    refuse("line 1: the language has no such line at 'let 1 $a'", "c", { args = 1, c = "let 1 $a" })
    refuse("line 1: no such 'let' precedes at ''", "llvm", { args = 1, llvm = "do f $1" })
  end)

  it("is refused where an instruction lacks what it asks for", function()
    local E = phial.dialect("e", {
      any = { args = "*", result = "i64", c = "f($b)", llvm = "call i64 @f(i64 $b)" },
      more = { result = "i64", results = 2, c = "f()", llvm = "call i64 @f()" },
      none = { result = "i64", c = "do f();", llvm = "do f" },
    })
    for why, inst in pairs {
      ["f: 'e.any %n' in block 'entry': its row asks for operand 2"] = "e.any %n",
      ["f: 'e.more' in block 'entry': its row has no result 2"] = "e.more\n  %2: i64 = proj {2} %1",
      ["f: 'e.none' in block 'entry': its row has no value"] = "e.none",
    } do
      local fn = assert(phial.parse(("fn f(%%n: i64) -> i64 {\nentry:\n  %%1: i64 = %s\n"
        .. "  %%3: i64 = add %%1, %s\n  ret %%3\n}"):format(inst, inst:match "%%2" or "%n"),
        { dialects = { E } }))
      for _, emitter in ipairs { "c", "llvm" } do
        local ok, message = pcall(phial.emit[emitter], fn)
        assert.is_false(ok, why .. message)
        assert.matches(why, message, 1, true)
      end
    end
  end)

  it("may close braces that it has not opened", function()
    local E = phial.dialect("e", { o = { c = "do }\ndo }", llvm = "do }" } })
    local fn = phial.fn "f"
    fn:entry():emit(E.o)
    fn:entry():ret()
    assert.matches("\n}\n}\nreturn;", phial.emit.c(fn:finish()), 1, true)
  end)

  it("may be that of ops with other numbers of operands", function()
    local E = phial.dialect("e", {
      none = { result = "i64", pure = true, c = "f()" },
      one = { args = { "i64" }, result = "i64", pure = true, c = "f()" },
    })
    local fn = phial.fn("f", { "p:ptr" }, "i64")
    local b = fn:entry()
    local sum = b:add(b:emit(E.none), b:emit(E.one, b:emit(D.next)))
    b:ret(sum)
    assert.matches("uint64_t v2 = f();\n  uint64_t v3 = next();\n  return f() + v2;",
      phial.emit.c(fn:finish()), 1, true)
  end)

  compilers.each(pending, function(cc)
    it("computes what the eval does, compiled by " .. cc, function()
      local fn = assert(phial.parse([[
fn f(%x: i64, %n: i64) -> i64 {
entry:
  jump head
head: <- entry, next
  %i: i64 = phi i [entry: %n, next: %i2]
  %s: i64 = phi s [entry: %x, next: %d]
  %t: i64 = d.sum %s, %i
  %o: i1 = proj {2} %t
  %d: i64 = proj {3} %t
  %u: i64 = select %o, %t, %d
  %w: i32 = trunc %u
  %r: i32 = d.rot %w, 5:i32
  %z: i64 = zext %r
  %i2: i64 = sub %i, 1
  d.by_sign %i2, [done, next]
next: <- head
  jump head
done: <- head
  %y: i64 = add %z, %t
  ret %y
}]], { dialects = { D } }))
      local lib <close> = require("phial.native").compile({ fn }, compilers.options(cc))
      for _, x in ipairs { 0, 5, math.maxinteger, math.mininteger, -3 } do
        for n = 0, 3 do assert.equal(fn(x, n), lib:get "f"(x, n)) end
      end
    end)
  end)
end)

describe("the text of a dialect in Lua", function()
  local d = phial.dialect("d", {
    square = { args = { "i64" }, result = "i64", pure = true, lua = "$a * $a" },
    half = { args = { "i64" }, result = "i64", traps = true,
      lua = "trap $a % 2 ~= 0: it is odd\nset $a // 2\ndo if $v == 0 then $v = -1 end" },
    both = { args = { "i64" }, results = { "i64", "i64" },
      lua = "result 2 $a + 2\n$a + 1" },
    sign = { args = { "i64" }, terminator = true, targets = 2,
      lua = "do if $a < 0 then $>1 end\ndo $>2" },
  })

  -- A function with all of them.
  local function build()
    local fn = phial.fn("f", { "x:i64" }, "i64", { dialects = { d } })
    local b, low, high = fn:entry(), fn:block "low", fn:block "high"
    local y = b:emit(d.half, b:add(b:emit(d.square, fn:arg(1)), 4))
    local one, two = b:emit(d.both, y)
    b:emit(d.sign, b:sub(b:mul(one, two), 100), low, high)
    low:ret(low:emit(d.square, one))
    high:ret(0)
    return fn:finish()
  end

  for _, form in ipairs { "goto", "blocks" } do
    it("is part of expressions, and computes further results and targets: " .. form, function()
      local source, host = phial.emit.lua(build(), { form = form })
      local f = load(source)(host)
      for x, expected in pairs { [0] = 9, [2] = 25, [6] = 0 } do assert.equal(expected, f(x)) end
      assert.error_matches(function() f(1) end, "'d.half .*: it is odd")
    end)
  end

  it("is what fn(...) does, without an eval", function()
    assert.equal(25, build()(2))
  end)

  -- Quotient and remainder, in lines that assign the first one before the operands are read again.
  local function divide(_, operands, emit)
    emit:declare "local function same(x) return x end"
    local by = emit:temp()
    return { ("%s = same(%s)"):format(by, operands[2]),
      ("if %s == 0 then %s end"):format(by, emit:trap "by zero"),
      ("%s = %s // %s"):format(emit:result(1), operands[1], by),
      ("%s = %s - %s * %s"):format(emit:result(2), operands[1], emit:result(), by) }
  end

  local function pick(_, operands, emit)
    return ("if %s > 3 then %s else %s end"):format(operands[1], emit:target(1), emit:target(2))
  end

  it("can be a function, with results, targets, traps and names of its own", function()
    local e = phial.dialect("d", {
      divide = { args = 2, result = "i64", results = 2, lua = divide },
      pick = { args = 1, terminator = true, targets = 2, lua = pick },
      stop = { args = 1, terminator = true, eval = function(x) return x end,
        lua = function() return "error()" end },
    })
    local fn = phial.fn("f", { "a:i64", "b:i64" }, "i64", { dialects = { e } })
    local b, a, x = fn:entry(), fn:param(1), fn:var("x", "i64")
    local head, done = fn:block "head", fn:block "done"
    b:write(x, 0)
    b:jump(head)
    local q, r = head:emit(e.divide, head:read(a), head:add(fn:arg(2), 1))
    head:emit(e.divide, 1, 1)
    head:write(a, q)
    head:write(x, head:add(head:mul(head:read(x), 10), r))
    head:emit(e.pick, q, head, done)
    done:emit(e.stop, done:read(x))
    fn:finish()
    for args, expected in pairs { [{ 100, 4 }] = 4, [{ 1234, 6 }] = 214, [{ 3, 9 }] = 3 } do
      assert.equal(expected, fn(table.unpack(args)))
      for _, form in ipairs { "goto", "blocks" } do
        local source, host = phial.emit.lua(fn, { form = form })
        assert.equal(expected, load(source)(host)(table.unpack(args)))
      end
      for _, nesting in ipairs { 0, 100 } do
        local source, host = phial.emit.cps(fn, { form = "lua", nesting = nesting })
        local function id(...) return ... end
        assert.equal(expected, load(source)(host)(args[1], args[2], id))
      end
    end
    assert.matches("^f: 'd.divide [^']*' in block 'head': by zero$", select(2, pcall(fn, 5, -1)))
  end)

  it("is a text or a function", function()
    assert.error_matches(function() phial.dialect("e", { op = { lua = 1 } }) end,
      "op 'op': lua: function or text expected")
  end)
end)

it("a line that is declared is there once, also for what is part of an expression", function()
  local d = phial.dialect("d", { twice = { args = { "i64" }, result = "i64", pure = true,
    lua = "declare local function twice(x) return 2 * x end\ntwice($=a)",
    c = "declare static uint64_t twice(uint64_t x) { return 2 * x; }\ntwice($=a)" } })
  local fn = phial.fn("f", { "x:i64" }, "i64", { dialects = { d } })
  local b = fn:entry()
  b:ret(b:add(b:emit(d.twice, b:add(fn:arg(1), 1)), b:emit(d.twice, fn:arg(1))))
  fn:finish()
  assert.equal(14, fn(3))
  local lib <close> = fn:compile()
  assert.equal(14, lib:call("f", 3))
  for language, line in pairs { c = "static uint64_t twice", lua = "local function twice" } do
    assert.equal(1, select(2, phial.emit[language](fn):gsub(line, "")))
  end
end)
