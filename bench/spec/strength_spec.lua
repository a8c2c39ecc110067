-- bench/suites/strength.lua on a function of which opt's first passes leave one instruction more.
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"
local under = require "spec.support.under"

local INPUT <const> = [[
define i32 @f(i32 %0) {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = and i32 %3, 12
  %5 = and i32 %4, 10
  ret i32 %5
}
]]

local _, has_opt = shell.run "command -v opt-16"

describe("bench/suites/strength.lua", function()
  local function measured(options)
    local folder = os.tmpname()
    os.remove(folder)
    shell.output("mkdir " .. folder)
    file.write(folder .. "/masks.ll", INPUT)
    local text, good = shell.run(
      ("%s bench/suites/strength.lua %s %s"):format(quoted(interpreter()), options, folder))
    shell.output("rm -r " .. folder)
    return text, good
  end

  it("counts what is left by opcode, beside opt", has_opt and function()
    if under.slow then return pending "opt is not to be checked" end
    local text, good = measured ""
    assert(good, text)
    local counts = {}
    for key, cells in text:gmatch "\n| (%l+) +(|[^\n]*)" do
      counts[key] = cells:gsub("[| ]+", " ")
    end
    assert.equal(" 1 2 1 1 1 ", counts["and"])
    assert.equal(" 1 1 1 1 1 ", counts.ret)
    assert.equal(" 2 3 2 2 2 ", counts.all)
  end or nil)

  it("says which command is missing", function()
    local text, good = measured "--opt opt-of-no-version"
    assert.is_false(good)
    assert.matches("opt%-of%-no%-version: [^\n]*not found", text)
  end)
end)
