-- Random programs with and without simplification compute the same.
local arithmetic = require "spec.support.arithmetic"
local prop = require "spec.support.prop"
local semantics = require "spec.support.semantics"

local STEPS = 60

local function same(a, b)
  if a ~= a then return b ~= b end
  return math.type(a) == math.type(b) and a == b and (a ~= 0 or 1 / a == 1 / b)
end

local function outcome(f, ...)
  local ok, it = pcall(f, ...)
  if ok then return it end
  return type(it) == "table" and it.trap or it
end

describe("a random program", function()
  it("computes the same when it is simplified", function()
    prop.forall(arithmetic.generate, function(p)
      local shown
      local function show(...) shown = table.pack(...) end
      local function run(fn)
        shown = { n = 0 }
        return outcome(semantics.run, fn, { fuel = STEPS }, table.unpack(p.values)), shown
      end
      local expected, seen = run(arithmetic.build(p, show))
      if expected == "out of fuel" then return end
      for _, seal in ipairs { "late", "early", "counted" } do
        for _, construction in ipairs { "marker", "simple" } do
          local fn = arithmetic.build(p, show,
            { rules = os.getenv "RULES" or true, seal = seal, construction = construction })
          local got, saw = run(fn)
          if not same(expected, got) then
            error(("%s: %s, not %s\n%s"):format(seal, tostring(got), tostring(expected), fn))
          end
          for i = 1, seen.n do
            if not same(seen[i], saw[i]) then
              error(("%s: x%d is %s, not %s\n%s"):format(seal, i, tostring(saw[i]),
                tostring(seen[i]), fn))
            end
          end
          assert(fn:minimal() and fn:pruned())
          assert.equal(0, fn:resimplify())
        end
      end
    end)
  end)
end)
