-- The lines and carets of messages about a place in a text.
local excerpt = require "phial.command.excerpt"

local function marked(line, column) return excerpt.marked(line, column) end

describe("a caret", function()
  it("is below its byte", function()
    assert.equal("  abc\n  ^", marked("abc", 1))
    assert.equal("  abc\n    ^", marked("abc", 3))
    assert.equal("  abc\n     ^", marked("abc", 4))
    assert.equal("  \n  ^", marked("", 1))
  end)

  it("is below its byte after tabs", function()
    assert.equal("  \ta\tb\n  \t \t^", marked("\ta\tb", 4))
    assert.equal("  a\tb\n   ^", marked("a\tb", 2))
  end)

  it("is below its character in UTF-8", function()
    assert.equal("  äöü x\n      ^", marked("äöü x", 8))
    assert.equal("  äöü x\n   ^", marked("äöü x", 3))
    assert.equal("  äöü x\n   ^", marked("äöü x", 4)) -- in the middle of the ö
    assert.equal("  漢字 x\n       ^", marked("漢字 x", 8)) -- as wide as two
    assert.equal("  e\u{301} x\n    ^", marked("e\u{301} x", 5)) -- an accent takes no place
  end)

  it("shows nothing that a terminal might obey, or that is not UTF-8", function()
    assert.equal("  ?[31m x\n        ^", marked("\27[31m x", 7))
    assert.equal("  ? x\n    ^", marked("\u{202e} x", 5))
    assert.equal("  ?? x\n     ^", marked("\xff\xe4 x", 4))
    assert.equal("  a\n  ^", marked("a\r", 1))
    assert.equal("  ? x\n    ^", marked("\u{85} x", 4))
  end)

  it("shows of a message what it shows of a line", function()
    assert.equal("a\tb\n?[31m ? ? ?äöü \xff",
      excerpt.safe "a\tb\n\27[31m \u{202e} \u{2069} \u{85}äöü \xff")
  end)

  it("is below what is shown of a long line", function()
    local line = ("a"):rep(500) .. "!" .. ("b"):rep(500)
    for column = 1, #line do
      local shown, caret = marked(line, column):match "^  ([^\n]*)\n  ( *)%^$"
      assert(#shown <= 106, #shown)
      local at = #caret + 1
      assert.equal(line:sub(column, column), shown:sub(at, at))
      assert.equal(column > 61 and "..." or "", shown:match "^%.*")
    end
    local wide = ("字"):rep(300)
    local shown, caret = marked(wide, 451):match "^  ([^\n]*)\n  ( *)%^$"
    assert(utf8.len(shown))
    assert.equal(0, (#caret - 3) % 2)
  end)
end)

describe("a message", function()
  local TEXT <const> = "one\ntwo 'x' %7\n\tthree\n"

  local function shown(message) return excerpt.shown(message, "f", TEXT) end

  it("is followed by its line", function()
    assert.equal("f:2:5: what\n  two 'x' %7\n      ^", shown "f:2:5: what")
    assert.equal("f:3:2: what\n  \tthree\n  \t^", shown "f:3: what")
    assert.equal("f:4:1: the text ends\n  \n  ^", shown "f:4:1: the text ends")
  end)

  it("without a column points to what it quotes", function()
    assert.equal("f:2:9: there is no %7\n  two 'x' %7\n          ^", shown "f:2: there is no %7")
    assert.equal("f:3:2: no 'four', 'three'\n  \tthree\n  \t^", shown "f:3: no 'four', 'three'")
    assert.equal("f:1:1: no 'on'\n  one\n  ^", shown "f:1: no 'on'")
  end)

  it("has one excerpt only", function()
    assert.equal("f:1:2: what\n  one\n   ^", shown "f:1:2: what\n  one\n   ^")
    assert.equal("f:1:2: what\n  and\n  one\n   ^", shown "f:1:2: what\n  and")
  end)

  it("stays as it is if it names no place of the text", function()
    for _, message in ipairs { "g:1:1: what", "f: what", "f:9:1: what", "what", "f:x" } do
      assert.equal(message, shown(message))
    end
  end)
end)
