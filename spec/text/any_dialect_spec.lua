-- phial.parse with dialects = "any": ops and types of dialects that nobody knows.
local phial = require "phial"
local refused = require "spec.support.refused"
local under = require "spec.support.under"

local ANY = { dialects = "any" }

-- All shapes of instructions that a dialect can have.
local TEXT = [[
fn all(%x: js.value, %n: i64) -> js.value {
entry:
  js.mark @ 3:4
  %3: any = js.get {"a.b [c]: d.e -- \"f.g"} %x, undef:js.value, 1.5:f32
  %4: js.value = js.split %3, nil, "x.y"
  %5: js.value = proj {2} %4
  %6: other.type = js.make
  js.store {host 1} %3, %n
  js.if %5, [yes, no] @ "a.js":7:8
yes: <- entry, no
  js.throw %4
no: <- entry
  js.switch %6, %4, [yes, end, end]
end: <- no, no
  %9: js.value = phi "a.b" [no: %4, no: %x]
  js.return %9
}
]]

local MODULE = [[
module m

global table: bytes 64 = "js.a: js.b"
constant zero: i64 = 0

declare host.js(%a: js.value, ...) -> js.value

fn f(%a: js.value) -> js.value {
entry:
  %2: js.value = js.call {"g"} %a
  ret %2
}

fn g(%a: js.value) {
entry:
  %2: ptr = address @table
  lisp.store %2, %a
  js.throw
}
]]

describe("dialects = \"any\"", function()
  it("reads ops and types of unknown dialects, and what it reads is printed the same", function()
    local fn = assert(phial.parse(TEXT, ANY))
    assert.equal(TEXT, fn:text())
    assert.is_true(fn:is_finished())
    assert.is_true(fn:verify())
    assert.is_nil((phial.parse(TEXT)))
  end)

  it("makes up ops that take and give anything, have the effect write, or end a block", function()
    local fn = assert(phial.parse(TEXT, ANY))
    local js = fn:dialect "js"
    assert.equal("js", tostring(js))
    assert.equal("other", tostring(fn:dialect "other"))
    local b = phial.fn("g", { "x:js.value" }, nil, { dialects = { js }, rules = false }):entry()
    local v = b:emit(js.get, 1, "i64", { results = 3 })
    assert.equal(3, #v:results())
    b:emit(js.get, v, 2.5, "x", "i64")
    b:emit(js.mark, v)
    b:emit(js.get, 1, "i64")
    assert.equal(6, #b:insts()) -- two of them are projs; none was merged
    b:emit(js["return"], v)
    assert.is_true(b:is_filled())
    assert.equal(0, fn:clean({ dead = true }).dead)
  end)

  it("takes an op without targets for a terminator if it always ends a block without one",
    function()
      local fn = assert(phial.parse([[
fn f() {
entry:
  a.say
  a.stop -- [not, targets]
other:
  a.stop
}
]], ANY))
      assert.is_true(fn:is_finished())
      assert.equal("a.stop", fn:entry():terminator():op())
      fn = assert(phial.parse([[
fn f() {
entry:
  a.say
  a.say
other:
  a.say
}
]], ANY))
      assert.is_false(fn:is_finished())
      assert.is_nil(fn:entry():terminator())
    end)

  it("leaves known dialects as they are", function()
    local known = phial.dialect("js", { get = { args = "*", result = "any", pure = true } },
      { "value" })
    local text = [[
fn f(%x: js.value) -> any {
entry:
  %2: any = js.get %x
  %3: my.t = my.op %2
  %4: any = js.get %x
  %5: any = js.get %x
  ret %4
}
]]
    for _, list in ipairs { { known, "any" }, { "any", known } } do
      local fn = assert(phial.parse(text, { dialects = list }))
      assert.equal(text, fn:text())
      assert.equal(known, fn:dialect "js")
      assert.equal(1, fn:clean({ dead = true }).dead) -- the pure one
    end
    assert.same({ nil, "4:13: there is no op 'my.op': is its dialect given?" },
      { phial.parse(text:gsub("my%.t", "any"), { dialects = { known } }) })
    assert.same({ nil, "3:13: there is no op 'js.put': is its dialect given?" },
      { phial.parse(text:gsub("js.get", "js.put", 1), { dialects = { known, "any" } }) })
  end)

  it("reads modules, whose functions share the dialects", function()
    local text = MODULE:gsub("host.js", '"host.js"')
    local m = assert(phial.parse(text, ANY))
    assert.equal(text, tostring(m))
    assert.equal(m:get "f":dialect "js", m:get "g":dialect "js")
    assert.is_true(m:get "g":is_finished())
    assert.is_nil((phial.parse(text)))
    local fn = m:fn("h", { "x:js.value" })
    assert.equal("x", tostring(fn:param(1)))
    assert.same({ nil, "m.txt:6:9: the function's name expected, got 'host.js'" },
      { phial.parse(MODULE, { dialects = "any", file = "m.txt" }) })
  end)

  it("makes functions that say why they cannot be run or exported, and can be changed", function()
    local fn = assert(phial.parse("fn f(%x: any) -> any {\nentry:\n  %2: any = js.get %x\n"
      .. "  ret %2\n}\n", ANY))
    refused(fn, "f: 'js.get %x' in block 'entry': op 'js.get' has no eval: it cannot be run",
      function() fn(1) end)
    assert.has_error(function() phial.emit.llvm(fn) end)
    assert.has_error(function() phial.emit.c(fn) end)
    assert.truthy(phial.emit.dot(fn):find("js.get", 1, true))
    local v = fn:entry():front():emit(fn:dialect "js".get, 1, 2, "i64")
    assert.equal("js.get", v:op())
    assert.is_true(fn:verify())
  end)

  it("reads a text without dialects as ever", function()
    local text = "fn f(%n: i64) -> i64 {\nentry:\n  ret %n\n}\n"
    assert.equal(text, assert(phial.parse(text, ANY)):text())
    assert.same({ phial.parse "" }, { phial.parse("", ANY) })
  end)

  it("tells mistakes with their places", function()
    for text, message in pairs {
      ["fn f() {\nentry:\n  a.b %1\n  ret\n}"] = "3:7: there is no value '%1'",
      ["fn f() {\nentry:\n  a.b [x]\n}"] = "3:8: there is no block 'x'",
      ["fn f() {\nentry:\n  a.b\n  %1: i64 = a.b\n  ret\n}"] =
        "3:3: the result of 'a.b' is missing",
      ["fn f() {\nentry:\n  %1: i64 = a.b [entry]\n  ret\n}"] = "3:17: a value expected, got '['",
      ["fn f() {\nentry:\n  a.b.c\n  ret\n}"] = "3:6: no token starts with '.'",
      ["fn f() {\nentry:\n  a.b.3\n  ret\n}"] = "3:3: an op expected, got 'a.b.3'",
      ["fn f(%1: a.i64) {\nentry:\n  ret\n}"] =
        "1:10: there is no type 'a.i64': is its dialect given?",
      ["fn f(%1: a.any) {\nentry:\n  ret\n}"] =
        "1:10: there is no type 'a.any': is its dialect given?",
      ["fn f() {\nentry:\n  retx\n}"] = "3:3: there is no op 'retx'",
      ["fn f() {\nentry:\n  a.br [b]\nb: <- entry\n  a.br\n  ret\n}"] =
        "6:3: its block has ended with 'br'",
    } do
      assert.same({ nil, message }, { phial.parse(text, ANY) })
    end
  end)

  it("is refused in other spellings, and with what is not a dialect", function()
    refused(nil, "option 'dialects': a list of dialects or \"any\" expected, got \"all\"",
      function() phial.parse(TEXT, { dialects = "all" }) end)
    refused(nil, "option 'dialects': element 1: a dialect expected, got string",
      function() phial.parse(TEXT, { dialects = { "any", "all" } }) end)
    refused(nil, "option 'dialects': element 1: a dialect expected, got table",
      function() phial.parse(TEXT, { dialects = { {}, "any" } }) end)
    refused(nil, "option 'dialects': element 1: a dialect expected, got string",
      function() phial.fn("f", {}, nil, { dialects = { "any" } }) end)
  end)

  it("refuses a text with too many types or ops, at the first that is one too many", function()
    local function with(n)
      local params = {}
      for i = 1, n do params[i] = ("%%%d: d%d.t%d"):format(i, i % 7, i) end
      return ("fn f(%s) {\nentry:\n  ret\n}\n"):format(table.concat(params, ", "))
    end
    assert(phial.parse(with(239), ANY))
    local text = with(240)
    assert.same({ nil, ("x:1:%d: too many types: all dialects together can have 65216 ops and "
      .. "239 types"):format(text:find "d%d%.t240") },
      { phial.parse(text, { dialects = "any", file = "x" }) })
    local known = phial.dialect("known", {}, { "a", "b" })
    assert(phial.parse(with(237), { dialects = { known, "any" } }))
    assert.is_nil((phial.parse(with(238), { dialects = { known, "any" } })))
  end)
end)

local BYTES <const> = { "\0", ".", "\"", "[", "\n", "\\", ":", " ", "-", "9", "%" }

-- Every prefix, each byte changed or missing, each line missing or twice, tokens exchanged.
local function mutants(text)
  local out, lines, words = {}, {}, {}
  for i = 1, #text do
    out[#out + 1] = text:sub(1, i)
    out[#out + 1] = text:sub(1, i - 1) .. text:sub(i + 1)
    out[#out + 1] = text:sub(1, i - 1) .. BYTES[math.random(#BYTES)] .. text:sub(i + 1)
    out[#out + 1] = text:sub(1, i - 1) .. string.char(math.random(255)) .. text:sub(i + 1)
  end
  for line in text:gmatch "[^\n]*\n" do lines[#lines + 1] = line end
  for i in ipairs(lines) do
    local before, after = table.concat(lines, "", 1, i - 1), table.concat(lines, "", i + 1)
    for _, line in ipairs { "", lines[i]:rep(2), lines[math.random(#lines)] } do
      out[#out + 1] = before .. line .. after
    end
  end
  for at, word in text:gmatch "()([%w_.%%]+)" do words[#words + 1] = { at, word } end
  for _ = 1, 300 do
    local one, other = words[math.random(#words)], words[math.random(#words)]
    out[#out + 1] = text:sub(1, one[1] - 1) .. other[2] .. text:sub(one[1] + #one[2])
  end
  return out
end

-- Sanitizers are slow: there, one of so many is tried.
local STEP <const> = under.slow and 7 or 1

describe("no damaged text", function()
  for name, text in pairs { ["of a function"] = TEXT,
    ["of a module"] = (MODULE:gsub("host.js", '"host.js"')) } do
    it(name .. " raises, crashes or is read as something else than it prints", function()
      math.randomseed(1)
      local all, read, refused_ = mutants(text), 0, 0
      for i = 1, #all, STEP do
        local it, why = phial.parse(all[i], ANY)
        if it then
          read = read + 1
          it:verify()
          local printed = it:text()
          assert.equal(printed, assert(phial.parse(printed, ANY)):text())
        else
          refused_ = refused_ + 1
          assert.truthy(why:find "^%d+:%d+: ", why)
        end
      end
      assert.is_true(read > 200 // STEP and refused_ > 200 // STEP)
    end)
  end
end)
