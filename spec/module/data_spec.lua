-- Initial values with addresses, and globals that lie elsewhere, on all routes.
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local llvm = require "spec.support.llvm"
local phial = require "phial"
local raises = require "spec.support.raises"
local under = require "spec.support.under"

-- A list of two nodes that point to each other, and a table with a function and a string;
-- "sum" walks all of it.
local function sample()
  local m = phial.module "data"
  m:global("one", 16, { { 8, "ptr", "two" }, { 0, "i32", 5 } }, { linkage = "internal" })
  m:global("two", 16, { { 0, "i32", 30 }, { 8, "ptr", m:ref "one" } }, { linkage = "internal" })
  m:global("table", 29, { { 0, "ptr", m:ref("one", 8) }, { 8, "bytes", "a\0" }, { 12, "f32", 1.5 },
    { 16, "ptr", "third" }, { 24, "i1", true } }, { constant = true })
  m:global("behind", "ptr", m:ref("table", 25))
  local third = m:fn("third", { "x:i64" }, "i64")
  third:entry():ret(third:entry():mul(third:arg(1), 3))
  local sum = m:fn("sum", {}, "i64")
  local b = sum:entry()
  local function at(p, n) return b:ptradd(p, n) end
  local function number(p, type) return b:sext(b:load(p, type), "i64") end
  local table = b:address "table"
  local two = b:load(b:load(table, "ptr"), "ptr")
  local total = b:add(number(two, "i32"), number(b:load(at(two, 8), "ptr"), "i32"))
  total = b:add(total, number(at(table, 8), "i8"))
  total = b:add(total, b:ftoi(b:fmul(b:load(at(table, 12), "f32"), 2.0), "i64"))
  total = b:call(b:load(at(table, 16), "ptr"), "i64", total)
  b:ret(b:add(total, number(at(b:load(b:address "behind", "ptr"), -17), "i8")))
  return m:finish()
end

local SUM <const> = (5 + 30 + 97 + 3) * 3 + 97

describe("an initial value of runs", function()
  it("is in the memory of each run and instance, and in the text", function()
    local m = sample()
    assert.equal(SUM, m:get "sum"())
    local read = phial.parse(m:text())
    assert.equal(m:text(), read:text())
    assert.equal(SUM, read:instance():call "sum")
    assert.matches("\nconstant table: bytes 29 = { 0: ptr @one + 8, 8: \"a\\x00\", 12: f32 1.5, "
      .. "16: ptr @third, 24: i1 true }\nglobal behind: ptr = @table + 25\n", m:text(), 1, true)
    local one, two = m:instance(), m:instance()
    one:store("one", "i32", 6)
    assert.equal(SUM + 3, one:call "sum")
    assert.equal(SUM, two:call "sum")
    assert.equal(one:address "one", one:load(one:address "two" + 8, "ptr"))
  end)

  it("gives its runs and its bytes", function()
    local m = sample()
    local table = m:get "table"
    local runs = table:initial()
    assert.same({ 12, "f32", 1.5 }, runs[3])
    assert.equal("@one + 8", tostring(runs[1][3]))
    assert.same({ "one", 8 }, { runs[1][3]:name(), runs[1][3]:offset() })
    runs[1][1] = 4
    assert.equal(0, table:initial()[1][1])
    assert.equal(("\0"):rep(8) .. "a\0\0\0" .. ("<f"):pack(1.5) .. ("\0"):rep(8) .. "\1\0\0\0\0",
      table:bytes())
  end)

  describe("is that of native code of", function()
    compilers.each(pending, function(cc)
      it(cc, function()
        local lib <close> = sample():compile(compilers.options(cc))
        assert.equal(SUM, lib:call "sum")
      end)
    end)
  end)

  it("is that of LLVM IR, compiled by clang", function()
    if under.brief or not compilers.has "clang" then return pending "clang, and make check" end
    local pipe <close> = assert(io.popen "env -u LD_PRELOAD clang --version")
    local is_opaque = tonumber(pipe:read("a"):match "version (%d+)") >= 15
    local path = os.tmpname()
    file.write(path .. ".ll", phial.emit.llvm(sample(), { pointers = is_opaque and "opaque"
      or "typed" }))
    file.write(path .. ".c", ("long sum(void);\nint main(void) { return sum() != %d; }\n")
      :format(SUM))
    local command = "env -u LD_PRELOAD clang -Wno-override-module -o %s %s.ll %s.c && %s"
    local _, _, status = os.execute(command:format(path, path, path, path))
    for _, suffix in ipairs { "", ".ll", ".c" } do os.remove(path .. suffix) end
    assert.equal(0, status)
  end)

  it("is a packed struct in LLVM", function()
    local text = phial.emit.llvm(sample())
    assert.matches("@one = internal global <{ [8 x i8], ptr }> <{ [8 x i8] c\"\\05\\00\\00\\00"
      .. "\\00\\00\\00\\00\", ptr @two }>, align 8", text, 1, true)
    assert.matches("@behind = global ptr getelementptr (i8, ptr @table, i64 25), align 8", text, 1,
      true)
    local typed = phial.emit.llvm(sample(), { pointers = "typed" })
    assert.matches("%phial.data.1 = type <{ [8 x i8], i8* }>", typed, 1, true)
    assert.matches("@one = internal global %phial.data.1 <{ [8 x i8] c\"\\05\\00\\00\\00\\00\\00"
      .. "\\00\\00\", i8* bitcast (%phial.data.2* @two to i8*) }>, align 8", typed, 1, true)
    assert.matches("@behind = global i8* getelementptr (i8, i8* bitcast (%phial.data.3* @table to "
      .. "i8*), i64 25), align 8", typed, 1, true)
  end)

  it("is refused where it is wrong", function()
    local m = phial.module "m"
    local function refused(message, ...)
      assert.equal(message, raises.message(m.global, m, "g", ...))
      assert.is_nil(m:get "g")
    end
    refused("global 'g': the runs i64 at 0 and i32 at 4 overlap", 8,
      { { 4, "i32", 2 }, { 0, "i64", 1 } })
    refused("global 'g': run 1: i64 at 1 lies outside: the global has 8 bytes", 8,
      { { 1, "i64", 1 } })
    refused("global 'g': run 2: bytes at -1 lies outside: the global has 8 bytes", 8,
      { { 0, "i8", 1 }, { -1, "bytes", "x" } })
    refused("global 'g': run 1: a type that memory can hold, or 'bytes', expected, got 'any'", 8,
      { { 0, "any", 1 } })
    refused("global 'g': run 1: 256 is not a value of type i8", 8, { { 0, "i8", 256 } })
    refused("global 'g': run 1: 1 is not a value of type ptr", 8, { { 0, "ptr", 1 } })
    refused("global 'g': run 1: 1 is not a value of type bytes", 8, { { 0, "bytes", 1 } })
    refused("global 'g': run 1: an offset expected, got \"i8\"", 8, { { "i8", 1 } })
    refused("global 'g': run 1: a table expected, an offset, a type and a value, got 1", 8, { 1 })
    refused("global 'g': its runs: a list expected, but 'i8' is a key of it", 8, { i8 = 1 })
    refused("global 'g': a table is not a value of type i64", "i64", { { 0, "i64", 1 } })
    raises.with("bad argument #1 to 'ref' (a name, a global or a function expected, got 1)", m.ref,
      m, 1)
    raises.with("bad argument #2 to 'ref' (a number of bytes expected, got 1.5)", m.ref, m, "g",
      1.5)
    m:global("g", 8, { { 0, "ptr", m:ref("h", 4) } })
    raises.with("module 'm' cannot be finished: these uses of names are wrong\n  global 'g' has "
      .. "the address of 'h', which module 'm' does not have", m.finish, m)
  end)

  it("is refused in a text with its place", function()
    local function wrong(message, line)
      local it, why = phial.parse("module m\n" .. line .. "\n")
      assert.is_nil(it)
      assert.equal(message, why)
    end
    wrong("2:1: global 'g': the runs i64 at 0 and i8 at 7 overlap",
      "global g: bytes 8 = { 0: i64 1, 7: i8 1 }")
    wrong("2:28: memory cannot hold a type 'i7'", "global g: bytes 8 =   { 0: i7 1 }")
    wrong("2:31: ',' or '}' expected, the line ends", "global g: bytes 8 = { 0: i64 1")
    wrong("2:30: global 'g' has the address of 'h', which module 'm' does not have",
      "global g: bytes 8 = { 0: ptr @h + 4 }")
  end)
end)

-- Functions whose results are hashes of the bytes of globals, with these hashes.
local function hashes(initials, size)
  local lines, hash = { [[
module gaps
fn hash(%p: ptr, %n: i64) -> i64 {
entry:
  jump head
head: <- entry, head
  %i: i64 = phi [entry: 0, head: %j]
  %h: i64 = phi [entry: 0, head: %l]
  %a: ptr = ptradd %p, %i
  %b: i8 = load %a
  %z: i64 = zext %b
  %k: i64 = mul %h, 31
  %l: i64 = add %k, %z
  %j: i64 = add %i, 1
  %c: i1 = ult %j, %n
  branch %c, head, done
done: <- head
  ret %l
}]] }, {}
  for i = 1, #initials do
    lines[i + 1] = ([[
fn of%d() -> i64 {
entry:
  %%1: ptr = address @g%d
  %%2: i64 = call @hash %%1, %d
  ret %%2
}]]):format(i, i, size)
  end
  lines[#lines + 1] = ""
  for i, initial in ipairs(initials) do
    lines[#lines] = lines[#lines] .. ("global g%d: bytes %d = %s\n"):format(i, size, initial)
  end
  local m = assert(phial.parse(table.concat(lines, "\n")))
  for i = 1, #initials do
    hash[i] = 0
    for _, byte in ipairs { m:get("g" .. i):bytes():byte(1, -1) } do
      hash[i] = hash[i] * 31 + byte
    end
  end
  return m, hash
end

local function gaps(n)
  local zeros, last = ("\\x00"):rep(n), n + 1
  return hashes({
    ("{ 0: i8 1, %d: i8 -1 }"):format(last), ("{ %d: i8 1 }"):format(last),
    "{ 3: i64 0 }", ('{ 0: "a\\x00", %d: i64 0, %d: i8 7 }'):format(n // 2, n // 2 + 8),
    ('"%s?\\\\"'):format(zeros), ('"?%s"'):format(zeros), ('"?%s\\""'):format(zeros),
    ('"\\x00?%s"'):format(zeros),
  }, n + 2)
end

-- The same, of an address that gaps of n bytes precede and follow: 1 if it is in its place.
local function address(n)
  return assert(phial.parse(([[
module gaps
global g: bytes %d = { 0: i8 1, %d: ptr @g + 3, %d: i8 1 }
fn of1() -> i64 {
entry:
  %%1: ptr = address @g
  %%2: ptr = ptradd %%1, %d
  %%3: ptr = load_unaligned %%2
  %%4: ptr = ptradd %%1, 3
  %%5: i1 = eq %%3, %%4
  %%6: ptr = ptradd %%1, %d
  %%7: i8 = load %%6
  %%8: i64 = zext %%5
  %%9: i64 = zext %%7
  %%10: i64 = mul %%8, %%9
  ret %%10
}]]):format(2 * n + 10, n + 1, 2 * n + 9, n + 1, 2 * n + 9)))
end

describe("a gap in an initial value", function()
  local SIZES <const> = under.brief and { 31, 32, 33, 1000 }
    or { 17, 30, 31, 32, 33, 34, 64, 1000 }
  local function each(check, compiled)
    for _, n in ipairs(under.brief and compiled or SIZES) do
      check(gaps(n))
      check(address(n), { 1 })
    end
  end

  it("is zeros in each run", function()
    each(function(m, hash)
      for i, expected in ipairs(hash) do assert.equal(expected, m:get("of" .. i)()) end
    end)
  end)

  compilers.each(pending, function(cc)
    it("is zeros in native code of " .. cc, function()
      each(function(m, hash)
        local lib <close> = m:compile(compilers.options(cc))
        for i, expected in ipairs(hash) do assert.equal(expected, lib:call("of" .. i)) end
      end, { 31, 33 })
    end)
  end)

  for kind in pairs(llvm.tools) do
    it("is zeros in LLVM IR with pointers that are " .. kind, function()
      each(function(m, hash)
        local cases = {}
        for i in ipairs(hash) do cases[i] = { fn = m:get("of" .. i), args = {} } end
        llvm.each_way(cases, kind, {}, nil, false, function(_, outcomes)
          for i, expected in ipairs(hash) do
            assert.equal("is " .. llvm.shown("i64", expected), outcomes[i])
          end
        end)
      end, { 33 })
    end)
  end

  it("is short in C and in LLVM IR", function()
    local m = assert(phial.parse(
      "module m\nglobal g: bytes 2147483647 = { 7: i8 1, 2147483630: ptr @g, 2147483646: i8 1 }"))
    assert.matches([[
struct g_data { uint8_t m1[9]; uint8_t m2[2147483621]; phial_pointer m3; uint8_t m4[9]; };
]], phial.emit.c(m), 1, true)
    assert.matches(', .m3 = { (char *)&g }, .m4 = { 0, 0, 0, 0, 0, 0, 0, 0, 1 } };',
      phial.emit.c(m), 1, true)
    assert.matches('[9 x i8] c"\\00\\00\\00\\00\\00\\00\\00\\01\\00", [2147483621 x i8] '
      .. "zeroinitializer, ptr @g, ", phial.emit.llvm(m), 1, true)
  end)
end)

-- The least one has no opposite.
describe("an offset to an address, of the most bytes of 64 bits,", function()
  local function extremes()
    local m = phial.module "m"
    m:global("g", 8)
    m:global("least", "ptr", m:ref("g", math.mininteger))
    m:global("both", 16, { { 0, "ptr", m:ref("g", math.maxinteger) },
      { 8, "ptr", m:ref("g", -math.maxinteger) } })
    local fn = m:fn("good", {}, "i64")
    local b = fn:entry()
    local function has(at, n)
      return b:zext(b:eq(b:load(at, "ptr"), b:ptradd(b:address "g", n)), "i64")
    end
    local both = b:address "both"
    b:ret(b:add(has(b:address "least", math.mininteger), b:add(has(both, math.maxinteger),
      has(b:ptradd(both, 8), -math.maxinteger))))
    return m:finish()
  end

  it("is read as it is written", function()
    local text = extremes():text()
    assert.matches("global least: ptr = @g - 9223372036854775808\n", text, 1, true)
    local m = assert(phial.parse(text))
    assert.equal(text, m:text())
    assert.equal(3, m:get "good"())
    for digits, why in pairs {
      ["+ 9223372036854775808"] = "2:22: '9223372036854775808' does not fit 64 bits",
      ["- 9223372036854775809"] = "2:22: '9223372036854775809' does not fit 64 bits",
    } do
      local read, message = phial.parse("module m\nglobal g: ptr = @g " .. digits)
      assert.is_nil(read)
      assert.equal(why, message)
    end
  end)

  compilers.each(pending, function(cc)
    if cc == "tcc" then return end -- it refuses offsets of more than 31 bits
    it("is that of native code of " .. cc, function()
      local lib <close> = extremes():compile(compilers.options(cc))
      assert.equal(3, lib:call "good")
    end)
  end)

  it("is written without an opposite in C", function()
    assert.matches("char *least = (char *)&g + INT64_MIN;", phial.emit.c(extremes()), 1, true)
  end)

  for kind in pairs(llvm.tools) do
    it("is that of LLVM IR with pointers that are " .. kind, function()
      llvm.each_way({ { fn = extremes():get "good", args = {} } }, kind, {}, nil, true,
        function(_, outcomes) assert.equal("is 3", outcomes[1]) end)
    end)
  end
end)

describe("a declared global", function()
  local function outside()
    local m = phial.module "m"
    m:declare_global("environ", "ptr")
    local fn = m:fn("get", {}, "i1")
    local b = fn:entry()
    b:ret(b:ne(b:load(b:address "environ", "ptr"), 0))
    return m:finish()
  end

  it("has the address that the option env has for it", function()
    local m, other = outside(), phial.module "other"
    local get = m:get "get"
    local env = { environ = other:global("x", "ptr", other:global("y", "i8")) }
    assert.is_true(get { env = env })
    env.environ = other:global("zero", "ptr")
    assert.is_false(get { env = env })
    assert.is_false(m:instance { env = env }:call "get")
    env.environ = 8
    raises.equal("get: 'load %1' in block 'entry': load of ptr at 0x8: outside memory", get,
      { env = env })
    raises.with("'address @environ' in block 'entry': global 'environ' lies elsewhere, and the "
      .. "option env has no address of that name", get)
  end)

  it("is in the text, and is what the linker finds", function()
    local m = outside()
    assert.matches("\ndeclare global environ: ptr\n", m:text(), 1, true)
    local read = phial.parse(m:text())
    assert.equal(m:text(), read:text())
    assert.is_true(read:get "environ":is_declaration())
    assert.matches("@environ = external global ptr, align 8", phial.emit.llvm(m), 1, true)
    compilers.each(function() end, function(cc)
      local lib <close> = m:compile(compilers.options(cc))
      assert.is_true(lib:call "get")
    end)
  end)

  it("can be defined later, with the same type", function()
    local m = phial.module "m"
    m:declare_global("n", "i64")
    local fn = m:fn("get", {}, "i64")
    fn:entry():ret(fn:entry():load(fn:entry():address "n", "i64"))
    raises.matching("global 'n' was declared as i64 %(at .*%), not as 8 bytes$", m.global, m, "n",
      8)
    raises.matching("module 'm' has a global 'n' already", m.fn, m, "n")
    m:global("n", "i64", 3)
    m:finish()
    assert.equal(3, fn())
    assert.equal(1, #m:globals())
    assert.is_false(m:get "n":is_declaration())
  end)
end)

describe("the address of what another module has", function()
  it("is that of a global or function, on each route", function()
    local a, b = phial.module "a", phial.module "b"
    local n = a:global("n", 16, { { 8, "ptr", "seven" } })
    local seven = a:fn("seven", {}, "i64")
    seven:entry():ret(7)
    a:finish()
    local fn = b:fn("get", {}, "i64")
    local e = fn:entry()
    local through = e:call(e:load(e:ptradd(e:address(n), 8), "ptr"), "i64")
    e:ret(e:add(through, e:call(e:address(seven), "i64")))
    b:finish()
    assert.equal(14, fn())
    assert.equal(14, b:instance():call "get")
    compilers.each(function() end, function(cc)
      local lib <close> = b:compile(compilers.options(cc))
      assert.equal(14, lib:call "get")
    end)
    assert.matches("@n = internal global", phial.emit.llvm(b), 1, true)
    local read = phial.parse(b:text())
    assert.matches("internal global n: bytes 16 = { 8: ptr @seven }", read:text(), 1, true)
    assert.equal(14, read:instance { env = { seven = seven } }:call "get")
  end)

  it("is refused in an initial value, if it is that of a closed function", function()
    for plus = 0, 4, 4 do
      local gone, m = phial.fn("gone", {}, "i64"), phial.module "m"
      m:global("p", "ptr", m:ref(gone, plus))
      gone:close()
      for _, emit in ipairs { phial.emit.c, phial.emit.llvm } do
        raises.with("function 'gone' is closed", emit, m)
      end
    end
  end)
end)
