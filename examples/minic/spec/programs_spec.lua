-- The programs of examples/minic: in each way the output and the exit status that the C compiler
-- gives them.
local promotion = require "examples.minic.spec.promotion"
local under = require "spec.support.under"
local ways = require "examples.minic.spec.ways"

local PROGRAMS <const> = {
  "control", "games", "initial", "jumps", "library", "numbers", "pointers", "structs", "variadic",
}

-- What the interpreter does not have of what a program needs.
local REFUSED <const> = { jumps = "_setjmp", library = "strtod" }

local function is_refused(path, way)
  local out, status = way(path, "one 'two words'")
  assert.matches(("%s:%%d+:%%d+%%): there is no '%s' in the option env\n$"):format(path,
    REFUSED[path:match "(%a+)%.c$"]), out)
  assert.equal(134, status)
end

-- `make test` runs each program in one way, and all ways in turn: jumps not in C, since tcc's
-- setjmp makes it endless.
local function is_tried(i, way) return not under.brief or (i + 3) % 4 == way % 4 end

describe("the C program", function()
  for i, name in ipairs(PROGRAMS) do
    local path = ("examples/minic/programs/%s.c"):format(name)
    local expected
    for way, kind in ipairs { "c", "lli", "interpreter", "promoted" } do
      if is_tried(i, way) then
        it(("%s runs: %s"):format(name, kind), function()
          if not (ways.cc and ways[kind]) then return pending "not installed" end
          if REFUSED[name] and kind == "interpreter" then return is_refused(path, ways[kind]) end
          expected = expected or { ways.cc(path, "one 'two words'") }
          assert.same(expected, { ways[kind](path, "one 'two words'") })
        end)
      end
    end

    if is_tried(i, 1) then
      it(name .. " has the same phis with locals that were in memory", function()
        if not ways.cc then return pending "not installed" end
        assert.same({}, promotion(path).wrong)
      end)
    end
  end
end)
