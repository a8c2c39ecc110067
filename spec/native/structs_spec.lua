-- Structs that C passes by value: phial has addresses of copies, on all routes.
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

-- Members by the classes of platforms: integers, floats, both, in memory; of odd sizes.
local STRUCTS = {
  "{i8}", "{i16, i8}", "{i8[5]}", "{i32, i8}", "{i8[15]}", "{ptr, i16[3]}", "{f32, f32, f32}",
  "{f64, f64}", "{f32[4]}", "{f64, i32}", "{i32, f32, f64}", "{f32, i8[7]}", "{f64[3]}",
  "{i64, i64, i8}",
}

local C = { i8 = "int8_t", i16 = "int16_t", i32 = "int32_t", i64 = "int64_t", ptr = "uint64_t",
  f32 = "float", f64 = "double" }

-- The numbers in a struct, each with its type, offset and name in C; and the members in C.
local function numbers(text)
  local list, at, members = {}, 0, {}
  for type, count in text:gmatch "(%w+)%[?(%d*)" do
    local n = #members + 1
    local size = type == "ptr" and 8 or tonumber(type:match "%d+") // 8
    at = (at + size - 1) // size * size
    members[n] = ("%s m%d%s;"):format(C[type], n, count ~= "" and "[" .. count .. "]" or "")
    for i = 0, (tonumber(count) or 1) - 1 do
      list[#list + 1] = { type = type == "ptr" and "i64" or type, at = at,
        c = ("m%d%s"):format(n, count ~= "" and "[" .. i .. "]" or "") }
      at = at + size
    end
  end
  return list, table.concat(members, " ")
end

-- A number as a constant of the type of it.
local function const(b, it, n)
  return b:const(it.type:sub(1, 1) == "f" and n + 0.0 or n, it.type)
end

local function get(b, p, it) return b:load(b:ptradd(p, it.at), it.type) end

local function set(b, p, it, x) b:store(b:ptradd(p, it.at), x) end

local function sum(b, x, y) return x:type():sub(1, 1) == "f" and b:fadd(x, y) or b:add(x, y) end

-- A function whose entry is the current block.
local function begin(m, ...)
  local fn = m:fn(...)
  return fn:set_current(fn:entry())
end

-- What adds 2 to the numbers that it gets, and returns them.
local function build_c(m, i, text)
  local b = begin(m, "c" .. i, { "r:ptr sret " .. text, "p:ptr byval " .. text })
  local r, p = b:arg(1), b:arg(2)
  for _, it in ipairs(numbers(text)) do
    set(b, p, it, sum(b, get(b, p, it), const(b, it, 2)))
    set(b, r, it, get(b, p, it))
  end
  b:ret()
end

-- Adds 1 to the numbers that it gets, sets those at q to 7, calls what adds 2, which must not show,
-- by its name and by its address, and returns the sums: twice the numbers, plus 4.
local function build_f(m, i, text)
  local b = begin(m, "f" .. i, { "r:ptr sret " .. text, "p:ptr byval " .. text, "q:ptr" })
  local r, p, q = b:arg(1), b:arg(2), b:arg(3)
  local list = numbers(text)
  for _, it in ipairs(list) do
    set(b, p, it, sum(b, get(b, p, it), const(b, it, 1)))
    set(b, q, it, const(b, it, 7))
  end
  b:call("c" .. i, nil, r, p)
  b:call(b:address("c" .. i), nil, r, p, { as = "c" .. i })
  for _, it in ipairs(list) do set(b, r, it, sum(b, get(b, r, it), get(b, p, it))) end
  b:ret()
  b = begin(m, "address" .. i, {}, "ptr")
  b:ret(b:address("f" .. i))
end

-- Calls f with 1, 2 and so on, and returns true if what it returns is right, and what it got, of
-- which it also has the address, is 7.
local function build_main(m, i, text)
  local b, list = begin(m, "main" .. i, {}, "i1"), numbers(text)
  local s, t = b:alloca(400, 8), b:alloca(400, 8)
  for n, it in ipairs(list) do set(b, s, it, const(b, it, n)) end
  b:call("f" .. i, nil, t, s, s)
  local good = b:const(true)
  local function check(x, it, n)
    local equal = x:type():sub(1, 1) == "f" and "feq" or "eq"
    good = b:band(good, b:emit(equal, x, const(b, it, n)))
  end
  for n, it in ipairs(list) do
    check(get(b, t, it), it, 2 * n + 4)
    check(get(b, s, it), it, 7)
  end
  b:ret(good)
end

-- The module; c: its functions that add 2 are those of C, or of the option env.
local function sample(c)
  local m = phial.module("sample", { where = false })
  for i, text in ipairs(STRUCTS) do
    if c then
      m:declare("c" .. i, { "r:ptr sret " .. text, "p:ptr byval " .. text })
    else
      build_c(m, i, text)
    end
    build_f(m, i, text)
    build_main(m, i, text)
  end
  return m:finish()
end

-- The same in C, whose functions call phial's, also by their addresses, and are called; its status
-- is the number of the struct for which something is wrong.
local function program()
  local lines, main = { "#include <stdbool.h>", "#include <stdint.h>" }, { "int main(void) {" }
  local function put(list, format, ...) list[#list + 1] = format:format(...) end
  for i, text in ipairs(STRUCTS) do
    local list, members = numbers(text)
    put(lines, "struct s%d { %s };", i, members)
    put(lines, "struct s%d c%d(struct s%d s) {", i, i, i)
    for _, it in ipairs(list) do put(lines, "  s.%s += 2;", it.c) end
    put(lines, "  return s;\n}")
    put(lines, "struct s%d f%d(struct s%d, void *);", i, i, i)
    put(lines, "bool main%d(void);\nvoid *address%d(void);", i, i)
    put(main, "  for (int k = 0; k < 2; k++) {\n    struct s%d s, t;", i)
    put(lines, "typedef struct s%d function%d(struct s%d, void *);", i, i, i)
    put(main, "    function%d *f = k ? f%d : (function%d *)address%d();", i, i, i, i)
    for n, it in ipairs(list) do put(main, "    s.%s = %d;", it.c, n) end
    put(main, "    t = f(s, &s);")
    for n, it in ipairs(list) do
      put(main, "    if (t.%s != %d || s.%s != 7) return %d;", it.c, 2 * n + 4, it.c, i)
    end
    put(main, "    if (!main%d()) return %d;\n  }", i, i)
  end
  put(main, "  return 0;\n}\n")
  return table.concat(lines, "\n") .. "\n" .. table.concat(main, "\n")
end

local function succeeds(format, ...)
  local _, _, status = os.execute("env -u LD_PRELOAD " .. format:format(...))
  assert.equal(0, status)
end

--
-- {== Routes ==========================================================
--

describe("structs are passed by value", function()
  local function check(m, call)
    for i, text in ipairs(STRUCTS) do assert.is_true(call(m, "main" .. i), text) end
  end

  it("in runs, also by functions of another module", function()
    check(sample(), function(m, name) return m:get(name)() end)
    local instance = sample():instance()
    check(nil, function(_, name) return instance:call(name) end)
    local env, other = {}, sample()
    for i in ipairs(STRUCTS) do env["c" .. i] = other:get("c" .. i) end
    check(sample(true), function(m, name) return m:get(name) { env = env } end)
  end)

  it("by Lua of all forms", function()
    local fn = assert(phial.parse [[
fn f(%p: ptr byval {i64}, %q: ptr) -> i64 {
entry:
  store %q, 40
  %x: i64 = load %p
  store %p, 5
  %y: i64 = load %q
  %z: i64 = add %x, %y
  ret %z
}]])
    local function run(source, host, ...)
      local p = host.space.memory.alloca(8, 8)
      host.space.memory.store_i64(p, 2)
      local top = host.space.memory.top()
      local result = load(source)(host)(p, p, ...)
      assert.equal(top, host.space.memory.top())
      return result
    end
    for _, form in ipairs { "goto", "blocks" } do
      local source, host = phial.emit.lua(fn, { form = form })
      assert.equal(42, run(source, host))
    end
    for _, nesting in ipairs { 100, 0 } do
      local source, host = phial.emit.cps(fn, { form = "lua", nesting = nesting })
      assert.equal(42, run(source, host, function(x) return x end))
    end
  end)

  it("by native code", function()
    local lib <close> = sample():compile()
    check(lib, function(it, name) return it:call(name) end)
  end)

  compilers.each(pending, function(cc)
    it("to and from C, compiled by " .. cc, function()
      local path = os.tmpname()
      file.write(path .. ".c", phial.emit.c(sample(true)))
      file.write(path .. ".main.c", program())
      succeeds("%s -std=c11 %s -c -o %s.o %s.c", cc, compilers.STRICT[cc], path, path)
      -- tcc passes an array of four floats in a way of its own
      succeeds("%s -o %s %s.main.c %s.o", cc == "tcc" and cc or "cc", path, path, path)
      succeeds("%s", path)
      for _, suffix in ipairs { "", ".c", ".main.c", ".o" } do os.remove(path .. suffix) end
    end)
  end)

  it("anew where a function calls itself in its place", function()
    local m = assert(phial.parse [[
module again

fn again(%p: ptr byval {i64}, %q: ptr, %n: i64) -> i64 {
entry:
  %x: i64 = load %p
  %y: i64 = add %x, 1
  store %p, %y
  %c: i1 = eq %n, 0
  branch %c, done, more
done: <- entry
  %z: i64 = load %p
  ret %z
more: <- entry
  %m: i64 = sub %n, 1
  tail_call @again %q, %q, %m
}

fn main() -> i64 {
entry:
  %p: ptr = alloca 8, 8
  store %p, 41
  %x: i64 = call @again %p, %p, 1000
  ret %x
}]])
    assert.equal(42, m:get "main"())
    local lib <close> = m:compile()
    assert.equal(42, lib:call "main")
  end)
end)

-- }== What is refused =================================================

describe("what cannot pass a struct by value refuses it", function()
  local MEMBERS = "members expected, as in {i32, f64, i8[3]}, and at most 1 MiB"

  it("where it is said", function()
    for _, text in ipairs { "{", "{}", "{i8", "{i8[]}", "{i8[0]}", "{i8[01]}", "{i8[x]}", "{any}",
      "{i8,}", "{i 8}", "{i8}x", "{{i8}}", "{i8[1048577]}", "{i64[131072], i8}",
      "{i64[18446744073709551615]}" } do
      refused(nil, "bad argument #2 to 'phial.fn' (parameter 2 is of type ptr: " .. MEMBERS .. ")",
        function() phial.fn("f", { "a", "p:ptr byval " .. text }) end)
      local message = text == "{i8}x" and "1:29: ',' or ')' expected, got 'x'"
        or "1:25: " .. MEMBERS
      assert.same({ nil, message }, { phial.parse(("declare f(%%p: ptr byval %s)"):format(text)) })
    end
    refused(nil, "bad argument #2 to 'phial.fn' (parameter 1 is of type i64: only a parameter of "
      .. "type ptr can be byval)", function() phial.fn("f", { "p:i64 byval {i64}" }) end)
    refused(nil, "bad argument #2 to 'phial.fn' (parameter 1: unknown type 'ptr {i64}'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)",
      function() phial.fn("f", { "p:ptr {i64}" }) end)
    refused(nil, "bad argument #3 to 'phial.fn' (unknown type 'ptr byval {i64}'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)",
      function() phial.fn("f", {}, "ptr byval {i64}") end)
    refused(nil, "bad argument #2 to 'phial.fn' (parameter 2 is of type ptr: only the first "
      .. "parameter, of type ptr, can be sret)",
      function() phial.fn("f", { "a", "p:ptr sret {i64}" }) end)
    refused(nil, "bad argument #2 to 'phial.fn' (parameter 1 is of type ptr: a function whose "
      .. "first parameter is sret has no result)",
      function() phial.fn("f", { "p:ptr sret {i64}" }, "i64") end)
    assert.same({ nil, "1:33: a function whose first parameter is sret has no result" },
      { phial.parse "declare f(%p: ptr sret {i8}) -> i64" })
  end)

  local function small(opts)
    local fn = phial.fn("f", { "p:ptr byval {i64}" }, nil, opts)
    fn:entry():ret()
    return fn:finish()
  end

  it("in LLVM, in variadic functions of C, at addresses, and in copies", function()
    assert.equal("function 'f': parameter 'p' is byval {i64}, which LLVM cannot say: go through C",
      raises.message(phial.emit.llvm, small()))
    assert.equal("function 'f' is variadic: its parameter 'p' cannot be byval {i64} in C",
      raises.message(phial.emit.c, small { variadic = true }))
    local m = phial.module "m"
    m:declare("f", { "p:ptr byval {i64}" })
    local g = m:fn("g", { "p:ptr" })
    g:entry():call(g:entry():address "f", nil, g:arg(1))
    g:entry():ret()
    assert.equal("g: 'call_indirect %2, %p' in block 'entry': 'f' passes a struct or va_list by "
      .. "value, which the option 'as' says", raises.message(phial.emit.c, m:finish()))
    local fn, callee = small(), small()
    local at = fn:entry():terminator():before()
    refused(fn, "calling 'copy_into' on bad self (function 'f' has a copy of its parameter 1, "
      .. "which a copy of the function would not have)",
      function() callee:copy_into(at, { fn:arg(1) }) end)
  end)
end)

-- }== Forms ===========================================================

describe("how a struct is passed", function()
  local TEXT = "(%r: ptr sret {i64, i8[3]}, %p: ptr byval {f32, ptr}) {\nentry:\n  ret\n}\n"

  it("is kept by texts, traces, JSON and block arguments", function()
    local fn = phial.fn("f", { "r:ptr sret { i64,i8 [3] }", "p:ptr byval {f32,ptr}" }, nil,
      { rules = false })
    local record = phial.record(fn)
    fn:entry():ret()
    fn:finish()
    assert.equal("fn f" .. TEXT, tostring(fn))
    assert.equal("fn f" .. TEXT, tostring(phial.parse(tostring(fn))))
    assert.equal("sret {i64, i8[3]}", fn:passing(1))
    assert.matches("\nO byval 2 {f32,ptr}\n", record:text())
    assert.equal("fn f" .. TEXT, tostring(phial.replay(record:text())))
    assert.matches('"passing":"byval {f32, ptr}"', phial.emit.json(fn), 1, true)
    assert.matches("fn f(ptr sret {i64, i8[3]}, ptr byval {f32, ptr}) {", phial.emit.blockargs(fn),
      1, true)
    assert.same({ nil, "2: members expected at the end of the line" },
      { phial.replay "F f 1 0 - p:ptr\nO byval 1\nb 0\nx -\nE" })
  end)

  it("is part of a signature", function()
    local m = phial.module("m", { where = false })
    m:declare("f", { "p:ptr byval {i64}" })
    raises.matching("function 'f' was declared as %(ptr byval {i64}%) %(at .*%), not as "
      .. "%(ptr byval {i32}%)$", function() m:fn("f", { "p:ptr byval {i32}" }) end)
  end)
end)

-- }====================================================================
