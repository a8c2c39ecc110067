-- Reading and lint of large sets of rules take near-linear time.
local near_linear = require "spec.support.growth"
local phial = require "phial"

local function is_near_linear(name, n, make, call)
  it(name, function()
    local good, why = near_linear(n, make, call)
    assert(good, why)
  end)
end

-- Returns a function that makes n rules by a pattern with %d for a number.
local function rules(pattern)
  return function(n)
    local lines = {}
    for i = 1, n do lines[i] = pattern:gsub("%%d", 1000 + i) end
    return phial.rules(table.concat(lines, "\n"))
  end
end

local function alternatives(n)
  local list = {}
  for i = 1, n do list[i] = 1000 + i end
  return "a: x + [" .. table.concat(list, "|") .. "] => x"
end

describe("time is near-linear", function()
  for _, pattern in ipairs {
    "x + %d => x", "(x - y) + %d => x", "(x + y) * %d => x", "(~x + %d) - y => x", "x + 1 => x",
    "x + y => %d", "x + C => x if C == %d",
  } do
    is_near_linear("of R:lint: " .. pattern, 125, rules(pattern), function(R) R:lint() end)
  end

  is_near_linear("of reading [a|b|...]", 125, alternatives, phial.rules)
  is_near_linear("of R:lint of [a|b|...]", 125, function(n) return phial.rules(alternatives(n)) end,
    function(R) R:lint() end)
  is_near_linear("of reading [a|b|...] with several brackets", 60, function(n)
    local list = alternatives(n):match "%[.*%]"
    return ("a: ((x + %s) & %s) ~ %s => x"):format(list, list, list)
  end, phial.rules)
end)
