-- Every op at every type with edge values, as native code of each compiler, compared
-- with the oracle. All functions of a compiler are compiled at once, with warnings as errors.
local compilers = require "spec.support.compilers"
local forms = require "spec.support.forms"
local native = require "phial.native"
local ops = require "spec.support.ops"
local under = require "spec.support.under"

-- How many functions with constants each form of an op has.
local CONSTANTS = os.getenv "LONG" and 12 or under.brief and 1 or 2

-- Pointers of native code are those of the machine: with 32 bits they do not hold the
-- edge values.
local POINTERS = string.packsize "T" == 8

local functions, cases, seen = {}, {}, {}

for _, row in ipairs(ops.all) do
  for _, case in ipairs(forms.cases(row, CONSTANTS, { rules = false, where = false })) do
    local holds = POINTERS or not case.fn:text():find("ptr", 1, true)
    if holds then cases[#cases + 1] = case end
    if holds and not seen[case.fn] then
      seen[case.fn] = true
      functions[#functions + 1] = case.fn
    end
  end
end

describe("every op at every type, compiled by", function()
  compilers.each(pending, function(cc)
    it(cc .. " computes what it means, with edge values", function()
      assert(#cases >= 5000, #cases)
      local lib <close> = native.compile(functions, compilers.options(cc))
      for _, case in ipairs(cases) do forms.check(case, lib:get(case.fn:name())) end
    end)
  end, not under.brief)
end)
