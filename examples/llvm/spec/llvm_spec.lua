-- The example llvm: what it makes of LLVM IR, that LLVM accepts it and runs it alike, its
-- messages, and its command.
local arithmetic = require "spec.support.arithmetic"
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local its = require "examples.spec.command"
local llvm = require "spec.support.llvm"
local ops = require "spec.support.ops"
local phial = require "phial"
local semantics = require "spec.oracle.semantics"
local under = require "spec.support.under"

package.path = "examples/?.lua;" .. package.path
local Stats = require "llvm.stats"
local problems = require "llvm.problems"
local rules_of_llvm = require "llvm.rules"
local translate = require("llvm.module").translate

local FOLDER <const> = "examples/llvm/golden"
local RULES = rules_of_llvm.new()

local function plain(text) return translate("a.ll", text, false, Stats.new()) end
local function with_rules(text) return translate("a.ll", text, RULES, Stats.new()) end

-- What is wrong with a text; nil if it is accepted.
local function problem(text)
  local done, why = pcall(plain, text)
  if done then return nil end
  if not problems.is(why) then error(why, 0) end
  return tostring(why)
end

describe("of LLVM IR", function()
  for name, check in golden.each(FOLDER, function(text)
    return plain(text) .. "\n; with rules\n" .. with_rules(text)
  end) do it(name, check) end
end)

describe("a constant", function()
  it("keeps the sign of zero", function()
    local text = "define double @f(i1 %c) {\n"
      .. "  %r = select i1 %c, double -0.000000e+00, double 0.000000e+00\n  ret double %r\n}\n"
    for _, way in ipairs { plain, with_rules } do
      assert.matches("double 0x8000000000000000, double 0x0000000000000000\n", way(text))
    end
  end)
end)

describe("with rules", function()
  local function of(...)
    local lines = table.concat({ ... }, "\n  ")
    return with_rules("define i32 @f(i32 %a, i32 %b) {\n  " .. lines .. "\n  ret i32 %r\n}\n")
  end

  it("the operands of what LLVM does not define everywhere are those of the input", function()
    for _, word in ipairs { "shl", "lshr", "ashr", "srem" } do
      local text = of(("%%r = %s i32 %%a, %%b"):format(word))
      assert.matches(("{\n  %%%%r = %s i32 %%%%a, %%%%b\n  ret"):format(word), text)
    end
    local text = of("%m = and i32 %b, 31", "%r = shl i32 %a, %m")
    assert.matches("{\n  %%m = and i32 %%b, 31\n  %%r = shl i32 %%a, %%m\n  ret", text)
  end)

  it("a pointer cast to a pointer is itself, and blocks in a straight line are one", function()
    local text = of("%p = inttoptr i32 %a to ptr", "%q = bitcast ptr %p to ptr", "br label %next",
      "next:", "%r = load i32, ptr %q")
    assert.matches("{\n  %%p = [^\n]*\n  %%r = load i32, ptr %%p\n  ret", text)
  end)

  -- %p holds %a; what stands for LINE comes before it is read.
  local function reads(line)
    local text = with_rules(([[
@g = global i32 0
target datalayout = "LAYOUT"
@h = alias i32, ptr @g
declare i32 @k()
define i32 @f(i32 %a, ptr %p, ptr %q) personality ptr null {
  %s = getelementptr i32, ptr %p, i64 1
  store i32 %a, ptr PLACE, align 4
  LINE
next:
  %r = load i32, ptr PLACE, align 4
  ret i32 %r
pad:
  %e = landingpad { ptr, i32 } cleanup
  ret i32 0
}
]]):gsub("%u+", { LINE = line[1], PLACE = line.place or "%p", LAYOUT = line.layout or "e" }))
    return text:find "%%r = load" ~= nil
  end

  it("a load of what is known to be stored becomes the value", function()
    for _, line in ipairs {
      { "br label %next" },
      { "store i32 7, ptr %s, align 4\n  br label %next" },
      { "%v = load volatile i32, ptr %p, align 4\n  br label %next", kept = true },
      { "store i32 7, ptr %q, align 4\n  br label %next", kept = true },
      { "store volatile i32 7, ptr %q, align 4\n  br label %next", kept = true },
      { "store i32 7, ptr %q, align 1\n  br label %next", kept = true },
      { "store i32 7, ptr @h, align 4\n  br label %next", place = "@g", kept = true },
      { "store ptr null, ptr @h, align 8\n  br label %next", place = "@g", kept = true },
      { "%i = invoke i32 @k() to label %next unwind label %pad", kept = true },
      { "br label %next", layout = "e-p:32:32", kept = true },
    } do
      assert.equal(line.kept or false, reads(line), line[1])
    end
  end)
end)

-- {== LLVM ==============================================================

-- Calls check(tools, input) for each golden file whose pointers an installed LLVM reads.
local function each_input(check)
  for _, path in golden.programs(FOLDER) do
    local text = file.read(path)
    local tools = llvm.tools[text:find "%f[%w]ptr%f[%W]" and "opaque" or "typed"]
    if tools then check(tools, text) end
  end
end

local function run(text, command)
  local path = os.tmpname()
  file.write(path, text)
  local out, why = llvm.run(("%s '%s'"):format(command, path))
  os.remove(path)
  return out, why
end

describe("LLVM", function()
  it("accepts what is written", function()
    if not next(llvm.tools) then return pending "not installed" end
    each_input(function(tools, text)
      for _, way in ipairs { plain, not under.brief and with_rules or nil } do
        assert(run(way(text), tools.opt .. " -passes=verify -disable-output"))
      end
    end)
  end)

  it("runs it with the same result", function()
    if not next(llvm.tools) then return pending "not installed" end
    each_input(function(tools, text)
      if not text:find "@main%(" then return end
      for _, way in ipairs { with_rules, not under.brief and plain or nil } do
        assert(run(way(text), tools.lli))
      end
    end)
  end)

  it("promotes the same allocas, by as many phis or more", function()
    if not next(llvm.tools) then return pending "not installed" end
    local function count(text, what) return select(2, text:gsub(" = " .. what .. " ", "")) end
    each_input(function(tools, text)
      local theirs, ours = assert(run(text, tools.opt .. " -passes=mem2reg -S")), plain(text)
      for _, what in ipairs { "load", "alloca" } do
        assert.equal(count(theirs, what), count(ours, what), ours)
      end
      assert.is_true(count(theirs, "phi") >= count(ours, "phi"), ours)
    end)
  end)
end)

-- Where there is an LLVM with opaque pointers, it accepts the text.
local function verified(text)
  local tools = llvm.tools.opaque
  if tools then assert(run(text, tools.opt .. " -passes=verify -disable-output")) end
end

-- Each text as LLVM may write it, and a part of what becomes of it, without rules or with them.
local FORMS = {
  { "an index that is not a number after one that is", [[
@g = external global i32
define <8 x ptr> @f(ptr %p) {
  %a = getelementptr [4 x i32], ptr %p, i64 0, <8 x i64> poison
  ret <8 x ptr> %a
}
define ptr @h(ptr %p) {
  %a = getelementptr [4 x i32], ptr %p, i64 0, i64 ptrtoint (ptr @g to i64)
  ret ptr %a
}
]], "<8 x i64> poison.*i64 ptrtoint %(ptr @g to i64%)" },
  { "lines that go on, tabs, missing spaces and comments", [[
@t = constant [2 x i32] [i32 1,
i32 2] ; a comment
	%s = type { i32 }
define <2 x i8> @f (ptr%p, <2 x i8> %x) #7 { ; a comment {
entry:
	%y  =	add <2 x i8> %x, <i8 1, i8
2>
  br i1 undef, label %a,
     label %b
a:
  br label %b
b:
  %z= phi <2 x i8> [ %x, %entry ],
  [ %y, %a ]
  %w = select <2 x i1><i1 true, i1 true>, <2 x i8> %z, <2 x i8> %x
  store volatile double 1.0, ptr %p, !m !0
  ret <2 x i8> %w
}
!0  = !{}
]], "select <2 x i1>.*ret <2 x i8> %%w" },
  { "types with quotes", [[
define target("a.b") @f(target("a.b") %x) {
  %p = alloca target("a.b")
  store target("a.b") %x, ptr %p
  %y = load target("a.b"), ptr %p
  ret target("a.b") %y
}
]], '{\n  ret target%("a.b"%) %%x' },
  { "integers that do not fit", [[
define i16 @f(i16 %x) {
  %y = add i16 %x, 65535
  %z = mul i16 %y, -65504
  ret i16 %z
}
]], "add i16 %%x, %-1\n.*shl i16 %%y, 5\n" },
}

describe("what clang does not write", function()
  for _, form in ipairs(FORMS) do
    it("is read: " .. form[1], function()
      verified(plain(form[2]))
      local text = with_rules(form[2])
      assert.matches(form[3], text)
      verified(text)
    end)
  end
end)

-- %flag is undefined after the unwind edge, on which there is no %a: phi(%a, undef) stays, unless
-- it is after the other edge.
local THROWS <const> = [[
declare i32 @g()
declare i32 @__gxx_personality_v0(...)
define i32 @f(i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  %flag = alloca i32
  %a = invoke i32 @g()
          to label %then unwind label %pad

then:
  NEAR
  store i32 %a, ptr %flag
  br label %join

other:
  br label %join

join:
  %b = load i32, ptr %flag
  ret i32 %b

pad:
  %e = landingpad { ptr, i32 }
          cleanup
  FAR
}
]]

describe("the result of a terminator", function()
  local function f(near, far) return plain((THROWS:gsub("NEAR", near):gsub("FAR", far))) end

  it("does not become a phi that another edge leads to", function()
    local text = f("br i1 %%c, label %%set, label %%join\n\nset:", "br label %%other")
    assert.matches("%%flag.0 = phi i32 %[", text)
    verified(text)
  end)

  it("becomes a phi after its edge", function()
    local text = f("br i1 %%c, label %%set, label %%other\n\nset:", "unreachable")
    assert.matches("ret i32 %%a\n", text)
    verified(text)
  end)
end)

-- }== Every op ==========================================================

-- Parts of rules: 64 bits as a value of a type, and the other way round.
local FROM_BITS = { i64 = "%s", f64 = "bitcast(%s):f64", ptr = "bitcast(%s):ptr",
  f32 = "bitcast(trunc(%s):i32):f32" }
local TO_BITS = { i64 = "%s", f64 = "bitcast(%s):i64", ptr = "bitcast(%s):i64",
  f32 = "zext(bitcast(%s):i32):i64" }

local function from_bits(type, name)
  return (FROM_BITS[type] or "trunc(%s):" .. type):format(name)
end
local function to_bits(type, tree) return (TO_BITS[type] or "zext(%s):i64"):format(tree) end

local RULE = "(x - y - z) ~ %d => %s @ unoriented, always\n"
local FUNCTION = [[
define i64 @f%d(i64 noundef %%x, i64 noundef %%y, i64 noundef %%z) {
  %%s = sub i64 %%x, %%y
  %%t = sub i64 %%s, %%z
  %%r = xor i64 %%t, %d
  ret i64 %%r
}
]]
local CALL = "  %%%d = call i64 @f%d(i64 %d, i64 %d, i64 %d)\n"
  .. "  call i32 (%s, ...) @printf(%s, i64 %%%d)\n"
local MAIN = [[
@format = constant [5 x i8] c"%%lx\0A\00"
declare i32 @printf(%s, ...)
define i32 @main() {
%s  ret i32 0
}
]]
local POINTER = { opaque = "ptr", typed = "i8*" }
local FORMAT = { opaque = "ptr @format", typed = "i8* bitcast ([5 x i8]* @format to i8*)" }

-- Operands for which LLVM has a meaning, where phial has one for all.
local function meaningful(op, type, args)
  if op == "shl" or op == "shr" or op == "sar" then
    args[2] = type ~= "i1" and args[2] & tonumber(type:match "%d+") - 1
  elseif op == "srem" and args[2] == -1 then
    args[2] = 1
  end
end

-- A program of functions in which rules make each op at each type; the rules, and what the
-- program prints.
local function all_forms(kind)
  local rules, functions, calls, expected = {}, {}, {}, {}
  local function add(op, types, result, said)
    local n, trees = #rules + 1, {}
    for i, type in ipairs(types) do trees[i] = from_bits(type, ("xyz"):sub(i, i)) end
    local tree = ("%s(%s)%s"):format(op, table.concat(trees, ", "), said and ":" .. said or "")
    rules[n], functions[n] = RULE:format(n, to_bits(result, tree)), FUNCTION:format(n, n)
    for _ = 1, under.brief and 2 or 5 do
      local args, bits = {}, { 0, 0, 0 }
      for i, type in ipairs(types) do
        args[i] = arithmetic.constant(math.random, type)
      end
      meaningful(op, types[1], args)
      for i, type in ipairs(types) do bits[i] = llvm.bits(type, args[i]) end
      local done, value = pcall(semantics.op, op, { type = result, from = types[1] },
        table.unpack(args))
      if done and value == value then
        local k = #calls + 1
        calls[k] = CALL:format(2 * k - 1, n, bits[1], bits[2], bits[3], POINTER[kind],
          FORMAT[kind], 2 * k - 1)
        expected[k] = ("%s of %s: %x"):format(tree, table.concat(bits, ", "),
          llvm.bits(result, value))
      end
    end
  end
  math.randomseed(1)
  for _, row in ipairs(ops.all) do ops.each_form(row, add) end
  return MAIN:format(POINTER[kind], table.concat(calls)) .. table.concat(functions),
    phial.rules(table.concat(rules)), expected
end

describe("every op that a rule can make", function()
  for kind, tools in pairs(llvm.tools) do
    it(("is written, for %s pointers"):format(kind), function()
      local text, rules, expected = all_forms(kind)
      local made = translate("ops.ll", text, rules, Stats.new())
      local out, k = assert(run(made, tools.lli)), 0
      for got in out:gmatch "%x+" do
        k = k + 1
        assert.equal(expected[k], (expected[k]:gsub("%x+$", got)))
      end
      assert.equal(#expected, k)
    end)
  end
end)

-- }== Mistakes ==========================================================

local function in_function(body)
  return "define i32 @f(i32 %a, i1 %c) {\n" .. body .. "}\n"
end

local MISTAKES = {
  { "", "a.ll:1:1: the file is empty" },
  { "int main() { return 0; }\n", "a.ll:1:1: this is not LLVM IR as clang writes it" },
  { "BC\xC0\xDE\x35", "a.ll:1:1: this is bitcode: llvm-dis makes text of it" },
  { "\x7fELF\2", "a.ll:1:1: this is not text" },
  { "; nothing\n", "a.ll:1:1: the file defines and declares nothing" },
  { "@x = external global i32\n@y = glob", "a.ll:2:1: the file ends in this line" },
  { "define void @f() {\n  ret void\n", "a.ll:1:1: the file ends in this function" },
  { in_function "  ret i32 %b\n", "a.ll:2:11: value '%b' is not defined" },
  { in_function "  br label %b\n", "a.ll:2:12: block '%b' is not defined" },
  { in_function "  %b = add i32 %a, 1\n", "a.ll:2:3: block '%0' has no terminator" },
  { in_function "  %a = add i32 %a, 1\n  ret i32 %a\n", "a.ll:2:3: '%a' is defined twice" },
  { in_function "  %b = load i32* %a\n  ret i32 %b\n",
    "a.ll:2:8: 'load' is not as LLVM 14 to 16 write it" },
  { in_function "  frob i32 %a\n  ret i32 %a\n", "a.ll:2:3: unknown instruction 'frob'" },
  { in_function "  ret i32 %a, !note !3\n", "a.ll:2:21: metadata '!3' is not defined" },
  { in_function "  %b = call i32 @g() #1\n  ret i32 %b\n",
    "a.ll:2:17: symbol '@g' is not defined" },
  { in_function "  %b = zext i1 %a to i32\n  ret i32 %b\n",
    "a.ll:2:3: this is not valid: bad argument #2 to 'zext' (an integer type wider than i32 "
      .. "expected, got i32)" },
}

describe("a file that is none", function()
  for _, row in ipairs(MISTAKES) do
    it("is refused: " .. row[2]:match "%d: (.*)", function()
      assert.equal(row[2], problem(row[1]))
    end)
  end

  it("is refused wherever it is cut off", function()
    for _, path in golden.programs(FOLDER) do
      local text = file.read(path)
      local body = text:find("\n}", 1, true)
      local step = under.brief and 397 or 97
      for i = 1, #text // step do
        local cut = text:sub(1, i * step)
        if #cut > body and cut:find("!0", 1, true) and not cut:find("\n!0 =", 1, true) then
          assert(problem(cut), cut)
        else
          problem(cut)
        end
      end
    end
  end)
end)

-- }== The command =======================================================

describe("the command", function()
  local command = command_of "examples/llvm/main.lua"
  local input = file.read(FOLDER .. "/addresses_of_clang_14.ll")
  local path

  setup(function()
    path = os.tmpname()
    file.write(path, input)
  end)
  teardown(function() os.remove(path) end)

  it("writes LLVM IR", function()
    local out, err, status = command(path)
    assert.same({ plain(input), "", 0 }, { out, err, status })
    assert.equal(with_rules(input), (command("--rules - <" .. path)))
  end)

  it("tells counts and times", function()
    local _, err = command("--stats " .. path)
    local keys = {}
    for line in err:gmatch "[^\n]+" do keys[#keys + 1] = line:match "^([%w_]+) %S+$" end
    assert.same({ "functions", "instructions", "allocas", "promoted", "phis", "nodes",
      "seconds_read", "seconds_construct", "seconds_write", "events", "events_per_second",
      "seconds_total", "peak_kib" }, keys)
  end)

  it("writes nothing if something is wrong", function()
    file.write(path, input:sub(1, -30))
    local out, err, status = command(path)
    assert.same({ "", 1 }, { out, status })
    assert.truthy(err:find("^" .. path:gsub("%p", "%%%0") .. ":%d+:%d+: "))
    file.write(path, input)
  end)

  it("explains itself", function()
    its.explains(command, { [""] = "no file given", ["--what"] = "--what: no such option" })
    assert.truthy(select(2, command "nowhere.ll"):find("nowhere.ll: ", 1, true))
  end)
end)

-- }======================================================================
