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
    quote = tostring, dialect = function() end, helpers = true,
  }
end

-- The lines of a function with a row for the op of its only value.
local function lines_of(op, row, text, flags)
  local fn = assert(phial.parse(("fn f(%%a: i32, %%b: i32) -> i32 {\nentry:\n%s  ret %%c\n}")
    :format(text or ("  %%c: i32 = %s %%a, %%b\n"):format(op))))
  local host = { texts = {}, needed = {}, flags = flags or {} }
  function host.spell(_, name) return name, name end
  local w
  w = core.writing(language { [op] = row, ret = function(_, id)
    w:line("return " .. w:text(core.value(fn, id):arg(1):id(), "=") .. ";")
  end }, fn, host)
  local lines = {}
  for line in w:body():gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines, host.needed
end

-- The ops that have no row, by the reason: in C and LLVM IR, in C, and for proofs.
local CORE <const> = { ["the core writes it"] = "const param undef proj" }
local CONTROL <const> = { ["the core writes it"] = "phi jump branch" }
local UNPROVED <const> = {
  ["it is a value or a constant in rules, not an op"] = "const param undef",
  ["it depends on the path to its block"] = "phi may",
  ["the prover says which label is taken"] = "jump branch switch",
  ["it leaves the function"] = "ret tail_call tail_call_indirect unreachable",
  ["it is what the callee computes"] = "call call_indirect proj",
  ["it is about memory, which proofs do not have"] = "load store load_volatile store_volatile "
    .. "load_unaligned store_unaligned alloca memcpy memmove memset va_start va_arg va_copy va_end",
  ["its value is known after linking only"] = "address",
}

-- Adds the names of lists to a set.
local function names_in(lists, set)
  for _, names in pairs(lists) do
    for name in names:gmatch "%S+" do set[name] = true end
  end
  return set
end

describe("a row", function()
  for column, lists in pairs {
    c = { CORE, CONTROL }, llvm = { CORE }, lua = { CORE, CONTROL }, smt = { UNPROVED },
  } do
    it("of each op has a column, except where a reason is given: " .. column, function()
      local more = column == "smt" and {} or require(("phial.emit.%s.%s"):format(column,
        column == "lua" and "flow" or "calls")).rows
      local rows, without = require("phial.rows").of(column, more), {}
      for _, list in ipairs(lists) do names_in(list, without) end
      for _, op in ipairs(phial.ops()) do
        assert.equal(without[op.name], not rows[op.name] or nil,
          ("'%s', column %s"):format(op.name, column))
        rows[op.name], without[op.name] = nil, nil
      end
      assert.same({}, rows)
      assert.same({}, without)
    end)
  end

  it("is refused with its line", function()
    for text, why in pairs {
      ["$a +\n[a] $b"] = "row 'add': line 2: '=' or '<' expected at '] $b'",
      ["[a=foo] $a"] = "row 'add': line 1: number expected at 'foo] $a'",
      ["[a=1 $a"] = "row 'add': line 1: ']' expected at '$a'",
      ["[] $a"] = "row 'add': line 1: test expected at '] $a'",
      ["$"] = "row 'add': line 1: placeholder expected at ''",
      ["$d"] = "row 'add': line 1: placeholder expected at ''",
      ["$f"] = "row 'add': line 1: placeholder expected at ''",
      ["[a=\n1] $a"] = "row 'add': line 1: number expected at ''",
      ["$*d"] = "row 'add': line 1: operand expected at 'd'",
      ["$>0"] = "row 'add': line 1: number expected at '0'",
      ["$1"] = "row 'add': line 1: no such 'let' precedes at ''",
      ["let 1 $a"] = "row 'add': line 1: the language has no such line at 'let 1 $a'",
      ["result 2 $a"] = "row 'add': line 1: the op has no such result at '2 $a'",
      ["$+"] = "row 'add': line 1: placeholder expected at ''",
      ["$+t"] = "row 'add': line 1: operand expected at ''",
      ["$(1 +)"] = "row 'add': line 1: expression expected at '1 +)'",
      ["$(" .. ("-"):rep(1e6) .. "1)"] = ("row 'add': line 1: expression expected at '%s1)'")
        :format(("-"):rep(1e6)), -- each is read in a call of its own
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
    assert.same({ "  return big;" },
      lines_of("add", row, "  %c: i32 = add %a, 7:i32\n", { big = true }))
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
    assert.matches("f: 'sub %a, %b' in block 'entry': the language has no row for it", message, 1,
      true)
    ok, message = pcall(lines_of, "add", "[t=i64] $a")
    assert.is_false(ok)
    assert.matches("' in block 'entry': its row has no value", message, 1, true)
  end)

  it("raises when a function is changed while it is written", function()
    local fn = assert(phial.parse "fn f(%a: i32) -> i32 {\nentry:\n  ret %a\n}")
    local host = { texts = {}, needed = {}, flags = {}, param = tostring }
    function host.spell(_, name) fn:close() return name, name end
    local ok, message = pcall(core.writing, language {}, fn, host)
    assert.is_false(ok)
    assert.matches("was changed while it was read", message, 1, true)
    assert.is_false((pcall(core.writing, language {}, phial.fn "unfinished", host)))
  end)
end)

-- A language in SSA form that is not LLVM IR: labels begin with "@", types precede instructions.
local function ssa(rows)
  local all = {
    phi = "$T phi", jump = "do jmp $@$>1", branch = "do jnz $a, $@$>1, $@$>2",
    add = "$T add $a, $b", eq = "w ceq $a, $b", ret = "do ret $a", unreachable = "trap: reached",
    sdiv = "let 1 w ceq $b, 0\ntrap $1: by zero\n$T div $a, $b",
    alloca = "top\nlet 2 l $a\nl alloc $2", store = "declare data $$cells\ndo store $b, $a",
  }
  for op, row in pairs(rows or {}) do all[op] = row end
  return core.language {
    ssa = true, longest = 20, incoming = "$@$>1 $a", forms = {}, rows = all,
    types = { i1 = { T = "w" }, i32 = { T = "w" }, i64 = { T = "l" }, ptr = { T = "l" } },
    words = { language = "Q", sigil = "%", label = "@", set = " =", jump = "jmp @", test = "jnz ",
      ["then"] = ", @", otherwise = ", @", trap = "call ", trapped = "hlt", number = ".",
      at = " ; ", place = "%1 %2 %3 %4" },
    constant = function(_, value) return tostring(value) end,
    quote = function(name) return (name:gsub("[^%w]", "_")) end,
    dialect = function() end,
  }
end

local function host_of(more)
  local host = { texts = {}, needed = {}, flags = { traps = true }, declared = {} }
  function host.trap(_, why) return why and ("$why(%q)"):format(why) or "$abort()" end
  function host.declare(self, line) self.declared[#self.declared + 1] = line end
  for key, it in pairs(more or {}) do host[key] = it end
  return host
end

-- The text of a function.
local function written(text, host, rows)
  local w = core.writing(ssa(rows), assert(phial.parse(text)), host or host_of())
  return w:body(), w
end

describe("a language in SSA form", function()
  it("has phis, temporaries, traps in blocks of their own, and edges apart", function()
    assert.equal([[
@entry
  jmp @head
@head
  %i =w phi @entry %n, @ok %v9
  %t.1 =w ceq %i, 0
  jnz %t.1, @trap, @ok
@ok
  %v9 =w div %n, %i
  %v10 =w ceq %v9, 4
  jnz %v10, @head, @body
@body
  jnz %v10, @done, @edge
@done
  %t =w phi @body 1, @edge %v9
  ret %t
@edge
  jmp @done
@trap
  call $abort()
  hlt]], (written [[
fn f(%n: i32) -> i32 {
entry:
  jump head
head: <- entry, head
  %i: i32 = phi i [entry: %n, head: %9]
  %9: i32 = sdiv %n, %i
  %10: i1 = eq %9, 4:i32
  branch %10, head, body
body: <- head
  branch %10, done, done
done: <- body, body
  %t: i32 = phi t [body: 1:i32, body: %9]
  ret %t
}]]))
  end)

  it("has lines at the top, and lines outside functions, once", function()
    local host = host_of()
    assert.equal([[
@entry
  %t =l 8
  %x =l alloc %t
  %y =l add %n, 1
  store %y, %x
  store %n, %x
  ret %n]], (written([[
fn f(%n: i64) -> i64 {
entry:
  %y: i64 = add %n, 1
  %x: ptr = alloca 8, 8
  store %x, %y
  store %x, %n
  ret %n
}]], host)))
    assert.same({ "data $cells" }, host.declared)
  end)

  it("tells why something traps, each time, or shares the block of a position", function()
    local text = "fn f(%n: i32) -> i32 {\nentry:\n  %1: i32 = sdiv %n, %n\n"
      .. "  %2: i32 = sdiv %1, %n\n  ret %2\n}"
    local told = written(text, host_of { told = true })
    assert.matches("@trap\n  call $why(\"f: 'sdiv %n, %n' in block 'entry': by zero\")\n  hlt\n"
      .. "@trap.1\n", told, 1, true)
    assert.is_nil(written(text):find("@trap.1", 1, true))
    assert.is_nil(written(text, host_of { flags = {} }):find "trap")
  end)

  it("keeps the names of users, shortened and spelled as it wants", function()
    local fn = phial.fn("f", { "n", "m" }, "i64")
    local b, sum = fn:entry(), fn:arg(1)
    for _, name in ipairs { "v3", "a b", "a b", ("long"):rep(10), ("long"):rep(11), "\0" } do
      sum = b:add(sum, fn:arg(2)):set_name(name)
    end
    b:ret(b:add(sum, 1))
    local w = core.writing(ssa(), fn:finish(), host_of())
    assert.equal([[
@entry
  %v3 =l add %m, %n
  %a_b =l add %v3, %m
  %a_b_1 =l add %a_b, %m
  %longlonglonglonglong =l add %a_b_1, %m
  %longlonglonglonglong.1 =l add %longlonglonglonglong, %m
  %_ =l add %longlonglonglonglong.1, %m
  %v9 =l add %_, 1
  ret %v9]], (w:body():gsub("%%v%d%d", "%%v9")))
  end)

  it("puts the number of a position after a line, and asks for scopes of files once", function()
    for scope = 1, 9 do -- of no file; it is not taken for the number of a file's name
      local given = {}
      local host = host_of { lines = true, told = true, places = function(_, text, n, file)
        given[#given + 1] = ("%s:%d:%s"):format(text, n, file)
        return file and 50 or scope, 10 + #given
      end }
      local fn = phial.fn("f", { "n:i32", "m:i32" }, "i32")
      local b = fn:entry()
      fn:set_loc(3, 7, "a.x")
      local sum = b:add(b:add(fn:arg(1), fn:arg(2)), fn:arg(2))
      fn:set_loc(4)
      local last = b:add(sum, fn:arg(1))
      fn:set_loc()
      b:ret(last)
      local w = core.writing(ssa(), fn:finish(), host)
      assert.same({ 3, "a.x" }, { w:position() })
      assert.matches("^@entry\n  [^\n]* ; 11\n  [^\n]* ; 11\n  [^\n]* ; 12\n  ret [^\n]* ; 13$",
        (w:body()))
      assert.same({ ":0:a.x", "11 3 7 50:1:nil", ("12 4 0 %d\n13 0 0 %d:2:nil"):format(scope,
        scope) }, given)
    end
  end)

  it("refuses types that it does not have, and rows without a value", function()
    local ok, message = pcall(written,
      "fn f(%n: f64) -> f64 {\nentry:\n  %1: f64 = fadd %n, %n\n  ret %1\n}", nil, { fadd = "$T" })
    assert.is_false(ok)
    assert.matches("f: 'fadd %n, %n' in block 'entry': type 'f64' has no counterpart in Q", message,
      1, true)
    ok, message = pcall(written,
      "fn f(%n: i32) -> i32 {\nentry:\n  %1: i32 = add %n, %n\n  ret %1\n}", nil, { add = "do $a" })
    assert.is_false(ok)
    assert.matches("' in block 'entry': its row has no value", message, 1, true)
  end)

  it("raises when a callback changes the function, or writes it again", function()
    for _, act in ipairs { function(fn) fn:close() end, function(fn) fn:reopen():block() end } do
      local fn = assert(phial.parse
        "fn f(%n: i32) -> i32 {\nentry:\n  %1: i32 = sdiv %n, %n\n  ret %1\n}")
      local w = core.writing(ssa(), fn, host_of { trap = function() act(fn) return "" end })
      local ok, message = pcall(w.body, w)
      assert.is_false(ok)
      assert.matches("changed while it was read", message, 1, true)
    end
    local w
    w = core.writing(ssa(), assert(phial.parse
      "fn f(%n: i32) -> i32 {\nentry:\n  %1: i32 = sdiv %n, %n\n  ret %1\n}"), host_of {
        trap = function()
          for _, method in ipairs { "body", "close", "block" } do
            assert.is_false((pcall(w[method], w, 1)), method)
          end
          return ""
        end })
    w:body()
  end)

  it("is asked for what only such a language has", function()
    local fn = assert(phial.parse "fn f(%n: i32) -> i32 {\nentry:\n  ret %n\n}")
    local host = host_of { spell = function(_, name) return name, name end }
    local w = core.writing(language { ret = "do ret" }, fn, host)
    for _, method in ipairs { "name", "write", "start" } do
      assert.is_false((pcall(w[method], w, "x")), method)
    end
  end)

  it("can be closed when a row has raised", function()
    local fn = assert(phial.parse "fn f(%n: i32) -> i32 {\nentry:\n  %2: i32 = neg %n\n  ret %2\n}")
    local host = host_of { spell = function(_, name) return name, name end }
    local w = core.writing(language { neg = { expr = function() error "no" end } }, fn, host)
    assert.matches("no$", (select(2, pcall(w.text, w, 2))))
    w:close()
  end)
end)
