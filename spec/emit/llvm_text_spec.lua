-- phial.emit.llvm: the text, what cannot be written, positions and dialects.
local file = require "spec.support.file"
local llvm = require "spec.support.llvm"
local phial = require "phial"
local refused = require "spec.support.refused"
local under = require "spec.support.under"

-- The kind of pointers that the tools here read, and the tools.
local KIND = llvm.tools.opaque and "opaque" or "typed"
local TOOLS = llvm.tools[KIND]

-- Runs a command on a text in a file; returns its output, or nil and its complaint.
local function with_file(text, format, ...)
  local path = os.tmpname()
  file.write(path, text)
  local out, complaint = llvm.run((format:gsub("FILE", "'" .. path .. "'")):format(...))
  os.remove(path)
  return out, complaint
end

-- LLVM starts for each: not by `make test`, which compares the texts.
local function verified(text)
  if not TOOLS or under.brief then return text end
  assert(with_file(text, "%s -passes=verify -disable-output FILE", TOOLS.opt))
  return text
end

local function emitted(fn, opts)
  opts = opts or {}
  opts.pointers = KIND
  return verified(phial.emit.llvm(fn, opts))
end

-- A function of one block; emit returns the result.
local function simple(name, params, result, emit, opts)
  local fn = phial.fn(name, params, result, opts)
  local v = emit(fn:entry(), table.unpack(fn:params()))
  fn:entry():ret(v)
  return fn:finish()
end

describe("LLVM IR", function()
  it("is written with the names of the function", function()
    local fn = phial.fn("sum", { "n:i64" }, "i64")
    local head, body, done = fn:block "head", fn:block "body", fn:block "done"
    local i, s = fn:param(1), fn:var "s"
    fn:entry():write(s, 0)
    fn:entry():jump(head)
    head:branch(head:sgt(i, 0), body, done)
    local more = body:add(s, i)
    more:set_name "more"
    body:write(s, more)
    body:write(i, body:sub(i, 1))
    body:jump(head)
    done:ret(s)
    fn:finish()
    for _, phi in ipairs(head:phis()) do phi:set_name(phi:var():name()) end
    assert.equal([[
source_filename = "sum"

define i64 @sum(i64 %n) {
entry:
  br label %head
head:
  %n.1 = phi i64 [ %n, %entry ], [ %v12, %body ]
  %s = phi i64 [ 0, %entry ], [ %more, %body ]
  %v5 = icmp sgt i64 %n.1, 0
  br i1 %v5, label %body, label %done
body:
  %more = add i64 %s, %n.1
  %v12 = add i64 %n.1, -1
  br label %head
done:
  ret i64 %s
}
]], emitted(fn))
  end)

  it("has any names, quoted where needed", function()
    local names = { "a b", 'q"q', "back\\slash", "new\nline", "\1\127\255", "é", "0", "12", "$.-_",
      "b4", "v3", "ok", "trap", "t" }
    local fn = phial.fn("f\"\\\n", {}, "i64")
    local b, v = fn:entry(), fn:const(1)
    for i, name in ipairs(names) do
      v = b:sdiv(b:call(name, "i64", v), v)
      v:set_name(name)
      local next_block = fn:block(names[(i + 1) % #names + 1] .. name, 1)
      b:jump(next_block)
      b = next_block
    end
    local nothing = fn:block("\0", 1)
    b:jump(nothing)
    nothing:ret(nothing:add(v, 1))
    nothing:insts()[1]:set_name "\0"
    local text = emitted(fn:finish())
    assert.truthy(text:find([[define i64 @"f\22\5C\0A"()]], 1, true), text)
    assert.truthy(text:find([[%"a b" = call i64]], 1, true), text)
    assert.truthy(text:find([[%"0" = sdiv i64]], 1, true), text)
  end)

  it("contains the functions that are called, each once", function()
    local inner = simple("inner", { "x:i8" }, "i8", function(b, x) return b:neg(x) end)
    local other = simple("inner", { "x:i8" }, "i8", function(b, x)
      return b:call(inner, "i8", b:call(inner, "i8", x))
    end)
    local fn = simple("outer", { "x:i8", "c:i1" }, "i1", function(b, x, c)
      b:call(other, "i8", x)
      b:call("log", false, b:call(inner, "i8", x), 2.5)
      return b:call("is", "i1", c)
    end)
    assert.equal([[
source_filename = "outer"

declare void @log(i8 signext, double)
declare zeroext i1 @is(i1 zeroext)

define zeroext i1 @outer(i8 signext %x, i1 zeroext %c) {
entry:
  %v3 = call signext i8 @inner(i8 signext %x)
  %v4 = call signext i8 @inner.1(i8 signext %x)
  call void @log(i8 signext %v4, double 0x4004000000000000)
  %v7 = call zeroext i1 @is(i1 zeroext %c)
  ret i1 %v7
}

define internal signext i8 @inner(i8 signext %x) {
entry:
  %v2 = call signext i8 @inner.1(i8 signext %x)
  %v3 = call signext i8 @inner.1(i8 signext %v2)
  ret i8 %v3
}

define internal signext i8 @inner.1(i8 signext %x) {
entry:
  %v2 = sub i8 0, %x
  ret i8 %v2
}
]], emitted(fn))
  end)

  it("has constants exactly", function()
    local nan_bits = under.signalling and 0x7ff4123456789abc or 0x7ffc123456789abc
    local nan = string.unpack("<d", string.pack("<i8", nan_bits))
    for value, text in pairs { [0.1] = "0x3FB999999999999A", [-1 / 0] = "0xFFF0000000000000",
      [5e-324] = "0x0000000000000001" } do
      local fn = simple("f", {}, "f64", function(b) return b:copy(value) end, { rules = false })
      assert.truthy(emitted(fn):find("bitcast double " .. text .. " to double", 1, true))
    end
    local fn = simple("f", {}, "i64", function(b)
      return b:bitcast(b:copy(nan), "i64")
    end, { rules = false })
    assert.truthy(emitted(fn):find(("double 0x%X"):format(nan_bits), 1, true))
  end)

  it("has zeros for what is undefined", function()
    local fn = phial.fn("f", {}, "f32", { rules = false })
    fn:entry():ret(fn:entry():copy(fn:undef "f32"))
    assert.truthy(emitted(fn:finish()):find("bitcast float 0x0000000000000000 to float", 1, true))
  end)
end)

local function divide(opts)
  local fn = phial.fn("divide", { "a", "b" }, "i64", opts)
  fn:entry():ret(fn:entry():srem(fn:arg(1), fn:arg(2)))
  return fn:finish()
end

describe("a trap", function()
  it("is llvm.trap, in one block for each position", function()
    local fn = phial.fn("f", { "a", "b" }, "i64")
    local b, x, y = fn:entry(), fn:param(1), fn:param(2)
    local v = b:add(b:udiv(x, y), b:urem(y, x))
    fn:set_loc(7, 1, "f.x")
    b:ret(b:add(v, b:udiv(x, b:add(y, 1))))
    local text = emitted(fn:finish())
    assert.equal(2, select(2, text:gsub("call void @llvm.trap%(%)", "")))
    assert.equal(1, select(2, text:gsub("declare void @llvm.trap%(%)", "")))
  end)

  it("ends the program", function()
    if not TOOLS then return pending "LLVM is not installed" end
    local main = "define i32 @main() {\n  call i64 @divide(i64 7, i64 %d)\n  ret i32 0\n}\n"
    local text = phial.emit.llvm(divide(), { pointers = KIND })
    assert(with_file(text .. main:format(2), "%s FILE", TOOLS.lli))
    assert.is_nil((with_file(text .. main:format(0), "%s FILE", TOOLS.lli)))
  end)

  it("is checked: the word of phial.emit.c", function()
    assert.equal(emitted(divide()), emitted(divide(), { traps = "checked" }))
  end)

  it("is a call of phial_trap with a message, or nothing, if that is asked for", function()
    local text = emitted(divide(), { traps = "call" })
    assert.truthy(text:find(
      [[c"divide: 'srem %a, %b' in block 'entry': division by zero\00"]], 1, true))
    assert.equal([[
source_filename = "divide"

define i64 @divide(i64 %a, i64 %b) {
entry:
  %t = icmp eq i64 %b, -1
  %t.1 = select i1 %t, i64 1, i64 %b
  %v3 = srem i64 %a, %t.1
  ret i64 %v3
}
]], emitted(divide(), { traps = "undefined" }))
    local never = phial.fn "never"
    never:entry():unreachable()
    never:finish()
    assert.truthy(emitted(never, { traps = "undefined" }):find "entry:\n  unreachable")
  end)
end)

describe("phial.emit.llvm refuses", function()
  local function refuses(message, fn, opts)
    refused(nil, message, function() phial.emit.llvm(fn, opts) end)
  end

  it("options that it does not know", function()
    local fn = divide()
    refuses("'phial.emit.llvm': option 'file': string expected, got 1", fn, { file = 1 })
    refuses("bad argument #2 to 'phial.emit.llvm' (table expected, got 1)", fn, 1)
  end)

  it("types that LLVM does not have, with the instruction", function()
    refuses("function 'f': type 'any' has no counterpart in LLVM",
      simple("f", { "x:any" }, "any", function(_, x) return x end))
    refuses("f: 'call @g' in block 'entry': type 'any' has no counterpart in LLVM",
      simple("f", {}, "i64", function(b)
        b:call("g", "any")
        return b:call("h", "i64")
      end))
  end)

  it("functions of Lua and ops without `llvm`, with the instruction", function()
    refuses("f: 'call' in block 'entry': its callee is a Lua function: "
      .. "only functions of phial and names can be called", simple("f", {}, "i64", function(b)
        return b:call(function() end, "i64")
      end))
    local D = phial.dialect("d", { op = { args = 1, result = "i64" } })
    refuses("f: 'd.op %x' in block 'entry': op 'd.op' has no llvm: it cannot be written as LLVM IR",
      simple("f", { "x" }, "i64", function(b, x) return b:emit(D.op, x) end))
  end)

  it("functions that are not finished", function()
    local g = phial.fn("g", {}, "i64")
    refuses("function 'g' is not finished: call fn:finish() before it can be written", g)
    refuses("function 'g' is not finished: call fn:finish() before it can be written",
      simple("f", {}, "i64", function(b) return b:call(g, "i64") end))
  end)

  it("names with two signatures", function()
    refuses("f: 'call @g 1' in block 'entry': 'g' is also used as i64 (): "
      .. "one function has one signature", simple("f", {}, "i64", function(b)
        return b:add(b:call("g", "i64"), b:call("g", "i64", 1))
      end))
    refuses("'f' is called by its name as void (), but is i64 ()",
      simple("f", {}, "i64", function(b)
        b:call("f", false)
        return b:call("h", "i64")
      end))
    refuses("function 'llvm.f': names that start with 'llvm.' are those of LLVM's own functions",
      simple("f", {}, "i64", function(b) return b:call("llvm.f", "i64") end))
    refuses("'phial_trap', which traps call, is also used as i64 ()",
      simple("f", { "x" }, "i64", function(b, x) return b:udiv(b:call("phial_trap", "i64"), x) end),
      { traps = "call" })
    refuses("'phial_trap' is called by its name as void (ptr), but is i64 (i64)",
      simple("phial_trap", { "x" }, "i64", function(b, x) return b:udiv(x, x) end),
      { traps = "call" })
  end)
end)

--
-- {== Modules =========================================================
--

-- A program that prints by C's printf.
local function program()
  local m = phial.module "program"
  local printf = m:declare("printf", { "format:ptr" }, "i32", { variadic = true })
  m:declare("unused", { "x:any" })
  m:global("format", 40, "%d %d %g %ld %c\n", { constant = true, linkage = "internal" })
  m:global("count", "i64", 41)
  m:global("flag", "i1", true)
  m:global("half", "f32", 0.5)
  m:global("where", "ptr", "count", { align = 16 })
  m:global("table", "ptr", "twice")
  m:global("room", 24)
  local main = m:fn("main", {}, "i32")
  local twice = m:fn("twice", { "x:i64" }, "i64")
  twice:entry():ret(twice:entry():add(twice:arg(1), twice:arg(1)))
  local b = main:entry()
  local count = b:load(b:address "where", "ptr")
  b:store(count, b:add(b:load(count, "i64"), 1))
  b:memcpy(b:ptradd(b:address "room", 8), count, 8)
  local doubled = b:call(b:load(b:address "table", "ptr"), "i64",
    b:load(b:ptradd(b:address "room", 8), "i64"))
  local char = b:trunc(b:add(b:call("twice", "i64", 30), 5), "i8")
  b:call(printf, "i32", b:address "format", b:load(b:address "flag", "i1"),
    b:trunc(doubled, "i16"), b:load(b:address "half", "f32"), b:call("twice", "i64", 4), char)
  b:ret(main:const(0, "i32"))
  return m:finish()
end

describe("a module", function()
  it("is written as a whole", function()
    local text = emitted(program())
    local pointer = KIND == "typed" and "i8*" or "ptr"
    for _, part in ipairs {
      [[source_filename = "program"]],
      '@format = internal constant [40 x i8] c"%d %d %g %ld %c\\0A\\00',
      "@count = global i64 41, align 8", "@flag = global i8 1, align 1",
      "@half = global float 0x3FE0000000000000, align 4",
      "@room = global [24 x i8] zeroinitializer, align 8",
      ("declare i32 @printf(%s, ...)"):format(pointer),
      ("call i32 (%s, ...) @printf(%s"):format(pointer, pointer),
      "define i64 @twice(i64 %x)", "define i32 @main()",
    } do
      assert.truthy(text:find(part, 1, true), part .. "\n" .. text)
    end
    assert.is_nil(text:find "unused")
  end)

  it("runs", function()
    if not TOOLS then return pending "LLVM is not installed" end
    for kind, tools in pairs(llvm.tools) do
      local text = phial.emit.llvm(program(), { pointers = kind })
      assert.equal("1 84 0.5 8 A\n", with_file(text, "%s FILE", tools.lli))
      assert.equal("1 84 0.5 8 A\n", with_file(text, "%s -O2 FILE | %s", tools.opt, tools.lli))
    end
  end)

  it("can define phial_trap", function()
    local m = phial.module "m"
    local trap = m:fn("phial_trap", { "why:ptr" })
    trap:set_loc(1)
    trap:entry():call("puts", false, trap:arg(1))
    trap:entry():unreachable()
    local fn = m:fn("f", { "a", "b" }, "i64")
    local v = fn:entry():sdiv(fn:arg(1), fn:arg(2))
    fn:set_loc(2)
    fn:entry():ret(v)
    trap:finish()
    fn:finish()
    emitted(m, { traps = "call" })
  end)

  it("is written as far as a function reaches it", function()
    local m = program()
    local text = emitted(m:get "twice")
    assert.is_nil(text:find "@count")
    text = emitted(m:get "main")
    assert.truthy(text:find("@count = internal global i64 41", 1, true))
    assert.truthy(text:find("define internal i64 @twice", 1, true))
  end)

  it("can have names that it does not know", function()
    local m = phial.module "m"
    local fn = m:fn("f", {}, "ptr")
    fn:entry():store(fn:entry():address "errno_of", fn:const(1, "i32"))
    fn:entry():ret(fn:entry():address "exit")
    fn:finish()
    assert.truthy(emitted(fn):find("@errno_of = external global i8", 1, true))
    refused(nil, "function 'exit' is a declaration: it has no body",
      function() phial.emit.llvm(m:declare("exit", { "code:i32" })) end)
  end)
end)

-- }== Dialects ========================================================
--

local D = phial.dialect("d", {
  sqrt = { args = { "f64" }, result = "f64", pure = true, eval = math.sqrt,
    llvm = function(_, operands, emit)
      emit:declare "declare double @llvm.sqrt.f64(double)"
      return ("%s = call double @llvm.sqrt.f64(double %s)"):format(emit:result(), operands[1])
    end },
  divmod = { args = { "i64", "i64" }, result = "i64", results = 2,
    llvm = function(v, operands, emit)
      local lines, type = {}, emit:type(v:type())
      for i, instruction in ipairs { "sdiv", "srem" } do
        lines[i] = ("%s = %s %s %s"):format(emit:result(i), instruction, type,
          table.concat(operands, ", "))
      end
      return lines
    end, eval = function(a, b) return a // b, a % b end },
  max = { args = { "i64", "i64" }, result = "i64", llvm = function(_, operands, emit)
    local less, more, join, test = emit:label "less", emit:label "more", emit:label(), emit:temp()
    local a, b = table.unpack(operands)
    return table.concat({
      ("%s = icmp sgt i64 %s, %s"):format(test, a, b),
      ("br i1 %s, label %%%s, label %%%s"):format(test, more, less),
      more .. ":", ("br label %%%s"):format(join),
      less .. ":", ("br label %%%s"):format(join),
      join .. ":",
      ("%s = phi i64 [ %s, %%%s ], [ %s, %%%s ]"):format(emit:result(), a, more, b, less),
    }, "\n")
  end, eval = math.max },
  by_sign = { args = { "i64" }, terminator = true, targets = 3, llvm = function(_, operands, emit)
    local zero, less = emit:temp(), emit:temp()
    local next_label = emit:label()
    return {
      ("%s = icmp eq i64 %s, 0"):format(zero, operands[1]),
      ("br i1 %s, %s, label %%%s"):format(zero, emit:target(2), next_label),
      next_label .. ":",
      ("%s = icmp slt i64 %s, 0"):format(less, operands[1]),
      ("br i1 %s, %s, %s"):format(less, emit:target(1), emit:target(3)),
    }
  end, eval = function(x) return x < 0 and 1 or x == 0 and 2 or 3 end },
  wrong = { llvm = function() end },
  none = { llvm = function(_, _, emit) return emit:result() end,
    c = function(_, _, emit) return emit:result() end },
  listed = { llvm = function() return { "; a line", print } end },
  lost = { terminator = true, llvm = function(_, _, emit) return "br " .. emit:target(1) end },
})

describe("the llvm of a dialect's op", function()
  it("writes the instruction", function()
    local fn = phial.fn("example", { "a:i64", "b:i64" }, "i64")
    local b, join, other, x = fn:entry(), fn:block "join", fn:block "other", fn:var "x"
    local most = b:emit(D.max, fn:arg(1), fn:arg(2))
    local quotient, rest = b:emit(D.divmod, most, 3)
    b:write(x, rest)
    b:emit(D.by_sign, quotient, { join, other, join })
    other:write(x, other:ftoi(other:emit(D.sqrt, other:itof(rest, "f64")), "i64"))
    other:jump(join)
    join:ret(join:add(x, quotient))
    fn:finish()
    local cases = {}
    for i, args in ipairs { { 1, 2 }, { 100, 10 }, { 0, 0 }, { 0, -7 }, { 4, 1 } } do
      cases[i] = { fn = fn, args = args, is = "is " .. llvm.shown("i64", fn(args[1], args[2])) }
    end
    emitted(fn)
    if not TOOLS then return pending "LLVM is not installed" end
    llvm.each_way(cases, KIND, {}, nil, true, function(way, outcomes)
      for i, case in ipairs(cases) do assert.equal(case.is, outcomes[i], way .. i) end
    end)
  end)

  it("names a result once of which there are several projections", function()
    local text = phial.emit.llvm(assert(phial.parse([[
fn f(%n: i64) -> i64 {
entry:
  %x: i64 = d.two %n
  %y: i64 = proj {2} %x
  %z: i64 = proj {2} %x
  %more: i1 = ne %n, 0
  branch %more, body, done
body: <- entry
  jump done
done: <- entry, body
  %p: i64 = phi [entry: %y, body: %z]
  ret %p
}]], { dialects = { phial.dialect("d", {
      two = { args = 1, result = "i64", results = 2, llvm = function(_, operands, site)
        return ("%s = add i64 %s, 1\n%s = add i64 %s, 2"):format(site:result(), operands[1],
          site:result(2), operands[1])
      end },
    }) } })))
    local name = text:match "%%(%w+) = add i64 %%n, 2"
    assert.matches(("phi i64 [ %%%s, %%entry ], [ %%%s, %%body ]"):format(name, name), text, 1,
      true)
  end)

  it("returns lines", function()
    local fn = phial.fn "f"
    fn:entry():emit(D.lost)
    fn:finish()
    local _, why = pcall(phial.emit.llvm, fn)
    assert.matches("spec.lua:%d+: f: 'd.lost' in block 'entry': the op has no target 1$", why)
    fn = phial.fn "f"
    fn:entry():emit(D.wrong)
    fn:entry():ret()
    fn:finish()
    refused(nil,
      "f: 'd.wrong' in block 'entry': the llvm of op 'd.wrong' returned nil: lines expected",
      function() phial.emit.llvm(fn) end)
    fn = phial.fn "f"
    fn:entry():emit(D.none)
    fn:entry():ret()
    fn:finish()
    for _, name in ipairs { "llvm", "c" } do
      refused(nil, "f: 'd.none' in block 'entry': the op has no result 1",
        function() phial.emit[name](fn) end)
    end
    fn = phial.fn "f"
    fn:entry():emit(D.listed)
    fn:entry():ret()
    fn:finish()
    refused(nil,
      "f: 'd.listed' in block 'entry': the llvm of op 'd.listed' returned a list with a "
      .. "function",
      function() phial.emit.llvm(fn) end)
  end)
end)

-- }== Positions =======================================================

local SOURCE = [[
x = 1
while n > 0
  x = x * n
  n = n - 1
end
return 100 / x
]]

local function factorial()
  local fn = phial.fn("factorial", { "n" }, "i64")
  local entry, head, body, done = fn:entry(), fn:block(), fn:block(), fn:block()
  local n, x = fn:param(1), fn:var "x"
  fn:set_loc(1, 1, "factorial.x")
  entry:write(x, 1)
  entry:jump(head)
  fn:set_loc(2, 7)
  head:branch(head:sgt(n, 0), body, done)
  fn:set_loc(3, 9)
  body:let(x, "mul", x, n)
  fn:set_loc(4, 9)
  body:let(n, "sub", n, 1)
  body:jump(head)
  fn:set_loc(6, 12, "other.x")
  done:ret(done:sdiv(100, x))
  return fn:finish()
end

local function installed(...)
  for _, name in ipairs { ... } do
    if not os.execute(("command -v %s >/dev/null 2>&1"):format(name)) then return false end
  end
  return true
end

describe("positions", function()
  it("are debug locations", function()
    local text = emitted(factorial(), { directory = "/a\"b" })
    for _, part in ipairs {
      [[!DIFile(filename: "factorial.x", directory: "/a\22b")]],
      [[distinct !DISubprogram(name: "factorial", scope: !0, file: !0, line: 1,]],
      [[!DILocation(line: 3, column: 9, scope: !3)]],
      [[!DIFile(filename: "other.x", directory: "/a\22b")]],
      [[!DILexicalBlockFile(scope: !3, file: !]],
    } do
      assert.truthy(text:find(part, 1, true), part .. "\n" .. text)
    end
  end)

  it("are given to calls where the function has any", function()
    local inner = phial.fn("inner", {}, "i64")
    inner:set_loc(1)
    inner:entry():ret(inner:entry():call("get", "i64"))
    inner:finish()
    local fn = phial.fn("outer", {}, "i64")
    local v = fn:entry():call(inner, "i64")
    fn:set_loc(70000, 70000)
    fn:entry():ret(fn:entry():add(v, 1))
    local text = emitted(fn:finish(), { file = "x.x" })
    assert.truthy(text:find("!DILocation(line: 0, column: 0", 1, true))
    assert.truthy(text:find("!DILocation(line: 70000, column: 0", 1, true))
    assert.truthy(text:find([[source_filename = "x.x"]], 1, true))
  end)

  it("let gdb step through the source", function()
    if under.slow then return pending "the program is not run by itself" end
    if under.brief or not TOOLS or not installed("gdb", "cc") then
      return pending "needs gdb, and make check"
    end
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
    file.write(folder .. "/factorial.x", SOURCE)
    file.write(folder .. "/f.ll", phial.emit.llvm(factorial(), { directory = folder })
      .. "define i32 @main() {\n  call i64 @factorial(i64 2)\n  ret i32 0\n}\n")
    assert(llvm.run(("%s -O0 --relocation-model=pic -filetype=obj %s/f.ll -o %s/f.o")
      :format(TOOLS.llc, folder, folder)))
    assert(llvm.run(("cc %s/f.o -o %s/f"):format(folder, folder)))
    local steps = (" -ex step"):rep(4)
    local out = assert(llvm.run(("gdb -nx -q -batch -ex 'break factorial' -ex run%s %s/f")
      :format(steps, folder)))
    os.execute("rm -r " .. folder)
    local lines = {}
    for line in out:gmatch "\n(%d+)\t" do lines[#lines + 1] = line end
    assert.equal("1 2 3 4 2", table.concat(lines, " "))
  end)
end)

-- }====================================================================
