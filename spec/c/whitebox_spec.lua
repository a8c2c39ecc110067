-- What Lua cannot test: the C programs of spec/c, one `it` a case; and shapes so
-- large that recursion over them would overflow the stack.
local corpus = require "bench.lib.corpus"
local shell = require "spec.support.shell"
local system = require "bench.lib.system"
local under = require "spec.support.under"
local variants = require "spec.support.variants"

-- ---------------------------------------------------------------- spec/c

--- One `it` for each line `ok NAME` or `not ok NAME: got WHAT`.
local function cases(arguments)
  local text, good = shell.run(under.built "spec/core" .. arguments)
  local count = 0
  for line in text:gmatch "[^\n]+" do
    local name, got = line:match "^not ok ([^:]+): got (.*)$"
    name = name or line:match "^ok (.+)$"
    if name then
      count = count + 1
      it((name:gsub("_", " ")), function() assert.is_nil(got) end)
    end
  end
  it("all of it", function()
    assert(good, text:sub(-2000))
    assert(count > 0, "no case")
  end)
end

local runs = os.getenv "RUNS" or os.getenv "LONG" and 3000 or under.brief and 300 or 1000

describe("the core reports broken lists:", function() cases "lists" end)
describe("the core reports broken invariants:", function() cases "verify" end)
describe("the verifier survives", function() cases("damage " .. runs) end)
describe("out of memory in construction:", function() cases "construction" end)
describe("out of memory in a program of", function() cases "programs fuzz/corpus/build/*" end)
describe("out of memory in a question:", function() cases "questions" end)
describe("a callback of the host:", function() cases "reports" end)
describe("out of memory in a text:", function() cases "texts" end)
describe("out of memory with rules:", function() cases "sets" end)
describe("a definition told of a filled block counts", function() cases "assume" end)
describe("a pool of memory", function() cases "pool" end)
describe("the C interface answers about", function() cases "interface" end)
describe("misuse of the C interface is asserted:", function() cases "misuse" end)
describe("the C interface refuses wrong arguments of", function() cases "calls" end)
describe("rules that threads share:", function() cases "freeze" end)

-- ---------------------------------------------------------------- shapes

-- The number of phis of n blocks (loops, cases) of a shape with v variables, and
-- why. Without loops and sealed in time the marker and SCC variants make no temporary phis;
-- `temporary`: at most that many. `small`: where each push moves an array.
--
-- A stack frame takes at least 16 bytes, so 4,300 of them overflow a stack of 64 KiB, and
-- 17,000 one of 256. LONG asks for larger shapes, as `make check` does.
local long = os.getenv "LONG"
local large, small = { long and 100000 or 4300 }, { 300 }
local STACK <const> = long and 256 or 64

-- Nanoseconds per event, at least 5 times what the slowest shape takes. At the sizes of LONG
-- quadratic work exceeds it.
local bearable = long and 20000 or 10000

local shapes = {
  -- the entry's definition reaches the read
  { name = "chain", acyclic = true, phis = function() return 0 end },
  { name = "ladder", acyclic = true, phis = function() return 0 end },
  { name = "ifs", acyclic = true, phis = function() return 0 end },
  { name = "sparse", acyclic = true, phis = function() return 0 end },
  { name = "backward", acyclic = true, phis = function() return 0 end },
  { name = "alias", acyclic = true, phis = function() return 0 end },
  { name = "phicascade", phis = function() return 0 end },
  -- the counter in each header; the variable that is only read needs none
  { name = "nest", phis = function(n) return n end },
  -- the counter after each case and in the loop's header
  {
    name = "dispatch", large = { long and 8000 or 4300, 64 }, small = { 100, 16 },
    phis = function(n) return n + 1 end, temporary = 1
  },
  -- the written variable at both entries of each loop
  { name = "irreducible", phis = function(n) return 2 * n end },
  -- the written variable in each header: one cycle
  { name = "lateread", phis = function(n) return n end, temporary = 0 },
  -- each variable is written on some path to the join
  {
    name = "wide", acyclic = true, large = { large[1], 16 }, small = { 300, 16 },
    phis = function(_, v) return v end
  },
  -- all variables are written in the entry, so many that a list of them would be walked for
  -- too long, and 30 on some path to the join
  {
    name = "wide", acyclic = true, large = { 16, 4 * large[1] }, small = { 16, 300 },
    phis = function() return 30 end
  },
  -- each variable is written in some case of the loop
  {
    name = "bigswitch", large = { long and 8000 or 4300, long and 64 or 8 }, small = { 100, 16 },
    phis = function(_, v) return v end
  },
}

local ways = {}
for _, construction in ipairs(variants) do
  for _, order in ipairs { "traced", "end" } do ways[#ways + 1] = { construction, order } end
end

local function synthesize(shape, size)
  local path = os.tmpname()
  assert(os.execute(("%s bench/gen/synth.lua %s %s > %s"):format(
    corpus.quoted(system.interpreter()), shape, table.concat(size, " "),
    corpus.quoted(path))))
  return path
end

local function replay(path, construction, order)
  local command = ("%s %s 1 --verify --construction %s --seal %s"):format(
    under.built "bench/replay", corpus.quoted(path), construction, order)
  if not under.slow then command = ("ulimit -s %d; %s"):format(STACK, command) end
  return assert(system.result(system.known.c, command), "it failed")
end

-- A sanitizer, like valgrind, takes longer to start than a small shape takes: there, and for
-- `make test`, each is constructed in one way, and all ways in turn.
local function ways_for(i)
  return (under.slow or under.brief) and { ways[(i - 1) % #ways + 1] } or ways
end

for i, shape in ipairs(shapes) do
  local size = under.slow and (shape.small or small) or shape.large or large
  describe(("with little stack, a %s of %d,"):format(shape.name, size[1]), function()
    local path
    setup(function() path = synthesize(shape.name, size) end)
    teardown(function() os.remove(path) end)
    for _, way in ipairs(ways_for(i)) do
      local construction, order = way[1], way[2]
      it(("%s, sealed %s, has the phis it needs"):format(construction, order), function()
        local result = replay(path, construction, order)
        assert.equal(shape.phis(size[1], size[2]), result.phis)
        assert.equal(0, result.problems)
        if not under.slow then assert.is_true(result.ns_per_event < bearable) end
        if (construction == "marker" or construction == "scc") and order == "traced" then
          local most = shape.temporary or shape.acyclic and 0 or math.huge
          assert.is_true(result.temporary_phis <= most)
        end
      end)
    end
  end)
end
