-- The example tinylang: what it makes of programs, its messages, and its command.
local command_of = require "spec.support.command"
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local its = require "examples.spec.command"
local prop = require "spec.support.prop"
local under = require "spec.support.under"

package.path = "examples/?.lua;" .. package.path
local compile = require("tinylang.compile").compile
local mangle = require "tinylang.mangle"

local function compiled(text) return compile { { path = "a.mod", text = text } } end

-- The SSA form of a program, or what is wrong with it.
local function shown(text)
  local program, problems = compiled(text)
  if not program then return table.concat(problems, "\n") .. "\n" end
  assert(program.module:verify())
  return (program.module:text { order = "rpo" }:gsub(' @ "a.mod":', " @ "))
    .. "initialisers: " .. table.concat(program.initialisers, " ") .. "\n"
end

describe("of a tinylang program", function()
  for name, check in golden.each("examples/tinylang/golden", shown) do it(name, check) end
end)

describe("a name", function()
  it("is mangled, and back", function()
    for path, mangled in pairs {
      ["Square"] = "_t6Square", ["Square.Root"] = "_t6Square4Root",
      ["A.B2.c"] = "_t1A2B21c",
    } do
      assert.equal(mangled, mangle.path(path))
      assert.equal(mangled, mangle.path(mangled))
      assert.equal(path, mangle.demangled(mangled))
    end
    assert.is_nil(mangle.demangled "main")
    assert.is_nil(mangle.demangled "_tx")
  end)
end)

-- {== Mistakes ==========================================================

local TOKENS = { "x", "P", "1", "0AH", "MODULE", "IMPORT", "FROM", "CONST", "VAR", "PROCEDURE",
  "BEGIN", "END", "IF", "THEN", "ELSIF", "ELSE", "WHILE", "DO", "RETURN", "AND", "NOT", "DIV", "(",
  ")", ";", ":", ",", ".", ":=", "=", "+", "-", "<", "INTEGER", "TRUE", "$", "(*", "*)", "\n" }

local START = "MODULE M; VAR x: INTEGER; PROCEDURE P(x: INTEGER): INTEGER; BEGIN "

local function soup(pick)
  local list = { pick(2) == 1 and START or "" }
  for i = 1, pick(30) do list[i + 1] = TOKENS[pick(#TOKENS)] end
  return table.concat(list, " ")
end

describe("a text that is not a program", function()
  it("has mistakes, each at a place of its own, and in order", function()
    prop.forall(soup, function(text)
      local program, problems = compiled(text)
      local last = 0
      for _, problem in ipairs(program and {} or problems) do
        local line, col, message = problem:match "^a%.mod:(%d+):(%d+): ([^\n]+)\n"
        assert(message, problem)
        local at = tonumber(line) * 1000 + tonumber(col)
        assert(at > last, problem)
        last = at
      end
    end)
  end)

  it("may be nested too deep", function()
    local head, tail = "MODULE M; VAR x: INTEGER; BEGIN ", " END M."
    for open, close in pairs {
      ["("] = ")", ["IF TRUE THEN "] = " END", ["WHILE TRUE DO "] = " END", ["NOT "] = "",
    } do
      local inner = open:find "^[(N]" and "x := " .. open:rep(1000) .. "1" .. close:rep(1000)
        or open:rep(1000) .. close:rep(1000)
      local _, problems = compiled(head .. inner .. tail)
      assert.equal(1, #problems)
      assert.matches("^a%.mod:1:%d+: this is nested too deeply\n", problems[1])
    end
  end)

  it("may be long", function()
    local sum = "MODULE M; PROCEDURE P(x: INTEGER): INTEGER; BEGIN RETURN x"
    local n = under.brief and 4000 or 20000
    assert(compiled(sum .. (" + x"):rep(n) .. " END P; END M."))
    assert(compiled("MODULE M; VAR x: INTEGER; BEGIN" .. (" x := x + 1;"):rep(n) .. " END M."))
    assert(compiled(("(*"):rep(n) .. ("*)"):rep(n) .. "MODULE M; END M."))
  end)
end)

-- }== The command =======================================================

local command = command_of "examples/tinylang/main.lua"

local PROGRAMS = "examples/tinylang/programs/"

describe("the command tinylang", function()
  it("runs programs", function()
    its.prints(command, {
      [PROGRAMS .. "gcd.mod --run Gcd.Gcd 1071 462"] = "21\n",
      [PROGRAMS .. "gcd.mod --run _t3Gcd3Gcd -4 6"] = "2\n",
      [PROGRAMS .. "square.mod --run Square.Is 144"] = "TRUE\n",
      [PROGRAMS .. "recursion.mod --run Recursion.Hanoi 8"] = "255\n",
      [PROGRAMS .. "square.mod --run Square"] = "",
      [PROGRAMS .. "dice.mod --run Random.Seed 3"] = "",
    })
  end)

  it("prints the program, and the result last", function()
    local ssa = command(PROGRAMS .. "gcd.mod")
    assert.matches("^module Gcd\n\nfn _t3Gcd3Gcd%(%%a: i64, %%b: i64%) %-> i64 {\n", ssa)
    assert.equal(ssa .. "21\n", (command(PROGRAMS .. "gcd.mod --ssa --run Gcd.Gcd 1071 462")))
    assert.matches("define i64 @_t3Gcd3Gcd%(i64 %%a, i64 %%b%)",
      (command(PROGRAMS .. "gcd.mod --llvm")))
    assert.matches("global i64 zeroinitializer", (command(PROGRAMS .. "square.mod --llvm")))
    assert.matches("i64%* @_t6Square5calls",
      (command(PROGRAMS .. "square.mod --llvm --typed-pointers")))
    assert.matches("uint64_t a, uint64_t b", (command(PROGRAMS .. "gcd.mod --c")))
  end)

  it("takes several files, in any order", function()
    local main, other = os.tmpname(), os.tmpname()
    file.write(main, "MODULE Main; IMPORT Other; VAR v: INTEGER;\n"
      .. "PROCEDURE P(): INTEGER; BEGIN RETURN v END P;\nBEGIN v := Other.v + 1 END Main.")
    file.write(other, "MODULE Other; VAR v: INTEGER; BEGIN v := 41 END Other.")
    for _, files in ipairs { main .. " " .. other, other .. " " .. main } do
      assert.equal("42\n", (command(files .. " --run Main.P")))
    end
    file.write(other, "MODULE Other; CONST v = Main.v; END Other.")
    local _, err = command(main .. " " .. other)
    assert.equal(other .. ":1:25: module 'Main' is not imported\n"
      .. "  MODULE Other; CONST v = Main.v; END Other.\n" .. (" "):rep(26) .. "^\n", err)
    os.remove(main)
    os.remove(other)
  end)

  it("links executables", function()
    if not compilers.has "cc" then return pending "no C compiler" end
    if under.slow then return pending "the compiler is not to be checked" end
    local exe = os.tmpname()
    local out, err, status = command(PROGRAMS .. "dice.mod -o " .. exe .. " Dice.Sum")
    assert.equal("", out .. err)
    assert.equal(0, status)
    local function run(arguments)
      local pipe = assert(io.popen(("%s %s 2>&1"):format(exe, arguments)))
      local text = pipe:read "a"
      return text, select(3, pipe:close())
    end
    assert.same({ "327\n", 0 }, { run "100" })
    assert.same({ "usage: " .. exe .. " n\n", 1 }, { run "" })
    assert.same({ "1x: not an INTEGER\n", 1 }, { run "1x" })
    command(PROGRAMS .. "dice.mod -o " .. exe .. " Random.Next")
    local why, code = run "0"
    assert.matches("dice%.mod:13:15%): division by zero\n$", why)
    assert.equal(1, code)
    os.remove(exe)
  end)

  it("tells why none can be linked", function()
    if not compilers.has "cc" then return pending "no C compiler" end
    if under.slow then return pending "the compiler is not to be checked" end
    local _, err, status = command(PROGRAMS .. "gcd.mod -o /missing/gcd Gcd.Gcd")
    assert.matches("\nthe C compiler failed: ", err)
    assert.equal(1, status)
  end)

  it("shows where a run stopped", function()
    local _, err, status = command(PROGRAMS .. "dice.mod --run Random.Next 0")
    assert.equal(PROGRAMS .. [[
dice.mod:13:15: division by zero
    RETURN last MOD limit
                ^
]], err)
    assert.equal(1, status)
  end)

  it("tells mistakes, and fails", function()
    for name, count in pairs { ["mistakes.mod"] = 12, ["undefined.mod"] = 2 } do
      local out, err, status = command(PROGRAMS .. name)
      assert.equal("", out)
      assert.equal(count, select(2, err:gsub("\n *%^\n", "\n")))
      assert.equal(1, status)
    end
  end)

  it("prints what its README says", function()
    local readme = file.read "examples/tinylang/README.md"
    local ssa = command(PROGRAMS .. "gcd.mod"):match "\n(fn .-\n}\n)"
    local _, mistakes = command(PROGRAMS .. "mistakes.mod")
    local _, undefined = command(PROGRAMS .. "undefined.mod")
    its.shows("examples/tinylang/README.md",
      { ssa, mistakes:match ".-%^\n", undefined:match ".-FALSE\n" })
    local runs = 0
    for arguments, result in readme:gmatch "/main%.lua ([^\n]*%-%-run [^\n]*)\n    (%w+)\n" do
      runs = runs + 1
      assert.equal(result .. "\n", (command(arguments)))
    end
    assert.equal(3, runs)
  end)

  it("explains itself", function()
    its.explains(command, {
      [""] = "no file given", ["--what x.mod"] = "--what: no such option",
      ["x.mod --run"] = "--run: a procedure is missing",
      ["x.mod -o exe"] = "-o: a file and a procedure are needed",
    })
    for arguments, why in pairs {
      ["missing.mod"] = "missing.mod: No such file or directory",
      [PROGRAMS .. "gcd.mod --run Gcd.Lcm 1 2"] = "no procedure is called 'Gcd.Lcm'",
      [PROGRAMS .. "gcd.mod --run Gcd.Gcd 1"] =
        "wrong number of arguments to 'Gcd' (2 expected, got 1)",
      [PROGRAMS .. "gcd.mod --run Gcd.Gcd 1 TRUE"] =
        "argument 'b' of 'Gcd' is not of type INTEGER: TRUE",
      [PROGRAMS .. "order.mod --run Order.Swap 1 2"] =
        "Order.Swap: parameter 'a' is VAR: a command has no variable for it",
    } do
      local _, err, status = command(arguments)
      assert.equal(why .. "\n", err)
      assert.equal(1, status)
    end
  end)

  it("runs from anywhere", function()
    local there = command_of("main.lua", "examples/tinylang")
    assert.equal("21\n", (there "programs/gcd.mod --run Gcd.Gcd 1071 462"))
  end)
end)

-- }=====================================================================
