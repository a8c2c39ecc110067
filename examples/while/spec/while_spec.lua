-- The example while, which makes SSA form of While programs: what it makes of each
-- statement, that the meaning is the same, and its error messages.
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local its = require "examples.spec.command"
local prop = require "spec.support.prop"
local variants = require "spec.support.variants"

package.path = "examples/?.lua;" .. package.path
local compile = require("while.compile").compile
local interpret = require "examples.while.spec.interpret"
local random = require "examples.while.spec.random"
local run = require("while.run").run
local undefined = require "while.undefined"

-- The SSA form of a program, its diagnostics, and what it prints.
local function shown(text)
  local program, problems = compile("program.while", text)
  if not program then return table.concat(problems, "\n") .. "\n" end
  local out = { (tostring(program.fn):gsub("%s*$", "")) }
  local reads = undefined.reads(program)
  table.move(reads, 1, #reads, #out + 1, out)
  if #reads == 0 then
    local printed = { "prints" }
    local problem = run(program, {}, {}, nil, function(v) printed[#printed + 1] = tostring(v) end)
    out[#out + 1] = table.concat(printed, " ")
    out[#out + 1] = problem
  end
  return table.concat(out, "\n") .. "\n"
end

describe("of a While program", function()
  for name, check in golden.each("examples/while/golden", shown) do it(name, check) end
end)

-- {== Meaning ==========================================================

-- What is printed, and whether it traps.
local function printed(execute)
  local out = {}
  local problem = execute(function(v) out[#out + 1] = tostring(v) end)
  out[#out + 1] = problem and "trap" or nil
  return table.concat(out, " ")
end

local function plainly(tree)
  return printed(function(show)
    local ok, why = pcall(interpret, tree, {}, show)
    assert(ok or why == "trap", why)
    return not ok
  end)
end

local function program_that_ends(pick) return random.program(pick, true) end

describe("the SSA form of a random While program", function()
  it("prints what the program means", function()
    prop.forall(program_that_ends, function(text)
      local program = assert(compile("random.while", text))
      local got = printed(function(show) return run(program, {}, {}, nil, show) end)
      assert.equal(plainly(program.tree), got)
    end)
  end)

  it("is verified, minimal and pruned, and does not depend on the construction", function()
    prop.forall(random.program, function(text)
      local first
      for _, construction in ipairs(variants) do
        local opts = { construction = construction }
        local fn <close> = assert(compile("random.while", text, nil, opts)).fn
        assert(fn:verify())
        assert(fn:is_minimal() and fn:is_pruned() and fn:is_reducible())
        local dense = fn:text { ids = "dense" }
        first = first or dense
        assert.equal(first, dense)
      end
    end)
  end)
end)

-- }== Mistakes ==========================================================

local TOKENS = { "x", "y", "1", "skip", "if", "then", "else", "while", "do", "print", "{", "}",
  "(", ")", ";", ":=", "+", "-", "*", "<", "=", "and", "or", "not", "true", "\n", "$", "--", ":" }

local function soup(pick)
  local list = {}
  for i = 1, pick(30) do list[i] = TOKENS[pick(#TOKENS)] end
  return table.concat(list, " ")
end

describe("a text that is not a While program", function()
  it("has mistakes, each at a place of its own, and in order", function()
    prop.forall(soup, function(text)
      local program, problems = compile("soup", text)
      local last = 0
      for _, problem in ipairs(program and {} or problems) do
        local line, col, message = problem:match "^soup:(%d+):(%d+): ([^\n]+)\n"
        assert(message, problem)
        local at = tonumber(line) * 1000 + tonumber(col)
        assert(at > last, problem)
        last = at
      end
    end)
  end)

  it("may be nested too deep", function()
    for open, close in pairs { ["{"] = "}", ["x := ("] = ")", ["if true then "] = "" } do
      local opening = open == "x := (" and open .. ("("):rep(999) or open:rep(1000)
      local _, problems = compile("deep", opening .. "1" .. close:rep(1000))
      assert.equal(1, #problems)
      assert.matches("^deep:1:%d+: this is nested too deeply\n", problems[1])
    end
  end)

  it("may be long", function()
    local sum = assert(compile("long", "x := 1" .. ("+ 1"):rep(20000)))
    assert.equal(20001, sum.fn:stats().values)
    local list = assert(compile("long", ("print 1;"):rep(20000)))
    assert.equal(20001, list.fn:stats().values)
  end)
end)

-- }== The command =======================================================

local command = command_of "examples/while/main.lua"

local PROGRAMS = "examples/while/programs/"

describe("the command while", function()
  it("runs programs", function()
    its.prints(command, {
      [PROGRAMS .. "gcd.while --run"] = "21\n",
      [PROGRAMS .. "collatz.while n=27 --run"] = "111\n",
      [PROGRAMS .. "primes.while --run"] =
        "2\n3\n5\n7\n11\n13\n17\n19\n23\n29\n31\n37\n41\n43\n47\n",
      [PROGRAMS .. "pythagoras.while --run"] =
        "3\n4\n5\n5\n12\n13\n6\n8\n10\n8\n15\n17\n9\n12\n15\n12\n16\n20\n",
    })
  end)

  it("prints the SSA form", function()
    local out, err, status = command(PROGRAMS .. "gcd.while")
    assert.equal("", err)
    assert.matches("^fn gcd%(%) {\nentry:\n.*}\n$", out)
    assert.equal(0, status)
    assert.equal(out .. "21\n", (command(PROGRAMS .. "gcd.while --run --ssa")))
  end)

  it("prints what its README says", function()
    local out = command(PROGRAMS .. "gcd.while --ssa --run")
    local _, undefined_reads = command(PROGRAMS .. "undefined.while")
    local _, stopped = command(PROGRAMS .. "collatz.while n=0 --run --fuel 1000")
    local last = undefined_reads:match "[^\n]*:8:7:.*"
    its.shows("examples/while/README.md", { out, last, stopped })
  end)

  it("makes variables that are given parameters", function()
    local out = command(PROGRAMS .. "collatz.while n=27 x=-1")
    assert.matches("^fn collatz%(%%n: i64, %%x: i64%) {\n", out)
  end)

  it("draws", function()
    local graph = os.tmpname()
    local out = command(PROGRAMS .. "gcd.while --dot " .. graph)
    assert.equal("", out)
    assert.matches("^digraph ", file.read(graph))
    os.remove(graph)
  end)

  it("does not run what reads without a value", function()
    local out, err, status = command(PROGRAMS .. "undefined.while --run")
    assert.equal("", out)
    assert.equal([[
examples/while/programs/undefined.while:4:22: 'largest' may be read before it is assigned
  while d < n and not (largest > 1) do {
                       ^
  for example if
    4:7: 'd < n' is true
examples/while/programs/undefined.while:8:7: 'largest' may be read before it is assigned
  print largest
        ^
  for example if
    4:7: 'd < n' is false
]], err)
    assert.equal(1, status)
  end)

  it("tells all mistakes, and fails", function()
    local out, err, status = command(PROGRAMS .. "mistakes.while")
    assert.equal("", out)
    local _, carets = err:gsub("\n *%^\n", "\n")
    assert.equal(6, carets)
    assert.equal(1, status)
  end)

  it("ends a run that takes too long", function()
    local _, err, status = command(PROGRAMS .. "collatz.while n=0 --run --fuel 100")
    assert.matches("^" .. PROGRAMS .. "collatz%.while:%d+:%d+: out of fuel\n  .*%^\n$", err)
    assert.equal(1, status)
  end)

  it("explains itself", function()
    its.explains(command, {
      [""] = "no file given", ["--what x.while"] = "--what: no such option",
      ["x.while --dot"] = "--dot: an argument is missing", ["x y"] = "y: one file at a time",
      ["x n=y"] = "n=y: not an integer", ["x do=1"] = "do: a reserved word",
      ["x --fuel y"] = "--fuel: not an integer",
    })
    local _, err = command "missing.while"
    assert.equal("missing.while: No such file or directory\n", err)
  end)

  it("runs from anywhere", function()
    assert.equal("21\n", (command_of("main.lua", "examples/while") "programs/gcd.while --run"))
  end)
end)

-- }=====================================================================
