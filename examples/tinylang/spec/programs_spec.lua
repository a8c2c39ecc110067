-- The programs of examples/tinylang: the same results in each way to run them.
local file = require "spec.support.file"
local ways = require "examples.tinylang.spec.ways"

local compile = require("tinylang.compile").compile

-- Calls, one after the other, and their results.
local EXPECTED = {
  ["gcd.mod"] = {
    { "Gcd.Gcd", { 1071, 462 }, 21 }, { "Gcd.Gcd", { -4, 6 }, 2 },
    { "Gcd.Gcd3", { -12, 18, 30 }, 6 }, { "Gcd.Abs", { math.mininteger }, math.mininteger },
  },
  ["square.mod"] = {
    { "Square.Root", { 1000000 }, 1000 }, { "Square.Root", { 99 }, 9 },
    { "Square.Root", { -1 }, 0 }, { "Square.Is", { 144 }, true }, { "Square.Is", { 145 }, false },
    { "Square.Power", { 3, 13 }, 1594323 }, { "Square.Calls", {}, 5 },
  },
  ["order.mod"] = {
    { "Order.Median", { 3, 1, 2 }, 2 }, { "Order.Median", { 5, 5, 1 }, 5 },
    { "Order.Digits", { 9876 }, 30 }, { "Order.Digits", { -3 }, 0 },
  },
  ["dice.mod"] = {
    { "Dice.Sum", { 100 }, 327 }, { "Dice.Throw", {}, 4 }, { "Dice.Until", { 50 }, 17 },
    { "Random.Seed", { 7 } }, { "Random.Next", { 1000 }, 897 }, { "Dice.Lucky", { 13 }, true },
    { "Dice.Lucky", { 3 }, false }, { "Random.Next", { 0 }, "trap" },
  },
  ["recursion.mod"] = {
    { "Recursion.Even", { 10 }, true }, { "Recursion.Odd", { 10 }, false },
    { "Recursion.Ackermann", { 2, 3 }, 9 }, { "Recursion.Hanoi", { 10 }, 1023 },
    { "Recursion.Collatz", { 27 }, 111 },
  },
}

local function program(name, opts)
  local path = "examples/tinylang/programs/" .. name
  return assert(compile({ { path = path, text = file.read(path) } }, opts))
end

local function check(way, name, opts)
  local calls = EXPECTED[name]
  local outcomes = way(program(name, opts), calls)
  for i, call in ipairs(calls) do
    assert.equal(call[3], outcomes[i], ("%s %s"):format(call[1], table.concat(call[2], " ")))
  end
end

describe("the program", function()
  for name in pairs(EXPECTED) do
    for _, kind in ipairs { "oracle", "instance", "native", "lli" } do
      it(("%s runs: %s"):format(name, kind), function()
        if not ways[kind] then return pending "not installed" end
        check(ways[kind], name)
      end)
    end
    it(name .. " runs without rules", function() check(ways.instance, name, { rules = false }) end)
  end
end)
