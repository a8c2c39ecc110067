-- Variadic functions: all routes give them the same arguments.
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local llvm = require "spec.support.llvm"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local semantics = require "spec.oracle.semantics"

local CASES <const>, MOST <const> = 12, 24

local VALUES = {
  i1 = { true, false }, i8 = { -128, 127 }, i16 = { -32768, 5 }, i32 = { -7, 1 << 30 },
  i64 = { math.mininteger, 12345678901 }, f32 = { 0.5, -3.25 }, f64 = { 1e300, -0.0 },
  ptr = { 4096, 0 },
}

local TYPES = {}
for type in pairs(VALUES) do TYPES[#TYPES + 1] = type end
table.sort(TYPES)

-- Random types and values: more of them than registers, sometimes.
local function random_arguments()
  local list = {}
  for i = 1, math.random(0, MOST) do
    local type = TYPES[math.random(#TYPES)]
    list[i] = { type = type, value = VALUES[type][math.random(2)] }
  end
  return list
end

-- The bits of a value as an i64.
local function bits(b, x)
  local type = x:type()
  if type == "f32" then return bits(b, b:fpromote(x, "f64")) end
  if type == "f64" or type == "ptr" then return b:bitcast(x, "i64") end
  if type == "i64" then return x end
  return type == "i1" and b:zext(x, "i64") or b:sext(x, "i64")
end

-- A function that digests its arguments, from one of them on again those of a copy; and one that
-- calls it.
local function add_case(m, i, list)
  local mix = m:fn("mix" .. i, { "seed:i64" }, "i64", { variadic = true, linkage = "internal" })
  local b = mix:entry()
  local ap, again, sum = b:alloca(32, 8), b:alloca(32, 8), mix:arg(1)
  local middle = math.random(0, #list)
  local function take(from, k)
    sum = b:add(b:mul(sum, 31), bits(b, b:va_arg(from, list[k].type)))
  end
  b:va_start(ap)
  for k = 1, #list do
    if k - 1 == middle then b:va_copy(again, ap) end
    take(ap, k)
  end
  if middle < #list then
    for k = middle + 1, #list do take(again, k) end
    b:va_end(again)
  end
  b:va_end(ap)
  b:ret(sum)
  local main = m:fn("main" .. i, {}, "i64")
  local args = {}
  for k, arg in ipairs(list) do args[k] = main:const(arg.value, arg.type) end
  main:entry():ret(main:entry():call(mix, nil, i, table.unpack(args)))
end

local function random_module()
  local m = phial.module("m", { where = false })
  for i = 1, CASES do add_case(m, i, random_arguments()) end
  return m:finish()
end

describe("a variadic function gets its arguments", function()
  local m = random_module()
  local want = {}
  for i = 1, CASES do want[i] = m:get("main" .. i)() end

  it("as the oracle says, in all forms of Lua and from its text", function()
    local again, instance = phial.parse(m:text()), m:instance()
    for i = 1, CASES do
      local fn = m:get("main" .. i)
      assert.equal(semantics.run(fn, {}), want[i])
      assert.equal(want[i], again:get("main" .. i)())
      assert.equal(want[i], instance:call("main" .. i))
      assert.equal(want[i], fn { fuel = 10 })
    end
  end)

  compilers.each(pending, function(cc)
    it("in C, compiled by " .. cc, function()
      local lib <close> = m:compile(compilers.options(cc))
      for i = 1, CASES do assert.equal(want[i], lib:call("main" .. i)) end
    end)
  end)

  for kind, tools in pairs(llvm.tools) do
    it("in LLVM IR with pointers that are " .. kind, function()
      local lines = { "\ndefine i32 @main() {", "entry:" }
      for i = 1, CASES do
        lines[#lines + 1] = ("  %%r%d = call i64 @main%d()\n  %%e%d = icmp eq i64 %%r%d, %d\n"
          .. "  br i1 %%e%d, label %%good%d, label %%bad%d\nbad%d:\n  ret i32 %d\ngood%d:")
          :format(i, i, i, i, want[i], i, i, i, i, i, i)
      end
      assert.equal(0, llvm.status(tools, phial.emit.llvm(m, { pointers = kind })
        .. table.concat(lines, "\n") .. "\n  ret i32 0\n}\n"))
    end)
  end
end)

--
-- {== va_list as a parameter ==========================================
--

-- `show` passes its further arguments to C's vsnprintf, and `again` to `both`, which takes a
-- va_list and passes it on, too, after the first of its arguments.
local SHOW = [[
module m

declare vsnprintf(%to: ptr, %n: i64, %format: ptr, %list: ptr va_list) -> i32

fn show(%to: ptr, %format: ptr, ...) -> i32 {
entry:
  %3: ptr = alloca 32, 8
  va_start %3
  %5: i32 = call @vsnprintf %to, 100, %format, %3
  va_end %3
  ret %5
}

fn both(%to: ptr, %format: ptr, %list: ptr va_list) -> i32 {
entry:
  %4: i32 = va_arg %list
  %5: i32 = call @vsnprintf %to, 100, %format, %list
  %6: i32 = add %4, %5
  ret %6
}

fn again(%to: ptr, %format: ptr, ...) -> i32 {
entry:
  %3: ptr = alloca 32, 8
  va_start %3
  %5: i32 = call @both %to, %format, %3
  va_end %3
  ret %5
}

fn through(%p: ptr, %to: ptr, %format: ptr) -> i32 {
entry:
  %4: i32 = call_indirect {2} %p, %to, %format, 2.5, -7:i8, 1.5:f32
  ret %4
}
]]

-- In C, variadic functions are called, and what takes a va_list, by other ones and by phial's.
local SHOWN = [[
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
int show(char *to, char *format, ...);
int again(char *to, char *format, ...);
int both(char *to, char *format, va_list list);
int through(void *p, char *to, char *format);
static int mine(char *to, char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = both(to, format, list);
  va_end(list);
  return n;
}
int main(void) {
  char to[100];
  if (show(to, "%d %s %.1f %d %d %d %d", 1, "two", 3.5, 4, 5, 6, 7) != 17) return 1;
  if (strcmp(to, "1 two 3.5 4 5 6 7")) return 2;
  if (again(to, "%g %d", 40, 2.5, 7) != 45 || strcmp(to, "2.5 7")) return 3;
  if (mine(to, "%d", 40, 7) != 41 || strcmp(to, "7")) return 4;
  if (through((void *)show, to, "%g %d %g") != 10 || strcmp(to, "2.5 -7 1.5")) return 5;
  return 0;
}
]]

-- Links a file with the program in C, and runs it.
local function check_shown(cc, flags, path, made)
  file.write(path .. ".main.c", SHOWN)
  local _, _, status = os.execute(("env -u LD_PRELOAD %s -std=c11 %s -o %s "
    .. "%s.main.c %s && env -u LD_PRELOAD %s"):format(cc, flags, path, path, made, path))
  for _, name in ipairs { path, path .. ".main.c", made } do os.remove(name) end
  assert.equal(0, status)
end

describe("a va_list is passed on to C", function()
  compilers.each(pending, function(cc)
    it("by C, compiled by " .. cc, function()
      local path = os.tmpname()
      file.write(path .. ".c", phial.emit.c(phial.parse(SHOW)))
      check_shown(cc, compilers.STRICT[cc]:gsub("-Wall.*", ""), path, path .. ".c")
    end)
  end)

  for kind, tools in pairs(llvm.tools) do
    it("by LLVM IR with pointers that are " .. kind, function()
      local path = os.tmpname()
      file.write(path .. ".ll", phial.emit.llvm(phial.parse(SHOW), { pointers = kind }))
      assert(os.execute(("LD_PRELOAD= %s -O2 -relocation-model=pic -filetype=obj -o %s.o %s.ll")
        :format(tools.llc, path, path)))
      os.remove(path .. ".ll")
      check_shown("cc", "-O1 -Wl,-z,noexecstack", path, path .. ".o")
    end)
  end

  it("by a run, as memory that a function of Lua reads", function()
    local m = phial.parse(SHOW)
    assert.equal(SHOW, tostring(m))
    local instance, seen
    instance = m:instance { env = { vsnprintf = function(_, _, _, list)
      local at, last = instance:load(list, "i64"), instance:load(list + 8, "i64")
      seen = { instance:load(at, "i32"), instance:load(at + 8, "f64"), (last - at) // 8 }
      return 3
    end } }
    assert.equal(3, instance:call("show", 0, 0, 7, 2.5))
    assert.same({ 7, 2.5, 2 }, seen)
    assert.equal(12, instance:call("again", 0, 0, 9, 7, 2.5))
    assert.same({ 7, 2.5, 2 }, seen)
  end)

  it("by native code, which Lua gives its address", function()
    local lib <close> = phial.parse([[
module m

fn next(%list: ptr va_list) -> i64 {
entry:
  %2: i64 = va_arg %list
  ret %2
}

fn start(%n: i64, ...) -> i64 {
entry:
  %2: ptr = alloca 32, 8
  va_start %2
  %3: i64 = call @next %2
  ret %3
}

fn main() -> i64 {
entry:
  %1: i64 = call @start 1, 42
  ret %1
}
]]):compile()
    assert.equal(42, lib:call "main")
  end)
end)

describe("a variadic function at an address", function()
  it("is told by the number of its parameters", function()
    local m = phial.parse(SHOW)
    local fn = m:fn("f", { "p:ptr" }, "i32", { where = false })
    local b = fn:entry()
    b:ret(b:call(fn:arg(1), "i32", fn:arg(1), 0, 9, 7, { variadic = 2 }))
    assert.matches("call_indirect {2} %p, %p, 0, 9, 7\n", m:finish():text(), 1, true)
    local call = m:fn("g", {}, "i32")
    call:entry():ret(call:entry():call(fn, nil, call:entry():address "sum"))
    local sum = m:fn("sum", { "p:ptr", "n:i64" }, "i32", { variadic = true })
    local s = sum:entry()
    local ap = s:alloca(32, 8)
    s:va_start(ap)
    s:ret(s:add(s:va_arg(ap, "i32"), s:va_arg(ap, "i32")))
    assert.equal(16, m:finish():get "g"())
  end)

  it("is told in traces, too", function()
    for _, opts in ipairs { { variadic = 2 }, { as = "show" } } do
      local fn = phial.fn("f", { "p:ptr" }, "i32", { rules = false })
      local trace, b = phial.record(fn), fn:entry()
      b:ret(b:call(fn:arg(1), "i32", fn:arg(1), 0, 9, opts))
      fn:finish()
      assert.equal(fn:text(), phial.replay(trace:text(), { rules = false }):text())
    end
  end)

  it("has so many, at most as many as arguments", function()
    local fn = phial.fn("f", { "p:ptr" })
    local function no(message, opts)
      refused(fn, "bad argument #4 to 'call' (" .. message .. ")",
        function() fn:entry():call(fn:arg(1), "i32", 1, opts) end)
    end
    no("option 'variadic': the number of parameters expected, from 0 to 1, got 2", { variadic = 2 })
    no("option 'variadic': the number of parameters expected, from 0 to 1, got -1",
      { variadic = -1 })
    local text = "fn f(%p: ptr) {\nentry:\n  call_indirect {DATA} %p, 1\n  ret\n}"
    local why = "its data is neither a number of parameters nor the name of a function"
    for _, data in ipairs { "2", '"x"' } do
      local g = assert(phial.parse((text:gsub("DATA", data))))
      raises.with(why, phial.emit.c, g)
      raises.with(why, phial.emit.llvm, g)
    end
    raises.with("C wants a parameter before '...'", phial.emit.c,
      phial.parse((text:gsub("DATA", "0"))))
  end)
end)

-- The signatures that calls at addresses have in these specs.
local function signatures()
  local m = phial.module("m", { where = false })
  m:declare("show", { "format:ptr" }, "i32", { variadic = true })
  m:declare("up", { "c:i8 zeroext" }, "i8 zeroext")
  m:global("n", "i64")
  return m, m:fn("f", { "p:ptr", "x:i8" }, "i8")
end

describe("a call at an address", function()
  it("has the signature of a function, which says all of it", function()
    local m, fn = signatures()
    local b = fn:entry()
    b:call(fn:arg(1), nil, fn:arg(1), 7, { as = "show" })
    b:ret(b:call(fn:arg(1), nil, 200, { as = "up" }))
    local text = m:finish():text()
    assert.matches(': i32 = call_indirect {"show"} %p, %p, 7\n', text, 1, true)
    assert.matches(': i8 = call_indirect {"up"} %p, -56:i8\n', text, 1, true)
    assert.equal(text, assert(phial.parse(text)):text())
    local c = phial.emit.c(m)
    assert.matches("((uint32_t (*)(char *, ...))(uintptr_t)p)(p, (uint64_t)7)", c, 1, true)
    assert.matches("((uint8_t (*)(uint8_t))(uintptr_t)p)(200)", c, 1, true)
    local ir = phial.emit.llvm(m)
    assert.matches("call i32 (ptr, ...) %p(ptr %p, i64 7)", ir, 1, true)
    assert.matches("call zeroext i8 %p(i8 zeroext -56)", ir, 1, true)
  end)

  it("is checked where the function is known, else by finish", function()
    local m, fn = signatures()
    local b = fn:entry()
    local function no(message, ...)
      local args = table.pack(...)
      refused(fn, message, function() b:call(fn:arg(1), table.unpack(args, 1, args.n)) end)
    end
    no("bad argument #3 to 'call' (i8 expected by parameter 'c' of 'up', got i64 '1')", nil,
      fn:const(1, "i64"), { as = "up" })
    no("wrong number of arguments to 'up' (1 expected, got 2)", nil, 1, 2, { as = "up" })
    no("function 'up' returns i8, not i32", "i32", 1, { as = "up" })
    no("bad argument #4 to 'call' (option 'as': 'n' is not a function)", nil, 1, { as = "n" })
    no("bad argument #4 to 'call' (option 'as': the name of a function expected, got 1)", nil, 1,
      { as = 1 })
    no("bad argument #4 to 'call' (option 'as' says whether the function is variadic, so option "
      .. "'variadic' cannot)", nil, 1, { as = "up", variadic = 0 })
    b:ret(b:call(fn:arg(1), "i8", 1, { as = "upp" }))
    raises.with("'f' calls what has the signature of 'upp', which module 'm' does not have (did "
      .. "you mean 'up'?)", m.finish, m)
    m:declare("upp", { "c:i8" })
    raises.with("'f' calls what has the signature of 'upp': argument 1 is of type i64, not i8",
      m.finish, m)
  end)
end)

-- }====================================================================

-- Adds the i64s that follow its parameter, which says how many.
local SUM = [[
module m

fn sum(%n: i64, ...) -> i64 {
entry:
  %2: ptr = alloca 32, 8
  va_start %2
  jump head
head: <- entry, body
  %5: i64 = phi i [entry: 0, body: %10]
  %6: i64 = phi s [entry: 0, body: %9]
  %7: i1 = slt %5, %n
  branch %7, body, done
body: <- head
  %8: i64 = va_arg %2
  %9: i64 = add %6, %8
  %10: i64 = add %5, 1
  jump head
done: <- head
  va_end %2
  ret %6
}
]]

local function sum() return assert(phial.parse(SUM)):get "sum" end

describe("a variadic function", function()
  it("is called by Lua with numbers and booleans", function()
    local fn = sum()
    assert.equal(SUM, tostring(fn:module()))
    assert.same({ 0, 7, 12 }, { fn(0), fn(1, 7, 8), fn(2, 5, 7, { fuel = 9 }) })
    refused(nil, "wrong number of arguments to 'sum' (at least 1 expected, got 0)",
      function() fn() end)
    refused(nil, "bad argument #3 to 'sum' (a number or boolean expected, got \"a\")",
      function() fn(1, 1, "a") end)
    raises.equal("sum: 'va_arg %2' in block 'body': there is no further argument", fn, 2, 1)
    raises.matching("there is no further argument", fn, 2, 1, { fuel = 100 })
  end)

  it("is written as Lua of all forms", function()
    for _, opts in ipairs { { form = "goto" }, { form = "blocks" } } do
      local source, host = phial.emit.lua(sum(), opts)
      assert.equal(12, assert(load(source))(host)(2, 5, 7))
    end
    local params = {}
    for i = 1, 150 do params[i] = "p" .. i end
    local fn = phial.fn("f", params, "i64", { variadic = true })
    local b = fn:entry()
    local ap = b:alloca(32, 8)
    b:va_start(ap)
    b:ret(b:add(b:va_arg(ap, "i64"), fn:arg(150)))
    for i = 1, 151 do params[i] = i end
    assert.equal(301, fn:finish()(table.unpack(params)))
    refused(nil, "function 'sum' is variadic: its continuation follows its parameters",
      function() phial.emit.cps(sum(), { form = "lua" }) end)
    assert.matches("^fn sum%(i64, %.%.%.%) %-> i64 {\n", phial.emit.blockargs(sum()))
  end)

  it("frees what it was given", function()
    local m = phial.parse(SUM)
    local many = m:fn("many", {}, "i64")
    local head, body = many:block "head", many:block "body"
    local done = many:block("done", 1)
    local i, s = many:var "i", many:var "s"
    many:entry():write(i, 0)
    many:entry():write(s, 0)
    many:entry():jump(head)
    head:branch(head:slt(i, 30000), body, done)
    body:seal()
    body:write(s, body:call("sum", nil, 2, body:read(i), body:read(s)))
    body:write(i, body:add(i, 1))
    body:jump(head)
    head:seal()
    done:ret(s)
    assert.equal(30000 * 29999 // 2, m:finish():get "many"())
  end)

  it("alone has va_start", function()
    local fn = phial.fn("f", { "p:ptr" })
    refused(fn, "function 'f' is not variadic: 'va_start' has nothing to give",
      function() fn:entry():va_start(fn:arg(1)) end)
    assert.same({ nil, "3:3: this function is not variadic" },
      { phial.parse "fn f(%p: ptr) {\nentry:\n  va_start %p\n  ret\n}" })
  end)

  it("traps where memory has no va_list", function()
    local fn = phial.fn("f", { "p:ptr" }, "i64", { variadic = true })
    fn:entry():va_start(fn:arg(1))
    fn:entry():ret(0)
    raises.equal("f: 'va_start %p' in block 'entry': va_list at 0x8: outside memory",
      fn:finish(), 8)
    local g = phial.fn("g", { "p:ptr" }, "i64")
    local b = g:entry()
    b:va_copy(b:alloca(32, 8), b:alloca(32, 8))
    b:ret(b:va_arg(g:arg(1), "i64"))
    raises.matching("^g: 'va_arg %%p' in block 'entry': va_list at 0x8: outside memory",
      g:finish(), 8)
  end)

  it("is not copied into another one", function()
    local fn, callee = phial.fn("f"), sum()
    fn:entry():ret()
    local place = fn:finish():entry():terminator():before()
    refused(fn, "calling 'copy_into' on bad self (function 'sum' is variadic: a copy would have "
      .. "the arguments of another call)", function() callee:copy_into(place, { 1 }) end)
  end)

  it("keeps that in traces and JSON", function()
    local fn = phial.fn("f", { "n:i64" }, nil, { variadic = true })
    local record = phial.record(fn)
    fn:entry():va_start(fn:entry():alloca(32, 8))
    fn:entry():ret()
    fn:finish()
    local trace = record:text()
    assert.matches("\nO variadic true\n", trace)
    assert.equal(fn:text { ids = "dense" }, assert(phial.replay(trace)):text { ids = "dense" })
    assert.matches('"variadic": true', phial.emit.json(fn))
  end)

  it("is refused by name where it cannot be", function()
    local m = phial.module "m"
    m:fn("all", {}, nil, { variadic = true }):entry():ret()
    local lib <close> = m:finish():compile()
    refused(nil, "the library has no function 'all': it is variadic, so that only native code "
      .. "calls it", function() lib:get "all" end)
    refused(nil, "function 'sum' is variadic: native code calls it, Lua cannot",
      function() sum():compile() end)
    local f = phial.fn("f", nil, nil, { variadic = true })
    f:entry():ret()
    refused(nil, "function 'f' is variadic: before '...', C wants a parameter",
      function() phial.emit.c(f:finish()) end)
    local g = phial.fn("g", { "x:i16" }, nil, { variadic = true })
    g:entry():ret()
    refused(nil, "function 'g' is variadic: before '...', C wants none of type i16",
      function() phial.emit.c(g:finish()) end)
    local again = phial.fn("again", { "n:i64" }, "i64", { variadic = true })
    again:entry():tail_call(again, 1, 2)
    again:finish()
    refused(nil, "again: 'tail_call @again 1, 2' in block 'entry': C guarantees no tail calls of "
      .. "variadic functions", function() phial.emit.c(again) end)
    refused(nil, "again: 'tail_call @again 1, 2' in block 'entry': LLVM guarantees no tail calls "
      .. "of variadic functions", function() phial.emit.llvm(again) end)
  end)
end)
