-- Typed traces: those that bench/paper makes of LLVM IR give the functions that examples/llvm
-- builds, in Lua and in the C replayer, without rules and with them; and what the C replayer
-- refuses.
local corpus = require "bench.lib.corpus"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local phial = require "phial"
local shell = require "spec.support.shell"
local system = require "bench.lib.system"
local typed_traces = require "bench.paper.typed_traces"

local func = require "llvm.func"
local module = require "llvm.module"
local translate = require "llvm.translate"
local under = require "spec.support.under"
local undefined = require "llvm.undefined"

local RULES <const> = phial.rules "int"

-- {== Replaying in C ====================================================

local function command(path, options)
  return ("%s%s 1 %s"):format(under.built "bench/replay_typed", corpus.quoted(path), options)
end

-- What the C replayer prints.
local function replayed(text, options)
  local path = os.tmpname()
  file.write(path, text)
  local run = assert(system.result(system.known.typed, command(path, "--verify " .. options)))
  os.remove(path)
  return run
end

-- What it says of a trace that it refuses.
local function refusal(text, options)
  local path = os.tmpname()
  file.write(path, text)
  local said, good = shell.run(command(path, options or ""))
  assert.is_false(good)
  os.remove(path)
  return said:gsub(path:gsub("%p", "%%%0"), "FILE"):match "^[^\n]*"
end

-- }== Comparing functions ===============================================

-- Values by the order in which they are defined; constants are all alike, since those that phial
-- does not compute with are numbers in a trace.
local function numbers_of(fn)
  local number, n = {}, 0
  local function add(value) number[value], n = n, n + 1 end
  for i in ipairs(fn:params()) do add(fn:arg(i)) end
  for block in fn:blocks() do
    for _, phi in ipairs(block:phis()) do add(phi) end
    for _, inst in ipairs(block:insts()) do add(inst) end
  end
  return number
end

local SAME <const> = { constant = "pure", result = "value" }

-- A function as text, without names and data.
local function shape(fn)
  local number, lines, count = numbers_of(fn), {}, 0
  for block in fn:blocks() do number[block], count = count, count + 1 end
  local function add(value)
    local words = { value:type() or "-", (value:op():gsub("^%a+%.(%a+)$", function(op)
      return "." .. (SAME[op] or op)
    end)) }
    for _, arg in ipairs(value:args()) do
      words[#words + 1] = number[arg] or arg:op() .. ":" .. arg:type()
    end
    lines[#lines + 1] = table.concat(words, " ")
  end
  for block in fn:blocks() do
    lines[#lines + 1] = "block " .. number[block]
    for _, phi in ipairs(block:phis()) do add(phi) end
    for _, inst in ipairs(block:insts()) do add(inst) end
    for _, to in ipairs(block:succs()) do lines[#lines + 1] = "to " .. number[to] end
  end
  return table.concat(lines, "\n")
end

-- }======================================================================

-- Calls check(text, ssa, ruled) for each function of a file: its trace, and what examples/llvm
-- makes of it without rules and with them. It neither takes values for undefined ones meanwhile
-- nor computes addresses, which no trace says.
local function each(input, check)
  local replace, texts = undefined.replace, { n = 0 }
  undefined.replace = function() end
  finally(function() undefined.replace = replace end)
  module.read("a.ll", input, function(scanner, number, header, body, last)
    scanner.layout = { aligned = {}, offset = function() end }
    local ruled = translate.translate(func.read(scanner, header, body, number, last), scanner,
      RULES)
    local ssa = translate.translate(func.read(scanner, header, body, number, last), scanner, false)
    check(typed_traces.of(ssa, texts), ssa, ruled)
  end, function() end)
end

describe("a typed trace of LLVM IR", function()
  for name, path in golden.programs "examples/llvm/golden" do
    it("is the function that examples/llvm builds: " .. name:gsub("_", " "), function()
      local all, plain, with_rules = {}, 0, 0
      each(file.read(path), function(text, ssa, ruled)
        local again <close> = assert(phial.replay(text))
        ssa.fn:clean { dead = true } -- allocas that examples/llvm drops later
        again:clean { dead = true }
        assert.equal(shape(ssa.fn), shape(again))
        all[#all + 1] = text
        plain = plain + ssa.fn:stats().values
        with_rules = with_rules + ruled.fn:stats().values + ruled.joined
      end)
      local text = table.concat(all)
      local run = replayed(text, "")
      assert.equal(plain, run.nodes)
      assert.equal(#all, run.functions)
      assert.equal(with_rules, replayed(text, "--rules").nodes)
      assert.equal(with_rules, replayed(text, "--rules --seal random").nodes)
      assert.equal(run.phis, replayed(text, "--construction choi").phis)
    end)
  end

  it("is simplified at once, or by finish as well", function()
    local text = file.read "docs/trace.md":match "\n(F max.-\nE\n)"
    local same <close> = assert(phial.replay(text))
    assert.equal(same:stats().values, replayed(text, "").values)
    assert.equal(8, replayed(text, "--rules").nodes)
    local late = "F f 2 0 i32 a:i32\nV x i32\nb 0\nw 1 %1\ni %2 i32 mul %1 %1\nj 1\nb 1\nr 1 %3\n"
      .. "i %4 i32 mul %3 %3\ni %5 i32 add %2 %4\nS 1\nx %5\nE\n"
    assert.equal(5, replayed(late, "--rules --at-once").nodes)
    assert.equal(4, replayed(late, "--rules").nodes)
  end)
end)

-- {== What is refused ===================================================

local HEAD <const> = "F f 2 0 i32 a:i32 c:any\nV x i32\nb 0\n"

local wrong = {
  { HEAD .. "i %3 i32 add %1\n", "4: the operands or the result do not fit" },
  { HEAD .. "i %3 i64 add %1 %1\n", "4: the operands or the result do not fit" },
  { HEAD .. "i %3 i32 add %1 %4\n", "4: there is no value %4" },
  { HEAD .. "i %3 i32 add %1 300:i8\n", "4: value expected, got '300:i8'" },
  { HEAD .. "i %1 i32 add %1 %1\n", "4: %1 is already defined" },
  { HEAD .. "i %3 i32 call %1\n", "4: 'call' is not an op that is replayed" },
  { HEAD .. "i %3 i32 trace.pure {x}\n", "4: number expected" },
  { HEAD .. "i %3 i31 trace.pure\n", "4: unknown type 'i31'" },
  { HEAD .. "w 2 %2\n", "4: the variable has another type" },
  { HEAD .. "r 3 %3\n", "4: variable number out of range (below 3 expected)" },
  { HEAD .. "r 2\n", "4: '%' and a number expected" },
  { HEAD .. "m 2\n", "4: 'm' is for plain functions" },
  { HEAD .. "c 1 1 %1\n", "4: the operands or the result do not fit" },
  { HEAD .. "s 2 1 1 %1 5:i8\n", "4: a key is a constant of the type of the value" },
  { HEAD .. "s 3 1 1 1 %1 5:i32 5:i32\n", "4: two keys are equal" },
  { HEAD .. "x -\n", "4: the function returns another type" },
  { HEAD .. "t trace.control > 2\n", "4: block number out of range (below 2 expected)" },
  { HEAD .. "x %1\nE\n", "5: block 1 is not filled" },
  { "F f 1 0 i32 a\n", "1: a parameter and its type expected" },
}

describe("the C replayer refuses", function()
  for _, case in ipairs(wrong) do
    it(case[1]:match "([^\n]*)\n$", function()
      assert.equal("FILE:" .. case[2], refusal(case[1]))
    end)
  end

  it("plain functions among typed ones, and what is for plain ones", function()
    local plain, typed = "F g 1 0\nb 0\nx\nE\n", "F f 1 0 -\nb 0\nx -\nE\n"
    assert.equal("FILE: function 'g' has no types", refusal(typed .. plain))
    assert.equal("FILE: --bare and --fresh-moves are for plain traces", refusal(typed, "--bare"))
    assert.equal("replay: --rules is for construction on the fly, not for 'cytron'",
      refusal(typed, "--rules --construction cytron"))
  end)
end)

-- }======================================================================
