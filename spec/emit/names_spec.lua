-- Names and strings in what is emitted; any name can be written.
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local llvm = require "spec.support.llvm"
local names = require "phial.emit.c.names"
local phial = require "phial"
local refused = require "spec.support.refused"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

describe("a string in C", function()
  it("shows what can be printed as it is", function()
    assert.equal([["_t3Gcd: 'srem %a' [x]^ AZaz09@`{}~"]],
      names.quoted "_t3Gcd: 'srem %a' [x]^ AZaz09@`{}~")
    assert.equal([["\" \\ \?\?/ \n \001 \310"]], names.quoted '" \\ ??/ \n \1 \200')
  end)
end)

describe("a name in C", function()
  it("may start with an underscore, unless C keeps it for itself", function()
    local scope = names.scope()
    for name, taken in pairs {
      _t6Square4Root = "_t6Square4Root", _x = "_x", _1 = "_1", __x = "x_", _Bool = "Bool_",
      _exit = "exit_", _ = "x",
    } do
      assert.equal(taken, scope:take(name, true))
    end
  end)

  it("is that of the linker without a label, if it is the same", function()
    local fn = phial.fn("_t3Gcd", {}, "i64")
    fn:entry():ret(1)
    fn:finish()
    local source = phial.emit.c(fn)
    assert.truthy(source:find("uint64_t _t3Gcd(void) {", 1, true))
    assert.is_nil(source:find("PHIAL_SYMBOL", 1, true))
  end)
end)

--
-- {== Any name ========================================================
--

-- Keywords, names like those that emitted code makes, words of assemblers.
local WORDS <const> = [[
  auto break case char const continue default do double else enum extern float for goto if inline
  int long register restrict return short signed sizeof static struct switch typedef union unsigned
  void volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn
  _Static_assert _Thread_local asm typeof nullptr constexpr phial PHIAL phial_2 w w_words EO EO_2
  rax .text .L1 $5 a$b a@b // main printf exp memcpy stderr uint8_t phial_x INT64_MAX linux abs
  sqrtf puts]]

local HEADERS <const> = [[
  assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
  stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
  wchar wctype]]

-- Every identifier that the headers of C define or declare, if there is gcc.
local function header_words()
  if not compilers.has "gcc" then return "" end
  local includes = HEADERS:gsub("%s*(%S+)", "#include <%1.h>\\n")
  local read = ("printf '%s' | LD_PRELOAD= gcc -std=gnu11 -E%%s -"):format(includes)
  local macros = shell.output(read:format " -dM"):gsub("#define (%S+)[^\n]*", "%1")
  return macros .. shell.output(read:format " -P")
end

-- A module of functions that have these names, as have values and blocks in them; the last
-- function calls the others. What is emitted needs all headers.
local function program(list)
  local m = phial.module("any name", { rules = false })
  for i, name in ipairs(list) do
    local fn = m:fn(name, { "n:i64", name .. ":i64" }, "i64")
    local n, named, block = fn:arg(1), fn:arg(2), fn:block(name, 1)
    fn:entry():jump(block)
    local sum = block:add(block:mul(n, i), named)
    sum:set_name(name)
    block:ret(block:bxor(block:add(sum, i), sum))
  end
  local all = m:fn("all_of_them", { "n:i64", "x:f64", "y:f32" }, "i64")
  local b = all:entry()
  local p, sum = b:alloca(16, 8), b:sdiv(all:arg(1), b:ftoi(all:arg(2), "i64"))
  b:store(p, all:arg(3))
  b:memset(p, b:trunc(sum, "i8"), 1)
  for i, name in ipairs(list) do sum = b:add(b:mul(sum, 31), b:call(name, "i64", sum, i)) end
  b:ret(sum)
  return m:finish(), all
end

local ARGUMENTS <const> = { 7, 2.0, 1.5 }
local DRIVER <const> = [[
#include <stdio.h>
long long all_of_them(long long n, double x, float y);
int main(void) { printf("%lld", all_of_them(7, 2.0, 1.5f)); }]]

-- Of the words of the headers, with LONG all are tried.
local STEP <const> = os.getenv "LONG" and 1 or under.brief and 200 or 40

-- Names of all kinds, each once.
local function all_names()
  local list, taken = {}, { all_of_them = true }
  local function add(name)
    if name ~= "" and not taken[name] then list[#list + 1] = name end
    taken[name] = true
  end
  for word in WORDS:gmatch "%S+" do add(word) end
  local nth = 0
  for word in header_words():gmatch "%f[%w_]_?%a[%w_]*" do
    nth = nth + 1
    if nth % STEP == 0 then add(word) end
  end
  for byte = 0, 255 do
    local c = string.char(byte)
    if byte < 128 or byte % 16 == 15 or not under.brief then
      for _, name in ipairs { c, c .. "a", "a" .. c } do add(name) end
    end
  end
  for _, part in ipairs { "x", "é", "\0" } do
    for _, last in ipairs { "", "1", "2" } do add(part:rep(3000) .. last) end
  end
  local m, all = program { "f" }
  local own = phial.emit.c(m) .. phial.emit.llvm(m, { traps = "call" }) .. require("phial.emit.c")
    .generate({ all }, {}, { native = true, traps = "checked", lines = true, file = "f.c" })
  for word in own:gmatch "[%a_][%w_.]*" do add(word) end
  return list
end

-- Options of `compile`.
local function native(flags)
  return compilers.has "gcc" and compilers.options("gcc", flags) or { flags = flags }
end

describe("a function of any name", function()
  local m, all, expected

  setup(function()
    local list = all_names()
    m, all = program(under.slow and table.move(list, 1, 150, 1, {}) or list)
    expected = all(table.unpack(ARGUMENTS))
  end)

  it("is compiled to native code", function()
    local lib = m:compile(under.brief and { flags = "-O0" } or native "-O0")
    assert.equal(expected, lib:call("all_of_them", table.unpack(ARGUMENTS)))
    lib:close()
  end)

  compilers.each(pending, function(cc)
    it("is written in C, for " .. cc, function()
      assert.equal("", compilers.said(cc, phial.emit.c(m), "-std=gnu17 -O0"))
    end)
  end)

  for kind, tools in pairs(llvm.tools) do
    it("is written in LLVM IR, for " .. tools.llc, function()
      local path = os.tmpname()
      local function translate(it)
        file.write(path, phial.emit.llvm(it, { pointers = kind }))
        assert(llvm.run(("%s -filetype=obj -relocation-model=pic -O0 -o %s.o %s"):format(tools.llc,
          path, path)))
      end
      if not under.brief then translate(m) end
      translate(all)
      if compilers.has "gcc" then
        file.write(path .. ".c", DRIVER)
        assert(llvm.run(("gcc -o %s %s.o %s.c"):format(path, path, path)))
        assert.equal(tostring(expected), shell.output(path))
      end
      for _, suffix in ipairs { "", ".o", ".c" } do os.remove(path .. suffix) end
    end)
  end

  -- Compilers know what functions of C do by their names and types.
  it("is not taken for that of C which has its name", function()
    local libc = phial.module("libc", { rules = false })
    local function add(name, type, make)
      local fn = libc:fn(name, { "x:" .. type }, type)
      fn:entry():ret(make(fn:entry(), fn:arg(1)))
      return fn
    end
    add("floor", "f64", function(b, x) return b:fadd(x, 100.0) end)
    add("abs", "i32", function(b, x) return b:mul(x, 7) end)
    add("memset", "i64", function(b, x) return b:add(x, 1) end)
    local use = add("use", "i64", function(b, x)
      local p = b:alloca(4096, 8)
      b:memset(p, b:trunc(x, "i8"), 4096)
      local sum = b:add(b:load(p, "i64"), b:ftoi(b:call("floor", "f64", 2.5), "i64"))
      local half = b:trunc(x, "i32")
      sum = b:add(sum, b:sext(b:call("abs", "i32", b:neg(half)), "i64"))
      return b:add(sum, b:call("memset", "i64", sum))
    end)
    libc:finish()
    local result = use(3)
    local lib = libc:compile(native "-O2")
    assert.equal(result, lib:call("use", 3))
    lib:close()
    for kind in pairs(llvm.tools) do
      for _, cases in ipairs {
        { { fn = use, args = { 3 } } },
        { { fn = libc:get "floor", args = { 1.0 } }, { fn = libc:get "abs", args = { -1 } },
          { fn = use, args = { 3 } } },
      } do
        llvm.each_way(cases, kind, {}, {}, true, function(way, outcomes)
          assert.equal("is " .. llvm.shown("i64", result), outcomes[#outcomes], way)
        end)
      end
    end
  end)

  it("has no zero byte in LLVM IR, if it lies elsewhere", function()
    local fn = phial.fn "f"
    fn:entry():call "a\0b"
    fn:entry():ret()
    fn:finish()
    refused(fn, "'a\0b' lies elsewhere: LLVM and linkers have no names with zero bytes",
      function() phial.emit.llvm(fn) end)
  end)
end)

-- }====================================================================

it("a parameter whose value has lost its name has that of its variable", function()
  local fn = phial.fn("f", { "count:i64" }, "i64")
  fn:arg(1):set_name ""
  fn:entry():ret(fn:arg(1))
  fn:finish()
  assert.matches("%f[%w]count%f[%W]", phial.emit.c(fn))
  assert.matches("%%count%f[%W]", phial.emit.llvm(fn))
end)
