-- The example react: its translation of the React Compiler's HIR equals the compiler's own,
-- and differences and bad input are noticed. The dump is committed, so that the spec does not
-- need Node.js.
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local its = require "examples.spec.command"
local prop = require "spec.support.prop"

package.path = "examples/?.lua;" .. package.path
local compare = require "react.compare"
local dump = require "react.dump"
local json = require "react.json"
local dumped = require "examples.react.spec.dumped"
local grammar = require "react.grammar"
local reader = require "react.reader"
local writer = require "react.writer"

local FOLDER <const> = "examples/react/spec/"
local DUMP <const> = FOLDER .. "functions.jsonl"
local by_name, lines, ours = dumped.by_name, dumped.lines, dumped.ours

describe("of printed HIR", function()
  for name, check in golden.each("examples/react/golden", ours) do it(name, check) end
end)

-- {== The compiler ======================================================

describe("functions that the compiler has dumped", function()
  it("are equal, in whatever way nested functions are translated", function()
    assert.equal(51, #lines)
    for _, line in ipairs(lines) do
      local path, difference = dump.compare(line)
      assert.equal("functions.tsx", path)
      assert.is_nil(difference)
    end
  end)

  it("are read and printed without a change", function()
    for _, line in ipairs(lines) do
      local it = json.read(line)
      for _, key in ipairs { "pre", "ssa", "post" } do
        assert.equal(it[key] .. "\n", writer.text(assert(reader.read(it[key]))))
      end
    end
  end)

  it("have each construct that the example knows, except what sources do not contain", function()
    local text = file.read(DUMP)
    local missing = {}
    for _, kinds in ipairs { grammar.VALUES, grammar.TERMINALS } do
      for kind in pairs(kinds) do
        if not text:find("[] ]" .. kind .. "%f[%W]") then missing[#missing + 1] = kind end
      end
    end
    assert.same({ "Unsupported" }, missing)
  end)

  it("come from the functions of the source", function()
    for name in file.read(FOLDER .. "functions.tsx"):gmatch "\nexport %a* ?function ([%w_]+)" do
      assert(by_name[name], name)
    end
  end)
end)

-- }== Damage ============================================================

-- A line with one of its texts changed: the first place of `from` becomes `to`.
local function damaged(name, key, from, to)
  local line = by_name[name]
  local _, start = line:find('"' .. key .. '":"', 1, true)
  local i, j = line:find(from, start, true)
  assert(i, ("%s, %s: no %s"):format(name, key, from))
  return line:sub(1, i - 1) .. to .. line:sub(j + 1)
end

-- Function, text, what is replaced in it, by what. The texts are JSON.
local DAMAGE <const> = {
  -- operands swapped
  { "branches", "post", "phi(bb2: <unknown> x$21, bb4: <unknown> x$30)",
    "phi(bb2: <unknown> x$30, bb4: <unknown> x$21)" },
  { "branches", "ssa", "phi(bb2: <unknown> x$21, bb4: <unknown> x$30)",
    "phi(bb2: <unknown> x$30, bb4: <unknown> x$21)" },
  { "thrown", "post", "phi(bb6: <unknown> x$33, bb5: <unknown> x$25,",
    "phi(bb6: <unknown> x$25, bb5: <unknown> x$33," },
  { "thrown", "ssa", "phi(bb6: <unknown> x$33, bb5: <unknown> x$25,",
    "phi(bb6: <unknown> x$25, bb5: <unknown> x$33," },
  -- a wrong operand
  { "branches", "post", "bb4: <unknown> x$30)", "bb4: <unknown> x$27)" },
  { "swapped", "ssa", "bb3: <unknown> n$49)", "bb3: <unknown> n$34)" },
  { "several_results", "ssa", "a$55: phi(bb3: <unknown> a$33, bb4: <unknown> a$33)",
    "a$55: phi(bb3: <unknown> a$33, bb4: <unknown> c$38)" },
  { "shared_variables", "ssa", "count$55: phi(bb4: <unknown> count$2,",
    "count$55: phi(bb4: <unknown> count$55," },
  -- an operand dropped, or added
  { "swapped", "post", ", bb3: <unknown> x$44)", ")" },
  { "swapped", "ssa", "x$29, bb3: <unknown> x$44)",
    "x$29, bb3: <unknown> x$44, bb2: <unknown> x$44)" },
  -- a phi dropped
  { "branches", "post", [[\n  <unknown> x$30: phi(bb5: <unknown> x$27, bb3: <unknown> x$17)]], "" },
  { "branches", "ssa", [[\n  <unknown> x$30: phi(bb5: <unknown> x$27, bb3: <unknown> x$17)]], "" },
  -- a phi added
  { "branches", "post", [[\n  [15] Goto]],
    [[\n  <unknown> a$99: phi(bb5: <unknown> a$15, bb3: <unknown> a$15)\n  [15] Goto]] },
  { "branches", "ssa", [[\n  [15] Goto]],
    [[\n  <unknown> a$99: phi(bb5: <unknown> a$15, bb3: <unknown> a$15)\n  [15] Goto]] },
  { "branches", "post", [[\n  [15] Goto]],
    [[\n  <unknown> x$30: phi(bb5: <unknown> x$27, bb3: <unknown> x$17)\n  [15] Goto]] },
  -- a redundant phi left
  { "optional_as_condition", "post", [[x$20)\n  [17]], [[x$36)\n  <unknown> x$36: phi(]]
    .. [[bb2: <unknown> x$20, bb3: <unknown> x$20)\n  [17]] },
  -- a wrong use
  { "swapped", "post", "[18] <unknown> $51 = LoadLocal <unknown> x$38",
    "[18] <unknown> $51 = LoadLocal <unknown> x$44" },
  { "swapped", "ssa", "[18] <unknown> $51 = LoadLocal <unknown> x$38",
    "[18] <unknown> $51 = LoadLocal <unknown> x$29" },
  { "branches", "post", "Return Explicit <unknown> $31", "Return Explicit <unknown> $25" },
  { "several_results", "ssa", "LoadLocal <unknown> c$57", "LoadLocal <unknown> a$55" },
  { "shared_variables", "post", "LoadContext <unknown> count$2", "LoadContext <unknown> count$99" },
  { "shared_variables", "ssa", "@context[<unknown> count$2,<unknown> last$4]",
    "@context[<unknown> last$4,<unknown> count$2]" },
  -- a wrong definition
  { "several_results", "post", "<unknown> c$38, <hole>, <unknown> #t7$39",
    "<unknown> c$39, <hole>, <unknown> #t7$38" },
  { "branches", "ssa", "x$27 = <unknown> $26", "x$21 = <unknown> $26" },
  -- other instructions and edges
  { "branches", "post", "[9] <unknown> $24 = null", "[9] <unknown> $24 = 0" },
  { "branches", "post", "then:bb5 else:bb4", "then:bb4 else:bb5" },
  { "branches", "ssa", [[\n  [9] <unknown> $24 = null]], "" },
}

describe("a damaged output", function()
  for _, damage in ipairs(DAMAGE) do
    local name, key, from, to = table.unpack(damage)
    it(("of %s is noticed: %s for %s"):format(name, to, from), function()
      local path, difference = dump.compare(damaged(name, key, from, to))
      assert.equal("functions.tsx", path)
      assert.matches("^after " .. key .. ": ", difference)
    end)
  end

  it("is reported with its place", function()
    local told = {}
    for _, i in ipairs { 1, 8, 9, 11, 13, 17, 22, 25, 27 } do
      told[#told + 1] = select(2, dump.compare(damaged(table.unpack(DAMAGE[i]))))
    end
    assert.same({
      "after post: bb1, phi x$29: x$21 is not a phi, ours is a phi of bb4",
      "after ssa: bb2: the phi count$55 means nothing",
      "after post: bb1: x$38 has no operand for bb3",
      "after post: bb1, phi x$29: x$30, where ours has x$29",
      "after post: bb4: the phi a$99 is only in React's",
      "after post: bb2, [18]: x$44 is not a phi, ours is a phi of bb1",
      "after ssa: bb0, [4]: count$2, where ours has last$4, which is another value",
      "after post: bb3, [9]: '[9] <unknown> % = 0', ours has '[9] <unknown> % = null'",
      "after ssa: bb3, [10]: '[10] <unknown> % = Binary <unknown> % === <unknown> %', "
        .. "ours has '[9] <unknown> % = null'",
    }, told)
  end)

  -- In the result of elimination, no identifier can stand in for another one.
  it("is noticed whatever identifier is replaced", function()
    local cases = {}
    for _, name in ipairs { "branches", "swapped", "thrown", "for_in", "several_results" } do
      local it = json.read(by_name[name])
      local case = { post = it.post, ours = reader.read(ours(it.pre)), places = {} }
      for from, word, to in it.post:gmatch "<unknown> ()([#%w]*%$%d+)()" do
        table.insert(case.places, { from = from, word = word, to = to })
      end
      cases[#cases + 1] = case
    end
    prop.forall(function(pick)
      local case = cases[pick(#cases)]
      local places = case.places
      return { case, places[pick(#places)], places[pick(#places)].word }
    end, function(it)
      local case, place, word = table.unpack(it)
      local text = case.post:sub(1, place.from - 1) .. word .. case.post:sub(place.to)
      assert.equal(word == place.word, compare.post(case.ours, reader.read(text)) == true)
    end)
  end)
end)

-- }== The command =======================================================

describe("the command", function()
  local command = command_of "examples/react/main.lua"
  local hir, other = os.tmpname(), os.tmpname()
  local quoted = function(path) return "'" .. path .. "'" end

  teardown(function() os.remove(hir); os.remove(other) end)

  it("prints the SSA form", function()
    local text = json.read(by_name.closures_in_closures).pre
    file.write(hir, text)
    for _, option in ipairs { "", "--each " } do
      local out, err, status = command(option .. quoted(hir))
      assert.equal(ours(text), out)
      assert.equal("", err)
      assert.equal(0, status)
    end
  end)

  it("prints what its README says", function()
    local out = command "examples/react/loop.hir"
    its.shows("examples/react/README.md", { out })
  end)

  it("prints phial's functions", function()
    local out = command("--text " .. quoted(hir))
    assert.matches("hir.enter %[b%d+, b%d+%]", out)
    out = command("--each --text " .. quoted(hir))
    local _, functions = out:gsub("fn ", "")
    assert.equal(3, functions)
  end)

  it("compares", function()
    file.write(other, by_name.branches .. "\n" .. by_name.closures)
    local out, err, status = command("--compare " .. quoted(other))
    assert.same({ "2 functions, 2 equal, 0 differ\n", "", 0 }, { out, err, status })
    file.write(other, by_name.branches .. "\n" .. damaged(table.unpack(DAMAGE[1])) .. "\n")
    out, err, status = command("--compare " .. quoted(other))
    assert.equal(other .. ":2: functions.tsx: " .. "after post: bb1, phi x$29: x$21 is not a phi, "
      .. "ours is a phi of bb4\n2 functions, 1 equal, 1 differ\n", out)
    assert.same({ "", 1 }, { err, status })
  end)

  it("writes nothing if something is wrong", function()
    local function told(arguments)
      local out, err, status = command(arguments)
      assert.same({ "", 1 }, { out, status })
      return (err:gsub("\n.*", ""))
    end
    file.write(hir, json.read(by_name.branches).pre:sub(1, -12))
    assert.equal(hir .. ":29:14: what follows 'Return' is expected, "
      .. "not ' Explicit <u', where the text ends", told(quoted(hir)))
    assert.equal(hir .. ":1:1: this is not JSON", told("--compare " .. quoted(hir)))
    file.write(hir, "")
    assert.equal(hir .. ":1:1: the file is empty", told("--compare " .. quoted(hir)))
    file.write(hir, damaged(table.unpack(DAMAGE[1])) .. "\n{")
    assert.equal(hir .. ":2:2: the JSON ends too early", told("--compare " .. quoted(hir)))
    assert.equal("no file given", told "")
    assert.equal("--frob: no such option", told "--frob")
    assert.equal("b: one file at a time", told "a b")
    assert.equal("--compare takes no other option", told "--each --compare a")
    assert.equal("does/not/exist: No such file or directory", told "does/not/exist")
    assert.equal("spec: Is a directory", told "spec")
    assert.equal("spec: Is a directory", told "--compare spec")
  end)
end)
