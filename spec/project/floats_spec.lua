-- Folding computes what running computes: floats are rounded after each operation.
-- A compiler that keeps more digits (x87: i386 without SSE2) is refused.
local phial = require "phial"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

-- Without the sanitizer's library.
local function output(command) return shell.run("unset LD_PRELOAD; " .. command) end

describe("floats that are rounded twice, or have no nan,", function()
  it("are refused when phial is compiled", function()
    if not output "gcc -dumpmachine":find "86" then
      return pending "no gcc for x86"
    end
    local compile = "gcc -std=c11 -Isrc -fsyntax-only %s src/core/ir/opeval.c"
    assert.same({ "", true }, { output(compile:format "") })
    for flag, why in pairs {
      ["-mfpmath=387"] = "phial needs floats that are rounded after each operation: "
        .. "compile with -msse2 -mfpmath=sse",
      ["-ffast-math"] = "phial needs nan, inf and -0.0: compile without -ffast-math",
      ["-ffinite-math-only"] = "phial needs nan, inf and -0.0: compile without -ffast-math",
    } do
      local text, good = output(compile:format(flag))
      assert.is_false(good)
      assert.truthy(text:find("#error " .. why, 1, true), text)
    end
  end)
end)

describe("a signalling nan", function()
  if not under.signalling then return pending "Lua makes it quiet" end
  local function float(bits) return (string.unpack("<d", string.pack("<I8", bits))) end
  local function bits(x) return string.unpack("<I8", string.pack("<d", x)) end

  it("keeps its bits as a constant of each type, in text and when it runs", function()
    for _, case in ipairs {
      { 0x7ff0000000000001, "f64" }, { 0x7ff0000000000001, "any" }, { 0x7ff0000020000000, "f32" },
      { 0xfff7ffffe0000000, "f32" }, { 0x7ff8000020000000, "f32" },
    } do
      local fn = phial.fn("f", {}, case[2])
      local c = fn:const(float(case[1]), case[2])
      fn:entry():ret(c)
      fn:finish()
      assert.equal(("%x"):format(case[1]), ("%x"):format(bits((c:const()))))
      assert.equal(case[1], bits(fn()))
      assert.equal(case[1], bits(assert(phial.parse(fn:text()))()))
    end
  end)

  it("keeps the bits that an f32 has, and stays a nan", function()
    local fn = phial.fn "f"
    for given, kept in pairs {
      [0x7ff0000020000001] = 0x7ff0000020000000, [0xfff0000000000001] = 0xfff8000000000000,
      [0x7ff8000000000001] = 0x7ff8000000000000,
    } do
      assert.equal(kept, bits((fn:const(float(given), "f32"):const())))
    end
  end)

  it("keeps its bits through bitcasts, folded and run", function()
    for _, i in ipairs { 0x7f800001, 0x7fbfffff, 0x7fc00001 } do
      local f = phial.fn("f", {}, "i32")
      local folded = f:entry():bitcast(f:entry():bitcast(f:const(i, "i32"), "f32"), "i32")
      assert.equal(i, (folded:const()))
      local fn = phial.fn("f", { "x:i32" }, "i32", { rules = false })
      local b = fn:entry()
      b:ret(b:bitcast(b:bitcast(fn:arg(1), "f32"), "i32"))
      assert.equal(i, fn:finish()(i))
    end
  end)
end)
