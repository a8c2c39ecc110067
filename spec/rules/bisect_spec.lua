-- phial.bisect: the application of a rule that makes a function wrong.
local phial = require "phial"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"

-- A right set, and one more rule, which is wrong for some operands.
local R = phial.rules "int"
R:include(phial.rules "odd: x - 3 => x ~ 3 @ unoriented")

-- Makes functions of a random list of steps, each an op and a constant.
local function maker(steps)
  return function(opts)
    opts.rules = R
    local fn = phial.fn("f", { "x" }, "i64", opts)
    local b = fn:entry()
    local v, kept = fn:arg(1), {}
    for i, step in ipairs(steps) do
      v = b:emit(step.op, step.swapped and step.constant or v, step.swapped and v or step.constant)
      kept[i] = v
    end
    b:ret(b:add(v, kept[#kept // 2 + 1]))
    return fn:finish()
  end
end

local function any_steps(pick)
  local steps = {}
  for i = 1, 2 + pick(12) do
    steps[i] = { op = ({ "add", "sub", "mul", "bxor" })[pick(4)], constant = pick(5) - 1,
      swapped = pick(3) == 1 }
  end
  return steps
end

describe("phial.bisect", function()
  it("names the wrong rule among right ones, and shows what it did", function()
    local found = 0
    local cases = prop.forall(any_steps, function(steps)
      local make = maker(steps)
      local right = make { applications = 0 }
      local function is_right(fn)
        for x = -8, 8 do
          if fn(x) ~= right(x) then return false end
        end
        return true
      end
      if is_right(make {}) then return end
      found = found + 1
      local result = phial.bisect(make, is_right)
      assert.equal("odd", result.rule)
      assert.is_true(is_right(result.before) and not is_right(result.after))
      assert.equal(result.before:text(), make { applications = result.count - 1 }:text())
      assert.equal(result.after:text(), make { applications = result.count }:text())
    end, 800)
    assert(found >= cases // 20, found)
  end)

  it("refuses what is right with all rules, wrong without, or neither", function()
    local make = maker { { op = "add", constant = 1 }, { op = "mul", constant = 3 },
      { op = "bxor", constant = 4 } } -- to which no rule applies
    local calls = 0
    local function second()
      calls = calls + 1
      return calls == 2
    end
    for message, is_right in pairs {
      ["it is right with all rules"] = function() return true end,
      ["it is wrong without rules, too"] = function() return false end,
      ["it is not always right or wrong"] = second,
    } do
      refused(nil, "calling 'phial.bisect': " .. message,
        function() phial.bisect(make, is_right) end)
    end
    refused(nil, "calling 'phial.bisect': 'make' returned nil, a phial.Function expected",
      function() phial.bisect(function() end, print) end)
    refused(nil, "bad argument #2 to 'phial.bisect' (function expected, got nil)",
      function() phial.bisect(make) end)
    refused(nil, "bad argument #4 to 'phial.fn' (option 'applications': an integer from 0"
      .. " expected, got -1)", function() phial.fn("f", {}, nil, { applications = -1 }) end)
  end)
end)
