-- The calculator language: what it writes is a module, which runs, and as C is a program.
local golden = require "spec.support.golden"
local phial = require "phial"
local shell = require "spec.support.shell"
local system = require "bench.lib.system"
local under = require "spec.support.under"

local CALC <const> = under.built "examples/calc"
local PROGRAM <const> = "examples/c/golden/numbers.calc"

-- 2 * (0 + 1 + 1 + ... + 34) - 6
local RESULT <const> = 170

describe("a program of calc.c", function()
  local text = shell.output(CALC .. " <" .. PROGRAM)

  it("is a module, which runs", function()
    golden.check(PROGRAM, text)
    assert.equal(RESULT, phial.parse(text):get "calculate"())
  end)

  it("becomes a native program", function()
    local path = os.tmpname()
    finally(function() os.execute(("rm -f '%s' '%s'.*"):format(path, path)) end)
    shell.output(("%s <%s >%s.phial"):format(CALC, PROGRAM, path))
    shell.output(("'%s' bin/phial emit c %s.phial -o %s.c"):format(system.interpreter(), path,
      path))
    shell.output(("${CC:-cc} -std=c11 %s.c examples/c/calculate.c -o %s"):format(path, path))
    assert.equal(RESULT .. "\n", shell.output(path))
  end)

  it("is refused where it is wrong", function()
    local said, good = shell.run("echo 'fn f(a) { return a + ; }' | " .. CALC)
    assert.is_false(good)
    assert.truthy(said:find("calc: 'a name' expected at ';", 1, true), said)
  end)
end)
