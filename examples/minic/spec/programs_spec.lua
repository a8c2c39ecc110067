-- The programs of examples/minic: in each way the output and the exit status that the C compiler
-- gives them.
local promotion = require "examples.minic.spec.promotion"
local ways = require "examples.minic.spec.ways"

local PROGRAMS <const> = {
  "control", "games", "initial", "numbers", "pointers", "structs", "variadic",
}

describe("the C program", function()
  for _, name in ipairs(PROGRAMS) do
    local path = ("examples/minic/programs/%s.c"):format(name)
    local expected
    for _, kind in ipairs { "c", "lli", "interpreter", "promoted" } do
      it(("%s runs: %s"):format(name, kind), function()
        if not (ways.cc and ways[kind]) then return pending "not installed" end
        expected = expected or { ways.cc(path, "one 'two words'") }
        assert.same(expected, { ways[kind](path, "one 'two words'") })
      end)
    end

    it(name .. " has the same phis with locals that were in memory", function()
      if not ways.cc then return pending "not installed" end
      assert.same({}, promotion(path).wrong)
    end)
  end
end)
