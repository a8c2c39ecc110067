-- The example react, given what is not HIR, or not a dump: what it says.
local dumped = require "examples.react.spec.dumped"
local prop = require "spec.support.prop"

package.path = "examples/?.lua;" .. package.path
local dump = require "react.dump"
local json = require "react.json"

local by_name, ours = dumped.by_name, dumped.ours

local function place(text, at)
  local before = text:sub(1, at - 1)
  local _, number = before:gsub("\n", "")
  return ("%d:%d"):format(number + 1, at - (before:match ".*\n()" or 1) + 1)
end

local function refused(text)
  local it, message, at = ours(text)
  return it or place(text, at) .. ": " .. message
end

-- A function of two blocks; `what` is in the first one.
local function with(what)
  return "f(<unknown> a$1): <unknown> $2\nbb0 (block):\n  [1] " .. what
    .. "\n  [2] Goto bb1\nbb1 (block):\n  predecessor blocks: bb0\n"
    .. "  [3] Return Void <unknown> a$1\n"
end

local GOOD <const> = with "<unknown> $3 = 1"

local BAD <const> = {
  { "", "1:1: the text ends where a function of the React Compiler 1.0.0 is expected" },
  { "\n" .. GOOD, "1:1: a function of the React Compiler 1.0.0 is expected, not the end of the line" },
  { "function f(a) { return a; }\n", "1:1: a function of the React Compiler 1.0.0 is expected, not 'function f(a) { return a; }'" },
  { "f(<unknown> a$1)\nbb0 (block):\n", "1:16: a function of the React Compiler 1.0.0 is expected, not ')'" }, -- older versions do not print what it returns
  { "f(<unknown> a$1): <unknown> $2", "1:31: the text ends where a block is expected" },
  { with "<unknown> $3 = Frobnicate <unknown> a$1", "3:22: an instruction of the React Compiler 1.0.0 is expected, not 'Frobnicate <unknown> a$1'" },
  { with "<unknown> $3 = LoadLocal a$1", "3:31: what follows 'LoadLocal' is expected, not ' a$1'" },
  { with "<unknown> $3 = LoadLocal <unknown> a$1:TPrimitive", "3:45: the end of the line is expected, not ':TPrimitive'" },
  { with "read $3 = LoadLocal read a$1[1:4]", "3:35: the end of the line is expected, not '[1:4]'" },
  { with "<unknown> $3 = Call <unknown> a$1(<unknown> a$1", "3:54: what follows 'Call' is expected, not the end of the line" },
  { with "<unknown> $3 = \"text", [[3:22: a constant, a template or an instruction is expected, not '"text']] },
  { with "<unknown> $3 = `text", "3:22: a constant, a template or an instruction is expected, not '`text'" },
  { with "Scope scope @0 [1:2] block=bb1 fallthrough=bb1", "3:7: a terminal of the React Compiler 1.0.0, or a place is expected, not 'Scope scope @0 [1:2] block=bb1 fallth...'" },
  { with "<unknown> $3 = Function  @context[] @aliasingEffects=[]", "4:1: a function is expected, not '  [2] Goto bb1'" },
  { GOOD:gsub("bb0 %(block", "bb0 (Block"), "5:1: bb0 does not lead to bb1" },
  { GOOD:gsub("bb1 %(block", "bb0 (block"), "5:1: bb0 exists already" },
  { GOOD:gsub("Goto bb1", "Goto bb2"), "4:3: bb2 does not exist" },
  { GOOD:gsub("blocks: bb0", "blocks: bb1"), "5:1: bb1 does not lead to bb1" },
  { GOOD:gsub("blocks: bb0", "blocks: bb"), "6:25: the number of a block is expected, not the end of the line" },
  { GOOD:gsub("blocks: bb0", "blocks: bb0 bb12345678901234567890"), "6:29: the number of a block is expected, not '12345678901234567890'" },
  { GOOD:gsub("  predecessor blocks: bb0\n", ""), "5:1: bb0 leads to bb1, which does not list it" },
  { GOOD:gsub("Goto bb1", "Goto bb0"), "2:1: bb0 leads to bb0, which does not list it" },
  { GOOD:gsub("bb0\n", "%0  <unknown> a$5: phi(bb0: <unknown> a$1)\n"), "7:3: this is in SSA form already" },
  { with "<unknown> $3 = LoadLocal <unknown> x$4\n  [1] <unknown> x$4 = 1", "4:17: 'x$4' is read before it is defined" },
  { with("<unknown> $3 = Array [" .. ("<unknown> a$1, "):rep(32767) .. "<unknown> a$1]"), "3:3: more than 32767 places or blocks in a line" },
  { GOOD .. "\nfunction g:\nbb0 (block):\n", "8:1: a block or the end of the text is expected, not the end of the line" },
  { GOOD:sub(1, 60), "3:7: a place is expected, not '<unknown> ', where the text ends" },
  { GOOD:sub(1, 84), "5:1: a block or the end of the text is expected, not 'bb', where the text ends" },
  { GOOD:sub(1, -12), "7:13: what follows 'Return' is expected, not ' Void <un', where the text ends" },
}

describe("bad input", function()
  it("is refused with its place", function()
    assert.equal("f(", ours(GOOD):sub(1, 2))
    local got, expected = {}, {}
    for i, case in ipairs(BAD) do got[i], expected[i] = refused(case[1]), case[2] end
    assert.same(expected, got)
  end)

  -- Lines, words, characters are dropped, repeated or exchanged.
  it("of any kind gives a message or a function, never another error", function()
    local texts = {}
    for _, name in ipairs { "guarded", "closures_in_branches", "choice", "templates" } do
      texts[#texts + 1] = json.read(by_name[name]).pre
    end
    local units = { "[^\n]*\n?", "%S+%s?", "." }
    prop.forall(function(pick)
      local text, unit, parts = texts[pick(#texts)], units[pick(#units)], {}
      for part in text:gmatch(unit) do parts[#parts + 1] = part end
      for _ = 1, pick(3) do
        local i, j, what = pick(#parts), pick(#parts), pick(3)
        if what == 1 then parts[i] = "" end
        if what == 2 then parts[i] = parts[i] .. parts[j] end
        if what == 3 then parts[i], parts[j] = parts[j], parts[i] end
      end
      return table.concat(parts)
    end, function(text)
      local it, message, at = ours(text)
      assert(it or message and at >= 1 and at <= #text + 1)
    end)
  end)

  it("that is cut off is refused", function()
    local text = json.read(by_name.closures_in_branches).pre
    for at = 0, #text - 10, 11 do -- the last number can be shorter
      local it, message = ours(text:sub(1, at))
      assert(not it and message, at)
    end
  end)
end)

describe("a line of a dump", function()
  local function told(line)
    local path, message, col = dump.compare(line)
    return path or ("%d: %s"):format(col, message)
  end

  it("is refused with its place", function()
    local got = {}
    for i, line in ipairs {
      "", "f(<unknown> a$1)", "[1, 2]", "1", '{"file": "a"}', '{"file": "a", "pre": 1}',
      by_name.branches:sub(1, 200), by_name.branches .. "x", ("["):rep(1000),
      by_name.branches:gsub("LoadLocal", "LoadLokal", 1),
      by_name.branches:gsub('("post":".-)LoadLocal', "%1LoadLokal"),
      by_name.branches:gsub("StoreLocal", "St\\u006freLokal", 1),
      by_name.branches:gsub("bb5 bb3", "bb3", 1),
    } do
      got[i] = told(line)
    end
    assert.same({
      "1: the JSON ends too early",
      "1: this is not JSON",
      '1: a line must be an object in which "file" is a string',
      '1: a line must be an object in which "file" is a string',
      '1: a line must be an object in which "pre" is a string',
      '1: a line must be an object in which "pre" is a string',
      "201: the JSON ends too early",
      "3308: this is not JSON",
      "399: the JSON is nested too deeply",
      [[198: in "pre": an instruction of the React Compiler 1.0.0 is expected, not 'LoadLokal <unknown> a$0']],
      [[2342: in "post": an instruction of the React Compiler 1.0.0 is expected, not 'LoadLokal <unknown> a$15']],
      [[131: in "pre": an instruction of the React Compiler 1.0.0 is expected, not 'StoreLokal Let <unknown> x$2 = <unkno...']],
      '826: in "pre": bb5 leads to bb4, which does not list it',
      '1: a line must be an object in which "file" is a string',
    }, got)
  end)
end)

describe("JSON", function()
  it("is read", function()
    local it = json.read ' { "a" : [1, -2.5e1, true, false, null, [], {}], "b": {"c": "d"} } '
    assert.same({ a = { 1, -25.0, true, false, json.null, {}, {} }, b = { c = "d" } }, it)
    assert.equal("null", tostring(json.null))
    assert.equal('"\\/\b\f\n\r\t\u{e9}\u{1f600}x\u{20ac}',
      json.read [["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00x€"]])
    assert.equal("\u{d83d}x", json.read [["\ud83dx"]]:gsub("\xed\xa0\xbd", "\u{d83d}"))
  end)

  it("is refused where it is wrong", function()
    local got = {}
    for i, text in ipairs { "", "[1,]", '{"a" 1}', '"a\nb"', '"a\\x"', "01", "nul", "1 2", '["a' } do
      local it, message, at = json.read(text)
      got[i] = it or ("%d: %s"):format(at, message)
    end
    assert.same({
      "1: the JSON ends too early",
      "4: this is not JSON",
      "6: this is not JSON",
      "3: this is not JSON",
      "3: this is not JSON",
      "2: this is not JSON",
      "1: this is not JSON",
      "3: this is not JSON",
      "4: the JSON ends too early",
    }, got)
  end)

  it("knows where the bytes of a string come from", function()
    local text = [[{"a": "x\n\u00e9\ud83d\ude00y"}]]
    local at = json.position(json.read(text), "a")
    local got = {}
    for n = 1, 9 do got[n] = json.inside(text, at, n) end
    assert.same({ 8, 9, 11, 11, 17, 17, 17, 17, 29 }, got)
  end)
end)
