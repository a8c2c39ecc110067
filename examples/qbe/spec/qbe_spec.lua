-- The exporter of QBE's language: its texts, what it refuses, and, where `qbe` is installed, that
-- each op computes what fn(...) does.
local assert = require "spec.support.assert"
local document = require "spec.support.document"
local file = require "spec.support.file"
local forms = require "spec.support.forms"
local ops = require "spec.support.ops"
local phial = require "phial"
local shell = require "spec.support.shell"

package.path = "examples/?.lua;" .. package.path
local qbe = require "qbe.qbe"

describe("QBE's language", function()
  it("is what its README shows", function() document.check "examples/qbe/README.md" end)

  it("has phis, a switch, traps, memory, narrow integers and calls", function()
    local m = phial.module "m"
    m:declare("puts", { "s:ptr" }, "i32")
    m:build("g", { "f:ptr" }, nil, function(b, v) b:call(v.f, nil, b:address "puts", 0.5) end)
    local half = m:fn("half", { "x:i32" }, "i32", { linkage = "internal" })
    half:entry():ret(half:entry():sar(half:arg(1), 1))
    m:build("f", { "n:i64", "p:ptr" }, "i64", function(b, v)
      v.s = 0
      b:switch_(v.n, { [-1] = function() v.s = b:sext(b:load(v.p, "i8"), "i64") end,
        [7] = function() v.s = b:sdiv(v.n, b:load(v.p, "i64")) end,
        default = function()
          b:store(b:alloca(4, 4), b:call(half, "i32", b:trunc(v.n, "i32")))
        end })
      b:ret(b:add(v.s, b:sext(b:call("puts", "i32", v.p), "i64")))
    end)
    assert.equal(file.read "examples/qbe/spec/f.ssa", qbe.module(m:finish()))
  end)

  it("refuses what QBE does not have", function()
    local function refuse(why, text)
      local ok, message = pcall(qbe.func, assert(phial.parse(text)))
      assert.is_false(ok, text)
      assert.matches(why, message, 1, true)
    end
    local one <const> = "fn f(%%a: %s) -> %s {\nentry:\n  %%1: %s = %s\n  ret %%1\n}"
    refuse("f: 'clz %a' in block 'entry': QBE has no row for it",
      one:format("i64", "i64", "i64", "clz %a"))
    refuse("f: 'ftoi %a' in block 'entry': its row has no value",
      one:format("f32", "i8", "i8", "ftoi %a"))
    refuse("f: 'alloca 8, 32' in block 'entry': its row has no value",
      one:format("i64", "ptr", "ptr", "alloca 8, 32"))
    refuse("f: 'call @g %a' in block 'entry': type 'i8' has no counterpart in QBE",
      "fn f(%p: ptr) {\nentry:\n  %a: i8 = load %p\n  call @g %a\n  ret\n}")
    refuse("f: QBE returns no i16", one:format("i64", "i16", "i16", "trunc %a"))
    refuse("parameter 'a' is of type any, which QBE does not have",
      "fn f(%a: any) {\nentry:\n  ret\n}")
    refuse("'a b' cannot be a name in QBE", 'fn f() {\nentry:\n  call @"a b"\n  ret\n}')
  end)
end)

-- {== By qbe ============================================================

local NARROW <const> = { i1 = true, i8 = true, i16 = true, i32 = true }

-- A function of an op, of which narrow operands are longs, and results are bits of one.
local function build(name, form)
  local params, args = {}, {}
  for i, type in ipairs(form.types) do
    params[i] = ("x%d:%s"):format(i, NARROW[type] and "i64" or type)
  end
  local fn = phial.fn(name, params, "i64", { rules = false })
  local b = fn:entry()
  for i, type in ipairs(form.types) do
    args[i] = NARROW[type] and b:trunc(fn:arg(i), type) or fn:arg(i)
  end
  args[#args + 1] = form.said
  local it = b:emit(form.op, table.unpack(args))
  if form.result == "f32" then it = b:bitcast(it, "i32") end
  if form.result == "f64" or form.result == "ptr" then it = b:bitcast(it, "i64") end
  b:ret(it:type() == "i64" and it or b:zext(it, "i64"))
  return fn:finish()
end

local C_TYPE <const> = { f32 = "float", f64 = "double", ptr = "long long" }

-- The formats of bits of floats, and the same in C.
local BITS <const> = { f32 = { "<f", "<i4", "f32(%d)" }, f64 = { "<d", "<i8", "f64(%d)" } }

-- An argument in Lua, and in C.
local function argument(type, value)
  local float, bits, format = table.unpack(BITS[type] or {})
  if type == "i1" then value = value and 1 or 0 end
  if not float then return value, ("(long long)0x%xull"):format(value) end
  return value, format:format(string.unpack(bits, string.pack(float, value)))
end

-- True for the bits of a nan.
local function is_nan(type, bits)
  local float = BITS[type] and string.unpack(BITS[type][1], string.pack("<i8", bits))
  return float ~= float
end

it("computes each op as fn(...) does, by qbe", function()
  if not os.execute "command -v qbe >/dev/null" then return pending "qbe is not installed" end
  local head, calls, expected, m = { "#include <stdio.h>", "#include <string.h>",
    "static float f32(int x) { float f; memcpy(&f, &x, 4); return f; }",
    "static double f64(long long x) { double f; memcpy(&f, &x, 8); return f; }" }, {}, {}, {}
  for _, row in ipairs(ops.all) do
    forms.each(row, function(form)
      local name = ("%s_%d"):format(form.op, #m + 1)
      local fn = build(name, form)
      local ok, text = pcall(qbe.func, fn)
      if not ok then return assert.matches("has no", text, 1, true) end
      m[#m + 1] = text
      local types = {}
      for i, type in ipairs(form.types) do types[i] = C_TYPE[type] or "long long" end
      head[#head + 1] = ("long long %s(%s);"):format(name, table.concat(types, ", "))
      forms.each_edge(form, function(args)
        local texts = {}
        for i, type in ipairs(form.types) do args[i], texts[i] = argument(type, args[i]) end
        local good, result = pcall(fn, table.unpack(args))
        if not good or is_nan(form.result, result) then return end
        calls[#calls + 1] = ('printf("%%lld\\n", %s(%s));'):format(name, table.concat(texts, ", "))
        expected[#expected + 1] = ("%d"):format(result)
      end, 4)
    end)
  end
  local base = os.tmpname()
  file.write(base .. ".ssa", table.concat(m, "\n"))
  file.write(base .. ".c", table.concat(head, "\n") .. "\nint main(void) {\n"
    .. table.concat(calls, "\n") .. "\n}\n")
  shell.output(("qbe -o %s.s %s.ssa"):format(base, base))
  shell.output(("cc -O0 -o %s %s.c %s.s"):format(base, base, base))
  local i = 0
  for line in shell.output(base):gmatch "[^\n]+" do
    i = i + 1
    assert.equal(expected[i], line, calls[i])
  end
  assert.equal(#expected, i)
  for _, suffix in ipairs { "", ".ssa", ".c", ".s" } do os.remove(base .. suffix) end
end)

-- }======================================================================
