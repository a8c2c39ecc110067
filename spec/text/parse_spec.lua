-- What the parser refuses: the whole message with its position.
local phial = require "phial"

local function body(...)
  return "fn f() {\nentry:\n  " .. table.concat({ ... }, "\n") .. "\n}"
end

local REFUSED = {
  { "", "1:1: 'fn', 'declare' or 'module' expected, the text ends" },
  { "-- a comment\n gn f() {", "2:2: 'fn', 'declare' or 'module' expected, got 'gn'" },
  { "\0fn f() {", "1:1: no token starts with '\\x00'" },
  { "fn", "1:3: the function's name expected, the text ends" },
  { "fn f(", "1:6: a value expected, the text ends" },
  { "fn f() {", "1:9: the end of the line expected, the text ends" },
  { "fn f() {\nentry:\n  ret\n", "4:1: a label, an instruction or '}' expected, the text ends" },
  { "fn f() -> i46 {\nentry:\n  ret 1\n}", "1:11: there is no type 'i46'" },
  { body "ret" .. "\nfn g() {", "5:1: the end of the text expected, got 'fn'" },
  { body "retx", "3:3: there is no op 'retx'" },
  { body "toy.op 1", "3:3: there is no op 'toy.op'" },
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
  { body "%1: i64 = copy %7\n  ret", "3:18: there is no value '%7'" },
  { body "%1: i64 = copy 1\n  %1: i64 = copy 1\n  ret", "4:3: '%1' is defined in line 3 already" },
  { body "%4000000000: i64 = copy 1\n  ret",
    "3:3: the id of '%4000000000' is too large for this text" },
  { body "jump nowhere", "3:8: there is no block 'nowhere'" },
  { body "jump entry", "2:1: 'entry' is the entry, 'entry' cannot lead there" },
  { body "ret\n  ret", "4:3: its block has ended with 'ret'" },
  { body "ret\nentry:\n  ret", "4:1: 'entry' is defined in line 2 already" },
  { body "ret @ x", "3:9: a line number expected, got 'x'" },
  { body "jump a\na:\n  ret", "4:1: 'a' must have 'entry' behind '<-', which leads there" },
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
    local _, why = phial.parse("fn", { file = "x.phial" })
    assert.equal("x.phial:1:3: the function's name expected, the text ends", why)
  end)

  it("a text that is no string, as a mistake of the caller", function()
    assert.has_error(function() phial.parse(12) end)
  end)
end)

describe("no text", function()
  -- Every prefix of a text, and the text with each byte changed.
  local text = [[
fn sum(%n: i64) -> i64 { -- a comment
entry:
  jump head
head: <- entry, body
  %4: i64 = phi "a b" [entry: 0, body: %"x y".9]
  %5: f64 = itof %4 @ "f.x":12:5
  %6: i1 = slt %4, %n
  switch %n, body [1: done, -2: done]
body: <- head
  %"x y".9: i64 = add %4, 1
  %10: any = call {"g"} nil, "s\x41\n", undef:f32, -0.0, nan, 1.5:f32, true:any
  jump head
done: <- head, head
  ret %4
}
]]

  it("crashes the parser or the verifier", function()
    local function try(bytes)
      local fn = phial.parse(bytes)
      if fn then
        fn:verify()
        assert.equal("string", type(fn:text()))
      end
    end
    for i = 1, #text do try(text:sub(1, i)) end
    math.randomseed(1)
    for i = 1, #text do
      for _, byte in ipairs { "\0", " ", "9", "%", "\"", "\n", string.char(math.random(255)) } do
        try(text:sub(1, i - 1) .. byte .. text:sub(i + 1))
      end
      try(text:sub(1, i - 1) .. text:sub(i + 1))
    end
  end)
end)
