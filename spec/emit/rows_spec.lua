-- Rows: what they can say, and what is wrong with a text.
local assert = require "spec.support.assert"
local core = require "phial.core"
local phial = require "phial"

-- A language with these rows.
local function language(rows, forms)
  return core.language {
    types = { i32 = { T = "int" }, i64 = { T = "long" }, i1 = { T = "bool" } },
    words = { set = " = ", finish = ";", drop = "(", dropped = ");", jump = "goto ", test = "if ",
      ["then"] = ":", begin = " {", done = "}", negate = "not ", trap = "trap(", trapped = ");" },
    rows = rows, forms = forms or {}, constant = function(_, value) return tostring(value) end,
    quote = tostring, dialect = function() end,
  }
end

-- The lines of a function with a row for the op of its only value.
local function lines_of(op, row, text, flags)
  local fn = assert(phial.parse(("fn f(%%a: i32, %%b: i32) -> i32 {\nentry:\n%s  ret %%c\n}")
    :format(text or ("  %%c: i32 = %s %%a, %%b\n"):format(op))))
  local host = { texts = {}, needed = {}, flags = flags or {} }
  function host.take(_, name) return name end
  host.param, host.label = host.take, host.take
  local w
  w = core.writing(language { [op] = row, ret = function(_, id)
    w:line("return " .. w:text(w:args(id)[1], "=") .. ";")
  end }, fn, host)
  local lines = {}
  for line in w:body():gmatch "[^\n]+" do lines[#lines + 1] = line end
  w:close()
  return lines, host.needed
end

describe("a row", function()
  it("of each op of phial exists in C", function()
    local rows = require("phial.rows").of("c", require("phial.emit.c.calls").rows)
    local core_writes = { const = true, param = true, undef = true, phi = true, proj = true,
      jump = true, branch = true }
    for _, op in ipairs(phial.ops()) do
      assert.truthy(rows[op.name] or core_writes[op.name], op.name .. " has no row for C")
      rows[op.name] = nil
    end
    assert.same({}, rows)
  end)

  it("is refused with its line", function()
    for text, why in pairs {
      ["$a +\n[a] $b"] = "row 'add': line 2: '=' or '<' expected at '] $b'",
      ["[a=foo] $a"] = "row 'add': line 1: number expected at 'foo] $a'",
      ["[a=1 $a"] = "row 'add': line 1: ']' expected at '$a'",
      ["[] $a"] = "row 'add': line 1: test expected at '] $a'",
      ["$"] = "row 'add': line 1: placeholder expected at ''",
      ["$d"] = "row 'add': line 1: placeholder expected at ''",
      ["$+"] = "row 'add': line 1: placeholder expected at ''",
      ["$+t"] = "row 'add': line 1: operand expected at ''",
      ["$(1 +)"] = "row 'add': line 1: expression expected at '1 +)'",
      ["$(1"] = "row 'add': line 1: ')' expected at ''",
      ["trap $a"] = "row 'add': line 1: ':' expected at '$a'",
      ["@ $a"] = "row 'add': line 1: name of a helper expected at ' $a'",
    } do
      local ok, message = pcall(language, { add = text })
      assert.is_false(ok, text)
      assert.equal(why, (message:gsub("^[^ ]*:%d+: ", "")))
    end
  end)

  it("computes with widths and constants", function()
    local text = "  %c: i32 = add %a, 12:i32\n"
    assert.same({ "  return 36;" }, lines_of("add", "$(b * 2 + b)", text))
    assert.same({ "  return 0x7fffffff;" }, lines_of("add", "$x((1<<w-1) - 1)", text))
    assert.same({ "  return -13;" }, lines_of("add", "$(~b)", text))
    assert.same({ "  return 4;" }, lines_of("add", "$(-b & 7 | w.a>>5 & 0)", text))
  end)

  it("takes the first line that counts", function()
    local row = "[t=i64] long\n[b=0] zero\n[b<0] negative\n[big,b=const] big\n[!a=const] $T $a"
    for n, expected in pairs { [0] = "zero", [-1] = "negative", [7] = "int a" } do
      assert.same({ "  return " .. expected .. ";" }, lines_of("add", row,
        ("  %%c: i32 = add %%a, %d:i32\n"):format(n)))
    end
    assert.same({ "  return big;" }, lines_of("add", row, "  %c: i32 = add %a, 7:i32\n", { big = true }))
  end)

  it("writes statements and traps before the value, and asks for helpers", function()
    local row = "do if ($b) {\ntrap $a < 0: $t is negative\ndo }\nneed one\n@two_$t($a)"
    local lines, needed = lines_of("add", row, nil, { traps = true })
    assert.same({ "  if (b) {", "    if a < 0:",
      "      trap(\"f: 'add %a, %b' in block 'entry': i32 is negative\");", "  }",
      "  return two_i32(a);" }, lines)
    assert.same({ one = true, two_i32 = true, trap = true }, needed)
    assert.same({ "  if (b) {", "  }", "  return two_i32(a);" }, (lines_of("add", row)))
  end)

  it("names the op that has no row, and the row without a value", function()
    local text = "  %c: i32 = sub %a, %b\n"
    local ok, message = pcall(lines_of, "add", "$a", text)
    assert.is_false(ok)
    assert.matches("the language has no row for 'sub'", message, 1, true)
    ok, message = pcall(lines_of, "add", "[t=i64] $a")
    assert.is_false(ok)
    assert.matches("the row of 'add' has no value for it", message, 1, true)
  end)

  it("raises when a function is changed while it is written", function()
    local fn = assert(phial.parse "fn f(%a: i32) -> i32 {\nentry:\n  ret %a\n}")
    local host = { texts = {}, needed = {}, flags = {}, param = tostring, label = tostring }
    function host.take(_, name) fn:close() return name end
    local ok, message = pcall(core.writing, language {}, fn, host)
    assert.is_false(ok)
    assert.matches("was changed while it was read", message, 1, true)
  end)
end)
