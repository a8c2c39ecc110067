-- The checker of the folder proof: that it is proved, what it accepts, and what it refuses.
local algorithms = require "phial.trace.algorithms"
local command = require "spec.support.command"
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted
local tree = require "bench.lib.tree"
local under = require "spec.support.under"

-- Sanitizers look at what the specs load, not at Coq, OCaml and the shell.
local function written(line)
  local pipe <close> = assert(io.popen("unset LD_PRELOAD; " .. line .. " 2>&1"))
  return pipe:read "a", pipe:close() or false
end

local function has(program) return (os.execute(("command -v %s >/dev/null"):format(program))) end

describe("the checker of proof", function()
  local ready = has "coqc" and has "ocamlopt"
  local function check(name, f)
    if ready and not under.brief then
      it(name, f)
    else
      pending(name .. ": needs coq and ocaml, and make check")
    end
  end

  -- apart from the step `proof` of `make check`, which runs at the same time
  local folder = tree.build .. "/spec"
  local program = folder .. "/proof/check"
  -- OCaml leaves its memory to the system when it ends.
  local phial = command("bin/phial", nil,
    "ASAN_OPTIONS=detect_leaks=0 PHIAL_PROOF=" .. quoted(program))
  local function said(trace, text, options)
    local paths = { os.tmpname(), os.tmpname() }
    file.write(paths[1], trace)
    file.write(paths[2], text)
    local out, ok = written(table.concat({ program, options or "", paths[1], paths[2] }, " "))
    for _, path in ipairs(paths) do os.remove(path) end
    return out:gsub("[^\n:]*/[^:]*: ", ""), ok
  end

  check("is proved without axioms", function()
    local out, ok = written(("LUA=%s sh proof/run %s 0"):format(
      quoted(interpreter()), quoted(folder)))
    assert.truthy(ok, out)
    assert.truthy(out:find("hold without axioms", 1, true), out)
  end)

  local TRACE <const> = [[
F f 1 0 i64 c:i1 a:i64 b:i64
V x i64
V i i64
B
B
B
b entry
w x %2
w i %3
c 1 2 %1
S 1
S 2
b 1
r x %2
r i %3
i %4 i64 sub %2 %3
w x %4
j 3
b 2
j 3
S 3
b 3
r x %5
r i %3
i %6 i64 sub %5 %3
x %6
E
]]
  local TEXT <const> = [[
fn f(%c: i1, %a: i64, %b: i64) -> i64 {
entry:
  branch %c, b2, b3
b2: <- entry
  %8: i64 = sub %a, %b
  jump b4
b3: <- entry
  jump b4
b4: <- b2, b3
  %10: i64 = phi x [b2: %8, b3: %a]
  %11: i64 = sub %10, %b
  ret %11
}
]]

  -- A trace and a text in which one word is another one.
  local function with(text, from, to)
    local at, behind = text:find(from, 1, true)
    return text:sub(1, at - 1) .. to .. text:sub(behind + 1)
  end

  check("accepts what is right", function()
    local out, ok = said(TRACE, TEXT)
    assert.truthy(ok, out)
    assert.equal("1 of 1 functions accepted, 1 phis\n", out)
  end)

  check("accepts what rules make, by lemmas that it prints, and nothing else", function()
    local trace = "F f 1 0 i64 a:i64\nb entry\ni %2 i64 mul %1 8\ni %3 i64 add %2 0\nx %3\nE\n"
    local text = "fn f(%a: i64) -> i64 {\nentry:\n  %4: i64 = shl %a, 3\n  ret %4\n}\n"
    local out, ok = said(trace, text, "--rules --lemmas")
    assert.truthy(ok, out)
    assert.matches("1 of 1 functions accepted, 0 phis\nlemma: ", out)
    assert.matches("lemma: x2 = mul:i64:i64:i64%(x1, 8%) => x2 = shl:i64:i64:i64%(x1, 3%)\n", out)
    for _, wrong in ipairs { with(text, "3", "4"), with(text, "ret %4", "ret %a") } do
      out, ok = said(trace, wrong, "--rules")
      assert.falsy(ok)
      assert.matches("f: not covered: .*0 of 1 functions accepted", out)
    end
  end)

  local answered = with(with(TRACE, "r x %2", "r x %3"), "sub %2 %3", "sub %3 %3")
  for name, case in pairs {
    ["an operand"] = {
      TRACE, with(TEXT, "sub %a, %b", "sub %b, %a"), "block 1: other instructions",
    },
    ["an operand of a phi"] = {
      TRACE, with(TEXT, "b3: %a]", "b3: %b]"), "a read of variable 3 has another answer",
    },
    ["the order of edges"] = {
      TRACE, with(TEXT, "b2, b3\nb2", "b3, b2\nb2"), "block 0: other edges",
    },
    ["a value of another block"] = {
      TRACE, with(TEXT, "ret %11", "ret %8"), "another terminator",
    },
    ["the answer of a read"] = {
      answered, with(TEXT, "sub %a, %b", "sub %b, %b"),
      "a read of variable 3 has another answer",
    },
    ["a value that is not held"] = {
      with(TRACE, "sub %5 %3", "sub %4 %3"), with(TEXT, "sub %10, %b", "sub %8, %b"),
      "not covered: %4 is used where it is not known to be held",
    },
  } do
    check("refuses what is wrong in " .. name, function()
      local out, ok = said(case[1], case[2])
      assert.falsy(ok)
      assert.truthy(out:find(case[3], 1, true), out)
    end)
  end

  check("accepts every line of a trace, and what phial check --proved constructs", function()
    local out, err, status = phial "check --proved --construction scc proof/lines.sst"
    assert.equal("0", status .. err)
    assert.equal("proof/lines.sst: the trace, as it was called; constructed without rules\n"
      .. "proof/lines.sst: 6 of 6 functions accepted, 9 phis\n", out)
  end)

  check("phial check --proved --rules says what it compares, and the lemmas", function()
    local path = os.tmpname()
    file.write(path, "F f 1 0 i64 a:i64\nb entry\ni %2 i64 mul %1 8:i64\nx %2\nE\n")
    local out, err, status = phial("check --proved --rules " .. path)
    os.remove(path)
    assert.equal("0", status .. err)
    assert.equal("FILE: the trace, as it was called if it was recorded without rules; "
      .. "replayed with the default rules\nFILE: 1 of 1 functions accepted, 0 phis\n"
      .. "lemma: x2 = mul:i64:i64:i64(x1, 8) => x2 = shl:i64:i64:i64(x1, 3)\n",
      (out:gsub(path, "FILE")))
  end)

  -- What a rule or a fold may not make.
  for name, case in pairs {
    ["a wrong binding"] = { "i %3 i64 sub %1 %2\nx %3", "  %4: i64 = sub %b, %a\n  ret %4\n" },
    ["a guard ignored"] = { "i %3 i64 sdiv %1 8\nx %3", "  %4: i64 = sar %a, 3\n  ret %4\n" },
    ["a fold off by one"] = { "i %3 i64 add 3 4\nx %3", "  ret 8\n" },
    ["a branch folded to the other block"] = {
      "B\nB\nc 1 2 true\nS 1\nS 2\nb 1\nx 1\nb 2\nx 2", "  jump b3\nb3: <- entry\n  ret 2\n",
    },
    ["a branch folded that is not decided"] = {
      "B\nB\ni %3 i1 eq %1 7\nc 1 2 %3\nS 1\nS 2\nb 1\nx 1\nb 2\nx 2",
      "  jump b3\nb3: <- entry\n  ret 2\n",
    },
    ["a switch of other keys"] = {
      "B\nB\nB\ns 3 1 2 3 %1 5 4\nS 1\nS 2\nS 3\nb 1\nx 1\nb 2\nx 2\nb 3\nx 3",
      "  switch %a, b2 [4: b3, 5: b4]\nb2: <- entry\n  ret 1\nb3: <- entry\n  ret 2\n"
        .. "b4: <- entry\n  ret 3\n",
    },
  } do
    check("with rules, refuses " .. name, function()
      local trace = "F f 1 0 i64 a:i64 b:i64\nb entry\n" .. case[1] .. "\nE\n"
      local out, ok = said(trace, "fn f(%a: i64, %b: i64) -> i64 {\nentry:\n"
        .. case[2] .. "}\n", "--rules")
      assert.falsy(ok)
      assert.matches("0 of 1 functions accepted", out)
    end)
  end

  -- A classical algorithm has a phi of each write in a loop, redundant ones too; when this was
  -- recorded, what was read there had one name.
  local ONE_NAME <const> = [[
F used 1 0 - p:any
V x any
B
B
b entry
i %5 any h.new
w x %5
j 1
b 1
r x %5
w x %5
t h.if %5 > 1 2
b 2
r x %5
i h.use %5
x -
E
F apart 1 0 - p:any
V x any
B
B
B
B
b entry
w x %1
j 1
b 1
t h.if %1 > 2 3
b 2
r x %9
w x %9
t h.if %9 > 2 4
b 4
i %20 any h.new
w x %20
j 1
b 3
r x %9
i h.use %9
x -
E
F held 1 0 - p:any
V x any
B
B
B
B
B
b entry
w x %1
j 1
b 1
t h.if %1 > 2 3
b 2
r x %9
w x %9
t h.if %9 > 2 4
b 4
j 5
b 5
i %20 any h.new %9
w x %20
j 1
b 3
r x %9
i h.use %9
x -
E
]]

  check("accepts several values of the text where the trace has one", function()
    local path = os.tmpname()
    file.write(path, ONE_NAME)
    for _, algorithm in ipairs(algorithms.names) do
      local out = phial(("check --proved --construction %s %s"):format(algorithm, path))
      assert.truthy(out:find("3 of 3 functions accepted", 1, true), algorithm .. ": " .. out)
    end
    os.remove(path)
  end)
end)
