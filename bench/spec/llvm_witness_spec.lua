-- The witness of examples/llvm, bench/suites/llvm.lua: it takes a version of a function with other
-- names for the same, and notices every damage.
local file = require "tools.file"
local mark = require "bench.lib.llvm.mark"
local phis = require "bench.lib.llvm.phis"
local tools = require "bench.lib.llvm.tools"

-- A loop whose body is a switch with two edges to the same block, and an inner join. No two
-- values are equal.
local LOOP = [[
@table = constant [2 x ptr] [ptr blockaddress(@f, %body), ptr blockaddress(@f, %done)]

define i32 @f(i32 noundef %n, ptr noundef %p) #0 {
entry:
  %start = load i32, ptr %p, align 4
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi i32 [ %start, %entry ], [ %sum.next, %next ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done, !llvm.loop !3

body:
  %x = call i32 @g(i32 noundef %i) #1
  switch i32 %x, label %other [
    i32 1, label %next
    i32 2, label %next
  ]

other:
  %y = mul nsw i32 %sum, %x
  br label %next

next:
  %sum.next = phi i32 [ %sum, %body ], [ %sum, %body ], [ %y, %other ]
  %step = phi i32 [ 2, %body ], [ 2, %body ], [ 3, %other ]
  %i.next = add nsw i32 %i, %step
  store i32 %sum.next, ptr %p, align 4
  br label %head

done:
  %r = sub nsw i32 %sum, %n
  ret i32 %r
}

declare i32 @g(i32 noundef)

attributes #0 = { nounwind }
attributes #1 = { returns_twice }
]]

--- The text with numbers for names, as clang writes it, and other numbers for attributes.
local function renamed(text)
  local numbers = { n = 0, p = 1, entry = 2, start = 3, head = 4, next = 5, i = 6, sum = 7,
    ["i.next"] = 8, ["sum.next"] = 9, more = 10, body = 11, done = 12, x = 13, other = 14, y = 15,
    step = 16, r = 17 }
  text = text:gsub("entry:[^\n]*\n", ""):gsub("%%([%l.]+)", function(name)
    return numbers[name] and "%" .. numbers[name]
  end)
  text = text:gsub("\n([%l.]+):", function(name) return ("\n%d:"):format(numbers[name]) end)
  return (text:gsub("#0", "#7"):gsub("#1", "#0"):gsub("!3", "!9"))
end

local function assert_equal(ours, theirs)
  local out = phis.texts(ours, theirs)
  assert.same({}, out.problems)
  assert.equal(out.functions, out.equal)
  return out
end

local function assert_differs(ours, theirs, what)
  local out = phis.texts(ours, theirs)
  assert(#out.problems > 0, "not noticed: " .. what)
end

describe("the witness of LLVM's mem2reg", function()
  it("takes other names and numbers for the same", function()
    assert_equal(LOOP, LOOP)
    assert_equal(renamed(LOOP), LOOP)
    assert_equal(LOOP, renamed(LOOP))
  end)

  it("takes other orders of blocks, phis, operands and cases for the same", function()
    local theirs = LOOP:gsub("(done:.-\n)(})", "%2"):gsub("(\nother:)", function(other)
      return "\n" .. LOOP:match "done:.-\n}" :gsub("\n}", "\n") .. other
    end)
    assert.not_equal(LOOP, theirs)
    assert_equal(LOOP, theirs)
    assert_equal(LOOP, (LOOP:gsub("(  %%i = phi[^\n]*\n)(  %%sum = phi[^\n]*\n)", "%2%1")))
    assert_equal(LOOP, (LOOP:gsub("(    i32 1, [^\n]*\n)(    i32 2, [^\n]*\n)", "%2%1")))
    assert_equal(LOOP, (LOOP:gsub("(%[ 0, %%entry %]), (%[ %%i.next, %%next %])", "%2, %1")))
  end)

  it("ignores blocks that nothing reaches", function()
    local theirs = LOOP:gsub("\ndone:", "\ndead:\n  br label %%done\n%0")
    assert_equal(LOOP, theirs)
  end)
end)

-- {== Damages ==========================================================

local DAMAGES = {
  { "a phi dropped, its uses replaced by an operand", "  %%step = phi[^\n]*\n", "", "%%step", "2" },
  { "a phi dropped that other phis need", "  %%sum = phi[^\n]*\n", "", "%%sum,", "%%start," },
  { "a phi added that means its operand", "next:[^\n]*\n",
    "%0  %%n.new = phi i32 [ %%n, %%body ], [ %%n, %%other ]\n" },
  { "a phi added and used", "next:[^\n]*\n",
    "%0  %%x.new = phi i32 [ %%x, %%body ], [ %%x, %%other ]\n",
    "store i32 %%sum.next", "store i32 %%x.new" },
  { "a phi added that repeats another", "  (%%step)( = phi[^\n]*\n)", "%0  %1.new%2" },
  { "a phi added in a cycle of its own", "head:[^\n]*\n",
    "%0  %%new = phi i32 [ 0, %%entry ], [ %%new, %%next ]\n" },
  { "operands of a phi swapped", "%[ 0, %%entry %], %[ %%i.next, %%next %]",
    "[ %%i.next, %%entry ], [ 0, %%next ]" },
  { "constants of a phi swapped", "%[ 2, %%body %], %[ 2, %%body %], %[ 3, %%other %]",
    "[ 3, %%body ], [ 3, %%body ], [ 2, %%other ]" },
  { "an operand for an edge that occurs twice differs", "%[ 2, %%body %], %[ 2,",
    "[ 2, %%body ], [ 4," },
  { "an operand of a phi missing", ", %[ 3, %%other %]", "" },
  { "the type of a phi", "%%step = phi i32", "%%step = phi i64" },
  { "operands of an instruction swapped", "sub nsw i32 %%sum, %%n", "sub nsw i32 %%n, %%sum" },
  { "an operand of an instruction a constant", "icmp slt i32 %%i, ", "icmp slt i32 0, " },
  { "an operand undefined", "store i32 %%sum.next", "store i32 undef" },
  { "an operand poison", "%%i, %%step", "%%i, poison" },
  { "a use of the value before a phi", "store i32 %%sum.next", "store i32 %%sum" },
  { "a use of the operand of a phi", "sub nsw i32 %%sum", "sub nsw i32 %%start" },
  { "a flag dropped", "add nsw", "add" },
  { "an alignment changed", "(i32 %%sum.next, ptr %%p, align) 4", "%1 1" },
  { "another predicate", "slt", "sle" },
  { "another callee", "@g%(i32 noundef %%i", "@h(i32 noundef %%i" },
  { "an attribute of a call dropped", "returns_twice", "" },
  { "an instruction dropped", "  store[^\n]*\n", "" },
  { "an instruction added", "  store[^\n]*\n", "%0%0" },
  { "instructions exchanged", "(  %%i.next = add[^\n]*\n)(  store[^\n]*\n)", "%2%1" },
  { "targets of a branch swapped", "label %%body, label %%done", "label %%done, label %%body" },
  { "a case of a switch changed", "i32 2, label", "i32 3, label" },
  { "a case of a switch dropped", "    i32 2, [^\n]*\n", "" },
  { "the address of another block", "blockaddress%(@f, %%done", "blockaddress(@f, %%next" },
  { "a parameter dropped", ", ptr noundef %%p%)", ")" },
  { "an attribute of the function dropped", "nounwind", "" },
  { "a global dropped", "@table[^\n]*\n", "" },
  { "a declaration dropped", "declare[^\n]*\n", "" },
  { "the function dropped", "define.-\n}\n", "" },
  { "a function added", "define", "define void @z() {\n  ret void\n}\n\ndefine" },
}

describe("a damage that the witness of LLVM's mem2reg notices:", function()
  for _, damage in ipairs(DAMAGES) do
    it(damage[1], function()
      local text = LOOP
      for i = 2, #damage, 2 do
        local before = text
        text = text:gsub(damage[i], damage[i + 1])
        assert.not_equal(before, text)
      end
      assert_differs(text, LOOP, damage[1])
      assert_differs(renamed(text), LOOP, damage[1])
    end)
  end

  it("any operand replaced by any other value", function()
    local values, uses = { "0", "2", "undef" }, 0
    for name in LOOP:gmatch "\n  (%%[%l.]+) = " do values[#values + 1] = name end
    for before, name, after in LOOP:gmatch "()(%%[%l.]+)()" do
      local is_value = LOOP:find("^[ ,)%]]", after) or LOOP:find("^\n", after)
      is_value = is_value and not LOOP:sub(1, before - 1):find "label $"
        and not LOOP:find("^ =", after) and not LOOP:find("^ %]", after)
        and not LOOP:sub(1, before - 1):find "noundef $"
      for _, other in ipairs(is_value and values or {}) do
        if other ~= name then
          local text = LOOP:sub(1, before - 1) .. other .. LOOP:sub(after)
          assert_differs(text, LOOP, text)
          uses = uses + 1
        end
      end
    end
    assert(uses > 150, uses)
  end)
end)

-- }== Phis that only LLVM has ==========================================

-- A variable is written in a loop, and with itself in two loops inside of it: %b and %c mean %a.
local REDUNDANT = [[
define i32 @f(i32 %n, i32 %x) {
entry:
  br label %outer

outer:
  %a = phi i32 [ %x, %entry ], [ %n, %other ], [ %b, %test ]
  br label %inner

inner:
  %b = phi i32 [ %a, %outer ], [ %c, %back ]
  %k = call i1 @g(i32 %b)
  br i1 %k, label %deep, label %test

deep:
  %c = phi i32 [ %b, %inner ], [ %c, %deep ]
  %l = call i1 @g(i32 %c)
  br i1 %l, label %deep, label %back

back:
  br label %inner

test:
  %t = call i1 @g(i32 %b)
  br i1 %t, label %outer, label %other

other:
  %o = call i1 @g(i32 %b)
  br i1 %o, label %outer, label %done

done:
  ret i32 %b
}
]]
local MINIMAL = REDUNDANT:gsub("  %%[bc] = phi[^\n]*\n", ""):gsub("%%[bc]%f[%W]", "%%a")

describe("phis that only LLVM has", function()
  it("may be redundant by Algorithm 5", function()
    assert.equal(2, assert_equal(MINIMAL, REDUNDANT).redundant)
    -- Without a write, all of them are.
    local theirs = REDUNDANT:gsub("%%n, %%other", "%%x, %%other")
    local ours = theirs:gsub("  %%[abc] = phi[^\n]*\n", ""):gsub("%%[abc]%f[%W]", "%%x")
    assert.equal(3, assert_equal(ours, theirs).redundant)
  end)

  it("may not be ours", function()
    assert_differs(REDUNDANT, MINIMAL, "redundant phis of ours")
  end)

  it("differ if they get another value", function()
    for _, value in ipairs { "%%n", "%%x", "0", "undef" } do
      for _, place in ipairs { "%%c, %%back", "%%b, %%inner", "%%c, %%deep", "%%a, %%outer" } do
        local label = place:match ", (.*)"
        local theirs, count = REDUNDANT:gsub(place, value .. ", " .. label)
        assert.equal(1, count)
        assert_differs(MINIMAL, theirs, place)
      end
    end
  end)

  it("may be without users", function()
    local theirs = LOOP:gsub("next:[^\n]*\n", "%0  %%new = phi i32 [ %%x, %%body ], "
      .. "[ %%y, %%other ]\n")
    assert.equal(1, assert_equal(LOOP, theirs).unused)
    theirs = theirs:gsub("head:[^\n]*\n", "%0  %%web = phi i32 [ 0, %%entry ], [ %%new, %%next ]\n")
    assert.equal(2, assert_equal(LOOP, theirs).unused)
    assert_differs(theirs, LOOP, "unused phis of ours")
    local used = theirs:gsub("store i32 %%sum.next", "store i32 %%web")
    assert_differs(LOOP, used, "a phi with users")
  end)
end)

-- }== Uninitialised memory =============================================

local MAYBE = [[
define i32 @f(i1 %c, i32 %n) {
entry:
  %x = alloca i32, align 4
  br i1 %c, label %then, label %done

then:
  store i32 %n, ptr %x, align 4
  br label %done

done:
  %r = load i32, ptr %x, align 4
  ret i32 %r
}
]]

local PROMOTED = [[
define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %then, label %done

then:
  br label %done

done:
  %r = phi i32 [ undef, %entry ], [ %n, %then ]
  ret i32 %r
}
]]

describe("uninitialised memory", function()
  it("is marked in the entry", function()
    local marked = mark(MAYBE .. "\ndefine void @g(i64 %n) {\nentry:\n  %a = alloca i8, i64 %n\n"
      .. "  %b = alloca { i64, i8 }, align 8\n  ret void\nnext:\n  %c = alloca i8\n}", "typed")
    assert.matches("%%x = alloca i32, align 4\n  %%witness.1 = call i32 @witness.undef.1%(%)\n"
      .. "  store i32 %%witness.1, i32%* %%x, !witness !{}\n", marked)
    assert.matches("%%a = alloca i8, i64 %%n\n  %%b = alloca { i64, i8 }, align 8\n"
      .. "  %%witness.2 = call { i64, i8 } @witness.undef.2%(%)\n  store [^\n]*\n  ret", marked)
    assert.matches("%%c = alloca i8\n}\n", marked)
    assert.matches("declare { i64, i8 } @witness.undef.2%(%)", marked)
  end)

  local with = tools.of(16)
  if not with then return pending "compared with LLVM's (opt-16 is not installed)" end

  it("is compared with LLVM's of a marked text where LLVM removed the phi", function()
    local function mem2reg(text)
      local from = os.tmpname()
      file.write(from, text)
      local out = tools.must("LD_PRELOAD= opt-16 -S -passes=mem2reg %s", from)
      os.remove(from)
      return out
    end
    local plain = mem2reg(MAYBE)
    assert.not_matches("phi", plain)
    local function marked() return mem2reg(mark(MAYBE, "opaque")) end
    local out = phis.texts(PROMOTED, plain, marked)
    assert.same({}, out.problems)
    assert.equal(1, out.marked)
    for _, wrong in ipairs { "[ %n, %entry ], [ undef, %then ]", "[ 0, %entry ], [ %n, %then ]",
      "[ undef, %entry ], [ undef, %then ]" } do
      local text = PROMOTED:gsub("%[ undef.-\n", (wrong:gsub("%%", "%%%%")) .. "\n")
      assert(#phis.texts(text, plain, marked).problems > 0, wrong)
    end
  end)
end)
