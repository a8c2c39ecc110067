-- What the parser refuses: the whole message with its position.
local phial = require "phial"
local under = require "spec.support.under"

local function body(...) return "fn f() {\nentry:\n  " .. table.concat({ ... }, "\n") .. "\n}" end

local REFUSED = {
  { "", "1:1: 'fn', 'internal', 'declare' or 'module' expected, the text ends" },
  { "-- a comment\n gn f() {", "2:2: 'fn', 'internal', 'declare' or 'module' expected, got 'gn'" },
  { "\0fn f() {", "1:1: no token starts with '\\x00'" },
  { "fn", "1:3: the function's name expected, the text ends" },
  { "fn f(", "1:6: a value expected, the text ends" },
  { "fn f() {", "1:9: the end of the line expected, the text ends" },
  { "fn f() {\nentry:\n  ret\n", "4:1: a label, an instruction or '}' expected, the text ends" },
  { "fn f() -> i46 {\nentry:\n  ret 1\n}", "1:11: there is no type 'i46'" },
  { body "ret" .. "\nfn g() {", "5:1: the end of the text expected, got 'fn'" },
  { body "retx", "3:3: there is no op 'retx'" },
  { body "toy.op 1", "3:3: there is no op 'toy.op': is its dialect given?" },
  { body "ret 1", "3:3: 'ret' takes 0 operands, not 1" },
  { body "%1: i64 = add 1\n  ret", "3:13: 'add' takes 2 operands, not 1" },
  { body "%1: i64 = add 1, true\n  ret", "3:20: operand 2 of 'add' must be i64, 'true' is i1" },
  { body "%1: i32 = add 1, 2\n  ret", "3:7: 'add' gives i64, not i32" },
  { body "%1: i64 = trunc 1\n  ret", "3:7: 'trunc' cannot give i64 here" },
  { body "%1: i8 = copy 300:i8\n  ret", "3:17: '300' is not a constant of type i8" },
  { body "ret 18446744073709551616", "3:7: '18446744073709551616' does not fit 64 bits" },
  { body "ret -9223372036854775809", "3:7: '-9223372036854775809' does not fit 64 bits" },
  { body "%1: i32 = copy 18446744073709551615:i32\n  ret",
    "3:18: '18446744073709551615' is not a constant of type i32" },
  { body "%1: any = copy 18446744073709551615:any\n  ret",
    "3:18: '18446744073709551615' is not a constant of type any" },
  { body "call {18446744073709551615} 1\n  ret",
    "3:9: '18446744073709551615' does not fit 64 bits" },
  { body "%1: any = copy \"abc\n  ret", "3:18: this string has no end on its line" },
  { body "copy v 1\n  ret", "3:3: the result of 'copy' is missing" },
  { body "refine v 1, true, true\n  ret", "3:3: the result of 'refine' is missing" },
  { body "may v 1, 2\n  ret", "3:3: the result of 'may' is missing" },
  { body "phi v []\n  ret", "3:3: the result of 'phi' is missing" },
  { body "%1: i64 = copy v 1\n  copy v 1\n  ret", "4:3: the result of 'copy' is missing" },
  { body "%1: i64 = copy %7\n  ret", "3:18: there is no value '%7'" },
  { body "%1: i64 = copy 1\n  %1: i64 = copy 1\n  ret", "4:3: '%1' is defined in line 3 already" },
  { body "%5000000000: i64 = copy 1\n  ret", "3:3: the id of '%5000000000' is too large" },
  { body "%4000000000: i64 = copy 1\n  %4000000000: i64 = copy 1\n  ret",
    "4:3: '%4000000000' is defined in line 3 already" },
  { body "%4000000000: i64 = copy %4000000001\n  ret",
    "3:27: there is no value '%4000000001'" },
  { body "jump nowhere", "3:8: there is no block 'nowhere'" },
  { body "jump entry", "2:1: 'entry' is the entry, 'entry' cannot lead there" },
  { body "ret\n  ret", "4:3: its block has ended with 'ret'" },
  { body "ret\nentry:\n  ret", "4:1: 'entry' is defined in line 2 already" },
  { body "ret @ x", "3:9: a line number expected, got 'x'" },
  { body "jump a\na:\n  ret", "4:1: 'a' must have 'entry' after '<-', which leads there" },
  { body "jump a\na: <- entry, entry\n  ret", "4:14: 'entry' has no edge to 'a' for this entry" },
  { body "jump a\na: <- entry\n  %1: i64 = phi x [b: 1]\n  ret", "5:20: there is no block 'b'" },
  { body "jump a\na: <- entry\n  %1: i64 = phi x [entry: 1, entry: 2]\n  ret",
    "5:30: one operand more than '<-' has blocks" },
  { body "jump a\na: <- entry\n  %2: i64 = copy 1\n  %1: i64 = phi x [entry: 1]\n  ret",
    "6:13: the phis of a block come first" },
}

describe("the parser refuses", function()
  for _, case in ipairs(REFUSED) do
    it(case[2], function()
      local fn, why = phial.parse(case[1])
      assert.is_nil(fn)
      assert.equal(case[2], why)
    end)
  end

  it("no integer of 64 bits without a sign", function()
    local fn = assert(phial.parse "fn f() -> i64 {\nentry:\n  ret 18446744073709551615\n}")
    assert.equal("fn f() -> i64 {\nentry:\n  ret -1\n}\n", tostring(fn))
    assert.truthy(phial.parse(body "%1: ptr = copy 9223372036854775808:ptr\n  ret"))
  end)

  it("with the file's name in front, if there is one", function()
    local _, zero = phial.parse("fn", { file = "x\0y" })
    assert.equal("x\0y:1:3: the function's name expected, the text ends", zero)
    local _, why = phial.parse("fn", { file = "x.phial" })
    assert.equal("x.phial:1:3: the function's name expected, the text ends", why)
  end)

  it("a text that is no string, as a mistake of the caller", function()
    assert.has_error(function() phial.parse(12) end)
  end)
end)

describe("no text", function()
  -- All kinds of instructions, names, constants, data and positions.
  local text = [[
fn sum(%n: i64, %"a b": f64) -> any { -- a comment
entry:
  %20: ptr = alloca 8, 8
  store %20, %n
  jump head
head: <- entry, body
  %4: i64 = phi "a b" [entry: 0, body: %"x y".9]
  %5: f64 = itof %4 @ "f.x":12:5-13:1
  %6: i1 = slt %4, %n
  switch %n, body [1: done, -2: body]
body: <- head, head
  %"x y".9: i64 = add %4, 1
  %10: any = call {"g"} nil, "s\x41\n", undef:f32, -0.0, nan, 1.5:f32, true:any
  %11: any = call @h %n
  %12: any = proj {2} %11
  %13: i64 = refine v %n, %6, true
  %14: i64 = may v %n, %13
  %15: i32 = trunc %14
  %16: any = copy v/2 %10
  branch %6, head, forked
done: <- head
  ret %10
forked: <- body
  t.end {true} %n, [open, open]
open: <- forked, forked, ...
  %17: i64 = phi v ...
}
]]

  local function try(bytes)
    local fn = phial.parse(bytes, { dialects = "any" })
    if fn then
      fn:verify()
      assert.equal("string", type(fn:text()))
    end
    return fn
  end

  local STEP <const> = under.valgrind and 10 or under.brief and 5 or 1

  it("crashes the parser or the verifier", function()
    assert.truthy(try(text))
    for i = 1, #text, STEP do try(text:sub(1, i)) end
    math.randomseed(1)
    for i = 1, #text, STEP do
      for _, byte in ipairs { "\0", " ", "9", "%", "\"", "\n", string.char(math.random(255)) } do
        try(text:sub(1, i - 1) .. byte .. text:sub(i + 1))
      end
      try(text:sub(1, i - 1) .. text:sub(i + 1))
    end
  end)

  -- Without words, and with others in their places.
  it("crashes them, whatever its words are", function()
    local starts, words, known = {}, {}, {}
    for from, word in text:gmatch "()([%%%w._]*[^%w])" do
      starts[#starts + 1] = from
      if not known[word] then words[#words + 1] = word end
      known[word] = true
    end
    starts[#starts + 1] = #text + 1
    for i = 1, #starts - 1, STEP do
      local before = text:sub(1, starts[i] - 1)
      for n = i + 1, math.min(i + 6, #starts) do try(before .. text:sub(starts[n])) end
      for k = i % 4 + 1, #words, 4 do try(before .. words[k] .. text:sub(starts[i + 1])) end
    end
  end)
end)
