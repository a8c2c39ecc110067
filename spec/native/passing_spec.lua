-- Narrow integers as C passes them: C, LLVM IR and C compilers agree.
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local llvm = require "spec.support.llvm"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

-- A type of phial, and that of C that is passed in the same way.
local PASSED = {
  { "i1", "bool" }, { "i8", "int8_t" }, { "i8 signext", "int8_t" }, { "i8 zeroext", "uint8_t" },
  { "i16", "int16_t" }, { "i16 zeroext", "uint16_t" }, { "i32", "uint32_t" },
  { "i32 signext", "int32_t" }, { "i32 zeroext", "uint32_t" }, { "i64", "int64_t" },
}

-- For each type, a function that calls one of C with the complement of its parameter, by its name
-- and by its address, which says its signature unless its type is what a call makes of it; and
-- returns what it returns.
local function sample()
  local m = phial.module "sample"
  for i, row in ipairs(PASSED) do
    local type = row[1]
    m:declare("c" .. i, { "x:" .. type }, type)
    local fn = m:fn("f" .. i, { "x:" .. type }, type)
    local b = fn:entry()
    local x, at = b:call("c" .. i, nil, b:bnot(fn:arg(1))), b:address("c" .. i)
    b:ret(i <= 3 and b:call(at, fn:result(), x) or b:call(at, nil, x, { as = "c" .. i }))
  end
  return m:finish()
end

-- The program in C that calls these functions; its status is the number of the type for which
-- something is wrong.
local function program()
  local lines = { "#include <stdbool.h>", "#include <stdint.h>", "static int64_t seen;" }
  local main = { "int main(void) {" }
  for i, row in ipairs(PASSED) do
    local c = row[2]
    lines[#lines + 1] = ("%s c%d(%s x) { seen = (int64_t)x * 3; return x; }"):format(c, i, c)
    lines[#lines + 1] = ("%s f%d(%s);"):format(c, i, c)
    for _, value in ipairs { 0, 1, -1, 127, 128, -129, 40000 } do
      local want = i == 1 and ("!(bool)%d"):format(value) or ("(%s)~%d"):format(c, value)
      main[#main + 1] = ("  if ((int64_t)f%d((%s)%d) + 1 != (int64_t)(%s) + 1 || "
        .. "seen != (int64_t)(%s) * 3) return %d;"):format(i, c, value, want, want, i)
    end
  end
  main[#main + 1] = "  return 0;\n}\n"
  return table.concat(lines, "\n") .. "\n" .. table.concat(main, "\n")
end

local function succeeds(format, ...)
  local _, _, status = os.execute("env -u LD_PRELOAD " .. format:format(...))
  assert.equal(0, status)
end

-- Clang relies on what a caller has extended, others extend again.
local CC = compilers.has "clang" and "clang" or "cc"

-- Links an object with the program and runs it.
local function check(path)
  file.write(path .. ".main.c", program())
  succeeds("%s -O2 -Wl,-z,noexecstack -o %s %s.main.c %s.o", CC, path, path, path)
  succeeds("%s", path)
  for _, suffix in ipairs { "", ".main.c", ".o", ".c", ".ll" } do os.remove(path .. suffix) end
end

describe("narrow integers are passed as C does", function()
  compilers.each(pending, function(cc)
    it("in C, compiled by " .. cc, function()
      local path = os.tmpname()
      file.write(path .. ".c", phial.emit.c(sample()))
      succeeds("%s -std=c11 %s -c -o %s.o %s.c", cc, compilers.STRICT[cc], path, path)
      check(path)
    end)
  end)

  for kind, tools in pairs(llvm.tools) do
    it("in LLVM IR with pointers that are " .. kind, function()
      local path = os.tmpname()
      file.write(path .. ".ll", phial.emit.llvm(sample(), { pointers = kind }))
      succeeds("%s -O2 -relocation-model=pic -filetype=obj -o %s.o %s.ll", tools.llc, path, path)
      check(path)
    end)
  end

  it("in native code, whose functions Lua calls", function()
    local m = phial.module "m"
    for i, row in ipairs(PASSED) do
      local fn = m:fn("f" .. i, { "x:" .. row[1] }, row[1])
      local b = fn:entry()
      b:ret(b:bnot(fn:arg(1)))
    end
    local lib <close> = m:finish():compile()
    for i, row in ipairs(PASSED) do
      local value = i == 1 or 5
      assert.equal(m:get("f" .. i)(value), lib:call("f" .. i, value), row[1])
    end
  end)
end)

describe("how a parameter is passed", function()
  local TEXT = "declare f(%a: i8 zeroext, %b: i16, %c: i32 signext, %d: i1) -> i16 zeroext\n"

  it("is shown by the text, unless it is as usual", function()
    assert.equal(TEXT, tostring(phial.parse(TEXT)))
    local m = phial.module "m"
    local fn = m:declare("f", { "a:i8 zeroext", "b:i16 signext", "c:i32 signext", "d:i1" },
      "i16 zeroext")
    assert.equal(TEXT, tostring(fn))
    assert.same({ "zeroext", "zeroext", "signext", "signext", "zeroext" },
      { fn:passing(), fn:passing(1), fn:passing(2), fn:passing(3), fn:passing(4) })
    assert.is_nil(phial.fn("g"):passing())
    assert.same({ nil, "1:18: only i8, i16 and i32 can be extended" },
      { phial.parse "declare f(%a: i1 zeroext)" })
  end)

  it("is refused for other types, and of parameters that do not exist", function()
    refused(nil, "bad argument #2 to 'phial.fn' (parameter 2 is of type i64: only i8, i16 and "
      .. "i32 can be extended)", function() phial.fn("f", { "a:i8 zeroext", "b:i64 signext" }) end)
    refused(nil, "bad argument #3 to 'phial.fn' (it is of type f32: only i8, i16 and i32 can be "
      .. "extended)", function() phial.fn("f", {}, "f32 zeroext") end)
    refused(nil, "bad argument #2 to 'phial.fn' (parameter 1: unknown type 'i8 zext'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)",
      function() phial.fn("f", { "a:i8 zext" }) end)
    refused(nil, "bad argument #2 to 'phial.fn' (parameter 1 is of type i64: only a parameter of "
      .. "type ptr can be a va_list)", function() phial.fn("f", { "a:i64 va_list" }) end)
    refused(nil, "bad argument #3 to 'phial.fn' (it is of type ptr: only a parameter of type ptr "
      .. "can be a va_list)", function() phial.fn("f", {}, "ptr va_list") end)
    assert.same({ nil, "1:20: only a parameter of type ptr can be a va_list" },
      { phial.parse "declare f() -> ptr va_list" })
    local fn = phial.fn("f", { "a:i8" })
    refused(fn, "bad argument #1 to 'passing' (2 is not in 1 .. 1)",
      function() fn:passing(2) end)
  end)

  it("is part of a signature", function()
    local m = phial.module("m", { where = false })
    m:declare("f", { "x:i8 zeroext" }, "i8")
    raises.matching("function 'f' was declared as %(i8 zeroext%) %-> i8 %(at .*%), not as %(i8%) "
      .. "%-> i8$", function() m:fn("f", { "x:i8" }, "i8") end)
  end)

  it("is kept by traces, JSON and block arguments", function()
    local fn = phial.fn("f", { "a:i8", "b:i8 zeroext" }, "i32 signext", { rules = false })
    local record = phial.record(fn)
    fn:entry():ret(fn:entry():zext(fn:arg(2), "i32"))
    fn:finish()
    local trace = record:text()
    assert.matches("\nO zeroext 2\n", trace)
    assert.matches("\nO signext 0\n", trace)
    assert.equal(fn:text { ids = "dense" }, assert(phial.replay(trace)):text { ids = "dense" })
    assert.same({ nil, "1: there is no parameter 1" },
      { phial.replay "F f 1 0 - \nO zeroext 1\nb 0\nx -\nE" })
    assert.matches('"passing":"zeroext"', phial.emit.json(fn))
    assert.matches('"passing": "signext"', phial.emit.json(fn))
    assert.matches("^fn f%(i8, i8 zeroext%) %-> i32 signext {\n", phial.emit.blockargs(fn))
  end)
end)
